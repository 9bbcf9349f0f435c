"""What customers want of the assistant: the measurement that prompts are compared by.

It is no test file that pytest finds by itself: no version of the prompt passes all of it.
"""

from __future__ import annotations

from grice import LiveConversation, Scenario, evaluate, expect, scenarios


@scenarios("scenarios/orders.json", name="orders")
def test_settles_it(conversation: LiveConversation, scenario: Scenario) -> None:
    reply = conversation.say(scenario["ask"])
    if "Which order" in reply.text:
        reply = conversation.say(f"It is order {scenario['number']}.")
    evaluate(reply).to_satisfy("next_step", "brief", "friendly")
    expect(conversation).to_have_called_tool("look_up_order", number=scenario["number"])
    if scenario["needs"]:
        expect(conversation).to_have_called_tool(scenario["needs"], number=scenario["number"])
