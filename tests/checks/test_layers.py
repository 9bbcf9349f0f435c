"""Every built-in matcher says how it judges."""

import pytest
from turns_judged import turn_of, verdict_on

import grice.matchers
from grice.checks.self_report import report_what_it_did
from grice.checks.telemetry import take_less_than, use_fewer_tokens_than
from grice.checks.tools_used import use_tools
from grice.matching.matcher import MatcherFactory

NEW = (use_tools, take_less_than, use_fewer_tokens_than, report_what_it_did)
MATCHERS = {
    one.python_name: one
    for one in (*vars(grice.matchers).values(), *NEW)
    if isinstance(one, MatcherFactory)
    and one.function.__module__.startswith(("grice.checks", "grice.matching"))
}
MEASURED = {
    "answer_within",
    "ask_model",
    "be_in_topic",
    "call_tool",
    "call_tools",
    "have_called_tool",
    "have_called_tools",
    "have_reached_topic",
    "have_stayed_on_graph",
    "have_topic_history",
    "have_turn_count",
    "stay_within_tokens",
    "take_less_than",
    "use_fewer_tokens_than",
    "use_tools",
}
EVIDENCE = {
    "contain_message",
    "have_in_system_prompt",
    "have_last_user_message",
    "have_parameters",
    "offer_only_tools",
    "offer_tool",
    "pair_tool_calls",
    "pass_lint",
    "report_what_it_did",
}


@pytest.mark.parametrize("name", sorted(MATCHERS))
def test_the_layer_of_a_matcher(name):
    assert MATCHERS[name].layer == (0 if name in MEASURED else 2 if name in EVIDENCE else 1)


def test_a_verdict_names_its_layer():
    assert verdict_on(turn_of("a"), use_tools("a")).layer == 0
    assert verdict_on("a", grice.matchers.contain("a")).layer == 1
