"""The labels of conversations and findings, from the file of labels."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError
from grice.api.pages import Cursor, Limit, cursor_of, position_in, sendable
from grice.api.service import READ, Served
from grice.store.labels import LabelRow, labels_of, labels_of_scan

router = APIRouter(prefix="/api", tags=["labels"], responses=ERRORS)


class LabelBody(Body):
    """A label, with who said it and when."""

    id: str
    conversation_id: str
    criterion: str | None
    label: str
    note: str | None
    labelled_by: str
    labelled_at: datetime


class LabelListBody(Body):
    """A page of labels."""

    labels: list[LabelBody]
    next_cursor: str | None


@router.get("/labels", dependencies=[READ])
def list_labels(
    service: Served,
    conversation_id: Annotated[str, Query(alias="conversationId", max_length=255)] = "",
    scan: Annotated[str, Query(max_length=100, description="The id of a scan.")] = "",
    cursor: Cursor = "",
    limit: Limit = 50,
) -> LabelListBody:
    """List the labels of the project's conversations, those of one, or those of a scan's findings.

    `POST /api/labelling` writes them.
    """
    (after,) = position_in(cursor, tuple[str]) or ("",)
    with service.reading() as connection:
        if scan:
            if service.scans.find(scan) is None:
                raise ApiError(404, f"there is no scan {scan!r}")
            found = labels_of_scan(connection, scan, after=after, limit=limit + 1)
        else:
            found = labels_of(
                connection, service.project, conversation=conversation_id, after=after, limit=limit + 1
            )
    rows = found[:limit]
    following = (rows[-1].id,) if len(found) > limit else None
    return LabelListBody(labels=[_body(one) for one in rows], next_cursor=cursor_of(following))


def _body(row: LabelRow) -> LabelBody:
    return LabelBody(**sendable(row._asdict()))
