"""The function `explain_change`: why the means of two evaluations differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import pyarrow as pa

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql.evaluation._results.change import Change
from rankdcg_sql.evaluation._results.changed_values import Order
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._terms.metrics import Measure, chosen_measures, measures_of_single_users

_CALLER = "explain_change"


def explain_change(
    before: Evaluation,
    after: Evaluation,
    metric: str | None = None,
    k: int | None = None,
    order: Order = "sequential",
) -> Change:
    r"""Explain why the mean of a metric moved from one evaluation to another one.

    The difference of the means is divided, without a rest, into what came of users who left, of users who
    came, of judgements that changed, and of the ranking that changed.

    Parameters
    ----------
    before, after : Evaluation
        The results of `evaluate` for two runs, each with its own truth and rec, or with one truth. Options,
        users, confidence and segments are the same.
    metric : str, optional
        A metric that both have, with or without its cutoff, such as ``"ndcg@10"``; all if not given.
    k : int, optional
        One of the cutoffs; all if not given.
    order : {"sequential", "shapley"}
        The order in which judgements and ranking change. ``"sequential"`` changes judgements first, and the
        ranking is then measured by the judgements after. ``"shapley"`` is the mean of both orders, and
        evaluates one combination more.

    Returns
    -------
    Change
        The parts of the difference with intervals and tests; what each segment, user, item and move of items
        adds to them; and the users who decide.

    Raises
    ------
    ValueError, TypeError
        If the two have other settings, no measure in common or no tables any more, as one from a pickle, if
        a table has changed since it was evaluated, or if an argument has a wrong type or value. Each is a
        `CallError` as well, which says the argument.

    Notes
    -----
    A user counts in a run with a value there. With means :math:`m_b` and :math:`m_a` over the users of each
    run, and :math:`\bar b` and :math:`\bar a` over the :math:`n_C` users of both, the parts are
    :math:`\bar b - m_b` (users who left), :math:`m_a - \bar a` (users who came), the mean of *middle* less
    *before* (judgements), and the mean of *after* less *middle* (ranking). *Middle* is the value of the rec
    before by the truth after, which alone is computed anew; for systems of one `compare`, nothing is. If a
    user has no value in the middle, its whole change is that of the ranking.

    A truth that was overwritten under its name is another truth. If rec was, too, the rec before is gone, and
    an error says so.

    The interval and the p-value of a part are by the test of partially overlapping samples, which pairs the
    users that two means share. ``p_corrected`` is Holm's correction for the four parts of a measure.

    References
    ----------
    Derrick, Russ, Toher and White, Test statistics for the comparison of means for two samples that include
    both paired and independent observations, Journal of Modern Applied Statistical Methods 2017.

    Shapley, A value for n-person games, Contributions to the Theory of Games II 1953.

    Examples
    --------
    >>> import rankdcg_sql
    >>> truth = {"userid": [1, 2, 3], "itemid": ["a", "b", "c"]}
    >>> old = {"userid": [1, 2, 3], "itemid": ["a", "b", "c"], "score": [1, 1, 1]}
    >>> new = {"userid": [1, 2, 3], "itemid": ["a", "b", "x"], "score": [1, 1, 1]}
    >>> before, after = (rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall") for rec in (old, new))
    >>> change = rankdcg_sql.explain_change(before, after)
    >>> change.parts.filter("difference <> 0").project("part, users, round(difference, 4)").fetchall()
    [('ranking', 1, -0.3333), ('total', 3, -0.3333)]
    """
    for argument, given in (("before", before), ("after", after)):
        if not isinstance(given, Evaluation):
            raise CallTypeError.about(
                _CALLER, argument, f"must be the result of evaluate, got {shown(given)}"
            )
    check_choice(_CALLER, "order", order, get_args(Order))
    _check_settings(before, after)
    # The change of a measure of all users is no sum over users.
    known = [(measure.metric, measure.k) for measure in after.measures]
    explained = measures_of_single_users(_CALLER, known, metric)
    common = [measure for measure in explained if Measure(*measure) in before.measures]
    if not common:
        names = [", ".join(measure.column for measure in each.measures) for each in (before, after)]
        raise CallValueError.about(
            _CALLER, "after", f"has no measure of before: {names[1]}, and not {names[0]}"
        )
    measures = tuple(Measure(*each) for each in chosen_measures(_CALLER, common, metric, k))
    change = Change(before, after, measures, order, _are_of_one_call(before, after), None, None)
    if change.has_one_truth:
        return change
    if not change.has_users_of_both:  # then the parts need no values of other combinations
        return replace(change, middle=after.table.slice(0, 0))
    middle = _values(measures, rec_of=before, truth_of=after, runs=("before", "after"))
    if _have_one("truth", before, after):
        # One name may have stood for two tables, of which the values tell.
        if replace(change, middle=middle).judges_alike:
            return replace(change, has_one_truth=True)
        if _have_one("rec", before, after):
            why = "is of the same names as after: keep the tables of each run under names of their own"
            raise CallValueError.about(_CALLER, "before", why)
    if order == "sequential":
        return replace(change, middle=middle)
    other_middle = _values(measures, rec_of=after, truth_of=before, runs=("after", "before"))
    return replace(change, middle=middle, other_middle=other_middle)


def _check_settings(before: Evaluation, after: Evaluation) -> None:
    """Raise an error if the two were evaluated in different ways, or by users of different types."""
    for setting in ("options", "users", "confidence", "by"):
        one, other = (getattr(evaluation, setting) for evaluation in (before, after))
        if one != other:
            why = f"was evaluated with {setting}={shown(other)}, and before with {setting}={shown(one)}"
            raise CallValueError.about(_CALLER, "after", why)
    for argument, given in (("before", before), ("after", after)):
        if given.weight:
            why = f"has means weighted by {given.weight}, whose changes are not explained"
            raise CallValueError.about(_CALLER, argument, why)
    kinds = [evaluation.table.schema.field(evaluation.user).type for evaluation in (before, after)]
    if len(set(map(family, kinds))) > 1:
        why = f"has users of the type {kinds[1]}, and before of {kinds[0]}: cast those of one run"
        raise CallValueError.about(_CALLER, "after", why)


def family(kind: pa.DataType) -> str:
    """Name the types whose values can equal those of a type."""
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return "number" if is_number else str(kind).removeprefix("large_")


def _are_of_one_call(before: Evaluation, after: Evaluation) -> bool:
    """Whether one call of `compare` evaluated the two, or they are one, so that truth was read once."""
    one, other = before.given, after.given
    return before is after or (one is not None and other is not None and one.request is other.request)


def _have_one(table: Literal["truth", "rec"], before: Evaluation, after: Evaluation) -> bool:
    """Whether a table of both is one object or has one name."""
    one, other = before.given, after.given
    return one is not None and other is not None and one.has_same(table, other)


def _values(
    measures: tuple[Measure, ...], rec_of: Evaluation, truth_of: Evaluation, runs: tuple[str, str]
) -> pa.Table:
    """Compute the values of the rec of one run by the truth of the other; `runs` names both in errors."""
    rec, truth = rec_of.tables(_CALLER), truth_of.tables(_CALLER)
    mixed = rec.with_truth_of(truth, _CALLER, f"{rec.label} of {runs[0]}")
    table, rows = mixed.values(_CALLER, measures)
    for role, evaluation, run in (("rec", rec_of, runs[0]), ("truth", truth_of, runs[1])):
        there, known = rows[f"{role}_rows"], getattr(evaluation.counts, f"{role}_rows")
        if there != known:
            why = f"{role} of {run} has changed since it was evaluated: {there:,} rows, and {known:,} then"
            raise CallValueError(_CALLER, run, why)
    return table
