"""Whether one call is the expected one, and if not, what differs, argument by argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from msgspec import UNSET

from grice.matching.calls.spec import ArgumentMode, ExpectedCall, condition_name
from grice.matching.equality import MAX_DEPTH, TooDeep, json_equal
from grice.records import ToolCall
from grice.text import shorten, value_text, visible

__all__ = ["Fit", "explain", "fit_of", "includes", "misses", "unsure"]

MAX_STEPS = 20


class Fit(IntEnum):
    """Whether a call is the expected one: it is, nobody can tell, finding out broke, it is not."""

    FITS = 0
    UNKNOWN = 1
    BROKEN = 2
    MISSES = 3


class Finding(NamedTuple):
    """What one part of a call is. `words` makes the text for messages; it takes how the call is named."""

    fit: Fit
    words: Callable[[str], str]


def fit_of(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> Fit:
    """Whether the call, of the expected name or not, is the expected one. Never raises."""
    if call.name != expected.name:
        return Fit.MISSES
    mode = expected.mode or mode
    if _differs_plainly(expected, call, mode):
        return Fit.MISSES
    worst = Fit.FITS
    for finding in _findings(expected, call, mode):
        worst = max(worst, finding.fit)
        if worst is Fit.MISSES:
            break
    return worst


def _differs_plainly(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> bool:
    """Whether a text or a number is another: what tells most calls apart, without a look at the rest."""
    if mode == "ignore" or call.raw_arguments is not None:
        return False
    for key, wanted in expected.arguments.items():
        kind = type(wanted)
        if kind is str or kind is int:
            found = call.arguments.get(key)
            if type(found) is kind and found != wanted:
                return True
    return False


def misses(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> int:
    """How many parts of a call of the expected name differ."""
    findings = _findings(expected, call, expected.mode or mode)
    return sum(finding.fit is Fit.MISSES for finding in findings)


def explain(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode, label: str) -> str:
    """A call of the expected name beside the expected one, argument by argument."""
    findings = _findings(expected, call, expected.mode or mode)
    return "   ".join([label, *(finding.words(label) for finding in findings)])


def unsure(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode, label: str) -> str:
    """Why nobody can tell whether the call is the expected one, or how finding out broke."""
    findings = list(_findings(expected, call, expected.mode or mode))
    worst = max(findings, key=lambda finding: finding.fit)
    return worst.words(label)


def _findings(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> Iterator[Finding]:
    """The parts that are asked for. Each text is to be made at once: dirty-equals shows the last comparison.

    Conditions come last, and only when nothing differs: they may rely on the arguments that are named.
    """
    differs = False
    asked = mode == "exact" or (mode == "subset" and bool(expected.arguments)) or bool(expected.conditions)
    malformed = asked and call.raw_arguments is not None
    if malformed:
        yield Finding(
            Fit.UNKNOWN, lambda label: f"the arguments of {label} are not a JSON object: {_raw(call)}"
        )
    elif mode != "ignore":
        for finding in _argument_findings(expected, call, mode):
            differs = differs or finding.fit is Fit.MISSES
            yield finding
    for finding in _answer_findings(expected, call):
        differs = differs or finding.fit is Fit.MISSES
        yield finding
    if not malformed and not differs:
        for condition in expected.conditions:
            yield _condition_finding(condition, call.arguments)


def _raw(call: ToolCall) -> str:
    return value_text(call.raw_arguments)


def _argument_findings(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> Iterator[Finding]:
    same = json_equal if mode == "exact" else includes
    for key, wanted in expected.arguments.items():
        if key in call.arguments:
            yield _compared(visible(key, newlines=False), call.arguments[key], wanted, same)
        else:
            yield _told(Fit.MISSES, f"{visible(key, newlines=False)} missing, expected {value_text(wanted)}")
    if mode == "exact":
        for key, found in call.arguments.items():
            if key not in expected.arguments:
                text = f"{visible(key, newlines=False)} {value_text(found)}, expected no such argument"
                yield _told(Fit.MISSES, text)


def _answer_findings(expected: ExpectedCall, call: ToolCall) -> Iterator[Finding]:
    if expected.result is UNSET and expected.error is None:
        return
    if not call.answered:
        yield Finding(Fit.UNKNOWN, lambda label: f"what came back from {label} is not on record")
        return
    if expected.error is not None:
        yield _error_finding(expected.error, call)
    if expected.result is not UNSET:
        if call.error is None:
            yield _compared("result", call.result, expected.result, includes)
        else:
            text = f"error {value_text(call.error)}, expected the result {value_text(expected.result)}"
            yield _told(Fit.MISSES, text)


def _error_finding(wanted: bool | str, call: ToolCall) -> Finding:
    if call.error is None:
        if wanted is False:
            return _told(Fit.FITS, "no error ok")
        told = "an error" if wanted is True else f"an error with {value_text(wanted)}"
        return _told(Fit.MISSES, f"no error, expected {told}")
    shown = f"error {value_text(call.error)}"
    if wanted is False:
        return _told(Fit.MISSES, f"{shown}, expected no error")
    if isinstance(wanted, str) and wanted not in call.error:
        return _told(Fit.MISSES, f"{shown}, expected one with {value_text(wanted)}")
    return _told(Fit.FITS, f"{shown} ok")


def _condition_finding(condition: Callable[..., object], arguments: Mapping[str, object]) -> Finding:
    name = condition_name(condition)
    try:
        answer = condition(arguments)
    except Exception as error:  # somebody's code
        raised = _raised(error)
        return Finding(Fit.BROKEN, lambda label: f"the condition {name} raised {raised} on {label}")
    if answer is True:
        return _told(Fit.FITS, f"where {name} ok")
    if answer is False:
        return _told(Fit.MISSES, f"where {name} is not met")
    found = value_text(answer)
    text = f"the condition {name} returned {found}, expected True or False, on"
    return Finding(Fit.BROKEN, lambda label: f"{text} {label}")


def _raised(error: Exception) -> str:
    """The exception as a message names it: `KeyError: 'room'`."""
    return shorten(visible(f"{type(error).__name__}: {error}", newlines=False), 200)


def _told(fit: Fit, text: str) -> Finding:
    return Finding(fit, lambda _: text)


def _compared(key: str, found: object, wanted: object, same: Callable[[object, object], bool]) -> Finding:
    try:
        fits = same(found, wanted)
    except Exception as error:  # the == of somebody's object, or values that are too deep
        raised = _raised(error)
        return Finding(Fit.BROKEN, lambda label: f"comparing {key} of {label} raised {raised}")
    if fits:
        return Finding(Fit.FITS, lambda _: f"{key} {value_text(found)} ok")
    return Finding(Fit.MISSES, lambda _: _difference(key, found, wanted, same))


def _difference(key: str, found: object, wanted: object, same: Callable[[object, object], bool]) -> str:
    """What differs, at the innermost first place: `guest.name 'Ann', expected 'Bob'`."""
    for _ in range(MAX_STEPS):  # a container inside itself has no innermost place
        for step, inner, other in _members(found, wanted, same is json_equal):
            if inner is UNSET:
                return f"{key}{step} missing, expected {value_text(other)}"
            if other is UNSET:
                return f"{key}{step} {value_text(inner)}, expected no such field"
            if _differ(inner, other, same):
                key, found, wanted = f"{key}{step}", inner, other
                break
        else:
            break
    return f"{key} {value_text(found)}, expected {value_text(wanted)}"


def _differ(found: object, wanted: object, same: Callable[[object, object], bool]) -> bool:
    try:
        return not same(found, wanted)
    except Exception:  # a member that the comparison of the whole did not come to
        return True


def _members(found: object, wanted: object, whole: bool) -> Iterator[tuple[str, object, object]]:
    """The members of two containers side by side, UNSET where there is none; none when they cannot match."""
    if isinstance(wanted, dict) and isinstance(found, Mapping) and (wanted or whole):
        keys = [*wanted, *((key for key in found if key not in wanted) if whole else ())]
        for key in keys:
            step = f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{value_text(key)}]"
            yield step, found.get(key, UNSET), wanted.get(key, UNSET)
    elif isinstance(wanted, list | tuple) and isinstance(found, list | tuple) and len(wanted) == len(found):
        for place, (inner, other) in enumerate(zip(found, wanted, strict=True)):
            yield f"[{place}]", inner, other


def includes(actual: object, expected: object) -> bool:
    """Whether the value holds what is expected, as the mode `subset` has it.

    An expected object names what has to be there, at every level; an empty one is an empty object. A list has
    as many items, each holding what is expected of it. Anything else is equal as `json_equal` says. Raises
    TooDeep past 200 levels.
    """
    return _includes(actual, expected, {}, 0)


def _includes(
    actual: object, expected: object, compared: dict[tuple[int, int], tuple[object, object]], depth: int
) -> bool:
    if not isinstance(expected, dict | list | tuple) or expected == {}:
        return json_equal(actual, expected)
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    pair = (id(actual), id(expected))
    if pair in compared:  # shared parts are compared once, so that no value takes exponential time
        return True
    compared[pair] = (actual, expected)
    members: Iterator[tuple[object, object]]
    if isinstance(expected, dict):
        if not isinstance(actual, Mapping) or any(key not in actual for key in expected):
            return False
        members = ((actual[key], value) for key, value in expected.items())
    else:
        if not isinstance(actual, list | tuple) or len(actual) != len(expected):
            return False
        members = zip(actual, expected, strict=True)
    for one, other in members:  # noqa: SIM110 - a generator would double the depth of the stack
        if not _includes(one, other, compared, depth + 1):
            return False
    return True
