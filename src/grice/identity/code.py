"""The fingerprint of a function: its source without comments, layout, docstrings and place."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import lru_cache, partial
from types import CodeType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast


def code_data(code: Any) -> dict[str, str]:
    """`{"opaque": "sha256:..."}` of a function, method, class, or object that is called."""
    return {"opaque": code_fingerprint(code)}


def code_fingerprint(code: Any) -> str:
    """`sha256:` and 64 hex digits of the source of a function, method, class, or object that is called.

    Comments, blank lines, indentation, quotes, docstrings and the place in the file make no difference. Texts
    and numbers that `functools.partial` gives it count. What the function reads from elsewhere does not, and
    code without readable source counts by its name only.
    """
    plain, given = _innermost(code)
    node = _node_of(plain)
    source = f"{getattr(plain, '__module__', '')}.{code_name(plain)}" if node is None else _normal(node)
    return f"sha256:{hashlib.sha256(f'{source}{given}'.encode('utf-8', 'replace')).hexdigest()}"


def has_assertion(code: Any) -> bool:
    """Whether an `assert` or a `raise` stands in the source; in what cannot be read there is none."""
    import ast

    node = _node_of(_innermost(code)[0])
    return node is not None and any(isinstance(one, ast.Assert | ast.Raise) for one in ast.walk(node))


def called_names(code: Any) -> frozenset[str]:
    """What the source calls, by dotted names such as `check`, `self.check` and `rooms.check`."""
    import ast

    node = _node_of(_innermost(code)[0])
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call)) if node is not None else ()
    return frozenset(name for one in calls if (name := ast.unparse(one)).replace(".", "").isidentifier())


def code_name(code: Any) -> str:
    """The name of the code whatever its place in the file: `shortens`, `TestRooms.enough`, `<lambda>`."""
    plain, _ = _innermost(code)
    return str(getattr(plain, "__qualname__", type(plain).__qualname__)).rpartition("<locals>.")[2]


def name_of_code(code: Any) -> str:
    """The name of a function for messages; a lambda is named by its place."""
    plain, _ = _innermost(code)
    name = str(getattr(plain, "__name__", type(plain).__name__))
    place = getattr(plain, "__code__", None)
    if name != "<lambda>" or place is None:
        return name
    return f"lambda at {place.co_filename.replace(chr(92), '/').rpartition('/')[2]}:{place.co_firstlineno}"


def _innermost(code: Any) -> tuple[Any, str]:
    """The function inside partials, methods and decorators, else the class of an object; what is given."""
    given: list[str] = []
    seen: set[int] = set()
    while id(code) not in seen:
        seen.add(id(code))
        if isinstance(code, partial):
            given += map(_stable_repr, (*code.args, *sorted(code.keywords.items())))
            code = code.func
        code = getattr(code, "__func__", code)
        code = getattr(code, "__wrapped__", code)
    if not isinstance(code, type) and not hasattr(code, "__code__") and not hasattr(code, "__qualname__"):
        code = type(code)
    return code, "".join(f"\n{one}" for one in given)


def _stable_repr(value: Any) -> str:
    """A value as text that is the same in every run; an object counts by its type."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_stable_repr, value))})"
    plain = value is None or isinstance(value, str | bytes | int | float)
    return repr(value) if plain else type(value).__qualname__


# -- the source


def _node_of(code: Any) -> ast.AST | None:
    """Where the code is defined, in the syntax tree of its file; None where that cannot be read."""
    place = getattr(code, "__code__", None)
    if isinstance(place, CodeType):
        tree = _tree(place.co_filename, getattr(code, "__globals__", None))
        return None if tree is None else _of_function(tree, place)
    module = sys.modules.get(getattr(code, "__module__", None) or "")
    file = getattr(module, "__file__", None)
    if not isinstance(code, type) or file is None:
        return None
    tree = _tree(file, vars(module))
    return None if tree is None else _of_class(tree, code.__qualname__.split("."))


def _tree(file: str, names: dict[str, Any] | None) -> ast.Module | None:
    import linecache

    linecache.checkcache(file)
    return _parsed("".join(linecache.getlines(file, names)))


@lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module | None:
    import ast

    try:
        return ast.parse(source) if source else None
    except (SyntaxError, ValueError, RecursionError, SystemError):  # the last where threads parse (3.11)
        return None


def _of_function(tree: ast.Module, place: CodeType) -> ast.AST | None:
    """The function that begins on the line of the code; of several lambdas there the one with its steps."""
    import ast

    line = place.co_firstlineno
    if place.co_name == "<lambda>":
        lambdas = [one for one in ast.walk(tree) if isinstance(one, ast.Lambda) and one.lineno == line]
        return next(_around(lambdas, place), None) if len(lambdas) > 1 else next(iter(lambdas), None)
    return _functions(tree).get((place.co_name, line))


@lru_cache(maxsize=64)
def _functions(tree: ast.Module) -> dict[tuple[str, int], ast.AST]:
    """The functions of a file by name and first line: a file of tests is asked for each of them."""
    import ast

    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {(one.name, _first_line(one)): one for one in reversed(functions)}


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _around(lambdas: list[ast.Lambda], place: CodeType) -> Iterator[ast.Lambda]:
    """Those whose body has every step of the code, the shortest first."""
    steps = [
        (begin, start, end, stop)
        for begin, end, start, stop in place.co_positions()
        if begin is not None and end is not None and start is not None and stop
    ]

    def size(one: ast.Lambda) -> tuple[int, int]:
        return (one.end_lineno or 0) - one.lineno, (one.end_col_offset or 0) - one.col_offset

    for one in sorted(lambdas, key=size):
        first = one.body.lineno, one.body.col_offset
        last = one.body.end_lineno or 0, one.body.end_col_offset or 0
        if all(first <= (begin, start) and (end, stop) <= last for begin, start, end, stop in steps):
            yield one


def _of_class(tree: ast.Module, names: list[str]) -> ast.AST | None:
    """The class of that qualified name, the last where there are several."""
    import ast

    found: ast.AST = tree
    scopes = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for name in (one for one in names if one != "<locals>"):
        named = [one for one in ast.walk(found) if isinstance(one, scopes) and one.name == name]
        if not named:
            return None
        found = named[-1]
    return found


def _normal(node: Any) -> str:
    """The tree as text, without places, docstrings and what is empty: the same in every version of Python."""
    import ast

    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.AST):
        fields = ((name, _without_docstring(node, name, value)) for name, value in ast.iter_fields(node))
        kept = (f"{name}={_normal(value)}" for name, value in fields if value is not None and value != [])
        return f"{type(node).__name__}({', '.join(kept)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_normal, node))}]"
    return repr(node)


def _without_docstring(node: Any, name: str, value: Any) -> Any:
    import ast

    if name == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        told = ast.get_docstring(node, clean=False) is not None
        return value[1:] if told else value
    return value
