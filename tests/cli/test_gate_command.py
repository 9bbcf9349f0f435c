"""`grice gate`."""

import json
import re
import sys
from pathlib import Path
from typing import TextIO

import pytest
from grice_command import Grice, Run

from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.records.result import FailureType
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def written(
    id_: str, passed: str, *, planned: int | None = None, seconds: float = 1.0, name: str = ""
) -> None:
    """A run: `+` a scenario that passed, `-` one that failed. It began in the second of its last digit."""
    time = f"2026-11-20T10:00:0{id_[-1]}.000Z"
    head = Experiment(id_, time, name=name, planned=len(passed) if planned is None else planned)
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")), duration=seconds)
    with Journal.create(Path(".grice", "runs", id_), head) as journal:
        for number, mark in enumerate(passed):
            outcome = {"+": Outcome.PASS, "-": Outcome.FAIL, "?": Outcome.INCONCLUSIVE}[mark]
            verdicts = (
                Verdict(outcome, matcher="toContain", layer=1),
                Verdict(outcome, matcher="toSatisfy", mode="soft", criterion="friendly", layer=3),
            )
            conversation = Conversation(turns=(turn,))
            failure: FailureType = "none" if outcome is Outcome.PASS else "assertion"
            journal.append(
                Result(f"example:{number}", f"s{number}", outcome, conversation, verdicts, failure)
            )


def declare(folder: Path, gates: str) -> None:
    folder.joinpath("pyproject.toml").write_text(f"[tool.grice.gates]\n{gates}\n", "utf-8")


def rows(run: Run) -> list[str]:
    """The rows of gates and what stands below them, each with single spaces."""
    return [" ".join(line.split()) for line in run.out.partition("\u2500\n")[2].splitlines()]


def test_a_run_that_keeps_its_gates_has_exit_code_0(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 39 + "-" * 8)
    declare(folder, 'completion = 0.8\nlatency_p95 = 5\ncriteria = {friendly = 0.8}\nlayers = {"1" = 0.8}')
    run = grice("gate")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("All 4 gates hold.\n\nRun exp_1\n")
    assert rows(run) == [
        "pass completion 83.0% (39/47) at least 80%",
        "pass latency_p95 1 s (p95 of 47 turns) below 5 s",
        "pass criteria.friendly 83.0% (39/47) at least 80%",
        "pass layers.rules 83.0% (39/47) at least 80%",
    ]


def test_one_gate_that_is_not_kept_makes_exit_code_1_and_stands_first(folder: Path, grice: Grice) -> None:
    written("exp_1", "+++-")
    declare(folder, "evaluation = 0.5\ncompletion = 0.8\ntokens_p95 = 3000")
    run = grice("gate", "exp_1")
    assert run.code == 1
    assert run.out.startswith("2 of 3 gates fail: completion, tokens_p95.\nFailed: s3.\n\nRun exp_1\n")
    assert rows(run) == [
        "FAIL completion 75.0% (3/4) at least 80%",
        "FAIL tokens_p95 was never measured: no turn has tokens at most 3,000 tokens",
        "pass evaluation 75.0% (3/4) at least 50%",
    ]


def test_the_interval_has_a_column_where_a_gate_has_one(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 15 + "-" * 5)
    plain = grice("gate", "--gate", "completion=0.8")
    assert "95 % interval" not in plain.out
    unsure = grice("gate", "--gate", "completion=0.8", "--gate", "latency_p95=5", "--rule", "shown")
    assert unsure.code == 0
    assert unsure.out.startswith("All 2 gates hold; 1 is open, beyond the limit and perhaps by chance.\n")
    assert "95 % interval" in unsure.out
    assert rows(unsure)[0] == (
        "open completion 75.0% (15/20), which may be chance 53.1% to 88.8% at least 80% (rule shown)"
    )


def test_what_may_be_missing_is_an_option(folder: Path, grice: Grice) -> None:
    written("exp_1", "++?")
    declare(folder, "completion = 0.8")
    run = grice("gate")
    assert run.code == 1
    assert rows(run) == ["FAIL completion 100% (2/2), 1 missing (max_missing 0) at least 80%"]
    assert grice("gate", "--max-missing", "1").code == 0
    assert grice("gate", "--max-missing", "0.3").code == 1
    wrong = grice("gate", "--max-missing", "some")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.startswith("error: --max-missing: expected a share below 1")


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        (["completion=0.5"], "The only gate holds."),
        (["completion=0.9"], "The only gate fails: completion."),
        (["completion=0.9", "evaluation=0.9"], "2 of 2 gates fail: completion, evaluation."),
        (["completion=0.9", "evaluation=0.5"], "1 of 2 gates fails: completion."),
        (["completion=0.5", "evaluation=0.5"], "All 2 gates hold."),
    ],
)
def test_a_sentence_says_what_came_of_all(folder: Path, grice: Grice, gates: list[str], said: str) -> None:
    written("exp_1", "+++-")
    run = grice("gate", *(part for one in gates for part in ("--gate", one)))
    assert run.out.splitlines()[0] == said


def test_a_checkout_without_history_is_told_once_to_commit_a_baseline(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    declare(folder, 'regression = {completion = 0.02, evaluation = 0.05, baseline = "main"}')
    run = grice("gate")
    assert (run.code, rows(run)) == (
        1,
        [
            "FAIL regression.completion there is no baseline yet at most 2 points less",
            "FAIL regression.evaluation there is no baseline yet at most 5 points less",
            "note: no baseline yet: commit one with `grice baseline main`",
        ],
    )


def test_beside_other_runs_a_baseline_that_is_not_there_has_its_own_words(folder: Path, grice: Grice) -> None:
    written("exp_1", "++", name="nightly")
    written("exp_2", "++")
    run = grice("gate", "--gate", "regression.completion=0.02", "--baseline", "nihgtly")
    assert (run.code, "did you mean 'nightly'?" in run.out, "no baseline yet" in run.out) == (1, True, False)


def test_a_judge_that_never_judged_is_not_suggested_by_its_own_name(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    assert rows(grice("gate", "--gate", "judges.naturalness=3")) == [
        "FAIL judges.naturalness was never judged at least 3 points"
    ]


def test_options_declare_gates_too(folder: Path, grice: Grice) -> None:
    written("exp_1", "+++-")
    declare(folder, "completion = 0.9")
    assert grice("gate").code == 1
    assert grice("gate", "--gate", "completion=0.75").code == 0
    run = grice("gate", "--gate", "completion=0.75", "--gate", "evaluation=0.7", "--rule", "ruled_out")
    assert run.code == 1
    assert "(rule ruled_out)" in run.out


def test_nothing_declared_is_an_error_that_shows_how(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    run = grice("gate")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: no gate is declared: nothing would be demanded of the run.")
    assert "[tool.grice.gates]\n  completion = 0.8" in run.err
    example = run.err.strip().splitlines()[-1].split("grice ")[1].split()
    assert grice(*example).code == 0
    declare(folder, "completion = false")
    assert grice("gate").code == 2


def test_wrong_gates_are_told_all_at_once(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    declare(folder, "completion = 80\nevaluaton = 0.5")
    run = grice("gate", "--gate", "flakiness=2")
    assert (run.code, run.out) == (2, "")
    path = folder / "pyproject.toml"
    assert run.err.splitlines() == [
        (
            f"error: {path}:2:1: [tool.grice] gates: completion: expected a share from 0 to 1 (0.8 is 80 %), "
            "found 80"
        ),
        f"error: {path}:3:1: [tool.grice] gates: unknown gate 'evaluaton' (did you mean 'evaluation'?)",
        "error: --gate flakiness=2: flakiness: expected a share from 0 to 1 (0.8 is 80 %), found 2",
    ]


def test_no_such_run_is_an_error(folder: Path, grice: Grice) -> None:
    declare(folder, "completion = 0.5")
    run = grice("gate")
    assert (run.code, run.out) == (2, "")
    assert "there are no runs" in run.err
    written("exp_1", "++")
    assert "there is no such run" in grice("gate", "exp_9").err


def test_a_run_that_was_stopped_keeps_no_gate(folder: Path, grice: Grice) -> None:
    written("exp_1", "++", planned=3)
    declare(folder, "completion = 0.5")
    run = grice("gate")
    assert run.code == 1
    assert run.out.startswith("The only gate holds, but the run is not finished.\n")
    assert "FAIL finished" in rows(run)[0]
    assert "1 of 3 conversations were not finished" in run.out
    allowed = grice("gate", "--allow-unfinished")
    assert allowed.code == 0
    assert "note: 1 of 3 conversations were not finished" in allowed.out


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        (["completion=0.9"], "The only gate fails: completion; and the run is not finished."),
        (
            ["completion=0.9", "evaluation=0.5"],
            "1 of 2 gates fails: completion; and the run is not finished.",
        ),
        (["completion=0.5", "evaluation=0.5"], "All 2 gates hold, but the run is not finished."),
    ],
)
def test_the_gates_that_were_declared_are_counted(
    folder: Path, grice: Grice, gates: list[str], said: str
) -> None:
    written("exp_1", "+++-", planned=9)
    run = grice("gate", *(part for one in gates for part in ("--gate", one)))
    assert (run.code, run.out.splitlines()[0]) == (1, said)


def test_a_recording_that_died_keeps_no_gate(folder: Path, grice: Grice) -> None:
    with Journal.create(Path(".grice", "runs", "exp_1"), Experiment("exp_1", "2026-11-20T10:00:00.000Z")):
        pass
    written("exp_2", "++")
    path = folder / ".grice" / "runs" / "exp_2" / "main.jsonl"
    path.write_bytes(path.read_bytes().replace(b',"planned":2', b""))
    declare(folder, "completion = 0.5")
    for run in ("exp_1", "exp_2"):
        gated = grice("gate", run)
        assert gated.code == 1
        assert "FAIL  finished" in gated.out
        assert "its recording was never finished" in " ".join(gated.out.split())
    report = grice("report", "exp_2")
    assert report.code == 2
    assert report.err == "error: its recording was never finished (grice.finish_experiment)\n"


def test_a_baseline_does_not_stand_in_for_a_later_run_of_its_name(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("exp_1", "+" * 20, name="nightly")
    assert grice("baseline", "nightly", "nightly").code == 0
    written("exp_2", "++" + "-" * 18, name="nightly")
    run = grice("gate", "nightly", "--gate", "completion=0.8")
    assert run.code == 1
    assert "10.0% (2/20)" in run.out
    assert "Run exp_2\n" in run.out
    against = grice("gate", "nightly", "--gate", "regression.completion=0.1", "--baseline", "nightly")
    assert "90 points less (100% to 10.0%, 20 scenarios)" in " ".join(against.out.split())


def test_times_that_cannot_be_are_no_times(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 20, seconds=1e308)
    declare(folder, "latency_p95 = 5")
    run = grice("gate")
    assert (run.code, run.err) == (1, "")
    assert rows(run) == [
        "FAIL latency_p95 was never measured: no turn has times below 5 s",
    ]
    assert grice("report").code == 0


@pytest.mark.slow
def test_a_regression_is_held_against_a_named_baseline(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    written("exp_1", "+" * 30)
    assert grice("baseline", "main").code == 0
    written("exp_2", "+" * 15 + "-" * 15)
    declare(folder, 'regression = {completion = 0.02, baseline = "main"}')
    run = grice("gate")
    assert run.code == 1
    assert rows(run)[0].startswith("FAIL regression.completion 50 points less (100% to")
    assert "note: baseline main: exp_1\n" in run.out
    assert run.out.split("\n")[1].startswith("15 tests newly fail: ")
    assert len(json.loads(grice("gate", "--json", "-").out)["newly_failing"]) == 15
    assert grice("gate", "--baseline", "latest~1").code == 1
    itself = grice("gate", "exp_1")
    assert itself.code == 1
    assert "the baseline main is this experiment itself" in " ".join(itself.out.split())
    missing = grice("gate", "--baseline", "mian")
    assert missing.code == 1
    assert "did you mean 'main'?" in missing.out


def test_json(folder: Path, grice: Grice) -> None:
    written("exp_1", "+++-")
    declare(folder, "completion = 0.8\ntokens_p95 = 3000")
    run = grice("gate", "--json", "-")
    assert run.code == 1
    report = json.loads(run.out)
    assert (report["version"], report["kind"], report["passed"]) == (1, "grice.gates", False)
    assert report["gates"][0] | {"low": 0, "high": 0} == {
        "name": "completion",
        "passed": False,
        "open": False,
        "applies": True,
        "missing": 0,
        "max_missing": 0.0,
        "actual": 0.75,
        "low": 0,
        "high": 0,
        "bound": "at least",
        "limit": 0.8,
        "rule": "point",
        "baseline": None,
        "origin": "[tool.grice.gates]",
        "found": "75.0% (3/4)",
        "wanted": "at least 80%",
    }
    assert (report["gates"][1]["actual"], report["gates"][1]["missing"]) == (None, 4)
    assert grice("gate", "--json", "gates.json").out == grice("gate").out
    assert json.loads(folder.joinpath("gates.json").read_text()) == report


def test_a_page_is_written_and_written_over(folder: Path, grice: Grice) -> None:
    written("exp_1", "+-")
    page = folder / "gates.html"
    for _ in range(2):
        run = grice("gate", "--gate", "completion=0.8", "--html", "gates.html")
        assert (run.code, run.err) == (1, "")
        assert "<h1" in page.read_text("utf-8")
        assert "The only gate fails" in page.read_text("utf-8")


def test_without_jinja_no_page_is_promised(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("exp_1", "++")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    run = grice("gate", "--gate", "completion=0.8", "--html", "gates.html")
    assert (run.code, run.out) == (2, "")
    assert "needs Jinja2, which is not installed: pip install 'grice[html]'" in run.err


def test_markdown_is_written_and_written_over(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("exp_1", "+++-")
    declare(folder, 'completion = 0.5\ncriteria = {"a|<b>" = 0.5}')
    shown = grice("gate", "--markdown")
    assert shown.code == 1
    assert "| pass | completion | 75.0% (3/4) | at least 50% |" in shown.out
    assert "criteria.a\\|&lt;b&gt;" in shown.out
    for _ in range(2):
        assert grice("gate", "--markdown", "-o", "gates.md").code == 1
    assert folder.joinpath("gates.md").read_text() == shown.out
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    run = grice("gate", "--step-summary")
    assert run.code == 1
    assert run.out.startswith("1 of 2 gates fails")
    assert folder.joinpath("summary.md").read_text().strip() == shown.out.strip()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--json", "-", "--markdown"], "--json - and --markdown exclude each other"),
        (["--output", "x.json"], "--output goes with --markdown"),
        (["--json", "mine.txt"], "it is not written over"),
        (["--step-summary"], "GITHUB_STEP_SUMMARY is not set"),
    ],
)
def test_wrong_usage(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    folder.joinpath("mine.txt").write_text("mine")
    written("exp_1", "++")
    declare(folder, "completion = 0.5")
    run = grice("gate", *arguments)
    assert run.code == 2
    assert said in run.err
    assert folder.joinpath("mine.txt").read_text() == "mine"


@pytest.mark.parametrize("form", [[], ["--json", "-"], ["--markdown"]])
def test_an_output_that_is_full_is_told(folder: Path, grice: Grice, full: TextIO, form: list[str]) -> None:
    written("exp_1", "++")
    declare(folder, "completion = 0.5")
    run = grice("gate", *form, stdout=full)
    said = "error: the .* cannot be written: standard output: No space left on device\n"
    assert run.code == 2
    assert re.fullmatch(said, run.err)


@pytest.mark.parametrize("option", ["--baseline", "--rule", "--runs"])
def test_an_option_without_a_value_is_not_taken_for_one_that_is_not_given(
    folder: Path, grice: Grice, option: str
) -> None:
    written("exp_1", "++")
    declare(folder, "completion = 0.5")
    for value in ("", " "):
        run = grice("gate", option, value)
        assert (run.code, run.out) == (2, "")
        assert f"Error: {option}: expected a value, found '{value}'\n" in run.err


def test_a_baseline_that_no_gate_uses_is_an_error(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    declare(folder, "completion = 0.5")
    run = grice("gate", "--baseline", "mian")
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        "error: --baseline: no gate is held against one, as regression.completion and tokens_p95.max_rise "
        "are\n"
    )


def test_names_from_files_cannot_move_the_cursor(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    declare(folder, 'criteria = {"\\u001b[2Jred" = 0.5}')
    run = grice("gate")
    assert run.code == 1
    assert "\x1b[2J" not in run.out
    assert r"criteria.\x1b[2Jred" in run.out
