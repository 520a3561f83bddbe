"""Geometric means over users, which are computed from the values of all users at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._computing.user_metrics import added_columns, evaluated_users

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._terms.statistics import Users


def add_geometric_means(inputs: Inputs, users: Users) -> None:
    """Replace the values of users in the columns of geometric means of the table `user_metrics`.

    Each evaluated user gets the mean with the user's influence added; others get NULL.
    """
    measures, table = inputs.plan.geometric_means, inputs.views.user_metrics
    columns = [quote_name(measure.column) for measure in measures]
    lists = ", ".join(f"geometric_mean_values(list({column})) AS {column}" for column in columns)
    values = ", ".join(f"unnest({column}) AS {column}" for column in columns)
    of_all = f"SELECT list(userid) AS users, {lists} FROM {table} {evaluated_users(users)}"
    by_user = f"SELECT unnest(users) AS userid, {values} FROM ({of_all})"
    label = f"means of {inputs.tables.rec.label}"
    try:
        with added_columns(inputs, label, measures, by_user, columns):
            pass
    except duckdb.InvalidInputException as error:
        raise _native.refusal(inputs.tables.caller, error) from None
