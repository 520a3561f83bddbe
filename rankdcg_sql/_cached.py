"""Properties whose values are computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801
    """A property that keeps its value, without a lock.

    That of `functools` holds a lock before Python 3.12. A child that is forked while another thread computes
    a value would wait for this lock forever.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> cached_property[T] | T:
        if instance is None:
            return self
        # Later reads find the value in the object itself. Threads that compute it at once keep the first one.
        value: T = instance.__dict__.setdefault(self._name, self._compute(instance))
        return value
