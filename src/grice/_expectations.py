"""`expect` and `evaluate` with a method for every built-in matcher.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from grice.matching.context import record_of
from grice.matching.expectation import Expectation
from grice.matching.missing import MISSING
from grice.matching.where import Parse, PathMatch, Where
from grice.records import Conversation, Exchange, HasRecord, Reply, Turn, Verdict
from grice.records.verdict import Mode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from grice.checks.context import Kind
    from grice.checks.telemetry import TokensOf
    from grice.checks.tool_flow import Label, ToolStatus
    from grice.matching.calls.matchers import ArgumentMode, ExpectedCall, Order
    from grice.matching.jest.elements import Predicate
    from grice.records import JsonValue

__all__ = [
    "ConversationExpectation",
    "ExchangeExpectation",
    "ListExpectation",
    "ObjectExpectation",
    "PathExpectation",
    "ReplyExpectation",
    "TextExpectation",
    "TurnExpectation",
    "ValueExpectation",
    "evaluate",
    "expect",
]


class TextExpectation(Expectation[str]):
    """What can be expected of a text."""

    __slots__ = ()

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=False, named={"tool_status": tool_status})

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=True, named={"tool_status": tool_status})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_be_valid_json(self) -> Verdict:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=False, named={})

    def not_to_be_valid_json(self) -> Verdict:
        """Not: the whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=True, named={})

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=False, named={"tool_status": tool_status})

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=True, named={"tool_status": tool_status})

    def to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> Verdict:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> Verdict:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_end_with(self, expected: str) -> Verdict:
        """The text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=False, named={})

    def not_to_end_with(self, expected: str) -> Verdict:
        """Not: the text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=False, named={})

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=True, named={})

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )

    def to_have_length(self, length: int) -> Verdict:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: int) -> Verdict:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=False, named={"flags": flags})

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=True, named={"flags": flags})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_start_with(self, expected: str) -> Verdict:
        """The text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=False, named={})

    def not_to_start_with(self, expected: str) -> Verdict:
        """Not: the text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=True, named={})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class ReplyExpectation(Expectation[Reply]):
    """What can be expected of a reply."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=False, named={})

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=True, named={})

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=False, named={"times": times, "at_most": at_most})

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=True, named={"times": times, "at_most": at_most})

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=False, named={"tool_status": tool_status})

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=True, named={"tool_status": tool_status})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_be_valid_json(self) -> Verdict:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=False, named={})

    def not_to_be_valid_json(self) -> Verdict:
        """Not: the whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=True, named={})

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=False, named={"tool_status": tool_status})

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=True, named={"tool_status": tool_status})

    def to_call_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """The agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=False, named={**arguments})

    def not_to_call_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """Not: the agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=True, named={**arguments})

    def to_call_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """The agent called these tools in this turn, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tools

        return self._check(
            call_tools,
            calls,
            negated=False,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def not_to_call_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """Not: the agent called these tools in this turn, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tools

        return self._check(
            call_tools,
            calls,
            negated=True,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> Verdict:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> Verdict:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_end_with(self, expected: str) -> Verdict:
        """The text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=False, named={})

    def not_to_end_with(self, expected: str) -> Verdict:
        """Not: the text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=False, named={})

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=True, named={})

    def to_have_length(self, length: int) -> Verdict:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: int) -> Verdict:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=False, named={**fields})

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=True, named={**fields})

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=False, named={"flags": flags})

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=True, named={"flags": flags})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=False, named={})

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=True, named={})

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=False, named={})

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_start_with(self, expected: str) -> Verdict:
        """The text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=False, named={})

    def not_to_start_with(self, expected: str) -> Verdict:
        """Not: the text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=True, named={})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class TurnExpectation(Expectation[Turn]):
    """What can be expected of a turn."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=False, named={})

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=True, named={})

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=False, named={"times": times, "at_most": at_most})

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=True, named={"times": times, "at_most": at_most})

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=False, named={"tool_status": tool_status})

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=True, named={"tool_status": tool_status})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_be_valid_json(self) -> Verdict:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=False, named={})

    def not_to_be_valid_json(self) -> Verdict:
        """Not: the whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=True, named={})

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=False, named={"tool_status": tool_status})

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=True, named={"tool_status": tool_status})

    def to_call_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """The agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=False, named={**arguments})

    def not_to_call_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """Not: the agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=True, named={**arguments})

    def to_call_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """The agent called these tools in this turn, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tools

        return self._check(
            call_tools,
            calls,
            negated=False,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def not_to_call_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """Not: the agent called these tools in this turn, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tools

        return self._check(
            call_tools,
            calls,
            negated=True,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> Verdict:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> Verdict:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_end_with(self, expected: str) -> Verdict:
        """The text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=False, named={})

    def not_to_end_with(self, expected: str) -> Verdict:
        """Not: the text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=False, named={})

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=True, named={})

    def to_have_length(self, length: int) -> Verdict:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: int) -> Verdict:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=False, named={**fields})

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=True, named={**fields})

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=False, named={"flags": flags})

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=True, named={"flags": flags})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=False, named={})

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=True, named={})

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=False, named={})

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_start_with(self, expected: str) -> Verdict:
        """The text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=False, named={})

    def not_to_start_with(self, expected: str) -> Verdict:
        """Not: the text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=True, named={})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class ExchangeExpectation(Expectation[Exchange]):
    """What can be expected of a request to the model."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=False, named={})

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=True, named={})

    def to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """The message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=False,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def not_to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """Not: the message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=True,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=False, named={})

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=True, named={})

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=False, named={**fields})

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=True, named={**fields})

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=False, named={})

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=True, named={})

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=False, named={})

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=True, named={})

    def to_pair_tool_calls(self) -> Verdict:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=False, named={})

    def not_to_pair_tool_calls(self) -> Verdict:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class ConversationExpectation(Expectation[Conversation]):
    """What can be expected of a whole conversation."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=False, named={})

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=True, named={})

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=False, named={"times": times, "at_most": at_most})

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=True, named={"times": times, "at_most": at_most})

    def to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """The message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=False,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def not_to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """Not: the message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=True,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def to_have_called_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """Some turn called the tool, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tool

        return self._check(have_called_tool, tool, negated=False, named={**arguments})

    def not_to_have_called_tool(self, tool: str | ExpectedCall, /, **arguments: object) -> Verdict:
        """Not: some turn called the tool, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tool

        return self._check(have_called_tool, tool, negated=True, named={**arguments})

    def to_have_called_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """The conversation called these tools, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tools

        return self._check(
            have_called_tools,
            calls,
            negated=False,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def not_to_have_called_tools(
        self,
        calls: Sequence[str | ExpectedCall],
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[str] = (),
        only: bool | Collection[str] = False,
    ) -> Verdict:
        """Not: the conversation called these tools, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tools

        return self._check(
            have_called_tools,
            calls,
            negated=True,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=False, named={**fields})

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=True, named={**fields})

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=False, named={})

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=True, named={})

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=False, named={})

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class ListExpectation(Expectation[list[Any]]):
    """What can be expected of a list, such as a message array."""

    __slots__ = ()

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> Verdict:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> Verdict:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """The message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=False,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def not_to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """Not: the message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=True,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=False, named={})

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=True, named={})

    def to_have_length(self, length: int) -> Verdict:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: int) -> Verdict:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})

    def to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """The value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=False, named={})

    def not_to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """Not: the value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=True, named={})

    def to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """The object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=False, named={})

    def not_to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """Not: the object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=True, named={})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_pair_tool_calls(self) -> Verdict:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=False, named={})

    def not_to_pair_tool_calls(self) -> Verdict:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_satisfy_all(self, predicate: Predicate) -> Verdict:
        """Every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=False, named={})

    def not_to_satisfy_all(self, predicate: Predicate) -> Verdict:
        """Not: every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=True, named={})

    def to_satisfy_any(self, predicate: Predicate) -> Verdict:
        """At least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=False, named={})

    def not_to_satisfy_any(self, predicate: Predicate) -> Verdict:
        """Not: at least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=True, named={})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class ObjectExpectation(Expectation[dict[str, Any]]):
    """What can be expected of a JSON object, such as the body of a request."""

    __slots__ = ()

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """The value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=False, named={})

    def not_to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """Not: the value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=True, named={})

    def to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """The object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=False, named={})

    def not_to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """Not: the object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=True, named={})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})


class ValueExpectation(Expectation[Any]):
    """What can be expected of any other value."""

    __slots__ = ()

    def to_be_close_to(self, value: float, digits: int = 2) -> Verdict:
        """The number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=False, named={})

    def not_to_be_close_to(self, value: float, digits: int = 2) -> Verdict:
        """Not: the number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=True, named={})

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_greater_than(self, expected: float) -> Verdict:
        """The number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=False, named={})

    def not_to_be_greater_than(self, expected: float) -> Verdict:
        """Not: the number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=True, named={})

    def to_be_greater_than_or_equal(self, expected: float) -> Verdict:
        """The number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=False, named={})

    def not_to_be_greater_than_or_equal(self, expected: float) -> Verdict:
        """Not: the number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=True, named={})

    def to_be_less_than(self, expected: float) -> Verdict:
        """The number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=False, named={})

    def not_to_be_less_than(self, expected: float) -> Verdict:
        """Not: the number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=True, named={})

    def to_be_less_than_or_equal(self, expected: float) -> Verdict:
        """The number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=False, named={})

    def not_to_be_less_than_or_equal(self, expected: float) -> Verdict:
        """Not: the number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=True, named={})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})


class PathExpectation(Expectation[Any]):
    """What can be expected of the values at a path."""

    __slots__ = ()

    def to_be_close_to(self, value: float, digits: int = 2) -> Verdict:
        """The number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=False, named={})

    def not_to_be_close_to(self, value: float, digits: int = 2) -> Verdict:
        """Not: the number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=True, named={})

    def to_be_defined(self) -> Verdict:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> Verdict:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> Verdict:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> Verdict:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=False, named={"tool_status": tool_status})

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self._check(be_free_of, labels, negated=True, named={"tool_status": tool_status})

    def to_be_greater_than(self, expected: float) -> Verdict:
        """The number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=False, named={})

    def not_to_be_greater_than(self, expected: float) -> Verdict:
        """Not: the number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=True, named={})

    def to_be_greater_than_or_equal(self, expected: float) -> Verdict:
        """The number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=False, named={})

    def not_to_be_greater_than_or_equal(self, expected: float) -> Verdict:
        """Not: the number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=True, named={})

    def to_be_less_than(self, expected: float) -> Verdict:
        """The number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=False, named={})

    def not_to_be_less_than(self, expected: float) -> Verdict:
        """Not: the number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=True, named={})

    def to_be_less_than_or_equal(self, expected: float) -> Verdict:
        """The number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=False, named={})

    def not_to_be_less_than_or_equal(self, expected: float) -> Verdict:
        """Not: the number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=True, named={})

    def to_be_null(self) -> Verdict:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> Verdict:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Sequence[object]) -> Verdict:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> Verdict:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> Verdict:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> Verdict:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> Verdict:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_be_valid_json(self) -> Verdict:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=False, named={})

    def not_to_be_valid_json(self) -> Verdict:
        """Not: the whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=True, named={})

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=False, named={"tool_status": tool_status})

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self._check(be_valid_response, negated=True, named={"tool_status": tool_status})

    def to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> Verdict:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> Verdict:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """The message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=False,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def not_to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: str | None = None,
        id: str | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> Verdict:
        """Not: the message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=True,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def to_end_with(self, expected: str) -> Verdict:
        """The text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=False, named={})

    def not_to_end_with(self, expected: str) -> Verdict:
        """Not: the text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=True, named={})

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=False, named={})

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=True, named={})

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=False, named={})

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=True, named={})

    def to_have_length(self, length: int) -> Verdict:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: int) -> Verdict:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})

    def to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """The value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=False, named={})

    def not_to_have_property(self, path: str | Sequence[str | int], value: object = MISSING) -> Verdict:
        """Not: the value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=True, named={})

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=False, named={"flags": flags})

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=True, named={"flags": flags})

    def to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """The object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=False, named={})

    def not_to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> Verdict:
        """Not: the object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=True, named={})

    def to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: Mapping[str, object] | bool) -> Verdict:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})

    def to_pair_tool_calls(self) -> Verdict:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=False, named={})

    def not_to_pair_tool_calls(self) -> Verdict:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=True, named={})

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})

    def to_satisfy_all(self, predicate: Predicate) -> Verdict:
        """Every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=False, named={})

    def not_to_satisfy_all(self, predicate: Predicate) -> Verdict:
        """Not: every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=True, named={})

    def to_satisfy_any(self, predicate: Predicate) -> Verdict:
        """At least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=False, named={})

    def not_to_satisfy_any(self, predicate: Predicate) -> Verdict:
        """Not: at least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=True, named={})

    def to_start_with(self, expected: str) -> Verdict:
        """The text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=False, named={})

    def not_to_start_with(self, expected: str) -> Verdict:
        """Not: the text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=True, named={})

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


@overload
def expect(subject: str) -> TextExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Reply) -> ReplyExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Turn) -> TurnExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Exchange) -> ExchangeExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: HasRecord) -> ConversationExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: list[Any]) -> ListExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: dict[str, Any]) -> ObjectExpectation: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: object) -> ValueExpectation: ...
@overload
def expect(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation: ...
def expect(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a hard check: the test fails unless it passes.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "hard", path, match, parse)


@overload
def evaluate(subject: str) -> TextExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Reply) -> ReplyExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Turn) -> TurnExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Exchange) -> ExchangeExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: HasRecord) -> ConversationExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: list[Any]) -> ListExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: dict[str, Any]) -> ObjectExpectation: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: object) -> ValueExpectation: ...
@overload
def evaluate(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation: ...
def evaluate(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a soft check: recorded and shown, never changing pass or fail.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "soft", path, match, parse)


def _expectation(subject: object, mode: Mode, path: str | None, match: PathMatch, parse: Parse) -> Any:
    if path is not None:
        return PathExpectation(subject, mode, Where(path, match, parse))
    if match != "ANY" or parse != "auto":
        raise TypeError("match and parse say how values at a path are judged: give a path too")
    if isinstance(subject, str):
        return TextExpectation(subject, mode)
    if isinstance(subject, Reply):
        return ReplyExpectation(subject, mode)
    if isinstance(subject, Turn):
        return TurnExpectation(subject, mode)
    if isinstance(subject, Exchange):
        return ExchangeExpectation(subject, mode)
    if isinstance(subject, list | tuple):
        return ListExpectation(subject, mode)
    if isinstance(subject, dict):
        return ObjectExpectation(subject, mode)
    if record_of(subject) is not None:
        return ConversationExpectation(subject, mode)
    return ValueExpectation(subject, mode)
