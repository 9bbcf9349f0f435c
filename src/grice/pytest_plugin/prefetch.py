"""`@simulated` tests: their conversations arrive finished, held ahead, many at once, or in their set-up."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeVar, cast

import pytest

from grice.agents import BoundAgent, bind_agent
from grice.identity import stable_id
from grice.loops.background_loop import LoopThread, result_of
from grice.loops.caller import call_in_thread, is_cancellation
from grice.loops.deadline import REPEAT, DeadlineExceeded, interrupt_thread, withdraw_interrupt
from grice.matching.failure import ExpectationFailed, headline, shown_reason
from grice.matching.recording import CURRENT
from grice.pytest_plugin.attempts import TestAttempt, held_by, keep
from grice.pytest_plugin.failures import raise_at
from grice.pytest_plugin.item_identity import marker_options, path_of
from grice.pytest_plugin.judging import keep_assistance, llm_of, make_assistance
from grice.pytest_plugin.projects import llms_of, settings_of
from grice.pytest_plugin.session import TASKS, context_of_item, log_of, open_conversation
from grice.pytest_plugin.support import runs_of, seed_of, simulated_item, support_of
from grice.records import Conversation, Outcome, Verdict
from grice.running.async_live import AsyncConversation
from grice.running.live import LiveConversation
from grice.running.project_llms import Role
from grice.running.reading import FinishedConversation
from grice.running.simulating import simulated_whole
from grice.running.steps import make
from grice.running.task import ConversationTask
from grice.wire import ScriptedModel

if TYPE_CHECKING:
    from grice.agents import AgentContext
    from grice.running.assistance import Assistance
    from grice.running.simulated import Simulated
    from grice.running.state_sources import SimulatedState


_ARRIVED = pytest.StashKey["list[Arrival]"]()
_CALLS = "grice-arrivals"
_PREFETCH = pytest.StashKey["Prefetch"]()
_OWN = "grice.pytest_plugin"
_SHARED = ("agent_factory", "judge_llm", "user_llm")
_ROLES: tuple[Role, ...] = ("judge_llm", "user_llm")
_OF_THE_TEST = frozenset({"agent", "agent_context", "scripted_model"})
_CONVERSATIONS = ("conversation", "async_conversation")
_GRACE = 1.0

_T = TypeVar("_T")


class Arrival(NamedTuple):
    """A conversation that was simulated for a test, the verdicts that it brings, and what broke it.

    `conduct` are the verdicts on who played the user, `state` what was read before and after.
    """

    record: Conversation
    verdicts: tuple[Verdict, ...]
    error: BaseException | None = None
    conduct: tuple[Verdict, ...] = ()
    state: SimulatedState | None = None


# -- holding one conversation ahead


class _Own(NamedTuple):
    """What the test's fixtures give its conversations."""

    agent_factory: Callable[..., object]
    find_user_llm: Callable[[], object]
    assistance: Assistance


async def _held_ahead(item: pytest.Item, how: Simulated, run: int, own: _Own) -> Arrival:
    """Hold the conversation; what goes wrong in it comes with it, whatever it is."""
    options, beside = marker_options(item), own.assistance
    task = ConversationTask(
        item.nodeid,
        settings_of(item.config, item.path),
        id=stable_id(path_of(item)),
        model=ScriptedModel(),
        find_judge=beside.judge,
        find_cassette=beside.find_cassette,
        turn_timeout=options.get("turn_timeout"),
        timeout=options.get("timeout"),
        repeat=run,
    )
    find_support = partial(
        support_of,
        item,
        find_llm=own.find_user_llm,
        find_cassette=beside.find_cassette,
        seed=seed_of(item, run),
    )
    CURRENT.set(task.log)  # in the context of this asyncio task: the running test is another one
    error: BaseException | None = None
    try:
        agent = await call_in_thread(_made, own.agent_factory, context_of_item(item, task.model))
        with task.open(AsyncConversation, agent, find_support=find_support) as live:
            await task.simulate(live, how)
    except BaseException as raised:  # even Ctrl-C and sys.exit() of an agent: the loop is for others too
        if is_cancellation(raised):
            raise
        error = raised
    conduct = await task.conduct_later()
    await call_in_thread(task.log.settle)
    return Arrival(task.record, tuple(task.log.verdicts), error, conduct, task.state)


def _made(factory: Callable[..., object], context: Any) -> BoundAgent:
    made = factory(context)
    return made if isinstance(made, BoundAgent) else bind_agent(made, context)


# -- the window of tests whose conversations are under way


@dataclass(eq=False)
class _Journey:
    """The conversations of one test that are being simulated; they share judge and cassette."""

    futures: list[Future[Arrival]]
    assistance: Assistance

    def end(self) -> None:
        for future in self.futures:
            future.cancel()


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

    def arrivals(self, item: pytest.Item, how: Simulated) -> list[Arrival]:
        """The test's conversations, waited for; those of the next tests are under way then."""
        self._forget_passed(item)
        self._go_ahead(item)
        journey = self._journeys.pop(item, None) or self._begin(item, how, item)
        try:
            arrived = self._waited(item, journey)
        except BaseException:
            journey.end()
            raise
        keep_assistance(item, journey.assistance)
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
        watch = _LoopWatch(self._thread, limit)
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

    def _go_ahead(self, item: pytest.Item) -> None:
        """Begin the conversations of the tests in the window that begins with this one."""
        window = settings_of(item.config, item.path).concurrency
        under_way = sum(len(journey.futures) for journey in self._journeys.values())
        for one in item.session.items[self._places.get(item, 0) :]:
            if under_way >= window:
                return
            how = simulated_item(one)
            if how is None or one in self._journeys or not self.takes(one):
                continue
            if one is item or (not _is_left_out(one) and _same_fixtures(item, one)):
                self._journeys[one] = self._begin(one, how, item)
                under_way += how.runs

    def _begin(self, item: pytest.Item, how: Simulated, running: Any) -> _Journey:
        """Begin the conversations of a test with what the fixtures of the running one give."""
        if self._thread is None:
            self._thread = LoopThread("grice-prefetch")
            self._turns = asyncio.Semaphore(settings_of(item.config, item.path).concurrency)
        own = _Own(
            running._request.getfixturevalue("agent_factory"),
            self._llm_finder(item, "user_llm", running),
            make_assistance(item, self._llm_finder(item, "judge_llm", running)),
        )
        held = [_in_turn(self._turns, item, how, run, own) for run in runs_of(item)]
        return _Journey([self._thread.start(one) for one in held], own.assistance)

    def _llm_finder(self, item: pytest.Item, role: Role, running: pytest.Item) -> Callable[[], object]:
        """Finds the LLM on the loop; a fixture is set up here, where pytest is, and raises there."""
        if _is_plain(item, role):
            return partial(llms_of(item.config).llm, item.path, role)
        try:
            llm = llm_of(running, role)
        except (Exception, pytest.skip.Exception) as error:
            return partial(_raise, error)
        return lambda: llm


async def _in_turn(
    turns: asyncio.Semaphore, item: pytest.Item, how: Simulated, run: int, own: _Own
) -> Arrival:
    async with turns:
        return await _held_ahead(item, how, run, own)


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


# -- giving a test what arrived for it


class _Calls:
    """Calls tests with the conversations that arrived finished for them.

    It is registered when the first one arrives, after all other plugins, and so asked before them: one that
    calls tests itself, as anyio's does, would lose what went wrong in the conversation.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Call the test, once for each of its runs."""
        __tracebackhide__ = True
        return _call_with_arrivals(pyfuncitem)


@contextmanager
def finished_conversation(
    item: pytest.Item, agent: object, context: AgentContext
) -> Iterator[FinishedConversation]:
    """The finished conversation of a `@simulated` test; the test's call raises what went wrong in it."""
    how = simulated_item(item)
    assert how is not None
    if not item.config.pluginmanager.has_plugin(_CALLS):
        item.config.pluginmanager.register(_Calls(), _CALLS)
    if _ARRIVED not in item.stash:
        item.stash[_ARRIVED] = _arrived(item, agent, context, how)
    log = log_of(item)
    finished = FinishedConversation(item.stash[_ARRIVED][0].record, log, item.stash[_ARRIVED][0].state)
    log.conversation = cast("Any", finished)
    try:
        yield finished
    finally:
        log.conversation = None  # the log stays with the item until the session ends
        item.stash[_ARRIVED] = []
        del item.stash[_ARRIVED]  # a rerun begins anew


def _arrived(item: pytest.Item, agent: object, context: AgentContext, how: Simulated) -> list[Arrival]:
    prefetch = prefetch_of(item.config)
    if prefetch.takes(item):
        try:
            return prefetch.arrivals(item, how)
        except TimeoutError as error:
            return [_not_held(item, error)] * how.runs
    return [
        _held_here(item, _agent_of_run(item, agent, how, run), context, how, run) for run in runs_of(item)
    ]


def _agent_of_run(item: Any, agent: object, how: Simulated, run: int) -> object:
    """The agent of one of the runs, each of which has its own."""
    if run == runs_of(item)[0] or isinstance(agent, FunctionType | type) or hasattr(agent, "build"):
        return agent
    definitions = item._fixtureinfo.name2fixturedefs.get("agent", ())
    if len(definitions) > 1:
        pytest.fail(
            f"runs={how.runs}: each run needs an agent of its own, and the fixture `agent` made one "
            f"{type(agent).__name__}: have it return a function, a class or something with build(context), "
            "or override the session-scoped `agent_factory` instead",
            pytrace=False,
        )
    return item._request.getfixturevalue("agent_factory")(context_of_item(item, None))


def _not_held(item: pytest.Item, error: BaseException) -> Arrival:
    return Arrival(Conversation(id=stable_id(path_of(item)), name=item.nodeid), (), error)


def _held_here(item: pytest.Item, agent: object, context: AgentContext, how: Simulated, run: int) -> Arrival:
    """Hold it in the test's own set-up, with the test's own agent."""
    log = log_of(item)
    before = len(log.verdicts)
    error: BaseException | None = None
    task: ConversationTask | None = None
    try:
        with open_conversation(LiveConversation, item, agent, context, run=run) as live:
            held = task = item.stash[TASKS][-1]
            held.read_state(live, how)
            try:
                make(simulated_whole(live, how), live.say)
            finally:
                if held.state is not None:
                    held.state.end()
            live.finish()  # the fixture ends it too, and says nothing of what is wrong then
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
        error = raised
    log.settle()
    verdicts = tuple(log.verdicts[before:])
    del log.verdicts[before:]
    if task is None:
        assert error is not None
        return _not_held(item, error)._replace(verdicts=verdicts)
    return Arrival(task.record, verdicts, error, task.conduct(), task.state)


def _call_with_arrivals(item: pytest.Function) -> bool | None:
    """Call the test with each of its finished conversations; None leaves the only call to pytest.

    Raises what went wrong while its conversation was held: what broke it instead of the call, and after it
    what failed in its topics.
    """
    __tracebackhide__ = True
    arrived = item.stash.get(_ARRIVED, None)
    if not arrived:
        return None
    item.stash[_ARRIVED] = []
    how = simulated_item(item)
    if how is None or how.runs == 1:
        failed = _look_at(item, arrived[0], runs_of(item)[0])
        if failed is None:
            return None
        _call_failed(item, failed)
    for name in _CONVERSATIONS:
        if not isinstance(item.funcargs.get(name), FinishedConversation | None):
            pytest.fail(
                f"runs={how.runs}: the fixture `{name}` is overridden with something else than a finished "
                "conversation, so that the test could not be given those of the other runs",
                pytrace=False,
            )
    _call_each(item, arrived, how.needed)
    return True


def _look_at(item: pytest.Function, arrival: Arrival, run: int) -> ExpectationFailed | None:
    """Give the test the conversation. Returns what failed in its topics, raises what broke it off."""
    __tracebackhide__ = True
    log = log_of(item)
    conversation = FinishedConversation(arrival.record, log, arrival.state)
    log.conversation = cast("Any", conversation)
    keep(item, TestAttempt(conversation, len(log.verdicts), run, arrival.conduct))
    log.verdicts += arrival.verdicts
    for name in _CONVERSATIONS:
        if isinstance(item.funcargs.get(name), FinishedConversation):
            item.funcargs[name] = conversation
    if isinstance(arrival.error, ExpectationFailed) and arrival.record.termination is not None:
        return arrival.error
    if arrival.error is not None:
        raise_at(inspect.unwrap(item.function), arrival.error)
    return None


def _call_failed(item: pytest.Function, failed: ExpectationFailed) -> NoReturn:
    """Call the test, whose conversation failed in its topics, and raise that, with what the test raises."""
    __tracebackhide__ = True
    try:
        item.ihook.pytest_pyfunc_call(pyfuncitem=item)
    except pytest.exit.Exception:
        raise
    except (Exception, pytest.skip.Exception, pytest.fail.Exception) as error:
        if not isinstance(error, pytest.skip.Exception | pytest.xfail.Exception):
            held_by(item)[-1].problem = error  # so that its verdict is in the result, if it has none yet
        failed = ExpectationFailed(f"{failed}\n\n  also: {_also(item, error)}", failed.verdict)
    raise_at(inspect.unwrap(item.function), failed)


def _also(item: pytest.Function, error: BaseException) -> str:
    """What the test raised beside what failed before, and where; its transcript is there already."""
    if isinstance(error, ExpectationFailed):
        said = headline(error.verdict)
    else:
        said = "\n".join(shown_reason(f"{type(error).__name__}: {error}"))
    frames = traceback.extract_tb(error.__traceback__)
    line = next((one.lineno for one in reversed(frames) if one.filename == str(item.path)), None)
    place = "" if line is None else f" ({item.path.name}, line {line})"
    first, *rest = said.split("\n")
    return "\n".join([f"{first}{place}", *(f"  {row}" for row in rest)])


class _Said(NamedTuple):
    """What came of one run."""

    kind: Literal["passed", "failed", "broke", "skipped", "xfailed"]
    text: str = ""


def _call_each(item: pytest.Function, arrived: list[Arrival], needed: int) -> None:
    """Call the test for each run. Fails unless as many as needed pass; broken and skipped runs are none."""
    __tracebackhide__ = True
    said = [_run(item, arrival, number) for number, arrival in zip(runs_of(item), arrived, strict=True)]
    kinds = [one.kind for one in said]
    good, open_ = kinds.count("passed"), kinds.count("broke") + kinds.count("skipped")
    if good >= needed:
        return
    if kinds.count("skipped") == len(said):
        pytest.skip(said[0].text)
    if set(kinds) <= {"passed", "xfailed"}:
        pytest.xfail(next(one.text for one in said if one.kind == "xfailed"))
    lines = [f"run {number}: {one.kind}{one.text and f': {one.text}'}" for number, one in enumerate(said, 1)]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    heading = f"of {len(said)} runs {counts}; {needed} have to pass"
    if good + open_ >= needed:
        heading = f"error: {heading}, which those that did not come to an end leave open"
    pytest.fail("\n\n".join([heading, *lines]), pytrace=False)


def _run(item: pytest.Function, arrival: Arrival, number: int) -> _Said:
    """What came of one run; other plugins call the test as they would, in their event loop perhaps."""
    try:
        failed = _look_at(item, arrival, number)
        if failed is not None:
            _call_failed(item, failed)
        item.ihook.pytest_pyfunc_call(pyfuncitem=item)
        said = _Said("passed")
    except (KeyboardInterrupt, pytest.exit.Exception):
        raise
    except (Exception, pytest.skip.Exception, pytest.fail.Exception) as error:
        said = _said(error)
        held_by(item)[-1].problem = held_by(item)[-1].problem or error
    log_of(item).settle()
    held_by(item)[-1].last = len(log_of(item).verdicts)
    return said


def _said(error: BaseException) -> _Said:
    """What a run comes to that raised this: one without a user, judge or script says nothing of the agent."""
    from grice.matching.protocols import BudgetSpent
    from grice.users.protocol import SimulatorError
    from grice.wire import ScriptError

    if isinstance(error, pytest.skip.Exception):
        return _Said("skipped", str(error))
    if isinstance(error, pytest.xfail.Exception):
        return _Said("xfailed", str(error))
    if isinstance(error, SimulatorError | BudgetSpent | ScriptError):
        return _Said("broke", str(error))
    if isinstance(error, ExpectationFailed):
        return _Said("broke" if error.verdict.outcome is Outcome.ERROR else "failed", str(error))
    return _Said("failed", f"{type(error).__name__}: {error}")


class _LoopWatch:
    """Waits for results of a loop. An agent that holds it up for `limit` seconds is interrupted."""

    def __init__(self, thread: LoopThread, limit: float) -> None:
        self._thread = thread
        self._limit = limit
        self._alive = threading.Event()
        self._alive.set()
        self._asked = 0.0
        self._interrupted = False

    def result(self, future: Future[_T]) -> _T:
        """The result of what was started on the loop, or what it raised.

        Raises TimeoutError when the loop cannot be got back from who holds it up: it is left behind then.
        """
        while True:
            try:
                return result_of(future, min(REPEAT, self._limit))
            except DeadlineExceeded:
                self._look()

    def _look(self) -> None:
        """Ask the loop for a sign of life, or see to it that it gives the one that it was asked for."""
        now = time.monotonic()
        ident = self._thread.thread.ident
        if not self._thread.thread.is_alive():
            raise TimeoutError("the event loop on which the conversations are held beforehand has ended")
        if self._alive.is_set():
            self._alive.clear()
            self._asked, self._interrupted = now, False
            self._thread.loop.call_soon_threadsafe(self._alive.set)
        elif now - self._asked > self._limit and ident is not None:
            if self._interrupted:
                self._leave_behind(ident)
            self._interrupted = True
            self._asked = now - self._limit + min(REPEAT, self._limit)
            interrupt_thread(ident)

    def _leave_behind(self, ident: int) -> None:
        withdraw_interrupt(ident)
        self._thread.given_up = True
        self._thread.loop.set_exception_handler(lambda *_: None)  # what becomes of it concerns nobody
        self._thread.stop()
        raise TimeoutError(
            f"an asynchronous agent held up its event loop for more than {self._limit:g} s without awaiting "
            "anything, and all conversations on it: await what takes long, or make the agent a plain function"
        )
