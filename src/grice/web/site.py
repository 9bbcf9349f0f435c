"""The application that programs and people ask: the service, and the pages beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from grice.api.app import make_app
from grice.api.service import Service
from grice.web.comparisons import Comparisons
from grice.web.kept_results import KeptResults
from grice.web.page_rendering import load_templates, page, piece
from grice.web.routes import (
    case,
    compare,
    conversation,
    labels,
    prompts,
    run,
    running,
    runs,
    scans,
    static,
    suites,
    trends,
)
from grice.web.run_reports import RunReports

ROUTERS = (
    static.router,
    runs.router,
    trends.router,
    running.router,
    run.router,
    conversation.router,
    compare.router,
    scans.router,
    labels.router,
    suites.router,
    prompts.router,
    case.router,
)
"""The routers of the pages."""


def make_site(service: Service) -> FastAPI:
    """The application with its pages; whoever was let in begins at the runs."""
    load_templates()
    site = make_app(service, home="/", closed=_closed)
    site.state.reports = RunReports()
    site.state.kept = KeptResults()
    site.state.comparisons = Comparisons()
    for router in ROUTERS:
        site.include_router(router)
    for kind, handler in list(site.exception_handlers.items()):
        site.add_exception_handler(kind, _page_or_json(handler))
    return site


def _closed(why: str) -> Response:
    """The page of a browser that is not let in, such as one whose session has ended."""
    return piece("closed.html", status=401, why=why)


def _page_or_json(handler: Callable[..., Any]) -> Callable[[Request, Exception], Response]:
    """The handler of a problem, which is a page where a page was asked for."""

    def tell(request: Request, error: Exception) -> Response:
        answer = handler(request, error)
        if request.url.path.startswith("/api/") or not isinstance(answer, JSONResponse):
            return answer  # type: ignore[no-any-return]
        problem = json.loads(bytes(answer.body))
        return page(request, "problem.html", title="Problem", status=answer.status_code, problem=problem)

    return tell
