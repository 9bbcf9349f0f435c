"""What people say of conversations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError
from grice.api.pages import Cursor, Limit, cursor_of, position_in, sendable
from grice.api.service import EDIT, READ, Asking, Served
from grice.identity import redact_text
from grice.store.labels import LabelRow, add_label, labels_of, remove_label
from grice.store.queries import project_of_conversation

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["labels"], responses=ERRORS)


class NewLabelBody(Body):
    """A label to keep: what is said of a conversation, or of one of its turns."""

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
    cursor: Cursor = "",
    limit: Limit = 50,
) -> LabelListBody:
    """List the labels of the project, or those of one conversation."""
    (after,) = position_in(cursor, tuple[str]) or ("",)
    with service.reading() as connection:
        found = labels_of(
            connection, service.project, conversation=conversation_id, after=after, limit=limit + 1
        )
    rows = found[:limit]
    following = (rows[-1].id,) if len(found) > limit else None
    return LabelListBody(labels=[_body(one) for one in rows], next_cursor=cursor_of(following))


@router.post("/labels", status_code=201, dependencies=[EDIT])
def create_label(body: NewLabelBody, service: Served, caller: Asking) -> LabelBody:
    """Keep what somebody says of a conversation; secrets in the note are taken out."""
    with service.reading() as connection:
        if project_of_conversation(connection, body.conversation_id) != service.project:
            raise ApiError(404, f"there is no conversation {body.conversation_id!r}")
    with service.writing(caller, f"labelled the conversation {body.conversation_id}") as connection:
        row = add_label(
            connection,
            body.conversation_id,
            body.label,
            caller.name,
            turn=body.turn,
            criterion=body.criterion,
            note=None if body.note is None else redact_text(body.note),
        )
    return _body(row)


@router.delete("/labels/{label_id}", status_code=204, dependencies=[EDIT])
def delete_label(label_id: str, service: Served, caller: Asking) -> None:
    """Take a label away."""
    with service.writing(caller, f"took the label {label_id} away") as connection:
        if not remove_label(connection, label_id):
            raise ApiError(404, f"there is no label {label_id!r}")


def _body(row: LabelRow) -> LabelBody:
    return LabelBody(**sendable(row._asdict()))
