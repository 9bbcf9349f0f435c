"""Every built-in matcher as a typed factory, and what a matcher of your own is made of.

`contain("x")` is a value, `~contain("x")` its negation.
"""

from __future__ import annotations

from grice.checks.context import (
    contain_message,
    contain_messages,
    have_last_user_message,
    pair_tool_calls,
)
from grice.checks.contradiction.factual_contradiction import avoid_factual_contradiction
from grice.checks.contradiction.self_contradiction import avoid_self_contradiction
from grice.checks.evidence.policy import follow_policy
from grice.checks.evidence.support import be_supported_by
from grice.checks.log_facts import (
    avoid_call_loops,
    call_with_json_arguments,
    keep_secrets,
    keep_the_language,
    keep_the_prompt,
)
from grice.checks.message_lint import pass_lint
from grice.checks.model_requests import have_parameters, offer_only_tools, offer_tool
from grice.checks.performance_gate import perform_within
from grice.checks.phrase_rules.following import follow_rules
from grice.checks.prompt import have_in_system_prompt
from grice.checks.questions.clarifiers import ask_new_clarifiers
from grice.checks.questions.memory import remember_answers
from grice.checks.self_report import report_what_it_did
from grice.checks.semantics.topicality import stay_on_topic
from grice.checks.shop.budget import stay_within_budget
from grice.checks.shop.clarifier_efficiency import clarify_efficiently
from grice.checks.shop.coverage import cover_constraints
from grice.checks.shop.envelope import have_envelope
from grice.checks.shop.products import ground_products
from grice.checks.state import be_unchanged, have_changed
from grice.checks.structure.sentence_count import have_at_most_sentences
from grice.checks.telemetry import (
    answer_within,
    ask_model,
    stay_within_tokens,
    take_less_than,
    use_fewer_tokens_than,
)
from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.similarity import differ_from_previous
from grice.checks.tool_flow.matchers import be_free_of, be_valid_response
from grice.checks.tool_minimality import use_tools_for
from grice.checks.tools_used import use_tools
from grice.checks.topic_history import (
    be_in_topic,
    have_reached_topic,
    have_stayed_on_graph,
    have_topic_history,
)
from grice.checks.turn_count import have_turn_count
from grice.judging.goal_matchers import have_achieved_goal, have_intent
from grice.judging.grounding import be_grounded_in, claim
from grice.judging.meet_bundle import meet
from grice.judging.quality import guide_user, show_intelligence, sound_natural, use_context
from grice.judging.satisfy_criteria import satisfy
from grice.matching.calls.matchers import call_tool, call_tools, have_called_tool, have_called_tools
from grice.matching.context import Context
from grice.matching.jest.elements import satisfy_all, satisfy_any
from grice.matching.jest.numbers import (
    be_close_to,
    be_greater_than,
    be_greater_than_or_equal,
    be_less_than,
    be_less_than_or_equal,
)
from grice.matching.jest.objects import have_property, match_object, match_schema
from grice.matching.jest.texts import be_valid_json, contain, contain_equal, end_with, match, start_with
from grice.matching.jest.values import (
    be_defined,
    be_falsy,
    be_null,
    be_one_of,
    be_truthy,
    be_undefined,
    equal,
    have_length,
)
from grice.matching.matcher import ArgumentError, Matcher, matcher
from grice.records import errored, failed, inconclusive, passed, skipped

__all__ = [
    "ArgumentError",
    "Context",
    "Matcher",
    "answer_within",
    "ask_model",
    "ask_new_clarifiers",
    "avoid_boilerplate",
    "avoid_call_loops",
    "avoid_factual_contradiction",
    "avoid_repetition",
    "avoid_self_contradiction",
    "be_close_to",
    "be_defined",
    "be_falsy",
    "be_free_of",
    "be_greater_than",
    "be_greater_than_or_equal",
    "be_grounded_in",
    "be_in_topic",
    "be_less_than",
    "be_less_than_or_equal",
    "be_null",
    "be_one_of",
    "be_supported_by",
    "be_truthy",
    "be_unchanged",
    "be_undefined",
    "be_valid_json",
    "be_valid_response",
    "call_tool",
    "call_tools",
    "call_with_json_arguments",
    "claim",
    "clarify_efficiently",
    "contain",
    "contain_equal",
    "contain_message",
    "contain_messages",
    "cover_constraints",
    "differ_from_previous",
    "end_with",
    "equal",
    "errored",
    "failed",
    "follow_policy",
    "follow_rules",
    "ground_products",
    "guide_user",
    "have_achieved_goal",
    "have_at_most_exclamations",
    "have_at_most_sentences",
    "have_called_tool",
    "have_called_tools",
    "have_changed",
    "have_envelope",
    "have_in_system_prompt",
    "have_intent",
    "have_last_user_message",
    "have_length",
    "have_parameters",
    "have_property",
    "have_reached_topic",
    "have_stayed_on_graph",
    "have_topic_history",
    "have_turn_count",
    "inconclusive",
    "keep_secrets",
    "keep_the_language",
    "keep_the_prompt",
    "match",
    "match_object",
    "match_schema",
    "matcher",
    "meet",
    "offer_only_tools",
    "offer_tool",
    "open_differently",
    "pair_tool_calls",
    "pass_lint",
    "passed",
    "perform_within",
    "remember_answers",
    "report_what_it_did",
    "satisfy",
    "satisfy_all",
    "satisfy_any",
    "show_intelligence",
    "skipped",
    "sound_natural",
    "start_with",
    "stay_on_topic",
    "stay_within_budget",
    "stay_within_tokens",
    "take_less_than",
    "use_context",
    "use_contractions",
    "use_fewer_tokens_than",
    "use_tools",
    "use_tools_for",
]
