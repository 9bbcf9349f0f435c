"""The project that is served."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ApiError
from grice.api.service import READ, Served, Service
from grice.identity import redact

router = APIRouter(prefix="/api", tags=["projects"], responses=ERRORS)


class ProjectBody(Body):
    """A project: the folder that is served."""

    id: str
    name: str


class ProjectSettingsBody(ProjectBody):
    """A project with its settings file; keys in it are removed."""

    settings: dict[str, Any]


@router.get("/projects", dependencies=[READ])
def list_projects(service: Served) -> list[ProjectBody]:
    """List the projects. There is one: the folder that is served."""
    return [ProjectBody(id=service.project, name=service.project)]


@router.get("/projects/{project_id}", dependencies=[READ])
def get_project(project_id: str, service: Served) -> ProjectSettingsBody:
    """Give a project with its settings, which are read-only here."""
    check_project(project_id, service)
    file = service.settings.file
    table = {} if file is None else redact(msgspec.to_builtins(file.table))
    return ProjectSettingsBody(id=service.project, name=service.project, settings=table)


def check_project(project_id: str, service: Service) -> None:
    """Raise ApiError for any but the project that is served."""
    if project_id != service.project:
        raise ApiError(404, f"there is no project {project_id!r}: {service.project!r} is served")
