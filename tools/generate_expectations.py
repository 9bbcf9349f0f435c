"""Write what follows from the built-in matchers.

src/grice/_expectations.pyi tells editors and type checkers the methods of `expect` and `evaluate`, and
src/grice/_catalogue.py where each matcher is and what it judges. Run by `make generate`; a test fails when a
file is stale.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import importlib
import inspect
import json
import re
import subprocess
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any

import grice.matchers
from grice.matching.matcher import MatcherFactory
from grice.matching.unknown_methods import KINDS
from grice.records import Conversation, Exchange, Reply, StateChange, Turn

SOURCE = Path(__file__).parent.parent / "src" / "grice"
TARGET = SOURCE / "_expectations.pyi"
CATALOGUE = SOURCE / "_catalogue.py"
WIDTH = 110

# for each kind of subject: type of the subjects, type that expect() takes, and the types of subject of the
# matchers that are its methods
TYPES: dict[str, tuple[str, str, tuple[object, ...]]] = {
    "text": ("str", "str", (str, Any)),
    "reply": ("Reply", "Reply", (Reply,)),
    "turn": ("Turn", "Turn", (Turn,)),
    "exchange": ("Exchange", "Exchange", (Exchange,)),
    "conversation": ("Conversation", "HasRecord", (Conversation,)),
    "list": ("list[Any]", "list[Any]", (list, Any)),
    "object": ("dict[str, Any]", "dict[str, Any]", (dict, Any)),
    "state": ("StateChange", "State | StateChange", (StateChange,)),
    "value": ("Any", "object", (Any, float)),
    "path": ("Any", "", (Any, str, float, list, dict)),
}

HEADER = '''"""The methods of `expect` and `evaluate` for editors and type checkers.

Written by tools/generate_expectations.py (`make generate`); do not edit.
"""

# ruff: noqa: A002, E501 - the names and sentences of the matchers

'''

IMPORTS = """
from collections.abc import Coroutine
from typing import Any, TypeVar, overload
from grice.matching.expectation import Expectation
from grice.matching.selector import Parse
from grice.matching.waiting import PendingVerdict
from grice.records import Conversation, Exchange, HasRecord, PathMatch, Reply, State, StateChange
from grice.records import Turn, Verdict
"""

AT = (
    '*, path: str, match: PathMatch = "ANY", parse: Parse = "auto"',
    "*, parse: Parse",
)

HARD = "Begin a hard check: the test fails unless it passes."
SOFT = "Begin a soft check: recorded and shown, never changing pass or fail."

# function, first sentence, what its checks return
ENTRY: tuple[tuple[str, str, str], ...] = (
    ("expect", HARD, "Verdict"),
    ("evaluate", SOFT, "Verdict | PendingVerdict"),
    ("awaited_expect", f"{HARD} Each check is awaited.", "Coroutine[Any, Any, Verdict]"),
)


def factories() -> dict[str, MatcherFactory[Any, Any]]:
    """The built-in matchers by their names in Python."""
    found = {name: getattr(grice.matchers, name) for name in sorted(grice.matchers.__all__)}
    return {name: one for name, one in found.items() if isinstance(one, MatcherFactory)}


def generate() -> str:
    """The whole text of the stub."""
    matchers = factories()
    imports = set(IMPORTS.strip().splitlines())
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, factory in matchers.items():
        groups.setdefault(kinds_of(factory), []).append(name)
    body: list[str] = []
    for kinds, names in sorted(groups.items()):
        if len(kinds) > 1:
            body.append(f"\nclass {_shared(kinds)}(Expectation[S, R]):")
            body += [_methods(name, matchers[name], imports) for name in names]
    for kind, (subject, _, _) in TYPES.items():
        bases = [_shared(kinds) for kinds in sorted(groups) if kind in kinds and len(kinds) > 1]
        listed = ", ".join(f"{base}[{subject}, R]" for base in bases or ["Expectation"])
        listed = listed if len(listed) < WIDTH - 30 else f"\n{_filled(listed)}\n"
        body.append(f"\nclass {_class(kind)}({listed}):")
        body.append(f'    """What can be expected of {KINDS[kind]}."""')
        body += [_methods(name, matchers[name], imports) for name in groups.get((kind,), ())]
    for function, doc, result in ENTRY:
        body += _overloads(function, doc, result)
    body.append("awaited_evaluate = awaited_expect\n")
    variables = 'S = TypeVar("S")\nR = TypeVar("R")\n\n# fmt: off'
    return "\n".join([HEADER, *sorted(imports), variables, *body])


def _overloads(function: str, doc: str, result: str) -> list[str]:
    """The forms of one function: for each kind of subject, at a path, and of a text that is read as JSON."""
    rows = [
        f"def {function}(subject: {parameter}) -> {_class(kind)}[{result}]: ..."
        for kind, (_, parameter, _) in TYPES.items()
        if parameter
    ]
    rows += [f"def {function}(subject: object, {at}) -> PathExpectation[{result}]: ..." for at in AT]
    rows = [row if "subject: object" in row else f"{row}  # type: ignore[overload-overlap]" for row in rows]
    rows[0] = rows[0].replace(": ...", ":") + f'\n    """{doc}"""'
    return ["", *(f"@overload\n{row}" for row in rows)]


def _class(kind: str) -> str:
    return f"{kind.capitalize()}Expectation"


def _shared(kinds: tuple[str, ...]) -> str:
    """The name of the class for what these have in common."""
    return "_" + "".join(map(str.capitalize, kinds))


def kinds_of(factory: MatcherFactory[Any, Any]) -> tuple[str, ...]:
    """The kinds of subject that the matcher is a method for."""
    hints = typing.get_type_hints(factory.function)
    subject = hints[next(iter(inspect.signature(factory.function).parameters))]
    members = typing.get_args(subject) if _is_union(subject) else (subject,)
    found = {Any if member is Any else typing.get_origin(member) or member for member in members}
    if collections.abc.Sequence in found:
        found.add(list)
    if collections.abc.Mapping in found:
        found.add(dict)
    return tuple(kind for kind, (_, _, accepted) in TYPES.items() if not found.isdisjoint(accepted))


def _is_union(annotation: object) -> bool:
    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union


class _Source(str):
    """A piece of source text, which a signature shows as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def _methods(name: str, factory: MatcherFactory[Any, Any], imports: set[str]) -> str:
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    if any(one.kind is one.POSITIONAL_ONLY for one in factory.parameters.values()):
        own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for one in factory.parameters.values():
        own.append(one.replace(annotation=_Source(one.annotation), default=_default(one)))
        for part in ast.walk(ast.parse(one.annotation)):
            if isinstance(part, ast.Name):
                _import_name(part.id, factory.function, imports)
    parameters = str(inspect.Signature(own))[1:-1]
    line = f"    def to_{name}({parameters}) -> R:"
    if len(line) > WIDTH:
        line = f"    def to_{name}(\n{_filled(parameters)}\n    ) -> R:"
    doc = (inspect.getdoc(factory.function) or "").split("\n")[0]
    return f'{line}\n        """{doc}"""\n    not_to_{name} = to_{name}'


def _default(parameter: inspect.Parameter) -> Any:
    """The default as source text, `...` for what has none."""
    if parameter.default is parameter.empty:
        return parameter.empty
    if isinstance(parameter.default, str):
        return _Source(json.dumps(parameter.default))
    plain = isinstance(parameter.default, int | float | tuple | None)
    return _Source(repr(parameter.default) if plain else "...")


def _filled(parameters: str) -> str:
    """The parameters on as many lines as they need, broken after commas only."""
    whole = re.sub(r"(?<!,) ", "\0", parameters)
    indent = " " * 8
    return textwrap.fill(whole, WIDTH, initial_indent=indent, subsequent_indent=indent).replace("\0", " ")


def _imported_from(name: str, module_name: str) -> list[str]:
    """The modules from which the module imports the name."""
    source = inspect.getsource(importlib.import_module(module_name))
    return [
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module and any(one.name == name for one in node.names)
    ]


def _exported(module: Any) -> set[str]:
    """The names that are imported from a module: those of its `__all__`, else those that it defines."""
    if hasattr(module, "__all__"):
        return set(module.__all__)
    found: set[str] = set()
    for node in ast.parse(inspect.getsource(module)).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
        found |= {str(getattr(one, "id", getattr(one, "name", ""))) for one in targets}
    return found


def _import_name(name: str, function: Any, imports: set[str]) -> None:
    if name in dir(builtins):
        return
    if name in ("Callable", "Collection", "Iterable", "Mapping", "Sequence"):
        imports.add(f"from collections.abc import {name}")
        return
    for module_name in (function.__module__, "grice.records", *_imported_from(name, function.__module__)):
        others = not module_name.startswith("grice.")
        if others or name in _exported(importlib.import_module(module_name)):
            imports.add(f"from {module_name} import {name}")
            return
    raise SystemExit(f"{function.__module__}.{function.__name__}: {name} is defined in none of these modules")


def catalogue() -> str:
    """The whole text of the other generated file."""
    matchers = factories()
    modules = {one.name: one.function.__module__ for one in matchers.values()}
    homes = "".join(f'    "{name}": "{modules[name]}",\n' for name in sorted(modules))
    methods = "".join(
        f'    "{name}": ("{one.name}", "{" ".join(kinds_of(one))}"),\n' for name, one in matchers.items()
    )
    return (
        '"""The built-in matchers: where each is, and what it judges.\n\n'
        "Written by tools/generate_expectations.py (`make generate`); do not edit.\n"
        f'"""\n\nMODULES = {{\n{homes}}}\n"""The module of every matcher, by its name in files."""\n\n'
        f"METHODS = {{\n{methods}}}\n"
        '"""By the name in Python: its name in files, and the kinds of subject that have a method."""\n'
    )


def main() -> None:
    """Write the files and put them in the house style."""
    TARGET.write_text(generate(), "utf-8")
    CATALOGUE.write_text(catalogue(), "utf-8")
    for arguments in (["check", "-q", "--fix", "--select", "I,RUF022"], ["format", "-q"]):
        subprocess.run([sys.executable, "-m", "ruff", *arguments, str(TARGET), str(CATALOGUE)], check=True)


if __name__ == "__main__":
    main()
