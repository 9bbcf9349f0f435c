"""`grice.compare` takes results, and what names them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from airline_attempts import airline_experiment

from grice.experiments.baselines import save_baseline
from grice.experiments.comparison.comparing import compare as compare_results
from grice.experiments.loading import read_experiment
from grice.records import Conversation, Message, Outcome, Result, Turn
from grice.reporting.comparison.answer import answer
from grice.reporting.comparison.compare_experiments import compare
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs of three scenarios: "old" passes one of them, "new" all."""
    for day, name, passed in ((20, "old", 1), (21, "new", 3)):
        head = Experiment(
            f"exp_{day}aaaa", f"2026-11-{day}T10:00:00.000Z", name=name, git_branch="main", planned=3
        )
        with Journal.create(tmp_path / head.id, head) as journal:
            for number in range(3):
                journal.append(_result(number, number < passed))
    return tmp_path


def _result(number: int, passed: bool) -> Result:
    outcome = Outcome.PASS if passed else Outcome.FAIL
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello!")))
    return Result(
        f"example:{number}",
        f"s{number}",
        outcome,
        Conversation(turns=(turn,)),
        failure="none" if passed else "assertion",
    )


def test_runs_are_compared_by_name(runs: Path) -> None:
    found = compare("old", "new", runs=runs)
    assert (found.baseline.experiment.name, found.current.experiment.name) == ("old", "new")
    assert [(one.kind, one.key) for one in found.changes] == [
        ("newly passing", "s1"),
        ("newly passing", "s2"),
    ]
    assert found.current.source == str(runs / "exp_21aaaa")


def test_the_latest_run_is_compared_without_a_second_name(runs: Path) -> None:
    assert compare("old", runs=runs) == compare("old", "new", runs=runs)


def test_a_branch_never_means_the_current_run_itself(runs: Path) -> None:
    assert compare("main", "new", runs=runs).baseline.experiment.name == "old"


def test_the_same_name_twice_compares_a_run_with_itself(runs: Path) -> None:
    found = compare("latest", "latest", runs=runs)
    assert found.baseline.experiment.id == found.current.experiment.id
    assert found.conclusion == "no difference shown"


def test_only_the_baseline_may_be_the_name_of_one(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs)
    save_baseline("new", read_experiment("old", runs=runs), runs / "baselines")
    found = compare("new", "new", runs=runs)
    assert (found.baseline.experiment.name, found.current.experiment.name) == ("old", "new")


def test_results_are_taken_as_they_are(runs: Path) -> None:
    new = read_experiment("new", runs=runs)
    assert compare("old", new, runs=runs) == compare("old", "new", runs=runs)
    airline = airline_experiment("a", {0}), airline_experiment("b", {1})
    found, plain = compare(*airline), compare_results(*airline)
    assert msgspec.structs.asdict(found) == msgspec.structs.asdict(plain)
    assert found.answer == answer(plain)


def test_an_unknown_name_is_an_error(runs: Path) -> None:
    with pytest.raises(JournalError, match="nothing-like-it"):
        compare("nothing-like-it", runs=runs)


def test_that_the_current_experiment_was_passed_over_is_noted(runs: Path) -> None:
    for wanted in ("main", "latest"):
        note = compare(wanted, "new", runs=runs).notes[0]
        assert note == (
            f"{wanted} means exp_21aaaa itself: exp_20aaaa, the one before it, was taken for the baseline"
        )
    for wanted in ("old", "latest~1", "exp_20aaaa", "latest~0", "main~0"):
        found = compare(wanted, "new", runs=runs)
        assert not any("was taken" in note for note in found.notes)
        itself = found.baseline.experiment.id == found.current.experiment.id
        assert itself is wanted.endswith("~0")
