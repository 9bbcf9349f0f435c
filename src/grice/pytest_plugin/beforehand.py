"""Holding one conversation of a test before the test runs, on an event loop that many share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from grice.agents import BoundAgent, bind_agent
from grice.identity import stable_id
from grice.loops.caller import call_in_thread, is_cancellation
from grice.matching.recording import CURRENT
from grice.pytest_plugin.criteria import criteria_of
from grice.pytest_plugin.item_identity import marker_options, path_of
from grice.pytest_plugin.projects import settings_of
from grice.pytest_plugin.session import context_of_item
from grice.pytest_plugin.support import seed_of, support_of
from grice.records import Conversation, Verdict
from grice.running.async_live import AsyncConversation
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.judges import make_judge
from grice.running.simulated_user_checks import conduct_steps
from grice.running.simulating import simulated_whole
from grice.running.steps import cannot_say, make_later
from grice.running.verdict_log import VerdictLog
from grice.wire import ScriptedModel

if TYPE_CHECKING:
    from grice.judging.judge import Judge
    from grice.running.simulated import Simulated
    from grice.wire.cassettes import Cassette

__all__ = ["Arrival", "Own", "held_beforehand"]


class Arrival(NamedTuple):
    """A conversation that was simulated for a test, the verdicts that it brings, and what broke it.

    `conduct` are the verdicts on who played the user.
    """

    record: Conversation
    verdicts: tuple[Verdict, ...]
    error: BaseException | None = None
    conduct: tuple[Verdict, ...] = ()


class Own(NamedTuple):
    """What the test's fixtures give its conversations."""

    agent_factory: Callable[..., object]
    find_judge_llm: Callable[[], object]
    find_user_llm: Callable[[], object]
    find_cassette: Callable[[], Cassette]


async def held_beforehand(item: pytest.Item, how: Simulated, run: int, own: Own) -> Arrival:
    """Hold the conversation; what goes wrong in it comes with it, whatever it is."""
    settings = settings_of(item.config, item.path)

    @cache
    def judge() -> Judge:
        return make_judge(own.find_judge_llm, own.find_cassette, criteria_of(item), settings)

    embedder = partial(embedder_of, settings)
    entailment = partial(entailment_of, settings, judge)
    log = VerdictLog(
        item.nodeid, judge=judge, embedder=embedder, entailment=entailment, strict=settings.strict
    )
    CURRENT.set(log)  # in the context of this task: the running test is another one
    options = marker_options(item)
    live: AsyncConversation | None = None
    error: BaseException | None = None
    conduct: tuple[Verdict, ...] = ()
    identity = stable_id(path_of(item))
    try:
        context = context_of_item(item, ScriptedModel())
        bound = await call_in_thread(_made, own.agent_factory, context)
        live = AsyncConversation(
            bound,
            id=identity,
            recorder=log,
            model=context.model,
            turn_timeout=options.get("turn_timeout", settings.turn_timeout),
            timeout=options.get("timeout", settings.timeout),
            cassette=own.find_cassette() if settings.records_agents else None,
            support=support_of(
                item,
                find_llm=own.find_user_llm,
                find_cassette=own.find_cassette,
                seed=seed_of(item, run),
            ),
        )
        live.repeat = run
        live.asks_here = True
        async with live:
            await make_later(simulated_whole(live, how), live.say, here=True)
    except BaseException as raised:  # even Ctrl-C and sys.exit() of an agent: the loop is for others too
        if is_cancellation(raised):
            raise
        error = raised
    if live is not None and live.played:
        conduct = await make_later(conduct_steps(live, settings.conduct, judge), cannot_say, here=True)
    await call_in_thread(log.settle)
    record = live.record if live is not None else Conversation(id=identity, name=item.nodeid)
    return Arrival(record, tuple(log.verdicts), error, conduct)


def _made(factory: Callable[..., object], context: Any) -> BoundAgent:
    made = factory(context)
    return made if isinstance(made, BoundAgent) else bind_agent(made, context)
