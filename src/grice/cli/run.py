"""`grice run`: goldens, suites and scenario sets, and what happened; Python tests are pytest's."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console

from grice.agents import AgentLoadError
from grice.cli.exit_codes import FAILED, INTERRUPTED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.run_files import Case, Files, FilesError, cases_of, files_of
from grice.cli.run_shown import MANY, NobodyReads, RunShown, labelled
from grice.cli.run_works import CaseWork, Held, cases_to_run, head_of_run, held_at_once, labels_of
from grice.cli.saving import print_kept, save_run, target_of
from grice.experiments.attempts import why_not_counted
from grice.records import Outcome, Result
from grice.reporting.console import console_for, print_line, print_problem, print_summary
from grice.reporting.json_file import write_json
from grice.running.interrupts import stops_the_run
from grice.running.journal.experiment import new_experiment
from grice.running.journal.form import JournalError
from grice.running.outlines import outline_of
from grice.running.project_llms import ProjectLLMs
from grice.running.replay import Replay, agent_problem, play, replay, unplayed
from grice.running.runs_folder import runs_folder
from grice.running.session import Keeping, RunSession
from grice.running.settings import Projects, SettingsError
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors
from grice.suites.writing import check_output
from grice.text import visible

if TYPE_CHECKING:
    from grice.running.conversation_config import RunOptions
    from grice.running.run_many import Planned

__all__ = ["RunArguments", "run_paths"]


@dataclass(frozen=True)
class RunArguments:
    """What the command line says. `topics` is a graph file, `checks` are names; both are for sets."""

    paths: Sequence[Path]
    agent: str | None = None
    json: Path | None = None
    update: bool = False
    verbose: bool = False
    record: str = ""
    repeat: int = 1
    concurrency: int = 0
    resume: str = ""
    strict: bool = False
    name: str = ""
    tags: Sequence[str] = ()
    seed: int = 0
    topics: Path | None = None
    ask: bool = True
    checks: Sequence[str] = ()
    runs: Path | None = None
    save: bool = False
    save_to: Path | None = None
    command: Sequence[str] = ()
    mix: bool = False
    keyword: str = ""
    stop_at_first: bool = False
    last_failed: bool = False
    workers: str = ""

    @property
    def for_pytest(self) -> str:
        """The first option that only pytest has, "" where none is given."""
        given = {
            "-k": self.keyword,
            "-x": self.stop_at_first,
            "--last-failed": self.last_failed,
            "-n": self.workers,
        }
        return next((name for name, value in given.items() if value), "")

    @property
    def options(self) -> RunOptions:
        """The same for conversations that are held many at once."""
        options: RunOptions = {"repeat": self.repeat, "seed": self.seed, "record": self.record}
        if self.concurrency:
            options["concurrency"] = self.concurrency
        if self.topics is not None:
            options["topics"] = self.topics
            options["ask"] = self.ask
        return options


@dataclass
class _Run:
    """One run as it goes on: what is done, and how it ended."""

    cases: list[CaseWork]
    held: Held
    projects: Projects
    arguments: RunArguments
    llms: ProjectLLMs
    kept: RunSession
    problems: list[str] = field(default_factory=list)
    """Why agents could not be had, and what else was not finished, each said once."""
    stopped: int = 0
    """The exit code of a run that was stopped early."""
    complete: bool = False
    """Whether everything was run and shown."""

    @cached_property
    def labels(self) -> dict[tuple[str, int], str]:
        """The name that each result is shown with, by stable id and repeat."""
        return labels_of(self.cases, self.held.works)

    @property
    def results(self) -> list[Result]:
        """Everything that is finished, in the order in which it was planned."""
        return list(self.kept.run.results)

    @property
    def planned(self) -> int:
        """How much there is to run."""
        return len(self.cases) + len(self.held.works)

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
        return sum(isinstance(work.case.what, Golden) for work in self.cases)

    @property
    def scenarios(self) -> int:
        return len(self.cases) - self.goldens

    @property
    def tally(self) -> str:
        """What is run, when it is not only goldens."""
        counts = (
            (self.goldens, "golden"),
            (self.scenarios, "scenario"),
            (len(self.held.works), "conversation"),
        )
        if not self.scenarios and not self.held.works:
            return ""
        return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count)


def run_paths(arguments: RunArguments) -> int:
    """Replay the goldens, run the suites, and hold the conversations of scenario sets.

    Python tests, and goldens and suites beside them, are run by pytest.

    Returns the exit code: 0 all passed, 1 something did not, 2 nothing or not everything could be tested,
    130 interrupted, 141 nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        projects = Projects(Path.cwd(), agent=arguments.agent, strict=arguments.strict)
        files = files_of(arguments.paths, projects)
        if files.tests or (arguments.for_pytest and not files.problems):
            return _by_pytest(arguments, files, projects, errors)
        run = _prepared(arguments, files, projects)
        _refuse_without_any_agent(run)
    except _UNUSABLE as error:
        print_problem(errors, str(error))
        return UNUSABLE
    started = time.perf_counter()
    shown = RunShown(console, run.labels, many=len(run.held.works) >= MANY, verbose=arguments.verbose)
    run.kept.observe = shown
    try:
        with _interrupt_told(run, errors), run.kept:
            _run_all(run, shown)
    except JournalError as error:
        run.problems.append(str(error))
    finally:  # what was run is told and kept even when Grice itself fails
        _conclude(run, console, errors, time.perf_counter() - started)
        code = _written(run, arguments.json, errors)
        target = target_of(run.projects.of(Path.cwd()), arguments.save_to, wanted=arguments.save)
        if target is not None and not save_run(run.kept.folder, target, console, errors):
            code = UNUSABLE
    return code


_UNUSABLE = (FilesError, GoldenErrors, SettingsError, AgentLoadError, JournalError, OSError, ValueError)


def _named_agent(projects: Projects) -> str:
    """The agent of the settings, where it is a name."""
    named = projects.of(Path.cwd()).agent
    return named if isinstance(named, str) else ""


def _by_pytest(arguments: RunArguments, files: Files, projects: Projects, errors: Console) -> int:
    """Have pytest run what is not a set, in one session. Raises FilesError and ValueError."""
    from grice.cli.run_pytest import run_by_pytest

    if files.problems:
        raise FilesError("\n".join(dict.fromkeys(files.problems)))
    if files.sets:
        why = f"{arguments.for_pytest} is" if arguments.for_pytest else f"the tests of {files.tests[0]} are"
        raise FilesError(f"{files.sets[0]}: {why} pytest's, which runs no sets: run this set by itself")
    for option, given in (("--check", arguments.checks), ("--topics", arguments.topics)):
        if given:
            raise FilesError(f"{option} is for scenario sets, and there is none")
    if arguments.json is not None:
        check_output(arguments.json, [*files.goldens, *files.suites, *files.tests])
    target = target_of(projects.of(Path.cwd()), arguments.save_to, wanted=arguments.save)
    return run_by_pytest(arguments, runs_folder(arguments.runs), target, errors)


def _prepared(arguments: RunArguments, files: Files, projects: Projects) -> _Run:
    """Everything that is to be run. Raises what is wrong with it."""
    if arguments.json is not None:
        check_output(arguments.json, [*files.goldens, *files.suites, *files.sets])
    llms = ProjectLLMs(projects)
    held = held_at_once(
        files, projects, llms, arguments.options, checks=arguments.checks, update=arguments.update
    )
    only_held = bool(held.works) and not (files.goldens or files.suites)
    cases = (
        []
        if only_held and not files.problems
        else cases_to_run(cases_of(files, projects, llms), arguments.repeat)
    )
    experiment = new_experiment(
        name=arguments.name,
        tags=arguments.tags,
        planned=len(cases) + len(held.works),
        repeat=arguments.repeat,
        seed=arguments.seed,
        concurrency=arguments.concurrency or None,
        agent=arguments.agent or _named_agent(projects),
        command=arguments.command,
        folder=projects.of(Path.cwd()).root,
        **head_of_run(held, cases, projects, llms),
    )
    keeping = Keeping(runs_folder(arguments.runs), resume=arguments.resume, mix=arguments.mix)
    works: list[CaseWork | Planned] = [*cases, *held.works]
    kept = RunSession(experiment, works, keeping, lambda _: None, take=outline_of)
    return _Run(cases, held, projects, arguments, llms, kept)


def _run_all(run: _Run, shown: RunShown) -> None:
    """Run everything and print each result, as long as somebody reads them."""
    try:
        if run.arguments.concurrency > 1 and not run.arguments.update:
            _run_cases_at_once(run, shown)
        else:
            for result, notes in _results(run):
                shown.result(result, notes)
        _hold(run, shown)
        run.complete = len(run.kept.run.results) >= run.planned
        passed = [one for one in run.results if one.outcome is Outcome.PASS]
        if passed and not any(one.counts for one in run.results):
            run.problems.append(
                "no conversation counts: nothing was found out about the agent, see the report"
            )
    except NobodyReads:
        run.stopped = NOBODY_READS


def _run_cases_at_once(run: _Run, shown: RunShown) -> None:
    """Run goldens and suites many at once, each in a thread of its own."""
    from grice.cli.run_works import ThreadWork
    from grice.running.events import ConversationFinished, Event
    from grice.running.many import hold_all

    left = run.kept.left(run.cases)
    notes: dict[tuple[str, int], list[str]] = {}

    def played(work: CaseWork) -> Result:
        result, said = _played(run, work.case)
        notes[result.id, work.repeat] = said
        return msgspec.structs.replace(result, repeat=work.repeat)

    def observe(event: Event) -> None:
        if isinstance(event, ConversationFinished):
            shown.result(event.result, notes.pop((event.result.id, event.result.repeat), []))

    fixed = any(run.projects.of(Path(work.case.what.file)).model_port is not None for work in left)
    most = 1 if fixed else run.arguments.concurrency
    works = [ThreadWork(work, played) for work in left]
    with asyncio.Runner() as runner:
        kept = run.kept
        runner.run(hold_all(works, concurrency=most, begin=kept.begin, finish=kept.finish, observe=observe))


def _hold(run: _Run, shown: RunShown) -> None:
    """Hold the conversations of sets, many at once."""
    left = run.kept.left(run.held.works)
    if not left:
        return
    from grice.running.many import hold_all
    from grice.running.run_many import most_at_once

    kept, most = run.kept, most_at_once(left, run.arguments.concurrency)
    with asyncio.Runner() as runner:
        whole = runner.run(
            hold_all(left, concurrency=most, begin=kept.begin, finish=kept.finish, observe=shown)
        )
    if not whole:
        missing = run.planned - len(run.results)
        run.problems.append(f"the budget is spent: {missing} conversations were not finished; resume the run")


def _conclude(run: _Run, console: Console, errors: Console, seconds: float) -> None:
    """Print what everything came to."""
    results = [labelled(one, run.labels) for one in run.results]
    print_summary(console, results, seconds, planned=run.planned, tally=run.tally)
    if run.arguments.update and not run.goldens:
        print_line(console, "--grice-update rewrites goldens and cassettes; suites are not rewritten")
    _print_notes(run, console)
    for problem in run.problems:
        print_problem(errors, problem)


def _print_notes(run: _Run, console: Console) -> None:
    """What was left out, and where the run is kept."""
    for note in (*run.kept.notes, *run.held.notes):
        print_line(console, visible(note, newlines=False), style="yellow")
    for result in run.results:
        if result.outcome is Outcome.PASS and not result.counts:
            said = f"{labelled(result, run.labels).key} passed and does not count: {why_not_counted(result)}"
            print_line(console, visible(said, newlines=False), style="yellow")
    if run.held.works or run.arguments.repeat > 1 or not run.complete:
        print_kept(console, run.kept.folder, run.kept.experiment.id, complete=run.complete)


def _refuse_without_any_agent(run: _Run) -> None:
    """Raise AgentLoadError with every reason when nothing that is left has an agent that can be loaded.

    What has none while others have one is a problem of the run.
    """
    reasons: dict[str, None] = {}
    wanted = [work.case.what for work in run.kept.left(run.cases) if not work.case.left_out]
    configs = list(dict.fromkeys(work.config for work in run.kept.left(run.held.works)))
    without = 0
    for one in wanted:
        try:
            run.projects.agent_for(Path(one.file), one.agent)
        except AgentLoadError as error:
            reasons[agent_problem(error, one.agent)] = None
            without += 1
    for config in configs:
        try:
            config.find_agent()
        except AgentLoadError as error:
            reasons[str(error)] = None
            run.problems += [str(error)] if str(error) not in run.problems else []
            without += 1
    if reasons and without == len(wanted) + len(configs):
        raise AgentLoadError("\n".join([*reasons, *run.held.notes]))


@contextmanager
def _interrupt_told(run: _Run, errors: Console) -> Iterator[None]:
    """Ctrl-C ends the run, and what was finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        run.stopped = INTERRUPTED
        names = " and ".join(
            name
            for name, count in (
                ("goldens", run.goldens),
                ("scenarios", run.scenarios),
                ("conversations", len(run.held.works)),
            )
            if count
        )
        print_problem(errors, f"interrupted after {len(run.results)} of {run.planned} {names}")


def _results(run: _Run) -> Iterator[Replay]:
    """The results of goldens and suites, one after the other."""
    for work in run.kept.left(run.cases):
        run.kept.begin(work)
        result, notes = _played(run, work.case)
        result = msgspec.structs.replace(result, repeat=work.repeat)
        run.kept.finish(result)
        yield Replay(result, notes)


def _played(run: _Run, case: Case) -> Replay:
    """What came of a case; an agent that cannot be had is an error of this case, and a problem."""
    if case.left_out:
        return Replay(_without_running(case, Outcome.SKIPPED, case.left_out), [])
    what, path = case.what, Path(case.what.file)
    try:
        target = run.projects.agent_for(path, what.agent)
        settings = run.projects.of(path)
        if isinstance(what, Golden):
            return replay(what, target, settings, update=run.arguments.update)
        mode, update = run.arguments.record, run.arguments.update
        return play(what, target, settings, run.llms, mode=mode, update=update)
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
        write_json(json, run.kept.whole().results, complete=run.complete)
    except (OSError, JournalError) as error:
        why = (error.strerror or error) if isinstance(error, OSError) else error
        print_problem(errors, f"{json}: cannot be written: {why}")
        return UNUSABLE
    return run.exit_code
