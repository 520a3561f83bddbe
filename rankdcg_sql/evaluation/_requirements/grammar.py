"""The grammar of requirements on results, such as ``new: ndcg@10 not worse by 0.005 in plan=free``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql.evaluation._terms.metrics import ALL, find_measure, less_is_better, unknown_metric

#: The requirements that errors show as examples.
EXAMPLES = (
    "'ndcg@10 >= 0.30', 'new: ndcg@10 not worse by 0.005', 'ndcg@10 better', 'recall@10 differs', "
    "'ndcg@10 equivalent within 1% in plan=free' or 'measured ndcg@10 > 0.30'"
)


@dataclass(frozen=True)
class RequirementKind:
    """A kind of requirement on the mean of a system, or on its difference from the baseline."""

    #: The ways to write it, before the number; * is the name of the baseline. Outcomes have the first one.
    phrases: tuple[str, ...]
    #: Whether the number, if there is one, is a margin around the baseline, and may be relative to it.
    has_margin: bool = False
    #: Whether the system is compared with the baseline.
    is_difference: bool = True
    #: The sign of the number in the bound that the value must be above; None if there is no such bound.
    above: int | None = None
    #: The same for the bound that the value must be below.
    below: int | None = None
    #: Whether a value on the bound meets the requirement.
    includes_bound: bool = False

    @property
    def words(self) -> str:
        """Its words, as outcomes have them."""
        return self.phrases[0]

    @property
    def is_met_by_baseline(self) -> bool:
        """Whether a system that equals the baseline for every user meets it, whatever the margin is."""
        return self.is_difference and (self.above == -1 or self.below == 1)

    @property
    def if_less_is_better(self) -> RequirementKind:
        """The same of a metric of which a smaller value is the better one: bounds change sides."""
        above, below = (None if sign is None else -sign for sign in (self.below, self.above))
        return replace(self, above=above, below=below) if self.is_difference else self

    @property
    def has_number(self) -> bool:
        """Whether a number follows the words."""
        return self.has_margin or not self.is_difference


#: Every kind. A text has the first one that it matches.
KINDS = (
    RequirementKind((">=", "≥", "at least"), is_difference=False, above=1, includes_bound=True),
    RequirementKind((">", "above", "more than", "greater than"), is_difference=False, above=1),
    RequirementKind(("<=", "≤", "at most"), is_difference=False, below=1, includes_bound=True),
    RequirementKind(("<", "below", "less than"), is_difference=False, below=1),
    RequirementKind(
        ("not worse by", "not worse by more than", "not worse than * by", "not worse than * by more than"),
        has_margin=True,
        above=-1,
        includes_bound=True,
    ),
    RequirementKind(
        ("better by", "better by at least", "better than * by", "better than * by at least"),
        has_margin=True,
        above=1,
        includes_bound=True,
    ),
    RequirementKind(("better", "better than *"), above=0),
    RequirementKind(
        ("equivalent within", "equivalent to * within"),
        has_margin=True,
        above=-1,
        below=1,
        includes_bound=True,
    ),
    RequirementKind(("differs", "differs from *")),
)

#: The parts of a change that can be required, each with the pattern of its name.
PARTS = {"ranking": r"rankings?", "judgements": r"judge?ments?"}


@dataclass(frozen=True)
class Bound:
    """A value to which a system is held: ``slope * baseline + shift``."""

    slope: Decimal
    shift: Decimal

    @property
    def in_sql(self) -> str:
        """The bound for one user as SQL, where ``b`` is the value of the baseline."""
        if not self.slope:
            return literal(self.shift)
        product = "b" if self.slope == 1 else f"b * {literal(self.slope)}"
        return f"{product} + {literal(self.shift)}" if self.shift else product

    @property
    def of_means_in_sql(self) -> str:
        """The bound on the mean, or on the mean difference from ``baseline``, as SQL."""
        # The slope of a bound on the mean is 0, and that of a relative margin, which has no shift, is not 1.
        return literal(self.shift) if self.slope in (0, 1) else f"baseline * {literal(self.slope - 1)}"


@dataclass(frozen=True)
class Requirement:
    """A requirement, as its text says it."""

    #: The text as it was given.
    text: str
    #: Whether the measured mean decides, without a test.
    is_measured: bool
    #: The part of a change, one of `PARTS`; None if it is not about a part.
    part: str | None
    #: The name of the system; None if every system must meet it.
    system: str | None
    #: The name of the measure, as results have it, such as ``ndcg@10``.
    measure: str
    kind: RequirementKind
    #: The name of the baseline; None if the text does not have it.
    baseline: str | None
    #: The number after the words; None if there is none.
    number: Decimal | None
    #: Whether the number is a share of the baseline's mean.
    is_relative: bool
    #: The values of columns that a user of the segment has. A value of None is NULL.
    segment: tuple[tuple[str, str | None], ...]
    #: Whether each segment must meet it.
    is_in_every_segment: bool

    def bound(self, sign: int | None) -> Bound | None:
        """Return the bound for a sign of the number, `kind.above` or `kind.below`; None if that is None."""
        if sign is None:
            return None
        number = sign * (self.number or Decimal(0))
        if not self.kind.is_difference:
            return Bound(Decimal(0), number)
        return Bound(1 + number, Decimal(0)) if self.is_relative else Bound(Decimal(1), number)

    def of(self, system: str | None, segment: str | None) -> str:
        """Write the requirement for one system and one segment of users."""
        amount = ""
        if self.number is not None:
            percent = (self.number * 100).normalize()
            amount = f"{_decimal(percent)}%" if self.is_relative else _decimal(self.number)
        parts = [
            "measured" * self.is_measured,
            "" if self.part is None else f"{self.part} part of",
            "" if system is None else f"{system}:",
            self.measure,
            self.kind.words,
            amount,
            "" if segment is None else f"in {segment}",
        ]
        return " ".join(filter(None, parts))


def _decimal(number: Decimal) -> str:
    """Write a number, with an exponent if it would have many zeros."""
    return f"{number:f}" if not number or -10 < number.adjusted() < 10 else f"{number.normalize():e}"


def literal(number: Decimal) -> str:
    """Write a number as a DOUBLE in SQL."""
    return f"{float(number)!r}::DOUBLE"


#: Forms that are often meant: a pattern of what is written, and what is to be written.
_NEAR_KINDS = (
    (r"[<>≤≥][^<>≤≥]+[<>≤≥]", "a requirement of its own for each bound"),
    (
        r"([<>]=?|[≤≥]|\bat (least|most))\s*[\d.]+\s*(%|per\s?cent)",
        "a number for the percentage, such as 0.3 for 30%",
    ),
    (r"=\s*[<>]|[<>]\s+=|[^<>]=\s*[\d.]", "'>=' or '<='"),
    (r"\d,\d", "a point in the number"),
    (r"\bworse\b", "'not worse by' with a margin, such as 0.005 or 1%"),
    (r"\bequivalent\b", "'equivalent within' with a margin, such as 0.005 or 1%"),
    (r"\bbetter\b", "'better', or 'better by' with a margin: both compare with the baseline"),
    (r"\bdiffer", "'differs'"),
)

#: Words that are often written, and those of the grammar in their place.
_REWORDINGS = (
    (r"\bnot\s+(?:below|under|less\s+than)\b", "at least"),
    (r"\bnot\s+(?:above|over|more\s+than)\b", "at most"),
    (r"\b(?:(?:larger|higher)\s+than|over)\b", ">"),
    (r"\b(?:(?:smaller|lower)\s+than|under)\b", "<"),
    (r"\bno\s+worse\b", "not worse"),
    (r"\bsignificantly\s+", ""),
    (r"\bequal\s+to\b", "equivalent to"),
    (r"\s*\bper\s?cent\b", "%"),
    (r">\s*(?=[^\W\d][^\s@]*$)", "better than "),
    (r"\b(?:for|on|among)\s+(?=[^=]+=)", "in "),
)

_QUOTED = r'"(?:[^"]|"")+"'
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
#: The largest number. The squares of larger values would be too large for floating point.
_MAX_NUMBER = Decimal("1e100")
#: How the baseline is called, whatever its name is.
_THE_BASELINE = "the baseline"


#: A requirement on a p-value, of which there is none. A metric is called p, too.
P_VALUE = re.compile(r"\bp(?:[-_ ]?values?)?\s*[<>≤≥]", re.IGNORECASE)
ABOUT_P_VALUES = (
    "a p-value is no metric. A test decides each requirement at the level of 1 less the confidence: "
    "write what it must show, such as 'ndcg@10 better'"
)


def _phrase(phrase: str) -> str:
    """Write a phrase of `RequirementKind` as a regular expression."""
    words = {"*": rf"(?P<baseline>{_QUOTED}|the\s+baseline|[^\s\":]+)"}
    return r"\s+".join(words.get(word) or re.escape(word) for word in phrase.split())


def _in_regex(phrase: str, kind: RequirementKind) -> re.Pattern[str]:
    """Make the regular expression for requirements with a phrase, whose parts `parse` reads."""
    number = ""
    if kind.has_margin:
        number = rf"\s+(?P<number>{_NUMBER})\s*(?P<percent>%?)"
    elif kind.has_number:
        number = rf"\s*(?P<number>[-+]?{_NUMBER})"
    return re.compile(
        r"(?P<measured>measured\s+)?"
        rf"(?:(?:the\s+)?(?P<part>{'|'.join(PARTS.values())})\s+part\s+of\s+)?"
        rf'(?:(?P<system>{_QUOTED}|[^":]+?)\s*:\s*)?'
        r"(?P<measure>[^\s<>=≤≥:(]+(?:\([^()]*\))?[^\s<>=≤≥:()]*)\s*(?:\b(?:is|must\s+be)\s+)?"
        rf"{_phrase(phrase)}{number}"
        r"(?:\s+in\s+(?P<segment>.+))?",
        re.IGNORECASE | re.DOTALL,
    )


_REQUIREMENTS = [(kind, _in_regex(phrase, kind)) for kind in KINDS for phrase in kind.phrases]
_EVERY_SEGMENT = re.compile(r"(?:every|each|all)\s+segments?", re.IGNORECASE)
_PAIR = re.compile(
    rf"(?P<column>{_QUOTED}|[^\",=]+?)\s*=\s*(?P<value>{_QUOTED}|'(?:[^']|'')+'|[^\",=]*?[^\",=\s])"
    r"(?P<end>\s*,\s*|\s+and\s+|\s*$)",
    re.IGNORECASE,
)


def parse(text: Any) -> Requirement:
    """Read a requirement, or raise an error that says how to write it."""
    if not isinstance(text, str):
        wanted = f"must be texts such as {EXAMPLES}, got {shown(text)}"
        if isinstance(text, (list, tuple)):
            wanted += ": write * before a list"
        raise CallTypeError.about("require", "requirements", wanted)
    kind, parts = _match(text)
    amount = parts.groupdict().get("number")
    number = None if amount is None else Decimal(amount)
    is_relative = kind.has_margin and parts["percent"] == "%"
    if number is not None:
        if abs(number) > _MAX_NUMBER:
            raise wrong(text, f"{amount} is too large a number, of which the largest is {_MAX_NUMBER:e}")
        if kind.has_margin and not float(number):
            raise wrong(text, f"a margin must be above 0, got {amount}{'%' * is_relative}")
        if is_relative:
            number /= 100
    metric, cutoff = find_measure(parts["measure"])
    if metric is None:
        if P_VALUE.search(text):
            raise wrong(text, ABOUT_P_VALUES)
        raise wrong(text, unknown_metric("require", parts["measure"]).text)
    kind = kind.if_less_is_better if less_is_better(metric) else kind
    if is_relative and kind.above == -1 and number is not None and number >= 1:
        raise wrong(text, f"a relative margin must be below 100%, got {amount}%")
    baseline = parts.groupdict().get("baseline")
    is_named = baseline is not None and " ".join(baseline.lower().split()) not in ("baseline", _THE_BASELINE)
    segment = parts["segment"]
    in_every = segment is not None and _EVERY_SEGMENT.fullmatch(segment.strip()) is not None
    return Requirement(
        text=text,
        is_measured=bool(parts["measured"]),
        part=_part(parts["part"]),
        system=_unquoted(parts["system"]) if parts["system"] else None,
        measure=metric if cutoff in (None, ALL) else f"{metric}@{int(cutoff)}",
        kind=kind,
        baseline=_unquoted(baseline) if baseline is not None and is_named else None,
        number=number,
        is_relative=is_relative,
        segment=() if segment is None or in_every else _pairs(text, segment),
        is_in_every_segment=in_every,
    )


def _part(name: str | None) -> str | None:
    """Return the part of a change that has this name, in one of its spellings; None is no name."""
    return name and next(part for part, own in PARTS.items() if re.fullmatch(own, name, re.IGNORECASE))


def _match(text: str) -> tuple[RequirementKind, re.Match[str]]:
    """Return the kind of a requirement and the parts of its text."""
    for kind, pattern in _REQUIREMENTS:
        if parts := pattern.fullmatch(text.strip()):
            return kind, parts
    if P_VALUE.search(text):
        raise wrong(text, ABOUT_P_VALUES)
    # From the vaguest advice to the surest, which is given.
    meant = next((advice for near, advice in _NEAR_KINDS if re.search(near, text, re.IGNORECASE)), None)
    if with_colon := _with_colon(text):
        meant = f"a colon after the system, as in {with_colon!r}"
    if several := _several(text):
        meant = f"{len(several)} requirements, {' and '.join(map(repr, several))}"
    if reworded := _reworded(text):
        meant = repr(reworded)
    if re.search(r"\bparts?\s+of\b", text, re.IGNORECASE):
        meant = "'ranking part of' or 'judgements part of'"
    hint = f": did you mean {meant}?" if meant else "."
    raise wrong(text, f"it follows no form{hint} Write it such as {EXAMPLES}")


def _is_requirement(text: str) -> bool:
    """Whether a text is of a kind and is about a metric."""
    matches = (pattern.fullmatch(text.strip()) for _, pattern in _REQUIREMENTS)
    metrics = (find_measure(parts["measure"])[0] for parts in matches if parts)
    return any(metrics)  # an unknown metric is None


def _several(text: str) -> list[str]:
    """Return the requirements that a text joins; none if a part of it is no requirement."""
    parts = re.split(r"\s+and\s+|\s*[;\n]\s*", text.strip(), flags=re.IGNORECASE)
    return parts if len(parts) > 1 and all(map(_is_requirement, parts)) else []


def _reworded(text: str) -> str | None:
    """Return a text in the words of the grammar, if it lacks only these."""
    words = text.strip()
    for pattern, word in _REWORDINGS:
        words = re.sub(pattern, word, words, flags=re.IGNORECASE)
    return words if words != text.strip() and _is_requirement(words) else None


def _with_colon(text: str) -> str | None:
    """Return a text with a colon after a system, if it lacks only that."""
    for space in re.finditer(r"\s+", text.strip()):
        system, rest = text.strip()[: space.start()], text.strip()[space.end() :]
        # A bound is no part of a name.
        if ":" not in text and _is_requirement(rest) and not re.search("[<>≤≥]", system):
            return f"{system}: {rest}"
    return None


def wrong(text: str, why: str) -> CallValueError:
    """Return the error about the text of a requirement."""
    return CallValueError("require", "requirements", f"{text!r} cannot be required: {why}")


def _pairs(text: str, segment: str) -> tuple[tuple[str, str | None], ...]:
    """Read the columns and values that name a segment."""
    pairs: list[tuple[str, str | None]] = []
    place, end = 0, ","
    while end:
        pair = _PAIR.match(segment, place)
        if not pair:
            raise wrong(
                text,
                f"{segment!r} is no segment. Write it as 'in plan=free', 'in plan=free, country=\"FR\"' or "
                "'in every segment'",
            )
        value = pair["value"]
        pairs.append((_unquoted(pair["column"].strip()), None if value == "NULL" else _unquoted(value)))
        place, end = pair.end(), pair["end"].strip()
    return tuple(pairs)


def _unquoted(name: str) -> str:
    """Return a name without quotes around it."""
    quote = name[0] if name[0] in ("'", '"') and len(name) > 1 and name.endswith(name[0]) else ""
    return name[1:-1].replace(2 * quote, quote) if quote else name
