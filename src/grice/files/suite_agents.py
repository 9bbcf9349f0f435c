"""The agents that suites describe: what answers at an address. Programs and keys stand in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grice.records import JsonValue
from grice.typed import Problem
from grice.wire.addresses import meant_as_address
from grice.wire.environment import PREFIX
from grice.wire.placeholders import placeholders

if TYPE_CHECKING:
    from grice.files.locate import JsonPath

__all__ = ["read_suite_agent"]

TYPES = ("http", "openai")
_SETTINGS = "in the settings, where it is yours"


def read_suite_agent(said: str | dict[str, JsonValue]) -> object | list[Problem]:
    """The agent of a table or an address, or everything that is wrong with it; a name stays one.

    A suite may come from somebody else: it starts no program, and sends no variable of the environment.
    """
    if isinstance(said, str) and not meant_as_address(said):
        return said
    if isinstance(said, dict) and isinstance(kind := said.get("type"), str) and kind not in TYPES:
        from grice.text import did_you_mean, value_text

        expected = " or ".join(map(repr, TYPES))
        more = f"; a program is described {_SETTINGS}" if kind == "subprocess" else did_you_mean(kind, TYPES)
        return [Problem(("type",), f"expected {expected} in a suite, found {value_text(kind)}{more}")]
    sent, made = [*_from_environment(said, ())], _made(said)
    return [*sent, *(made if isinstance(made, list) else [])] if sent else made


def _from_environment(value: JsonValue, place: JsonPath) -> Iterator[Problem]:
    """The variables of the environment that a table or address would send."""
    if isinstance(value, str):
        try:
            named = [name for name in placeholders(value, "") if name.startswith(PREFIX)]
        except ValueError:
            return  # told by the agent
        key = place[-1] if place and isinstance(place[-1], str) else ""
        for name in named:  # the key is said behind the place: `Authorization: word` is redacted as a secret
            message = (
                f"{f'{key!r} holds' if key else 'found'} ${{{name}}}, and a suite sends no variable of the "
                f"environment: describe this agent {_SETTINGS}"
            )
            yield Problem(place[:-1] if key else place, message, key)
    elif isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _from_environment(one, (*place, step))


def _made(said: str | dict[str, JsonValue]) -> object | list[Problem]:
    from grice.agents.configured import AgentTableError, agent_at, agent_from_table

    try:
        if isinstance(said, str):
            return agent_at(said)
        key = {"api_key": ""} if said.get("type") == "openai" else {}
        return agent_from_table({**key, **said}, Path(), TYPES)
    except AgentTableError as error:
        return [Problem(*fault) for fault in error.faults]
    except ValueError as error:
        return [Problem((), str(error).removeprefix("agent: "))]
