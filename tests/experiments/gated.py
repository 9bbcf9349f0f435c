"""Experiments held to gates, for tests of them."""

from __future__ import annotations

from collections.abc import Callable

from made_experiments import attempts, experiment

from grice.experiments.attempts import CheckTally
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import GateReport, GateResult
from grice.experiments.results import ExperimentResults
from grice.running.journal.form import JournalError

__all__ = ["checked", "nobody", "passing", "report", "result", "tally", "told"]


def nobody(wanted: str) -> ExperimentResults:
    raise JournalError(f"{wanted}: there is no such run")


def report(
    results: ExperimentResults,
    *gates: str,
    baseline: ExperimentResults | None = None,
    rule: str = "",
    bundles: tuple[str, ...] = (),
    allow_unfinished: bool = False,
    max_missing: str = "",
) -> GateReport:
    compared = any(one.startswith("regression.") or "max_rise" in one for one in gates)
    named = "main" if compared or "performance" in bundles else ""
    options = GateOptions(gates, bundles, named, rule, max_missing=max_missing)
    find: Callable[[str], ExperimentResults] = nobody if baseline is None else lambda _: baseline
    return judge_gates(declared_gates(None, options).gates, results, find, allow_unfinished=allow_unfinished)


def result(results: ExperimentResults, gate: str, **more: object) -> GateResult:
    *_, found = report(results, gate, **more).results  # type: ignore[arg-type]
    return found


def told(found: GateResult) -> tuple[str, str]:
    """`pass` or `fail`, or `none` where nothing was measured, and what was found."""
    return "pass" if found.passed else "none" if found.actual is None else "fail", found.found


def passing(passed: int, total: int) -> ExperimentResults:
    """So many scenarios, each run once."""
    return experiment("a", attempts("+" * passed + "-" * (total - passed)))


def checked(*checks: CheckTally, **fields: object) -> ExperimentResults:
    """Ten attempts with these checks each."""
    return experiment("a", attempts("+" * 10, checks=checks, **fields))


def tally(outcome: str, times: int = 1, **fields: object) -> CheckTally:
    given = {"matcher": "toSatisfy", "mode": "soft", "criterion": "friendly", "layer": 3, **fields}
    return CheckTally(outcome=outcome, times=times, **given)  # type: ignore[arg-type]
