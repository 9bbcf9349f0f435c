"""The assistant's own code, on a scripted model: these tests go through no cassette."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grice import AgentContext, LiveConversation, ScriptedModel, call, expect, tool_use
from venue_search.assistant import HOUSE_RULES
from venue_search.model import Endpoint

pytestmark = pytest.mark.grice(record="off")


@pytest.fixture
def agent(
    agent_factory: Callable[..., object], agent_context: AgentContext, scripted_model: ScriptedModel
) -> object:
    """The configured agent, on this test's scripted model."""
    return agent_factory({**agent_context, "llm": Endpoint(f"{scripted_model.url}/v1", scripted_model.key)})


def test_runs_every_tool_that_the_model_calls(
    conversation: LiveConversation, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        [
            tool_use("add_service", venue_id=28, service_type="catering", quantity=120),
            tool_use("add_service", venue_id=28, service_type="parking"),
        ],
        tool_use("book_venue", venue_id=28, day="2026-06-20", guests=120),
        "Done! The Cambridge Belfry is yours on 20 June.",
    )
    reply = conversation.say("The Belfry on 20 June for 120 guests, with dinner and parking")
    expect(reply).to_call_tool("add_service", service_type="catering")
    expect(reply).to_call_tool("add_service", service_type="parking")
    expect(reply).to_call_tool(call("book_venue", guests=120).returning({"total": 880 + 120 * 26}))


def test_tells_its_model_the_house_rules_and_what_tools_said(
    conversation: LiveConversation, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        tool_use("get_venue", venue_id=99), "I am sorry, I do not know that venue. Shall I look for another?"
    )
    conversation.say("What about venue 99?")
    first, second = conversation.exchanges
    expect(first).to_contain_message(role="system", content=HOUSE_RULES)
    expect(second).to_contain_message(role="tool_result", content="there is no venue 99", after="tool_use")
    expect(second).to_pass_lint()
