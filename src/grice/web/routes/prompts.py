"""Prompts: their versions, the difference between two, the runs that used each."""

from __future__ import annotations

from difflib import unified_diff
from typing import Annotated, NamedTuple

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.service import READ, Served
from grice.store.errors import NoSuchRow
from grice.store.prompt_sync import file_standing, sync_prompts
from grice.store.prompts import (
    PromptRow,
    PromptUse,
    PromptVersion,
    find_prompt,
    history_of,
    prompts_of,
    runs_by_version,
    text_of_version,
    uses_of_prompt,
)
from grice.web.page_rendering import page

router = APIRouter(include_in_schema=False)

_LISTED = 100
_RUNS = 5
_LINES = 2_000
_Version = Annotated[int, Query(ge=0, le=2**31 - 1)]


class _VersionLine(NamedTuple):
    """A version with the last runs that used it, of `used` in all."""

    version: PromptVersion
    when: str
    runs: list[PromptUse]
    used: int
    restore: str


@router.get("/prompts", dependencies=[READ])
def prompts(request: Request, service: Served) -> Response:
    """List the prompts, after new texts of their files were kept."""
    with service.reading():
        synced = sync_prompts(service.engine, service.root, service.project)
    with service.reading() as connection:
        rows = prompts_of(connection, service.project)
        lines = [(one, sum(runs_by_version(connection, one.id).values())) for one in rows]
    problems = [one.problem for one in synced if one.problem]
    return page(request, "prompts.html", title="Prompts", lines=lines, problems=problems)


@router.get("/prompts/{prompt_id:path}", dependencies=[READ])
def prompt(request: Request, prompt_id: str, service: Served, a: _Version = 0, b: _Version = 0) -> Response:
    """Show the versions of a prompt, and the difference between two, by default the last two."""
    with service.reading() as connection:
        try:
            row = find_prompt(connection, prompt_id)
        except NoSuchRow as error:
            raise ApiError(404, str(error)) from error
        if row.project != service.project:
            raise ApiError(404, f"{prompt_id}: there is no such prompt")
        versions = history_of(connection, prompt_id)
        used = runs_by_version(connection, prompt_id)
        uses = uses_of_prompt(connection, prompt_id)
    standing = file_standing(service.root, row.source_file, versions) if row.source_file else None
    latest = versions[0].version if versions else 0
    b = b or latest
    a = a or next((one.version for one in versions if one.version < b), 0)
    return page(
        request,
        "prompt.html",
        title=row.name,
        row=row,
        latest=latest,
        standing=standing,
        lines=[_line(one, uses, used) for one in versions[:_LISTED]],
        total=len(versions),
        a=a,
        b=b,
        diff=_difference(row, versions, a, b)[:_LINES],
        text=_text(row, versions, b) if b else row.text,
    )


def _line(version: PromptVersion, uses: list[PromptUse], used: dict[str, int]) -> _VersionLine:
    when = f"{version.kept_at:%Y-%m-%d %H:%M}" if version.kept_at is not None else "nobody wrote when"
    runs = [one for one in uses if one.version == version.id][:_RUNS]
    body = msgspec.json.encode({"version": version.version}).decode()
    return _VersionLine(version, when, runs, used.get(version.id, 0), body)


def _difference(row: PromptRow, versions: list[PromptVersion], a: int, b: int) -> list[tuple[str, str]]:
    """The lines that differ, with some around them: a sign and the line."""
    if not a or not b:
        return []
    old, new = (_text(row, versions, number).splitlines() for number in (a, b))
    found = list(unified_diff(old, new, lineterm=""))[2:]
    return [("@", "") if line.startswith("@@") else (line[:1], line[1:]) for line in found]


def _text(row: PromptRow, versions: list[PromptVersion], number: int) -> str:
    try:
        return text_of_version(versions, number, row.name)
    except NoSuchRow as error:
        raise ApiError(404, str(error)) from error
