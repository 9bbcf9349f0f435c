"""What comparisons rest on, against SciPy, statsmodels and NumPy."""

import math
import random
import warnings

import numpy as np
import pytest
from scipy.stats import binomtest, permutation_test, t, ttest_rel
from statsmodels.api import GEE, OLS
from statsmodels.genmod.cov_struct import Independence
from statsmodels.stats.contingency_tables import StratifiedTable, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

from grice.stats.estimates import mean_and_deviation
from grice.stats.multiple import holm
from grice.stats.paired import (
    Difference,
    PairedSums,
    mcnemar_exact,
    paired_difference,
    sign_flip_p,
    whole_steps,
)
from grice.stats.pass_k import flaky
from grice.stats.planning import scenarios_needed
from grice.stats.student import t_quantile, t_two_sided

SEEDS = range(8)


def defined(found: Difference | None) -> Difference:
    assert found is not None
    return found


def drawn(seed: int, n: int) -> list[tuple[list[float], list[float]]]:
    """Values of scenarios in both experiments, unequally many, alike within a scenario."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        level = rng.gauss(7, 3)
        before, now = ([rng.gauss(level, 1) for _ in range(rng.randint(1, 5))] for _ in range(2))
        found.append((before, now))
    return found


def sums_of(scenarios: list[tuple[list[float], list[float]]]) -> list[PairedSums]:
    return [PairedSums(math.fsum(one), len(one), math.fsum(other), len(other)) for one, other in scenarios]


@pytest.mark.parametrize("freedom", [1, 2, 3, 4.5, 9, 49, 499, 4999, 1e6])
def test_students_t_is_scipys(freedom: float) -> None:
    for probability in (1e-6, 0.01, 0.2, 0.5, 0.8, 0.975, 0.9999):
        ours = t_quantile(probability, freedom)
        assert ours == pytest.approx(t.ppf(probability, freedom), rel=1e-8, abs=1e-12)
    for distance in (0.0, 1e-3, 0.7, 1.96, 6.0, 30.0):
        assert t_two_sided(distance, freedom) == pytest.approx(2 * t.sf(distance, freedom), rel=1e-9)


def test_mcnemar_is_scipys_and_statsmodels() -> None:
    for gained in range(15):
        for lost in range(15):
            ours = mcnemar_exact(gained, lost)
            if gained + lost:
                assert ours == pytest.approx(binomtest(gained, gained + lost).pvalue, rel=1e-9)
            theirs = mcnemar([[3, lost], [gained, 4]], exact=True).pvalue if gained + lost else 1.0
            assert ours == pytest.approx(theirs, rel=1e-9)
    assert mcnemar_exact(1210, 1300) == pytest.approx(binomtest(1210, 2510).pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("whole", [True, False])
def test_sign_flips_are_scipys_permutation_test(seed: int, whole: bool) -> None:
    rng = random.Random(seed)
    gaps = [float(rng.randint(-5, 6)) if whole else rng.gauss(0.6, 1) for _ in range(rng.randint(6, 12))]
    steps, _ = whole_steps(gaps)
    theirs = permutation_test(
        (np.array(steps), np.zeros(len(gaps))),
        lambda one, other, axis: np.sum(one - other, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert sign_flip_p(steps) == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_value_each_has_the_interval_of_scipys_paired_t(seed: int) -> None:
    rng = random.Random(seed)
    pairs = [(rng.gauss(7, 2), rng.gauss(7.5, 2)) for _ in range(rng.randint(3, 400))]
    ours = defined(paired_difference([PairedSums(one, 1, other, 1) for one, other in pairs]))
    theirs = ttest_rel([other for _, other in pairs], [one for one, _ in pairs])
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval()))
    # Signs are counted where there are few, and say much the same.
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-6 if len(pairs) > 250 else 0.25, abs=0.03)


@pytest.mark.parametrize("seed", SEEDS)
def test_of_several_values_the_error_is_that_of_cluster_robust_regression(seed: int) -> None:
    scenarios = drawn(seed, 30)
    ours = defined(paired_difference(sums_of(scenarios)))
    rows = [
        (value, version, place)
        for place, sides in enumerate(scenarios)
        for version, values in enumerate(sides)
        for value in values
    ]
    values, versions, places = (np.array(column) for column in zip(*rows, strict=True))
    design = np.column_stack([np.ones(len(rows)), versions])
    fitted = OLS(values, design).fit(
        cov_type="cluster", cov_kwds={"groups": places, "use_correction": False}, use_t=True
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        independent = GEE(values, design, groups=places, cov_struct=Independence()).fit()
    assert ours.value == pytest.approx(fitted.params[1])
    assert ours.value == pytest.approx(independent.params[1])
    assert ours.high is not None
    error = (ours.high - ours.value) / t_quantile(0.975, 29) / math.sqrt(30 / 29)
    assert error == pytest.approx(fitted.bse[1])
    assert error == pytest.approx(independent.bse[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_unequally_many_passes_are_never_surer_than_mantel_and_haenszel(seed: int) -> None:
    rng = random.Random(seed)
    pairs = [
        PairedSums(int(rng.random() < 0.9), 1, sum(rng.random() < 0.8 for _ in range(9)), 9)
        for _ in range(200)
    ]
    tables = [
        np.array(
            [[one.current, one.current_n - one.current], [one.baseline, one.baseline_n - one.baseline]], float
        )
        for one in pairs
    ]
    theirs = StratifiedTable(tables).test_null_odds().pvalue
    ours = defined(paired_difference(pairs, bounds=(0, 1)))
    assert ours.p is not None
    assert ours.p >= 0.98 * theirs
    assert ours.p == pytest.approx(theirs, rel=0.5, abs=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_many_passes_and_fails_have_almost_the_interval_of_the_paired_t(seed: int) -> None:
    rng = random.Random(seed)
    pairs = [(int(rng.random() < 0.7), int(rng.random() < 0.75)) for _ in range(500)]
    rates = [PairedSums(one, 1, other, 1) for one, other in pairs]
    ours = defined(paired_difference(rates, bounds=(0, 1)))
    theirs = ttest_rel([other for _, other in pairs], [one for one, _ in pairs])
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval()), abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_holm_is_statsmodels(seed: int) -> None:
    rng = random.Random(seed)
    p_values = [rng.random() ** 3 for _ in range(rng.randint(1, 12))]
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


@pytest.mark.parametrize("seed", SEEDS)
def test_flakiness_has_statsmodels_interval(seed: int) -> None:
    rng = random.Random(seed)
    scenarios = [(rng.randint(0, 3), 3) for _ in range(rng.randint(1, 40))]
    found = flaky(scenarios)
    assert found is not None
    theirs = proportion_confint(sum(passed in (1, 2) for passed, _ in scenarios), found.n, method="wilson")
    assert (found.low, found.high) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_and_deviation_are_numpys(seed: int) -> None:
    rng = random.Random(seed)
    values = [rng.lognormvariate(0, 3) for _ in range(rng.randint(2, 50))]
    assert mean_and_deviation(values) == pytest.approx((np.mean(values), np.std(values, ddof=1)))


@pytest.mark.parametrize("gap", [0.05, 0.1, 0.2])
def test_scenarios_needed_are_statsmodels(gap: float) -> None:
    pairs = [PairedSums(one, 1, other, 1) for one in (0, 1) for other in (0, 1)] * 500
    deviation = np.std([one.current - one.baseline for one in pairs], ddof=1)
    theirs = TTestPower().solve_power(effect_size=gap / deviation, power=0.8, alpha=0.05)
    assert scenarios_needed(pairs, gap) == pytest.approx(theirs, rel=0.02, abs=1)
