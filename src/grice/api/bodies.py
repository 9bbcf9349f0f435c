"""The base of all bodies of requests and answers."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Body(BaseModel):
    """A JSON object with names in JavaScript's style; it is frozen and refuses unknown fields."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, strict=True
    )


class DeletedBody(Body):
    """`undo` is the token with which `POST /api/deletions/{undo}/undo` puts back what was deleted.

    It holds as long as this server goes on, for the last hundred deletions.
    """

    undo: str
