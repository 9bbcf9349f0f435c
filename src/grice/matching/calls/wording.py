"""A call beside the expected one, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET

from grice.matching.calls.fit import Fit, Part, includes, parts_of
from grice.matching.calls.names import name_text, step_text
from grice.matching.calls.spec import ArgumentMode, ExpectedCall
from grice.matching.equality import json_equal
from grice.matching.transcript import call_text
from grice.records import Evidence, ToolCall, Turn, Verdict
from grice.text import value_text

MAX_PARTS = 10

MAX_STEPS = 20


def explain(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode, label: str) -> str:
    """A call of the expected name beside the expected one, argument by argument.

    Of many only ten are shown, those that differ first.
    """
    parts = list(parts_of(expected, call, mode))
    shown = parts
    if len(parts) > MAX_PARTS:
        shown = sorted(parts, key=lambda part: -part.fit)[:MAX_PARTS]
    more = [f"and {len(parts) - MAX_PARTS} more"] if len(parts) > MAX_PARTS else []
    return "   ".join([label, *(_part_text(part) for part in shown), *more])


def worst_argument(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode) -> str:
    """The first argument that differs, in few words: `capacity was 1`; "" where it is something else."""
    for part in parts_of(expected, call, mode):
        if part.kind == "value" and part.fit is Fit.MISSES:
            path, found, _ = _innermost(part)
            return f"{path} is missing" if found is UNSET else f"{path} was {value_text(found)}"
    return ""


def unsure(expected: ExpectedCall, call: ToolCall, mode: ArgumentMode, label: str) -> str:
    """Why nobody can tell whether the call is the expected one, or how finding out broke."""
    worst = max(parts_of(expected, call, mode), key=lambda part: part.fit)
    return _part_text(worst, label)


def _part_text(part: Part, label: str = "") -> str:
    """The part in words; with a label, in a sentence of its own."""
    of, on = (f" of {label}", f" on {label}") if label else ("", "")
    if part.kind == "malformed":
        return f"the arguments{of} are not a JSON object: {value_text(part.found)}"
    if part.kind == "pending":
        return f"what came back{f' from {label}' if label else ''} is not on record"
    if part.kind == "unseen":
        return f"whether {label or 'it'} failed is not on record: {part.found}"
    if part.kind == "condition":
        if part.fit is Fit.BROKEN:
            return f"the condition {part.name} {part.problem}{on}".rstrip(",")
        return f"where {part.name} " + ("ok" if part.fit is Fit.FITS else "is not met")
    if part.kind == "error":
        return _error_text(part)
    if part.kind == "refused":
        return f"error {value_text(part.found)}, expected the result {value_text(part.wanted)}"
    if part.fit is Fit.BROKEN:
        return f"comparing {name_text(part.name)}{of} {part.problem}"
    if part.fit is Fit.FITS:
        return f"{name_text(part.name)} {value_text(part.found)} ok"
    return _difference(part)


def _error_text(part: Part) -> str:
    shown = "no error" if part.found is None else f"error {value_text(part.found)}"
    if part.fit is Fit.FITS:
        return f"{shown} ok"
    if part.wanted is False:
        return f"{shown}, expected no error"
    if part.wanted is True:
        return f"{shown}, expected an error"
    told = f"with {value_text(part.wanted)}"
    return f"{shown}, expected {'an error' if part.found is None else 'one'} {told}"


def _difference(part: Part) -> str:
    """What differs, at the innermost first place: `guest.name 'Ann', expected 'Bob'`."""
    if part.wanted is UNSET:
        return f"{name_text(part.name)} {value_text(part.found)}, expected no such argument"
    path, found, wanted = _innermost(part)
    if wanted is UNSET:
        return f"{path} {value_text(found)}, expected no such field"
    if found is UNSET:
        return f"{path} missing, expected {value_text(wanted)}"
    return f"{path} {value_text(found)}, expected {value_text(wanted)}"


def _innermost(part: Part) -> tuple[str, object, object]:
    """The first place that differs, as far in as one can go, what stands there and what was wanted."""
    path, found, wanted = name_text(part.name), part.found, part.wanted
    for _ in range(MAX_STEPS):  # a container inside itself has no innermost place
        for step, inner, other in _members(found, wanted, part.whole):
            if other is UNSET:
                return f"{path}{step}", inner, UNSET
            if inner is UNSET or _differ(inner, other, part.whole):
                path, found, wanted = f"{path}{step}", inner, other
                break
        else:
            break
    return path, found, wanted


def _differ(found: object, wanted: object, whole: bool) -> bool:
    try:
        return not (json_equal(found, wanted) if whole else includes(found, wanted))
    except Exception:  # a member that the comparison of the whole did not come to
        return True


def _members(found: object, wanted: object, whole: bool) -> Iterator[tuple[str, object, object]]:
    """The members of two containers side by side, UNSET where there is none; none when they cannot match."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        keys = [*wanted, *((key for key in found if key not in wanted) if whole else ())]
        for key in keys:
            yield step_text(key), found.get(key, UNSET), wanted.get(key, UNSET)
    elif isinstance(wanted, list | tuple) and isinstance(found, list | tuple) and len(wanted) == len(found):
        for place, (inner, other) in enumerate(zip(found, wanted, strict=True)):
            yield f"[{place}]", inner, other


MAX_EVIDENCE = 20


def evidence_of(turns: Sequence[Turn], places: Sequence[int]) -> tuple[Evidence, ...]:
    """The calls at these places, counted from 0 over all turns; the first 20 of them."""
    calls = [(turn.number, call) for turn in turns for call in turn.tool_calls]
    found = [(place, *calls[place]) for place in places[:MAX_EVIDENCE]]
    return tuple(Evidence(call_text(call), turn, path=f"tool_calls[{place}]") for place, turn, call in found)


def with_turn(verdict: Verdict) -> Verdict:
    """The verdict with the turn of its first evidence, which the transcript then marks."""
    if not verdict.evidence:
        return verdict
    return msgspec.structs.replace(verdict, turn=verdict.evidence[0].turn)
