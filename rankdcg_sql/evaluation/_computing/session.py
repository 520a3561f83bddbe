"""Evaluate tables of recommendations, one after the other, against one truth."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._computing import counts_and_hints
from rankdcg_sql.evaluation._computing.explanations import create_explanations
from rankdcg_sql.evaluation._computing.fingerprints import columns_read, fingerprint
from rankdcg_sql.evaluation._computing.geometric_means import add_geometric_means
from rankdcg_sql.evaluation._computing.item_values import (
    add_item_values,
    count_unknown_documents,
    find_item_columns,
    query_of_items,
)
from rankdcg_sql.evaluation._computing.progress import Progress
from rankdcg_sql.evaluation._computing.spans import Spans, add_span_values, find_spans
from rankdcg_sql.evaluation._computing.user_metrics import (
    Inputs,
    create_user_metrics,
    evaluated_users,
    memory_limit,
)
from rankdcg_sql.evaluation._tables.columns import (
    Columns,
    Source,
    TruthAndRec,
    Views,
    check_digits,
    find_columns,
)
from rankdcg_sql.evaluation._tables.reader import Reader
from rankdcg_sql.evaluation._tables.types import as_arrow
from rankdcg_sql.evaluation._tables.workspace import Workspace, as_stream, open_connection
from rankdcg_sql.evaluation._terms.counts import Counts, warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    import pyarrow as pa
    from typing_extensions import Self

    from rankdcg_sql.evaluation._tables.columns import FoundColumns
    from rankdcg_sql.evaluation._terms.metrics import Measure
    from rankdcg_sql.evaluation._terms.plan import Plan
    from rankdcg_sql.evaluation._terms.statistics import Users


@dataclass(frozen=True)
class UserMetrics:
    """The metrics of each user."""

    #: One row per user: the user, the segments, the weight if there is one, the number of retrieved items,
    #: and each measure's value.
    table: pa.Table
    #: Whether the rows are in ascending order of users. They are if Arrow might change the type of users, and
    #: with the type their order.
    is_ordered: bool
    #: The numbers of rows and users in the two tables.
    counts: Counts
    #: The metrics that were computed, with their cutoffs and options.
    plan: Plan
    #: The fingerprint of each table, keyed by its role; empty unless they were asked for.
    fingerprints: dict[str, str]


class Session:
    """A truth table on a working connection; tables of recommendations are evaluated against it in turn.

    A subclass may read tables and compute metrics elsewhere. It replaces `_open_truth`, `_open_rec`,
    `_open_items`, `_close_rec`, `_find_columns`, `_measure`, `_judged`, `_create_segments`, `_hint_at_items`,
    `explain` and `items`. Counts, checks, warnings and results follow from the metrics of all users in the
    same way for every session.
    """

    def __init__(
        self,
        caller: str,
        truth: Any,
        columns: Columns,
        systems: int,
        con: duckdb.DuckDBPyConnection | None,
        progress: bool,
        segments: Any = None,
        items: Any = None,
        fingerprints: bool = False,
    ) -> None:
        """Open truth for as many tables of recommendations as there are `systems`, segments and items."""
        self._caller, self._columns = caller, columns
        with ExitStack() as closing:
            if not isinstance(con, duckdb.DuckDBPyConnection | None):
                raise CallTypeError.about(caller, "con", f"must be a DuckDB connection, got {shown(con)}")
            self._con = open_connection(con, closing)
            self._run = closing.enter_context(Progress(self._con, progress)).run
            self._prefix = f"rankdcg_{token_hex(8)}"
            read_columns = {
                role: self._columns.read_from(role) for role in ("truth", "rec", "segments", "items")
            }
            space = Workspace(self._con, self._run, con, read_columns, self._prefix)
            space.prefer_system()
            self._reader = Reader(caller, space, columns.weight, columns.numbers_of_items)
            self._truth = self._open_truth(truth, systems)
            self._segments = None if segments is None else self._reader.open("segments", segments, "segments")
            self._items = None if items is None else self._open_items(items)
            if self._items is not None:  # a missing column is an error before the evaluation
                find_item_columns(caller, self._items, columns, self._truth)
            self._warned_of_grades = False
            self._has_fingerprints = fingerprints
            #: The fingerprints so far, keyed by the table's name on the connection and the columns.
            self._fingerprints: dict[tuple[str, ...], str] = {}
            #: The system that was ranked first, and the options with which it was.
            self._first: tuple[str, dict[str, str]] | None = None
            #: The spans and chunks of the open table of recommendations, if documents have spans.
            self._spans: Spans | None = None
            self._closing = closing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.close()

    def compute_metrics(self, rec: Any, label: str, plan: Plan, users: Users) -> UserMetrics:
        """Compute the metrics of each user for one table of recommendations, which messages call `label`."""
        with self._opened(rec, label, plan) as inputs:
            self._check_ranking(label, inputs.plan)
            metrics = self._compute(inputs, users)
            if self._has_fingerprints:
                metrics = replace(metrics, fingerprints=self._find_fingerprints(inputs))
        system = f"{label}: " if label != "rec" else ""
        for note in metrics.counts.about_rows():
            warn(self._caller, None, f"{system}{note}", kind="rows")
        return metrics

    def compute_values(
        self, rec: Any, label: str, plan: Plan, users: Users
    ) -> tuple[pa.Table, dict[str, int]]:
        """Compute the metrics of each user as `compute_metrics` does, and count the rows of both tables.

        The data are not looked at for mistakes, and there is no warning.
        """
        with self._opened(rec, label, plan) as inputs:
            _, rows = self._measure(inputs, users)
            self._add_values(inputs, users, rows)
            table = self._fetch(inputs, users, is_ordered=False)
            inputs.views.drop(self._con)
        return table, rows

    def explain(
        self,
        rec: Any,
        label: str,
        plan: Plan,
        measures: Sequence[Measure],
        users: Users,
        user: Any,
        into: duckdb.DuckDBPyConnection,
        name: str,
    ) -> None:
        """Explain measures of all users, or of `user` alone, in the table `name` on the connection `into`."""
        with self._opened(rec, label, plan) as inputs:
            create_explanations(inputs, measures, users, user)
            stream, columns = as_stream(self._con.sql(f"FROM {inputs.views.explanations}"))
            into.register("stream", stream)
            with Progress(into, has_bar=False) as progress:
                progress.run("", f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {columns} FROM stream")
            into.unregister("stream")
            self._con.execute(f"DROP TABLE {inputs.views.explanations}")

    def items(self, rec: Any, label: str, plan: Plan, are_judged: bool) -> pa.Table:
        """Return the items of rec that truth judges, or if not `are_judged`, all items of both, as texts."""
        with self._opened(rec, label, plan) as inputs:
            views, combined = inputs.views, "INTERSECT" if are_judged else "UNION"
            items = "SELECT itemid::VARCHAR AS itemid FROM {} WHERE itemid IS NOT NULL"
            both = f" {combined} ".join(map(items.format, (views.recommendations, views.judgements)))
            return self._con.sql(f"FROM ({both})").to_arrow_table()

    @contextmanager
    def _opened(self, rec: Any, label: str, plan: Plan) -> Iterator[Inputs]:
        """Open a table of recommendations within the block, in which errors name damaged files and ids."""
        with self._reader.naming_damaged_files():
            inputs = self._open_inputs(rec, label, plan)
            try:
                yield inputs
            except duckdb.ConversionException as error:
                check_digits(inputs.tables, inputs.columns, error)
                raise
            rec = inputs.tables.rec
            if self._spans:
                rec = self._spans.given.rec
                self._spans.drop()
                self._spans = None
            self._close_rec(rec)

    def _open_inputs(self, rec: Any, label: str, plan: Plan) -> Inputs:
        """Open a table of recommendations beside truth, and find the columns of both."""
        source = self._open_rec(rec, label)
        tables = TruthAndRec(self._caller, self._con, self._run, self._truth, source, self._segments)
        columns = self._find_columns(tables)
        if self._columns.spans:
            self._spans = find_spans(tables, columns, self._columns, self._prefix)
            tables = self._spans.tables
            columns = self._find_columns(tables)
        plan = plan.with_trec_ties() if source.is_trec else plan
        return Inputs(tables, columns, Views.of(tables, columns, self._prefix), plan)

    def _open_truth(self, truth: Any, systems: int) -> Source:
        """Open truth; for several `systems`, Parquet that fits into a quarter of the memory is copied."""
        source = self._reader.open("truth", truth, "truth")
        return source if systems == 1 else self._reader.copy_parquet(source, memory_limit(self._con) / 4)

    def _open_rec(self, rec: Any, label: str) -> Source:
        """Open a table of recommendations, which messages call `label`."""
        return self._reader.open("rec", rec, label)

    def _open_items(self, items: Any) -> Source:
        """Open the table of items."""
        return self._reader.open("items", items, "items")

    def _close_rec(self, source: Source) -> None:
        """Close a table of recommendations, so that another one can be opened."""
        self._reader.drop(source)

    def _find_columns(self, tables: TruthAndRec) -> FoundColumns:
        """Find the columns of both tables, and check their types."""
        return find_columns(tables, self._columns)

    def _measure(self, inputs: Inputs, users: Users) -> tuple[counts_and_hints.Tally, dict[str, int]]:
        """Create the table `user_metrics`, and count users and rows. The keys are fields of `Counts`."""
        catalogue = ""
        if self._items is not None and self._spans is None and inputs.plan.of_items:
            catalogue = query_of_items(inputs, self._items, self._columns)
        tally = counts_and_hints.tally_users(inputs, create_user_metrics(inputs, users, catalogue))
        return tally, counts_and_hints.count_rows(inputs, tally)

    def _add_values(self, inputs: Inputs, users: Users, rows: dict[str, int]) -> dict[str, Any]:
        """Add means, and measures of items and of spans, to `user_metrics`; `rows` are the numbers of rows.

        Returns the counts of rows whose item has no row in the table of items, keyed by fields of `Counts`.
        """
        if inputs.plan.geometric_means:
            add_geometric_means(inputs, users)
        if self._spans is not None and inputs.plan.of_spans:
            add_span_values(inputs, self._spans)
        if self._items is None:
            return {}
        if self._spans is not None:
            return count_unknown_documents(self._spans.given, inputs.columns, self._items, self._columns)
        if not inputs.plan.of_items:
            return {}
        has_repeats = rows["rec_repeats"] > 0
        return add_item_values(
            inputs, self._items, self._columns, users, has_repeats, self._judged(inputs, rows)
        )

    def _judged(self, inputs: Inputs, rows: dict[str, int]) -> str:
        """Write what stands after FROM for judged items: itemid, and rows, the number of its judgements.

        `rows` are those of `_measure`. Without a filter, files answer for the least item without a scan.
        """
        are_complete = not any(rows[name] for name in counts_and_hints.MISSING if name.startswith("truth"))
        usable = f"{inputs.views.judgements} WHERE itemid IS NOT NULL"
        return f"(SELECT itemid, 1 AS rows FROM {inputs.views.all_truth if are_complete else usable})"

    def _create_segments(self, inputs: Inputs) -> None:
        """Create the table `segments` if there are segments or weights."""
        inputs.views.create_segments(inputs.tables, inputs.columns)
        if inputs.columns.by:
            counts_and_hints.hint_at_segments(inputs)

    def _hint_at_items(self, inputs: Inputs) -> None:
        """Warn if no item is in both tables."""
        counts_and_hints.hint_at_items(inputs.tables, inputs.views)

    def _check_ranking(self, label: str, plan: Plan) -> None:
        """Raise an error if the first system was ranked with other options: one of the two is a TREC run.

        `Plan.with_trec_ties` adds options for a TREC run, so the run is the one with more options.
        """
        self._first = self._first or (label, plan.options)
        first, options = self._first
        if options != plan.options:
            run, other = (first, label) if len(options) > len(plan.options) else (label, first)
            raise CallValueError(
                self._caller,
                "ties",
                f"{run} is a TREC run, which is ranked as trec_eval does, and {other} is not: for one rule, ",
                *("give ", Argument("convention", "trec_eval"), ", or ", Argument("ties"), " and "),
                Argument("score_type"),
            )

    def _compute(self, inputs: Inputs, users: Users) -> UserMetrics:
        """Compute and count in temporary tables, warn of what looks like a mistake, and fetch the metrics."""
        counts_and_hints.hint_at_rel(inputs)
        tally, rows = self._measure(inputs, users)
        counts: dict[str, Any] = rows | counts_and_hints.count_users(inputs, tally, users)
        counts |= self._add_values(inputs, users, rows)
        self._create_segments(inputs)
        if inputs.columns.weight:
            counts |= counts_and_hints.count_weights(inputs, users, counts["users_evaluated"])
        if not tally.has_value:
            counts_and_hints.hint_at_no_value(inputs)
        elif not self._warned_of_grades:
            self._warned_of_grades = counts_and_hints.hint_at_grades(inputs, users)
        if tally.has_value and not tally.has_hit:
            self._hint_at_items(inputs)
        is_ordered = inputs.columns.user_type not in ("BIGINT", "VARCHAR")
        table = self._fetch(inputs, users, is_ordered)
        inputs.views.drop(self._con)
        nulls = {measure.column: table[measure.column].null_count for measure in inputs.plan.measures}
        without_value = {column: number for column, number in nulls.items() if number}
        all_counts = Counts(**counts, users_without_value=without_value)
        return UserMetrics(table, is_ordered, all_counts, inputs.plan, fingerprints={})

    def _find_fingerprints(self, inputs: Inputs) -> dict[str, str]:
        """Return the fingerprint of each table, keyed by its role. Those of one truth are found once."""
        found = {}
        for role, (source, columns) in columns_read(inputs, self._columns, self._items, self._spans).items():
            key = (source.view, *columns)
            if role == "rec" or key not in self._fingerprints:
                self._fingerprints[key] = self._fingerprint(source, columns)
            found[role] = self._fingerprints[key]
        return found

    def _fingerprint(self, source: Source, columns: list[str]) -> str:
        """Return the fingerprint of the rows of some columns of a table."""
        return fingerprint(self._con, source, columns)

    def _fetch(self, inputs: Inputs, users: Users, is_ordered: bool) -> pa.Table:
        """Fetch the metrics of evaluated users, sorted by user if `is_ordered`, under the caller's names."""
        names, columns, views = self._columns, inputs.columns, inputs.views
        types = (columns.by_source.types[name] for name in columns.of_users)
        segments = "".join(
            f", {as_arrow(f'by_{place}', kind)} AS {quote_name(name)}"
            for place, ((_, name), kind) in enumerate(zip(names.of_users, types, strict=True))
        )
        # Users without a segment have NULL. Those of weight 0 are in no mean.
        weighed = f" AND by_{len(names.by)} > 0" if names.weight else ""
        join = f"LEFT JOIN {views.segments} AS of ON of.userid = users.userid" if segments else ""
        measures = ", ".join(quote_name(measure.column) for measure in inputs.plan.measures)
        return self._con.sql(
            f"""
            SELECT
                {as_arrow("users.userid", columns.user_type)} AS {quote_name(names.of_results)}{segments},
                retrieved, {measures}
            FROM {views.user_metrics} AS users {join}
            {evaluated_users(users)}{weighed}
            {"ORDER BY users.userid ASC NULLS LAST" if is_ordered else ""}
            """
        ).to_arrow_table()
