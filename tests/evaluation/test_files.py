"""Files are read as they were written, or an error says which row cannot be."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankdcg_sql import CallError, compare, evaluate
from rankdcg_sql.evaluation._tables.reader import Reader
from rankdcg_sql.evaluation._tables.workspace import Workspace

TRUTH = {"userid": ["1", "2"], "itemid": ["a", "b"]}
#: Signs that mean something to some reader.
SIGNS = "ab01_.-+'\"#,;|\t \\x\x00\x01\x0b\x1c\u00a0\u00e9"
NAMES = ["userid", "itemid", "score"]
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}


def read(path: Any, role: str = "rec") -> list[tuple[Any, ...]]:
    """The rows of a file with ids as texts, as `evaluate` reads them."""
    with duckdb.connect(config={"threads": 1}) as con:
        columns = {"truth": ("userid", "itemid", "rel"), "rec": ("userid", "itemid", "score")}
        run = lambda label, statement: con.execute(statement)  # noqa: E731
        reader = Reader("evaluate", Workspace(con, run, None, columns, "prefix"))
        source = reader.open(role, path, role)
        value = "rel" if role == "truth" else "score"
        return con.execute(f"SELECT userid::VARCHAR, itemid::VARCHAR, {value} FROM {source.view}").fetchall()


def as_csv(rows: list[tuple[Any, ...]], **form: Any) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, **form).writerows([NAMES, *rows])
    return text.getvalue().encode()


def as_lines(rows: list[tuple[Any, ...]]) -> bytes:
    return "".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in rows).encode()


def as_json(rows: list[tuple[Any, ...]]) -> bytes:
    return json.dumps([dict(zip(NAMES, row, strict=True)) for row in rows]).encode()


def as_run(rows: list[tuple[Any, ...]]) -> bytes:
    return "".join(f"{user} Q0 {item} 1 {score} x\n" for user, item, score in rows).encode()


def as_qrels(rows: list[tuple[Any, ...]]) -> bytes:
    return "".join(f"{user} 0 {item} {score}\n" for user, item, score in rows).encode()


#: How rows are written, and what separates the fields of a line and cannot be part of an id.
FORMATS: dict[str, tuple[Callable[[list[tuple[Any, ...]]], bytes], str]] = {
    ".csv": (as_csv, ""),
    ".tsv": (lambda rows: as_csv(rows, delimiter="\t", lineterminator="\n"), ""),
    ".json": (as_json, ""),
    ".jsonl": (as_lines, ""),
    ".txt": (as_run, " \t\x0b"),
    ".qrels": (as_qrels, " \t\x0b"),
}


def same(written: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    """Whether a row came back. Blanks around a number are not part of it."""
    *ids, score = written
    *found_ids, found_score = found
    return score == found_score and all(
        one == other or one.strip() == other for one, other in zip(ids, found_ids, strict=True)
    )


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_was_written_comes_back(data: st.DataObject, form: str, ending: str, tmp_path: Path):
    write, separators = FORMATS[form]
    ids = st.text(st.sampled_from([sign for sign in SIGNS if sign not in separators]), min_size=1, max_size=4)
    rows = data.draw(
        st.lists(st.tuples(ids, ids, st.sampled_from([0, 1, 2, 0.5, 1e-3])), min_size=1, max_size=5)
    )
    path = tmp_path / f"rows{form}{ending}"
    path.write_bytes(COMPRESS[ending](write(rows)))
    found = read(path, "truth" if form == ".qrels" else "rec")
    assert len(found) == len(rows)
    assert all(map(same, rows, found)), (rows, found)


#: More rows than those by which DuckDB chooses the types of columns.
MANY = [(user, user, 1) for user in range(30_000)]


@pytest.mark.parametrize(
    ("user", "score", "found"),
    [
        ("007", 1, ("007", 1)),
        ("+7", 1, ("+7", 1)),
        ("1_000", 1, ("1_000", 1)),
        ("0x10", 1, ("0x10", 1)),
        ("1e3", 1, ("1e3", 1)),
        ("1.5", 1, ("1.5", 1)),
        ("7", 1.5, ("7", 1.5)),
    ],
)
@pytest.mark.parametrize("form", [".csv", ".jsonl"])
def test_types_of_the_first_rows_change_no_later_value(
    form: str, user: str, score: float, found: tuple[str, float], tmp_path: Path
):
    path = tmp_path / f"rows{form}"
    path.write_bytes(FORMATS[form][0]([*MANY, (user, "a", score)]))
    rows = read(path)
    assert (len(rows), rows[-1]) == (len(MANY) + 1, (found[0], "a", found[1]))


@pytest.mark.parametrize("before", [1, len(MANY)])
def test_values_of_several_kinds_in_json_are_texts_or_numbers(before: int, tmp_path: Path):
    path = tmp_path / "rows.jsonl"
    rows = [*MANY[:before], ("x", "0x10", "1.5")]
    path.write_bytes(as_lines(rows))
    assert read(path)[-2:] == [(str(before - 1), str(before - 1), 1), ("x", "0x10", 1.5)]
    path.write_bytes(as_lines([*rows, ("x", "a", True)]))
    with pytest.raises(CallError, match=rf"score .* must be a number, got 'true' \(row {before + 2:,} of "):
        read(path)


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("score", ["1_000", "1_0.5", "x"])
def test_a_score_that_is_no_number_is_named_with_its_row(score: str, early: bool, tmp_path: Path):
    rows = [("u", "a", 0.5)] if early else MANY
    for form in (".csv", ".txt"):
        path = tmp_path / f"rows{form}"
        path.write_bytes(FORMATS[form][0]([*rows, ("u", "b", score)]))
        with pytest.raises(CallError, match=f"score.*{score}") as error:
            evaluate(TRUTH, path)
        if not early:
            place = "row" if form == ".csv" else "line"
            assert f"({place} {len(MANY) + 1:,} of {path})" in str(error.value)


def test_a_value_that_is_no_number_is_found_in_the_second_of_several_files(tmp_path: Path):
    """The column is of numbers in the first file, and in nearly all rows of the second one."""
    for name, rows in (("a.csv", MANY[:1]), ("b.csv", [*MANY, ("u", "b", "x"), ("u", "c", "x")])):
        (tmp_path / name).write_bytes(as_csv(rows))
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(CallError, match=r"must be a number, got 'x' \(row 30,001 of .*b.csv\)$") as error:
        evaluate(TRUTH, files)
    assert error.value.argument == "score"
    with pytest.raises(CallError, match=r"^evaluate: score of truth .* \(row 30,001 of .*b.csv\)$") as error:
        evaluate(files, TRUTH, rel="score")
    assert error.value.argument == "rel"


def test_relevances_in_csv_may_be_booleans(tmp_path: Path):
    path = tmp_path / "truth.csv"
    path.write_text("userid,itemid,rel\nu,a,True\nu,b,False\nv,b,TRUE\n")
    rec = {"userid": ["u", "v"], "itemid": ["b", "b"], "score": [1, 1]}
    found = evaluate(path, rec, metrics="recall@1", rel="rel").per_user.fetchall()
    assert [row[-1] for row in found] == [0, 1]


def test_blanks_around_a_number_in_csv_are_no_part_of_it(tmp_path: Path):
    path = tmp_path / "rec.csv"
    path.write_text("userid,itemid,score\n1, 7, 0.5\n1, 8, 0.4\n")
    assert evaluate({"userid": [1], "itemid": [8]}, path, metrics="mrr@2").means == {"mrr@2": 0.5}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_file_that_was_cut_off_or_damaged_is_refused(form: str, ending: str, tmp_path: Path):
    role = "truth" if form == ".qrels" else "rec"
    data = COMPRESS[ending](FORMATS[form][0]([(str(user), "a", 1) for user in range(3000)]))
    path = tmp_path / f"rows{form}{ending}"
    path.write_bytes(data)
    assert len(read(path, role)) == 3000
    for cut in (1, 9, len(data) // 2):
        path.write_bytes(data[:-cut])
        wrong = rf"^evaluate: {role} \(.*{form}{ending}\) cannot be read: '.*rows{form}{ending}' is damaged, "
        wrong += f"was cut off, or is not in {'gzip' if ending == '.gz' else 'zstd'}: "
        with pytest.raises(CallError, match=wrong):
            read(path, role)
    if ending == ".gz":
        # The checksum is in the fourth to the first of the last eight bytes.
        path.write_bytes(data[:-8] + bytes([data[-8] ^ 1]) + data[-7:])
        with pytest.raises(CallError, match=r"is damaged, .*: .*incorrect data check"):
            read(path, role)


@pytest.mark.parametrize("ending", COMPRESS)
def test_the_names_of_columns_are_no_row(ending: str, tmp_path: Path):
    """Files with a line of names each, put one behind the other."""
    path = tmp_path / f"rows.csv{ending}"
    part = b"userid,itemid\nu1,a\nu2,b\n"
    path.write_bytes(COMPRESS[ending](part) * 2)
    rec = {"userid": ["u1"], "itemid": ["a"], "score": [1]}
    with pytest.raises(CallError, match=r"line of names stands among the rows, too \(row 3 of .*\): remove"):
        evaluate(path, rec)
    path.write_bytes(COMPRESS[ending](as_csv([("u1", "a", 1)])) * 2)
    with pytest.raises(CallError, match=r"line of names stands among the rows, too|a second line of names"):
        evaluate(rec, path)
    path.write_bytes(COMPRESS[ending](part) + COMPRESS[ending](b"3,c\n"))
    assert evaluate(path, rec).counts.truth_rows == 3


@pytest.mark.parametrize("role", ["truth", "rec"])
def test_lines_of_trec_files_may_have_any_byte(role: str, tmp_path: Path):
    write, name = (as_qrels, "rows.qrels") if role == "truth" else (as_run, "rows.txt")
    path = tmp_path / name
    users = ["\x011", "2\x01", "\x1c3", "\u00a04"]
    path.write_bytes(write([(user, "a", 1) for user in users]))
    assert [user for user, *_ in read(path, role)] == users
    line = write([("1", "a", 1)]).decode()
    for cut in ("\U0010ffff" + line, line.strip() + "\U0010ffff more\n", "\U0010fffe\n"):
        path.write_text(line + cut)
        with pytest.raises(CallError, match=r"each line of .* must have . fields .* \(line 2 of"):
            read(path, role)


def test_no_line_is_a_comment_and_none_above_the_names_is_left_out(tmp_path: Path):
    path = tmp_path / "rows.csv"
    path.write_text("userid,itemid,score\n#1,a,1\n2,b,2\n#3,c,3\n")
    assert read(path) == [("#1", "a", 1), ("2", "b", 2), ("#3", "c", 3)]
    path.write_text("a title\nuserid,itemid,score\n1,a,1\n")
    with pytest.raises(CallError, match=r"rec .* has no column 'userid', but a title"):
        evaluate(TRUTH, path)


def test_lines_may_end_in_different_ways_and_columns_of_several_files_in_another_order(tmp_path: Path):
    run, one, other = (tmp_path / name for name in ("run.txt", "a.csv", "b.csv"))
    run.write_bytes(b"1 Q0 a 1 2 x\r\n2 Q0 b 1 1 x\n3 Q0 c 1 1 x")
    assert read(run) == [("1", "a", 2), ("2", "b", 1), ("3", "c", 1)]
    one.write_text("userid,itemid,score\n1,a,2\n")
    other.write_text("score,itemid,userid\n3,b,2\n")
    assert read([one, other]) == [("1", "a", 2), ("2", "b", 3)]


def test_lines_without_a_field_are_refused(tmp_path: Path):
    path = tmp_path / "rows.csv"
    path.write_bytes(as_csv(MANY) + b"1,a\r\n")
    with pytest.raises(CallError, match=r"CSV Error on Line: 30,?002"):
        read(path)


def test_zstandard_is_not_read_from_afar(tmp_path: Path):
    url = "https://example.invalid/rec.csv.zst"
    wrong = (
        f"evaluate: rec ({url}) is compressed with zstd, and whether {url!r} is whole can only be checked on "
        "this machine: download it first, or use gzip"
    )
    with pytest.raises(CallError, match=f"^{re.escape(wrong)}$"):
        evaluate(TRUTH, url)


@pytest.mark.parametrize("call", ["evaluate", "compare"])
@pytest.mark.parametrize("role", ["truth", "rec"])
def test_a_damaged_page_of_parquet_is_named_with_its_file(call: str, role: str, tmp_path: Path):
    users = [str(user) for user in range(20_000)]
    tables = {"truth": {"userid": users, "itemid": users}, "rec": {"userid": users, "itemid": users}}
    for name, table in tables.items():
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({**table, "score": [1] * len(users)}), path, compression="zstd")
        if name == role:
            data = bytearray(path.read_bytes())
            data[2000:2400] = bytes(400)
            path.write_bytes(data)
    truth, rec = (str(tmp_path / f"{name}.parquet") for name in tables)
    run = evaluate if call == "evaluate" else lambda truth, rec: compare(truth, {"a": other, "rec": rec})
    other = {"userid": ["1"], "itemid": ["1"], "score": [1]}
    with pytest.raises(
        CallError, match=rf"{role}.* cannot be read: '.*{role}\.parquet' is damaged: "
    ) as error:
        run(truth, rec)
    argument = "recs" if (call, role) == ("compare", "rec") else role
    assert (error.value.function, error.value.argument) == (call, argument)
