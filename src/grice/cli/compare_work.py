"""The work of `grice compare`: two experiments side by side."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from grice.cli.compare import Command
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.shown_document import check_forms, run_showing, show_document, wrong_forms
from grice.experiments.comparison.comparing import comparison_problems
from grice.experiments.comparison.experiment_pair import ExperimentPair, compare_pair, find_pair
from grice.experiments.results import ExperimentResults
from grice.records.codec import encode
from grice.reporting.comparison.as_json import comparison_json
from grice.reporting.console import Screen, print_line, print_problem
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.documents.scan_comparison import scan_comparison_document
from grice.running.journal.folders import LATEST
from grice.scanning.scan_comparison import NoScan, compare_scans, is_written_scan
from grice.text import visible


def compare_experiments(arguments: Command) -> int:
    """Compare them and show it; the exit code."""

    def show(console: Screen, errors: Screen) -> int:
        scans = [Path(one) for one in arguments.experiments]
        if not arguments.baseline and all(map(is_written_scan, scans)):
            return _scans(arguments, scans[0], scans[1], console, errors)
        both = _both(arguments)
        baseline, current, _ = both
        check_forms(arguments, "comparison", [*_files(baseline), *_files(current)])
        found = compare_pair(both)
        show_document(arguments, comparison_document(found), lambda: comparison_json(found), console)
        if baseline.id == current.id:
            itself = f"warning: {visible(current.id, newlines=False)} is compared with itself"
            print_line(errors, itself, style="yellow")
        return _told(comparison_problems(baseline, current, found), console, errors)

    return run_showing("comparison", show, wrong_usage=_wrong_usage(arguments), refused=(NoScan,))


def _scans(arguments: Command, before: Path, later: Path, console: Screen, errors: Screen) -> int:
    """Compare two scans of logs and show it; the exit code. Raises NoScan, OSError."""
    check_forms(arguments, "scan-comparison", (before, later))
    found = compare_scans(before, later)
    show_document(arguments, scan_comparison_document(found), lambda: encode(found) + b"\n", console)
    return _told(found.problems, console, errors)


def _wrong_usage(arguments: Command) -> str:
    given = arguments.experiments
    if len(given) > 2:
        return f"expected two experiments, found {len(given)}: {', '.join(given)}"
    if arguments.baseline and len(given) == 2:
        return f"with --baseline only one experiment is named, found {' and '.join(given)}"
    if not arguments.baseline and len(given) < 2:
        example = f"grice compare BASELINE {shlex.quote(given[0]) if given else LATEST}"
        return f"expected two experiments, found {len(given) or 'none'}: {example}; BASELINE may be latest~1"
    return wrong_forms(arguments)


def _both(arguments: Command) -> ExperimentPair:
    wanted = arguments.baseline
    if wanted:
        chosen = arguments.experiments[0] if arguments.experiments else LATEST
    else:
        wanted, chosen = arguments.experiments
    return find_pair(wanted, chosen, runs=arguments.runs)


def _files(results: ExperimentResults) -> Iterator[Path]:
    """What the experiment was read from."""
    source = Path(results.source)
    return source.glob("*.jsonl") if source.is_dir() else iter([source])


def _told(problems: Sequence[str], console: Screen, errors: Screen) -> int:
    """Say why nothing could be compared; the exit code."""
    for problem in problems:
        print_problem(errors, f"error: {visible(problem, newlines=False)}")
    return NOBODY_READS if console.quiet else UNUSABLE if problems else PASSED
