"""Holding one conversation of many: its agent, its played user, its checks, and the result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grice.agents import AgentContext, AgentFailed, AgentLoadError, bind_agent, is_made
from grice.identity import stable_id
from grice.judging.criterion import CriterionError, CriterionLevel
from grice.loops.caller import call_in_thread
from grice.matching.failure import ExpectationFailed
from grice.matching.matcher import Matcher
from grice.matching.protocols import BudgetSpent, LLMError
from grice.matching.verdicts import error_text
from grice.records import Conversation, Outcome, Result, Scenario, Verdict
from grice.running.assistance import Assistance
from grice.running.async_live import AsyncConversation
from grice.running.body import Body
from grice.running.body_code import asserting_code
from grice.running.cassette_files import cassette_name
from grice.running.checking import check_soon, run_body, stopped_verdict
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.live import LiveConversation
from grice.running.llms import WatchedLLM
from grice.running.model_address import at_model_address
from grice.running.outcomes import ending_of, judged_outcome
from grice.running.reading import FinishedConversation
from grice.running.settings import Settings, SettingsError
from grice.running.simulated import Simulated
from grice.running.simulated_user_checks import conduct_steps, spoiled_by
from grice.running.simulating import simulated_whole
from grice.running.steps import cannot_say, make_later
from grice.running.support import Support
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import VerdictLog, broken_verdict
from grice.suites.scenario_sets import scenario_fingerprint
from grice.topics.graph import TopicGraphError
from grice.users.errors import UserConfigError
from grice.users.protocol import SimulatorError
from grice.wire import ScriptedModel, ScriptError
from grice.wire.cassettes import CassetteError

if TYPE_CHECKING:
    from grice.judging.judge import Judge
    from grice.running.events import Event
    from grice.users.settings import SimulatedUser

__all__ = ["ConversationConfig", "run_conversation"]

_BROKEN = (AgentFailed, ScriptError, ToolsError, SimulatorError)
_WRONG = (
    AgentLoadError,
    UserConfigError,
    TopicGraphError,
    CriterionError,
    CassetteError,
    SettingsError,
    LLMError,
)
HELD = "the conversation to be held"


@dataclass(frozen=True, eq=False)
class ConversationConfig:
    """What all conversations of one test, or of one set, have in common.

    `find_agent` finds the target, `body` is the test where there is one, `checks` are further matchers and
    functions that look at the finished conversation. `simulated` says how it is held, unless the body does.
    """

    name: str
    find_agent: Callable[[], object]
    settings: Settings
    find_judge_llm: Callable[[], object]
    find_user_llm: Callable[[], object]
    find_criteria: Callable[[], CriterionLevel]
    file: Path
    simulated: Simulated | None = None
    body: Body | None = None
    checks: tuple[Matcher[Any] | Body, ...] = ()
    mode: str = ""
    update: bool = False
    seed: int = 0
    set_name: str = ""
    clock: Callable[[], float] = time.perf_counter
    path_of: Callable[[Scenario | None], str] = field(default=lambda _: "")

    @property
    def test_path(self) -> str:
        """The canonical path of the test or set, of which the stable id that all results share is made."""
        return self.path_of(None)


async def run_conversation(
    config: ConversationConfig,
    scenario: Scenario | None,
    repeat: int,
    observe: Callable[[Event], None] | None,
) -> Result | None:
    """Hold the conversation and make its checks; None where the budget ended it, which is no result."""
    held = ConversationTask(config, scenario, repeat, observe)
    try:
        await held.hold()
        return await held.result()
    except BudgetSpent:
        held.discard()
        return None


class ConversationTask:
    """One conversation that is being held."""

    def __init__(
        self,
        config: ConversationConfig,
        scenario: Scenario | None,
        repeat: int,
        observe: Callable[[Event], None] | None,
    ) -> None:
        self._config = config
        self._scenario = scenario
        self._repeat = repeat
        self._observe = observe
        self._started = config.clock()
        key = "" if scenario is None else scenario.key
        self._key = key or config.name
        self._title = f"{config.name}[{key}]" if key else config.name
        body = config.body
        self._beside = Assistance(
            config.file,
            cassette_name(config.name, key, repeat),
            config.settings,
            test=config.path_of(scenario),
            mode=config.mode,
            marked="" if body is None else body.option("record", ""),
            update=config.update,
            find_judge_llm=config.find_judge_llm,
            find_criteria=config.find_criteria,
        )
        self._log = VerdictLog(
            self._title,
            judge=self._judge,
            embedder=partial(embedder_of, config.settings),
            entailment=partial(entailment_of, config.settings, self._judge),
            strict=config.settings.strict,
        )
        self._budget_spent = False  # whether the judge was not asked for want of it
        self._record = Conversation(id=self._id, name=self._title)
        self._live: LiveConversation | AsyncConversation | None = None

    @property
    def _id(self) -> str:
        return stable_id(self._config.path_of(self._scenario))

    async def hold(self) -> None:
        """Hold the conversation and make the checks, every problem as a verdict. Raises BudgetSpent."""
        config = self._config
        try:
            live, model = await self._make()
            drives = config.body is not None and config.body.drives
            port, key = config.settings.model_port, config.settings.model_key
            with at_model_address(live, model, port, key=key, wait=live.timeout):
                await (self._driven(live) if drives else self._simulated(cast("AsyncConversation", live)))
        except BudgetSpent:
            raise
        except _BROKEN as error:
            self._keep_record()
            self._log.add(broken_verdict(self._record, error))
            broke_off = "the conversation broke off, so it was not looked at"
            self._log.add(Verdict(Outcome.SKIPPED, broke_off, claim="what else is checked to hold"))
        except _WRONG as error:
            self._stop(str(error))
        except ExpectationFailed:
            self._keep_record()  # the verdict is in the log
        except Exception as error:  # somebody's code; the other conversations go on
            self._stop(error_text(error))
        except BaseException as error:
            stopped = stopped_verdict(error, HELD, "it ended with")
            self._keep_record()
            self._log.add(stopped)

    def _judge(self) -> Judge:
        judge = self._beside.judge()
        if judge.llm is not None:
            judge.llm = WatchedLLM(judge.llm, self._note_spent)
        return judge

    def _note_spent(self) -> None:
        self._budget_spent = True

    def _stop(self, reason: str) -> None:
        self._keep_record()
        self._log.add(Verdict(Outcome.ERROR, reason, claim=HELD))

    async def _make(self) -> tuple[LiveConversation | AsyncConversation, ScriptedModel]:
        config, scenario = self._config, self._scenario
        model = ScriptedModel()
        context = AgentContext(
            test_name=self._title,
            test_file=str(config.file),
            test_line=config.body.line if config.body is not None else None,
            tags=config.body.tags if config.body is not None else (),
            scenario=None if scenario is None else deepcopy(scenario.data),
            model=model,
        )
        target = config.find_agent()
        if is_made(target):
            bound = bind_agent(target, context)
        else:  # making it is its user's code, which may take its time
            bound = await call_in_thread(bind_agent, target, context)
        body = config.body
        later = body is None or not body.drives or "async_conversation" in body.arguments
        kind = AsyncConversation if later else LiveConversation
        settings = config.settings
        option = body.option if body is not None else (lambda _, default: default)
        live = kind(
            bound,
            id=self._id,
            recorder=self._log,
            turn_timeout=option("turn_timeout", settings.turn_timeout),
            timeout=option("timeout", settings.timeout),
            cassette=self._beside.cassette if settings.records_agents else None,
            support=Support(
                find_llm=config.find_user_llm,
                find_cassette=self._beside.find_cassette,
                find_users=self._users,
                find_topics=body.topics if body is not None else tuple,
                scenario=scenario,
                seed=config.seed + self._repeat - 1,
                folder=config.file.parent,
            ),
            observe=self._observe,
            model=model,
        )
        live.repeat = self._repeat
        self._live = live
        return live, model

    async def _simulated(self, live: AsyncConversation) -> None:
        config = self._config
        how = config.simulated or Simulated()
        live.asks_here = True
        with suppress(ExpectationFailed):  # of a topic: it keeps no check from looking, as under pytest
            async with live:
                await make_later(simulated_whole(live, how), live.say, here=True)
        self._keep_record()
        await self._check()

    async def _driven(self, live: LiveConversation | AsyncConversation) -> None:
        body = self._config.body
        assert body is not None
        self._log.verdicts += await run_body(body, live, self._scenario, self._log)
        self._keep_record()
        await self._check()

    async def _check(self) -> None:
        """Make every check on the finished conversation; a hard one that fails keeps no other from it."""
        finished = FinishedConversation(self._record, self._log)
        bodies = [one for one in self._bodies() if one is not self._config.body or not one.drives]
        matchers = [one for one in self._config.checks if isinstance(one, Matcher)]
        made = await asyncio.gather(*[check_soon(one, self._record, self._log) for one in matchers])
        for verdict in made:
            self._log.add(verdict)
        for one in bodies:
            with suppress(ExpectationFailed):
                self._log.verdicts += await run_body(one, finished, self._scenario, self._log)

    def _bodies(self) -> list[Body]:
        """The test's own body, and those that look at the finished conversation."""
        body = self._config.body
        own = [] if body is None else [body]
        return own + [one for one in self._config.checks if isinstance(one, Body)]

    def _users(self) -> Sequence[SimulatedUser]:
        """What is declared of a simulated user, outermost first."""
        body, how = self._config.body, self._config.simulated
        return (*(body.users() if body is not None else ()), *(how.levels if how is not None else ()))

    def _keep_record(self) -> None:
        if self._live is not None:
            self._record = self._live.record

    def discard(self) -> None:
        """Leave nothing of it behind."""
        self._beside.discard()

    async def result(self) -> Result:
        """What came of it. Raises BudgetSpent where a judge was not asked for want of a budget."""
        config, scenario = self._config, self._scenario
        steps = conduct_steps(self._live, config.settings.conduct, self._judge)
        conduct = await make_later(steps, cannot_say, here=True)
        if self._budget_spent:
            raise BudgetSpent("a judge was not asked")
        good = not any(_is_bad(verdict) for verdict in self._log.verdicts)
        stale = self._beside.close(passed=good)[1]
        if stale:
            self._log.add(Verdict(Outcome.ERROR, stale, claim="the cassette to fit the conversation"))
        verdicts = tuple(self._log.verdicts)
        harm = spoiled_by(self._record, conduct, judged_outcome(verdicts))
        ending = ending_of(self._record, verdicts, harm)
        return Result(
            id=self._id,
            key=self._key,
            outcome=ending.outcome,
            conversation=self._record,
            verdicts=verdicts,
            failure=ending.failure,
            description="" if scenario is None else str(scenario.get("name") or ""),
            file=str(config.file),
            fingerprint="" if scenario is None else scenario_fingerprint(scenario),
            duration=config.clock() - self._started,
            repeat=self._repeat,
            set_name=config.set_name,
            conduct=conduct,
            spoiled=harm,
            counts=ending.counts,
            asserts=asserting_code(one.function for one in self._bodies()),
            test=stable_id(config.test_path),
        )


def _is_bad(verdict: Verdict) -> bool:
    return verdict.mode == "hard" and verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED)
