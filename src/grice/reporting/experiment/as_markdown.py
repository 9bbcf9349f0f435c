"""One experiment as Markdown, for a pull request and the summary of a GitHub job: the answer comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from grice.experiments.aggregation.matcher_use import matcher_use, python_matcher
from grice.experiments.aggregation.rate_intervals import rate_interval, worst_grounded
from grice.experiments.aggregation.repeats import repeat_rows, run_rates, wavering
from grice.experiments.aggregation.summary import CheckCount, Share, Summary
from grice.experiments.attempts import Attempt
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import incomplete_reasons
from grice.records import Outcome
from grice.reporting.document import Align
from grice.reporting.experiment.completion_sections import a_turn_lines, caveat_lines, size_text
from grice.reporting.experiment.quality_sections import CONDUCT, CORRECTED, corrected_lines, spoiled_lines
from grice.reporting.experiment.reasons import reason_text
from grice.reporting.experiment.topic_sections import never_taken, not_in_graph_lines, visited_topics
from grice.reporting.figures_text import counted_rate, percent, plural, range_text
from grice.reporting.identity_text import git_text, mixed_text, moment_text
from grice.reporting.markdown import code, details, escape, table
from grice.reporting.next_steps import comparing_lines
from grice.reporting.text import broken_check_lines, hollow_count_lines, uncalibrated_lines
from grice.running.journal.experiment import Experiment
from grice.text import shorten

__all__ = ["EXPERIMENT_MARK", "experiment_markdown"]

EXPERIMENT_MARK = "<!-- grice.experiment -->"
"""The first line: by it a job finds the comment of an earlier run, to write over it."""

_ROWS = 30
_LONGEST_NAME = 120
_LONGEST_REASON = 200
_LONGEST_LINE = 300
_FIGURES: tuple[Align, ...] = ("left", "right", "right", "right")


def experiment_markdown(
    results: ExperimentResults, *, baseline: str = "", runs: Path | None = None, verbose: bool = False
) -> str:
    """The experiment: the answer, a table of its rates, the rest folded away. Ends with a newline.

    Tables have at most 30 rows, so that it fits into a comment; `verbose` shows all. `baseline` is what to
    compare with, "" for none, and `runs` where both are kept. Nothing in names and reasons is read as
    Markdown or HTML.
    """
    summary, most = results.summary, None if verbose else _ROWS
    parts = [
        EXPERIMENT_MARK,
        f"### {escape(_answer(results))}",
        _about(results),
        *(f"**{escape(line)}**" for line in _warnings(results)),
        _rates(summary),
        _criteria(summary),
        _corrected(summary, most),
        *_folded(results, most),
        _comparing(results.id, baseline, runs),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _answer(results: ExperimentResults) -> str:
    """What came of it; only a whole run of which everything was checked and passed has the tick.

    The circle stands where nothing went wrong and not everything could have, or was judged.
    """
    summary, completion = results.summary, results.summary.completion
    if not completion.total:
        return "\u2717 Grice: nothing was found out about the agent"
    calm = set(summary.outcomes) <= {Outcome.PASS, Outcome.SKIPPED} and not summary.not_counted
    good = "\u25cb" if summary.unchecked or broken_check_lines(summary.checks) else "\u2713"
    sign = good if calm and not _gaps(results) else "\u2717"
    if summary.never_checked:
        held = plural(completion.total, "conversation")
        return f"{sign} Grice: completion was never checked: {held} and no hard check"
    of = f"{completion.passed:,} of {plural(completion.total, 'conversation')}"
    rest = f", {len(summary.not_counted):,} not counted" if summary.not_counted else ""
    return f"{sign} Grice: {of} passed ({percent(completion.rate)}){rest}"


def _gaps(results: ExperimentResults) -> list[str]:
    done = len(results.attempts) if results.done is None else results.done
    return incomplete_reasons(results.heads[-1], results.summary, done=done, damaged=results.damaged)


def _about(results: ExperimentResults) -> str:
    head = results.experiment
    name = f' "{escape(_name(head.name))}"' if head.name else ""
    parts = [f"{code(head.id)}{name}", escape(moment_text(head.timestamp)), escape(git_text(head))]
    tags = [f"tags {escape(_name(', '.join(head.tags)))}"] if head.tags else []
    return ", ".join([*(part for part in parts if part), *tags])


def _warnings(results: ExperimentResults) -> Iterator[str]:
    """What a reader has to know before the figures."""
    summary = results.summary
    if mixed := mixed_text(results.heads):
        yield mixed
    yield from _gaps(results)
    if results.unfinished:
        yield f"begun and not finished: {_named(results.unfinished)}"
    if summary.not_counted:
        yield f"{plural(len(summary.not_counted), 'conversation')} not counted: nothing about the agent"
    yield from caveat_lines(summary)
    yield from broken_check_lines(summary.checks)
    yield from uncalibrated_lines(summary.uncalibrated)
    yield from hollow_count_lines(summary.trivially_true, summary.unresolved)


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(map(_name, names[:_ROWS]))
    return f"{shown} and {len(names) - _ROWS} more" if len(names) > _ROWS else shown


def _rates(summary: Summary) -> str:
    soft = Share(summary.soft.passed, summary.soft.evaluated)
    completion = Share() if summary.never_checked else summary.completion
    rows = [
        ("Completion (hard)", completion, summary.attempts),
        ("Evaluations (soft)", soft, summary.soft_of),
    ]
    found = [
        (name, counted_rate(one), range_text(rate_interval(of.values())))
        for name, one, of in rows
        if one.total
    ]
    return table(["", "Rate", "95 % interval"], found, ["left", "right", "right"])


def _criteria(summary: Summary) -> str:
    def interval(name: str) -> str:
        return range_text(rate_interval(summary.criteria_of.get(name, {}).values()))

    rows = [
        (_name(name), counted_rate(Share(one.passed, one.evaluated)), interval(name), _unanswered(one))
        for name, one in summary.criteria.items()
    ]
    return table(["Criterion", "Rate", "95 % interval", "No answer"], rows, _FIGURES)


def _corrected(summary: Summary, most: int | None) -> str:
    lines = corrected_lines(summary)
    return f"{CORRECTED}\n\n{_listed(lines, most)}" if lines else ""


def _listed(lines: Sequence[str], most: int | None) -> str:
    shown = "\n".join(f"- {escape(shorten(line, _LONGEST_LINE))}" for line in lines[:most])
    return _with_rest(shown, len(lines), len(lines[:most]))


def _unanswered(one: CheckCount) -> str:
    return f"{one.unanswered:,}" if one.unanswered else "-"


def _folded(results: ExperimentResults, most: int | None) -> Iterator[str]:
    summary = results.summary
    failed = [one for one in results.attempts if one.counted and not one.passed]
    yield _part(f"Did not pass ({len(failed):,})", _attempts(failed, results.attempts, most, "Failed"))
    others = [one for one in results.attempts if not one.counts and one.outcome is not Outcome.SKIPPED]
    yield _part(f"Not counted ({len(others):,})", _attempts(others, results.attempts, most, "Attempts"))
    yield _part("Failure types", _failures(summary))
    yield _part("Scenario sets", _sets(summary, most))
    yield _part("Grounding", _grounding(summary))
    yield _part(f"Efficiency ({size_text(summary, unit=True)})", _efficiency(summary))
    yield _part("Repeats", _repeats(summary, most))
    yield _part(CONDUCT, _conduct(summary, most))
    yield _part("Topics", _topics(results.heads[-1], summary, most))
    yield _part("Matchers", _matchers(summary, most))
    yield _part("Notes", _listed([reason_text(note) for note in results.notes], None))


def _part(title: str, body: str) -> str:
    return details(title, body) if body else ""


def _attempts(attempts: Sequence[Attempt], all_: Sequence[Attempt], most: int | None, title: str) -> str:
    """A row for each of their scenarios; under the title how many of its attempts they are."""
    of = Counter(one.id for one in all_)
    found: dict[str, list[Attempt]] = {}
    for one in attempts:
        found.setdefault(one.id, []).append(one)
    rows = [
        (
            _name(own[0].key),
            f"{len(own)} of {of[id_]}",
            ", ".join(dict.fromkeys(_how(one) for one in own)),
            shorten(reason_text(own[0].why), _LONGEST_REASON),
        )
        for id_, own in list(found.items())[:most]
    ]
    shown = table(["Scenario", title, "How", "Why"], rows, ["left", "right"])
    return _with_rest(shown, len(found), len(rows))


def _how(one: Attempt) -> str:
    outcome = one.outcome.value
    return outcome if one.failure in ("none", outcome) else f"{outcome} ({one.failure})"


def _with_rest(shown: str, all_: int, count: int) -> str:
    return f"{shown}\n\nand {all_ - count:,} more" if all_ > count else shown


def _failures(summary: Summary) -> str:
    total = summary.completion.total
    if summary.completion.passed == total or summary.never_checked:
        return ""
    rows = [(kind, f"{count:,}", percent(count / total)) for kind, count in summary.failures.most_common()]
    return table(["Type", "Conversations", "Share"], rows, ["left", "right", "right"])


def _sets(summary: Summary, most: int | None) -> str:
    if len(summary.sets) < 2:
        return ""
    rows = [
        (
            _name(name) or "(no set)",
            "-" if one.never_checked else counted_rate(one.completion),
            counted_rate(Share(one.soft.passed, one.soft.evaluated)),
            _mean(one.efficiency.average_turns),
        )
        for name, one in list(summary.sets.items())[:most]
    ]
    shown = table(["Set", "Completion", "Evaluations", "Avg turns"], rows, _FIGURES)
    return _with_rest(shown, len(summary.sets), len(rows))


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _grounding(summary: Summary) -> str:
    kinds = _shares("Claim type", "Grounded", summary.claims.items())
    least = _shares("Scenario with the fewest", "Grounded", worst_grounded(summary))
    return "\n\n".join(part for part in (kinds, least) if part)


def _shares(title: str, rate: str, shares: Iterable[tuple[str, Share]]) -> str:
    rows = [(_name(name), counted_rate(one)) for name, one in shares]
    return table([title, rate], rows, ["left", "right"])


def _efficiency(summary: Summary) -> str:
    found = summary.efficiency
    took = a_turn_lines(found)
    parts: list[str] = []
    if len(set(found.turns)) > 1 or found.topics:
        rows = [
            (name, _mean(sum(values) / len(values)), f"{median(values):g}", f"{min(values)}-{max(values)}")
            for name, values in (("Turns", found.turns), ("Topics", found.topics))
            if values
        ]
        parts.append(table(["", "Mean", "Median", "Range"], rows, _FIGURES))
    if found.topics:
        took.insert(0, f"Backtracking rate: {counted_rate(Share(found.returned, len(found.topics)))}")
    return "\n\n".join([*parts, *map(escape, took)])


def _repeats(summary: Summary, most: int | None) -> str:
    rows = [
        (
            str(row.k),
            f"{row.scenarios:,}",
            f"{percent(row.at_least_one.value)} ({range_text(row.at_least_one)})",
            f"{percent(row.all.value)} ({range_text(row.all)})",
        )
        for row in repeat_rows([(one.passed, one.total) for one in summary.attempts.values()])
    ]
    if not rows or summary.never_checked:
        return ""
    rates = run_rates(summary.repeats)
    spread = ""
    if rates is not None:
        runs = ", ".join(percent(one.rate) for one in list(rates.runs.values())[:most])
        spread = f"Completion by run: {runs}; mean {percent(rates.mean)}, standard deviation "
        spread += f"{rates.deviation * 100:.1f}pp"
    found = wavering(summary.attempts)
    named = [(summary.keys[id_], one) for id_, one in list(found.items())[:most]]
    unsteady = _with_rest(_shares("Passes now and then", "Passed", named), len(found), len(named))
    parts = (table(["k", "Scenarios", "pass@k", "pass^k"], rows, ("right",) * 4), escape(spread), unsteady)
    return "\n\n".join(part for part in parts if part)


def _conduct(summary: Summary, most: int | None) -> str:
    rows = [
        (_name(name), counted_rate(Share(one.passed, one.evaluated)), _unanswered(one))
        for name, one in list(summary.conduct.items())[:most]
    ]
    kept = table(["Rule", "Kept", "No answer"], rows, ["left", "right", "right"])
    parts = (_with_rest(kept, len(summary.conduct), len(rows)), _listed(spoiled_lines(summary), None))
    return "\n\n".join(part for part in parts if part)


def _topics(head: Experiment, summary: Summary, most: int | None) -> str:
    """The visits to each topic, and the moves that stand out; "" where no graph was followed."""
    topics = visited_topics(head, summary)
    if not topics:
        return ""
    rows = [(_name(one.name), one.words) for one in topics[:most]]
    untaken = [f"never taken: {one}" for one in never_taken(head, summary)]
    moves = [*not_in_graph_lines(head, summary), *untaken]
    shown = _with_rest(table(["Topic", "Visits"], rows), len(topics), len(rows))
    return "\n\n".join(part for part in (shown, _listed(moves, most)) if part)


def _matchers(summary: Summary, most: int | None) -> str:
    used = matcher_use(summary.checks)
    rows = [
        (
            _name(python_matcher(one.matcher)) or "(no matcher)",
            one.mode,
            f"{one.times:,}",
            ", ".join(f"{count:,} {kind}" for kind, count in one.outcomes.most_common()),
        )
        for one in used[:most]
    ]
    shown = table(["Matcher", "Mode", "Used", "Outcomes"], rows, ["left", "left", "right"])
    return _with_rest(shown, len(used), len(rows))


def _name(text: str) -> str:
    return shorten(text, _LONGEST_NAME)


def _comparing(id_: str, baseline: str, runs: Path | None) -> str:
    said, command = comparing_lines(id_, baseline, runs)
    return f"{said} {code(command)}"
