"""Playing the user of a conversation: who plays, the turns one after the other, and why it ends."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from grice.agents import AgentFailed
from grice.matching.protocols import BudgetSpent, LLMError
from grice.records import Conversation, Scenario, Simulation, Termination
from grice.running.steps import Say, Steps, Wait
from grice.text import did_you_mean
from grice.users.plans import plan_of
from grice.users.protocol import Player, SimulatorError, UserMove, UserPlan, UserSupport
from grice.users.settings import DEFAULT_MAX_TURNS, SimulatedUser, UserConfigError, merged, user_of

if TYPE_CHECKING:
    from grice.running.played import Played

__all__ = ["SETTINGS", "plan_for", "simulated_part"]

SETTINGS = tuple(SimulatedUser.__struct_fields__)
"""What `simulate` takes by name."""

StopWhen = Callable[..., object]


def plan_for(live: Played, users: Sequence[object], settings: Mapping[str, Any]) -> UserPlan:
    """Who plays the user: what is declared around the test, and inside of it a scenario, users, settings.

    A script, a prober or a function plays as it is. Raises UserConfigError.
    """
    strange = next((name for name in settings if name not in SETTINGS), None)
    if strange is not None:
        raise UserConfigError(f"simulate() has no setting {strange!r}{did_you_mean(strange, SETTINGS)}")
    for user in reversed(users):
        if not isinstance(user, SimulatedUser | Scenario | None):
            plan = plan_of(user)
            unfit = next((name for name in settings if name not in ("max_turns", "stop_when")), None)
            if unfit is not None:
                raise UserConfigError(f"{unfit}: a {plan.kind} has no settings of a simulated user")
            return plan
    support = live.support
    implied = () if any(isinstance(user, Scenario) for user in users) else (support.scenario,)
    levels = [user_of(one) if isinstance(one, Scenario) else one for one in (*implied, *users)]
    return merged(
        *support.find_users(), *cast("list[SimulatedUser | None]", levels), SimulatedUser(**settings)
    )


def simulated_part(live: Played, users: Sequence[object], settings: Mapping[str, Any]) -> Steps[Simulation]:
    """Have the user played; then raise ExpectationFailed for what was expected in topics that it left."""
    __tracebackhide__ = True
    plan = plan_for(live, users, settings)
    live.simulating = True
    try:
        record = yield from _simulation(live, plan, settings)
    finally:
        live.simulating = False
    live.raise_expected()
    return record


def _simulation(live: Played, plan: UserPlan, settings: Mapping[str, Any]) -> Steps[Simulation]:
    """The turns of a played user, and the record of it, which the conversation keeps, however it ends.

    Raises what the agent, the player's LLM and `stop_when` raise; what is wrong with the player is a
    SimulatorError.
    """
    __tracebackhide__ = True
    given, stop_when = settings.get("max_turns"), _stop_of(plan, settings)
    limit = plan.max_turns if given is None else given
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise UserConfigError(f"max_turns: expected a number of turns from 0, found {limit!r}")
    if limit is None and isinstance(plan, SimulatedUser):
        limit = DEFAULT_MAX_TURNS
    support = UserSupport(live.support.llm, live.support.seed, len(live.turns) + 1)
    player = plan.start(support)
    ended: tuple[Termination, str] = ("interrupted", "")
    try:
        ended = yield from _played(live, player, limit, stop_when)
    except SimulatorError as error:
        ended = "simulator_error", str(error)
        raise
    except BudgetSpent as error:
        ended = "budget", str(error)
        raise
    except LLMError as error:
        ended = "simulator_error", str(error)
        raise SimulatorError(f"the simulated user gave no answer: {error}") from error
    except AgentFailed as error:
        ended = "timeout" if error.failure.kind == "timeout" else "agent_error", error.failure.message
        raise
    finally:
        record = Simulation(
            first=support.first,
            turns=len(live.turns) - support.first + 1,
            termination=ended[0],
            reason=ended[1],
            user=plan.kind,
            goal=plan.goal,
            persona=plan.persona_name,
            max_turns=limit,
            faults=tuple(player.faults),
            asked=player.asked,
            seed=support.seed,
        )
        live.add_simulation(record, plan)
    return record


def _played(
    live: Played, player: Player, limit: int | None, stop_when: StopWhen | None
) -> Steps[tuple[Termination, str]]:
    """Why it ended. After the last turn the player is still asked whether the user is done."""
    made = 0
    while limit != 0:
        last = limit is not None and made >= limit
        try:
            move = player.move(live.record, live.topic)
            if isinstance(move, Coroutine):
                move = yield Wait.on(move)
        except (SimulatorError, LLMError):
            if last:
                break
            raise
        if not isinstance(move, UserMove):
            raise SimulatorError(f"the user's player returned {type(move).__name__}, expected a UserMove")
        if move.done != "no":
            return move.done, move.reason
        if last:
            break
        yield Say(move.message)
        made += 1
        if stop_when is not None and stop_when(live.record):
            return "stop_condition", _words_of(stop_when)
    return "max_turns", f"{limit} turn{'' if limit == 1 else 's'} were made"


def _stop_of(plan: UserPlan, settings: Mapping[str, Any]) -> StopWhen | None:
    """The condition under which it stops, as a function of the conversation."""
    given = settings.get("stop_when") or getattr(plan, "stop_when", None)
    if given is None:
        return None
    if not callable(given):
        raise UserConfigError(f"stop_when: expected a function of the conversation, found {given!r}")
    if _takes_turn(given):

        def stop(conversation: Conversation) -> object:
            return given(conversation.turns[-1], conversation)

        stop.__name__ = getattr(given, "__name__", "stop_when")
        return stop
    stop_when: StopWhen = given
    return stop_when


def _takes_turn(function: Callable[..., object]) -> bool:
    try:
        inspect.signature(function).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True


def _words_of(function: StopWhen) -> str:
    name = getattr(function, "__name__", "")
    return "stop_when holds" if name in ("", "<lambda>") else f"stop_when holds: {name}"
