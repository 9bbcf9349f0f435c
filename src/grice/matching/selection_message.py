"""What a result says: path, matcher, mode, not, expected, actual, in this order.

`$.user.name toMatch /[A-Z][a-z]+/ expected match, got "bob"`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from grice.identity.secret_hints import is_harmless, is_harmless_name
from grice.matching.assertion_words import assertion_words
from grice.matching.json_text import json_text
from grice.matching.judge_standing import is_calibrated
from grice.matching.judged_by import UNCALIBRATED, answered
from grice.matching.matcher import Matcher
from grice.matching.redacted import at_place, redaction_of
from grice.matching.selector import ValueSelector
from grice.matching.subjects import value_of
from grice.matching.values import Found
from grice.records import Outcome, PathMatch, Verdict
from grice.text import shorten, value_text, visible

MAX_REASON = 600
MAX_PLACE = 200
MAX_LISTED = 3


class Judged(msgspec.Struct, frozen=True):
    """What a matcher says of several values, negation not applied.

    `answer` is the verdict that decided, on the value with the number `index`; `examined` of `total` values
    were looked at. `match` says whether ANY or ALL of them have to hold.
    """

    outcome: Outcome
    answer: Verdict
    index: int
    examined: int
    total: int
    match: PathMatch

    @property
    def all_hold(self) -> bool:
        """Whether there are several values, and it is said of all of them."""
        return self.total > 1 and self.outcome is Outcome.PASS and self.match == "ALL"

    @property
    def none_holds(self) -> bool:
        """Whether there are several values, and it is said of none of them."""
        return self.total > 1 and self.outcome is Outcome.FAIL and self.match == "ANY"


def selection_words(at: ValueSelector, matcher: Matcher[Any]) -> str:
    """The assertion that a check of values is, on one line: `$.items[*].status ALL toEqual "READY"`."""
    expected: object = UNSET
    if matcher.args:
        expected = matcher.args[0] if len(matcher.args) == 1 else list(matcher.args)
    return assertion_words(
        at.path, at.match, matcher.factory.name, expected, dict(matcher.kwargs), negated=matcher.negated
    )


def message_of(words: str, matcher: Matcher[Any], outcome: Outcome, judged: Judged, found: Found) -> str:
    """The message for the outcome, negation applied. It repeats no secret of the values."""
    message = _message(words, matcher, outcome, judged, found)
    if len(found.values) == 1:
        return _without_secrets(message, matcher, {found.place(0): found.values[0]})
    shown = {*range(min(len(found.values), MAX_LISTED)), min(judged.index, len(found.values) - 1)}
    return _without_secrets(message, matcher, {found.place(one): found.values[one] for one in shown})


def _without_secrets(message: str, matcher: Matcher[Any], values: Mapping[str, object]) -> str:
    """The message without secrets, that may stand in values or be so called at their places."""
    if is_harmless(message) and all(map(is_harmless_name, values)):
        return message
    expected = (*matcher.args, *matcher.kwargs.values())
    standing = [at_place(place, value, *expected) for place, value in values.items()]
    return redaction_of(*standing).text(message, quoted=True)


def _message(words: str, matcher: Matcher[Any], outcome: Outcome, judged: Judged, found: Found) -> str:
    if outcome is Outcome.ERROR:
        return f"{words} cannot be answered{_at(judged, found)}: {_reason(matcher, judged)}"
    if outcome in (Outcome.INCONCLUSIVE, Outcome.SKIPPED):
        return f"{words} is {outcome}{_at(judged, found)}: {_reason(matcher, judged)}"
    if outcome is Outcome.PASS:
        why = _why_passed(judged, found, negated=matcher.negated)
        return f"{words} passed: {why}{_notes(judged)}"
    return f"{words} expected {_wanted(matcher, judged)}, {_got(judged, found)}{_notes(judged)}"


def refusal_of(words: str, problem: str, at: ValueSelector, matcher: Matcher[Any] | None = None) -> str:
    """The message for an assertion that cannot be asked, or not of this value."""
    message = f"{words} cannot be asked: {_one_line(problem)}"
    return message if matcher is None else _without_secrets(message, matcher, {str(at.path): None})


def _one_line(text: str) -> str:
    return visible(shorten(text, MAX_REASON).replace("\n", "; "), newlines=False)


def _wanted(matcher: Matcher[Any], judged: Judged) -> str:
    """What was expected, and of which values when there are several."""
    words = matcher.factory.wants[matcher.negated]
    if judged.total == 1:
        return words
    every = (judged.match == "ALL") is not matcher.negated
    return f"{words} for {'every value' if every else 'at least one value'}"


def _got(judged: Judged, found: Found) -> str:
    """What was found instead, of a failure."""
    if found.unresolved:
        return f"got nothing: {found.why}"
    if judged.total == 1:
        return f"got {_value(found, 0)}{_detail(judged, found)}"
    if judged.all_hold:
        return f"but it holds for all {judged.total} values: {_listed(found)}"
    if judged.none_holds:
        return f"got none of {judged.total} values: {_listed(found)}"
    return f"got {_value(found, judged.index)}{_place(judged, found)}{_detail(judged, found)}"


def _why_passed(judged: Judged, found: Found, *, negated: bool) -> str:
    if found.unresolved:
        return found.why
    if judged.total == 1:
        return f"got {_value(found, 0)}"
    if judged.all_hold:
        return f"all {judged.total} values: {_listed(found)}"
    if judged.none_holds:
        return f"none of {judged.total} values: {_listed(found)}"
    which = "at least one value does not: " if negated else "got "
    unseen = judged.total - judged.examined
    rest = f", {unseen} not examined" if unseen else ""
    return f"{which}{_value(found, judged.index)}{_place(judged, found)}{rest}"


def _value(found: Found, index: int) -> str:
    value = value_of(found.values[index])
    return f"the {type(value).__name__.lower()}" if isinstance(value, msgspec.Struct) else json_text(value)


def _listed(found: Found) -> str:
    shown = [_value(found, index) for index in range(min(len(found.values), MAX_LISTED))]
    return ", ".join([*shown, *(["..."] if len(found.values) > MAX_LISTED else [])])


def _place(judged: Judged, found: Found) -> str:
    return f" at {shorten(found.place(judged.index), MAX_PLACE)} (value {judged.index + 1} of {judged.total})"


def _notes(judged: Judged) -> str:
    """What the evidence notes, such as that a text was cut, and that nobody knows how good the judge is."""
    if not judged.answer.evidence and judged.answer.judgement is None and not judged.answer.parts:
        return ""
    notes = [one.note for one in judged.answer.evidence if one.note]
    if answered(judged.answer) and not is_calibrated(judged.answer):
        notes.append(f"judged by an LLM, {UNCALIBRATED}")
    return "".join(f" ({note})" for note in notes)


def _at(judged: Judged, found: Found) -> str:
    return _place(judged, found) if judged.total > 1 and judged.index < judged.total else ""


def _reason(matcher: Matcher[Any], judged: Judged) -> str:
    """The reason, in which the matcher is called as files call it."""
    reason, factory = judged.answer.reason, matcher.factory
    if reason.startswith(f"{factory.python_name} judges "):
        reason = factory.name + reason.removeprefix(factory.python_name)
    return _one_line(reason)


def _detail(judged: Judged, found: Found) -> str:
    """What the matcher says beyond the value, such as where two values differ."""
    reason, value = judged.answer.reason, value_text(value_of(found.values[judged.index]))
    if judged.outcome is not Outcome.FAIL or not reason or reason.endswith(value):
        return ""
    return f" ({_one_line(reason.removeprefix(f'it is {value}, which '))})"
