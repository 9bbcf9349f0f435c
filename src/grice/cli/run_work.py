"""The work of `grice run`: goldens, suites and scenario sets; Python tests are pytest's."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grice.agents import AgentLoadError
from grice.cli.exit_codes import FAILED, INTERRUPTED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.run import Command
from grice.cli.run_files import Files, FilesError, files_of, works_of_files
from grice.cli.run_sets import Sets, head_of_run, names_in, read_sets
from grice.cli.saving import print_kept, save_run, target_of
from grice.experiments.attempts import why_not_counted
from grice.files.golden_records import Golden
from grice.files.goldens import GoldenErrors, is_golden_file
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.records import Outcome, Result
from grice.reporting.console import Screen, print_line, print_problem, print_result, print_summary, screen_for
from grice.reporting.json_file import write_json
from grice.reporting.lines import Line
from grice.running.events import ConversationFinished, Event, RunFinished, RunStarted
from grice.running.file_work import Door, FileWork, agent_problem
from grice.running.journal.experiment import new_experiment
from grice.running.journal.form import JournalError
from grice.running.planned_conversations import outline_of
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects, path_at
from grice.running.runs_folder import runs_folder
from grice.running.session import Keeping, RunSession
from grice.text import visible

if TYPE_CHECKING:
    from grice.running.run_many import Planned


_MANY = 50
"""From so many conversations of tests and sets on, those that pass have no line of their own."""
_WIDEST = 60


@dataclass
class _Run:
    """One run as it goes on: what is done, and how it ended."""

    works: list[FileWork]
    sets: Sets
    door: Door
    arguments: Command
    session: RunSession
    stopped: int = 0
    """The exit code of a run that was stopped early."""
    complete: bool = False
    """Whether everything was run and shown."""

    @property
    def problems(self) -> list[str]:
        """Why agents could not be had, and what else was not finished, each said once."""
        return self.door.problems

    @cached_property
    def names(self) -> dict[str, str]:
        """The names that results are shown with in place of their keys, by stable id."""
        return names_in(self.sets.works)

    @property
    def widest(self) -> int:
        """The length of the longest name."""
        works: tuple[FileWork | Planned, ...] = (*self.works, *self.sets.works)
        labels = (_label(self.names.get(one.id, one.key), one.repeat) for one in works)
        return max((len(visible(one, newlines=False)) for one in labels), default=0)

    @property
    def results(self) -> list[Result]:
        """Everything that is finished, in the order in which it was planned."""
        return list(self.session.run.results)

    @property
    def planned(self) -> int:
        """How much there is to run."""
        return len(self.works) + len(self.sets.works)

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped
        outcomes = {result.outcome for result in self.results}
        if self.problems or outcomes <= {Outcome.SKIPPED}:  # nothing was tested, or not everything
            return UNUSABLE
        return PASSED if outcomes <= {Outcome.PASS, Outcome.SKIPPED} else FAILED

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind, of those that there are."""
        goldens = sum(isinstance(work.source, Golden) for work in self.works)
        counts = {
            "golden": goldens,
            "scenario": len(self.works) - goldens,
            "conversation": len(self.sets.works),
        }
        return {name: count for name, count in counts.items() if count}

    @property
    def tally(self) -> str:
        """What is run, when it is not only goldens."""
        if self.counts.keys() <= {"golden"}:
            return ""
        return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in self.counts.items())


def run_paths(arguments: Command) -> int:
    """Replay the goldens, run the suites, and hold the conversations of scenario sets.

    Python tests, and goldens and suites beside them, are run by pytest.

    Returns the exit code: 0 all passed, 1 something did not, 2 nothing or not everything could be tested,
    130 interrupted, 141 nobody reads the output any more.
    """
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        projects = Projects(Path.cwd(), agent=arguments.agent or None, strict=arguments.strict)
        if arguments.mix and not arguments.resume:
            raise FilesError("--mix goes with --resume: it says how a run is gone on with")
        if arguments.run_id and arguments.resume:
            raise FilesError("--run-id is for a new run, and --resume goes on with one that has its id")
        files = files_of(arguments.paths, projects)
        if files.tests or (not files.problems and (arguments.for_pytest or _wants_pytest(files))):
            return _by_pytest(arguments, files, projects, errors)
        run = _prepared(arguments, files, projects)
        _refuse_without_any_agent(run)
    except SettingsError as error:
        from grice.cli.check_work import wrong_beside_settings

        named = [Path(str(one).partition("::")[0]) for one in arguments.paths]
        for problem in (error, *wrong_beside_settings(named, error)):
            print_problem(errors, str(problem))
        return UNUSABLE
    except _UNUSABLE as error:
        print_problem(errors, str(error))
        return UNUSABLE
    started = time.perf_counter()
    many = len(run.sets.works) >= _MANY
    run.session.observe = _RunShown(
        console,
        run.names,
        run.widest,
        many=many,
        verbose=arguments.verbose,
        hints=partial(_wants_hints, projects),
    )
    try:
        with _interrupt_told(run, errors), run.session:
            _run_all(run)
    except JournalError as error:
        run.problems.append(str(error))
    finally:  # what was run is told and kept even when Grice itself fails
        _conclude(run, console, errors, time.perf_counter() - started)
        code = _written(run, arguments.json, errors)
        target = target_of(run.door.projects.of(Path.cwd()), arguments.save_to, wanted=arguments.save)
        if target is not None and not save_run(run.session.folder, target, console, errors):
            code = UNUSABLE
        if server := sys.modules.get("grice.agents.server"):
            server.end_servers()
    return code


_UNUSABLE = (FilesError, GoldenErrors, AgentLoadError, JournalError, OSError, ValueError)


def _wants_hints(projects: Projects, result: Result) -> bool:
    return projects.of(Path(result.file) if result.file else Path.cwd()).hints == "on"


def _named_agent(projects: Projects) -> str:
    """The agent of the settings, where it is a name."""
    named = projects.of(Path.cwd()).agent
    return named if isinstance(named, str) else ""


def _wants_pytest(files: Files) -> bool:
    """Whether pytest has fixtures for goldens and suites, such as an agent, or finds tests elsewhere."""
    alone = files.sets or any(not is_golden_file(one.name) for one in files.goldens)
    return bool(files.fixtures) and not alone and importlib.util.find_spec("pytest") is not None


def _by_pytest(arguments: Command, files: Files, projects: Projects, errors: Screen) -> int:
    """Have pytest run what is not a set, in one session. Raises FilesError and ValueError."""
    from grice.cli.run_pytest import run_by_pytest

    if files.problems:
        raise FilesError("\n".join(dict.fromkeys(files.problems)))
    if files.sets:
        why = f"{arguments.for_pytest} is" if arguments.for_pytest else f"the tests of {files.tests[0]} are"
        raise FilesError(f"{files.sets[0]}: {why} pytest's, which runs no sets: run this set by itself")
    for golden in files.goldens:
        if not is_golden_file(golden.name) and golden in map(Path, arguments.paths):
            raise FilesError(
                f"{golden}: pytest, which runs the tests beside it, knows goldens by their name: name it "
                f"{golden.stem}.golden{golden.suffix}, or run it by itself"
            )
    given_for_sets = {"--check": arguments.checks, "--topics": arguments.topics, "--state": arguments.state}
    for option, given in given_for_sets.items():
        if given:
            raise FilesError(f"{option} is for scenario sets, and there is none")
    if arguments.json is not None:
        tests = [Path(str(one).partition("::")[0]) for one in files.tests]
        check_output(arguments.json, [*files.goldens, *files.suites, *tests])
    target = target_of(projects.of(Path.cwd()), arguments.save_to, wanted=arguments.save)
    return run_by_pytest(arguments, runs_folder(arguments.runs), target, errors)


def _prepared(arguments: Command, files: Files, projects: Projects) -> _Run:
    """Everything that is to be run. Raises what is wrong with it."""
    if arguments.json is not None:
        check_output(arguments.json, [*files.goldens, *files.suites, *files.sets])
    door = Door(projects, ProjectLLMs(projects), arguments.record, arguments.update)
    sets = read_sets(files, door, arguments.options, arguments.checks)
    if arguments.engine:
        from grice.cli.run_engine import refuse_engine

        refuse_engine(sets, arguments)
    only_sets = bool(sets.works) and not (files.goldens or files.suites)
    works = [] if only_sets and not files.problems else works_of_files(files, door, arguments.repeat)
    experiment = new_experiment(
        id=arguments.run_id or "",
        name=arguments.name or "",
        tags=arguments.tags,
        planned=len(works) + len(sets.works),
        repeat=arguments.repeat,
        seed=arguments.seed,
        concurrency=arguments.concurrency,
        agent=arguments.agent or _named_agent(projects),
        command=("grice", *sys.argv[1:]),
        folder=projects.of(Path.cwd()).root,
        **head_of_run(sets, works, door),
    )
    keeping = Keeping(
        runs_folder(arguments.runs),
        resume=arguments.resume,
        mix=arguments.mix,
        tell=lambda said: screen_for(sys.stderr).print(Line(said), soft_wrap=True),
    )
    session = RunSession(experiment, [*works, *sets.works], keeping, lambda _: None, take=outline_of)
    return _Run(works, sets, door, arguments, session)


def _run_all(run: _Run) -> None:
    """Run everything, as long as somebody reads the results."""
    wanted, session, works = run.arguments.concurrency or 1, run.session, run.works
    fixed = any(run.door.projects.of(path_at(work.file)).model_port is not None for work in works)
    try:
        if works and wanted > 1 and not fixed and not run.arguments.update:
            session.hold(works, wanted)
        else:
            session.play(works)
        if run.sets.works:
            _hold_sets(run)
        run.complete = len(session.run.results) >= run.planned
        passed = [one for one in run.results if one.outcome is Outcome.PASS]
        if passed and not any(one.counts for one in run.results):
            run.problems.append(
                "no conversation counts: nothing was found out about the agent, see the report"
            )
    except _NobodyReads:
        run.stopped = NOBODY_READS


def _hold_sets(run: _Run) -> None:
    from grice.running.run_many import most_at_once

    if run.arguments.engine:
        _hold_by_engine(run)
        return
    if not run.session.hold(run.sets.works, most_at_once(run.sets.works, run.arguments.concurrency or 0)):
        missing = run.planned - len(run.results)
        run.problems.append(f"the budget is spent: {missing} conversations were not finished; resume the run")


def _hold_by_engine(run: _Run) -> None:
    from grice.cli.run_engine import held_by_ray
    from grice.scanning.engines import EngineFailed

    session = run.session
    left = session.left(run.sets.works)
    if not left:
        return
    try:
        with held_by_ray(left, session, run.arguments) as (works, at_once):
            session.hold_elsewhere(works, at_once)
    except EngineFailed as error:
        run.problems.append(f"{error}; --resume goes on")


def _conclude(run: _Run, console: Screen, errors: Screen, seconds: float) -> None:
    """Print what everything came to."""
    results = [_labelled(one, run.names) for one in run.results]
    print_summary(console, results, seconds, planned=run.planned, tally=run.tally)
    if run.arguments.update and "golden" not in run.counts:
        print_line(console, "--grice-update rewrites goldens and cassettes; suites are not rewritten")
    _print_notes(run, console)
    for problem in run.problems:
        print_problem(errors, problem)


def _print_notes(run: _Run, console: Screen) -> None:
    """What was left out, and where the run is kept."""
    for note in (*run.session.notes, *run.sets.notes):
        print_line(console, visible(note, newlines=False), style="yellow")
    for result in run.results:
        if result.outcome is Outcome.PASS and not result.counts:
            said = f"{_labelled(result, run.names).key} passed and does not count: {why_not_counted(result)}"
            print_line(console, visible(said, newlines=False), style="yellow")
    large = bool(run.sets.works) or run.arguments.repeat > 1
    print_kept(console, run.session.folder, run.session.experiment.id, complete=run.complete, large=large)


def _refuse_without_any_agent(run: _Run) -> None:
    """Raise AgentLoadError with every reason when nothing that is left has an agent that can be loaded.

    What has none while others have one is a problem of the run.
    """
    reasons: dict[str, None] = {}
    wanted = [work for work in run.session.left(run.works) if not work.left_out]
    configs = list(dict.fromkeys(work.config for work in run.session.left(run.sets.works)))
    without = 0
    for one in wanted:
        try:
            run.door.agent_of(one)
        except AgentLoadError as error:
            reasons[agent_problem(error, one.agent)] = None
            without += 1
    for config in configs:
        try:
            config.find_agent()
        except AgentLoadError as error:
            reasons[str(error)] = None
            run.door.add_problem(str(error))
            without += 1
    if reasons and without == len(wanted) + len(configs):
        raise AgentLoadError("\n".join([*reasons, *run.sets.notes]))


@contextmanager
def _interrupt_told(run: _Run, errors: Screen) -> Iterator[None]:
    """Ctrl-C ends the run, and what was finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        run.stopped = INTERRUPTED
        names = " and ".join(f"{name}s" for name in run.counts)
        print_problem(errors, f"interrupted after {len(run.results)} of {run.planned} {names}")


def _written(run: _Run, json: Path | None, errors: Screen) -> int:
    """The exit code, once the JSON file is there when one is wanted."""
    if json is None:
        return run.exit_code
    try:
        write_json(json, run.session.whole().results, complete=run.complete)
    except (OSError, JournalError) as error:
        why = (error.strerror or error) if isinstance(error, OSError) else error
        print_problem(errors, f"{json}: cannot be written: {why}")
        return UNUSABLE
    return run.exit_code


class _NobodyReads(Exception):
    """The output has no reader any more, as in `grice run . | head -1`."""


def _labelled(result: Result, names: Mapping[str, str]) -> Result:
    """The result under the name that it is shown with: its key, or what `names` has by stable id."""
    name = _label(names.get(result.id, result.key), result.repeat)
    return result if name == result.key else msgspec.structs.replace(result, key=name)


def _label(name: str, repeat: int) -> str:
    """The name with the number of the repeat, from the second on."""
    return f"{name} (repeat {repeat})" if repeat > 1 else name


@dataclass
class _RunShown:
    """An observer of a run that prints each result, with its transcript when it did not pass.

    `names` are those to print in place of keys, by stable id; `widest` is the length of the longest. `many`
    leaves out the lines of those that passed, unless `verbose`: the progress stands for them, a bar on a
    terminal and a line at each tenth elsewhere. Raises _NobodyReads when a result could not be written
    because its reader has left.
    """

    console: Screen
    names: Mapping[str, str] = field(default_factory=dict)
    widest: int = 0
    many: bool = False
    verbose: bool = False
    hints: Callable[[Result], bool] = lambda _: False
    """Whether the causes on the record of a result that did not pass are shown."""
    ends_blank: bool = True
    """Whether nothing was printed since an empty line."""

    def __post_init__(self) -> None:
        self._progress: Callable[[Event], None] = lambda _: None
        if self.many or self.console.is_terminal:
            from grice.reporting.progress import progress_on

            self._progress = progress_on(self.console, quiet=False, bare=True)

    def __call__(self, event: Event) -> None:
        """Print what there is to tell."""
        if isinstance(event, ConversationFinished):
            self._result(event)
            return
        if isinstance(event, RunStarted) and event.finished_before:
            print_line(self.console, f"{event.finished_before} of {event.planned} were finished before")
        if isinstance(event, RunFinished) and not self.ends_blank:
            self.console.print()
        self._progress(event)

    def _result(self, event: ConversationFinished) -> None:
        """Print a result that is finished, with notes on it."""
        result, notes = event.result, event.notes
        if not self.many or self.verbose or notes or result.outcome is not Outcome.PASS:
            shown = _labelled(result, self.names)
            self.ends_blank = print_result(
                self.console,
                shown,
                verbose=self.verbose,
                key_width=min(_WIDEST, self.widest),
                notes=notes,
                causes=self.hints(result),
            )
        self._progress(event)
        if self.console.quiet:
            raise _NobodyReads
