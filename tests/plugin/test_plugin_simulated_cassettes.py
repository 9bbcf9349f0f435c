"""Cassettes of tests whose conversation arrives finished."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inner_projects import Run

HEAD = """
import os
import pytest
from pathlib import Path
from grice import simulated, criterion, expect, evaluate, topic

class Played:
    # says Hi and Bye, notes what it is asked
    provider, model = "test", "user-1"

    def complete(self, messages, purpose="", subject=""):
        with Path(__file__).with_name("asked.txt").open("a") as file:
            file.write(f"{purpose or subject}\\n")
        told = messages[-1]["content"]
        done = "you said Bye" in told
        return {"message": "" if done else "Bye" if "you said Hi" in told else "Hi",
                "done": "goal_reached" if done else "no", "reason": "so"}

class Kind(Played):
    model = "judge-1"

    def complete(self, messages, purpose="", subject=""):
        with Path(__file__).with_name("asked.txt").open("a") as file:
            file.write("judge\\n")
        return {"requirement": "be kind", "reasoning": "as it should be", "quote": "", "satisfied": True}

@pytest.fixture(scope="session")
def user_llm(): return Played()

@pytest.fixture(scope="session")
def judge_llm(): return Kind()

@pytest.fixture(scope="session")
def agent_factory():
    return lambda context: lambda text: f"you said {text}"
"""

TEST = """
@pytest.mark.parametrize("n", range(3))
@simulated(goal="Say goodbye"{more})
def test_it(conversation, n):
    assert len(conversation.turns) == 2
    expect(conversation.last).to_satisfy("It is kind.")
"""

OWN = """
@pytest.fixture
def agent(): return lambda text: f"you said {text}"
"""


@pytest.fixture
def taped(pytester: pytest.Pytester) -> Run:
    """Run the test given as `test_it="source"`, after the head."""

    def taped(*args: object, **files: str) -> pytest.RunResult:
        for name, text in files.items():
            pytester.makepyfile(**{name: HEAD + text})
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)

    return taped


@pytest.fixture
def asked(pytester: pytest.Pytester) -> Path:
    """Where the LLMs note what they are asked."""
    return pytester.path / "asked.txt"


@pytest.mark.slow
@pytest.mark.parametrize("record", ["beforehand", "set-up", "several runs"])
@pytest.mark.parametrize("replay", ["beforehand", "set-up"])
def test_what_is_recorded_in_one_way_is_replayed_in_the_other(
    taped: Run, asked: Path, monkeypatch: pytest.MonkeyPatch, record: str, replay: str
) -> None:
    more = ", runs=3" if record == "several runs" else ""
    test = TEST.format(more=more)
    own = {"beforehand": "", "set-up": OWN, "several runs": ""}
    result = taped("--grice-record", test_it=own[record] + test)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["recorded cassettes/test_it/test_it-0-*.jsonl: * added, *"])
    assert asked.exists()
    asked.unlink()
    monkeypatch.setenv("CI", "1")
    for args in ((), ("-p", "xdist", "-n", "1"))[: 2 if replay == record == "beforehand" else 1]:
        result = taped(*args, test_it=(OWN if replay == "set-up" else "") + test)
        result.assert_outcomes(passed=3)
        result.stdout.no_fnmatch_line("recorded*")
    assert not asked.exists()


@pytest.mark.slow
def test_what_is_not_recorded_is_told_by_the_test(
    taped: Run, asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taped("--grice-record", test_it=TEST.format(more=""))
    asked.unlink()
    monkeypatch.setenv("CI", "1")
    result = taped(test_it=TEST.format(more="").replace("Say goodbye", "Say farewell"))
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        ["E  *grice.SimulatorError: the simulated user gave no answer: *not recorded*"]
    )
    assert not asked.exists()


@pytest.mark.slow
def test_what_is_left_over_fails_the_test(taped: Run) -> None:
    taped("--grice-record", test_it=TEST.format(more=""))
    shorter = TEST[: TEST.index("    expect")].format(more=", max_turns=0").replace("== 2", "== 0")
    result = taped(test_it=shorter)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*test_it-0-*.jsonl:2: nothing asked for this * any more: *"])


@pytest.mark.slow
def test_without_a_cassette_nothing_is_asked_live_in_ci(
    taped: Run, asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    result = taped("--grice-record=none", test_it=TEST.format(more=""))
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["E  *grice.SimulatorError: *there is no such cassette*"])
    assert not asked.exists()


@pytest.mark.slow
def test_a_cassette_that_cannot_be_read_is_told(taped: Run, pytester: pytest.Pytester) -> None:
    taped("--grice-record", test_it=TEST.format(more=""))
    for path in pytester.path.rglob("*.jsonl"):
        path.write_text("{")
    result = taped()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*test_it-0-*.jsonl*"])


@pytest.mark.slow
def test_the_judge_of_conduct_is_recorded_and_replayed(
    taped: Run, pytester: pytest.Pytester, asked: Path
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nconduct = "judge"\n')
    test = TEST.format(more="") + "\ndef test_here(conversation): conversation.simulate(goal='Say goodbye')\n"
    taped("--grice-record", test_it=test).assert_outcomes(passed=4)
    (tape,) = pytester.path.rglob("test_here.jsonl")
    kinds = [json.loads(line)["kind"] for line in tape.read_text().splitlines()[1:]]
    assert kinds.count("user") == 3
    assert "judge" in kinds
    asked.unlink()
    taped("--grice-record=none").assert_outcomes(passed=4)
    assert not asked.exists()


@pytest.mark.slow
def test_the_agent_is_recorded_too_where_the_settings_say(taped: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nrecord_kinds = ["agent", "user", "judge"]\n')
    taped("--grice-record", test_it=TEST.format(more="")).assert_outcomes(passed=3)
    silent = HEAD.replace('lambda text: f"you said {text}"', "lambda text: 1 / 0")
    pytester.makepyfile(test_it=silent + TEST.format(more=""))
    taped("--grice-record=none").assert_outcomes(passed=3)
