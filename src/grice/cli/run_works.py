"""What `grice run` holds: goldens and suites, and scenario sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from grice.agents import AgentLoadError
from grice.cli.run_files import Case, Files, FilesError, no_goldens
from grice.identity import fingerprint, stable_id
from grice.running.golden import golden_id
from grice.running.journal.reading import Finished
from grice.running.project_llms import ProjectLLMs
from grice.running.settings import Projects
from grice.suites.files import FileError, load_file
from grice.suites.golden_records import Golden

if TYPE_CHECKING:
    from grice.matching.matcher import Matcher
    from grice.records import Result, Scenario
    from grice.running.body import Body
    from grice.running.conversation_config import RunOptions
    from grice.running.many import Observe
    from grice.running.run_many import Planned
    from grice.running.task import ConversationConfig

__all__ = ["CaseWork", "Held", "ThreadWork", "cases_to_run", "head_of_run", "held_at_once", "labels_of"]


@dataclass(frozen=True)
class CaseWork:
    """A golden or scenario that is to be run, for the `repeat`th time."""

    case: Case
    repeat: int = 1

    @property
    def id(self) -> str:
        """The stable id."""
        what = self.case.what
        if isinstance(what, Golden):
            return golden_id(what)
        from grice.running.suite import path_of_scenario

        return stable_id(path_of_scenario(what))

    @property
    def key(self) -> str:
        """The golden's or scenario's own id."""
        return self.case.what.id

    @property
    def group(self) -> str:
        """The name of the file."""
        return PurePath(self.case.what.file).stem

    @property
    def identity(self) -> Finished:
        """What a journal knows it by."""
        return self.id, self.repeat, fingerprint(self.case.what.content)

    @property
    def place(self) -> str:
        """Its file and id, for people."""
        return f"{self.case.what.file}: {self.case.what.id}"


@dataclass(frozen=True)
class ThreadWork:
    """The same, to be run in a thread of its own."""

    work: CaseWork
    play: Callable[[CaseWork], Result]

    @property
    def id(self) -> str:
        """The stable id."""
        return self.work.id

    @property
    def key(self) -> str:
        """The golden's or scenario's own id."""
        return self.work.key

    @property
    def group(self) -> str:
        """The name of the file."""
        return self.work.group

    @property
    def repeat(self) -> int:
        """Which time it is."""
        return self.work.repeat

    async def hold(self, observe: Observe) -> Result | None:  # noqa: ARG002 - as every work has it
        """What came of it."""
        from grice.loops.caller import call_in_thread

        return await call_in_thread(self.play, self.work)


def cases_to_run(cases: Sequence[Case], repeat: int) -> list[CaseWork]:
    """Every golden and scenario, as often as it is to be run; all of one repeat before those of the next."""
    return [
        CaseWork(case, number)
        for number in range(1, repeat + 1)
        for case in cases
        if number == 1 or not case.left_out
    ]


def labels_of(cases: Sequence[CaseWork], works: Sequence[Planned]) -> dict[tuple[str, int], str]:
    """The name that each result is shown with, by stable id and repeat, in the order of running.

    It is the key; of several sets their own names too, and of several files those of the files.
    """
    configs = {work.config for work in works}
    files = {config.file for config in configs}
    labels = {work.identity[:2]: _again(work.case.what.id, work.repeat) for work in cases}
    for work in works:
        name = work.key if len(configs) == 1 else work.title
        whole = f"{work.config.file.name}::{name}" if len(files) > 1 else name
        labels[work.identity[:2]] = _again(whole, work.repeat)
    return labels


def _again(name: str, repeat: int) -> str:
    return f"{name} (repeat {repeat})" if repeat > 1 else name


@dataclass
class Held:
    """The conversations of sets. `notes` say what may be a mistake."""

    works: list[Planned] = field(default_factory=list)
    configs: list[ConversationConfig] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def held_at_once(
    files: Files,
    projects: Projects,
    llms: ProjectLLMs,
    options: RunOptions,
    *,
    checks: Sequence[str] = (),
    update: bool = False,
) -> Held:
    """What the sets of the files hold.

    Raises FilesError with everything that is wrong in them and in who is to be played, TopicGraphError,
    UserConfigError, LLMConfigError, CriterionError and AgentLoadError.
    """
    _refuse_without_set(files, options, checks)
    if not files.sets:
        return Held()
    from grice.running.run_many import works_of

    reading = _Reading(projects, llms, options, update)
    for path in files.sets:
        reading.read_set(path, checks)
    reading.check_users()
    if reading.problems:
        raise FilesError("\n".join(reading.problems))
    works = works_of(reading.found, options.get("repeat", 1))
    return Held(works, [config for config, _ in reading.found], reading.notes)


def head_of_run(
    held: Held, cases: Sequence[CaseWork], projects: Projects, llms: ProjectLLMs
) -> dict[str, Any]:
    """What the head of the journal says of criteria, graphs, users and models of everything that is run."""
    suites = [work.case.what for work in cases if not isinstance(work.case.what, Golden)]
    judged = [one for one in suites if one.criteria or one.judged]
    if not held.configs and not judged:
        return {}
    from grice.running.run_head import configs_of_suites, run_head

    return run_head([*held.configs, *configs_of_suites(judged, llms, projects.of)])


def _refuse_without_set(files: Files, options: RunOptions, checks: Sequence[str]) -> None:
    """Raise FilesError for what is said of scenario sets when there is none, unless a file is wrong."""
    for option, given in (("--check", bool(checks)), ("--topics", "topics" in options)):
        if given and not files.sets and not _other_problems(files):
            raise FilesError(
                f"{option} is for scenario sets, and there is none; suites say themselves what is checked, "
                "and which topics are followed"
            )


def _other_problems(files: Files) -> bool:
    """Whether files cannot be read or hold something else: that is told, and some may be meant as sets."""
    return (
        bool(files.problems or no_goldens(files.goldens))
        or any(map(_is_broken, files.goldens))
        or any(map(_is_broken, files.suites))
    )


def _is_broken(file: Path) -> bool:
    try:
        return not isinstance(load_file(file).value, dict | list)
    except FileError:
        return True


@dataclass
class _Reading:
    """Reads sets. `found` are configs with their scenarios, `problems` what is wrong in files."""

    projects: Projects
    llms: ProjectLLMs
    options: RunOptions
    update: bool
    found: list[tuple[ConversationConfig, Sequence[Scenario | None]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def read_set(self, path: Path, checks: Sequence[str]) -> None:
        """The scenarios of the file, with the checks that the command line names."""
        from grice.running.conversation_config import config_of_set
        from grice.suites.scenario_sets import ScenarioErrors, read_scenarios

        made = tuple(_checks(checks, self.projects, path))
        try:
            own = read_scenarios(path, name="", folder=Path.cwd())
        except ScenarioErrors as error:
            self.problems.append(str(error))
            return
        self.notes += own.notes
        config = config_of_set(own, made, self._base(path), self.options, self.llms, path)
        self.found.append((config, own.scenarios))

    def check_users(self) -> None:
        """Whether the users of everything that was found can be played."""
        from grice.running.run_options import check_users
        from grice.users.errors import UserConfigError

        for config, scenarios in self.found:
            try:
                check_users(config, scenarios)
            except UserConfigError as error:
                self.problems.append(str(error))

    def _base(self, path: Path) -> ConversationConfig:
        from grice.running.conversation_config import base_config

        return replace(base_config(self.projects, self.llms, path, self.options), update=self.update)


def _checks(named: Sequence[str], projects: Projects, path: Path) -> Iterator[Matcher[Any] | Body]:
    """The checks that the command line names, `module:attribute`. Raises AgentLoadError."""
    from grice.running.conversation_config import check_of

    for name in named:
        check = projects.load(name, projects.of(path).root, "check")
        try:
            yield check_of(check)
        except (TypeError, ValueError) as error:
            raise AgentLoadError(f"check {name!r}: {error}") from None
