"""Tests whose conversation arrives finished: simulated beforehand, many at once, or in their set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from grice.matching.failure import ExpectationFailed
from grice.pytest_plugin.prefetch import Arrival, prefetch_of
from grice.pytest_plugin.session import context_of_item, log_of, open_conversation
from grice.pytest_plugin.support import simulated_item
from grice.running.live import LiveConversation
from grice.running.reading import FinishedConversation

if TYPE_CHECKING:
    from grice.agents import AgentContext
    from grice.running.simulated import Simulated

__all__ = ["call_with_arrivals", "finished_conversation"]

_ARRIVED = pytest.StashKey[list[Arrival]]()


def finished_conversation(
    request: pytest.FixtureRequest, agent: object, context: AgentContext
) -> FinishedConversation:
    """The finished conversation of a `@simulated` test; what went wrong in it is raised by the body."""
    item = request.node
    how = simulated_item(item)
    assert how is not None
    prefetch = prefetch_of(request.config)
    if prefetch.takes(item):
        arrived = prefetch.arrivals(request, how)
    else:
        arrived = [_held_here(request, agent, context, how, run) for run in range(1, how.runs + 1)]
    item.stash[_ARRIVED] = arrived
    log_of(item).verdicts += arrived[0].verdicts
    finished = FinishedConversation(arrived[0].record, log_of(item))
    log_of(item).conversation = cast("Any", finished)
    return finished


def _held_here(
    request: pytest.FixtureRequest, agent: object, context: AgentContext, how: Simulated, run: int
) -> Arrival:
    """Hold it in the test's own set-up, with the test's own agent (a new one for each further run)."""
    item = request.node
    if run > 1:
        agent = request.getfixturevalue("agent_factory")(context_of_item(item, context.model))
    log = log_of(item)
    before = len(log.verdicts)
    error: BaseException | None = None
    live: LiveConversation | None = None
    try:
        with open_conversation(LiveConversation, request, agent, context, seed=run - 1) as live:
            if how.topics is not None:
                live.follow(how.topics, ask=how.ask, strict=how.strict)
            for text in how.opening:
                live.say(text)
            live.simulate(*how.plans, **how.limits)
    except (pytest.fail.Exception, pytest.skip.Exception):
        raise
    except Exception as raised:
        error = raised
    verdicts = log.verdicts[before:]
    del log.verdicts[before:]
    if live is None:
        assert error is not None
        raise error
    return Arrival(live.record, tuple(verdicts), error)


def call_with_arrivals(item: pytest.Function) -> bool | None:
    """Call the test with each of its finished conversations; None leaves the only call to pytest.

    Raises what went wrong while its conversation was held.
    """
    __tracebackhide__ = True
    arrived = item.stash.get(_ARRIVED, None)
    if arrived is None:
        return None
    del item.stash[_ARRIVED]
    how = simulated_item(item)
    if how is None or how.runs == 1:
        if arrived[0].error is not None:
            raise arrived[0].error
        return None
    _call_each(item, arrived, how.needed)
    return True


def _call_each(item: pytest.Function, arrived: list[Arrival], needed: int) -> None:
    __tracebackhide__ = True
    said = [_outcome(item, arrival, first=number == 0) for number, arrival in enumerate(arrived)]
    good = said.count("")
    broken = [one for one in said if one.startswith(_BROKE)]
    if good >= needed:
        return
    lines = [f"run {number}: {one or 'passed'}" for number, one in enumerate(said, 1)]
    if good + len(broken) >= needed:
        heading = f"error: {good} of {len(said)} runs passed and {len(broken)} broke, {needed} have to pass"
    else:
        heading = f"{good} of {len(said)} runs passed, {needed} have to pass"
    pytest.fail("\n\n".join([heading, *lines]), pytrace=False)


_BROKE = "broke: "


def _outcome(item: pytest.Function, arrival: Arrival, *, first: bool) -> str:
    """What came of one run: "" when it passed."""
    from grice.users.protocol import SimulatorError

    log = log_of(item)
    if not first:
        log.verdicts += arrival.verdicts
    conversation = FinishedConversation(arrival.record, log)
    log.conversation = cast("Any", conversation)
    try:
        if arrival.error is not None:
            raise arrival.error
        arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
        for name in ("conversation", "async_conversation"):
            if name in arguments:
                arguments[name] = conversation
        item.obj(**arguments)
        log.settle()
    except (pytest.skip.Exception, KeyboardInterrupt):
        raise
    except SimulatorError as error:
        return f"{_BROKE}{error}"
    except ExpectationFailed as error:
        return f"{_BROKE if error.verdict.outcome == 'error' else ''}{error}"
    except (Exception, pytest.fail.Exception) as error:
        return f"{type(error).__name__}: {error}"
    return ""
