"""Control characters in names are shown, and no terminal obeys them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import rankdcg_sql
from rankdcg_sql import _printable
from rankdcg_sql.cli import main

if TYPE_CHECKING:
    from pathlib import Path

RED = "\x1b[31mred"
SHOWN = r"\x1b[31mred"
USERS = [1, 2, 3, 4]
TRUTH: dict[str, list[Any]] = {"userid": USERS, "itemid": [1] * 4, RED: [RED, RED, "\x9b5n", "\r"]}
RECS = {
    name: {"userid": USERS, "itemid": [1, 1, 1, second], "score": [1] * 4}
    for name, second in (("old", 1), (RED, 2))
}


def raw(text: str) -> list[str]:
    """The control characters of a text, without line breaks."""
    return re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_each_control_character_is_written_out():
    every = "".join(map(chr, [*range(32), *range(127, 160), 0x202E]))
    assert raw(_printable.printable(every)) == ["\t"]
    assert _printable.printable("a\x1bb\x9b\u202e\n") == r"a\x1bb\x9b\u202e" + "\n"


@pytest.mark.parametrize("form", ["table", "markdown", "html"])
def test_results_show_control_characters_of_names(form: Any):
    compared = rankdcg_sql.compare(TRUTH, RECS, k=1, metrics="recall", by=RED)
    for result in (compared, compared.evaluations[RED]):
        for text in (repr(result), result.render(form)):
            assert raw(text) == []
            assert SHOWN in text


def test_histories_and_requirements_show_control_characters(tmp_path: Path):
    path = tmp_path / "history.csv"
    compared = rankdcg_sql.compare(TRUTH, RECS, k=1, metrics="recall")
    compared.append(path, label=RED)
    for text in (repr(rankdcg_sql.history(path)), repr(compared.require(f"{RED}: recall@1 >= 0.1"))):
        assert raw(text) == []
        assert SHOWN in text
    with pytest.raises(ValueError, match=re.escape(SHOWN)) as error:
        rankdcg_sql.evaluate(TRUTH, {RED: [1]})
    assert raw(str(error.value)) == []


def test_the_command_line_shows_control_characters(tmp_path: Path):
    truth = tmp_path / "truth.csv"
    truth.write_text(f'userid,itemid,"{RED}"\n1,a,x\n2,b,"{RED}"\n', newline="")
    (tmp_path / "rec.csv").write_text("userid,itemid,score\n1,a,1\n")
    tables = ["--truth", str(truth), "--rec", str(tmp_path / "rec.csv")]
    for more in (["--by", RED], ["--item", "none"]):
        done = CliRunner().invoke(main, ["evaluate", *tables, *more, "-k", "1"])
        assert raw(done.output) == []
        assert SHOWN in done.output
    done = CliRunner().invoke(main, ["sql", "-c", f"SELECT '{RED}' AS \"{RED}\""])
    assert raw(done.output) == []
    assert done.output.count(SHOWN) == 2
