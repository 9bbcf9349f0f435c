"""Read a judge's answer: exactly one JSON object of the right shape."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from grice.judging.answer_schemas import schema_of
from grice.records import JsonValue, LLMResponse, clean_json
from grice.text import value_text

CUT_OFF = ("length", "max_tokens", "max_output_tokens", "model_context_window_exceeded")
"""Words of providers for an answer that was cut off."""

T = TypeVar("T")


class Malformed(ValueError):
    """An answer does not have the requested shape; the text says what is wrong with it."""


def read_answer(
    response: LLMResponse,
    kind: type[T],
    problem: Callable[[T], str] | None = None,
    quoted: Iterable[str] = (),
) -> tuple[dict[str, JsonValue], T]:
    """Read the JSON object of an answer, and the record in it. Raises Malformed.

    A text may begin with thoughts between `<think>` and `</think>`, have a code fence or prose around its one
    object, and raw line breaks inside strings. Types are taken strictly: `"false"` is no boolean. `problem`
    says what is wrong with an answer of the right shape, "" when nothing is. `quoted` are the texts of others
    that the judge was shown: an object that stands in one of them is theirs and no answer.
    """
    found = response.text if response.parsed is msgspec.UNSET else response.parsed
    fields: dict[str, JsonValue] = {}
    try:
        fields = clean_json(_object_in(found) if isinstance(found, str) else _object(found))
        answer = msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Malformed(_missing(fields, kind) or _parser_message(error)) from None
    except Malformed as error:
        if response.metadata.stop_reason in CUT_OFF:
            raise Malformed(f"it was cut off ({response.metadata.stop_reason}): {error}") from None
        raise
    wrong = problem(answer) if problem is not None else ""
    if wrong:
        raise Malformed(wrong)
    if _stands_in(fields, quoted):
        raise Malformed("it is an object that stands in the material, word for word, and no judgement of it")
    return fields, answer


def _missing(fields: dict[str, JsonValue], kind: Any) -> str:
    """Which fields of the answer are missing, all of them, and its shape; "" where none is."""
    required = [one.encode_name for one in msgspec.structs.fields(kind) if one.required]
    missing = [one for one in required if one not in fields]
    if not missing:
        return ""
    named = f"{'field' if len(missing) == 1 else 'fields'} {', '.join(map(repr, missing))}"
    return f"it misses the required {named}; an answer is {shape_of(kind)}"


def shape_of(kind: Any) -> str:
    """The shape of an answer in words: `{"reasoning": "...", "satisfied": true|false}`."""
    properties = schema_of(kind)["properties"]
    return "{" + ", ".join(f'"{name}": {_shape(one)}' for name, one in properties.items()) + "}"


def _shape(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(f'"{one}"' for one in schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        return "{" + ", ".join(f'"{name}": {_shape(one)}' for name, one in schema["properties"].items()) + "}"
    if kind == "array":
        return f"[{_shape(schema['items'])}, ...]"
    return {"string": '"..."', "boolean": "true|false"}.get(str(kind), "a number")


_LAYOUT = re.compile(r"[\s\\]+")
"""What differs between an object and the same object inside a text: white space and escapes."""


def _stands_in(fields: dict[str, JsonValue], texts: Iterable[str]) -> bool:
    suspect = [text for text in texts if "{" in text]
    if not suspect:
        return False
    said = _LAYOUT.sub("", msgspec.json.encode(fields).decode())
    return any(said in _LAYOUT.sub("", text) for text in suspect)


_THOUGHTS = re.compile(r"[\s\ufeff]*<(think|thinking)>", re.IGNORECASE)
_THOUGHT = re.compile(r"</?think", re.IGNORECASE)


def _without_thoughts(text: str) -> str:
    """The text after the thoughts that it begins with; a draft in them is no answer."""
    begun = _THOUGHTS.match(text)
    if begun is None:
        return text
    ends = list(re.finditer(f"</{begun[1]}>", text, re.IGNORECASE))
    if len(ends) != 1:
        where = f"end {len(ends)} times" if ends else "do not end"
        raise Malformed(f"its thoughts, which begin with <{begun[1]}>, {where}")
    return text[ends[0].end() :]


def _object(found: object) -> dict[str, JsonValue]:
    if not isinstance(found, dict):
        raise Malformed(f"it is not a JSON object but {value_text(found)}")
    return found


def _object_in(text: str) -> dict[str, JsonValue]:
    text = _without_thoughts(text)
    if not text.strip():
        raise Malformed("it is empty")
    start = text.find("{")
    if start < 0:
        raise Malformed(f"it has no JSON object: {value_text(text.strip())}")
    try:
        found, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise Malformed("its JSON is nested too deep") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Malformed(f"its JSON cannot be read: {error.msg} ({where})") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("its JSON cannot be read: a number of it is too long") from None
    before, rest = text[:start].rstrip(), text[end:]
    if "{" in rest:
        raise Malformed("it has more than one JSON object")
    if _THOUGHT.search(before) or _THOUGHT.search(rest):
        raise Malformed("it has thoughts around the JSON object")
    if "}" in rest or before.endswith(("[", ",")) or rest.lstrip().startswith(("]", ",")):
        raise Malformed("the JSON object is not the whole JSON of it")
    return _object(found)


def _once_each(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"it says {value_text(twice)} more than once")
    return fields


def _no_constant(word: str) -> NoReturn:
    raise Malformed(f"{word} is not JSON")


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_once_each, parse_constant=_no_constant)
_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)


def _parser_message(error: Exception) -> str:
    """The message of a validation in plain words: `satisfied: expected bool, got str`."""
    said = str(error)
    placed = _PLACE.fullmatch(said)
    message, place = (placed[1], placed[2]) if placed else (said, "")
    message = message.replace("`", "'").replace("Object ", "the object ")
    return f"{place}: {message}" if place else message
