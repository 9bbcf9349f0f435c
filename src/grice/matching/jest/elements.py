"""Matchers on the elements of a list: all of them, or any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from grice.matching.assertions.registry import matcher_from_data
from grice.matching.context import Context
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError, Arguments, Matcher, Unsuitable, matcher
from grice.matching.verdicts import answer_of
from grice.records import (
    JsonValue,
    Outcome,
    Verdict,
    errored,
    failed,
    fold_all,
    fold_any,
    inconclusive,
    negate,
    passed,
)
from grice.text import did_you_mean, value_text

Predicate = Matcher[Any] | Callable[[Any], bool]
"""What each element must satisfy: a matcher, or a function that says yes or no."""

_FIELDS = ("matcher", "expected", "options", "not")


def _read_predicate(expected: JsonValue) -> Arguments:
    """The matcher in a file: `{matcher, expected, not}`."""
    if not isinstance(expected, Mapping):
        raise ArgumentError(f"expected {{matcher, expected, not}}, found {json_text(expected)}")
    for name in expected:
        if name not in _FIELDS:
            near = did_you_mean(name, _FIELDS) if isinstance(name, str) else ""
            raise ArgumentError(f"unknown field {value_text(name)}{near}")
    negated = expected.get("not", False)
    if not isinstance(negated, bool):
        raise ArgumentError(f"not: expected true or false, found {json_text(negated)}")
    found = matcher_from_data(expected)
    return (~found if negated else found,), {}


_SCHEMA = {
    "type": "object",
    "properties": {
        "matcher": {"type": "string"},
        "expected": {},
        "options": {"type": "object"},
        "not": {"type": "boolean"},
    },
    "required": ["matcher"],
    "additionalProperties": False,
}


def _words(predicate: object) -> str:
    if isinstance(predicate, Matcher):
        return predicate.phrase
    return f"satisfy {getattr(predicate, '__name__', value_text(predicate))}"


@matcher(
    "toSatisfyAll",
    layer=1,
    describe=lambda predicate: f"have every element {_words(predicate)}",
    read=_read_predicate,
    schema=_SCHEMA,
    wants=("every element to fit", "an element that does not fit"),
)
def satisfy_all(subject: Sequence[Any], ctx: Context, predicate: Predicate) -> Verdict:
    """Every element of the list satisfies the matcher or function.

    An empty list has nothing to look at: `inconclusive`. Anything but a list is an `error`.
    Source: jest-extended's toSatisfyAll.
    """
    return _folded(subject, ctx, predicate, decisive=Outcome.FAIL)


@matcher(
    "toSatisfyAny",
    layer=1,
    describe=lambda predicate: f"have any element {_words(predicate)}",
    read=_read_predicate,
    schema=_SCHEMA,
    wants=("an element that fits", "no element that fits"),
)
def satisfy_any(subject: Sequence[Any], ctx: Context, predicate: Predicate) -> Verdict:
    """At least one element of the list satisfies the matcher or function.

    An empty list has nothing to look at: `inconclusive`. Anything but a list is an `error`.
    Source: jest-extended's toSatisfyAny.
    """
    return _folded(subject, ctx, predicate, decisive=Outcome.PASS)


def _folded(subject: object, ctx: Context, predicate: Predicate, *, decisive: Outcome) -> Verdict:
    if not isinstance(subject, list | tuple):
        raise Unsuitable(f"a list, found {value_text(subject)}")
    if not subject:
        return inconclusive("the list is empty: there is nothing to look at")
    seen: list[Verdict] = []
    for index, element in enumerate(subject):
        answer = _ask(predicate, element, ctx)
        if answer.outcome is decisive:
            told = f"element {index}: {answer.reason or value_text(element)}"
            made = Verdict(decisive, told, trivially_true=answer.trivially_true)
            return _judged(made, answer)
        seen.append(answer)
    fold = fold_all if decisive is Outcome.FAIL else fold_any
    outcome = fold(answer.outcome for answer in seen)
    only = len(seen) == 1
    index = next(place for place, answer in enumerate(seen) if answer.outcome is outcome)
    trivial = all(answer.trivially_true for answer in seen if answer.outcome is outcome)
    if outcome is Outcome.PASS:
        told = "the only element does" if only else f"all {len(seen)} elements do"
        return _judged(passed(told, trivially_true=trivial), seen[index])
    if outcome is Outcome.FAIL:
        told = "the only element does not" if only else f"none of the {len(seen)} elements does"
        return _judged(failed(f"{told}: {value_text(subject)}", trivially_true=trivial), seen[index])
    return _judged(Verdict(outcome, f"element {index}: {seen[index].reason}"), seen[index])


def _judged(verdict: Verdict, answer: Verdict) -> Verdict:
    """The verdict with the judge of the element that stands for all, and soft where that one only advises."""
    return replace(verdict, judgement=answer.judgement, parts=answer.parts, mode=answer.mode)


def _ask(predicate: Predicate, element: object, ctx: Context) -> Verdict:
    if isinstance(predicate, Matcher):
        answer = answer_of(predicate, element, ctx)
        if not predicate.negated:
            return answer
        return replace(answer, outcome=negate(answer.outcome))
    said: object = predicate(element)
    if not isinstance(said, bool):
        return errored(f"the function returned {value_text(said)}, expected True or False")
    return passed() if said else failed("")
