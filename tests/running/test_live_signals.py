"""What an agent signals wrongly, or late: neither is lost."""

import contextlib
import threading

import pytest

from grice import ExpectationFailed, expect
from grice.agents import AgentFailed
from grice.records import decode_conversation, encode_conversation
from grice.running.live import LiveConversation

WRONG = {
    "a keyword that is none": (("delete_all",), {"args": {"x": 1}}, "unexpected keyword argument 'args'"),
    "an empty name": (("",), {}, "a tool call needs a name"),
    "no name": ((), {}, "missing 1 required positional argument: 'name'"),
}


@pytest.mark.parametrize("hides", [True, False])
@pytest.mark.parametrize(("args", "keywords", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_signal_fails_the_turn_even_when_the_agent_hides_it(args, keywords, message, hides):
    def agent(text, on_tool_call):
        with contextlib.suppress(Exception) if hides else contextlib.nullcontext():
            on_tool_call(*args, **keywords)
        return "Nothing was deleted."

    live = LiveConversation(agent)
    with pytest.raises(AgentFailed) as caught:
        live.say("Hello")
    assert caught.value.failure.kind == "bad_return"
    assert caught.value.failure.message.startswith("on_tool_call: ")
    assert message in caught.value.failure.message


class ReportsLate:
    """Keeps `on_tool_call` of its first turn, to report with it from a thread."""

    def __init__(self):
        self.report = None

    def chat(self, messages, on_tool_call):
        self.report = self.report or on_tool_call
        return f"answer {len(messages)}"

    def report_from_thread(self, *args, **keywords):
        thread = threading.Thread(target=self.report, args=args, kwargs=keywords)
        thread.start()
        thread.join()


@pytest.mark.parametrize("closed", [True, False])
def test_a_call_that_is_signalled_after_its_turn_belongs_to_that_turn(closed):
    agent = ReportsLate()
    live = LiveConversation(agent)
    first = live.say("one")
    if closed:
        live.say("two")
    expect(live).not_to_have_called_tool("delete_all")
    agent.report_from_thread("delete_all", arguments={"now": True})
    assert [call.name for call in live.turns[0].tool_calls] == ["delete_all"]
    with pytest.raises(ExpectationFailed):
        expect(live).not_to_have_called_tool("delete_all")
    expect(first).to_call_tool("delete_all")
    assert first.text == "answer 1"
    agent.report_from_thread("delete_all", arguments={"now": True}, result="done")
    assert [call.result for call in live.tool_calls] == ["done"]
    assert decode_conversation(encode_conversation(live.record)) == live.record


def test_turns_that_are_over_are_frozen_once():
    live = LiveConversation(ReportsLate())
    live.say("one")
    live.say("two")
    before = live.turns[0]
    live.say("three")
    assert live.turns[0] is before


def test_a_wrong_signal_after_the_last_turn_fails_the_conversation():
    agent = ReportsLate()

    def talk():
        with LiveConversation(agent) as live:
            live.say("one")
            with contextlib.suppress(Exception):
                agent.report("")

    with pytest.raises(AgentFailed, match="on_tool_call: a tool call needs a name"):
        talk()


@pytest.mark.parametrize("fails", [True, False])
def test_a_late_result_completes_the_call_that_was_begun(fails):
    def agent(messages, on_tool_call):
        reports.append(on_tool_call)
        on_tool_call("search", {"q": 1})
        if fails:
            raise ConnectionError
        return "I am looking."

    reports = []
    live = LiveConversation(agent)
    with pytest.raises(AgentFailed) if fails else contextlib.nullcontext():
        live.say("one")
    reports[0]("search", {"q": 1}, result=5)
    assert [(call.name, call.result) for call in live.tool_calls] == [("search", 5)]
    assert live.last.text == ("" if fails else "I am looking.")
