"""Read what a user's LLM returned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grice.matching.protocols import LLMError
from grice.records import JsonValue, LLMMetadata, LLMResponse, clean_json, clean_text
from grice.text import value_text


def read_answer(answer: object, name: str) -> LLMResponse:
    """Read the response in an answer.

    That is an LLMResponse, a text, JSON (a dict or list), or an object with `text` or `parsed`, and perhaps
    `metadata`. Raises LLMError, which names what was found, for anything else.
    """
    if isinstance(answer, LLMResponse) and isinstance(answer.metadata, LLMMetadata):
        return _cleaned(answer, name)
    if isinstance(answer, str):
        return LLMResponse(clean_text(answer))
    if isinstance(answer, Mapping | list | tuple):
        return _of_json(clean_json(answer))
    if answer is None:
        raise LLMError(f"the LLM {name} returned None: expected {_EXPECTED}")
    text, parsed = getattr(answer, "text", None), getattr(answer, "parsed", None)
    has_text, has_parsed = isinstance(text, str), isinstance(parsed, Mapping | list | tuple)
    if not (has_text or has_parsed) or isinstance(answer, type):
        kind = type(answer).__name__
        raise LLMError(f"the LLM {name} returned {_article(kind)} {kind}, {value_text(answer)}: {_HINT}")
    metadata = _read_metadata(getattr(answer, "metadata", None))
    response = _of_json(clean_json(parsed)) if has_parsed else LLMResponse()
    if has_text:
        response = msgspec.structs.replace(response, text=clean_text(str(text)))
    return msgspec.structs.replace(response, metadata=metadata)


_EXPECTED = "an LLMResponse, a text, a dict or list, or an object with text or parsed"
_HINT = f"expected {_EXPECTED}"


def _cleaned(response: LLMResponse, name: str) -> LLMResponse:
    """The response with a text and a value that can be written. Raises LLMError when they are none."""
    text: object = response.text  # records do not check what they are made of
    if not isinstance(text, str):
        found = value_text(text)
        raise LLMError(f"the LLM {name} returned an LLMResponse whose text is {found}: expected a text")
    parsed = response.parsed if response.parsed is msgspec.UNSET else clean_json(response.parsed)
    return msgspec.structs.replace(response, text=clean_text(text), parsed=parsed)


def _of_json(value: JsonValue) -> LLMResponse:
    return LLMResponse(msgspec.json.encode(value).decode(), value)


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _read_metadata(metadata: object) -> LLMMetadata:
    """What is known by the names of LLMMetadata and has their types; the rest is left out."""
    if isinstance(metadata, LLMMetadata):
        return metadata
    known: dict[str, Any] = {}
    for field in msgspec.structs.fields(LLMMetadata):
        value = metadata.get(field.name) if isinstance(metadata, Mapping) else None
        if not isinstance(metadata, Mapping | None):
            value = getattr(metadata, field.name, None)
        try:
            known[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError:
            continue
    return LLMMetadata(**known)
