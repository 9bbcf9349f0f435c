import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats import wilson
from grice.stats.agreement import (
    agreement_rate,
    bounded_mean,
    cluster_rate,
    cohen_kappa,
    rate_of_clusters,
)
from grice.stats.estimates import Estimate

Z2 = 1.959963984540054**2


def table(both: int, only_first: int, only_second: int, neither: int) -> list[tuple[str, str]]:
    """Pairs of yes and no, as many of each kind."""
    return [
        *[("yes", "yes")] * both,
        *[("yes", "no")] * only_first,
        *[("no", "yes")] * only_second,
        *[("no", "no")] * neither,
    ]


def defined(found: Estimate | None) -> Estimate:
    assert found is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    return found


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        (table(20, 5, 10, 15), 0.4),  # agree 35 of 50; by chance 0.5 * 0.6 + 0.5 * 0.4
        (table(25, 25, 25, 25), 0.0),
        (table(0, 5, 5, 0), -1.0),
        (table(9, 0, 0, 1), 1.0),
        (table(19, 1, 0, 0), 0.0),  # one says yes to all: agreement is what chance gives
        (table(80, 10, 10, 0), -1 / 9),  # agree 0.8 of the time and yet less than by chance, 0.82
        ([(None, "yes"), *table(20, 5, 10, 15), ("no", None)], 0.4),
    ],
)
def test_kappa_is_agreement_beyond_chance(pairs: list[tuple[Any, Any]], kappa: float) -> None:
    assert defined(cohen_kappa(pairs)).value == pytest.approx(kappa, abs=1e-12)


@pytest.mark.parametrize(("weights", "kappa"), [("linear", 0.25), ("quadratic", 0.0), (None, 0.5)])
def test_weights_count_how_far_apart_scores_are(weights: Any, kappa: float) -> None:
    # Mean differences: 2/3 seen, 8/9 by chance; squares: 4/3 and 4/3; classes: 1/3 and 2/3.
    assert defined(cohen_kappa([(1, 1), (2, 2), (3, 1)], weights=weights)).value == pytest.approx(kappa)


def test_weights_go_by_the_numbers_and_not_by_their_rank() -> None:
    assert defined(cohen_kappa([(1, 1), (5, 4), (4, 5)], weights="linear")).value == pytest.approx(
        1 - (2 / 3) / (16 / 9)
    )


@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param([], id="no pair"),
        pytest.param([("yes", None), (None, "no")], id="no item has both answers"),
        pytest.param(table(7, 0, 0, 0), id="one class"),
    ],
)
def test_kappa_is_undefined_without_two_classes(pairs: Any) -> None:
    assert cohen_kappa(pairs) is None
    assert cohen_kappa([*pairs, *table(7, 0, 0, 1)]) is not None


@pytest.mark.parametrize("half", [3, 5, 10, 200])
def test_perfect_agreement_is_as_sure_as_wilsons_interval_says(half: int) -> None:
    found = defined(cohen_kappa(table(half, 0, 0, half)))
    # With both classes as common kappa is twice the agreement, less 1.
    assert (found.low, found.high) == pytest.approx((2 * wilson(2 * half, 2 * half)[0] - 1, 1.0))
    assert found.low == pytest.approx((2 * half - Z2) / (2 * half + Z2))
    assert found.n == 2 * half


def test_perfect_agreement_on_a_rare_class_says_little() -> None:
    assert (
        defined(cohen_kappa(table(19, 0, 0, 1))).low
        < 0.3
        < 0.6
        < defined(cohen_kappa(table(10, 0, 0, 10))).low
    )


@pytest.mark.parametrize(
    "pairs", [table(12, 6, 5, 7), table(30, 9, 8, 13), table(50, 4, 3, 2), table(8, 2, 3, 7)]
)
def test_chance_is_ruled_out_just_when_the_test_of_kappa_0_does(pairs: list[tuple[str, str]]) -> None:
    n = len(pairs)
    first = sum(one == "yes" for one, _ in pairs) / n
    second = sum(other == "yes" for _, other in pairs) / n
    chance = first * second + (1 - first) * (1 - second)
    cubes = first * second * (first + second) + (1 - first) * (1 - second) * (2 - first - second)
    error = math.sqrt((chance + chance**2 - cubes) / n) / (1 - chance)  # Fleiss, Cohen and Everitt 1969
    found = defined(cohen_kappa(pairs))
    assert (found.low > 0) == (found.value > math.sqrt(Z2) * error)


pairs_of_scores = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30)


@given(pairs_of_scores, st.sampled_from([None, "linear", "quadratic"]))
def test_it_does_not_matter_who_is_first_or_where_the_scale_starts(pairs: Any, weights: Any) -> None:
    found, swapped = (
        cohen_kappa(pairs, weights=weights),
        cohen_kappa([(b, a) for a, b in pairs], weights=weights),
    )
    moved = cohen_kappa([(10 * a - 7, 10 * b - 7) for a, b in pairs], weights=weights)
    if found is None:
        assert swapped is moved is None
        return
    defined(found)
    for other in (swapped, moved):
        assert other is not None
        assert (other.value, other.low, other.high) == pytest.approx(
            (found.value, found.low, found.high), abs=1e-6
        )


@given(pairs_of_scores)
def test_classes_may_have_any_names(pairs: Any) -> None:
    found = cohen_kappa(pairs)
    renamed = cohen_kappa([(f"class {5 - a}", f"class {5 - b}") for a, b in pairs])
    if found is None:
        assert renamed is None
        return
    other = defined(renamed)
    assert (other.value, other.low) == pytest.approx((found.value, found.low), abs=1e-6)


def test_items_of_a_cluster_that_repeat_each_other_tell_nothing_new() -> None:
    pairs = table(20, 5, 10, 15)
    alone = defined(cohen_kappa(pairs))
    names = list(range(50))
    thrice = defined(cohen_kappa(pairs * 3, clusters=names * 3))
    assert thrice.value == alone.value
    assert thrice.high - thrice.low == pytest.approx(alone.high - alone.low, rel=0.03)
    assert thrice.high - thrice.low >= alone.high - alone.low
    fresh = defined(cohen_kappa(pairs * 3, clusters=list(range(150))))
    assert fresh == cohen_kappa(pairs * 3)
    assert fresh.high - fresh.low < 0.7 * (alone.high - alone.low)


def test_where_all_agree_clusters_are_counted_and_not_items() -> None:
    clusters = [index // 5 for index in range(50)]
    assert defined(cluster_rate([True] * 50, clusters)).low == pytest.approx(wilson(10, 10)[0])
    assert defined(cluster_rate([True] * 50)).low == pytest.approx(wilson(50, 50)[0])
    kappa = defined(cohen_kappa(table(25, 0, 0, 25), clusters=clusters))
    assert kappa.low == pytest.approx(defined(cohen_kappa(table(5, 0, 0, 5))).low)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40))
def test_more_clusters_of_the_same_kind_narrow_a_rate(items: list[tuple[bool, int]]) -> None:
    successes, clusters = [one for one, _ in items], [cluster for _, cluster in items]
    once = defined(cluster_rate(successes, clusters))
    again = defined(cluster_rate(successes * 4, [10 * k + one for k in range(4) for one in clusters]))
    assert again.value == pytest.approx(once.value)
    assert again.high - again.low < once.high - once.low


@given(st.lists(st.integers(0, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=20))
def test_a_rate_of_clusters_is_that_of_their_items(counts: list[tuple[int, int]]) -> None:
    items = [(place < passed, name) for name, (passed, n) in enumerate(counts) for place in range(n)]
    assert rate_of_clusters(counts) == cluster_rate([one for one, _ in items], [name for _, name in items])


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_rate_of_items_that_stand_alone_has_wilsons_interval(case: tuple[int, int]) -> None:
    k, n = case
    successes = [True] * k + [False] * (n - k)
    for clusters in (None, list(range(n))):
        found = defined(cluster_rate(successes, clusters))
        assert (found.low, found.high) == pytest.approx(wilson(k, n))


def test_the_rate_of_agreement_counts_pairs_that_are_whole() -> None:
    found = defined(agreement_rate([(1, 1), (1, 2), (None, 2), (2, 2), (3, None), (0, 0)], clusters="aabbcc"))
    assert (found.value, found.n) == (0.75, 4)
    assert agreement_rate([(None, 1)]) is None


def test_a_mean_of_values_between_the_ends_is_surer_than_a_rate() -> None:
    shares = [0.9, 1.0, 0.8, 0.9] * 10
    mean, rate = defined(bounded_mean(shares)), defined(cluster_rate([True] * 36 + [False] * 4))
    assert mean.value == pytest.approx(rate.value)
    assert mean.high - mean.low < 0.7 * (rate.high - rate.low)
    assert bounded_mean([]) is None
    with pytest.raises(ValueError, match="values are from 0 to 1"):
        bounded_mean([0.5, float("nan")])


@pytest.mark.parametrize(
    ("pairs", "more", "error", "message"),
    [
        (
            [("good", "bad")],
            {"weights": "linear"},
            TypeError,
            "kappa with linear weights needs numbers, found 'good'",
        ),
        ([(1, float("nan"))], {"weights": "quadratic"}, ValueError, "needs finite numbers, found nan"),
        ([(1, 10**400)], {"weights": "linear"}, ValueError, "needs finite numbers, found inf"),
        (
            [(1, 2)],
            {"weights": "cubic"},
            ValueError,
            "None, 'linear', 'quadratic', found 'cubic'",
        ),
        ([(1, 2), (2, 2)], {"clusters": ["a"]}, ValueError, "every item has a cluster: found 1 for 2 items"),
    ],
)
def test_answers_that_cannot_be_are_refused(
    pairs: Any, more: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        cohen_kappa(pairs, **more)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_scores_may_be_as_large_as_numbers_are(weights: Any) -> None:
    plain = defined(cohen_kappa([(0, 0), (1, 1), (1, 0)], weights=weights))
    for low, high in ((2**60, 2**60 + 2**20), (-1.7e308, 1.7e308), (0, 5e-300)):
        large = defined(cohen_kappa([(low, low), (high, high), (high, low)], weights=weights))
        assert large.value == pytest.approx(plain.value)


@pytest.mark.parametrize("in_clusters", [False, True])
@pytest.mark.parametrize(("kappa", "n"), [(0.9, 15), (0.5, 30), (0.0, 30)])
def test_the_interval_holds_the_true_kappa_about_19_times_in_20(
    kappa: float, n: int, in_clusters: bool
) -> None:
    rng = random.Random(8)

    def draw() -> tuple[bool, bool]:
        one = rng.random() < 0.6
        return one, one if rng.random() < kappa else rng.random() < 0.6

    def sample() -> Estimate | None:
        if not in_clusters:
            return cohen_kappa([draw() for _ in range(n)])
        common = [draw() for _ in range(n // 3)]
        pairs = [common[index // 3] if rng.random() < 0.55 else draw() for index in range(n)]
        return cohen_kappa(pairs, clusters=[index // 3 for index in range(n)])

    found = [defined(one) for one in (sample() for _ in range(150)) if one is not None]
    assert len(found) > 140
    assert sum(one.low <= kappa <= one.high for one in found) / len(found) >= 0.9
    assert sum(one.high - one.low for one in found) / len(found) < 1.5


@pytest.mark.parametrize("pairs", [[(1, 1)] * 9 + [(1, 0)], [(1, 1)] * 5 + [(1, 0)] * 5, [(1, 0)] * 6])
def test_chance_agreement_is_never_written_as_minus_zero(pairs: list[tuple[int, int]]) -> None:
    kappa = cohen_kappa(pairs)
    assert kappa is not None
    assert all("-0.00" not in f"{one:.2f}" for one in (kappa.value, kappa.low, kappa.high))
