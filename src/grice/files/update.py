"""Rewriting what a golden observed: its file with new expectations, and nothing else changed.

An observation is what the agent happened to say (`equals`, `contains`, `maxSentences`). A rule is what it
must always do (`notContains`, `validator`, `toolResultMessages`), and what it says while a call waits for the
user (`pendingAssertions`); a rule is never rewritten.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from grice.files.document import Document, FileError, parse_document
from grice.files.golden_records import Golden, GoldenTurn
from grice.identity import redact_text
from grice.loops.file_locks import locked, remove
from grice.records import JsonValue
from grice.text import sentences, value_text

Place = tuple[str | int, ...]


def updated_golden(
    document: Document, golden: Golden, final_texts: Sequence[str], hide: Callable[[str], str] = redact_text
) -> tuple[str | None, list[str]]:
    """The text of the golden's file with its observations brought up to date, and notes on what was done.

    `final_texts` has the last text of each turn that was played. The text is None when nothing changes. An
    exact text becomes the new one, a limit of sentences that was exceeded the new count, and a part that is
    not contained any more is dropped; the new text takes its place when none is left. What holds a secret,
    which `hide` takes out of a text, is not written.
    """
    text: str | None = None
    notes: list[str] = []
    for number, (turn, final_text) in enumerate(zip(golden.turns, final_texts, strict=False), 1):
        about = f"turn {number}: " if len(golden.turns) > 1 else ""
        for name, value, note in _changes(turn, final_text):
            if value == "" or value == [""]:
                notes.append(f"{about}{name} stays: the agent's final text is empty")
                continue
            if value in (final_text, [final_text]) and hide(final_text) != final_text:
                shown = value_text(hide(final_text))
                notes.append(f"{about}{name} stays: the agent's final text has a secret in it: {shown}")
                continue
            try:
                place = (*golden.place_of(number - 1), "assertions", "finalText", name)
                start, end = document.span(place)
                note += _lost_comments(document, document.text[start:end])
                text = document.with_value(place, value)
            except FileError as error:
                notes.append(f"{about}{name} cannot be rewritten: {error}")
            else:
                document = parse_document(text, path=document.path, syntax=document.syntax)
                notes.append(f"{about}{name} {note}")
        if rules := _rules(turn):
            notes.append(f"{about}rules are left as they are: {', '.join(rules)}")
    not_played = range(len(final_texts) + 1, len(golden.turns) + 1)
    notes += [f"turn {number} was not played, so it stays as it is" for number in not_played]
    return text, notes


def _lost_comments(document: Document, old: str) -> str:
    lost = document.syntax == "yaml" and "#" in old
    return "; a comment inside the old value is lost" if lost else ""


def _changes(turn: GoldenTurn, final_text: str) -> Iterator[tuple[str, JsonValue, str]]:
    """The name, the new value and a note for every observation of the turn that does not hold any more."""
    asserted = turn.assertions.final_text
    if isinstance(asserted.equals, str) and asserted.equals != final_text:
        yield "equals", final_text, "is the new final text"
    dropped = [part for part in asserted.contains if part not in final_text]
    if dropped:
        kept = [part for part in asserted.contains if part in final_text]
        named = ", ".join(map(value_text, dropped))
        note = f"no longer has {named}" + ("" if kept else ", and has the new final text instead")
        yield "contains", kept or [final_text], note
    count = len(sentences(final_text))
    if isinstance(asserted.max_sentences, int) and count > asserted.max_sentences:
        yield "maxSentences", count, f"is {count}, it was {asserted.max_sentences}"


def _rules(turn: GoldenTurn) -> list[str]:
    asserted = turn.assertions
    rules = {
        "notContains": asserted.final_text.not_contains,
        "toolResultMessages": asserted.tool_result_steps or asserted.every_step,
        "validator": asserted.validator,
        "pendingAssertions": not turn.pending.empty,
    }
    return [name for name, rule in rules.items() if rule]


@contextmanager
def exclusively(path: str | PathLike[str], patience: float = 10.0) -> Iterator[None]:
    """Hold the file alone among all processes that ask for it so: a lock file stands beside it meanwhile.

    Raises OSError that names the lock when another process holds it for longer than `patience` seconds.
    """
    target = Path(path).resolve()
    lock = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + patience
    while (file := locked(lock)) is None:
        if time.monotonic() > end:
            raise FileExistsError(f"another process holds {lock}")
        time.sleep(0.01)
    try:
        yield
    finally:
        remove(lock, file)
        os.close(file)
