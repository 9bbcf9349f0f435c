"""The cases of suites: listing, making, changing, copying, moving, deleting, merging two versions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from grice.api.bodies import Body, DeletedBody
from grice.api.case_fields import CaseBody, CaseFields, case_body, case_fields, given_fields, scenario_of
from grice.api.errors import ERRORS
from grice.api.pages import sendable
from grice.api.service import EDIT, READ, Asking, Served, Service
from grice.api.versions import CONFLICT, IfMatch, saved, tagged
from grice.matching.assertions.assertion import record_of_fields, selector_of
from grice.matching.limits import limits_in_force
from grice.store.case_difference import difference_of_case
from grice.store.case_merging import merge_cases
from grice.store.database import read_only
from grice.store.queries import last_reply
from grice.store.suite_saving import Change, version_of_case
from grice.store.suites import Case, cases_of_suite

router = APIRouter(prefix="/api", tags=["cases"], responses=ERRORS)

_Position = Annotated[int | None, Field(ge=0, le=1_000_000)]


class NewCaseBody(CaseFields):
    """A case to make; `position`, from 0, says where it stands in its suite, at the end without it."""

    position: _Position = None


class CopiedCaseBody(Body):
    """The suite to copy a case to; its own suite without one."""

    test_suite_id: str | None = None


class MovedCaseBody(Body):
    """The place to move a case to: another suite, a position from 0, or both."""

    test_suite_id: str | None = None
    position: _Position = None


class DifferenceBody(Body):
    """What saving a case would change: the unified diff of its suite's text, "" for none.

    `bytes` are those of its hard checks as they are kept, of which `limit` are allowed.
    """

    difference: str
    bytes: int
    limit: int


class LastOutputBody(Body):
    """The last reply of a case: its text, its payload (`data`) where it has one, and whose it is.

    `found` is false where nothing was replied yet.
    """

    found: bool
    output: str
    data: Any
    run: str | None
    conversation: str | None


class MergeBody(Body):
    """The fields of a case as they were read, and as they were changed since."""

    base: CaseFields
    mine: CaseFields


class CaseConflictBody(Body):
    """What both people changed: a field, for a check its id too, and the two values; null: removed."""

    field: str
    assertion_id: str | None
    base: Any
    mine: Any
    theirs: Any


class MergedCaseBody(Body):
    """The fields with the changes of both people; where these conflict, mine stays and a conflict is listed.

    `tag` is the version that is there now, for `If-Match`.
    """

    merged: dict[str, Any]
    conflicts: list[CaseConflictBody]
    tag: str


@router.get("/test-suites/{suite_id:path}/test-cases", dependencies=[READ])
def list_cases(suite_id: str, service: Served) -> list[CaseBody]:
    """List the cases of a suite, in their order."""
    suite = service.suites.find_suite(suite_id)
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
    return _case_answer(made, response)


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
    return _case_answer(service.saver.copy_case(caller.name, case_id, suite), response)


@router.post("/test-cases/{case_id:path}/move", dependencies=[EDIT], responses=CONFLICT)
def move_case(
    case_id: str, body: MovedCaseBody, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Move a case to another position, or into another suite, where it has another id."""
    moved = service.saver.move_case(caller.name, case_id, body.test_suite_id, position=body.position)
    return _case_answer(moved, response)


@router.post("/test-cases/{case_id:path}/difference", dependencies=[EDIT], responses=CONFLICT)
def show_difference(case_id: str, body: CaseFields, service: Served) -> DifferenceBody:
    """Show what saving a case would change of the text of its suite; nothing is saved."""
    fields = given_fields(body)
    found = difference_of_case(service.suites, case_id, lambda before: scenario_of(fields, before))
    limit = limits_in_force().max_assertion_json_bytes
    return DifferenceBody(**sendable({"difference": found.text, "bytes": found.size, "limit": limit}))


@router.get("/test-cases/{case_id:path}/last-output", dependencies=[READ])
def get_last_output(case_id: str, service: Served) -> LastOutputBody:
    """Give what the agent replied last in the latest result of a case."""
    service.suites.find_case(case_id)
    with service.reading() as connection:
        found = last_reply(connection, service.project, case_id)
    if found is None:
        return LastOutputBody(found=False, output="", data=None, run=None, conversation=None)
    told = {"output": found.text, "data": found.data, "run": found.run, "conversation": found.conversation}
    return LastOutputBody(found=True, **sendable(told))


@router.post("/test-cases/{case_id:path}/merge", dependencies=[READ])
def merge_case(case_id: str, body: MergeBody, service: Served) -> MergedCaseBody:
    """Merge somebody's changes with what stands there now, checks by row; nothing is saved."""
    _, case = service.suites.find_case(case_id)
    whole: dict[str, Any] = CaseFields().model_dump(by_alias=True)
    found = merge_cases(
        {**whole, **given_fields(body.base)},
        {**whole, **given_fields(body.mine)},
        {**case_fields(case.scenario), "name": case.key},
        lists=("assertions", "evaluate"),
        row_id=_id_of_row,
    )
    conflicts = [
        {"field": one.field, "assertionId": one.row, "base": one.base, "mine": one.mine, "theirs": one.theirs}
        for one in found.conflicts
    ]
    told = {"merged": found.fields, "conflicts": conflicts, "tag": version_of_case(case)}
    return MergedCaseBody.model_validate(sendable(told), strict=False)


def _id_of_row(row: Any) -> str:
    """The id of a check, that which its results have where it gives none."""
    return selector_of(record_of_fields(row)).id if isinstance(row, dict) else ""


@router.get("/test-cases/{case_id:path}", dependencies=[READ])
def get_case(case_id: str, service: Served, response: Response) -> CaseBody:
    """Give a case; its `ETag` is what `If-Match` names when it is saved."""
    return _case_answer(service.suites.find_case(case_id)[1], response)


@router.put("/test-cases/{case_id:path}", dependencies=[EDIT], responses=CONFLICT)
def replace_case(
    case_id: str, body: CaseFields, if_match: IfMatch, service: Served, caller: Asking, response: Response
) -> CaseBody:
    """Replace what a case says. Comments in its file stay. Under another name it has another id."""
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
        return scenario_of({**case_fields(before), **fields}, before)

    return _saved(case_id, change, fields, if_match, service, caller.name, response)


@router.delete("/test-cases/{case_id:path}", dependencies=[EDIT], responses=CONFLICT)
def delete_case(case_id: str, if_match: IfMatch, service: Served, caller: Asking) -> DeletedBody:
    """Delete a case, with the comments above it; `undo` puts it back. Its results stay."""
    token = saved(
        lambda base: service.saver.delete_case(caller.name, case_id, base),
        if_match,
        None,
        lambda: case_body(service.suites.find_case(case_id)[1]),
    )
    return DeletedBody(undo=token)


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
        lambda: case_body(service.suites.find_case(case_id)[1]),
    )
    return _case_answer(case, response)


def _case_answer(case: Case, response: Response) -> CaseBody:
    body = case_body(case)
    tagged(response, body.fingerprint)
    return body
