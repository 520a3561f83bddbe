"""Measures by name: metrics with cutoffs of their own, other names of metrics, and means by name."""

from __future__ import annotations

import math
import pickle
import re
from typing import Any

import pytest
from support.paths import ROOT
from support.two_tables import NDCG, REC, TRUTH, approx

from rankdcg_sql import CallError, Evaluation, compare, evaluate
from rankdcg_sql._measures_elsewhere import advice_on, in_plain_letters, measures_elsewhere
from rankdcg_sql.catalogue import by_name, listed_measures, metric_functions, metric_names, spellings

#: The mean of NDCG at 2.
MEAN = math.fsum(NDCG.values()) / 3
#: Recall of users 1, 2 and 3 in the whole list is 2/3, 1 and 0, and at 1 it is 1/3, 0 and 0.
RECALL, RECALL_AT_1 = (2 / 3 + 1) / 3, (1 / 3) / 3


def columns(result: Evaluation) -> list[str]:
    return [each.column for each in result.measures]


@pytest.mark.parametrize(
    ("metrics", "k", "expected"),
    [
        ("ndcg@2", {}, ["ndcg@2"]),
        ("ndcg@2", {"k": 2}, ["ndcg@2"]),
        (["ndcg@2", "recall"], {}, ["ndcg@2", "recall@5", "recall@10"]),
        (["ndcg@2", "recall"], {"k": 3}, ["ndcg@2", "recall@3"]),
        (["ndcg", "ndcg@2"], {"k": 3}, ["ndcg@3", "ndcg@2"]),
        (["ndcg@2", "mrr@3"], {"k": [3, 2]}, ["ndcg@2", "mrr@3"]),
        (["ndcg@all", "mrr@3"], {}, ["ndcg", "mrr@3"]),
        (["nDCG@2", "AP@3", "MAP"], {"k": 1}, ["ndcg@2", "average_precision@3", "average_precision@1"]),
        (["rankdcg", "P@1", "dcg@2"], {}, ["rankdcg", "precision@1", "dcg@2"]),
        ("recall", {"k": "all"}, ["recall"]),
        ("recall", {"k": [1, "all", None]}, ["recall@1", "recall"]),
    ],
)  # fmt: skip
def test_metrics_may_have_cutoffs_of_their_own(metrics: Any, k: dict[str, Any], expected: list[str]):
    found = evaluate(TRUTH, REC, metrics=metrics, **k)
    assert columns(found) == expected
    assert [*found.means] == expected
    rows = {f"{metric}@{k}" if k else metric: mean for metric, k, _, mean, *_ in found.summary.fetchall()}
    assert rows == found.means


def test_a_measure_has_the_same_value_beside_others():
    metrics = ["ndcg@2", "recall@1", "r_precision", "err@3", "ndcg@all", "rbp"]
    found = evaluate(TRUTH, REC, k=2, metrics=metrics, max_rel=1)
    for metric, k in [("ndcg", 2), ("recall", 1), ("ndcg", None), ("rbp", 2)]:
        alone = evaluate(TRUTH, REC, k, metric).means
        assert {name: found.means[name] for name in alone} == alone


#: Names of metrics with options, the metric and the options that are meant, and the name in results.
WITH_OPTIONS = [
    ("ndcg(gain=linear)@2", "ndcg", {"gain": "linear"}, "ndcg(gain=linear)@2"),
    ("nDCG(dcg='log2')@2", "ndcg", {"gain": "linear"}, "ndcg(gain=linear)@2"),
    ('nDCG(dcg="exp-log2")@2', "ndcg", {"gain": "exp2"}, "ndcg(gain=exp2)@2"),
    ("NDCG( idcg=k ,Discount=LN)@2", "ndcg", {"idcg": "k", "discount": "ln"}, "ndcg(discount=ln,idcg=k)@2"),
    ("P(rel=2)@2", "precision", {"min_rel": 2}, "precision(min_rel=2)@2"),
    ("AP(denominator=k)@2", "ap", {"ap_denominator": "k"}, "average_precision(ap_denominator=k)@2"),
    ("RBP(p=0.5,rbp_gain=linear)@2", "rbp", {"p": 0.5, "rbp_gain": "linear"}, "rbp(p=0.5,rbp_gain=linear)@2"),
    ("mrr(no_relevant=one)@2", "mrr", {"no_relevant": "one"}, "mrr(no_relevant=one)@2"),
    ("recall()@2", "recall", {}, "recall@2"),
    ("SDCG(dcg='log2', min_rel=0, max_rel=4)@2", "sdcg", {"max_rel": 4}, "sdcg(max_rel=4)@2"),
    ("BPM(T=2,min_rel=0,max_rel=4)@2", "bpm", {"t": 2, "max_rel": 4}, "bpm(max_rel=4,t=2)@2"),
    ("NERR8(max_rel=4)@2", "nearly_err", {"max_rel": 4}, "nearly_err(max_rel=4)@2"),
    ("nDCG(judged_only=True)@2", "ndcg", {"unjudged": "skip"}, "ndcg(unjudged=skip)@2"),
    ("P(judged_only=false)@2", "precision", {"unjudged": "zero"}, "precision(unjudged=zero)@2"),
    ("utility(worth=2:0:1)@2", "utility", {"worth": [2, 0, 1]}, "utility(worth=2:0:1)@2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "metric", "options", "column"), WITH_OPTIONS)
def test_a_metric_may_have_options_of_its_own(name: str, metric: str, options: dict[str, Any], column: str):
    """They come before those of the call, which the other metrics keep."""
    graded = {**TRUTH, "rel": [place % 4 for place in range(len(TRUTH["userid"]))]}
    others = {"gain": "binary", "no_relevant": "zero"}
    found = evaluate(graded, REC, 2, ["ndcg", name, "mrr"], rel="rel", **others)
    assert columns(found) == ["ndcg@2", column, "mrr@2"]
    kept = {
        option: value
        for option, value in others.items()
        if option in by_name()[metric_names()[metric]].options
    }
    alone = evaluate(graded, REC, 2, metric, rel="rel", **kept | options)
    usual = evaluate(graded, REC, 2, ["ndcg", "mrr"], rel="rel", **others)
    values = [
        each.per_user.project("userid, value").order("ALL").fetchall() for each in (found, alone, usual)
    ]
    assert values[0] == sorted(values[1] + values[2], key=lambda row: (row[0], row[1] is None, row[1]))
    assert found[name] == found[column] == next(iter(alone.means.values()))
    first, second = found.require(f"measured {name} >= 0", f"measured {column} <= 3")
    assert (first.asked, second.asked) == (f"measured {column} >= 0", f"measured {column} <= 3")
    changed = compare(graded, {"old": REC, "new": REC}, metrics=[name], rel="rel", **kept)
    assert [*changed.evaluations["new"].means] == [column]


def test_iprec_has_a_recall_where_others_have_a_cutoff():
    """As in ir_measures. Recall 1/2 of user 1 is reached at rank 3, and of user 2 at rank 2."""
    for name, own in {"IPrec@0.5": "recall=0.5", "IPrec(rel=1)@1": "min_rel=1,recall=1"}.items():
        found = evaluate(TRUTH, REC, metrics=["ndcg@2", name])
        assert columns(found) == ["ndcg@2", f"iprec({own})"]
        options = dict(pair.split("=") for pair in own.split(","))
        assert (
            found[name] == found[f"iprec({own})"] == evaluate(TRUTH, REC, metrics="iprec", **options)["iprec"]
        )
    assert (
        found["iprec(min_rel=1,recall=1)"]
        < evaluate(TRUTH, REC, metrics="iprec(recall=0)")["iprec(recall=0)"]
    )
    with pytest.raises(CallError, match="recall must be a number from 0 to 1, got '10'"):
        evaluate(TRUTH, REC, metrics="iprec@10")


def test_options_of_a_metric_are_told_wherever_it_is():
    """User 1 has the relevant items a, b and d, of which a is at rank 1 and b at rank 3."""
    truth = {**TRUTH, "rel": [1, 2, 3, 1, 1]}
    found = evaluate(truth, REC, 2, ["ndcg(gain=linear)", "ndcg"], rel="rel")
    assert "NDCG(gain=linear) & 2 &" in found.to_latex()
    explained = found.explain(1, "ndcg(gain=linear)")
    assert explained.headline().startswith("ndcg(gain=linear)@2 of user 1: ")
    assert explained.value == pytest.approx(1 / (3 + 2 / math.log2(3)))
    assert re.search(
        r"<strong>linear</strong></td>\s*<td[^>]*>given</td>\s*<td[^>]*>ndcg\(gain=linear\)<", found.report()
    )


def test_every_synonym_of_the_catalogue_is_a_name():
    synonyms = {name: metric for metric, of in metric_functions().items() for name in of.synonyms}
    assert synonyms["map"] == synonyms["ap"] == "average_precision"
    for name, metric in synonyms.items():
        options: dict[str, Any] = {"max_rel": 1} if "max_rel" in metric_functions()[metric].options else {}
        tables = {"aspects": {"aspect": "itemid"}, "items": {"items": ITEMS}, "spans": {"spans": ("a", "b")}}
        options |= tables.get(metric_functions()[metric].form, {})
        sizes = ((table, len(table["userid"])) for table in (TRUTH, REC))
        truth, rec = ({**table, "a": [0] * size, "b": [9] * size} for table, size in sizes)
        assert evaluate(truth, rec, metrics=name.upper(), **options).metrics == (metric,)


#: Names of measures, and what the error about them says, with names that other packages have for them.
ELSEWHERE = [
    ("U-measure_20", "does not compute the U-measure"),
    ("set_map", "and recall of the whole list, but pytrec_eval (set_map) and ir_measures (SetAP) do"),
    ("xinfAP(rel=2)", "does not compute extended inferred average precision"),
    ("unexpectedness@10", "1 - overlap of the two lists"),
    ("PR-AUC", "does not compute the area under the precision-recall curve"),
    ("U-measure@10", "does not compute the U-measure"),
    ("EED@10", "they are parts of eel"),
    ("min_skew@10", "it is minus infinity if a group is not shown"),
    ("MeanPopRank@10", "did you mean average_popularity of ranks by popularity?"),
    (
        "PopREO@10",
        "did you mean reo of a column of items that says which are popular, as in reo(of=popular)?",
    ),
    ("JainIndex", "gini, entropy and coverage are of single items"),
    ("unexpectednes", "did you mean unexpectedness? rankdcg_sql does not compute the share of items"),
]
#: Other spellings of metrics that are here, and what is meant.
SPELLINGS = [
    ("P_10", "did you mean 'precision@10'?"),
    ("nope", "there are precision, recall, f1"),
    ("EUR@10", "there are precision, recall, f1"),
    ("AUCC", "did you mean auc?"),
    ("map_at_k", "did you mean average_precision?"),
    ("Success@k", "did you mean hit_rate?"),
    ("R-precision", "did you mean r_precision?"),
    ("hit-rate@5", "did you mean 'hit_rate@5'?"),
    ("P(rel)@10", "write its options once each, as in 'precision(min_rel=2, no_relevant=zero)@10'"),
    ("P(rel=1, min_rel=2)@10", "write its options once each"),
    ("set_P", "did you mean precision of the whole list?"),
    ("relative_P_10", "did you mean 'relative_precision@10'?"),
    ("NERR9@10", "did you mean nearly_err with the option patience=reciprocal?"),
    ("iprec_at_recall_0.10", "did you mean iprec with the option recall?"),
    ("bperf", "did you mean bpref or gm_bpref?"),
    ("ndcg_burges@10", "did you mean ndcg with the option gain=exp2?"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "said"), ELSEWHERE + SPELLINGS)
def test_an_error_says_who_computes_a_measure_or_how_it_is_called_here(name: str, said: str):
    there = f"there is no metric '{name}': "
    calls = [
        lambda: evaluate(TRUTH, REC, metrics=name),
        lambda: compare(TRUTH, {"a": REC, "b": REC}, metrics=["ndcg", name]),
    ]
    if "=" not in name:
        calls.append(lambda: evaluate(TRUTH, REC).require(f"{name} >= 0.3"))
    for call in calls:
        with pytest.raises(CallError, match=re.escape(there)) as error:
            call()
        assert said in str(error.value)
        assert "did you mean" in said or "did you mean" not in str(error.value)


def test_names_that_other_packages_give_to_measures():
    """Each is a name in the documentation of a package that the advice names, or a usual spelling of it."""
    for names, said in {
        "NumRet num_rel_ret num_q": "numbers of queries and documents as measures, but pytrec_eval (num_q, ",
        "SetAP set_map": "and recall of the whole list, but pytrec_eval (set_map) and ir_measures (",
        "hole@10": "the share of items without a judgement in the top k, but MTEB (hole) does; ",
        "iprec_at_recall_0.00": "did you mean iprec with the option recall?",
        "SetRelP set_relative_P": "did you mean relative_precision of the whole list?",
        "GAUC group_auc": "did you mean auc of the whole list with the option one_class=null, and ",
        "partial_auc PAP pauc": "the partial area under the ROC curve, but RecTools (PartialAUC, ",
        "RMSE mae MSE rsquared exp_var": "errors of predicted ratings, but Recommenders (rmse, mae, ",
        "logloss log-loss Brier": "losses of predicted probabilities, but scikit-learn (log_loss, ",
        "distributional_coverage": "other coverages, but recmetrics (prediction_coverage), Recommenders (",
        "fallout fall-out@5": "the share of irrelevant items retrieved, but TorchMetrics (RetrievalF",
        "f_beta F1Beta": "did you mean f1 with the option beta?",
        "F2": "did you mean f1 with the option beta=2?",
        "MAR@10 mark": "mean average recall, but recmetrics (mark) and Elliot (MAR) do",
        "IPS SNIPS": "off-policy estimates, but Open Bandit Pipeline (InverseProbabilityWeighting)",
        "setP set_P": "did you mean precision of the whole list?",
        "setR set_recall": "did you mean recall of the whole list?",
        "setF set_F.2 SetF(beta=2)": "did you mean f1 of the whole list, with the square root of its beta?",
        "dcg_burges": "did you mean dcg with the option gain=exp2?",
        "hits@10": "did you mean hit_rate, or cg of a truth without relevances?",
        "rank-biased-overlap": "did you mean rbo, a function of two rankings?",
        "surprisal@10": "did you mean novelty, divided by log2 of the number of users?",
        "diversity": "did you mean intra_list_diversity?",
        "ILS": "did you mean 1 - intra_list_diversity?",
        "ARHR": "did you mean mrr, if each user has one relevant item?",
    }.items():
        for name in names.split():
            assert said in (advice_on(name) or ""), name
    assert advice_on("ndcg@10") is None


def test_a_measure_is_here_or_elsewhere():
    """A measure that is added to the catalogue loses its row, or its row would say that it is missing."""
    here = {*metric_names(), *by_name(), *metric_functions()}
    assert not here & {*measures_elsewhere(), *spellings()}
    assert not {*measures_elsewhere()} & {*spellings()}
    page = (ROOT / "docs" / "measures_elsewhere.md").read_text("utf-8").partition("\n## Other names")[0]
    assert len(listed_measures()) == page.count("\n| `")
    names = [name for row in listed_measures() for name in row.names]
    assert len(names) == len({*names}) == len(measures_elsewhere()) > 100
    without_underscores = [name.replace("_", "") for name in (*names, *spellings())]
    assert len(without_underscores) == len({*without_underscores})
    # Otherwise they would not be found, or DuckDB's regular expression would not find their end.
    assert [name for name in names if in_plain_letters(name) != name or not re.fullmatch(r"\w+", name)] == []
    assert [row for row in listed_measures() if set("@|\n") & set(row.advice)] == []


def test_another_spelling_with_arguments_is_the_same_number():
    """The values of trec_eval, by pytrec_eval 0.5.11."""
    qrels = {"1": {"a": 1, "b": 1, "c": 0, "d": 2}, "2": {"x": 1}}
    run = {"1": {"a": 3.0, "z": 2.5, "b": 2.0, "c": 1.5}, "2": {"y": 2.0, "x": 1.0}}
    options = {"convention": "trec_eval", "recall_denominator": "min_truth_k"}
    found = evaluate(qrels, run, metrics="recall", k=[1, 2, 3, 4], **options)
    relative_p = [(1.0 + 0.0) / 2, (0.5 + 1.0) / 2, (0.6666666666666666 + 1.0) / 2]
    assert [*found.means.values()] == approx([*relative_p, relative_p[2]])
    named = evaluate(qrels, run, metrics="relative_P", k=[1, 2, 3, 4], convention="trec_eval")
    assert [*named.means.values()] == [*found.means.values()]
    whole = evaluate(qrels, run, metrics=["precision@all", "recall@all", "f1@all"], convention="trec_eval")
    set_recall, set_f = (0.6666666666666666 + 1.0) / 2, (0.5714285714285715 + 0.6666666666666666) / 2
    assert [*whole.means.values()] == approx([0.5, set_recall, set_f])
    assert evaluate(qrels, run, metrics="gm_map@all").means == {"gmap": approx(0.5270462766947298)}


def test_means_are_those_of_all_users():
    found = evaluate(TRUTH, REC, metrics=["ndcg@2", "recall@1", "recall@all"])
    assert found.means == approx({"ndcg@2": MEAN, "recall@1": RECALL_AT_1, "recall": RECALL})
    assert found["ndcg@2"] == found["NDCG@2"] == found["ndcg_cut@2"] == approx(MEAN)
    assert found["recall"] == found["recall@all"] == found["recall_at"] == approx(RECALL)
    by_segment = evaluate({**TRUTH, "plan": [*"aaabb"]}, REC, metrics=["ndcg@2", "recall@1"], by="plan")
    assert by_segment.means == approx({"ndcg@2": MEAN, "recall@1": RECALL_AT_1})
    assert pickle.loads(pickle.dumps(found)).means == found.means


def test_a_mean_of_nobody_is_none():
    with pytest.warns(match="no metric has a value"):
        found = evaluate({**TRUTH, "rel": [0] * 5}, REC, rel="rel", metrics="ndcg@2")
    assert found["ndcg@2"] is None


#: A catalogue with each property.
ITEMS = {
    "itemid": ["a", "b"], "popularity": [1, 2], "share": [0.5, 0.5], "long_tail": [True, False],
    "categories": ["x", "y"], "group": ["x", "y"],
}  # fmt: skip


@pytest.mark.parametrize("name", ["ndcg", "ndcg@3", "nope", "recall@x", 0, None])
def test_a_measure_that_is_not_there(name: Any):
    found = evaluate(TRUTH, REC, metrics=["ndcg@2", "recall@1"])
    with pytest.raises(KeyError) as error:
        found[name]
    assert str(error.value) == f"Evaluation: there is no measure {name!r}, but ndcg@2, recall@1"
    assert isinstance(error.value, CallError)
    assert name not in found


def test_whether_a_measure_is_there():
    found = evaluate(TRUTH, REC, metrics=["ndcg@2", "recall@1"])
    assert "NDCG@2" in found
    assert "ndcg@0002" not in found
    with pytest.raises(TypeError, match="not iterable"):
        list(found)  # type: ignore[call-overload]
    for name in ("ndcg@٣", "ndcg@" + "9" * 5000):
        with pytest.raises(ValueError, match=r"^evaluate: "):
            evaluate(TRUTH, REC, metrics=name)


def test_a_comparison_has_the_means_and_counts_of_each_system():
    first = {name: values[:3] for name, values in REC.items()}
    compared = compare(TRUTH, {"all": REC, "first": first}, metrics=["ndcg@2", "recall@1"])
    assert compared.means == {
        "ndcg@2": approx({"all": MEAN, "first": NDCG[1] / 3}),
        "recall@1": approx({"all": RECALL_AT_1, "first": RECALL_AT_1}),
    }
    assert compared["nDCG@2"] == compared.means["ndcg@2"]
    assert [(name, of.rec_rows, of.users_without_rec) for name, of in compared.counts.items()] == [
        ("all", 5, 1),
        ("first", 3, 2),
    ]
    with pytest.raises(KeyError, match=r"^Comparison: there is no measure 'mrr', but ndcg@2, recall@1$"):
        compared["mrr"]


def test_a_notebook_shows_a_note_about_rows_once():
    """It shows the warning of the call, and so the result does not repeat it. Other notes are no warnings."""
    repeated = {name: [*values, values[0]] for name, values in REC.items()}
    with pytest.warns(match=r"^evaluate: 1 row of rec with the user and item of another row"):
        found = evaluate(TRUTH, repeated, metrics="ndcg@2")
    with pytest.warns(match=r"^compare: b: 1 row of rec with the user and item of another row"):
        compared = compare(TRUTH, {"a": REC, "b": repeated}, metrics="ndcg@2")
    for result in (found, compared):
        assert "1 row of rec with the user and item" in repr(result)
        assert "1 row of rec with the user and item" not in result._repr_html_()
        assert "1 user of truth without a row in rec" in result._repr_html_()
