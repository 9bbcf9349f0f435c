"""What the adapter of every framework has to do: the same checks for light fakes and for the frameworks.

A kit makes agents of one framework. Each has the tools `weather(city)`, which answers "21 degrees in CITY",
and `broken(city)`, which raises, and the system prompt "You know the weather."; `wanted` names what else it
has: "handoff" (to a forecaster with the tools), "approval" (`refund(order)` waits for approval), "structured"
(its output is a Forecast of city and degrees).
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
import pytest

from grice import AgentFailed, Conversation, tool_use
from grice.formats import read_message
from grice.records import Message, ToolCall
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation
from grice.wire import ScriptedModel

__all__ = ["CHECKS", "Kit", "title_of"]

SYSTEM = "You know the weather."


class Kit(Protocol):
    """Makes agents of one framework, and runs them without Grice."""

    def agent(self, model: ScriptedModel, *wanted: str) -> Any:
        """An agent whose model is the scripted one."""

    def returning(self, agent: Any) -> Any:
        """A function of `messages` that returns what the framework returns for them."""

    def streaming(self, agent: Any) -> Any:
        """The same, streamed."""

    def alone(self, agent: Any, *texts: str) -> list[str]:
        """What the agent answers to these turns without Grice."""


def talk(agent: Any, *texts: str, model: ScriptedModel, **options: Any) -> Conversation:
    with LiveConversation(agent, model=model, **options) as live:
        for text in texts:
            live.say(text)
        record = live.record
    assert {one.source for one in record.tool_calls} <= {"reply"}, "a call is only seen on the wire"
    return record


def calls_of(turn: Any) -> list[tuple[Any, ...]]:
    return [(one.name, one.arguments, one.result) for one in turn.tool_calls]


def said_to(model: ScriptedModel) -> list[list[tuple[str, str]]]:
    """The texts of each request to the model, with their roles."""
    requests = []
    for exchange in model.exchanges:
        read = [one for raw in exchange.messages for one in read_message(raw)]
        requests.append([(one.role, one.content) for one in read if one.content])
    return requests


def weather(*cities: str) -> list[Any]:
    return [tool_use("weather", city=city) for city in cities]


def answer(city: str) -> tuple[Any, ...]:
    return "weather", {"city": city}, f"21 degrees in {city}"


def check_text(kit: Kit) -> None:
    """The text of a reply"""
    model = ScriptedModel("Hello! Which city?")
    assert talk(kit.agent(model), "Hi", model=model).turns[0].text == "Hello! Which city?"


def check_lines(kit: Kit) -> None:
    """A text of several lines and scripts, letter by letter"""
    text = "Grüße,\n\n- 21 °C 🌞\n- 天气  "
    model = ScriptedModel(text)
    assert talk(kit.agent(model), "Hi", model=model).turns[0].text == text


def check_call(kit: Kit) -> None:
    """A tool call and its arguments"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")
    (call,) = talk(kit.agent(model), "Oslo?", model=model).tool_calls
    assert (call.name, call.arguments) == ("weather", {"city": "Oslo"})


def check_result(kit: Kit) -> None:
    """The result of a tool"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")
    assert calls_of(talk(kit.agent(model), "Oslo?", model=model).turns[0]) == [answer("Oslo")]


def check_told_by_agent(kit: Kit) -> None:
    """Calls come from the agent's own messages, without a recorded model"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")
    with LiveConversation(kit.agent(model)) as live:
        live.say("Oslo?")
        assert [one.source for one in live.record.tool_calls] == ["reply"]


def check_parallel(kit: Kit) -> None:
    """Parallel calls, in order"""
    model = ScriptedModel(weather("Oslo", "Rome", "Bern"), "All 21.")
    calls = talk(kit.agent(model), "Three cities?", model=model).tool_calls
    assert [one.arguments["city"] for one in calls] == ["Oslo", "Rome", "Bern"]


def check_parallel_results(kit: Kit) -> None:
    """Each of parallel calls has its own result"""
    model = ScriptedModel(weather("Oslo", "Rome"), "Both 21.")
    record = talk(kit.agent(model), "Two cities?", model=model)
    assert calls_of(record.turns[0]) == [answer("Oslo"), answer("Rome")]


def check_steps(kit: Kit) -> None:
    """Calls in steps, one after the other's result"""
    model = ScriptedModel(weather("Oslo"), weather("Rome"), "Both 21.")
    record = talk(kit.agent(model), "Two cities?", model=model)
    assert calls_of(record.turns[0]) == [answer("Oslo"), answer("Rome")]
    assert [one.role for one in record.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]


def check_same_call_twice(kit: Kit) -> None:
    """Equal calls count as often as they were made"""
    model = ScriptedModel(weather("Oslo"), weather("Oslo"), "Still 21.")
    record = talk(kit.agent(model), "Oslo, twice", model=model)
    assert calls_of(record.turns[0]) == [answer("Oslo")] * 2


def check_tool_error(kit: Kit) -> None:
    """A tool that raises is an error of its call"""
    model = ScriptedModel(tool_use("broken", city="Oslo"), "I could not find out.")
    (call,) = talk(kit.agent(model), "Oslo?", model=model).tool_calls
    assert call.error is not None
    assert "no route" in call.error


def check_narration(kit: Kit) -> None:
    """What is said beside a call comes before it, and is not the answer"""
    model = ScriptedModel(["One moment.", *weather("Oslo")], "It is 21.")
    (turn,) = talk(kit.agent(model), "Oslo?", model=model).turns
    assert (turn.text, turn.full_text) == ("It is 21.", "One moment.\nIt is 21.")


def check_calls_belong_to_turns(kit: Kit) -> None:
    """Calls of earlier turns are not told again"""
    model = ScriptedModel(weather("Oslo"), "It is 21.", weather("Rome"), "It is 21 too.", "Bye!")
    record = talk(kit.agent(model), "Oslo?", "Rome?", "Thanks", model=model)
    assert [calls_of(turn) for turn in record.turns] == [[answer("Oslo")], [answer("Rome")], []]


def check_history(kit: Kit) -> None:
    """The model is sent what was said in earlier turns"""
    model = ScriptedModel("Hello!", "21.")
    talk(kit.agent(model), "I am Ada", "How warm?", model=model)
    said = [one for one in said_to(model)[-1] if one[0] != "system"]
    assert said == [("user", "I am Ada"), ("assistant", "Hello!"), ("user", "How warm?")]


def check_history_of_tools(kit: Kit) -> None:
    """The model is sent the results of earlier turns"""
    model = ScriptedModel(weather("Oslo"), "It is 21.", "Yes.")
    talk(kit.agent(model), "Oslo?", "Sure?", model=model)
    assert any("21 degrees in Oslo" in text for role, text in said_to(model)[-1] if role == "tool")


def check_history_before(kit: Kit) -> None:
    """A conversation that goes on from a given history"""
    model = ScriptedModel("You are Ada.")
    call = ToolCall("weather", {"city": "Oslo"}, id="call_1")
    before = [
        Message("user", "I am Ada"),
        Message("assistant", tool_calls=(call,)),
        Message("tool", "21 degrees in Oslo", tool_call_id="call_1", name="weather"),
        Message("assistant", "Hello Ada!"),
    ]
    record = talk(kit.agent(model), "Who am I?", model=model, history=before)
    texts = [text for role, text in said_to(model)[0] if role in ("user", "assistant")]
    assert texts == ["I am Ada", "Hello Ada!", "Who am I?"]
    assert any("21 degrees in Oslo" in text for role, text in said_to(model)[0] if role == "tool")
    assert record.turns[1].text == "You are Ada."


def check_reset(kit: Kit) -> None:
    """The next conversation begins with nothing"""
    model = ScriptedModel("Hello Ada!")
    agent = kit.agent(model)
    talk(agent, "I am Ada", model=model)
    model.script("Who are you?")
    talk(agent, "Who am I?", model=model)
    assert [one for one in said_to(model)[-1] if one[0] != "system"] == [("user", "Who am I?")]


def check_two_at_once(kit: Kit) -> None:
    """Two conversations at once share nothing"""
    model = ScriptedModel("Hello Ada!", "Hello Bob!", "Ada.", "Bob.")
    agent = kit.agent(model)
    with LiveConversation(agent, model=model) as one, LiveConversation(agent, model=model) as other:
        one.say("I am Ada")
        other.say("I am Bob")
        one.say("Who am I?")
        other.say("And I?")
    first, second = said_to(model)[2:]
    assert [text for role, text in first if role == "user"] == ["I am Ada", "Who am I?"]
    assert [text for role, text in second if role == "user"] == ["I am Bob", "And I?"]


def check_after_failure(kit: Kit) -> None:
    """A turn that failed is told, and the next one works"""
    model = ScriptedModel(ValueError("the model is down"), "Here I am.")
    with LiveConversation(kit.agent(model), model=model) as live:
        with pytest.raises(AgentFailed):
            live.say("Hi")
        assert live.say("Hello?").text == "Here I am."
    assert [text for role, text in said_to(model)[-1] if role == "user"] == ["Hi", "Hello?"]


def check_system_prompt(kit: Kit) -> None:
    """The agent's system prompt, in the requests to a recorded model"""
    model = ScriptedModel("Hello!", "Yes?")
    talk(kit.agent(model), "Hi", "You?", model=model)
    assert all(SYSTEM in one.system for one in model.exchanges)


def check_offered_tools(kit: Kit) -> None:
    """The tools that are offered, in the requests to a recorded model"""
    model = ScriptedModel("Hello!")
    (turn,) = talk(kit.agent(model), "Hi", model=model).turns
    assert {"weather", "broken"} <= set(turn.exchanges[0].offered_tools)


def check_async(kit: Kit) -> None:
    """In an asynchronous test, on its own loop"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")

    async def hold() -> Conversation:
        async with AsyncConversation(kit.agent(model), model=model) as live:
            await live.say("Oslo?")
            return live.record

    (turn,) = asyncio.run(hold()).turns
    assert (turn.text, calls_of(turn)) == ("It is 21.", [answer("Oslo")])


def check_returned(kit: Kit) -> None:
    """What the framework returns is taken from a function of yours"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")
    (turn,) = talk(kit.returning(kit.agent(model)), "Oslo?", model=model).turns
    assert (turn.text, calls_of(turn)) == ("It is 21.", [answer("Oslo")])


def check_returned_with_history(kit: Kit) -> None:
    """Of what a function returns, only the turn counts, not the history in it"""
    model = ScriptedModel(weather("Oslo"), "It is 21.", "Bye!")
    record = talk(kit.returning(kit.agent(model)), "Oslo?", "Thanks", model=model)
    assert (record.turns[1].text, record.turns[1].tool_calls) == ("Bye!", ())


def check_streamed(kit: Kit) -> None:
    """What the framework streams, put together again"""
    model = ScriptedModel("It is 21 degrees in Oslo.")
    (turn,) = talk(kit.streaming(kit.agent(model)), "Oslo?", model=model).turns
    assert turn.full_text == "It is 21 degrees in Oslo."


def check_streamed_calls(kit: Kit) -> None:
    """The calls and results in what it streams"""
    model = ScriptedModel(weather("Oslo", "Rome"), "Both 21.")
    (turn,) = talk(kit.streaming(kit.agent(model)), "Two cities?", model=model).turns
    assert (turn.full_text, calls_of(turn)) == ("Both 21.", [answer("Oslo"), answer("Rome")])


def check_structured(kit: Kit) -> None:
    """Structured output is the data of the reply"""
    model = ScriptedModel(otherwise=forecast)
    (turn,) = talk(kit.agent(model, "structured"), "Oslo?", model=model).turns
    assert (turn.data, turn.tool_calls) == ({"city": "Oslo", "degrees": 21}, ())


def forecast(exchange: Any) -> Any:
    """The forecast in the way in which the request asks for it."""
    own = [name for name in exchange.offered_tools if name not in ("weather", "broken")]
    return tool_use(own[0], city="Oslo", degrees=21) if own else '{"city":"Oslo","degrees":21}'


def check_handoff(kit: Kit) -> None:
    """A handoff, and what the other agent says and calls"""
    model = ScriptedModel(otherwise=handing_over)
    agent = kit.agent(model, "handoff")
    (turn,) = talk(agent, "Oslo?", model=model).turns
    assert turn.text == "It is 21."
    assert ("weather", {"city": "Oslo"}) in [(one.name, one.arguments) for one in turn.tool_calls]


def handing_over(exchange: Any) -> Any:
    """Hand over, then ask the tool, then tell."""
    if any("21 degrees" in str(one) for one in exchange.messages):
        return "It is 21."
    if "weather" in exchange.offered_tools:
        return tool_use("weather", city="Oslo")
    over = next(name for name in exchange.offered_tools if name.startswith("transfer_to_"))
    return tool_use(over) if over != "transfer_to_agent" else tool_use(over, agent_name="forecaster")


def check_interrupt(kit: Kit) -> None:
    """A call that waits for approval is left to the test"""
    model = ScriptedModel(tool_use("refund", order="A1"))
    (turn,) = talk(kit.agent(model, "approval"), "Refund A1", model=model).turns
    (call,) = turn.tool_calls
    assert not call.answered
    assert "A1" in str(call.arguments)


def check_resume(kit: Kit) -> None:
    """An approved call goes on, and what was told before is not told again"""
    model = ScriptedModel(tool_use("refund", order="A1"), "Refunded.")
    with LiveConversation(kit.agent(model, "approval"), model=model) as live:
        live.say("Refund A1")
        assert live.answer(True).text == "Refunded."
        assert [text for role, text in said_to(model)[-1] if role == "user"] == ["Refund A1"]
        assert any("refunded A1" in text for role, text in said_to(model)[-1] if role == "tool")
        assert len([one for one in live.record.tool_calls if one.name == "refund"]) == 1


def check_reject(kit: Kit) -> None:
    """A rejected call does not run"""
    model = ScriptedModel(tool_use("refund", order="A1"), "Nothing was refunded.")
    with LiveConversation(kit.agent(model, "approval"), model=model) as live:
        live.say("Refund A1")
        assert live.answer(False).text == "Nothing was refunded."
    assert not any("refunded A1" in text for role, text in said_to(model)[-1] if role == "tool")


def check_equal_texts(kit: Kit) -> None:
    """The agent answers the same with and without Grice"""
    script = (weather("Oslo"), "It is 21.", "In Oslo, yes.")
    model, own = ScriptedModel(*script), ScriptedModel(*script)
    record = talk(kit.agent(model), "Oslo?", "Sure?", model=model)
    assert [turn.text for turn in record.turns] == kit.alone(kit.agent(own), "Oslo?", "Sure?")


def check_equal_requests(kit: Kit) -> None:
    """Its model is sent the same with and without Grice"""
    script = (weather("Oslo"), "It is 21.", "In Oslo, yes.")
    model, own = ScriptedModel(*script), ScriptedModel(*script)
    talk(kit.agent(model), "Oslo?", "Sure?", model=model)
    kit.alone(kit.agent(own), "Oslo?", "Sure?")
    assert said_to(model) == said_to(own)


def check_record(kit: Kit) -> None:
    """The record is plain data, and names the framework"""
    model = ScriptedModel(weather("Oslo"), "It is 21.")
    record = talk(kit.agent(model), "Oslo?", model=model)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Conversation) == record
    assert isinstance(record.metadata["agent"]["framework"], str)


CHECKS = [one for name, one in list(globals().items()) if name.startswith("check_")]


def title_of(check: Any) -> str:
    """What a check is about."""
    return str(check.__doc__)


def failing(check: Any, kit: Kit, lacks: Sequence[str]) -> bool:
    """Run the check; of one that a framework lacks, whether it does fail."""
    if check.__name__.removeprefix("check_") not in lacks:
        check(kit)
        return True
    try:
        check(kit)
    except (AssertionError, AgentFailed, ValueError):
        return True
    return False
