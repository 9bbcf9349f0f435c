"""The methods of `expect` and `evaluate` for editors and type checkers.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

from collections.abc import Collection, Coroutine, Mapping, Sequence
from os import PathLike
from typing import Any, TypeVar, overload

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
from grice.checks.questions.clarifiers import Slots
from grice.checks.semantics.embedders import EmbedderChoice
from grice.checks.semantics.topicality import Cosine
from grice.checks.shop.budget import Budget, Drivers
from grice.checks.shop.constraints import Constraints
from grice.checks.shop.coverage import CoveredBy
from grice.checks.shop.envelope import EnvelopeMode, Range
from grice.checks.structure.envelope_parts import Shape
from grice.checks.telemetry import TokensOf
from grice.checks.tone.boilerplate import Phrases
from grice.checks.tool_flow.labels import Label
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_minimality import Policies, ToolNames
from grice.checks.topic_history import HistoryOrder, TopicNames
from grice.claims.lexicon import Synonyms
from grice.judging.grounding import FromTools
from grice.judging.judge import SampleCount
from grice.judging.meet_bundle import BundleOf
from grice.judging.quality import TurnKind
from grice.judging.satisfy_criteria import CriterionLike
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
from grice.matching.calls.matchers import Calls, Tool
from grice.matching.calls.order import Order
from grice.matching.calls.spec import ArgumentMode
from grice.matching.expectation import Expectation
from grice.matching.jest.elements import Predicate
from grice.matching.jest.numbers import Digits
from grice.matching.jest.objects import JsonSchema, PropertyPath
from grice.matching.jest.values import Length, Options
from grice.matching.selector import Parse
from grice.matching.waiting import PendingVerdict
from grice.records import (
    Conversation,
    Exchange,
    HasRecord,
    JsonValue,
    PathMatch,
    Reply,
    State,
    StateChange,
    Turn,
    Verdict,
)

S = TypeVar("S")
R = TypeVar("R")

# fmt: off

class _ExchangeConversationListPath(Expectation[S, R]):
    def to_contain_message(
        self, *, role: Kind | None = None, content: Text | None = None, id: Text | None = None,
        before: Kind | None = None, after: Kind | None = None
    ) -> R:
        """The message array has a message of that role whose text contains `content`, at that place."""
    not_to_contain_message = to_contain_message
    def to_contain_messages(self, messages: ExpectedMessages, *, order: Order = "in_order") -> R:
        """The message array has these messages, by default in this order, with others between them."""
    not_to_contain_messages = to_contain_messages

class _ExchangeListPath(Expectation[S, R]):
    def to_have_last_user_message(self, text: str, calls: Collection[str] = ()) -> R:
        """The last user message of the array says exactly `text`, and the turn's tool calls come after it."""
    not_to_have_last_user_message = to_have_last_user_message
    def to_pair_tool_calls(self) -> R:
        """In the message array every tool call is answered exactly once, by a later result with its id."""
    not_to_pair_tool_calls = to_pair_tool_calls

class _ListObjectPath(Expectation[S, R]):
    def to_have_property(self, path: PropertyPath, value: object = ...) -> R:
        """The value has something at `path`, and it equals `value` when that is given."""
    not_to_have_property = to_have_property
    def to_match_object(self, expected: Mapping[str, object] | Sequence[object]) -> R:
        """The object has at least the properties of `expected`, nested ones too; others do not matter."""
    not_to_match_object = to_match_object

class _ListPath(Expectation[S, R]):
    def to_satisfy_all(self, predicate: Predicate) -> R:
        """Every element of the list satisfies the matcher or function."""
    not_to_satisfy_all = to_satisfy_all
    def to_satisfy_any(self, predicate: Predicate) -> R:
        """At least one element of the list satisfies the matcher or function."""
    not_to_satisfy_any = to_satisfy_any

class _ReplyConversation(Expectation[S, R]):
    def to_avoid_factual_contradiction(
        self, *, tool_results: bool = True, language: Language | None = None
    ) -> R:
        """The assistant states nothing that contradicts what it stated before, or its tools' results."""
    not_to_avoid_factual_contradiction = to_avoid_factual_contradiction
    def to_avoid_self_contradiction(
        self, *, pairs: Pairs | None = None, agreement_acknowledges: bool = False, argued: bool = True,
        language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The assistant does not take the opposite of what it said before without saying so."""
    not_to_avoid_self_contradiction = to_avoid_self_contradiction

class _ReplyTurn(Expectation[S, R]):
    def to_call_tool(self, tool: Tool, /, **arguments: object) -> R:
        """The agent called the tool in this turn, with at least these arguments, inside objects too."""
    not_to_call_tool = to_call_tool
    def to_call_tools(
        self, calls: Calls, /, *, order: Order = "in_order", args: ArgumentMode = "subset",
        forbid: Collection[Text] = (), only: bool | Collection[Text] = False
    ) -> R:
        """The agent called these tools in this turn, by default in this order, with others between them."""
    not_to_call_tools = to_call_tools
    def to_meet(self, bundle: BundleOf) -> R:
        """The turn passes every check of the bundle `chat`, `recommend` or `policy`; a table says which."""
    not_to_meet = to_meet
    def to_use_tools_for(
        self, intent: str, *, policy: Policies | None = None, search: Text = "product.search",
        store_card: ToolNames = ('store.info', 'policy.get'), store_card_text: SpokenText | None = None,
        at_most: AtLeastOne = 2, profile: Profile = "robust"
    ) -> R:
        """The turn used the tools that this intent needs, and no more."""
    not_to_use_tools_for = to_use_tools_for

class _ReplyTurnConversation(Expectation[S, R]):
    def to_ask_model(self, *, times: AtLeastZero | None = None, at_most: AtLeastZero | None = None) -> R:
        """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either."""
    not_to_ask_model = to_ask_model
    def to_be_grounded_in(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """Every claim of these types rests on what tools returned; any statement of fact when none is named."""
    not_to_be_grounded_in = to_be_grounded_in
    def to_be_in_topic(self, name: Text) -> R:
        """The turn belongs to the topic of that name; of a conversation, the last turn."""
    not_to_be_in_topic = to_be_in_topic
    def to_claim(self, *claim_types: SpokenText, from_tools: FromTools | None = None) -> R:
        """The reply makes a claim of these types that no tool result supports; meant for `not_to_claim`."""
    not_to_claim = to_claim
    def to_report_what_it_did(
        self, *, store_card_tool: SpokenText | None = None, store_card_text: SpokenText | None = None
    ) -> R:
        """What the agent reports of its turn in `data["meta"]` is what was measured."""
    not_to_report_what_it_did = to_report_what_it_did
    def to_use_tools(self, *names: Text, only: bool = False, at_most: AtLeastZero | None = None) -> R:
        """Every one of these tools was used; without names, any tool at all."""
    not_to_use_tools = to_use_tools

class _ReplyTurnConversationListPath(Expectation[S, R]):
    def to_clarify_efficiently(
        self, *, at_most: NotNegative = 2.0, shape: Shape | None = None, profile: Profile = "robust"
    ) -> R:
        """From first clarifier to recommendation it takes at most that many turns, on average over rounds."""
    not_to_clarify_efficiently = to_clarify_efficiently
    def to_perform_within(
        self, *, baseline: Baseline | None = None, latency_p95: Positive | None = 5.0,
        tokens_p95: Positive | None = None, cost: Positive | None = None, max_rise: NotNegative = 0.2,
        prices: Prices | None = None
    ) -> R:
        """The turns stay below limits, and no figure rises more than `max_rise` over the baseline's."""
    not_to_perform_within = to_perform_within

class _ReplyTurnExchangeConversation(Expectation[S, R]):
    def to_answer_within(self, seconds: Positive) -> R:
        """The answer came within that many seconds: the model's to a request, or the agent's in a turn."""
    not_to_answer_within = to_answer_within
    def to_have_parameters(self, **fields: object) -> R:
        """The request has these fields at its top level, with these values: the model, the temperature, ..."""
    not_to_have_parameters = to_have_parameters
    def to_offer_only_tools(self, *names: Text) -> R:
        """The request offers the model exactly these tools, in any order; without names, none at all."""
    not_to_offer_only_tools = to_offer_only_tools
    def to_offer_tool(self, name: Text) -> R:
        """The request offers the model the tool of that name; of a turn or conversation, every request does."""
    not_to_offer_tool = to_offer_tool
    def to_take_less_than(self, seconds: Positive) -> R:
        """The answer took less than that many seconds: the model's to a request, or the agent's in a turn."""
    not_to_take_less_than = to_take_less_than
    def to_use_fewer_tokens_than(self, limit: AtLeastOne, *, of: TokensOf = "total") -> R:
        """The requests to the model have fewer than `limit` tokens: of input, output, or both (`total`)."""
    not_to_use_fewer_tokens_than = to_use_fewer_tokens_than

class _ReplyTurnExchangeConversationListObjectPath(Expectation[S, R]):
    def to_pass_lint(self, *, ignore: Collection[RuleName] = (), warnings: bool = False) -> R:
        """No provider would reject the message array, and the model sees what the user said in this turn."""
    not_to_pass_lint = to_pass_lint

class _TextExchangeConversationListPath(Expectation[S, R]):
    def to_have_in_system_prompt(self, *texts: Text, ordered: bool = False, after: Text | None = None) -> R:
        """The system prompt contains all of the texts."""
    not_to_have_in_system_prompt = to_have_in_system_prompt

class _TextReplyTurnConversationPath(Expectation[S, R]):
    def to_ask_new_clarifiers(
        self, *, shape: Shape | None = None, window: AtLeastOne | None = None, slots: Slots | None = None,
        language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """No clarifier of the reply, and no question in its text, was asked in one of the turns before."""
    not_to_ask_new_clarifiers = to_ask_new_clarifiers
    def to_remember_answers(
        self, *, slots: Slots | None = None, shape: Shape | None = None, language: Language | None = None,
        profile: Profile = "robust"
    ) -> R:
        """The reply does not ask for what the user has said before, in answer to a question or in passing."""
    not_to_remember_answers = to_remember_answers
    def to_satisfy(self, *criteria: CriterionLike, samples: SampleCount | None = None) -> R:
        """The reply, or the whole conversation, meets every one of the criteria."""
    not_to_satisfy = to_satisfy

class _TextReplyTurnExchangeConversationListPath(Expectation[S, R]):
    def to_stay_within_tokens(self, limit: AtLeastOne, *, of: TokensOf = "input") -> R:
        """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`)."""
    not_to_stay_within_tokens = to_stay_within_tokens

class _TextReplyTurnListObjectValuePath(Expectation[S, R]):
    def to_be_defined(self) -> R:
        """There is a value: the path resolved something. Null is a value."""
    not_to_be_defined = to_be_defined
    def to_be_falsy(self) -> R:
        """The value counts as false in JavaScript: false, 0, NaN, "", null or MISSING."""
    not_to_be_falsy = to_be_falsy
    def to_be_null(self) -> R:
        """The value is null (None in Python): not MISSING, not 0, not empty."""
    not_to_be_null = to_be_null
    def to_be_one_of(self, options: Options) -> R:
        """The value equals one of the options, as `equal` compares. Source: jest-extended."""
    not_to_be_one_of = to_be_one_of
    def to_be_truthy(self) -> R:
        """The value counts as true in JavaScript: anything but false, 0, NaN, "", null and MISSING."""
    not_to_be_truthy = to_be_truthy
    def to_be_undefined(self) -> R:
        """There is no value: the path resolved nothing. Null is a value."""
    not_to_be_undefined = to_be_undefined
    def to_equal(self, expected: object) -> R:
        """The value is the same JSON value as `expected`; of a reply or turn, its text."""
    not_to_equal = to_equal
    def to_match_schema(self, schema: JsonSchema) -> R:
        """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise)."""
    not_to_match_schema = to_match_schema

class _TextReplyTurnListPath(Expectation[S, R]):
    def to_contain(self, expected: JsonValue, *, after: Text | None = None, ignore_case: bool = False) -> R:
        """The text contains the text `expected`; the list has an element that equals `expected`."""
    not_to_contain = to_contain
    def to_contain_equal(self, expected: JsonValue) -> R:
        """The list has an element that equals `expected`; of a text, a single character."""
    not_to_contain_equal = to_contain_equal
    def to_have_length(self, length: Length) -> R:
        """The list has `length` elements, or the text as many characters (code points)."""
    not_to_have_length = to_have_length

class _TextReplyTurnObjectPath(Expectation[S, R]):
    def to_cover_constraints(
        self, constraints: Constraints, *, at_least: Share = 0.6, by: CoveredBy = "mentioned",
        records: Records | None = None, shape: Shape | None = None, synonyms: Synonyms | None = None,
        profile: Profile = "robust"
    ) -> R:
        """A recommendation covers at least that share of what the user wants."""
    not_to_cover_constraints = to_cover_constraints
    def to_ground_products(
        self, *, records: Records | None = None, shape: Shape | None = None,
        synonyms: SpokenSynonyms | None = None, verifier: Verifier | None = None,
        language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """What the envelope says of each product is in the record of the same id: its reasons, title and"""
    not_to_ground_products = to_ground_products
    def to_have_envelope(
        self, *, mode: EnvelopeMode | None = None, shape: Shape | None = None, lead_sentences: AtLeastOne = 2,
        detail_sentences: AtLeastOne = 3, products: Range | None = None, reasons: Range = (1, 3),
        clarifiers: AtLeastZero = 3, detail_required: bool | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply's data, or its JSON text, is a well-formed envelope within its limits."""
    not_to_have_envelope = to_have_envelope
    def to_stay_within_budget(
        self, budget: Budget, *, drivers: Drivers | None = None, min_drivers: AtLeastZero = 2,
        records: Records | None = None, shape: Shape | None = None, profile: Profile = "robust"
    ) -> R:
        """Every product of the reply costs at most the budget, or is worth what it costs over that."""
    not_to_stay_within_budget = to_stay_within_budget

class _TextReplyTurnPath(Expectation[S, R]):
    def to_avoid_boilerplate(
        self, *, phrases: Phrases = (), language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply has no boilerplate of a machine ("As an AI language model"), and none of `phrases`."""
    not_to_avoid_boilerplate = to_avoid_boilerplate
    def to_avoid_repetition(
        self, *, at_most: AtLeastOne = 2, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply says no pair of words more than `at_most` times, and nothing in a loop."""
    not_to_avoid_repetition = to_avoid_repetition
    def to_be_free_of(
        self, labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None,
        profile: Profile = "robust"
    ) -> R:
        """The text shows none of the named bad patterns; none at all when no label is named."""
    not_to_be_free_of = to_be_free_of
    def to_be_supported_by(
        self, facts: JsonValue = None, *, synonyms: SpokenSynonyms | None = None,
        allow: Sequence[Allowed] = ('opinion',), verifier: Verifier | None = None,
        language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """What the reply says is in the facts: a record, a list of records, or a text; without them, what"""
    not_to_be_supported_by = to_be_supported_by
    def to_be_valid_json(self) -> R:
        """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON."""
    not_to_be_valid_json = to_be_valid_json
    def to_be_valid_response(
        self, *, tool_status: ToolStatus | None = None, profile: Profile = "robust"
    ) -> R:
        """The response validator finds nothing in the text: `validate_response` as a matcher."""
    not_to_be_valid_response = to_be_valid_response
    def to_differ_from_previous(
        self, *, below: Share = 0.8, allow_due: bool = False, language: Language | None = None,
        profile: Profile = "robust"
    ) -> R:
        """The likeness of the reply to the one before it stays under `below`."""
    not_to_differ_from_previous = to_differ_from_previous
    def to_end_with(self, expected: Text) -> R:
        """The text ends with `expected`, case and white space included."""
    not_to_end_with = to_end_with
    def to_follow_policy(
        self, card: Card = None, *, topics: Sequence[SpokenText] | None = None,
        synonyms: SpokenSynonyms | None = None, verifier: Verifier | None = None,
        language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """What the reply says of policy is on the store card; without `card`, in what tools returned."""
    not_to_follow_policy = to_follow_policy
    def to_follow_rules(
        self, *rules: PhraseRule | str | PathLike[str] | Mapping[str, Any],
        tool_status: ToolStatus | None = None
    ) -> R:
        """The reply breaks none of the rules on wording: PhraseRules, or the paths of files of them."""
    not_to_follow_rules = to_follow_rules
    def to_guide_user(self, *, intent: str = "", kind: TurnKind = "chat", at_least: Score | None = None) -> R:
        """The reply answers what the user wants and moves the matter on: its score is at least the gate."""
    not_to_guide_user = to_guide_user
    def to_have_at_most_exclamations(self, limit: AtLeastZero = 1, *, profile: Profile = "robust") -> R:
        """The reply exclaims at most `limit` times."""
    not_to_have_at_most_exclamations = to_have_at_most_exclamations
    def to_have_at_most_sentences(self, limit: AtLeastOne, *, profile: Profile = "robust") -> R:
        """The text has at most `limit` sentences; a fragment without a full stop counts as one."""
    not_to_have_at_most_sentences = to_have_at_most_sentences
    def to_have_intent(self, name: SpokenText, *, described_as: str = "") -> R:
        """The reply, by its words and tool calls, has the intent of that name."""
    not_to_have_intent = to_have_intent
    def to_match(self, pattern: str, *, flags: str = "") -> R:
        """Some part of the text matches the regular expression, on RE2, which cannot hang."""
    not_to_match = to_match
    def to_open_differently(
        self, *, window: AtLeastOne = 5, language: Language | None = None, profile: Profile = "robust"
    ) -> R:
        """The reply opens differently from each of the last `window` replies."""
    not_to_open_differently = to_open_differently
    def to_show_intelligence(
        self, *, kind: TurnKind = "chat", store_card: JsonValue = None, records: JsonValue = None,
        intent: str = "", at_least: Score | None = None
    ) -> R:
        """The IQ of the reply, the true median of naturalness, guidance and context use, is at least the gate."""
    not_to_show_intelligence = to_show_intelligence
    def to_sound_natural(self, *, at_least: Score = 3.7) -> R:
        """The reply sounds like an attentive person: its score, 1 to 5, is at least the gate."""
    not_to_sound_natural = to_sound_natural
    def to_start_with(self, expected: Text) -> R:
        """The text begins with `expected`, case and white space included."""
    not_to_start_with = to_start_with
    def to_stay_on_topic(
        self, *, at_least: Cosine | None = None, about: SpokenText | None = None,
        embedder: EmbedderChoice | None = None, shape: Shape | None = None, language: Language | None = None,
        profile: Profile = "robust"
    ) -> R:
        """The reply is about what the user said: the cosine of their vectors reaches the embedder's threshold."""
    not_to_stay_on_topic = to_stay_on_topic
    def to_use_context(
        self, *, store_card: JsonValue = None, records: JsonValue = None, at_least: Score = 3.7
    ) -> R:
        """The reply makes right and helpful use of the context: its score is at least the gate."""
    not_to_use_context = to_use_context
    def to_use_contractions(self, *, language: Language | None = None, profile: Profile = "robust") -> R:
        """The reply uses a contraction ("I'm", "don't"), where it has a place for one."""
    not_to_use_contractions = to_use_contractions

class _ValuePath(Expectation[S, R]):
    def to_be_close_to(self, value: float, digits: Digits = 2) -> R:
        """The number differs from `value` by less than half of the last of `digits` decimal places."""
    not_to_be_close_to = to_be_close_to
    def to_be_greater_than(self, expected: float) -> R:
        """The number is greater than `expected`; anything but a number is an `error`."""
    not_to_be_greater_than = to_be_greater_than
    def to_be_greater_than_or_equal(self, expected: float) -> R:
        """The number is `expected` or greater; anything but a number is an `error`."""
    not_to_be_greater_than_or_equal = to_be_greater_than_or_equal
    def to_be_less_than(self, expected: float) -> R:
        """The number is less than `expected`; anything but a number is an `error`."""
    not_to_be_less_than = to_be_less_than
    def to_be_less_than_or_equal(self, expected: float) -> R:
        """The number is `expected` or less; anything but a number is an `error`."""
    not_to_be_less_than_or_equal = to_be_less_than_or_equal

class TextExpectation(
        _TextExchangeConversationListPath[str, R], _TextReplyTurnConversationPath[str, R],
        _TextReplyTurnExchangeConversationListPath[str, R], _TextReplyTurnListObjectValuePath[str, R],
        _TextReplyTurnListPath[str, R], _TextReplyTurnObjectPath[str, R], _TextReplyTurnPath[str, R]
):
    """What can be expected of a text."""

class ReplyExpectation(
        _ReplyConversation[Reply, R], _ReplyTurn[Reply, R], _ReplyTurnConversation[Reply, R],
        _ReplyTurnConversationListPath[Reply, R], _ReplyTurnExchangeConversation[Reply, R],
        _ReplyTurnExchangeConversationListObjectPath[Reply, R], _TextReplyTurnConversationPath[Reply, R],
        _TextReplyTurnExchangeConversationListPath[Reply, R], _TextReplyTurnListObjectValuePath[Reply, R],
        _TextReplyTurnListPath[Reply, R], _TextReplyTurnObjectPath[Reply, R], _TextReplyTurnPath[Reply, R]
):
    """What can be expected of a reply."""
    def to_avoid_call_loops(self) -> R:
        """No call is made three times in the reply with the same arguments and the same result."""
    not_to_avoid_call_loops = to_avoid_call_loops
    def to_call_with_json_arguments(self) -> R:
        """The arguments of every tool call of the reply are a JSON object. A reply without calls is `skipped`."""
    not_to_call_with_json_arguments = to_call_with_json_arguments
    def to_keep_secrets(self) -> R:
        """The reply shows no key, token or password, but for one that the user said. Its reason shows none."""
    not_to_keep_secrets = to_keep_secrets
    def to_keep_the_language(self) -> R:
        """The reply stays in the language that the user and the reply before it are in, unless asked for its own."""
    not_to_keep_the_language = to_keep_the_language
    def to_keep_the_prompt(self) -> R:
        """The reply does not say twelve words in a row of its system prompt that speak to the assistant."""
    not_to_keep_the_prompt = to_keep_the_prompt

class TurnExpectation(
        _ReplyTurn[Turn, R], _ReplyTurnConversation[Turn, R], _ReplyTurnConversationListPath[Turn, R],
        _ReplyTurnExchangeConversation[Turn, R], _ReplyTurnExchangeConversationListObjectPath[Turn, R],
        _TextReplyTurnConversationPath[Turn, R], _TextReplyTurnExchangeConversationListPath[Turn, R],
        _TextReplyTurnListObjectValuePath[Turn, R], _TextReplyTurnListPath[Turn, R],
        _TextReplyTurnObjectPath[Turn, R], _TextReplyTurnPath[Turn, R]
):
    """What can be expected of a turn."""

class ExchangeExpectation(
        _ExchangeConversationListPath[Exchange, R], _ExchangeListPath[Exchange, R],
        _ReplyTurnExchangeConversation[Exchange, R], _ReplyTurnExchangeConversationListObjectPath[Exchange,
        R], _TextExchangeConversationListPath[Exchange, R],
        _TextReplyTurnExchangeConversationListPath[Exchange, R]
):
    """What can be expected of a request to the model."""

class ConversationExpectation(
        _ExchangeConversationListPath[Conversation, R], _ReplyConversation[Conversation, R],
        _ReplyTurnConversation[Conversation, R], _ReplyTurnConversationListPath[Conversation, R],
        _ReplyTurnExchangeConversation[Conversation, R],
        _ReplyTurnExchangeConversationListObjectPath[Conversation, R],
        _TextExchangeConversationListPath[Conversation, R], _TextReplyTurnConversationPath[Conversation, R],
        _TextReplyTurnExchangeConversationListPath[Conversation, R]
):
    """What can be expected of a conversation."""
    def to_have_achieved_goal(self, goal: str = "") -> R:
        """By the end of the conversation the user has got what they came for."""
    not_to_have_achieved_goal = to_have_achieved_goal
    def to_have_called_tool(self, tool: Tool, /, **arguments: object) -> R:
        """Some turn called the tool, with at least these arguments, inside objects too."""
    not_to_have_called_tool = to_have_called_tool
    def to_have_called_tools(
        self, calls: Calls, /, *, order: Order = "in_order", args: ArgumentMode = "subset",
        forbid: Collection[Text] = (), only: bool | Collection[Text] = False
    ) -> R:
        """The conversation called these tools, by default in this order, with others between them."""
    not_to_have_called_tools = to_have_called_tools
    def to_have_reached_topic(self, name: Text) -> R:
        """Some turn of the conversation belongs to the topic of that name."""
    not_to_have_reached_topic = to_have_reached_topic
    def to_have_stayed_on_graph(self) -> R:
        """Every move of the conversation from topic to topic is one that the graph has."""
    not_to_have_stayed_on_graph = to_have_stayed_on_graph
    def to_have_topic_history(self, topics: TopicNames, *, order: HistoryOrder = "exact") -> R:
        """The conversation visited these topics; one that it came back to is there again."""
    not_to_have_topic_history = to_have_topic_history
    def to_have_turn_count(
        self, exactly: AtLeastOne | None = None, *, max: AtLeastOne | None = None,
        min: AtLeastOne | None = None
    ) -> R:
        """The conversation has at most `max` turns, at least `min`, or `exactly` so many."""
    not_to_have_turn_count = to_have_turn_count

class ListExpectation(
        _ExchangeConversationListPath[list[Any], R], _ExchangeListPath[list[Any], R],
        _ListObjectPath[list[Any], R], _ListPath[list[Any], R], _ReplyTurnConversationListPath[list[Any], R],
        _ReplyTurnExchangeConversationListObjectPath[list[Any], R],
        _TextExchangeConversationListPath[list[Any], R], _TextReplyTurnExchangeConversationListPath[list[Any],
        R], _TextReplyTurnListObjectValuePath[list[Any], R], _TextReplyTurnListPath[list[Any], R]
):
    """What can be expected of a list."""

class ObjectExpectation(
        _ListObjectPath[dict[str, Any], R], _ReplyTurnExchangeConversationListObjectPath[dict[str, Any], R],
        _TextReplyTurnListObjectValuePath[dict[str, Any], R], _TextReplyTurnObjectPath[dict[str, Any], R]
):
    """What can be expected of an object."""

class StateExpectation(Expectation[StateChange, R]):
    """What can be expected of a state."""
    def to_be_unchanged(self, *paths: PropertyPath) -> R:
        """The state, or what it has at these paths, is as it was before."""
    not_to_be_unchanged = to_be_unchanged
    def to_have_changed(self, expected: Mapping[str, object] | None = None, *, only: bool = False) -> R:
        """The state differs from what it was before."""
    not_to_have_changed = to_have_changed

class ValueExpectation(_TextReplyTurnListObjectValuePath[Any, R], _ValuePath[Any, R]):
    """What can be expected of a value."""

class PathExpectation(
        _ExchangeConversationListPath[Any, R], _ExchangeListPath[Any, R], _ListObjectPath[Any, R],
        _ListPath[Any, R], _ReplyTurnConversationListPath[Any, R],
        _ReplyTurnExchangeConversationListObjectPath[Any, R], _TextExchangeConversationListPath[Any, R],
        _TextReplyTurnConversationPath[Any, R], _TextReplyTurnExchangeConversationListPath[Any, R],
        _TextReplyTurnListObjectValuePath[Any, R], _TextReplyTurnListPath[Any, R],
        _TextReplyTurnObjectPath[Any, R], _TextReplyTurnPath[Any, R], _ValuePath[Any, R]
):
    """What can be expected of the values at a path."""

@overload
def expect(subject: str) -> TextExpectation[Verdict]:  # type: ignore[overload-overlap]
    """Begin a hard check: the test fails unless it passes."""
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
def expect(subject: State | StateChange) -> StateExpectation[Verdict]: ...  # type: ignore[overload-overlap]
@overload
def expect(subject: object) -> ValueExpectation[Verdict]: ...
@overload
def expect(subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto") -> PathExpectation[Verdict]: ...
@overload
def expect(subject: object, *, parse: Parse) -> PathExpectation[Verdict]: ...

@overload
def evaluate(subject: str) -> TextExpectation[Verdict | PendingVerdict]:  # type: ignore[overload-overlap]
    """Begin a soft check: recorded and shown, never changing pass or fail."""
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
def evaluate(subject: State | StateChange) -> StateExpectation[Verdict | PendingVerdict]: ...  # type: ignore[overload-overlap]
@overload
def evaluate(subject: object) -> ValueExpectation[Verdict | PendingVerdict]: ...
@overload
def evaluate(subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto") -> PathExpectation[Verdict | PendingVerdict]: ...
@overload
def evaluate(subject: object, *, parse: Parse) -> PathExpectation[Verdict | PendingVerdict]: ...

@overload
def awaited_expect(subject: str) -> TextExpectation[Coroutine[Any, Any, Verdict]]:  # type: ignore[overload-overlap]
    """Begin a hard check: the test fails unless it passes. Each check is awaited."""
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
def awaited_expect(subject: State | StateChange) -> StateExpectation[Coroutine[Any, Any, Verdict]]: ...  # type: ignore[overload-overlap]
@overload
def awaited_expect(subject: object) -> ValueExpectation[Coroutine[Any, Any, Verdict]]: ...
@overload
def awaited_expect(subject: object, *, path: str, match: PathMatch = "ANY", parse: Parse = "auto") -> PathExpectation[Coroutine[Any, Any, Verdict]]: ...
@overload
def awaited_expect(subject: object, *, parse: Parse) -> PathExpectation[Coroutine[Any, Any, Verdict]]: ...
awaited_evaluate = awaited_expect
