"""`grice.check_gates`: gates for scripts and notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_experiments import attempt, attempts, experiment

import grice


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_results_are_held_to_gates_of_the_call() -> None:
    found = experiment("a", attempts("+" * 8 + "--"))
    report = grice.check_gates(found, ["completion=0.8"])
    assert report.passed
    assert [(one.gate.name, one.found) for one in report.results] == [("completion", "80.0% (8/10)")]
    assert not grice.check_gates(found, ["completion=0.9"]).passed


def test_gates_of_the_settings_hold_too(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.grice.gates]\nscenarios = 11\n")
    report = grice.check_gates(experiment("a", attempts("+" * 10)), ["completion=0.8"])
    assert {one.gate.name: one.passed for one in report.results} == {"scenarios": False, "completion": True}


def test_a_fresh_checkout_is_told_once_to_commit_a_baseline() -> None:
    found = experiment("a", attempts("+" * 10))
    gates = ["regression.completion=0.02", "regression.evaluation=0.02", "tokens_p95.max_rise=0.1"]
    report = grice.check_gates(found, gates, baseline="main")
    assert [(one.passed, one.found) for one in report.results] == [(False, "there is no baseline yet")] * 3
    assert report.notes == ("no baseline yet: commit one with `grice baseline main`",)
    age = grice.check_gates(found, bundles=["performance"])
    assert age.notes == report.notes  # `7 days ago` can be no name


def test_a_baseline_that_is_not_there_beside_others_keeps_its_own_words(project: Path) -> None:
    (project / "baselines").mkdir()
    (project / "baselines" / "main.baseline.json").write_text("{}")
    found = experiment("a", attempts("+" * 10))
    report = grice.check_gates(found, ["regression.completion=0.02"], baseline="mian")
    assert (report.passed, len(report.notes)) == (False, 1)
    assert report.notes[0].endswith("or a named baseline (did you mean 'main'?)")


def test_what_may_be_missing_of_every_gate_is_an_argument() -> None:
    found = experiment("a", [*attempts("+" * 9), attempt("x", False, counts=False)])
    assert not grice.check_gates(found, ["completion=1"]).passed
    assert grice.check_gates(found, ["completion=1"], max_missing=0.1).passed


def test_wrong_calls_are_told() -> None:
    found = experiment("a", attempts("+"))
    with pytest.raises(grice.GateError, match=r"no gate is declared: give one, such as 'completion=0\.8'"):
        grice.check_gates(found)
    with pytest.raises(TypeError, match="gates: expected a list of them, found the text 'completion=1'"):
        grice.check_gates(found, "completion=1")
    with pytest.raises(grice.GateError, match="did you mean 'completion'"):
        grice.check_gates(found, ["completoin=1"])
    with pytest.raises(grice.JournalError, match="there is no such run"):
        grice.check_gates("nobody", ["completion=1"])
