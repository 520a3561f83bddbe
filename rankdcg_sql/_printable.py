"""Control characters in texts from tables and callers, written so that people see them."""

from __future__ import annotations

import re

# Control characters, which a terminal obeys, and those that change the direction of the text around them.
# Line breaks and tabs stay.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Write control characters as Python does, such as ``\x1b``. Without them, names could look alike."""
    return _CONTROL.sub(lambda match: repr(match[0])[1:-1], text)
