"""The cases of suites: listing, making, changing, copying, moving, deleting."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grice.api.bodies import Body
from grice.api.case_fields import CaseBody, CaseFields, case_body, case_fields, given_fields, scenario_of
from grice.api.errors import ERRORS
from grice.api.service import EDIT, READ, Asking, Served, Service
from grice.api.versions import CONFLICT, IfMatch, saved, tagged
from grice.store.database import read_only
from grice.store.suite_saving import Change
from grice.store.suites import Case, cases_of_suite

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["cases"], responses=ERRORS)

_Position = Annotated[int | None, Field(ge=0, le=1_000_000)]


class NewCaseBody(CaseFields):
    """A case to make; `position`, from 0, says where it stands in its suite, at the end without it."""

    position: _Position = None


class CopiedCaseBody(Body):
    """Where to copy a case to; without a suite into its own."""

    test_suite_id: str | None = None


class MovedCaseBody(Body):
    """Where to move a case to: another suite, a position from 0, or both."""

    test_suite_id: str | None = None
    position: _Position = None


@router.get("/test-suites/{suite_id:path}/test-cases", dependencies=[READ])
def list_cases(suite_id: str, service: Served) -> list[CaseBody]:
    """List the cases of a suite, in their order."""
    suite = service.saver.find_suite(suite_id)
    with read_only(service.engine) as connection:
        return [case_body(one) for one in cases_of_suite(connection, suite.id)]


@router.post(
    "/test-suites/{suite_id:path}/test-cases", status_code=201, dependencies=[EDIT], responses=CONFLICT
)
def create_case(
    suite_id: str, body: NewCaseBody, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Add a case to a suite: to its file, where it stands in one."""
    fields = given_fields(body)
    position = fields.pop("position", None)
    made = service.saver.make_case(caller.name, suite_id, scenario_of(fields, {}), position=position)
    return _told(made, response)


@router.post("/test-cases/{case_id:path}/copy", status_code=201, dependencies=[EDIT], responses=CONFLICT)
def copy_case(
    case_id: str,
    service: Served,
    caller: Asking,
    response: Response,
    body: CopiedCaseBody | None = None,
) -> CaseBody:
    """Copy a case, behind itself or into another suite; it gets a name that is free there."""
    suite = None if body is None else body.test_suite_id
    return _told(service.saver.copy_case(caller.name, case_id, suite), response)


@router.post("/test-cases/{case_id:path}/move", dependencies=[EDIT], responses=CONFLICT)
def move_case(
    case_id: str, body: MovedCaseBody, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Move a case to another position, or into another suite, where it has another id."""
    moved = service.saver.move_case(caller.name, case_id, body.test_suite_id, position=body.position)
    return _told(moved, response)


@router.get("/test-cases/{case_id:path}", dependencies=[READ])
def get_case(case_id: str, service: Served, response: Response) -> CaseBody:
    """Give a case; its `ETag` is what `If-Match` names when it is saved."""
    return _told(service.saver.find_case(case_id)[1], response)


@router.put("/test-cases/{case_id:path}", dependencies=[EDIT], responses=CONFLICT)
def replace_case(
    case_id: str, body: CaseFields, if_match: IfMatch, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Have a case say that instead. Comments in its file stay. Under another name it has another id."""
    fields = given_fields(body)
    return _saved(
        case_id, lambda before: scenario_of(fields, before), fields, if_match, service, caller.name, response
    )


@router.patch("/test-cases/{case_id:path}", dependencies=[EDIT], responses=CONFLICT)
def change_case(
    case_id: str, body: CaseFields, if_match: IfMatch, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Change some fields of a case, such as its run mode; the others stay."""
    fields = given_fields(body)

    def change(before: dict[str, Any]) -> dict[str, Any]:
        whole = {**case_fields(before), **fields}
        return scenario_of({name: one for name, one in whole.items() if one is not False}, before)

    return _saved(case_id, change, fields, if_match, service, caller.name, response)


@router.delete("/test-cases/{case_id:path}", status_code=204, dependencies=[EDIT], responses=CONFLICT)
def delete_case(case_id: str, if_match: IfMatch, service: Served, caller: Asking) -> None:
    """Take a case away, with the comments above it. Results of it stay."""
    saved(
        lambda base: service.saver.delete_case(caller.name, case_id, base),
        if_match,
        None,
        lambda: _theirs(service, case_id),
    )


def _saved(
    case_id: str,
    change: Change,
    mine: Any,
    if_match: str,
    service: Service,
    who: str,
    response: Response,
) -> CaseBody:
    case = saved(
        lambda base: service.saver.change_case(who, case_id, change, base),
        if_match,
        mine,
        lambda: _theirs(service, case_id),
    )
    return _told(case, response)


def _theirs(service: Service, case_id: str) -> tuple[Any, str]:
    body = case_body(service.saver.find_case(case_id)[1])
    return body.model_dump(by_alias=True), body.fingerprint


def _told(case: Case, response: Response) -> CaseBody:
    body = case_body(case)
    tagged(response, body.fingerprint)
    return body
