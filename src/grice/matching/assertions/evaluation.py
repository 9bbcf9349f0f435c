"""Evaluating assertions that are data on an output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from grice.matching.assertions.assertion import Assertion, LoadedAssertion, read_assertions
from grice.matching.assertions.results import AssertionResult, fitted, result_of
from grice.matching.context import Context
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.judge import judge
from grice.matching.limits import Limits, limited, limits_in_force
from grice.matching.selection_message import refusal_of
from grice.matching.selector import Parse, wrong_choice
from grice.matching.values import Source
from grice.records import JsonValue, Outcome, Selection, Verdict, fold_all

OutputType = Literal["string", "json"]
RunMode = Literal["DEFAULT", "SKIP", "ONLY"]


class Evaluation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came out of all assertions of one case, in order.

    `passed` only when every one passed. `left_out` counts results that did not fit the limit on details.
    """

    passed: bool
    outcome: Outcome
    results: tuple[AssertionResult, ...] = ()
    message: str = ""
    left_out: int = 0


def evaluate_assertions(
    actual: object,
    assertions: Iterable[Assertion | LoadedAssertion | Mapping[str, Any]] | None = None,
    *,
    parse: Parse = "auto",
    expected_output: JsonValue | UnsetType = UNSET,
    output_type: OutputType = "string",
    limits: Limits | None = None,
) -> Evaluation:
    """Judge an output by assertions, given as records, dicts, or what `load_assertions` returned.

    `actual` is a text or a JSON value. A path below `$` reads a text as JSON as `parse` says: `json` as a
    whole, `fenced` from a code fence, `auto` either, `text` never; `$` itself is the text, except with `json`
    and `fenced`. Without any assertions the output is compared with `expected_output`: as texts, or as JSON
    values when `output_type` is "json". An assertion that cannot be asked is an `error`, also when negated;
    without anything to ask the whole is one. Never raises because of what it is given, but for LimitsError
    when the environment sets a limit wrongly.
    """
    limits = limits if limits is not None else limits_in_force()
    wrong = wrong_choice("ANY", parse)
    if wrong:
        return _refused(wrong)
    loaded = read_assertions([] if assertions is None else assertions, limits)
    if not loaded:
        if expected_output is UNSET:
            return _refused("nothing to judge by: neither assertions nor an expected output")
        if output_type not in get_args(OutputType):
            return _refused(f"output_type: expected string or json, found {output_type!r}")
        unlimited = msgspec.structs.replace(limits, max_assertion_json_bytes=sys.maxsize)
        loaded = read_assertions([legacy_assertion(expected_output, output_type)], unlimited)
        parse = "text" if output_type == "string" else "json"
    source, context = _source_of(actual, parse), Context(limits=limits, as_value=True, judge=_judge(loaded))
    with limited(limits):
        results = [_evaluated(one, source, context) for one in loaded]
    outcome = fold_all(result.outcome for result in results)
    kept, left_out = fitted(results, limits)
    return Evaluation(outcome is Outcome.PASS, outcome, tuple(kept), left_out=left_out)


def evaluate_outcomes(
    actual: object, loaded: Sequence[LoadedAssertion], *, parse: Parse = "auto", limits: Limits
) -> list[Verdict] | None:
    """The outcome of each assertion and nothing else, at a part of the cost of `evaluate_assertions`.

    None where that says more: for an assertion that cannot be asked, and where an LLM judges.
    """
    if not loaded or any(one.matcher is None or one.matcher.judged for one in loaded):
        return None
    source, context = _source_of(actual, parse), Context(limits=limits, as_value=True, outcome_only=True)
    with limited(limits):
        return [judge(one.matcher, source, context, one.at) for one in loaded if one.matcher is not None]


def _source_of(actual: object, parse: Parse) -> Source:
    """Where paths look into an output, which may say so itself, as NoData does."""
    return actual if isinstance(actual, Source) else Source(actual, parse)


def _judge(loaded: Sequence[LoadedAssertion]) -> Any:
    """The judge of the running test or block, for matchers that want one; None where nobody wants it."""
    if not any(one.matcher is not None and one.matcher.judged for one in loaded):
        return None
    from grice.matching.recording import find_judge, find_recorder

    return find_judge(find_recorder(None))


def _refused(message: str) -> Evaluation:
    return Evaluation(False, Outcome.ERROR, (), message)


def legacy_assertion(expected: JsonValue, output_type: OutputType) -> Assertion:
    """The assertion that compares the whole output; expected JSON may be written as text."""
    if output_type == "json" and isinstance(expected, str):
        with suppress(NotJson):  # a JSON string, given as it is
            expected = parse_json(expected)
    return Assertion("toEqual", expected, id="expected_output")


def _evaluated(loaded: LoadedAssertion, source: Source, context: Context) -> AssertionResult:
    assertion, at, matcher = loaded.assertion, loaded.at, loaded.matcher
    if matcher is None:
        asked = Selection(at.path, at.match, at.id, message=refusal_of(at.words, loaded.problem, at))
        refused = Verdict(Outcome.ERROR, matcher=assertion.matcher, negated=assertion.negated)
        return result_of(refused, asked, assertion.description)
    verdict = judge(matcher, source, context, at)
    return result_of(verdict, verdict.selection or Selection(at.path), assertion.description)


def resolve_path(actual: object, path: str, *, parse: Parse = "auto") -> list[JsonValue]:
    """The values that the path finds in a text or JSON value, in order; [] when it resolves nothing.

    `$` is the value as it is; below it a text is read as JSON, as `evaluate_assertions` does. Raises
    PathError, with the position, for a path that is none, and for a subject that no path goes into.
    """
    wrong = wrong_choice("ANY", parse)
    if wrong:
        raise ValueError(wrong)
    found = Source(actual, parse).find(path)
    return [] if found.unresolved else list(found.values)


def select_cases(cases: Iterable[Any], mode: Callable[[Any], RunMode]) -> list[Any]:
    """The cases to run: not those with SKIP; when any has ONLY, only those."""
    listed = list(cases)
    only = [case for case in listed if mode(case) == "ONLY"]
    return only or [case for case in listed if mode(case) != "SKIP"]
