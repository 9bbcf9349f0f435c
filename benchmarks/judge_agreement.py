"""A study, no benchmark: how far people agree with each other, and recorded judges with people.

Three people chose the better of two replies (PandaLM); six models chose it in both orders (LLMBar). Prints
Markdown tables with 95 % intervals. `--coverage [SAMPLES]` prints how often those intervals hold the true
value, by simulation (some minutes for 400 samples). Data: /work/shared/data or the folder in GRICE_DATA; a
set that is not there is left out.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from grice.stats.agreement import agreement_rate, cohen_kappa, krippendorff_alpha
from grice.stats.bias import paired_difference, position_bias
from grice.stats.estimates import Estimate

DATA = Path(os.environ.get("GRICE_DATA", "/work/shared/data"))
COVERAGE = Path(__file__).with_name("agreement_coverage.py")


def labels_of(name: str) -> list[dict[str, Any]]:
    """The labels of every row of a data set; none where it is not there."""
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        print(f"{path} is not there: left out")
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["labels"] for line in lines]


def shown(found: Estimate | None) -> str:
    """An estimate as in `0.62 (0.56 to 0.68)`."""
    return "undefined" if found is None else f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


def people() -> Iterator[tuple[str, str, str]]:
    """How far the three raters agree: what, the figure, and the number of items."""
    rows = [row["annotators"] for row in labels_of("judge_pairs_three_raters")]
    if not rows:
        return
    alpha = krippendorff_alpha([dict(enumerate(row)) for row in rows])
    yield "all three, Krippendorff's alpha", shown(alpha), str(len(rows))
    for one, other in combinations(range(len(rows[0])), 2):
        pairs = [(row[one], row[other]) for row in rows]
        yield f"raters {one + 1} and {other + 1}, Cohen's kappa", shown(cohen_kappa(pairs)), str(len(pairs))
        yield f"raters {one + 1} and {other + 1}, agreement", shown(agreement_rate(pairs)), str(len(pairs))


def judges() -> Iterator[tuple[str, ...]]:
    """Each judge and strategy against gold, in both orders; the two answers to a pair are a cluster."""
    rows = labels_of("judge_verdicts_both_orders")
    for judge, strategy in sorted({(row["judge"], row["strategy"]) for row in rows}):
        own = [row for row in rows if (row["judge"], row["strategy"]) == (judge, strategy)]
        yield judge, strategy, str(len(own)), *map(shown, _figures(own))


def _figures(rows: list[dict[str, Any]]) -> Iterator[Estimate | None]:
    answers = [(row["gold"], row[order]) for row in rows for order in ("verdict", "verdict_swapped")]
    pairs = [index for index in range(len(rows)) for _ in range(2)]
    yield agreement_rate(answers, clusters=pairs)
    yield cohen_kappa(answers, clusters=pairs)
    order = position_bias([(row["verdict"], row["verdict_swapped"]) for row in rows])
    yield None if order is None else order.changed
    yield None if order is None else order.first
    longer = ["1" if len(row["output_1"]) > len(row["output_2"]) else "2" for row in rows for _ in range(2)]
    gaps = [(own == long) - (gold == long) for (gold, own), long in zip(answers, longer, strict=True)]
    yield paired_difference(gaps, pairs)


def print_table(heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    """A Markdown table."""
    heads = list(heads)
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_times() -> None:
    """How long the estimates take for 1,000 items."""
    pairs = [(index % 5, index * 7 % 11 % 5) for index in range(1000)]
    units = [{rater: (index * rater) % 7 % 5 for rater in (1, 2, 3)} for index in range(1000)]
    clusters = [index // 5 for index in range(1000)]
    started = time.perf_counter()
    cohen_kappa(pairs, clusters=clusters, weights="quadratic")
    between = time.perf_counter()
    krippendorff_alpha(units, clusters=clusters, level="ordinal")
    ended = time.perf_counter()
    kappa, alpha = (between - started) * 1000, (ended - between) * 1000
    print(f"1,000 items in clusters: kappa {kappa:.1f} ms, alpha of three raters {alpha:.1f} ms")


def main(arguments: list[str]) -> None:
    """Print the tables, or with `--coverage` the simulation."""
    if arguments[:1] == ["--coverage"]:
        sys.argv = [str(COVERAGE), *arguments[1:]]
        runpy.run_path(str(COVERAGE), run_name="__main__")
        return
    print_table(("people", "95 % interval", "items"), people())
    print_table(
        (
            "judge",
            "strategy",
            "pairs",
            "agrees with gold",
            "kappa",
            "changes with the order",
            "prefers the first",
            "prefers the longer",
        ),
        judges(),
    )
    print_times()


if __name__ == "__main__":
    main(sys.argv[1:])
