"""The settings of a simulated user, and how several levels of them are merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec.structs import force_setattr

from grice.identity.code import code_data
from grice.records import JsonValue, Scenario
from grice.text import did_you_mean, value_text
from grice.users.character import (
    Character,
    RuleLike,
    UserRule,
    check_function,
    check_number,
    template_text,
)
from grice.users.persona import Persona
from grice.users.protocol import Player, UserConfigError, UserSupport
from grice.users.scenarios import scenario_settings

DEFAULT_MAX_TURNS = 15
_WHOLE = ("max_turns", "stop_when", "during_topic")
"""What holds for the whole simulation, and not for a topic of it."""


class SimulatedUser(Character, frozen=True, kw_only=True):
    """A user that an LLM plays. Every setting may be left out; None and empty texts leave it out too.

    `goal` is what the user wants, `role` who they are, `personality` and `context` a text or a list of notes,
    `persona` a Persona, one as data, or the name of one that Grice ships. `rules` are texts, `should(...)`,
    `should_not(...)`, or functions from the Conversation to such a text or None. `max_turns` bounds the turns
    of a simulation (15 where nobody says), `max_length` the characters of a message (2,000). `stop_when` is a
    function of the conversation, or of its last turn and the conversation. `template` replaces Grice's
    instructions to the LLM: a text, or a Path to one. `during_topic` maps names of topics, or topics, to what
    is different in them. Raises UserConfigError.
    """

    max_turns: int | None = None
    stop_when: Callable[..., object] | None = None
    during_topic: Mapping[Any, SimulatedUser] = {}

    def __post_init__(self) -> None:
        Character.__post_init__(self)
        check_number("max_turns", self.max_turns, 0)
        if self.stop_when is not None:
            check_function("stop_when", self.stop_when, "the conversation, or of its last turn and it")
        force_setattr(self, "during_topic", _topics(self.during_topic))

    kind: ClassVar[str] = "simulator"

    def for_topic(self, name: str) -> SimulatedUser:
        """The settings while the conversation is in the topic of that name."""
        different = self.during_topic.get(name)
        return self if different is None else _merge(self, different)

    def start(self, support: UserSupport) -> Player:
        """Make the simulator for one conversation. Raises UserConfigError with neither goal nor template."""
        from grice.users.simulator import Simulator

        if not self.goal and self.template is None:
            raise UserConfigError(
                "a simulated user needs a goal: simulate(goal='Find a room for 20'), or a scenario that "
                "has one"
            )
        return Simulator(self, {name: self.for_topic(name) for name in self.during_topic}, support)


# -- what is given


def _topics(given: object) -> dict[str, SimulatedUser]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UserConfigError(
            f"during_topic: expected {{topic: SimulatedUser(...)}}, found {value_text(given)}"
        )
    found: dict[str, SimulatedUser] = {}
    for topic, user in given.items():
        name = topic if isinstance(topic, str) else getattr(topic, "name", None)
        if not isinstance(name, str) or not name.strip():
            raise UserConfigError(
                f"during_topic: expected a topic or the name of one, found {value_text(topic)}"
            )
        if name in found:
            raise UserConfigError(f"during_topic: the topic {name!r} is there twice")
        if not isinstance(user, SimulatedUser):
            raise UserConfigError(
                f"during_topic[{name!r}]: expected a SimulatedUser, found {value_text(user)}"
            )
        whole = next((field for field in _WHOLE if getattr(user, field) not in (None, {})), None)
        if whole is not None:
            raise UserConfigError(
                f"during_topic[{name!r}]: {whole} holds for the whole simulation: set it outside"
            )
        found[name] = user
    return found


def check_topics(user: SimulatedUser, names: Iterable[str]) -> None:
    """Raise UserConfigError for `during_topic` of topics that are not among these; it names them all."""
    known = list(names)
    strange = [f"{name!r}{did_you_mean(name, known)}" for name in user.during_topic if name not in known]
    if strange:
        there = f"; the topics are {', '.join(known)}" if known else "; no topics are followed"
        raise UserConfigError(f"during_topic: there is no topic {', '.join(strange)}{there}")


# -- several levels


_NOBODY = SimulatedUser()


def level_of(settings: Mapping[str, Any]) -> SimulatedUser:
    """Make one level of a simulated user from settings; without any it changes nothing.

    Raises UserConfigError.
    """
    return SimulatedUser(**settings) if settings else _NOBODY


def merged(*levels: SimulatedUser | None) -> SimulatedUser:
    """Merge all levels, the outermost first, into one simulated user with the default limit of turns.

    What an inner level sets replaces what an outer one says, but: notes are added to notes, rules to rules,
    and what is different in a topic is merged in the same way. Unset settings replace nothing.
    """
    user = _NOBODY
    for level in levels:
        if level is None or level is _NOBODY:
            continue
        if not isinstance(level, SimulatedUser):
            raise UserConfigError(f"expected a SimulatedUser, found {value_text(level)}")
        user = level if user is _NOBODY else _merge(user, level)
    return user if user.max_turns is not None else msgspec.structs.replace(user, max_turns=DEFAULT_MAX_TURNS)


def _merge(outer: SimulatedUser, inner: SimulatedUser) -> SimulatedUser:
    topics = dict(outer.during_topic)
    for name, different in inner.during_topic.items():
        topics[name] = _merge(topics[name], different) if name in topics else different
    return SimulatedUser(
        goal=inner.goal or outer.goal,
        role=inner.role or outer.role,
        personality=_merged_notes(outer.personality, inner.personality),
        context=_merged_notes(outer.context, inner.context),
        rules=(*outer.rules, *inner.rules),
        persona=_inner(outer.persona, inner.persona),
        max_turns=_inner(outer.max_turns, inner.max_turns),
        stop_when=_inner(outer.stop_when, inner.stop_when),
        template=_inner(outer.template, inner.template),
        during_topic=topics,
        max_length=_inner(outer.max_length, inner.max_length),
    )


def _inner(outer: Any, inner: Any) -> Any:
    return outer if inner is None else inner


def _merged_notes(outer: str | Sequence[str], inner: str | Sequence[str]) -> str | Sequence[str]:
    if not inner:
        return outer
    both = isinstance(outer, tuple) and isinstance(inner, tuple)
    return (*outer, *inner) if both else inner


def user_of(scenario: Scenario) -> SimulatedUser:
    """Make the simulated user that the fields of a scenario describe, see `scenario_settings`.

    Raises UserConfigError, which names every field that is wrong.
    """
    return SimulatedUser(**scenario_settings(scenario))


# -- for fingerprints


def as_data(user: SimulatedUser) -> dict[str, JsonValue]:
    """The settings that are set, as JSON. A function stands in it as a digest of its source, marked `opaque`.

    Raises UserConfigError for a template that cannot be read.
    """
    found: dict[str, JsonValue] = {
        name: value
        for name in ("goal", "role", "max_turns", "max_length")
        if (value := getattr(user, name)) not in ("", None)
    }
    found |= {
        name: value if isinstance(value, str) else list(value)
        for name in ("personality", "context")
        if (value := getattr(user, name))
    }
    if user.rules:
        found["rules"] = [_rule_data(one) for one in user.rules]
    if isinstance(user.persona, Persona):
        found["persona"] = msgspec.to_builtins(user.persona)
    if user.stop_when is not None:
        found["stop_when"] = code_data(user.stop_when)
    if user.template is not None:
        found["template"] = template_text(user.template)
    if user.during_topic:
        found["during_topic"] = {name: as_data(one) for name, one in user.during_topic.items()}
    return found


def _rule_data(rule: RuleLike) -> JsonValue:
    if isinstance(rule, UserRule):
        return {rule.kind: rule.text}
    return code_data(rule) if callable(rule) else rule
