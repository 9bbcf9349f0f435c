"""How the conversations of a run are held: what is common to all of one test, or of one set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grice.files.scenario_marks import scenarios_of
from grice.files.scenario_sets import ScenarioSet, read_scenarios
from grice.identity import stable_path
from grice.judging.criterion import CriterionLevel, collect_criteria
from grice.llm import Budget, bind_llm, llm_named
from grice.matching.matcher import Matcher, MatcherFactory
from grice.matching.protocols import BoundLLM
from grice.records import Scenario
from grice.running.body import Body, body_of
from grice.running.following import graph_of
from grice.running.project_llms import ProjectLLMs, Role, SpendingLLM
from grice.running.projects import Projects
from grice.running.run_one import ConversationConfig
from grice.running.run_options import RunOptions
from grice.running.simulated import Simulated
from grice.text import value_text
from grice.topics.topic import Topic


def configs_of(
    scenarios: object, agent: object, checks: Sequence[object], options: RunOptions
) -> Iterator[tuple[ConversationConfig, Sequence[Scenario | None]]]:
    """Each test or set, with its scenarios. Raises what is wrong with them."""
    here = Path.cwd()
    projects = Projects(here, agent=agent if isinstance(agent, str) else None)
    llms = ProjectLLMs(projects)
    made = [check_of(one) for one in checks]

    base = base_config(projects, llms, here, options, agent=agent)
    if scenarios is None and options.get("user") is None:
        for option, does in (("topics", "follows its own topics"), ("state", "reads its own state")):
            if options.get(option) is not None:
                raise ValueError(f"{option}= goes with scenarios= or user=: a test {does}")
        for body in made:
            if isinstance(body, Matcher):
                raise ValueError("a matcher needs scenarios, or a user, to have something to look at")
            own = scenarios_of(body.function)
            config = _with_criteria(config_of(body, base, own, llms), options.get("criteria", ()))
            yield config, (None,) if own is None else own.scenarios
        if not made:
            raise ValueError("nothing to run: give scenarios=, or tests as checks=")
        return
    for one in made:
        if isinstance(one, Body) and one.simulated is not None:
            raise ValueError(
                f"{one.title} is @simulated: it says itself how its conversation is held, so leave "
                "scenarios= and user= out, or check with a plain function"
            )
    found = read_scenarios(scenarios, name="", folder=here) if scenarios is not None else None
    yield (
        config_of_set(found, tuple(made), base, options, llms, here),
        found.scenarios if found is not None else (None,),
    )


def base_config(
    projects: Projects, llms: ProjectLLMs, file: Path, options: RunOptions, *, agent: object = None
) -> ConversationConfig:
    """What holds for all tests and sets of a file, which is also where its settings are looked up.

    The matchers of its project are imported, as graphs of topics may name them. Raises SettingsError.
    """
    projects.import_matchers(file)
    budget = options.get("budget")

    def find_agent() -> object:
        return projects.agent_for(file) if agent is None or isinstance(agent, str) else agent

    return ConversationConfig(
        name="",
        find_agent=find_agent,
        settings=projects.of(file),
        find_judge_llm=_llm_finder(options.get("judge_llm"), llms, file, "judge_llm", budget),
        find_user_llm=_llm_finder(options.get("user_llm"), llms, file, "user_llm", budget),
        find_criteria=tuple,
        file=file / "run" if file.is_dir() else file,
        mode=options.get("record", ""),
        seed=options.get("seed", 0),
    )


def config_of(
    body: Body, base: ConversationConfig, own: ScenarioSet | None, llms: ProjectLLMs
) -> ConversationConfig:
    """How the conversations of a test are held and judged."""
    file = Path(body.file) if body.file else base.file

    def criteria() -> CriterionLevel:
        return list(collect_criteria(llms.criteria(file), *body.criteria()).values())

    return replace(
        base,
        name=body.title,
        file=file,
        simulated=_checked(body.simulated, body.topics(), file.parent),
        body=body,
        find_criteria=criteria,
        set_name=own.name if own is not None else "",
        path_of=body.path,
    )


def config_of_set(
    found: ScenarioSet | None,
    checks: tuple[Matcher[Any] | Body, ...],
    base: ConversationConfig,
    options: RunOptions,
    llms: ProjectLLMs,
    here: Path,
) -> ConversationConfig:
    """How the conversations of a set are held; without checks their users' goals are judged."""
    set_name = found.name if found is not None else ""
    name = set_name or "run"  # not that of the run: the ids of two runs have to be the same
    if not checks:
        from grice.judging.goal_matchers import have_achieved_goal

        checks = (have_achieved_goal(),)

    def criteria() -> CriterionLevel:
        return list(collect_criteria(llms.criteria(here), options.get("criteria", ())).values())

    users = () if options.get("user") is None else (options.get("user"),)
    return replace(
        base,
        name=name,
        file=Path(found.file) if found is not None and found.file else base.file,
        simulated=_checked(
            Simulated(
                users=users,
                topics=options.get("topics"),
                ask=options.get("ask", True),
                state=options.get("state"),
            ),
            (),
            Path(),
        ),
        checks=checks,
        find_criteria=criteria,
        set_name=set_name,
        path_of=partial(_path_in, name),
    )


def _checked(how: Simulated | None, declared: Sequence[Topic], folder: Path) -> Simulated | None:
    """The same with its graph made, which is then followed by all conversations. Raises TopicGraphError."""
    if how is None or how.topics is None:
        return how
    return replace(how, topics=graph_of(how.topics, lambda: declared, folder))


def _with_criteria(config: ConversationConfig, given: CriterionLevel) -> ConversationConfig:
    """The same with further criteria, which those of the test go before."""
    if not given:
        return config
    own = config.find_criteria

    def find() -> CriterionLevel:
        return list(collect_criteria(given, own()).values())

    return replace(config, find_criteria=find)


def _path_in(name: str, scenario: Scenario | None) -> str:
    return stable_path(name, scenario=None if scenario is None else scenario.key)


def check_of(check: object) -> Matcher[Any] | Body:
    """The check: a matcher, which may lack its brackets, or a function of the conversation.

    Raises TypeError for anything else, ValueError for a matcher without the arguments that it needs and for a
    function that asks for what it cannot have.
    """
    if isinstance(check, MatcherFactory):
        if check.needs_arguments:
            raise ValueError(
                f"{check.python_name} needs arguments: give them to it, as in mine = {check.python_name}(...)"
            )
        return check()
    if isinstance(check, Matcher):
        return check
    if not callable(check) or isinstance(check, type):
        raise TypeError(f"a check is a matcher or a function of the conversation, found {value_text(check)}")
    return body_of(check)


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
