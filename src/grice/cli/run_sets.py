"""The scenario sets that `grice run` holds, what its works are called, and what the journal says of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.agents import AgentLoadError
from grice.cli.run_files import Files, FilesError, no_goldens, unknown_ids
from grice.files.document import FileError, load_file
from grice.files.golden_records import Golden

if TYPE_CHECKING:
    from grice.files.suite_records import SuiteScenario
    from grice.matching.matcher import Matcher
    from grice.records import Scenario
    from grice.running.body import Body
    from grice.running.file_work import Door, FileWork
    from grice.running.project_llms import ProjectLLMs
    from grice.running.projects import Projects
    from grice.running.run_many import Planned
    from grice.running.run_one import ConversationConfig
    from grice.running.run_options import RunOptions


def names_in(works: Sequence[Planned]) -> dict[str, str]:
    """The names of scenarios that results are shown with instead of their keys, by stable id.

    Of several sets it is the set's name too, and of several files that of the file.
    """
    configs = {work.config for work in works}
    several = len({config.file for config in configs}) > 1
    names: dict[str, str] = {}
    for work in works if len(configs) > 1 else ():
        names[work.id] = f"{work.config.file.name}::{work.title}" if several else work.title
    return names


@dataclass
class Sets:
    """The conversations of sets. `notes` say what may be a mistake."""

    works: list[Planned] = field(default_factory=list)
    configs: list[ConversationConfig] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_sets(files: Files, door: Door, options: RunOptions, checks: Sequence[str] = ()) -> Sets:
    """What the sets of the files hold.

    Raises FilesError with everything that is wrong in them and in who is to be played, TopicGraphError,
    UserConfigError, LLMConfigError, CriterionError and AgentLoadError.
    """
    _refuse_without_set(files, options, checks)
    if not files.sets:
        return Sets()
    from grice.running.run_many import works_of

    reading = _Reading(door.projects, door.llms, options, door.update)
    for path in files.sets:
        reading.read_set(path, checks, files.chosen.get(path))
    reading.check_users()
    if reading.problems:
        raise FilesError("\n".join(reading.problems))
    works = works_of(reading.found, options.get("repeat", 1))
    return Sets(works, [config for config, _ in reading.found], reading.notes)


def head_of_run(sets: Sets, files: Sequence[FileWork], door: Door) -> dict[str, Any]:
    """What the head of the journal says of criteria, graphs, users and models of everything that is run."""
    judged = [one for one in files if one.judged]
    prompted = [one for one in files if one.prompt is not None]
    if not (sets.configs or judged or prompted):
        return {}
    from grice.running.run_head import configs_of_suites, prompts_of_suites, run_head

    tested = prompts_of_suites(_scenarios(prompted), door.llms, door.projects.of)
    configs = configs_of_suites(_scenarios(judged), door.llms, door.projects.of)
    return run_head([*sets.configs, *configs], tested=tested)


def _scenarios(works: Iterable[FileWork]) -> Iterator[SuiteScenario]:
    found = (work.found() for work in works)
    return (one for one in found if not isinstance(one, Golden))


def _refuse_without_set(files: Files, options: RunOptions, checks: Sequence[str]) -> None:
    """Raise FilesError for what is said of scenario sets when there is none, unless a file is wrong."""
    given_for_sets = {"--check": bool(checks), "--topics": "topics" in options, "--state": "state" in options}
    if given_for_sets["--state"] and not checks:
        raise FilesError(
            "--state goes with --check, such as --check my_checks:refunded: nothing else looks at it"
        )
    for option, given in given_for_sets.items():
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

    def read_set(self, path: Path, checks: Sequence[str], chosen: Collection[str] | None) -> None:
        """The scenarios of the file, or those chosen by key, with the checks that the command line names."""
        from grice.files.scenario_sets import ScenarioErrors, read_scenarios
        from grice.running.conversation_config import config_of_set

        made: tuple[Matcher[Any] | Body, ...] = ()
        options = self.options
        try:
            made = tuple(_checks(checks, self.projects, path))
            options = _with_state(self.options, self.projects, path)
        except AgentLoadError as error:
            self.problems.append(str(error))
        try:
            own = read_scenarios(path, name="", folder=Path.cwd())
        except ScenarioErrors as error:
            self.problems.append(str(error))
            return
        scenarios = [one for one in own if chosen is None or one.key in chosen]
        self.problems += unknown_ids(path, chosen or (), own.keys)
        self.notes += own.notes
        config = config_of_set(own, made, self._base(path), options, self.llms, path)
        self.found.append((config, scenarios))

    def check_users(self) -> None:
        """Whether the users of everything that was found can be played."""
        from grice.running.run_options import check_users
        from grice.users.protocol import UserConfigError

        for config, scenarios in self.found:
            try:
                check_users(config, scenarios)
            except UserConfigError as error:
                self.problems.append(str(error))

    def _base(self, path: Path) -> ConversationConfig:
        from grice.running.conversation_config import base_config

        return replace(base_config(self.projects, self.llms, path, self.options), update=self.update)


def _with_state(options: RunOptions, projects: Projects, path: Path) -> RunOptions:
    """The same with the function that reads the state instead of its name. Raises AgentLoadError."""
    state = str(options.get("state", ""))
    if not state or state.lower().startswith(("http://", "https://")):
        return options
    return {**options, "state": projects.load(state, projects.of(path).root, "state")}


def _checks(named: Sequence[str], projects: Projects, path: Path) -> Iterator[Matcher[Any] | Body]:
    """The checks that the command line names, `module:attribute`. Raises AgentLoadError."""
    from grice.running.conversation_config import check_of

    for name in named:
        check = projects.load(name, projects.of(path).root, "check")
        try:
            yield check_of(check)
        except (TypeError, ValueError) as error:
            raise AgentLoadError(f"check {name!r}: {error}") from None
