"""What gates look at: one figure of an experiment, with its interval, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.figure import Figure, count_of, missing
from grice.experiments.gates.hard_checks import aside_of, why_unchecked
from grice.experiments.gates.kinds import BUNDLES, LAYERS, BundleGate
from grice.experiments.gates.turns import p95
from grice.experiments.gates.usual_checks import cut_short
from grice.experiments.gates.worst_case import (
    NO_ANSWER,
    Lost,
    Wanted,
    ended_before,
    lost_answers,
    told_apart,
    told_missing,
    was_left_out,
    with_missing,
)
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.stats.agreement import cluster_rate
from grice.stats.passing import flaky
from grice.stats.rates import rate
from grice.text import did_you_mean

__all__ = ["figure_of"]


def figure_of(name: str, results: ExperimentResults) -> Figure:
    """The figure of the gate of that name, of this experiment alone.

    It is of attempts that count and checks that gave an answer; `worst` is as if the others had gone the
    wrong way, and those that attempts broke off before. Where most conversations do not count it is missing,
    but for completion, which has them all.
    """
    first, _, rest = name.partition(".")
    if first in BUNDLES:
        return _of_bundle(first, BUNDLES[first][rest], results)
    if first == "judges":
        return _points(rest, results)
    return _of_checks(first, rest, results) if rest else _SINGLE[first](results)


# -- rates


def _completion(results: ExperimentResults) -> Figure:
    counted, left_out = told_apart(results.attempts)
    if not counted:
        skipped = sum(one.outcome is Outcome.SKIPPED for one in results.attempts)
        also = f", {skipped:,} skipped" if skipped else ""
        return missing(f"was never measured: no conversation counts{also}")
    if why := why_unchecked(counted):
        return missing(why)
    aside = aside_of(results.attempts)
    found = _rate([(one.id, int(one.passed), 1) for one in counted], aside and f"; {aside}")
    if not left_out:
        return found
    every = [one for one in with_missing(results.attempts, passed=False) if one.counted]
    worst = _rate([(one.id, int(one.passed), 1) for one in every])
    condition = told_missing(Lost(left_out=len(left_out)), ended="had failed")
    return found._replace(worst=worst._replace(about=f" if {condition}"))


def _evaluation(results: ExperimentResults) -> Figure:
    return _share_of(
        results, lambda tally: tally.mode == "soft", "was never measured: there is no soft check"
    )


def _of_checks(table: str, name: str, results: ExperimentResults) -> Figure:
    """The share of checks of a criterion, a layer or a matcher that hold."""
    if table == "layers":
        layer = LAYERS.index(name)
        return _share_of(results, lambda tally: tally.layer == layer, "was never checked")

    def named(tally: CheckTally) -> str:
        return tally.criterion if table == "criteria" else python_matcher(tally.matcher)

    known = {named(tally) for one in results.attempts for tally in one.checks}
    verb = "judged" if table == "criteria" else "checked"
    never = f"was never {verb}{did_you_mean(name, sorted(known - {'', name}))}"
    return _share_of(results, lambda tally: named(tally) == name, never)


def _share_of(results: ExperimentResults, wanted: Wanted, never: str) -> Figure:
    """The share of the wanted checks that hold, of those that gave an answer."""
    counted, left_out = told_apart(results.attempts)
    outcomes = _outcomes(counted, wanted)
    if not outcomes["pass"] + outcomes["fail"]:
        outcomes["error"] += _outcomes(left_out, wanted)["error"]
        return missing(_nothing(outcomes, never))
    if len(left_out) > len(counted):
        return _most_left_out(counted, left_out)
    found = _rate(_rows(counted, wanted), _ended(results.attempts, wanted))
    every = with_missing(results.attempts, passed=False)
    lost = lost_answers(results.attempts, every, wanted)
    if not any(lost):
        return found
    condition = told_missing(lost, ended="had failed")
    return found._replace(worst=_rate(_rows(every, wanted))._replace(about=f" if {condition}"))


def _rows(attempts: Iterable[Attempt], wanted: Wanted) -> list[tuple[str, int, int]]:
    """The scenario, how many checks hold, and how many gave an answer, for each attempt that counts."""
    rows: list[tuple[str, int, int]] = []
    for one in attempts:
        if one.counted:
            own = _outcomes((one,), wanted)
            rows.append((one.id, own["pass"], own["pass"] + own["fail"]))
    return rows


def _ended(attempts: Sequence[Attempt], wanted: Wanted) -> str:
    """What a failing hard check kept from being checked, to be told beside the figure."""
    number = ended_before(attempts, wanted)
    return f"; {number:,} ended at a hard check before it" if number else ""


def _most_left_out(counted: Sequence[Attempt], left_out: Sequence[Attempt]) -> Figure:
    """Then not even what would have been checked is known."""
    verb = "does" if len(counted) == 1 else "do"
    return missing(f"is not known: {len(left_out)} conversations do not count, and {len(counted)} {verb}")


def _outcomes(attempts: Iterable[Attempt], wanted: Wanted) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    for attempt in attempts:
        for tally in attempt.checks:
            if wanted(tally):
                outcomes[tally.outcome] += tally.times
    return outcomes


def _unanswered(outcomes: Mapping[str, int]) -> int:
    return sum(outcomes.get(name, 0) for name in NO_ANSWER)


def _nothing(outcomes: Mapping[str, int], never: str) -> str:
    """Why there is no answer, in words."""
    known = {name: outcomes[name] for name in ("error", "inconclusive", "skipped") if outcomes.get(name)}
    if not known:
        return never
    said = [f"{count_of(number, 'check')} {_ENDED[name]}" for name, number in known.items()]
    return f"has no answer: {', '.join(said)}"


_ENDED = {"error": "broke", "inconclusive": "could not tell", "skipped": "did not apply"}


def _rate(rows: Iterable[tuple[str, int, int]], aside: str = "") -> Figure:
    """A rate from (scenario, passed, all), with an interval that knows that repeats are alike."""
    passes: list[bool] = []
    scenarios: list[str] = []
    for scenario, passed, total in rows:
        passes += [True] * passed + [False] * (total - passed)
        scenarios += [scenario] * total
    estimate = cluster_rate(passes, scenarios)
    if estimate is None:
        return missing("was never measured")
    return Figure(estimate.value, f" ({sum(passes):,}/{len(passes):,}{aside})", estimate.low, estimate.high)


# -- bundles and judges


def _of_bundle(bundle: str, gate: BundleGate, results: ExperimentResults) -> Figure:
    """The figure of a row of a bundle: of `to_meet` with it, and of its matchers outside bundles."""

    def wanted(tally: CheckTally) -> bool:
        if tally.bundle:
            return tally.bundle == bundle and tally.criterion in gate.rows
        return tally.matcher in gate.matchers

    nowhere = f"no meet({bundle}), no {_listed([python_matcher(one) for one in gate.matchers])}"
    if gate.kind.unit == "share":
        return _share_of(results, wanted, f"was never checked: {nowhere}")

    def scores(attempt: Attempt) -> list[float]:
        rows = attempt.bundle_scores.get(bundle, {})
        found = [score for row in gate.rows for score in rows.get(row, ())]
        return [*found, *(score for matcher in gate.matchers for score in attempt.scores.get(matcher, ()))]

    return _median(scores, results, wanted, f"was never judged: {nowhere}")


def _points(name: str, results: ExperimentResults) -> Figure:
    """The median of the points of a judge, by criterion or matcher; a row of a bundle has its name too."""
    names = _JUDGES.get(name) or (name, *_matchers_of(name, results))
    known = {one for attempt in results.counted for one in attempt.scores}

    def wanted(tally: CheckTally) -> bool:
        return tally.criterion in names or tally.matcher in names

    def scores(attempt: Attempt) -> list[float]:
        return [score for one in names for score in attempt.scores.get(one, ())]

    hint = did_you_mean(name, sorted((known | set(_JUDGES)) - {name}))
    return _median(scores, results, wanted, f"was never judged{hint}")


def _matchers_of(name: str, results: ExperimentResults) -> list[str]:
    """The matchers that are called so, written in another way; none where a criterion has the name."""
    checks = {(tally.criterion, tally.matcher) for one in results.attempts for tally in one.checks}
    if any(criterion == name for criterion, _ in checks):
        return []
    wanted = python_matcher(name)
    return sorted({one for _, one in checks if one != name and python_matcher(one) == wanted})


_JUDGES = {
    "naturalness": ("naturalness", "toSoundNatural"),
    "guidance": ("guidance", "toGuideUser"),
    "context_use": ("context_use", "context use", "toUseContext"),
}
"""The judges of quality, by the names of their prompts, and what their points are kept under."""


LEAST_POINTS = 1.0
"""What a judge that gave no points might have given."""


def _median(
    scores: Callable[[Attempt], list[float]], results: ExperimentResults, wanted: Wanted, never: str
) -> Figure:
    counted, left_out = told_apart(results.attempts)
    given = [score for one in counted for score in scores(one)]
    if not given:
        outcomes = _outcomes(results.attempts, wanted)
        return missing(_nothing(outcomes, never))
    if len(left_out) > len(counted):
        return _most_left_out(counted, left_out)
    ended = _ended(results.attempts, wanted)
    found = Figure(median(given), f" (median of {count_of(len(given), 'score')}{ended})")
    every = with_missing(results.attempts, passed=False)
    unanswered = sum(_without_points(one, wanted, len(scores(one))) for one in counted)
    number = unanswered + sum(
        _outcomes((whole,), wanted).total() - (_outcomes((one,), wanted).total() if one.counted else 0)
        for one, whole in zip(results.attempts, every, strict=True)
        if was_left_out(one) or cut_short(one)
    )
    if not number:
        return found
    lost = lost_answers(results.attempts, every, wanted)._replace(unanswered=unanswered)
    condition = told_missing(lost, ended=f"had got {LEAST_POINTS:.0f} point")
    return found._replace(worst=Figure(median([*given, *[LEAST_POINTS] * number]), f" if {condition}"))


def _without_points(attempt: Attempt, wanted: Wanted, given: int) -> int:
    """How many judgements gave neither an answer nor points: one that could not tell may have points."""
    outcomes = _outcomes((attempt,), wanted)
    made = outcomes["pass"] + outcomes["fail"] + _unanswered(outcomes)
    return min(_unanswered(outcomes), max(made - given, 0))


# -- counts


def _scenarios(results: ExperimentResults) -> Figure:
    number = len({one.id for one in results.counted})
    return Figure(number, " scenario" if number == 1 else " scenarios")


def _flakiness(results: ExperimentResults) -> Figure:
    """Of scenarios that were run more than once; in the worst case what is not known of them differs."""
    known: dict[str, Counter[bool]] = {}
    unknown: Counter[str] = Counter()
    for one in results.attempts:
        if one.outcome is not Outcome.SKIPPED:
            known.setdefault(one.id, Counter()).update([one.passed] if one.counted else [])
            unknown[one.id] += was_left_out(one)
    found = flaky([(told[True], told.total()) for told in known.values() if told])
    if found is None:
        return missing("was never measured: no scenario was run more than once (--repeat)")
    once = sum(told.total() + unknown[id_] == 1 for id_, told in known.items())
    if 2 * once > len(known):
        return missing(f"is not known: {once} of {len(known)} scenarios were run once")
    alone = f"; {once} {'was' if once == 1 else 'were'} run once" if once else ""
    about = f" ({found.successes}/{found.n} scenarios pass now and then{alone})"
    return Figure(found.value, about, found.low, found.high, _flaky_at_worst(known, unknown))


def _flaky_at_worst(known: Mapping[str, Counter[bool]], unknown: Mapping[str, int]) -> Figure | None:
    """Every scenario with an attempt that is not known beside another may pass now and then."""
    tried = {id_: told for id_, told in known.items() if told.total() + unknown[id_] > 1}
    lost = sum(unknown[id_] for id_ in tried)
    found = rate(sum(len(told) > 1 or unknown[id_] > 0 for id_, told in tried.items()), len(tried))
    if found is None or not lost:
        return None
    condition = told_missing(Lost(left_out=lost), ended="had gone the other way")
    return Figure(found.value, f" if {condition}", found.low, found.high)


def _clarifier_efficiency(results: ExperimentResults) -> Figure:
    """A mean has no worst case: a round that is not known may be of any length."""
    counted, left_out = told_apart(results.attempts)
    told = [one for attempt in counted for one in attempt.clarifying]
    rounds = sum(count for _, count in told)
    if not rounds:
        return missing("was never measured: no check clarify_efficiently found a round")
    if len(left_out) > len(counted):
        return _most_left_out(counted, left_out)
    broke = _outcomes(counted, lambda tally: tally.matcher == "toClarifyEfficiently")["error"]
    if broke > len(told):
        return missing(f"is not known: {count_of(broke, 'check')} broke, more than found a round")
    value = sum(mean * count for mean, count in told) / rounds
    return Figure(value, f" (mean of {count_of(rounds, 'round')})")


def _uncalibrated(results: ExperimentResults) -> Figure:
    counted, left_out = told_apart(results.attempts)
    if not counted:
        return missing("was never measured: no conversation counts")
    if len(left_out) > len(counted):
        return _most_left_out(counted, left_out)
    number = results.summary.uncalibrated
    return Figure(number, f" hard verdict{'' if number == 1 else 's'} by judges without a card")


def _not_counted(results: ExperimentResults) -> Figure:
    counted, left_out = map(len, told_apart(results.attempts))
    return _plain_share(left_out, counted + left_out, "conversations do not count", "nothing was held")


def _no_answer(results: ExperimentResults) -> Figure:
    outcomes = _outcomes(results.attempts, lambda _: True)
    number = _unanswered(outcomes)
    total = number + outcomes["pass"] + outcomes["fail"]
    return _plain_share(number, total, "checks gave no answer", "nothing was checked")


def _plain_share(part: int, whole: int, what: str, never: str) -> Figure:
    if not whole:
        return missing(f"was never measured: {never}")
    return Figure(part / whole, f" ({part:,}/{whole:,} {what})")


def _latency(results: ExperimentResults) -> Figure:
    return p95("latency_p95", results.attempts)


def _tokens(results: ExperimentResults) -> Figure:
    return p95("tokens_p95", results.attempts)


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


def _listed(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} or {names[-1]}"
