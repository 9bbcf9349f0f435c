"""Playing the user of a conversation: who plays, the turns one after the other, and why it ends."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, get_args

from grice.agents import AgentFailed
from grice.loops.background_loop import LoopIsRunning
from grice.matching.protocols import BudgetSpent, LLMError
from grice.matching.verdicts import error_text
from grice.records import Conversation, Scenario, Simulation, Termination, clean_text
from grice.running.steps import Say, Steps, Wait
from grice.running.tool_answers import ToolsError
from grice.text import did_you_mean, shorten, value_text
from grice.users.plans import plan_of
from grice.users.protocol import (
    Done,
    Player,
    SimulatorError,
    UserConfigError,
    UserMove,
    UserPlan,
    UserSupport,
)
from grice.users.settings import DEFAULT_MAX_TURNS, SimulatedUser, check_topics, level_of, merged, user_of
from grice.wire import ScriptError

if TYPE_CHECKING:
    from grice.running.conversation import OpenConversation
    from grice.running.simulated import Simulated


SETTINGS = tuple(SimulatedUser.__struct_fields__)
"""What `simulate` takes by name."""

_DONE = get_args(Done)

StopWhen = Callable[..., object]

MAX_REASON = 500


def plan_for(live: OpenConversation, users: Sequence[object], settings: Mapping[str, Any]) -> UserPlan:
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
    user = merged(*support.find_users(), *cast("list[SimulatedUser | None]", levels), level_of(settings))
    if user.during_topic:
        check_topics(user, live.topic_names())
    return user


def simulated_part(
    live: OpenConversation, users: Sequence[object], settings: Mapping[str, Any]
) -> Steps[Simulation]:
    """Have the user played; then raise ExpectationFailed for what was expected in topics that it left."""
    __tracebackhide__ = True
    record = yield from _kept(live, users, settings, ())
    live.raise_expected()
    return record


def simulated_whole(live: OpenConversation, how: Simulated) -> Steps[Simulation]:
    """A conversation as `@simulated` has it: its topics, what the user says first, then they are played.

    What was expected in topics is raised when the conversation ends, of all of them together.
    """
    __tracebackhide__ = True
    if how.topics is not None:
        live.follow(how.topics, ask=how.ask, strict=how.strict)
    return (yield from _kept(live, how.plans, how.limits, how.opening))


def _kept(
    live: OpenConversation, users: Sequence[object], settings: Mapping[str, Any], opening: Sequence[str]
) -> Steps[Simulation]:
    """What the user says first, and what they are played to say; what fails in topics meanwhile is kept."""
    __tracebackhide__ = True
    plan = plan_for(live, users, settings)
    if live.simulating:
        raise RuntimeError("a user is being played in this conversation already: wait until they are done")
    live.simulating = True
    try:
        for text in opening:
            yield Say(text)
        return (yield from _simulation(live, plan, settings))
    except Exception as error:
        live.note_expected(error)
        raise
    finally:
        live.simulating = False


def _simulation(live: OpenConversation, plan: UserPlan, settings: Mapping[str, Any]) -> Steps[Simulation]:
    """The turns of a played user, and the record of it, which the conversation keeps, however it ends.

    Raises what the agent raises; what is wrong with the player or `stop_when` is a SimulatorError.
    """
    __tracebackhide__ = True
    given = SimulatedUser(max_turns=settings.get("max_turns"), stop_when=settings.get("stop_when"))
    stop_when = _stop_of(given.stop_when or getattr(plan, "stop_when", None))
    limit = plan.max_turns if given.max_turns is None else given.max_turns
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
    except AgentFailed as error:
        ended = "timeout" if error.failure.kind == "timeout" else "agent_error", error.failure.message
        raise
    except (ScriptError, ToolsError) as error:
        ended = "agent_error", _first_line(error)
        raise
    except Exception as error:
        ended = "interrupted", _first_line(error)
        raise
    finally:
        record = Simulation(
            first=support.first,
            turns=len(live.turns) - support.first + 1,
            termination=ended[0],
            reason=clean_text(ended[1]),
            user=plan.kind,
            goal=clean_text(plan.goal or _goal_of(live.support.scenario)),
            persona=plan.persona_name,
            max_turns=limit,
            faults=tuple(clean_text(str(fault)) for fault in player.faults),
            asked=player.asked,
            seed=support.seed,
        )
        live.add_simulation(record, plan)
    return record


def _goal_of(scenario: Scenario | None) -> str:
    """What the scenario says of the goal, which holds for a script too."""
    goal = None if scenario is None else scenario.get("goal")
    return goal.strip() if isinstance(goal, str) else ""


def _played(
    live: OpenConversation, player: Player, limit: int | None, stop_when: StopWhen | None
) -> Steps[tuple[Termination, str]]:
    """Why it ended. After the last turn the player is still asked whether the user is done."""
    made = 0
    unknown = ""
    while limit != 0:
        last = limit is not None and made >= limit
        try:
            move = yield from _move(live, player)
        except SimulatorError as error:
            if not last:
                raise
            unknown = f"; whether the user is done is not known: {error}"
            break
        if move.done != "no":
            return move.done, move.reason
        if last:
            break
        yield Say(move.message)
        made += 1
        if stop_when is not None and _stops(stop_when, live.record):
            return "stop_condition", _words_of(stop_when)
    made_all = "1 turn was made" if limit == 1 else f"{limit} turns were made"
    return "max_turns", made_all + unknown


def _move(live: OpenConversation, player: Player) -> Steps[UserMove]:
    """What the player does next. Raises SimulatorError for what is no move, and BudgetSpent."""
    try:
        move = player.move(live.record, live.topic_ahead)
        if isinstance(move, Coroutine):
            move = yield Wait.on(move)
    except (SimulatorError, BudgetSpent, LoopIsRunning):
        raise
    except (LLMError, TimeoutError) as error:
        raise SimulatorError(f"the simulated user gave no answer: {error}") from error
    except Exception as error:  # somebody's player
        raise SimulatorError(f"the user's player raised {error_text(error)}") from error
    if not isinstance(move, UserMove):
        raise SimulatorError(f"the user's player returned {value_text(move)}, expected a UserMove")
    if move.done not in _DONE:
        raise SimulatorError(f"the user's player is done: {value_text(move.done)}, expected {_DONE}")
    if not isinstance(move.reason, str):
        raise SimulatorError(f"the user's player gives the reason {value_text(move.reason)}, expected a text")
    if move.done == "no" and not (isinstance(move.message, str) and move.message.strip()):
        raise SimulatorError(f"the user's player says {value_text(move.message)}: a user says something")
    return move


def _stop_of(given: StopWhen | None) -> StopWhen | None:
    """The condition under which it stops, as a function of the conversation."""
    if given is None or not _takes_turn(given):
        return given

    def stop(conversation: Conversation) -> object:
        return given(conversation.turns[-1], conversation)

    stop.__name__ = getattr(given, "__name__", "stop_when")
    return stop


def _takes_turn(function: StopWhen) -> bool:
    """Whether it is a function of the turn and the conversation: it needs two arguments."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [one for one in parameters if one.kind in plain and one.default is one.empty]
    several = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)
    return len(needed) == 2 or (several and len(needed) < 2)


def _stops(stop_when: StopWhen, conversation: Conversation) -> bool:
    """Whether the condition holds. Raises SimulatorError where it breaks."""
    try:
        said = stop_when(conversation)
    except Exception as error:  # somebody's code
        raise SimulatorError(f"{_name_of(stop_when)} raised {error_text(error)}") from error
    if isinstance(said, Coroutine):
        said.close()
        raise SimulatorError(f"{_name_of(stop_when)} is async: expected a plain function of the conversation")
    return bool(said)


def _words_of(function: StopWhen) -> str:
    name = getattr(function, "__name__", "")
    return "stop_when holds" if name in ("", "<lambda>") else f"stop_when holds: {name}"


def _name_of(function: StopWhen) -> str:
    name = getattr(function, "__name__", "")
    return "stop_when" if name in ("", "<lambda>", "stop_when") else f"stop_when ({name})"


def _first_line(error: Exception) -> str:
    return shorten(str(error).partition("\n")[0], MAX_REASON)
