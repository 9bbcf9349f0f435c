"""Which subjects a matcher can judge: what the annotation of its function says."""

from __future__ import annotations

import re
from functools import lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from grice.matching.matcher import Matcher, MatcherFactory
from grice.matching.paths import compile_path
from grice.matching.where import Where
from grice.suites.suite_records import Target

__all__ = ["is_root", "judges_replies", "subject_problem"]

_VALUES = frozenset(
    {"str", "float", "int", "bool", "list", "dict", "tuple", "Sequence", "Mapping", "NoneType"}
)
_LISTS = frozenset({"list", "tuple", "Sequence"})
_RECORDS = frozenset({"Reply", "Turn", "Exchange", "Conversation"})
_ANYTHING = frozenset({"Any", "object"})

_NAMES = {
    "reply": "reply",
    "data": "reply.data",
    "tool_calls": "tool_calls",
    "exchange": "exchange N",
    "prompt": "prompt",
    "conversation": "conversation",
}


def is_root(where: Where) -> bool:
    """Whether the path is that of the whole subject."""
    return compile_path(where.path).normalized == "$"


def judges_replies(matcher: Matcher[Any]) -> bool:
    """Whether the matcher judges replies, and no texts or values."""
    names = _subject_names(matcher.factory)
    return bool(names & {"Reply", "Turn"}) and not names & (_VALUES | _ANYTHING)


def subject_problem(matcher: Matcher[Any], target: Target, where: Where) -> str:
    """Why the matcher cannot judge what `on` and `path` name, with what it can; "" when it can or may.

    An annotation that is missing, `Any` or of types unknown here may stand for everything.
    """
    names, root = _subject_names(matcher.factory), is_root(where)
    if not names <= _VALUES | _RECORDS or _fits(names, target.kind, where):
        return ""
    fitting = [name for kind, name in _NAMES.items() if _fits(names, kind, where)]
    whole = [name for kind, name in _NAMES.items() if _fits(names, kind, Where("$"))]
    able = f"it judges {_listed(fitting or whole)}" if fitting or whole else ""
    if root and names & _VALUES and not names & {"str", "Exchange"}:
        able += f"{', and' if able else 'it judges'} a value at a 'path' below $"
        able += ", or a text with 'parse: json'" if target.kind in ("reply", "prompt") else ""
    place = _NAMES[target.kind] if root else f"a value at a path of {_NAMES[target.kind]}"
    return f"{matcher.factory.name} cannot judge {place}; {able}{'' if fitting else ' as a whole'}"


def _fits(names: frozenset[str], kind: str, where: Where) -> bool:
    """Whether one of the types is that of the subject.

    What judges the calls of a reply judges those of a conversation too, and the other way round; what judges
    the messages of a request judges those of all requests.
    """
    if not is_root(where) or kind == "data":
        return bool(names & _VALUES)
    if kind in ("reply", "prompt") and where.parse in ("json", "fenced"):
        return bool(names & _VALUES)
    calls = not names & (_VALUES | {"Exchange"})
    if kind == "reply":
        return bool(names & {"Reply", "Turn"}) or calls or ("str" in names and not names & _RECORDS)
    if kind == "conversation":
        return bool(names & {"Conversation", "Exchange"}) or calls
    if kind == "tool_calls":
        return bool(names & _LISTS) or (bool(names & {"Reply", "Turn"}) and not names & _VALUES)
    return ("Exchange" if kind == "exchange" else "str") in names


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


@lru_cache(maxsize=256)
def _subject_names(factory: MatcherFactory[Any, Any]) -> frozenset[str]:
    """The names of the types that the annotation of the subject has; `Any` when there is none."""
    import inspect

    function = factory.function
    subject = next(iter(inspect.signature(function).parameters.values()))
    try:
        kind = get_type_hints(function).get(subject.name, Any)
        kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        return frozenset(getattr(one, "__name__", str(one)) for one in kinds)
    except Exception:  # somebody's annotation that cannot be resolved here
        return frozenset(re.findall(r"\w+", str(subject.annotation)))
