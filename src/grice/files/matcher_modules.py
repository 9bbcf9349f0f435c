"""The modules in which a project has matchers of its own, and the agents beside which it has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grice.agents import AgentLoadError, load_target
from grice.matching.assertions.registry import is_known, registers_matchers
from grice.records import JsonValue
from grice.wire.load import load_module


def load_matchers(name: str, *, root: Path | None = None) -> None:
    """Import a module that registers matchers; `root` is put on the import path first.

    Raises AgentLoadError for a name that is none, for a module that cannot be imported or is not the
    project's, and for one without a matcher.
    """
    module = load_module(name, root=root, error=AgentLoadError)
    if not registers_matchers(module):
        raise AgentLoadError(
            f'module {name!r}: it registers no matcher, as @matcher("toCiteSources") above a function does'
        )


@dataclass(frozen=True)
class MatcherModules:
    """How a file imports the matchers of its project; without a project from the import path.

    `load_module` imports a module that registers matchers, `load_agent` an agent, `module:attribute`; both
    raise AgentLoadError. `agents` are those that the file need not name itself.
    """

    load_module: Callable[[str], object] = load_matchers
    load_agent: Callable[[str], object] = load_target
    agents: tuple[str, ...] = ()


def names_unknown_matcher(value: JsonValue) -> bool:
    """Whether a file names a matcher, in matchers too, that is not known so far."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name = one.get("matcher")
            if isinstance(name, str) and not is_known(name):
                return True
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False
