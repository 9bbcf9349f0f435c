"""What an agent is built with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from grice.records import JsonValue
from grice.wire import ScriptedModel

__all__ = ["AgentContext"]


class AgentContext(msgspec.Struct, frozen=True):
    """What `build(context)` and agent factories receive: the test, and the model to talk to.

    `model` is a scripted model when one plays the model, else None. It unpacks like a mapping, so an
    override is `factory({**context, "shop": shop})`.
    """

    test_name: str = ""
    test_file: str = ""
    test_line: int | None = None
    tags: tuple[str, ...] = ()
    scenario: JsonValue = None
    model: ScriptedModel | None = None

    @property
    def model_url(self) -> str:
        """The base address of `model` over HTTP, "" without one; asking for it starts the server.

        Anthropic clients take it as it is, OpenAI clients with `/v1` behind it.
        """
        return self.model.url if self.model is not None else ""

    @property
    def model_key(self) -> str:
        """The API key that `model_url` wants, "" without a model."""
        return self.model.key if self.model is not None else ""

    def keys(self) -> Iterator[str]:
        """The names of everything in the context."""
        return iter(_NAMES)

    def __getitem__(self, name: str) -> Any:
        if name not in _NAMES:
            raise KeyError(name)
        return getattr(self, name)


_NAMES = (*AgentContext.__struct_fields__, "model_url", "model_key")
