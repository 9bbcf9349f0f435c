"""Every built-in matcher says how it judges."""

import pytest
from turns_judged import turn_of, verdict_on

import grice.matchers
from grice.checks.rules import RULES
from grice.matching.matcher import MatcherFactory

MATCHERS = {
    one.python_name: one
    for one in vars(grice.matchers).values()
    if isinstance(one, MatcherFactory)
    and one.function.__module__.startswith(("grice.checks", "grice.matching"))
}
MEASURED = {
    "answer_within",
    "ask_model",
    "be_in_topic",
    "be_unchanged",
    "call_tool",
    "call_tools",
    "have_called_tool",
    "have_called_tools",
    "have_changed",
    "have_reached_topic",
    "have_stayed_on_graph",
    "have_topic_history",
    "have_turn_count",
    "perform_within",
    "stay_within_tokens",
    "take_less_than",
    "use_fewer_tokens_than",
    "use_tools",
    "use_tools_for",
}
EVIDENCE = {
    "avoid_factual_contradiction",
    "be_supported_by",
    "contain_message",
    "contain_messages",
    "follow_policy",
    "ground_products",
    "have_in_system_prompt",
    "have_last_user_message",
    "have_parameters",
    "offer_only_tools",
    "offer_tool",
    "pair_tool_calls",
    "pass_lint",
    "remember_answers",
    "report_what_it_did",
}


MEANING = {"clarify_efficiently", "cover_constraints", "stay_on_topic"}
LAYERS = {
    **dict.fromkeys(MATCHERS, 1),
    **dict.fromkeys(MEASURED, 0),
    **dict.fromkeys(EVIDENCE, 2),
    **dict.fromkeys(MEANING, 4),
}


@pytest.mark.parametrize("name", sorted(MATCHERS))
def test_the_layer_of_a_matcher(name):
    assert MATCHERS[name].layer == LAYERS[name]


def test_the_rules_have_the_layers_of_their_matchers():
    assert {rule.name: rule.layer for rule in RULES} == {rule.name: rule.factory.layer for rule in RULES}


def test_a_verdict_names_its_layer():
    assert verdict_on(turn_of("a"), grice.matchers.use_tools("a")).layer == 0
    assert verdict_on("a", grice.matchers.contain("a")).layer == 1
