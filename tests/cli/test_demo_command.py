import os
import sys
from collections.abc import Iterator

import msgspec
import pytest

from grice.cli.app import app
from grice.records import Outcome
from grice.running.replay import Replay, unplayed
from grice.suites.golden_records import Golden


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("WORDPRESS_ASSISTANT_BUGS", raising=False)
    yield
    assert "WORDPRESS_ASSISTANT_BUGS" not in os.environ


def demo(*args: str) -> int | str | None:
    with pytest.raises(SystemExit) as left:
        app(["demo", *args])
    return left.value.code


def test_it_shows_the_example_pass_and_bug_a_caught(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo() == 0
    out = capsys.readouterr().out
    sound, caught = out.split("bug A switched on")
    assert "6 passed" in sound
    assert "fail" not in sound
    assert "  >    assistant  Checking the plugins now!" in caught
    assert "CONTRADICTORY_PREACTION_AND_ASK" in caught
    assert "2 failed" in caught
    assert "grice demo --bug B" in caught


@pytest.mark.parametrize("name", ["B", "b"])
def test_bug_b_is_caught_in_the_request_to_the_model(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert demo("--bug", name) == 0
    out = capsys.readouterr().out
    assert "bug B switched on" in out
    assert "to the model to contain a user message with" in out


def outcomes_are(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    """Have every golden that the demo replays end so."""

    def replayed(golden: Golden, *_: object) -> Replay:
        return Replay(msgspec.structs.replace(unplayed(golden, "broken"), outcome=outcome), [])

    monkeypatch.setattr("grice.cli.demo.replay", replayed)


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
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    outcome: Outcome,
    words: str,
    args: tuple[str, ...],
) -> None:
    outcomes_are(monkeypatch, outcome)
    assert demo(*args) == 1
    assert words in capsys.readouterr().err


def test_an_example_that_cannot_be_loaded_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grice.cli.demo.AGENT", "wordpress_assistant.app:nothing_here")
    assert demo() == 1
    assert "the demo is broken: agent 'wordpress_assistant.app:nothing_here'" in capsys.readouterr().err


def test_a_bug_that_does_not_exist_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo("--bug", "C") == 2
    captured = capsys.readouterr()
    assert captured.err == "there is no bug 'C': the bugs are A and B\n"
    assert captured.out == ""


def test_no_line_is_wider_than_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert demo() == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, (line for line in lines if "golden.json" not in line))) <= 72
