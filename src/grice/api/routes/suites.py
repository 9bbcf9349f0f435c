"""Suites: listing, making, changing, copying, deleting, and the text of their files."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from grice.api.bodies import Body, DeletedBody
from grice.api.case_fields import SuiteFields, given_fields, head_of_fields
from grice.api.errors import ERRORS, ApiError
from grice.api.pages import sendable
from grice.api.routes.projects import check_project
from grice.api.service import EDIT, READ, Asking, Served, Service
from grice.api.suite_files import suite_files
from grice.api.versions import CONFLICT, IfMatch, saved, tagged
from grice.files.document import FileError, parse_document
from grice.records import JsonValue
from grice.store.database import read_only
from grice.store.suite_saving import Change, version_of_suite
from grice.store.suites import Suite, suite_file_text, suites_of_project
from grice.text import visible

router = APIRouter(prefix="/api", tags=["suites"], responses=ERRORS)

_LONGEST_TEXT = 5_000_000


class SuiteBody(Body):
    """A suite. `file` is null where it stands in none, `promptId` where it tests no prompt.

    `problems` are the mistakes of a file, which is not read with them.
    """

    id: str
    name: str
    file: str | None
    prompt_id: str | None
    problems: list[str]


class WholeSuiteBody(SuiteBody):
    """A suite with what it says beside its cases. `fingerprint` is its version, also the ETag."""

    fingerprint: str
    agent: Any
    prompt: str | None
    matchers: list[str]
    criteria: dict[str, Any]


_FILE = Field(max_length=500)


class CopiedSuiteBody(Body):
    """The name of the copy, and of a new file for it; without one it stands in none."""

    name: str
    file: Annotated[str | None, _FILE] = None


class NewSuiteFields(SuiteFields):
    """A suite to make; `file` is the name of a new file for it below the folder of the project."""

    file: Annotated[str | None, _FILE] = None


class RestoredBody(Body):
    """What was put back: a suite, or a case of one."""

    test_suite_id: str
    test_case_id: str | None


class SuiteTextBody(Body):
    """The text of a suite file, as `grice suite export` writes it."""

    text: Annotated[str, Field(max_length=_LONGEST_TEXT)]
    format: Literal["yaml", "json"] = "yaml"
    name: str | None = None


class NewSuiteTextBody(SuiteTextBody):
    """The text of a suite file, with the name of a new file for it below the folder of the project."""

    file: Annotated[str | None, _FILE] = None


# -- lists, and making


@router.get("/projects/{project_id}/test-suites", dependencies=[READ])
def list_suites(project_id: str, service: Served) -> list[SuiteBody]:
    """List the suites of a project, by file, then by name: those that are files and those that are not."""
    check_project(project_id, service)
    service.suites.follow_files()
    with read_only(service.engine) as connection:
        known = suites_of_project(connection, service.project)
    in_files = {one.id: one for one in known if one.source_file is not None}
    found = [
        suite_body(in_files[one.id], service)
        if one.id in in_files
        else SuiteBody(
            id=one.id, name=one.name, file=one.file, prompt_id=None, problems=_problems(service, one.file)
        )
        for one in suite_files(service.root, service.project).values()
    ]
    return found + [suite_body(one, service) for one in known if one.source_file is None]


@router.post("/projects/{project_id}/test-suites", status_code=201, dependencies=[EDIT], responses=CONFLICT)
def create_suite(
    project_id: str, body: NewSuiteFields, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Make a suite without a prompt, in a new `file` or in the tables; a file has one case at least."""
    check_project(project_id, service)
    fields = given_fields(body)
    file = fields.pop("file", None)
    made = service.saver.make_suite(caller.name, head_of_fields(fields, {}), file=file)
    return told_suite(made, service, response)


@router.post(
    "/projects/{project_id}/test-suites/import", status_code=201, dependencies=[EDIT], responses=CONFLICT
)
def import_suite(
    project_id: str, body: NewSuiteTextBody, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Make a suite from the text of a suite file: in a new `file` with that text, or in the tables."""
    check_project(project_id, service)
    is_same = body.file is not None and body.file.endswith(".json") == (body.format == "json")
    text = body.text if is_same and body.name is None else ""
    value = _document(body, None)
    made = service.saver.make_suite(caller.name, value, file=body.file, text=text)
    return told_suite(made, service, response)


# -- one suite


@router.post("/test-suites/{suite_id:path}/copy", status_code=201, dependencies=[EDIT], responses=CONFLICT)
def copy_suite(
    suite_id: str, body: CopiedSuiteBody, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Copy a suite under another name, into a new `file` or the tables."""
    made = service.saver.copy_suite(caller.name, suite_id, body.name, file=body.file)
    return told_suite(made, service, response)


@router.get(
    "/test-suites/{suite_id:path}/export",
    dependencies=[READ],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def export_suite(
    suite_id: str,
    service: Served,
    format_: Annotated[Literal["yaml", "json"], Query(alias="format")] = "yaml",
) -> Response:
    """Give the text of a suite's file; for a suite without one, the text that its file would have."""
    suite = service.suites.find_suite(suite_id)
    file, as_json = suite.source_file, format_ == "json"
    if file is not None and file.endswith(".json") == as_json:
        try:
            text, fingerprint = service.suites.text_of(suite)
        except FileError as error:
            raise ApiError(404, str(error)) from None
    else:
        with read_only(service.engine) as connection:
            text = suite_file_text(connection, suite, as_json=as_json)
            fingerprint = version_of_suite(connection, suite)
    stem = PurePath(file).name.partition(".grice.")[0] if file is not None else suite.name
    plain = "".join(one if one.isalnum() and one.isascii() else "-" for one in visible(stem)) or "suite"
    headers = {
        "ETag": f'"{fingerprint}"',
        "Content-Disposition": f'attachment; filename="{plain[:100]}.grice.{format_}"',
    }
    return Response(text.encode("utf-8", "replace"), headers=headers, media_type="text/plain; charset=utf-8")


@router.post("/test-suites/{suite_id:path}/import", dependencies=[EDIT], responses=CONFLICT)
def replace_suite_text(
    suite_id: str,
    body: SuiteTextBody,
    if_match: IfMatch,
    service: Served,
    caller: Asking,
    response: Response,
) -> WholeSuiteBody:
    """Replace a suite by the text of a suite file; its file has exactly that text."""
    suite = service.suites.find_suite(suite_id)
    value = _document(body, suite)
    is_same = suite.source_file is not None and suite.source_file.endswith(".json") == (body.format == "json")
    return _saved(
        suite_id,
        lambda _: dict(value),
        body.model_dump(by_alias=True),
        if_match,
        service,
        caller.name,
        response,
        text=body.text if is_same and body.name is None else "",
    )


@router.get("/test-suites/{suite_id:path}", dependencies=[READ])
def get_suite(suite_id: str, service: Served, response: Response) -> WholeSuiteBody:
    """Give a suite; its `ETag` is what `If-Match` names when it is saved."""
    return told_suite(service.suites.find_suite(suite_id), service, response)


@router.put("/test-suites/{suite_id:path}", dependencies=[EDIT], responses=CONFLICT)
def replace_suite(
    suite_id: str, body: SuiteFields, if_match: IfMatch, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Replace what a suite says; its cases stay where `testCases` is left out."""
    fields = given_fields(body)

    def change(before: dict[str, Any]) -> dict[str, Any]:
        found = head_of_fields(fields, before)
        return found if found.get("name") is not None else {"name": before["name"], **found}

    return _saved(suite_id, change, fields, if_match, service, caller.name, response)


@router.patch("/test-suites/{suite_id:path}", dependencies=[EDIT], responses=CONFLICT)
def change_suite(
    suite_id: str, body: SuiteFields, if_match: IfMatch, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Change some fields of a suite, such as its name; the others stay."""
    fields = given_fields(body)

    def change(before: dict[str, Any]) -> dict[str, Any]:
        head = {name: one for name, one in before.items() if name != "scenarios"}
        return head_of_fields({**head, **fields}, before)

    return _saved(suite_id, change, fields, if_match, service, caller.name, response)


@router.delete("/test-suites/{suite_id:path}", dependencies=[EDIT], responses=CONFLICT)
def delete_suite(suite_id: str, if_match: IfMatch, service: Served, caller: Asking) -> DeletedBody:
    """Delete a suite, with its file if it stands in one; `undo` puts it back. Its results stay."""
    token = saved(
        lambda base: service.saver.delete_suite(caller.name, suite_id, base),
        if_match,
        None,
        lambda: _whole(service.suites.find_suite(suite_id), service),
    )
    return DeletedBody(undo=token)


@router.post("/deletions/{undo}/undo", dependencies=[EDIT], responses=CONFLICT)
def undo_deletion(undo: str, service: Served, caller: Asking) -> RestoredBody:
    """Put a deleted suite or case back where it stood.

    A file that nobody changed since is as it was, with all its comments.
    """
    suite, case = service.saver.undo(caller.name, undo)
    told = {"test_suite_id": suite.id, "test_case_id": None if case is None else case.id}
    return RestoredBody(**sendable(told))


# -- what they share


def suite_body(suite: Suite, service: Service) -> SuiteBody:
    """The body of a suite."""
    said = {
        "id": suite.id,
        "name": suite.name,
        "file": suite.source_file,
        "prompt_id": suite.prompt,
        "problems": _problems(service, suite.source_file),
    }
    return SuiteBody(**sendable(said))


def _problems(service: Service, file: str | None) -> list[str]:
    return list(service.suites.left_out.get(file, ())) if file is not None else []


def _whole(suite: Suite, service: Service) -> WholeSuiteBody:
    with read_only(service.engine) as connection:
        fingerprint = version_of_suite(connection, suite)
    head = suite.head
    said = {
        "agent": head.get("agent"),
        "prompt": head.get("prompt"),
        "matchers": head.get("matchers", []),
        "criteria": head.get("criteria", {}),
    }
    return WholeSuiteBody(
        **suite_body(suite, service).model_dump(), fingerprint=fingerprint, **sendable(said)
    )


def told_suite(suite: Suite, service: Service, response: Response) -> WholeSuiteBody:
    """The body of a suite, with its version in the headers of the answer."""
    body = _whole(suite, service)
    tagged(response, body.fingerprint)
    return body


def _saved(
    suite_id: str,
    change: Change,
    mine: Any,
    if_match: str,
    service: Service,
    who: str,
    response: Response,
    *,
    text: str = "",
) -> WholeSuiteBody:
    suite = saved(
        lambda base: service.saver.change_suite(who, suite_id, change, base, text=text),
        if_match,
        mine,
        lambda: _whole(service.suites.find_suite(suite_id), service),
    )
    return told_suite(suite, service, response)


def _document(body: SuiteTextBody, suite: Suite | None) -> dict[str, JsonValue]:
    """The content of the text, with the given name, its own name, or that of the suite."""
    try:
        value = parse_document(body.text, path="text", syntax=body.format).value
    except FileError as error:
        told = f"line {error.line}, column {error.column}: {error.message}"
        raise ApiError(400, "the request is wrong", [("text", told)]) from None
    if isinstance(value, list):
        value = {"scenarios": value}
    if not isinstance(value, dict):
        raise ApiError(400, "the request is wrong", [("text", "expected the text of a suite file")])
    known = {} if suite is None else {"name": suite.name}
    given = {} if body.name is None else {"name": body.name}
    return {**known, **value, **given}
