"""Agents without Python: those that a table describes, and those at an address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from grice.agents.http_agent import HttpAgent
from grice.agents.http_reply import check_paths
from grice.agents.openai_agent import OpenAIAgent
from grice.agents.subprocess_agent import SubprocessAgent
from grice.identity import redact_text
from grice.text import did_you_mean, value_text
from grice.text.suggest import nearest
from grice.wire.addresses import check_address

_TYPES = {"http": HttpAgent, "openai": OpenAIAgent, "subprocess": SubprocessAgent}
_NEEDED: dict[str, dict[str, Any]] = {
    "http": {"url": "http://127.0.0.1"},
    "subprocess": {"command": ["true"]},
}
"""What an agent cannot do without, and what stands in for it while the other fields are looked at."""

_COMPLETIONS = "/chat/completions"


class Fault(NamedTuple):
    """A mistake in a table: the keys that lead there, and the message. `key` is one that is not known."""

    place: tuple[str, ...]
    message: str
    key: str = ""


class AgentTableError(ValueError):
    """A table describes no agent; the error has everything that is wrong in it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(one.message for one in faults))
        self.faults = faults


def agent_from_table(table: Mapping[str, Any], root: Path, types: Sequence[str] = tuple(_TYPES)) -> object:
    """Make the agent that a table describes: its `type`, one of these, and the fields of that agent.

    `reply` is short for the `text` of `response`. The folder in which a process runs is relative to `root`,
    and `root` when none is given. Raises AgentTableError.
    """
    kind = table.get("type")
    if not isinstance(kind, str) or kind not in types:
        raise AgentTableError([_wrong_type(table, types)])
    faults = [*_unknown_and_missing(kind, table)]
    known = {field.name for field in fields(_TYPES[kind])}
    given = {name: value for name, value in table.items() if name in known}
    if kind == "http" and "reply" in table:
        faults += _take_reply(table, given)
    if kind == "subprocess" and isinstance(given.get("cwd", ""), str):
        given["cwd"] = str(root / given.get("cwd", ""))
    made = _made(kind, given, faults)
    if faults:
        raise AgentTableError(faults)
    return made


def _wrong_type(table: Mapping[str, Any], types: Sequence[str]) -> Fault:
    expected = ", ".join(map(repr, types))
    if "type" not in table:
        return Fault((), f"needs a type: {expected}")
    kind = table["type"]
    hint = did_you_mean(kind, types) if isinstance(kind, str) else ""
    return Fault(("type",), f"expected {expected}, found {value_text(kind)}{hint}")


def _unknown_and_missing(kind: str, table: Mapping[str, Any]) -> Iterator[Fault]:
    known = ["type", *(field.name for field in fields(_TYPES[kind])), *(["reply"] if kind == "http" else [])]
    for name in table:
        if name not in known:
            hint = did_you_mean(name, known)
            yield Fault((), f"an agent of type {kind!r} has no {name!r}{hint}", name)
    for name in _NEEDED.get(kind, ()):
        if name not in table:
            yield Fault((), f"an agent of type {kind!r} needs {name!r}")


def _take_reply(table: Mapping[str, Any], given: dict[str, Any]) -> Iterator[Fault]:
    """Have the reply read where `reply` says."""
    if "response" in table:
        yield Fault(("reply",), "stands beside 'response', which says where the text is too: keep one")
        return
    try:
        check_paths({"text": table["reply"]}, "reply")
    except ValueError as error:
        yield Fault(("reply",), str(error).removeprefix("reply.text: "))
    else:
        given["response"] = {"text": table["reply"]}


def _made(kind: str, given: dict[str, Any], faults: list[Fault]) -> object:
    """The agent with these fields; each that is wrong is told, and left out to find the next one."""
    needed = _NEEDED.get(kind, {})
    while True:
        try:
            return _TYPES[kind](**{**needed, **given})
        except ValueError as error:
            field, _, said = str(error).partition(": ")
            place = _place_of(field, given)
            faults.append(Fault(place, said if place and ".".join(place) == field else str(error)))
            if not place:
                return None
            del given[place[0]]


def _place_of(field: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of the field that a message names, () for one that is not given."""
    place: list[str] = []
    inside: Any = given
    for name in re.split(r"[.\[]", field):
        if not isinstance(inside, Mapping) or name not in inside:
            break
        place.append(name)
        inside = inside[name]
    return tuple(place)


# -- by their address


def agent_at(address: str) -> object:
    """Make the agent behind an address: it is sent JSON with the messages, and the usual answers are read.

    One that ends in `/v1` or `/chat/completions` is OpenAI-compatible, and the model stands behind a `#`:
    `http://127.0.0.1:8000/v1#my-model`. No key is sent. Raises ValueError.
    """
    _check(address)
    whole, _, model = address.partition("#")
    path = urlsplit(whole).path.rstrip("/")
    if not path.endswith(("/v1", _COMPLETIONS)):
        if model:
            raise ValueError(
                f"{_redacted_address(address)}: what is behind the # names the model of an OpenAI-compatible "
                f"address, which ends in /v1 or {_COMPLETIONS}"
            )
        return HttpAgent(whole)
    if "?" in whole:
        raise ValueError(f"{_redacted_address(address)}: an OpenAI-compatible address has nothing behind a ?")
    if not model:
        raise ValueError(
            f"{_redacted_address(address)}: an OpenAI-compatible address needs the name of a model: "
            f"{_redacted_address(f'{whole}#my-model')}"
        )
    return OpenAIAgent(whole.rstrip("/").removesuffix(_COMPLETIONS), model, api_key="")


def _check(address: str) -> None:
    """Raise ValueError for what is no address, with the nearest one that is."""
    try:
        check_address(address, "agent")
    except ValueError as error:
        raise ValueError(f"{error}{_with_scheme(address)}") from None
    if problem := _problem(address):
        raise ValueError(f"agent: {_redacted_address(address)} is no address: {problem}")


def _problem(address: str) -> str:
    """What is wrong with the parts of an address; "" where they are right, or not known before the run."""
    if any(sign.isspace() for sign in address):
        return "it holds a blank"
    if "${" in address:
        return ""
    try:
        parts = urlsplit(address)
        return "it names no port" if parts.port == 0 else "" if parts.hostname else "it names no host"
    except ValueError as error:
        return str(error)


def _with_scheme(address: str) -> str:
    scheme, _, rest = address.rpartition("://")
    meant = nearest(scheme, ("http", "https")) if scheme else ""
    if meant and rest:
        return f" (did you mean '{meant}://{redact_text(rest)}'?)"
    return f" (did you mean 'http://{redact_text(address)}'?)" if re.match(r"[\w.-]+:\d", address) else ""


def _redacted_address(address: str) -> str:
    return value_text(redact_text(address))
