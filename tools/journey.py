"""Count the files of Grice that one journey enters: how much a reader has to know to follow it.

A file counts when a function of it is called, in any thread; what runs while a module is imported does not.
Each journey is made in a process of its own, so that nothing is remembered from the one before. `--list`
names the files with their functions; the exit code says whether the bars hold.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

import grice

SOURCE = str(Path(grice.__file__).parent)
BARS = {"say": 45, "simulated": 150, "golden": 90}
"""The most files that each journey should enter."""


class Counter:
    """Which functions of Grice are called while it is `on`, by their file."""

    def __init__(self) -> None:
        self.entered: dict[str, set[str]] = {}
        self._importing = threading.local()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count in this thread and in those that start meanwhile."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code, depth = frame.f_code, getattr(self._importing, "depth", 0)
        if code.co_name == "<module>":
            self._importing.depth = max(0, depth + {"call": 1, "return": -1}.get(event, 0))
        elif event == "call" and not depth and code.co_filename.startswith(SOURCE):
            file = Path(code.co_filename).relative_to(SOURCE).as_posix()
            self.entered.setdefault(file, set()).add(code.co_qualname)


def agent(text: str) -> str:
    return f"You said {text!r}. Anything else?"


TEST = """
import pytest
from grice import expect

@pytest.fixture
def agent(the_agent):
    return the_agent

def test_room(conversation, counter):
    with counter.on():
        expect(conversation.say("Hello")).to_contain("the Blue Room")
"""


def asks_on(conversation: Any) -> None:
    grice.expect(conversation.last).to_contain("Anything else?")


def say(counter: Counter, folder: Path) -> None:
    """From `say` in a test of pytest to the failure of a check: fixtures and reports are not of it."""
    test = folder / "test_room.py"
    test.write_text(TEST)

    class Fixtures:
        @pytest.fixture
        def counter(self) -> Counter:
            return counter

        @pytest.fixture(scope="session")
        def the_agent(self) -> Callable[[str], str]:
            return agent

    options = ["-p", "no:randomly", "-p", "no:asyncio", "-p", "no:cacheprovider", f"--rootdir={folder}"]
    failed = pytest.main([*options, str(test)], plugins=[Fixtures()])
    assert failed == pytest.ExitCode.TESTS_FAILED, failed
    assert counter.entered, "the test has not begun"


def simulated(counter: Counter, folder: Path) -> None:
    """A conversation by `grice.run`: scripted LLMs play the user and judge; a check, a journal."""
    from grice.matchers import have_achieved_goal  # loads every matcher, which the others do not

    says = [
        {"message": "Hello", "done": "no", "reason": "no room yet"},
        {"message": "", "done": "goal_reached", "reason": "a room"},
    ]
    judged = {"requirement": "The user has a room.", "reasoning": "It is booked.", "achieved": True}
    with counter.on():
        run = grice.run(
            [{"id": "room", "goal": "a room"}],
            agent,
            [asks_on, have_achieved_goal()],
            user_llm=grice.ScriptedLLM({"user": says}),
            judge_llm=grice.ScriptedLLM({"goal": judged}),
            journal=folder,
        )
    assert run.passed, run.results


def golden(counter: Counter, folder: Path) -> None:
    """A golden with one turn, one scripted reply of the model and one assertion by `run_golden`."""
    reply = {"step": "chat", "content": [{"type": "text", "text": "Hello. Anything else?"}]}
    content = {
        "id": "room",
        "userMessage": "Hello",
        "mockLlmResponses": [reply],
        "assertions": {"finalText": {"contains": ["Anything else?"]}},
    }
    file = folder / "room.golden.json"
    file.write_text(json.dumps(content))
    with counter.on():
        result = grice.run_golden(grice.load_goldens(file)[0], asking_agent)
    assert result.outcome == "pass", result


def asking_agent(context: grice.AgentContext) -> Callable[[list[Any]], str]:
    assert context.model is not None
    ask = context.model.transport
    return lambda messages: str(ask({"model": "m", "messages": messages})["content"][0]["text"])


JOURNEYS = {journey.__name__: journey for journey in (say, simulated, golden)}


class Journey(NamedTuple):
    """What a journey enters, and how many files of Grice are loaded at its end."""

    entered: dict[str, list[str]]
    loaded: int


def journey(name: str) -> Journey:
    """The journey of that name, made in a process of its own."""
    command = [sys.executable, __file__, name, "--make"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise RuntimeError(f"the journey {name} failed:\n{made.stdout}{made.stderr}")
    return Journey(*json.loads(made.stdout.splitlines()[-1]))


def make(name: str) -> None:
    """Make a journey here, and print it as a line of JSON."""
    counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        JOURNEYS[name](counter, Path(folder))
    loaded = sum(module.partition(".")[0] == "grice" for module in sys.modules)
    entered = {file: sorted(functions) for file, functions in sorted(counter.entered.items())}
    print(json.dumps(Journey(entered, loaded)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", choices=JOURNEYS, help="which journey; all of them without one")
    parser.add_argument("--list", action="store_true", help="name the files and their functions")
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        make(given.name)
        return 0
    missed = 0
    for name in [given.name] if given.name else JOURNEYS:
        found = journey(name)
        files, functions = len(found.entered), sum(map(len, found.entered.values()))
        missed += files > BARS[name]
        counts = f"{files:4} files (bar {BARS[name]}), {functions:4} functions"
        print(f"{name:9} {counts}; {found.loaded} files loaded")
        if given.list:
            for file, names in found.entered.items():
                print(f"    {file}: {', '.join(names)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
