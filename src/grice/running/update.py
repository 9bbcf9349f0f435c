"""Rewriting a golden's file from a run of it."""

from __future__ import annotations

from pathlib import Path

from grice.files.document import Document, FileError, load_file
from grice.files.golden_records import Golden
from grice.files.update import exclusively, updated_golden
from grice.files.writing import replacing
from grice.matching.redacted import redaction_of
from grice.records import JsonValue, Outcome, Result

__all__ = ["update_golden"]


def update_golden(golden: Golden, result: Result) -> list[str]:
    """Rewrite in the golden's file what it observed, and say what was done, one note a line.

    Nothing is rewritten when the agent failed or a check ended in an error: then there is nothing to go by.
    """
    broken = next((verdict for verdict in result.verdicts if verdict.outcome is Outcome.ERROR), None)
    if broken is not None or result.failure in ("error", "timeout"):
        why = f": {broken.reason.splitlines()[0]}" if broken is not None and broken.reason else ""
        return [f"{golden.id}: not rewritten, because the run ended in an error{why}"]
    try:
        with exclusively(golden.file):  # workers of xdist rewrite goldens of one file
            return _rewrite(golden, result)
    except FileError as error:
        return [f"{golden.id}: not rewritten: {error}"]
    except OSError as error:
        return [f"{golden.id}: not rewritten: {golden.file}: {error.strerror or error}"]


def _rewrite(golden: Golden, result: Result) -> list[str]:
    document = load_file(golden.file)
    if not _still_holds(document, golden):
        return [f"{golden.id}: not rewritten, because {golden.file} was changed since it was read"]
    played = result.conversation.turns[-len(golden.turns) :]
    hide = redaction_of(result.conversation).text
    text, notes = updated_golden(document, golden, [turn.text for turn in played], hide)
    if text is None:
        return [f"{golden.id}: nothing to rewrite", *notes]
    with replacing(Path(golden.file)) as stream:
        stream.write(text.encode())
    return [f"{golden.id}: rewrote {golden.file}", *notes]


def _still_holds(document: Document, golden: Golden) -> bool:
    """Whether the golden still stands at its place in the file, with the content it was read with."""
    value: JsonValue = document.value
    for step in golden.place:
        if not isinstance(value, list) or not isinstance(step, int) or step >= len(value):
            return False
        value = value[step]
    return bool(value == golden.content)
