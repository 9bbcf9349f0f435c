"""What an agent is built with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from grice.records import JsonValue
from grice.wire.scripted import ScriptedModel

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

    def keys(self) -> Iterator[str]:
        """The names of the fields."""
        return iter(self.__struct_fields__)

    def __getitem__(self, name: str) -> Any:
        if name not in self.__struct_fields__:
            raise KeyError(name)
        return getattr(self, name)
