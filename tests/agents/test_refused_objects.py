# ruff: noqa: E501 - tables, one case a line
"""What is no agent, and no reply, is told with the lines that make it one."""

from types import SimpleNamespace
from typing import Any

import pytest

from grice import ExpectationFailed, call, expect
from grice.agents import AgentLoadError, BadReturn, bind_agent, read_response
from grice.running.live import LiveConversation


def of(package: str, **members: Any) -> Any:
    return type("Thing", (), {"__module__": package, **members})()


async def waits(self: Any, text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        (
            of("mine", run=lambda self, text: text),
            "found Thing.run(), so write\n    the_agent = Thing(...)\n    def agent(text):\n        return the_agent.run(text)",
        ),
        (
            of("mine", ask=waits),
            "found Thing.ask(), so write\n    the_agent = Thing(...)\n    async def agent(text):\n        return await the_agent.ask(text)",
        ),
        (of("langgraph.graph", compile=len), "the graph is not compiled, so it is not an agent yet: return graph.compile()"),
        (
            of("langgraph.graph", ainvoke=len, channels={"question": 1, "answer": 1, "__start__": 1}),
            "the state of the graph has no 'messages' (found question, answer): write a function that calls it\n    def agent(text):",
        ),
        (
            of("pydantic_ai.agent", run_sync=len, deps_type=SimpleNamespace),
            "the agent needs dependencies of type SimpleNamespace, which only you can make: write a class that runs it\n    class Assistant:",
        ),
    ],
)  # fmt: skip
def test_an_object_that_is_no_agent_is_told_with_the_lines_that_make_it_one(target: Any, lines: str) -> None:
    with pytest.raises(AgentLoadError) as caught:
        bind_agent(target)
    assert lines in str(caught.value)


def test_a_runnable_with_several_texts_is_told_with_the_function_that_calls_it() -> None:
    fields = {"city": {"type": "string"}, "question": {"type": "string"}}
    runnable = of(
        "langchain_core.runnables", ainvoke=len, get_input_jsonschema=lambda self: {"properties": fields}
    )
    with (
        LiveConversation(runnable) as live,
        pytest.raises(Exception, match="the runnable takes city, question") as caught,
    ):
        live.say("Hi")
    assert "return chain.invoke({'city': text})" in str(caught.value)


def test_a_reply_that_cannot_be_read_is_told_with_the_place_of_its_text() -> None:
    with pytest.raises(BadReturn, match=r"its text is likely \.output, so write") as caught:
        read_response(SimpleNamespace(output="Hi", cost=1))
    assert "return reply.output" in str(caught.value)


class Gateway:
    """An agent behind something that does not pass calls on."""

    def chat(self, messages: object) -> str:
        return "Done."

    def metadata(self) -> dict[str, object]:
        return {"unseen": {"tool calls": "the gateway does not pass calls on"}}


@pytest.mark.parametrize("check", ["to_call_tool", "not_to_call_tool", "not_to_use_tools"])
def test_what_an_agent_does_not_tell_never_passes(check: str) -> None:
    with LiveConversation(Gateway()) as live:
        reply = live.say("Refund A1")
        with pytest.raises(ExpectationFailed, match="the gateway does not pass calls on") as caught:
            getattr(expect(reply), check)("refund")
    assert caught.value.verdict.outcome == "inconclusive"


class ToldAsText(Gateway):
    """An agent whose framework makes a result of the error of a tool."""

    def __init__(self, error: str | None = None) -> None:
        self.error = error

    def chat(self, messages: object, on_tool_call: Any) -> str:
        on_tool_call("refund", {"order": "A1"}, result=None if self.error else "refunded", error=self.error)
        on_tool_call("mail", result="sent")
        return "Done."

    def metadata(self) -> dict[str, object]:
        return {"unseen": {"tool errors": "errors come as text"}}


@pytest.mark.parametrize("negated", ["", "not_"])
@pytest.mark.parametrize("expected", [call("refund").failing(), call("refund").succeeding()])
@pytest.mark.parametrize("several", [False, True])
def test_whether_a_call_failed_is_not_known_where_the_agent_does_not_tell(
    negated: str, expected: Any, several: bool
) -> None:
    with LiveConversation(ToldAsText()) as live:
        reply = live.say("Refund A1")
        name, asked = ("to_call_tools", [expected, "mail"]) if several else ("to_call_tool", expected)
        with pytest.raises(ExpectationFailed, match="errors come as text") as caught:
            getattr(expect(reply), negated + name)(asked)
    assert caught.value.verdict.outcome == "inconclusive"


def test_an_error_that_is_on_record_is_seen_all_the_same() -> None:
    with LiveConversation(ToldAsText("no such order")) as live:
        reply = live.say("Refund A1")
    expect(reply).to_call_tool(call("refund").failing("no such"))
    expect(reply).not_to_call_tool(call("refund").succeeding())
    expect(reply).to_call_tool(call("mail"))
    assert "error unseen" not in str(reply.tool_calls)
