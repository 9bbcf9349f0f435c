"""Plans for playing a user: those that `simulate` takes, and plain functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, cast

import msgspec

from grice.identity.code import code_data, name_of_code
from grice.matching.protocols import LLMError
from grice.matching.verdicts import error_text
from grice.records import Conversation, JsonValue, clean_text
from grice.text import value_text
from grice.users.prober import Prober, prober_data
from grice.users.protocol import Player, SimulatorError, UserConfigError, UserMove, UserPlan, UserSupport
from grice.users.script import UserScript, script_data
from grice.users.settings import DEFAULT_MAX_TURNS, SimulatedUser, as_data, merged

UserFunction = Callable[[Conversation], UserMove | str | Awaitable[UserMove | str | None] | None]
"""A user as a function: from the conversation so far to what it says, None when it is done."""


class FunctionPlan(msgspec.Struct, frozen=True):
    """A user played by a function, which is asked before each turn; it may be async."""

    function: UserFunction
    goal: str = ""
    max_turns: int | None = DEFAULT_MAX_TURNS

    kind: ClassVar[str] = "function"

    @property
    def persona_name(self) -> str:
        """Always ""."""
        return ""

    def start(self, support: UserSupport) -> Player:  # noqa: ARG002 - as every plan has it
        """Make the player for one conversation."""
        return _FunctionPlayer(self.function)


class _FunctionPlayer:
    """Asks a function for each move."""

    def __init__(self, function: UserFunction) -> None:
        self.faults: list[str] = []
        self.asked = 0
        self._function = function
        self._name = name_of_code(function)

    def move(self, conversation: Conversation, topic: str) -> UserMove | Coroutine[Any, Any, UserMove]:  # noqa: ARG002
        """The next move. Raises SimulatorError where the function raises or gives no move."""
        self.asked += 1
        try:
            answer = self._function(conversation)
        except (SimulatorError, LLMError):
            raise
        except Exception as error:  # somebody's code
            raise self._raised(error) from error
        return self._later(answer) if isinstance(answer, Awaitable) else self._read(answer)

    async def _later(self, answer: Awaitable[UserMove | str | None]) -> UserMove:
        try:
            found = await answer
        except (SimulatorError, LLMError):
            raise
        except Exception as error:  # somebody's code
            raise self._raised(error) from error
        return self._read(found)

    def _raised(self, error: Exception) -> SimulatorError:
        return SimulatorError(f"the function {self._name}, which plays the user, raised {error_text(error)}")

    def _read(self, answer: object) -> UserMove:
        if answer is None:
            return UserMove(done="goal_reached", reason=f"{self._name} returned None")
        move = UserMove(answer) if isinstance(answer, str) else answer
        if not isinstance(move, UserMove):
            wanted = "a text, a UserMove or None"
            raise SimulatorError(f"{self._name} returned {value_text(answer)}, expected {wanted}")
        if move.done == "no" and not (isinstance(move.message, str) and move.message.strip()):
            raise SimulatorError(f"{self._name} says {value_text(move.message)}: a user says something")
        return move if move.done != "no" else msgspec.structs.replace(move, message=clean_text(move.message))


def plan_of(value: object) -> UserPlan:
    """Make the plan from what was given to `simulate`.

    It is a SimulatedUser, a UserScript, a prober, a function of the conversation, or any plan with `kind` and
    `start`. A simulated user without a limit gets that of 15 turns. Raises UserConfigError.
    """
    if isinstance(value, SimulatedUser):
        return merged(value)
    if not isinstance(value, type) and isinstance(getattr(value, "kind", None), str):
        if callable(getattr(value, "start", None)):
            return cast("UserPlan", value)
    elif callable(value) and not isinstance(value, type):
        return FunctionPlan(cast("UserFunction", value))
    hint = ""
    if isinstance(value, str):
        hint = "; what the user says once is conversation.say(...), a goal is goal=..."
    elif isinstance(value, dict):
        hint = "; settings go by name, simulate(**settings), and a scenario comes from @scenarios"
    elif isinstance(value, list | tuple):
        hint = "; a list of messages is UserScript(*messages)"
    raise UserConfigError(
        "expected a SimulatedUser, a UserScript, prober(...) or a function of the conversation, found "
        f"{value_text(value)}{hint}"
    )


def plan_data(plan: UserPlan) -> dict[str, JsonValue]:
    """The plan as JSON, for fingerprints: the kind of player and its settings."""
    settings: JsonValue = None
    if isinstance(plan, SimulatedUser):
        settings = as_data(plan)
    elif isinstance(plan, UserScript):
        settings = script_data(plan)
    elif isinstance(plan, Prober):
        settings = prober_data(plan)
    elif isinstance(plan, FunctionPlan):
        settings = {"goal": plan.goal, "max_turns": plan.max_turns, "function": code_data(plan.function)}
    else:
        settings = code_data(type(plan))
    return {"kind": plan.kind, "settings": settings}
