"""Eight faults, planted one at a time: each is caught by one check, and all others pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from concierge_checks import checks_of

from grice import AgentContext, LiveConversation, evaluate
from grice.matchers import stay_within_budget

TURNS = (
    ("Hi there!", "small_talk"),
    ("I want a 27-inch 1440p monitor for gaming, up to $300", "recommendation"),
    ("Which one would you pick?", "details"),
    ("Can I return it if I don't like it?", "policy"),
    ("What's the difference between IPS and VA?", "small_talk"),
    ("I'm fed up with my old screen, it flickers all day", "small_talk"),
)
CAUGHT_BY = {
    "": {},
    "invented_feature": {"products": [2]},
    "over_budget": {"budget": [2]},
    "asks_again": {"memory": [2]},
    "extra_condition": {"policy": [4]},
    "searches_at_once": {"tools": [1]},
    "stock_opener": {"openers": [2, 3, 4, 5, 6]},
    "boilerplate": {"boilerplate": [3]},
    "parrot": {"similarity": [6]},
}
"""Which check fails in which turns, for each fault; "" is the concierge without one."""


@pytest.fixture(params=CAUGHT_BY, ids=lambda fault: fault or "healthy")
def fault(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def agent(agent_factory: Callable[..., object], agent_context: AgentContext, fault: str) -> object:
    """The configured agent with the fault."""
    return agent_factory({**agent_context, "fault": fault})


def test_one_check_catches_it(conversation: LiveConversation, fault: str) -> None:
    outcomes: dict[str, dict[str, list[int]]] = {}
    for number, (say, kind) in enumerate(TURNS, 1):
        reply = conversation.say(say)
        for name, check in checks_of(reply, kind, budget=300):
            outcome = evaluate(reply).to(check).outcome.value
            outcomes.setdefault(outcome, {}).setdefault(name, []).append(number)
    assert outcomes.get("fail", {}) == CAUGHT_BY[fault]
    assert set(outcomes) <= {"pass", "fail", "skipped"}


@pytest.mark.parametrize("fault", ["over_budget"], indirect=True)
def test_the_rule_of_the_seed_does_not_see_that_nothing_got_better(conversation: LiveConversation) -> None:
    conversation.say(TURNS[0][0])
    reply = conversation.say(TURNS[1][0])
    assert evaluate(reply).to(stay_within_budget(300, profile="seed")).outcome.value == "pass"
