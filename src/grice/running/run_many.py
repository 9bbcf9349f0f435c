"""`grice.run`: the conversations of scenarios, or of tests, many at once, with a journal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import msgspec

from grice.agents import bind_agent, is_made
from grice.files.scenario_sets import scenario_fingerprint
from grice.identity import stable_id
from grice.loops.background_loop import LoopIsRunning, in_trio, loop_is_running
from grice.records import Result, Scenario
from grice.running.conversation_config import configs_of
from grice.running.journal.experiment import Experiment, new_experiment
from grice.running.journal.reading import Run
from grice.running.many import observed_by
from grice.running.outcomes import required
from grice.running.planned_conversations import Held, Observe
from grice.running.run_head import run_head
from grice.running.run_one import ConversationConfig, run_conversation
from grice.running.run_options import RunOptions, check_options, check_users
from grice.running.runs_folder import runs_folder
from grice.running.session import Keeping, RunSession


@dataclass(frozen=True, eq=False)
class Planned:
    """One conversation that is to be held."""

    config: ConversationConfig
    scenario: Scenario | None
    repeat: int

    @property
    def id(self) -> str:
        """The stable id."""
        return stable_id(self.config.path_of(self.scenario))

    @property
    def key(self) -> str:
        """The scenario's key, else the name of the test."""
        return self.config.name if self.scenario is None else self.scenario.key

    @property
    def group(self) -> str:
        """The scenario set, else the name of the file."""
        return self.config.set_name or self.config.file.stem

    @property
    def title(self) -> str:
        """The name of the test or set with the scenario's key in brackets, as in `test_it[key]`."""
        name = self.config.name
        return name if self.scenario is None else f"{name}[{self.scenario.key}]"

    @property
    def place(self) -> str:
        """Its file and title, for people."""
        return f"{self.config.file}::{self.title}"

    @property
    def identity(self) -> tuple[str, int, str]:
        """What a journal knows it by."""
        return self._identity

    @cached_property
    def _identity(self) -> tuple[str, int, str]:
        content = "" if self.scenario is None else scenario_fingerprint(self.scenario)
        return self.id, self.repeat, content

    async def hold(self, observe: Observe) -> Held | None:
        """What came of it, of all its runs together where it has several; None where the budget ended it."""
        how = self.config.simulated
        if how is None or how.runs == 1:
            held = await run_conversation(self.config, self.scenario, self.repeat, observe)
            return None if held is None else Held(held)
        results: list[Result] = []
        for run in range((self.repeat - 1) * how.runs + 1, self.repeat * how.runs + 1):
            result = await run_conversation(self.config, self.scenario, run, observe)
            if result is None:
                return None
            results.append(result)
        return Held(msgspec.structs.replace(required(results, how.needed), repeat=self.repeat))


@dataclass(frozen=True, eq=False)
class Plan:
    """A whole run: its conversations in order, where it is kept, and what its journal says of it."""

    works: Sequence[Planned]
    options: RunOptions
    keeping: Keeping
    head: Mapping[str, Any] = field(default_factory=dict)

    @property
    def concurrency(self) -> int:
        """How many conversations are held at once."""
        return most_at_once(self.works, self.options.get("concurrency", 0))

    def experiment(self) -> Experiment:
        """The identity of the run, which begins now."""
        return new_experiment(
            name=self.options.get("name", ""),
            tags=self.options.get("tags", ()),
            planned=len(self.works),
            repeat=self.options.get("repeat", 1),
            seed=self.options.get("seed", 0),
            concurrency=self.concurrency,
            **self.head,
        )


def run(
    scenarios: object = None,
    agent: object = None,
    checks: Sequence[object] = (),
    *,
    observers: Sequence[Observe] = (),
    **options: Unpack[RunOptions],
) -> Run:
    """Hold many conversations at once and judge each.

    One for each scenario (a path from the current folder, a list of dicts, an iterable, a ScenarioSet), with
    a user played as the scenario says; every check, a matcher or a function of the conversation (and its
    scenario), looks at each finished one. Without scenarios the checks are tests, as pytest has them: they
    bring their scenarios and say themselves how their conversation is held. `agent` is an agent, or the name
    of one; without it the settings' is taken.

    `user` plays, and says what scenarios leave open; `topics` is a graph to follow, asking a judge unless
    `ask` is false; `state` is where a state is read before and after, as `@simulated` has it. `judge_llm` and
    `user_llm` are LLMs or names of them, `criteria` what checks may name, `budget` limits both LLMs. `record`
    is a mode of cassettes, `journal` the folder for runs (True is `.grice/runs`, False keeps none), `name`
    and `tags` are what the run is found by there, `resume` is the id of a run: only what is unfinished of it
    is held, in the configuration that it began with unless `mix`.

    Returns the Run with a Result for each conversation that was finished, in their order; `complete` and
    `passed` say whether that is all of them, and all passed. Agents that are not made anew for each
    conversation have to bear several at once. Raises what is wrong with scenarios, graph, user, agent and
    checks before anything is held, JournalError, and LoopIsRunning inside an event loop: `await
    grice.aio.run(...)` there.
    """
    if loop_is_running():
        raise LoopIsRunning(
            "grice.run was used inside a running event loop: take `from grice.aio import run` and "
            "`await run(...)` there"
        )
    plan = plan_of_run(scenarios, agent, checks, options)
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
    if in_trio():
        raise RuntimeError(
            "grice.aio.run needs asyncio; under trio: await trio.to_thread.run_sync(grice.run)"
        )
    return await run_plan(plan_of_run(scenarios, agent, checks, options), observers)


async def run_plan(plan: Plan, observers: Sequence[Observe] = ()) -> Run:
    """Hold what is planned and not finished yet."""
    with RunSession(plan.experiment(), plan.works, plan.keeping, observed_by(observers)) as session:
        await session.hold_later(plan.works, plan.concurrency)
    return session.run


# -- what is to be run


def plan_of_run(scenarios: object, agent: object, checks: Sequence[object], options: RunOptions) -> Plan:
    """What `grice.run` with these arguments holds. Raises what is wrong with them."""
    check_options(options, checks)
    configs = list(configs_of(scenarios, agent, checks, options))
    for config, own in configs:
        target = config.find_agent()
        if is_made(target):
            bind_agent(target)
        check_users(config, own)
    if options.get("judge_llm") is not None:
        configs[0][0].find_judge_llm()
    if options.get("user_llm") is not None:
        configs[0][0].find_user_llm()
    journal = options.get("journal", True)
    return Plan(
        works_of(configs, options.get("repeat", 1)),
        options,
        Keeping(
            runs_folder(None if isinstance(journal, bool) else journal),
            keep=journal is not False,
            resume=options.get("resume", ""),
            mix=options.get("mix", False),
        ),
        {**run_head([config for config, _ in configs]), "agent": agent if isinstance(agent, str) else ""},
    )


def most_at_once(works: Sequence[Planned], wanted: int) -> int:
    """How many conversations are held at once: as wanted, else as the settings say; one where a model has a
    fixed address.
    """
    if not works or any(work.config.settings.model_port is not None for work in works):
        return 1
    return wanted or works[0].config.settings.concurrency


def works_of(
    configs: Sequence[tuple[ConversationConfig, Sequence[Scenario | None]]], repeat: int
) -> list[Planned]:
    """Every conversation of the configs; all of one repeat come before those of the next."""
    return [
        Planned(config, scenario, number)
        for number in range(1, repeat + 1)
        for config, own in configs
        for scenario in own
    ]
