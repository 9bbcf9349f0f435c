"""The settings of a simulated user, and how those of several levels become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import force_setattr

from grice.identity.code import code_data
from grice.records import JsonValue, Scenario, clean_text
from grice.text import did_you_mean, value_text
from grice.users.errors import UserConfigError
from grice.users.persona import Persona, persona, persona_data, read_persona
from grice.users.rules import RuleLike, UserRule, should, should_not
from grice.users.scenarios import scenario_settings
from grice.users.template import check_template, template_text

if TYPE_CHECKING:
    from grice.users.protocol import Player, UserSupport

__all__ = [
    "DEFAULT_MAX_LENGTH",
    "DEFAULT_MAX_TURNS",
    "RuleLike",
    "SimulatedUser",
    "UserConfigError",
    "UserRule",
    "as_data",
    "check_number",
    "check_topics",
    "level_of",
    "merged",
    "should",
    "should_not",
    "user_of",
]

DEFAULT_MAX_TURNS = 15
DEFAULT_MAX_LENGTH = 2_000
_WHOLE = ("max_turns", "stop_when", "during_topic")
"""What holds for the whole simulation, and not for a topic of it."""


class SimulatedUser(msgspec.Struct, frozen=True, kw_only=True):
    """A user that an LLM plays. Every setting may be left out; None and empty texts leave it out too.

    `goal` is what the user wants, `role` who they are, `personality` and `context` a text or a list of notes,
    `persona` a Persona, one as data, or the name of one that Grice ships. `rules` are texts, `should(...)`,
    `should_not(...)`, or functions from the Conversation to such a text or None. `max_turns` bounds the turns
    of a simulation (15 where nobody says), `max_length` the characters of a message (2,000). `stop_when` is a
    function of the conversation, or of its last turn and the conversation. `template` replaces Grice's
    instructions to the LLM: a text, or a Path to one. `during_topic` maps names of topics, or topics, to what
    is different in them. Raises UserConfigError.
    """

    goal: str = ""
    role: str = ""
    personality: str | Sequence[str] = ""
    context: str | Sequence[str] = ""
    rules: Sequence[RuleLike] = ()
    persona: Persona | str | Mapping[str, Any] | None = None
    max_turns: int | None = None
    stop_when: Callable[..., object] | None = None
    template: str | Path | None = None
    during_topic: Mapping[Any, SimulatedUser] = {}
    max_length: int | None = None

    def __post_init__(self) -> None:
        for name in ("goal", "role"):
            force_setattr(self, name, _text(name, getattr(self, name)))
        for name in ("personality", "context"):
            force_setattr(self, name, _notes(name, getattr(self, name)))
        force_setattr(self, "rules", _rules(self.rules))
        force_setattr(self, "persona", _persona(self.persona))
        check_number("max_turns", self.max_turns, 0)
        check_number("max_length", self.max_length, 1)
        if self.stop_when is not None:
            _check_function("stop_when", self.stop_when, "the conversation, or of its last turn and it")
        check_template(self.template)
        force_setattr(self, "during_topic", _topics(self.during_topic))

    @property
    def kind(self) -> str:
        """Who plays: the simulator."""
        return "simulator"

    @property
    def persona_name(self) -> str:
        """The name of the persona, "" without one."""
        return self.persona.name if isinstance(self.persona, Persona) else ""

    def for_topic(self, name: str) -> SimulatedUser:
        """What holds while the conversation is in the topic of that name."""
        different = self.during_topic.get(name)
        return self if different is None else _merge(self, different)

    def start(self, support: UserSupport) -> Player:
        """A simulator for one conversation. Raises UserConfigError with neither goal nor template."""
        from grice.users.simulator import Simulator

        if not self.goal and self.template is None:
            raise UserConfigError(
                "a simulated user needs a goal: simulate(goal='Find a room for 20'), or a scenario that "
                "has one"
            )
        return Simulator(self, support)


# -- what is given


def _text(name: str, given: object) -> str:
    if given is None:
        return ""
    if not isinstance(given, str):
        raise UserConfigError(f"{name}: expected a text, found {value_text(given)}")
    return clean_text(given.strip())


def _notes(name: str, given: object) -> str | tuple[str, ...]:
    if given is None or isinstance(given, str):
        return _text(name, given)
    if not isinstance(given, list | tuple) or not all(isinstance(note, str) for note in given):
        raise UserConfigError(f"{name}: expected a text or a list of texts, found {value_text(given)}")
    return tuple(clean_text(note.strip()) for note in given if note.strip()) or ""


def _rules(given: object) -> tuple[RuleLike, ...]:
    if given is None:
        return ()
    if isinstance(given, UserRule | str) or callable(given):
        given = [given]
    if not isinstance(given, list | tuple):
        raise UserConfigError(f"rules: expected a list of rules, found {value_text(given)}")
    return tuple(_rule_of(f"rules[{index}]", one) for index, one in enumerate(given))


def _rule_of(name: str, given: Any) -> RuleLike:
    if isinstance(given, str):
        return should(given)
    if not isinstance(given, UserRule):
        _check_function(name, given, "the conversation", "should('...'), should_not('...')")
    rule: RuleLike = given
    return rule


def _persona(given: object) -> Persona | None:
    if given is None or isinstance(given, Persona):
        return given
    if isinstance(given, str):
        return persona(given) if given.strip() else None
    if not isinstance(given, Mapping):
        raise UserConfigError(
            f"persona: expected a Persona, one as data, or the name of one, found {value_text(given)}"
        )
    made, problems = read_persona(dict(given))
    if made is None:
        raise UserConfigError("; ".join(f"persona: {problem}" for problem in problems))
    return made


def _check_function(name: str, given: object, of: str, *other: str) -> None:
    from inspect import iscoroutinefunction  # slow to import

    if iscoroutinefunction(given):
        raise UserConfigError(f"{name}: expected a plain function, found an async one")
    if not callable(given) or isinstance(given, type):
        wanted = " or ".join((*other, f"a function of {of}"))
        raise UserConfigError(f"{name}: expected {wanted}, found {value_text(given)}")


def check_number(name: str, given: object, least: int) -> None:
    """Raise UserConfigError unless it is None or a whole number from `least`."""
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise UserConfigError(f"{name}: expected a whole number from {least}, found {value_text(given)}")


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
    """The level of a simulated user that the settings make; without any it is one that changes nothing.

    Raises UserConfigError.
    """
    return SimulatedUser(**settings) if settings else _NOBODY


def merged(*levels: SimulatedUser | None) -> SimulatedUser:
    """The simulated user that all levels make together, the outermost first, with the default limit of turns.

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
    """The simulated user that the fields of a scenario describe, see `scenario_settings`.

    Raises UserConfigError, which names every field that is wrong.
    """
    return SimulatedUser(**scenario_settings(scenario))


# -- for fingerprints


def as_data(user: SimulatedUser) -> dict[str, JsonValue]:
    """The settings that are set, as JSON. Of a function it has a digest of its source, marked `opaque`.

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
        found["persona"] = persona_data(user.persona)
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
