"""How much less clustered items say than independent ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def design_effect(
    influences: Sequence[float], telling: Sequence[int], clusters: Sequence[Hashable] | None
) -> float:
    """The factor by which a variance exceeds that of as many independent items; 1 without clusters.

    `influences` say how far each item moves the estimate, around 0. The effect is the sum of squares of the
    clusters' totals over that of the items. It is drawn to the worst case, in which a cluster says no more
    than one of its items, the further the fewer clusters have a `telling` item: where nobody disagrees, or in
    one cluster only, nothing shows how alike the items of a cluster are. Saying an item twice in its cluster
    gains nothing. Raises ValueError where `clusters` are not as many as the items. Source: Kish 1965; Liang
    and Zeger 1986; the worst case counts as one telling cluster, by simulation
    (benchmarks/judge_agreement.py --coverage).
    """
    if clusters is None:
        return 1.0
    _check(clusters, len(influences))
    totals: dict[Hashable, float] = {}
    sizes: dict[Hashable, int] = {}
    heard: set[Hashable] = set()
    for cluster, influence, tells in zip(clusters, influences, telling, strict=True):
        totals[cluster] = totals.get(cluster, 0.0) + influence
        sizes[cluster] = sizes.get(cluster, 0) + 1
        if tells:
            heard.add(cluster)
    count = len(sizes)
    if count == len(clusters):
        return 1.0
    return drawn_effect(
        count,
        worst=sum(size * size for size in sizes.values()) / len(clusters),
        together=sum(one * one for one in totals.values()),
        apart=sum(one * one for one in influences),
        heard=len(heard),
    )


def drawn_effect(count: int, *, worst: float, together: float, apart: float, heard: int) -> float:
    """The effect of `design_effect` from sums over `count` clusters, which are two or more.

    `together` is the sum of squares of the clusters' totals, `apart` that of the items, `worst` the effect in
    the worst case; `heard` clusters have a telling item.
    """
    weight = max(heard - 1, 0)
    if weight == 0 or apart <= 0.0:
        return worst
    seen = together / apart * count / (count - 1)
    return (weight * seen + worst) / (weight + 1)


def of_kept(clusters: Sequence[Hashable] | None, n: int, kept: Sequence[int]) -> list[Hashable] | None:
    """The clusters of those of `n` items that are kept. Raises ValueError where they are not as many."""
    if clusters is None:
        return None
    _check(clusters, n)
    return [clusters[index] for index in kept]


def _check(clusters: Sequence[Hashable], n: int) -> None:
    if len(clusters) != n:
        raise ValueError(f"every item has a cluster: found {len(clusters)} for {n} items")
