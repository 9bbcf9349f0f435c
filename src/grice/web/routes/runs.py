"""The runs of the project."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from grice.api.service import READ, Served
from grice.store import queries
from grice.web.show import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/", dependencies=[READ])
def runs(request: Request, service: Served) -> Response:
    """Show the runs, the latest first."""
    with service.reading() as connection:
        found = queries.runs(connection, service.project)
    return page(request, "runs.html", title="Runs", runs=found)
