"""Two experiments side by side, as a document: the answer, whether they can be compared, then the figures.

Scripted tests that were run once leave nothing to chance, so their scenarios come before everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grice.experiments.comparison.comparability import level_of
from grice.experiments.comparison.deciding import SIZES
from grice.experiments.comparison.records import Aspect, Comparison, Grade, Measure, ScenarioChange, Side
from grice.reporting.comparison.answer import not_compared, sentences
from grice.reporting.comparison.measure_words import (
    LONGEST_NAME,
    delta,
    figure,
    interval,
    line,
    p_value,
    title,
)
from grice.reporting.comparison.variance import VARIANCE, variance_lines, variance_rows
from grice.reporting.document import (
    Align,
    Answer,
    Document,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    Words,
    lines,
)
from grice.reporting.figures_text import percent
from grice.reporting.identity_text import git_text, moment_text
from grice.text import plural

_SHOWN = 10
_LONGEST_REASON = 240
_ALWAYS = ("Topic graph", "Criteria", "Scenarios", "Judge LLM")
CHANGE_KINDS: Mapping[str, str] = {
    "newly failing": "Newly failing",
    "newly passing": "Newly passing",
    "passes less often": "Passes less often",
    "passes more often": "Passes more often",
    "quality regressed": "Quality regressed",
    "quality improved": "Quality improved",
}
"""How a scenario may have changed, with the heading of those that did; what matters most comes first."""
_BY_CHANCE = " (what happened; a single scenario may change by chance)"
_MARKS: Mapping[Grade, str] = {
    "same": "\u2713",
    "expected": "\u25cb",
    "flagged": "\u26a0",
    "weakens": "\u26a0",
    "forbids": "\u2717",
}
_ASPECTS: Mapping[Grade, Tone] = {"flagged": "warn", "weakens": "warn", "forbids": "bad"}
_ANSWERS: Mapping[str, Tone] = {"improved": "good", "regressed": "bad", "not comparable": "bad"}
_DECISIONS: Mapping[str, Tone] = {"improved": "good", "regressed": "bad"}
_NOTHING = ("", "-")
_COMPLETION = ("completion", "quality")


def comparison_document(comparison: Comparison, *, listed: bool = True) -> Document:
    """The whole comparison, nearest to the answer first.

    Unless `listed`, what changed for which scenario is left out: a page lists that with its conversations.
    """
    first, *more = sentences(comparison)
    is_fact = bool(comparison.scripted and comparison.changes)
    chance = _BY_CHANCE if comparison.changes and not is_fact else ""
    told = tuple(_changes(comparison)) if listed else ()
    changes = Section(f"Scenario changes{chance}", told, folded=not is_fact)
    sections = (
        *([changes] if is_fact else []),
        _comparability(comparison),
        *_figures(comparison),
        *([] if is_fact else [changes]),
        Section("Added, removed, edited", tuple(_lists(comparison))),
        Section(VARIANCE, tuple(_variance(comparison))),
        Section("Statistics", tuple(_statistics(comparison.measures))),
        Section("What would settle it", lines(comparison.advice, bullet=True)),
        Section("Notes", lines(comparison.notes, bullet=True)),
    )
    about = (_side("Baseline:", comparison.baseline), _side("Current: ", comparison.current))
    answer = Answer(first, _tone(comparison), " ".join(more))
    return Document("comparison", "Experiment Comparison", answer, about, tuple(filter(None, sections)))


def _tone(comparison: Comparison) -> Tone:
    """That of the conclusion; what newly fails is never good, and bad where it is not left to chance."""
    failing = comparison.newly_failing or comparison.added_failing
    if not failing or comparison.conclusion == "not comparable":
        return _ANSWERS.get(comparison.conclusion, "")
    surely = comparison.scripted and comparison.newly_failing
    return "bad" if surely or comparison.conclusion == "regressed" else ""


def _side(name: str, side: Side) -> Line:
    head = side.experiment
    named = f' "{line(head.name, LONGEST_NAME)}"' if head.name else ""
    told = filter(None, (f"{line(head.id)}{named}", moment_text(head.timestamp), git_text(head)))
    counts = f"{plural(side.scenarios, 'scenario')}, {plural(side.attempts, 'attempt')} that count"
    return Line(f"{name} {', '.join(told)}", under=(Line(counts, "faint"),))


def _comparability(comparison: Comparison) -> Section:
    """A line an aspect, what costs validity first; those that are fine and rarely asked for share one.

    Its heading says it all where nothing differs.
    """
    heading = f"Comparison validity: {comparison.comparability.level}"
    aspects = comparison.comparability.aspects
    if aspects and all(one.grade == "same" for one in aspects):
        return Section(
            f"{heading}, nothing differs", (Section("", tuple(map(_aspect, aspects)), detail=True),)
        )
    fine = [one for one in aspects if one.grade == "same" and one.name not in _ALWAYS]
    told = sorted((one for one in aspects if one not in fine), key=lambda one: one.grade not in _ASPECTS)
    also = f"{_MARKS['same']} also fine:"
    names = ", ".join(line(one.name) for one in fine)
    shared = [Line(also, brief=f"{also} {names}", under=tuple(map(_aspect, fine)))] if fine else []
    return Section(heading, (*map(_aspect, told), *shared))


def _aspect(one: Aspect) -> Line:
    """The aspect, its reason, and the validity that it leaves, where it takes some."""
    cost = f" [{level_of([one])}]" if one.grade in _ASPECTS else ""
    said = f"{_MARKS[one.grade]} {line(one.name)}: {line(one.reason)}{cost}"
    return Line(said, _ASPECTS.get(one.grade, ""))


def _figures(comparison: Comparison) -> Iterator[Section]:
    families = {name: [] for name in ("completion", "quality", "efficiency")}  # type: dict[str, list[Measure]]
    for one in comparison.measures:
        families[one.family].append(one)
    shared = plural(comparison.shared, "shared scenario")
    completion = tuple(_measures("", families["completion"]))
    yield Section(f"Completion (hard expectations), {shared}", completion, folded=False)
    overall = [one for one in families["quality"] if one.overall]
    criteria = [one for one in families["quality"] if not one.overall]
    by_criterion = Section(
        "By criterion (hard and soft):", tuple(_measures("Criterion", criteria)), quiet=True
    )
    why_not = not_compared(comparison)
    quality = (*([Note(why_not)] if why_not else []), *_measures("", overall), by_criterion)
    yield Section("Quality (soft evaluations)", tuple(filter(None, quality)), folded=False)
    less = tuple(_measures("", families["efficiency"]))
    yield Section("Efficiency (\u25b2 means less)", less, folded=False)


def _measures(first: str, measures: Sequence[Measure]) -> Iterator[Part]:
    if not measures:
        return
    tones: list[Tone] = [_DECISIONS.get(one.decision, "") for one in measures]
    yield _table((first, *_COLUMNS), tuple(map(_row, measures)), tuple(tones))
    notes: dict[str, list[str]] = {}
    for one in measures:
        if one.note:
            notes.setdefault(one.note, []).append(title(one))
    for note, names in notes.items():
        who = "" if len(names) == len(measures) > 1 else f"{', '.join(names)}: "
        yield Note(f"{who}{note}", "faint")


_COLUMNS: Mapping[str, Align] = {
    "Baseline": "right",
    "Current": "right",
    "Evaluated": "right",
    "Delta": "right",
    "95 % interval": "left",
    "": "left",
}


def _row(one: Measure) -> tuple[str, ...]:
    decided = f"{one.arrow} {one.decision}" if one.decision in _DECISIONS else one.arrow
    return (
        title(one),
        figure(one, one.baseline),
        figure(one, one.current),
        _evaluated(one),
        delta(one),
        interval(one),
        decided,
    )


def _table(headers: tuple[str, ...], rows: tuple[tuple[str, ...], ...], tones: tuple[Tone, ...]) -> Table:
    """The table, where nothing stands in a column behind both figures, without it."""
    columns = range(len(headers))
    kept = [place for place in columns if place < 3 or any(row[place] not in _NOTHING for row in rows)]
    shown = tuple(headers[place] for place in kept)
    return Table(
        shown,
        tuple(tuple(row[place] for place in kept) for row in rows),
        tuple(_COLUMNS[one] if place else "left" for place, one in enumerate(shown)),
        tones=tones,
        spare=tuple(place for place, one in enumerate(shown) if one == "Evaluated"),
    )


def _evaluated(one: Measure) -> str:
    before, after = one.baseline_count, one.current_count
    return f"{before[1] if before else '-'}, {after[1] if after else '-'}" if before or after else "-"


def _changes(comparison: Comparison) -> Iterator[Part]:
    for kind, words in CHANGE_KINDS.items():
        found = [one for one in comparison.changes if one.kind == kind]
        alike: dict[str, list[ScenarioChange]] = {}
        for one in found:
            alike.setdefault(change_text(one), []).append(one)
        if found:
            groups = tuple(_group(same, said) for said, same in alike.items())
            yield Section(f"{words} ({len(found)}):", groups, quiet=True, first=_SHOWN)
    if not comparison.changes and comparison.shared:
        yield Line("none")


def _group(same: Sequence[ScenarioChange], said: str) -> Line:
    """The scenarios with what is said of each of them."""
    keys = [one.key for one in same]
    shorter = change_text(same[0], _LONGEST_REASON)
    is_long = len(keys) > _SHOWN or shorter != said
    brief = _named("", keys, shorter, _SHOWN) if is_long else ""
    return Line(_named("", keys, said), bullet=True, brief=brief)


def _named(start: str, names: Sequence[str], said: str = "", most: int = 0) -> Words:
    """The names, at most so many of them, 0 for all, between what stands before and what is said of them."""
    shown = names[:most] if most else names
    spans = [Span(start)] if start else []
    for name in shown:
        spans += [Span(line(name, LONGEST_NAME), "code"), Span(", ")]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return (*spans[:-1], Span(f"{more}{f': {said}' if said else ''}"))


def change_text(change: ScenarioChange, longest: int = 0) -> str:
    """What changed for the scenario, behind its key: `was completing in 7 turns, now max_turns`."""
    if change.kind.startswith("quality"):
        before, after = percent(change.baseline), percent(change.current)
        if change.baseline_n != change.current_n:
            before = f"{before} of {plural(change.baseline_n, 'soft check')}"
            return f"{before} \u2192 {after} of {change.current_n}"
        return f"{before} \u2192 {after} of {plural(change.current_n, 'soft check')}"
    before, after = line(change.before, longest), line(change.after, longest)
    rates = ""
    if max(change.baseline_n, change.current_n) > 1:
        passed = _passed(change.baseline, change.baseline_n), _passed(change.current, change.current_n)
        rates = " \u2192 ".join(passed)
    told = {
        "newly passing": (before and f"failed with {before}", f"now completes{_in(change.after_turns)}"),
        "newly failing": (f"was completing{_in(change.before_turns)}", after and f"now {after}"),
        "passes more often": (),
        "passes less often": (after and f"fails with {after}",),
    }[change.kind]
    return ", ".join(filter(None, (rates, *told)))


def _passed(rate: float, attempts: int) -> str:
    return f"{round(rate * attempts)}/{attempts}"


def _in(turns: float | None) -> str:
    if turns is None:
        return ""
    return f" in {round(turns, 1):g} turn{'' if turns == 1 else 's'}"


def _lists(comparison: Comparison) -> Iterator[Line]:
    """Scenarios and criteria that are in one of the two only, or in both but not the same."""
    for words, names in (
        ("Scenarios added", comparison.added),
        ("Of these fail", comparison.added_failing),
        ("Scenarios removed", comparison.removed),
        ("Scenarios edited, compared all the same", comparison.edited),
        ("Scenarios without an attempt that counts on one side, left out", comparison.uncounted),
        ("Criteria added", comparison.criteria_added),
        ("Criteria removed", comparison.criteria_removed),
        ("Criteria changed, not compared", comparison.criteria_changed),
    ):
        if names:
            start = f"{words} ({len(names)}): "
            brief = _named(start, names, most=_SHOWN) if len(names) > _SHOWN else ""
            yield Line(_named(start, names), brief=brief)


def _variance(comparison: Comparison) -> Iterator[Part]:
    found = tuple(variance_rows(comparison))
    if found:
        yield Table(("", "Baseline", "Current", "Delta"), found)
        yield from lines(variance_lines(comparison))


def _statistics(measures: Sequence[Measure]) -> Iterator[Part]:
    """The test of each measure and why it was taken, and what is done about asking many at once."""
    by_test: dict[str, list[Measure]] = {}
    rows: list[tuple[str, ...]] = []
    for one in measures:
        if (found := one.difference) is not None:
            because = f" ({line(found.why)})" if found.why else ""
            by_test.setdefault(f"{line(found.test) or 'no test'}{because}", []).append(one)
            p_values = p_value(found.p), p_value(one.adjusted_p)
            rows.append((title(one), _evaluated(one), *p_values, f"{found.changed} of {found.n}"))
    for test, alike in by_test.items():
        yield Line(f"{_titles(alike)}: {test}", bullet=True)
    at_once = sum(one.family in _COMPLETION and one.adjusted_p is not None for one in measures)
    if at_once > 1:
        yield Line(
            f"{at_once} measures of completion and quality are asked at once, so their p-values are "
            "corrected: of pairs in which nothing changed, at most 5 % show anything in them",
            bullet=True,
        )
        sure = "Each interval is a 95 % interval by itself: it may leave 0 out where nothing is shown"
        yield Line(sure, bullet=True)
    if said := _legend("".join(one.arrow for one in measures)):
        yield Note(said, "faint")
    if rows:
        headers = ("", "Evaluated", "p", "p, corrected", "Scenarios that differ")
        table = Table(headers, tuple(rows), ("left", "right", "right", "right", "right"))
        yield Section("Tests", (table,), quiet=True, detail=True)


def _titles(measures: Iterable[Measure]) -> str:
    """The measures by name, criteria by their number when there are several."""
    criteria = [title(one) for one in measures if one.family == "quality" and not one.overall]
    others = [title(one).lower() for one in measures if one.family != "quality" or one.overall]
    if criteria:
        others.append(f"criterion {criteria[0]}" if len(criteria) == 1 else f"{len(criteria)} criteria")
    said = ", ".join(others)
    return said[:1].upper() + said[1:]


def _legend(arrows: str) -> str:
    """What the arrows that are there mean, with their thresholds."""
    rate, mean = SIZES["rate"], SIZES["turns"]
    told: list[str] = []
    if set(arrows) & set("\u25b2\u25bc"):
        twice = f", doubled from {rate.double * 100:g}pp or {mean.double * 100:g} % on"
        told.append(f"\u25b2 better, \u25bc worse: shown{twice}.")
    if set(arrows) & set("\u25b3\u25bd"):
        told.append("\u25b3 \u25bd better or worse, but chance is not ruled out.")
    if "\u2500" in arrows:
        small = f"under {rate.arrow * 100:g}pp or {mean.arrow * 100:g} %"
        told.append(f"\u2500 {small}, or too little of a mean to matter.")
    return " ".join([*told, "pp: percentage points."]) if told else ""
