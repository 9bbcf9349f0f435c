"""`grice gate`."""

import json
from pathlib import Path
from typing import TextIO

import pytest
from grice_command import Grice

from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.records.result import FailureType
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
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
            outcome = Outcome.PASS if mark == "+" else Outcome.FAIL
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


def test_a_run_that_keeps_its_gates_has_exit_code_0(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 39 + "-" * 8)
    declare(folder, 'completion = 0.8\nlatency_p95 = 5\ncriteria = {friendly = 0.8}\nlayers = {"1" = 0.8}')
    run = grice("gate")
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        "pass  completion         83.0% (39/47), at least 80%\n"
        "pass  latency_p95        1 s (p95 of 47 turns), below 5 s\n"
        "pass  criteria.friendly  83.0% (39/47), at least 80%\n"
        "pass  layers.rules       83.0% (39/47), at least 80%\n"
        "exp_1 keeps all 4 gates.\n"
    )


def test_one_gate_that_is_not_kept_makes_exit_code_1(folder: Path, grice: Grice) -> None:
    written("exp_1", "+++-")
    declare(folder, "completion = 0.8\nevaluation = 0.5\ntokens_p95 = 3000")
    run = grice("gate", "exp_1")
    assert run.code == 1
    assert run.out == (
        "FAIL  completion  75.0% (3/4), expected at least 80%\n"
        "pass  evaluation  75.0% (3/4), at least 50%\n"
        "FAIL  tokens_p95  was never measured: no turn has tokens, expected at most 3,000 tokens\n"
        "exp_1 does not keep 2 of 3 gates.\n"
    )


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        (["completion=0.5"], "keeps its gate."),
        (["completion=0.9"], "does not keep its gate."),
        (["completion=0.9", "evaluation=0.9"], "keeps none of its 2 gates."),
        (["completion=0.9", "evaluation=0.5"], "does not keep 1 of 2 gates."),
        (["completion=0.5", "evaluation=0.5"], "keeps all 2 gates."),
    ],
)
def test_a_sentence_says_what_came_of_all(folder: Path, grice: Grice, gates: list[str], said: str) -> None:
    written("exp_1", "+++-")
    run = grice("gate", *(part for one in gates for part in ("--gate", one)))
    assert run.out.splitlines()[-1] == f"exp_1 {said}"


def test_a_baseline_that_is_missing_is_explained_once(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    declare(folder, 'regression = {completion = 0.02, evaluation = 0.05, baseline = "main"}')
    first, second, *note, _ = grice("gate").out.splitlines()
    why = "cannot be told: the baseline main is not there or cannot be read"
    assert first == f"FAIL  regression.completion  {why}, limit: a drop of at most 2 points"
    assert second == f"FAIL  regression.evaluation  {why}, limit: a drop of at most 5 points"
    assert " ".join(note).startswith("note: baseline main: there is no such run")


def test_a_judge_that_never_judged_is_not_suggested_by_its_own_name(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    assert grice("gate", "--gate", "judges.naturalness=3").out.startswith(
        "FAIL  judges.naturalness  was never judged, expected at least 3 points\n"
    )


def test_a_line_is_one_line_however_narrow_the_terminal(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    written("exp_1", "+" * 40)
    declare(folder, "tokens_p95 = 3000")
    assert len(grice("gate").out.splitlines()) == 2


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
    assert run.out.splitlines()[0] == (
        "FAIL  finished    1 of 3 conversations were not finished: give the same command and --resume exp_1, "
        "expected a whole experiment"
    )
    assert run.out.splitlines()[-1] == "exp_1 keeps its gate, but the experiment is not whole."
    allowed = grice("gate", "--allow-unfinished")
    assert allowed.code == 0
    assert "note: 1 of 3 conversations were not finished" in allowed.out


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        (["completion=0.9"], "does not keep its gate, and the experiment is not whole."),
        (["completion=0.9", "evaluation=0.9"], "keeps none of its 2 gates, and the experiment is not whole."),
        (
            ["completion=0.9", "evaluation=0.5"],
            "does not keep 1 of 2 gates, and the experiment is not whole.",
        ),
        (["completion=0.5", "evaluation=0.5"], "keeps all 2 gates, but the experiment is not whole."),
    ],
)
def test_the_gates_that_were_declared_are_counted(
    folder: Path, grice: Grice, gates: list[str], said: str
) -> None:
    written("exp_1", "+++-", planned=9)
    run = grice("gate", *(part for one in gates for part in ("--gate", one)))
    assert (run.code, run.out.splitlines()[-1]) == (1, f"exp_1 {said}")


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
        assert "its recording was never finished (grice.finish_experiment)" in " ".join(gated.out.split())
    report = grice("report", "exp_2")
    assert report.code == 2
    assert report.err == "error: its recording was never finished (grice.finish_experiment)\n"


def test_a_baseline_does_not_stand_in_for_a_later_run_of_its_name(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 20, name="nightly")
    assert grice("baseline", "nightly", "nightly").code == 0
    written("exp_2", "++" + "-" * 18, name="nightly")
    run = grice("gate", "nightly", "--gate", "completion=0.8")
    assert run.code == 1
    assert "10.0% (2/20)" in run.out
    assert "exp_2 does not keep its gate." in run.out
    against = grice("gate", "nightly", "--gate", "regression.completion=0.1", "--baseline", "nightly")
    assert "100% to 10.0% over 20 scenarios" in " ".join(against.out.split())


def test_times_that_cannot_be_are_no_times(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 20, seconds=1e308)
    declare(folder, "latency_p95 = 5")
    run = grice("gate")
    assert (run.code, run.err) == (1, "")
    assert run.out.startswith("FAIL  latency_p95  was never measured: no turn has times")
    assert grice("report").code == 0


@pytest.mark.slow
def test_a_regression_is_held_against_a_named_baseline(folder: Path, grice: Grice) -> None:
    written("exp_1", "+" * 30)
    assert grice("baseline", "main").code == 0
    written("exp_2", "+" * 15 + "-" * 15)
    declare(folder, 'regression = {completion = 0.02, baseline = "main"}')
    run = grice("gate")
    assert run.code == 1
    assert run.out.startswith(
        "FAIL  regression.completion  a drop of 50 points: 100% to 50.0% over 30 scenarios"
    )
    assert "note: baseline main: exp_1\n" in run.out
    assert grice("gate", "--baseline", "latest~1").code == 1
    itself = grice("gate", "exp_1")
    assert itself.code == 1
    assert "cannot be told: the baseline main is this experiment itself" in " ".join(itself.out.split())
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
        "missing": False,
        "actual": 0.75,
        "low": 0,
        "high": 0,
        "worst": None,
        "bound": "at least",
        "limit": 0.8,
        "rule": "point",
        "baseline": None,
        "origin": "[tool.grice.gates]",
        "found": "75.0% (3/4)",
        "wanted": "at least 80%",
    }
    assert (report["gates"][1]["actual"], report["gates"][1]["missing"]) == (None, True)
    assert grice("gate", "--json", "gates.json").out == grice("gate").out
    assert json.loads(folder.joinpath("gates.json").read_text()) == report


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
    assert run.out.startswith("pass  completion")
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
    said = "error: the report cannot be written: standard output: No space left on device\n"
    assert (run.code, run.err) == (2, said)


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
