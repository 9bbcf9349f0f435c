"""Agreement, rates and confusion against scikit-learn, statsmodels, SciPy and krippendorff.

On random answers and on those of real people and judges, whose counts are in the folder judges.
"""

import csv
import json
import math
import os
import random
import warnings
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score, confusion_matrix, precision_score, recall_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from grice.stats.agreement import agreement_rate, cluster_rate, cohen_kappa, krippendorff_alpha
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion

HERE = Path(__file__).parent / "judges"
DATA = Path(os.environ.get("GRICE_DATA", "/work/shared/data"))
LEVELS = ("nominal", "ordinal", "interval")
VERDICT = ("judge", "strategy", "gold", "verdict", "verdict_swapped")


def defined(found: Estimate | None) -> Estimate:
    assert found is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    return found


def counted(name: str) -> list[list[str]]:
    """The rows of a file of counts, each as often as it was counted."""
    lines = [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return [row[:-1] for row in list(csv.reader(lines))[1:] for _ in range(int(row[-1]))]


def random_units(seed: int, raters: int, missing: float) -> list[dict[int, int]]:
    """Scores of raters who see the truth, or guess, or say nothing."""
    rng, units = random.Random(seed), []
    for _ in range(rng.randint(5, 60)):
        truth = rng.randint(1, 5)
        seen = {rater: truth if rng.random() < 0.6 else rng.randint(1, 5) for rater in range(raters)}
        units.append({rater: one for rater, one in seen.items() if rng.random() >= missing})
    return units


def three_raters() -> list[tuple[int, int, int]]:
    return [(int(a), int(b), int(c)) for a, b, c in counted("three_raters.csv")]


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(10))
def test_kappa_is_scikit_learns(seed: int, weights: Any) -> None:
    pairs = [(unit[0], unit[1]) for unit in random_units(seed, 2, 0)]
    ours = defined(cohen_kappa(pairs, weights=weights))
    theirs = cohen_kappa_score(*zip(*pairs, strict=True), labels=[1, 2, 3, 4, 5], weights=weights)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("missing", [0.0, 0.3, 0.6])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_the_package_krippendorff(seed: int, missing: float, level: Any) -> None:
    units = random_units(seed, 4, missing)
    table = np.array([[unit.get(rater, np.nan) for unit in units] for rater in range(4)])
    ours = defined(krippendorff_alpha(units, level=level))
    assert ours.value == pytest.approx(krippendorff.alpha(table, level_of_measurement=level), abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_the_real_raters_is_that_of_the_package_krippendorff(level: Any) -> None:
    rows = three_raters()
    ours = defined(krippendorff_alpha([dict(enumerate(row)) for row in rows], level=level))
    theirs = krippendorff.alpha(np.array(rows, dtype=float).T, level_of_measurement=level)
    assert (ours.value, ours.n) == (pytest.approx(theirs, abs=1e-9), 400)


def test_alpha_without_gaps_is_fleiss_kappa_but_for_its_small_sample() -> None:
    rows = three_raters()
    theirs = fleiss_kappa(aggregate_raters(np.array(rows))[0])
    answers = 3 * len(rows)
    ours = defined(krippendorff_alpha([dict(enumerate(row)) for row in rows]))
    assert 1 - ours.value == pytest.approx((1 - theirs) * (answers - 1) / answers, abs=1e-9)


@pytest.mark.parametrize(("one", "other"), list(combinations(range(3), 2)))
def test_kappas_and_bounds_of_the_real_raters_are_near_those_of_statsmodels(one: int, other: int) -> None:
    pairs = [(row[one], row[other]) for row in three_raters()]
    ours = defined(cohen_kappa(pairs))
    theirs = cohens_kappa(confusion_matrix(*zip(*pairs, strict=True)))
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-9)
    # Theirs are those of large samples, symmetric on purpose.
    assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=0.015)
    agree = sum(a == b for a, b in pairs)
    rate = defined(agreement_rate(pairs))
    assert (rate.low, rate.high) == pytest.approx(proportion_confint(agree, len(pairs), method="wilson"))


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_bounds_of_many_items_are_those_of_statsmodels(weights: Any) -> None:
    pairs = [(unit[0], unit[1]) for seed in range(150) for unit in random_units(seed, 2, 0)]
    ours = defined(cohen_kappa(pairs, weights=weights))
    table = confusion_matrix(*zip(*pairs, strict=True), labels=[1, 2, 3, 4, 5])
    theirs = cohens_kappa(table, wt=weights)
    assert len(pairs) > 3000
    assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=0.004)


@pytest.mark.parametrize("seed", range(30))
def test_chance_is_ruled_out_just_when_statsmodels_rejects_it(seed: int) -> None:
    rng = random.Random(seed)
    truths = [rng.randint(0, 1) for _ in range(40)]
    pairs = [(one, one if rng.random() < 0.35 else rng.randint(0, 1)) for one in truths]
    ours, theirs = defined(cohen_kappa(pairs)), cohens_kappa(confusion_matrix(*zip(*pairs, strict=True)))
    assert (ours.low > 0) == (theirs.z_value > 1.959964)


@pytest.mark.parametrize(("successes", "n"), [(0, 7), (3, 10), (41, 60), (20, 20)])
def test_rates_have_the_wilson_interval_of_scipy(successes: int, n: int) -> None:
    ours = defined(cluster_rate([True] * successes + [False] * (n - successes)))
    theirs = binomtest(successes, n).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_kappas_and_confusion_of_the_real_judges_are_scikit_learns() -> None:
    rows = counted("both_orders.csv")
    judges = sorted({(row[0], row[1]) for row in rows})
    assert (len(rows), len(judges)) == (900, 11)
    for judge in judges:
        gold, verdicts = zip(*[(row[2], row[3]) for row in rows if (row[0], row[1]) == judge], strict=True)
        ours = defined(cohen_kappa(list(zip(gold, verdicts, strict=True))))
        assert ours.value == pytest.approx(cohen_kappa_score(gold, verdicts), abs=1e-9)
        (quiet, false), (missed, true) = confusion_matrix(gold, verdicts, labels=["1", "2"]).tolist()
        counts = Counter(zip(gold, verdicts, strict=True))
        found = Confusion(counts["2", "2"], counts["1", "2"], counts["2", "1"], counts["1", "1"])
        assert found == Confusion(true, false, missed, quiet)
        assert found.precision is not None
        assert found.recall is not None
        assert found.precision.value == pytest.approx(precision_score(gold, verdicts, pos_label="2"))
        assert found.recall.value == pytest.approx(recall_score(gold, verdicts, pos_label="2"))


@pytest.mark.parametrize(
    ("name", "file", "keys"),
    [
        ("judge_pairs_three_raters", "three_raters.csv", ()),
        (
            "judge_verdicts_both_orders",
            "both_orders.csv",
            ("judge", "strategy", "gold", "verdict", "verdict_swapped"),
        ),
    ],
)
def test_the_counts_are_those_of_the_data(name: str, file: str, keys: tuple[str, ...]) -> None:
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    labels = [json.loads(line)["labels"] for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [[one[key] for key in keys] if keys else [str(a) for a in one["annotators"]] for one in labels]
    assert Counter(map(tuple, rows)) == Counter(map(tuple, counted(file)))


def test_undefined_is_none_where_scikit_learn_gives_nan() -> None:
    with warnings.catch_warnings(action="ignore"):
        assert math.isnan(cohen_kappa_score([1, 1, 1], [1, 1, 1]))
    assert cohen_kappa([(1, 1)] * 3) is None
