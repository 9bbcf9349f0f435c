import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.estimates import mean_and_deviation


def test_by_hand() -> None:
    assert mean_and_deviation([2, 4, 4, 4, 5, 5, 7, 9]) == (5.0, math.sqrt(32 / 7))


def test_one_value_has_no_deviation() -> None:
    assert mean_and_deviation([0.3]) == (0.3, None)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(2, 9))
def test_equal_values_are_their_mean_and_do_not_deviate(value: float, n: int) -> None:
    assert mean_and_deviation([value] * n) == (value, 0.0)


def test_no_values_have_no_mean() -> None:
    with pytest.raises(ValueError, match="there is no mean of no values"):
        mean_and_deviation([])


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_are_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        mean_and_deviation([1.0, bad])
