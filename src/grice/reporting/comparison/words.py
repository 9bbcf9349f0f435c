"""What a comparison says, in words: an answer for the pair, aspects, changes of scenarios.

Names and reasons in the records are data. They leave this module on one line, with control characters
escaped; Markdown and HTML are the business of who writes those.
"""

from __future__ import annotations

from collections.abc import Iterable

from grice.experiments.comparison.comparing import missing_text
from grice.experiments.comparison.counting import count_of, listed
from grice.experiments.comparison.deciding import ALPHA, SIZES, counted_once, doubt_of
from grice.experiments.comparison.records import Aspect, Comparison, Grade, Measure, ScenarioChange, Side
from grice.reporting.comparison.measure_words import (
    LONGEST_NAME,
    figure,
    interval,
    line,
    p_value,
    points,
    size_of_bound,
)
from grice.reporting.comparison.quality import not_compared, quality_sentences
from grice.reporting.figures_text import percent
from grice.reporting.identity_text import git_text, moment_text

__all__ = [
    "KINDS",
    "VARIANCE",
    "alike",
    "answer",
    "aspect_text",
    "change_text",
    "differing",
    "headline",
    "legend",
    "mark",
    "sentences",
    "side_text",
]

KINDS = {
    "newly passing": "Newly passing",
    "newly failing": "Newly failing",
    "passes more often": "Passes more often",
    "passes less often": "Passes less often",
    "quality improved": "Quality improved",
    "quality regressed": "Quality regressed",
}
"""The kinds of changes in the order in which they are shown, with their headings."""

VARIANCE = "Variance (mean ± standard deviation over the repeats)"
"""The heading of the view on repeats."""

_MARKS: dict[Grade, str] = {"same": "✓", "expected": "○", "flagged": "⚠", "weakens": "⚠", "forbids": "✗"}
_COSTS: dict[Grade, str] = {"flagged": "MEDIUM", "weakens": "LOW", "forbids": "INVALID"}
_LONGEST_REASON = 160


def side_text(side: Side) -> str:
    """`exp_abc123 "Prompt v2.2", 2025-01-15 14:30:00 UTC, 1a2b3c4d5 (main), with changes`."""
    head = side.experiment
    name = f' "{line(head.name, LONGEST_NAME)}"' if head.name else ""
    return ", ".join(_told((f"{line(head.id)}{name}", moment_text(head.timestamp), git_text(head))))


def mark(grade: Grade) -> str:
    """`✓` for the same, `○` for what differs as it may, `⚠` for what weakens, `✗` for what forbids."""
    return _MARKS[grade]


def aspect_text(aspect: Aspect) -> str:
    """The aspect, its reason, and the validity that it leaves, where it takes some."""
    cost = f" [{_COSTS[aspect.grade]}]" if aspect.grade in _COSTS else ""
    return f"{line(aspect.name)}: {line(aspect.reason)}{cost}"


def headline(comparison: Comparison) -> str:
    """The conclusion with what it rests on: `quality improved, completion not compared (validity LOW)`."""
    parts = [_newly(comparison)] if comparison.scripted else []
    for family in ("quality",) if comparison.scripted else ("completion", "quality"):
        found = {one.decision for one in comparison.measures if one.family == family}
        decided = [one for one in ("improved", "regressed") if one in found]
        parts += [f"{family} {'mixed' if len(decided) == 2 else decided[0]}"] if decided else []
    level = comparison.comparability.level
    care = f" (validity {level})" if level in ("MEDIUM", "LOW") else ""
    return f"{', '.join([*(parts or [_no_decision(comparison)]), *_left_open(comparison)])}{care}"


def _no_decision(comparison: Comparison) -> str:
    """`no difference shown` only where one was looked for."""
    looked = any(one.decision == "not shown" for one in comparison.measures)
    is_open = comparison.conclusion == "no difference shown" and not looked
    return "nothing is decided" if is_open else comparison.conclusion


def _left_open(comparison: Comparison) -> list[str]:
    """What the conclusion says nothing of."""
    if comparison.comparability.level == "INVALID":
        return []
    completion = [one for one in comparison.measures if one.family == "completion"]
    open_ = ["completion not compared"] if any(one.difference is None for one in completion) else []
    return [*open_, "quality not compared"] if not_compared(comparison) else open_


def answer(comparison: Comparison) -> str:
    """What came out, for somebody who reads nothing else."""
    return " ".join(sentences(comparison))


def sentences(comparison: Comparison) -> list[str]:
    """The answer sentence by sentence, the one that matters most first."""
    if comparison.comparability.level == "INVALID":
        why = "; ".join(
            f"{line(one.name)}: {line(one.reason)}"
            for one in comparison.comparability.aspects
            if one.grade == "forbids"
        )
        beside = "The figures stand side by side; no difference is taken." if comparison.measures else ""
        return _told(("These two experiments cannot be compared.", _sentence(why), beside))
    return _told(
        (
            _itself(comparison),
            _sentence(_newly(comparison, names=True)),
            _completion(comparison),
            quality_sentences(comparison),
            _sentence(missing_text(comparison.baseline, comparison.current)),
            _care(comparison),
        )
    )


def _newly(comparison: Comparison, *, names: bool = False) -> str:
    """`2 tests newly fail: a, b; 1 newly passes: c`; that nothing fails is told of scripted tests only."""
    told: list[str] = []
    what = "test" if comparison.scripted else "scenario"
    for changes, verb in ((comparison.newly_failing, "fail"), (comparison.newly_passing, "pass")):
        if changes:
            number = f"{len(changes)}" if told else count_of(len(changes), what)
            ending = "" if len(changes) > 1 else "es" if verb == "pass" else "s"
            keys = f": {listed(line(one.key, LONGEST_NAME) for one in changes)}" if names else ""
            told.append(f"{number} newly {verb}{ending}{keys}")
        elif comparison.scripted and verb == "fail":
            told.append("nothing newly fails")
    return "; ".join(told)


def _itself(comparison: Comparison) -> str:
    one = comparison.current.experiment.id
    return f"{line(one)} is compared with itself." if one == comparison.baseline.experiment.id else ""


def _sentence(text: str) -> str:
    if not text:
        return ""
    return text[0].upper() + (text[1:] if text.endswith((".", "?", "!")) else f"{text[1:]}.")


def _completion(comparison: Comparison) -> str:
    found = next((one for one in comparison.measures if one.family == "completion"), None)
    if found is None:
        return "Completion was not measured."
    if found.baseline is None or found.current is None:
        return _never_checked(found)
    change = f"{figure(found, found.baseline)} to {figure(found, found.current)}"
    if comparison.scripted:
        same = found.baseline == found.current
        return f"Completion: {f'{figure(found, found.current)} in both' if same else change}."
    if found.decision in ("improved", "regressed"):
        sure = f"(95 % interval {interval(found)})"
        said = f"Completion {found.decision}: {change}, {points(found)} {sure}."
        return " ".join((said, *_caveats(found)))
    is_tested = found.decision == "not shown"
    start = "No difference in completion is shown" if is_tested else "Nothing is decided about completion"
    if found.baseline == found.current:
        change = f"{figure(found, found.current)} in both"
    elif found.difference is not None:
        change = f"{change}, {points(found)}"
    open_still = _still_possible(found) or _sentence(line(found.note))
    return " ".join(_told((f"{start}: {change}.", open_still, *_caveats(found))))


def _never_checked(measure: Measure) -> str:
    said = f"Completion was {line(measure.note) or 'not measured'}."
    for side, value in (("baseline", measure.baseline), ("current experiment", measure.current)):
        if value is not None:
            said += f" In the {side} it is {figure(measure, value)}."
    return said


def _caveats(measure: Measure) -> list[str]:
    """What a reader of the completion rate has to know: how it is where repeats are unequally many."""
    return [] if doubt_of(measure) or not (once := counted_once(measure)) else [_sentence(once)]


def _still_possible(measure: Measure) -> str:
    """What the interval does not rule out: that is what `not shown` means."""
    found = measure.difference
    if found is None or found.low is None or found.high is None:
        return ""
    if found.low <= 0 <= found.high:
        drop, gain = size_of_bound(measure, found.low), size_of_bound(measure, found.high)
        many = count_of(found.n, "scenario")
        return f"With {many}, neither a drop of {drop} points nor a gain of {gain} is ruled out."
    start = f"Its 95 % interval ({interval(measure)}) leaves 0 out, but"
    if found.p is not None and found.p > ALPHA:
        return f"{start} its test does not rule out chance (p {p_value(found.p)})."
    if doubt := doubt_of(measure):
        return f"{start} {doubt}."
    if measure.adjusted_p is not None and measure.adjusted_p > ALPHA:
        return f"{start} so many measures are asked at once that chance may do that."
    return f"{start} {line(measure.note) or 'nothing is decided'}."


def _care(comparison: Comparison) -> str:
    level = comparison.comparability.level
    if level == "HIGH":
        return ""
    aspects = comparison.comparability.aspects
    reasons = ", ".join(line(one.name) for one in aspects if _COSTS.get(one.grade) == level)
    return f"The comparison's validity is {level}{f' because of: {reasons}' if reasons else ''}."


def alike(changes: Iterable[ScenarioChange], *, verbose: bool = False) -> list[tuple[list[str], str]]:
    """The changes with the same words together: the keys of their scenarios, and the words."""
    groups: dict[str, list[str]] = {}
    for one in changes:
        groups.setdefault(change_text(one, verbose=verbose), []).append(one.key)
    return [(keys, said) for said, keys in groups.items()]


def change_text(change: ScenarioChange, *, verbose: bool = False) -> str:
    """What changed for the scenario, behind its key: `was completing in 7 turns, now max_turns`."""
    longest = 0 if verbose else _LONGEST_REASON
    if change.kind.startswith("quality"):
        before, after = percent(change.baseline), percent(change.current)
        if change.baseline_n != change.current_n:
            before = f"{before} of {count_of(change.baseline_n, 'soft check')}"
            return f"{before} → {after} of {change.current_n}"
        return f"{before} → {after} of {count_of(change.current_n, 'soft check')}"
    before, after = line(change.before, longest), line(change.after, longest)
    rates = ""
    if max(change.baseline_n, change.current_n) > 1:
        rates = f"{_passed(change.baseline, change.baseline_n)} → {_passed(change.current, change.current_n)}"
    told = {
        "newly passing": (before and f"failed with {before}", f"now completes{_in(change.after_turns)}"),
        "newly failing": (f"was completing{_in(change.before_turns)}", after and f"now {after}"),
        "passes more often": (),
        "passes less often": (after and f"fails with {after}",),
    }[change.kind]
    return ", ".join(_told((rates, *told)))


def _told(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if part]


def _passed(rate: float, attempts: int) -> str:
    return f"{round(rate * attempts)}/{attempts}"


def _in(turns: float | None) -> str:
    if turns is None:
        return ""
    return f" in {round(turns, 1):g} turn{'' if turns == 1 else 's'}"


def differing(comparison: Comparison) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Scenarios and criteria that are in one of the two only, or not the same in both: what, and names."""
    return (
        ("Scenarios added", comparison.added),
        ("Scenarios removed", comparison.removed),
        ("Scenarios edited, compared all the same", comparison.edited),
        ("Scenarios without an attempt that counts on one side, left out", comparison.uncounted),
        ("Criteria added", comparison.criteria_added),
        ("Criteria removed", comparison.criteria_removed),
        ("Criteria changed, not compared", comparison.criteria_changed),
    )


def legend() -> str:
    """What the arrows mean, with their thresholds."""
    rate, mean = SIZES["rate"], SIZES["turns"]
    return (
        f"▲ better, ▼ worse: shown, doubled from {rate.double * 100:g}pp or {mean.double * 100:g} % on. △ ▽ "
        "better or worse, but chance is not ruled out. "
        f"─ under {rate.arrow * 100:g}pp or {mean.arrow * 100:g} %, or too little of a mean to matter. "
        "pp: percentage points."
    )
