"""Comparing two experiments: whether that can be done, what differs, and how sure that is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Literal

from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.comparability import assess
from grice.experiments.comparison.deciding import ALPHA, conclude, decide, doubt_of, is_exact
from grice.experiments.comparison.measuring import (
    COMPLETION,
    EFFICIENCY,
    Figure,
    SoftChecks,
    completed,
    criterion_figures,
    evaluation_figure,
    measure,
    measure_apart,
    run_spreads,
    score_figures,
    soft_checks,
    sums_of,
    unanswered,
    without_chance,
)
from grice.experiments.comparison.pairing import Pair, Paired, pair_up
from grice.experiments.comparison.records import Comparison, Measure, ScenarioChange, Side
from grice.experiments.comparison.side_texts import of_both
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.stats.paired import Difference, PairedSums
from grice.stats.planning import repeats_needed, scenarios_needed, why_no_repeats
from grice.text import plural

BASELINE_IS_LATER = "the baseline is the later of the two"
"""The note where the experiments stand the other way round than they were run."""

_FROM_CONTENT = re.compile(r"scenario_(?:[0-9a-f]{8}|[0-9a-f]{16})(?: \(|$)")

_SMALLEST_SOUGHT = 0.05
"""Advice is for a true difference as large as the one seen, but for one of five points at least."""
_FEWEST = 72
"""Fewer scenarios never rule out that one in twenty changed, even where none did: 0.95 ** 72 is 0.025."""
_TO_CHANGE = 7.906
"""How many changes are expected where there are six at least four times in five, as of Poisson's numbers."""
_POWER = 0.8
_REACH = 1.959964, 0.841621
"""The normal distribution's quantiles of 0.975 and of the power."""

_SMALLEST = 0.02
"""A scenario's rate of soft checks changed from this difference on: two points."""
_Completion = Literal["newly passing", "newly failing", "passes more often", "passes less often"]
_Quality = Literal["quality improved", "quality regressed"]
_ORDER = (
    "newly passing",
    "newly failing",
    "passes more often",
    "passes less often",
    "quality improved",
    "quality regressed",
)


def compare(baseline: ExperimentResults, current: ExperimentResults) -> Comparison:
    """The current experiment held against the baseline, over the scenarios that both have.

    Two that cannot be compared are never an error: the level of comparability is INVALID then, the figures
    stand side by side without differences, and the conclusion is `not comparable`.
    """
    paired = pair_up(baseline.attempts, current.attempts)
    comparability, changed = assess(baseline, current, paired)
    before, after = _attempts(paired, baseline, current)
    checks = soft_checks(before, after, changed.left_out)
    overall = evaluation_figure(checks)
    sides = [*before, *after]
    judged = [*criterion_figures(sides, changed.left_out), *score_figures(sides, changed.left_out)]
    found = [_measure(one, paired, before, after) for one in (COMPLETION, overall, *judged, *EFFICIENCY)]
    told = [one for one in found if _is_told(one, checks)]
    scripted = bool(paired.pairs) and all(pair.scripted for pair in paired.pairs)
    valid = comparability.level != "INVALID"
    if scripted:
        told = [without_chance(one) if _is_settled(one, sides) else one for one in told]
    measures = decide(told) if valid else tuple(map(_undecided, told))
    changes = _scenario_changes(paired.pairs, checks)
    old, new = (_side(one, paired, changed.left_out) for one in (baseline, current))
    return Comparison(
        old,
        new,
        comparability,
        conclude(measures, changes if scripted else ()) if valid else "not comparable",
        len(paired.pairs),
        measures,
        changes,
        added=paired.added,
        added_failing=paired.added_failing,
        removed=paired.removed,
        edited=paired.edited,
        uncounted=paired.uncounted,
        criteria_added=changed.added,
        criteria_removed=changed.removed,
        criteria_changed=changed.changed,
        soft_left_out=checks.left_out,
        baseline_runs=run_spreads(paired.pairs, "baseline", _spread_figures(before, overall)),
        current_runs=run_spreads(paired.pairs, "current", _spread_figures(after, overall)),
        advice=tuple(_advice(measures, paired.pairs, overall)) if valid else (),
        notes=tuple(_notes(baseline, current, paired, checks, missing_text(old, new))),
        scripted=scripted,
    )


def comparison_problems(
    baseline: ExperimentResults, current: ExperimentResults, comparison: Comparison
) -> list[str]:
    """Why nothing could be compared; [] where it could."""
    problems = [problem for one in (baseline, current) if (problem := _empty(one))]
    if not problems and not comparison.shared:
        problems = ["the two share no scenario: there is nothing to compare"]
    elif not problems and comparison.comparability.level == "INVALID":
        problems = ["the two cannot be compared: see above"]
    return list(dict.fromkeys(problems))


def _empty(one: ExperimentResults) -> str:
    if not one.attempts:
        return f"{one.id}: no conversation was finished"
    return "" if one.counted else f"{one.id}: no conversation counts: nothing was found out about the agent"


def missing_text(before: Side, after: Side) -> str:
    """`left out without an answer: 2 attempts of the baseline`; "" where nothing is missing."""
    numbers = (
        (before.missing_attempts, after.missing_attempts, "attempt"),
        (before.missing_checks, after.missing_checks, "check"),
    )
    told = [of_both(*one) for one in numbers if one[0] or one[1]]
    return f"left out, as they gave no answer: {', '.join(told)}" if told else ""


def _attempts(
    paired: Paired, baseline: ExperimentResults, current: ExperimentResults
) -> tuple[Sequence[Attempt], Sequence[Attempt]]:
    """Those of the shared scenarios; where none is shared, all that count."""
    if not paired.pairs:
        return baseline.counted, current.counted
    return (
        [one for pair in paired.pairs for one in pair.baseline],
        [one for pair in paired.pairs for one in pair.current],
    )


def _spread_figures(attempts: Iterable[Attempt], overall: Figure) -> tuple[Figure, ...]:
    """Without completion where that was never checked."""
    return (overall,) if all(one.unchecked for one in attempts) else (COMPLETION, overall)


def _measure(figure: Figure, paired: Paired, before: Sequence[Attempt], after: Sequence[Attempt]) -> Measure:
    found = measure(figure, paired.pairs) if paired.pairs else measure_apart(figure, before, after)
    return _with_checks(found, before, after) if figure is COMPLETION else found


def _with_checks(completion: Measure, before: Sequence[Attempt], after: Sequence[Attempt]) -> Measure:
    """Without a rate where no attempt of a side has a hard check: nothing could fail there."""
    old, new = (bool(side) and all(one.unchecked for one in side) for side in (before, after))
    if not old and not new:
        return completion
    side = "" if old and new else f" in the {'baseline' if old else 'current experiment'}"
    return replace(
        completion,
        baseline=None if old else completion.baseline,
        current=None if new else completion.current,
        baseline_count=None if old else completion.baseline_count,
        current_count=None if new else completion.current_count,
        difference=None,
        alike=None,
        note=f"never checked{side}: no conversation{' there' if side else ''} has a hard check (expect)",
    )


def _is_told(measure: Measure, checks: SoftChecks) -> bool:
    """Completion and criteria always are, the evaluation rate where there are checks, others if measured."""
    if measure.family == "efficiency" or measure.kind == "mean":
        return measure.baseline is not None or measure.current is not None
    return bool(checks.kinds) or not measure.overall


def _is_settled(measure: Measure, attempts: Iterable[Attempt]) -> bool:
    """Whether scripted tests leave nothing of it to chance: a judge may say something else each time."""
    if measure.family == "quality":
        return not any(one.judged for one in attempts)
    return measure.family == "completion"


def _undecided(measure: Measure) -> Measure:
    """The figures side by side: a difference between them would not be one of the agent."""
    note = "; ".join(one for one in ("not comparable", measure.note) if one)
    return replace(measure, difference=None, alike=None, note=note)


def _side(results: ExperimentResults, paired: Paired, left_out: frozenset[str]) -> Side:
    """Of what is missing that of shared scenarios; what was skipped is not missing."""
    counted, shared = results.counted, paired.shared
    held = [one for one in results.attempts if one.id in shared and one.outcome is not Outcome.SKIPPED]
    return Side(
        results.experiment,
        len({one.id for one in counted}),
        len(counted),
        results.source,
        sum(not one.counts or not (completed(one) or one.unchecked) for one in held),
        unanswered((one for one in held if one.counts), left_out),
    )


def _advice(measures: Sequence[Measure], pairs: Sequence[Pair], overall: Figure) -> Iterator[str]:
    for figure in (COMPLETION, overall):
        for one in measures:
            if (one.family, one.name, one.overall) == (figure.family, figure.name, figure.overall):
                yield from _advise(one, sums_of(figure, pairs))


def _notes(
    baseline: ExperimentResults, current: ExperimentResults, paired: Paired, checks: SoftChecks, missing: str
) -> Iterator[str]:
    if missing:
        yield missing
    first, second = baseline.experiment, current.experiment
    if first.id != second.id and _is_same_code(baseline, current):
        yield "both ran the same commit and configuration: what differs is chance, or lies outside of both"
    if first.timestamp > second.timestamp:
        yield BASELINE_IS_LATER
    if checks.left_out:
        yield f"not in the evaluation rate: {plural(checks.left_out, 'soft check')} that cannot be compared"
    if any(map(_FROM_CONTENT.match, (*paired.added, *paired.removed))):
        yield "a scenario without an id of its own is known by its content: an edited one counts as another"
    for word, runs in (("baseline", _unequal_runs(paired, 0)), ("current", _unequal_runs(paired, 1))):
        if runs:
            yield f"not every run of the {word} experiment has every scenario: its runs are not quite alike"
    for word, results in (("baseline", baseline), ("current", current)):
        yield from (f"{word}: {note}" for note in results.notes)


def _is_same_code(baseline: ExperimentResults, current: ExperimentResults) -> bool:
    """Whether everything that identifies what was run is known and equal."""
    first, second = baseline.experiment, current.experiment
    if first.git_dirty is not False or second.git_dirty is not False or not first.git_commit:
        return False
    return all(
        getattr(first, name) == getattr(second, name)
        for name in ("git_commit", "config_hash", "agent", "models")
    )


def _unequal_runs(paired: Paired, side: int) -> bool:
    """Whether some scenarios have other repeats that count than others."""
    return (
        len({tuple(one.repeat for one in (pair.baseline, pair.current)[side]) for pair in paired.pairs}) > 1
    )


def _advise(measure: Measure, sums: Sequence[PairedSums]) -> Iterator[str]:
    """What would show a true difference of that rate four times in five; nothing where one is shown.

    A difference is seen with its error, so the numbers are rough, and more so the fewer scenarios there are.
    """
    found = measure.difference
    if found is None or is_exact(found) or measure.decision not in ("not shown", "not decided"):
        return
    start, size = f"{measure.name}: ", max(abs(found.value), _SMALLEST_SOUGHT)
    needed = _scenarios(found, sums, size)
    if found.p is not None and found.p <= ALPHA:
        if not doubt_of(measure):
            yield f"{start}asked alone it would be shown; beside the others it takes more scenarios"
    elif _is_ruled_out(found):
        yield f"{start}nothing is open, a difference of {_points(_SMALLEST_SOUGHT)} either way is ruled out"
    elif needed is None:
        yield f"{start}it takes more scenarios: {len(sums)} cannot tell how much they differ"
    elif needed <= len(sums):
        yield f"{start}a true difference of {_points(size)} would have been shown four times in five"
    else:
        ways = _ways(sums, size, needed, measure.family == "completion")
        yield f"{start}to show a true difference of {_points(size)}, four times in five, {ways}"


def _is_ruled_out(found: Difference) -> bool:
    if found.low is None or found.high is None or found.n < _FEWEST:
        return False
    return found.low > -_SMALLEST_SOUGHT and found.high < _SMALLEST_SOUGHT


def _scenarios(found: Difference, sums: Sequence[PairedSums], size: float) -> int | None:
    """How many it takes, by how they vary, by the interval, and by how many have to change at all.

    Few scenarios that are all alike seem not to vary. Fewer than six that changed never show a difference.
    """
    planned = scenarios_needed(sums, size, power=_POWER)
    if planned is None or found.low is None or found.high is None:
        return None
    error = (found.high - found.low) / 2 / _REACH[0]
    by_interval = math.ceil(len(sums) * (error * sum(_REACH) / size) ** 2)
    return max(planned, by_interval, math.ceil(_TO_CHANGE / (size * _present(sums))))


def _present(sums: Sequence[PairedSums]) -> float:
    """How often a scenario was tried on a side, on average."""
    return sum(one.baseline_n + one.current_n for one in sums) / (2 * len(sums))


def _ways(sums: Sequence[PairedSums], size: float, scenarios: int, can_repeat: bool) -> str:
    """What it takes; repeats are attempts where the sums are of these, and not of checks."""
    more = f"it takes about {scenarios} scenarios like these, repeated as now"
    if not can_repeat:
        return more
    repeats = repeats_needed(sums, size, power=_POWER)
    if repeats is None:
        return f"{more}; more attempts do not do it: {why_no_repeats(sums, size, power=_POWER)}"
    if repeats <= _present(sums):
        return more
    least = "" if _is_repeated(sums) else "at least "
    return f"{more}, or {least}{repeats} attempts of each of these {len(sums)}"


def _is_repeated(sums: Sequence[PairedSums]) -> bool:
    """Whether any scenario shows how its attempts differ by chance; else more may be needed than planned."""
    return any(one.baseline_n > 1 or one.current_n > 1 for one in sums)


def _points(size: float) -> str:
    return f"{size * 100:.1f} points"


def _scenario_changes(pairs: Iterable[Pair], checks: SoftChecks) -> tuple[ScenarioChange, ...]:
    """Every change of a scenario, by kind, the largest first, else in the order of the run. One flips by
    chance now and then: these are described, not tested.

    Newly passing is a scenario that never passed and now always does, newly failing one the other way round;
    one that does so now and then passes more or less often. Quality is the share of those soft checks of the
    scenario that passed.
    """
    found = [
        change
        for pair in pairs
        for change in (_completion(pair), _quality(pair, checks))
        if change is not None
    ]
    found.sort(key=lambda one: (_ORDER.index(one.kind), -abs(one.current - one.baseline)))
    return tuple(found)


def _completion(pair: Pair) -> ScenarioChange | None:
    """None too where one side could not tell."""
    old, new = ([one for one in side if completed(one)] for side in (pair.baseline, pair.current))
    if not old or not new or (before := _rate(old)) == (after := _rate(new)):
        return None
    return ScenarioChange(
        pair.id,
        pair.name,
        _kind(before, after),
        before,
        after,
        len(old),
        len(new),
        _why(old),
        _why(new),
        fmean(one.turns for one in old),
        fmean(one.turns for one in new),
    )


def _kind(before: float, after: float) -> _Completion:
    if (before, after) == (0, 1):
        return "newly passing"
    if (before, after) == (1, 0):
        return "newly failing"
    return "passes more often" if after > before else "passes less often"


def _rate(attempts: Sequence[Attempt]) -> float:
    return sum(one.passed for one in attempts) / len(attempts)


def _why(attempts: Iterable[Attempt]) -> str:
    """The most frequent reason of those that did not pass: `max_turns: no end after 10 turns`."""
    reasons = Counter(_reason(one) for one in attempts if not one.passed)
    return reasons.most_common(1)[0][0] if reasons else ""


def _reason(attempt: Attempt) -> str:
    kind = attempt.outcome.value if attempt.failure == "none" else attempt.failure
    return f"{kind}: {attempt.why}" if attempt.why and attempt.why != kind else kind


def _quality(pair: Pair, checks: SoftChecks) -> ScenarioChange | None:
    before, after = _soft(pair.baseline, checks), _soft(pair.current, checks)
    if not before[1] or not after[1]:
        return None
    old, new = before[0] / before[1], after[0] / after[1]
    if round(abs(new - old), 9) < _SMALLEST:
        return None
    kind: _Quality = "quality improved" if new > old else "quality regressed"
    return ScenarioChange(pair.id, pair.name, kind, old, new, before[1], after[1])


def _soft(attempts: Iterable[Attempt], checks: SoftChecks) -> tuple[float, int]:
    taken = [checks.take(one) for one in attempts]
    return sum(passed for passed, _ in taken), sum(count for _, count in taken)
