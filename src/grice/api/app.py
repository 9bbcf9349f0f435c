"""The application of a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio.to_thread import current_default_thread_limiter, run_sync
from fastapi import FastAPI

from grice._version import __version__
from grice.api.documentation import router as documentation
from grice.api.errors import add_handlers
from grice.api.guard import HOME, Closed, Guard
from grice.api.openapi import OPENAPI, add_document
from grice.api.routes import (
    cases,
    comparing,
    history,
    labelling,
    labels,
    matching,
    models,
    projects,
    prompts,
    running,
    runs,
    suites,
)

if TYPE_CHECKING:
    from grice.api.service import Service


ROUTERS = (
    projects.router,
    prompts.router,
    running.router,
    cases.router,
    suites.router,
    runs.router,
    matching.router,
    comparing.router,
    labels.router,
    labelling.router,
    models.router,
    history.router,
    documentation,
)
"""The routers, in the order in which the documentation has them."""
_THREADS = 12
"""Requests that are worked on at once: fewer than SQLAlchemy has connections, so that none waits in vain."""

_NOTHING = {"type": "http", "method": "GET", "path": "/nothing/is/here", "root_path": "", "headers": []}
"""A request that no route takes."""


def make_app(service: Service, *, home: str = HOME, closed: Closed | None = None) -> FastAPI:
    """The application that answers for the service; the link that lets a browser in leads to `home`.

    `closed` makes the page of those who are not let in.
    """
    app = FastAPI(
        title="Grice",
        version=__version__,
        openapi_url=OPENAPI,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        lifespan=_lifespan,
    )
    app.state.service = service
    add_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    add_document(app)
    app.add_middleware(Guard, service=service, home=home, closed=closed)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start queued runs while the application serves, and cancel the running ones at its end."""
    current_default_thread_limiter().total_tokens = _THREADS
    for route in app.routes:  # FastAPI prepares those of a router when they are asked for first
        route.matches(_NOTHING)
    service: Service = app.state.service
    await run_sync(service.queue.start)
    yield
    await run_sync(service.queue.stop)
