"""The sentence of an executor that lacks the package. The driver writes it, because the executor cannot."""

from __future__ import annotations


def missing_package(caller: str) -> str:
    """Return the error of `caller` on an executor without the package, with ``{}`` for the reason."""
    return (
        f"{caller}: rankdcg_sql cannot be imported on this executor ({{}}): install its wheel and the "
        "packages that it needs on every executor, or ship it as an archive (see docs/spark.md)"
    )
