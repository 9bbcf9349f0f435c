"""What a comparison says about quality, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.deciding import is_exact
from grice.experiments.comparison.records import Comparison, Measure
from grice.reporting.comparison.measure_words import LONGEST_NAME, figure, interval, line, points

__all__ = ["not_compared", "quality_sentences"]

_NAMED = 3


def quality_sentences(comparison: Comparison) -> str:
    """What is shown of quality, or that nothing is, or why nothing could be; "" where it was never asked."""
    asked = _asked(comparison)
    parts: list[str] = []
    for decision in ("regressed", "improved"):
        decided = [one for one in asked if one.decision == decision]
        named = [f"{_name(one)} ({points(one)}{_without(one)})" for one in decided[:_NAMED]]
        more = f" and {len(decided) - _NAMED} more" if len(decided) > _NAMED else ""
        parts += [f"Quality {decision}: {', '.join(named)}{more}."] if decided else []
    if parts:
        return " ".join(parts)
    if any(one.decision == "not shown" for one in asked):
        return f"No difference in quality is shown{_still_possible(asked)}."
    return not_compared(comparison) or _undecided(asked)


def not_compared(comparison: Comparison) -> str:
    """Why no soft check could be compared, as a sentence.

    "" where one could be, where none was made, and where the two cannot be compared at all.
    """
    asked = _asked(comparison)
    is_invalid = comparison.comparability.level == "INVALID"
    if is_invalid or any(one.difference is not None for one in asked):
        return ""
    why = list(_reasons(comparison, asked))
    return f"Quality was not compared: {', '.join(why)}." if why else ""


def _asked(comparison: Comparison) -> list[Measure]:
    return [one for one in comparison.measures if one.family == "quality"]


def _reasons(comparison: Comparison, asked: Sequence[Measure]) -> Iterator[str]:
    """What became of the criteria, by name, else of the other soft checks."""
    told = {
        "changed": comparison.criteria_changed,
        "added": comparison.criteria_added,
        "removed": comparison.criteria_removed,
    }
    found = [f"{_names(names)} {_became(what, len(names))}" for what, names in told.items() if names]
    lacking: dict[str, list[str]] = {}
    for one in asked:
        if not one.overall:
            lacking.setdefault(_lack(one), []).append(one.name)
    found += [f"{_names(names)} {lack}" for lack, names in lacking.items()]
    if not found and comparison.soft_left_out:
        found.append("no kind of soft check was made on both sides")
    yield from found or (f"soft checks {_lack(one)}" for one in asked)


def _became(what: str, count: int) -> str:
    if what == "changed":
        return "was changed" if count == 1 else "were changed"
    where = "in the current experiment" if what == "added" else "in the baseline"
    return f"{'is' if count == 1 else 'are'} only {where}"


def _lack(measure: Measure) -> str:
    """Why the figure has no difference, though both experiments ask for it."""
    if measure.baseline is None and measure.current is None:
        return "got no answer on either side"
    if measure.current is None:
        return "got no answer in the current experiment"
    if measure.baseline is None:
        return "got no answer in the baseline"
    return "got no answer on both sides in any scenario"


def _names(names: Sequence[str]) -> str:
    shown = [line(name, LONGEST_NAME) for name in names[:_NAMED]]
    rest = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    *most, last = [*shown, *rest]
    return f"{', '.join(most)} and {last}" if most else last


def _undecided(asked: Sequence[Measure]) -> str:
    """Why nothing can be said of what was compared, as where one scenario is shared; what was counted."""
    for one in asked:
        if one.overall and one.difference is not None and is_exact(one.difference):
            return f"All soft evaluations: {_change(one)}."
    notes = [line(one.note) for one in asked if one.difference is not None and one.note]
    return f"Nothing is decided about quality: {notes[0]}." if notes else ""


def _still_possible(measures: Iterable[Measure]) -> str:
    """The rate of all soft checks with its interval, for nothing else says how large a drop may be."""
    overall = next((one for one in measures if one.overall and one.decision == "not shown"), None)
    if overall is None:
        return ""
    return f": all soft evaluations {_change(overall)} (95 % interval {interval(overall)})"


def _change(measure: Measure) -> str:
    if measure.baseline == measure.current:
        return f"{figure(measure, measure.current)} in both"
    return f"{figure(measure, measure.baseline)} to {figure(measure, measure.current)}, {points(measure)}"


def _without(measure: Measure) -> str:
    """How many scenarios are not in it: that may be why it is shown."""
    return f", {_left_out(measure)} left out" if measure.left_out else ""


def _left_out(measure: Measure) -> str:
    compared = measure.difference.n if measure.difference else 0
    return f"{measure.left_out} of {count_of(measure.left_out + compared, 'scenario')}"


def _name(measure: Measure) -> str:
    return "all soft evaluations" if measure.overall else line(measure.name, LONGEST_NAME)
