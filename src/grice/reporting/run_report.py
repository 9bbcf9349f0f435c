"""A whole run on a terminal: what it was, completion, quality, topics, repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from grice.experiments.summary import CheckCount, Share, Summary, was_resumed
from grice.records import Outcome, Result
from grice.reporting.console import print_line
from grice.reporting.graph_drawing import drawn_graph, plural
from grice.reporting.layout import cells
from grice.reporting.scenario_report import percent, print_scenario, ratio
from grice.reporting.text import broken_check_lines, uncalibrated_lines
from grice.running.journal.experiment import Experiment
from grice.text import shorten, visible

__all__ = ["print_run"]

_SHOWN = 20
_LONGEST = 72


def print_run(
    console: Console,
    heads: Sequence[Experiment],
    results: Iterable[Result],
    *,
    notes: Sequence[str] = (),
    verbose: bool = False,
) -> Summary:
    """Every result that did not pass (at most 20; all results with `verbose`), then what they come to.

    `heads` are those of the journal, the earliest first. Results are read once, one after the other.
    """
    summary = Summary()
    shown = left_out = 0
    for result in summary.add_all(results):
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
    print_run_summary(console, heads, summary, notes=notes)
    return summary


def print_run_summary(
    console: Console, heads: Sequence[Experiment], summary: Summary, *, notes: Sequence[str] = ()
) -> None:
    """What the run was and what its results come to."""
    for line in broken_check_lines(summary.checks):
        print_line(console, line, style="bold red")
    _print_identity(console, heads, summary)
    for note in uncalibrated_lines(summary.uncalibrated):
        print_line(console, note, style="yellow", hanging="  ")
    for note in notes:
        print_line(console, _line(note), style="yellow", hanging="  ")
    if not summary.results:
        print_line(console, "\nNo conversation was finished: there is nothing to report.", style="bold red")
        return
    sections: tuple[Callable[[Console, Summary], None], ...] = (
        _print_completion,
        _print_not_counted,
        _print_quality,
        _print_conduct,
    )
    for section in sections:
        section(console, summary)
    _print_topics(console, heads[-1], summary)
    _print_repeats(console, summary)


def _print_identity(console: Console, heads: Sequence[Experiment], summary: Summary) -> None:
    first, last = heads[0], heads[-1]
    name = f' "{_line(first.name)}"' if first.name else ""
    console.print(Text(f"Experiment: {_line(first.id)}{name}", style="bold"), soft_wrap=True)
    print_line(console, f"Timestamp:  {_moment(first.timestamp)}")
    if first.tags:
        print_line(console, f"Tags:       {_line(', '.join(first.tags))}")
    if first.git_commit or first.git_branch:
        print_line(console, f"Git:        {_git(first)}")
    for use, model in first.models.items():
        parts = (model.name, model.provider, model.model)
        said = model.name if model.model in model.name else " ".join(filter(None, parts))
        print_line(console, f"{f'{use}:':<12}{said}")
    planned = last.planned
    of_planned = f" of {planned} planned" if planned is not None and planned != summary.results else ""
    style = "bold red" if of_planned else ""
    print_line(console, f"Finished:   {summary.results}{of_planned} conversations", style=style)
    if was_resumed(heads):
        later = dict.fromkeys(head.timestamp for head in heads if head.timestamp != first.timestamp)
        print_line(console, f"Resumed:    {', '.join(map(_moment, later))}")
    changed = {_git(head) for head in heads}
    if len(changed) > 1:
        print_line(
            console,
            f"the code changed while this run was resumed: {'; '.join(sorted(changed))}",
            style="yellow",
        )


def _git(head: Experiment) -> str:
    """The commit and branch, as `abc123def (main), with changes`."""
    branch = f" ({_line(head.git_branch)})" if head.git_branch else ""
    return f"{_line(head.git_commit or 'no commit')[:9]}{branch}{', with changes' if head.git_dirty else ''}"


def _moment(timestamp: str) -> str:
    return _line(timestamp.replace("T", " ").replace("Z", " UTC"))


def _heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def _print_completion(console: Console, summary: Summary) -> None:
    _heading(console, "Completion (hard expectations)")
    completion = summary.completion
    names = [name for name in summary.sets if name]
    if len(names) == 1 == len(summary.sets):
        print_line(console, f"Scenario Set: {_line(names[0])} (n={completion.total})", indent="  ")
    rate = f"{percent(completion.rate)} ({completion.passed}/{completion.total})" if completion.total else "-"
    print_line(console, f"Completion Rate: {rate}", indent="  ")
    if not completion.total:
        print_line(console, "no conversation counts: see below", style="bold red", indent="  ")
    elif completion.passed < completion.total:
        print_line(console, "By failure type:", indent="  ")
        for kind, count in sorted(summary.failures.items(), key=lambda one: (one[0] != "passed", -one[1])):
            print_line(console, f"- {kind}: {count} ({percent(count / completion.total)})", indent="    ")
    if summary.efficiency.average_turns is not None:
        print_line(console, f"Avg turns: {summary.efficiency.average_turns:.1f}", indent="  ")
    if summary.efficiency.average_topics is not None:
        print_line(console, f"Avg topics: {summary.efficiency.average_topics:.1f}", indent="  ")
    if len(summary.sets) > 1:
        print_line(console, "By scenario set:", indent="  ")
        rows = [(_line(name) or "(no set)", one.completion) for name, one in summary.sets.items()]
        _print_shares(console, rows)


def _print_shares(console: Console, rows: Sequence[tuple[str, Share]]) -> None:
    names = [shorten(name, _LONGEST) for name, _ in rows]
    width = max(map(cells, names))
    for name, (_, one) in zip(names, rows, strict=True):
        print_line(console, f"    {name}{' ' * (width - cells(name))}  {ratio(one.passed, one.total)}")


def _print_not_counted(console: Console, summary: Summary) -> None:
    skipped = summary.outcomes[Outcome.SKIPPED]
    if skipped:
        print_line(console, f"Skipped: {skipped}", indent="  ")
    if not summary.not_counted:
        return
    _heading(console, f"Not counted, as they say nothing about the agent: {len(summary.not_counted)}")
    reasons: dict[str, list[str]] = {}
    for key, why in summary.not_counted:
        reasons.setdefault(shorten(_line(why), _LONGEST_REASON), []).append(_line(key))
    for why, keys in list(reasons.items())[:_SHOWN]:
        print_line(console, f"{plural(len(keys), 'conversation')}: {why}", indent="  ", hanging="    ")
        names = list(dict.fromkeys(keys))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        print_line(console, f"{', '.join(names[:_NAMED])}{more}", indent="    ", style="dim")
    if len(reasons) > _SHOWN:
        print_line(console, f"and {len(reasons) - _SHOWN} more reasons", indent="  ")


_LONGEST_REASON = 400
_NAMED = 5


def _print_quality(console: Console, summary: Summary) -> None:
    soft = summary.soft
    if soft.evaluated or soft.unanswered:
        _heading(console, "Quality (soft evaluations)")
        print_line(console, f"Evaluation Rate: {ratio(soft.passed, soft.evaluated)}", indent="  ")
        if soft.unanswered:
            print_line(console, f"without an answer: {_unanswered(soft)}", indent="  ", style="yellow")
    if summary.criteria:
        _heading(console, "Criteria (hard and soft)")
        _print_table(console, "Criterion", summary.criteria)
        _print_corrected(console, summary)


def _print_corrected(console: Console, summary: Summary) -> None:
    """The rates that people would have given, where the judge has a card that tells."""
    found = {name: count.corrected for name, count in summary.judged.items()}
    rates = {name: one for name, one in found.items() if one is not None}
    if not rates:
        return
    console.print()
    print_line(console, "Corrected by the error of the judge (95 % interval):", indent="  ")
    for name, one in rates.items():
        judged = percent(one.passed / one.n)
        if one.estimate is None:
            said = f"{judged} judged, not corrected: {one.problem}"
        else:
            low, high = percent(one.estimate.low), percent(one.estimate.high)
            said = f"{judged} judged, {percent(one.estimate.value)} corrected ({low} to {high})"
        line = f"- {shorten(_line(name), _LONGEST)}: {said}, {_line(one.card)}"
        print_line(console, line, indent="    ", hanging="      ")


def _unanswered(count: CheckCount) -> str:
    kinds = ("inconclusive", "error")
    return ", ".join(f"{count.outcomes[kind]} {kind}" for kind in kinds if count.outcomes[kind])


def _print_table(console: Console, title: str, rows: dict[str, CheckCount]) -> None:
    names = [shorten(_line(name), _LONGEST) for name in rows]
    width = max(map(cells, (title, *names)))
    unanswered = any(count.unanswered for count in rows.values())
    no_answer = "  No answer" if unanswered else ""
    print_line(
        console,
        f"  {title}{' ' * (width - cells(title))}  Evaluated  Passed    Rate{no_answer}",
        style="dim",
    )
    for name, count in zip(names, rows.values(), strict=True):
        row = f"  {name}{' ' * (width - cells(name))}  {count.evaluated:>9}  {count.passed:>6}"
        last = f"  {count.unanswered:>9}" if unanswered else ""
        print_line(console, f"{row}  {percent(count.rate):>6}{last}")


def _print_conduct(console: Console, summary: Summary) -> None:
    if not summary.conduct and not summary.spoiled:
        return
    _heading(console, "Conduct of the simulated users (no part of completion)")
    if summary.conduct:
        _print_table(console, "Rule", summary.conduct)
    for what in ("helped", "hindered"):
        if summary.spoiled[what]:
            count = summary.spoiled[what]
            times = f"{count} conversation{'' if count == 1 else 's'}"
            print_line(console, f"{times}: the user {what} the agent", indent="  ")


def _print_topics(console: Console, head: Experiment, summary: Summary) -> None:
    tally = summary.topic_tally
    topics = drawn_graph(head.topic_graph, tally).topics
    if not topics:
        return
    _heading(console, "Topics")
    width = max(cells(_line(topic.name)) for topic in topics)
    for topic in topics:
        padded = _line(topic.name) + " " * (width - cells(_line(topic.name)))
        reached = topic.visits or topic.left
        print_line(console, f"  {padded}  {topic.words}", style="" if reached else "yellow")
    moves = tally.moves(head.topic_graph)
    missing = [f"{_line(one.start)} > {_line(one.end)}" for one in moves if one.legal and not one.times]
    if missing:
        said = f"never taken: {', '.join(missing)}"
        print_line(console, said, indent="  ", hanging="    ", style="yellow")
    for one in moves:
        if not one.legal:
            said = f"not in the graph: {_line(one.start)} > {_line(one.end)}, {plural(one.times, 'time')}"
            print_line(console, said, indent="  ", hanging="    ", style="red")
    if tally.followed:
        print_line(console, f"Backtracking Rate: {percent(tally.returning / tally.followed)}", indent="  ")


def _print_repeats(console: Console, summary: Summary) -> None:
    from grice.experiments.repeats import repeat_rows

    rows = repeat_rows([(one.passed, one.total) for one in summary.attempts.values()])
    if not rows:
        return
    _heading(console, "Repeats")
    print_line(console, "     k  Scenarios  pass@k  pass^k", style="dim")
    for row in rows:
        print_line(
            console,
            f"  {row.k:>4}  {row.scenarios:>9}  {percent(row.at_least_one):>6}  {percent(row.all):>6}",
        )
    wavering = [(id_, one) for id_, one in summary.attempts.items() if 0 < one.passed < one.total]
    if wavering:
        shown = [f"{_line(summary.keys[id_])} {one.passed}/{one.total}" for id_, one in wavering[:_SHOWN]]
        more = f" and {len(wavering) - _SHOWN} more" if len(wavering) > _SHOWN else ""
        said = f"passed now and then: {', '.join(shown)}{more}"
        print_line(console, said, indent="  ", hanging="    ")
    print_line(
        console, "pass@k: at least one of k attempts passes. pass^k: all k do.", indent="  ", style="dim"
    )


def _line(text: str) -> str:
    return visible(text, newlines=False)
