"""Time-outs that make no sense, tools that take too long, and where verdicts and failures go."""

from __future__ import annotations

import asyncio
import pickle
import time

import pytest

from grice import AgentFailed, LiveConversation, evaluate, tool_use
from grice.agents import AgentFailed as Failure
from grice.matching.recording import CURRENT
from grice.records import AgentFailure
from grice.running import limits
from grice.running.async_live import AsyncConversation
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import VerdictLog


def greets(messages):
    return "Hello"


def calls_slow(messages):
    return {"tool_calls": [{"name": "slow"}]} if messages[-1]["role"] == "user" else "done"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "5", True, None])
def test_a_time_out_is_a_number_above_0(seconds):
    with pytest.raises(ValueError, match="turn_timeout is a number of seconds above 0"):
        LiveConversation(greets, turn_timeout=seconds)
    if seconds is not None:
        with pytest.raises(ValueError, match="timeout is a number of seconds above 0"):
            LiveConversation(greets).say("Hi", timeout=seconds)


@pytest.mark.parametrize("seconds", [float("inf"), 1e300])
def test_a_time_out_may_be_endless(seconds):
    assert LiveConversation(greets, turn_timeout=seconds, timeout=seconds).say("Hi").text == "Hello"


@pytest.mark.slow
def test_tools_of_the_test_that_hang_are_named_and_not_charged_to_the_agent(monkeypatch):
    monkeypatch.setattr(limits, "LEAST_FOR_TOOLS", 0.3)
    live = LiveConversation(calls_slow, tools={"slow": lambda: time.sleep(60)}, turn_timeout=0.2)
    with pytest.raises(ToolsError, match=r"the tools of this test \(slow\) did not answer"):
        live.say("Go")
    assert live.record.turns[0].failure.kind == "script"


def test_a_conversation_takes_any_agent_and_leaves_its_verdicts_to_the_running_test():
    log = VerdictLog("the test")
    token = CURRENT.set(log)
    try:
        evaluate(LiveConversation(greets).say("Hi")).to_contain("zzz")
    finally:
        CURRENT.reset(token)
    assert [verdict.outcome for verdict in log.verdicts] == ["fail"]


def test_a_failure_survives_pickling():
    error = Failure("it raised", AgentFailure("raised", "boom"))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.failure) == ("it raised", error.failure)
    assert isinstance(copy, AgentFailed)


def test_a_scripted_call_can_have_an_argument_named_id():
    assert tool_use("get_post", id=7).input == {"id": 7}
    assert tool_use("get_post", call_id="toolu_1", id=7).id == "toolu_1"


@pytest.mark.parametrize("kind", [LiveConversation, AsyncConversation])
def test_a_time_out_that_is_none_begins_no_turn(kind):
    def say(text, **options):
        said = live.say(text, **options)
        return asyncio.run(said) if kind is AsyncConversation else said

    live = kind(lambda messages: f"heard {len(messages)}")
    with pytest.raises(ValueError, match="timeout is a number of seconds"):
        say("hi", timeout=-1)
    assert live.turns == ()
    assert say("hi").text == "heard 1"
