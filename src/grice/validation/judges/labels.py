"""Read people's labels from JSONL and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeGuard

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError
from grice.files.locate import JsonPath
from grice.text import did_you_mean, value_text
from grice.validation.judges.items import Item, Label, LabelValue, has_label
from grice.validation.rows import MAX_ERRORS, Row, read_rows

VERSION = 1
"""The version of the lines that `grice label` writes."""

LabelKind = Literal["yes_no", "score", "choice"]
"""What labels are: whether something is met, scores from 1 to 5, or choices."""

LOWEST, HIGHEST = 1, 5

_UNTOLD = ("", "?", "unsure", "could not tell")
_MET = ("true", "pass", "yes", "met", "passed", "y")
_UNMET = ("false", "fail", "no", "not met", "not_met", "failed", "n")
_KINDS: dict[LabelKind, str] = {"yes_no": "met or not", "score": "scores", "choice": "choices"}
_SHOWN = 3


class _LabelFields(msgspec.Struct):
    """What stands beside the labels of a row."""

    item: str | int = ""
    id: str | int = ""
    rater: str | int | None = None
    criterion: str | None = None
    note: str | None = None
    fingerprint: str = ""
    question: str = ""
    at: str = ""
    seconds: float = 0


class _LabelLine(msgspec.Struct):
    """A label as it was written, before it is known what the numbers among all of them mean."""

    row: Row
    where: JsonPath
    item: str
    rater: str
    value: Any
    retracts: bool = False

    @property
    def criterion(self) -> str:
        return self.row.fields.get("criterion") or ""

    @property
    def content(self) -> tuple[str, str]:
        """The content of the criterion then, or the question; other contents are not compared."""
        return self.row.fields.get("fingerprint") or "", self.row.fields.get("question") or ""

    @property
    def logged(self) -> bool:
        """Whether `grice label` wrote the line: then later lines replace earlier ones."""
        return "version" in self.row.fields and "at" in self.row.fields

    def error(self, message: str) -> FileError:
        return self.row.error(self.where, message)


def read_labels(files: Iterable[Path], *, criterion: str = "", kind: LabelKind | None = None) -> list[Label]:
    """The labels of the files. Raises FileErrors with everything that is wrong.

    A row has an `item` (or the `id` of a row that is an item too) and a `label` (or `value`), or `labels` by
    rater, or in CSV a column `label:anna` for each rater, where a blank cell is no label; and optional
    `rater`, `criterion` and `note`. Values are true and false, pass and fail, yes and no, met and not met,
    1 and 0; or numbers from 1 to 5; or else choices. Blank, null, `?` and `unsure` are None. Labels of one
    criterion are of one kind, which `kind` may say. Of the lines that `grice label` writes, the last of a
    rater about an item counts, less what was taken back. With `criterion` those that name another are left
    out. Rows without any label are passed over.
    """
    errors: list[FileError] = []
    written: list[_LabelLine] = []
    rows = 0
    given = list(files)
    for file in given:
        for row in read_rows(file, errors):
            rows += 1
            if has_label(row):
                written += _labels_in(row, errors)
            elif hint := _misspelt(row):
                errors.append(hint)
    written = [one for one in written if not criterion or one.criterion in ("", criterion)]
    if given and not errors and not any(not one.retracts for one in written):
        errors.append(WholeFileError(given[0], _none_at_all(criterion)))
    groups: dict[tuple[str, ...], list[_LabelLine]] = {}
    for one in written:
        if not one.retracts:
            asked = ("" if criterion else one.criterion, *one.content)
            groups.setdefault(asked, []).append(one)
    labels = _standing(written, _all_values(groups.values(), kind, errors))
    if errors:
        errors.sort(key=lambda one: (one.path, one.line, one.column))
        raise FileErrors(errors[:MAX_ERRORS])
    return labels


def check_labels(labels: Sequence[Label], items: Mapping[str, Item]) -> list[str]:
    """Find unknown items, and raters with two labels for one item."""
    problems: list[str] = []
    said: dict[tuple[str, ...], Label] = {}
    for label in labels:
        where = f"{label.file}:{label.line}: " if label.file else ""
        if label.item not in items:
            hint = did_you_mean(label.item, items) if len(items) <= 1_000 else ""
            problems.append(f"{where}label of an unknown item {value_text(label.item)}{hint}")
        key = (label.item, label.rater, label.criterion, label.fingerprint, label.question)
        first = said.setdefault(key, label)
        if first is not label:
            problems.append(f"{where}{_twice(first, label)}")
    return problems


def of_content(labels: Iterable[Label], fingerprint: str) -> tuple[list[Label], list[Label]]:
    """Split labels: those of a criterion of that content, or without one, and those of another content."""
    fitting: list[Label] = []
    others: list[Label] = []
    for label in labels:
        (fitting if label.fingerprint in ("", fingerprint) else others).append(label)
    return fitting, others


def kind_of(value: LabelValue) -> LabelKind:
    """The kind of label that the value is."""
    if isinstance(value, bool):
        return "yes_no"
    return "score" if isinstance(value, int | float) else "choice"


def _twice(first: Label, label: Label) -> str:
    who = label.rater or "somebody unnamed"
    place = f"line {first.line}" if first.file == label.file else f"{first.file}:{first.line}"
    unnamed = "" if label.rater else "; say who labels, in 'rater'"
    item = value_text(label.item)
    if first.value == label.value:
        return f"{who} labels item {item} twice, as in {place}{unnamed}"
    found = f"{_label_text(label.value)} here, {_label_text(first.value)} in {place}"
    return f"{who} says two things of item {item}: {found}{unnamed}"


def _label_text(value: LabelValue | None) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return "could not tell" if value is None else value_text(value)


def _none_at_all(criterion: str) -> str:
    if criterion:
        return f"holds no labels of criterion {value_text(criterion)}"
    return "holds no labels: expected item and label in each row"


# -- rows


def _labels_in(row: Row, errors: list[FileError]) -> Iterator[_LabelLine]:
    """The labels of a row; what is wrong with it is added to the errors."""
    fields = row.fields
    wrong = row.problems(_LabelFields)
    version = fields.get("version")
    if "at" in fields and isinstance(version, int) and version > VERSION:
        message = f"version {version} is newer than this Grice reads ({VERSION}); update Grice"
        wrong.append(row.error(("version",), message))
    item = fields.get("item", fields.get("id"))
    if item is None or item == "":
        wrong.append(row.error((), "missing field 'item', the id of what is labelled"))
    if wrong:
        errors += wrong
        return
    rater = str(fields.get("rater") or "")
    if fields.get("retracts") is True:
        yield _LabelLine(row, (), str(item), rater, None, retracts=True)
        return
    yield from _values(row, str(item), rater, errors)


def _values(row: Row, item: str, rater: str, errors: list[FileError]) -> Iterator[_LabelLine]:
    fields = row.fields
    several = fields.get("labels")
    named = {name[6:].strip(): (name,) for name in fields if name.startswith("label:")}
    alone = next((name for name in ("label", "value") if name in fields), None)
    if isinstance(several, dict):
        for name, value in several.items():
            yield _LabelLine(row, ("labels", name), item, name, value)
    elif several is not None:
        message = f"labels: expected an object of raters and their labels, found {value_text(several)}"
        errors.append(row.error(("labels",), message))
    for name, where in named.items():
        yield _LabelLine(row, where, item, name, fields[where[0]])
    if alone is not None and not (row.csv and named and not fields[alone]):
        yield _LabelLine(row, (alone,), item, rater, fields[alone])


def _misspelt(row: Row) -> FileError | None:
    """What is wrong with a row that was meant to have a label."""
    for name in row.fields:
        hint = did_you_mean(name, ("label", "labels")) if len(name) >= 5 else ""
        if hint and sorted(name.lower())[:5] == sorted("label"):
            return row.error((name,), f"unknown field {value_text(name)}{hint}", key=True)
    if "item" in row.fields and "text" not in row.fields:
        return row.error((), "missing field 'label'")
    return None


# -- values


def _all_values(
    groups: Iterable[Sequence[_LabelLine]], kind: LabelKind | None, errors: list[FileError]
) -> dict[int, LabelValue | None]:
    """What the labels say, by their identity; those of a group are of one kind."""
    values: dict[int, LabelValue | None] = {}
    for group in groups:
        read = [(one, _value(one, kind, errors)) for one in group]
        if kind != "score" and _are_binary(read):
            read = [(one, bool(value) if is_number(value) else value) for one, value in read]
        else:
            errors += [
                one.error(f"expected a score from {LOWEST} to {HIGHEST}, found {value_text(one.value)}")
                for one, value in read
                if is_number(value) and not LOWEST <= float(value or 0) <= HIGHEST
            ]
        errors += _mixed(read, kind)
        values |= {id(one): value for one, value in read}
    return values


def _value(one: _LabelLine, kind: LabelKind | None, errors: list[FileError]) -> LabelValue | None:
    """What a label says; a number may yet turn out to stand for met or not."""
    value = one.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value) if kind != "choice" else f"{value:g}"
    if not isinstance(value, str):
        errors.append(one.error(f"expected a label, found {value_text(value)}"))
        return None
    bare = value.strip()
    word = bare.lower()
    if word in _UNTOLD:
        return None
    if kind == "choice" or one.logged:
        return bare
    if word in _MET or word in _UNMET:
        return word in _MET
    number = _number(bare) if one.row.csv or kind is not None else None
    return bare if number is None else number


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _are_binary(labels: Iterable[tuple[_LabelLine, LabelValue | None]]) -> bool:
    """Whether all numbers are 1 and 0, which stand for met and not; `grice label` writes scores only."""
    return all(value in (0, 1) and not one.logged for one, value in labels if is_number(value))


def _mixed(labels: Sequence[tuple[_LabelLine, LabelValue | None]], kind: LabelKind | None) -> list[FileError]:
    """The error that labels are of several kinds, at the first of the rarer ones."""
    found: dict[LabelKind, list[_LabelLine]] = {}
    for one, value in labels:
        if value is not None:
            found.setdefault(kind_of(value), []).append(one)
    if kind is not None:
        wrong = [one for other, some in found.items() if other != kind for one in some]
        return [one.error(f"expected {_KINDS[kind]}, found {value_text(one.value)}") for one in wrong]
    if len(found) < 2:
        return []
    told = "; ".join(f"{_KINDS[other]} in {_lines(some)}" for other, some in found.items())
    rarest = min(found.values(), key=len)
    return [rarest[0].error(f"labels of several kinds: {told}")]


def _lines(labels: Sequence[_LabelLine]) -> str:
    files = {one.row.file for one in labels}
    places = [f"{one.row.line}" if len(files) == 1 else f"{one.row.file}:{one.row.line}" for one in labels]
    shown = ", ".join(places[:_SHOWN])
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"line{'' if len(places) == 1 else 's'} {shown}{more}"


def _standing(written: Sequence[_LabelLine], values: Mapping[int, LabelValue | None]) -> list[Label]:
    """The labels that stand: of what `grice label` wrote the last one, when it was not taken back."""
    labels: list[Label | None] = []
    stacks: dict[tuple[str, ...], list[int]] = {}
    for one in written:
        fields = one.row.fields
        told = {key: fields[key] for key in ("fingerprint", "question", "at", "seconds") if key in fields}
        key = (one.row.file, one.item, one.rater, one.criterion, *one.content)
        stack = stacks.setdefault(key, [])
        if one.retracts:
            if stack:
                labels[stack.pop()] = None
            continue
        if one.logged:
            stack.append(len(labels))
        labels.append(
            Label(
                item=one.item,
                value=values.get(id(one)),
                rater=one.rater,
                criterion=one.criterion,
                note=fields.get("note") or "",
                file=one.row.file,
                line=one.row.line,
                **told,
            )
        )
    replaced = {place for stack in stacks.values() for place in stack[:-1]}
    return [one for place, one in enumerate(labels) if one is not None and place not in replaced]


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a number, and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)
