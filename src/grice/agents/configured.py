"""Agents that a table of the configuration describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from grice.agents.http_agent import HttpAgent
from grice.agents.openai_agent import OpenAIAgent
from grice.agents.subprocess_agent import SubprocessAgent
from grice.text import did_you_mean, value_text

__all__ = ["TableError", "agent_from_table"]

_TYPES = {"http": HttpAgent, "openai": OpenAIAgent, "subprocess": SubprocessAgent}
_NEEDED = {"http": "url", "subprocess": "command"}


class TableError(ValueError):
    """A table that describes no agent; `key` is the one that is wrong, "" when one is missing."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def agent_from_table(table: Mapping[str, Any], root: Path) -> object:
    """The agent that a table describes: its `type`, and the fields of that agent.

    The folder in which a process runs is relative to `root`, and `root` when none is given. Raises
    TableError.
    """
    kind = table.get("type")
    expected = ", ".join(map(repr, _TYPES))
    if not isinstance(kind, str) or kind not in _TYPES:
        if "type" not in table:
            raise TableError(f"needs a type: {expected}")
        hint = did_you_mean(str(kind), _TYPES)
        raise TableError(f"type: expected {expected}, found {value_text(kind)}{hint}", "type")
    known = [field.name for field in fields(_TYPES[kind])]
    given = {name: value for name, value in table.items() if name != "type"}
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            raise TableError(f"an agent of type {kind!r} has no {name!r}{hint}", name)
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in given:
        raise TableError(f"an agent of type {kind!r} needs {needed!r}")
    if kind == "subprocess":
        cwd = given.get("cwd", "")
        given["cwd"] = str(root / cwd) if isinstance(cwd, str) else cwd
    try:
        return _TYPES[kind](**given)
    except ValueError as error:
        name = str(error).partition(":")[0].partition(".")[0]
        raise TableError(str(error), name if name in given else "") from None
