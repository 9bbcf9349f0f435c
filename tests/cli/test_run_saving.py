"""What `grice run` says and saves at its end."""

import json
import re
import sys
from pathlib import Path

import pytest
from grice_command import Grice

from grice.running.journal.folders import find_run

SET = '[{"id": "one", "goal": "A word"}, {"id": "two", "goal": "Two words"}]'
PLAYER = """
def play(messages):
    done = "Hello" in messages[-1]["content"]
    return {"message": "" if done else "Hi", "done": "goal_reached" if done else "no", "reason": "so"}

def is_greeted(conversation):
    return "Hello" in conversation.turns[-1].text
"""
SETTINGS = '[tool.grice]\nuser_llm = "player:play"\n'
AGENT = """
def agent(context):
    return lambda messages: "Hello"
"""


@pytest.fixture
def greeter(project: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setenv("COLUMNS", "200")
    Path("numbers.json").write_text(SET)
    Path("player.py").write_text(PLAYER)
    Path("pyproject.toml").write_text(SETTINGS)
    Path("greeter.py").write_text(AGENT)
    return ("run", "numbers.json", "--agent", "greeter:agent", "--check", "player:is_greeted")


def test_the_end_of_a_run_says_how_to_see_and_compare_it(greeter: tuple[str, ...], grice: Grice) -> None:
    first = grice(*greeter)
    assert first.code == 0
    found = re.search(r"kept in \S+(exp_\w+): see grice report (exp_\w+)\n", first.out)
    assert found is not None
    assert found[1] == found[2]
    assert "to compare it" not in first.out  # with what?
    second = grice(*greeter)
    assert re.search(rf"to compare it: grice compare exp_\w+ --baseline {found[1]}\n", second.out)


@pytest.mark.slow
def test_the_run_to_compare_with_shares_scenarios_that_count(
    greeter: tuple[str, ...], grice: Grice, tmp_path: Path
) -> None:
    def suggested(said: str) -> str | None:
        found = re.search(r"grice compare exp_\w+ --baseline (exp_\w+)\n", said)
        return None if found is None else found[1]

    grice(*greeter)
    first = find_run("latest").name
    Path("greeter.py").write_text("def agent(context):\n    raise OSError('down')\n")
    del sys.modules["greeter"]
    down = grice(*greeter)
    assert suggested(down.out) is None  # nothing was found out
    Path("greeter.py").write_text(AGENT)
    del sys.modules["greeter"]
    Path("others.json").write_text(SET)
    others = grice("run", "others.json", *greeter[2:])
    assert (others.code, suggested(others.out)) == (0, None)
    again = grice(*greeter)
    assert suggested(again.out) == suggested(grice("report").out) == first


def test_a_run_that_cannot_be_kept_does_not_say_that_it_is(greeter: tuple[str, ...], grice: Grice) -> None:
    Path(".grice").write_text("mine")
    run = grice(*greeter)
    assert run.code == 2
    assert "no journal can be written here: Not a directory" in run.err
    assert "kept in" not in run.out
    assert "--resume" not in run.out


def test_a_report_is_saved_in_the_project_from_every_folder(
    greeter: tuple[str, ...], grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grice(*greeter).code == 0
    Path("below").mkdir()
    monkeypatch.chdir("below")
    assert grice("report", "--save").code == 0
    assert list(Path.cwd().parent.glob("results/exp_*.json"))
    assert not list(Path.cwd().iterdir())


def test_the_report_is_saved_where_it_is_wanted(greeter: tuple[str, ...], grice: Grice) -> None:
    assert not list(Path.cwd().glob("*/exp_*.json"))
    run = grice(*greeter, "--save")
    saved = next(Path("results").glob("exp_*.json"))
    assert run.out.endswith(f"Results saved to: {saved}\n")
    assert json.loads(saved.read_text())["summary"]["passed"] == 2
    assert "Results saved to: here/exp_" in grice(*greeter, "--save-to", "here").out
    assert "Results saved" not in grice(*greeter).out
    Path("pyproject.toml").write_text(SETTINGS + "results = true\n")
    assert "Results saved to: results/exp_" in grice(*greeter).out
    assert len(list(Path("results").iterdir())) == 2


def test_a_report_that_cannot_be_saved_makes_the_run_unusable(greeter: tuple[str, ...], grice: Grice) -> None:
    Path("results").write_text("mine")
    run = grice(*greeter, "--save")
    assert run.code == 2
    assert "2 passed" in run.out
    assert run.err.startswith("the results cannot be saved: results/exp_")
    assert grice("report").code == 0  # the run itself is kept
