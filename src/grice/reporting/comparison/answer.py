"""What came out of a comparison, in a few sentences, the one that matters most first.

Names and reasons in the records are data. They leave this module on one line, with control characters
escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from grice.experiments.comparison.comparability import level_of
from grice.experiments.comparison.comparing import missing_text
from grice.experiments.comparison.deciding import ALPHA, counted_once, doubt_of, is_exact
from grice.experiments.comparison.records import Comparison, Measure
from grice.reporting.changed_outcomes import newly_text
from grice.reporting.comparison.measure_words import (
    LONGEST_NAME,
    figure,
    interval,
    line,
    p_value,
    points,
    size_of_bound,
)
from grice.text import plural

_NAMED = 3


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
            _sentence(_newly(comparison)),
            _completion(comparison),
            _quality(comparison),
            _sentence(missing_text(comparison.baseline, comparison.current)),
            _care(comparison),
        )
    )


def _newly(comparison: Comparison) -> str:
    """What newly fails and passes, and what added fails; of repeats that did neither, what changed at all.

    That nothing newly fails is no news where nothing changed and chance is reckoned with.
    """
    failing = [one.key for one in comparison.newly_failing]
    passing = [one.key for one in comparison.newly_passing]
    what = "test" if comparison.scripted else "scenario"
    told = newly_text(failing, passing, comparison.added_failing, what=what)
    if failing:
        return told
    kinds = Counter(one.kind for one in comparison.changes)
    counts = {"less": kinds["passes less often"], "more": kinds["passes more often"]}
    often = (f"{n} {'passes' if n == 1 else 'pass'} {how} often" for how, n in counts.items() if n)
    told = told or ", ".join(often)
    if not told and not comparison.scripted:
        return ""
    return f"no {what} newly fails{f'; {told}' if told else ''}"


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
    open_still = _not_ruled_out(found) or _sentence(line(found.note))
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


def _not_ruled_out(measure: Measure) -> str:
    """What the interval does not rule out: that is what `not shown` means."""
    found = measure.difference
    if found is None or found.low is None or found.high is None:
        return ""
    if found.low <= 0 <= found.high:
        drop, gain = size_of_bound(measure, found.low), size_of_bound(measure, found.high)
        many = plural(found.n, "scenario")
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
    reasons = ", ".join(line(one.name) for one in aspects if level_of([one]) == level)
    return f"The comparison's validity is {level}{f' because of: {reasons}' if reasons else ''}."


def _told(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if part]


def _quality(comparison: Comparison) -> str:
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
    return f"{measure.left_out} of {plural(measure.left_out + compared, 'scenario')}"


def _name(measure: Measure) -> str:
    return "all soft evaluations" if measure.overall else line(measure.name, LONGEST_NAME)
