"""A small p-value alone decides nothing: the interval has to leave 0 out as well."""

from __future__ import annotations

import pytest
from made_experiments import attempt, between, measure, repeated

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.deciding import doubt_of
from grice.experiments.comparison.records import Measure
from grice.stats.paired import Difference

DOUBT = "the test shows a difference, its interval does not"


def tens(first: int, others: int) -> list[Attempt]:
    """Ten repeats of seven scenarios, of which so many passed in the first one and in each of the others."""
    passed = [first, *[others] * 6]
    return [one for n, k in enumerate(passed) for one in repeated(f"s{n}", "+" * k + "-" * (10 - k))]


@pytest.mark.parametrize(("sign", "decision"), [(1, "improved"), (-1, "regressed")])
def test_what_the_test_shows_and_the_interval_does_not_is_not_shown(sign: int, decision: str) -> None:
    """All seven change one way, by a tenth each, but one may change from never to always."""
    before, even, uneven = tens(0, 5), tens(1, 6), tens(10, 6)
    alike, apart = (between(*(before, after)[::sign]) for after in (even, uneven))
    rates = [measure(one, "completion rate") for one in (alike, apart)]
    assert [one.adjusted_p for one in rates] == [2 / 2**7] * 2
    assert [one.decision for one in rates] == [decision, "not shown"]
    assert [one.note for one in rates] == ["", DOUBT]
    assert (alike.conclusion, apart.conclusion) == (decision, "no difference shown")


def test_turns_that_one_scenario_speaks_for_are_no_shorter_for_sure() -> None:
    before = [attempt(f"s{n}", turns=10) for n in range(7)]
    alike = [attempt(f"s{n}", turns=8 if n else 7) for n in range(7)]
    apart = [attempt(f"s{n}", turns=9 if n else 1) for n in range(7)]
    sure, doubted = (measure(between(before, after), "avg turns") for after in (alike, apart))
    assert (sure.adjusted_p, doubted.adjusted_p) == (2 / 2**7, 2 / 2**7)
    assert (sure.arrow, doubted.arrow) == ("▲", "△")
    assert (DOUBT in sure.note, DOUBT in doubted.note) == (False, True)


@pytest.mark.parametrize(
    ("p", "low", "high", "doubt"),
    [
        (0.05, -0.01, 0.3, DOUBT),
        (0.05, -0.3, 0.01, DOUBT),
        (0.05, 0.0, 0.3, DOUBT),  # 0 itself is within
        (0.05, -0.3, 0.0, DOUBT),
        (0.05, 0.01, 0.3, ""),
        (0.05, -0.3, -0.01, ""),
        (0.051, -0.01, 0.3, ""),  # then the test does not show it either
        (None, -0.01, 0.3, ""),
        (0.05, None, None, ""),
    ],
)
def test_a_doubt_is_told_where_only_the_test_shows_it(
    p: float | None, low: float | None, high: float | None, doubt: str
) -> None:
    found = Difference(0.1, low, high, p, 40, 12, "a test", "why")
    one = Measure("completion", "completion rate", "rate", "", "higher", 0.5, 0.6, difference=found)
    assert doubt_of(one) == doubt


def test_what_its_interval_does_not_show_would_not_be_shown_alone() -> None:
    advice = between(tens(0, 5), tens(10, 6)).advice
    assert not [line for line in advice if "asked alone" in line]
