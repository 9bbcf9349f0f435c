"""A whole run on a terminal: what it was, and a section for each thing that its results come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from grice.experiments.aggregation.summary import Summary, summed_by, was_resumed
from grice.records import Outcome, Result
from grice.reporting.console import print_line
from grice.reporting.experiment.completion_sections import (
    print_completion,
    print_efficiency,
    print_not_counted,
    print_sets,
)
from grice.reporting.experiment.quality_sections import (
    print_conduct,
    print_criteria,
    print_grounding,
    print_matchers,
    print_quality,
)
from grice.reporting.experiment.repeat_sections import print_repeats, print_variance
from grice.reporting.experiment.scenario import print_scenario
from grice.reporting.experiment.topic_sections import print_topics
from grice.reporting.figures_text import plural
from grice.reporting.headings import print_rule, print_title
from grice.reporting.identity_text import git_text, mixed_text, moment_text
from grice.reporting.text import broken_check_lines, hollow_count_lines, uncalibrated_lines
from grice.running.journal.experiment import Experiment
from grice.text import visible

__all__ = ["print_run", "print_run_summary"]

_SHOWN = 20


def print_run(
    console: Console,
    heads: Sequence[Experiment],
    results: Iterable[Result],
    *,
    notes: Sequence[str] = (),
    unfinished: Sequence[str] = (),
    never_begun: int | None = None,
    verbose: bool = False,
) -> Summary:
    """Every result that did not pass (at most 20; all results with `verbose`), then what they come to.

    `heads` are those of the journal, the earliest first. `unfinished` names what was begun and not finished,
    `never_begun` counts what was planned only. Results are read once, one after the other.
    """
    if mixed := mixed_text(heads):
        print_line(console, mixed, style="yellow", hanging="  ")
        console.print()
    summary = Summary()
    shown = left_out = 0
    for result in summed_by(summary, results):
        calm = result.outcome is Outcome.SKIPPED or (result.outcome is Outcome.PASS and result.counts)
        if verbose or (not calm and shown < _SHOWN):
            print_scenario(console, result, verbose=verbose)
            shown += 1
        elif not calm:
            left_out += 1
        if console.quiet:
            break
    if left_out:
        print_line(console, f"and {left_out} more that did not pass; --verbose shows all")
        console.print()
    print_run_summary(
        console,
        heads,
        summary,
        notes=notes,
        unfinished=unfinished,
        never_begun=never_begun,
        verbose=verbose,
    )
    return summary


def print_run_summary(
    console: Console,
    heads: Sequence[Experiment],
    summary: Summary,
    *,
    notes: Sequence[str] = (),
    unfinished: Sequence[str] = (),
    never_begun: int | None = None,
    verbose: bool = False,
) -> None:
    """What the run was and what its results come to: a section for each question that a run answers."""
    for line in broken_check_lines(summary.checks):
        print_line(console, line, style="bold red")
    print_title(console, "Grice: Experiment Summary")
    console.print()
    _print_identity(console, heads, summary)
    _print_unfinished(console, unfinished, never_begun or 0, verbose=verbose)
    hollow = hollow_count_lines(summary.trivially_true, summary.unresolved)
    for note in (*uncalibrated_lines(summary.uncalibrated), *hollow):
        print_line(console, note, style="yellow", hanging="  ")
    for note in notes:
        print_line(console, _line(note), style="yellow", hanging="  ")
    if not summary.results:
        print_line(console, "\nNo conversation was finished: there is nothing to report.", style="bold red")
        return
    print_rule(console)
    print_completion(console, summary)
    print_not_counted(console, summary)
    print_quality(console, summary)
    print_criteria(console, summary)
    print_grounding(console, summary)
    print_efficiency(console, summary)
    print_sets(console, summary, verbose=verbose)
    print_variance(console, summary, heads[0].id, verbose=verbose)
    print_repeats(console, summary, verbose=verbose)
    print_conduct(console, summary)
    print_topics(console, heads[-1], summary)
    print_matchers(console, summary, verbose=verbose)


def _print_identity(console: Console, heads: Sequence[Experiment], summary: Summary) -> None:
    first, last = heads[0], heads[-1]
    name = f' "{_line(first.name)}"' if first.name else ""
    console.print(Text(f"Experiment: {_line(first.id)}{name}", style="bold"), soft_wrap=True)
    print_line(console, f"Timestamp:  {moment_text(first.timestamp)}")
    if first.tags:
        print_line(console, f"Tags:       {_line(', '.join(first.tags))}")
    if code := git_text(first):
        print_line(console, f"Git:        {code}")
    for use, model in first.models.items():
        parts = (model.name, model.provider, model.model)
        said = model.name if model.model in model.name else " ".join(filter(None, parts))
        print_line(console, f"{f'{use.capitalize()}:':<12}{said}")
    said, style = _finished(summary.results, last.planned)
    print_line(console, f"Finished:   {said}", style=style)
    if was_resumed(heads):
        later = dict.fromkeys(head.timestamp for head in heads if head.timestamp != first.timestamp)
        print_line(console, f"Resumed:    {', '.join(map(moment_text, later))}")


def _finished(results: int, planned: int | None) -> tuple[str, str]:
    """How many conversations were finished beside how many were to be, and the style of that."""
    if planned is None or planned == results:
        return plural(results, "conversation"), ""
    if results > planned:
        return f"{plural(results, 'conversation')}, more than the {planned:,} planned", "yellow"
    noun = "conversation" if planned == 1 else "conversations"
    return f"{results:,} of {planned:,} planned {noun}", "bold red"


def _print_unfinished(console: Console, names: Sequence[str], never_begun: int, *, verbose: bool) -> None:
    if names:
        shown = names if verbose else names[:_SHOWN]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        said = f"Begun and not finished: {', '.join(map(_line, shown))}{more}"
        print_line(console, said, style="bold red", hanging="  ")
    if never_begun:
        print_line(console, f"Never begun: {plural(never_begun, 'conversation')}", style="bold red")


def _line(text: str) -> str:
    return visible(text, newlines=False)
