"""The use of matchers, and who changed what."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from grice.api.bodies import Body
from grice.api.errors import ERRORS
from grice.api.pages import Cursor, Limit, cursor_of, position_in, sendable
from grice.api.service import EDIT, READ, Served
from grice.store.queries import matcher_usage
from grice.store.tokens import changes_of

router = APIRouter(prefix="/api", tags=["history"], responses=ERRORS)

LastRuns = Annotated[int, Query(ge=1, le=1_000, description="How many of the last runs are counted.")]


class MatcherUseBody(Body):
    """How often a matcher judged, in how many runs, and how often it said what."""

    matcher: str
    uses: int
    runs: int
    outcomes: dict[str, int]


class ChangeBody(Body):
    """A change: who made it, when, and what it was."""

    number: int
    who: str
    changed_at: datetime
    what: str


class ChangeListBody(Body):
    """A page of changes, the latest first."""

    changes: list[ChangeBody]
    next_cursor: str | None


@router.get("/matcher-usage", dependencies=[READ])
def get_matcher_usage(
    service: Served,
    runs: LastRuns = 50,
) -> list[MatcherUseBody]:
    """Count how often each matcher judged in the last runs, the most used first."""
    with service.reading() as connection:
        found = matcher_usage(connection, service.project, limit=runs)
    return [MatcherUseBody(**sendable(one._asdict())) for one in found]


@router.get("/changes", dependencies=[EDIT])
def list_changes(service: Served, cursor: Cursor = "", limit: Limit = 50) -> ChangeListBody:
    """List who changed what through this service, the latest first."""
    (before,) = position_in(cursor, tuple[int]) or (None,)
    with service.reading() as connection:
        found = changes_of(connection, service.project, before=before, limit=limit + 1)
    rows = found[:limit]
    following = (rows[-1].number,) if len(found) > limit else None
    bodies = [ChangeBody(**sendable(one._asdict())) for one in rows]
    return ChangeListBody(changes=bodies, next_cursor=cursor_of(following))
