"""What people say of conversations."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError
from grice.api.pages import Cursor, Limit, cursor_of, position_in, sendable
from grice.api.service import EDIT, READ, Asking, Served, Service
from grice.identity import redact_text
from grice.scanning.kept_scan import FindingGroup, grouped_findings
from grice.scanning.log_precision import ANSWERS
from grice.store.labels import LabelRow, add_label, labels_of, labels_of_scan, remove_label, subject_of_label
from grice.store.queries import project_of_conversation
from grice.text import did_you_mean, value_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["labels"], responses=ERRORS)


class NewLabelBody(Body):
    """A label to keep: what is said of a conversation, of one of its turns, or of a finding of a scan.

    A finding is `scan_<id>/<key>` in place of the id of a conversation, and its label right, wrong or unsure.
    """

    conversation_id: Annotated[str, Field(min_length=1, max_length=255)]
    label: Annotated[str, Field(min_length=1, max_length=200)]
    turn: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    criterion: Annotated[str | None, Field(max_length=200)] = None
    note: Annotated[str | None, Field(max_length=10_000)] = None


class LabelBody(Body):
    """A label, with who said it and when."""

    id: str
    conversation_id: str
    turn: int | None
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
    """List the labels of the project's conversations, those of one, or those of a scan's findings."""
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


@router.post("/labels", status_code=201, dependencies=[EDIT])
def create_label(body: NewLabelBody, service: Served, caller: Asking) -> LabelBody:
    """Keep what somebody says of a conversation; secrets in the note are taken out."""
    finding = _finding(service, body)
    if finding is None:
        with service.reading() as connection:
            if project_of_conversation(connection, body.conversation_id) != service.project:
                raise ApiError(404, f"there is no conversation {body.conversation_id!r}")
    what = "conversation" if finding is None else "finding"
    with service.writing(caller, f"labelled the {what} {body.conversation_id}") as connection:
        row = add_label(
            connection,
            body.conversation_id,
            body.label,
            caller.name,
            turn=body.turn,
            criterion=body.criterion if finding is None else finding.label,
            note=None if body.note is None else redact_text(body.note),
        )
    return _body(row)


@router.delete("/labels/{label_id}", status_code=204, dependencies=[EDIT])
def delete_label(label_id: str, service: Served, caller: Asking) -> None:
    """Take a label of the project away."""
    with service.writing(caller, f"took the label {label_id} away") as connection:
        subject = subject_of_label(connection, label_id)
        if subject is None or not _is_own(connection, service, subject):
            raise ApiError(404, f"there is no label {label_id!r}")
        remove_label(connection, label_id)


def _is_own(connection: Connection, service: Service, subject: str) -> bool:
    """Whether the conversation is the project's, or the finding is of one of its scans."""
    if service.scans.find(subject.partition("/")[0]) is not None:
        return True
    return project_of_conversation(connection, subject) == service.project


def _finding(service: Service, body: NewLabelBody) -> FindingGroup | None:
    """The findings of a scan that are labelled; None where a conversation is. Raises ApiError."""
    scan_id, _, key = body.conversation_id.partition("/")
    scan = service.scans.find(scan_id)
    if scan is None:
        return None
    found = next((one for one in grouped_findings(scan) if one.key == key), None)
    if found is None:
        raise ApiError(404, f"the scan {scan_id} has no finding {key!r}")
    if body.label not in ANSWERS:
        told = f"expected {', '.join(ANSWERS[:-1])} or {ANSWERS[-1]}{did_you_mean(body.label, ANSWERS)}"
        raise ApiError(400, "the request is wrong", [("label", f"{told}, found {value_text(body.label)}")])
    return found


def _body(row: LabelRow) -> LabelBody:
    return LabelBody(**sendable(row._asdict()))
