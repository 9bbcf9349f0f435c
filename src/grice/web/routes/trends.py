"""The history of runs: pass rate, criteria, judges' scores, tokens, latency, with the commit."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from grice.api.service import READ, Served
from grice.reporting.documents.trends import RunFigures, trends_document
from grice.store import queries
from grice.web.page_rendering import page

router = APIRouter(include_in_schema=False)

_RUNS = 30


@router.get("/trends", dependencies=[READ])
def trends(
    request: Request,
    service: Served,
    branch: Annotated[str, Query(max_length=500)] = "",
    name: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Show the figures of the last runs, of a branch or a name."""
    with service.reading() as connection:
        rows = queries.runs(
            connection, service.project, branch=branch, name=name, state="FINISHED", limit=_RUNS
        )
        summaries = [queries.summary_of(connection, one.id) or {} for one in rows]
        spent = {one.run: one for one in queries.usage(connection, service.project, limit=500)}
        known = queries.names_of_runs(connection, service.project)
    figures = [
        RunFigures(
            one.name or one.id,
            (one.git_commit or "")[:7],
            summary,
            use.tokens if use else None,
            use.seconds_p50 if use else None,
            use.seconds_p95 if use else None,
        )
        for one, summary in zip(rows, summaries, strict=True)
        for use in (spent.get(one.id),)
    ]
    document = trends_document(figures[::-1])
    wanted = {"branch": branch, "name": name}
    return page(request, "trends.html", title="Trends", document=document, known=known, wanted=wanted)
