"""The numbers of an evaluation."""

from __future__ import annotations

import decimal
import gzip
import json
import math
import random
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support import golden, reference
from support.outputs import movielens_means, trec_values
from support.two_tables import OF_ALL, REC, TRUTH, Table, approx, of_users, select

import rankdcg_sql
from rankdcg_sql import DataWarning, _static, evaluate
from rankdcg_sql.catalogue import metric_functions
from rankdcg_sql.evaluation._computing import user_metrics as _user_metrics

Statements = list[tuple[str, str]]
#: Two documents of equal scores.
TIED = "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.5 x\n"


@pytest.mark.parametrize("case", golden.TABLES, ids=lambda case: case.id)
def test_golden_tables(case: golden.Case):
    _, truth, rec = case.args
    found = evaluate(truth, rec, k=case.k, metrics=case.function, **case.options)
    ((metric, k, n, mean, *_),) = found.summary.fetchall()
    assert (metric, k, n) == (case.function, case.k, {"truth": 3, "both": 2}[case.options["users"]])
    assert mean == approx(case.expected)


def test_trec_eval(third_party: Path, tmp_path: Path):
    """The values are those that trec_eval printed, and those of pytrec_eval to all digits."""
    folder = third_party / "data/trec_eval"
    ks = [1, 5, 10, 15, 20, 30, 100, 200, 500, 1000, None]
    metrics = {
        "average_precision": "map", "mrr": "recip_rank", "ndcg": "ndcg", "precision": "P",
        "recall": "recall", "hit_rate": "success", "r_precision": "Rprec",
    }  # fmt: skip
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress((folder / "results.test").read_bytes()))
    for run in (folder / "results.test", packed):
        found = evaluate(folder / "qrels.test", run, k=ks, metrics=list(metrics), convention="trec_eval")
        means = [("all", metric, k, mean) for metric, k, _, mean, *_ in found.summary.fetchall()]
        values = {}
        for query, metric, k, value in [*found.per_user.fetchall(), *means]:
            name = {"average_precision": "map_cut", "ndcg": "ndcg_cut"}.get(metric, metrics[metric])
            values[query, metrics[metric] if k is None else f"{name}_{k}"] = value
        expected = trec_values(folder / "out.test.aq", r"Rprec|map_cut_\d+")
        assert len(expected) > 4 * 40
        assert {key: f"{values[key]:.4f}" for key in expected} == expected
        published = json.loads((folder / "ref_results_test.json").read_text())["pytrec_eval"]["mean"]
        known_means = {name: mean for name, mean in published.items() if ("all", name) in values}
        assert len(known_means) > 20
        assert {name: values["all", name] for name in known_means} == approx(known_means)


def test_the_convention_of_trec_eval_leaves_out_queries_without_a_line_in_the_run(
    third_party: Path, tmp_path: Path
):
    """The means over the other queries, from the values that pytrec_eval gave each query."""
    folder = third_party / "data/trec_eval"
    values = json.loads((folder / "ref_results_test.json").read_text())["pytrec_eval"]["per_query"]
    left_out = next(iter(values))
    lines = (folder / "results.test").read_text().splitlines(keepends=True)
    run = tmp_path / "run.txt"
    run.write_text("".join(line for line in lines if line.split()[0] != left_out))
    of_both = statistics.mean(each["map"] for query, each in values.items() if query != left_out)
    of_truth = of_both * (len(values) - 1) / len(values)
    given = {"metrics": "map@all", "convention": "trec_eval"}
    for users, mean in ({}, of_both), ({"users": "both"}, of_both), ({"users": "truth"}, of_truth):
        found = evaluate(folder / "qrels.test", run, **given, **users)  # type: ignore[arg-type]
        assert found["map@all"] == approx(mean)
        assert found.users == users.get("users", "both")
    compared = rankdcg_sql.compare(folder / "qrels.test", {"a": run, "b": run}, **given)  # type: ignore[arg-type]
    assert compared["map@all"] == {"a": approx(of_both), "b": approx(of_both)}
    note = "1 user of truth without a row in rec, in no mean (users=both)"
    assert [evaluation.notes() for evaluation in compared.evaluations.values()] == [[note], [note]]


@pytest.mark.parametrize(
    "convention", [each.name for each in rankdcg_sql.conventions() if each.name != "ranx"]
)
def test_a_convention_says_over_which_users_means_are(convention: str):
    """ranx refuses a run that lacks queries, and rows have no order for its ties."""
    users = "both" if convention in ("trec_eval", "recommenders") else "truth"
    for name in (convention, convention.upper()):
        assert evaluate(TRUTH, OF_ALL, k=2, convention=name).users == users


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32, decimal.Decimal])
def test_a_negative_relevance_counts_as_0_in_qrels_of_either_kind(kind: Any, tmp_path: Path):
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b -1\nq 0 c -2\n")
    (tmp_path / "run.txt").write_text("q Q0 b 1 3 x\nq Q0 c 2 2 x\nq Q0 a 3 1 x\n")
    qrels = {"q": {"a": kind(1), "b": kind(-1), "c": kind(-2)}}
    for truth in (tmp_path / "qrels.txt", qrels):
        for convention in ({}, {"convention": "trec_eval"}):
            means = evaluate(
                truth, tmp_path / "run.txt", k=None, metrics=["ndcg", "rankdcg"], **convention
            ).means  # type: ignore[arg-type]
            # The relevant item is third, below two items of one level.
            assert means == {"ndcg": approx(0.5), "rankdcg": approx(0)}


def trec_files(folder: Path, run: str = TIED, qrels: str = "1 0 b 1\n") -> tuple[Path, Path]:
    """Write qrels and a run, in which the last document of equal scores is the first one."""
    (folder / "qrels.txt").write_text(qrels)
    (folder / "run.txt").write_text(run)
    return folder / "qrels.txt", folder / "run.txt"


def test_trec_files_may_begin_with_blank_lines_and_scores_may_be_negative(tmp_path: Path):
    files = trec_files(tmp_path, "\n \t\n1 Q0 a 1 -0.1 x\n1 Q0 b 2 -0.5 x\n", "\n1 0 b 1\n")
    assert of_users(*files, k=2, metrics="mrr") == {"1": 0.5}


@pytest.mark.parametrize(
    ("given", "measure", "expected", "options"),
    [
        ({}, "recall@1", 1, {"ties": "item_desc", "score_type": "float32"}),
        ({}, "mrr@1", 1, {"ties": "item_desc", "score_type": "float32"}),
        ({"ties": "item_asc"}, "mrr@1", 0, {"ties": "item_asc", "score_type": "float32"}),
        # A convention has its own: the mean over both orders.
        ({"convention": "sklearn"}, "mrr@2", (1 + 1 / 2) / 2, {"convention": "sklearn"}),
        ({"convention": "recommenders"}, "recall@1", 0.5, {"convention": "recommenders"}),
    ],
)
def test_ties_of_trec_files(
    given: dict[str, Any], measure: str, expected: float, options: dict[str, str], tmp_path: Path
):
    found = evaluate(*trec_files(tmp_path, qrels="1 0 b 2\n1 0 c -1\n"), metrics=measure, **given)
    assert (found.means, found.options) == ({measure: expected}, options)


def test_a_run_has_the_ties_of_trec_eval_and_qrels_do_not_ask_for_them(tmp_path: Path):
    qrels, run = trec_files(tmp_path)
    of_run = evaluate({"1": {"b": 1}}, run, metrics="precision@1")
    of_dict = evaluate(qrels, {"1": {"a": 0.5, "b": 0.5}}, metrics="precision@1")
    assert (of_run.means, of_dict.means) == ({"precision@1": 1.0}, {"precision@1": 0.5})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 1),
        ({"convention": "trec_eval"}, 1),
        ({"score_type": "exact"}, 0.5),
        ({"convention": "trec_eval", "score_type": "exact"}, 0.5),
        ({"convention": "spark"}, 0.5),
        ({"convention": "spark", "ties": "item_desc", "score_type": "float32"}, 1),
    ],
)
def test_trec_scores_are_compared_in_32_bits(tmp_path: Path, given: dict[str, Any], expected: float):
    # Document a has the greater score in 64 bits. In 32 bits the scores tie, and document b comes first.
    run = "1 Q0 a 1 25.1234567 x\n1 Q0 b 2 25.1234566 x\n1 Q0 c 3 1e-60 x\n"
    assert evaluate(*trec_files(tmp_path, run), metrics="mrr@2", **given).means == {"mrr@2": expected}


@pytest.mark.parametrize("judged", ["as a query", "by rating"])
def test_movielens(third_party: Path, judged: str):
    """Recommendations by popularity, with values on which two packages agree."""
    folder = third_party / "data/ml-latest-small"
    published, means = movielens_means(folder)
    truth, more = folder / "truth.csv", {"rel": "rating", "min_rel": 4, "gain": "binary"}
    if judged == "as a query":
        truth, more = f"SELECT * FROM '{truth}' WHERE rating >= 4", {}
    found = evaluate(truth, folder / "rec.csv", k=[5, 10, 20, 100, None], precision_denominator="k", **more)  # type: ignore[arg-type]
    values = {(metric, k): mean for metric, k, _, mean, *_ in found.summary.fetchall()}
    assert {measure: values[measure] for measure in means} == approx(means)
    assert set(select(found.summary, "n")) == {(published["n_queries_evaluated"],)}
    of_each = {(user, metric, k): value for user, metric, k, value in found.per_user.fetchall()}
    for user, names in published["pytrec_eval"]["per_query"].items():
        assert of_each[int(user), "ndcg", 10] == approx(names["ndcg_cut_10"])


def rows_of(tables: Any) -> tuple[Table, Table]:
    """Make tables of judgements and recommendations, each item of a user once."""
    judged, retrieved = tables
    truth: Table = {"userid": [], "itemid": [], "rel": []}
    rec: Table = {"userid": [], "itemid": [], "score": []}
    for table, rows in ((truth, judged), (rec, retrieved)):
        for (user, item), value in rows.items():
            for column, cell in zip(table.values(), (user, item, value), strict=True):
                column.append(cell)
    return truth, rec


def tables() -> st.SearchStrategy[tuple[Table, Table]]:
    pairs = st.tuples(st.integers(0, 4), st.integers(0, 7))
    judged = st.dictionaries(pairs, st.integers(0, 3), min_size=1, max_size=25)
    retrieved = st.dictionaries(pairs, st.integers(0, 4), min_size=1, max_size=35)
    return st.tuples(judged, retrieved).map(rows_of)


#: The metrics of items and their means; test_aspects_of_tables.py has those of aspects.
METRICS = sorted(name for name, function in metric_functions().items() if function.form == "rows")


@settings(deadline=None, max_examples=25)
@given(
    data=tables(),
    ks=st.lists(st.one_of(st.none(), st.integers(1, 6)), min_size=1, max_size=3, unique=True),
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=4, unique=True),
    ties=st.sampled_from(["average", "pessimistic", "optimistic"]),
    users=st.sampled_from(["truth", "both"]),
    parts=st.booleans(),
)
def test_values_are_those_of_the_reference(
    data: tuple[Table, Table], ks: list[int | None], metrics: list[str], ties: str, users: Any, parts: bool
):
    truth, rec = data
    judged, scores = defaultdict(dict), defaultdict(dict)  # type: ignore[var-annotated]
    for table, of in ((truth, judged), (rec, scores)):
        for user, item, number in zip(*table.values(), strict=True):
            of[user][item] = float(number)
    options: dict[str, Any] = {"ties": ties}
    if any("max_rel" in metric_functions()[metric].options for metric in metrics):
        options["max_rel"] = 3
    if {*metrics} & {*reference.BY_ORDERS}:
        options["ties"] = "pessimistic"
    if not any("k" in metric_functions()[metric].arguments for metric in metrics):
        ks = [None]
    arguments = dict(k=ks, metrics=metrics, rel="rel", users=users, **options)
    if not judged.keys() & scores.keys():
        with pytest.raises(ValueError, match="no user of rec is one of truth"):
            evaluate(truth, rec, **arguments)
        return
    with pytest.MonkeyPatch.context() as patch:
        if parts:
            patch.setattr(_user_metrics, "_NUMBER_BYTES", 1 << 30)
        found = evaluate(truth, rec, **arguments)
    expected = {}
    for user in judged.keys() & scores.keys() if users == "both" else judged.keys():
        items = sorted({*judged[user], *scores[user]})
        of = [[of[user].get(item) for item in items] for of in (scores, judged)]
        for metric in metrics:
            function = metric_functions()[metric]
            name = metric_functions()[function.mean_of or metric].name.removesuffix("_rows")
            taken = {key: value for key, value in options.items() if key in function.options}
            for k in ks if "k" in function.arguments else [None]:
                expected[user, metric, k] = reference.evaluate_scored(name, *of, k, aligned=False, **taken)
    for metric, k in {(metric, k) for _, metric, k in expected if metric_functions()[metric].mean_of}:
        of_users = {key: value for key, value in expected.items() if key[1:] == (metric, k)}
        means = reference.geometric_mean_values([*of_users.values()])
        expected |= dict(zip(of_users, means, strict=True))
    values = {(user, metric, k): value for user, metric, k, value in found.per_user.fetchall()}
    assert values == {key: value if value is None else approx(value) for key, value in expected.items()}


def test_the_slower_way_is_the_same(monkeypatch: pytest.MonkeyPatch):
    """The path of DuckDB before 2.0, and of users of other types, gives the same values."""
    chance = random.Random(1)
    data = [
        {(user, item): chance.random() for user in range(50) for item in chance.sample(range(40), 20)}
        for _ in range(2)
    ]
    truth, rec = rows_of(data)
    fast = evaluate(truth, rec, k=[3, 10, None], rel="rel").wide.fetchall()
    monkeypatch.setattr(_user_metrics, "has_by_user", lambda _: False)
    assert evaluate(truth, rec, k=[3, 10, None], rel="rel").wide.fetchall() == fast


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, aggregates hold lists of all rows")
def test_a_small_memory_limit_divides_the_users_into_parts():
    """With little memory, users are evaluated in several parts. Counts are those of all users."""
    con = rankdcg_sql.connect(config={"memory_limit": "40MB", "threads": "2"})
    rec = "SELECT i // 10 AS userid, i % 10 AS itemid, i % 7 AS score FROM range(1000000) AS t(i)"
    truth = "SELECT i // 2 AS userid, i % 2 AS itemid FROM range(200000) AS t(i)"
    with pytest.warns(DataWarning, match="2 rows of rec with the user and item of another row"):
        found = evaluate(
            truth, f"{rec} UNION ALL SELECT i, 0, 0 FROM range(2) AS t(i)", k=[10], metrics="recall", con=con
        )
    assert select(found.summary, "n, mean") == [(100_000, 1.0)]
    assert found.counts.rec_repeats == 2


@pytest.mark.parametrize("limit", ["1GB", "3TB", "11000TB"])
def test_the_memory_limit_is_read_in_units_of_1024(limit: str):
    """DuckDB writes one decimal."""
    with duckdb.connect(config={"memory_limit": limit}) as con:
        expected = {"1GB": 10**9, "3TB": 3 * 10**12, "11000TB": 11 * 10**15}[limit]
        assert _user_metrics.memory_limit(con) == pytest.approx(expected, rel=0.02)


#: For each type of users, the least and the largest value, and one between.
_USERS = {
    "BIGINT": ["-9223372036854775808", "9223372036854775807", "0"],
    "UBIGINT": ["0", "18446744073709551615", "9223372036854775808"],
    "DECIMAL(38, 2)": ["-" + "9" * 36 + ".99", "9" * 36 + ".99", "0.01"],
    "VARCHAR": ["", "\u00e9", "a longer text that is stored elsewhere"],
    "UUID": ["0" * 32, "f" * 32, "7fffffff-ffff-ffff-ffff-ffffffffffff"],
    "DATE": ["-infinity", "infinity", "0044-03-15 (BC)"],
    "TIMESTAMP": ["-infinity", "infinity", "294247-01-10 04:00:54.775806"],
    "BOOLEAN": ["false", "true"],
    # Parquet does not keep this type.
    "HUGEINT": ["-" + "9" * 38, "9" * 38, "0"],
}


def _divide(monkeypatch: pytest.MonkeyPatch, rows: int, parts: int) -> None:
    """Set the memory so that both tables, which have `rows` rows together, have this many parts."""
    for name, value in (("_NUMBER_BYTES", 1), ("_TEXT_BYTES", 1), ("_USER_BYTES", 0), ("_VALUE_BYTES", 0)):
        monkeypatch.setattr(_user_metrics, name, value)
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2 * rows / (parts - 0.75))


def _limit_results(monkeypatch: pytest.MonkeyPatch, users: int) -> None:
    """Set the memory so that the results of so many users fit, and rows take none."""
    for name, value in (("_NUMBER_BYTES", 0), ("_USER_BYTES", 1), ("_VALUE_BYTES", 0)):
        monkeypatch.setattr(_user_metrics, name, value)
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: 2.0 * users)


@pytest.mark.parametrize("kind", _USERS)
def test_rows_of_many_parts_are_copied_once(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ran: Statements
):
    """The metrics of copied rows are those of the rows, and no copy is left."""
    users = ", ".join(f"('{user}'::{kind}, {place})" for place, user in enumerate(_USERS[kind]))
    rows = f"FROM (VALUES {users}) AS users(userid, place), range(3) AS items(i)"
    truth = f"SELECT userid, i + place AS itemid {rows}"
    rec = f"SELECT userid, 2 * i AS itemid, i % 2 AS score {rows}"
    temporary = tmp_path / "it's temporary"
    with rankdcg_sql.connect(config={"temp_directory": str(temporary)}) as con:
        expected = evaluate(truth, rec, k=2, con=con)
        ran.clear()
        _divide(monkeypatch, 2 * 3 * len(_USERS[kind]), parts=10)
        found = evaluate(truth, rec, k=2, con=con)
        assert [*tmp_path.rglob("*")] == []
    assert found.wide.fetchall() == expected.wide.fetchall()
    assert found.counts == expected.counts
    parts = [label for label, _ in ran if label.startswith("metrics of rec")]
    assert parts == [f"metrics of rec ({part} of 10)" for part in range(1, 11)]
    assert len(parts) > _user_metrics._MAX_SCANS
    copied = [statement for label, statement in ran if label.startswith("dividing")]
    assert len(copied) == 2 * (kind != "HUGEINT")
    # The apostrophe is written twice.
    assert all(f"{tmp_path}/it''s temporary/" in statement for statement in copied)


def test_all_files_of_a_part_are_read(monkeypatch: pytest.MonkeyPatch):
    """DuckDB closes the file of a part if too many are open, and writes another one later."""
    config = {"partitioned_write_max_open_files": 1, "partitioned_write_flush_threshold": 100}
    with rankdcg_sql.connect(config=config) as con:
        rows = "SELECT i // 4 AS userid, i % 4 AS itemid FROM range(20_000) AS t(i)"
        con.execute(f"CREATE TABLE truth AS {rows}")
        con.execute("CREATE TABLE rec AS SELECT *, itemid AS score FROM truth")
        _divide(monkeypatch, 40_000, parts=10)
        found = evaluate("truth", "rec", k=4, metrics="recall", con=con)
    assert (found.counts.users_evaluated, found.means) == (5_000, {"recall@4": 1.0})


@pytest.mark.parametrize("kind", ["HUGEINT", "UHUGEINT"])
@pytest.mark.parametrize("wide", ["truth", "rec"])
def test_neither_table_is_copied_if_one_has_a_type_that_a_file_changes(
    kind: str, wide: str, monkeypatch: pytest.MonkeyPatch, ran: Statements
):
    """A Parquet file returns such an integer as DOUBLE, in which 2^53 and 2^53 + 1 are one item."""
    with rankdcg_sql.connect() as con:
        of_truth, of_rec = (kind, "BIGINT") if wide == "truth" else ("BIGINT", kind)
        con.execute(
            f"CREATE TABLE truth AS SELECT i AS userid, {2**53 + 1}::{of_truth} AS itemid FROM range(6) t(i)"
        )
        con.execute(f"CREATE TABLE rec AS SELECT userid, {2**53}::{of_rec} AS itemid, 1 AS score FROM truth")
        _divide(monkeypatch, 12, parts=10)
        found = evaluate("truth", "rec", k=1, metrics="recall", con=con)
    assert [row[-1] for row in found.wide.fetchall()] == [0] * 6
    assert not any(label.startswith("dividing") for label, _ in ran)


@pytest.mark.parametrize(
    "setting",
    [
        "enable_external_access = false",
        "disabled_filesystems = 'LocalFileSystem'",
        # There is no folder below a file.
        f"temp_directory = '{__file__}/temporary'",
    ],
)
def test_rows_that_cannot_be_copied_are_read_for_each_part(setting: str, monkeypatch: pytest.MonkeyPatch):
    with rankdcg_sql.connect() as con:
        con.execute("CREATE TABLE truth AS FROM (VALUES (1, 1), (2, 2)) AS t(userid, itemid)")
        con.execute("CREATE TABLE rec AS SELECT *, 1 AS score FROM truth")
        con.execute(f"SET {setting}")
        _divide(monkeypatch, 4, parts=10)
        found = evaluate("truth", "rec", k=1, metrics="recall", con=con)
    assert [row[-1] for row in found.wide.fetchall()] == [1, 1]


def test_metrics_share_the_memory_of_one_aggregate(monkeypatch: pytest.MonkeyPatch, ran: Statements):
    """A row takes 32 bytes, however many metrics there are. The rows may take half of DuckDB's memory."""
    for name in ("_USER_BYTES", "_VALUE_BYTES"):
        monkeypatch.setattr(_user_metrics, name, 0)
    for rows, parts in ((10, 1), (9, 2)):
        monkeypatch.setattr(_user_metrics, "memory_limit", lambda _, rows=rows: 2.0 * 32 * rows)
        ran.clear()
        found = evaluate(TRUTH, REC, k=2, metrics=["recall", "rbp", "rankdcg"])
        assert (found.counts.truth_rows, found.counts.rec_rows) == (5, 5)
        assert sum(label.startswith("metrics of rec") for label, _ in ran) == parts


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, aggregates hold lists of all rows")
def test_values_at_many_cutoffs_fit_the_memory_limit():
    """The values of all users at ten cutoffs take more memory than their rows."""
    config = {"memory_limit": "300MB", "threads": 1}
    rec = "SELECT i % 200000 AS userid, i AS itemid, hash(i) % 1000 AS score FROM range(600000) AS t(i)"
    truth = "SELECT i % 200000 AS userid, i AS itemid FROM range(0, 600000, 5) AS t(i)"
    with rankdcg_sql.connect(config=config) as con:
        found = evaluate(truth, rec, k=[1, 2, 3, 5, 10, 20, 30, 50, 100, 200], metrics=["recall"], con=con)
        assert found.counts.users_evaluated == 40_000
        assert select(found.summary, "k, mean")[4:6] == [(10, 1.0), (20, 1.0)]


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, users are grouped")
@pytest.mark.parametrize(
    ("least", "greatest", "counted"), [(1, 10, False), (-(2**63), 2**63 - 1, True), (None, 10, False)]
)
def test_users_are_counted_if_neither_rows_nor_the_range_of_ids_say_that_they_are_few(
    least: int | None, greatest: int, counted: bool, monkeypatch: pytest.MonkeyPatch, ran: Statements
):
    """The results of ten users fit, and those of as many users as there are rows would not."""
    _limit_results(monkeypatch, 30)
    users = [least, greatest, *range(2, 10)]
    rows = {"userid": users * 6, "itemid": [item for item in range(6) for _ in users]}
    found = evaluate(rows, {**rows, "score": [1.0] * 60}, k=2, metrics="recall")
    assert found.counts.users_evaluated == len(users) - users.count(None)
    assert any("approx_count_distinct" in statement for _, statement in ran) == counted


@pytest.mark.skipif(not _static.installed(), reason="before DuckDB 2.0, users are grouped")
def test_the_users_of_either_table_take_memory(monkeypatch: pytest.MonkeyPatch, ran: Statements):
    """Twenty users of rec and ten of truth have three parts of at most 14. Few ids of truth are there."""
    _limit_results(monkeypatch, 14)
    of_truth, of_rec = [2**40 + user for user in range(10)] * 2, [*range(19), 2**40] * 2
    truth = {"userid": of_truth, "itemid": [1] * 10 + [2] * 10}
    rec = {"userid": of_rec, "itemid": [1] * 20 + [2] * 20, "score": [1.0] * 40}
    found = evaluate(truth, rec, k=2, metrics="recall")
    assert found.means == {"recall@2": approx(0.1)}
    assert sum(label.startswith("metrics of rec") for label, _ in ran) == 3


def test_intervals_are_those_of_scipy():
    chance = random.Random(2)
    data = [{(user, item): 1 + chance.random() for user in range(30) for item in range(4)} for _ in range(2)]
    truth, rec = rows_of(data)
    given: dict[str, Any] = {"k": 2, "rel": "rel"}
    for confidence in (0.95, 0.5):
        found = evaluate(truth, rec, **given, metrics=["ndcg", "dcg"], confidence=confidence)
        for metric, _, n, mean, low, high, *_ in found.summary.fetchall():
            sample = [value for _, name, _, value in found.per_user.fetchall() if name == metric]
            expected = stats.ttest_1samp(sample, 0).confidence_interval(confidence)
            assert (n, mean, low, high) == approx((30, sum(sample) / 30, *expected))
    drawn: dict[str, Any] = {"interval": "bootstrap", "confidence": 0.9, "seed": 3, "resamples": 50_000}
    found = evaluate(truth, rec, **given, **drawn, metrics="dcg")
    values = found.to_arrow(wide=True)["dcg@2"].to_numpy()
    theirs = stats.bootstrap(
        (values,), np.mean, confidence_level=0.9, n_resamples=50_000, method="BCa", rng=1
    ).confidence_interval
    ((low, high),) = select(found.summary, "low, high")
    # Both draw resamples of their own, so the ends differ by a few hundredths of the width at most.
    width = theirs.high - theirs.low
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_the_bootstrap_draws_as_many_resamples_as_it_is_told():
    """Few resamples give other ends than many: those of the function in SQL."""
    truth, rec = {user: {"a": user} for user in range(1, 13)}, {user: {"a": 1} for user in range(1, 13)}
    drawn = {"confidence": 0.8, "resamples": 100, "seed": 3}
    found = evaluate(truth, rec, metrics="dcg@1", gain="linear", interval="bootstrap", **drawn)  # type: ignore[arg-type]
    options = ",".join(f"{name}={value}" for name, value in (drawn | {"lower_bound": 0}).items())
    query = f"SELECT unnest(bootstrap_ci(i::DOUBLE, '{options}')) FROM range(1, 13) AS t(i)"
    assert select(found.summary, "n, mean, low, high") == rankdcg_sql.connect().execute(query).fetchall()


def test_intervals_stay_within_the_range_of_the_metric():
    """Only Student's intervals reach below 0, above 1, and above the largest possible difference here."""
    truth = {user: {"a": 1} for user in (1, 2, 3)}
    recs = {"a": {1: {"a": 1}, 2: {"b": 1}, 3: {"a": 1}}, "b": {1: {"b": 1}, 2: {"a": 1}, 3: {"b": 1}}}
    compared = rankdcg_sql.compare(truth, recs, k=1, metrics=["recall", "dcg"])
    reach = stats.ttest_1samp([1, 0, 1], 0).confidence_interval()
    assert reach.low < 0 < 1 < reach.high
    found = compared.evaluations["a"].summary
    assert select(found, "metric, low, high") == [("recall", 0, 1), ("dcg", 0, approx(reach.high))]
    beyond = stats.ttest_1samp([-1, 1, -1], 0).confidence_interval()
    assert beyond.low < -1 < 1 < beyond.high
    assert select(compared.differences, "metric, low, high") == [
        ("recall", -1, 1), ("dcg", approx(beyond.low), approx(beyond.high)),
    ]  # fmt: skip


def test_intervals_hold_their_mean_where_options_lead_out_of_the_range():
    """With idcg=k the ideal of one rank is 1, so a gain of 2 gives the value 2, beyond the range."""
    truth, rec = {1: {"a": 2}, 2: {"a": 2}}, {1: {"a": 1}, 2: {"a": 1}}
    found = evaluate(truth, rec, k=1, metrics="ndcg", idcg="k", gain="linear")
    # 2 * sqrt(0.025): two values of 2 are as likely as 1 in 40 if the mean is that.
    expected = [(2.0, pytest.approx(2 * math.sqrt(0.025)), 2.0)]
    assert select(found.summary, "mean, low, high") == expected


@pytest.mark.parametrize("interval", ["t", "bootstrap", "anytime"])
@pytest.mark.parametrize("users", [1, 2, 12, 1000])
def test_equal_values_have_the_interval_of_clopper_and_pearson(users: int, interval: Any):
    """Student's t and the bootstrap take their mean as certain."""
    truth = {user: {"a": 1} for user in range(users)}
    by = {"t": "Student's t", "bootstrap": "the bootstrap"}.get(interval, "anytime_mean_ci")
    note = f"all values of recall@1 are equal: the interval is from the range 0 to 1, not by {by}"
    for item, count in (("a", users), ("b", 0)):
        rec = {user: {item: 1} for user in truth}
        found = evaluate(truth, rec, k=1, metrics="recall", interval=interval, confidence=0.9)
        theirs = stats.binomtest(count, users).proportion_ci(0.9, "exact")
        ((mean, *ends, kind),) = select(found.summary, "mean, low, high, interval_by")
        assert (mean, kind) == (count / users, "range")
        assert ends == pytest.approx([theirs.low, theirs.high], abs=1e-9)
        assert repr(found).startswith(f"Evaluation of {users:,} user{'' if users == 1 else 's'}\n")
        assert note in repr(found)
        assert json.loads(found.render("json"))[0]["interval_by"] == "range"


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_no_interval_stops_at_a_limit_that_an_option_takes_away(interval: Any):
    """RBP of relevances may be above 1: here it is 0.2 times the relevance."""
    truth, rec = {1: {"a": 3}, 2: {"a": 4}}, {1: {"a": 1}, 2: {"a": 1}}
    equal = {1: {"a": 4}, 2: {"a": 4}}
    rbp: dict[str, Any] = {"k": 1, "metrics": "rbp", "interval": interval}
    ends = "low, high, interval_by"
    assert select(evaluate(equal, rec, **rbp).summary, ends)[0][2] == "range"
    found = evaluate(equal, rec, **rbp, rbp_gain="linear")
    assert select(found.summary, ends) == [(None, None, None)]
    assert "all values of rbp@1 are equal, and no range bounds them: there is no interval" in repr(found)
    (found,) = select(evaluate(truth, rec, **rbp, rbp_gain="linear").summary, ends)
    high = 0.7 + stats.t.ppf(0.975, 1) * 0.1 if interval == "t" else 0.8
    assert found[1] == pytest.approx(high)


@pytest.mark.parametrize(
    ("measures", "named"),
    [
        (5, "recall@1, recall@2, recall@3, recall@4, recall@5"),
        (6, "recall@1, recall@2, recall@3, recall@4, 2 more"),
    ],
)
def test_a_note_names_at_most_five_means_of_equal_values(measures: int, named: str):
    found = evaluate(OF_ALL, OF_ALL, metrics=[f"recall@{k}" for k in range(1, measures + 1)])
    assert found.notes() == [
        f"all values of {named} are equal: the interval is from the range 0 to 1, not by Student's t"
    ]


@pytest.mark.parametrize(("more", "are_equal"), [(1e-6, True), (1e-4, False)])
def test_large_values_are_equal_if_their_first_twelve_digits_are(more: float, are_equal: bool):
    found = evaluate({1: {"a": 1e7}, 2: {"a": 1e7 + more}}, OF_ALL, k=1, metrics="dcg", gain="linear")
    expected = (True, None) if are_equal else (False, "t")
    assert select(found.summary, "low IS NULL, interval_by") == [expected]
    note = "all values of dcg@1 are equal, and no range bounds them: there is no interval"
    assert (note in found.notes()) == are_equal


def test_notes_name_the_segments_whose_values_are_equal():
    truth = {"userid": range(6), "itemid": ["a"] * 6, "plan": ["free", "free", "paid", "paid", None, None]}
    rec = {"userid": range(6), "itemid": ["a", "a", "a", "b", "b", "b"], "score": [1] * 6}
    found = evaluate(truth, rec, k=1, metrics=["recall", "dcg"], by="plan")
    assert found.notes()[-2:] == [
        "all values of recall@1 in plan=NULL, recall@1 in plan=free are equal: "
        "the interval is from the range 0 to 1, not by Student's t",
        "all values of dcg@1 in plan=NULL, dcg@1 in plan=free are equal, and no range bounds them: "
        "there is no interval",
    ]
    kinds = select(found.summary, "plan, all_users, metric, low IS NULL, interval_by")
    for metric, of_equal in (("recall", (False, "range")), ("dcg", (True, None))):
        segments = {(plan, is_all): kind for plan, is_all, name, *kind in kinds if name == metric}
        assert segments == {
            ("free", False): [*of_equal], (None, False): [*of_equal],
            ("paid", False): [False, "t"], (None, True): [False, "t"],
        }  # fmt: skip


def test_an_interval_of_no_user_or_of_one_without_a_largest_value_has_no_ends():
    truth = {"userid": [1, 2], "itemid": ["a", "a"], "rel": [1, 0], "plan": ["of one", "of none"]}
    found = evaluate(truth, OF_ALL, k=1, metrics="dcg", rel="rel", by="plan")
    assert select(found.summary, "n, low, high, interval_by") == [(n, None, None, None) for n in (0, 1, 1)]
