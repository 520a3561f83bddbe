"""Errors and warnings about a call: their fields, and the sentence that is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from rankdcg_sql._printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

Kind = Literal["argument", "memory", "internal", "rows"]

#: The most characters of a value that an error shows.
_MAX_SHOWN_LENGTH = 120


@dataclass(frozen=True)
class Argument:
    """An argument that a sentence names, and that each front end writes as its users do.

    Attributes
    ----------
    name : str
        The name of the argument.
    value : str or None
        The value that the sentence gives it; None if the sentence only names the argument.
    """

    name: str
    value: str | None = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value!r}"


def shown(value: object) -> str:
    """Return a value as an error shows it: what Python prints of it, or the type if that is long."""
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH and "\n" not in text else f"a {type(value).__name__}"


class AboutCall(Exception):  # noqa: N818 - warnings are of this class, too
    """The base of errors and warnings about a call.

    Attributes
    ----------
    function : str or None
        The function that was called; None if it is not known.
    argument : str or None
        The argument, or the option, that is at fault; None if it is not known, or not one alone.
    kind : {"argument", "memory", "internal", "rows"}
        The cause. Only warnings count rows.
    parts : tuple of str and Argument
        The sentence without the function.
    """

    def __init__(
        self, function: str | None, argument: str | None, *parts: str | Argument, kind: Kind = "argument"
    ) -> None:
        self.function = function
        self.argument = argument
        self.kind = kind
        self.parts = parts
        super().__init__(f"{function}: {self.text}" if function else self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the class and the fields, of which a pickle makes a copy."""
        return partial(type(self), kind=self.kind), (self.function, self.argument, *self.parts)

    @property
    def text(self) -> str:
        """The sentence without the function, with arguments as Python writes them."""
        return self.write(str)

    def write(self, argument: Callable[[Argument], str]) -> str:
        """Return the sentence without the function; `argument` writes the arguments that it names."""
        written = (argument(part) if isinstance(part, Argument) else part for part in self.parts)
        return printable("".join(written))


class CallError(AboutCall):
    """A call that cannot be evaluated.

    Errors of this class are also a `ValueError`, a `TypeError`, a `FileNotFoundError` or an `OSError`.

    Attributes
    ----------
    function : str or None
        The function that was called, such as ``"evaluate"`` or ``"ndcg"``.
    argument : str or None
        The argument, or the option, that is not allowed; None if it is not known, or not one alone.
    kind : {"argument", "memory", "internal"}
        The cause: the arguments; no memory left; or a fault of this package.
    text : str
        The message without the function.

    Examples
    --------
    >>> import rankdcg_sql
    >>> table = {"userid": [1], "itemid": [2], "score": [3]}
    >>> try:
    ...     rankdcg_sql.evaluate(table, table, gain="log")
    ... except rankdcg_sql.CallError as error:
    ...     print(error.function, error.argument, error.kind)
    evaluate gain argument
    """

    @classmethod
    def about(cls, function: str | None, argument: str, text: str, *parts: str | Argument) -> Self:
        """Return an error whose sentence begins with the argument, which `text` and `parts` follow."""
        return cls(function, argument, Argument(argument), f" {text}", *parts)

    @classmethod
    def of(cls, error: Exception, function: str, argument: str | None = None) -> CallError:
        """Return an error as one of a call of `function`, about `argument` unless it names another one."""
        if isinstance(error, CallError):
            return type(error)(function, error.argument or argument, *error.parts, kind=error.kind)
        own_class = next((own for builtin, own in _CLASSES.items() if isinstance(error, builtin)), CallError)
        return own_class(function, argument, str(error))


class CallValueError(CallError, ValueError):
    """A value that is not allowed."""


class CallTypeError(CallError, TypeError):
    """A value of a type that is not allowed."""


class CallFileNotFoundError(CallError, FileNotFoundError):
    """A file that does not exist."""


class CallKeyError(CallError, KeyError):
    """A name that a result does not have."""

    __str__ = Exception.__str__  # that of `KeyError` puts the message in quotes


class CallOSError(CallError, OSError):
    """A file that cannot be written."""


#: The class of this module for each class of Python.
_CLASSES: dict[type[Exception], type[CallError]] = {
    FileNotFoundError: CallFileNotFoundError,
    OSError: CallOSError,
    TypeError: CallTypeError,
    ValueError: CallValueError,
}
