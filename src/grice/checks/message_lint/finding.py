"""What the message-array lint finds, and what a rule of it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Severity = Literal["error", "warning"]
Dialect = Literal["anthropic", "openai_chat", "openai_responses"]


class LintFinding(msgspec.Struct, frozen=True, gc=False):
    """One fault of a message array.

    `severity` is `error` when a provider rejects the request or the model certainly misses something, else
    `warning`. `index` counts messages from 0 and is None for the request itself; `path` is the place in it,
    such as `messages[3].content[0].input`. `found` is what stands there, `why` why that is bad, `fix` how it
    is mended.
    """

    rule: str
    severity: Severity
    index: int | None
    path: str
    found: str
    why: str
    fix: str


class LintRule(msgspec.Struct, frozen=True):
    """A rule: its name, what it finds, and severity, reason and remedy, some of them by dialect."""

    name: str
    finds: str
    severity: Severity | Mapping[Dialect, Severity]
    why: str | Mapping[Dialect, str]
    fix: str

    def severity_for(self, dialect: Dialect) -> Severity:
        """How bad it is for an API of that dialect."""
        return self.severity if isinstance(self.severity, str) else self.severity[dialect]

    def why_for(self, dialect: Dialect) -> str:
        """Why it is bad for an API of that dialect."""
        return self.why if isinstance(self.why, str) else self.why[dialect]
