"""The work of `grice scan`: scan logs and show what was found."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grice.checks.rule_names import UnknownCheck
from grice.cli.exit_codes import FAILED, INTERRUPTED, PASSED, UNUSABLE
from grice.cli.log_mapping import MappedLogs, NotMapped, mapped_logs
from grice.cli.named_checks import import_matchers, registered
from grice.cli.output import print_unwritten, write_pages
from grice.cli.shown_document import check_forms, print_where, show_document
from grice.files.document import FileErrors
from grice.files.settings import find_settings
from grice.files.settings_files import SettingsError
from grice.formats import FormatError
from grice.formats.buckets import is_address
from grice.formats.lines import STDIN, Unreadable, open_log, parse_line, read_lines, size_of
from grice.formats.logs import read_log
from grice.matching.recording import EMBEDDER, ENTAILMENT
from grice.records import Conversation, JsonValue
from grice.reporting.console import PlainScreen, print_line, print_problem, screen_for
from grice.reporting.documents.findings import finding_pages, pasted, scan_document, scan_problems
from grice.reporting.renderers.html import NoJinja
from grice.running.entailments import BY_JUDGE
from grice.scanning.check_choice import Choice, choose_checks, default_checks, is_file
from grice.scanning.chosen_lines import LineFilter, WrongChoice, condition, parse_since, unknown_fields
from grice.scanning.engines import Engine, EngineFailed
from grice.scanning.found_replies import FoundReplies
from grice.scanning.kept_scan import SCANS, FindingSample, new_scan_id, write_scan
from grice.scanning.log_scan import Progress, ScanOptions, draw_sample, scan
from grice.scanning.many_machines import engine_of
from grice.scanning.report import (
    Finding,
    FindingsFile,
    NoParquet,
    ScanReport,
    check_table,
    write_table,
)
from grice.scanning.unfinished import CannotResume, Unfinished, scan_digest
from grice.scanning.workers import cores
from grice.text import did_you_mean, value_text, visible

if TYPE_CHECKING:
    from grice.cli.scan import Command
    from grice.files.settings import Settings

JUDGE_LEFT_OUT = (
    '[tool.grice] entailment = "judge": a scan asks no LLM, so that only rules look for contradictions'
)
_FIRST_LINES = 1_000
"""The lines in which the fields of a condition are looked for."""
_PAUSE = 0.1
"""The seconds between two states of the bar."""


class _Unusable(ValueError):
    """What was given cannot be used; the text says why."""


def scan_files(given: Command) -> int:
    """Scan, print the report, write the findings to a file; the exit code."""
    with FoundReplies() if given.html is not None else nullcontext() as found:
        return _scan_and_show(given, found)


def _scan_and_show(given: Command, found: FoundReplies | None) -> int:
    errors = screen_for(sys.stderr)
    try:
        inputs = [Path(one) for one in given.files]
        check_forms(given, "findings", inputs)
        if given.parquet is not None:
            check_table(given.parquet, inputs)
        report = _scanned(given, found)
    except FileErrors as wrong:
        for error in wrong.errors:
            print_problem(errors, f"error: {error}")
        return UNUSABLE
    except (
        UnknownCheck,
        SettingsError,
        WrongChoice,
        CannotResume,
        NoJinja,
        NoParquet,
        _Unusable,
    ) as wrong_use:
        print_problem(errors, f"error: {wrong_use}")
        return UNUSABLE
    except EngineFailed as failure:
        print_problem(errors, f"error: {failure}")
        return UNUSABLE
    except NotMapped:
        return UNUSABLE
    except OSError as error:
        print_unwritten(errors, "findings", error)
        return UNUSABLE
    return _ended(given, report, found)


def _scanned(given: Command, found: FoundReplies | None) -> ScanReport:
    settings = find_settings(Path.cwd())
    if settings is not None and settings.entailment == BY_JUDGE:
        print_problem(screen_for(sys.stderr), f"note: {JUDGE_LEFT_OUT}")
    choice = _choice(given)
    if given.follow:
        _check_growing(given)
    logs = mapped_logs(given.files, given.map, growing=given.follow)
    chosen = _filter(given, logs)
    if given.judge:
        choice = _with_judge(given, choice, logs, chosen, settings)
    options = ScanOptions(
        cores=cores(),
        engine=_engine(given),
        project=str(settings.root) if settings is not None else "",
        chosen=chosen,
        limit=given.limit,
        follow=given.follow,
    )
    before = EMBEDDER.get(), ENTAILMENT.get()
    try:
        return _written(given, logs, choice, options, settings, found)
    finally:
        EMBEDDER.set(before[0])
        ENTAILMENT.set(before[1])


def _check_growing(given: Command) -> None:
    """Raise _Unusable for what cannot be followed: standard input, and what is no JSON Lines."""
    for file in given.files:
        if str(file) == STDIN:
            raise _Unusable("--follow waits at the end of files: name a file or a folder")
        if is_address(file):
            raise _Unusable(f"{file}: --follow reads files that grow, and an object does not: leave it out")
        if os.path.isdir(file):
            continue
        try:
            with open_log(file, "JSON") as stream:
                for _, line in islice(read_lines(stream), 1):
                    if line is not None and line.endswith(b"\n"):
                        parse_line(line)
        except Unreadable:  # the scan says why
            continue
        except FormatError as error:
            raise _Unusable(f"{file}: --follow reads JSON Lines; the first line is {error}") from None


def _choice(given: Command) -> Choice:
    """The checks to apply. Raises UnknownCheck, FileErrors and _Unusable."""
    if given.checks is None and not given.profile:
        choice = default_checks()
    else:
        import_matchers()
        named = (one if is_file(one) else registered(one) for one in (given.checks or "").split(","))
        choice = choose_checks(",".join(named), given.profile)
    if not given.label:
        return choice
    known = [one.label for one in choice.checks] + ([given.judge] if given.judge else [])
    for label in given.label:
        if label not in known:
            hint = did_you_mean(label, known) or f"; expected one of {', '.join(known)}"
            raise _Unusable(f"--label: no check is called {value_text(label)}{hint}")
    return Choice(tuple(one for one in choice.checks if one.label in given.label), choice.left_out)


def _filter(given: Command, logs: MappedLogs) -> LineFilter | None:
    """Which conversations are looked at, None for all. Raises WrongChoice and _Unusable."""
    if given.where:
        condition(given.where)
        if not given.follow and not any(str(one) == STDIN for one in logs.files):
            _look_for_fields(given.where, logs)
    since = parse_since(given.since) if given.since else None
    chosen = LineFilter(given.where, since)
    if given.sample is None:
        return chosen if chosen.reads else None
    if given.follow or any(str(one) == STDIN for one in logs.files):
        raise _Unusable("--sample reads the logs twice: name files, and leave --follow out")
    return draw_sample(logs.files, given.sample, given.seed, chosen, logs.mappings)


def _with_judge(
    given: Command, choice: Choice, logs: MappedLogs, chosen: LineFilter | None, settings: Settings | None
) -> Choice:
    """The choice with a check that has what a judge said. Raises _Unusable for what cannot be used."""
    from grice.agents import AgentLoadError
    from grice.cli.scan_judge import ask_judge
    from grice.judging.criterion import CriterionError
    from grice.llm import LLMConfigError
    from grice.validation.judges.judge_calls import UnknownJudge
    from grice.wire.cassettes import CassetteError

    if given.sample is None or chosen is None:
        raise _Unusable("--judge asks an LLM about each conversation: say how many with --sample")
    if given.engine:
        raise _Unusable("--judge is asked on this machine: leave --engine out")
    if given.judge in [one.label for one in choice.checks]:
        raise _Unusable(f"--judge: a check is called {value_text(given.judge)} too")
    try:
        errors = screen_for(sys.stderr)
        check = ask_judge(given.judge, logs, chosen, given.limit, settings, errors)
    except (AgentLoadError, CriterionError, LLMConfigError, UnknownJudge, CassetteError) as error:
        raise _Unusable(f"--judge: {error}") from error
    return Choice((check, *choice.checks), choice.left_out)


def _look_for_fields(where: str, logs: MappedLogs) -> None:
    """Say which fields of a condition the first lines of the logs do not have.

    Raises _Unusable where these are all lines.
    """

    def values() -> Iterator[JsonValue]:
        for file in logs.files:
            try:
                yield from (one.value for one in read_log(file, logs.mappings.get(str(file))))
            except Unreadable:  # the scan says why
                continue

    first = list(islice(values(), _FIRST_LINES + 1))
    unknown = unknown_fields(where, first)
    if not unknown or not first:
        return
    several = len(unknown) > 1
    missing = f"--where: no line has the field{'s' if several else ''} {'; '.join(unknown)}"
    if len(first) <= _FIRST_LINES:
        raise _Unusable(missing)
    told = missing.replace("no line has", f"none of the first {_FIRST_LINES:,} lines has", 1)
    print_problem(screen_for(sys.stderr), f"note: {told}")


def _engine(given: Command) -> Engine | None:
    """What judges in place of the cores of this machine. Raises EngineFailed and _Unusable."""
    if not given.engine:
        return None
    if given.limit is not None or given.follow:
        raise _Unusable("--engine judges parts of logs in any order: leave --limit and --follow out")

    return engine_of(given.engine)


def _written(
    given: Command,
    logs: MappedLogs,
    choice: Choice,
    options: ScanOptions,
    settings: Settings | None,
    found: FoundReplies | None,
) -> ScanReport:
    """The report of the scan, its findings written as they come. Raises OSError, CannotResume, _Unusable."""
    alone = given.keep or given.html or given.follow
    if given.resume and (alone or not (given.json or given.parquet)):
        raise _Unusable(
            "--resume goes on with the findings of --json or --parquet, without --html, --keep and --follow"
        )
    sample = FindingSample() if given.keep else None
    takers = [one.add for one in (sample, found) if one is not None]

    def take(finding: Finding, conversation: Conversation) -> None:
        for add in takers:
            add(finding, conversation)

    with ExitStack() as stack:
        size = 0 if given.follow else sum(size_of(one) for one in logs.files)
        told = stack.enter_context(_progress(size))
        unfinished = _unfinished(given, logs, choice, options)
        gc.freeze()  # what is loaded stays: it is not looked through again, nor copied by a process of a core
        stack.callback(gc.unfreeze)
        report = scan(
            logs.files,
            choice,
            options,
            mappings=logs.mappings,
            on_finding=_print_finding if given.follow else None,
            on_conversation=take if takers else None,
            on_progress=told,
            unfinished=unfinished,
        )
        report = msgspec.structs.replace(report, extract_options=_for_extract(given), judged=given.judge)
    if unfinished is not None:
        if given.json is not None:
            with FindingsFile(given.json) as output:
                for line in unfinished.lines():
                    output.write(line)
                output.finish(report)
        if given.parquet is not None:
            write_table(unfinished.findings(), given.parquet)
        unfinished.close(done=given.follow or not report.stopped)
    if sample is not None:
        root = Path.cwd() if settings is None else settings.root
        where = write_scan(root / SCANS, new_scan_id(), report, sample)
        shown = where.relative_to(Path.cwd()) if where.is_relative_to(Path.cwd()) else where
        told_where = f"kept: {visible(str(shown), newlines=False)}; grice serve shows it"
        print_line(screen_for(sys.stderr), told_where)
    return report


def _for_extract(given: Command) -> tuple[str, ...]:
    """The options of the scan without which `grice extract` does not find the same."""
    pairs = (("--checks", given.checks), ("--map", given.map))
    return tuple(part for name, value in pairs if value for part in (name, value))


def _unfinished(given: Command, logs: MappedLogs, choice: Choice, options: ScanOptions) -> Unfinished | None:
    """What keeps the findings for a file while the scan goes on, None where none is wanted."""
    beside = given.json or given.parquet
    if beside is None:
        return None
    files = [one for one in logs.files if given.resume or str(one) != STDIN]
    digest = scan_digest(files, choice, options.chosen, options.limit)
    return Unfinished(beside, digest, resume=given.resume)


def _print_finding(finding: Finding) -> None:
    where = f"{pasted(finding)}  {finding.label}  {finding.reason}"
    print_line(screen_for(sys.stdout), visible(where, newlines=False))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Progress], object] | None]:
    """What shows on a terminal how far the scan is, how fast, and how long it takes still; else None."""
    console = screen_for(sys.stderr)
    if isinstance(console, PlainScreen) or not console.is_terminal or not total:
        yield None
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    started, shown = time.monotonic(), 0.0
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total)

        def told(progress: Progress) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown < _PAUSE:
                return
            shown = now
            rate = progress.lines / max(now - started, 0.001)
            said = f"{progress.lines:,} lines, {rate:,.0f} a second, {progress.findings:,} findings"
            bar.update(task, completed=progress.done, description=said)

        yield told


def _ended(given: Command, report: ScanReport, found: FoundReplies | None) -> int:
    """Show the report, say where the findings are and what went wrong; the exit code."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    problems = scan_problems(report)
    show_document(given.but(json=None, html=None), scan_document(report), bytes, console, problems)
    if given.html is not None and found is not None:
        write_pages(finding_pages(report, found, given.html.name), given.html, problems)
    print_where(given, console)
    if given.parquet is not None and not given.markdown:
        print_line(console, f"All findings: {visible(str(given.parquet), newlines=False)}")
    for problem in problems:
        print_problem(errors, f"error: {problem}")
    if report.stopped:
        resumable = not given.follow and (given.json or given.parquet)
        again = "; --resume goes on from there" if resumable else ""
        print_problem(errors, f"stopped at {visible(report.stopped, newlines=False)}{again}")
        return INTERRUPTED
    if problems:
        return UNUSABLE
    return FAILED if report.found and given.fail_on_findings else PASSED
