"""Tests whose conversation arrives finished: simulated beforehand, many at once, or in their set-up."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, cast

import pytest

from grice.identity import stable_id
from grice.matching.failure import ExpectationFailed, headline, shown_reason
from grice.pytest_plugin.attempts import TestAttempt, conduct_of, held_by, keep
from grice.pytest_plugin.beforehand import Arrival
from grice.pytest_plugin.failures import raise_at
from grice.pytest_plugin.item_identity import path_of
from grice.pytest_plugin.judging import judge_of_test
from grice.pytest_plugin.prefetch import prefetch_of
from grice.pytest_plugin.projects import settings_of
from grice.pytest_plugin.session import context_of_item, log_of, open_conversation
from grice.pytest_plugin.support import runs_of, simulated_item
from grice.records import Conversation, Outcome
from grice.running.live import LiveConversation
from grice.running.reading import FinishedConversation
from grice.running.simulating import simulated_whole
from grice.running.steps import make

if TYPE_CHECKING:
    from grice.agents import AgentContext
    from grice.running.simulated import Simulated

__all__ = ["finished_conversation"]

_ARRIVED = pytest.StashKey[list[Arrival]]()
_CONVERSATIONS = ("conversation", "async_conversation")
_CALLS = "grice-arrivals"


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
    request: pytest.FixtureRequest, agent: object, context: AgentContext
) -> Iterator[FinishedConversation]:
    """The finished conversation of a `@simulated` test; the test's call raises what went wrong in it."""
    item = request.node
    how = simulated_item(item)
    assert how is not None
    if not request.config.pluginmanager.has_plugin(_CALLS):
        request.config.pluginmanager.register(_Calls(), _CALLS)
    if _ARRIVED not in item.stash:
        item.stash[_ARRIVED] = _arrived(request, agent, context, how)
    log = log_of(item)
    finished = FinishedConversation(item.stash[_ARRIVED][0].record, log)
    log.conversation = cast("Any", finished)
    try:
        yield finished
    finally:
        log.conversation = None  # the log stays with the item until the session ends
        item.stash[_ARRIVED] = []
        del item.stash[_ARRIVED]  # a rerun begins anew


def _arrived(
    request: pytest.FixtureRequest, agent: object, context: AgentContext, how: Simulated
) -> list[Arrival]:
    prefetch = prefetch_of(request.config)
    if prefetch.takes(request.node):
        try:
            return prefetch.arrivals(request, how)
        except TimeoutError as error:
            return [_not_held(request.node, error)] * how.runs
    return [
        _held_here(request, _agent_of_run(request, agent, how, run), context, how, run)
        for run in runs_of(request.node)
    ]


def _agent_of_run(request: pytest.FixtureRequest, agent: object, how: Simulated, run: int) -> object:
    """The agent of one of the runs, each of which has its own."""
    if run == runs_of(request.node)[0] or isinstance(agent, FunctionType | type) or hasattr(agent, "build"):
        return agent
    definitions = request.node._fixtureinfo.name2fixturedefs.get("agent", ())
    if len(definitions) > 1:
        pytest.fail(
            f"runs={how.runs}: each run needs an agent of its own, and the fixture `agent` made one "
            f"{type(agent).__name__}: have it return a function, a class or something with build(context), "
            "or override the session-scoped `agent_factory` instead",
            pytrace=False,
        )
    return request.getfixturevalue("agent_factory")(context_of_item(request.node, None))


def _not_held(item: pytest.Item, error: BaseException) -> Arrival:
    return Arrival(Conversation(id=stable_id(path_of(item)), name=item.nodeid), (), error)


def _held_here(
    request: pytest.FixtureRequest, agent: object, context: AgentContext, how: Simulated, run: int
) -> Arrival:
    """Hold it in the test's own set-up, with the test's own agent."""
    item = request.node
    log = log_of(item)
    before = len(log.verdicts)
    error: BaseException | None = None
    live: LiveConversation | None = None
    try:
        with open_conversation(LiveConversation, request, agent, context, run=run) as live:
            make(simulated_whole(live, how), live.say)
            live.finish()  # the fixture ends it too, and says nothing of what is wrong then
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
        error = raised
    log.settle()
    verdicts = tuple(log.verdicts[before:])
    del log.verdicts[before:]
    if live is None:
        assert error is not None
        return _not_held(item, error)._replace(verdicts=verdicts)
    mode = settings_of(item.config, item.path).conduct
    conduct = conduct_of(live, mode, partial(judge_of_test, item))
    return Arrival(live.record, verdicts, error, conduct)


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
    conversation = FinishedConversation(arrival.record, log)
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
