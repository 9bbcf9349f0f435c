"""What an editor shows beside each assertion while it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from grice.matching.assertions.assertion import FieldProblem, LoadedAssertion
from grice.matching.assertions.results import AssertionResult
from grice.matching.selector import Parse
from grice.matching.values import NOTHING_RESOLVED, Source
from grice.records import Outcome

PreviewState = Literal["PASS", "FAIL", "NOTHING_FOUND", "INCONCLUSIVE", "ERROR", "SKIPPED"]

_ASK_FOR_NOTHING = {("toBeUndefined", False), ("toBeDefined", True)}
"""Matchers, and whether they are negated, that pass where a path finds nothing, as they are to do."""


_STATES: dict[Outcome, PreviewState] = {
    Outcome.PASS: "PASS",
    Outcome.FAIL: "FAIL",
    Outcome.INCONCLUSIVE: "INCONCLUSIVE",
    Outcome.ERROR: "ERROR",
    Outcome.SKIPPED: "SKIPPED",
}


class AssertionPreview(msgspec.Struct, frozen=True):
    """How an assertion stands on an output, in a word and in words.

    NOTHING_FOUND is a path that finds nothing: mostly it is misspelt, whether the assertion passes or not.
    `problems` keep the assertion from being asked.
    """

    assertion_id: str
    state: PreviewState
    passed: bool
    words: str
    problems: tuple[FieldProblem, ...] = ()


def preview(
    actual: object,
    assertions: Sequence[LoadedAssertion],
    results: Sequence[AssertionResult],
    parse: Parse = "auto",
) -> list[AssertionPreview]:
    """How each assertion stands on the output, given what `evaluate_assertions` said of it, in order."""
    source = Source(actual, parse)
    return [
        _previewed(one, result, source) for one, result in zip(assertions, results, strict=False)
    ]  # results that did not fit their limit are the last ones


def _previewed(loaded: LoadedAssertion, result: AssertionResult, source: Source) -> AssertionPreview:
    state = _STATES[result.outcome]
    words = result.message
    if result.unresolved and (result.matcher, result.negated) not in _ASK_FOR_NOTHING:
        state, words = "NOTHING_FOUND", _nothing_found(loaded, result, source)
    return AssertionPreview(result.assertion_id, state, result.passed, words, loaded.problems)


def _nothing_found(loaded: LoadedAssertion, result: AssertionResult, source: Source) -> str:
    _, _, why = result.message.partition(f"{NOTHING_RESOLVED}: ")
    hint = source.near_miss(loaded.assertion.path) or (f": {why}" if why else "")
    because = "it passes because of that" if result.passed else "so it does not pass"
    return f"the path finds nothing{hint}; {because}"
