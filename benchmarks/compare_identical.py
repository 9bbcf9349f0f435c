"""How often `compare` says "improved", "regressed" or "mixed" where nothing changed.

Pairs are drawn from one population: 50 scenarios of different difficulty, each simulated once, or three
times, by both sides; five criteria that are asked two to four times a conversation, with answers that are
alike within it. In the third design the current side lost repeats, most of them where the scenario is hard.
The bar is 6.5 % of 1,000 pairs: 5 % and two standard errors. Seeded.

    python benchmarks/compare_identical.py [PAIRS]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.running.journal.experiment import Experiment
from grice.stats.intervals import wilson

SCENARIOS = 50
CRITERIA = {"grounded": 0.1, "helpful": 0.25, "friendly": 0.4, "concise": 0.15, "complete": 0.2}
"""How much easier each is than the scenario."""
BAR = 0.065

Drawn = list[tuple[float, float]]
"""Of each scenario, how likely an attempt passes, and how likely a soft check does."""


def main() -> int:
    """Print the share of false alarms for both designs; the exit code says whether the bar holds."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{pairs} identical pairs of {SCENARIOS} scenarios, {len(CRITERIA)} criteria; bar {BAR:.1%}")
    missed = [_missed(pairs, repeats, lost) for repeats, lost in ((1, 0.0), (3, 0.0), (3, 0.8))]
    return 1 if any(missed) else 0


def _missed(pairs: int, repeats: int, lost: float) -> bool:
    rng = random.Random(f"identical {repeats} {lost}")
    conclusions: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    started = time.perf_counter()
    for _ in range(pairs):
        scenarios = _scenarios(rng)
        before = _experiment("a", rng, scenarios, repeats)
        found = compare(before, _experiment("b", rng, scenarios, repeats, lost))
        conclusions[found.conclusion] += 1
        alarms.update(one.name for one in found.measures if one.decision in ("improved", "regressed"))
    seconds = time.perf_counter() - started
    design = f"{repeats} {'repeat' if repeats == 1 else 'repeats'}{', some lost' if lost else ''}"
    false = pairs - conclusions["no difference shown"]
    low, high = wilson(false, pairs)
    print(
        f"{design}: {false / pairs:.1%} false alarms "
        f"({low:.1%} to {high:.1%}), {dict(conclusions)}, by measure {dict(alarms)}, "
        f"{1000 * seconds / pairs:.0f} ms a pair"
    )
    return false / pairs > BAR


def _scenarios(rng: random.Random) -> Drawn:
    return [(rng.betavariate(2.0, 1.5), rng.betavariate(3.0, 1.5)) for _ in range(SCENARIOS)]


def _experiment(
    name: str, rng: random.Random, scenarios: Drawn, repeats: int, lost: float = 0.0
) -> ExperimentResults:
    """With `lost` a repeat after the first is lost as often as this part of how hard the scenario is."""
    drawn = _attempts(rng, scenarios, repeats)
    attempts = tuple(
        one for one in drawn if one.repeat == 1 or rng.random() >= lost * (1 - scenarios[int(one.key[1:])][0])
    )
    head = Experiment(f"exp_{name}", "2026-11-20T10:00:00.000Z", planned=len(attempts))
    return ExperimentResults((head,), attempts)


def _attempts(rng: random.Random, scenarios: Drawn, repeats: int) -> Iterator[Attempt]:
    for number, (passes, quality) in enumerate(scenarios):
        for repeat in range(1, repeats + 1):
            passed = rng.random() < passes
            yield Attempt(
                f"example:{number}",
                f"s{number}",
                Outcome.PASS if passed else Outcome.FAIL,
                failure="none" if passed else "assertion",
                repeat=repeat,
                turns=rng.randint(3, 12),
                simulated=True,
                checks=tuple(_checks(rng, quality)),
            )


def _checks(rng: random.Random, quality: float) -> Iterator[CheckTally]:
    mood = rng.gauss(0.0, 0.15)
    for name, easier in CRITERIA.items():
        asked = rng.randint(2, 4)
        passed = sum(rng.random() < quality + easier / 2 + mood for _ in range(asked))
        for outcome, times in (("pass", passed), ("fail", asked - passed)):
            if times:
                yield CheckTally("toSatisfy", "soft", outcome, times, name)


if __name__ == "__main__":
    sys.exit(main())
