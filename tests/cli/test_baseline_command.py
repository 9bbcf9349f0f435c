"""`grice baseline`."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import pytest
from grice_command import Grice

from grice.cli.baseline_work import list_baselines
from grice.experiments.baselines import load_baseline, save_baseline
from grice.experiments.loading import read_experiment
from grice.records import Conversation, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(id_: str, passed: str, *, name: str = "", planned: int | None = None, agent: str = "") -> None:
    time = f"2026-11-20T10:00:0{id_[-1]}.000Z"
    many = len(passed) if planned is None else planned
    head = Experiment(id_, time, name=name, planned=many, agent=agent)
    with Journal.create(Path(".grice", "runs", id_), head) as journal:
        for number, mark in enumerate(passed):
            outcome = Outcome.PASS if mark == "+" else Outcome.FAIL
            conversation = Conversation(turns=(Turn(1),))
            journal.append(
                Result(
                    f"example:{number}",
                    f"s{number}",
                    outcome,
                    conversation,
                    (Verdict(outcome, matcher="toContain"),),
                )
            )


@pytest.mark.slow
def test_a_run_is_kept_under_a_name(folder: Path, grice: Grice) -> None:
    written("exp_1", "+++-", name="Prompt v1")
    written("exp_2", "++++")
    run = grice("baseline", "main", "exp_1")
    assert (run.code, run.err) == (0, "")
    assert run.out == (
        'main is exp_1 "Prompt v1", completion 75.0% (3/4)\n'
        "kept in baselines/main.baseline.json; commit it with the code\n"
    )
    assert load_baseline(folder / "baselines" / "main.baseline.json").id == "exp_1"
    assert grice("baseline", "next").out.startswith("next is exp_2, completion 100% (4/4)\n")


def test_one_that_is_there_is_replaced_with_accept_and_what_changes_is_shown(
    folder: Path, grice: Grice
) -> None:
    written("exp_1", "+" * 30)
    written("exp_2", "-" * 15 + "+" * 15)
    assert grice("baseline", "main", "exp_1").code == 0
    refused = grice("baseline", "main", "exp_2")
    assert (refused.code, refused.out) == (2, "")
    assert "there is a baseline main already; --accept replaces it" in refused.err
    assert load_baseline(folder / "baselines" / "main.baseline.json").id == "exp_1"
    replaced = grice("baseline", "main", "exp_2", "--accept")
    assert replaced.code == 0
    first, *rest = replaced.out.splitlines()
    assert first == "main was exp_1, completion 100% (30/30)"
    assert "15 tests newly fail: " in rest[0]
    assert rest[-2] == "main is exp_2, completion 50.0% (15/30)"
    assert load_baseline(folder / "baselines" / "main.baseline.json").id == "exp_2"


def test_a_file_that_cannot_be_read_is_not_replaced_and_says_what_to_do(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    kept = folder / "baselines" / "main.baseline.json"
    kept.parent.mkdir()
    kept.write_text("<<<<<<< HEAD\n")
    run = grice("baseline", "main", "--accept")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: ")
    assert "main.baseline.json: not a baseline of Grice" in run.err
    assert run.err.endswith("; remove the file to keep a new baseline there\n")
    kept.unlink()
    assert grice("baseline", "main", "--accept").code == 0


def test_a_file_that_was_edited_is_replaced_with_accept_and_not_compared(folder: Path, grice: Grice) -> None:
    written("exp_1", "++--")
    assert grice("baseline", "main").code == 0
    kept = folder / "baselines" / "main.baseline.json"
    kept.write_text(kept.read_text().replace('"outcome":"fail"', '"outcome":"pass"'))
    said = "main.baseline.json: was edited or merged since it was kept; keep the baseline again"
    unwrapped = said.replace(" ", "")
    assert unwrapped in "".join(grice("baseline").err.split())
    gated = grice("gate", "--gate", "regression.completion=0", "--baseline", "main")
    assert gated.code != 0
    assert unwrapped in "".join((gated.out + gated.err).split())
    replaced = grice("baseline", "main", "--accept")
    assert (replaced.code, replaced.err) == (0, "")
    assert replaced.out == (
        "the file of main was edited or merged since it was kept: it is not compared\n"
        "main is exp_1, completion 50.0% (2/4)\n"
        "kept in baselines/main.baseline.json; commit it with the code\n"
    )
    assert grice("baseline").code == 0


def test_a_run_of_two_agents_is_kept_with_a_warning(folder: Path, grice: Grice) -> None:
    written("exp_1", "++", agent="app:v1", planned=3)
    later = Experiment("exp_1", "2026-11-20T11:00:00.000Z", agent="app:v2", planned=2, finished_before=2)
    Journal.resume(Path(".grice", "runs", "exp_1"), later).close()
    run = grice("baseline", "main")
    assert (run.code, run.out[:15]) == (0, "main is exp_1, ")
    assert run.err == "warning: exp_1: it was resumed after changes, and is of 2 agents\n"


def test_a_run_that_was_stopped_is_refused_unless_accepted(folder: Path, grice: Grice) -> None:
    written("exp_1", "++", planned=3)
    refused = grice("baseline", "main")
    assert refused.code == 2
    assert refused.err == (
        "error: exp_1: it is not all that was to be measured: 1 of 3 conversations were not finished: "
        "give the same command and --resume exp_1; finish the run, or take it as it is with --accept\n"
    )
    assert not folder.joinpath("baselines").exists()
    assert grice("baseline", "main", "--accept").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a/b"], "a baseline's name has letters, digits, _ . - only"),
        (["latest"], "that means a run: give the baseline another name"),
        (["main", "exp_9"], "there is no such run"),
    ],
)
def test_wrong_usage(folder: Path, grice: Grice, arguments: list[str], said: str) -> None:
    written("exp_1", "++")
    run = grice("baseline", *arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert not folder.joinpath("baselines").exists()


def test_a_folder_that_cannot_be_written_is_an_error(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    folder.joinpath("baselines").write_text("a file")
    run = grice("baseline", "main")
    assert run.code == 2
    assert run.err == f"error: {folder}/baselines: expected a folder of baselines, found a file\n"
    # So do commands that look a baseline up there.
    for command in (["compare", "latest"], ["gate", "--gate", "regression.completion=0"]):
        told = grice(*command, "--baseline", "main")
        assert told.code != 0
        assert "baselines: expected a folder of baselines, found a file" in " ".join(
            (told.out + told.err).split()
        )
    assert grice("gate", "--gate", "completion=0.5").code == 0


def test_a_full_disk_is_told_with_the_file(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("exp_1", "++")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    run = grice("baseline", "main")
    path = folder / "baselines" / "main.baseline.json"
    said = f"error: the baseline cannot be written: {path}: No space left on device\n"
    assert (run.code, run.out, run.err) == (2, "", said)
    assert not path.exists()


@pytest.mark.parametrize("name", [[], ["main"]])
def test_an_output_that_is_full_is_told(folder: Path, grice: Grice, full: TextIO, name: list[str]) -> None:
    written("exp_1", "++")
    run = grice("baseline", *name, stdout=full)
    said = "error: the answer cannot be written: standard output: No space left on device\n"
    assert (run.code, run.err) == (2, said)


def test_an_empty_name_is_no_question_for_the_list(folder: Path, grice: Grice) -> None:
    run = grice("baseline", "")
    assert (run.code, run.out) == (2, "")
    assert "expected a value, found ''" in " ".join(run.err.split())


def test_all_baselines_are_listed_with_their_age(
    folder: Path, grice: Grice, capsys: pytest.CaptureFixture[str]
) -> None:
    assert grice("baseline").out == "no baselines in baselines: grice baseline NAME [RUN] keeps one\n"
    written("exp_1", "+++-", name="Prompt v1")
    results = read_experiment("exp_1")
    for name, moment in (
        ("main", datetime(2026, 11, 19, 12, tzinfo=UTC)),
        ("v2", datetime(2026, 11, 22, 9, tzinfo=UTC)),
    ):
        save_baseline(name, results, folder / "baselines", clock=iter([moment]).__next__)
    assert list_baselines(clock=lambda: datetime(2026, 11, 22, 12, tzinfo=UTC)) == 0
    assert capsys.readouterr().out == (
        'main  3 days ago  exp_1 "Prompt v1", completion 75.0% (3/4)\n'
        'v2    3 hours ago  exp_1 "Prompt v1", completion 75.0% (3/4)\n'
    )


def test_one_that_cannot_be_read_is_named_and_the_others_shown(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    assert grice("baseline", "main").code == 0
    folder.joinpath("baselines", "broken.baseline.json").write_text("{")
    run = grice("baseline")
    assert run.code == 2
    assert "main " in run.out
    assert "broken.baseline.json: not a baseline of Grice" in run.err


def test_a_baseline_stays_when_its_run_is_deleted(folder: Path, grice: Grice) -> None:
    written("exp_1", "++")
    assert grice("baseline", "main").code == 0
    folder.joinpath(".grice").rename(folder / "gone")
    folder.joinpath("pyproject.toml").write_text("[tool.grice.gates]\ncompletion = 1.0\n")
    assert "a baseline is called so: give its file, " in grice("gate", "main").err
    run = grice("gate", "baselines/main.baseline.json")
    assert (run.code, run.out.startswith("The only gate holds.\n\nRun exp_1\n")) == (0, True)


def test_a_file_is_no_folder_of_baselines(folder: Path, grice: Grice) -> None:
    Path("baselines").touch()
    run = grice("baseline")
    assert (run.code, run.err) == (2, "error: baselines: expected a folder of baselines, found a file\n")


def test_a_run_with_soft_checks_only_has_no_completion(folder: Path, grice: Grice) -> None:
    head = Experiment("exp_1", "2026-11-20T10:00:01.000Z", planned=1)
    soft = Verdict(Outcome.FAIL, "no", claim="the reply to be kind", mode="soft")
    with Journal.create(Path(".grice", "runs", "exp_1"), head) as journal:
        journal.append(Result("example:0", "s0", Outcome.PASS, Conversation(turns=(Turn(1),)), (soft,)))
    said = "completion was never checked: no conversation has a hard check"
    assert grice("baseline", "main").out.startswith(f"main is exp_1, {said}\n")
    assert said in grice("baseline").out.replace("\n" + " " * 6, " ")
