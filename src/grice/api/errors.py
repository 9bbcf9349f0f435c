"""The one shape of errors, and the handlers that make it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from grice.api.bodies import Body
from grice.api.field_names import field_of
from grice.api.security_headers import SECURITY_HEADERS
from grice.files.settings_files import SettingsError
from grice.running.journal.form import JournalError
from grice.scanning.kept_scan import ScanUnreadable
from grice.store.errors import (
    CannotWrite,
    CodeChanged,
    NoSuchRow,
    Outdated,
    PromptProblems,
    RowProblems,
    StandsInFile,
    StoreError,
)
from grice.text import did_you_mean, value_text
from grice.typed import Problem, written


class FieldProblem(Body):
    """What is wrong with a field of a body, or with a parameter.

    `position` is there for a mistake in a path: the character, from 0, where it is.
    """

    field: str
    message: str
    position: int | None = None


Told = tuple[str, str] | tuple[str, str, int | None]
"""A field, what is wrong with it, and where in it."""


class ErrorBody(Body):
    """The reason why a request was refused. `details` has every problem of a body, by field."""

    error: str
    details: list[FieldProblem]


class ConflictBody(ErrorBody):
    """The request cannot be done now. Where somebody changed the thing since it was read: `mine` is what was
    sent, `theirs` what is there now (null: it is gone) with its `fingerprint`, and `base` the version that
    was read.
    """

    mine: Any = None
    theirs: Any = None
    fingerprint: str | None = None
    base: str = ""


class ApiError(Exception):
    """Refuse a request with this status; `fields` has what is wrong: field, message, perhaps where.

    `more` is what else the answer has.
    """

    def __init__(
        self,
        status: int,
        message: str,
        fields: Iterable[Told] = (),
        more: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.fields = tuple(fields)
        self.more = more


SCHEMA_OF = "#/components/schemas/{model}"
_UNPARSED = "There was an error parsing the body"
"""What FastAPI says of a body that is no UTF-8, is too deep, or has a number that Python does not read."""
_TOLD = {
    400: "The request is wrong; `details` has each problem, by field.",
    401: "There is no token, or a wrong one.",
    403: "The role of the token does not allow it, another site asks, or it would change code.",
    404: "It is not there.",
    408: "The request did not come as a whole in time.",
    413: "The body is too large.",
    503: "There are too many connections, or the database or a file cannot be written.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {"application/json": {"schema": {"$ref": SCHEMA_OF.format(model=ErrorBody.__name__)}}},
    }
    for status, text in _TOLD.items()
}
"""The errors of every route, for the OpenAPI document. A route adds 409 and 422 where it answers so.

They name the schema: of a model FastAPI would make one for each error of each route, at every start.
"""


def error_content(message: str, fields: Iterable[Told] = ()) -> dict[str, Any]:
    """An error as JSON."""
    details = [_detail(one[0], one[1], one[2] if len(one) == 3 else None) for one in fields]
    return {"error": message, "details": details}


def _detail(field: str, message: str, position: int | None) -> dict[str, Any]:
    told = {} if position is None else {"position": position}
    return {"field": field, "message": message, **told}


def add_handlers(app: FastAPI) -> None:
    """Answer every problem in the one shape."""
    for kind, status in _STATUS.items():
        app.add_exception_handler(kind, partial(_as_said, status=status))
    app.add_exception_handler(ApiError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RecursionError, _too_deep)
    app.add_exception_handler(RowProblems, _wrong)
    app.add_exception_handler(CodeChanged, _code)
    app.add_exception_handler(OperationalError, _without_database)
    app.add_exception_handler(Exception, _broken)


_STATUS: dict[type[Exception], int] = {
    JournalError: 404,
    ScanUnreadable: 404,
    NoSuchRow: 404,
    StandsInFile: 409,
    Outdated: 409,
    StoreError: 422,
    SettingsError: 422,
    CannotWrite: 503,
}
"""The answers to what says all in its own words."""


def _as_said(_: Request, error: Exception, *, status: int) -> JSONResponse:
    return _answer(status, str(error))


def _all_wrong(fields: Sequence[tuple[str, str]]) -> JSONResponse:
    number = len(fields)
    return _answer(400, "the request is wrong" if number == 1 else f"{number} things are wrong", fields)


def _answer(status: int, message: str, fields: Iterable[Told] = ()) -> JSONResponse:
    return JSONResponse(error_content(message, fields), status)


def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    return JSONResponse({**error_content(error.message, error.fields), **error.more}, error.status)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """400 with all problems of a body, by field."""
    assert isinstance(error, RequestValidationError)
    return _all_wrong([(_field(one["loc"]), _problem_text(one)) for one in error.errors()])


_EXPECTED = {
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "a text",
    "string_too_short": "{min_length} characters or more",
    "string_too_long": "at most {max_length} characters",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "literal_error": "one of {names}",
}
"""What the kinds of mistakes that pydantic finds would have had."""


def _problem_text(problem: dict[str, Any]) -> str:
    kind, found = str(problem["type"]), problem.get("input")
    context = dict(problem.get("ctx", {}))
    if kind == "json_invalid":
        return f"is not JSON: {context['error']}"
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is no field of this body"
    names = re.findall(r"'([^']*)'", str(context.get("expected", "")))
    hint = did_you_mean(found, names) if isinstance(found, str) else ""
    if kind in _EXPECTED:
        expected = _EXPECTED[kind].format(names=", ".join(names), **context)
    elif kind.startswith("datetime"):
        expected = "a date and time such as 2026-11-20T10:00:00Z"
    else:
        text = str(problem["msg"])
        return text[:1].lower() + text[1:]
    return f"expected {expected}, found {value_text(found)}{hint}"


def _field(place: Sequence[str | int]) -> str:
    """The field as it is written in a body, the name of a parameter."""
    kind, *path = place
    if kind == "body" and any(isinstance(one, int) for one in path[:1]) and len(path) == 1:
        return "body"  # the position of a mistake in JSON
    return written(tuple(path)) or str(kind)


def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.detail == _UNPARSED:
        return _answer(400, "the request is wrong", [("body", "is not JSON")])
    told = {404: "there is no such route: see /api/openapi.json", 405: "the route does not take this method"}
    answer = _answer(error.status_code, told.get(error.status_code, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer


def _wrong(_: Request, error: Exception) -> JSONResponse:
    """400 with all that is wrong with a suite, a case or a prompt, by field."""
    assert isinstance(error, RowProblems)
    return _all_wrong([(_field_in(one, error), one.message) for one in error.problems])


def _field_in(problem: Problem, error: RowProblems) -> str:
    """The field of a body; that of a prompt calls its text and its model otherwise."""
    field = field_of(problem)
    return _OF_PROMPTS.get(field, field) if isinstance(error, PromptProblems) else field


_OF_PROMPTS = {"text": "prompt", "model": "modelId"}


def _code(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CodeChanged)
    told = "code cannot be changed here: `grice serve --allow-code` lets it"
    return _answer(403, told, [(field_of(one), one.message) for one in error.problems])


def _too_deep(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    return _answer(400, "the request is wrong", [("body", "is nested too deep")])


def _without_database(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, OperationalError)
    return _answer(503, f"the database cannot be used: {str(error.orig).strip()}")


def _broken(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, OperationalError):  # whose token it is could not be looked up
        answer = _without_database(request, error)
    else:
        answer = _answer(500, "the server made a mistake: its output has the traceback")
    answer.headers.update(SECURITY_HEADERS)  # this one is sent from outside of the guard
    answer.headers["Connection"] = "close"  # which is what the server does after an exception
    return answer
