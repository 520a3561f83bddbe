"""Truth and rec of one evaluation, with all that is known of them, and what to compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._tables.columns import FoundColumns
    from rankdcg_sql.evaluation._tables.truth_and_rec import TruthAndRec
    from rankdcg_sql.evaluation._tables.views import Views
    from rankdcg_sql.evaluation._terms.plan import Plan


@dataclass(frozen=True)
class Inputs:
    """The input of the computation of one table of recommendations."""

    #: Truth and rec on the working connection.
    tables: TruthAndRec
    #: Their columns, and the types in which these are compared.
    columns: FoundColumns
    #: Their rows as SQL, and the names of the tables that are made from them.
    views: Views
    #: The metrics, cutoffs and options.
    plan: Plan
