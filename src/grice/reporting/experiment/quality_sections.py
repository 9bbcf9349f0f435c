"""Sections of a report on a terminal: soft evaluations, criteria, claims and their sources, matchers."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from grice.experiments.aggregation.matcher_use import matcher_use, python_matcher
from grice.experiments.aggregation.rate_intervals import rate_interval, worst_grounded
from grice.experiments.aggregation.summary import CheckCount, Share, Summary, share
from grice.reporting.console import print_line
from grice.reporting.experiment.completion_sections import interval_text, size_text
from grice.reporting.figures_text import counted_rate, percent, plural, range_text
from grice.reporting.headings import print_heading, print_table
from grice.text import shorten, visible

__all__ = [
    "CONDUCT",
    "CORRECTED",
    "corrected_lines",
    "print_conduct",
    "print_criteria",
    "print_grounding",
    "print_matchers",
    "print_quality",
    "spoiled_lines",
]

CORRECTED = "Corrected by the error of the judge (95 % interval):"
"""What stands above the lines of `corrected_lines`."""

CONDUCT = "Conduct of the simulated users (no part of completion)"
"""The heading of what the played users did."""

_MATCHERS = 10
_LONGEST_NAME = 72


def print_quality(console: Console, summary: Summary) -> None:
    """How many soft evaluations passed, of those that gave an answer."""
    soft = summary.soft
    if not soft.evaluated and not soft.unanswered:
        return
    print_heading(console, "Quality (soft evaluations)")
    print_line(console, f"Total Evaluations: {soft.evaluated + soft.unanswered:,}", indent="  ")
    sure = interval_text(rate_interval(summary.soft_of.values()))
    rate = counted_rate(Share(soft.passed, soft.evaluated))
    print_line(console, f"Evaluation Rate: {rate}{sure}", indent="  ", hanging="    ")
    if soft.unanswered:
        print_line(console, f"without an answer: {_unanswered(soft)}", indent="  ", style="yellow")


def _unanswered(count: CheckCount) -> str:
    kinds = ("inconclusive", "error")
    return ", ".join(f"{count.outcomes[kind]:,} {kind}" for kind in kinds if count.outcomes[kind])


def print_criteria(console: Console, summary: Summary) -> None:
    """The rate of each criterion with its denominator, and corrected where it can be."""
    if not summary.criteria:
        return
    answers = sum(count.evaluated for count in summary.criteria.values())
    title = f"Criteria Performance ({size_text(summary, unit=True)}, {plural(answers, 'evaluation')})"
    print_heading(console, title)
    _print_counts(console, "Criterion", summary.criteria)
    note = "Note: Criteria evaluated varies by scenario structure; hard expectations count too"
    print_line(console, note, indent="  ", hanging="    ", style="dim")
    _print_corrected(console, summary)


def _print_counts(console: Console, title: str, rows: Mapping[str, CheckCount]) -> None:
    unanswered = any(count.unanswered or not count.evaluated for count in rows.values())
    print_table(
        console,
        [title, "Evaluated", "Passed", "Rate", *(["No answer"] if unanswered else [])],
        [
            [
                name,
                f"{count.evaluated:,}",
                f"{count.passed:,}",
                percent(count.rate),
                *([_no_answer(count)] if unanswered else []),
            ]
            for name, count in rows.items()
        ],
        ("left", "right", "right", "right", "left"),
    )


def _no_answer(count: CheckCount) -> str:
    """Which checks gave none; those that were skipped where there is nothing else."""
    return _unanswered(count) or ("-" if count.evaluated else f"{count.outcomes['skipped']:,} skipped")


def _print_corrected(console: Console, summary: Summary) -> None:
    """The rates that people would have given, where the judge has a card that tells."""
    lines = corrected_lines(summary)
    if not lines:
        return
    console.print()
    print_line(console, CORRECTED, indent="  ")
    for line in lines:
        print_line(console, f"- {line}", indent="    ", hanging="      ")


def corrected_lines(summary: Summary) -> list[str]:
    """A line a criterion: the rate that the judge gave, and the one that people would have given."""
    lines: list[str] = []
    for name, count in summary.judged.items():
        one = count.corrected
        if one is None:
            continue
        if one.estimate is None:
            said = f"not corrected: {one.problem}"
        else:
            said = f"{percent(one.estimate.value)} corrected ({range_text(one.estimate)})"
        judged = percent(one.passed / one.n)
        lines.append(f"{shorten(_line(name), _LONGEST_NAME)}: {judged} judged, {said}, {_line(one.card)}")
    return lines


def print_grounding(console: Console, summary: Summary) -> None:
    """How many claims have a source, by type, and where the fewest have one."""
    if not summary.claims:
        return
    print_heading(console, f"Grounding Analysis (n={plural(len(summary.claims_of), 'scenario')} with claims)")
    print_table(
        console,
        ["Claim Type", "Evaluated", "Grounded", "Rate"],
        [
            [kind, f"{one.total:,}", f"{one.passed:,}", percent(one.rate)]
            for kind, one in summary.claims.items()
        ],
        ["left", "right", "right", "right"],
    )
    worst = worst_grounded(summary)
    if worst:
        print_line(console, "Scenarios with highest ungrounded claim rates:", indent="  ")
    for key, one in worst:
        missing = one.total - one.passed
        rate = f"{percent(share(missing, one.total))} ungrounded ({missing:,}/{one.total:,})"
        print_line(console, f"- {shorten(_line(key), _LONGEST_NAME)}: {rate}", indent="    ")


def print_conduct(console: Console, summary: Summary) -> None:
    """Which of their rules the simulated users kept."""
    if not summary.conduct and not summary.spoiled:
        return
    print_heading(console, CONDUCT)
    if summary.conduct:
        _print_counts(console, "Rule", summary.conduct)
    for line in spoiled_lines(summary):
        print_line(console, line, indent="  ")


def spoiled_lines(summary: Summary) -> list[str]:
    """How many conversations a simulated user spoiled by breaking the rules, a line for each way."""
    return [
        f"{plural(summary.spoiled[what], 'conversation')}: the user {what} the agent"
        for what in ("helped", "hindered")
        if summary.spoiled[what]
    ]


def print_matchers(console: Console, summary: Summary, *, verbose: bool = False) -> None:
    """How often each matcher was used, hard and soft, and what came of it."""
    rows = matcher_use(summary.checks)
    if not rows:
        return
    print_heading(console, "Matchers")
    kinds = [kind for kind in _OUTCOMES if any(row.outcomes[kind] for row in rows)]
    print_table(
        console,
        ["Matcher", "Mode", "Used", *(_OUTCOMES[kind] for kind in kinds)],
        [
            [
                python_matcher(row.matcher) or "(no matcher)",
                row.mode,
                f"{row.times:,}",
                *(f"{row.outcomes[kind]:,}" for kind in kinds),
            ]
            for row in (rows if verbose else rows[:_MATCHERS])
        ],
        ("left", "left", "right"),
    )
    if len(rows) > _MATCHERS and not verbose:
        print_line(console, f"and {len(rows) - _MATCHERS} more; --verbose shows all", indent="  ")


_OUTCOMES = {
    "pass": "Passed",
    "fail": "Failed",
    "inconclusive": "Inconclusive",
    "error": "Error",
    "skipped": "Skipped",
}


def _line(text: str) -> str:
    return visible(text, newlines=False)
