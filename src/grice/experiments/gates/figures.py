"""What gates look at: one figure of an experiment, with what is missing of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.gate_kinds import BUNDLES, JUDGES, LAYERS, BundleGate
from grice.records import Outcome
from grice.stats.agreement import cluster_rate
from grice.stats.pass_k import flaky
from grice.stats.percentiles import percentile
from grice.text import did_you_mean, plural


class Figure(NamedTuple):
    """A figure in its unit, None where nothing was measured.

    `about` are the words behind it, as ` (39/47)`, or those on why there is none. `low` and `high` are its
    95 % interval, None where it has none. `missing` counts what gave no answer, `of` what was to be measured,
    that included. `applies` is false where everything was skipped.
    """

    value: float | None
    about: str
    low: float | None = None
    high: float | None = None
    missing: int = 0
    of: int = 0
    applies: bool = True


def nothing(why: str, missing: int = 0) -> Figure:
    """No figure, and why."""
    return Figure(None, why, missing=missing, of=missing)


def figure_of(name: str, attempts: Iterable[Attempt]) -> Figure:
    """The figure of the gate of that name, of these attempts alone.

    It is of attempts that count and of checks that passed or failed. Missing is what is recorded and gave no
    answer: checks that could not tell or broke, and those of attempts that do not count. What was skipped is
    not missing.
    """
    held = [one for one in attempts if one.outcome is not Outcome.SKIPPED]
    first, _, rest = name.partition(".")
    if first in BUNDLES:
        return _of_bundle(first, BUNDLES[first][rest], held)
    if first == "judges":
        return _of_judge(rest, held)
    return _of_checks(first, rest, held) if rest else _SINGLE[first](held)


Held = Sequence[Attempt]
"""Attempts that were not skipped."""

Wanted = Callable[[CheckTally], bool]
"""Whether a gate is on these checks."""


def _counted(held: Held) -> list[Attempt]:
    return [one for one in held if one.counted]


# -- rates


def _completion(held: Held) -> Figure:
    counted = _counted(held)
    told = [one for one in counted if one.outcome is not Outcome.INCONCLUSIVE]
    missing = len(held) - len(told)
    if counted and all(one.unchecked for one in counted):
        return nothing("was never checked: no conversation has a hard check", missing)
    if not told:
        return nothing("was never measured: no conversation counts and could be told", missing)
    unchecked = sum(one.unchecked for one in told)
    aside = f"; {unchecked:,} without a hard check" if unchecked else ""
    return _rate([(one.id, int(one.passed), 1) for one in told], missing, aside)


def _evaluation(held: Held) -> Figure:
    return _share(held, lambda tally: tally.mode == "soft", "was never measured: there is no soft check")


def _of_checks(table: str, name: str, held: Held) -> Figure:
    """The share of checks of a criterion, a layer or a matcher that hold."""
    if table == "layers":
        layer = LAYERS.index(name)
        return _share(held, lambda tally: tally.layer == layer, "was never checked")

    def named(tally: CheckTally) -> str:
        return tally.criterion if table == "criteria" else python_matcher(tally.matcher)

    known = {named(tally) for one in held for tally in one.checks}
    verb = "judged" if table == "criteria" else "checked"
    never = f"was never {verb}{did_you_mean(name, sorted(known - {'', name}))}"
    return _share(held, lambda tally: named(tally) == name, never)


def _share(held: Held, wanted: Wanted, never: str) -> Figure:
    """The share of the wanted checks that hold, of those that gave an answer."""
    outcomes = _outcomes(held, wanted)
    missing = _unanswered(outcomes)
    if not outcomes["pass"] + outcomes["fail"]:
        return _no_answer(outcomes, never)
    rows = []
    for one in _counted(held):
        own = _outcomes((one,), wanted)
        rows.append((one.id, own["pass"], own["pass"] + own["fail"]))
    return _rate(rows, missing)


_NO_ANSWER = {
    "error": "broke",
    "inconclusive": "could not tell",
    "uncounted": "in a conversation that does not count",
}
"""What is missing of checks, in words."""


def _outcomes(held: Iterable[Attempt], wanted: Wanted) -> Counter[str]:
    """How many checks had which outcome; an answer in a conversation that does not count is `uncounted`."""
    found: Counter[str] = Counter()
    for one in held:
        for tally in one.checks:
            if wanted(tally):
                lost = not one.counted and tally.outcome in ("pass", "fail")
                found["uncounted" if lost else tally.outcome] += tally.times
    return found


def _unanswered(outcomes: Mapping[str, int]) -> int:
    return sum(outcomes.get(name, 0) for name in _NO_ANSWER)


def _no_answer(outcomes: Mapping[str, int], never: str) -> Figure:
    """No figure of checks, and why: they were never made, were all skipped, or are all missing."""
    said = [
        f"{plural(outcomes[name], 'check')} {words}"
        for name, words in _NO_ANSWER.items()
        if outcomes.get(name)
    ]
    if said:
        return nothing(f"has no answer: {', '.join(said)}", _unanswered(outcomes))
    if skipped := outcomes.get("skipped", 0):
        return Figure(None, f"does not apply: {plural(skipped, 'check')} skipped", applies=False)
    return nothing(never)


def _rate(rows: Iterable[tuple[str, int, int]], missing: int, aside: str = "") -> Figure:
    """A rate from (scenario, passed, all), with an interval that knows that repeats are alike."""
    passes: list[bool] = []
    scenarios: list[str] = []
    for scenario, passed, total in rows:
        passes += [True] * passed + [False] * (total - passed)
        scenarios += [scenario] * total
    estimate = cluster_rate(passes, scenarios)
    if estimate is None:
        return nothing("was never measured", missing)
    of = len(passes)
    about = f" ({sum(passes):,}/{of:,}{aside})"
    return Figure(estimate.value, about, estimate.low, estimate.high, missing, of + missing)


# -- bundles and judges


def _of_bundle(bundle: str, gate: BundleGate, held: Held) -> Figure:
    """The figure of a row of a bundle: of `to_meet` with it, and of its matchers outside bundles."""
    outside = _points_of(gate.matchers) if gate.kind.unit == "points" else _made_by(gate.matchers)

    def wanted(tally: CheckTally) -> bool:
        if tally.bundle:
            return tally.bundle == bundle and tally.criterion in gate.rows
        return outside(tally)

    nowhere = f"no meet({bundle}), no {_listed([python_matcher(one) for one in gate.matchers])}"
    if gate.kind.unit == "share":
        return _share(held, wanted, f"was never checked: {nowhere}")

    def scores(attempt: Attempt) -> list[float]:
        rows = attempt.bundle_scores.get(bundle, {})
        found = [score for row in gate.rows for score in rows.get(row, ())]
        return [*found, *(score for matcher in gate.matchers for score in attempt.scores.get(matcher, ()))]

    return _median(held, scores, wanted, f"was never judged: {nowhere}")


def _of_judge(name: str, held: Held) -> Figure:
    """The median of the points of a judge, by criterion or matcher; a row of a bundle has its name too."""
    names = judge_names(name, held)

    def scores(attempt: Attempt) -> list[float]:
        return [score for one in names for score in attempt.scores.get(one, ())]

    known = {one for attempt in _counted(held) for one in attempt.scores} | JUDGES.keys()
    never = f"was never judged{did_you_mean(name, sorted(known - {name}))}"
    return _median(held, scores, _points_of(names), never)


def judge_names(name: str, attempts: Iterable[Attempt]) -> tuple[str, ...]:
    """What the points of that judge are kept under: a matcher may be written in another way."""
    if name in JUDGES:
        return JUDGES[name]
    subjects = {(tally.criterion, tally.matcher) for one in attempts for tally in one.checks}
    if any(criterion == name for criterion, _ in subjects):
        return (name,)
    wanted = python_matcher(name)
    return tuple(dict.fromkeys((name, *sorted(one for _, one in subjects if python_matcher(one) == wanted))))


def _made_by(matchers: Sequence[str]) -> Wanted:
    return lambda tally: tally.matcher in matchers


def _points_of(names: Sequence[str]) -> Wanted:
    """The checks whose points are kept under these names: by criterion, else matcher.

    An IQ outside of bundles is recorded as its three judges, of which the first stands for it.
    """

    def wanted(tally: CheckTally) -> bool:
        if tally.matcher == "toShowIntelligence" in names and not tally.bundle:
            return tally.criterion in ("", "naturalness")
        return (tally.criterion or tally.matcher) in names

    return wanted


def _median(held: Held, scores: Callable[[Attempt], list[float]], wanted: Wanted, never: str) -> Figure:
    """The median of points; every judgement without any is missing.

    A judge that was switched off has judged nothing: a threshold on points is not kept so.
    """
    given = [score for one in _counted(held) for score in scores(one)]
    outcomes = _outcomes(held, wanted)
    if not given:
        skipped = outcomes.pop("skipped", 0)
        return _no_answer(
            outcomes, f"was never judged: {plural(skipped, 'check')} skipped" if skipped else never
        )
    missing = max(outcomes.total() - outcomes["skipped"] - len(given), 0)
    about = f" (median of {plural(len(given), 'score')})"
    return Figure(median(given), about, missing=missing, of=len(given) + missing)


# -- turns, repeats, counts


def _p95(held: Held, what: str, told: Callable[[Attempt], Sequence[float]]) -> Figure:
    """The 95th percentile by nearest rank; every turn without a value is missing."""
    values = [value for one in _counted(held) for value in told(one)]
    missing = sum(max(one.turns - len(told(one)), 0) for one in held)
    if not values:
        return nothing(f"was never measured: no turn has {what}", missing)
    about = f" (p95 of {plural(len(values), 'turn')})"
    return Figure(percentile(values, 95), about, missing=missing, of=len(values) + missing)


def _flakiness(held: Held) -> Figure:
    """Of scenarios that were run more than once; repeats that say nothing are missing."""
    known: dict[str, list[bool]] = {}
    for one in held:
        if one.counted and one.outcome is not Outcome.INCONCLUSIVE:
            known.setdefault(one.id, []).append(one.passed)
    told = sum(map(len, known.values()))
    found = flaky([(sum(passes), len(passes)) for passes in known.values()])
    missing = len(held) - told
    if found is None:
        return nothing("was never measured: no scenario was run more than once (--repeat)", missing)
    once = sum(len(passes) == 1 for passes in known.values())
    alone = f"; {once} {'was' if once == 1 else 'were'} run once" if once else ""
    about = f" ({found.successes}/{found.n} scenarios pass now and then{alone})"
    return Figure(found.value, about, found.low, found.high, missing, len(held))


def _clarifier_efficiency(held: Held) -> Figure:
    """A mean over rounds; a check that broke is missing, one that found no round has nothing to tell."""
    told = [one for attempt in _counted(held) for one in attempt.clarifying]
    rounds = sum(count for _, count in told)
    missing = _outcomes(held, lambda tally: tally.matcher == "toClarifyEfficiently")["error"]
    if not rounds:
        return nothing("was never measured: no check clarify_efficiently found a round", missing)
    value = sum(mean * count for mean, count in told) / rounds
    about = f" (mean of {plural(rounds, 'round')})"
    return Figure(value, about, missing=missing, of=len(told) + missing)


def _scenarios(held: Held) -> Figure:
    number = len({one.id for one in _counted(held)})
    return Figure(number, " scenario" if number == 1 else " scenarios") if number else _NOTHING_COUNTS


def _uncalibrated(held: Held) -> Figure:
    counted = _counted(held)
    number = sum(one.uncalibrated for one in counted)
    about = f" hard verdict{'' if number == 1 else 's'} by judges without a card"
    return Figure(number, about) if counted else _NOTHING_COUNTS


_NOTHING_COUNTS = nothing("was never measured: no conversation counts")


_SINGLE: Mapping[str, Callable[[Held], Figure]] = {
    "completion": _completion,
    "evaluation": _evaluation,
    "scenarios": _scenarios,
    "clarifier_efficiency": _clarifier_efficiency,
    "flakiness": _flakiness,
    "latency_p95": lambda held: _p95(held, "times", lambda one: one.latencies),
    "tokens_p95": lambda held: _p95(held, "tokens", lambda one: one.tokens),
    "uncalibrated": _uncalibrated,
}


def _listed(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"
