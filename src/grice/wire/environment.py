"""Read the variables of agents and LLMs from the environment, and keep their values out of what is shown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from grice.identity import redact_text
from grice.identity.escaped_forms import any_form
from grice.records import JsonValue

PREFIX = "env:"
SHORTEST_SECRET = 6
"""A value with fewer characters is no secret worth the name, and would be found everywhere."""


class Environment:
    """The variables that one agent or LLM uses. `hide` removes them, and other secrets, from a text.

    `error` is raised where one is missing.
    """

    def __init__(
        self, environ: Mapping[str, str] | None = None, *, error: type[Exception] = ValueError
    ) -> None:
        self._environ = os.environ if environ is None else environ
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
        """Hide a value from another source, too; `name` is shown instead."""
        self._used[name] = value

    def has(self, name: str) -> bool:
        """Whether the variable is set."""
        return name in self._environ

    def hide(self, text: str) -> str:
        """The text without secrets, however they are escaped: as JSON, in an address, or in a repr."""
        secrets = {name: value.strip() for name, value in self._used.items()}
        for name in sorted(secrets, key=lambda name: -len(secrets[name])):  # one may be part of another
            if len(secrets[name]) >= SHORTEST_SECRET:
                text = f"[redacted: {name}]".join(re.split(any_form(secrets[name]), text))
        return redact_text(text)
