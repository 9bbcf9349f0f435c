"""Request templates: JSON with placeholders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grice.agents.chat_turn import ChatTurn
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.wire.placeholders import PLACEHOLDER, fill_text, placeholders, unknown_placeholder

LISTS = ("messages", "history", "tool_calls", "tool_results")
TEXT_NAMES = ("conversation_id", "turn", "model_url", "model_key", "server_url")
"""What may stand in addresses and headers, beside variables of the environment."""
NAMES = ("user", *LISTS, "assistant_text", *TEXT_NAMES)

_MESSAGE_ITEM = ("role", "content", "tool_calls", "tool_call_id", "is_error", "blocks")
_ITEM_NAMES = {
    "messages": _MESSAGE_ITEM,
    "history": _MESSAGE_ITEM,
    "tool_calls": ("id", "name", "arguments"),
    "tool_results": ("id", "name", "result", "content", "is_error"),
}
_ROLES = ("user", "assistant", "tool")
_EACH, _AS = "$each", "$as"


def check_template(template: JsonValue, field: str) -> None:
    """Raise ValueError for a template that cannot be filled; the message begins with `field`."""
    _check(template, field, ())


def names_in(template: JsonValue) -> set[str]:
    """The names of all placeholders in the template."""
    if isinstance(template, str):
        return set(placeholders(template, ""))
    if isinstance(template, Mapping):
        template = list(template.values())
    return {name for each in template for name in names_in(each)} if isinstance(template, list) else set()


def fill(template: JsonValue, turn: ChatTurn) -> JsonValue:
    """The template with its placeholders filled from the turn."""
    return _filled(template, lambda name: getattr(turn, name), turn)


def _check(template: JsonValue, field: str, item: tuple[str, ...]) -> None:
    if isinstance(template, str):
        for name in placeholders(template, field):
            _check_name(name, field, item)
    elif isinstance(template, Mapping) and (_EACH in template or _AS in template):
        _check_each(template, field, item)
    elif isinstance(template, Mapping):
        for key, value in template.items():
            _check(value, f"{field}.{key}", item)
    elif isinstance(template, list | tuple):
        for place, value in enumerate(template):
            _check(value, f"{field}[{place}]", item)
    elif template is not None and not isinstance(template, bool | int | float):
        raise ValueError(f"{field}: expected a JSON value, found {value_text(template)}")


def _check_name(name: str, field: str, item: tuple[str, ...]) -> None:
    if name.startswith("env:"):
        raise ValueError(
            f"{field}: ${{{name}}} may stand in 'url' and 'headers' only; what is in the body is shown"
        )
    if name.startswith("item.") and not item:
        raise ValueError(f"{field}: ${{{name}}} may stand in the {_AS!r} of an {_EACH!r} only")
    known = (*NAMES, *(f"item.{one}" for one in item))
    if name not in known:
        raise ValueError(unknown_placeholder(field, name, known))


def _check_each(template: Mapping[str, Any], field: str, item: tuple[str, ...]) -> None:
    for key in template:
        if key not in (_EACH, _AS):
            raise ValueError(f"{field}: {_EACH!r} goes with {_AS!r} and nothing else, found {key!r} too")
    if _EACH not in template or _AS not in template:
        raise ValueError(f"{field}: {_EACH!r} and {_AS!r} go together, found only one of them")
    if item:
        raise ValueError(f"{field}: an {_EACH!r} inside another one is not possible")
    source = template[_EACH]
    name = source[2:-1] if isinstance(source, str) and source.startswith("${") else ""
    if name not in LISTS:
        expected = ", ".join(f"${{{one}}}" for one in LISTS)
        hint = did_you_mean(name, LISTS)
        raise ValueError(f"{field}.{_EACH}: expected one of {expected}, found {value_text(source)}{hint}")
    shape = template[_AS]
    if name in ("messages", "history") and _by_role(shape):
        for role, one in shape.items():
            _check(one, f"{field}.{_AS}.{role}", _ITEM_NAMES[name])
    else:
        _check(shape, f"{field}.{_AS}", _ITEM_NAMES[name])


def _by_role(shape: JsonValue) -> bool:
    """Whether `$as` has a template for each role of a message."""
    return isinstance(shape, Mapping) and bool(shape) and set(shape) <= set(_ROLES)


def _filled(template: JsonValue, value_of: Callable[[str], JsonValue], turn: ChatTurn) -> JsonValue:
    if isinstance(template, str):
        whole = PLACEHOLDER.fullmatch(template)
        if whole is not None and whole["name"] is not None:
            return value_of(whole["name"])
        return fill_text(template, value_of)
    if isinstance(template, Mapping):
        if _EACH in template:
            return list(_each(template, turn))
        return {key: _filled(value, value_of, turn) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [_filled(value, value_of, turn) for value in template]
    return template


def _each(template: Mapping[str, Any], turn: ChatTurn) -> Iterator[JsonValue]:
    """The list of `$each`, mapped; a message whose role has no template is left out."""
    name, shape = template[_EACH][2:-1], template[_AS]
    by_role = name in ("messages", "history") and _by_role(shape)
    for item in turn.items(name):
        if by_role and item["role"] not in shape:
            continue

        def value_of(asked: str, item: dict[str, JsonValue] = item) -> JsonValue:
            return item[asked[len("item.") :]] if asked.startswith("item.") else getattr(turn, asked)

        yield _filled(shape[item["role"]] if by_role else shape, value_of, turn)
