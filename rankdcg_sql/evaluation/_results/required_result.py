"""The members of results on which requirements are decided, and of which reports are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import CallValueError
from rankdcg_sql.evaluation._requirements.grammar import parse
from rankdcg_sql.evaluation._requirements.requirements import Inconclusive, RequirementError, Requirements
from rankdcg_sql.evaluation._results.shown_result import ShownResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rankdcg_sql.evaluation._requirements.decider import Decider


@dataclass(frozen=True, repr=False, eq=False)
class RequiredResult(ShownResult):
    """The base of results on which requirements are decided, and of which reports are written, too."""

    def require(self, *requirements: str, inconclusive: Inconclusive = "fail") -> Requirements:
        """Require that means or differences meet bounds, judged by tests over the users.

        Parameters
        ----------
        *requirements : str
            Requirements such as ``ndcg@10 >= 0.30``, and on a comparison such as ``new: ndcg@10 not worse by
            0.005``. The forms are ``>=``, ``>``, ``<=`` and ``<`` with a number, and ``not worse by``,
            ``better by`` and ``equivalent within`` with a margin, ``better``, and ``differs``. A margin is a
            number above 0, or relative to the mean of the baseline, such as ``1%``. Without a system, every
            system other than the baseline must meet it. ``in plan=free`` or ``in every segment`` at the end
            restricts it to a segment of `by`; ``measured`` in front lets the measured value decide without a
            test. Names and values with other signs than letters stand in double quotes.
        inconclusive : {"fail", "pass"}
            Whether a requirement that the users cannot decide is an error.

        Returns
        -------
        Requirements
            The outcomes, in the order of the requirements, then of systems, then of segments.

        Raises
        ------
        RequirementError
            If a requirement failed, or is inconclusive and `inconclusive` is ``"fail"``, or if no user has a
            value. It has the outcomes of all requirements in its attribute ``requirements``.
        ValueError, TypeError
            If a requirement cannot be read, or is about a measure, system or segment that is not there.

        Notes
        -----
        A requirement passes if a test at 1 less `confidence` finds it met, and fails if the opposite test
        finds it not met. A margin m or a bound c is tested by Gaffke's test, one-sided, which counts the
        limit of the metric as one value more: a mean is compared with c, and the values of a system with
        those of the baseline plus or minus m, or with these values times 1 plus or minus a relative margin,
        whose means are not estimated apart. Metrics without a limit have Student's t test. ``equivalent``
        needs two one-sided tests, and fails beyond a margin by a two-sided one. ``better`` without a margin
        and ``differs`` are tested by the comparison's own test; ``differs`` cannot fail. If smaller
        values of a measure are better, as of ``gini``, ``better`` and ``worse`` mean that. A system with the
        values of the baseline for every user counts as equal to it, without a test. A user counts with a
        value or, for a difference, with values of both systems.

        Means of `rankdcg_sql.judge_corrected` are tested by their intervals, which are Student's t: one at 1
        less twice alpha must be beyond c or m. Beyond a margin of ``equivalent``, one at 1 less alpha must
        be. A relative margin is an error there, unless ``measured`` is in front.

        References
        ----------
        Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative
        Variable, Mathematical Methods of Statistics 2005.

        Berger, Multiparameter hypothesis testing and acceptance sampling, Technometrics 1982: if several
        requirements must all be met, tests of each at alpha are together a test at alpha.

        Schuirmann, A comparison of the two one-sided tests procedure and the power approach, Journal of
        Pharmacokinetics and Biopharmaceutics 1987.

        Examples
        --------
        >>> import rankdcg_sql
        >>> users = [*range(40)]
        >>> truth = {"userid": users, "itemid": [1] * 40}
        >>> rec = {"userid": users, "itemid": [1, 1, 1, 2] * 10, "score": [1.0] * 40}
        >>> result = rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall")
        >>> result.require("recall@1 >= 0.6")
        passed: recall@1 >= 0.6 (mean 0.7500, 90% interval 0.6129 to 0.8576, p = 0.0352, 40 users)
        >>> result.require("recall@1 >= 0.7", inconclusive="pass")[0].outcome
        'inconclusive'
        """
        check_choice("require", "inconclusive", inconclusive, get_args(Inconclusive))
        if not requirements:
            raise CallValueError("require", "requirements", "give one requirement or more")
        decider = self._decider()
        parsed = [parse(text) for text in requirements]
        decider.subject.check(parsed)
        decided = decider.decide(parsed)
        if decided.unmet(inconclusive):
            raise RequirementError(decided, inconclusive)
        return decided

    def _decider(self) -> Decider:
        # Returns what decides requirements on this result.
        raise NotImplementedError

    def report(
        self,
        path: str | Path | None = None,
        title: str | None = None,
        inputs: Mapping[str, object] | None = None,
        require: str | Sequence[str] | Requirements = (),
    ) -> str:
        """Return an HTML page with tables and plots, and write it to `path` if that is given.

        See `rankdcg_sql.report.report`.
        """
        from rankdcg_sql.report import report

        return report(self, path, title, inputs, require)  # type: ignore[arg-type]
