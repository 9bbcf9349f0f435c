"""`grice report`: what a run came to, from its journal."""

from __future__ import annotations

import sys
from pathlib import Path

import typer
from rich.console import Console

from grice.cli.run import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.experiments.summary import Summary
from grice.records import Outcome
from grice.reporting.console import console_for, print_line, print_problem
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import RUNS, find_run
from grice.running.journal.form import JournalError
from grice.running.journal.reading import RunIndex, index_run
from grice.suites.writing import check_output, replacing
from grice.text import did_you_mean, value_text, visible

__all__ = ["GRAPHS", "report_run"]

GRAPHS = ("mermaid", "svg")


def report_run(
    run: str,
    *,
    graph: str = "",
    output: Path | None = None,
    json: bool = False,
    verbose: bool = False,
    runs: Path | None = None,
) -> int:
    """Show the run, from the folder `runs`; the exit code.

    0: all passed. 1: something did not. 2: there is no such run, nothing or not everything of it was finished
    or can be read, or the output cannot be written. 141: nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    problem = _wrong_usage(graph, output, json=json)
    if problem:
        print_problem(errors, f"error: {problem}")
        return UNUSABLE
    try:
        index = index_run(find_run(run, runs or RUNS))
        if output is not None:
            _check_output(output)
        if graph:
            return _draw(index, graph, output, errors)
        summary = _write_json(index, output) if json else _print(index, console, verbose=verbose)
    except JournalError as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    except OSError as error:
        reason = str(error) if error.strerror is None else f"{output}: {error.strerror}"
        print_problem(errors, f"error: the report cannot be written: {reason}")
        return UNUSABLE
    if console.quiet:
        return NOBODY_READS
    for reason in _incomplete(index, summary):
        print_problem(errors, f"error: {reason}")
    return _exit_code(index, summary)


def _wrong_usage(graph: str, output: Path | None, *, json: bool) -> str:
    if graph and graph not in GRAPHS:
        hint = did_you_mean(graph, GRAPHS)
        return f"--graph: expected one of {', '.join(GRAPHS)}, found {value_text(graph)}{hint}"
    if graph and json:
        return "--graph and --json exclude each other"
    if output is not None and not graph and not json:
        return "--output goes with --json or --graph; for the text use > FILE"
    return ""


def _print(index: RunIndex, console: Console, *, verbose: bool) -> Summary:
    from grice.reporting.run_report import print_run

    return print_run(console, index.heads, index.results(), notes=index.notes, verbose=verbose)


def _write_json(index: RunIndex, output: Path | None) -> Summary:
    from grice.reporting.run_json import run_json

    text, summary = run_json(index.heads, index.results(), notes=index.notes)
    _write(text, output)
    return summary


def _draw(index: RunIndex, graph: str, output: Path | None, errors: Console) -> int:
    from grice.experiments.topic_counts import TopicTally
    from grice.reporting.graph_drawing import drawn_graph, mermaid

    tally = TopicTally()
    for result in index.results():
        tally.add(result.conversation.visits)
    head = index.heads[-1]
    drawing = drawn_graph(head.topic_graph, tally, title=f"Topics of {head.name or head.id}")
    if not drawing.topics:
        print_problem(errors, "error: no conversation of this run followed a topic graph: nothing to draw")
        return UNUSABLE
    if graph == "svg":
        from grice.reporting.graph_svg import svg

        _write(svg(drawing).encode(), output)
    else:
        _write(mermaid(drawing).encode(), output)
    for note in index.notes:
        print_line(errors, visible(note, newlines=False), style="yellow", hanging="  ")
    return PASSED


def _write(text: bytes, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    with replacing(output) as stream:
        stream.write(text)


def _check_output(output: Path) -> None:
    """Raise OSError where nothing can be written; a picture that Grice drew may be written over."""
    if output.is_file():
        from grice.reporting.graph_drawing import MERMAID_MARK
        from grice.reporting.graph_svg import SVG_MARK

        with output.open("rb") as stream:
            beginning = stream.read(500)
        if beginning.startswith(MERMAID_MARK.encode()) or SVG_MARK.encode() in beginning:
            return
    check_output(output)


def _incomplete(index: RunIndex, summary: Summary) -> list[str]:
    """Why the report is not of everything, a line each."""
    reasons: list[str] = []
    planned = index.planned
    if planned is not None and index.done < planned:
        reasons.append(
            f"{planned - index.done} of {planned} conversations were not finished{_way_on(index.experiment)}"
        )
    if index.damaged:
        lines = "line" if index.damaged == 1 else "lines"
        reasons.append(f"{index.damaged} {lines} of the journal cannot be read, see above")
    if not summary.results:
        reasons.append("no conversation was finished")
    elif not summary.completion.total:
        reasons.append("no conversation counts: nothing was found out about the agent")
    return reasons


def _way_on(experiment: Experiment) -> str:
    """How to finish a run that was not finished; pytest, whose command begins so, runs its tests anew."""
    if experiment.command[:1] == ("pytest",):
        return "; pytest cannot go on with a run: run it again"
    return f": give the same command and --resume {experiment.id}"


def _exit_code(index: RunIndex, summary: Summary) -> int:
    if _incomplete(index, summary):
        return UNUSABLE
    return PASSED if set(summary.outcomes) <= {Outcome.PASS, Outcome.SKIPPED} else FAILED
