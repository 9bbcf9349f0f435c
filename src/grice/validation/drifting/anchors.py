"""Read a set of anchors: items that are judged again and again, each with its judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError
from grice.identity import fingerprint
from grice.judging.criterion import Criterion
from grice.text import value_text
from grice.typed import says
from grice.validation.judges.items import Item, read_items
from grice.validation.judges.judge_calls import Judged, UnknownJudge, judged_named
from grice.validation.rows import MAX_ERRORS, Row, read_rows

_BESIDE = frozenset(
    ("id", "judge", "scenario", "cluster", "criterion", "label", "labels", "value", "verdict", "rater")
) | {"note", "why", "source"}
_NO_JUDGE = (
    "Name it in 'judge' (a criterion, or naturalness, guidance, context_use), or name one for all with "
    "--judge"
)


class _AnchorFields(msgspec.Struct):
    """What makes a row an anchor."""

    judge: str = ""
    scenario: Annotated[str, says("a name", pattern=r"\S")] | int = 0
    id: str | int = 0


class Anchor(msgspec.Struct, frozen=True):
    """An item, the judge that judges it, and the scenario over which a median is taken.

    `fingerprint` changes with anything that the judge is shown of it, and with the judge and the scenario.
    """

    item: Item
    judge: str
    scenario: str
    fingerprint: str


class AnchorSet(msgspec.Struct, frozen=True):
    """The anchors of a file, in its order, and their judges by name."""

    anchors: tuple[Anchor, ...]
    judges: Mapping[str, Judged]


def read_anchors(path: Path, criteria: Mapping[str, Criterion], judge: str = "") -> AnchorSet:
    """The anchors of the file: rows as `read_items` takes them, with `judge` and `scenario`.

    `judge` is the judge of rows that name none; the scenario of those that name none is their id. Raises
    FileErrors with everything that is wrong: unknown judges, ids that are missing or there twice, anchors
    that are the same, and no anchors at all.
    """
    errors: list[FileError] = []
    items: list[Item] = []
    try:
        items = read_items([path])
    except FileErrors as wrong:  # what cannot be read as rows is among it
        errors += wrong.errors
    rows = list(read_rows(path, []))
    judges: dict[str, Judged] = {}
    taken: dict[str, Row] = {}
    told = {one.line for one in errors}
    for row in rows:
        errors += _wrong(row, criteria, judges)
        named_wrong = _wrong_id(row, taken)
        errors += [] if row.line in told else named_wrong
    errors += _wrong_default(path, rows, judge, criteria, judges)
    by_id = {str(row.fields.get("id")): row for row in rows}
    anchors = [] if errors else [_anchor(one, by_id[one.id], judge) for one in items if one.id in by_id]
    if not errors:
        errors += _repeated(anchors, by_id) or _left(path, anchors, rows)
    if errors:
        raise FileErrors(_sorted(errors))
    return AnchorSet(tuple(anchors), judges)


def _wrong(row: Row, criteria: Mapping[str, Criterion], judges: dict[str, Judged]) -> list[FileError]:
    """What is wrong with the fields that make a row an anchor; its judge is added to those that are known."""
    errors = row.problems(_AnchorFields)
    name: Any = row.fields.get("judge")
    if isinstance(name, str) and name not in judges:
        problem = _check_judge_name(name, criteria, judges)
        errors += [row.error(("judge",), f"judge: {problem}")] if problem else []
    return errors


def _wrong_default(
    path: Path, rows: list[Row], judge: str, criteria: Mapping[str, Criterion], judges: dict[str, Judged]
) -> list[FileError]:
    """What is wrong with the judge of the rows that name none; it is added to those that are known."""
    unnamed = [row for row in rows if "judge" not in row.fields]
    if not unnamed:
        said = f"every anchor names its judge: --judge {judge} is of none"
        return [WholeFileError(path, said)] if judge and rows else []
    if not judge:
        more = f" (and of {len(unnamed) - 1} more)" if len(unnamed) > 1 else ""
        return [unnamed[0].error((), f"which judge is this an anchor of{more}? {_NO_JUDGE}")]
    problem = "" if judge in judges else _check_judge_name(judge, criteria, judges)
    return [WholeFileError(path, f"--judge: {problem}")] if problem else []


def _wrong_id(row: Row, taken: dict[str, Row]) -> list[FileError]:
    """What is wrong with the id: there is none, or a row before has it."""
    name = row.fields.get("id")
    if name is None:
        return [row.error((), "missing field 'id': an anchor is known by it from run to run")]
    other = taken.setdefault(str(name), row)
    if other is row:
        return []
    return [row.error(("id",), f"id: {value_text(name)} is the id of the anchor in line {other.line} too")]


def _check_judge_name(name: str, criteria: Mapping[str, Criterion], judges: dict[str, Judged]) -> str:
    """Add the judge to those that are known, or say why it is none."""
    try:
        judged = judged_named(name, criteria)
    except UnknownJudge as error:
        return str(error)
    if judged.by_code:
        return f"the criterion {value_text(name)} is judged by code, which does not drift"
    judges[name] = judged
    return ""


def _anchor(item: Item, row: Row, default: str) -> Anchor:
    judge = str(row.fields.get("judge", default))
    scenario = str(row.fields.get("scenario", item.id))
    shown = {
        name: value
        for name, value in row.fields.items()
        if name not in _BESIDE and not name.startswith("label:")
    }
    content = fingerprint({"judge": judge, "scenario": scenario, "shown": shown})
    return Anchor(item, judge, scenario, content)


def _repeated(anchors: list[Anchor], rows: Mapping[str, Row]) -> list[FileError]:
    """What is there twice: it would count twice in a median."""
    seen: dict[tuple[str, str], Anchor] = {}
    errors: list[FileError] = []
    for one in anchors:
        row = rows[one.item.id]
        other = seen.setdefault((one.judge, _content(row)), one)
        if other is not one:
            same = f"the same as anchor {value_text(other.item.id)} in line {other.item.line}"
            errors.append(
                row.error((), f"{same}, for the same judge: to ask more than once there is --samples")
            )
    return errors


def _content(row: Row) -> str:
    return fingerprint({name: value for name, value in row.fields.items() if name not in _BESIDE})


def _left(path: Path, anchors: list[Anchor], rows: list[Row]) -> list[FileError]:
    """What is wrong when a row has become no anchor."""
    if not anchors:
        return [WholeFileError(path, "holds no anchors")]
    known = {one.item.id for one in anchors}
    lost = [row for row in rows if str(row.fields.get("id")) not in known]
    return [row.error((), "there is nothing to judge in this row") for row in lost]


def _sorted(errors: list[FileError]) -> list[FileError]:
    """In the order of the file, each thing said once."""
    once = {(one.line, one.column, one.message): one for one in errors}
    return [once[place] for place in sorted(once)][:MAX_ERRORS]
