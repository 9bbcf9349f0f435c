"""Comparing two experiments: whether that can be done, what differs, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.advice import advise
from grice.experiments.comparison.changes import scenario_changes
from grice.experiments.comparison.comparability import assess, level_of
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.deciding import conclude, decide
from grice.experiments.comparison.measuring import (
    COMPLETION,
    EFFICIENCY,
    Figure,
    SoftChecks,
    criterion_figures,
    evaluation_figure,
    measure,
    measure_apart,
    soft_checks,
    sums_of,
)
from grice.experiments.comparison.missing import missing_aspects
from grice.experiments.comparison.pairing import Pair, Paired, pair_up
from grice.experiments.comparison.records import Aspect, Comparability, Comparison, Measure, Side
from grice.experiments.comparison.scenario_data import edits_that_decide, unedited
from grice.experiments.comparison.unchecked import with_unchecked
from grice.experiments.comparison.unmade_checks import unmade_checks_that_decide
from grice.experiments.comparison.variance import run_spreads
from grice.experiments.results import ExperimentResults

__all__ = ["BASELINE_IS_LATER", "compare"]

BASELINE_IS_LATER = "the baseline is the later of the two"
"""The note where the experiments stand the other way round than they were run."""

_FROM_CONTENT = re.compile(r"scenario_(?:[0-9a-f]{8}|[0-9a-f]{16})(?: \(|$)")


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
    figures = [COMPLETION, overall, *criterion_figures([*before, *after], changed.left_out), *EFFICIENCY]
    measured = {one: found for one in figures if _is_told(found := _measure(one, paired, before, after))}
    valid = comparability.level != "INVALID"
    measures = decide(list(measured.values())) if valid else tuple(map(_undecided, measured.values()))
    if valid:
        comparability = _with(comparability, _doubts(comparability, measures, list(measured), paired))
    return Comparison(
        _side(baseline),
        _side(current),
        comparability,
        conclude(measures) if valid else "not comparable",
        len(paired.pairs),
        measures,
        scenario_changes(paired.pairs, checks),
        added=paired.added,
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
        notes=tuple(_notes(baseline, current, paired, checks)),
    )


def _attempts(
    paired: Paired, baseline: ExperimentResults, current: ExperimentResults
) -> tuple[Sequence[Attempt], Sequence[Attempt]]:
    """Those of the shared scenarios; where none is shared, all that count."""
    if not paired.pairs:
        return baseline.counted, current.counted
    return _sides(paired)


def _sides(paired: Paired) -> tuple[Sequence[Attempt], Sequence[Attempt]]:
    return (
        [one for pair in paired.pairs for one in pair.baseline],
        [one for pair in paired.pairs for one in pair.current],
    )


def _spread_figures(attempts: Iterable[Attempt], overall: Figure) -> tuple[Figure, ...]:
    """Without completion where that was never checked."""
    return (overall,) if all(one.unchecked for one in attempts) else (COMPLETION, overall)


def _doubts(
    comparability: Comparability, measures: Sequence[Measure], figures: Sequence[Figure], paired: Paired
) -> Iterator[Aspect]:
    """What puts the decided measures in doubt: the scenarios that were edited, hard checks that were not made
    and what is missing."""
    rest = unedited(paired)
    if len(rest.pairs) < len(paired.pairs):
        before, after = _sides(rest)
        again = [with_unchecked(measure(one, rest.pairs), before, after) for one in figures]
        found = edits_that_decide(paired, measures, decide(again))
        yield from () if found is None else (found,)
    for one in comparability.aspects:
        if one.name == "Hard checks" and (unmade := unmade_checks_that_decide(one, measures, paired.pairs)):
            yield unmade
    yield from missing_aspects(measures, figures, paired)


def _with(comparability: Comparability, more: Iterable[Aspect]) -> Comparability:
    """With more aspects, each in the place of the one of its name, else at the end."""
    found = {one.name: one for one in more}
    replaced = [found.pop(one.name, one) for one in comparability.aspects]
    aspects = (*replaced, *found.values())
    return Comparability(level_of(aspects), aspects)


def _measure(figure: Figure, paired: Paired, before: Sequence[Attempt], after: Sequence[Attempt]) -> Measure:
    found = measure(figure, paired.pairs) if paired.pairs else measure_apart(figure, before, after)
    return with_unchecked(found, before, after)


def _is_told(measure: Measure) -> bool:
    """Completion and criteria always are; others where anything was measured, or should have been."""
    is_criterion = measure.family == "quality" and not measure.overall
    measured = measure.baseline is not None or measure.current is not None or measure.unanswered is not None
    return measured or is_criterion or measure.family == "completion"


def _undecided(measure: Measure) -> Measure:
    """The figures side by side: a difference between them would not be one of the agent."""
    note = "; ".join(one for one in ("not comparable", measure.note) if one)
    return replace(measure, difference=None, alike=None, note=note)


def _side(results: ExperimentResults) -> Side:
    counted = results.counted
    return Side(results.experiment, len({one.id for one in counted}), len(counted), results.source)


def _advice(measures: Sequence[Measure], pairs: Sequence[Pair], overall: Figure) -> Iterator[str]:
    for figure in (COMPLETION, overall):
        for one in measures:
            if (one.family, one.name, one.overall) == (figure.family, figure.name, figure.overall):
                yield from advise(one, sums_of(figure, pairs))


def _notes(
    baseline: ExperimentResults, current: ExperimentResults, paired: Paired, checks: SoftChecks
) -> Iterator[str]:
    first, second = baseline.experiment, current.experiment
    if first.id != second.id and _is_same_code(baseline, current):
        yield "both ran the same commit and configuration: what differs is chance, or lies outside of both"
    if first.timestamp > second.timestamp:
        yield BASELINE_IS_LATER
    if checks.left_out:
        yield f"not in the evaluation rate: {count_of(checks.left_out, 'soft check')} that cannot be compared"
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
