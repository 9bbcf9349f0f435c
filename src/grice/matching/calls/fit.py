"""Whether one call is the expected one, part by part: arguments, what came back, conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from enum import IntEnum
from typing import Literal, NamedTuple

from msgspec import UNSET

from grice.matching.calls.names import condition_name
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.equality import MAX_DEPTH, TooDeep, json_equal
from grice.records import ToolCall
from grice.text import shorten, value_text, visible

UNSEEN = "error unseen"
"""In the metadata of a call: why it is not known whether it failed."""


class Fit(IntEnum):
    """Whether a call is the expected one: it is, nobody can tell, finding out broke, it is not."""

    FITS = 0
    UNKNOWN = 1
    BROKEN = 2
    MISSES = 3


class Part(NamedTuple):
    """One part of a call beside what is asked of it.

    `kind`: a `value` is an argument or the result, UNSET on the side where there is none; `error` the text of
    the error beside what is asked of that; `refused` an error where a result is expected; `condition` one of
    `.where`; of `malformed` arguments, a `pending` answer and an `unseen` error nobody can tell. `whole` says
    that a value has to be equal at every level. `problem` is how finding out broke.
    """

    fit: Fit
    kind: Literal["value", "error", "refused", "condition", "malformed", "pending", "unseen"]
    name: str = ""
    found: object = UNSET
    wanted: object = UNSET
    whole: bool = False
    problem: str = ""


def fit_of(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> Fit:
    """Whether the call, of the expected name or not, is the expected one. Never raises."""
    if call.name != expected.name:
        return Fit.MISSES
    worst = Fit.FITS
    for part in parts_of(expected, call, mode):
        worst = max(worst, part.fit)
        if worst is Fit.MISSES:
            break
    return worst


def misses(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> int:
    """How many parts of a call of the expected name differ."""
    return sum(part.fit is Fit.MISSES for part in parts_of(expected, call, mode))


def parts_of(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> Iterator[Part]:
    """The parts of a call of the expected name that are asked for.

    Conditions come last, and only when nothing differs: they may rely on the arguments that are named.
    """
    mode = expected.mode or mode
    differs = False
    asked = mode == "exact" or (mode == "subset" and bool(expected.arguments)) or bool(expected.conditions)
    malformed = asked and call.raw_arguments is not None
    if malformed:
        yield Part(Fit.UNKNOWN, "malformed", found=call.raw_arguments)
    elif mode != "ignore":
        for part in _argument_parts(expected, call, whole=mode == "exact"):
            differs = differs or part.fit is Fit.MISSES
            yield part
    if expected.result is not UNSET or expected.error is not None:
        for part in _answer_parts(expected, call):
            differs = differs or part.fit is Fit.MISSES
            yield part
    if not malformed and not differs:
        for condition in expected.conditions:
            yield _condition_part(condition, call.arguments)


def _argument_parts(expected: ExpectedCall, call: ToolCall, *, whole: bool) -> Iterator[Part]:
    for key, wanted in expected.arguments.items():
        if key in call.arguments:
            yield _compared(key, call.arguments[key], wanted, whole=whole)
        else:
            yield Part(Fit.MISSES, "value", key, wanted=wanted)
    if whole:
        for key, found in call.arguments.items():
            if key not in expected.arguments:
                yield Part(Fit.MISSES, "value", key, found)


def _answer_parts(expected: ExpectedCall, call: ToolCall) -> Iterator[Part]:
    if not call.answered:
        yield Part(Fit.UNKNOWN, "pending")
        return
    if expected.error is not None:
        if call.error is None and UNSEEN in call.metadata:
            yield Part(Fit.UNKNOWN, "unseen", found=call.metadata[UNSEEN])
            return
        if isinstance(expected.error, str):
            fits = call.error is not None and expected.error in call.error
        else:
            fits = (call.error is not None) is expected.error
        yield Part(Fit.FITS if fits else Fit.MISSES, "error", found=call.error, wanted=expected.error)
    if expected.result is not UNSET:
        if call.error is None:
            yield _compared("result", call.result, expected.result, whole=False)
        else:
            yield Part(Fit.MISSES, "refused", found=call.error, wanted=expected.result)


def _compared(name: str, found: object, wanted: object, *, whole: bool) -> Part:
    try:
        fits = json_equal(found, wanted) if whole else includes(found, wanted)
    except Exception as error:  # the == of somebody's object, or values that are too deep
        return Part(Fit.BROKEN, "value", name, found, wanted, whole, _raised(error))
    return Part(Fit.FITS if fits else Fit.MISSES, "value", name, found, wanted, whole)


def _condition_part(condition: Callable[..., object], arguments: Mapping[str, object]) -> Part:
    name = condition_name(condition)
    try:
        answer = condition(deepcopy(arguments))
    except Exception as error:  # somebody's code
        return Part(Fit.BROKEN, "condition", name, problem=_raised(error))
    if answer is True or answer is False:
        return Part(Fit.FITS if answer else Fit.MISSES, "condition", name)
    problem = f"returned {value_text(answer)}, expected True or False,"
    return Part(Fit.BROKEN, "condition", name, problem=problem)


def _raised(error: Exception) -> str:
    """What was raised, for messages: `raised KeyError: 'room'`."""
    return "raised " + shorten(visible(f"{type(error).__name__}: {error}", newlines=False), 200)


def includes(actual: object, expected: object) -> bool:
    """Whether the value holds what is expected, as the mode `subset` has it.

    An expected object names what has to be there, at every level; an empty one equals only an empty object. A
    list has as many items, each holding what is expected of it. Anything else is equal as `json_equal` says.
    Raises TooDeep past 200 levels.
    """
    return _includes(actual, expected, {}, 0)


def _includes(
    actual: object, expected: object, compared: dict[tuple[int, int], tuple[object, object]], depth: int
) -> bool:
    is_object = isinstance(expected, Mapping)
    if not (is_object or isinstance(expected, list | tuple)) or (is_object and not expected):
        return json_equal(actual, expected)
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    pair = (id(actual), id(expected))
    if pair in compared:  # shared parts are compared once, so that no value takes exponential time
        return True
    compared[pair] = (actual, expected)
    members: Iterator[tuple[object, object]]
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping) or any(key not in actual for key in expected):
            return False
        members = ((actual[key], value) for key, value in expected.items())
    elif isinstance(expected, list | tuple):
        if not isinstance(actual, list | tuple) or len(actual) != len(expected):
            return False
        members = zip(actual, expected, strict=True)
    for one, other in members:  # noqa: SIM110 - a generator would double the depth of the stack
        if not _includes(one, other, compared, depth + 1):
            return False
    return True
