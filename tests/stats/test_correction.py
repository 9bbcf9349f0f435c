import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats import wilson
from grice.stats.correction import corrected_rate, why_uncorrectable
from grice.stats.estimates import Estimate


def corrected(passed: int, n: int, sensitivity: tuple[int, int], specificity: tuple[int, int]) -> Estimate:
    found = corrected_rate(passed, n, sensitivity=sensitivity, specificity=specificity)
    assert found is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.n == n
    return found


@pytest.mark.parametrize(
    ("passed", "sensitivity", "specificity", "true"),
    [  # of 100
        (60, (90, 100), (80, 100), 0.4 / 0.7),
        (60, (100, 100), (100, 100), 0.6),
        (20, (9, 10), (8, 10), 0.0),  # all that passes are the judge's errors
        (10, (9, 10), (8, 10), 0.0),  # fewer even than those: clipped
        (95, (9, 10), (8, 10), 1.0),
    ],
)
def test_the_judges_errors_are_taken_out(
    passed: int, sensitivity: tuple[int, int], specificity: tuple[int, int], true: float
) -> None:
    assert corrected(passed, 100, sensitivity, specificity).value == pytest.approx(true)


def test_a_judge_known_to_be_right_has_the_interval_of_the_rate_itself() -> None:
    found = corrected(60, 100, (10**7, 10**7), (10**7, 10**7))
    assert (found.low, found.high) == pytest.approx(wilson(60, 100), abs=0.005)


def test_the_less_is_known_of_the_judge_the_wider_it_is() -> None:
    widths = [
        found.high - found.low
        for found in (corrected(600, 1000, (9 * k, 10 * k), (8 * k, 10 * k)) for k in (100, 20, 5, 1))
    ]
    assert widths == sorted(widths)
    assert widths[0] < 0.12
    assert widths[-1] > 0.4


def test_a_judge_hardly_better_than_chance_tells_next_to_nothing() -> None:
    found = corrected(50, 100, (27, 50), (27, 50))
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("passed", "n", "sensitivity", "specificity", "reason"),
    [
        (0, 0, (9, 10), (8, 10), "nothing was judged"),
        (1, 2, (0, 0), (8, 10), "its sensitivity is unknown"),
        (1, 2, (9, 10), (0, 0), "its specificity is unknown"),
        (
            1,
            2,
            (1, 2),
            (1, 2),
            "no better than chance: it passes 50% of what people pass, and 50% of what they fail",
        ),
        (1, 2, (3, 10), (2, 10), "no better than chance"),
        (1, 2, (7, 10), (3, 10), "no better than chance"),  # 0.7 + 0.3 is not over 1, whatever floats say
    ],
)
def test_what_cannot_be_corrected_says_why(
    passed: int, n: int, sensitivity: tuple[int, int], specificity: tuple[int, int], reason: str
) -> None:
    assert corrected_rate(passed, n, sensitivity=sensitivity, specificity=specificity) is None
    assert reason in str(why_uncorrectable(passed, n, sensitivity=sensitivity, specificity=specificity))


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="specificity counts from 0 to how many there are, found 11 of 10"):
        corrected_rate(1, 2, sensitivity=(9, 10), specificity=(11, 10))


counts = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, counts, counts)
def test_it_is_the_same_seen_from_the_failures(
    judged: tuple[int, int], sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> None:
    passed, n = judged
    found = corrected_rate(passed, n, sensitivity=sensitivity, specificity=specificity)
    other = corrected_rate(n - passed, n, sensitivity=specificity, specificity=sensitivity)
    if found is None or other is None:
        assert found is other
        return
    assert (1 - other.value, 1 - other.high, 1 - other.low) == pytest.approx(
        (found.value, found.low, found.high), abs=1e-6
    )
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize(("true", "right", "quiet"), [(0.9, 0.95, 0.7), (0.5, 0.8, 0.8), (0.2, 0.7, 0.95)])
def test_the_interval_holds_the_true_rate_about_19_times_in_20(
    true: float, right: float, quiet: float
) -> None:
    rng = random.Random(4)

    def count(n: int, p: float) -> tuple[int, int]:
        return sum(rng.random() < p for _ in range(n)), n

    held = 0
    for _ in range(300):
        passed, n = count(100, true * right + (1 - true) * (1 - quiet))
        found = corrected_rate(passed, n, sensitivity=count(40, right), specificity=count(30, quiet))
        held += found is not None and found.low <= true <= found.high
    assert held / 300 >= 0.92
