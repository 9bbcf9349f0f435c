"""The work of `grice report`: what a run came to, from its journal."""

from __future__ import annotations

from pathlib import Path

from grice.cli.exit_codes import FAILED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.options import printed
from grice.cli.output import check_html, check_json, print_problems, write_html, write_json, write_output
from grice.cli.report import Command
from grice.cli.saving import print_saved, shown_path, target_of
from grice.cli.shown_document import run_showing
from grice.experiments.aggregation.summary import Summary, summed_by
from grice.experiments.baselines import baselines_folder, known_baselines
from grice.experiments.loading import results_in
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import incomplete_reasons
from grice.files.writing import check_output
from grice.records import Outcome
from grice.reporting.console import Screen, print_line, print_problem
from grice.reporting.document import Document
from grice.reporting.documents.run import kept_document
from grice.reporting.figures_text import counted_rate
from grice.reporting.identity_text import moment_text
from grice.reporting.layout import cells
from grice.reporting.step_summary import append_step_summary, no_step_summary
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import LATEST, find_run, runs_in
from grice.running.journal.form import JournalError
from grice.running.journal.reading import RunIndex, index_run
from grice.running.projects import Projects
from grice.running.runs_folder import runs_folder
from grice.text import shorten, value_text, visible

_SHOWN = 20
_LONGEST = 32
_TITLES = ("Run", "Began", "Name", "Tags", "Branch")


def report_run(arguments: Command) -> int:
    """Show the run; the exit code."""

    def show(console: Screen, errors: Screen) -> int:
        if arguments.list:
            return _list_runs(runs_folder(arguments.runs), console, errors, verbose=arguments.verbose)
        index = index_run(_found(arguments))
        check_json(arguments.json)
        check_html(arguments.html)
        if arguments.output is not None:
            _check_output(arguments.output)
        if arguments.graph:
            return _draw(index, arguments, console, errors)
        summary = _shown(index, arguments, console)
        _close(index, arguments, console, errors)
        if console.quiet:
            return NOBODY_READS
        reasons = incomplete_reasons(index.heads[-1], summary, done=index.done, damaged=index.damaged)
        print_problems(errors, reasons)
        passed = set(summary.outcomes) <= {Outcome.PASS, Outcome.SKIPPED}
        return UNUSABLE if reasons else PASSED if passed else FAILED

    return run_showing("report", show, wrong_usage=_wrong_usage(arguments))


def _found(arguments: Command) -> Path:
    """The folder of the run. Raises JournalError, which says where a baseline is called so."""
    try:
        return find_run(arguments.run, runs_folder(arguments.runs))
    except JournalError as error:
        if arguments.run not in known_baselines(baselines_folder()):
            raise
        said = (
            "a baseline is called so: it has no conversations to report, grice compare and grice gate take it"
        )
        raise JournalError(f"{error}; {said}") from error


def _wrong_usage(arguments: Command) -> str:
    graph, forms = arguments.graph, arguments.forms
    if arguments.list:
        return _wrong_list(arguments)
    if len(forms) > 1:
        return f"{' and '.join(forms)} exclude each other"
    if arguments.output is not None and (not forms or printed(arguments.json)):
        return "--output goes with --markdown, --junit or --graph; for the text use > FILE"
    if graph and (arguments.json is not None or arguments.html is not None):
        return "--graph only draws: --json and --html go with a report"
    if graph and (arguments.save or arguments.save_to or arguments.step_summary):
        return "--graph only draws: --save, --save-to and --step-summary go with a report"
    return no_step_summary() if arguments.step_summary else ""


def _wrong_list(arguments: Command) -> str:
    given = {
        "--graph": arguments.graph,
        "--html": arguments.html,
        "--json": arguments.json,
        "--markdown": arguments.markdown,
        "--junit": arguments.junit,
        "--output": arguments.output,
        "--save": arguments.save,
        "--save-to": arguments.save_to,
        "--step-summary": arguments.step_summary,
    }
    others = [name for name, value in given.items() if value]
    if others:
        return f"--list only lists runs: it does not go with {', '.join(others)}"
    if arguments.run != LATEST:
        return f"--list lists all runs: expected no RUN, found {value_text(arguments.run)}"
    return ""


def _shown(index: RunIndex, arguments: Command, console: Screen) -> Summary:
    """Print or write the report in the form that is wanted."""
    if arguments.markdown:
        document, summary = kept_document(index, everything=arguments.verbose, verbose=arguments.verbose)
        text = _markdown(document, verbose=arguments.verbose)
        write_output(console, text.encode(errors="backslashreplace"), arguments.output)
        return summary
    if arguments.junit:
        content, summary = _junit(index)
        write_output(console, content, arguments.output)
        return summary
    if arguments.json is not None and printed(arguments.json):
        return _write_json(index, console, arguments.json)
    from grice.reporting.renderers.terminal import print_document

    saved, problem = "", None
    try:
        saved = _saved(index, arguments)
    except OSError as error:  # the report is shown all the same
        problem = error
    verbose = arguments.verbose
    document, summary = kept_document(index, saved=saved, everything=verbose, verbose=verbose)
    print_document(console, document, verbose=verbose)
    if problem is not None:
        raise problem
    return summary


def _markdown(document: Document, *, verbose: bool = False) -> str:
    from grice.reporting.renderers.markdown import document_markdown

    return document_markdown(document, verbose=verbose)


def _write_json(index: RunIndex, console: Screen, json: Path) -> Summary:
    from grice.reporting.experiment.as_json import index_json

    content, summary = index_json(index)
    write_json(console, content, json)
    return summary


def _junit(index: RunIndex) -> tuple[bytes, Summary]:
    from grice.reporting.experiment.junit import junit_xml

    summary = Summary()
    results = summed_by(summary, index.results())
    text = junit_xml(
        index.heads,
        results,
        unfinished=index.unfinished,
        unfinished_in=index.unfinished_in,
        never_begun=index.never_begun,
        damaged=index.damaged,
        notes=index.notes,
    )
    return text, summary


def _close(index: RunIndex, arguments: Command, console: Screen, errors: Screen) -> None:
    """Write what is wanted beside the report; where the report is data that is said on the other stream."""
    if arguments.json is not None and not printed(arguments.json):
        _write_json(index, console, arguments.json)
    if arguments.forms and (path := _saved(index, arguments)):
        print_saved(errors, Path(path))
    if arguments.html is not None:
        write_html(kept_document(index, everything=True, verbose=True)[0], arguments.html)
    if arguments.step_summary:
        append_step_summary(_markdown(kept_document(index)[0]))


def _saved(index: RunIndex, arguments: Command) -> str:
    """Where the report was saved, "" where that is not asked for. Raises OSError."""
    if not arguments.save and arguments.save_to is None:
        return ""
    from grice.reporting.experiment.results_file import save_index

    target = arguments.save_to or target_of(Projects(Path.cwd()).of(Path.cwd()), wanted=True)
    return shown_path(save_index(index, target or Path()))


def _draw(index: RunIndex, arguments: Command, console: Screen, errors: Screen) -> int:
    from grice.experiments.aggregation.topic_counts import TopicTally
    from grice.reporting.graph_drawing import drawn_graph, mermaid

    tally = TopicTally()
    for result in index.results():
        tally.add(result.conversation.visits)
        tally.add_graph(result.conversation.topic_graph)
    head = index.heads[-1]
    drawing = drawn_graph(head.topic_graph, tally, title=f"Topics of {head.name or head.id}")
    if not drawing.topics:
        print_problem(errors, "error: no conversation of this run followed a topic graph: nothing to draw")
        return UNUSABLE
    if arguments.graph == "svg":
        from grice.reporting.graph_svg import svg

        write_output(console, svg(drawing).encode(), arguments.output)
    else:
        write_output(console, mermaid(drawing).encode(), arguments.output)
    for note in index.notes:
        print_line(errors, visible(note, newlines=False), style="yellow", hanging="  ")
    return NOBODY_READS if console.quiet else PASSED


def _check_output(output: Path) -> None:
    """Raise OSError where nothing can be written; what Grice wrote may be written over."""
    if output.is_file():
        from grice.reporting.experiment.junit import JUNIT_MARK
        from grice.reporting.graph_drawing import MERMAID_MARK
        from grice.reporting.graph_svg import SVG_MARK
        from grice.reporting.renderers.markdown import mark_of

        with output.open("rb") as stream:
            beginning = stream.read(500)
        own = (MERMAID_MARK, mark_of("experiment"))
        if beginning.startswith(tuple(map(str.encode, own))):
            return
        if any(mark.encode() in beginning for mark in (SVG_MARK, JUNIT_MARK)):
            return
    check_output(output)


def _list_runs(root: Path, console: Screen, errors: Screen, *, verbose: bool = False) -> int:
    """Show the latest 20 runs in the folder, all with `verbose`, each when it is read; the exit code.

    0: shown, also when there are none. 2: one cannot be read. 141: nobody reads the output any more. Raises
    JournalError where the folder is a file.
    """
    runs, problems, copies = runs_in(root)
    if not runs and not problems:
        print_line(
            console, f"no runs in {visible(str(root), newlines=False)}: grice run, or pytest --grice-store"
        )
    shown = runs if verbose else runs[:_SHOWN]
    rows = [_TITLES, *(_cells_of(head) for _, head in shown)]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    if shown:
        _print_row(console, _TITLES, widths, "Completion")
    for (folder, _), row in zip(shown, rows[1:], strict=True):
        if console.quiet:
            return NOBODY_READS
        try:
            completion = _completion(results_in(folder))
        except JournalError as error:
            problems.append(str(error))
            completion = "cannot be read"
        _print_row(console, row, widths, completion)
    if len(runs) > len(shown):
        print_line(console, f"and {len(runs) - len(shown)} earlier; --verbose lists all")
    for copy in copies:
        print_line(errors, f"warning: {visible(copy, newlines=False)}", style="yellow", hanging="  ")
    for problem in problems:
        print_problem(errors, f"error: {problem}")
    return NOBODY_READS if console.quiet else UNUSABLE if problems else PASSED


def _cells_of(head: Experiment) -> tuple[str, ...]:
    said = (head.id, moment_text(head.timestamp), head.name, ", ".join(head.tags), head.git_branch or "")
    return tuple(shorten(visible(one, newlines=False), _LONGEST) or "-" for one in said)


def _print_row(console: Screen, row: tuple[str, ...], widths: list[int], completion: str) -> None:
    padded = [cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)]
    print_line(console, "  ".join([*padded, completion]), hanging="    ")


def _completion(results: ExperimentResults) -> str:
    """`78.7% (37/47)`, and whether that is of everything that was planned."""
    summary = results.summary
    if not summary.counted:
        rate = "nothing counts"
    elif summary.never_checked:
        rate = "never checked"
    else:
        rate = counted_rate(summary.completion)
    return rate if results.complete else f"{rate}, not finished"
