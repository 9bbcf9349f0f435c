"""`expect` and `evaluate` with a method for every built-in matcher.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from grice.matching.context import record_of
from grice.matching.expectation import Expectation
from grice.records import Conversation, Exchange, HasRecord, Reply, Turn, Verdict
from grice.records.verdict import Mode

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from grice.checks.context import Kind
    from grice.checks.telemetry import TokensOf
    from grice.checks.tool_flow import Label, ToolStatus

__all__ = [
    "ConversationExpectation",
    "ExchangeExpectation",
    "ListExpectation",
    "ObjectExpectation",
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

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(be_free_of(labels, tool_status=tool_status))

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(~be_free_of(labels, tool_status=tool_status))

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(be_valid_response(tool_status=tool_status))

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(~be_valid_response(tool_status=tool_status))

    def to_contain(self, expected: str, *, after: str | None = None, ignore_case: bool = False) -> Verdict:
        """The text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(contain(expected, after=after, ignore_case=ignore_case))

    def not_to_contain(
        self, expected: str, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(~contain(expected, after=after, ignore_case=ignore_case))

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(have_at_most_sentences(limit))

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(~have_at_most_sentences(limit))

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(have_in_system_prompt(*texts, ordered=ordered, after=after))

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(~have_in_system_prompt(*texts, ordered=ordered, after=after))

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(match(pattern, flags=flags))

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(~match(pattern, flags=flags))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class ReplyExpectation(Expectation[Reply]):
    """What can be expected of a reply."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(answer_within(seconds))

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(~answer_within(seconds))

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(ask_model(times=times, at_most=at_most))

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(~ask_model(times=times, at_most=at_most))

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(be_free_of(labels, tool_status=tool_status))

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(~be_free_of(labels, tool_status=tool_status))

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(be_valid_response(tool_status=tool_status))

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(~be_valid_response(tool_status=tool_status))

    def to_call_tool(self, name: str, /, **arguments: object) -> Verdict:
        """The agent called the tool in this turn, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import call_tool

        return self.to(call_tool(name, **arguments))

    def not_to_call_tool(self, name: str, /, **arguments: object) -> Verdict:
        """Not: the agent called the tool in this turn, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import call_tool

        return self.to(~call_tool(name, **arguments))

    def to_contain(self, expected: str, *, after: str | None = None, ignore_case: bool = False) -> Verdict:
        """The text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(contain(expected, after=after, ignore_case=ignore_case))

    def not_to_contain(
        self, expected: str, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(~contain(expected, after=after, ignore_case=ignore_case))

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(have_at_most_sentences(limit))

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(~have_at_most_sentences(limit))

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(have_parameters(**fields))

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(~have_parameters(**fields))

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(match(pattern, flags=flags))

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(~match(pattern, flags=flags))

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(offer_only_tools(*names))

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(~offer_only_tools(*names))

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(offer_tool(name))

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(~offer_tool(name))

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class TurnExpectation(Expectation[Turn]):
    """What can be expected of a turn."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(answer_within(seconds))

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(~answer_within(seconds))

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(ask_model(times=times, at_most=at_most))

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(~ask_model(times=times, at_most=at_most))

    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """The text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(be_free_of(labels, tool_status=tool_status))

    def not_to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
    ) -> Verdict:
        """Not: the text shows none of the named bad patterns; all five when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_free_of

        return self.to(~be_free_of(labels, tool_status=tool_status))

    def to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(be_valid_response(tool_status=tool_status))

    def not_to_be_valid_response(self, *, tool_status: ToolStatus | None = None) -> Verdict:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow import be_valid_response

        return self.to(~be_valid_response(tool_status=tool_status))

    def to_call_tool(self, name: str, /, **arguments: object) -> Verdict:
        """The agent called the tool in this turn, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import call_tool

        return self.to(call_tool(name, **arguments))

    def not_to_call_tool(self, name: str, /, **arguments: object) -> Verdict:
        """Not: the agent called the tool in this turn, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import call_tool

        return self.to(~call_tool(name, **arguments))

    def to_contain(self, expected: str, *, after: str | None = None, ignore_case: bool = False) -> Verdict:
        """The text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(contain(expected, after=after, ignore_case=ignore_case))

    def not_to_contain(
        self, expected: str, *, after: str | None = None, ignore_case: bool = False
    ) -> Verdict:
        """Not: the text contains `expected`."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import contain

        return self.to(~contain(expected, after=after, ignore_case=ignore_case))

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))

    def to_have_at_most_sentences(self, limit: int) -> Verdict:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(have_at_most_sentences(limit))

    def not_to_have_at_most_sentences(self, limit: int) -> Verdict:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure import have_at_most_sentences

        return self.to(~have_at_most_sentences(limit))

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(have_parameters(**fields))

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(~have_parameters(**fields))

    def to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(match(pattern, flags=flags))

    def not_to_match(self, pattern: str, *, flags: str = "") -> Verdict:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import match

        return self.to(~match(pattern, flags=flags))

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(offer_only_tools(*names))

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(~offer_only_tools(*names))

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(offer_tool(name))

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(~offer_tool(name))

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class ExchangeExpectation(Expectation[Exchange]):
    """What can be expected of a request to the model."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(answer_within(seconds))

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(~answer_within(seconds))

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

        return self.to(contain_message(role=role, content=content, id=id, before=before, after=after))

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

        return self.to(~contain_message(role=role, content=content, id=id, before=before, after=after))

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(have_in_system_prompt(*texts, ordered=ordered, after=after))

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(~have_in_system_prompt(*texts, ordered=ordered, after=after))

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self.to(have_last_user_message(text, calls))

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self.to(~have_last_user_message(text, calls))

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(have_parameters(**fields))

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(~have_parameters(**fields))

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(offer_only_tools(*names))

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(~offer_only_tools(*names))

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(offer_tool(name))

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(~offer_tool(name))

    def to_pair_tool_calls(self) -> Verdict:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self.to(pair_tool_calls())

    def not_to_pair_tool_calls(self) -> Verdict:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self.to(~pair_tool_calls())

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class ConversationExpectation(Expectation[Conversation]):
    """What can be expected of a whole conversation."""

    __slots__ = ()

    def to_answer_within(self, seconds: float) -> Verdict:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(answer_within(seconds))

    def not_to_answer_within(self, seconds: float) -> Verdict:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self.to(~answer_within(seconds))

    def to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(ask_model(times=times, at_most=at_most))

    def not_to_ask_model(self, *, times: int | None = None, at_most: int | None = None) -> Verdict:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self.to(~ask_model(times=times, at_most=at_most))

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

        return self.to(contain_message(role=role, content=content, id=id, before=before, after=after))

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

        return self.to(~contain_message(role=role, content=content, id=id, before=before, after=after))

    def to_have_called_tool(self, name: str, /, **arguments: object) -> Verdict:
        """Some turn of the conversation called the tool, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import have_called_tool

        return self.to(have_called_tool(name, **arguments))

    def not_to_have_called_tool(self, name: str, /, **arguments: object) -> Verdict:
        """Not: some turn of the conversation called the tool, with at least these arguments."""
        __tracebackhide__ = True
        from grice.matching.tool_call_matchers import have_called_tool

        return self.to(~have_called_tool(name, **arguments))

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(have_in_system_prompt(*texts, ordered=ordered, after=after))

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(~have_in_system_prompt(*texts, ordered=ordered, after=after))

    def to_have_parameters(self, **fields: object) -> Verdict:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(have_parameters(**fields))

    def not_to_have_parameters(self, **fields: object) -> Verdict:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self.to(~have_parameters(**fields))

    def to_offer_only_tools(self, *names: str) -> Verdict:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(offer_only_tools(*names))

    def not_to_offer_only_tools(self, *names: str) -> Verdict:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self.to(~offer_only_tools(*names))

    def to_offer_tool(self, name: str) -> Verdict:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(offer_tool(name))

    def not_to_offer_tool(self, name: str) -> Verdict:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self.to(~offer_tool(name))

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class ListExpectation(Expectation[list[Any]]):
    """What can be expected of a list, such as a message array."""

    __slots__ = ()

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

        return self.to(contain_message(role=role, content=content, id=id, before=before, after=after))

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

        return self.to(~contain_message(role=role, content=content, id=id, before=before, after=after))

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))

    def to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(have_in_system_prompt(*texts, ordered=ordered, after=after))

    def not_to_have_in_system_prompt(
        self, *texts: str, ordered: bool = False, after: str | None = None
    ) -> Verdict:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self.to(~have_in_system_prompt(*texts, ordered=ordered, after=after))

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self.to(have_last_user_message(text, calls))

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> Verdict:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self.to(~have_last_user_message(text, calls))

    def to_pair_tool_calls(self) -> Verdict:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self.to(pair_tool_calls())

    def not_to_pair_tool_calls(self) -> Verdict:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self.to(~pair_tool_calls())

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))

    def to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(stay_within_tokens(limit, of=of))

    def not_to_stay_within_tokens(self, limit: int, *, of: TokensOf = "input") -> Verdict:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self.to(~stay_within_tokens(limit, of=of))


class ObjectExpectation(Expectation[dict[str, Any]]):
    """What can be expected of a JSON object, such as the body of a request."""

    __slots__ = ()

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))

    def to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(pass_lint(ignore=ignore, warnings=warnings))

    def not_to_pass_lint(self, *, ignore: Collection[str] = (), warnings: bool = False) -> Verdict:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self.to(~pass_lint(ignore=ignore, warnings=warnings))


class ValueExpectation(Expectation[Any]):
    """What can be expected of any other value."""

    __slots__ = ()

    def to_equal(self, expected: object) -> Verdict:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(equal(expected))

    def not_to_equal(self, expected: object) -> Verdict:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.value_matchers import equal

        return self.to(~equal(expected))


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
def expect(subject: object) -> Any:
    """Begin a hard check: the test fails unless it passes."""
    return _expectation(subject, "hard")


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
def evaluate(subject: object) -> Any:
    """Begin a soft check: recorded and shown, never changing pass or fail."""
    return _expectation(subject, "soft")


def _expectation(subject: object, mode: Mode) -> Any:
    if isinstance(subject, str):
        return TextExpectation(subject, mode)
    if isinstance(subject, Reply):
        return ReplyExpectation(subject, mode)
    if isinstance(subject, Turn):
        return TurnExpectation(subject, mode)
    if isinstance(subject, Exchange):
        return ExchangeExpectation(subject, mode)
    if isinstance(subject, list):
        return ListExpectation(subject, mode)
    if isinstance(subject, dict):
        return ObjectExpectation(subject, mode)
    if record_of(subject) is not None:
        return ConversationExpectation(subject, mode)
    return ValueExpectation(subject, mode)
