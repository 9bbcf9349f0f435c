"""The body that answers a deletion."""

from __future__ import annotations

from grice.api.bodies import Body


class DeletedBody(Body):
    """`undo` is the token with which `POST /api/deletions/{undo}/undo` puts back what was deleted.

    It holds as long as this server goes on, for the last hundred deletions.
    """

    undo: str
