"""`grice.current_experiment()` in a pytest session: what all its workers have finished so far."""

from __future__ import annotations

import pytest
from inner_projects import ALONE_AND_XDIST, Run

from grice.experiments.recording import recording

CONFTEST = """
import grice
import pytest

@pytest.fixture
def agent(): return lambda text: text

def told():
    try:
        found = grice.current_experiment()
    except grice.ExperimentError as error:
        return str(error)
    return f"{found.completion_rate} of {len(found.attempts)}, complete: {found.complete}"

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"AT THE END {told()}")
"""

TESTS = """
import grice
from grice import expect
import pytest

@pytest.mark.parametrize("word", ["Hi", "Bye", "Hi there", "Hi you"])
def test_says(conversation, word):
    expect(conversation.say(word)).to_contain("Hi")
"""

IN_TURN = """
import grice
from conftest import told
from grice import expect

def test_first(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")

def test_second(conversation):
    assert told() == "1.0 of 1, complete: False"
    expect(conversation.say("Hi")).to_contain("Hi")

def test_own_record_is_refused(conversation):
    try:
        grice.record_result(None)
    except grice.ExperimentError as error:
        assert "pytest keeps the results of its tests itself, in " in str(error)
    else:
        raise AssertionError("it was recorded")
    expect(conversation.say("Hi")).to_contain("Hi")
"""


@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_at_the_end_it_has_what_all_workers_finished(run: Run, workers: tuple[str, ...]) -> None:
    result = run("--grice-store", *workers, conftest=CONFTEST, test_it=TESTS)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["AT THE END 0.75 of 4, complete: True"])


def test_while_it_runs_it_has_what_is_finished(run: Run) -> None:
    result = run("--grice-store", conftest=CONFTEST, test_it=IN_TURN)
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["AT THE END 1.0 of 3, complete: True"])


def test_without_a_store_there_is_none(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_current", recording._Current())  # another test may have finished one
    result = run(conftest=CONFTEST, test_it=TESTS)
    result.stdout.fnmatch_lines(["AT THE END there is no current experiment; begin one * --grice-store"])


@pytest.mark.slow
def test_a_session_that_keeps_nothing_does_not_load_it(pytester: pytest.Pytester) -> None:
    loaded = """
import sys
from grice import expect

def test_it(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
    assert not [name for name in sys.modules if name.startswith("grice.experiments")]
"""
    conftest = "import pytest\n@pytest.fixture\ndef agent(): return lambda text: text"
    pytester.makepyfile(conftest=conftest, test_it=loaded)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
