"""Simulating the conversations of the next tests beforehand, many at once, on an event loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from grice.loops.portal import LoopThread
from grice.pytest_plugin.beforehand import Arrival, Own, held_beforehand
from grice.pytest_plugin.item_identity import marker_options
from grice.pytest_plugin.judging import keep_cassette, llm_of, open_cassette_of
from grice.pytest_plugin.loop_watch import LoopWatch
from grice.pytest_plugin.projects import llms_of, settings_of
from grice.pytest_plugin.support import runs_of, simulated_item
from grice.running.project_llms import Role

if TYPE_CHECKING:
    from grice.running.simulated import Simulated
    from grice.wire.cassettes import Cassette

__all__ = ["Prefetch", "prefetch_of"]

_PREFETCH = pytest.StashKey["Prefetch"]()
_OWN = "grice.pytest_plugin"
_SHARED = ("agent_factory", "judge_llm", "user_llm")
_ROLES: tuple[Role, ...] = ("judge_llm", "user_llm")
_OF_THE_TEST = frozenset({"agent", "agent_context", "scripted_model"})
_CONVERSATIONS = ("conversation", "async_conversation")
_GRACE = 1.0


@dataclass(eq=False)
class _Journey:
    """The conversations of one test that are being simulated, and the cassette that they share."""

    futures: list[Future[Arrival]]
    cassette: _Cassette

    def end(self) -> None:
        for future in self.futures:
            future.cancel()


class _Cassette:
    """The cassette of a test, opened when it is first needed."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self.opened: Cassette | None = None

    def find(self) -> Cassette:
        """The cassette. Raises CassetteError and SettingsError."""
        if self.opened is None:
            self.opened = open_cassette_of(self._item)
        return self.opened


class Prefetch:
    """Simulates for the tests of a session, `concurrency` conversations ahead, in their order."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._thread: LoopThread | None = None
        self._journeys: dict[pytest.Item, _Journey] = {}
        self._places: dict[pytest.Item, int] = {}

    def takes(self, item: pytest.Item) -> bool:
        """Whether the test's conversation can be simulated beforehand.

        Under xdist none is; nor is that of a test with an agent, LLMs or a context of its own, with a fixture
        that prepares the agent, or whose model has a fixed address: it is simulated in the test's set-up.
        """
        if hasattr(self._config, "workerinput") or not isinstance(item, pytest.Function):
            return False
        if simulated_item(item) is None or not _OF_THE_TEST.isdisjoint(_asked_for(item)):
            return False
        wanted = [name for name in _CONVERSATIONS if name in item.fixturenames]
        if not wanted or settings_of(item.config, item.path).model_port is not None:
            return False
        return all(_is_plain(item, name) for name in (*_OF_THE_TEST, *wanted)) and all(
            _is_plain(item, name) or _is_shared(item, name) for name in _SHARED
        )

    def arrivals(self, request: pytest.FixtureRequest, how: Simulated) -> list[Arrival]:
        """The test's conversations, waited for; those of the next tests are under way then."""
        item = request.node
        self._forget_passed(item)
        self._go_ahead(request)
        journey = self._journeys.pop(item, None) or self._begin(item, how, request)
        try:
            arrived = self._waited(item, journey)
        except BaseException:
            journey.end()
            raise
        if journey.cassette.opened is not None:
            keep_cassette(item, journey.cassette.opened)
        return arrived

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End what is under way."""
        self._end()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """End what is under way before the fixtures of the session go, which its agents were made with."""
        if nextitem is None or item.session.shouldfail or item.session.shouldstop:
            self._end()

    def _end(self) -> None:
        for journey in self._journeys.values():
            journey.end()
        self._journeys.clear()
        if self._thread is not None:
            self._thread.stop()
            self._thread.thread.join(_GRACE)
            self._thread = None

    def _waited(self, item: pytest.Item, journey: _Journey) -> list[Arrival]:
        """What came of the conversations. Raises TimeoutError when an agent holds up their event loop."""
        assert self._thread is not None
        limit = marker_options(item).get("turn_timeout", settings_of(item.config, item.path).turn_timeout)
        watch = LoopWatch(self._thread, limit)
        try:
            return [watch.result(future) for future in journey.futures]
        except TimeoutError:
            self._journeys.clear()  # they are on that loop
            self._thread = None
            raise

    def _forget_passed(self, item: pytest.Item) -> None:
        """End what was begun for tests before this one: they broke before they asked for it."""
        if item not in self._places:
            self._places = {one: place for place, one in enumerate(item.session.items)}
        here = self._places.get(item, 0)
        for one in [one for one in self._journeys if self._places.get(one, 0) < here]:
            self._journeys.pop(one).end()

    def _go_ahead(self, request: pytest.FixtureRequest) -> None:
        """Begin the conversations of the tests in the window that begins with this one."""
        item = request.node
        window = settings_of(item.config, item.path).concurrency
        under_way = sum(len(journey.futures) for journey in self._journeys.values())
        for one in item.session.items[self._places.get(item, 0) :]:
            if under_way >= window:
                return
            how = simulated_item(one)
            if how is None or one in self._journeys or not self.takes(one):
                continue
            if one is item or (not _is_left_out(one) and _same_fixtures(item, one)):
                self._journeys[one] = self._begin(one, how, request)
                under_way += how.runs

    def _begin(self, item: pytest.Item, how: Simulated, request: pytest.FixtureRequest) -> _Journey:
        if self._thread is None:
            self._thread = LoopThread("grice-prefetch")
            self._turns = asyncio.Semaphore(settings_of(item.config, item.path).concurrency)
        cassette = _Cassette(item)
        own = Own(
            request.getfixturevalue("agent_factory"),
            self._llm_finder(item, "judge_llm", request),
            self._llm_finder(item, "user_llm", request),
            cassette.find,
        )
        held = [_in_turn(self._turns, item, how, run, own) for run in runs_of(item)]
        return _Journey([self._thread.start(one) for one in held], cassette)

    def _llm_finder(
        self, item: pytest.Item, role: Role, request: pytest.FixtureRequest
    ) -> Callable[[], object]:
        """Finds the LLM on the loop; a fixture is set up here, where pytest is, and raises there."""
        if _is_plain(item, role):
            return partial(llms_of(item.config).llm, item.path, role)
        try:
            llm = llm_of(request.node, role)
        except (Exception, pytest.skip.Exception) as error:
            return partial(_raise, error)
        return lambda: llm


async def _in_turn(
    turns: asyncio.Semaphore, item: pytest.Item, how: Simulated, run: int, own: Own
) -> Arrival:
    async with turns:
        return await held_beforehand(item, how, run, own)


def _raise(error: BaseException) -> object:
    raise error


def _definition(item: pytest.Item, name: str) -> Any:
    """The fixture of that name which holds for the test."""
    found = item.session._fixturemanager.getfixturedefs(name, item)
    return found[-1] if found else None


def _asked_for(item: pytest.Function) -> Iterator[str]:
    """What the test and its own fixtures ask for by name."""
    info = item._fixtureinfo
    yield from info.initialnames
    for definitions in info.name2fixturedefs.values():
        for one in definitions:
            if getattr(one.func, "__module__", "") != _OWN:
                yield from one.argnames


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
    return all(_definition(item, name) is _definition(other, name) for name in _SHARED)


def _is_left_out(item: pytest.Item) -> bool:
    """Whether a mark says that the test is not run."""
    if not any(item.iter_markers(name) for name in ("skip", "skipif", "xfail")):
        return False
    from _pytest.skipping import evaluate_skip_marks, evaluate_xfail_marks

    with suppress(Exception, pytest.fail.Exception):
        if evaluate_skip_marks(item) is None:
            expected = evaluate_xfail_marks(item)
            return expected is not None and not expected.run and not item.config.option.runxfail
    return True


def prefetch_of(config: pytest.Config) -> Prefetch:
    """The prefetch of the session."""
    if _PREFETCH not in config.stash:
        config.stash[_PREFETCH] = Prefetch(config)
        config.pluginmanager.register(config.stash[_PREFETCH], "grice-prefetch")
    return config.stash[_PREFETCH]
