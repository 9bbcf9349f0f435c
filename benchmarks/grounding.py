"""How often the evidence check agrees with people on whether a reply is grounded in its evidence.

Reads the rated replies of `/work/shared/data/grounding_dialogue.jsonl` (or of the file given): q-squared,
DialFact and FaithDial. For each source it gives, beside the rule of profile `seed` and plain overlap of
content words, the MCC of `detail["support"]` from 0.5 on, as for the overlap, and its AUC; the MCC of the
outcome where it is pass or fail, beside that of the overlap on the same replies; and how far `support` is
ahead of the overlap, with the middle 95 % of that difference over 500 draws of the replies. Writes
`docs/_measured/grounding.json` with `--write`.

    python benchmarks/grounding.py [FILE] [--write] [--limit N]
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from grice.checks.evidence.support import be_supported_by, seed_supports
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Verdict
from grice.text.words import content_words, stem

DATA = Path("/work/shared/data/grounding_dialogue.jsonl")
MEASURED = Path(__file__).parent.parent / "docs" / "_measured" / "grounding.json"
GROUNDED = 0.5
"""The score from which a reply counts as grounded."""

DRAWS, SEED = 500, 21
NOTHING_CLAIMED = 0.5
"""The score of a reply that claims nothing: it says neither."""


def verdict_on(reply: str, evidence: str) -> Verdict:
    """The verdict of the evidence check, robust profile."""
    seen = resolve_subject(reply)
    return judge(be_supported_by(evidence, language="en"), seen.subject, seen.context)


def overlap(reply: str, evidence: str) -> float:
    """The share of the reply's content words that the evidence has."""
    said = {stem(word.text) for word in content_words(reply)}
    known = {stem(word.text) for word in content_words(evidence)}
    return len(said & known) / len(said) if said else 0.0


def score_of(verdict: Verdict) -> float:
    """How much the verdict speaks for a reply, from 0 to 1."""
    share = verdict.detail.get("support")
    return float(share) if isinstance(share, int | float) else NOTHING_CLAIMED


def mcc(predicted: Sequence[bool], true: Sequence[bool]) -> float:
    """Matthews correlation; 0 where one side is constant."""
    counts: dict[tuple[bool, bool], int] = defaultdict(int)
    for one, other in zip(predicted, true, strict=True):
        counts[one, other] += 1
    tp, tn, fp, fn = counts[True, True], counts[False, False], counts[True, False], counts[False, True]
    below = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return (tp * tn - fp * fn) / below if below else 0.0


def auc(scores: Sequence[float], true: Sequence[bool]) -> float:
    """The chance that a grounded reply scores above another one; ties count half."""
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    ranks = [0.0] * len(scores)
    place = 0
    while place < len(order):
        end = place
        while end + 1 < len(order) and scores[order[end + 1]] == scores[order[place]]:
            end += 1
        for one in order[place : end + 1]:
            ranks[one] = (place + end) / 2 + 1
        place = end + 1
    good = sum(true)
    total = sum(rank for rank, one in zip(ranks, true, strict=True) if one)
    return (total - good * (good + 1) / 2) / (good * (len(true) - good))


def ahead(scores: Sequence[float], overlaps: Sequence[float], true: Sequence[bool]) -> dict[str, list[float]]:
    """How far scores are ahead of overlaps in MCC and AUC, and the middle 95 % of that over draws of the
    replies.
    """
    draw = random.Random(SEED)
    differences: dict[str, list[float]] = {"mcc": [], "auc": []}
    places = list(range(len(true)))
    for number in range(DRAWS + 1):
        drawn = places if number == 0 else draw.choices(places, k=len(places))
        mine, theirs = ([some[one] for one in drawn] for some in (scores, overlaps))
        right = [true[one] for one in drawn]
        differences["auc"].append(auc(mine, right) - auc(theirs, right))
        grounded = [mcc([one >= GROUNDED for one in some], right) for some in (mine, theirs)]
        differences["mcc"].append(grounded[0] - grounded[1])
    found: dict[str, list[float]] = {}
    for name, (own, *drawn_) in differences.items():
        ordered = sorted(drawn_)
        low, high = ordered[DRAWS // 40], ordered[-1 - DRAWS // 40]
        found[name] = [round(one, 3) for one in (own, low, high)]
    return found


def measured(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of one source."""
    true = [bool(row["labels"]["grounded"]) for row in rows]
    pairs = [(row["messages"][-1]["content"], row["labels"]["evidence"]) for row in rows]
    started = time.perf_counter()
    verdicts = [verdict_on(*pair) for pair in pairs]
    spent = time.perf_counter() - started
    outcomes: dict[str, int] = defaultdict(int)
    for verdict in verdicts:
        outcomes[verdict.outcome.value] += 1
    told = [place for place, verdict in enumerate(verdicts) if verdict.outcome.value in ("pass", "fail")]
    passes = [verdict.outcome.value == "pass" for verdict in verdicts]
    seed = [seed_supports(*pair) for pair in pairs]
    overlaps = [overlap(*pair) for pair in pairs]
    scores = [score_of(one) for one in verdicts]
    figure: Callable[[float], float] = lambda value: round(value, 3)  # noqa: E731
    return {
        "replies": len(rows),
        "grounded": sum(true),
        "outcomes": dict(sorted(outcomes.items())),
        "robust": {
            "mcc": figure(mcc([one >= GROUNDED for one in scores], true)),
            "mcc_where_told": figure(mcc([passes[one] for one in told], [true[one] for one in told])),
            "auc": figure(auc(scores, true)),
        },
        "seed": {"mcc": figure(mcc(seed, true)), "auc": figure(auc([float(one) for one in seed], true))},
        "overlap": {
            "mcc": figure(mcc([one >= GROUNDED for one in overlaps], true)),
            "mcc_where_told": figure(
                mcc([overlaps[one] >= GROUNDED for one in told], [true[one] for one in told])
            ),
            "auc": figure(auc(overlaps, true)),
        },
        "ahead": ahead(scores, overlaps, true),
        "ms_per_reply": figure(spent / len(rows) * 1000),
    }


def main() -> None:
    """Print the figures of every source, and write them when asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--limit", type=int, default=None)
    options = parser.parse_args()
    by_source: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in options.file.read_text().splitlines():
        row = json.loads(line)
        by_source[row["source"]].append(row)
    figures = {source: measured(rows[: options.limit]) for source, rows in by_source.items()}
    text = json.dumps({"version": 1, "data": options.file.name, "sources": figures}, indent=2)
    print(text)
    if options.write:
        MEASURED.parent.mkdir(parents=True, exist_ok=True)
        MEASURED.write_text(text + "\n")


if __name__ == "__main__":
    main()
