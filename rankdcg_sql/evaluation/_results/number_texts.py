"""SQL that writes cutoffs, means and p-values as the texts of tables for people."""

from __future__ import annotations

#: The cutoff in SQL as printed tables show it: ``all`` for the whole list.
K_TEXT = "coalesce(k::VARCHAR, 'all')"


def four_digits(column: str) -> str:
    """Write SQL that formats a number with four digits; NULL stays NULL."""
    return f"format('{{:.4f}}', {column})"


def p_value_text(column: str) -> str:
    """Write SQL that formats a p-value with four digits, or as ``<0.0001`` if it is smaller."""
    return f"if({column} < 0.0001, '<0.0001', {four_digits(column)})"
