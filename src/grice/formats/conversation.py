"""Whole conversations, read from the field's formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from grice.formats.content import as_list, as_mapping, blocks_of, identifier, spoken_text
from grice.formats.detection import Format, detect_clean, known_format
from grice.formats.errors import FormatError, kind_of
from grice.formats.langchain import fields_of
from grice.formats.source import read_all, read_one, source_of
from grice.formats.turns import turns_of
from grice.records import Conversation, JsonValue, Message, clean_json, clean_text

SYSTEM_SOURCE = "system_source"
"""The metadata that keeps the raw system prompt where writing its text would not give it back."""


def read_conversation(
    messages: object,
    *,
    format: Format | None = None,  # noqa: A002 - the word of the field
    id: str = "",  # noqa: A002
    metadata: Mapping[str, JsonValue] | None = None,
) -> Conversation:
    """The conversation that a list of messages records.

    `messages` is a list of message dicts (or SDK objects), or a mapping that holds `messages` (or `input`,
    `conversation`, `events`) with optional `system` (or `instructions`), `id` (or `conversation_id`,
    `eval_id`) and `metadata`; the arguments win over these. Where no system prompt stands beside the
    list, the system messages at its beginning are it, joined by line ends. Without `format` the content
    tells it. Writing the conversation in the format it was read from gives the same list back. Raises
    FormatError, which names the message, for anything else.
    """
    cleaned = clean_json(_with_fields(messages))
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
    leading = [] if system is not None else _leading(read)
    if leading:
        read = read[len(leading) :]
        system = "\n".join(message.content for message in leading if message.content)
        source = _leading_source(leading, items[: len(leading)], form)
    data = _held_metadata(holder) | (as_mapping(clean_json(metadata)) or {})
    if source is not None:
        data[SYSTEM_SOURCE] = source
    name = clean_text(id) or _held_id(holder)
    return Conversation(id=name, turns=turns_of(read), system=system, metadata=data)


def read_message(raw: object, *, format: Format | None = None) -> list[Message]:  # noqa: A002
    """The neutral messages of one raw message or item: several when it holds several tool results.

    Nothing is paired and no state is kept, so it suits logs that are read as a stream. Raises FormatError.
    """
    cleaned = clean_json(fields_of(raw))
    return read_one(cleaned, detect_clean([cleaned]) if format is None else known_format(format))


def _with_fields(messages: object) -> object:
    """The same with dicts in place of message objects that JSON tools know nothing of."""
    if isinstance(messages, list | tuple):
        return [message if type(message) is dict else fields_of(message) for message in messages]
    if isinstance(messages, dict) and isinstance(messages.get("messages"), list | tuple):
        return {**messages, "messages": _with_fields(messages["messages"])}
    return messages


_HOLDING = ("messages", "input", "conversation", "events")
_SETS = {"eval_cases": "an ADK eval set", "evalCases": "an ADK eval set", "simulations": "results of tau2"}


def _held_messages(holder: dict[str, Any], form: Format | None) -> tuple[JsonValue, Format | None]:
    key = next((key for key in _HOLDING if holder.get(key) is not None), None)
    if key == "input":
        held: JsonValue = holder[key]
        plain = isinstance(held, str)
        return ([{"role": "user", "content": held}] if plain else held), form or "openai_responses"
    if key is not None:
        return holder[key], form
    several = next((key for key in _SETS if isinstance(holder.get(key), list)), None)
    if several is not None:
        raise FormatError(f'found {_SETS[several]}; read each of its "{several}" on its own')
    raise FormatError(
        'found an object without messages; expected a list, or an object with "messages" or "input"'
    )


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


def _leading(messages: Sequence[Message]) -> list[Message]:
    """The system messages at the beginning, each of which is all that its raw message says."""
    leading = list(takewhile(lambda message: message.role == "system", messages))
    following = source_of(messages[len(leading)]) if len(leading) < len(messages) else {}
    return leading[:-1] if following and "raw" not in following else leading


def _leading_source(leading: Sequence[Message], raws: Sequence[JsonValue], form: Format) -> JsonValue:
    if len(raws) > 1:
        return {"format": form, "index": 0, "raws": list(raws)}
    plain = form != "anthropic" and raws[0] == {"role": "system", "content": leading[0].content}
    return None if plain else {"format": form, "index": 0, "raw": raws[0]}


_IDS = ("id", "conversation_id", "eval_id", "evalId")


def _held_id(holder: dict[str, Any] | None) -> str:
    held = {} if holder is None else holder
    return identifier(next((held[key] for key in _IDS if held.get(key) is not None), None))


def _held_metadata(holder: dict[str, Any] | None) -> dict[str, Any]:
    held = None if holder is None else holder.get("metadata")
    if held is None:
        return {}
    found = as_mapping(held)
    if found is None:
        raise FormatError(f'"metadata" is {kind_of(held)}; expected an object')
    return found
