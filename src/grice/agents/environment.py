"""What agents take from the environment, and keeping it out of what is shown."""

from __future__ import annotations

import os
from collections.abc import Mapping

from grice.agents.errors import AgentLoadError
from grice.identity import redact_text
from grice.records import JsonValue

__all__ = ["Environment"]

PREFIX = "env:"
SHORTEST_SECRET = 6
"""A value with fewer characters is no secret worth the name, and would be found everywhere."""


class Environment:
    """The variables that one agent uses. `hide` takes them, and other secrets, out of text."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._used: dict[str, str] = {}

    def value_of(self, placeholder: str, field: str) -> JsonValue:
        """The value of `env:NAME`. Raises AgentLoadError, which names the variable, when it is not set."""
        name = placeholder.removeprefix(PREFIX)
        value = self._environ.get(name)
        if value is None:
            raise AgentLoadError(f"{field}: the environment variable {name} is not set")
        self._used[name] = value
        return value

    def has(self, name: str) -> bool:
        """Whether the variable is set."""
        return name in self._environ

    def hide(self, text: str) -> str:
        """The text without secrets."""
        for name, value in self._used.items():
            if len(value) >= SHORTEST_SECRET:
                text = text.replace(value, f"[redacted: {name}]")
        return redact_text(text)
