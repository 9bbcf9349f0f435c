"""Prompts and their versions: in files of the project, which are saved, and in the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Response
from msgspec import UNSET
from pydantic import Field

from grice.api.bodies import Body
from grice.api.case_fields import SuiteFields, given_fields, head_of_fields
from grice.api.errors import ERRORS
from grice.api.pages import sendable
from grice.api.routes.projects import check_project
from grice.api.routes.suites import SuiteBody, WholeSuiteBody, suite_body, told_suite
from grice.api.service import EDIT, READ, Asking, Served, Service
from grice.api.versions import CONFLICT, IfMatch, saved, tagged
from grice.files.document import FileError
from grice.files.prompt_files import prompt_fingerprint
from grice.store.database import read_only
from grice.store.errors import CannotWrite, NoSuchRow, Outdated, StandsInFile
from grice.store.prompt_sync import change_file, restore_file
from grice.store.prompts import (
    PromptRow,
    PromptVersion,
    change_prompt,
    delete_prompt,
    find_prompt,
    history_of,
    make_prompt,
    prompts_of,
    restore_prompt,
    version_of,
)
from grice.store.suites import suites_of_prompt

router = APIRouter(prefix="/api", tags=["prompts"], responses=ERRORS)

_Text = Annotated[str, Field(max_length=4_000_000)]


class NewPromptBody(Body):
    """A prompt to make, in the tables; `{{name}}` in it is an input of cases."""

    name: str
    prompt: _Text
    model_id: str | None = None


class PromptFieldsBody(Body):
    """The fields of a prompt to change. A prompt in a file is named after it and has no model."""

    name: str | None = None
    prompt: _Text | None = None
    model_id: str | None = None


class RestoredBody(Body):
    """The number of the version whose text becomes the latest again."""

    version: Annotated[int, Field(ge=1, le=2_000_000_000)]


class PromptBody(Body):
    """A prompt with its latest text. `file` is null where it stands in none; `fingerprint`, that of the text,
    is also the ETag."""

    id: str
    project_id: str
    name: str
    prompt: str
    version: int
    model_id: str | None
    file: str | None
    fingerprint: str


class PromptVersionBody(Body):
    """A version of a prompt; `keptAt` is null where nobody wrote when."""

    id: str
    prompt_id: str
    version: int
    prompt: str
    kept_at: datetime | None


@router.get("/projects/{project_id}/prompts", dependencies=[READ])
def list_prompts(project_id: str, service: Served) -> list[PromptBody]:
    """List the prompts of a project: those that suites name by file, and those that stand in none."""
    check_project(project_id, service)
    service.suites.follow_files()
    with read_only(service.engine) as connection:
        return [_body(one) for one in prompts_of(connection, service.project)]


@router.post("/projects/{project_id}/prompts", status_code=201, dependencies=[EDIT], responses=CONFLICT)
def create_prompt(
    project_id: str, body: NewPromptBody, service: Served, caller: Asking, response: Response
) -> PromptBody:
    """Make a prompt that stands in no file."""
    check_project(project_id, service)
    with service.writing(caller, f"made the prompt {body.name}") as connection:
        made = make_prompt(connection, service.project, body.name, body.prompt, model=body.model_id)
    return _prompt_answer(made, response)


@router.get("/prompts/{prompt_id:path}/history", dependencies=[READ])
def list_versions(prompt_id: str, service: Served) -> list[PromptVersionBody]:
    """List the versions of a prompt, the latest first."""
    _find(service, prompt_id)
    with read_only(service.engine) as connection:
        return [_version(one) for one in history_of(connection, prompt_id)]


@router.get("/prompt-history/{version_id:path}", dependencies=[READ])
def get_version(version_id: str, service: Served) -> PromptVersionBody:
    """Give a version of a prompt, such as that of a run's `promptHistoryId`."""
    with read_only(service.engine) as connection:
        found = version_of(connection, version_id)
        if find_prompt(connection, found.prompt).project != service.project:
            raise NoSuchRow(f"{version_id}: there is no such version of a prompt")
    return _version(found)


@router.post("/prompts/{prompt_id:path}/restore", dependencies=[EDIT], responses=CONFLICT)
def restore(
    prompt_id: str, body: RestoredBody, service: Served, caller: Asking, response: Response
) -> PromptBody:
    """Make the text of an earlier version the latest one: in the file too, where the prompt stands in one.

    What the file said is kept as a version.
    """
    row = _find(service, prompt_id)
    if row.source_file is None:
        what = f"restored the version {body.version} of the prompt {prompt_id}"
        with service.writing(caller, what) as connection:
            return _prompt_answer(restore_prompt(connection, prompt_id, body.version), response)
    with _on_file():
        restore_file(
            service.engine, service.root, service.project, row.source_file, body.version, who=caller.name
        )
    return _prompt_answer(_find(service, prompt_id), response)


@router.get("/prompts/{prompt_id:path}/test-suites", dependencies=[READ])
def list_suites_of_prompt(prompt_id: str, service: Served) -> list[SuiteBody]:
    """List the suites that test a prompt."""
    _find(service, prompt_id)
    with read_only(service.engine) as connection:
        return [suite_body(one, service) for one in suites_of_prompt(connection, prompt_id)]


@router.post(
    "/prompts/{prompt_id:path}/test-suites", status_code=201, dependencies=[EDIT], responses=CONFLICT
)
def create_suite_of_prompt(
    prompt_id: str, body: SuiteFields, service: Served, caller: Asking, response: Response
) -> WholeSuiteBody:
    """Make a suite that tests a prompt; its cases have `inputs`."""
    _find(service, prompt_id)
    value = head_of_fields(given_fields(body), {})
    return told_suite(service.saver.make_suite(caller.name, value, prompt=prompt_id), service, response)


@router.get("/prompts/{prompt_id:path}", dependencies=[READ])
def get_prompt(prompt_id: str, service: Served, response: Response) -> PromptBody:
    """Give a prompt; its `ETag` is what `If-Match` names when it is saved."""
    return _prompt_answer(_find(service, prompt_id), response)


@router.put("/prompts/{prompt_id:path}", dependencies=[EDIT], responses=CONFLICT)
def replace_prompt(
    prompt_id: str,
    body: PromptFieldsBody,
    if_match: IfMatch,
    service: Served,
    caller: Asking,
    response: Response,
) -> PromptBody:
    """Change a prompt; a new text becomes a version, also in its file. Fields that are left out stay."""
    mine: dict[str, Any] = body.model_dump(by_alias=True, exclude_unset=True)
    row = _find(service, prompt_id)

    def change(base: str) -> PromptBody:
        if row.source_file is not None:
            if body.name not in (None, row.name) or body.model_id is not None:
                raise StandsInFile(f"{row.source_file}: a prompt in a file has its name, and no model")
            if body.prompt is not None:
                with _on_file():
                    change_file(
                        service.engine,
                        service.root,
                        service.project,
                        row.source_file,
                        body.prompt,
                        base,
                        who=caller.name,
                    )
            return _prompt_answer(_find(service, prompt_id), response)
        with service.writing(caller, f"changed the prompt {prompt_id}") as connection:
            if base not in ("*", prompt_fingerprint(find_prompt(connection, prompt_id).text)):
                raise Outdated(f"the prompt {row.name!r} was changed meanwhile")
            now = change_prompt(
                connection,
                prompt_id,
                name=UNSET if body.name is None else body.name,
                text=UNSET if body.prompt is None else body.prompt,
                model=body.model_id if "modelId" in mine else UNSET,
            )
        return _prompt_answer(now, response)

    return saved(change, if_match, mine, lambda: _body(_find(service, prompt_id)))


@router.delete("/prompts/{prompt_id:path}", status_code=204, dependencies=[EDIT], responses=CONFLICT)
def remove_prompt(prompt_id: str, if_match: IfMatch, service: Served, caller: Asking) -> None:
    """Delete a prompt that stands in no file, with its versions, its suites and their runs."""

    def delete(base: str) -> None:
        with service.writing(caller, f"deleted the prompt {prompt_id}") as connection:
            row = find_prompt(connection, prompt_id)
            if base not in ("*", prompt_fingerprint(row.text)):
                raise Outdated(f"the prompt {row.name!r} was changed meanwhile")
            delete_prompt(connection, prompt_id)

    _find(service, prompt_id)
    saved(delete, if_match, None, lambda: _body(_find(service, prompt_id)))


# -- what they share


def _find(service: Service, prompt_id: str) -> PromptRow:
    service.suites.follow_files()
    with read_only(service.engine) as connection:
        row = find_prompt(connection, prompt_id)
    if row.project != service.project:
        raise NoSuchRow(f"{prompt_id}: there is no such prompt")
    return row


@contextmanager
def _on_file() -> Iterator[None]:
    """Work on the file of a prompt, whose problems are told as those of a suite's file."""
    try:
        yield
    except FileError as error:
        raise StandsInFile(str(error)) from error
    except OSError as error:
        raise CannotWrite(f"the prompt cannot be written: {error.strerror or error}") from error


def _prompt_answer(row: PromptRow, response: Response) -> PromptBody:
    body = _body(row)
    tagged(response, body.fingerprint)
    return body


def _body(row: PromptRow) -> PromptBody:
    said = {
        "id": row.id,
        "project_id": row.project,
        "name": row.name,
        "prompt": row.text,
        "version": row.version,
        "model_id": row.model,
        "file": row.source_file,
        "fingerprint": prompt_fingerprint(row.text),
    }
    return PromptBody(**sendable(said))


def _version(one: PromptVersion) -> PromptVersionBody:
    said = {
        "id": one.id,
        "prompt_id": one.prompt,
        "version": one.version,
        "prompt": one.text,
        "kept_at": one.kept_at,
    }
    return PromptVersionBody(**sendable(said))
