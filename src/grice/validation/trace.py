"""A trial told like a bug report: what was expected and why, what was found, and where in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from grice.matching.json_text import json_text
from grice.records import Evidence, Turn
from grice.text import shorten, value_text, visible
from grice.text.excerpts import excerpt
from grice.validation.measuring import Trial

__all__ = ["Marked", "TraceLine", "heading", "trace"]

MAX_TEXT = 600
MAX_LINES = 8
MAX_EARLIER = 5
MAX_SAID = 200

Marked = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it is what the check looked at."""


class TraceLine(msgspec.Struct, frozen=True):
    """A line of a trace: what it is about, and the text."""

    label: str
    text: Marked

    @property
    def plain(self) -> str:
        """The text, what was looked at between » and «."""
        return "".join(f"»{part}«" if is_marked else part for part, is_marked in self.text)


def heading(trial: Trial) -> str:
    """`openers-title  robust  examples/openers.jsonl:12`."""
    example = trial.example
    file, here = Path(example.file), Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return visible(f"{example.id}  {trial.profile}  {shown}:{example.line}", newlines=False)


def trace(trial: Trial) -> Iterator[TraceLine]:
    """The lines of a trace, in the order in which a reader asks for them."""
    example, verdict = trial.example, trial.verdict
    documented = trial.documented or example.right
    why = f", because {_line(example.why)}" if example.why else ""
    if trial.as_documented:
        yield _plain("right", f"{example.right}{why}")
    else:
        right = f" (right is {example.right})" if example.right is not documented else ""
        yield _plain("expected", f"{documented}{right}{why}")
    yield _plain("found", f"{verdict.outcome}: {_line(verdict.reason) or 'no reason'}")
    if example.args:
        yield _plain("args", shorten(json_text(dict(example.args)), MAX_TEXT))
    yield from _texts(trial)


def _texts(trial: Trial) -> Iterator[TraceLine]:
    """The judged text with its marks, the data, and what was seen in other turns."""
    example = trial.example
    turns = example.conversation.turns
    judged = turns[-1]
    for turn in turns[-1 - MAX_EARLIER : -1]:
        said = [f"{who}: {shorten(_line(one), MAX_SAID)}" for who, one in _said(turn) if one]
        yield _plain(f"turn {turn.number}", "  ".join(said) or "nothing was said")
    if judged.user:
        yield _plain("user", _line(judged.user))
    text = example.text if example.subject_kind == "text" else judged.text
    evidence = trial.verdict.evidence
    here = [one for one in evidence if one.turn in (None, judged.number) and one.path is None]
    if text:
        yield TraceLine("reply", _marked(text, here))
    if judged.data is not None:
        yield _plain("data", shorten(json_text(judged.data), MAX_TEXT))
    others = [one for one in evidence if one not in here or not _is_span(one, text)]
    for one in others[:MAX_LINES]:
        place = f"in turn {one.turn}" if one.turn is not None and one.turn != judged.number else "saw"
        path = f"{one.path} " if one.path else ""
        note = f" ({_line(one.note)})" if one.note else ""
        yield _plain(place, f"{path}{value_text(one.quote)}{note}")


def _said(turn: Turn) -> tuple[tuple[str, str], ...]:
    data = json_text(turn.data) if turn.data is not None else ""
    return (("user", turn.user), ("reply", turn.text), ("data", data))


def _is_span(one: Evidence, text: str) -> bool:
    return one.start is not None and one.end is not None and 0 <= one.start < one.end <= len(text)


def _marked(text: str, evidence: Sequence[Evidence]) -> Marked:
    spans = sorted({(one.start or 0, one.end or 0) for one in evidence if _is_span(one, text)})
    shown, marks = excerpt(text, spans[:MAX_LINES])
    if not spans:
        return ((_line(text), False),)
    parts: list[tuple[str, bool]] = []
    position = 0
    for start, end in marks:
        if start < position:
            continue  # inside the one before it
        parts += [(_line(shown[position:start]), False), (_line(shown[start:end]), True)]
        position = end
    return (*parts, (_line(shown[position:]), False))


def _plain(label: str, text: str) -> TraceLine:
    return TraceLine(label, ((text, False),))


def _line(text: str) -> str:
    return shorten(visible(re.sub(r"[\t\n\r]+", " ", text), newlines=False), MAX_TEXT)
