"""Percentiles over turns: seconds and tokens, alone and against a baseline."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from grice.experiments.attempts import Attempt
from grice.experiments.gates.figure import Figure, count_of, missing
from grice.experiments.gates.kinds import Unit
from grice.experiments.gates.words import amounts
from grice.experiments.gates.worst_case import was_left_out
from grice.records import Outcome
from grice.stats.percentiles import percentile

__all__ = ["p95", "rise"]


def p95(name: str, attempts: Iterable[Attempt], *, unknown: float = inf) -> Figure:
    """The 95th percentile, by nearest rank, of the seconds (`latency_p95`) or tokens (`tokens_p95`) of turns.

    It is of attempts that count and turns that tell. In `worst` the turns that do not tell have the value
    `unknown`. Attempts that do not count are in it with their turns, of which they have at least one.
    """
    what = "times" if name == "latency_p95" else "tokens"
    values: list[float] = []
    others: list[float] = []
    turns = untold = 0
    for one in attempts:
        if one.outcome is Outcome.SKIPPED:
            continue
        told = one.latencies if name == "latency_p95" else one.tokens
        made = max(one.turns, 1 if was_left_out(one) else 0, len(told))
        untold += made - len(told)
        if one.counted:
            turns += made
            values += told
        else:
            others += told
    if not values:
        return missing(f"was never measured: no turn has {what}")
    of = f"{len(values)} of {count_of(turns, 'turn')}" if len(values) < turns else count_of(turns, "turn")
    value = percentile(values, 95)
    found = Figure(value, f" (p95 of {of})")
    whole = percentile([*values, *others, *[unknown] * untold], 95)
    worst = max(value, whole) if unknown else min(value, whole)
    if worst == value:
        return found
    return found._replace(worst=Figure(worst, _condition(untold, len(others), what, unknown)))


def _condition(untold: int, others: int, what: str, unknown: float) -> str:
    """When the worst case is so, in words."""
    parts: list[str] = []
    if others:
        parts.append(f"with the {count_of(others, 'turn')} of attempts that do not count")
    if untold:
        parts.append(f"if the {count_of(untold, 'turn')} without {what} had {'more' if unknown else 'none'}")
    return f" {' and '.join(parts)}"


def rise(name: str, before: Iterable[Attempt], now: Iterable[Attempt]) -> Figure:
    """By which share of it a percentile is more than before; 0.2 is 20 % more."""
    current, baseline = p95(name, now), p95(name, before, unknown=0.0)
    if current.value is None:
        return current
    if not baseline.value:
        why = "is 0, which nothing can be compared with" if baseline.value == 0 else baseline.about
        return missing(f"cannot be compared: the baseline {why}")
    unit: Unit = "seconds" if name == "latency_p95" else "tokens"
    then, now_ = amounts(baseline.value, current.value, unit)
    told = f": {then}{baseline.about} to {now_}{current.about}"
    found = Figure(current.value / baseline.value - 1, told)
    if current.worst is None and baseline.worst is None:
        return found
    most, least = (one.worst or one for one in (current, baseline))
    conditions = [f"now{one.about}" for one in (current.worst,) if one]
    conditions += [f"then{one.about}" for one in (baseline.worst,) if one]
    worst = most.value / least.value - 1 if most.value is not None and least.value else inf
    return found._replace(worst=Figure(worst, f", {' and '.join(conditions)}"))
