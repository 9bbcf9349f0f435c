import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats import wilson

Z95 = 1.959963984540054


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe 1998, Statistics in Medicine 17, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_it_gives_the_published_intervals(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_its_bounds_are_the_rates_from_which_the_observed_one_is_just_so_far(case: tuple[int, int]) -> None:
    successes, n = case
    low, high = wilson(successes, n)
    rate = successes / n
    assert 0 <= low <= rate <= high <= 1
    for bound, open_end in ((low, successes == 0), (high, successes == n)):
        if not open_end:
            distance = abs(rate - bound) / math.sqrt(bound * (1 - bound) / n)
            assert distance == pytest.approx(Z95, rel=1e-6)


def test_it_is_wider_for_more_confidence_and_the_same_seen_from_the_other_side() -> None:
    low, high = wilson(7, 20, 0.99)
    assert low < wilson(7, 20)[0] < wilson(7, 20)[1] < high
    assert wilson(13, 20, 0.99) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(
    ("successes", "n", "confidence", "message"),
    [
        (0, 0, 0.95, "without any there is no rate"),
        (3, 2, 0.95, "successes is from 0 to n, which is 2, found 3"),
        (-1, 2, 0.95, "successes is from 0 to n, which is 2, found -1"),
        (1, 2, 95, "confidence is between 0 and 1, as 0.95 is, found 95"),
        (1, 2, float("nan"), "confidence is between 0 and 1"),
    ],
)
def test_numbers_that_cannot_be_are_refused(successes: int, n: int, confidence: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wilson(successes, n, confidence)


def test_what_is_no_count_is_refused() -> None:
    with pytest.raises(TypeError, match=r"successes is an integer, found 0\.5"):
        wilson(0.5, 2)  # type: ignore[arg-type]
