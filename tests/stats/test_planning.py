import re
from collections.abc import Callable
from itertools import product

import pytest

from grice.stats.paired import PairedSums
from grice.stats.planning import repeats_needed, scenarios_needed, why_no_repeats

COINS = [PairedSums(before, 1, now, 1) for before, now in product((0, 1), repeat=2)]
TWO_COINS = [PairedSums(before, 2, now, 2) for before, now in product((0, 1, 1, 2), repeat=2)]
"""As often as coins fall so: the variance of an attempt is 1/4, and no scenario really changes."""
TEXTBOOK = (1.959964 + 0.841621) ** 2 * 2 * 0.25 / 0.1**2  # 392.4
SWINGS = [PairedSums(0, 10, 10, 10), PairedSums(10, 10, 0, 10)] * 50


def test_scenarios_needed_are_the_textbooks() -> None:
    found = scenarios_needed(COINS * 250, 0.1)
    assert found == pytest.approx(TEXTBOOK, rel=0.02)
    twice = scenarios_needed(TWO_COINS * 60, 0.1)
    assert twice == pytest.approx(TEXTBOOK / 2, rel=0.02)


@pytest.mark.parametrize("pairs", [COINS * 50, TWO_COINS * 10])
def test_repeats_needed_are_the_textbooks(pairs: list[PairedSums]) -> None:
    found = repeats_needed(pairs, 0.1)
    assert found is not None
    assert 0 <= found - TEXTBOOK / len(pairs) <= 1.1
    assert why_no_repeats(pairs, 0.1) is None


def test_no_repeats_even_out_scenarios_that_change_both_ways() -> None:
    assert repeats_needed(SWINGS, 0.1) is None
    assert why_no_repeats(SWINGS, 0.1) == (
        "scenarios differ too much in how they change, which only more scenarios even out"
    )
    # Each changes by one up or down: a variance of 1.
    assert scenarios_needed(SWINGS, 0.1) == pytest.approx(785 * 100 / 99, rel=0.02)
    assert repeats_needed(SWINGS, 0.5) == 1


def test_few_scenarios_never_show_a_difference() -> None:
    assert repeats_needed(TWO_COINS[:5], 0.5) is None
    assert why_no_repeats(TWO_COINS[:5], 0.5) == (
        "fewer than 6 scenarios never show a difference at 5 %, found 5"
    )


def test_one_scenario_does_not_show_how_scenarios_differ() -> None:
    assert scenarios_needed(TWO_COINS[:1], 0.1) is None
    assert scenarios_needed([], 0.1) is None


@pytest.mark.parametrize("needed", [repeats_needed, scenarios_needed])
def test_smaller_differences_and_more_power_take_more(needed: Callable[..., int]) -> None:
    found = [needed(TWO_COINS * 2, gap) for gap in (0.4, 0.2, 0.1, 0.05)]
    assert found == sorted(set(found))
    assert needed(TWO_COINS * 2, 0.1, power=0.9) > needed(TWO_COINS * 2, 0.1)
    assert needed(TWO_COINS * 2, -0.1) == needed(TWO_COINS * 2, 0.1)


def test_that_nothing_changed_is_no_certainty() -> None:
    found = scenarios_needed([PairedSums(1, 1, 1, 1)] * 20, 0.1)
    assert found is not None
    assert found > 6


@pytest.mark.parametrize(
    ("pairs", "difference", "power", "message"),
    [
        (COINS, 0.0, 0.8, "a difference of rates is not 0 and at most 1, found 0.0"),
        (COINS, 1.5, 0.8, "a difference of rates is not 0 and at most 1, found 1.5"),
        (COINS, 0.1, 1.0, "power is from 0.5 to less than 1, found 1.0"),
        (COINS, 0.1, 0.2, "power is from 0.5 to less than 1, found 0.2"),
        ([PairedSums(7, 1, 0, 1)], 0.1, 0.8, "passes are from 0 to the number of attempts"),
        ([PairedSums(0, 0, 0, 1)], 0.1, 0.8, "which is at least 1, found PairedSums"),
    ],
)
@pytest.mark.parametrize("needed", [repeats_needed, scenarios_needed, why_no_repeats])
def test_wrong_input_is_refused(
    needed: Callable[..., object], pairs: list[PairedSums], difference: float, power: float, message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        needed(pairs, difference, power=power)
