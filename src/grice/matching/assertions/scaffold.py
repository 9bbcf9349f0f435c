"""Proposing assertions for an output: what seems to stay is ticked, what changes with each run is not.

Every proposal passes on the output that it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from grice.matching.assertions.assertion import Assertion, json_size
from grice.matching.equality import json_equal
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.limits import Limits, limits_in_force
from grice.matching.paths import step_text
from grice.matching.selector import Parse
from grice.records import JsonValue, PathMatch

MOST_PROPOSALS = 200
MOST_OPTIONS = 20
MOST_VALUES = 1_000
"""Of a longer list only its length is proposed: its values change with what is in store."""
DEEPEST = 8
LONG_TEXT = 80
LONGEST_PATH = 500
LONGEST_SHAPE = 100
LONGEST_TOKEN = 60


class Proposal(msgspec.Struct, frozen=True):
    """An assertion that passes on the output, whether it is ticked at first, and why or why not."""

    assertion: Assertion
    selected: bool
    why: str


class Scaffold(msgspec.Struct, frozen=True, rename={"left_out": "leftOut"}):
    """The proposals, in the order of the output; `left_out` counts those beyond the limits."""

    proposals: tuple[Proposal, ...]
    left_out: int = 0


class _Place(NamedTuple):
    """A place in the output: a path, the name it ends in, and every value that the path finds there.

    `several` says that the path goes through a list, so that assertions ask about ALL of them.
    """

    path: str
    name: str
    values: Sequence[JsonValue]
    several: bool = False
    depth: int = 0

    @property
    def match(self) -> PathMatch:
        return "ALL" if self.several else "ANY"


def propose_assertions(output: JsonValue, *, parse: Parse = "auto", limits: Limits | None = None) -> Scaffold:
    """Assertions that hold of an output, a text or a JSON value, for an editor to choose from.

    JSON in a text is looked into as `evaluate_assertions` does with the same `parse`. Together the proposals
    are within the limit on assertions.
    """
    limits = limits if limits is not None else limits_in_force()
    most = limits.max_assertion_json_bytes - len("[]")
    kept: list[Proposal] = []
    left_out = 0
    for one in _of_output(output, parse):
        size = json_size([one.assertion])  # with brackets, where a list has a comma
        if len(kept) < MOST_PROPOSALS and size <= most:
            kept.append(one)
            most -= size
        else:
            left_out += 1
    return Scaffold(tuple(kept), left_out)


def proposals_at(
    path: str, name: str, values: Sequence[JsonValue], *, several: bool = False
) -> list[Proposal]:
    """The proposals for the values that a path finds, `several` for one through a list; none below them.

    `name` is the name that the path ends in.
    """
    place = _Place(path, name, values, several, DEEPEST)
    return [one for one in _of_place(place) if one.assertion.path == path]


def _of_output(output: JsonValue, parse: Parse) -> Iterator[Proposal]:
    if not isinstance(output, str):
        yield from _of_place(_Place("$", "", [output]))
        return
    value = _json_in(output, parse)
    if value is None:
        yield from _of_text(_Place("$", "", [output]), output)
    else:
        yield from _of_parts(_Place("$", "", [value]))


def _json_in(text: str, parse: Parse) -> JsonValue | None:
    """The object or list, not an empty one, that a text holds; None where `$` is all one can ask about."""
    if parse == "text":
        return None
    try:
        value = parse_json(text, parse)
    except NotJson:
        return None
    return value if value and isinstance(value, dict | list) else None


def _of_place(place: _Place) -> Iterator[Proposal]:
    """The proposals for the values at a place, and for what is in them."""
    values = place.values
    if not values or len(place.path) > LONGEST_PATH:
        return
    kinds = {json_kind(one) for one in values}
    if len(kinds) > 1:
        if not kinds & {"object", "array"} and kinds <= {"null", *_SCALARS}:
            yield _typed(place, kinds)
        return
    (kind,) = kinds
    if kind in ("object", "array"):
        yield from _of_parts(place)
    elif kind == "null":
        yield _proposal(place, "toBeNull", UNSET, selected=True, why="null stays null")
    elif place.several:
        yield from _of_several(place, kind)
    elif kind == "string":
        yield from _of_text(place, values[0])
    else:
        yield _of_plain(place, values[0], kind)


_SCALARS = ("boolean", "integer", "number", "string")


def json_kind(value: JsonValue) -> str:
    """The type of a value, as JSON Schema calls it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"


def _of_parts(place: _Place) -> Iterator[Proposal]:
    """The proposals for what is in the objects or lists at a place."""
    if isinstance(place.values[0], dict):
        yield from _of_objects(place)
    else:
        yield from _of_lists(place)


def _of_objects(place: _Place) -> Iterator[Proposal]:
    names = list(dict.fromkeys(name for one in place.values for name in one))
    if not names and not place.several:
        yield _proposal(place, "toEqual", {}, selected=True, why="an empty object stays empty")
    if place.depth >= DEEPEST:
        return
    for name in names:
        if is_clean(name):
            values = [one[name] for one in place.values if name in one]
            path = place.path + step_text(name)
            yield from _of_place(_Place(path, name, values, place.several, place.depth + 1))


def _of_lists(place: _Place) -> Iterator[Proposal]:
    values = [item for one in place.values for item in one]
    if not place.several:
        count = len(values)
        if place.path == "$" and not count:
            yield _proposal(place, "toEqual", [], selected=True, why="an empty list stays empty")
        elif not count:
            yield _proposal(place, "toHaveLength", 0, selected=True, why="an empty list stays empty")
        elif place.path != "$":  # of a text that holds a list, $ is the text
            why = "how many there are may differ from run to run"
            yield _proposal(place, "toHaveLength", count, selected=False, why=why)
    if place.depth < DEEPEST and len(values) <= MOST_VALUES:
        yield from _of_place(_Place(f"{place.path}[*]", place.name, values, True, place.depth + 1))


def _of_several(place: _Place, kind: str) -> Iterator[Proposal]:
    """The proposal for the plain values, all of one type, that stand in a list."""
    if kind == "string":
        shape, what = _common_shape(place)
        if shape:
            why = f"{what} differs from run to run; its form stays"
            yield _proposal(place, "toMatch", shape, selected=False, why=why)
            return
    elif _is_volatile(place.name) or kind == "number":
        yield _typed(place, {kind})
        return
    options = _distinct(place.values)
    if options is None or not all(map(_is_short, options)):
        yield _typed(place, {kind})
        return
    why = f"every value is one of {len(options)}" if len(options) > 1 else "every value is the same"
    yield _proposal(place, "toBeOneOf", options, selected=True, why=why)


def _is_short(value: JsonValue) -> bool:
    """Whether it is no text that is long, or that no file can hold."""
    return not isinstance(value, str) or (len(value) <= LONG_TEXT and is_clean(value))


def _typed(place: _Place, kinds: set[str]) -> Proposal:
    """That the values are of these types."""
    if "number" in kinds:
        kinds = kinds - {"integer"}
    types = sorted(kinds)
    schema = {"type": types[0] if len(types) == 1 else types}
    why = f"the values differ; that each is {' or '.join(map(_with_article, types))} stays"
    return _proposal(place, "toMatchSchema", schema, selected=True, why=why)


def _with_article(kind: str) -> str:
    return kind if kind == "null" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _distinct(values: Sequence[JsonValue]) -> list[JsonValue] | None:
    """The different ones of plain values; None where there are too many."""
    found: list[JsonValue] = []
    for value in values:
        if not any(json_equal(value, one) for one in found):
            found.append(value)
            if len(found) > MOST_OPTIONS:
                return None
    return found


def _of_plain(place: _Place, value: JsonValue, kind: str) -> Proposal:
    """The proposal for a number, true or false."""
    if _is_volatile(place.name) and kind != "boolean":
        why = f"by its name, '{place.name}' differs from run to run"
        return _proposal(place, "toEqual", value, selected=False, why=why)
    if kind == "number" and len(repr(value).partition(".")[2]) > _MEASURED:
        why = "a number with so many decimals is measured, and differs from run to run"
        return _proposal(place, "toEqual", value, selected=False, why=why)
    return _proposal(place, "toEqual", value, selected=True, why="a plain value that seems to stay")


_MEASURED = 2
"""Decimals that prices have; more are measured."""


def _of_text(place: _Place, text: str) -> Iterator[Proposal]:
    """The proposal for one text."""
    shape, what = _shape(text, place.name)
    if not is_clean(text):
        yield _typed(place, {"string"})
    elif shape:
        why = f"{what} differs from run to run; its form stays"
        yield _proposal(place, "toMatch", shape, selected=False, why=why)
    elif len(text) <= LONG_TEXT and "\n" not in text:
        yield _proposal(place, "toEqual", text, selected=True, why="a short text that seems to stay")
    else:
        token, what = stable_token(text)
        if token:
            why = f"a long text is worded anew each time; {what} stays"
            yield _proposal(place, "toContain", token, selected=what != _WORD, why=why)
        else:
            why = "a long text; whether it stays word for word, only you know"
            yield _proposal(place, "toStartWith", text[:LONGEST_TOKEN], selected=False, why=why)


def _proposal(place: _Place, matcher: str, expected: Any, *, selected: bool, why: str) -> Proposal:
    return Proposal(Assertion(matcher, expected, place.path, place.match), selected, why)


# -- what changes with each run, by its name and its form

_VOLATILE = re.compile(
    r"(?i)(^|_)(at|ts|time|timestamp|date|duration|elapsed|latency|ms|millis|seconds|age|seed|random|nonce|"
    r"score|confidence|tokens)$|[a-z](At|Time|Timestamp|Date|Ms|Seconds|Tokens|Score)$"
)
_ID = re.compile(
    r"(?i)(^|_|-)(id|ids|uuid|guid|token|hash|sha\d*|digest|key|etag|cursor|trace)$|[a-z](Id|Ids|Hash)$"
)


def _is_volatile(name: str) -> bool:
    return bool(_VOLATILE.search(name) or _ID.search(name))


_CLOCK = r"\d{2}:\d{2}(:\d{2}(\.\d+)?)?"
_SHAPES = (
    (rf"^\d{{4}}-\d{{2}}-\d{{2}}[T ]{_CLOCK} ?(Z|[+-]\d{{2}}:?\d{{2}})?$", "a time"),
    (r"^\d{4}-\d{2}-\d{2}$", "a date"),
    (rf"^{_CLOCK}$", "a time of day"),
    (r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", "an id"),
    (r"^[0-9A-HJKMNP-TV-Z]{26}$", "an id"),
)
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{12,64}")
_SERIAL = re.compile(r"[A-Za-z]{1,12}[_-](?=[0-9A-Za-z]*\d)[0-9A-Za-z]{5,40}")
_RUNS = re.compile(r"(?P<digits>\d+)|(?P<lower>[a-z]+)|(?P<upper>[A-Z]+)|(?P<sign>.)", re.DOTALL)
_SPECIAL = frozenset("\\^$.*+?()[]{}|/")


def _shape(text: str, name: str) -> tuple[str, str]:
    """The pattern of a text that is a time or an id, and which; ("", "") for any other text."""
    if not text or len(text) > LONGEST_SHAPE or not (text.isascii() and text.isprintable()):
        return "", ""
    for pattern, what in _SHAPES:
        if re.search(pattern, text):
            return pattern, what
    if _HEX.fullmatch(text):
        return f"^[0-9a-f]{{{len(text)}}}$", "an id"
    if _SERIAL.fullmatch(text):
        prefix, sign, rest = re.split("([_-])", text, maxsplit=1)
        form = r"\d" if rest.isdigit() else "[0-9A-Za-z]"
        return f"^{prefix}{sign}{form}+$", "an id"
    if _ID.search(name) and any(one.isdigit() for one in text):
        return form_of(text), "an id"
    return "", ""


def form_of(text: str) -> str:
    """The pattern of a short text by its digits, letters and signs; "" for one that is long or no ASCII."""
    if not text or len(text) > LONGEST_SHAPE or not (text.isascii() and text.isprintable()):
        return ""
    return f"^{''.join(map(_run, _RUNS.finditer(text)))}$"


def pattern_of(text: str) -> str:
    """The pattern of exactly this text."""
    return "".join(f"\\{sign}" if sign in _SPECIAL else sign for sign in text)


def _run(found: re.Match[str]) -> str:
    """The pattern of a run of digits, of letters, or of one sign."""
    if found["digits"]:
        return r"\d+"
    if found["lower"]:
        return "[a-z]+"
    if found["upper"]:
        return "[A-Z]+"
    return pattern_of(found["sign"])


def _common_shape(place: _Place) -> tuple[str, str]:
    """The one pattern of all the texts at a place, where they have one."""
    shapes = {_shape(one, place.name) for one in place.values}
    return shapes.pop() if len(shapes) == 1 else ("", "")


def is_clean(text: str) -> bool:
    """Whether paths and files can say the text: it has no lone surrogates."""
    return not any("\ud800" <= one <= "\udfff" for one in text)


# -- what stays in a text that is worded anew

_WORD = "its longest word, perhaps,"
_NAME = r"[A-Z][\w'’-]+"
_TOKENS = (
    (re.compile(r"`([^`\n]{2,60})`|\"([^\"\n]{2,60})\"|“([^”\n]{2,60})”"), "what stands in quotes"),
    (re.compile(rf"(?<=[a-z,;:] )({_NAME}(?: {_NAME})*)"), "this name"),
    (re.compile(r"(?<![\w.])([$€£]?\d[\d.,:]*\d)(?![\w])"), "this number"),
    (re.compile(r"(?<!\w)([^\W\d_]{6,40})(?!\w)"), _WORD),
)


def stable_token(text: str) -> tuple[str, str]:
    """A part of the text that is likely to be in it the next time too, and what it is; ("", "") for none."""
    beginning = text[:_LOOKED_AT]
    for pattern, what in _TOKENS:
        found = [next(filter(None, one.groups())) for one in pattern.finditer(beginning)]
        found = [one for one in found if len(one) <= LONGEST_TOKEN]
        if found:
            return max(found, key=len), what
    return "", ""


_LOOKED_AT = 10_000
