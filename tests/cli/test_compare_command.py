"""`grice compare`."""

import json
from pathlib import Path
from typing import Any

import pytest
from grice_command import Grice

from grice.experiments.baselines import save_baseline
from grice.experiments.loading import read_experiment
from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.reporting.renderers.markdown import mark_of
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JOURNAL_VERSION
from grice.running.journal.writing import Journal

GRAPH = {"topics": ["greeting", "booking"], "edges": [["greeting", "booking"]]}


def result(key: str, passed: bool = True, *, counts: bool = True) -> Result:
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello!")))
    outcome = Outcome.PASS if passed else Outcome.FAIL
    reason = "" if passed else "it called no tool"
    verdict = Verdict(outcome, reason, matcher="toGreet", claim="the reply to greet")
    failure = "none" if passed else "assertion"
    return Result(
        f"example:{key}", key, outcome, Conversation(turns=(turn,)), (verdict,), failure, counts=counts
    )


def some(passed: str, prefix: str = "s") -> list[Result]:
    """A result for each mark: `+` passed, `-` failed."""
    return [result(f"{prefix}{number:02}", mark == "+") for number, mark in enumerate(passed)]


def written(id_: str, results: list[Result], **head: Any) -> Path:
    """The folder of a run that is kept; ids end with a digit, which is the minute that it began."""
    time = f"2025-01-16T14:3{id_[-1]}:00.000Z"
    given = {
        "planned": len(results),
        "git_commit": f"c0ffee{id_[-1]}",
        "git_dirty": False,
        "grice_version": "1.0",
        **head,
    }
    folder = Path(".grice", "runs", id_)
    with Journal.create(folder, Experiment(id_, time, **given)) as journal:
        for one in results:
            journal.append(one)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def two(folder: Path) -> Path:
    """A run, and a later one that is better."""
    written("exp_a1", some("+" * 10 + "-" * 20), name="before", git_branch="main", tags=("release",))
    written("exp_b2", some("+" * 30), name="after", git_branch="feature")
    return folder


def test_two_are_compared_with_exit_code_0(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_a1", "exp_b2")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(
        "No test newly fails; 20 tests newly pass: s10, s11, s12, s13, s14 and 15 more.\n"
    )
    assert "\nCompletion: 33.3% to 100%.\n\nExperiment Comparison\n━━━" in run.out
    assert 'Baseline: exp_a1 "before", 2025-01-16 14:31:00 UTC, c0ffee1 (main)\n' in run.out
    assert "Comparison validity: HIGH" in run.out
    assert "Newly passing (20):" in run.out
    assert "s19 and 10 more: failed with" in " ".join(run.out.split())
    assert "- Completion rate: no test (scripted and run once: what differs is counted" in run.out
    assert "and 10 more" not in grice("compare", "exp_a1", "exp_b2", "--verbose").out


def test_what_got_worse_has_exit_code_0_too(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_b2", "exp_a1")
    assert run.code == 0
    first = "20 tests newly fail: s10, s11, s12, s13, s14 and 15 more.\nCompletion: 100% to 33.3%.\n"
    assert run.out.startswith(first)
    assert "was completing in 1 turn, now assertion: greet: it called no tool" in " ".join(run.out.split())


@pytest.mark.parametrize(
    "words",
    [
        ("--baseline", "exp_a1"),
        ("latest", "--baseline", "latest~1"),
        ("b2", "--baseline", "main"),
        ("after", "--baseline", "before"),
        ("feature", "--baseline", "release"),
        ("a1", "latest"),
        (".grice/runs/exp_a1", ".grice/runs/exp_b2"),
    ],
)
def test_experiments_have_many_names(two: Path, grice: Grice, words: tuple[str, ...]) -> None:
    assert grice("compare", *words).out == grice("compare", "exp_a1", "exp_b2").out


@pytest.mark.parametrize("wanted", ["latest", "2025-01-16"])
def test_a_run_that_was_passed_over_is_told(two: Path, grice: Grice, wanted: str) -> None:
    run = grice("compare", "exp_b2", "--baseline", wanted)
    assert "Baseline: exp_a1" in run.out
    told = f"{wanted} means exp_b2 itself: exp_a1, the one before it, was taken for the baseline"
    assert told in " ".join(run.out.split())
    assert "was taken" not in grice("compare", wanted, wanted).out
    assert "was taken" not in grice("compare", "latest~1", "latest").out


@pytest.mark.parametrize("words", [("latest~0", "latest"), ("--baseline", "latest~0"), ("b2~0", "latest")])
def test_a_run_that_is_counted_is_meant_itself(two: Path, grice: Grice, words: tuple[str, ...]) -> None:
    run = grice("compare", *words)
    assert "Baseline: exp_b2" in run.out
    assert "Current:  exp_b2" in run.out
    assert "was taken" not in run.out
    assert run.err == "warning: exp_b2 is compared with itself\n"


def test_a_branch_as_a_baseline_is_the_run_before_on_it(two: Path, grice: Grice) -> None:
    written("exp_c3", some("+" * 30), git_branch="main")
    run = grice("compare", "latest", "--baseline", "main")
    assert run.code == 0
    assert "Baseline: exp_a1" in run.out
    assert "Current:  exp_c3" in run.out


def test_a_named_baseline_is_a_file(two: Path, grice: Grice) -> None:
    save_baseline("release-1", read_experiment("exp_a1"), Path("baselines"))
    written("exp_c3", some("+" * 30))
    for wanted in ("release-1", "baselines/release-1.baseline.json"):
        run = grice("compare", "--baseline", wanted)
        assert run.code == 0
        assert "Baseline: exp_a1" in run.out


def test_only_what_was_before_may_be_the_name_of_a_baseline(two: Path, grice: Grice) -> None:
    save_baseline("after", read_experiment("exp_a1"), Path("baselines"))
    run = grice("compare", "exp_a1", "after")
    assert "Current:  exp_b2" in run.out
    same = grice("compare", "after", "after")  # the file, and the run of its name
    assert (same.code, same.err) == (0, "")
    assert "Baseline: exp_a1" in same.out
    assert "Current:  exp_b2" in same.out


def test_an_experiment_beside_itself_is_all_neutral_and_said(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_a1", "exp_a1")
    assert run.code == 0
    assert run.err == "warning: exp_a1 is compared with itself\n"
    told = "exp_a1 is compared with itself. No test newly fails. Completion: 33.3% in both."
    assert told in " ".join(run.out.split())
    body = run.out.partition("\nStatistics\n")[0].replace("(▲ means less)", "")
    assert not set("▲▼△▽") & set(body)


def test_the_json_goes_to_the_terminal_or_to_a_file(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_a1", "exp_b2", "--json", "-")
    assert run.code == 0
    found = json.loads(run.out)
    assert (found["kind"], found["conclusion"]) == ("grice.comparison", "improved")
    assert found["measures"][0]["current"] == 1
    for _ in range(2):  # its own file is written over
        beside = grice("compare", "exp_a1", "exp_b2", "--json", "out.json")
        assert beside.out == grice("compare", "exp_a1", "exp_b2").out
    assert (two / "out.json").read_text("utf-8") == run.out


def test_the_markdown_goes_to_the_terminal_or_to_a_file(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_a1", "exp_b2", "--markdown")
    assert run.code == 0
    assert run.out.startswith(
        f"{mark_of('comparison')}\n\n### ✓ Grice: No test newly fails; 20 tests newly pass: s10"
    )
    for _ in range(2):
        assert grice("compare", "exp_a1", "exp_b2", "--markdown", "-o", "out.md").out == ""
    assert (two / "out.md").read_text("utf-8") == run.out


def test_the_summary_of_a_github_job_is_added_to(
    two: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = two / "summary.md"
    page.write_text("# What was there\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    run = grice("compare", "exp_a1", "exp_b2", "--step-summary")
    assert run.code == 0
    assert run.out.startswith("No test newly fails")
    assert page.read_text("utf-8").startswith(
        f"# What was there\n{mark_of('comparison')}\n\n### ✓ Grice: No test newly fails; 20 tests newly pass"
    )
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(two))
    run = grice("compare", "exp_a1", "exp_b2", "--step-summary")
    assert run.code == 2
    assert run.err.startswith("error: the comparison cannot be written: ")


def test_the_summary_needs_a_job(two: Path, grice: Grice) -> None:
    run = grice("compare", "exp_a1", "exp_b2", "--step-summary")
    assert (run.code, run.out) == (2, "")
    assert "GITHUB_STEP_SUMMARY is not set" in run.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected two experiments, found none: grice compare BASELINE latest"),
        (("exp_b2",), "expected two experiments, found 1: grice compare BASELINE exp_b2"),
        (("old prompt",), "expected two experiments, found 1: grice compare BASELINE 'old prompt'"),
        (("a", "b", "c"), "expected two experiments, found 3: a, b, c"),
        (("a", "b", "--baseline", "c"), "with --baseline only one experiment is named, found a and b"),
        (("exp_a1", "exp_b2", "--json", "-", "--markdown"), "--json - and --markdown exclude each other"),
        (("exp_a1", "exp_b2", "-o", "x"), "--output goes with --markdown"),
        (("exp_a1", "expb2"), "expb2: there is no such run (did you mean 'exp_"),
        (("exp_", "exp_b2"), "exp_: several runs in .grice/runs begin so: exp_a1, exp_b2"),
        (("exp_a1", "exp_b2", "--runs", "nowhere"), "exp_b2: there is no such run"),
    ],
)
def test_wrong_usage_is_told_in_a_line(two: Path, grice: Grice, words: tuple[str, ...], said: str) -> None:
    run = grice("compare", *words)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"error: {said}")
    assert run.err.count("\n") == 1


@pytest.mark.parametrize("taken", ["notes.txt", ".grice/runs/exp_a1/main.jsonl", "."])
def test_nothing_of_others_is_written_over(two: Path, grice: Grice, taken: str) -> None:
    (two / "notes.txt").write_text("mine")
    before = {path: path.read_bytes() for path in two.rglob("*") if path.is_file()}
    for form in (["--json", taken], ["--markdown", "-o", taken]):
        run = grice("compare", "exp_a1", "exp_b2", *form)
        assert run.code == 2
        assert run.err.startswith("error: the comparison cannot be written: ")
    assert before == {path: path.read_bytes() for path in two.rglob("*") if path.is_file()}


def test_two_that_share_no_scenario_are_not_compared(two: Path, grice: Grice) -> None:
    written("exp_c3", some("++--", "other"))
    run = grice("compare", "exp_a1", "exp_c3")
    assert run.code == 2
    assert run.err == "error: the two share no scenario: there is nothing to compare\n"
    assert "Comparison validity: INVALID" in run.out
    assert "33.3%    50.0%" in run.out  # side by side
    assert "improved" not in run.out


def test_two_with_different_topic_graphs_are_not_compared(folder: Path, grice: Grice) -> None:
    other = {"topics": ["greeting"], "edges": []}
    written("exp_a1", some("+-" * 10), topic_graph=GRAPH, topic_graph_hash="sha256:1")
    written("exp_b2", some("++" * 10), topic_graph=other, topic_graph_hash="sha256:2")
    run = grice("compare", "exp_a1", "exp_b2")
    assert run.code == 2
    assert run.err == "error: the two cannot be compared: see above\n"
    assert "✗ Topic graph: " in run.out
    assert "50.0%     100%" in run.out
    assert (
        json.loads(grice("compare", "exp_a1", "exp_b2", "--json", "-").out)["conclusion"] == "not comparable"
    )


def test_an_empty_experiment_is_told(two: Path, grice: Grice) -> None:
    written("exp_c3", [])
    run = grice("compare", "exp_a1", "exp_c3")
    assert run.code == 2
    assert run.err == "error: exp_c3: no conversation was finished\n"
    written("exp_d4", [result("s00", counts=False)])
    run = grice("compare", "exp_a1", "exp_d4")
    assert run.code == 2
    assert run.err == "error: exp_d4: no conversation counts: nothing was found out about the agent\n"


def test_a_journal_of_a_newer_version_is_refused_by_name(two: Path, grice: Grice) -> None:
    path = two / ".grice" / "runs" / "exp_b2" / "main.jsonl"
    current = f'"version":{JOURNAL_VERSION}'.encode()
    path.write_bytes(path.read_bytes().replace(current, b'"version":99', 1))
    run = grice("compare", "exp_a1", "exp_b2")
    assert (run.code, run.out) == (2, "")
    assert "main.jsonl" in run.err
    assert "99" in run.err


def test_a_half_written_journal_is_compared_with_what_it_has_and_said(two: Path, grice: Grice) -> None:
    path = two / ".grice" / "runs" / "exp_b2" / "main.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]) + lines[-3][:50])
    run = grice("compare", "exp_a1", "exp_b2")
    assert run.code == 0
    assert "27 shared" in run.out
    assert "the last line is torn" in " ".join(run.out.split())
    assert "Comparison validity: HIGH" not in run.out
