"""The page of documentation, made from the OpenAPI document: no script, nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, StrictUndefined

from grice.api.examples import EXAMPLES, Example
from grice.api.service import READ

router = APIRouter(include_in_schema=False)


class _Parameter(NamedTuple):
    name: str
    where: str
    type: str
    required: bool
    text: str


class _Operation(NamedTuple):
    method: str
    path: str
    text: str
    parameters: list[_Parameter]
    body: str
    answers: list[tuple[str, str]]
    example: Example | None


@router.get("/api/docs", dependencies=[READ])
def page(request: Request) -> HTMLResponse:
    """Show the routes."""
    app: FastAPI = request.app
    document = app.openapi()
    groups: dict[str, list[_Operation]] = {}
    for tag, operation in _operations(document):
        groups.setdefault(tag, []).append(operation)
    schemas = {
        name: json.dumps(schema, indent=2, ensure_ascii=False)
        for name, schema in document["components"]["schemas"].items()
    }
    return HTMLResponse(
        _template().render(version=document["info"]["version"], groups=groups, schemas=schemas)
    )


@router.get("/api/docs.css", dependencies=[READ])
def style() -> Response:
    """Give the style of the page."""
    return Response((files("grice.api") / "templates" / "docs.css").read_text("utf-8"), media_type="text/css")


def _template() -> Any:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string((files("grice.api") / "templates" / "docs.html").read_text("utf-8"))


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, _Operation]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = (method.upper(), path)
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield (
                operation["tags"][0],
                _Operation(
                    *name,
                    operation["description"],
                    [_parameter(one) for one in operation.get("parameters", ())],
                    _type(body["schema"]) if body else "",
                    [
                        (status, _answer(one))
                        for status, one in operation["responses"].items()
                        if status < "3"
                    ],
                    EXAMPLES.get(name),
                ),
            )


def _answer(response: dict[str, Any]) -> str:
    schema = response.get("content", {}).get("application/json", {}).get("schema")
    return "nothing" if schema is None else _type(schema)


def _parameter(one: dict[str, Any]) -> _Parameter:
    schema = one["schema"]
    text = one.get("description") or schema.get("description", "")
    return _Parameter(one["name"], one["in"], _type(schema), one["required"], text)


def _type(schema: dict[str, Any]) -> str:
    """A type in words: a schema's name, a list of something, one of some values."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    return str(schema.get("format") or schema.get("type", "any value"))
