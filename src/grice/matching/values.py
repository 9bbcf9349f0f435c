"""The values that a path finds in a subject, and the verdict on all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from grice.matching.answers import answer_of, with_value
from grice.matching.context import Context, record_of
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.limits import Limits
from grice.matching.matcher import Matcher
from grice.matching.missing import MISSING
from grice.matching.paths import PathError, Place, compile_path
from grice.matching.plain import is_json, plain_json
from grice.matching.where import Parse, PathMatch
from grice.records import JsonValue, Outcome, Reply, Turn, Verdict, errored, failed, fold_all, fold_any
from grice.text import shorten, value_text, visible

__all__ = ["Found", "Judged", "Source", "judge_values"]

NOTHING = "nothing resolved"
MAX_PATH = 200


class Found(msgspec.Struct, frozen=True):
    """What a path found: `values`, in order; [MISSING] when it resolved nothing, and `why` then.

    `place` says where the value of an index stands, as a JSON path.
    """

    values: Sequence[Any]
    places: Sequence[Place] = ()
    why: str = ""

    @property
    def unresolved(self) -> bool:
        """Whether nothing was found."""
        return bool(self.why)

    def place(self, index: int) -> str:
        """The JSON path of the value; "$" for the subject itself."""
        return self.places[index].location if index < len(self.places) else "$"


class Source:
    """A subject in which paths find values. A text is read as JSON at most once."""

    def __init__(self, subject: object, parse: Parse = "auto") -> None:
        self.subject = subject
        self.parse: Parse = parse
        self._value: JsonValue = MISSING
        self._why: str | None = None

    def find(self, path: str) -> Found:
        """What the path finds. Raises PathError for a path that cannot be used, or not on this value.

        `$` is the subject as it is, unless the text was asked to be read as JSON.
        """
        compiled = compile_path(path)
        is_text = isinstance(self.subject, str | Reply | Turn)
        if compiled.normalized == "$" and (self.parse in ("auto", "text") or not is_text):
            return Found([self.subject])
        if is_text and self.parse == "text":
            raise PathError(f"{compiled.normalized} goes into JSON, and parse='text' leaves the text alone")
        value = self._json()
        if value is MISSING:
            return Found([MISSING], why=f"{NOTHING}: {self._why}")
        if not is_json(value):
            raise PathError(f"a path goes into JSON values, found {value_text(value)}")
        places = compiled.find_places(value)
        if not places:
            shown = visible(shorten(compiled.normalized, MAX_PATH), newlines=False)
            return Found([MISSING], why=f"{NOTHING} at {shown}")
        return Found([place.value for place in places], places)

    def _json(self) -> JsonValue:
        """The subject as a JSON value; MISSING for a text that is none, and then `_why` says why."""
        if self._why is None:
            self._why = ""
            try:
                self._value = self._read()
            except NotJson as error:
                self._why = str(error)
        return self._value

    def _read(self) -> JsonValue:
        subject = self.subject
        if isinstance(subject, Reply | Turn):
            subject = subject.text
        if isinstance(subject, str):
            return parse_json(subject, self.parse)
        record = None if isinstance(subject, dict | list) else record_of(subject)
        return plain_json(record if record is not None else subject)


class Judged(msgspec.Struct, frozen=True):
    """What a matcher says of several values, negation not applied.

    `answer` is the verdict that decided, on the value with the number `index`; `examined` of `total` values
    were looked at.
    """

    outcome: Outcome
    answer: Verdict
    index: int
    examined: int
    total: int


def judge_values(
    matcher: Matcher[Any], found: Found, mode: PathMatch, context: Context, limits: Limits
) -> Judged:
    """Judge the values one after the other until the outcome is clear. Never raises.

    ANY stops at the first pass, ALL at the first fail. With mixed outcomes ANY: pass beats error beats
    inconclusive beats fail; ALL: fail beats error beats inconclusive beats pass. The time budget is looked
    at between values.
    """
    decisive = Outcome.PASS if mode == "ANY" else Outcome.FAIL
    judges = _judge(matcher, context)
    end = None if len(found.values) == 1 else limits.clock() + limits.time_budget
    answers: list[Verdict] = []
    for index, value in enumerate(found.values):
        if end is not None and index and limits.clock() > end:
            late = _out_of_time(limits, index, len(found.values))
            return Judged(Outcome.ERROR, late, index - 1, index, len(found.values))
        answer = judges(value)
        answers.append(answer)
        if answer.outcome is decisive:
            return Judged(decisive, with_value(answer, value), index, index + 1, len(found.values))
    fold = fold_any if mode == "ANY" else fold_all
    outcome = fold(answer.outcome for answer in answers)
    alike = [place for place, answer in enumerate(answers) if answer.outcome is outcome]
    index = alike[0] if alike else 0
    answer = with_value(answers[index], found.values[index])
    if answer.trivially_true and not all(answers[place].trivially_true for place in alike):
        answer = msgspec.structs.replace(answer, trivially_true=False)  # the other values say something
    return Judged(outcome, answer, index, len(answers), len(found.values))


def _judge(matcher: Matcher[Any], context: Context) -> Callable[[Any], Verdict]:
    missing = matcher.factory.judges_missing

    def answer(value: object) -> Verdict:
        if value is MISSING and not missing:
            return failed(NOTHING)
        return answer_of(matcher, value, context)

    return answer


def _out_of_time(limits: Limits, examined: int, total: int) -> Verdict:
    return errored(
        f"out of time after {limits.time_budget * 1000:g} ms, when {examined} of {total} values were examined"
    )
