"""The context that an agent is built with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import msgspec

from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.wire import ScriptedModel


class Served(Protocol):
    """The server of a project, which is started when its address is first used."""

    @property
    def url(self) -> str: ...  # noqa: D102


class AgentContext(msgspec.Struct, frozen=True):
    """What `build(context)` and agent factories receive: the test, and the model to talk to.

    `model` is a scripted model when one plays the model, else None, `server` that of the settings. `extra` is
    what a test adds. A context unpacks like a mapping, so a test adds to it with
    `agent_factory({**agent_context, "shop": shop})`, and the agent reads `context["shop"]`; a name that is
    not there is a KeyError.
    """

    test_name: str = ""
    test_file: str = ""
    test_line: int | None = None
    tags: tuple[str, ...] = ()
    scenario: JsonValue = None
    model: ScriptedModel | None = None
    extra: Mapping[str, Any] = {}
    server: Served | None = None

    @classmethod
    def of(cls, given: AgentContext | Mapping[str, Any] | None) -> AgentContext:
        """Make a context from a mapping: keys that are no fields go into `extra`.

        Raises TypeError for anything but a mapping with texts as keys, a context or None.
        """
        if isinstance(given, AgentContext):
            return given
        if given is None:
            return cls()
        if not isinstance(given, Mapping):
            raise TypeError(f"an agent's context is an AgentContext or a mapping, found {value_text(given)}")
        strange = next((name for name in given if not isinstance(name, str)), None)
        if strange is not None:
            raise TypeError(f"the names of an agent's context are texts, found {value_text(strange)}")
        fields = {name: given[name] for name in _FIELDS if name in given}
        return cls(**fields, extra={name: given[name] for name in given if name not in _FIELDS})

    @property
    def model_url(self) -> str:
        """The base address of `model` over HTTP, "" without one; reading it starts the server.

        Anthropic clients take it as it is, OpenAI clients with `/v1` behind it. One in `extra` goes first.
        """
        if "model_url" in self.extra:
            return str(self.extra["model_url"] or "")
        return self.model.url if self.model is not None else ""

    @property
    def model_key(self) -> str:
        """The API key for `model_url`, "" without a model. One in `extra` comes first."""
        if "model_key" in self.extra:
            return str(self.extra["model_key"] or "")
        return self.model.key if self.model is not None else ""

    @property
    def server_url(self) -> str:
        """The address of the project's server, "" without one; reading it starts the server.

        Raises AgentLoadError where it cannot be started. One in `extra` goes first.
        """
        if "server_url" in self.extra:
            return str(self.extra["server_url"] or "")
        return self.server.url if self.server is not None else ""

    def keys(self) -> Iterator[str]:
        """The names of everything in the context that can be read without starting a server."""
        return iter(dict.fromkeys((*_FIELDS, *self.extra)))

    def get(self, name: str, default: Any = None) -> Any:
        """What the context has of that name, else the default."""
        if name not in self:
            return default
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self.extra or name in _FIELDS or name in _ASKED_FOR

    def __iter__(self) -> Iterator[str]:
        return self.keys()

    def __getitem__(self, name: str) -> Any:
        if name in self.extra:
            return self.extra[name]
        if name in _FIELDS or name in _ASKED_FOR:
            return getattr(self, name)
        known = (*_FIELDS, *_ASKED_FOR, *self.extra)
        raise KeyError(f"{name}{did_you_mean(name, known)}; known are {', '.join(known)}")


_FIELDS = tuple(name for name in AgentContext.__struct_fields__ if name not in ("extra", "server"))
_ASKED_FOR = ("model_url", "model_key", "server_url")
