"""`expect` and `evaluate` with a method for every built-in matcher.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from grice.matching.context import record_of
from grice.matching.expectation import Expectation
from grice.matching.missing import MISSING
from grice.matching.where import Parse, PathMatch, Where
from grice.records import Conversation, Exchange, HasRecord, Reply, Turn, Verdict
from grice.records.verdict import Mode

S = TypeVar("S")
R = TypeVar("R")

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Mapping, Sequence
    from os import PathLike

    from grice.checks.context import ExpectedMessages
    from grice.checks.contradiction.consistency import Pairs
    from grice.checks.evidence.policy import Card
    from grice.checks.evidence.report import Allowed
    from grice.checks.evidence.support import SpokenSynonyms
    from grice.checks.evidence.verifier import Verifier
    from grice.checks.message_events import Kind
    from grice.checks.message_lint.matcher import RuleName
    from grice.checks.performance import Prices
    from grice.checks.performance_gate import Baseline
    from grice.checks.phrase_rules.rule import PhraseRule
    from grice.checks.product_records import Records
    from grice.checks.profiles import Profile
    from grice.checks.semantics.constraints import Constraints
    from grice.checks.semantics.coverage import CoveredBy
    from grice.checks.semantics.embedders import EmbedderChoice
    from grice.checks.semantics.topicality import Cosine
    from grice.checks.structure.budget import Budget
    from grice.checks.structure.clarifiers import Slots
    from grice.checks.structure.drivers import Drivers
    from grice.checks.structure.envelope import EnvelopeMode, Range
    from grice.checks.structure.reading import Shape
    from grice.checks.telemetry import TokensOf
    from grice.checks.tone.boilerplate import Phrases
    from grice.checks.tool_flow.labels import Label
    from grice.checks.tool_flow.status import ToolStatus
    from grice.checks.tool_minimality import Policies, ToolNames
    from grice.checks.topic_history import HistoryOrder, TopicNames
    from grice.claims.lexicon import Synonyms
    from grice.judging.grounding import FromTools
    from grice.judging.judge import SampleCount
    from grice.judging.meeting import BundleOf
    from grice.judging.quality import TurnKind
    from grice.judging.satisfying import CriterionLike
    from grice.matching.argument_types import (
        AtLeastOne,
        AtLeastZero,
        Language,
        NotNegative,
        Positive,
        Score,
        Share,
        SpokenText,
        Text,
    )
    from grice.matching.calls.matchers import ArgumentMode, Calls, Tool
    from grice.matching.calls.order import Order
    from grice.matching.jest.elements import Predicate
    from grice.matching.jest.numbers import Digits
    from grice.matching.jest.objects import JsonSchema, PropertyPath
    from grice.matching.jest.values import Length, Options
    from grice.matching.waiting import PendingVerdict
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
    "awaited_evaluate",
    "awaited_expect",
    "evaluate",
    "expect",
]


class _ExchangeAndConversationAndListAndPath(Expectation[S, R]):
    """What can be expected of a request to the model, a whole conversation, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_contain_message(
        self,
        *,
        role: Kind | None = None,
        content: Text | None = None,
        id: Text | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> R:
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
        content: Text | None = None,
        id: Text | None = None,
        before: Kind | None = None,
        after: Kind | None = None,
    ) -> R:
        """Not: the message array has a message of that role whose text contains `content`, at that place."""
        __tracebackhide__ = True
        from grice.checks.context import contain_message

        return self._check(
            contain_message,
            negated=True,
            named={"role": role, "content": content, "id": id, "before": before, "after": after},
        )

    def to_contain_messages(self, messages: ExpectedMessages, *, order: Order = "in_order") -> R:
        """The message array has these messages, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.checks.context import contain_messages

        return self._check(contain_messages, messages, negated=False, named={"order": order})

    def not_to_contain_messages(self, messages: ExpectedMessages, *, order: Order = "in_order") -> R:
        """Not: the message array has these messages, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.checks.context import contain_messages

        return self._check(contain_messages, messages, negated=True, named={"order": order})


class _ExchangeAndListAndPath(Expectation[S, R]):
    """What can be expected of a request to the model, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> R:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=False, named={})

    def not_to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> R:
        """Not: the last user message of the array says exactly `text`, and the turn's tool calls come after it."""
        __tracebackhide__ = True
        from grice.checks.context import have_last_user_message

        return self._check(have_last_user_message, text, calls, negated=True, named={})

    def to_pair_tool_calls(self) -> R:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=False, named={})

    def not_to_pair_tool_calls(self) -> R:
        """Not: in the message array every tool call is answered exactly once, by a later result with its id."""
        __tracebackhide__ = True
        from grice.checks.context import pair_tool_calls

        return self._check(pair_tool_calls, negated=True, named={})


class _ListAndObjectAndPath(Expectation[S, R]):
    """What can be expected of a list, such as a message array, a JSON object, such as the body of a request, the values at a path."""

    __slots__ = ()

    def to_have_property(self, path: PropertyPath, value: object = MISSING) -> R:
        """The value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=False, named={})

    def not_to_have_property(self, path: PropertyPath, value: object = MISSING) -> R:
        """Not: the value has something at `path`, and it equals `value` when that is given."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import have_property

        return self._check(have_property, path, value, negated=True, named={})

    def to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> R:
        """The object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=False, named={})

    def not_to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> R:
        """Not: the object has at least the properties of `expected`, nested ones too; others do not matter."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_object

        return self._check(match_object, expected, negated=True, named={})


class _ListAndPath(Expectation[S, R]):
    """What can be expected of a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_satisfy_all(self, predicate: Predicate) -> R:
        """Every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=False, named={})

    def not_to_satisfy_all(self, predicate: Predicate) -> R:
        """Not: every element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_all

        return self._check(satisfy_all, predicate, negated=True, named={})

    def to_satisfy_any(self, predicate: Predicate) -> R:
        """At least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=False, named={})

    def not_to_satisfy_any(self, predicate: Predicate) -> R:
        """Not: at least one element of the list satisfies the matcher or function."""
        __tracebackhide__ = True
        from grice.matching.jest.elements import satisfy_any

        return self._check(satisfy_any, predicate, negated=True, named={})


class _ReplyAndConversation(Expectation[S, R]):
    """What can be expected of a reply, a whole conversation."""

    __slots__ = ()

    def to_avoid_factual_contradiction(
        self, *, tool_results: bool = True, language: Language | None = None
    ) -> R:
        """The assistant states nothing that contradicts what it stated before, or its tools' results."""
        __tracebackhide__ = True
        from grice.checks.contradiction.factual_contradiction import avoid_factual_contradiction

        return self._check(
            avoid_factual_contradiction,
            negated=False,
            named={"tool_results": tool_results, "language": language},
        )

    def not_to_avoid_factual_contradiction(
        self, *, tool_results: bool = True, language: Language | None = None
    ) -> R:
        """Not: the assistant states nothing that contradicts what it stated before, or its tools' results."""
        __tracebackhide__ = True
        from grice.checks.contradiction.factual_contradiction import avoid_factual_contradiction

        return self._check(
            avoid_factual_contradiction,
            negated=True,
            named={"tool_results": tool_results, "language": language},
        )

    def to_avoid_self_contradiction(
        self,
        *,
        pairs: Pairs | None = None,
        agreement_acknowledges: bool = False,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """The assistant does not take the opposite of what it said before without saying so."""
        __tracebackhide__ = True
        from grice.checks.contradiction.self_contradiction import avoid_self_contradiction

        return self._check(
            avoid_self_contradiction,
            negated=False,
            named={
                "pairs": pairs,
                "agreement_acknowledges": agreement_acknowledges,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_avoid_self_contradiction(
        self,
        *,
        pairs: Pairs | None = None,
        agreement_acknowledges: bool = False,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: the assistant does not take the opposite of what it said before without saying so."""
        __tracebackhide__ = True
        from grice.checks.contradiction.self_contradiction import avoid_self_contradiction

        return self._check(
            avoid_self_contradiction,
            negated=True,
            named={
                "pairs": pairs,
                "agreement_acknowledges": agreement_acknowledges,
                "language": language,
                "profile": profile,
            },
        )


class _ReplyAndTurn(Expectation[S, R]):
    """What can be expected of a reply, a turn."""

    __slots__ = ()

    def to_call_tool(self, tool: Tool, /, **arguments: object) -> R:
        """The agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=False, named={**arguments})

    def not_to_call_tool(self, tool: Tool, /, **arguments: object) -> R:
        """Not: the agent called the tool in this turn, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tool

        return self._check(call_tool, tool, negated=True, named={**arguments})

    def to_call_tools(
        self,
        calls: Calls,
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[Text] = (),
        only: bool | Collection[Text] = False,
    ) -> R:
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
        calls: Calls,
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[Text] = (),
        only: bool | Collection[Text] = False,
    ) -> R:
        """Not: the agent called these tools in this turn, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import call_tools

        return self._check(
            call_tools,
            calls,
            negated=True,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def to_meet(self, bundle: BundleOf) -> R:
        """The turn passes every check of the bundle `chat`, `recommend` or `policy`; a table says which."""
        __tracebackhide__ = True
        from grice.judging.meeting import meet

        return self._check(meet, bundle, negated=False, named={})

    def not_to_meet(self, bundle: BundleOf) -> R:
        """Not: the turn passes every check of the bundle `chat`, `recommend` or `policy`; a table says which."""
        __tracebackhide__ = True
        from grice.judging.meeting import meet

        return self._check(meet, bundle, negated=True, named={})

    def to_use_tools_for(
        self,
        intent: str,
        *,
        policy: Policies | None = None,
        search: Text = "product.search",
        store_card: ToolNames = ("store.info", "policy.get"),
        store_card_text: SpokenText | None = None,
        at_most: AtLeastOne = 2,
        profile: Profile = "robust",
    ) -> R:
        """The turn used the tools that this intent takes, and no more."""
        __tracebackhide__ = True
        from grice.checks.tool_minimality import use_tools_for

        return self._check(
            use_tools_for,
            intent,
            negated=False,
            named={
                "policy": policy,
                "search": search,
                "store_card": store_card,
                "store_card_text": store_card_text,
                "at_most": at_most,
                "profile": profile,
            },
        )

    def not_to_use_tools_for(
        self,
        intent: str,
        *,
        policy: Policies | None = None,
        search: Text = "product.search",
        store_card: ToolNames = ("store.info", "policy.get"),
        store_card_text: SpokenText | None = None,
        at_most: AtLeastOne = 2,
        profile: Profile = "robust",
    ) -> R:
        """Not: the turn used the tools that this intent takes, and no more."""
        __tracebackhide__ = True
        from grice.checks.tool_minimality import use_tools_for

        return self._check(
            use_tools_for,
            intent,
            negated=True,
            named={
                "policy": policy,
                "search": search,
                "store_card": store_card,
                "store_card_text": store_card_text,
                "at_most": at_most,
                "profile": profile,
            },
        )


class _ReplyAndTurnAndConversation(Expectation[S, R]):
    """What can be expected of a reply, a turn, a whole conversation."""

    __slots__ = ()

    def to_ask_model(self, *, times: AtLeastZero | None = None, at_most: AtLeastZero | None = None) -> R:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=False, named={"times": times, "at_most": at_most})

    def not_to_ask_model(self, *, times: AtLeastZero | None = None, at_most: AtLeastZero | None = None) -> R:
        """Not: the agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
        __tracebackhide__ = True
        from grice.checks.telemetry import ask_model

        return self._check(ask_model, negated=True, named={"times": times, "at_most": at_most})

    def to_be_grounded_in(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """Every claim of these types rests on what tools returned; any statement of fact when none is named."""
        __tracebackhide__ = True
        from grice.judging.grounding import be_grounded_in

        return self._check(be_grounded_in, *claim_types, negated=False, named={"from_tools": from_tools})

    def not_to_be_grounded_in(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """Not: every claim of these types rests on what tools returned; any statement of fact when none is named."""
        __tracebackhide__ = True
        from grice.judging.grounding import be_grounded_in

        return self._check(be_grounded_in, *claim_types, negated=True, named={"from_tools": from_tools})

    def to_be_in_topic(self, name: Text) -> R:
        """The turn belongs to the topic of that name; of a conversation, the last turn."""
        __tracebackhide__ = True
        from grice.checks.topic_history import be_in_topic

        return self._check(be_in_topic, name, negated=False, named={})

    def not_to_be_in_topic(self, name: Text) -> R:
        """Not: the turn belongs to the topic of that name; of a conversation, the last turn."""
        __tracebackhide__ = True
        from grice.checks.topic_history import be_in_topic

        return self._check(be_in_topic, name, negated=True, named={})

    def to_claim(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """A claim of these types is made that no tool result supports; meant for `not_to_claim`."""
        __tracebackhide__ = True
        from grice.judging.grounding import claim

        return self._check(claim, *claim_types, negated=False, named={"from_tools": from_tools})

    def not_to_claim(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """Not: a claim of these types is made that no tool result supports; meant for `not_to_claim`."""
        __tracebackhide__ = True
        from grice.judging.grounding import claim

        return self._check(claim, *claim_types, negated=True, named={"from_tools": from_tools})

    def to_report_what_it_did(
        self, *, store_card_tool: SpokenText | None = None, store_card_text: SpokenText | None = None
    ) -> R:
        """What the agent reports of its turn in `data["meta"]` is what was measured."""
        __tracebackhide__ = True
        from grice.checks.self_report import report_what_it_did

        return self._check(
            report_what_it_did,
            negated=False,
            named={"store_card_tool": store_card_tool, "store_card_text": store_card_text},
        )

    def not_to_report_what_it_did(
        self, *, store_card_tool: SpokenText | None = None, store_card_text: SpokenText | None = None
    ) -> R:
        """Not: what the agent reports of its turn in `data["meta"]` is what was measured."""
        __tracebackhide__ = True
        from grice.checks.self_report import report_what_it_did

        return self._check(
            report_what_it_did,
            negated=True,
            named={"store_card_tool": store_card_tool, "store_card_text": store_card_text},
        )

    def to_use_tools(self, *names: Text, only: bool = False, at_most: AtLeastZero | None = None) -> R:
        """Every one of these tools was used; without names, any tool at all."""
        __tracebackhide__ = True
        from grice.checks.tools_used import use_tools

        return self._check(use_tools, *names, negated=False, named={"only": only, "at_most": at_most})

    def not_to_use_tools(self, *names: Text, only: bool = False, at_most: AtLeastZero | None = None) -> R:
        """Not: every one of these tools was used; without names, any tool at all."""
        __tracebackhide__ = True
        from grice.checks.tools_used import use_tools

        return self._check(use_tools, *names, negated=True, named={"only": only, "at_most": at_most})


class _ReplyAndTurnAndConversationAndListAndPath(Expectation[S, R]):
    """What can be expected of a reply, a turn, a whole conversation, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_clarify_efficiently(
        self, *, at_most: NotNegative = 2.0, shape: Shape | None = None, profile: Profile = "robust"
    ) -> R:
        """From first clarifier to recommendation it takes at most that many turns, on average over rounds."""
        __tracebackhide__ = True
        from grice.checks.semantics.clarifier_efficiency import clarify_efficiently

        return self._check(
            clarify_efficiently, negated=False, named={"at_most": at_most, "shape": shape, "profile": profile}
        )

    def not_to_clarify_efficiently(
        self, *, at_most: NotNegative = 2.0, shape: Shape | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: from first clarifier to recommendation it takes at most that many turns, on average over rounds."""
        __tracebackhide__ = True
        from grice.checks.semantics.clarifier_efficiency import clarify_efficiently

        return self._check(
            clarify_efficiently, negated=True, named={"at_most": at_most, "shape": shape, "profile": profile}
        )

    def to_perform_within(
        self,
        *,
        baseline: Baseline | None = None,
        latency_p95: Positive | None = 5.0,
        tokens_p95: Positive | None = None,
        cost: Positive | None = None,
        max_rise: NotNegative = 0.2,
        prices: Prices | None = None,
    ) -> R:
        """The turns stay below limits, and no figure rises more than `max_rise` over the baseline's."""
        __tracebackhide__ = True
        from grice.checks.performance_gate import perform_within

        return self._check(
            perform_within,
            negated=False,
            named={
                "baseline": baseline,
                "latency_p95": latency_p95,
                "tokens_p95": tokens_p95,
                "cost": cost,
                "max_rise": max_rise,
                "prices": prices,
            },
        )

    def not_to_perform_within(
        self,
        *,
        baseline: Baseline | None = None,
        latency_p95: Positive | None = 5.0,
        tokens_p95: Positive | None = None,
        cost: Positive | None = None,
        max_rise: NotNegative = 0.2,
        prices: Prices | None = None,
    ) -> R:
        """Not: the turns stay below limits, and no figure rises more than `max_rise` over the baseline's."""
        __tracebackhide__ = True
        from grice.checks.performance_gate import perform_within

        return self._check(
            perform_within,
            negated=True,
            named={
                "baseline": baseline,
                "latency_p95": latency_p95,
                "tokens_p95": tokens_p95,
                "cost": cost,
                "max_rise": max_rise,
                "prices": prices,
            },
        )


class _ReplyAndTurnAndExchangeAndConversation(Expectation[S, R]):
    """What can be expected of a reply, a turn, a request to the model, a whole conversation."""

    __slots__ = ()

    def to_answer_within(self, seconds: Positive) -> R:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=False, named={})

    def not_to_answer_within(self, seconds: Positive) -> R:
        """Not: the answer came within that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import answer_within

        return self._check(answer_within, seconds, negated=True, named={})

    def to_have_parameters(self, **fields: object) -> R:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=False, named={**fields})

    def not_to_have_parameters(self, **fields: object) -> R:
        """Not: the request has these fields at its top level, with these values: the model, the temperature, ..."""
        __tracebackhide__ = True
        from grice.checks.requests import have_parameters

        return self._check(have_parameters, negated=True, named={**fields})

    def to_offer_only_tools(self, *names: Text) -> R:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=False, named={})

    def not_to_offer_only_tools(self, *names: Text) -> R:
        """Not: the request offers the model exactly these tools, in any order; without names, none at all."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_only_tools

        return self._check(offer_only_tools, *names, negated=True, named={})

    def to_offer_tool(self, name: Text) -> R:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=False, named={})

    def not_to_offer_tool(self, name: Text) -> R:
        """Not: the request offers the model the tool of that name; of a turn or conversation, every request does."""
        __tracebackhide__ = True
        from grice.checks.requests import offer_tool

        return self._check(offer_tool, name, negated=True, named={})

    def to_take_less_than(self, seconds: Positive) -> R:
        """The answer took less than that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import take_less_than

        return self._check(take_less_than, seconds, negated=False, named={})

    def not_to_take_less_than(self, seconds: Positive) -> R:
        """Not: the answer took less than that many seconds: the model's to a request, or the agent's in a turn."""
        __tracebackhide__ = True
        from grice.checks.telemetry import take_less_than

        return self._check(take_less_than, seconds, negated=True, named={})

    def to_use_fewer_tokens_than(self, limit: AtLeastOne, *, of: TokensOf = "total") -> R:
        """The requests to the model have fewer than `limit` tokens: of input, output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import use_fewer_tokens_than

        return self._check(use_fewer_tokens_than, limit, negated=False, named={"of": of})

    def not_to_use_fewer_tokens_than(self, limit: AtLeastOne, *, of: TokensOf = "total") -> R:
        """Not: the requests to the model have fewer than `limit` tokens: of input, output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import use_fewer_tokens_than

        return self._check(use_fewer_tokens_than, limit, negated=True, named={"of": of})


class _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath(Expectation[S, R]):
    """What can be expected of a reply, a turn, a request to the model, a whole conversation, a list, such as a message array, a JSON object, such as the body of a request, the values at a path."""

    __slots__ = ()

    def to_pass_lint(self, *, ignore: Collection[RuleName] = (), warnings: bool = False) -> R:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=False, named={"ignore": ignore, "warnings": warnings})

    def not_to_pass_lint(self, *, ignore: Collection[RuleName] = (), warnings: bool = False) -> R:
        """Not: no provider would reject the message array, and the model sees what the user said in this turn."""
        __tracebackhide__ = True
        from grice.checks.message_lint.matcher import pass_lint

        return self._check(pass_lint, negated=True, named={"ignore": ignore, "warnings": warnings})


class _TextAndExchangeAndConversationAndListAndPath(Expectation[S, R]):
    """What can be expected of a text, a request to the model, a whole conversation, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_have_in_system_prompt(self, *texts: Text, ordered: bool = False, after: Text | None = None) -> R:
        """The system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=False, named={"ordered": ordered, "after": after}
        )

    def not_to_have_in_system_prompt(
        self, *texts: Text, ordered: bool = False, after: Text | None = None
    ) -> R:
        """Not: the system prompt contains all of the texts."""
        __tracebackhide__ = True
        from grice.checks.prompt import have_in_system_prompt

        return self._check(
            have_in_system_prompt, *texts, negated=True, named={"ordered": ordered, "after": after}
        )


class _TextAndReplyAndTurnAndConversationAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, a whole conversation, the values at a path."""

    __slots__ = ()

    def to_ask_new_clarifiers(
        self,
        *,
        shape: Shape | None = None,
        window: AtLeastOne | None = None,
        slots: Slots | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """No clarifier of the reply, and no question in its text, was asked in one of the turns before."""
        __tracebackhide__ = True
        from grice.checks.structure.clarifiers import ask_new_clarifiers

        return self._check(
            ask_new_clarifiers,
            negated=False,
            named={
                "shape": shape,
                "window": window,
                "slots": slots,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_ask_new_clarifiers(
        self,
        *,
        shape: Shape | None = None,
        window: AtLeastOne | None = None,
        slots: Slots | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: no clarifier of the reply, and no question in its text, was asked in one of the turns before."""
        __tracebackhide__ = True
        from grice.checks.structure.clarifiers import ask_new_clarifiers

        return self._check(
            ask_new_clarifiers,
            negated=True,
            named={
                "shape": shape,
                "window": window,
                "slots": slots,
                "language": language,
                "profile": profile,
            },
        )

    def to_remember_answers(
        self,
        *,
        slots: Slots | None = None,
        shape: Shape | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """The reply does not ask for what the user has said before, in answer to a question or in passing."""
        __tracebackhide__ = True
        from grice.checks.evidence.memory import remember_answers

        return self._check(
            remember_answers,
            negated=False,
            named={"slots": slots, "shape": shape, "language": language, "profile": profile},
        )

    def not_to_remember_answers(
        self,
        *,
        slots: Slots | None = None,
        shape: Shape | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: the reply does not ask for what the user has said before, in answer to a question or in passing."""
        __tracebackhide__ = True
        from grice.checks.evidence.memory import remember_answers

        return self._check(
            remember_answers,
            negated=True,
            named={"slots": slots, "shape": shape, "language": language, "profile": profile},
        )

    def to_satisfy(self, *criteria: CriterionLike, samples: SampleCount | None = None) -> R:
        """The reply, or the whole conversation, meets every one of the criteria."""
        __tracebackhide__ = True
        from grice.judging.satisfying import satisfy

        return self._check(satisfy, *criteria, negated=False, named={"samples": samples})

    def not_to_satisfy(self, *criteria: CriterionLike, samples: SampleCount | None = None) -> R:
        """Not: the reply, or the whole conversation, meets every one of the criteria."""
        __tracebackhide__ = True
        from grice.judging.satisfying import satisfy

        return self._check(satisfy, *criteria, negated=True, named={"samples": samples})


class _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, a request to the model, a whole conversation, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_stay_within_tokens(self, limit: AtLeastOne, *, of: TokensOf = "input") -> R:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=False, named={"of": of})

    def not_to_stay_within_tokens(self, limit: AtLeastOne, *, of: TokensOf = "input") -> R:
        """Not: the subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
        __tracebackhide__ = True
        from grice.checks.telemetry import stay_within_tokens

        return self._check(stay_within_tokens, limit, negated=True, named={"of": of})


class _TextAndReplyAndTurnAndListAndObjectAndValueAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, a list, such as a message array, a JSON object, such as the body of a request, any other value, the values at a path."""

    __slots__ = ()

    def to_be_defined(self) -> R:
        """There is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=False, named={})

    def not_to_be_defined(self) -> R:
        """Not: there is a value: the path resolved something. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_defined

        return self._check(be_defined, negated=True, named={})

    def to_be_falsy(self) -> R:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=False, named={})

    def not_to_be_falsy(self) -> R:
        """Not: the value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_falsy

        return self._check(be_falsy, negated=True, named={})

    def to_be_null(self) -> R:
        """The value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=False, named={})

    def not_to_be_null(self) -> R:
        """Not: the value is null (None in Python): not MISSING, not 0, not empty. Source: seed 002."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_null

        return self._check(be_null, negated=True, named={})

    def to_be_one_of(self, options: Options) -> R:
        """The value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=False, named={})

    def not_to_be_one_of(self, options: Options) -> R:
        """Not: the value equals one of the options, as `equal` compares. Source: seed 002; jest-extended."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_one_of

        return self._check(be_one_of, options, negated=True, named={})

    def to_be_truthy(self) -> R:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=False, named={})

    def not_to_be_truthy(self) -> R:
        """Not: the value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_truthy

        return self._check(be_truthy, negated=True, named={})

    def to_be_undefined(self) -> R:
        """There is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=False, named={})

    def not_to_be_undefined(self) -> R:
        """Not: there is no value: the path resolved nothing. Null is a value."""
        __tracebackhide__ = True
        from grice.matching.jest.values import be_undefined

        return self._check(be_undefined, negated=True, named={})

    def to_equal(self, expected: object) -> R:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=False, named={})

    def not_to_equal(self, expected: object) -> R:
        """Not: the value is the same JSON value as `expected`; of a reply or turn, its text."""
        __tracebackhide__ = True
        from grice.matching.jest.values import equal

        return self._check(equal, expected, negated=True, named={})

    def to_match_schema(self, schema: JsonSchema) -> R:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=False, named={})

    def not_to_match_schema(self, schema: JsonSchema) -> R:
        """Not: the value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
        __tracebackhide__ = True
        from grice.matching.jest.objects import match_schema

        return self._check(match_schema, schema, negated=True, named={})


class _TextAndReplyAndTurnAndListAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, a list, such as a message array, the values at a path."""

    __slots__ = ()

    def to_contain(self, expected: JsonValue, *, after: Text | None = None, ignore_case: bool = False) -> R:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=False, named={"after": after, "ignore_case": ignore_case}
        )

    def not_to_contain(
        self, expected: JsonValue, *, after: Text | None = None, ignore_case: bool = False
    ) -> R:
        """Not: the text contains the text `expected`; the list has an element that equals `expected`."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain

        return self._check(
            contain, expected, negated=True, named={"after": after, "ignore_case": ignore_case}
        )

    def to_contain_equal(self, expected: JsonValue) -> R:
        """The list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=False, named={})

    def not_to_contain_equal(self, expected: JsonValue) -> R:
        """Not: the list has an element that equals `expected`; of a text, a single character."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import contain_equal

        return self._check(contain_equal, expected, negated=True, named={})

    def to_have_length(self, length: Length) -> R:
        """The list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=False, named={})

    def not_to_have_length(self, length: Length) -> R:
        """Not: the list has `length` elements, or the text as many characters (code points)."""
        __tracebackhide__ = True
        from grice.matching.jest.values import have_length

        return self._check(have_length, length, negated=True, named={})


class _TextAndReplyAndTurnAndObjectAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, a JSON object, such as the body of a request, the values at a path."""

    __slots__ = ()

    def to_cover_constraints(
        self,
        constraints: Constraints,
        *,
        at_least: Share = 0.6,
        by: CoveredBy = "mentioned",
        records: Records | None = None,
        shape: Shape | None = None,
        synonyms: Synonyms | None = None,
        profile: Profile = "robust",
    ) -> R:
        """A recommendation covers at least that share of what the user wants."""
        __tracebackhide__ = True
        from grice.checks.semantics.coverage import cover_constraints

        return self._check(
            cover_constraints,
            constraints,
            negated=False,
            named={
                "at_least": at_least,
                "by": by,
                "records": records,
                "shape": shape,
                "synonyms": synonyms,
                "profile": profile,
            },
        )

    def not_to_cover_constraints(
        self,
        constraints: Constraints,
        *,
        at_least: Share = 0.6,
        by: CoveredBy = "mentioned",
        records: Records | None = None,
        shape: Shape | None = None,
        synonyms: Synonyms | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: a recommendation covers at least that share of what the user wants."""
        __tracebackhide__ = True
        from grice.checks.semantics.coverage import cover_constraints

        return self._check(
            cover_constraints,
            constraints,
            negated=True,
            named={
                "at_least": at_least,
                "by": by,
                "records": records,
                "shape": shape,
                "synonyms": synonyms,
                "profile": profile,
            },
        )

    def to_ground_products(
        self,
        *,
        records: Records | None = None,
        shape: Shape | None = None,
        synonyms: SpokenSynonyms | None = None,
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """What the envelope says of each product is in the record of the same id: its reasons, title and"""
        __tracebackhide__ = True
        from grice.checks.evidence.products import ground_products

        return self._check(
            ground_products,
            negated=False,
            named={
                "records": records,
                "shape": shape,
                "synonyms": synonyms,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_ground_products(
        self,
        *,
        records: Records | None = None,
        shape: Shape | None = None,
        synonyms: SpokenSynonyms | None = None,
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: what the envelope says of each product is in the record of the same id: its reasons, title and"""
        __tracebackhide__ = True
        from grice.checks.evidence.products import ground_products

        return self._check(
            ground_products,
            negated=True,
            named={
                "records": records,
                "shape": shape,
                "synonyms": synonyms,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def to_have_envelope(
        self,
        *,
        mode: EnvelopeMode | None = None,
        shape: Shape | None = None,
        lead_sentences: AtLeastOne = 2,
        detail_sentences: AtLeastOne = 3,
        products: Range | None = None,
        reasons: Range = (1, 3),
        clarifiers: AtLeastZero = 3,
        detail_required: bool | None = None,
        profile: Profile = "robust",
    ) -> R:
        """The reply's data, or its JSON text, is a well-formed envelope within its limits."""
        __tracebackhide__ = True
        from grice.checks.structure.envelope import have_envelope

        return self._check(
            have_envelope,
            negated=False,
            named={
                "mode": mode,
                "shape": shape,
                "lead_sentences": lead_sentences,
                "detail_sentences": detail_sentences,
                "products": products,
                "reasons": reasons,
                "clarifiers": clarifiers,
                "detail_required": detail_required,
                "profile": profile,
            },
        )

    def not_to_have_envelope(
        self,
        *,
        mode: EnvelopeMode | None = None,
        shape: Shape | None = None,
        lead_sentences: AtLeastOne = 2,
        detail_sentences: AtLeastOne = 3,
        products: Range | None = None,
        reasons: Range = (1, 3),
        clarifiers: AtLeastZero = 3,
        detail_required: bool | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: the reply's data, or its JSON text, is a well-formed envelope within its limits."""
        __tracebackhide__ = True
        from grice.checks.structure.envelope import have_envelope

        return self._check(
            have_envelope,
            negated=True,
            named={
                "mode": mode,
                "shape": shape,
                "lead_sentences": lead_sentences,
                "detail_sentences": detail_sentences,
                "products": products,
                "reasons": reasons,
                "clarifiers": clarifiers,
                "detail_required": detail_required,
                "profile": profile,
            },
        )

    def to_stay_within_budget(
        self,
        budget: Budget,
        *,
        drivers: Drivers | None = None,
        min_drivers: AtLeastZero = 2,
        records: Records | None = None,
        shape: Shape | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Every product of the reply costs at most the budget, or is worth what it costs over that."""
        __tracebackhide__ = True
        from grice.checks.structure.budget import stay_within_budget

        return self._check(
            stay_within_budget,
            budget,
            negated=False,
            named={
                "drivers": drivers,
                "min_drivers": min_drivers,
                "records": records,
                "shape": shape,
                "profile": profile,
            },
        )

    def not_to_stay_within_budget(
        self,
        budget: Budget,
        *,
        drivers: Drivers | None = None,
        min_drivers: AtLeastZero = 2,
        records: Records | None = None,
        shape: Shape | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: every product of the reply costs at most the budget, or is worth what it costs over that."""
        __tracebackhide__ = True
        from grice.checks.structure.budget import stay_within_budget

        return self._check(
            stay_within_budget,
            budget,
            negated=True,
            named={
                "drivers": drivers,
                "min_drivers": min_drivers,
                "records": records,
                "shape": shape,
                "profile": profile,
            },
        )


class _TextAndReplyAndTurnAndPath(Expectation[S, R]):
    """What can be expected of a text, a reply, a turn, the values at a path."""

    __slots__ = ()

    def to_avoid_boilerplate(
        self, *, phrases: Phrases = (), language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply has no phrase of a machine that recites, and none of `phrases`."""
        __tracebackhide__ = True
        from grice.checks.tone.boilerplate import avoid_boilerplate

        return self._check(
            avoid_boilerplate,
            negated=False,
            named={"phrases": phrases, "language": language, "profile": profile},
        )

    def not_to_avoid_boilerplate(
        self, *, phrases: Phrases = (), language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: the reply has no phrase of a machine that recites, and none of `phrases`."""
        __tracebackhide__ = True
        from grice.checks.tone.boilerplate import avoid_boilerplate

        return self._check(
            avoid_boilerplate,
            negated=True,
            named={"phrases": phrases, "language": language, "profile": profile},
        )

    def to_avoid_repetition(
        self, *, at_most: AtLeastOne = 2, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply says no pair of words more than `at_most` times, and nothing in a loop."""
        __tracebackhide__ = True
        from grice.checks.tone.repetition import avoid_repetition

        return self._check(
            avoid_repetition,
            negated=False,
            named={"at_most": at_most, "language": language, "profile": profile},
        )

    def not_to_avoid_repetition(
        self, *, at_most: AtLeastOne = 2, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: the reply says no pair of words more than `at_most` times, and nothing in a loop."""
        __tracebackhide__ = True
        from grice.checks.tone.repetition import avoid_repetition

        return self._check(
            avoid_repetition,
            negated=True,
            named={"at_most": at_most, "language": language, "profile": profile},
        )

    def to_be_free_of(
        self,
        labels: Sequence[Label] | Label | None = None,
        *,
        tool_status: ToolStatus | None = None,
        profile: Profile = "robust",
    ) -> R:
        """The text shows none of the named bad patterns; none at all when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow.matchers import be_free_of

        return self._check(
            be_free_of, labels, negated=False, named={"tool_status": tool_status, "profile": profile}
        )

    def not_to_be_free_of(
        self,
        labels: Sequence[Label] | Label | None = None,
        *,
        tool_status: ToolStatus | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: the text shows none of the named bad patterns; none at all when no label is named."""
        __tracebackhide__ = True
        from grice.checks.tool_flow.matchers import be_free_of

        return self._check(
            be_free_of, labels, negated=True, named={"tool_status": tool_status, "profile": profile}
        )

    def to_be_supported_by(
        self,
        facts: JsonValue = None,
        *,
        synonyms: SpokenSynonyms | None = None,
        allow: Sequence[Allowed] = ("opinion",),
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """What the reply says is in the facts: a record, a list of records, or a text; without them, what"""
        __tracebackhide__ = True
        from grice.checks.evidence.support import be_supported_by

        return self._check(
            be_supported_by,
            facts,
            negated=False,
            named={
                "synonyms": synonyms,
                "allow": allow,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_be_supported_by(
        self,
        facts: JsonValue = None,
        *,
        synonyms: SpokenSynonyms | None = None,
        allow: Sequence[Allowed] = ("opinion",),
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: what the reply says is in the facts: a record, a list of records, or a text; without them, what"""
        __tracebackhide__ = True
        from grice.checks.evidence.support import be_supported_by

        return self._check(
            be_supported_by,
            facts,
            negated=True,
            named={
                "synonyms": synonyms,
                "allow": allow,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def to_be_valid_json(self) -> R:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=False, named={})

    def not_to_be_valid_json(self) -> R:
        """Not: the whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import be_valid_json

        return self._check(be_valid_json, negated=True, named={})

    def to_be_valid_response(
        self, *, tool_status: ToolStatus | None = None, profile: Profile = "robust"
    ) -> R:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow.matchers import be_valid_response

        return self._check(
            be_valid_response, negated=False, named={"tool_status": tool_status, "profile": profile}
        )

    def not_to_be_valid_response(
        self, *, tool_status: ToolStatus | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: the response validator finds nothing in the text: `validate_response` as a matcher."""
        __tracebackhide__ = True
        from grice.checks.tool_flow.matchers import be_valid_response

        return self._check(
            be_valid_response, negated=True, named={"tool_status": tool_status, "profile": profile}
        )

    def to_differ_from_previous(
        self, *, below: Share = 0.8, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply is less than `below` like the one before it."""
        __tracebackhide__ = True
        from grice.checks.tone.similarity import differ_from_previous

        return self._check(
            differ_from_previous,
            negated=False,
            named={"below": below, "language": language, "profile": profile},
        )

    def not_to_differ_from_previous(
        self, *, below: Share = 0.8, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: the reply is less than `below` like the one before it."""
        __tracebackhide__ = True
        from grice.checks.tone.similarity import differ_from_previous

        return self._check(
            differ_from_previous,
            negated=True,
            named={"below": below, "language": language, "profile": profile},
        )

    def to_end_with(self, expected: Text) -> R:
        """The text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=False, named={})

    def not_to_end_with(self, expected: Text) -> R:
        """Not: the text ends with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import end_with

        return self._check(end_with, expected, negated=True, named={})

    def to_follow_policy(
        self,
        card: Card = None,
        *,
        topics: Sequence[SpokenText] | None = None,
        synonyms: SpokenSynonyms | None = None,
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """What the reply says of policy is on the store card; without `card`, in what tools returned."""
        __tracebackhide__ = True
        from grice.checks.evidence.policy import follow_policy

        return self._check(
            follow_policy,
            card,
            negated=False,
            named={
                "topics": topics,
                "synonyms": synonyms,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_follow_policy(
        self,
        card: Card = None,
        *,
        topics: Sequence[SpokenText] | None = None,
        synonyms: SpokenSynonyms | None = None,
        verifier: Verifier | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: what the reply says of policy is on the store card; without `card`, in what tools returned."""
        __tracebackhide__ = True
        from grice.checks.evidence.policy import follow_policy

        return self._check(
            follow_policy,
            card,
            negated=True,
            named={
                "topics": topics,
                "synonyms": synonyms,
                "verifier": verifier,
                "language": language,
                "profile": profile,
            },
        )

    def to_follow_rules(
        self,
        *rules: PhraseRule | str | PathLike[str] | Mapping[str, Any],
        tool_status: ToolStatus | None = None,
    ) -> R:
        """The reply breaks none of the rules on wording: PhraseRules, or the paths of files of them."""
        __tracebackhide__ = True
        from grice.checks.phrase_rules.following import follow_rules

        return self._check(follow_rules, *rules, negated=False, named={"tool_status": tool_status})

    def not_to_follow_rules(
        self,
        *rules: PhraseRule | str | PathLike[str] | Mapping[str, Any],
        tool_status: ToolStatus | None = None,
    ) -> R:
        """Not: the reply breaks none of the rules on wording: PhraseRules, or the paths of files of them."""
        __tracebackhide__ = True
        from grice.checks.phrase_rules.following import follow_rules

        return self._check(follow_rules, *rules, negated=True, named={"tool_status": tool_status})

    def to_guide_user(self, *, intent: str = "", kind: TurnKind = "chat", at_least: Score | None = None) -> R:
        """The reply answers what the user is after and moves the matter on: its score is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import guide_user

        return self._check(
            guide_user, negated=False, named={"intent": intent, "kind": kind, "at_least": at_least}
        )

    def not_to_guide_user(
        self, *, intent: str = "", kind: TurnKind = "chat", at_least: Score | None = None
    ) -> R:
        """Not: the reply answers what the user is after and moves the matter on: its score is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import guide_user

        return self._check(
            guide_user, negated=True, named={"intent": intent, "kind": kind, "at_least": at_least}
        )

    def to_have_at_most_exclamations(self, limit: AtLeastZero = 1, *, profile: Profile = "robust") -> R:
        """The reply exclaims at most `limit` times."""
        __tracebackhide__ = True
        from grice.checks.tone.exclamations import have_at_most_exclamations

        return self._check(have_at_most_exclamations, limit, negated=False, named={"profile": profile})

    def not_to_have_at_most_exclamations(self, limit: AtLeastZero = 1, *, profile: Profile = "robust") -> R:
        """Not: the reply exclaims at most `limit` times."""
        __tracebackhide__ = True
        from grice.checks.tone.exclamations import have_at_most_exclamations

        return self._check(have_at_most_exclamations, limit, negated=True, named={"profile": profile})

    def to_have_at_most_sentences(self, limit: AtLeastOne, *, profile: Profile = "robust") -> R:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure.sentence_count import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=False, named={"profile": profile})

    def not_to_have_at_most_sentences(self, limit: AtLeastOne, *, profile: Profile = "robust") -> R:
        """Not: the text has at most `limit` sentences; a fragment without a full stop counts as one."""
        __tracebackhide__ = True
        from grice.checks.structure.sentence_count import have_at_most_sentences

        return self._check(have_at_most_sentences, limit, negated=True, named={"profile": profile})

    def to_have_intent(self, name: SpokenText, *, described_as: str = "") -> R:
        """What the reply sets out to do, by words and tool calls, is the intent of that name."""
        __tracebackhide__ = True
        from grice.judging.aims import have_intent

        return self._check(have_intent, name, negated=False, named={"described_as": described_as})

    def not_to_have_intent(self, name: SpokenText, *, described_as: str = "") -> R:
        """Not: what the reply sets out to do, by words and tool calls, is the intent of that name."""
        __tracebackhide__ = True
        from grice.judging.aims import have_intent

        return self._check(have_intent, name, negated=True, named={"described_as": described_as})

    def to_match(self, pattern: str, *, flags: str = "") -> R:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=False, named={"flags": flags})

    def not_to_match(self, pattern: str, *, flags: str = "") -> R:
        """Not: some part of the text matches the regular expression, on RE2, which cannot hang."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import match

        return self._check(match, pattern, negated=True, named={"flags": flags})

    def to_open_differently(
        self, *, window: AtLeastOne = 5, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply opens differently from each of the last `window` replies."""
        __tracebackhide__ = True
        from grice.checks.tone.openers import open_differently

        return self._check(
            open_differently,
            negated=False,
            named={"window": window, "language": language, "profile": profile},
        )

    def not_to_open_differently(
        self, *, window: AtLeastOne = 5, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """Not: the reply opens differently from each of the last `window` replies."""
        __tracebackhide__ = True
        from grice.checks.tone.openers import open_differently

        return self._check(
            open_differently, negated=True, named={"window": window, "language": language, "profile": profile}
        )

    def to_show_intelligence(
        self,
        *,
        kind: TurnKind = "chat",
        store_card: JsonValue = None,
        records: JsonValue = None,
        intent: str = "",
        at_least: Score | None = None,
    ) -> R:
        """The IQ of the reply, the true median of naturalness, guidance and context use, is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import show_intelligence

        return self._check(
            show_intelligence,
            negated=False,
            named={
                "kind": kind,
                "store_card": store_card,
                "records": records,
                "intent": intent,
                "at_least": at_least,
            },
        )

    def not_to_show_intelligence(
        self,
        *,
        kind: TurnKind = "chat",
        store_card: JsonValue = None,
        records: JsonValue = None,
        intent: str = "",
        at_least: Score | None = None,
    ) -> R:
        """Not: the IQ of the reply, the true median of naturalness, guidance and context use, is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import show_intelligence

        return self._check(
            show_intelligence,
            negated=True,
            named={
                "kind": kind,
                "store_card": store_card,
                "records": records,
                "intent": intent,
                "at_least": at_least,
            },
        )

    def to_sound_natural(self, *, at_least: Score = 3.7) -> R:
        """The reply sounds like an attentive person: its score, 1 to 5, is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import sound_natural

        return self._check(sound_natural, negated=False, named={"at_least": at_least})

    def not_to_sound_natural(self, *, at_least: Score = 3.7) -> R:
        """Not: the reply sounds like an attentive person: its score, 1 to 5, is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import sound_natural

        return self._check(sound_natural, negated=True, named={"at_least": at_least})

    def to_start_with(self, expected: Text) -> R:
        """The text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=False, named={})

    def not_to_start_with(self, expected: Text) -> R:
        """Not: the text begins with `expected`, case and white space included."""
        __tracebackhide__ = True
        from grice.matching.jest.texts import start_with

        return self._check(start_with, expected, negated=True, named={})

    def to_stay_on_topic(
        self,
        *,
        at_least: Cosine | None = None,
        about: SpokenText | None = None,
        embedder: EmbedderChoice | None = None,
        shape: Shape | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """The reply is about what the user said: the cosine of their vectors reaches the embedder's threshold."""
        __tracebackhide__ = True
        from grice.checks.semantics.topicality import stay_on_topic

        return self._check(
            stay_on_topic,
            negated=False,
            named={
                "at_least": at_least,
                "about": about,
                "embedder": embedder,
                "shape": shape,
                "language": language,
                "profile": profile,
            },
        )

    def not_to_stay_on_topic(
        self,
        *,
        at_least: Cosine | None = None,
        about: SpokenText | None = None,
        embedder: EmbedderChoice | None = None,
        shape: Shape | None = None,
        language: Language | None = None,
        profile: Profile = "robust",
    ) -> R:
        """Not: the reply is about what the user said: the cosine of their vectors reaches the embedder's threshold."""
        __tracebackhide__ = True
        from grice.checks.semantics.topicality import stay_on_topic

        return self._check(
            stay_on_topic,
            negated=True,
            named={
                "at_least": at_least,
                "about": about,
                "embedder": embedder,
                "shape": shape,
                "language": language,
                "profile": profile,
            },
        )

    def to_use_context(
        self, *, store_card: JsonValue = None, records: JsonValue = None, at_least: Score = 3.7
    ) -> R:
        """The reply makes right and helpful use of what was known: its score is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import use_context

        return self._check(
            use_context,
            negated=False,
            named={"store_card": store_card, "records": records, "at_least": at_least},
        )

    def not_to_use_context(
        self, *, store_card: JsonValue = None, records: JsonValue = None, at_least: Score = 3.7
    ) -> R:
        """Not: the reply makes right and helpful use of what was known: its score is at least the gate."""
        __tracebackhide__ = True
        from grice.judging.quality import use_context

        return self._check(
            use_context,
            negated=True,
            named={"store_card": store_card, "records": records, "at_least": at_least},
        )

    def to_use_contractions(self, *, language: Language | None = None, profile: Profile = "robust") -> R:
        """The reply uses a contraction ("I'm", "don't"), where it has a place for one."""
        __tracebackhide__ = True
        from grice.checks.tone.contractions import use_contractions

        return self._check(use_contractions, negated=False, named={"language": language, "profile": profile})

    def not_to_use_contractions(self, *, language: Language | None = None, profile: Profile = "robust") -> R:
        """Not: the reply uses a contraction ("I'm", "don't"), where it has a place for one."""
        __tracebackhide__ = True
        from grice.checks.tone.contractions import use_contractions

        return self._check(use_contractions, negated=True, named={"language": language, "profile": profile})


class _ValueAndPath(Expectation[S, R]):
    """What can be expected of any other value, the values at a path."""

    __slots__ = ()

    def to_be_close_to(self, value: float, digits: Digits = 2) -> R:
        """The number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=False, named={})

    def not_to_be_close_to(self, value: float, digits: Digits = 2) -> R:
        """Not: the number differs from `value` by less than half of the last of `digits` decimal places."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_close_to

        return self._check(be_close_to, value, digits, negated=True, named={})

    def to_be_greater_than(self, expected: float) -> R:
        """The number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=False, named={})

    def not_to_be_greater_than(self, expected: float) -> R:
        """Not: the number is greater than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than

        return self._check(be_greater_than, expected, negated=True, named={})

    def to_be_greater_than_or_equal(self, expected: float) -> R:
        """The number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=False, named={})

    def not_to_be_greater_than_or_equal(self, expected: float) -> R:
        """Not: the number is `expected` or greater; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_greater_than_or_equal

        return self._check(be_greater_than_or_equal, expected, negated=True, named={})

    def to_be_less_than(self, expected: float) -> R:
        """The number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=False, named={})

    def not_to_be_less_than(self, expected: float) -> R:
        """Not: the number is less than `expected`; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than

        return self._check(be_less_than, expected, negated=True, named={})

    def to_be_less_than_or_equal(self, expected: float) -> R:
        """The number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=False, named={})

    def not_to_be_less_than_or_equal(self, expected: float) -> R:
        """Not: the number is `expected` or less; anything but a number is an `error`."""
        __tracebackhide__ = True
        from grice.matching.jest.numbers import be_less_than_or_equal

        return self._check(be_less_than_or_equal, expected, negated=True, named={})


class TextExpectation(
    _TextAndExchangeAndConversationAndListAndPath[str, R],
    _TextAndReplyAndTurnAndConversationAndPath[str, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[str, R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[str, R],
    _TextAndReplyAndTurnAndListAndPath[str, R],
    _TextAndReplyAndTurnAndObjectAndPath[str, R],
    _TextAndReplyAndTurnAndPath[str, R],
):
    """What can be expected of a text."""

    __slots__ = ()


class ReplyExpectation(
    _ReplyAndConversation[Reply, R],
    _ReplyAndTurn[Reply, R],
    _ReplyAndTurnAndConversation[Reply, R],
    _ReplyAndTurnAndConversationAndListAndPath[Reply, R],
    _ReplyAndTurnAndExchangeAndConversation[Reply, R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[Reply, R],
    _TextAndReplyAndTurnAndConversationAndPath[Reply, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[Reply, R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[Reply, R],
    _TextAndReplyAndTurnAndListAndPath[Reply, R],
    _TextAndReplyAndTurnAndObjectAndPath[Reply, R],
    _TextAndReplyAndTurnAndPath[Reply, R],
):
    """What can be expected of a reply."""

    __slots__ = ()


class TurnExpectation(
    _ReplyAndTurn[Turn, R],
    _ReplyAndTurnAndConversation[Turn, R],
    _ReplyAndTurnAndConversationAndListAndPath[Turn, R],
    _ReplyAndTurnAndExchangeAndConversation[Turn, R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[Turn, R],
    _TextAndReplyAndTurnAndConversationAndPath[Turn, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[Turn, R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[Turn, R],
    _TextAndReplyAndTurnAndListAndPath[Turn, R],
    _TextAndReplyAndTurnAndObjectAndPath[Turn, R],
    _TextAndReplyAndTurnAndPath[Turn, R],
):
    """What can be expected of a turn."""

    __slots__ = ()


class ExchangeExpectation(
    _ExchangeAndConversationAndListAndPath[Exchange, R],
    _ExchangeAndListAndPath[Exchange, R],
    _ReplyAndTurnAndExchangeAndConversation[Exchange, R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[Exchange, R],
    _TextAndExchangeAndConversationAndListAndPath[Exchange, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[Exchange, R],
):
    """What can be expected of a request to the model."""

    __slots__ = ()


class ConversationExpectation(
    _ExchangeAndConversationAndListAndPath[Conversation, R],
    _ReplyAndConversation[Conversation, R],
    _ReplyAndTurnAndConversation[Conversation, R],
    _ReplyAndTurnAndConversationAndListAndPath[Conversation, R],
    _ReplyAndTurnAndExchangeAndConversation[Conversation, R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[Conversation, R],
    _TextAndExchangeAndConversationAndListAndPath[Conversation, R],
    _TextAndReplyAndTurnAndConversationAndPath[Conversation, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[Conversation, R],
):
    """What can be expected of a whole conversation."""

    __slots__ = ()

    def to_have_achieved_goal(self, goal: str = "") -> R:
        """By the end of the conversation the user has got what they came for."""
        __tracebackhide__ = True
        from grice.judging.aims import have_achieved_goal

        return self._check(have_achieved_goal, goal, negated=False, named={})

    def not_to_have_achieved_goal(self, goal: str = "") -> R:
        """Not: by the end of the conversation the user has got what they came for."""
        __tracebackhide__ = True
        from grice.judging.aims import have_achieved_goal

        return self._check(have_achieved_goal, goal, negated=True, named={})

    def to_have_called_tool(self, tool: Tool, /, **arguments: object) -> R:
        """Some turn called the tool, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tool

        return self._check(have_called_tool, tool, negated=False, named={**arguments})

    def not_to_have_called_tool(self, tool: Tool, /, **arguments: object) -> R:
        """Not: some turn called the tool, with at least these arguments, inside objects too."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tool

        return self._check(have_called_tool, tool, negated=True, named={**arguments})

    def to_have_called_tools(
        self,
        calls: Calls,
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[Text] = (),
        only: bool | Collection[Text] = False,
    ) -> R:
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
        calls: Calls,
        /,
        *,
        order: Order = "in_order",
        args: ArgumentMode = "subset",
        forbid: Collection[Text] = (),
        only: bool | Collection[Text] = False,
    ) -> R:
        """Not: the conversation called these tools, by default in this order, with others between them."""
        __tracebackhide__ = True
        from grice.matching.calls.matchers import have_called_tools

        return self._check(
            have_called_tools,
            calls,
            negated=True,
            named={"order": order, "args": args, "forbid": forbid, "only": only},
        )

    def to_have_reached_topic(self, name: Text) -> R:
        """Some turn of the conversation belongs to the topic of that name."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_reached_topic

        return self._check(have_reached_topic, name, negated=False, named={})

    def not_to_have_reached_topic(self, name: Text) -> R:
        """Not: some turn of the conversation belongs to the topic of that name."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_reached_topic

        return self._check(have_reached_topic, name, negated=True, named={})

    def to_have_stayed_on_graph(self) -> R:
        """Every move of the conversation from topic to topic is one that the graph has."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_stayed_on_graph

        return self._check(have_stayed_on_graph, negated=False, named={})

    def not_to_have_stayed_on_graph(self) -> R:
        """Not: every move of the conversation from topic to topic is one that the graph has."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_stayed_on_graph

        return self._check(have_stayed_on_graph, negated=True, named={})

    def to_have_topic_history(self, topics: TopicNames, *, order: HistoryOrder = "exact") -> R:
        """The conversation visited these topics; one that it came back to is there again."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_topic_history

        return self._check(have_topic_history, topics, negated=False, named={"order": order})

    def not_to_have_topic_history(self, topics: TopicNames, *, order: HistoryOrder = "exact") -> R:
        """Not: the conversation visited these topics; one that it came back to is there again."""
        __tracebackhide__ = True
        from grice.checks.topic_history import have_topic_history

        return self._check(have_topic_history, topics, negated=True, named={"order": order})

    def to_have_turn_count(
        self,
        exactly: AtLeastOne | None = None,
        *,
        max: AtLeastOne | None = None,
        min: AtLeastOne | None = None,
    ) -> R:
        """The conversation has at most `max` turns, at least `min`, or `exactly` so many."""
        __tracebackhide__ = True
        from grice.checks.turn_count import have_turn_count

        return self._check(have_turn_count, exactly, negated=False, named={"max": max, "min": min})

    def not_to_have_turn_count(
        self,
        exactly: AtLeastOne | None = None,
        *,
        max: AtLeastOne | None = None,
        min: AtLeastOne | None = None,
    ) -> R:
        """Not: the conversation has at most `max` turns, at least `min`, or `exactly` so many."""
        __tracebackhide__ = True
        from grice.checks.turn_count import have_turn_count

        return self._check(have_turn_count, exactly, negated=True, named={"max": max, "min": min})


class ListExpectation(
    _ExchangeAndConversationAndListAndPath[list[Any], R],
    _ExchangeAndListAndPath[list[Any], R],
    _ListAndObjectAndPath[list[Any], R],
    _ListAndPath[list[Any], R],
    _ReplyAndTurnAndConversationAndListAndPath[list[Any], R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[list[Any], R],
    _TextAndExchangeAndConversationAndListAndPath[list[Any], R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[list[Any], R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[list[Any], R],
    _TextAndReplyAndTurnAndListAndPath[list[Any], R],
):
    """What can be expected of a list, such as a message array."""

    __slots__ = ()


class ObjectExpectation(
    _ListAndObjectAndPath[dict[str, Any], R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[dict[str, Any], R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[dict[str, Any], R],
    _TextAndReplyAndTurnAndObjectAndPath[dict[str, Any], R],
):
    """What can be expected of a JSON object, such as the body of a request."""

    __slots__ = ()


class ValueExpectation(_TextAndReplyAndTurnAndListAndObjectAndValueAndPath[Any, R], _ValueAndPath[Any, R]):
    """What can be expected of any other value."""

    __slots__ = ()


class PathExpectation(
    _ExchangeAndConversationAndListAndPath[Any, R],
    _ExchangeAndListAndPath[Any, R],
    _ListAndObjectAndPath[Any, R],
    _ListAndPath[Any, R],
    _ReplyAndTurnAndConversationAndListAndPath[Any, R],
    _ReplyAndTurnAndExchangeAndConversationAndListAndObjectAndPath[Any, R],
    _TextAndExchangeAndConversationAndListAndPath[Any, R],
    _TextAndReplyAndTurnAndConversationAndPath[Any, R],
    _TextAndReplyAndTurnAndExchangeAndConversationAndListAndPath[Any, R],
    _TextAndReplyAndTurnAndListAndObjectAndValueAndPath[Any, R],
    _TextAndReplyAndTurnAndListAndPath[Any, R],
    _TextAndReplyAndTurnAndObjectAndPath[Any, R],
    _TextAndReplyAndTurnAndPath[Any, R],
    _ValueAndPath[Any, R],
):
    """What can be expected of the values at a path."""

    __slots__ = ()


@overload
def expect(subject: str) -> TextExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Reply) -> ReplyExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Turn) -> TurnExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: Exchange) -> ExchangeExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: HasRecord) -> ConversationExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: list[Any]) -> ListExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: dict[str, Any]) -> ObjectExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: object) -> ValueExpectation[Verdict]: ...
@overload
def expect(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation[Verdict]: ...
def expect(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a hard check: the test fails unless it passes.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "hard", path, match, parse, False)


@overload
def evaluate(subject: str) -> TextExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Reply) -> ReplyExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Turn) -> TurnExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: Exchange) -> ExchangeExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: HasRecord) -> ConversationExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: list[Any]) -> ListExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: dict[str, Any]) -> ObjectExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: object) -> ValueExpectation[Verdict | PendingVerdict]: ...
@overload
def evaluate(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation[Verdict | PendingVerdict]: ...
def evaluate(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a soft check: recorded and shown, never changing pass or fail.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "soft", path, match, parse, False)


@overload
def awaited_expect(subject: str) -> TextExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: Reply) -> ReplyExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: Turn) -> TurnExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: Exchange) -> ExchangeExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: HasRecord) -> ConversationExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: list[Any]) -> ListExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: dict[str, Any]) -> ObjectExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: object) -> ValueExpectation[Coroutine[Any, Any, Verdict]]: ...
@overload
def awaited_expect(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation[Coroutine[Any, Any, Verdict]]: ...
def awaited_expect(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a hard check: the test fails unless it passes. Each check is awaited.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "hard", path, match, parse, True)


@overload
def awaited_evaluate(subject: str) -> TextExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: Reply) -> ReplyExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: Turn) -> TurnExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: Exchange) -> ExchangeExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: HasRecord) -> ConversationExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: list[Any]) -> ListExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: dict[str, Any]) -> ObjectExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_evaluate(subject: object) -> ValueExpectation[Coroutine[Any, Any, Verdict]]: ...
@overload
def awaited_evaluate(
    subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto"
) -> PathExpectation[Coroutine[Any, Any, Verdict]]: ...
def awaited_evaluate(
    subject: object, *, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"
) -> Any:
    """Begin a soft check: recorded and shown, never changing pass or fail. Each check is awaited.

    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
    """
    return _expectation(subject, "soft", path, match, parse, True)


def _expectation(
    subject: object, mode: Mode, path: str | None, match: PathMatch, parse: Parse, awaited: bool
) -> Any:
    if path is not None:
        return PathExpectation(subject, mode, Where(path, match, parse), awaited=awaited)
    if match != "ANY" or parse != "auto":
        raise TypeError("match and parse say how values at a path are judged: give a path too")
    if isinstance(subject, str):
        return TextExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Reply):
        return ReplyExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Turn):
        return TurnExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Exchange):
        return ExchangeExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, list | tuple):
        return ListExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, dict):
        return ObjectExpectation(subject, mode, awaited=awaited)
    if record_of(subject) is not None:
        return ConversationExpectation(subject, mode, awaited=awaited)
    return ValueExpectation(subject, mode, awaited=awaited)
