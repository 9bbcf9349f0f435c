"""`grice.check_gates`: gates for scripts and notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_experiments import attempts, experiment

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


def test_a_baseline_that_is_not_there_keeps_no_gate() -> None:
    found = experiment("a", attempts("+" * 10))
    report = grice.check_gates(found, ["regression.completion=0.02"], baseline="main")
    assert [(one.passed, one.missing) for one in report.results] == [(False, True)]


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
