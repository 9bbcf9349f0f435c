"""Labels: what people say of recorded conversations, beside what judges said."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, delete, select

from grice.store.database import insert_new, locked
from grice.store.tables import conversations, labels, test_suite_runs

_labels = labels.c
_AT_ONCE = 500


class LabelRow(NamedTuple):
    """A label: of which conversation or finding, by whom and when."""

    id: str
    conversation_id: str
    criterion: str | None
    label: str
    note: str | None
    labelled_by: str
    labelled_at: datetime


def write_labels(engine: Engine, standing: Sequence[LabelRow], replaced: Collection[str]) -> tuple[int, int]:
    """Add the labels that are new and remove the replaced ones, by id; the number of each."""
    with locked(engine) as connection:
        there = set(connection.execute(select(_labels.id)).scalars())
        new = [one._asdict() for one in standing if one.id not in there]
        old = sorted(there.intersection(replaced))
        insert_new(connection, labels, new)
        for start in range(0, len(old), _AT_ONCE):
            connection.execute(delete(labels).where(_labels.id.in_(old[start : start + _AT_ONCE])))
    return len(new), len(old)


def labels_of(
    connection: Connection, project: str, *, conversation: str = "", after: str = "", limit: int = 50
) -> list[LabelRow]:
    """The labels of a project's conversations, by id; the list goes on behind the id `after`."""
    query = labels_query(project, conversation, after, limit)
    return [LabelRow(*row) for row in connection.execute(query)]


def labels_of_scan(connection: Connection, scan: str, *, after: str = "", limit: int) -> list[LabelRow]:
    """The labels of a scan's findings, by id, of each finding `scan_<hex>/<key>`."""
    query = (
        select(*(_labels[field] for field in LabelRow._fields))
        .where(_is_on_scan(connection, scan), _labels.id > after)
        .order_by(_labels.id)
        .limit(limit)
    )
    return [LabelRow(*row) for row in connection.execute(query)]


def answers_on_scan(connection: Connection, scan: str) -> dict[str, dict[str, str]]:
    """What each rater says of a scan's findings, by the key of the finding and the rater's name.

    Of several labels of one rater the latest counts.
    """
    query = (
        select(_labels.conversation_id, _labels.labelled_by, _labels.label)
        .where(_is_on_scan(connection, scan))
        .order_by(_labels.labelled_at, _labels.id)
    )
    said: dict[str, dict[str, str]] = {}
    for finding, rater, label in connection.execute(query):
        said.setdefault(finding.removeprefix(f"{scan}/"), {})[rater] = label
    return said


def _is_on_scan(connection: Connection, scan: str) -> ColumnElement[bool]:
    """Whether a label is of a finding of the scan: a range of the index in both databases."""
    if connection.dialect.name == "sqlite":
        return and_(_labels.conversation_id > f"{scan}/", _labels.conversation_id < f"{scan}0")
    return _labels.conversation_id.startswith(f"{scan}/", autoescape=True)


def labels_query(
    project: str, conversation: str = "", after: str = "", limit: int = 50
) -> Select[*tuple[Any, ...]]:
    """The statement of `labels_of`."""
    query = (
        select(*(_labels[field] for field in LabelRow._fields))
        .join(conversations, conversations.c.id == _labels.conversation_id)
        .join(test_suite_runs, test_suite_runs.c.id == conversations.c.run_id)
        .where(test_suite_runs.c.project_id == project)
    )
    if conversation:
        query = query.where(_labels.conversation_id == conversation)
    if after:
        query = query.where(_labels.id > after)
    return query.order_by(_labels.id).limit(limit)
