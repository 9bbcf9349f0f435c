"""`grice run --strict`: what is trivially true fails, and so does an expect that checks nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from grice_command import Grice, Run

SUITE = """
scenarios:
  - {id: empty, say: Hi, expect: [{matcher: toMatch, expected: ""}]}
  - {id: sound, say: Hi, expect: [{matcher: toContain, expected: Hi}]}
"""

TEST = """
from grice import expect

def test_uncalled(conversation):
    expect(conversation.say("Hi"))

def test_unchecked(conversation):
    conversation.say("Hi")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with an agent, a suite and tests."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("strict_bot.py").write_text("def agent(text):\n    return f'you said {text}'\n")
    tmp_path.joinpath("pyproject.toml").write_text('[tool.grice]\nagent = "strict_bot:agent"\n')
    tmp_path.joinpath("it.grice.yaml").write_text(SUITE)
    tmp_path.joinpath("test_strictly.py").write_text(TEST)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("strict_bot", None)
    sys.modules.pop("test_strictly", None)


def test_a_suite_passes_and_the_summary_names_what_is_trivially_true(folder: Path, grice: Grice) -> None:
    run = grice("run", "it.grice.yaml")
    assert run.code == 0
    assert "1 verdict is trivially true, a hard pass:" in run.out
    assert "  empty: hard pass: the reply to match //: the pattern matches every text" in run.out


def test_the_report_of_the_kept_run_counts_it(folder: Path, grice: Grice) -> None:
    grice("run", "it.grice.yaml")
    for form in ((), ("--markdown",)):
        assert "1 verdict is trivially true" in grice("report", "latest", *form).out
    assert '"trivially_true_verdicts": 1' in grice("report", "latest", "--json", "-").out


@pytest.mark.parametrize("by", ["option", "setting"])
def test_strict_fails_it(folder: Path, grice: Grice, by: str) -> None:
    if by == "setting":
        with folder.joinpath("pyproject.toml").open("a") as settings:
            settings.write("strict = true\n")
    run = grice("run", "it.grice.yaml", *(["--strict"] if by == "option" else []))
    assert run.code == 1
    assert "trivially true, which strict refuses: the pattern matches every text" in run.out
    assert "1 passed, 1 failed" in run.out


def test_strict_holds_for_python_tests(folder: Path, grice: Grice) -> None:
    run = grice("run", "test_strictly.py", "--strict", "-k", "uncalled")
    assert run.code == 1
    assert "test_strictly.py:5" in run.out
    assert "expect(...) checks nothing" in run.out


def test_a_strict_that_is_no_choice_is_refused(folder: Path, grice: Grice) -> None:
    folder.joinpath("pyproject.toml").write_text('[tool.grice]\nstrict = "yes"\n')
    run: Run = grice("run", "it.grice.yaml")
    assert run.code == 2
    assert (
        "pyproject.toml:2:1: [tool.grice] strict: expected true or false, found the string 'yes'" in run.err
    )
