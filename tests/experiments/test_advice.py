"""What would settle it: the numbers that are promised, against exact probabilities."""

from __future__ import annotations

import math
import re
from itertools import count

import pytest
from made_experiments import attempts, between, repeated

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.records import Comparison
from grice.stats.paired import mcnemar_exact

RULED_OUT = "completion rate: nothing is open, a difference of 5.0 points either way is ruled out"


def advice(found: Comparison) -> str:
    (said,) = found.advice
    return said


def gained(scenarios: int, changed: int) -> Comparison:
    """So many scenarios, run once, of which the first ones failed and pass now."""
    return between(attempts("-" * changed + "+" * (scenarios - changed)), attempts("+" * scenarios))


# -- what is ruled out


def tens(scenarios: int, *marks: str) -> list[Attempt]:
    """Ten repeats of each scenario, which pass like one of the marks in turn."""
    return [one for n in range(scenarios) for one in repeated(f"s{n:03}", marks[n % len(marks)])]


@pytest.mark.slow
def test_too_few_scenarios_rule_nothing_out_however_narrow_the_interval() -> None:
    """One in twenty that changed is found among so many 97.5 times in 100, and not among one less."""
    enough = next(number for number in count(1) if 0.95**number <= 0.025)
    for number, ruled_out in ((enough - 1, False), (enough, True)):
        found = between(tens(number, "+++++-----"), tens(number, "++++++----", "++++------"))
        (difference,) = [one.difference for one in found.measures if one.family == "completion"]
        assert difference is not None
        assert difference.low is not None
        assert difference.high is not None
        assert -0.03 < difference.low < difference.high < 0.03
        assert (advice(found) == RULED_OUT) is ruled_out


def test_a_wide_interval_rules_nothing_out_however_many_there_are() -> None:
    found = between(attempts("+-" * 40), attempts("-+" * 40))
    assert advice(found).startswith("completion rate: to show a true difference of 5.0 points")


# -- four times in five


def power(scenarios: int, size: float) -> float:
    """How often the test shows it, where each scenario is gained with the probability `size`; exactly."""
    return sum(
        math.comb(scenarios, changed) * size**changed * (1 - size) ** (scenarios - changed)
        for changed in range(scenarios + 1)
        if mcnemar_exact(changed, 0) <= 0.05
    )


def by_poisson(expected: float) -> float:
    """How often at least six change where so many are expected."""
    return 1 - sum(math.exp(-expected) * expected**k / math.factorial(k) for k in range(6))


def promised(found: Comparison) -> int:
    said = re.search(r"four times in five, it takes about (\d+) scenarios like these", advice(found))
    assert said is not None
    return int(said[1])


@pytest.mark.parametrize(
    ("scenarios", "changed"), [(6, 4), (6, 5), (8, 5), (10, 4), (10, 5), (20, 3), (20, 5), (100, 1), (150, 4)]
)
def test_as_many_scenarios_as_advised_show_it_four_times_in_five(scenarios: int, changed: int) -> None:
    size = max(changed / scenarios, 0.05)
    assert power(promised(gained(scenarios, changed)), size) >= 0.8


@pytest.mark.parametrize(("scenarios", "changed"), [(6, 4), (6, 5), (8, 5), (10, 5), (100, 1), (150, 4)])
def test_no_more_are_advised_than_it_takes_for_six_to_change(scenarios: int, changed: int) -> None:
    """Where the interval asks for fewer, it is the least number at which six change four times in five."""
    size = max(changed / scenarios, 0.05)
    least = next(number for number in count(1) if by_poisson(number * size) >= 0.8)
    assert promised(gained(scenarios, changed)) == least


def test_a_difference_that_would_not_have_been_seen_is_not_said_to_be() -> None:
    assert by_poisson(158 * 0.05) < 0.8 <= by_poisson(159 * 0.05)
    assert promised(gained(158, 4)) == 159
    seen = "completion rate: a true difference of 5.0 points would have been shown four times in five"
    assert advice(gained(159, 4)) == seen
