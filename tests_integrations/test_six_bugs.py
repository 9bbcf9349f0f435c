"""Six bugs, planted in an assistant of LangGraph and in one of Pydantic AI: a plain first test names each."""

from pathlib import Path

import langchain.agents  # noqa: F401 - pytester forgets what a run imported; these are loaded before
import langchain_openai  # noqa: F401
import pydantic_ai.models.openai  # noqa: F401
import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]

LANGGRAPH = '''
import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from grice import expect, tool_use

BUG = {bug!r}


@tool
def get_order(order_id: str) -> dict:
    """Look an order up."""
    return {{"order_id": order_id, "status": "open"}}


@tool
def refund(order_id: str, amount: int) -> dict:
    """Refund an order."""
    return {{"order_id": order_id, "refunded": amount}}


@pytest.fixture
def agent(agent_context):
    model = ChatOpenAI(model="x", base_url=agent_context.model_url + "/v1", api_key=agent_context.model_key)
    graph = create_agent(model, [get_order, refund], system_prompt="You serve a shop.")
    if BUG != "message dropped":
        return graph
    return lambda messages: graph.invoke(
        {{"messages": [*messages[:-1], {{"role": "user", "content": "Please continue."}}]}}
    )
'''

PYDANTIC_AI = '''
import pytest
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from grice import expect, tool_use

BUG = {bug!r}


@pytest.fixture
def agent(agent_context):
    provider = OpenAIProvider(base_url=agent_context.model_url + "/v1", api_key=agent_context.model_key)
    assistant = Agent(OpenAIChatModel("x", provider=provider), instructions="You serve a shop.")

    @assistant.tool_plain
    def get_order(order_id: str) -> dict:
        """Look an order up."""
        return {{"order_id": order_id, "status": "open"}}

    @assistant.tool_plain
    def refund(order_id: str, amount: int) -> dict:
        """Refund an order."""
        return {{"order_id": order_id, "refunded": amount}}

    if BUG != "message dropped":
        return assistant

    async def forgets(text):
        return await assistant.run("Please continue.")

    return forgets
'''

TEST = """

def test_first_day(conversation, scripted_model):
    scripted_model.script({script})
    reply = conversation.say({said!r})
    {check}
"""

ORDER = 'tool_use("get_order", order_id="A101")'
BUGS = {
    "wrong arguments": (
        'tool_use("refund", order_id="A101", amount=5), "Done, I have refunded 50 dollars."',
        "Refund 50 dollars of my order A101",
        'expect(reply).to_call_tool("refund", amount=50)',
        "call refund(amount=50): amount was 5",
    ),
    "message dropped": (
        '"What can I do for you?"',
        "Refund 50 dollars of my order A101",
        'expect(reply).to_call_tool("refund")',
        "turn 1: the user's message is in no request to the model, which was sent 'Please continue.'",
    ),
    "promise without a tool": (
        '"I have refunded your order A101."',
        "Refund 50 dollars of my order A101",
        'expect(reply).to_call_tool("refund")',
        "turn 1: the reply says 'I have refunded your order A101', and no tool did that: no tool was called",
    ),
    "contradiction": (
        ORDER + ', "The status of your order A101 is shipped."',
        "What is the status of my order A101?",
        'assert "open" in reply.text',
        "turn 1: the reply speaks of A101, whose status get_order returned as 'open'",
    ),
    "broken JSON": (
        ORDER + """, '{"order_id": "A101", "status": "open"'""",
        "What is the status of my order A101? Answer in JSON",
        'assert reply.text.endswith("}")',
        "turn 1: the reply begins as JSON and is none: Input data was truncated",
    ),
    "loop": (
        ", ".join([ORDER] * 5) + ', "Still looking."',
        "What is the status of my order A101?",
        'assert "open" in reply.text',
        "turn 1: get_order(order_id='A101') was called 5 times with the same arguments",
    ),
}
"""What the model says, what the user says, the check of a first test, and the line that names the bug."""


@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("assistant", [LANGGRAPH, PYDANTIC_AI], ids=["LangGraph", "Pydantic AI"])
def test_a_plain_first_test_names_the_bug(pytester, assistant, bug):
    script, said, check, line = BUGS[bug]
    pytester.makepyfile(assistant.format(bug=bug) + TEST.format(script=script, said=said, check=check))

    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "-W", "ignore")

    result.assert_outcomes(failed=1)
    assert line in result.stdout.str()


def test_the_page_shows_these_lines():
    page = (ROOT / "docs" / "frameworks.md").read_text("utf-8")
    for bug, (_, _, check, line) in BUGS.items():
        row = f"| {bug} | `{check}` | {line.removeprefix('turn 1: ')} |"
        assert row in page, row
