import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.bias import (
    length_bias,
    paired_difference,
    position_bias,
    self_consistency,
)

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("pairs", "changed", "first"),
    [
        ([("1", "1")] * 6 + [("2", "2")] * 4, 0.0, 0.5),  # the same reply, wherever it is shown
        ([("1", "2")] * 10, 1.0, 1.0),  # always the first place
        ([("2", "1")] * 10, 1.0, 0.0),
        ([("1", "2")] * 3 + [("2", "1")] * 1 + [("1", "1")] * 6, 0.4, 0.6),  # 6 + 6 of 20 answers: the first
        ([("1", "tie")] * 2 + [("tie", "tie")] * 2, 0.5, 0.625),  # a tie is half a choice of either place
        ([("1", None), ("1", "1"), (None, None)], 0.0, 0.5),
    ],
)
def test_order_matters_as_often_as_the_verdict_changes_with_it(
    pairs: list[tuple[Any, Any]], changed: float, first: float
) -> None:
    found = position_bias(pairs)
    assert found is not None
    assert found.changed.value == pytest.approx(changed)
    assert found.first.value == pytest.approx(first)
    for one in (found.changed, found.first):
        assert 0 <= one.low <= one.value <= one.high <= 1
        assert one.high - one.low > 0.05


def test_replies_may_have_any_names_and_no_pairs_have_no_bias() -> None:
    named = position_bias([("old", "new"), ("new", "new")], first="old", second="new")
    assert named == position_bias([("1", "2"), ("2", "2")])
    assert position_bias([]) is position_bias([("1", None)]) is None


def test_a_preference_for_the_first_place_shows_when_it_is_no_accident() -> None:
    sure, unsure = (position_bias([("1", "2")] * k + [("2", "1")] * 2 + [("1", "1")] * 30) for k in (20, 4))
    assert sure is not None
    assert unsure is not None
    assert sure.first.low > 0.5 > unsure.first.low


@given(st.integers(0, 15), st.integers(0, 15), st.integers(1, 15))
def test_a_paired_difference_is_from_the_differences_that_it_does_not_reject(
    up: int, down: int, same: int
) -> None:
    n = up + down + same
    found = paired_difference([1] * up + [-1] * down + [0] * same)
    assert found is not None
    assert found.value == pytest.approx((up - down) / n)
    assert -1 <= found.low < found.value < found.high <= 1
    for bound in (found.low, found.high):
        assert _score(up, down, n, bound) == pytest.approx(Z, rel=1e-3)


def _score(up: int, down: int, n: int, difference: float) -> float:
    """Tango's statistic, with the likeliest probability of `down` found by search."""

    def likelihood(other: float) -> float:
        one, rest = other + difference, 1 - 2 * other - difference
        return sum(
            k * math.log(max(p, 1e-300)) for k, p in ((up, one), (down, other), (n - up - down, rest)) if k
        )

    low, high = max(0.0, -difference), (1 - difference) / 2
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if likelihood(left) < likelihood(right) else (low, right)
    spread = n * (2 * low + difference * (1 - difference))
    return abs(up - down - n * difference) / math.sqrt(spread)


def test_a_judge_that_passes_what_is_long_shows_by_the_items_people_fail() -> None:
    lengths = list(range(40))
    labelled = [index % 2 == 0 for index in range(40)]
    lenient = [good or index >= 20 for index, good in enumerate(labelled)]
    found = length_bias(lengths, lenient, labelled)
    assert found is not None
    assert (found.value, found.n) == (0.5, 40)
    assert 0 < found.low < 0.5 < found.high < 1
    fair = length_bias(lengths, labelled, labelled)
    assert fair is not None
    assert fair.value == 0
    assert fair.low < -0.1 < 0.1 < fair.high


def test_a_judge_that_is_too_lenient_everywhere_has_no_bias_for_length() -> None:
    found = length_bias(range(20), [True] * 20, [index % 2 == 0 for index in range(20)])
    assert found is not None
    assert found.value == 0


@pytest.mark.parametrize(
    ("lengths", "value"),
    [([1, 1, 1, 9], 1.0), ([1, 9, 9, 9], 1 / 3), ([1, 1, 9, 9], 0.5)],
)
def test_texts_of_one_length_are_in_one_half(lengths: list[int], value: float) -> None:
    found = length_bias(lengths, [False, False, False, True], [False] * 4)
    assert found is not None
    assert found.value == pytest.approx(value)


def test_there_is_no_length_bias_without_two_lengths() -> None:
    assert length_bias([7, 7], [True, False], [True, True]) is None
    assert length_bias([], [], []) is None
    with pytest.raises(ValueError, match="found 2 lengths, 1 judged, 2 labelled"):
        length_bias([1, 2], [True], [True, False])


def test_items_of_a_cluster_that_repeat_each_other_tell_nothing_new() -> None:
    differences = [0] * 10 + [1] * 4 + [0] * 6
    once = paired_difference(differences)
    twice = paired_difference(differences * 2, list(range(20)) * 2)
    apart = paired_difference(differences * 2)
    assert once is not None
    assert twice is not None
    assert apart is not None
    assert apart.high - apart.low < 0.8 * (once.high - once.low) < twice.high - twice.low


def test_self_consistency_is_the_share_of_pairs_of_answers_that_agree() -> None:
    found = self_consistency([["yes", "yes", "yes"], ["yes", "no", "yes"], ["no"], ["no", None], []])
    assert found is not None
    assert found.value == pytest.approx((1 + 1 / 3) / 2)
    assert found.n == 2
    assert self_consistency([["yes"], []]) is None


def test_answers_that_never_vary_are_no_certainty() -> None:
    few, many = self_consistency([[1, 1]] * 5), self_consistency([[1, 1]] * 100)
    assert few is not None
    assert many is not None
    assert few.low < 0.7 < 0.95 < many.low
    assert few.high == many.high == 1
    clustered = self_consistency([[1, 1]] * 100, clusters=[index // 20 for index in range(100)])
    assert clustered is not None
    assert clustered.low == pytest.approx(few.low)
