"""The sentences of an executor that cannot load the package. The driver makes them, because it can."""

from __future__ import annotations

from collections.abc import Callable


def import_errors(caller: str) -> Callable[[BaseException], ImportError]:
    """Return a function that makes the error of `caller`: an executor cannot load the package for a reason.

    It takes the reason. As it is a function within a function, it is pickled with its code.
    """

    def import_error(reason: BaseException) -> ImportError:
        import os

        limit = os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB")
        if limit and not isinstance(reason, ModuleNotFoundError):
            named = str(reason) or type(reason).__name__
            return ImportError(
                f"{caller}: rankdcg_sql and its packages cannot be loaded within the {limit} MB that "
                f"spark.executor.pyspark.memory grants a Python worker ({named}): grant 1g or more"
            )
        return ImportError(
            f"{caller}: rankdcg_sql cannot be imported on this executor ({reason}): install its wheel and "
            "the packages that it needs on every executor, or ship it as an archive (see docs/spark.md)"
        )

    return import_error
