"""Simulating the conversations of the next tests beforehand, many at once, on an event loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from grice.agents import BoundAgent, bind_agent
from grice.identity import stable_id
from grice.loops.caller import call_in_thread
from grice.loops.portal import LoopThread, result_of
from grice.pytest_plugin.criteria import criteria_of
from grice.pytest_plugin.judging import keep_cassette, open_cassette_of
from grice.pytest_plugin.projects import llms_of, settings_of
from grice.pytest_plugin.refusals import marker_options, path_of
from grice.pytest_plugin.session import context_of_item
from grice.pytest_plugin.support import simulated_item, support_of
from grice.records import Conversation, Verdict
from grice.running.async_live import AsyncConversation
from grice.running.judges import make_judge
from grice.running.project_llms import Role
from grice.running.verdict_log import VerdictLog
from grice.wire import ScriptedModel

if TYPE_CHECKING:
    from grice.running.simulated import Simulated
    from grice.wire.cassettes import Cassette

__all__ = ["Arrival", "Prefetch", "prefetch_of"]

_PREFETCH = pytest.StashKey["Prefetch"]()
_OWN = "grice.pytest_plugin"
_FOREVER = 1e9


class Arrival(NamedTuple):
    """A conversation that was simulated for a test, the verdicts that it brings, and what broke it."""

    record: Conversation
    verdicts: tuple[Verdict, ...]
    error: BaseException | None = None


@dataclass(eq=False)
class _Journey:
    """The conversations of one test that are being simulated, and the cassettes that they have opened."""

    futures: list[Future[Arrival]]
    cassettes: list[_Cassettes]


class _Cassettes:
    """The cassette of a test, opened when it is first needed."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self.opened: Cassette | None = None

    def find(self) -> Cassette:
        if self.opened is None:
            self.opened = open_cassette_of(self._item)
        return self.opened


class Prefetch:
    """Simulates for the tests of a session, `concurrency` of them ahead, in their order."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._thread: LoopThread | None = None
        self._journeys: dict[pytest.Item, _Journey] = {}
        self._places: dict[pytest.Item, int] = {}

    def takes(self, item: pytest.Item) -> bool:
        """Whether the test's conversation can be simulated beforehand.

        Under xdist none is; nor is that of a test with an agent, LLMs or a context of its own, or whose model
        has a fixed address: it is simulated in the test's set-up.
        """
        if hasattr(self._config, "workerinput") or not isinstance(item, pytest.Function):
            return False
        if simulated_item(item) is None or "agent" in item._fixtureinfo.argnames:
            return False
        if settings_of(item.config, item.path).model_port is not None:
            return False
        return all(_is_plain(item, name) for name in ("agent", "agent_context", "scripted_model")) and all(
            _is_plain(item, name) or _is_shared(item, name)
            for name in ("agent_factory", "judge_llm", "user_llm")
        )

    def arrivals(self, request: pytest.FixtureRequest, how: Simulated) -> list[Arrival]:
        """The test's conversations, waited for; those of the next tests are under way then.

        Raises what making its agent raised.
        """
        item = request.node
        self._go_ahead(request)
        journey = self._journeys.pop(item, None) or self._begin(item, how, request)
        arrived = [result_of(future, _FOREVER) for future in journey.futures]
        opened = next((one.opened for one in journey.cassettes if one.opened is not None), None)
        if opened is not None:
            keep_cassette(item, opened)
        return arrived

    def close(self) -> None:
        """End what is under way."""
        for journey in self._journeys.values():
            for future in journey.futures:
                future.cancel()
        self._journeys.clear()
        if self._thread is not None:
            self._thread.stop()
            self._thread.thread.join(1.0)
            self._thread = None

    def _go_ahead(self, request: pytest.FixtureRequest) -> None:
        """Begin the conversations of the tests in the window that begins with this one."""
        item = request.node
        items = item.session.items
        if item not in self._places:
            self._places = {one: place for place, one in enumerate(items)}
        window = settings_of(item.config, item.path).concurrency
        under_way = len(self._journeys)
        for one in items[self._places.get(item, 0) :]:
            if under_way >= window:
                break
            if one in self._journeys:
                continue
            how = simulated_item(one)
            if how is None or not self.takes(one) or not _same_fixtures(item, one):
                continue
            self._journeys[one] = self._begin(one, how, request)
            under_way += 1

    def _begin(self, item: pytest.Item, how: Simulated, request: pytest.FixtureRequest) -> _Journey:
        if self._thread is None:
            self._thread = LoopThread("grice-prefetch")
        factory = request.getfixturevalue("agent_factory")
        found = {role: self._llm_finder(item, role, request) for role in _ROLES}
        cassettes = [_Cassettes(item)]
        futures = [
            self._thread.start(_simulated(item, how, run, factory, found, cassettes[0]))
            for run in range(1, how.runs + 1)
        ]
        return _Journey(futures, cassettes)

    def _llm_finder(
        self, item: pytest.Item, role: Role, request: pytest.FixtureRequest
    ) -> Callable[[], object]:
        if _is_plain(item, role):
            return partial(llms_of(item.config).llm, item.path, role)
        llm = request.getfixturevalue(role)
        return lambda: llm


_ROLES: tuple[Role, ...] = ("judge_llm", "user_llm")


async def _simulated(
    item: pytest.Item,
    how: Simulated,
    run: int,
    factory: Callable[..., object],
    llms: dict[Role, Callable[[], object]],
    cassette: _Cassettes,
) -> Arrival:
    """Hold one conversation of the test; what goes wrong in it comes with it."""
    settings = settings_of(item.config, item.path)
    log = VerdictLog(
        item.nodeid,
        judge=lambda: make_judge(llms["judge_llm"], cassette.find, criteria_of(item), settings),
    )
    options = marker_options(item)
    live: AsyncConversation | None = None
    error: BaseException | None = None
    identity = stable_id(path_of(item))
    try:
        context = context_of_item(item, ScriptedModel())
        bound = await call_in_thread(_made, factory, context)
        live = AsyncConversation(
            bound,
            id=identity,
            recorder=log,
            model=context.model,
            turn_timeout=options.get("turn_timeout", settings.turn_timeout),
            timeout=options.get("timeout", settings.timeout),
            cassette=cassette.find() if settings.records_agents else None,
            support=support_of(item, find_llm=llms["user_llm"], find_cassette=cassette.find, seed=run - 1),
        )
        live.asks_here = True
        async with live:
            if how.topics is not None:
                live.follow(how.topics, ask=how.ask, strict=how.strict)
            for text in how.opening:
                await live.say(text)
            await live.simulate(*how.plans, **how.limits)
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
        error = raised
    record = live.record if live is not None else Conversation(id=identity, name=item.nodeid)
    return Arrival(record, tuple(log.verdicts), error)


def _made(factory: Callable[..., object], context: Any) -> BoundAgent:
    made = factory(context)
    return made if isinstance(made, BoundAgent) else bind_agent(made, context)


def _definition(item: pytest.Item, name: str) -> Any:
    """The fixture of that name which holds for the test."""
    manager = item.session._fixturemanager
    found: Sequence[Any] | None = manager.getfixturedefs(name, item)
    return found[-1] if found else None


def _is_plain(item: pytest.Item, name: str) -> bool:
    """Whether the fixture is Grice's own."""
    found = _definition(item, name)
    return found is not None and getattr(found.func, "__module__", "") == _OWN


def _is_shared(item: pytest.Item, name: str) -> bool:
    """Whether the fixture is made once a session, so that it is there for later tests."""
    found = _definition(item, name)
    return found is not None and found.scope == "session" and not found.params


def _same_fixtures(item: pytest.Item, other: pytest.Item) -> bool:
    """Whether what this test has is what the other would have."""
    names = ("agent_factory", "judge_llm", "user_llm")
    return all(_definition(item, name) is _definition(other, name) for name in names)


def prefetch_of(config: pytest.Config) -> Prefetch:
    """The prefetch of the session."""
    if _PREFETCH not in config.stash:
        config.stash[_PREFETCH] = Prefetch(config)
    return config.stash[_PREFETCH]
