"""What a result says: path, matcher, mode, not, expected, actual, in the layout of seed 002.

`$.user.name toMatch /[A-Z][a-z]+/ expected match, got "bob"`
"""

from __future__ import annotations

from grice.identity.secret_hints import lower, may_hold_secrets
from grice.matching.assertions.assertion import Assertion, LoadedAssertion
from grice.matching.json_text import json_text
from grice.matching.judged_by import UNCALIBRATED, answered
from grice.matching.redacted import at_place, redaction_of
from grice.matching.standing import is_calibrated
from grice.matching.values import Found, Judged
from grice.records import Outcome, Reply, Turn
from grice.text import shorten, value_text, visible

__all__ = ["message_of", "refusal_of"]

MAX_REASON = 600
MAX_PLACE = 200
MAX_LISTED = 3


def message_of(loaded: LoadedAssertion, outcome: Outcome, judged: Judged, found: Found) -> str:
    """The message for the outcome, negation applied. It repeats no secret of the values."""
    message = _message(loaded, outcome, judged, found)
    if not may_hold_secrets(lower(message)):
        return message
    values = found.values[judged.index : judged.index + 1]
    standing = at_place(found.place(judged.index), *values, loaded.assertion.expected)
    return redaction_of(standing).text(message, quoted=True)


def _message(loaded: LoadedAssertion, outcome: Outcome, judged: Judged, found: Found) -> str:
    head = loaded.words
    if outcome is Outcome.ERROR:
        return f"{head} cannot be answered{_at(judged, found)}: {_reason(loaded, judged)}"
    if outcome in (Outcome.INCONCLUSIVE, Outcome.SKIPPED):
        return f"{head} is {outcome}{_at(judged, found)}: {_reason(loaded, judged)}"
    if outcome is Outcome.PASS:
        return f"{head} passed: {_why_passed(loaded.assertion, judged, found)}{_notes(judged)}"
    got = _got(loaded.assertion, judged, found)
    return f"{head} expected {_wanted(loaded, judged)}, {got}{_notes(judged)}"


def refusal_of(loaded: LoadedAssertion, problem: str) -> str:
    """The message for an assertion that cannot be asked, or not of this value."""
    return f"{loaded.words} cannot be asked: {_one_line(problem)}"


def _one_line(text: str) -> str:
    return visible(shorten(text, MAX_REASON).replace("\n", "; "), newlines=False)


def _wanted(loaded: LoadedAssertion, judged: Judged) -> str:
    """What was expected, and of which values when there are several."""
    assertion, matcher = loaded.assertion, loaded.matcher
    wants = matcher.factory.wants if matcher is not None else ("", "")
    words = wants[assertion.negated]
    if judged.total == 1:
        return words
    every = (assertion.path_match == "ALL") is not assertion.negated
    return f"{words} for {'every value' if every else 'at least one value'}"


def _got(assertion: Assertion, judged: Judged, found: Found) -> str:
    """What was found instead, of a failure."""
    if found.unresolved:
        return f"got nothing: {found.why}"
    if judged.total == 1:
        return f"got {_value(found, 0)}{_detail(judged, found)}"
    if judged.outcome is Outcome.PASS and assertion.path_match == "ALL":
        return f"but it holds for all {judged.total} values: {_listed(found)}"
    if judged.outcome is Outcome.FAIL and assertion.path_match == "ANY":
        return f"got none of {judged.total} values: {_listed(found)}"
    return f"got {_value(found, judged.index)}{_place(judged, found)}{_detail(judged, found)}"


def _why_passed(assertion: Assertion, judged: Judged, found: Found) -> str:
    if found.unresolved:
        return found.why
    if judged.total == 1:
        return f"got {_value(found, 0)}"
    if judged.outcome is Outcome.PASS and assertion.path_match == "ALL":
        return f"all {judged.total} values: {_listed(found)}"
    if judged.outcome is Outcome.FAIL and assertion.path_match == "ANY":
        return f"none of {judged.total} values: {_listed(found)}"
    which = "at least one value does not: " if assertion.negated else "got "
    unseen = judged.total - judged.examined
    rest = f", {unseen} not examined" if unseen else ""
    return f"{which}{_value(found, judged.index)}{_place(judged, found)}{rest}"


def _value(found: Found, index: int) -> str:
    return json_text(_bare(found, index))


def _listed(found: Found) -> str:
    shown = [_value(found, index) for index in range(min(len(found.values), MAX_LISTED))]
    return ", ".join([*shown, *(["..."] if len(found.values) > MAX_LISTED else [])])


def _place(judged: Judged, found: Found) -> str:
    return f" at {shorten(found.place(judged.index), MAX_PLACE)} (value {judged.index + 1} of {judged.total})"


def _notes(judged: Judged) -> str:
    """What the evidence notes, such as that a text was cut, and that nobody knows how good the judge is."""
    notes = [one.note for one in judged.answer.evidence if one.note]
    if answered(judged.answer) and not is_calibrated(judged.answer):
        notes.append(f"judged by an LLM, {UNCALIBRATED}")
    return "".join(f" ({note})" for note in notes)


def _at(judged: Judged, found: Found) -> str:
    return _place(judged, found) if judged.total > 1 and judged.index < judged.total else ""


def _reason(loaded: LoadedAssertion, judged: Judged) -> str:
    """The reason, in which the matcher is called as files call it."""
    reason = judged.answer.reason
    if loaded.matcher is not None:
        factory = loaded.matcher.factory
        if reason.startswith(f"{factory.python_name} judges "):
            reason = factory.name + reason.removeprefix(factory.python_name)
    return _one_line(reason)


def _detail(judged: Judged, found: Found) -> str:
    """What the matcher says beyond the value, such as where two values differ."""
    reason, value = judged.answer.reason, value_text(_bare(found, judged.index))
    if judged.outcome is not Outcome.FAIL or not reason or reason.endswith(value):
        return ""
    return f" ({_one_line(reason.removeprefix(f'it is {value}, which '))})"


def _bare(found: Found, index: int) -> object:
    value = found.values[index]
    return value.text if isinstance(value, Reply | Turn) else value
