"""What Grice adds to a turn: 200 scripted tests of 5 turns against the same tests written by hand.

The hand-written ones drive the same agent with the same scripted replies, keep the message list and assert on
text and tool calls of every turn themselves. Each pair is two sessions one after the other; CPU of the whole
process. Once more with a soft check by a scripted judge in every turn, against a judge called by hand.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 5
TESTS, TURNS = 200, 5

AGENT = """
import json


class Agent:
    def __init__(self, replies):
        self.replies = iter(replies)

    def chat(self, messages, on_tool_call):
        text = next(self.replies)
        given = {"room": "Blue", "text": messages[-1]["content"]}
        on_tool_call("check_availability", arguments=given, result="free")
        return text


def replies(number):
    return [f"Turn {turn} of test {number}: the Blue Room is free." for turn in range(5)]


ANSWER = {"requirement": "warm", "reasoning": "It is warm.", "quote": "", "satisfied": True}
"""

GRICE = """
import pytest
from booking import ANSWER, Agent, replies
from grice import ScriptedLLM, evaluate, expect


@pytest.fixture
def agent(request):
    return Agent(replies(request.node.callspec.params["number"]))


@pytest.fixture(scope="session")
def judge_llm():
    return ScriptedLLM({"criterion": ANSWER})


@pytest.mark.parametrize("number", range(200))
def test_booking(conversation, number):
    for turn in range(5):
        reply = conversation.say(f"Is the Blue Room free on day {turn}?")
        expect(reply).to_contain(f"Turn {turn} of test {number}")
        expect(reply).to_call_tool("check_availability", room="Blue")
        #JUDGE evaluate(reply).to_satisfy("The reply is warm and welcoming")
"""

BY_HAND = """
import pytest
from booking import ANSWER, Agent, replies


def judge(prompt):
    return ANSWER


@pytest.fixture
def agent(request):
    return Agent(replies(request.node.callspec.params["number"]))


@pytest.mark.parametrize("number", range(200))
def test_booking(agent, number):
    messages = []
    for turn in range(5):
        calls = []
        messages.append({"role": "user", "content": f"Is the Blue Room free on day {turn}?"})
        text = agent.chat(messages, lambda name, arguments=None, result=None: calls.append((name, arguments)))
        messages.append({"role": "assistant", "content": text})
        assert f"Turn {turn} of test {number}" in text
        assert any(name == "check_availability" and given["room"] == "Blue" for name, given in calls)
        #JUDGE judge(f"Is this warm? {text}")
"""


def cpu(folder: Path, test: str) -> float:
    """Seconds of CPU of one session, with this plugin and no other."""
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "grice.pytest_plugin",
        "PYTHONPYCACHEPREFIX": str(folder.parent / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, test
    return usage.ru_utime + usage.ru_stime


def compare(folder: Path, what: str, ours: str, by_hand: str) -> None:
    """Print what one turn costs more with Grice, and how many times as long the session takes."""
    (folder / "test_grice.py").write_text(ours)
    (folder / "test_by_hand.py").write_text(by_hand)
    for test in ("test_grice.py", "test_by_hand.py"):
        cpu(folder, test)  # fills the cache of compiled modules
    pairs = [(cpu(folder, "test_grice.py"), cpu(folder, "test_by_hand.py")) for _ in range(PAIRS)]
    ratio = statistics.median(grice / plain for grice, plain in pairs)
    added = statistics.median(grice - plain for grice, plain in pairs) / (TESTS * TURNS)
    ours_s, plain_s = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{what}: {ours_s:.2f} s with Grice, {plain_s:.2f} s by hand, {ratio:.2f} times", end="; ")
    print(f"{added * 1000:.2f} ms more a turn")


def main() -> int:
    """Compare both kinds of sessions."""
    print(f"{TESTS} scripted tests of {TURNS} turns, CPU of the session, median of {PAIRS} pairs")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "project")
        folder.mkdir()
        (folder / "booking.py").write_text(AGENT)
        compare(folder, "  rules only  ", GRICE, BY_HAND)
        compare(folder, "  with a judge", GRICE.replace("#JUDGE ", ""), BY_HAND.replace("#JUDGE ", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
