"""What agents and LLMs take from the environment, and keeping it out of what is shown."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Mapping

from grice.identity import redact_text
from grice.records import JsonValue

__all__ = ["Environment"]

PREFIX = "env:"
SHORTEST_SECRET = 6
"""A value with fewer characters is no secret worth the name, and would be found everywhere."""

_PLAIN = frozenset(string.ascii_letters + string.digits + "-._~")
"""What nothing escapes."""
_BLANKS = r"(?:\s|\+|%(?:20|0[9A-Da-d])|\\+(?:[fnrtv]|u0020|(?:u00|x)[01][0-9A-Fa-f]))+"


class Environment:
    """The variables that one agent or LLM uses. `hide` takes them, and other secrets, out of text.

    `error` is raised where one is missing.
    """

    def __init__(
        self, environ: Mapping[str, str] = os.environ, *, error: type[Exception] = ValueError
    ) -> None:
        self._environ = environ
        self._error = error
        self._used: dict[str, str] = {}

    def value_of(self, placeholder: str, field: str) -> JsonValue:
        """The value of `env:NAME`. Raises `error`, which names the variable, when it is not set."""
        name = placeholder.removeprefix(PREFIX)
        value = self._environ.get(name)
        if value is None:
            raise self._error(f"{field}: the environment variable {name} is not set")
        self._used[name] = value
        return value

    def keep_secret(self, name: str, value: str) -> None:
        """Hide a value that came from elsewhere, too; `name` is shown instead."""
        self._used[name] = value

    def has(self, name: str) -> bool:
        """Whether the variable is set."""
        return name in self._environ

    def hide(self, text: str) -> str:
        """The text without secrets, however they are escaped: as JSON, in an address, or in a repr."""
        secrets = {name: value.strip() for name, value in self._used.items()}
        for name in sorted(secrets, key=lambda name: -len(secrets[name])):  # one may be part of another
            if len(secrets[name]) >= SHORTEST_SECRET:
                text = f"[redacted: {name}]".join(re.split(_any_form(secrets[name]), text))
        return redact_text(text)


def _any_form(secret: str) -> str:
    """A pattern for a value in all the ways in which it is escaped. White space may have been folded."""
    first, *others = (re.findall(r"\\+|[^\\]", word) for word in secret.split())
    begin = _any_form_of(first[0], r"(?<!\\)")  # a run of backslashes is tried once, not from each of them
    words = [first[1:], *others]
    return begin + _BLANKS.join("".join(map(_any_form_of, word)) for word in words)


def _any_form_of(part: str, before: str = "") -> str:
    """A pattern for one character, or for a run of backslashes, of which escaping makes more.

    `before` is what must stand before backslashes.
    """
    character = part[0]
    if character in _PLAIN:
        return re.escape(character)
    units = character.encode("utf-16-be", "surrogatepass").hex()
    octets = character.encode("utf-8", "surrogatepass").hex()
    forms = [
        before + (r"\\++" if character == "\\" else rf"\\*+{re.escape(character)}"),
        before + "".join(rf"\\++u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4)),
        rf"{before}\\++(?:x(?i:{ord(character):02x})|U(?i:{ord(character):08x}))",
        "".join(f"%(?i:{octets[at : at + 2]})" for at in range(0, len(octets), 2)),
    ]
    if character == "\\":
        forms[1:] = [f"(?:{form}){{{len(part)}}}" for form in forms[1:]]
    return f"(?:{'|'.join(forms)})"
