"""The result of `explain_change`: the parts of the difference of two means, and who and what made them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallValueError, shown
from rankdcg_sql._output import K_TEXT, Result, four_digits, p_value_text
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._requirements.decider import Decider, Subject
from rankdcg_sql.evaluation._requirements.grammar import PARTS
from rankdcg_sql.evaluation._results.change_in_words import ChangeInWords
from rankdcg_sql.evaluation._results.changed_items import ChangedItems, MissingItems
from rankdcg_sql.evaluation._results.changed_values import ChangedValues, Order
from rankdcg_sql.evaluation._results.required_result import RequiredResult

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from rankdcg_sql.evaluation._results.evaluation import Evaluation
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.evaluation._terms.metrics import Measure
    from rankdcg_sql.plots import Plot


@dataclass(frozen=True, repr=False, eq=False)
class Change(RequiredResult):
    """The parts of the difference of the means of two runs, and who and what made them.

    Attributes
    ----------
    before, after : Evaluation
        The two runs.
    measures : tuple of Measure
        The metrics at their cutoffs.
    order : {"sequential", "shapley"}
        The order in which judgements and ranking change.
    has_one_truth : bool
        Whether both runs have one truth, so that no judgement changed.
    """

    #: Tells a change from evaluations and comparisons.
    kind: ClassVar[Literal["change"]] = "change"

    before: Evaluation
    after: Evaluation
    measures: tuple[Measure, ...]
    order: Order
    has_one_truth: bool
    #: The values of the rec before by the truth after; None if the truths are one.
    middle: pa.Table | None
    #: The values of the rec after by the truth before; None likewise, and unless `order` needs them.
    other_middle: pa.Table | None

    @cached_property
    def _values(self) -> ChangedValues:
        return ChangedValues(
            self.before, self.after, self.measures, self.order, self.middle, self.other_middle
        )

    @cached_property
    def _items(self) -> ChangedItems:
        return ChangedItems(self._values)

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """Both runs by their names, ``before`` and ``after``."""
        return {"before": self.before, "after": self.after}

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of segments."""
        return self.after.by

    @property
    def confidence(self) -> float:
        """The confidence level of the intervals, between 0 and 1."""
        return self.after.confidence

    @property
    def words(self) -> Unit:
        """The word for users, and texts with it."""
        return self.after.words

    @property
    def user(self) -> str:
        """The name of the column of users."""
        return self.after.user

    @property
    def item(self) -> str:
        """The name of the column of items."""
        return self._items.column

    @property
    def parts(self) -> duckdb.DuckDBPyRelation:
        """One row per metric, k and part of the difference, and one for all of it.

        ``part`` is ``users_left``, ``users_came``, ``judgements``, ``ranking`` or ``total``. ``users`` is the
        number of users in it. ``before`` and ``after`` are the means between which the part leads,
        ``difference`` is their difference, and ``low`` and ``high`` are the ends of its interval. ``share``
        is its share of the total difference, NULL if that is 0. ``p_value`` is the p-value of its test, and
        ``p_corrected`` the same after Holm's correction for the four parts of a measure.
        """
        return self._values.con.sql(
            f"SELECT * EXCLUDE (place) FROM {self._values.parts} ORDER BY {self._values.order_of_parts}"
        )

    @property
    def by_segment(self) -> duckdb.DuckDBPyRelation:
        """One row per segment, metric, k and part: its ``users``, and ``difference``, their sum in the part.

        The differences of all segments add up to the part. The segment of a user is that after, or before for
        one who left.
        """
        columns = "".join(f"by_{place} AS {quote_name(name)}, " for place, name in enumerate(self.by))
        order = [
            *(f"by_{place} ASC NULLS LAST" for place, _ in enumerate(self.by)),
            self._values.order_of_parts,
        ]
        return self._values.con.sql(
            f"SELECT {columns}metric, k, part, users, difference FROM ({self._values.select_by_segment()}) "
            f"ORDER BY {', '.join(order)}"
        )

    @property
    def by_user(self) -> duckdb.DuckDBPyRelation:
        """One row per user, metric, k and part: what the user adds to the part.

        ``before`` and ``after`` are the values between which the part leads; ``difference`` is the user's
        share of the difference of the means, so that the rows of a part add up to it. The rows ``total`` have
        the sum of the parts of the user.
        """
        return self._values.con.sql(
            f"SELECT userid AS {quote_name(self.user)}, metric, k, part, before, after, difference "
            f"FROM {self._values.by_user} ORDER BY userid ASC, {self._values.order_of_parts}"
        )

    @property
    def by_item(self) -> duckdb.DuckDBPyRelation:
        """One row per item, metric and k, for metrics that are sums over items, from the largest change on.

        ``judgements`` and ``ranking`` are what the item adds to these parts, ``users`` is the number of users
        to whose values it adds in a run, and ``won`` and ``lost`` are the numbers of those for whom it adds
        more after than before, and less. A row without an item has what no item made: values by the rules for
        empty rankings. The tables are read again, when this is first read, in DuckDB 2.0 or later.
        """
        return self._values.con.sql(
            f"SELECT itemid AS {quote_name(self.item)}, metric, k, judgements, ranking, users, won, lost "
            f"FROM {self._items.by_item} ORDER BY {self._values.order_of_measures}, "
            "abs(judgements + ranking) DESC, itemid ASC NULLS LAST"
        )

    @property
    def by_move(self) -> duckdb.DuckDBPyRelation:
        """One row per way in which an item's rank moved, metric and k, as `by_item` is read.

        ``move`` is ``into top k``, ``out of top k``, ``up``, ``down``, ``same rank`` or ``not retrieved``, or
        NULL for what no item made. ``items`` is the number of items of users that add to a value in a run,
        ``users`` that of users, and ``ranking`` what they add to the part of the ranking.
        """
        return self._values.con.sql(
            f"SELECT metric, k, move, items, users, ranking FROM {self._items.by_move} "
            f"ORDER BY {self._values.order_of_measures}, abs(ranking) DESC, move ASC NULLS LAST"
        )

    @property
    def deciding_users(self) -> duckdb.DuckDBPyRelation:
        """One row per user, metric and k, in descending share of the difference.

        ``place`` is the user's place, and ``n`` the number of users. ``before`` and ``after`` are the user's
        values, NULL in a run without one. ``difference`` is the sum of the user's parts, ``cumulative`` the
        sum down to this place, and ``share`` that as a share of the total difference. Users who changed the
        mean in its direction come first.
        """
        return self._values.deciding(
            "SELECT userid AS e_0, metric, k, before, after, difference "
            f"FROM {self._values.by_user} WHERE part = 'total'",
            [self.user],
            "before, after, ",
        )

    @property
    def deciding_segments(self) -> duckdb.DuckDBPyRelation:
        """One row per segment, metric and k, as `deciding_users` has one per user, and its ``users``."""
        columns = "".join(f"by_{place} AS e_{place}, " for place, _ in enumerate(self.by))
        return self._values.deciding(
            f"SELECT {columns}metric, k, users, difference FROM ({self._values.select_by_segment()}) "
            "WHERE part = 'total'",
            self.by,
            "users, ",
        )

    @property
    def deciding_items(self) -> duckdb.DuckDBPyRelation:
        """One row per item, metric and k, as `deciding_users` has one per user; read as `by_item` is.

        ``users``, ``won`` and ``lost`` are those of `by_item`.
        """
        return self._values.deciding(
            "SELECT itemid AS e_0, metric, k, users, won, lost, judgements + ranking AS difference "
            f"FROM {self._items.by_item}",
            [self.item],
            "users, won, lost, ",
        )

    @property
    def jackknife(self) -> duckdb.DuckDBPyRelation:
        """The difference of the means without the users who decide most: does the verdict depend on a few?

        One row per metric and k with all users, where ``users_left_out`` is 0; one without each of the ten
        first of `deciding_users`, whom the column of users names; and one without all ten. ``users`` is the
        number of users that remain, and ``difference``, ``low``, ``high`` and ``p_value`` are theirs.
        """
        return self._values.con.sql(self._values.select_jackknife(self.user))

    @property
    def has_users_of_both(self) -> bool:
        """Whether a user is in both runs."""
        return self._values.has_users_of_both

    @property
    def judges_alike(self) -> bool:
        """Whether the truths of both runs give each user's list before the same values."""
        return self._values.judges_alike

    @property
    def has_items(self) -> bool:
        """Whether `by_item`, `by_move`, `deciding_items` and `explain` can be read."""
        return self._items.can_be_read

    @property
    def missing_items(self) -> MissingItems | None:
        """The judged items that were returned before, and are neither returned nor judged after.

        None if both runs have one truth, or their tables cannot be read.
        """
        return None if self.has_one_truth else self._items.missing

    def explain(self, user: Any, metric: str | None = None, k: int | None = None) -> duckdb.DuckDBPyRelation:
        """Return the rows of `Evaluation.explain` for one user of both runs.

        The first column, ``run``, is ``before`` or ``after``. A user of one run has its rows alone.
        """
        return self._items.explain(user, metric, k)

    def plot(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the parts between the mean before and the mean after; see `rankdcg_sql.plots.change_parts`."""
        return self._draw("plot", "change_parts", metric, k)

    def plot_cumulative(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot how many users make up the change; see `rankdcg_sql.plots.cumulative_change`."""
        return self._draw("plot_cumulative", "cumulative_change", metric, k)

    def plot_user(self, user: Any, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the ranking of one user before and after side by side; see `rankdcg_sql.plots.user_lists`."""
        return self._draw("plot_user", "user_lists", user, metric, k)

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.parts  # `ShownResult` writes these as CSV and JSON

    def _decider(self) -> Decider:
        return Decider(
            Subject(self.measures, self.by, (), "before", self.confidence, parts=tuple(PARTS)),
            con=self._values.con,
            tables=self._values.tables_of_parts,
            user=self.user,
            test="t",
            draws="",
            options=self.after.options,
            unit=self.after.unit,
        )

    @cached_property
    def _in_words(self) -> ChangeInWords:
        return ChangeInWords(self._values, self._items, self.words, self.has_one_truth)

    def headline(self, measure: Measure | None = None) -> str:
        """Return a sentence on the change of a measure, by default the first one: its largest cause first."""
        if measure is not None and measure not in self.measures:
            names = " or ".join(str(each) for each in self.measures)
            raise CallValueError.about("headline", "measure", f"must be {names}, got {shown(measure)}")
        return self._in_words.headline(measure or self.measures[0])

    def notes(self, about_rows: bool = True) -> list[str]:
        return self._in_words.notes(self.missing_items)

    def _summary_cells(self) -> Result:
        numbers = map(four_digits, ("before", "after"))
        signed = "format('{:+.4f}', difference)"
        ends = map(four_digits, ("low", "high"))
        share = "format('{:.0f}%', 100 * share)"
        p_value = p_value_text("coalesce(p_corrected, p_value)")
        part = f"map({quote_map(self.words.parts)})[part]"
        cells = ["metric", K_TEXT, part, "users::VARCHAR", *numbers, signed, *ends, share, p_value]
        rows = self._values.con.execute(
            f"SELECT {', '.join(f'coalesce({cell}, {quote_text(str())})' for cell in cells)} "
            f"FROM {self._values.parts} ORDER BY {self._values.order_of_parts}"
        ).fetchall()
        heads = ["metric", "k", "part"]
        columns = [*heads, self.words.plural, "before", "after", "difference", "low", "high", "share", "p"]
        numeric = [name not in ("metric", "part") for name in columns]
        return Result(columns, numeric, rows, heads=len(heads), ruled=2)


def quote_map(texts: dict[str, str]) -> str:
    """Write the keys and the values of a map in SQL."""
    return f"[{', '.join(map(quote_text, texts))}], [{', '.join(map(quote_text, texts.values()))}]"
