"""Write docs/api.md: every public name, by topic, with its signature and docstring.

tools/api_page.md has the topics. A line `:: NAME: MEMBER, MEMBER` in it stands for the entry of a name: `*`
are all its public members, `* except MEMBER` all but that one. A name without a module is one of `grice`.
Run by `make generate`; a test fails when the page is out of date.
"""

from __future__ import annotations

import ast
import enum
import functools
import importlib
import inspect
import itertools
import re
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import grice
import grice.aio
import grice.matchers
from grice.matching.matcher import MatcherFactory
from grice.typed import Closed

ROOT = Path(__file__).parent.parent
TOPICS = ROOT / "tools" / "api_page.md"
TARGET = ROOT / "docs" / "api.md"
NOTICE = "<!-- Written by tools/generate_api.py from tools/api_page.md and the code: `make generate`. -->"
WIDTH = 100
MADE_BY_BASES = {"object", "Struct", "Closed", "Generic"}
"""Bases that say nothing to a reader."""


def generate() -> str:
    """The whole text of the page. Raises ValueError for public names of which the topics say nothing."""
    parts, told = [NOTICE, ""], set()
    for line in TOPICS.read_text("utf-8").splitlines():
        if line.startswith(":: "):
            name, _, members = line[3:].partition(": ")
            told.add(name)
            parts.append(entry(name, members))
        else:
            parts.append(line)
    if missing := sorted(public_names() - told):
        raise ValueError(f"{TOPICS.name} has no line for {', '.join(missing)}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def public_names() -> set[str]:
    """The names that the page has to have; matchers have a page of their own."""
    beside_matchers = {
        name
        for name in grice.matchers.__all__
        if name not in grice.__all__ and not isinstance(getattr(grice.matchers, name), MatcherFactory)
    }
    return (
        {name for name in grice.__all__ if name != "__version__"}
        | {f"grice.aio.{name}" for name in grice.aio.__all__}
        | {f"grice.matchers.{name}" for name in beside_matchers}
    )


def entry(name: str, members: str) -> str:
    """The Markdown of one name, and of these of its members."""
    module_name, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(module_name or "grice"), attribute)
    lines = ["", f"### {name.removeprefix('grice.')}", "", *shown(attribute, found)]
    for member in chosen_members(found, members):
        lines += ["", *shown_member(attribute, found, member)]
    return "\n".join([*lines, ""])


def shown(name: str, found: Any) -> list[str]:
    """The code block and the docstring of a name."""
    if inspect.isclass(found):
        return [*code(class_text(name, found)), *docstring(found.__doc__)]
    if inspect.isfunction(found):
        start = f"async def {name}" if inspect.iscoroutinefunction(found) else f"def {name}"
        return [*code(called(start, inspect.signature(found))), *docstring(found.__doc__)]
    return [*code(f"{name}: {type(found).__name__}"), *docstring(value_doc(name))]


def code(text: str) -> list[str]:
    """A block that is shown and not run."""
    return ["```py", text, "```", ""]


def docstring(text: str | None) -> list[str]:
    """A docstring, which is Markdown."""
    return [inspect.cleandoc(text)] if text else []


def class_text(name: str, found: type) -> str:
    """The head of a class: its bases, and what makes one."""
    bases = [one.__name__ for one in found.__bases__ if one.__name__ not in MADE_BY_BASES]
    head = f"class {name}({', '.join(bases)})" if bases else f"class {name}"
    if issubclass(found, enum.Enum):
        return "\n".join([f"{head}:", *(f"    {one.name} = {one.value!r}" for one in found)])
    if issubclass(found, Exception) or getattr(found, "_is_protocol", False):
        return head
    parameters = with_annotations(found)
    made = called(name, inspect.Signature(parameters))
    return f"{head}\n\n{made}" if bases else called(f"class {name}", inspect.Signature(parameters))


def with_annotations(found: type) -> list[inspect.Parameter]:
    """What makes one of a class; the annotations are as the source has them."""
    written: dict[str, Any] = {}
    for one in reversed(found.__mro__):
        written |= inspect.get_annotations(one)
    written |= without_constraints(found) if issubclass(found, Closed) else {}
    parameters = inspect.signature(found).parameters.values()
    return [
        one if isinstance(one.annotation, str) else one.replace(annotation=written.get(one.name, one.empty))
        for one in parameters
    ]


def without_constraints(found: type) -> dict[str, str]:
    """The types of fields that say more of their values, such as a length, without that."""
    plain, whole = get_type_hints(found), get_type_hints(found, include_extras=True)
    return {name: type_text(one) for name, one in plain.items() if one != whole[name]}


def type_text(found: Any) -> str:
    """A type as a reader writes it."""
    parts = [type_text(one) for one in get_args(found)]
    if get_origin(found) in (Union, types.UnionType):
        return " | ".join(parts)
    if parts:
        return f"{get_origin(found).__name__}[{', '.join(parts)}]"
    return "..." if found is ... else found.__name__.removesuffix("Type")


def called(start: str, signature: inspect.Signature) -> str:
    """A signature behind these words, on one line or with a line for each parameter."""
    parameters = list(parameter_texts(signature.parameters.values()))
    result = signature.return_annotation
    end = f") -> {annotation_text(result)}" if result is not signature.empty else ")"
    line = f"{start}({', '.join(parameters)}{end}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{start}(", *(f"    {one}," for one in parameters), end])


def parameter_texts(parameters: Iterable[inspect.Parameter]) -> Iterator[str]:
    """Each parameter as it is written, `*` and `/` among them."""
    before: Any = None
    for one in parameters:
        if before is one.POSITIONAL_ONLY and one.kind is not before:
            yield "/"
        if one.kind is one.KEYWORD_ONLY and before not in (one.KEYWORD_ONLY, one.VAR_POSITIONAL):
            yield "*"
        yield parameter_text(one)
        before = one.kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


def parameter_text(parameter: inspect.Parameter) -> str:
    """`name: type = default`."""
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    typed = parameter.annotation is not parameter.empty
    text = f"{stars}{parameter.name}: {annotation_text(parameter.annotation)}" if typed else parameter.name
    if parameter.default is parameter.empty:
        return text
    default = repr(parameter.default) if is_plain(parameter.default) else "..."
    return f"{text} = {default}" if typed else f"{text}={default}"


def is_plain(value: object) -> bool:
    """Whether the repr of a default is the same everywhere, and says what it is."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


def annotation_text(annotation: object) -> str:
    """An annotation as its source has it. Raises ValueError for one that is no text."""
    if annotation is None:
        return "None"
    if not isinstance(annotation, str):
        raise ValueError(f"{annotation!r} is no text: the module needs `from __future__ import annotations`")
    return annotation.strip("\"'") if annotation.count("'") + annotation.count('"') == 2 else annotation


def value_doc(name: str) -> str | None:
    """The text below the assignment that makes a public value, or the docstring of its class."""
    found = getattr(grice, name)
    source = inspect.getsource(importlib.import_module(type(found).__module__))
    body = ast.parse(source).body
    for one, after in itertools.pairwise(body):
        if name in assigned(one) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return str(after.value.value)
    return type(found).__doc__


def assigned(statement: ast.stmt) -> list[str]:
    """The names that a statement gives a value."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def chosen_members(found: Any, members: str) -> list[str]:
    """The members that a line of the topics names, those of the class itself for `*`."""
    listed, _, without = members.partition(" except ")
    names = [one for one in re.split(r", ", listed) if one]
    if "*" not in names:
        return names
    own = [name for name, one in vars(found).items() if not name.startswith("_") and is_member(one)]
    return [name for name in own if name not in without.split(", ")] + [one for one in names if one != "*"]


def is_member(one: object) -> bool:
    """Whether it is a method or a property."""
    return inspect.isfunction(one) or isinstance(
        one, (property, functools.cached_property, classmethod, staticmethod)
    )


def shown_member(class_name: str, found: type, name: str) -> list[str]:
    """The code block and the docstring of a method or property."""
    member = inspect.getattr_static(found, name)
    getter = member.fget if isinstance(member, property) else getattr(member, "func", None)
    whole_name = f"{class_name}.{name}"
    if getter is not None:
        result = annotation_text(inspect.signature(getter).return_annotation)
        return [*code(f"{whole_name}: {result}"), *docstring(getter.__doc__)]
    function = getattr(member, "__func__", member)
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    if not isinstance(member, staticmethod):
        parameters = parameters[1:]
    start = f"async {whole_name}" if inspect.iscoroutinefunction(function) else whole_name
    text = called(start, signature.replace(parameters=parameters))
    return [*code(text), *docstring(function.__doc__)]


if __name__ == "__main__":
    TARGET.write_text(generate(), "utf-8")
