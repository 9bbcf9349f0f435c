"""The character of a simulated user: the settings that may differ by topic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import force_setattr

from grice.records import Conversation, clean_text
from grice.text import did_you_mean, value_text
from grice.user_files import open_file
from grice.users.persona import Persona, persona, persona_of
from grice.users.protocol import UserConfigError

DEFAULT_MAX_LENGTH = 2_000


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """The character of a simulated user; see `SimulatedUser` for each setting."""

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
    """Raise UserConfigError for anything but a plain function of `of`, or `other`, which are words for
    messages.
    """
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


class UserRule(msgspec.Struct, frozen=True):
    """A rule for a simulated user; `should` and `should_not` make one."""

    kind: Literal["should", "should_not"]
    text: str


RuleLike = UserRule | str | Callable[[Conversation], str | None]

"""A rule: a text says what the user should do; a function says it anew for each message, None for nothing."""


def should(text: str) -> UserRule:
    """A rule: what the simulated user should do. Raises UserConfigError for an empty text."""
    return _rule("should", text)


def should_not(text: str) -> UserRule:
    """A rule: what the simulated user should not do. Raises UserConfigError for an empty text."""
    return _rule("should_not", text)


def _rule(kind: Literal["should", "should_not"], text: object) -> UserRule:
    if not isinstance(text, str) or not text.strip():
        raise UserConfigError(f"{kind}: expected a text, found {value_text(text)}")
    return UserRule(kind, clean_text(text.strip()))


PLACEHOLDERS = ("goal", "role", "personality", "context", "persona", "rules", "topic", "turn")

"""What may stand in braces: the settings in words, the current topic, and the number of the next turn."""

MAX_SIZE = 100_000

_FIELD = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*)\}")

_BRACE = re.compile(rf"{_FIELD.pattern}|(?P<single>[{{}}])")


def check_template(template: object) -> None:
    """Raise UserConfigError unless it is None, a Path, or a text whose placeholders are known."""
    if template is None or isinstance(template, Path):
        return
    if not isinstance(template, str):
        raise UserConfigError(f"template: expected a text or a Path, found {value_text(template)}")
    _check(template, "template")


def template_text(template: str | Path) -> str:
    """The text of a template, read where it is a Path. Raises UserConfigError."""
    if isinstance(template, str):
        return template
    try:
        with open_file(template) as stream, TextIOWrapper(stream, "utf-8") as lines:
            text = lines.read(MAX_SIZE + 1)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UserConfigError(f"template: {template} cannot be read: {why}") from error
    _check(text, str(template))
    return text


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """Fill the placeholders of the template; `{{` and `}}` are braces. Values are not searched."""

    def filled(found: re.Match[str]) -> str:
        return values[found[1]] if found[1] else found[0][0]

    return _FIELD.sub(filled, text).strip()


def _check(text: str, where: str) -> None:
    if not text.strip():
        raise UserConfigError(f"{where}: the template is empty")
    if len(text) > MAX_SIZE:
        raise UserConfigError(f"{where}: the template has more than {MAX_SIZE:,} characters")
    if text != clean_text(text):
        raise UserConfigError(f"{where}: the template is not valid Unicode")
    for found in _BRACE.finditer(text):
        if found["single"] or (found[1] and found[1] not in PLACEHOLDERS):
            before = text[: found.start()]
            line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
            wrong = (
                f"a single {found['single']}"
                if found["single"]
                else f"unknown placeholder {{{found[1]}}}{did_you_mean(found[1], PLACEHOLDERS)}"
            )
            raise UserConfigError(
                f"{where}:{line}:{column}: {wrong}: there are "
                f"{', '.join(PLACEHOLDERS)}; a brace of the text is written twice"
            )
