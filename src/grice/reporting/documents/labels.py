"""The end of a labelling session as a document: how far it came, how far raters agree, what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from grice.judging.calibration_cards import Card
from grice.reporting.document import Answer, Code, Document, Line, Note, Part, Section, Table, lines
from grice.stats.estimates import Estimate


def labels_document(
    done: int,
    total: int,
    agreement: Sequence[str],
    command: str = "",
    *,
    new: int | None = None,
    skipped: int = 0,
) -> Document:
    """How many items have a label, `new` of them of this session, and how far every two raters agree.

    `command` measures a judge against the labels, "" where there are none; NAME stands in it for a criterion.
    """
    now = "" if new is None else f", {new} now"
    told = f"{done} of {total} done{now}{f', {skipped} skipped' if skipped else ''}"
    going_on = "The same command goes on where you left off." if done < total and new is not None else ""
    unnamed = lines(["NAME: the criterion that asks the same"]) if " NAME " in command else ()
    parts: tuple[Part, ...] = (
        *([Section("Agreement", lines(agreement), folded=False)] if agreement else []),
        *([Section("Next", (Code(command), *unnamed), folded=False)] if command else []),
    )
    return Document("labels", "", Answer(told, "", going_on if command else ""), parts=parts)


def card_section(card: Card) -> Section:
    """How far a judge agrees with people, by its calibration card."""
    by = f"{card.model or 'code'}, prompt {card.prompt} v{card.prompt_version}"
    about = f"{by}: {card.n:,} held-out items, labels of {card.raters} raters, {card.created[:10]}"
    rates = (
        ("kappa", card.kappa),
        ("right where people let pass", card.sensitivity),
        ("right where people fail", card.specificity),
        ("same answer", card.agreement),
        ("alpha among the people", card.alpha),
    )
    rows = tuple((name, *_estimated(one)) for name, one in rates if one is not None)
    table = (Table(("", "value", "95 % interval"), rows, ("left", "right", "right")),) if rows else ()
    notes = tuple(Note(one, "faint") for one in card.notes)
    return Section(f"Calibration card: {card.judge}", (Line(about), *table, *notes), folded=False)


def _estimated(one: Estimate) -> tuple[str, str]:
    return f"{one.value:.2f}", f"{one.low:.2f} to {one.high:.2f}"
