"""Tables on every Spark from 3.5 on give the results of DuckDB, and functions are refused before 4.1.

`make test-oldest-spark` runs this file alone with PySpark 3.5.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from support.process import PACKAGE

import rankdcg_sql

pytest.importorskip("pyspark")
import rankdcg_sql.spark

TRUTH = {"userid": [1, 1, 1, 2, 3, None], "itemid": list("abdcea"), "rel": [1.0, 2.0, 3.0, 1.0, 1.0, 1.0]}
REC = {"userid": [1, 1, 1, 2, 2, 9], "itemid": list("acbaca"), "score": [0.9, 0.8, 0.3, 0.7, 0.6, 0.1]}
ARGUMENTS: dict[str, Any] = {"rel": "rel", "k": [2, None], "metrics": ["ndcg", "recall", "rankdcg"]}


#: The end of an error of the functions of lists.
ADVICE = "rankdcg_sql.evaluate and compare take tables from 3.5 on, and need no functions"


def on_spark(spark: Any) -> list[Any]:
    return [
        spark.createDataFrame(
            [*zip(*table.values(), strict=True)], f"userid bigint, itemid string, {value} double"
        )
        for table, value in ((TRUTH, "rel"), (REC, "score"))
    ]


def test_tables_in_a_classic_session(spark: Any) -> None:
    truth, rec = on_spark(spark)
    found, expected = (rankdcg_sql.evaluate(*tables, **ARGUMENTS) for tables in ((truth, rec), (TRUTH, REC)))
    assert found.to_arrow(wide=True).to_pylist() == expected.to_arrow(wide=True).to_pylist()
    assert found.counts == expected.counts
    assert found.counts.truth_null_users == 1
    compared = rankdcg_sql.compare(truth, {"old": rec, "new": rec.where("itemid <> 'c'")}, rel="rel", k=2)
    of_duckdb = {name: values[:1] + values[2:4] + values[5:] for name, values in REC.items()}
    assert repr(compared) == repr(rankdcg_sql.compare(TRUTH, {"old": REC, "new": of_duckdb}, rel="rel", k=2))
    lazy = rankdcg_sql.spark.evaluate(truth, rec, k=2, rel="rel").orderBy("userid").collect()
    assert [row.ndcg for row in lazy] == [row["ndcg@2"] for row in expected.to_arrow(wide=True).to_pylist()]


def test_errors_in_a_classic_session(spark: Any) -> None:
    truth, rec = on_spark(spark)
    with pytest.raises(
        ValueError, match=r"evaluate: truth judges an item twice, with relevance 1 and 2 \(user 1"
    ):
        rankdcg_sql.evaluate(truth.union(truth.selectExpr("userid", "itemid", "rel + 1")), rec, rel="rel")
    with pytest.raises(ValueError, match="score of rec must be a number, got texts such as 'x'"):
        rankdcg_sql.evaluate(truth, rec.selectExpr("userid", "itemid", "'x' AS score"), rel="rel")
    with pytest.raises(ValueError, match=r"rec \(nothing\): Spark has no table or view of this name"):
        rankdcg_sql.evaluate(truth, "nothing", rel="rel")


def test_functions_need_pyspark_4_1(spark: Any) -> None:
    import pyspark
    from pyspark.sql import functions

    from rankdcg_sql.spark import functions as rk

    needs = f"the functions of lists need PySpark 4.1 or later, and this is PySpark {pyspark.__version__}; "
    with pytest.MonkeyPatch().context() as patch:
        # A newer PySpark is told to be an older one.
        patch.delattr(functions, "arrow_udf", raising=False)
        for name, call in (
            ("register", lambda: rankdcg_sql.spark.register(spark)),
            ("ndcg", lambda: rk.ndcg("a", "b")),
        ):
            with pytest.raises(rankdcg_sql.CallError) as caught:
                call()
            assert str(caught.value) == f"{name}: {needs}{ADVICE}"
            assert caught.value.argument is None


def test_functions_need_a_server_of_4_1(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql import functions

    from rankdcg_sql.spark._versions import check_functions

    class Session:
        udf, version = None, "4.0.5"

    monkeypatch.setattr(functions, "arrow_udf", None, raising=False)
    with pytest.raises(rankdcg_sql.CallError) as caught:
        rankdcg_sql.spark.register(Session())  # type: ignore[arg-type]
    wanted = "spark must be a session of Spark 4.1 or later, got one of 4.0.5; "
    assert (str(caught.value), caught.value.argument) == (f"register: {wanted}{ADVICE}", "spark")
    for version in ("4.1.0", "4.10.2", "10.0.0-preview1"):
        Session.version = version
        check_functions("register", Session())


def test_tables_need_pyspark_3_5() -> None:
    script = """
    import sys, types
    old, sql = types.ModuleType("pyspark"), types.ModuleType("pyspark.sql.functions")
    old.__version__ = "3.4.1"
    names = ("pyspark", "pyspark.sql", "pyspark.sql.functions")
    sys.modules |= dict(zip(names, (old, types.ModuleType("pyspark.sql"), sql)))
    import rankdcg_sql.spark
    """
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(map(str.strip, script.splitlines()))],
        capture_output=True,
        text=True,
        cwd=PACKAGE.parent,
    )
    assert done.stderr.splitlines()[-1] == (
        "ImportError: rankdcg_sql.spark needs PySpark 3.5 or later, and this is PySpark 3.4.1: take a newer "
        "runtime of the cluster, or elsewhere pip install 'rankdcg_sql[spark]'"
    )
