# ruff: noqa: E501 - tables, one case a line
"""use_tools_for holds what a turn used against what its intent takes."""

import pytest
from refusals import refusal_of
from turns_judged import FAILED, asked_for, turn_of, verdict_on

from grice.checks.tool_minimality import ToolPolicy, use_tools_for
from grice.matching.assertions.data_arguments import arguments_of
from grice.records import Exchange

CARD = Exchange(
    {"messages": [{"role": "system", "content": "Store card: returns within 30 days."}]}, {"content": "ok"}
)


@pytest.mark.parametrize(
    ("turn", "intent", "outcome", "reason"),
    [
        (turn_of(), "small_talk", "pass", "no tool was used"),
        (turn_of("product.search"), "small_talk", "fail", "used product.search, expected none; 1 call, expected none; used: product.search"),
        (turn_of("product.search"), "recommendation", "pass", "used: product.search"),
        (turn_of("product_search"), "recommendation", "pass", "used: product_search"),
        (turn_of("product.serch"), "recommendation", "fail", "'product.search' was not used (did you mean 'product.serch'?); used: product.serch"),
        (turn_of("product.search", "a", "b"), "recommendation", "fail", "3 calls, expected at most 2; used: product.search, a, b"),
        (turn_of("policy.get"), "policy", "pass", "used: policy.get"),
        (turn_of("policy.get", "web"), "policy", "fail", "used web, expected only store.info, policy.get; used: policy.get, web"),
        (turn_of(), "policy", "fail", "the store card was not read: none of store.info, policy.get was used; no tool was used"),
        (turn_of(number=2), "policy", "inconclusive", "the turns before are not known; none of store.info, policy.get was used in this one; no tool was used"),
        (turn_of(failure=FAILED), "small_talk", "inconclusive", "the agent failed in turn 1, and what it did there may not be known; no tool was used"),
        (turn_of(exchanges=(asked_for("product.search"),)), "recommendation", "inconclusive", "in turn 1 the model asked for product.search, and the agent reported no call of it; no call of product.search is on record; no tool was used"),
        ("text", "small_talk", "error", "use_tools_for judges a Reply or a Turn, found str"),
    ],
)  # fmt: skip
def test_what_an_intent_takes(turn, intent, outcome, reason):
    verdict = verdict_on(turn, use_tools_for(intent))
    assert (verdict.outcome, verdict.layer) == (outcome, 0)
    assert set(verdict.reason.split("; ")) == set(reason.split("; "))


def test_the_store_card_may_stand_in_the_prompt():
    turn = turn_of(exchanges=(CARD,))
    assert (
        verdict_on(turn, use_tools_for("policy", store_card_text="returns within 30 days")).outcome == "pass"
    )
    assert (
        verdict_on(turn, use_tools_for("policy", store_card_text="returns within 90 days")).outcome == "fail"
    )
    assert verdict_on(turn_of(), use_tools_for("policy", store_card_text="returns")).outcome == "inconclusive"


def test_policies_are_records_or_objects():
    for policy in (ToolPolicy(needs=("orders.get",), at_most=1), {"needs": ["orders.get"], "atMost": 1}):
        matcher = use_tools_for("status", policy={"status": policy})
        assert verdict_on(turn_of("orders.get"), matcher).outcome == "pass"
        assert verdict_on(turn_of("orders.get", "orders.get"), matcher).outcome == "fail"


@pytest.mark.parametrize(
    ("intent", "arguments", "problem"),
    [
        ("smalltalk", {}, "unknown intent 'smalltalk' (did you mean 'small_talk'?)"),
        ("x", {}, "unknown intent 'x'; known are small_talk, recommendation, policy"),
        (3, {}, "intent is a text, found 3"),
        ("policy", {"at_most": 0}, "at_most is a whole number from 1, found 0"),
        (
            "policy",
            {"store_card": "policy.get"},
            "store_card is a list of texts that is not empty, found 'policy.get'",
        ),
        (
            "policy",
            {"policy": {"x": {"need": []}}},
            "policy.x has an unknown field 'need' (did you mean 'needs'?)",
        ),
        ("policy", {"policy": {"x": {"needs": "a"}}}, "policy.x: Expected `array`, got `str` - at `$.needs`"),
        ("policy", {"profile": "Seed"}, "profile is 'seed' or 'robust', found 'Seed' (did you mean 'seed'?)"),
    ],
)
def test_wrong_arguments_are_refused(intent, arguments, problem):
    assert refusal_of(use_tools_for, intent, **arguments) == problem


def test_it_reads_its_arguments_from_files():
    args, named = arguments_of(
        use_tools_for, {"expected": {"intent": "policy", "storeCard": ["faq"], "atMost": 1}}
    )
    assert verdict_on(turn_of("faq"), use_tools_for(*args, **named)).outcome == "pass"
    args, named = arguments_of(use_tools_for, {"expected": "small_talk"})
    assert verdict_on(turn_of(), use_tools_for(*args, **named)).outcome == "pass"
