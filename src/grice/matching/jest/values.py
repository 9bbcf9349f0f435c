"""Matchers on any value: equality, kinds of values, lengths. Their names are Jest's."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from grice.matching.context import Context
from grice.matching.equality import Difference, differences, json_equal
from grice.matching.json_parsing import json_hint
from grice.matching.matcher import Prefilter, Unsuitable, matcher
from grice.matching.subjects import Speech, value_of
from grice.matching.values import MISSING
from grice.records import JsonValue, Verdict, failed, passed
from grice.text import shorten, value_text

SHOWN_WHOLE = 100
SHOWN_PATH = 200
MAX_SHOWN = 5

Options = Annotated[Sequence[object], Meta(min_length=1)]
Length = Annotated[float, Meta(ge=0, multiple_of=1)]
"""A whole number; 3.0 is one too, as in JSON."""


def _prefilter_equal(expected: object) -> Prefilter | None:
    return (lambda value: value == expected) if type(expected) is str else None


@matcher("toEqual", layer=1, prefilter=_prefilter_equal, wants=("an equal value", "a different value"))
def equal(subject: Speech | JsonValue, ctx: Context, expected: object) -> Verdict:
    """The value is the same JSON value as `expected`; of a reply or turn, its text.

    Booleans are not numbers, 1 equals 1.0, key order does not count. Any object with its own `==`, such as
    those of dirty-equals, works as expected value, nested too. A failure names the places that differ.
    """
    value = value_of(subject)
    if json_equal(value, expected):
        return passed(f"it is {value_text(value)}")
    hint = json_hint(value, expected, as_value=ctx.as_value)
    return failed(f"it is {value_text(value)}{hint}" if hint else _why_unequal(value, expected))


def _why_unequal(value: object, expected: object) -> str:
    places = differences(value, expected, most=MAX_SHOWN + 1)
    if places[0].path == "$":
        return _difference_text(places[0]) if places[0].actual is not value else _root_text(value, expected)
    shown = [_difference_text(place) for place in places[:MAX_SHOWN]]
    return "\n".join([*shown, *(["and more"] if len(places) > MAX_SHOWN else [])])


def _root_text(value: object, expected: object) -> str:
    if isinstance(value, str) and isinstance(expected, str):
        return _text_difference("", value, expected) or f"found {value_text(value)}"
    return f"found {value_text(value)}"


def _difference_text(place: Difference) -> str:
    path = shorten(place.path, SHOWN_PATH)
    if isinstance(place.actual, str) and isinstance(place.expected, str):
        differs = _text_difference(f"{path} ", place.actual, place.expected)
        if differs:
            return differs
    return f"at {path}: found {_shown(place.actual)}, expected {_shown(place.expected)}"


def _shown(value: object) -> str:
    return "nothing" if value is MISSING else value_text(value)


def _text_difference(where: str, actual: str, expected: str) -> str:
    """Where two long texts begin to differ; "" when showing them whole is clearer."""
    at = _common_length(actual, expected)
    if at <= SHOWN_WHOLE:
        return ""
    found, wanted = (value_text(text[at - 20 : at + 60]) for text in (actual, expected))
    return f"{where}differs from character {at}: found ...{found}, expected ...{wanted}"


def _common_length(one: str, other: str) -> int:
    """How many characters at their beginnings two different texts have in common."""
    sizes = range(1, min(len(one), len(other)) + 1)
    return bisect_left(sizes, True, key=lambda size: one[:size] != other[:size])


@matcher("toBeNull", layer=1, wants=("null", "anything but null"))
def be_null(subject: Speech | JsonValue, ctx: Context) -> bool:
    """The value is null (None in Python): not MISSING, not 0, not empty."""
    return value_of(subject) is None


@matcher("toBeOneOf", layer=1, wants=("one of the options", "none of the options"))
def be_one_of(subject: Speech | JsonValue, ctx: Context, options: Options) -> bool:
    """The value equals one of the options, as `equal` compares. Source: jest-extended."""
    value = value_of(subject)
    return any(json_equal(value, option) for option in options)


@matcher("toBeUndefined", layer=1, wants=("nothing there", "a value"), judges_missing=True)
def be_undefined(subject: Speech | JsonValue, ctx: Context) -> bool | Verdict:
    """There is no value: the path resolved nothing. Null is a value."""
    return _there(subject, wanted=False)


@matcher("toBeDefined", layer=1, wants=("a value", "nothing there"), judges_missing=True)
def be_defined(subject: Speech | JsonValue, ctx: Context) -> bool | Verdict:
    """There is a value: the path resolved something. Null is a value."""
    return _there(subject, wanted=True)


def _there(subject: object, *, wanted: bool) -> bool | Verdict:
    if subject is MISSING:
        return failed("nothing resolved") if wanted else passed("nothing resolved")
    return wanted


@matcher("toBeTruthy", layer=1, wants=("a truthy value", "a falsy value"), judges_missing=True)
def be_truthy(subject: Speech | JsonValue, ctx: Context) -> bool | Verdict:
    """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING.

    So an empty list and an empty object are truthy, unlike in Python.
    """
    return _truth(subject, wanted=True)


@matcher("toBeFalsy", layer=1, wants=("a falsy value", "a truthy value"), judges_missing=True)
def be_falsy(subject: Speech | JsonValue, ctx: Context) -> bool | Verdict:
    """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING.

    So an empty list and an empty object are truthy, unlike in Python.
    """
    return _truth(subject, wanted=False)


def _truth(subject: object, *, wanted: bool) -> bool | Verdict:
    value: object = value_of(subject)
    nan = isinstance(value, float) and math.isnan(value)
    truthy = not nan and (bool(value) or isinstance(value, list | tuple | Mapping))
    if value is MISSING:
        return failed("nothing resolved") if wanted else passed("nothing resolved")
    return truthy is wanted


@matcher("toHaveLength", layer=1, wants=("that length", "another length"))
def have_length(subject: Speech | Sequence[Any], ctx: Context, length: Length) -> Verdict:
    """The list has `length` elements, or the text as many characters (code points).

    Anything else has no length: an `error`. Source: Jest's toHaveLength, which counts UTF-16 units.
    """
    value = value_of(subject)
    if not isinstance(value, str | list | tuple):
        raise Unsuitable(f"a text or a list, found {value_text(value)}")
    told = f"its length is {len(value)}"
    return passed(told) if len(value) == length else failed(told)
