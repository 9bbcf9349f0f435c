from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.multiple import holm, page_adjusted

ALMOST = 1e-9
P = st.floats(1e-6, 1)


def closed_testing(p_values: Sequence[float], weights: list[float], edges: list[list[float]]) -> list[float]:
    """By definition: a hypothesis is as true as the truest weighted Bonferroni test of a set that has it.

    The weights of a set come from the graph, of which the others are removed one by one.
    """
    every = range(len(p_values))
    adjusted = [0.0] * len(p_values)
    for size in range(1, len(p_values) + 1):
        for kept in combinations(every, size):
            left = weights_of(kept, weights, edges)
            p = min(1.0, *(p_values[one] / left[one] for one in kept if left[one] > 0))
            for one in kept:
                adjusted[one] = max(adjusted[one], p)
    return adjusted


def weights_of(kept: tuple[int, ...], weights: list[float], edges: list[list[float]]) -> list[float]:
    """Algorithm 1 of Bretz et al. 2009."""
    weights, edges = [*weights], [[*row] for row in edges]
    left = list(range(len(weights)))
    for gone in [one for one in left if one not in kept]:
        left.remove(gone)
        for one in left:
            weights[one] += weights[gone] * edges[gone][one]
        edges = [
            [
                (edges[one][other] + edges[one][gone] * edges[gone][other])
                / (1 - edges[one][gone] * edges[gone][one])
                if one != other and {one, other} <= {*left}
                else 0.0
                for other in range(len(weights))
            ]
            for one in range(len(weights))
        ]
    return weights


def page_graph(others: int, share: float) -> tuple[list[float], list[list[float]]]:
    weights = [share, *[(1 - share) / others] * others]
    edges = [[0.0] * (others + 1) for _ in range(others + 1)]
    for one in range(1, others + 1):
        edges[0][one] = 1 / others
        edges[one][0] = 1.0 if others == 1 else ALMOST
        for other in range(1, others + 1):
            if one != other:
                edges[one][other] = (1 - ALMOST) / (others - 1)
    return weights, edges


@given(P, st.lists(P, min_size=1, max_size=5), st.sampled_from([0.2, 0.5, 0.6, 0.9]))
def test_a_page_is_the_closed_test_of_its_graph(primary: float, others: list[float], share: float) -> None:
    expected = closed_testing([primary, *others], *page_graph(len(others), share))
    first, rest = page_adjusted(primary, others, share=share)
    assert [first, *rest] == pytest.approx(expected, rel=1e-5)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.4]) == [0.8, 0.8]
    assert holm([]) == []


@pytest.mark.parametrize(
    ("primary", "others", "adjusted"),
    [
        # The primary is tested at 3 % and the two others at 1 % each. It is shown just so.
        (0.03, [0.2, 0.3], [0.05, 0.4, 0.4]),
        # It is not at 3 %; when both others are shown, it has all 5 %.
        (0.04, [0.001, 0.02], [0.05, 0.005, 0.05]),
        # It passes its part on: 0.02 is not shown at 1 %, but at 2.5 %.
        (0.001, [0.02, 0.9], [0.001 / 0.6, 0.04, 0.9]),
    ],
)
def test_a_page_by_hand(primary: float, others: list[float], adjusted: list[float]) -> None:
    first, rest = page_adjusted(primary, others)
    assert [first, *rest] == pytest.approx(adjusted)


def test_what_is_missing_takes_no_part() -> None:
    assert page_adjusted(0.04, []) == (0.04, [])
    assert page_adjusted(0.04, [None]) == (0.04, [None])
    assert page_adjusted(None, [0.02, None, 0.01]) == (None, [0.02, None, 0.02])
    assert page_adjusted(None, []) == (None, [])
    assert holm([None, 0.04]) == [None, 0.04]


def test_where_nothing_differs_all_is_1() -> None:
    assert page_adjusted(1.0, [1.0, 1.0]) == (1.0, [1.0, 1.0])


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_p_values_are_probabilities(bad: float) -> None:
    with pytest.raises(ValueError, match="a p-value is from 0 to 1, found"):
        page_adjusted(0.1, [0.2, bad])
    with pytest.raises(ValueError, match="a p-value is from 0 to 1, found"):
        page_adjusted(bad, [])


@pytest.mark.parametrize("share", [0, 1, -1])
def test_the_primary_has_a_share_and_leaves_one(share: float) -> None:
    with pytest.raises(ValueError, match="share is between 0 and 1"):
        page_adjusted(0.1, [0.2], share=share)
