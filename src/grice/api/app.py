"""The application of a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import current_default_thread_limiter, run_sync
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from grice._version import __version__
from grice.api.documentation import router as documentation
from grice.api.errors import SCHEMA_OF, ErrorBody, add_handlers
from grice.api.guard import HOME, Closed, Guard
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

_OPENAPI = "/api/openapi.json"
_FASTAPI = ("HTTPValidationError", "ValidationError")
"""The schemas of errors that FastAPI writes of its own, and that nobody is sent here."""


def make_app(service: Service, *, home: str = HOME, closed: Closed | None = None) -> FastAPI:
    """The application that answers for the service; the link that lets a browser in leads to `home`.

    `closed` makes the page of those who are not let in.
    """
    app = FastAPI(
        title="Grice",
        version=__version__,
        openapi_url=_OPENAPI,
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
    _add_document(app)
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


def _add_document(app: FastAPI) -> None:
    """Let the app document its routes as they answer: with the one shape of errors, and the token."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, routes=app.routes)
            app.openapi_schema = _with_token(_with_error(_without_fastapi_errors(made)))
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _without_fastapi_errors(document: dict[str, Any]) -> dict[str, Any]:
    reference = SCHEMA_OF.format(model=_FASTAPI[0])
    for path in document["paths"].values():
        for operation in path.values():
            answer = operation["responses"].get("422", {})
            schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
            if schema.get("$ref") == reference:
                del operation["responses"]["422"]
    schemas = document.get("components", {}).get("schemas", {})
    for name in _FASTAPI:
        schemas.pop(name, None)
    return document


def _with_error(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the schema that the errors of all routes name."""
    schema = ErrorBody.model_json_schema(ref_template=SCHEMA_OF, mode="serialization")
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {**schema.pop("$defs"), ErrorBody.__name__: schema}
    return document


def _with_token(document: dict[str, Any]) -> dict[str, Any]:
    document.setdefault("components", {})["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    return document
