"""How gates tell figures, limits and intervals; and regressions where attempts were lost on one side."""

from __future__ import annotations

import pytest
from made_experiments import attempt, attempts, experiment, repeated

from grice.experiments.attempts import Attempt
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.gate_texts import amount, amounts, interval_text, wanted_text
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import Gate, GateResult
from grice.experiments.results import ExperimentResults


def result(
    results: ExperimentResults, gate: str, *, rule: str = "", baseline: ExperimentResults | None = None
) -> GateResult:
    gates = declared_gates(None, GateOptions((gate,), (), "main" if baseline else "", rule)).gates
    (found,) = judge_gates(gates, results, lambda _: baseline or results).results
    return found


def gate(name: str, limit: float) -> Gate:
    return Gate(name, limit, "at least" if name == "completion" else "at most", "shown")


# -- figures beside limits


@pytest.mark.slow
def test_a_figure_has_the_digits_that_tell_it_from_its_limit() -> None:
    passed = 2399  # of 3,000: 79.967 %
    results = experiment("a", attempts("+" * passed + "-" * (3000 - passed)))
    found = result(results, "completion=0.8")
    assert (found.passed, found.found, found.wanted) == (False, "79.97% (2,399/3,000)", "at least 80%")


@pytest.mark.parametrize(
    ("value", "unit", "limit", "said"),
    [
        (0.79996, "share", 0.8, "79.996%"),
        (0.91, "share", 0.8, "91.0%"),  # as reports tell it
        (0.9998, "share", 0.8, "99.9%"),  # not all
        (0.0001, "share", 0.8, "0.1%"),  # and not none
        (0.9998, "share", 0.9995, "99.98%"),
        (1.0, "share", 0.9999, "100%"),
        (0.0, "share", 0.8, "0%"),
        (0.80004, "share", 0.8, "80.004%"),
        (0.8, "share", 0.8, "80.0%"),
        (0.9998, "share", 0.9998, "99.98%"),  # on it: as many decimals as it has
        (4.9995, "seconds", 4.9995, "4.9995 s"),
        (0.0205, "drop", 0.0205, "2.05 points"),
        (0.1 + 0.2, "share", 0.3, "30.0%"),  # what floats leave is on the limit
        (0.83336, "share", 0.8333, "83.34%"),  # 83.3 % would be under it
        (0.8331, "share", 0.8333, "83.3%"),
        (4.9991, "seconds", 5.0, "4.999 s"),
        (3000.5, "tokens", 3000, "3,000.5 tokens"),
        (2.004, "turns", 2.0, "2.004 turns"),
        (0.0204, "drop", 0.02, "2.04 points"),
        (0.01, "drop", 0.02, "1 point"),
        (-0.0001, "drop", 0.02, "0 points"),
    ],
)
def test_no_figure_is_rounded_over_its_limit(value: float, unit: str, limit: float, said: str) -> None:
    assert amount(value, unit, limit) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "now", "unit", "said"),
    [
        (0.0004, 0.0007, "seconds", ("0.0004 s", "0.0007 s")),
        (1.2, 1.2, "seconds", ("1.2 s", "1.2 s")),
        (1.5, 1.75, "seconds", ("1.5 s", "1.75 s")),
        (0.83331, 0.83333, "share", ("83.331%", "83.333%")),
        (1.0, 0.99999, "share", ("100%", "99.9%")),
    ],
)
def test_two_figures_that_differ_are_told_apart(
    before: float, now: float, unit: str, said: tuple[str, str]
) -> None:
    assert amounts(before, now, unit) == said  # type: ignore[arg-type]


def test_a_rise_of_very_short_turns_has_the_decimals_that_show_it() -> None:
    before = experiment("a", [attempt("s", turns=1, latencies=(0.000123,))])
    now = experiment("b", [attempt("s", turns=1, latencies=(0.000213,))])
    found = result(now, "latency_p95.max_rise=0.2", baseline=before)
    assert found.found == "73.2% more: 0.0001 s (p95 of 1 turn) to 0.0002 s (p95 of 1 turn)"


@pytest.mark.slow
def test_a_gate_that_is_kept_at_its_limit_does_not_seem_to_be_under_it() -> None:
    results = experiment("a", attempts("+" * 4999 + "-"))
    found = result(results, "completion=0.9998")
    assert (found.passed, found.found, found.wanted) == (True, "99.98% (4,999/5,000)", "at least 99.98%")


def test_a_limit_stands_as_it_was_declared() -> None:
    assert wanted_text(gate("completion", 0.8333)) == "at least 83.33% (rule shown)"
    assert wanted_text(gate("regression.completion", 0.01)) == "at most 1 point less (rule shown)"


def test_the_end_of_an_interval_is_not_rounded_over_the_limit_either() -> None:
    assert interval_text(gate("completion", 0.8), 0.61, 0.79996) == "61.0% to 79.996%"


# -- signs


def test_the_interval_of_a_rise_has_the_sign_of_a_rise() -> None:
    before, now = experiment("a", attempts("+" * 15 + "-" * 15)), experiment("b", attempts("+" * 30))
    found = result(now, "regression.completion=0", baseline=before)
    assert found.found == "50 points more (50.0% to 100%, 30 scenarios)"
    worse = result(before, "regression.completion=0", baseline=now)
    assert worse.found == "50 points less (100% to 50.0%, 30 scenarios)"
    ends = found.interval.removeprefix("+").split(" to +")
    assert worse.interval == f"-{ends[1]} to -{ends[0]}"
    assert (worse.actual, found.actual) == (0.5, -0.5)


def test_an_interval_around_nothing_has_both_signs() -> None:
    said = interval_text(gate("regression.completion", 0.05), -0.021, 0.0504)
    assert said == "-5.04 to +2.1"


# -- attempts that were lost


def sides(easy: str, hard: str, *, unlucky: int = 0) -> list[Attempt]:
    """Repeats of 20 easy scenarios (of which some always fail) and of 20 hard ones."""
    found: list[Attempt] = []
    for number in range(20):
        found += repeated(f"easy{number:02}", "-" * len(easy) if number < unlucky else easy)
        found += repeated(f"hard{number:02}", hard)
    return found


@pytest.mark.parametrize("rule", ["point", "shown"])
def test_repeats_that_the_baseline_lost_where_it_is_hard_trip_no_gate(rule: str) -> None:
    """75 % to 50 %, and no scenario is any worse."""
    before, now = experiment("a", sides("+++", "-")), experiment("b", sides("+++", "---"))
    found = result(now, "regression.completion=0.02", rule=rule, baseline=before)
    assert found.passed
    assert found.found.startswith("no change (40 scenarios, each counted once; all values: 75.0% to 50.0%)")
    assert not result(now, "regression.completion=0.02", rule="ruled_out", baseline=before).passed


@pytest.mark.parametrize("rule", ["point", "ruled_out"])
def test_repeats_that_were_lost_where_it_is_hard_keep_no_gate(rule: str) -> None:
    """50 % to 60 % of attempts, and four easy scenarios fail now."""
    before = experiment("a", sides("+++", "---"))
    now = experiment("b", sides("+++", "-", unlucky=4))
    found = result(now, "regression.completion=0.02", rule=rule, baseline=before)
    assert (found.passed, round(found.actual or 0, 3)) == (False, 0.1)
    assert found.found.startswith("10 points less (40 scenarios, each counted once;")
    assert "all values: 50.0% to 60.0%" in found.found


def test_the_interval_takes_in_both_ways_to_count() -> None:
    before, now = experiment("a", sides("+++", "-")), experiment("b", sides("+++", "---"))
    found = result(now, "regression.completion=0.02", rule="shown", baseline=before)
    alike = result(
        experiment("b", sides("+", "-")),
        "regression.completion=0.02",
        rule="shown",
        baseline=experiment("a", sides("+", "-")),
    )
    assert found.low == pytest.approx(alike.low)
    assert found.high is not None
    assert found.high > 0.25  # of the plain difference of 25 points


def test_as_many_more_attempts_of_every_scenario_change_no_rate() -> None:
    before, now = experiment("a", sides("++", "--")), experiment("b", sides("+", "-", unlucky=4))
    found = result(now, "regression.completion=0.02", rule="point", baseline=before)
    assert found.found.startswith("10 points less (50.0% to 40.0%, 40 scenarios)")


def test_one_scenario_with_lost_repeats_shows_nothing() -> None:
    before, now = [attempt("s")], repeated("s", "++")
    found = result(
        experiment("b", now), "regression.completion=0", rule="shown", baseline=experiment("a", before)
    )
    assert (found.passed, found.low, found.high) == (False, None, None)
