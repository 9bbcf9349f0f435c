"""Conversations that are simulated before their tests: which, how many, and what becomes of the rest."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from inner_projects import Run
from test_plugin_simulated import BEFOREHAND

PLAYED_FOR = """
from pathlib import Path
NOTES = Path(__file__).with_name("notes.txt")

def note(text):
    with NOTES.open("a") as file:
        file.write(f"{text}\\n")

@pytest.fixture(scope="session")
def agent_factory():
    def build(context):
        note(f"built {context.test_name.partition('::')[2]}")
        return lambda text: f"you said {text}"
    return build
"""
"""Notes which test every agent is built for."""

MANY = """
@pytest.mark.parametrize("n", range(10))
@simulated(goal="Say goodbye")
def test_it(conversation, n):
    note(f"ran {n}")
    assert n != 3
"""


@pytest.fixture
def notes(pytester: pytest.Pytester) -> Path:
    """Where the inner tests note what they do."""
    pytester.makepyprojecttoml("[tool.grice]\nconcurrency = 4\n")
    return pytester.path / "notes.txt"


def numbers(notes: Path, what: str) -> list[int]:
    """The numbers of the tests in notes of that kind, in order."""
    found = [line for line in notes.read_text().splitlines() if line.startswith(what)]
    return [int(re.findall(r"\d+", line)[-1]) for line in found]


@pytest.fixture
def held(pytester: pytest.Pytester) -> Run:
    """Run the tests given as `name="source"`, without an agent before them."""

    def held(*args: object, **files: str) -> pytest.RunResult:
        for name, text in files.items():
            pytester.makepyfile(**{name: "import pytest\n" + text})
        return pytester.runpytest_inprocess(*args, no_reraise_ctrlc=True)

    return held


@pytest.mark.slow
def test_as_many_are_held_ahead_as_the_settings_say(held: Run, notes: Path) -> None:
    held("-x", test_it=BEFOREHAND + PLAYED_FOR + MANY).assert_outcomes(passed=3, failed=1)
    assert numbers(notes, "ran") == [0, 1, 2, 3]
    built = set(numbers(notes, "built"))
    assert {0, 1, 2, 3} <= built <= {0, 1, 2, 3, 4, 5, 6}  # the last ones may have been ended before that


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "chosen"),
    [(("-k", "1 or 7"), [1, 7]), (("--deselect", "test_it.py::test_it[0]"), list(range(1, 10)))],
)
def test_only_chosen_tests_are_held(
    held: Run, notes: Path, choice: tuple[str, ...], chosen: list[int]
) -> None:
    held(*choice, test_it=BEFOREHAND + PLAYED_FOR + MANY)
    assert sorted(numbers(notes, "built")) == chosen


@pytest.mark.slow
def test_only_those_that_failed_are_held_again(held: Run, notes: Path) -> None:
    held(test_it=BEFOREHAND + PLAYED_FOR + MANY)
    notes.unlink()
    held("--lf").assert_outcomes(failed=1)
    assert numbers(notes, "built") == [3]


@pytest.mark.slow
def test_each_is_held_once_in_any_order(held: Run, notes: Path) -> None:
    held("-p", "randomly", "--randomly-seed=3", test_it=BEFOREHAND + PLAYED_FOR + MANY)
    assert sorted(numbers(notes, "ran")) != numbers(notes, "ran")
    assert sorted(numbers(notes, "built")) == list(range(10))


LEFT_OUT = """
class TestAll:
    @pytest.mark.{mark}
    @simulated(goal="Say goodbye")
    def test_left_out(self, conversation): assert 0

    @simulated(goal="Say goodbye")
    def test_it(self, conversation): pass
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "mark", ["skip", "skipif(True, reason='so')", "skipif('1 == 1', reason='so')", "xfail(run=False)"]
)
def test_nothing_is_held_for_a_test_that_is_not_run(held: Run, notes: Path, mark: str) -> None:
    test = BEFOREHAND + PLAYED_FOR + "@simulated(goal='Say goodbye')\ndef test_first(conversation): pass\n"
    assert held(test_it=test + LEFT_OUT.format(mark=mark)).parseoutcomes()["passed"] == 2
    assert sorted(notes.read_text().splitlines()) == ["built TestAll::test_it", "built test_first"]


def test_nothing_is_held_for_a_test_of_the_class_that_asks_for_no_conversation(
    held: Run, notes: Path
) -> None:
    test = """
@simulated(goal="Say goodbye")
class TestAll:
    def test_it(self, conversation): pass
    def test_other(self): pass
"""
    held(test_it=BEFOREHAND + PLAYED_FOR + test).assert_outcomes(passed=2)
    assert notes.read_text().splitlines() == ["built TestAll::test_it"]


@pytest.mark.slow
def test_tests_whose_other_fixtures_break_do_not_fill_the_window(held: Run, notes: Path) -> None:
    test = """
@pytest.fixture
def broken(request):
    if request.node.callspec.params["n"] < 6: 1 / 0

@pytest.mark.parametrize("n", range(9))
@simulated(goal="Say goodbye")
def test_it(broken, conversation, n): note(f"ran {n}")
"""
    held(test_it=BEFOREHAND + PLAYED_FOR + test).assert_outcomes(errors=6, passed=3)
    assert sorted(numbers(notes, "built")) == [6, 7, 8]


OWN = {
    "an agent": "@pytest.fixture\ndef agent(): note('own'); return lambda text: f'you said {text}'\n",
    "a preparing fixture": "@pytest.fixture(autouse=True)\ndef prepare(agent): note('own')\n",
    "a script": "@pytest.fixture(autouse=True)\ndef prepare(scripted_model): note('own')\n",
    "a context": "@pytest.fixture\ndef agent_context(agent_context): note('own'); return agent_context\n",
    "a factory of its own scope": "@pytest.fixture\ndef agent_factory(): note('own'); return build\n",
    "a user": "@pytest.fixture\ndef user_llm(): note('own'); return play\n",
    "a judge": "@pytest.fixture\ndef judge_llm(): note('own'); return play\n\n"
    "@pytest.fixture(autouse=True)\ndef asks(judge_llm): pass\n",
}


@pytest.mark.parametrize("own", OWN)
def test_one_with_fixtures_of_its_own_is_held_in_its_set_up_with_them(
    held: Run, notes: Path, own: str
) -> None:
    factory = """
def build(context):
    note(f"built {context.test_name.partition('::')[2]}")
    return lambda text: f"you said {text}"

@pytest.fixture(scope="session")
def agent_factory(): return build
"""
    test = """
@pytest.mark.parametrize("n", range(3))
@simulated(goal="Say goodbye")
def test_it(conversation, n): note(f"ran {n}")
"""
    head = BEFOREHAND + PLAYED_FOR.replace(PLAYED_FOR[PLAYED_FOR.index("@pytest") :], "") + factory
    held(test_it=head + OWN[own] + test).assert_outcomes(passed=3)
    said = [line.split()[0] for line in notes.read_text().splitlines()]
    built = [] if own == "an agent" else ["built"]
    assert [sorted(said[i : i + len(built) + 2]) for i in (0, len(built) + 2)] == [
        sorted(["own", *built, "ran"])
    ] * 2


@pytest.mark.slow
def test_an_agent_at_a_fixed_address_holds_one_after_the_other(
    held: Run, pytester: pytest.Pytester, notes: Path, unused_port: int
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\nmodel_port = {unused_port}\n")
    held(test_it=BEFOREHAND + PLAYED_FOR + MANY).assert_outcomes(passed=9, failed=1)
    assert [line.split()[0] for line in notes.read_text().splitlines()] == ["built", "ran"] * 10


@pytest.fixture
def unused_port() -> int:
    """A port of this machine that nobody listens on."""
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.mark.slow
def test_workers_hold_none_beforehand(held: Run, notes: Path) -> None:
    held("-p", "xdist", "-n", "1", test_it=BEFOREHAND + PLAYED_FOR + MANY).assert_outcomes(passed=9, failed=1)
    assert [line.split()[0] for line in notes.read_text().splitlines()] == ["built", "ran"] * 10


@pytest.mark.slow
def test_at_most_so_many_conversations_are_held_at_once(held: Run, notes: Path) -> None:
    test = """
import asyncio
now = []

@pytest.fixture(scope="session")
def agent_factory():
    async def chat(text):
        now.append(1)
        note(f"now {len(now)}")
        await asyncio.sleep(0.01)
        now.pop()
        return f"you said {text}"
    return lambda context: chat

@simulated(goal="Say goodbye", runs=7)
def test_it(conversation): pass

@pytest.mark.parametrize("n", range(7))
@simulated(goal="Say goodbye")
def test_other(conversation, n): pass
"""
    held(test_it=BEFOREHAND + PLAYED_FOR + test).assert_outcomes(passed=8)
    assert max(numbers(notes, "now")) == 4


AROUND = """
import time
from contextlib import contextmanager

class Bot:
    def chat(self, messages):
        note("asked")
        {wait}
        return "Hi"

    @contextmanager
    def around(self):
        note("in")
        try:
            yield
        finally:
            note("out")

@pytest.fixture(scope="session")
def agent_factory():
    note("begun")
    yield lambda context: Bot()
    note("over")
"""


@pytest.mark.slow
def test_ctrl_c_while_waiting_leaves_every_conversation(held: Run, notes: Path) -> None:
    test = """
import _thread, threading

def interrupt():
    while NOTES.read_text().count("asked") < 4:
        time.sleep(0.005)
    _thread.interrupt_main()

@pytest.fixture(scope="session", autouse=True)
def interrupting():
    note("go")
    threading.Thread(target=interrupt).start()
"""
    wait = "for _ in range(2000): time.sleep(0.01)"
    result = held(test_it=BEFOREHAND + PLAYED_FOR + AROUND.format(wait=wait) + test + MANY)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    lines = notes.read_text().splitlines()
    assert lines.count("in") == lines.count("out") == 4
    assert lines[-1] == "over"  # the factory was there as long as its agents
    assert "ran" not in notes.read_text()


@pytest.mark.slow
def test_the_fixtures_of_the_session_outlive_what_was_begun(held: Run, notes: Path) -> None:
    test = "@simulated(goal='x', max_turns=1)\ndef test_first(conversation): assert 0\n"
    held("-x", test_it=BEFOREHAND + PLAYED_FOR + AROUND.format(wait="pass") + test + MANY)
    lines = notes.read_text().splitlines()
    assert lines.count("in") == lines.count("out")
    assert lines[-1] == "over"


@pytest.mark.slow
def test_no_thread_is_left_at_the_end(held: Run, notes: Path) -> None:
    before = set(threading.enumerate())
    held("-x", test_it=BEFOREHAND + PLAYED_FOR + MANY)
    for thread in set(threading.enumerate()) - before:
        thread.join(10)  # it is told to end, which takes a moment on a busy machine
    assert [one.name for one in set(threading.enumerate()) - before if one.is_alive()] == []
    assert notes.exists()


RERUN = """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if attempt == 0 and any(report.failed for report in reports):
            continue
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        break
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
"""
"""What plugins that run failed tests again do."""


@pytest.mark.slow
def test_a_test_that_is_run_again_has_a_new_conversation(
    held: Run, pytester: pytest.Pytester, notes: Path
) -> None:
    pytester.makeconftest(RERUN)
    test = """
@simulated(goal="Say goodbye")
def test_it(conversation):
    assert len(conversation.turns) == 2
    expect(conversation).to_have_turn_count(max=NOTES.read_text().count("built"))
"""
    result = held(test_it=BEFOREHAND + PLAYED_FOR + test)
    result.assert_outcomes(passed=1)
    assert notes.read_text().splitlines() == ["built test_it"] * 2


@pytest.mark.slow
def test_what_a_fixture_of_the_session_raises_is_told_by_those_who_need_it(held: Run) -> None:
    test = """
@pytest.fixture(scope="session")
def judge_llm():
    pytest.skip("no key")

@simulated(goal="Say goodbye")
def test_without_judge(conversation): pass

@simulated(goal="Say goodbye")
def test_with_judge(conversation):
    expect(conversation.last).to_satisfy("It is kind.")
"""
    held(test_it=BEFOREHAND + test).assert_outcomes(passed=1, skipped=1)


@pytest.mark.slow
def test_scripts_of_the_session_s_factory_are_for_their_own_conversation(held: Run) -> None:
    test = """
@pytest.fixture(scope="session")
def agent_factory():
    def build(context):
        context.model.script("Hi there")
        return lambda messages: context.model.transport({"messages": messages})["content"][0]["text"]
    return build

@pytest.mark.parametrize("n", range(2))
@simulated(goal="x", max_turns=1)
def test_it(conversation, n):
    assert conversation.turns[0].text == "Hi there"
"""
    held(test_it=BEFOREHAND + test).assert_outcomes(passed=2)
