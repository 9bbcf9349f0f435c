"""`grice run`: replay goldens, run suites, and say what happened."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from grice.agents import AgentLoadError
from grice.cli.run_files import Case, FilesError, cases_of, files_of
from grice.records import Outcome, Result
from grice.reporting.console import console_for, print_line, print_problem, print_result, print_summary
from grice.reporting.json_file import write_json
from grice.running.interrupts import stops_the_run
from grice.running.project_llms import ProjectLLMs
from grice.running.replay import Replay, agent_problem, play, replay, unplayed
from grice.running.settings import Projects, SettingsError
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors
from grice.suites.writing import check_output
from grice.text import visible

__all__ = ["FAILED", "INTERRUPTED", "NOBODY_READS", "PASSED", "UNUSABLE", "run_goldens"]

PASSED, FAILED, UNUSABLE, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141


@dataclass
class _Run:
    """One run as it goes on: what is done, and how it ended."""

    cases: list[Case]
    projects: Projects
    update: bool
    record: str
    llms: ProjectLLMs
    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why agents could not be had, each said once."""
    stopped: int = 0
    """The exit code of a run that was stopped early."""
    complete: bool = False
    """Whether everything was run and shown."""

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped
        outcomes = {result.outcome for result in self.results}
        if self.problems or outcomes <= {Outcome.SKIPPED}:  # nothing was tested, or not everything
            return UNUSABLE
        return PASSED if outcomes <= {Outcome.PASS, Outcome.SKIPPED} else FAILED

    @property
    def goldens(self) -> int:
        return sum(isinstance(case.what, Golden) for case in self.cases)

    @property
    def scenarios(self) -> int:
        return len(self.cases) - self.goldens

    @property
    def tally(self) -> str:
        """What is run, when it is not only goldens."""
        if not self.scenarios:
            return ""
        counts = ((self.goldens, "golden"), (self.scenarios, "scenario"))
        return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count)


def run_goldens(
    paths: Sequence[Path],
    *,
    agent: str | None,
    json: Path | None,
    update: bool,
    verbose: bool,
    record: str = "",
) -> int:
    """Replay the goldens and run the suites under `paths`.

    Returns the exit code: 0 all passed, 1 something did not, 2 nothing or not everything could be tested,
    130 interrupted, 141 nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        projects = Projects(Path.cwd(), agent=agent)
        files = files_of(paths, projects)
        if json is not None:
            check_output(json, [*files.goldens, *files.suites])
        llms = ProjectLLMs(projects)
        run = _Run(cases_of(files, llms), projects, update, record, llms)
        _refuse_without_any_agent(run)
    except (FilesError, GoldenErrors, SettingsError, AgentLoadError, OSError) as error:
        print_problem(errors, str(error))
        return UNUSABLE
    started = time.perf_counter()
    try:
        with _interrupt_told(run, errors):
            _show_results(run, console, verbose=verbose)
    finally:  # what was run is told and kept even when Grice itself fails
        seconds = time.perf_counter() - started
        print_summary(console, run.results, seconds, planned=len(run.cases), tally=run.tally)
        if update and not run.goldens:
            print_line(console, "--grice-update rewrites goldens and cassettes; suites are not rewritten")
        for problem in run.problems:
            print_problem(errors, problem)
        code = _written(run, json, errors)
    return code


def _show_results(run: _Run, console: Console, *, verbose: bool) -> None:
    """Run everything and print each result, as long as somebody reads them."""
    width = max(len(visible(case.what.id, newlines=False)) for case in run.cases)
    ends_blank = True
    try:
        for result, notes in _results(run, console):
            ends_blank = print_result(console, result, verbose=verbose, key_width=width, notes=notes)
            if console.quiet:
                run.stopped = NOBODY_READS
                break
        else:
            run.complete = True
    finally:
        if not ends_blank:
            console.print()


def _refuse_without_any_agent(run: _Run) -> None:
    """Raise AgentLoadError with every reason when nothing at all has an agent that can be loaded."""
    reasons: dict[str, None] = {}
    wanted = [case.what for case in run.cases if not case.left_out]
    without = 0
    for one in wanted:
        try:
            run.projects.agent_for(Path(one.file), one.agent)
        except AgentLoadError as error:
            reasons[agent_problem(error, one.agent)] = None
            without += 1
    if wanted and without == len(wanted):
        raise AgentLoadError("\n".join(reasons))


@contextmanager
def _interrupt_told(run: _Run, errors: Console) -> Iterator[None]:
    """Ctrl-C ends the run, and what was finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        run.stopped = INTERRUPTED
        names = " and ".join(
            name for name, count in (("goldens", run.goldens), ("scenarios", run.scenarios)) if count
        )
        print_problem(errors, f"interrupted after {len(run.results)} of {len(run.cases)} {names}")


def _results(run: _Run, console: Console) -> Iterator[Replay]:
    """The results one after the other, with a progress bar on a terminal."""
    columns = (TextColumn("running"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(run.cases))
        for case in run.cases:
            played = _played(run, case)
            run.results.append(played.result)
            yield played
            progress.advance(task)


def _played(run: _Run, case: Case) -> Replay:
    """What came of a case; an agent that cannot be had is an error of this case, and a problem."""
    if case.left_out:
        return Replay(_without_running(case, Outcome.SKIPPED, case.left_out), [])
    what, path = case.what, Path(case.what.file)
    try:
        target = run.projects.agent_for(path, what.agent)
        settings = run.projects.of(path)
        if isinstance(what, Golden):
            return replay(what, target, settings, update=run.update)
        return play(what, target, settings, run.llms, mode=run.record, update=run.update)
    except AgentLoadError as error:
        reason = agent_problem(error, what.agent)
    except BaseException as error:
        if isinstance(error, Exception) or stops_the_run(error):
            raise
        name = type(error).__name__
        reason = f"the agent ended the program while it was made ({name}: {visible(str(error))})"
    if reason not in run.problems:
        run.problems.append(reason)
    return Replay(_without_running(case, Outcome.ERROR, reason), [])


def _without_running(case: Case, outcome: Outcome, reason: str) -> Result:
    if isinstance(case.what, Golden):
        return unplayed(case.what, reason)
    from grice.running.suite import unrun

    if outcome is Outcome.ERROR:
        return unrun(case.what, outcome, reason, claim="an agent to hold the conversation with")
    return unrun(case.what, outcome, reason)


def _written(run: _Run, json: Path | None, errors: Console) -> int:
    """The exit code, once the JSON file is there when one is wanted."""
    if json is None:
        return run.exit_code
    try:
        write_json(json, run.results, complete=run.complete)
    except OSError as error:
        print_problem(errors, f"{json}: cannot be written: {error.strerror or error}")
        return UNUSABLE
    return run.exit_code
