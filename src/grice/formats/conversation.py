"""Whole conversations: reading them from the field's formats, and writing them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grice.formats.content import as_list, as_mapping, blocks_of, identifier, spoken_text
from grice.formats.detection import Format, detect_clean, known_format
from grice.formats.errors import FormatError, kind_of
from grice.formats.source import read_all, read_one, write_all
from grice.formats.turns import turns_of
from grice.records import Conversation, JsonValue, Message, clean_json, clean_text

__all__ = ["read_conversation", "read_message", "to_anthropic", "to_openai_chat", "to_openai_responses"]

_SYSTEM_SOURCE = "system_source"


def read_conversation(
    messages: object,
    *,
    format: Format | None = None,  # noqa: A002 - the word of the field
    id: str = "",  # noqa: A002
    metadata: Mapping[str, JsonValue] | None = None,
) -> Conversation:
    """The conversation that a list of messages records.

    `messages` is a list of message dicts (or SDK objects), or a mapping that holds `messages` (or `input`)
    with optional `system` (or `instructions`), `id` (or `conversation_id`) and `metadata`; the arguments win
    over these. Without `format` the content tells it. Writing the conversation in the format it was read from
    gives the same list back. Raises FormatError, which names the message, for anything else.
    """
    cleaned = clean_json(messages)
    holder = as_mapping(cleaned)
    held, chosen = cleaned, None if format is None else known_format(format)
    if holder is not None:
        held, chosen = _held_messages(holder, chosen)
    items = as_list(held)
    if items is None:
        raise FormatError(f"found {kind_of(held)}; expected a list of messages, or an object that holds one")
    form = chosen or detect_clean(items)
    read = read_all(items, form)
    system, source = (None, None) if holder is None else _system_apart(holder, form)
    if system is None and read and read[0].role == "system":
        leading = read.pop(0)
        system, source = leading.content, _leading_source(leading, items[0], form)
    data = _held_metadata(holder) | (as_mapping(clean_json(metadata)) or {})
    if source is not None:
        data[_SYSTEM_SOURCE] = source
    name = clean_text(id) or _held_id(holder)
    return Conversation(id=name, turns=turns_of(read), system=system, metadata=data)


def read_message(raw: object, *, format: Format | None = None) -> list[Message]:  # noqa: A002
    """The neutral messages of one raw message or item: several when it holds several tool results.

    Nothing is paired and no state is kept, so it suits logs that are read as a stream. Raises FormatError.
    """
    cleaned = clean_json(raw)
    return read_one(cleaned, detect_clean([cleaned]) if format is None else known_format(format))


def to_anthropic(conversation: Conversation | Iterable[Message]) -> list[dict[str, Any]]:
    """The messages for Anthropic's API; the system prompt stays in `Conversation.system`, its own parameter.

    Results in a row become one user message. Arguments that were not a JSON object become an empty one.
    """
    return _write(conversation, "anthropic")


def to_openai_chat(conversation: Conversation | Iterable[Message]) -> list[dict[str, Any]]:
    """The messages for OpenAI's Chat Completions API, the system prompt first.

    The format has no place for a failed result: its text stays, `is_error` does not.
    """
    return _write(conversation, "openai_chat")


def to_openai_responses(conversation: Conversation | Iterable[Message]) -> list[dict[str, Any]]:
    """The input items for OpenAI's Responses API, the system prompt first unless it came as `instructions`.

    The format has no place for a failed result: its text stays, `is_error` does not.
    """
    return _write(conversation, "openai_responses")


def _write(conversation: Conversation | Iterable[Message], form: Format) -> list[dict[str, Any]]:
    if isinstance(conversation, Conversation):
        return _written_system(conversation, form) + write_all(conversation.messages, form)
    return write_all(tuple(conversation), form)


def _written_system(conversation: Conversation, form: Format) -> list[dict[str, Any]]:
    if conversation.system is None:
        return []
    source = as_mapping(conversation.metadata.get(_SYSTEM_SOURCE)) or {}
    if source.get("format") == form:
        raw = as_mapping(source.get("raw"))
        if raw is None:
            return []  # it came as `instructions`, outside the list
        if _says_system(raw, conversation.system, form):
            return [clean_json(raw)]
    return [] if form == "anthropic" else write_all([Message("system", conversation.system)], form)


def _says_system(raw: dict[str, Any], system: str, form: Format) -> bool:
    try:
        return [(message.role, message.content) for message in read_one(raw, form)] == [("system", system)]
    except FormatError:
        return False


def _held_messages(holder: dict[str, Any], form: Format | None) -> tuple[JsonValue, Format | None]:
    if holder.get("messages") is not None:
        return holder["messages"], form
    if holder.get("input") is None:
        raise FormatError(
            'found an object without messages; expected a list, or an object with "messages" or "input"'
        )
    held = holder["input"]
    plain = isinstance(held, str)
    return ([{"role": "user", "content": held}] if plain else held), form or "openai_responses"


def _system_apart(holder: dict[str, Any], form: Format) -> tuple[str | None, JsonValue]:
    """The system prompt beside the list, and what the writer must know of it."""
    key = "system" if holder.get("system") is not None else "instructions"
    if holder.get(key) is None:
        return None, None
    try:
        text = spoken_text(blocks_of(holder[key]), "system")
    except FormatError as error:
        raise FormatError(f'"{key}" {error.detail}') from None
    return text, {"format": form} if form == "openai_responses" else None


def _leading_source(leading: Message, raw: JsonValue, form: Format) -> JsonValue:
    plain = form != "anthropic" and raw == {"role": "system", "content": leading.content}
    return None if plain else {"format": form, "index": 0, "raw": raw}


def _held_id(holder: dict[str, Any] | None) -> str:
    if holder is None:
        return ""
    return identifier(holder.get("id") if holder.get("id") is not None else holder.get("conversation_id"))


def _held_metadata(holder: dict[str, Any] | None) -> dict[str, Any]:
    held = None if holder is None else holder.get("metadata")
    if held is None:
        return {}
    found = as_mapping(held)
    if found is None:
        raise FormatError(f'"metadata" is {kind_of(held)}; expected an object')
    return found
