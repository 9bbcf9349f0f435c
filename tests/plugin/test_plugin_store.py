"""The journal of a pytest session, where it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from inner_projects import ALONE_AND_XDIST, ECHO, Run, golden, write_golden
from test_plugin_simulated import BEFOREHAND

from grice.cli.report import Command
from grice.cli.report_work import report_run
from grice.records import Outcome, Result
from grice.running.journal.reading import Run as RunRead
from grice.running.journal.reading import read_run

TESTS = """
import pytest
from grice import UserScript, scenarios

@scenarios([{"id": "munich", "name": "In Munich"}, {"id": "berlin"}], name="cities")
def test_city(conversation, scenario):
    reply = conversation.say("Hi")
    evaluate(reply).to_contain("nothing")
    expect(reply).to_contain("Hi")

def test_soft(conversation):
    evaluate(conversation.say("Hi")).to_contain("nothing")

def test_nothing(conversation): pass

def test_hard(conversation): expect(conversation.say("Hi")).to_contain("Bye")

def test_plain(conversation): assert conversation.say("Hi").text == "Bye"

def test_raising(conversation): conversation.say("Hi"); {}["key"]

def test_skipped(conversation): conversation.say("Hi"); pytest.skip("not now")

@pytest.mark.skip(reason="never")
def test_marked(conversation): pass

@pytest.fixture
def broken(): raise OSError("no database")

def test_set_up(conversation, broken): pass

@pytest.fixture
def ends_badly():
    yield
    raise OSError("no clean-up")

def test_teardown(conversation, ends_badly): conversation.say("Hi")

def test_loose(conversation): conversation.simulate(UserScript("Hi", {"when": "never", "say": "x"}))

def test_without(): pass
"""

EXPECTED = {
    "munich": ("pass", "none", True),
    "berlin": ("pass", "none", True),
    "test_soft": ("pass", "none", True),
    "test_nothing": ("inconclusive", "assertion", True),
    "test_hard": ("fail", "assertion", True),
    "test_plain": ("fail", "assertion", True),
    "test_raising": ("error", "error", False),
    "test_skipped": ("skipped", "none", False),
    "test_marked": ("skipped", "none", False),
    "test_set_up": ("error", "error", False),
    "test_teardown": ("error", "error", False),
    "test_loose": ("error", "error", False),
}


def kept(folder: Path) -> RunRead:
    """The only run that is kept there."""
    (found,) = folder.iterdir()
    return read_run(found)


def by_key(results: tuple[Result, ...]) -> dict[str, Result]:
    """The results by their keys."""
    return {one.key: one for one in results}


@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_every_test_with_a_conversation_has_its_result(
    pytester: pytest.Pytester, run: Run, workers: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    result = run("--grice-store", *workers, test_it=TESTS)
    folder = pytester.path / ".grice" / "runs"
    found = kept(folder)
    assert {one.key: (one.outcome.value, one.failure, one.counts) for one in found.results} == EXPECTED
    assert len({head.timestamp for head in found.heads}) == 1
    assert found.planned == len(found.results)
    result.stdout.fnmatch_lines(["kept in .grice/runs/exp_*; see it with: grice report *"])
    results = by_key(found.results)
    munich = results["munich"]
    assert (munich.set_name, munich.description, munich.file) == ("cities", "In Munich", "test_it.py")
    assert [verdict.mode for verdict in munich.verdicts] == ["soft", "hard"]
    assert results["test_hard"].conversation.turns[0].text == "you said Hi"
    assert "KeyError" in results["test_raising"].verdicts[-1].reason
    capsys.readouterr()
    assert report_run(Command(runs=folder, verbose=True)) == 1
    assert "In Munich" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "settings", "folder"),
    [
        (["--grice-store=kept"], "", "kept"),
        ([], "store = true", ".grice/runs"),
        ([], 'store = "own/runs"', "own/runs"),
        (["--grice-store=kept"], "store = true", "kept"),
        ([], "store = false", None),
        ([], "", None),
    ],
)
def test_it_is_kept_where_it_is_asked_for_and_only_then(
    pytester: pytest.Pytester, run: Run, args: list[str], settings: str, folder: str | None
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\n{settings}\n")
    run(*args, test_it="def test_it(conversation): conversation.say('Hi')\n").assert_outcomes(passed=1)
    found = sorted(
        path.parent.parent.relative_to(pytester.path).as_posix() for path in pytester.path.rglob("main.jsonl")
    )
    assert found == ([] if folder is None else [folder])


def test_a_session_without_conversations_writes_nothing(pytester: pytest.Pytester, run: Run) -> None:
    result = run("--grice-store", test_it="def test_it(): pass\n")
    result.assert_outcomes(passed=1)
    assert not (pytester.path / ".grice").exists()
    result.stdout.no_fnmatch_line("kept in*")


RUNS = """
failing = []

@simulated(goal="Say goodbye", runs=3, at_least=2)
def test_it(conversation):
    failing.append(1)
    evaluate(conversation.last).to_contain("nothing")
    expect(conversation).to_have_turn_count(max=1 if len(failing) == 2 else 2)

def test_other(conversation):
    conversation.simulate(goal="Say goodbye", persona="chatty")
"""


@pytest.mark.slow
def test_every_run_of_a_simulated_test_has_its_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="import pytest\n" + BEFOREHAND + RUNS)
    result = pytester.runpytest_inprocess("--grice-store")
    result.assert_outcomes(passed=2)
    found = kept(pytester.path / ".grice" / "runs")
    runs = [one for one in found.results if one.key == "test_it"]
    assert [(one.repeat, one.outcome.value) for one in runs] == [(1, "pass"), (2, "fail"), (3, "pass")]
    assert [len(one.verdicts) for one in runs] == [2, 2, 2]
    assert [one.conversation.simulations[0].seed for one in runs] == [0, 1, 2]
    assert found.planned == len(found.results) == 4
    assert found.experiment.repeat == 3
    (other,) = [one for one in found.results if one.key == "test_other"]
    assert [one.outcome for one in other.conduct if one.outcome is not Outcome.PASS]
    result.stdout.fnmatch_lines(
        ["simulated users that did not keep to their rules:", "  test_it.py::test_other: *fail: expected *"]
    )


@pytest.mark.slow
def test_goldens_have_theirs(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("good"), golden("bad", reply="Bye"))
    project.runpytest_inprocess("--grice-store").assert_outcomes(passed=1, failed=1)
    found = kept(project.path / ".grice" / "runs")
    assert {one.key: one.outcome.value for one in found.results} == {"good": "pass", "bad": "fail"}


AGAIN = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    from _pytest.runner import runtestprotocol
    runtestprotocol(item, nextitem=nextitem, log=False)
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runtestprotocol(item, nextitem=nextitem)
    return True
"""


@pytest.mark.parametrize("bad", [1, 2])
def test_a_test_that_is_run_again_has_the_result_of_its_worse_run(
    pytester: pytest.Pytester, run: Run, bad: int
) -> None:
    pytester.makeconftest(AGAIN)
    run(
        "--grice-store",
        test_it=f"""
tries = []
def test_it(conversation):
    tries.append(1)
    expect(conversation.say("Hi")).to_contain("Bye" if len(tries) == {bad} else "Hi")
""",
    ).assert_outcomes(passed=int(bad == 1), failed=int(bad == 2))
    (result,) = kept(pytester.path / ".grice" / "runs").results
    assert [one.outcome for one in result.verdicts] == [result.outcome] == [Outcome.FAIL]


@pytest.mark.slow
def test_what_is_interrupted_is_not_finished(pytester: pytest.Pytester) -> None:
    tests = "def test_a(conversation): pass\ndef test_b(conversation): raise KeyboardInterrupt\n"
    pytester.makepyfile(test_it=ECHO + tests)
    pytester.runpytest_inprocess("--grice-store", no_reraise_ctrlc=True)
    found = kept(pytester.path / ".grice" / "runs")
    assert ([one.key for one in found.results], found.planned) == (["test_a"], 2)


def test_a_journal_that_cannot_be_written_stops_tests_before_they_hold_anything(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytester.path.joinpath("file").write_text("")
    result = run(
        "--grice-store=file/runs", test_it="def test_it(conversation): pass\ndef test_other(): pass\n"
    )
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(["*file/runs/exp_*: no journal can be written here: *"])


@pytest.mark.parametrize("path", ["test_it.py", "test_it.py::test_it", "."])
def test_a_path_to_tests_is_no_folder_for_runs(pytester: pytest.Pytester, run: Run, path: str) -> None:
    result = run("--grice-store", path, test_it="def test_it(conversation): pass\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"*expected a folder for runs, found '{path}': write =.grice/runs before a path*"]
    )
    assert not (pytester.path / ".grice").exists()


@pytest.mark.parametrize("value", ["3", "''", "['a']"])
def test_a_wrong_setting_is_refused(pytester: pytest.Pytester, run: Run, value: str) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\nstore = {value}\n")
    result = run(test_it="def test_it(conversation): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*pyproject.toml:2:1: *store: expected true, false or the name of a folder, found *"]
    )


@pytest.mark.slow
def test_the_head_says_what_was_run(pytester: pytest.Pytester) -> None:
    test = """
from grice import criterion, topic
kind = criterion("kind", "It is kind.")
hello = topic("hello", "They greet")
pytestmark = pytest.mark.grice(criteria=[kind], topics=[hello], user=SimulatedUser(role="a guest"))

@simulated(goal="Say goodbye", topics={"hello": ()}, ask=False)
def test_it(conversation): pass
"""
    pytester.makepyfile(test_it="import pytest\n" + BEFOREHAND + test)
    pytester.runpytest_inprocess("--grice-store", "-q").assert_outcomes(passed=1)
    head = kept(pytester.path / ".grice" / "runs").experiment
    assert head.command == ("pytest", "--grice-store", "-q")
    assert head.topic_graph == {"topics": ["hello"], "edges": []}
    assert head.repeat == 1
    assert head.criteria_hash.startswith("sha256:")
    assert head.config_hash != head.criteria_hash


@pytest.mark.slow
def test_a_graph_that_is_wrong_is_told_of_by_its_test(pytester: pytest.Pytester) -> None:
    test = """
@simulated(goal="Say goodbye", topics=%s, ask=False)
def test_it(conversation): pass

@simulated(goal="Say goodbye")
def test_other(conversation): pass
"""
    for given, said in (("{'hello': 'nowhere'}", "*nowhere*"), ("'missing.json'", "*missing.json*")):
        pytester.makepyfile(test_it="import pytest\n" + BEFOREHAND + test % given)
        result = pytester.runpytest_inprocess("--grice-store")
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines([said])


def test_what_breaks_while_a_graph_is_read_is_not_taken_for_a_wrong_graph(pytester: pytest.Pytester) -> None:
    test = """
class Broken(dict):
    times = 0

    def items(self):
        Broken.times += 1
        if Broken.times == 1:  # as the head of the journal is written
            raise RuntimeError("cannot be read")
        return super().items()

hello = topic("hello", "They greet")

@simulated(goal="Say goodbye", topics=Broken({hello: ()}), ask=False)
def test_it(conversation): pass
"""
    pytester.makepyfile(test_it="import pytest\nfrom grice import topic\n" + BEFOREHAND + test)
    result = pytester.runpytest_inprocess("--grice-store")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*RuntimeError: cannot be read*"])
