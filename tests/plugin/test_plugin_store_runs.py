"""What a kept session is called, what it saves, and what of it was begun, under xdist too."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from inner_projects import ALONE_AND_XDIST, ECHO, XDIST, Run, golden, write_golden
from test_plugin_store import kept

from grice.identity import stable_id, stable_path
from grice.running.journal.folders import find_run
from grice.running.journal.reading import index_run
from grice.running.runs_folder import runs_folder

TWO = """
def test_a(conversation): expect(conversation.say("Hi")).to_contain("Hi")
def test_b(conversation): expect(conversation.say("Hi")).to_contain("Hi")
"""


@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_a_run_is_called_and_tagged(pytester: pytest.Pytester, run: Run, workers: tuple[str, ...]) -> None:
    options = ("--grice-store", "--grice-name", "Prompt v2", "--grice-tag", "rooms", "--grice-tag=nightly")
    run(*options, *workers, test_it=TWO).assert_outcomes(passed=2)
    folder = pytester.path / ".grice" / "runs"
    found = kept(folder)
    assert all(head == found.experiment for head in found.heads)
    assert (found.experiment.name, found.experiment.tags) == ("Prompt v2", ("rooms", "nightly"))
    assert found.experiment.command[:2] == ("pytest", "-p")
    assert find_run("tag:nightly", folder) == find_run("Prompt v2", folder) == found.folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "option", ["--grice-name=x", "--grice-tag=x", "--grice-results", "--grice-results=x"]
)
def test_what_is_for_kept_runs_needs_a_store(pytester: pytest.Pytester, run: Run, option: str) -> None:
    for workers in ((), XDIST):
        result = run(option, *workers, test_it=TWO)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        said = (
            f"ERROR: {option.partition('=')[0]} is for a run that is kept, and none is: give --grice-store *"
        )
        result.stderr.fnmatch_lines([said])
    pytester.makepyprojecttoml("[tool.grice]\nstore = true\n")
    run(option, test_it=TWO).assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("args", "settings", "folder"),
    [
        (["--grice-results"], "store = true", "results"),
        (["--grice-results=out/of"], "store = true", "out/of"),
        pytest.param(["--grice-results=out/of", *XDIST], "store = true", "out/of", marks=pytest.mark.slow),
        ([], "store = true\nresults = true", "results"),
        ([], 'store = true\nresults = "own"', "own"),
        ([], "store = true", None),
    ],
)
def test_results_are_saved_where_that_is_asked_for(
    pytester: pytest.Pytester, run: Run, args: list[str], settings: str, folder: str | None
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\n{settings}\n")
    result = run(*args, test_it=TWO)
    result.assert_outcomes(passed=2)
    found = list(pytester.path.rglob("exp_*.json"))
    folders = [path.parent.relative_to(pytester.path).as_posix() for path in found]
    assert folders == ([] if folder is None else [folder])
    for path in found:
        saved = json.loads(path.read_text())
        assert saved["experiment"]["id"] == path.stem == kept(pytester.path / ".grice" / "runs").experiment.id
        assert saved["summary"]["total_scenarios"] == 2
        result.stdout.fnmatch_lines([f"results saved to {path}"])


def test_results_that_cannot_be_saved_fail_the_session(pytester: pytest.Pytester, run: Run) -> None:
    pytester.path.joinpath("file").write_text("")
    result = run("--grice-store", "--grice-results=file/results", test_it=TWO)
    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["error: the results cannot be written: *file/results*"])


@pytest.mark.slow
def test_the_end_says_how_to_see_and_compare_it(pytester: pytest.Pytester, run: Run) -> None:
    first = run("--grice-store", test_it=TWO)
    first.stdout.fnmatch_lines(["kept in *; see it with: grice report exp_*"])
    first.stdout.no_fnmatch_line("to compare it*")  # with what?
    earliest = find_run("latest", pytester.path / ".grice" / "runs").name
    second = run("--grice-store", test_it=TWO)
    latest = find_run("latest", pytester.path / ".grice" / "runs").name
    second.stdout.fnmatch_lines(
        [
            f"kept in *{latest}; see it with: grice report {latest}",
            f"to compare it: grice compare {latest} --baseline {earliest}",
        ],
        consecutive=True,
    )
    elsewhere = run("--grice-store=kept", test_it=TWO)
    elsewhere.stdout.fnmatch_lines([f"kept in *; see it with: grice report {pytester.path}/kept/exp_*"])
    again = run("--grice-store=kept", test_it=TWO)
    kept_in = pytester.path / "kept"
    ids = [find_run(one, kept_in).name for one in ("latest", "latest~1")]
    again.stdout.fnmatch_lines([f"*: grice compare {ids[0]} --baseline {ids[1]} --runs {kept_in}"])


@pytest.mark.slow
def test_a_session_in_which_nothing_counts_is_not_compared(pytester: pytest.Pytester, run: Run) -> None:
    run("--grice-store", test_it=TWO)
    first = find_run("latest", pytester.path / ".grice" / "runs").name
    broken = "@pytest.fixture\ndef agent(): raise OSError('down')\n" + TWO
    down = run("--grice-store", test_it="import pytest\n" + broken)
    down.stdout.no_fnmatch_line("to compare it*")
    other = run("test_other.py", "--grice-store", test_other=TWO)
    other.assert_outcomes(passed=2)
    other.stdout.no_fnmatch_line("to compare it*")
    again = run("test_it.py", "--grice-store", test_it=TWO)
    again.stdout.fnmatch_lines([f"to compare it: grice compare exp_* --baseline {first}"])


@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ("", ".grice/runs"),
        ("store = false", ".grice/runs"),
        ("store = true", ".grice/runs"),
        ("store = 'own/runs'", "own/runs"),
    ],
)
def test_the_bare_options_mean_the_folders_of_the_project(
    pytester: pytest.Pytester, settings: str, folder: str, workers: tuple[str, ...]
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\n{settings}\n")
    below = pytester.mkdir("tests")
    (below / "test_it.py").write_text(ECHO + TWO)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(below)
        result = pytester.runpytest_inprocess(
            "-p", "no:cacheprovider", *workers, "--grice-store", "--grice-results"
        )
        usual = runs_folder()
    result.assert_outcomes(passed=2)
    found = kept(pytester.path / folder)
    assert usual == pytester.path / folder
    assert (pytester.path / "results" / f"{found.experiment.id}.json").exists()
    assert {one.name for one in below.iterdir()} - {"__pycache__"} == {"test_it.py"}
    result.stdout.fnmatch_lines([f"kept in *; see it with: grice report {found.experiment.id}"])


def test_without_a_project_the_bare_option_means_the_current_folder(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeini("[pytest]\n")
    below = pytester.mkdir("tests")
    (below / "test_it.py").write_text(ECHO + TWO)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(below)
        pytester.runpytest_inprocess("-p", "no:cacheprovider", "--grice-store").assert_outcomes(passed=2)
    assert len(kept(below / ".grice" / "runs").results) == 2


@pytest.mark.parametrize("option", ["--grice-store", "--grice-results"])
@pytest.mark.parametrize(
    ("folder", "file"), [("tests", "deep/test_p.py"), ("goldens", "a.golden.json"), ("s", "b/c.grice.yaml")]
)
def test_a_folder_of_tests_is_not_taken_for_the_value_of_an_option(
    pytester: pytest.Pytester, run: Run, option: str, folder: str, file: str
) -> None:
    path = pytester.path / folder / file
    path.parent.mkdir(parents=True)
    path.write_text("")
    result = run(option, folder, test_it=TWO)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*expected a folder for *, found '{folder}': write =* before a path*"])


@pytest.mark.slow
def test_a_folder_that_holds_runs_or_results_is_taken(pytester: pytest.Pytester, run: Run) -> None:
    options = ("--grice-store", "kept/runs", "--grice-results", "out")
    run(*options, test_it=TWO).assert_outcomes(passed=2)
    for folder in ("kept/runs", "out"):
        below = pytester.path / folder / "below"
        below.mkdir()
        (below / "plots.py").write_text("")
    run(*options, test_it=TWO).assert_outcomes(passed=2)
    assert len(list((pytester.path / "out").glob("exp_*.json"))) == 2


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--grice-name=", "--grice-name: expected a name, found ''"),
        ("--grice-tag=latest", "--grice-tag: expected another name than 'latest', *"),
        ("--grice-name=x~1", "--grice-name: expected a name without ~ and a number, found 'x~1'*"),
    ],
)
def test_a_name_that_would_mean_another_run_is_refused(
    pytester: pytest.Pytester, run: Run, option: str, said: str
) -> None:
    result = run("--grice-store", option, test_it=TWO)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])
    assert not (pytester.path / ".grice").exists()


# -- what was begun


@pytest.mark.slow
def test_what_was_begun_and_not_finished_is_named(pytester: pytest.Pytester) -> None:
    tests = "def test_a(conversation): pass\ndef test_b(conversation): raise KeyboardInterrupt\n"
    pytester.makepyfile(test_it=ECHO + tests + "def test_c(conversation): pass\n")
    pytester.runpytest_inprocess("--grice-store", no_reraise_ctrlc=True)
    found = kept(pytester.path / ".grice" / "runs")
    assert (found.unfinished, found.never_begun, found.planned) == (("test_b",), 1, 3)
    assert index_run(find_run("latest", pytester.path / ".grice" / "runs")).unfinished_in == ("test_it",)


CRASH = """
import os
@pytest.mark.parametrize("number", range(6))
def test_it(conversation, number):
    expect(conversation.say("Hi")).to_contain("Hi")
    if number == 2:
        os._exit(9)
"""


@pytest.mark.slow
def test_a_worker_that_crashes_loses_nothing_that_was_finished(pytester: pytest.Pytester, run: Run) -> None:
    result = run("--grice-store", *XDIST, test_it=CRASH)
    result.assert_outcomes(passed=5, failed=1)
    found = kept(pytester.path / ".grice" / "runs")
    assert sorted(one.key for one in found.results) == [f"test_it[{number}]" for number in (0, 1, 3, 4, 5)]
    assert (found.unfinished, found.never_begun, found.complete) == (("test_it[2]",), 0, False)
    assert all(head == found.experiment for head in found.heads)


@pytest.mark.slow
def test_each_worker_running_everything_counts_once(pytester: pytest.Pytester, run: Run) -> None:
    run("--grice-store", "-p", "xdist", "--dist=each", "--tx=2*popen", test_it=TWO)
    found = kept(pytester.path / ".grice" / "runs")
    assert (sorted(one.key for one in found.results), found.planned) == (["test_a", "test_b"], 2)
    (note,) = found.notes
    assert note.startswith("2 results with another result in another file, of which the worse one counts: ")


@pytest.mark.slow
@pytest.mark.parametrize("bad", ["gw0", "gw1"])
def test_a_test_that_fails_on_one_worker_only_has_failed(
    pytester: pytest.Pytester, run: Run, bad: str
) -> None:
    test = f"""
import os
def test_it(conversation):
    expect(conversation.say("Hi")).to_contain("Bye" if os.environ["PYTEST_XDIST_WORKER"] == {bad!r} else "Hi")
"""
    run("--grice-store", "-p", "xdist", "--dist=each", "--tx=2*popen", test_it=test)
    found = kept(pytester.path / ".grice" / "runs")
    assert ([one.outcome.value for one in found.results], found.passed) == (["fail"], False)


def test_a_simulated_test_that_does_not_begin_has_a_result_for_each_of_its_runs(
    pytester: pytest.Pytester, run: Run
) -> None:
    test = """
from grice import UserScript, simulated
@pytest.mark.skip(reason="not now")
@simulated(UserScript("Hi"), runs=3)
def test_it(conversation): pass
"""
    run("--grice-store", test_it=test).assert_outcomes(skipped=1)
    found = kept(pytester.path / ".grice" / "runs")
    assert [(one.repeat, one.outcome.value) for one in found.results] == [(n, "skipped") for n in (1, 2, 3)]
    assert (found.planned, found.unfinished, found.complete) == (3, (), True)


FULL = """
import errno, os

def test_a(conversation): conversation.say("Hi")

def test_b(conversation, request):
    write = os.write
    def full(file, data):
        if data.startswith(b'{"result"'):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)
    os.write = full
    request.config.add_cleanup(lambda: setattr(os, "write", write))

def test_c(conversation): raise AssertionError("is not reached")
"""


@pytest.mark.slow
def test_a_disk_that_gets_full_fails_what_cannot_be_kept_and_keeps_what_was(
    pytester: pytest.Pytester, run: Run
) -> None:
    result = run("--grice-store", "-p", "no:randomly", test_it=FULL)
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(["*main.jsonl: cannot be written: No space left on device"])
    result.stdout.no_fnmatch_line("*is not reached*")
    found = kept(pytester.path / ".grice" / "runs")
    assert [one.key for one in found.results] == ["test_a"]
    assert (found.unfinished, found.never_begun, found.notes) == (("test_b",), 1, ())


SUITE = """
agent: talker:Talker
criteria: {kind: It is kind.}
scenarios:
  - {id: greets, say: Hi, model: [{text: Hello}], expect: [{matcher: toContain, expected: Hello}]}
  - {id: broken, say: Hi, agent: "nowhere:at_all", expect: [{matcher: toContain, expected: x}]}
"""


@pytest.mark.slow
def test_scenarios_of_suites_are_kept_under_their_own_ids(project: pytest.Pytester) -> None:
    project.path.joinpath("rooms.grice.yaml").write_text(SUITE)
    project.runpytest_inprocess("--grice-store").assert_outcomes(passed=1, errors=1)
    found = kept(project.path / ".grice" / "runs")
    assert {one.id for one in found.results} == {
        stable_id(stable_path("rooms", scenario=name)) for name in ("greets", "broken")
    }
    assert (found.planned, found.unfinished) == (2, ())
    assert list(found.experiment.criteria) == ["kind"]


@pytest.mark.slow
def test_goldens_begin_under_the_id_of_their_result(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden("good"))
    project.runpytest_inprocess("--grice-store").assert_outcomes(passed=1)
    found = kept(project.path / ".grice" / "runs")
    assert (len(found.results), found.unfinished) == (1, ())


# -- the current experiment


@pytest.mark.slow
@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_the_session_is_the_current_experiment_until_it_ends(
    pytester: pytest.Pytester, run: Run, workers: tuple[str, ...]
) -> None:
    pytester.makeconftest("""
import grice, pytest

@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput"):
        rate = grice.current_experiment().completion_rate
        session.config.pluginmanager.get_plugin("terminalreporter").write_line(f"rate {rate}")
""")
    result = run("--grice-store", *workers, test_it=TWO + "def test_c(conversation): assert False\n")
    result.stdout.fnmatch_lines(["*rate 0.66*"])


# -- kill -9


def study() -> ModuleType:
    """The study in benchmarks/."""
    path = Path(__file__).parents[2] / "benchmarks" / "kill_worker.py"
    spec = importlib.util.spec_from_file_location("kill_worker", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_workers_that_are_killed_lose_nothing_and_count_nothing_twice() -> None:
    found = study().kill_workers(3, seed=7, tests=40, each=3)
    assert found.problems == []
    assert found.kills == 3
    assert found.finished >= 30
