"""What a simulated user is like: all that may be different in a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from grice.records import clean_text
from grice.text import value_text
from grice.users.errors import UserConfigError
from grice.users.persona import Persona, persona, persona_of
from grice.users.rules import RuleLike, UserRule, should
from grice.users.template import check_template

__all__ = ["DEFAULT_MAX_LENGTH", "Character", "check_function", "check_number"]

DEFAULT_MAX_LENGTH = 2_000


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """What a simulated user is like, as `SimulatedUser` says of each setting."""

    goal: str = ""
    role: str = ""
    personality: str | Sequence[str] = ""
    context: str | Sequence[str] = ""
    rules: Sequence[RuleLike] = ()
    persona: Persona | str | Mapping[str, Any] | None = None
    template: str | Path | None = None
    max_length: int | None = None

    def __post_init__(self) -> None:
        for name in ("goal", "role"):
            force_setattr(self, name, _text(name, getattr(self, name)))
        for name in ("personality", "context"):
            force_setattr(self, name, _notes(name, getattr(self, name)))
        force_setattr(self, "rules", _rules(self.rules))
        force_setattr(self, "persona", _persona(self.persona))
        check_number("max_length", self.max_length, 1)
        check_template(self.template)

    @property
    def persona_name(self) -> str:
        """The name of the persona, "" without one."""
        return self.persona.name if isinstance(self.persona, Persona) else ""


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
        check_function(name, given, "the conversation", "should('...'), should_not('...')")
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
    try:
        return persona_of(given)
    except UserConfigError as error:
        raise UserConfigError(f"persona: {error}") from None


def check_function(name: str, given: object, of: str, *other: str) -> None:
    """Raise UserConfigError unless it is a plain function, `of` what messages say; `other` is taken too."""
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
