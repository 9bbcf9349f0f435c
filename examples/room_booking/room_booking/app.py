"""Putting the assistant together."""

from __future__ import annotations

from typing import Any

from .assistant import Assistant
from .rooms import demo_calendar

BUGS = ("", "price")


def agent(context: Any) -> Assistant:
    """The assistant on the model of `context`, or on OpenAI's when there is none.

    Its calendar is `context["calendar"]`, else a fresh one; its bug is `context["bug"]`, else none.
    """
    bug = context.extra.get("bug", "")
    if bug not in BUGS:
        raise ValueError(f"there is no bug {bug!r}; the only one is {BUGS[1]!r}")
    calendar = context.extra.get("calendar") or demo_calendar()
    return Assistant(context.model.openai_client if context.model else _openai(), calendar, bug=bug)


def _openai() -> Any:
    from openai import OpenAI

    return OpenAI()
