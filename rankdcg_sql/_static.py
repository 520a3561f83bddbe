"""Registration with DuckDB before databases are opened; does not import DuckDB itself."""

from __future__ import annotations

import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rankdcg_sql import _native
from rankdcg_sql.catalogue import version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: The native module of DuckDB's Python package.
_DUCKDB = "_duckdb"
#: An attribute of that module: the path and the version of the copy of this package that has registered.
_MARKER = "_rankdcg_sql"


def install() -> None:
    """Register with DuckDB now if it is imported, otherwise as soon as it is."""
    if _DUCKDB in sys.modules:
        _register(sys.modules[_DUCKDB])
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def installed() -> bool:
    """Whether databases that are opened from now on have the functions."""
    return hasattr(sys.modules.get(_DUCKDB), _MARKER)


def _register(module: ModuleType) -> None:
    """Register with this DuckDB, unless another copy of the package has registered.

    DuckDB accepts one extension of each name. After a second one, every later ``connect()`` would fail.
    """
    mine = (_native.extension_path(), version())
    theirs = getattr(module, _MARKER, None)
    if theirs is None:
        # An error is returned before DuckDB 2.0; `register` then takes another route.
        if _native.register_static(str(module.__file__)) is None:
            setattr(module, _MARKER, mine)
    elif theirs != mine:
        warnings.warn(
            f"rankdcg_sql {theirs[1]} at {theirs[0]} is registered with DuckDB already; "
            f"version {mine[1]} at {mine[0]} is not",
            RuntimeWarning,
            stacklevel=2,
        )


class _Finder(MetaPathFinder):
    """Waits for the import of DuckDB, to wrap its loader."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _DUCKDB:
            return None
        sys.meta_path.remove(self)  # only the other finders are asked
        try:
            spec = find_spec(fullname)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec


class _Loader(Loader):
    """Loads DuckDB with DuckDB's own loader, and then registers with it."""

    def __init__(self, loader: Loader, finder: _Finder) -> None:
        self._loader = loader
        self._finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        _register(module)
