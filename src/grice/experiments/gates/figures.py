"""What gates look at: one figure of an experiment, with its interval, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.kinds import BUNDLES, LAYERS, BundleGate
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.stats.agreement import cluster_rate
from grice.stats.passing import flaky
from grice.stats.percentiles import percentile
from grice.text import did_you_mean

__all__ = ["Figure", "figure_of", "missing", "p95"]


class Figure(NamedTuple):
    """A figure in its unit, None where it is missing.

    `about` are the words behind it, as ` (39/47)`, or those on why there is none. `low` and `high` are its
    95 % interval, None where it has none.
    """

    value: float | None
    about: str
    low: float | None = None
    high: float | None = None


def missing(why: str) -> Figure:
    """No figure, and why."""
    return Figure(None, why)


def figure_of(name: str, results: ExperimentResults) -> Figure:
    """The figure of the gate of that name, of this experiment alone.

    It is of attempts that count. Where more was left out than measured (checks that broke, turns without a
    time) it is missing: what the rest would have given is not known.
    """
    first, _, rest = name.partition(".")
    if first in BUNDLES:
        return _of_bundle(first, BUNDLES[first][rest], results)
    if first == "judges":
        return _points(rest, results)
    return _of_checks(first, rest, results) if rest else _SINGLE[first](results)


# -- rates


def _completion(results: ExperimentResults) -> Figure:
    counted = results.counted
    left_out = sum(not one.counted and one.outcome is not Outcome.SKIPPED for one in results.attempts)
    if left_out > len(counted):
        return missing(f"is not known: {left_out} conversations do not count, and {len(counted)} do")
    if not counted:
        return missing("was never measured: no conversation counts")
    return _rate([(one.id, int(one.passed), 1) for one in counted])


def _evaluation(results: ExperimentResults) -> Figure:
    return _share_of(
        results, lambda tally: tally.mode == "soft", "was never measured: there is no soft check"
    )


def _of_checks(table: str, name: str, results: ExperimentResults) -> Figure:
    """The share of checks of a criterion, a layer or a matcher that hold."""
    if table == "layers":
        layer = LAYERS.index(name)
        return _share_of(results, lambda tally: tally.layer == layer, "was never checked")
    field = "criterion" if table == "criteria" else "matcher"
    known = {getattr(tally, field) for one in results.attempts for tally in one.checks}
    verb = "judged" if table == "criteria" else "checked"
    never = f"was never {verb}{did_you_mean(name, sorted(known - {''}))}"
    return _share_of(results, lambda tally: getattr(tally, field) == name, never)


def _share_of(results: ExperimentResults, wanted: Callable[[CheckTally], bool], never: str) -> Figure:
    """The share of the wanted checks that hold, of those that gave an answer."""
    outcomes: Counter[str] = Counter()
    rows: list[tuple[str, int, int]] = []
    for attempt in results.attempts:
        if attempt.outcome is Outcome.SKIPPED:
            continue
        own = _outcomes(attempt, wanted)
        if attempt.counted:
            outcomes += own
            rows += [(attempt.id, own["pass"], own["pass"] + own["fail"])]
        else:
            outcomes["error"] += own["error"]
    if not any(total for _, _, total in rows):
        return missing(_nothing(outcomes, never))
    if outcomes["error"] > outcomes["pass"] + outcomes["fail"]:
        return missing(f"is not known: {_count(outcomes['error'], 'check')} broke, more than gave an answer")
    return _rate(rows, _unanswered(outcomes))


def _outcomes(attempt: Attempt, wanted: Callable[[CheckTally], bool]) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    for tally in attempt.checks:
        if wanted(tally):
            outcomes[tally.outcome] += tally.times
    return outcomes


def _nothing(outcomes: Mapping[str, int], never: str) -> str:
    """Why there is no answer, in words."""
    known = {name: outcomes[name] for name in ("error", "inconclusive", "skipped") if outcomes.get(name)}
    if not known:
        return never
    said = [f"{_count(number, 'check')} {_ENDED[name]}" for name, number in known.items()]
    return f"has no answer: {', '.join(said)}"


_ENDED = {"error": "broke", "inconclusive": "could not tell", "skipped": "did not apply"}


def _unanswered(outcomes: Mapping[str, int]) -> str:
    number = outcomes["inconclusive"] + outcomes["error"]
    return f"{number} without an answer" if number else ""


def _rate(rows: Iterable[tuple[str, int, int]], also: str = "") -> Figure:
    """A rate from (scenario, passed, all), with an interval that knows that repeats are alike."""
    passes: list[bool] = []
    scenarios: list[str] = []
    for scenario, passed, total in rows:
        passes += [True] * passed + [False] * (total - passed)
        scenarios += [scenario] * total
    estimate = cluster_rate(passes, scenarios)
    if estimate is None:
        return missing("was never measured")
    counts = "; ".join(filter(None, [f"{sum(passes)}/{len(passes)}", also]))
    return Figure(estimate.value, f" ({counts})", estimate.low, estimate.high)


# -- bundles and judges


def _of_bundle(bundle: str, gate: BundleGate, results: ExperimentResults) -> Figure:
    """The figure of a row of a bundle: of `to_meet` with it, and of its matchers outside bundles."""

    def wanted(tally: CheckTally) -> bool:
        if tally.bundle:
            return tally.bundle == bundle and tally.criterion in gate.rows
        return tally.matcher in gate.matchers

    if gate.kind.unit == "share":
        return _share_of(
            results, wanted, f"was never checked: no to_meet({bundle}), no {_listed(gate.matchers)}"
        )
    scores: list[float] = []
    for attempt in results.counted:
        rows = attempt.bundle_scores.get(bundle, {})
        scores += [score for row in gate.rows for score in rows.get(row, ())]
        scores += [score for matcher in gate.matchers for score in attempt.scores.get(matcher, ())]
    return _median(scores, results, wanted, f"was never judged: no to_meet({bundle}), no {gate.matchers[0]}")


def _points(name: str, results: ExperimentResults) -> Figure:
    """The median of the points of a judge, by criterion or matcher; a row of a bundle has its name too."""
    names = _JUDGES.get(name, (name,))
    scores: list[float] = []
    known: set[str] = set()
    for attempt in results.counted:
        known |= set(attempt.scores)
        for one in names:
            scores += attempt.scores.get(one, ())

    def wanted(tally: CheckTally) -> bool:
        return tally.criterion in names or tally.matcher in names

    hint = did_you_mean(name, sorted(known | set(_JUDGES)))
    return _median(scores, results, wanted, f"was never judged{hint}")


_JUDGES = {
    "naturalness": ("naturalness", "toSoundNatural"),
    "guidance": ("guidance", "toGuideUser"),
    "context_use": ("context_use", "context use", "toUseContext"),
}
"""The judges of seed 001, by the names of their prompts, and what their points are kept under."""


def _median(
    scores: Sequence[float], results: ExperimentResults, wanted: Callable[[CheckTally], bool], never: str
) -> Figure:
    outcomes: Counter[str] = Counter()
    for attempt in results.attempts:
        outcomes += _outcomes(attempt, wanted)
    if not scores:
        return missing(_nothing(outcomes, never))
    if outcomes["error"] > len(scores):
        return missing(f"is not known: {_count(outcomes['error'], 'judgement')} broke, {len(scores)} did not")
    return Figure(median(scores), f" (median of {_count(len(scores), 'score')})")


# -- counts


def _scenarios(results: ExperimentResults) -> Figure:
    number = len({one.id for one in results.counted})
    return Figure(number, " scenario" if number == 1 else " scenarios")


def _flakiness(results: ExperimentResults) -> Figure:
    shares = results.summary.attempts.values()
    found = flaky([(one.passed, one.total) for one in shares])
    if found is None:
        return missing("was never measured: no scenario was run more than once (--repeat)")
    counts = f"{found.successes}/{found.n} scenarios pass now and then"
    return Figure(found.value, f" ({counts})", found.low, found.high)


def _clarifier_efficiency(results: ExperimentResults) -> Figure:
    told = [one for attempt in results.counted for one in attempt.clarifying]
    rounds = sum(count for _, count in told)
    if not rounds:
        return missing("was never measured: no check toClarifyEfficiently found a round")
    value = sum(mean * count for mean, count in told) / rounds
    return Figure(value, f" (mean of {_count(rounds, 'round')})")


def _uncalibrated(results: ExperimentResults) -> Figure:
    if not results.counted:
        return missing("was never measured: no conversation counts")
    number = results.summary.uncalibrated
    return Figure(number, f" hard verdict{'' if number == 1 else 's'} by judges without a card")


def _not_counted(results: ExperimentResults) -> Figure:
    held = [one for one in results.attempts if one.outcome is not Outcome.SKIPPED]
    left_out = sum(not one.counted for one in held)
    return _plain_share(left_out, len(held), "conversations do not count", "nothing was held")


def _no_answer(results: ExperimentResults) -> Figure:
    outcomes: Counter[str] = Counter()
    for attempt in results.attempts:
        outcomes += _outcomes(attempt, lambda _: True)
    number = outcomes["inconclusive"] + outcomes["error"]
    total = number + outcomes["pass"] + outcomes["fail"]
    return _plain_share(number, total, "checks gave no answer", "nothing was checked")


def _plain_share(part: int, whole: int, what: str, never: str) -> Figure:
    if not whole:
        return missing(f"was never measured: {never}")
    return Figure(part / whole, f" ({part}/{whole} {what})")


def _latency(results: ExperimentResults) -> Figure:
    return p95("latency_p95", results)


def _tokens(results: ExperimentResults) -> Figure:
    return p95("tokens_p95", results)


def p95(name: str, results: ExperimentResults) -> Figure:
    """The 95th percentile, by nearest rank, of the seconds or tokens (`tokens_p95`) of turns that tell."""
    is_latency = name == "latency_p95"
    turns = sum(one.turns for one in results.counted)
    values: list[float] = []
    for one in results.counted:
        values += one.latencies if is_latency else one.tokens
    what = "times" if is_latency else "tokens"
    if not values:
        return missing(f"was never measured: no turn has {what}")
    if 2 * len(values) < turns:
        return missing(f"is not known: {len(values)} of {turns} turns have {what}")
    told = f"{len(values)} of {_count(turns, 'turn')}" if len(values) < turns else _count(len(values), "turn")
    return Figure(percentile(values, 95), f" (p95 of {told})")


_SINGLE: Mapping[str, Callable[[ExperimentResults], Figure]] = {
    "completion": _completion,
    "evaluation": _evaluation,
    "scenarios": _scenarios,
    "clarifier_efficiency": _clarifier_efficiency,
    "flakiness": _flakiness,
    "latency_p95": _latency,
    "tokens_p95": _tokens,
    "uncalibrated": _uncalibrated,
    "not_counted": _not_counted,
    "unanswered": _no_answer,
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"
