"""Messages of the formats that are not Anthropic's, written in its blocks so that one reader serves them all.

A message in blocks has `role`, `content` (blocks), and where it applies `name`, `finish_reason` and
`requestor`; what else its raw form holds is carried along, so that it can be told what no record keeps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from grice.formats import anthropic
from grice.formats.calls import REQUESTOR
from grice.formats.content import identifier
from grice.records import JsonValue, Message

KEPT_METADATA = ("finish_reason", REQUESTOR)
"""The fields beside the content that become metadata of the message."""


def others(raw: dict[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The fields of a raw message or block, without those that are known."""
    return {key: value for key, value in raw.items() if key not in known}


def call_block(id: JsonValue, name: JsonValue, arguments: JsonValue) -> dict[str, Any]:  # noqa: A002
    """A call as a block."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result_block(
    id: JsonValue,  # noqa: A002
    content: JsonValue,
    *,
    name: JsonValue = None,
    failed: bool = False,
) -> dict[str, Any]:
    """The result of a call as a block, with the tool's name, which Anthropic's blocks do not have."""
    block = {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed}
    return block if name is None else {**block, "name": name}


def read_blocks(written: Iterable[dict[str, Any]]) -> list[Message]:
    """The neutral messages of messages in blocks; of none, an assistant message that says nothing.

    A user's calls are marked with `metadata["requestor"]`.
    """
    messages: list[Message] = []
    for raw in written:
        kept = {key: raw[key] for key in KEPT_METADATA if raw.get(key) is not None}
        speaker = identifier(raw.get("name")) or None
        for message in anthropic.read({"role": raw["role"], "content": raw["content"]}):
            calls = message.tool_calls
            if message.role == "user" and calls:
                calls = tuple(msgspec.structs.replace(call, metadata={REQUESTOR: "user"}) for call in calls)
            messages.append(
                msgspec.structs.replace(
                    message,
                    tool_calls=calls,
                    name=message.name if message.role == "tool" else speaker,
                    metadata={**message.metadata, **kept} if kept else message.metadata,
                )
            )
    return messages or [Message("assistant")]
