"""No module of the package takes the text of an error apart, because errors have fields."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rankdcg_sql

#: The modules that read the errors of DuckDB and of a job of Spark, which have no fields.
OF_ENGINES = ("_sql.py", "spark/_session.py")
#: The functions that make a text of an error.
TO_TEXT = {"str", "repr", "error_text"}
#: The attributes of an error or a warning that are texts, or have one.
TEXTS = {"args", "text", "message"}
#: The methods of regular expressions and of texts that read the text in their arguments.
READERS = {"findall", "finditer", "fullmatch", "match", "search", "split", "sub"} | {"endswith", "startswith"}


def faults(source: str) -> list[str]:
    """Find the expressions of a module that read a part of an error's text, or compare it."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    errors = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)} | {
        node.arg
        for node in nodes
        if isinstance(node, ast.arg)
        and node.annotation
        and ast.unparse(node.annotation).strip("'").endswith(("Error", "Exception", "Warning"))
    }
    texts: set[str] = set()

    def is_error(node: ast.expr) -> bool:
        named = isinstance(node, ast.Name) and node.id in errors
        return named or (isinstance(node, ast.Attribute) and node.attr == "message")

    def is_text(node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name in texts
            case ast.Call(func=ast.Name(id=name), args=[given, *_]):
                return name in TO_TEXT and is_error(given)
            case ast.Attribute(value=given, attr=name):
                return name in TEXTS and is_error(given)
            case ast.JoinedStr(values=values):
                parts = [each.value for each in values if isinstance(each, ast.FormattedValue)]
                return any(is_error(part) or is_text(part) for part in parts)
        return False

    for node in nodes:
        if isinstance(node, ast.Assign) and is_text(node.value):
            texts |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    found = []
    for node in nodes:
        match node:
            case ast.Attribute(value=given) | ast.Subscript(value=given):
                read = [given]
            case ast.Compare(left=left, comparators=others):
                read = [left, *others]
            case ast.Call(func=ast.Attribute(attr=name), args=read) if name in READERS:
                pass
            case _:
                continue
        if any(map(is_text, read)):
            found.append(ast.unparse(node))
    return found


def test_no_module_takes_the_text_of_an_error_apart() -> None:
    root = Path(rankdcg_sql.__file__).parent
    found = {path: faults(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}
    assert all(found.pop(root / path) for path in OF_ENGINES)
    assert {str(path): expressions for path, expressions in found.items() if expressions} == {}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("raise ValueError(f'{caller}: {error}')", []),
        ("raise TypeError(str(error))", []),
        ("found = native.error_in(str(error))", []),
        ("print(error.kind == 'memory', error.argument.upper())", []),
        ("print(str(error).partition(': ')[2])", ["str(error).partition"]),
        ("print(re.search('k: (.*)', str(error)))", ["re.search('k: (.*)', str(error))"]),
        ("print(PATTERN.sub('', error.text))", ["PATTERN.sub('', error.text)"]),
        ("print(str(error) == 'Query interrupted')", ["str(error) == 'Query interrupted'"]),
        ("print('k' in error.args[0])", ["error.args[0]"]),
        ("text = f'{error}'\nprint(text[2:])", ["text[2:]"]),
        ("print(note.endswith(str(error)))", ["note.endswith(str(error))"]),
        ("print(str(warning.message).split()[0])", ["str(warning.message).split"]),
    ],
)
def test_expressions_that_take_a_text_apart_are_found(statement: str, expected: list[str]) -> None:
    lines = "\n".join(f"    {line}" for line in statement.split("\n"))
    assert faults(f"try:\n    pass\nexcept ValueError as error:\n{lines}") == expected


def test_errors_that_are_arguments_are_seen() -> None:
    assert faults("def text(error: duckdb.Error):\n    return str(error)[1:]") == ["str(error)[1:]"]
