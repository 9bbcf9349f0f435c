"""The input of a measurement: people's labels, the items they are on, and recorded answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from grice.files.document import FileError, FileErrors
from grice.records import Conversation
from grice.validation.judges.items import Item, Label, read_items
from grice.validation.judges.labels import LabelKind, check_labels, read_labels
from grice.validation.judges.verdict_log import Answer, read_answers

T = TypeVar("T")

_MAX_WRONG = 50


class Unmeasurable(ValueError):
    """Nothing can be measured; the text gives each reason on a line."""


class Material(msgspec.Struct, frozen=True):
    """The input of a measurement: labels, items by id (none where there are only verdicts), answers."""

    labels: tuple[Label, ...]
    items: Mapping[str, Item]
    answers: tuple[Answer, ...] = ()
    sources: tuple[str, ...] = ()


def read_material(
    name: str, labels: Sequence[Path], items: Sequence[Path] = (), verdicts: Path | None = None
) -> Material:
    """Read everything. Raises FileErrors with all that is wrong in any of the files, and Unmeasurable."""
    errors: dict[str, FileError] = {}

    def read(reader: Callable[[], list[T]]) -> list[T]:
        try:
            return reader()
        except FileErrors as error:
            errors.update({str(one): one for one in error.errors})
            return []

    answers = read(lambda: [] if verdicts is None else read_answers(verdicts))
    kind: LabelKind | None = "choice" if any(isinstance(one.value, str) for one in answers) else None
    found = read(lambda: read_labels(labels, criterion=name, kind=kind))
    things = read(lambda: _items(labels, items))
    if errors:
        raise FileErrors(list(errors.values()))
    by_id = {one.id: one for one in things}
    bare = {} if by_id else {one.item: Item(one.item, Conversation(turns=())) for one in found}
    wrong = check_labels(found, by_id or bare)
    if wrong:
        more = [f"and {len(wrong) - _MAX_WRONG:,} more"] if len(wrong) > _MAX_WRONG else []
        raise Unmeasurable("\n".join([*wrong[:_MAX_WRONG], *more]))
    sources = dict.fromkeys(str(one) for one in (*labels, *items, *([verdicts] if verdicts else [])))
    return Material(tuple(found), by_id, tuple(answers), tuple(sources))


def _items(labels: Sequence[Path], items: Sequence[Path]) -> list[Item]:
    """The items in files of their own, or in those of the labels; those may hold labels alone."""
    if items:
        return read_items(items)
    try:
        return read_items(labels)
    except FileErrors as error:
        if all("holds no items" in one.message for one in error.errors):
            return []
        raise
