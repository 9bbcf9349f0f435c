"""The short name of a check, as reports of runs list it: `satisfy(friendly)`, `not call_tool(book_room)`."""

from __future__ import annotations

import re

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.records import Verdict
from grice.text import shorten, visible

_LONGEST = 160
_NAMING = ("tool", "topic", "goal", "intent")


def label(verdict: Verdict) -> str:
    """The check on one line: the matcher's Python name and what it looked for, the claim where it has none.

    `not` stands before a negated one.
    """
    name = python_name(verdict)
    about = _about(verdict, name) if name else None
    text = verdict.claim if about is None else f"{name}({about})" if about else name
    text = shorten(visible(text, newlines=False), _LONGEST) or "(a check without a name)"
    return f"not {text}" if verdict.negated and about is not None else text


def python_name(verdict: Verdict) -> str:
    """The matcher's name in Python, "" for a verdict without one."""
    return python_matcher(verdict.matcher)


def _about(verdict: Verdict, name: str) -> str | None:
    """What stands in the parentheses, None when it cannot be told apart from the claim's sentence."""
    parts = verdict.parts
    if any(part.matcher != verdict.matcher for part in parts):
        parts = ()  # a bundle is named by itself, and not by all its checks
    if isinstance(bundle := verdict.detail.get("bundle"), str):
        return bundle  # its parts are many
    criteria = [part.criterion for part in parts if part.criterion] or [verdict.criterion]
    if criteria[0]:
        return ", ".join(criteria)
    for field in _NAMING:
        if isinstance(named := verdict.detail.get(field), str):
            return named
    found = re.search(rf"\bto {re.escape(name.replace('_', ' '))}(?:$|[\s:])(.*)", verdict.claim, re.DOTALL)
    return None if found is None else found[1].strip()
