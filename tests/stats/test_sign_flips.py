from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.mcnemar import mcnemar_exact
from grice.stats.sign_flips import sign_flip_p, whole_steps

MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's fifteen pairs of plants, in eighths of an inch: Fisher 1935, The Design of Experiments."""


def share_of_signs(differences: list[int]) -> float:
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


def test_small_whole_numbers_stay_and_others_are_rounded() -> None:
    assert whole_steps([3.0, -2.0, 0.0]) == [3, -2, 0]
    assert whole_steps([0.5, -0.25, 0.0, 0.25]) == [5000, -2500, 0, 2500]
    assert whole_steps([1e300, 1e300, -1e-300]) == [5000, 5000, -1]
    assert whole_steps([1e-320, -1e-320]) == [5000, -5000]
    assert whole_steps([0.0, 0.0]) == [0, 0]
    assert whole_steps([]) == []


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=9))
def test_rounding_keeps_signs_and_order(differences: list[float]) -> None:
    steps = whole_steps(differences)
    for one, other, step, other_step in zip(differences, differences[1:], steps, steps[1:], strict=False):
        assert (one > 0) - (one < 0) == (step > 0) - (step < 0)
        assert one > other or step <= other_step
