"""Holding one conversation of many: its agent, its played user, its checks, and the result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from grice.agents import AgentContext, AgentFailed, AgentLoadError, BoundAgent, bind_agent, is_made
from grice.files.scenario_sets import scenario_fingerprint
from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.identity import stable_id
from grice.judging.criterion import CriterionError, CriterionLevel
from grice.loops.caller import call_in_thread
from grice.matching.failure import ExpectationFailed
from grice.matching.matcher import Matcher
from grice.matching.protocols import BudgetSpent, LLMError
from grice.matching.verdicts import error_text
from grice.records import Outcome, Result, Scenario, Verdict
from grice.running.assistance import Assistance, cassette_name
from grice.running.async_live import AsyncConversation
from grice.running.body import Body
from grice.running.body_code import asserting_code
from grice.running.checking import check_soon, run_body, stopped_verdict
from grice.running.live import LiveConversation
from grice.running.outcomes import ending_of, judged_outcome, spoiled_by
from grice.running.reading import FinishedConversation
from grice.running.simulated import Simulated
from grice.running.support import Support
from grice.running.task import ConversationTask
from grice.running.tool_answers import ToolsError
from grice.topics.graph import TopicGraphError
from grice.users.protocol import SimulatorError, UserConfigError
from grice.wire import ScriptedModel, ScriptError
from grice.wire.cassettes import CassetteError

if TYPE_CHECKING:
    from grice.running.events import Event
    from grice.users.settings import SimulatedUser


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
    one = _Conversation(config, scenario, repeat, observe)
    try:
        await one.hold()
        return await one.result()
    except BudgetSpent:
        one.discard()
        return None


class _Conversation:
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
        title = f"{config.name}[{key}]" if key else config.name
        self._beside = Assistance(
            config.file,
            cassette_name(config.name, key, repeat),
            config.settings,
            test=config.path_of(scenario),
            mode=config.mode,
            marked=self._option("record", ""),
            update=config.update,
            find_judge_llm=config.find_judge_llm,
            find_criteria=config.find_criteria,
            watch=True,
        )
        self._task = ConversationTask(
            title,
            config.settings,
            id=stable_id(config.path_of(scenario)),
            model=ScriptedModel(),
            find_judge=self._beside.judge,
            find_cassette=self._beside.find_cassette,
            turn_timeout=self._option("turn_timeout", None),
            timeout=self._option("timeout", None),
            repeat=repeat,
        )
        self._log = self._task.log

    def _option(self, name: str, default: Any) -> Any:
        body = self._config.body
        return default if body is None else body.option(name, default)

    async def hold(self) -> None:
        """Hold the conversation and make the checks, every problem as a verdict. Raises BudgetSpent."""
        body = self._config.body
        drives = body is not None and body.drives
        later = body is None or not drives or "async_conversation" in body.arguments
        kind: type[LiveConversation | AsyncConversation] = AsyncConversation if later else LiveConversation
        try:
            agent = await self._agent()
            with self._task.open(kind, agent, find_support=self._support, observe=self._observe) as live:
                await (self._driven(live) if drives else self._simulated(cast("AsyncConversation", live)))
        except BudgetSpent:
            raise
        except _BROKEN as error:
            self._log.add(self._task.broken(error))
            broke_off = "the conversation broke off, so it was not looked at"
            self._log.add(Verdict(Outcome.SKIPPED, broke_off, claim="what else is checked to hold"))
        except _WRONG as error:
            self._stop(str(error))
        except ExpectationFailed:
            pass  # the verdict is in the log
        except Exception as error:  # somebody's code; the other conversations go on
            self._stop(error_text(error))
        except BaseException as error:
            self._log.add(stopped_verdict(error, HELD, "it ended with"))

    def _stop(self, reason: str) -> None:
        self._log.add(Verdict(Outcome.ERROR, reason, claim=HELD))

    async def _agent(self) -> BoundAgent:
        config, body, scenario = self._config, self._config.body, self._scenario
        context = AgentContext(
            test_name=self._task.name,
            test_file=str(config.file),
            test_line=body.line if body is not None else None,
            tags=body.tags if body is not None else (),
            scenario=None if scenario is None else deepcopy(scenario.data),
            model=self._task.model,
            server=config.settings.find_server(),
        )
        target = config.find_agent()
        if is_made(target):
            return bind_agent(target, context)
        # making it is its user's code, which may take its time
        return await call_in_thread(bind_agent, target, context)

    def _support(self) -> Support:
        config = self._config
        return Support(
            find_llm=config.find_user_llm,
            find_cassette=self._beside.find_cassette,
            find_users=self._users,
            find_topics=config.body.topics if config.body is not None else tuple,
            scenario=self._scenario,
            seed=config.seed + self._repeat - 1,
            folder=config.file.parent,
        )

    async def _simulated(self, live: AsyncConversation) -> None:
        with suppress(ExpectationFailed):  # of a topic: it keeps no check from looking, as under pytest
            await self._task.simulate(live, self._config.simulated or Simulated())
        await self._check()

    async def _driven(self, live: LiveConversation | AsyncConversation) -> None:
        body = self._config.body
        assert body is not None
        self._log.verdicts += await run_body(body, live, self._scenario, self._log)
        await self._check()

    async def _check(self) -> None:
        """Make every check on the finished conversation; a hard one that fails keeps no other from it."""
        record = self._task.record
        finished = FinishedConversation(record, self._log, self._task.state)
        bodies = [one for one in self._bodies() if one is not self._config.body or not one.drives]
        matchers = [one for one in self._config.checks if isinstance(one, Matcher)]
        made = await asyncio.gather(*[check_soon(one, finished, self._log) for one in matchers])
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

    def discard(self) -> None:
        """Leave nothing of it behind."""
        self._beside.discard()

    async def result(self) -> Result:
        """What came of it. Raises BudgetSpent where a judge was not asked for want of a budget."""
        config, scenario = self._config, self._scenario
        conduct = await self._task.conduct_later()
        if self._beside.budget_spent:
            raise BudgetSpent("a judge was not asked")
        good = not any(_is_bad(verdict) for verdict in self._log.verdicts)
        stale = self._beside.close(passed=good)[1]
        if stale:
            self._log.add(Verdict(Outcome.ERROR, stale, claim="the cassette to fit the conversation"))
        record, verdicts = self._task.record, tuple(self._log.verdicts)
        harm = spoiled_by(record, conduct, judged_outcome(verdicts))
        ending = ending_of(record, verdicts, harm)
        return Result(
            id=self._task.id,
            key=self._key,
            outcome=ending.outcome,
            conversation=record,
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
