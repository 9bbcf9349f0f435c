"""Find the agent that a configuration or command line names."""

from __future__ import annotations

from pathlib import Path

from grice.agents.errors import AgentLoadError
from grice.wire.load import load_object


def load_target(name: str, *, root: Path | None = None, what: str = "agent") -> object:
    """The agent that `module:attribute` names; `root` is put on the import path first.

    Raises AgentLoadError that says which part is wrong, with the nearest right name; `what` is its word for
    what is named.
    """
    return load_object(name, root=root, what=what, error=AgentLoadError)
