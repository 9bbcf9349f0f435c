"""`grice.run`: the conversations of scenarios, or of tests, many at once, with a journal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

from grice.identity import fingerprint, stable_id, stable_path
from grice.judging.criterion import CriterionLevel, collect_criteria
from grice.llm import Budget, bind_llm, llm_named
from grice.loops.portal import LoopIsRunning, loop_is_running
from grice.matching.matcher import Matcher
from grice.matching.protocols import BoundLLM
from grice.records import Result, Scenario
from grice.running.body import Body, body_of
from grice.running.events import RunFinished, RunStarted
from grice.running.experiment import new_experiment
from grice.running.holding import Recipe, hold
from grice.running.journal import Journal
from grice.running.journal_reading import Run, finished, read_run
from grice.running.llms import SpendingLLM
from grice.running.many import Observe, hold_all, observed_by
from grice.running.project_llms import ProjectLLMs, Role
from grice.running.runs import RUNS, find_run
from grice.running.settings import Projects
from grice.running.simulated import Simulated
from grice.suites.scenario_marks import scenarios_of
from grice.suites.scenario_sets import ScenarioSet, load_scenarios
from grice.text import did_you_mean, value_text

__all__ = ["Plan", "Planned", "run", "run_later", "run_plan"]

CONCURRENCY = 20


class RunOptions(TypedDict, total=False):
    """What `grice.run` takes by name."""

    user: object
    topics: object
    ask: bool
    concurrency: int
    repeat: int
    judge_llm: object
    user_llm: object
    criteria: CriterionLevel
    budget: Budget | None
    seed: int
    record: str
    name: str
    journal: bool | str | Path
    resume: str


@dataclass(frozen=True, eq=False)
class _Options:
    """The same, with what holds where nobody says."""

    user: object = None
    topics: object = None
    ask: bool = True
    concurrency: int = CONCURRENCY
    repeat: int = 1
    judge_llm: object = None
    user_llm: object = None
    criteria: CriterionLevel = ()
    budget: Budget | None = None
    seed: int = 0
    record: str = ""
    name: str = ""
    journal: bool | str | Path = True
    resume: str = ""


@dataclass(frozen=True, eq=False)
class Planned:
    """One conversation that is to be held."""

    recipe: Recipe
    scenario: Scenario | None
    repeat: int

    @property
    def id(self) -> str:
        """The stable id."""
        return stable_id(self.recipe.path_of(self.scenario))

    @property
    def key(self) -> str:
        """The scenario's key, else the name of the test."""
        return self.recipe.name if self.scenario is None else self.scenario.key

    @property
    def identity(self) -> tuple[str, int, str]:
        """What a journal knows it by."""
        return self.id, self.repeat, fingerprint({} if self.scenario is None else self.scenario.data)

    async def hold(self, observe: Observe) -> Result | None:
        """What came of it; None where the budget ended it."""
        return await hold(self.recipe, self.scenario, self.repeat, observe)


@dataclass(frozen=True, eq=False)
class Plan:
    """A whole run: its conversations in order, and what its journal says of it."""

    works: Sequence[Any]
    name: str = ""
    concurrency: int = CONCURRENCY
    repeat: int = 1
    seed: int = 0
    head: dict[str, Any] | None = None
    root: Path = RUNS
    keep: bool = True
    resume: str = ""
    id: str = ""


def run(
    scenarios: object = None,
    agent: object = None,
    checks: Sequence[object] = (),
    *,
    observers: Sequence[Observe] = (),
    **options: Unpack[RunOptions],
) -> Run:
    """Hold many conversations at once and judge each.

    One for each scenario (a path, a list of dicts, an iterable, a ScenarioSet), with a user played as the
    scenario says; every check, a matcher or a function of the conversation (and its scenario), looks at each
    finished one. Without scenarios the checks are tests, as pytest has them: they bring their scenarios and
    say themselves how their conversation is held. `agent` is an agent, or the name of one; without it the
    settings' is taken.

    `user` plays, and says what scenarios leave open; `topics` is a graph to follow, asking a judge unless
    `ask` is false. `judge_llm` and `user_llm` are LLMs or names of them, `criteria` what checks may name,
    `budget` limits both LLMs. `record` is a mode of cassettes, `journal` the folder for runs (True is
    `.grice/runs`, False keeps none), `resume` the id of a run: only what is unfinished of it is held.

    Returns the Run with a Result for each conversation. Agents that are not made anew for each conversation
    have to bear several at once. Raises what is wrong with scenarios, graph, user, agent and checks before
    anything is held, JournalError, and LoopIsRunning inside an event loop: `await grice.aio.run(...)` there.
    """
    if loop_is_running():
        raise LoopIsRunning("grice.run was used inside a running event loop: await grice.aio.run(...) there")
    plan = _plan(scenarios, agent, checks, **options)
    with asyncio.Runner() as runner:
        return runner.run(run_plan(plan, observers))


async def run_later(
    scenarios: object = None,
    agent: object = None,
    checks: Sequence[object] = (),
    *,
    observers: Sequence[Observe] = (),
    **options: Unpack[RunOptions],
) -> Run:
    """`grice.run` inside an event loop of asyncio, on which asynchronous agents and LLMs then run."""
    return await run_plan(_plan(scenarios, agent, checks, **options), observers)


async def run_plan(plan: Plan, observers: Sequence[Observe] = ()) -> Run:
    """Hold what is planned and not finished yet."""
    observe = observed_by(observers)
    works, folder = list(plan.works), Path()
    before: tuple[Result, ...] = ()
    experiment = new_experiment(
        name=plan.name,
        id=plan.id,
        planned=len(works),
        repeat=plan.repeat,
        seed=plan.seed,
        concurrency=plan.concurrency,
        **(plan.head or {}),
    )
    results: list[Result] = []
    with ExitStack() as stack:
        journal: Journal | None = None
        if plan.resume:
            folder = find_run(plan.resume, plan.root)
            earlier = read_run(folder)
            done = finished(earlier)
            before = tuple(one for one in earlier.results if _identity(one) in {w.identity for w in works})
            works = [work for work in works if work.identity not in done]
            experiment = _resumed(experiment, earlier)
            journal = stack.enter_context(Journal.resume(folder, experiment))
        elif plan.keep:
            folder = plan.root / experiment.id
            journal = stack.enter_context(Journal.create(folder, experiment))

        def finish(result: Result) -> None:
            if journal is not None:
                journal.append(result)
            results.append(result)

        observe(RunStarted(experiment.id, len(plan.works), len(before)))
        complete = False
        try:
            complete = await hold_all(works, concurrency=plan.concurrency, finish=finish, observe=observe)
        finally:
            observe(RunFinished(experiment.id, len(before) + len(results), complete))
    return Run(folder, (experiment,), (*before, *results))


def _resumed(experiment: Any, earlier: Run) -> Any:
    import msgspec

    return msgspec.structs.replace(experiment, id=earlier.experiment.id, name=earlier.experiment.name)


def _identity(result: Result) -> tuple[str, int, str]:
    return result.id, result.repeat, result.fingerprint


# -- what is to be run


def _plan(scenarios: object, agent: object, checks: Sequence[object], **given: Any) -> Plan:
    known = list(_Options.__dataclass_fields__)
    strange = next((name for name in given if name not in known), None)
    if strange is not None:
        raise TypeError(f"grice.run has no option {strange!r}{did_you_mean(strange, known)}")
    options = _Options(**given)
    for name in ("concurrency", "repeat"):
        value = getattr(options, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError(f"{name}: expected a number from 1, found {value_text(value)}")
    recipes = list(_recipes(scenarios, agent, checks, options))
    works = [
        Planned(recipe, scenario, repeat)
        for repeat in range(1, options.repeat + 1)
        for recipe, own in recipes
        for scenario in own
    ]
    return Plan(
        works,
        name=options.name,
        concurrency=options.concurrency,
        repeat=options.repeat,
        seed=options.seed,
        root=RUNS if options.journal in (True, False) else Path(str(options.journal)),
        keep=options.journal is not False,
        resume=options.resume,
    )


def _recipes(
    scenarios: object, agent: object, checks: Sequence[object], options: _Options
) -> Iterator[tuple[Recipe, Sequence[Scenario | None]]]:
    here = Path.cwd()
    projects = Projects(here, agent=agent if isinstance(agent, str) else None)
    llms = ProjectLLMs(projects)
    settings = projects.of(here)
    made = [one if isinstance(one, Matcher) else body_of(_callable(one)) for one in checks]

    def find_agent() -> object:
        return projects.agent_for(here) if agent is None or isinstance(agent, str) else agent

    base = Recipe(
        name="",
        find_agent=find_agent,
        settings=settings,
        find_judge_llm=_llm_finder(options.judge_llm, llms, here, "judge_llm", options.budget),
        find_user_llm=_llm_finder(options.user_llm, llms, here, "user_llm", options.budget),
        find_criteria=lambda: (),
        file=here / "run",
        mode=options.record,
        seed=options.seed,
    )
    if scenarios is None and options.user is None:
        for body in made:
            if isinstance(body, Matcher):
                raise ValueError("a matcher needs scenarios, or a user, to have something to look at")
            own = scenarios_of(body.function, body.owner)
            yield recipe_of(body, base, own, llms), (None,) if own is None else own.scenarios
        if not made:
            raise ValueError("nothing to run: give scenarios=, or tests as checks=")
        return
    found = load_scenarios(cast("Any", scenarios)) if scenarios is not None else None
    yield (
        _recipe_of_set(found, tuple(made), base, options, llms, here),
        found.scenarios if found is not None else (None,),
    )


def recipe_of(body: Body, base: Recipe, own: ScenarioSet | None, llms: ProjectLLMs) -> Recipe:
    """How the conversations of a test are held and judged."""
    file = Path(body.file) if body.file else base.file

    def criteria() -> CriterionLevel:
        return list(collect_criteria(llms.criteria(file), *body.criteria()).values())

    return replace(
        base,
        name=body.title,
        file=file,
        simulated=body.simulated,
        body=body,
        find_criteria=criteria,
        set_name=own.name if own is not None else "",
        path_of=body.path,
    )


def _recipe_of_set(
    found: ScenarioSet | None,
    checks: tuple[Matcher[Any] | Body, ...],
    base: Recipe,
    options: _Options,
    llms: ProjectLLMs,
    here: Path,
) -> Recipe:
    set_name = found.name if found is not None else ""
    name = options.name or set_name or "run"
    if not checks:
        from grice.judging.aims import have_achieved_goal

        checks = (have_achieved_goal(),)

    def criteria() -> CriterionLevel:
        return list(collect_criteria(llms.criteria(here), options.criteria).values())

    users = () if options.user is None else (options.user,)
    return replace(
        base,
        name=name,
        file=Path(found.file) if found is not None and found.file else base.file,
        simulated=Simulated(users=users, topics=options.topics, ask=options.ask),
        checks=checks,
        find_criteria=criteria,
        set_name=set_name,
        path_of=partial(_path_in, name),
    )


def _path_in(name: str, scenario: Scenario | None) -> str:
    return stable_path(name, scenario=None if scenario is None else scenario.key)


def _callable(check: object) -> Callable[..., Any]:
    if not callable(check):
        raise TypeError(f"a check is a matcher or a function of the conversation, found {value_text(check)}")
    return check


def _llm_finder(
    given: object, llms: ProjectLLMs, file: Path, role: Role, budget: Budget | None
) -> Callable[[], object]:
    made: list[BoundLLM] = []

    def find() -> object:
        if not made:
            if given is None:
                llm = llms.llm(file, role)
            else:
                llm = bind_llm(llm_named(given, file) if isinstance(given, str) else given)
            made.append(SpendingLLM(llm, budget) if budget is not None else llm)
        return made[0]

    return find
