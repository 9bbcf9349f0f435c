"""Write what follows from the built-in matchers.

src/grice/_expectations.py has `expect`, `evaluate` and a typed method for every one; src/grice/_catalogue.py
says in which module each is, by its name in files. Run by `make generate`; a test fails when a file is stale.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import importlib
import inspect
import subprocess
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any

import grice.matchers
from grice.matching.matcher import MatcherFactory
from grice.records import Conversation, Exchange, Reply, Turn

SOURCE = Path(__file__).parent.parent / "src" / "grice"
TARGET = SOURCE / "_expectations.py"
CATALOGUE = SOURCE / "_catalogue.py"

# class name, what it judges in words, type of its subjects, type that expect() takes, and the subject types
# of matchers that are methods of the class; the last is what expect() with a path returns
CLASSES: tuple[tuple[str, str, str, str, tuple[object, ...]], ...] = (
    ("TextExpectation", "a text", "str", "str", (str, Any)),
    ("ReplyExpectation", "a reply", "Reply", "Reply", (Reply,)),
    ("TurnExpectation", "a turn", "Turn", "Turn", (Turn,)),
    ("ExchangeExpectation", "a request to the model", "Exchange", "Exchange", (Exchange,)),
    ("ConversationExpectation", "a whole conversation", "Conversation", "HasRecord", (Conversation,)),
    ("ListExpectation", "a list, such as a message array", "list[Any]", "list[Any]", (list, Any)),
    (
        "ObjectExpectation",
        "a JSON object, such as the body of a request",
        "dict[str, Any]",
        "dict[str, Any]",
        (dict, Any),
    ),
    ("ValueExpectation", "any other value", "Any", "object", (Any, float)),
    ("PathExpectation", "the values at a path", "Any", "", (Any, str, float, list, dict)),
)

WORDS = {row[0]: row[1] for row in CLASSES}

HEADER = '''"""`expect` and `evaluate` with a method for every built-in matcher.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from grice.matching.context import record_of
from grice.matching.expectation import Expectation
from grice.matching.missing import MISSING
from grice.matching.selector import Parse, PathMatch, ValueSelector
from grice.records import Conversation, Exchange, HasRecord, Reply, Turn, Verdict
from grice.records.verdict import Mode

S = TypeVar("S")
R = TypeVar("R")

'''

IN_HEADER = ("Any", "Context", "Conversation", "Exchange", "MISSING", "Reply", "Turn")

DISPATCH = """
def _expectation(
    subject: object, mode: Mode, path: str | None, match: PathMatch, parse: Parse, awaited: bool
) -> Any:
    if path is not None:
        return PathExpectation(subject, mode, ValueSelector(path, match, parse), awaited=awaited)
    if match != "ANY" or parse != "auto":
        raise TypeError("match and parse say how values at a path are judged: give a path too")
    if isinstance(subject, str):
        return TextExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Reply):
        return ReplyExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Turn):
        return TurnExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, Exchange):
        return ExchangeExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, list | tuple):
        return ListExpectation(subject, mode, awaited=awaited)
    if isinstance(subject, dict):
        return ObjectExpectation(subject, mode, awaited=awaited)
    if record_of(subject) is not None:
        return ConversationExpectation(subject, mode, awaited=awaited)
    return ValueExpectation(subject, mode, awaited=awaited)
"""

AT = (
    '*, path: str, match: PathMatch = "ANY", parse: Parse = "auto"',
    '*, path: str | None = None, match: PathMatch = "ANY", parse: Parse = "auto"',
)
AT_DOC = """    With `path` the values that the JSON path finds in the subject are judged, ANY of them or
    ALL. A text is read as JSON as `parse` says.
"""

HARD = "Begin a hard check: the test fails unless it passes."
SOFT = "Begin a soft check: recorded and shown, never changing pass or fail."
AWAITED = " Each check is awaited."

# function, mode, first sentence, whether its checks are awaited, what they return
ENTRY: tuple[tuple[str, str, str, bool, str], ...] = (
    ("expect", "hard", HARD, False, "Verdict"),
    ("evaluate", "soft", SOFT, False, "Verdict | PendingVerdict"),
    ("awaited_expect", "hard", HARD + AWAITED, True, "Coroutine[Any, Any, Verdict]"),
    ("awaited_evaluate", "soft", SOFT + AWAITED, True, "Coroutine[Any, Any, Verdict]"),
)


def generate() -> str:
    """The whole text of the generated file."""
    factories = {name: getattr(grice.matchers, name) for name in sorted(grice.matchers.__all__)}
    factories = {name: one for name, one in factories.items() if isinstance(one, MatcherFactory)}
    imports: set[str] = set()  # of types; a matcher is imported by the method that uses it
    groups = _grouped(factories)
    body: list[str] = []
    for kinds, names in groups.items():
        if len(kinds) > 1:
            body.append(f"class {_shared(kinds)}(Expectation[S, R]):")
            body.append(f'    """What can be expected of {", ".join(WORDS[kind] for kind in kinds)}."""\n')
            body.append("    __slots__ = ()\n")
            body += [_methods(name, factories[name], imports) for name in names]
    for class_name, words, subject, _, _ in CLASSES:
        bases = [_shared(kinds) for kinds in groups if class_name in kinds and len(kinds) > 1]
        listed = ", ".join(f"{base}[{subject}, R]" for base in bases or ["Expectation"])
        body.append(f"class {class_name}({listed}):")
        body.append(f'    """What can be expected of {words}."""\n')
        body.append("    __slots__ = ()\n")
        body += [_methods(name, factories[name], imports) for name in groups.get((class_name,), ())]
        body.append("")
    for function, mode, doc, awaited, result in ENTRY:
        for class_name, _, _, parameter, _ in CLASSES[:-1]:
            note = "" if parameter == "object" else "  # type: ignore[overload-overlap]"
            made = f"{class_name}[{result}]"
            body.append(f"@overload\ndef {function}(subject: {parameter}) -> {made}: ...{note}")
        body.append(f"@overload\ndef {function}(subject: object, {AT[0]}) -> PathExpectation[{result}]: ...")
        body.append(f"def {function}(subject: object, {AT[1]}) -> Any:")
        body.append(f'    """{doc}\n\n{AT_DOC}    """')
        body.append(f'    return _expectation(subject, "{mode}", path, match, parse, {awaited})\n')
    body.append(DISPATCH)
    names = sorted([*(row[0] for row in CLASSES), *(row[0] for row in ENTRY)])
    exported = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    imports |= {"from collections.abc import Coroutine", "from grice.matching.waiting import PendingVerdict"}
    typed = "if TYPE_CHECKING:\n" + "".join(f"    {line}\n" for line in sorted(imports))
    return f"{HEADER}{typed}\n{exported}\n" + "\n".join(body)


def _grouped(factories: dict[str, MatcherFactory[Any, Any]]) -> dict[tuple[str, ...], list[str]]:
    """The matchers by the classes that have them as methods: those of several are written once."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, factory in factories.items():
        kinds = tuple(row[0] for row in CLASSES if _accepts(factory, row[4]))
        groups.setdefault(kinds, []).append(name)
    return dict(sorted(groups.items()))


def _shared(kinds: tuple[str, ...]) -> str:
    """The name of the class for what these have in common."""
    return "_" + "And".join(kind.removesuffix("Expectation") for kind in kinds)


def _accepts(factory: MatcherFactory[Any, Any], accepted: tuple[object, ...]) -> bool:
    hints = typing.get_type_hints(factory.function)
    subject = hints[next(iter(inspect.signature(factory.function).parameters))]
    members = typing.get_args(subject) if _is_union(subject) else (subject,)
    kinds = {Any if member is Any else typing.get_origin(member) or member for member in members}
    if collections.abc.Sequence in kinds:
        kinds.add(list)
    if collections.abc.Mapping in kinds:
        kinds.add(dict)
    return any(kind in kinds for kind in accepted)


def _is_union(annotation: object) -> bool:
    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union


def _methods(name: str, factory: MatcherFactory[Any, Any], imports: set[str]) -> str:
    function = factory.function
    source = textwrap.dedent(inspect.getsource(function))
    node = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    arguments = node.args
    positional_only = [a for a in arguments.posonlyargs if a.arg not in ("subject", "ctx")]
    own = next(iter(inspect.signature(function).parameters))
    arguments.posonlyargs = positional_only
    arguments.args = [a for a in arguments.args if a.arg not in (own, "ctx")]
    arguments.kw_defaults = [_as_value(one, function) for one in arguments.kw_defaults]
    arguments.defaults = [_as_value(one, function) for one in arguments.defaults]
    for one in ast.walk(arguments):
        if isinstance(one, ast.Name):
            _import_name(one.id, function, imports)
    signature = ast.unparse(arguments)
    doc = (inspect.getdoc(function) or "").split("\n")[0]
    out = ""
    for prefix, negated in (("to", False), ("not_to", True)):
        call = _call(name, arguments, negated=negated)
        text = f"Not: {doc[0].lower()}{doc[1:]}" if negated else doc
        parameters = f"self, {signature}" if signature else "self"
        out += (
            f"    def {prefix}_{name}({parameters}) -> R:\n"
            f'        """{text}"""\n'
            f"        __tracebackhide__ = True\n"
            f"        from {function.__module__} import {name}\n\n"
            f"        return self._check({call})\n\n"
        )
    return out


def _call(name: str, arguments: ast.arguments, *, negated: bool) -> str:
    """The arguments of `_check`: the factory, positional ones, and named ones in a dict."""
    parts = [name, *(a.arg for a in (*arguments.posonlyargs, *arguments.args))]
    parts += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    named = [f'"{a.arg}": {a.arg}' for a in arguments.kwonlyargs]
    named += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return ", ".join([*parts, f"negated={negated}", f"named={{{', '.join(named)}}}"])


def _imported_from(name: str, module_name: str) -> list[str]:
    """The modules from which the module imports the name."""
    source = inspect.getsource(importlib.import_module(module_name))
    return [
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module and any(one.name == name for one in node.names)
    ]


def _as_value(default: Any, function: Any) -> Any:
    """The default of a parameter; a constant of its module as the value that it has."""
    if not isinstance(default, ast.Name):
        return default
    value = getattr(importlib.import_module(function.__module__), default.id)
    return ast.parse(repr(value), mode="eval").body


def _import_name(name: str, function: Any, imports: set[str]) -> None:
    if name in dir(builtins) or name in IN_HEADER:
        return
    if name in ("Callable", "Collection", "Iterable", "Mapping", "Sequence"):
        imports.add(f"from collections.abc import {name}")
        return
    for module_name in (function.__module__, "grice.records", *_imported_from(name, function.__module__)):
        others = not module_name.startswith("grice.")
        if others or name in getattr(importlib.import_module(module_name), "__all__", ()):
            imports.add(f"from {module_name} import {name}")
            return
    raise SystemExit(f"{function.__module__}.{function.__name__}: {name} is in no __all__")


def catalogue() -> str:
    """The whole text of the other generated file."""
    factories = [getattr(grice.matchers, name) for name in grice.matchers.__all__]
    modules = {one.name: one.function.__module__ for one in factories if isinstance(one, MatcherFactory)}
    rows = "".join(f'    "{name}": "{modules[name]}",\n' for name in sorted(modules))
    return (
        '"""The module of every built-in matcher, by its name in files.\n\n'
        "Written by tools/generate_expectations.py (`make generate`); do not edit.\n"
        f'"""\n\nMODULES = {{\n{rows}}}\n'
    )


def main() -> None:
    """Write the files and put them in the house style."""
    TARGET.write_text(generate(), "utf-8")
    CATALOGUE.write_text(catalogue(), "utf-8")
    for arguments in (["check", "-q", "--fix", "--select", "I,RUF022"], ["format", "-q"]):
        subprocess.run([sys.executable, "-m", "ruff", *arguments, str(TARGET), str(CATALOGUE)], check=True)


if __name__ == "__main__":
    main()
