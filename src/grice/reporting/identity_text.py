"""What an experiment was, in words, alike in all reports: its time, and the state of its code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from grice.records import JsonValue
from grice.running.journal.changes import changes_in
from grice.running.journal.experiment import Experiment
from grice.text import shorten, visible

_LONGEST_BRANCH = 120


def git_text(head: Experiment) -> str:
    """The commit and branch as `abc123def (main), with changes`, "" where neither is known."""
    commit, branch = _line(head.git_commit or "")[:9], shorten(_line(head.git_branch or ""), _LONGEST_BRANCH)
    if not commit and not branch:
        return ""
    where = f"{commit or 'no commit'}{branch and f' ({branch})'}"
    return f"{where}, with changes" if head.git_dirty else where


def mixed_text(heads: Sequence[Experiment]) -> str:
    """That a run is of several configurations, and which; "" for one that is of one."""
    found = changes_in(heads)
    return _line(f"several configurations in one run: {'; '.join(found)}") if found else ""


def moment_text(timestamp: str) -> str:
    """The time of a head as `2025-01-16 14:30:00 UTC`."""
    return _line(re.sub(r"(\.\d+)?Z$", " UTC", timestamp.replace("T", " ", 1)))


def _line(text: str) -> str:
    return visible(text, newlines=False)


def head_json(head: msgspec.Struct) -> dict[str, JsonValue]:
    """The head of an experiment, or a part of it, as JSON: every field; null is what is not known."""
    return {name: _plain(getattr(head, name)) for name in head.__struct_fields__}


def _plain(value: Any) -> JsonValue:
    """A text that says nothing is null; models are whole, as the head is."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, msgspec.Struct):
        return head_json(value)
    plain: JsonValue = msgspec.to_builtins(value)
    return None if plain == "" else plain
