"""Sentences of matchers: a template that is filled with their arguments."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Set
from inspect import Parameter
from typing import Any

from grice.text import shorten, value_text

__all__ = ["WORDS", "sentence_expression"]

MAX_WORDS = 200
_OPTIONAL = re.compile(r"\[(?:(\w+)\?)?([^\[\]|]*)(?:\|([^\[\]]*))?\]")
_FIELD = re.compile(r"\{[^{}]*\}")
_NOUN = re.compile(r"[^\W\d_]{3}[^\W\d_ ]*(?: [^\W\d_]+)*")


def sentence_expression(template: str, parameters: Mapping[str, Parameter]) -> str:
    """The Python expression that makes a sentence of arguments; `WORDS` has the functions in it.

    `{name}` is an argument as messages show values, `{name!s}` its plain text; the format of a number follows
    a colon, or the noun that it counts: `{limit:sentence}` is "1 sentence" or "3 sentences". What stands in
    brackets is there when an argument in it is not its default, else what follows the `|`:
    `[the goal {goal}|its goal]`. An argument that only decides stands before a `?`:
    `[ignore_case?, in any case]`. Raises ValueError for a name that is no argument.
    """
    parts: list[str] = []
    place = 0
    for found in _OPTIONAL.finditer(template):
        parts.append(_text(template[place : found.start()], parameters))
        decides, said, other = found.groups()
        names = [decides] if decides else [name for _, name, _, _ in _fields(said) if name is not None]
        condition = " or ".join(_is_said(_parameter(name, parameters)) for name in names)
        parts.append(f"({_text(said, parameters)} if {condition} else {_text(other or '', parameters)})")
        place = found.end()
    return " + ".join([*parts, _text(template[place:], parameters)])


def _fields(template: str) -> Any:
    return string.Formatter().parse(template)


def _text(template: str, parameters: Mapping[str, Parameter]) -> str:
    """The expression of a template without brackets."""
    parts: list[str] = []
    for before, name, form, conversion in _fields(template):
        parts += [repr(before)] if before else []
        if name is None:
            continue
        parameter = _parameter(name, parameters)
        if _NOUN.fullmatch(_FIELD.sub("one", form)):
            parts.append(f"counted_({name}, {_text(form, parameters)})")
        elif form:
            parts.append(f"format_({name}, {form!r})")
        else:
            many = "_each" if parameter.kind is parameter.VAR_POSITIONAL else "_"
            parts.append(f"{'plain_' if conversion == 's' else f'shown{many}'}({name})")
    return " + ".join(parts) or "''"


def _parameter(name: str, parameters: Mapping[str, Parameter]) -> Parameter:
    known = parameters.get(name.partition(".")[0])
    if known is None:
        raise ValueError(f"describe names {name!r}, which is no argument: {', '.join(parameters)}")
    return known


def _is_said(parameter: Parameter) -> str:
    many = parameter.kind is parameter.VAR_POSITIONAL or parameter.default == ()
    return parameter.name if many else f"{parameter.name} is not default_{parameter.name}"


def _plain(value: Any) -> str:
    texts = sorted(value) if isinstance(value, Set) else value if isinstance(value, list | tuple) else [value]
    return ", ".join(shorten(str(one), MAX_WORDS) for one in texts)


def _shown_each(values: tuple[Any, ...]) -> str:
    return ", ".join(map(value_text, values))


def _counted(count: float, noun: str) -> str:
    if noun == "time" and count == 1:
        return "once"
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{count:,} {noun}" if isinstance(count, int) else f"{count:g} {noun}"


WORDS = {
    "counted_": _counted,
    "format_": format,
    "plain_": _plain,
    "shown_": value_text,
    "shown_each": _shown_each,
}
