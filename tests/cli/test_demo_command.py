import os
import sys
from collections.abc import Iterator

import pytest
from grice_command import Grice

from grice.files.golden_records import Golden
from grice.records import Outcome
from grice.running.planned_conversations import Held
from grice.running.scripted import not_held


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    assert "WORDPRESS_ASSISTANT_BUGS" not in os.environ


def test_it_shows_the_example_pass_and_bug_a_caught(grice: Grice) -> None:
    run = grice("demo")
    assert run.code == 0
    sound, caught = run.out.split("bug A switched on")
    assert "6 passed" in sound
    assert "fail" not in sound
    assert "  >    assistant  Checking the plugins now!" in caught
    assert "PRE_TOOL_NARRATION" in caught
    assert "2 failed" in caught
    assert "grice demo --bug B" in caught


@pytest.mark.parametrize("name", ["B", "b"])
def test_bug_b_is_caught_in_the_request_to_the_model(grice: Grice, name: str) -> None:
    run = grice("demo", "--bug", name)
    assert run.code == 0
    assert "bug B switched on" in run.out
    assert "to the model to contain a user message with" in run.out


def outcomes_are(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    """Have every golden that the demo replays end so."""

    def replayed(golden: Golden, *_: object) -> Held:
        return Held(not_held(golden, outcome, "broken", "an agent"))

    monkeypatch.setattr("grice.cli.demo_work.replay", replayed)


@pytest.mark.parametrize("args", [(), ("--bug", "A"), ("--bug", "B")])
@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome.ERROR, "the demo is broken: "),
        (Outcome.INCONCLUSIVE, "was not caught: no check of any golden failed"),
        (Outcome.PASS, "was not caught: no check of any golden failed"),
    ],
)
def test_only_a_failed_check_catches_a_bug(
    grice: Grice,
    monkeypatch: pytest.MonkeyPatch,
    outcome: Outcome,
    words: str,
    args: tuple[str, ...],
) -> None:
    outcomes_are(monkeypatch, outcome)
    run = grice("demo", *args)
    assert run.code == 1
    assert words in run.err


def test_an_example_that_cannot_be_loaded_is_said(grice: Grice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grice.cli.demo_work.EXAMPLE_AGENT", "wordpress_assistant.app:nothing_here")
    run = grice("demo")
    assert run.code == 1
    assert "the demo is broken: agent 'wordpress_assistant.app:nothing_here'" in run.err


def test_a_bug_that_does_not_exist_is_exit_code_2(grice: Grice) -> None:
    run = grice("demo", "--bug", "C")
    assert (run.code, run.out) == (2, "")
    assert run.err == "there is no bug 'C': the bugs are A and B\n"


def test_no_line_is_wider_than_the_screen(grice: Grice) -> None:
    run = grice("demo", columns=72)
    assert run.code == 0
    lines = run.out.splitlines()
    assert max(map(len, (line for line in lines if "golden.json" not in line))) <= 72
