"""Sections of a report on a terminal: completion, what does not count, efficiency, and each scenario set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean, median

from rich.console import Console

from grice.experiments.aggregation.rate_intervals import rate_interval
from grice.experiments.aggregation.summary import UNCHECKED, Efficiency, Share, Summary
from grice.records import Outcome
from grice.reporting.console import print_line
from grice.reporting.experiment.reasons import reason_text
from grice.reporting.figures_text import counted_rate, percent, plural, range_text
from grice.reporting.headings import print_heading
from grice.reporting.layout import cells
from grice.stats.estimates import Estimate
from grice.stats.percentiles import percentile
from grice.text import shorten, visible

__all__ = [
    "a_turn_lines",
    "caveat_lines",
    "completion_text",
    "interval_text",
    "print_completion",
    "print_efficiency",
    "print_not_counted",
    "print_sets",
    "size_text",
]

_SHOWN = 20
_LONGEST_NAME = 72
_LONGEST_REASON = 400
_NAMED = 5


def print_completion(console: Console, summary: Summary) -> None:
    """How many conversations passed, how sure that rate is, and why the others did not."""
    print_heading(console, "Completion (hard expectations)")
    completion = summary.completion
    names = [name for name in summary.sets if name]
    if len(names) == 1 == len(summary.sets):
        print_line(console, f"Scenario Set: {_line(names[0])} ({size_text(summary)})", indent="  ")
    elif completion.total:
        print_line(console, _totals(summary), indent="  ")
    if not completion.total:
        print_line(console, "Completion Rate: -", indent="  ")
        print_line(console, "no conversation counts: see below", style="bold red", indent="  ")
        return
    print_line(console, f"Completion Rate: {completion_text(summary)}", indent="  ", hanging="    ")
    for line in caveat_lines(summary):
        print_line(console, line, style="yellow", indent="  ", hanging="    ")
    if completion.passed < completion.total and not summary.never_checked:
        print_line(console, "By failure type:", indent="  ")
        for kind, count in sorted(summary.failures.items(), key=lambda one: (one[0] != "passed", -one[1])):
            said = f"- {_line(kind)}: {count:,} ({percent(count / completion.total)})"
            print_line(console, said, indent="    ")
    _print_averages(console, summary, "  ")


def _totals(summary: Summary) -> str:
    scenarios, total, passed = len(summary.attempts), summary.completion.total, summary.completion.passed
    what = f"Scenarios: {total:,} total"
    if scenarios != total:
        what = f"Conversations: {total:,} total ({scenarios:,} scenarios)"
    if summary.never_checked:
        return what
    unsaid = summary.failures[UNCHECKED]
    failed = f"{total - passed - unsaid:,} failed"
    return f"{what}, {passed:,} passed, {failed}{f', {unsaid:,} unchecked' if unsaid else ''}"


def completion_text(summary: Summary, word: str = "") -> str:
    """The rate with its interval, the word behind its numbers; `-` where nothing counts or was checked."""
    if summary.completion_rate is None:
        return "-"
    sure = interval_text(rate_interval(summary.attempts.values()))
    return f"{counted_rate(summary.completion, word)}{sure}"


def caveat_lines(summary: Summary) -> list[str]:
    """What a reader of the rate has to know: what could not fail, or was not seen; what could not be told."""
    if summary.never_checked:
        return ["completion was never checked: no conversation has a hard check (expect)"]
    lines: list[str] = []
    if summary.unchecked:
        lines.append(
            f"{_of_counted(summary, summary.unchecked)} without a hard check: nothing there can fail"
        )
    if summary.by_word:
        of = _of_counted(summary, summary.by_word)
        lines.append(f"{of} passed by the word of their runner: no check was recorded")
    if summary.undecided:
        of = _of_counted(summary, summary.undecided)
        lines.append(f"in {of} hard checks could not tell, which counts as not passed")
    return lines


def _of_counted(summary: Summary, number: int) -> str:
    return f"{number:,} of {plural(summary.counted, 'conversation')}"


def size_text(summary: Summary, *, unit: bool = False) -> str:
    """`n=47`, or `n=47 scenarios` with `unit`; with repeats `n=47 scenarios, 141 conversations`."""
    scenarios, conversations = len(summary.attempts), summary.completion.total
    word = "scenario" if scenarios == 1 else "scenarios"
    if scenarios != conversations:
        return f"n={scenarios:,} {word}, {plural(conversations, 'conversation')}"
    return f"n={scenarios:,} {word}" if unit else f"n={scenarios:,}"


def interval_text(found: Estimate | None) -> str:
    """`, 95 % interval 65.1% to 88.0%`, to stand behind a rate; "" where there is none."""
    return "" if found is None else f", 95 % interval {range_text(found)}"


def print_not_counted(console: Console, summary: Summary) -> None:
    """What was skipped, and what says nothing about the agent, with the reasons."""
    if summary.outcomes[Outcome.SKIPPED]:
        print_line(console, f"Skipped: {summary.outcomes[Outcome.SKIPPED]:,}", indent="  ")
    if not summary.not_counted:
        return
    print_heading(console, f"Not counted, as they say nothing about the agent: {len(summary.not_counted):,}")
    reasons: dict[str, list[str]] = {}
    for key, why in summary.not_counted:
        reasons.setdefault(shorten(reason_text(why), _LONGEST_REASON), []).append(_line(key))
    for why, keys in list(reasons.items())[:_SHOWN]:
        print_line(console, f"{plural(len(keys), 'conversation')}: {why}", indent="  ", hanging="    ")
        names = list(dict.fromkeys(keys))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        print_line(console, f"{', '.join(names[:_NAMED])}{more}", indent="    ", style="dim")
    if len(reasons) > _SHOWN:
        print_line(console, f"and {len(reasons) - _SHOWN} more reasons", indent="  ")


def print_efficiency(console: Console, summary: Summary) -> None:
    """How long the conversations were, and what their turns took.

    Where all are as long and none followed a graph the average stands under completion already.
    """
    found, took = summary.efficiency, a_turn_lines(summary.efficiency)
    lengths = len(set(found.turns)) > 1 or bool(found.topics)
    if not lengths and not took:
        return
    print_heading(console, f"Efficiency Metrics ({size_text(summary, unit=True)})")
    if lengths:
        _print_spread(console, "Turns to Completion:", found.turns)
    if found.topics:
        _print_spread(console, "Topics Visited:", found.topics)
        rate = counted_rate(Share(found.returned, len(found.topics)))
        print_line(console, f"Backtracking Rate: {rate}", indent="  ")
    for line in took:
        print_line(console, line, indent="  ", hanging="    ")


def a_turn_lines(found: Efficiency) -> list[str]:
    """The 50th and 95th percentile, by nearest rank, of seconds and tokens a turn, where turns tell them."""
    told: tuple[tuple[str, Sequence[float], Callable[[float], str]], ...] = (
        ("Seconds", found.latencies, _seconds),
        ("Tokens", found.tokens, lambda value: f"{value:,.0f}"),
    )
    turns = sum(found.turns)
    lines: list[str] = []
    for name, values, text in told:
        if values:
            p50, p95 = (text(percentile(values, rank)) for rank in (50, 95))
            of = (
                f"{len(values):,} of {plural(turns, 'turn')}"
                if len(values) < turns
                else plural(turns, "turn")
            )
            lines.append(f"{name} a turn: p50 {p50}, p95 {p95} ({of})")
    return lines


def _seconds(value: float) -> str:
    return "under 0.01" if value < 0.01 else f"{value:,.2f}" if value < 10 else f"{value:,.1f}"


def _print_spread(console: Console, title: str, values: Sequence[int]) -> None:
    print_line(console, title, indent="  ")
    print_line(console, f"Mean: {mean(values):.1f}", indent="    ")
    print_line(console, f"Median: {median(values):g}", indent="    ")
    print_line(console, f"Range: {min(values)}-{max(values)}", indent="    ")


def print_sets(console: Console, summary: Summary, *, verbose: bool = False) -> None:
    """The combined view of each scenario set, where there are several."""
    if len(summary.sets) < 2:
        return
    sets = list(summary.sets.items())
    for name, one in sets if verbose else sets[:_SHOWN]:
        title = _line(name) if name else "(no set)"
        print_heading(console, f"Scenario Set Summary: {title} ({size_text(one)})")
        print_line(console, "COMPLETION (hard expectations)", indent="  ")
        print_line(console, f"Rate: {completion_text(one, 'passed')}", indent="    ")
        for line in caveat_lines(one):
            print_line(console, line, style="yellow", indent="    ", hanging="      ")
        _print_set_quality(console, one)
        if one.efficiency.turns:
            print_line(console, "EFFICIENCY", indent="  ")
            _print_averages(console, one, "    ")
    if len(sets) > _SHOWN and not verbose:
        print_line(console, f"\nand {len(sets) - _SHOWN} more sets; --verbose shows all")


def _print_set_quality(console: Console, summary: Summary) -> None:
    soft = Share(summary.soft.passed, summary.soft.evaluated)
    if not soft.total and not summary.criteria:
        return
    print_line(console, "QUALITY (soft evaluations)", indent="  ")
    if soft.total:
        print_line(console, f"Overall: {counted_rate(soft, 'evaluations passed')}", indent="    ")
    if not summary.criteria:
        return
    print_line(console, "By criterion:", indent="    ")
    names = [shorten(_line(name), _LONGEST_NAME) for name in summary.criteria]
    width = max(map(cells, names))
    for name, count in zip(names, summary.criteria.values(), strict=True):
        rate = counted_rate(Share(count.passed, count.evaluated))
        print_line(console, f"{name}{' ' * (width - cells(name))}  {rate}", indent="      ")


def _print_averages(console: Console, summary: Summary, indent: str) -> None:
    for name, average in (
        ("turns", summary.efficiency.average_turns),
        ("topics", summary.efficiency.average_topics),
    ):
        if average is not None:
            print_line(console, f"Avg {name}: {average:.1f}", indent=indent)


def _line(text: str) -> str:
    return visible(text, newlines=False)
