"""A user that presses on a stated position, to see whether the agent contradicts itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import msgspec

from grice.records import Conversation, JsonValue
from grice.text import did_you_mean, value_text
from grice.users.protocol import Player, UserConfigError, UserMove, UserSupport

FOLDER = Path(__file__).parent / "probes"
OPENING = "opening"
DEFAULTS = ("escalate", "accuse", "nuance", "default")


class Strategy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to press: a description, and its messages, in which `{question}` stands for the question."""

    name: str
    description: str
    messages: tuple[str, ...]


class Prober(msgspec.Struct, frozen=True):
    """A user that asks for a position and presses on the answer; `prober(...)` makes one.

    The same seed says the same; without one the seed of the simulation counts.
    """

    position: str
    max_turns: int
    strategies: tuple[str, ...]
    seed: int | None = None

    kind: ClassVar[str] = "prober"

    @property
    def goal(self) -> str:
        """The goal: to see whether the agent keeps to its answer."""
        return f"Find out whether the answer stays the same: {self.question}"

    @property
    def persona_name(self) -> str:
        """Always ""."""
        return ""

    @property
    def question(self) -> str:
        """The question: the position itself where it is one."""
        if self.position.endswith("?"):
            return self.position
        return f'Do you agree with this: "{self.position.rstrip(".!")}"?'

    def messages(self, seed: int) -> tuple[str, ...]:
        """All messages of a conversation with that seed, each once."""
        draw = random.Random(self.seed if self.seed is not None else seed)  # noqa: S311 - a choice of words
        known = probes()
        left = {name: list(known[name].messages) for name in self.strategies}
        said = [draw.choice(known[OPENING].messages)]
        for _ in range(self.max_turns - 1):
            name = draw.choice([name for name in self.strategies if left[name]])
            said.append(left[name].pop(draw.randrange(len(left[name]))))
        return tuple(message.replace("{question}", self.question) for message in said)

    def start(self, support: UserSupport) -> Player:
        """Make the player for one conversation."""
        return _ProbingPlayer(self.messages(support.seed))


class _ProbingPlayer:
    """Says the messages one after the other."""

    def __init__(self, messages: tuple[str, ...]) -> None:
        self.faults: list[str] = []
        self.asked = 0
        self._count = len(messages)
        self._left = iter(messages)

    def move(self, conversation: Conversation, topic: str) -> UserMove:  # noqa: ARG002 - it minds neither
        """The next message; done after the last."""
        self.asked += 1
        message = next(self._left, None)
        if message is not None:
            return UserMove(message)
        return UserMove(done="goal_reached", reason=f"all {self._count} messages were said")


def prober(
    position: str, turns: int = 4, strategies: Sequence[str] = DEFAULTS, *, seed: int | None = None
) -> Prober:
    """Make a user that asks the agent for a yes or no, and then presses on the answer for the other turns.

    `position` is a statement ("Remote work makes teams better") or a question. Each push is drawn from one of
    the `strategies`: escalate insists, accuse charges the agent with saying something else before, nuance
    offers another view, default asks again. It needs no LLM. Raises UserConfigError.
    """
    if not isinstance(position, str) or not position.strip():
        raise UserConfigError(f"prober: expected a position in words, found {value_text(position)}")
    known = [name for name in probes() if name != OPENING]
    if isinstance(strategies, str) or not isinstance(strategies, Sequence) or not strategies:
        raise UserConfigError(f"prober: expected a list of strategies, found {value_text(strategies)}")
    for name in strategies:
        if name not in known:
            hint = did_you_mean(name, known) if isinstance(name, str) else ""
            raise UserConfigError(
                f"prober: there is no strategy {value_text(name)}{hint}; there are {', '.join(known)}"
            )
    chosen = tuple(dict.fromkeys(strategies))
    most = 1 + sum(len(probes()[name].messages) for name in chosen)
    if isinstance(turns, bool) or not isinstance(turns, int) or not 1 <= turns <= most:
        raise UserConfigError(
            f"prober: turns is a whole number from 1 to {most}, which {', '.join(chosen)} have messages for, "
            f"found {value_text(turns)}"
        )
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise UserConfigError(f"prober: seed is a whole number, found {value_text(seed)}")
    return Prober(" ".join(position.split()), turns, chosen, seed)


def strategies() -> tuple[Strategy, ...]:
    """The strategies, without the opening."""
    return tuple(one for name, one in probes().items() if name != OPENING)


@lru_cache(maxsize=1)
def probes() -> dict[str, Strategy]:
    """The messages by strategy, and the opening ones."""
    found = [msgspec.json.decode(path.read_bytes(), type=Strategy) for path in sorted(FOLDER.glob("*.json"))]
    return {one.name: one for one in found}


def prober_data(plan: Prober) -> dict[str, JsonValue]:
    """The prober as JSON, with the messages that it draws from."""
    known = probes()
    return {
        "position": plan.position,
        "turns": plan.max_turns,
        "seed": plan.seed,
        "messages": {name: list(known[name].messages) for name in (OPENING, *plan.strategies)},
    }
