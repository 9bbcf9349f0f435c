"""The end of a labelling session as a document: how far it came, how far raters agree, what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from grice.reporting.document import Answer, Code, Document, Part, Section, lines
from grice.validation.labelling.session import Session

__all__ = ["labels_document"]


def labels_document(session: Session, agreement: Sequence[str], command: str = "") -> Document:
    """How many items have a label, and how far every two raters agree.

    `command` measures a judge against the labels, "" where there are none; NAME stands in it for a criterion.
    """
    told = f"{session.done} of {session.total} done, {session.new} now"
    skipped = f", {session.skipped} skipped" if session.skipped else ""
    going_on = "The same command goes on where you left off." if session.done < session.total else ""
    unnamed = lines(["NAME: the criterion that asks the same"]) if " NAME " in command else ()
    parts: tuple[Part, ...] = (
        *([Section("Agreement", lines(agreement), folded=False)] if agreement else []),
        *([Section("Next", (Code(command), *unnamed), folded=False)] if command else []),
    )
    return Document("labels", "", Answer(f"{told}{skipped}", "", going_on if command else ""), parts=parts)
