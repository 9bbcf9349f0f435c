"""What `grice run` holds: goldens and suites one after the other, tests and sets many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.agents import AgentLoadError
from grice.cli.run_files import Case, Files, FilesError
from grice.identity import fingerprint, stable_id
from grice.running.golden import golden_id
from grice.running.journal_reading import Finished
from grice.running.project_llms import ProjectLLMs
from grice.running.settings import Projects
from grice.suites.golden_records import Golden

if TYPE_CHECKING:
    from grice.matching.matcher import Matcher
    from grice.running.body import Body
    from grice.running.recipes import RunOptions
    from grice.running.run_many import Planned

__all__ = ["CaseWork", "Held", "cases_to_run", "held_at_once"]


@dataclass(frozen=True)
class CaseWork:
    """A golden or scenario that is to be run, for the `repeat`th time."""

    case: Case
    repeat: int = 1

    @property
    def identity(self) -> Finished:
        """What a journal knows it by."""
        what = self.case.what
        if isinstance(what, Golden):
            return golden_id(what), self.repeat, fingerprint(what.content)
        from grice.running.suite import path_of_scenario

        return stable_id(path_of_scenario(what)), self.repeat, fingerprint(what.content)


def cases_to_run(cases: Sequence[Case], repeat: int) -> list[CaseWork]:
    """Every golden and scenario, as often as it is to be run; all of one repeat before those of the next."""
    return [
        CaseWork(case, number)
        for number in range(1, repeat + 1)
        for case in cases
        if number == 1 or not case.left_out
    ]


@dataclass
class Held:
    """The conversations of tests and sets. `notes` say what was left out, and what may be a mistake."""

    works: list[Planned] = field(default_factory=list)
    head: dict[str, Any] = field(default_factory=dict)
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
    """What tests and sets of the files hold.

    Raises FilesError with everything that is wrong in them, TopicGraphError, UserConfigError and
    AgentLoadError.
    """
    held = Held()
    if not files.tests and not files.sets:
        return held
    from dataclasses import replace

    from grice.running.recipes import base_recipe, recipe_of, recipe_of_set
    from grice.running.run_head import run_head
    from grice.running.run_many import works_of
    from grice.running.test_files import TestFileError, load_tests
    from grice.suites.scenario_marks import scenarios_of
    from grice.suites.scenario_sets import ScenarioErrors, read_scenarios

    problems: list[str] = []
    found: list[tuple[Any, Sequence[Any]]] = []
    for path, names in files.tests.items():
        try:
            tests = load_tests(path, tuple(names))
            base = replace(base_recipe(projects, llms, path, options), update=update)
            for body in tests.bodies:
                own = scenarios_of(body.function, body.owner)
                recipe = recipe_of(body, base, own, llms)
                found.append((recipe, (None,) if own is None else own.scenarios))
                held.notes += own.notes if own is not None else ()
            held.notes += [f"{path}::{name} is left out: {why}" for name, why in tests.left_out.items()]
        except (TestFileError, ScenarioErrors) as error:
            problems.append(str(error))
    for path in files.sets:
        try:
            own = read_scenarios(path, name="", folder=Path.cwd())
        except ScenarioErrors as error:
            problems.append(str(error))
            continue
        held.notes += own.notes
        base = replace(base_recipe(projects, llms, path, options), update=update)
        made = tuple(_checks(checks, projects, path))
        found.append((recipe_of_set(own, made, base, options, llms, path), own.scenarios))
    if problems:
        raise FilesError("\n".join(problems))
    held.works = works_of(found, options.get("repeat", 1))
    held.head = run_head([recipe for recipe, _ in found]) if found else {}
    return held


def _checks(named: Sequence[str], projects: Projects, path: Path) -> Iterator[Matcher[Any] | Body]:
    """The checks that the command line names, `module:attribute`. Raises AgentLoadError."""
    from grice.matching.matcher import Matcher
    from grice.running.body import body_of

    for name in named:
        check = projects.load(name, projects.of(path).root, "check")
        if isinstance(check, Matcher):
            yield check
        elif callable(check):
            yield body_of(check)
        else:
            raise AgentLoadError(
                f"check {name!r} is neither a matcher nor a function of the conversation: {check!r}"
            )
