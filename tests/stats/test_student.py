import math

import pytest

from grice.stats.student import t_quantile, t_two_sided


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062047362), (2, 4.3026527297), (9, 2.2621571628), (30, 2.0422724563), (4999, 1.9604386467)],
)
def test_quantiles_are_those_of_printed_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-9)
    assert t_quantile(0.025, freedom) == -t_quantile(0.975, freedom)
    assert t_two_sided(quantile, freedom) == pytest.approx(0.05, rel=1e-8)


@pytest.mark.parametrize("t", [0.01, 0.5, 1.0, 3.0, 40.0, 1e6])
def test_of_one_and_two_degrees_of_freedom_there_are_formulas(t: float) -> None:
    assert t_two_sided(t, 1) == pytest.approx(2 * math.atan(1 / t) / math.pi, rel=1e-12)
    root = math.sqrt(2 + t * t)
    assert t_two_sided(-t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-12)


def test_the_ends() -> None:
    assert t_quantile(0.5, 3) == 0
    assert t_two_sided(0, 3) == 1
    assert t_two_sided(math.inf, 3) == 0
    assert 0 < t_two_sided(30, 500) < 1e-100


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, math.nan])
def test_only_probabilities_between_0_and_1_have_a_quantile(probability: float) -> None:
    with pytest.raises(ValueError, match="a probability between 0 and 1 has a quantile"):
        t_quantile(probability, 3)


@pytest.mark.parametrize("freedom", [0, -1, math.nan])
def test_there_is_a_degree_of_freedom(freedom: float) -> None:
    with pytest.raises(ValueError, match="degrees of freedom are above 0"):
        t_two_sided(1.0, freedom)
