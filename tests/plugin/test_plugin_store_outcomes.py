"""What pytest fails, skips or could not collect, as the journal of a session has it."""

from __future__ import annotations

import pytest
from inner_projects import ALONE_AND_XDIST, Run, golden, write_golden
from test_plugin_simulated import BEFOREHAND
from test_plugin_store import by_key, kept

from grice.records import Outcome

SAYINGS = """
import pytest

def hello(conversation, said="Hi"):
    expect(conversation.say("Hi")).to_contain(said)

@pytest.mark.xfail(strict=True, reason="not built")
def test_strict(conversation): hello(conversation)

@pytest.mark.xfail(reason="not built")
def test_better(conversation): hello(conversation)

@pytest.mark.xfail(strict=True, reason="not built")
def test_strict_and_bad(conversation): hello(conversation, "Bye")

@pytest.mark.xfail
def test_bad(conversation): assert not conversation.say("Hi")

@pytest.mark.xfail(raises=OSError)
def test_other(conversation): hello(conversation, "Bye")

def test_given_up(conversation):
    hello(conversation)
    pytest.xfail("too slow")

def test_skipped(conversation):
    hello(conversation)
    pytest.skip("not here")

@pytest.fixture
def ends_badly():
    yield
    raise OSError("no clean-up")

def test_skipped_and_broken(conversation, ends_badly):
    hello(conversation)
    pytest.skip("not here")

@pytest.mark.xfail(run=False, reason="crashes")
def test_not_run(conversation): pass

def test_fine(conversation): hello(conversation)
"""

SAID = {
    "test_strict": ("fail", True, "[XPASS(strict)] not built"),
    "test_better": ("pass", True, "found at character 9: 'you said Hi'"),
    "test_strict_and_bad": ("skipped", False, "expected to fail: not built"),
    "test_bad": ("skipped", False, "expected to fail"),
    "test_other": ("fail", True, "the text is 'you said Hi'"),
    "test_given_up": ("skipped", False, "expected to fail: too slow"),
    "test_skipped": ("skipped", False, "not here"),
    "test_skipped_and_broken": ("error", False, "the test raised OSError: no clean-up in its teardown"),
    "test_not_run": ("skipped", False, "expected to fail: [NOTRUN] crashes"),
    "test_fine": ("pass", True, "found at character 9: 'you said Hi'"),
}


@pytest.mark.slow
def test_what_pytest_fails_and_skips_is_that_in_the_journal(pytester: pytest.Pytester, run: Run) -> None:
    result = run("--grice-store", test_it=SAYINGS)
    result.assert_outcomes(passed=1, failed=2, xfailed=4, xpassed=1, skipped=2, errors=1)
    found = by_key(kept(pytester.path / ".grice" / "runs").results)
    said = {key: (one.outcome.value, one.counts, one.verdicts[-1].reason) for key, one in found.items()}
    assert said == SAID
    assert [one.outcome.value for one in found["test_strict"].verdicts] == ["pass", "fail"]
    assert [one.outcome.value for one in found["test_skipped"].verdicts] == ["pass", "skipped"]
    assert [one.outcome.value for one in found["test_not_run"].verdicts] == ["skipped"]


@pytest.mark.slow
def test_suites_and_goldens_that_are_expected_to_fail_are_so_in_the_journal(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("good"), golden("bad", reply="Bye"))
    project.path.joinpath("conftest.py").write_text("""
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xfail(strict=True, reason="not built"))
""")
    project.runpytest_inprocess("--grice-store").assert_outcomes(failed=1, xfailed=1)
    found = kept(project.path / ".grice" / "runs")
    assert {one.key: one.outcome.value for one in found.results} == {"good": "fail", "bad": "skipped"}


XFAILED_RUNS = """
tries = []

@pytest.mark.xfail(reason="not built")
@simulated(goal="Say goodbye", runs=3)
def test_it(conversation):
    tries.append(1)
    expect(conversation).to_have_turn_count(max=1 if len(tries) == 2 else 2)

@simulated(goal="Say goodbye", runs=2, at_least=1)
def test_one_skipped(conversation):
    tries.append(1)
    expect(conversation).to_have_turn_count(max=2)
    if len(tries) % 2:
        pytest.skip("not here")
"""


@pytest.mark.slow
def test_of_several_runs_those_that_pass_go_on_to(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="import pytest\n" + BEFOREHAND + XFAILED_RUNS)
    args = ("--grice-store", "-p", "no:randomly")
    pytester.runpytest_inprocess(*args).assert_outcomes(xfailed=1, passed=1)
    results = kept(pytester.path / ".grice" / "runs").results
    assert [(one.key, one.outcome.value) for one in results] == [
        ("test_it", "pass"),
        ("test_it", "skipped"),
        ("test_it", "pass"),
        ("test_one_skipped", "pass"),
        ("test_one_skipped", "skipped"),
    ]


def test_a_test_that_says_and_checks_nothing_tells_nothing(pytester: pytest.Pytester, run: Run) -> None:
    tests = "def test_a(conversation): pass\ndef test_b(conversation): assert conversation.say('Hi').text\n"
    run("--grice-store", test_it=tests).assert_outcomes(passed=2)
    found = by_key(kept(pytester.path / ".grice" / "runs").results)
    (verdict,) = found["test_a"].verdicts
    assert (found["test_a"].outcome, verdict.reason) == (
        Outcome.INCONCLUSIVE,
        "nothing was said and nothing was checked",
    )
    assert found["test_b"].outcome is Outcome.PASS


@pytest.mark.slow
@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_files_that_cannot_be_collected_leave_the_run_incomplete(
    pytester: pytest.Pytester, run: Run, workers: list[str]
) -> None:
    pytester.makepyfile(test_bad="import no_such_module", test_worse="def test_it(:")
    result = run(
        "--grice-store",
        "--continue-on-collection-errors",
        *workers,
        test_it="def test_it(conversation): assert conversation.say('Hi').text\n",
    )
    result.assert_outcomes(passed=1, errors=2)
    found = kept(pytester.path / ".grice" / "runs")
    assert (len(found.results), found.planned, found.complete, found.never_begun) == (1, 3, False, 0)
    assert found.unfinished == tuple(f"a file that could not be collected ({n} of 2)" for n in (1, 2))


NO_HEADS = """
import errno, os
from grice.running.journal import experiment


def pytest_configure(config):
    write, ask = os.write, experiment.git_state
    def full(file, data):
        if data.startswith(b'{"version"'):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)
    def asked(*args, **kwargs):
        print("git was asked")
        return ask(*args, **kwargs)
    os.write, experiment.git_state = full, asked
    config.add_cleanup(lambda: setattr(os, "write", write))
    config.add_cleanup(lambda: setattr(experiment, "git_state", ask))
"""


def test_a_head_that_cannot_be_written_is_tried_once(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makeconftest(NO_HEADS)
    tests = "".join(f"def test_{name}(conversation): conversation.say('Hi')\n" for name in "abc")
    result = run("--grice-store", "-s", test_it=tests)
    result.assert_outcomes(errors=3)
    assert list((pytester.path / ".grice" / "runs").iterdir()) == []
    assert result.stdout.str().count("git was asked") == 1


ASSERTING = """
def test_a(conversation):
    assert {}

def test_b(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
"""


@pytest.mark.slow
def test_plain_asserts_are_known_by_the_code_of_their_test(pytester: pytest.Pytester, run: Run) -> None:
    """An assertion that was changed shows when two experiments are compared, and one of Grice does not."""
    asserted = (
        "conversation.say('Hi')",
        "conversation.say('Hi') # the same",
        "conversation.say('Bye')",
        "not conversation.say('Hi')",
    )
    words = []
    for text in asserted:
        store = pytester.path / f"kept{len(words)}"
        run(f"--grice-store={store}", test_it=ASSERTING.format(text))
        found = by_key(kept(store).results)
        assert found["test_b"].verdicts[0].detail.get("code") is None
        words.append(found["test_a"].verdicts[0].detail["code"])
    assert words[0] == words[1]
    assert len(set(words)) == 3


BESIDE_SOFT = """
def test_asserts(conversation):
    evaluate(conversation.say("Hi")).to_contain("nothing of the kind")
    assert conversation.turns

def test_asserts_and_fails(conversation):
    evaluate(conversation.say("Hi")).to_contain("Hi")
    assert not conversation.turns

def test_expects_too(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
    assert conversation.turns

def test_only_soft(conversation):
    evaluate(conversation.say("Hi")).to_contain("Hi")

def test_says_nothing(conversation):
    evaluate("Hi").to_contain("Hi")
    assert not conversation.turns
"""


@pytest.mark.slow
def test_a_test_that_asserts_has_a_word_of_its_own_beside_soft_checks(
    pytester: pytest.Pytester, run: Run
) -> None:
    run("--grice-store", test_it=BESIDE_SOFT)
    found = by_key(kept(pytester.path / ".grice" / "runs").results)
    words = {
        key: [(str(one.outcome), one.mode) for one in result.verdicts if not one.matcher]
        for key, result in found.items()
    }
    assert words == {
        "test_asserts": [("pass", "hard")],
        "test_asserts_and_fails": [("fail", "hard")],
        "test_expects_too": [],
        "test_only_soft": [],
        "test_says_nothing": [],
    }
    assert {key for key, result in found.items() if not result.asserts} == {"test_only_soft"}
    assert len({result.asserts for result in found.values()}) == 5
