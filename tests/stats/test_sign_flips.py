import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.paired import mcnemar_exact, sign_flip_p, whole_steps

MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's fifteen pairs of plants, in eighths of an inch: Fisher 1935, The Design of Experiments."""


def share_of_signs(differences: Sequence[int | Fraction]) -> float:
    """By definition."""
    sums = [
        sum(sign * one for sign, one in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(abs(one) >= abs(sum(differences)) for one in sums) / len(sums)


def test_fishers_example() -> None:
    # 863 of 32,768 ways to choose the signs sum up to 314 or more.
    assert sum(MAIZE) == 314
    assert sign_flip_p(MAIZE) == 2 * 863 / 32768


@given(st.lists(st.integers(-6, 6), max_size=9))
def test_it_is_the_share_of_all_signs_with_a_sum_as_far_from_0(differences: list[int]) -> None:
    assert sign_flip_p(differences) == pytest.approx(share_of_signs(differences), abs=1e-12)


@given(st.integers(0, 12), st.integers(0, 12))
def test_of_ones_it_is_mcnemars(gained: int, lost: int) -> None:
    assert sign_flip_p([1] * gained + [-1] * lost + [0]) == mcnemar_exact(gained, lost)


def test_mcnemar_by_hand() -> None:
    assert mcnemar_exact(8, 1) == mcnemar_exact(1, 8) == 2 * (1 + 9) / 2**9
    assert mcnemar_exact(0, 6) == 2 / 64
    assert mcnemar_exact(0, 5) == 2 / 32
    assert mcnemar_exact(0, 0) == mcnemar_exact(3, 3) == mcnemar_exact(1, 0) == 1.0


def test_mcnemar_of_many_is_exact_and_small() -> None:
    assert mcnemar_exact(3000, 2000) == pytest.approx(2.0e-45, rel=0.2)
    assert mcnemar_exact(2500, 2500) == 1.0


@pytest.mark.parametrize(("gained", "lost"), [(-1, 3), (3, -1)])
def test_mcnemar_counts_from_0(gained: int, lost: int) -> None:
    with pytest.raises(ValueError, match="gained and lost are counts from 0"):
        mcnemar_exact(gained, lost)


def test_ratios_of_small_counts_are_whole_parts_of_their_denominator() -> None:
    assert whole_steps([3.0, -2.0, 0.0]) == ([3, -2, 0], 0.0)
    assert whole_steps([0.5, -0.25, 0.0, 0.25]) == ([2, -1, 0, 1], 0.0)
    assert whole_steps([2 / 3 - 1 / 3, 1 / 7 - 6 / 7, 0.75 - 0.5]) == ([28, -60, 21], 0.0)
    assert whole_steps([0.0, 0.0]) == ([0, 0], 0.0)
    assert whole_steps([]) == ([], 0.0)


def test_others_are_rounded_and_say_how_far_off_a_sum_may_be() -> None:
    assert whole_steps([1e300, 1e300, -1e-300]) == ([5000, 5000, -1], 2.0)
    assert whole_steps([1e-320, -1e-320]) == ([5000, -5000], 0.0)
    steps, tolerance = whole_steps([2**0.5, -(3**0.5), 0.1])
    assert steps == [4356, -5336, 308]
    assert 0 < tolerance <= 3


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=9))
def test_rounding_keeps_signs_and_order(differences: list[float]) -> None:
    steps, _ = whole_steps(differences)
    for one, other, step, other_step in zip(differences, differences[1:], steps, steps[1:], strict=False):
        assert (one > 0) - (one < 0) == (step > 0) - (step < 0)
        assert one > other or step <= other_step


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_shares_that_are_equal_are_ties(seed: int) -> None:
    """Shares of other numbers of repeats, as floats leave them: 2/3 - 1/3 is no third."""
    rng = random.Random(seed)
    for _ in range(10):
        rows = [(rng.randint(1, 7), rng.random(), rng.random()) for _ in range(rng.randint(4, 8))]
        passed = [(int(before * (n + 1)), int(after * (n + 1)), n) for n, before, after in rows]
        floats = [after / n - before / n for before, after, n in passed]
        exact = [Fraction(after - before, n) for before, after, n in passed]
        assert sign_flip_p(floats) == share_of_signs(exact)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([2 / 3, -1 / 2, 0, 1 / 2, 1, 1 / 2, 1, 1 / 4, 1 / 4], 0.0546875),
        ([2 / 3, 1 / 4, 1 / 4, 2 / 3, 1 / 2, -1 / 2, 2 / 3, 1 / 4], 0.0703125),
    ],
)
def test_a_tie_is_not_broken_by_rounding(differences: list[float], p: float) -> None:
    assert sign_flip_p(differences) == p


@pytest.mark.parametrize("seed", range(20))
def test_what_rounding_cannot_tell_apart_is_never_taken_for_less(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [rng.random() for _ in range(3)]
    differences = [rng.choice((1, -1, 2)) * rng.choice(sizes) for _ in range(8)]
    exact = share_of_signs([Fraction(one) for one in differences])
    assert exact <= sign_flip_p(differences) <= exact + 0.1


@pytest.mark.slow
def test_many_scenarios_with_other_numbers_of_repeats() -> None:
    rng = random.Random(3)
    differences = [rng.choice((-1, 1, 1)) * rng.randint(1, n) / n for n in range(2, 16) for _ in range(17)]
    steps, tolerance = whole_steps(differences)
    assert sum(map(abs, steps)) < 100_000
    deviation = math.sqrt(sum(one * one for one in steps))
    assert tolerance < 0.05 * deviation
    normal = math.erfc(abs(sum(steps)) / deviation / math.sqrt(2))
    assert sign_flip_p(differences) == pytest.approx(normal, rel=0.1, abs=1e-6)
