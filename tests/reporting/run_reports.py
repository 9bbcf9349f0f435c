"""Reports of runs as a terminal shows them and as Markdown, for tests."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from grice.experiments.attempts import Attempt
from grice.experiments.results import ExperimentResults
from grice.records import Result
from grice.reporting.console import screen_for
from grice.reporting.document import Document
from grice.reporting.documents.run import RunResults, run_document, run_results
from grice.reporting.next_steps import NO_EARLIER, Earlier
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document
from grice.running.journal.experiment import Experiment


def of_attempts(attempts: Iterable[Attempt], earlier: Earlier = NO_EARLIER) -> RunResults:
    """What attempts come to, of which no conversation is kept."""
    found = RunResults(earlier)
    for one in attempts:
        found.add(one)
    found.summary.sort()
    return found


def on_terminal(
    document: Document, *, verbose: bool = False, width: int = 100, encoding: str = "utf-8"
) -> str:
    """The document as it is printed."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    console = screen_for(stream)
    console.width = width
    print_document(console, document, verbose=verbose)
    stream.seek(0)
    return stream.read()


def run_report(
    heads: Sequence[Experiment],
    results: Sequence[Result],
    *,
    verbose: bool = False,
    earlier: Earlier = NO_EARLIER,
    **more: Any,
) -> str:
    """The report of a run on a terminal."""
    everything = results if verbose else None
    found = run_results(results, earlier)
    document = run_document(heads, found, everything=everything, verbose=verbose, **more)
    return on_terminal(document, verbose=verbose)


def run_markdown(
    found: ExperimentResults, *, baseline: str = "", runs: Path | None = None, verbose: bool = False
) -> str:
    """The report of a run as Markdown, of its attempts."""
    document = run_document(
        found.heads,
        of_attempts(found.attempts, Earlier(baseline)),
        notes=found.notes,
        unfinished=found.unfinished,
        done=found.done,
        damaged=found.damaged,
        runs=runs,
        verbose=verbose,
    )
    return document_markdown(document, verbose=verbose)
