"""What a rater is told at the end: how many labels there are, and how far raters agree."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from grice.stats.agreement import agreement_rate, cohen_kappa
from grice.text import visible
from grice.validation.judges.items import Item, Label
from grice.validation.labelling.asked import Asked

__all__ = ["agreement_lines", "measuring_command", "of_question"]

_MOST = 10


def of_question(labels: Sequence[Label], asked: Asked) -> tuple[list[Label], list[Label]]:
    """The labels that answer what is asked, and those of the same criterion when it read differently."""
    same = [one for one in labels if (one.criterion, one.fingerprint, one.question) == asked.key]
    named = [one for one in labels if one.criterion == asked.criterion]
    other = [one for one in named if (one.criterion, one.fingerprint, one.question) != asked.key]
    return same, other


def measuring_command(asked: Asked, out: Path, items: Iterable[Path]) -> str:
    """The command that measures a judge against the labels."""
    sources = [argument for path in items for argument in ("--items", str(path))]
    words = ["grice", "validate", "judge", asked.criterion or "NAME", str(out), *sources]
    return shlex.join(words)


def agreement_lines(labels: Sequence[Label], items: Mapping[str, Item], asked: Asked) -> Iterator[str]:
    """How far every two raters agree on the items that both labelled, a line each."""
    by_rater: dict[str, dict[str, Label]] = {}
    for label in labels:
        if label.item in items:
            by_rater.setdefault(label.rater, {})[label.item] = label
    if len(by_rater) < 2:
        return
    for place, (one, other) in enumerate(combinations(sorted(by_rater), 2)):
        if place == _MOST:
            yield "and other raters"
            return
        yield _agreement(one, other, by_rater, items, asked)


def _agreement(
    one: str,
    other: str,
    by_rater: Mapping[str, Mapping[str, Label]],
    items: Mapping[str, Item],
    asked: Asked,
) -> str:
    who = visible(f"{one or 'somebody unnamed'} and {other or 'somebody unnamed'}", newlines=False)
    both = [name for name in by_rater[one] if name in by_rater[other]]
    pairs = [(by_rater[one][name].value, by_rater[other][name].value) for name in both]
    kept = [place for place, pair in enumerate(pairs) if None not in pair]
    if not kept:
        return f"{who}: no item labelled by both yet"
    told = [pairs[place] for place in kept]
    clusters = [items[both[place]].cluster for place in kept]
    rate = agreement_rate(told, clusters=clusters)
    agreed = sum(first == second for first, second in told)
    share = "" if rate is None else f" ({rate.low:.0%} to {rate.high:.0%})"
    kappa = cohen_kappa(told, clusters=clusters, weights="quadratic" if asked.kind == "score" else None)
    rest = (
        "kappa undefined: one answer only"
        if kappa is None
        else f"kappa {kappa.value:.2f} ({kappa.low:.2f} to {kappa.high:.2f})"
    )
    return f"{who}: same label on {agreed} of {len(kept)}{share}, {rest}"
