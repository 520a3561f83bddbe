"""The function `judge_corrected`: means by a judge, corrected by the judgements of people."""

from __future__ import annotations

from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql.evaluation._explain_change import family
from rankdcg_sql.evaluation._results.comparison import Comparison
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._results.judge_corrected import JudgeCorrected, columns_of_results
from rankdcg_sql.evaluation._terms.counts import warn
from rankdcg_sql.evaluation._terms.metrics import function_of

_CALLER = "judge_corrected"


def judge_corrected(human: Evaluation | Comparison, judge: Evaluation | Comparison) -> JudgeCorrected:
    r"""Correct means by a judge, such as a language model, by the judgements of people for some users.

    A judge is cheap and biased. People are right and few. If people judge a random sample of the users, the
    mean over all users by the judge is corrected by its errors on the sample (PPI++).

    Parameters
    ----------
    human : Evaluation or Comparison
        The result of `evaluate` or `compare` by the judgements of people, for a random sample of the users.
        If some users were more likely to be drawn than others, its `weight` is a column with 1 over the
        probability of each.
    judge : Evaluation or Comparison
        The result of the same call by those of the judge, for all users, those of the sample included. Only
        ``truth`` differs, and there is no `weight`.

    Returns
    -------
    JudgeCorrected
        The corrected means with intervals, the bias of the judge, and of several systems the corrected
        differences with p-values, beside those by people alone and by the judge alone. `require` tests them,
        and `append` keeps them in a history.

    Raises
    ------
    ValueError, TypeError
        If the two have other settings, metrics, systems or segments, or other numbers of recommendations; if
        people judged a user that the judge did not; if a user has no value; if users of the judge have
        weights; if the interval or the test is not Student's t, two-sided and without a margin; or if a
        metric is one of all users together. Each is a `CallError` as well, which says the argument.

    Warns
    -----
    DataWarning
        If the judge gives the users that people judged visibly other values than the rest, as a random
        sample has them once in a thousand times. With weights, their weighted mean is compared with that of
        all.

    Notes
    -----
    The corrected mean is :math:`\bar h + w (\bar j_N - \bar j_n)`: the mean by people over their :math:`n`
    users, and the weight :math:`w` times the mean by the judge over all :math:`N` users less that over the
    :math:`n`. The weight is the slope of people's values by those of the judge, so that a judge who says
    nothing has a weight near 0. It is the regression estimator of double sampling, and PPI++ with power
    tuning. For a difference of two systems, the values are differences. The function
    ``judge_corrected_mean`` computes all of it, and with weights ``weighted_judge_corrected_mean``. Means and
    intervals are of all users like these.

    The sample must be random: of the users, and not of those who are easy to judge. Each user needs a value
    by the judge, and by people if they judged the user: without a relevant item, most metrics have one with
    ``no_relevant="zero"`` alone. In simulations with 30 users of people or more, 95% intervals hold the true
    mean in 94% to 97% of experiments, unless nearly all values are equal, or few users have most of the
    weight.

    References
    ----------
    Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, arXiv 2311.01453.

    Examples
    --------
    >>> import rankdcg_sql
    >>> users = [*range(200)]
    >>> rec = {"userid": users, "itemid": [1] * 200, "score": [1.0] * 200}
    >>> model = {"userid": users, "itemid": [1, 1, 1, 2] * 50}
    >>> people = {"userid": users[::5], "itemid": [1, 2, 1, 2] * 10}
    >>> by_people, by_model = (
    ...     rankdcg_sql.evaluate(truth, rec, k=1, metrics="precision") for truth in (people, model)
    ... )
    >>> rankdcg_sql.judge_corrected(by_people, by_model)
    Judgements of a judge for 200 users, corrected by those of people for 40 of them
    ╭───────────┬───┬────┬────────┬────────┬───────────┬────────┬────────┬────────┬────────┬─────────────╮
    │ metric    │ k │  n │ people │  judge │ corrected │    low │   high │   bias │ weight │ effective n │
    ├───────────┼───┼────┼────────┼────────┼───────────┼────────┼────────┼────────┼────────┼─────────────┤
    │ precision │ 1 │ 40 │ 0.5000 │ 0.7500 │    0.5000 │ 0.3597 │ 0.6403 │ 0.2500 │   0.67 │          53 │
    ╰───────────┴───┴────┴────────┴────────┴───────────┴────────┴────────┴────────┴────────┴─────────────╯
    >>> rankdcg_sql.judge_corrected(by_people, by_model).require("measured precision@1 >= 0.45")
    passed: measured precision@1 >= 0.45 (corrected mean 0.5000, 40 users by people and 200 by the judge)
    """
    kinds = (Evaluation, Comparison)
    for argument, given in (("human", human), ("judge", judge)):
        if not isinstance(given, kinds):
            why = f"must be the result of evaluate or compare, got {shown(given)}"
            raise CallTypeError.about(_CALLER, argument, why)
    if type(human) is not type(judge):
        why = f"must be of the same kind as human, {type(human).__name__}, got {type(judge).__name__}"
        raise CallTypeError.about(_CALLER, "judge", why)
    pairs: list[tuple[str, str]] = []
    baseline, correction = None, None
    if isinstance(human, Comparison) and isinstance(judge, Comparison):
        pairs, baseline, correction = human.pairs, human.baseline, human.correction
        _check_equal("pairs", pairs, judge.pairs)
        _check_equal("baseline", baseline, judge.baseline)
        _check_equal("correction", correction, judge.correction)
        for argument, given in (("human", human), ("judge", judge)):
            _check_test(argument, given)
    corrected = JudgeCorrected(dict(human.systems), dict(judge.systems), pairs, baseline, correction)
    _check_equal("systems", [*corrected.human], [*corrected.judge])
    for system, of_human in corrected.human.items():
        _check_settings(of_human, corrected.judge[system])
    corrected.check(_CALLER)
    for note in corrected.notes_on_sample():
        warn(_CALLER, "human", note)
    return corrected


def _check_equal(setting: str, of_human: object, of_judge: object) -> None:
    """Raise an error if a setting differs."""
    if of_human != of_judge:
        why = f"has {setting}={shown(of_judge)}, and human has {setting}={shown(of_human)}"
        raise CallValueError.about(_CALLER, "judge", why)


def _check_settings(human: Evaluation, judge: Evaluation) -> None:
    """Raise an error if the two were evaluated in different ways, or in one that cannot be corrected."""
    for setting in ("options", "users", "confidence", "by"):
        _check_equal(setting, getattr(human, setting), getattr(judge, setting))
    columns = [sorted(measure.column for measure in each.measures) for each in (human, judge)]
    _check_equal("metrics", *columns)
    if judge.weight:
        why = f"has users weighted by {judge.weight}: all users of the judge count alike, and those of people"
        raise CallValueError.about(_CALLER, "judge", f"{why} alone may have weights")
    for argument, given in (("human", human), ("judge", judge)):
        if given.interval != "t":
            why = f"has interval={given.interval!r}: the interval of the correction is Student's t"
            raise CallValueError.about(_CALLER, argument, why)
    for name in human.by:
        if name.lower() in columns_of_results():
            why = f"has segments by {name}, and the results have a column {name!r} already: rename yours"
            raise CallValueError.about(_CALLER, "human", why)
    of_rec = [each.fingerprints.get("rec") for each in (human, judge)]
    if None not in of_rec and of_rec[0] != of_rec[1]:
        raise CallValueError.about(_CALLER, "judge", "has another rec than human: their fingerprints differ")
    one, other = (each.counts.rec_rows for each in (human, judge))
    if one != other:
        raise CallValueError.about(_CALLER, "judge", f"has another rec than human: {other} and {one} rows")
    for measure in human.measures:
        if function_of(measure.metric).is_of_all_users:
            why = f"has {measure.column}, a measure of all users together, which no sample of users has"
            raise CallValueError.about(_CALLER, "human", why)
    kinds = [each.table.schema.field(each.user).type for each in (human, judge)]
    if len(set(map(family, kinds))) > 1:
        why = f"has users of the type {kinds[1]}, and human of {kinds[0]}: cast those of one table"
        raise CallValueError.about(_CALLER, "judge", why)


def _check_test(argument: str, given: Comparison) -> None:
    """Raise an error unless differences are tested by the two-sided t test, which the correction has."""
    for setting, wanted in (("test", "t"), ("alternative", "two_sided"), ("margin", 0)):
        if (found := getattr(given, setting)) != wanted:
            why = f"has {setting}={found!r}: the correction tests by a two-sided t test without a margin"
            raise CallValueError.about(_CALLER, argument, why)
