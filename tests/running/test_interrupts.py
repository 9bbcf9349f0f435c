"""Ctrl-C in the middle of a turn: the record is kept and says so."""

import os
import signal
import subprocess
import sys

import pytest

from grice.agents import bind_agent
from grice.running.live import LiveConversation

SCRIPT = """
import asyncio, sys, time
from grice.agents import bind_agent
from grice.running.live import LiveConversation

def sleeps(messages):
    print("started", flush=True)
    time.sleep(30)

def is_busy(messages):
    print("started", flush=True)
    while True:
        pass

def swallows(messages):
    print("started", flush=True)
    try:
        time.sleep(30)
    except Exception:
        return "Sorry."

async def waits(messages):
    print("started", flush=True)
    await asyncio.sleep(30)

live = LiveConversation(bind_agent(globals()[sys.argv[1]]), turn_timeout=20)
try:
    with live:
        live.say("hi")
except KeyboardInterrupt:
    record = live.record
    print(record.termination, len(record.turns), record.turns[0].user, record.turns[0].failure)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs the signals of Unix")
@pytest.mark.parametrize("agent", ["sleeps", "is_busy", "swallows", "waits"])
def test_a_real_interrupt_keeps_the_record(agent):
    command = [sys.executable, "-W", "error", "-c", SCRIPT, agent]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "started\n"
        os.kill(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert output == "interrupted 1 hi None\n"
    assert errors == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt, pytest.fail.Exception("time is up")])
def test_what_is_no_error_of_the_agent_passes_through(error):
    def agent(messages, on_tool_call):
        on_tool_call("search", result=1)
        raise error

    live = LiveConversation(bind_agent(agent))
    with pytest.raises(error if isinstance(error, type) else type(error)), live:
        live.say("hi")
    assert live.record.termination == "interrupted"
    assert [call.name for call in live.tool_calls] == ["search"]


def test_an_interrupt_between_turns_ends_the_conversation():
    live = LiveConversation(bind_agent(lambda text: "hi"))

    def talk():
        with live:
            live.say("hi")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        talk()
    assert live.record.termination == "interrupted"
    assert len(live.turns) == 1
