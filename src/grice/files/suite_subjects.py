"""Which subjects a matcher can judge: what the annotation of its function says."""

from __future__ import annotations

from typing import Any

from grice.files.suite_records import Target
from grice.matching.matcher import Matcher
from grice.matching.paths import compile_path
from grice.matching.selector import ValueSelector
from grice.matching.subject_types import ANYTHING, RECORDS, VALUES, subject_types

_LISTS = frozenset({"list", "tuple", "Sequence"})
_NAMES = {
    "reply": "reply",
    "data": "reply.data",
    "tool_calls": "tool_calls",
    "exchange": "exchange N",
    "prompt": "prompt",
    "conversation": "conversation",
    "state": "state",
}


def is_root(at: ValueSelector) -> bool:
    """Whether the path is that of the whole subject."""
    return at.path == "$" or compile_path(at.path).normalized == "$"


def judges_replies(matcher: Matcher[Any]) -> bool:
    """Whether the matcher judges replies, and no texts or values."""
    names = subject_types(matcher.factory)
    return bool(names & {"Reply", "Turn"}) and not names & (VALUES | ANYTHING)


def subject_problem(matcher: Matcher[Any], target: Target, at: ValueSelector) -> str:
    """Why the matcher cannot judge what `on` and `path` name, with what it can; "" when it can or may.

    An annotation that is missing, `Any` or of types unknown here may stand for everything.
    """
    names, root = subject_types(matcher.factory), is_root(at)
    if not names <= VALUES | RECORDS or _fits(names, target.kind, at):
        return ""
    fitting = [name for kind, name in _NAMES.items() if _fits(names, kind, at)]
    whole = [name for kind, name in _NAMES.items() if _fits(names, kind, ValueSelector("$"))]
    able = f"it judges {_listed(fitting or whole)}" if fitting or whole else ""
    if root and names & VALUES and not names & {"str", "Exchange"}:
        able += f"{', and' if able else 'it judges'} a value at a 'path' below $"
        able += ", or a text with 'parse: json'" if target.kind in ("reply", "prompt") else ""
    place = _NAMES[target.kind] if root else f"a value at a path of {_NAMES[target.kind]}"
    return f"{matcher.factory.name} cannot judge {place}; {able}{'' if fitting else ' as a whole'}"


def _fits(names: frozenset[str], kind: str, at: ValueSelector) -> bool:
    """Whether one of the types is that of the subject.

    What judges the calls of a reply judges those of a conversation too, and the other way round; what judges
    the messages of a request judges those of all requests.
    """
    if not is_root(at) or kind == "data":
        return bool(names & VALUES)
    if "StateChange" in names or kind == "state":
        return "StateChange" in names and kind == "state"
    if kind in ("reply", "prompt") and at.parse in ("json", "fenced"):
        return bool(names & VALUES)
    calls = not names & (VALUES | {"Exchange"})
    if kind == "reply":
        return bool(names & {"Reply", "Turn"}) or calls or ("str" in names and not names & RECORDS)
    if kind == "conversation":
        return bool(names & {"Conversation", "Exchange"}) or calls
    if kind == "tool_calls":
        return bool(names & _LISTS) or (bool(names & {"Reply", "Turn"}) and not names & VALUES)
    return ("Exchange" if kind == "exchange" else "str") in names


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
