"""The OpenAPI document."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from grice.api.errors import SCHEMA_OF, ErrorBody

OPENAPI = "/api/openapi.json"
_FASTAPI = ("HTTPValidationError", "ValidationError")
"""The schemas of errors that FastAPI writes of its own, and that nobody is sent here."""


def add_document(app: FastAPI) -> None:
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
