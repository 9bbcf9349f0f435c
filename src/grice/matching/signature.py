"""What the signature of a matcher's function says: its arguments, their types, and how they are checked.

It is read when a matcher is first made: `inspect` is slow to import.
"""

from __future__ import annotations

import inspect
import re
import string
import typing
from collections.abc import Callable, Mapping, Set
from inspect import Parameter
from types import SimpleNamespace
from typing import Any, NoReturn

from grice.matching.annotations import Anything, ArgumentType, argument_type
from grice.matching.matcher import ArgumentError
from grice.text import shorten, value_text

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


class MatcherSignature:
    """The arguments of a matcher: the parameters of its function but for subject and context.

    `accept` takes arguments and raises TypeError when they do not fit the parameters, ArgumentError when one
    is not of its type. `describe` makes a sentence of them.
    """

    def __init__(self, name: str, function: Callable[..., Any], template: str | None) -> None:
        whole = inspect.signature(function)
        if len(whole.parameters) < 2:
            raise TypeError(f"{name}{whole}: a matcher takes a subject and a context first")
        self.signature = whole.replace(parameters=list(whole.parameters.values())[2:])
        self.parameters: Mapping[str, inspect.Parameter] = self.signature.parameters
        self.types = {one.name: _type_of(one, function) for one in self.parameters.values()}
        self.accept = self._compiled(" and ".join(filter(None, map(self._check, self.parameters.values()))))
        self.describe: Callable[..., str] | None = None
        if template is not None:
            self.describe = self._compiled(sentence_expression(template, self.parameters))

    def _compiled(self, body: str) -> Callable[..., Any]:
        """A function with the parameters of this matcher: calling it binds arguments as fast as may be."""
        names: dict[str, Any] = {**WORDS, "wrong_": self._wrong}
        bare = []
        for one in self.parameters.values():
            names |= {f"fits_{one.name}": self.types[one.name].fits, f"default_{one.name}": one.default}
            default = one.empty if one.default is one.empty else _Name(f"default_{one.name}")
            bare.append(one.replace(annotation=one.empty, default=default))
        parameters = str(self.signature.replace(parameters=bare, return_annotation=self.signature.empty))[
            1:-1
        ]
        made: Callable[..., Any] = eval(f"lambda {parameters}: {body or None}", names)  # noqa: S307 - own names
        return made

    def _check(self, parameter: inspect.Parameter) -> str:
        """The expression that checks one argument."""
        name = parameter.name
        if self.types[name].fits is None:
            return ""
        if parameter.kind is parameter.VAR_POSITIONAL:
            return f"(all(map(fits_{name}, {name})) or wrong_({name!r}, {name}))"
        if parameter.kind is parameter.VAR_KEYWORD:
            return f"(all(map(fits_{name}, {name}.values())) or wrong_({name!r}, {name}))"
        default = "" if parameter.default is parameter.empty else f"{name} is default_{name} or "
        return f"({default}fits_{name}({name}) or wrong_({name!r}, {name}))"

    def _wrong(self, name: str, value: Any) -> NoReturn:
        kind, parameter = self.types[name], self.parameters[name]
        places = {name: value}
        if parameter.kind is parameter.VAR_POSITIONAL:
            places = {name if len(value) == 1 else f"{name}[{place}]": one for place, one in enumerate(value)}
        elif parameter.kind is parameter.VAR_KEYWORD:
            places = value
        place, one = next((place, one) for place, one in places.items() if kind.fits and not kind.fits(one))
        raise ArgumentError(kind.problem(place, one))


class _Name:
    """Stands in a signature for a default value, which may have no readable repr."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def _type_of(parameter: inspect.Parameter, function: Callable[..., Any]) -> ArgumentType:
    if parameter.annotation is parameter.empty:
        return Anything()
    named = SimpleNamespace(__annotations__={parameter.name: parameter.annotation})
    known = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        hints = typing.get_type_hints(named, known, include_extras=True)
    except Exception:  # a name that only a type checker sees
        return Anything()
    return argument_type(hints[parameter.name])
