"""The tree of suites and cases, one suite, and the actions on each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from grice.api.service import READ, Asking, Served, Service
from grice.api.suite_files import suite_files
from grice.records import JsonValue
from grice.store.database import read_only
from grice.store.errors import SuiteProblems
from grice.store.suite_saving import version_of_case, version_of_suite
from grice.store.suites import Case, Suite, cases_of_suite, suite_file_text, suites_of_project
from grice.store.tokens import Caller, Role
from grice.text import plural
from grice.web.page_rendering import page, piece
from grice.web.routes.case import case_address

router = APIRouter(include_in_schema=False)

RUN_MODES = ("DEFAULT", "SKIP", "ONLY")
_FEW = 12
"""Cases of a suite that the tree shows where nothing is searched."""
_PER_SUITE, _PER_PAGE = 50, 200
_Text = Annotated[str, Query(max_length=200)]
_NOT_EMPTY = {"matcher": "toHaveLength", "expected": 0, "not": True, "description": "The reply is not empty."}
"""The first check of a new case: it can fail, and is easy to take away."""


class _Rights(NamedTuple):
    """What the caller may do."""

    run: bool
    edit: bool


class _SuiteLine(NamedTuple):
    """A suite in the tree: those of its cases that are shown, of `total` and of `matching` in all."""

    id: str
    name: str
    file: str | None
    problems: Sequence[str]
    cases: Sequence[Case]
    matching: int
    total: int

    @property
    def run(self) -> str:
        return f"/api/test-suites/{quote(self.id, safe='/')}/run"


@router.get("/suites", dependencies=[READ])
def suites(request: Request, service: Served, caller: Asking, q: _Text = "", mode: _Text = "") -> Response:
    """Show every suite with its cases, those in files and those in none."""
    lines = _lines(service, q, mode)
    shown = [one for one in lines if one.matching or not (q or mode) or _has(one.name, one.file, words=q)]
    shown = [one for one in shown if one.matching or not mode]
    return page(
        request,
        "suites.html",
        title="Suites",
        answer=_answer_of(lines, shown, searched=bool(q or mode)),
        groups=[
            ("In files", [one for one in shown if one.file is not None]),
            ("In the database of this server", [one for one in shown if one.file is None]),
        ],
        empty=not lines,
        wanted={"q": q, "mode": mode},
        modes=RUN_MODES,
        rights=_rights(caller),
        starter=_json({"testCases": [{"name": "first", "say": "Hello", "assertions": [_NOT_EMPTY]}]}),
    )


def _lines(service: Service, words: str, mode: str) -> list[_SuiteLine]:
    service.suites.follow_files()
    files = {one.id: one for one in suite_files(service.root, service.project).values()}
    with read_only(service.engine) as connection:
        known = suites_of_project(connection, service.project)
        lines = [_line(service, one, cases_of_suite(connection, one.id), words, mode) for one in known]
    unread = files.keys() - {one.id for one in known}
    lines += [
        _SuiteLine(id_, files[id_].name, files[id_].file, _problems(service, files[id_].file), (), 0, 0)
        for id_ in unread
    ]
    return sorted(lines, key=lambda one: (one.file is None, one.file or "", one.name))


def _line(service: Service, suite: Suite, cases: list[Case], words: str, mode: str) -> _SuiteLine:
    of_suite = _has(suite.name, suite.source_file, words=words)
    found = [
        one
        for one in cases
        if (of_suite or _has(one.key, str(one.scenario.get("description", "")), words=words))
        and mode in ("", one.run_mode)
    ]
    file = suite.source_file
    most = _PER_SUITE if words or mode else _FEW
    return _SuiteLine(
        suite.id, suite.name, file, _problems(service, file), found[:most], len(found), len(cases)
    )


def _has(*texts: str | None, words: str) -> bool:
    whole = " ".join(one for one in texts if one).casefold()
    return all(one in whole for one in words.casefold().split())


def _problems(service: Service, file: str | None) -> Sequence[str]:
    """What is wrong with a file, without the folder of the project before its name."""
    found = service.suites.left_out.get(file, ()) if file is not None else ()
    return [one.removeprefix(f"{service.root}{os.sep}") for one in found]


def _answer_of(lines: list[_SuiteLine], shown: list[_SuiteLine], *, searched: bool) -> str:
    if not lines:
        return "No suite is here yet"
    if searched:
        found = sum(one.matching for one in shown)
        return f"{plural(found, 'case')} in {plural(len(shown), 'suite')} found"
    wrong = sum(bool(one.problems) for one in lines)
    told = f"{plural(len(lines), 'suite')} with {plural(sum(one.total for one in lines), 'case')}"
    return f"{told}; {wrong} cannot be read" if wrong else told


@router.get("/suite-actions/{suite_id:path}", dependencies=[READ])
def suite_actions(suite_id: str, service: Served, caller: Asking) -> Response:
    """Give the actions on a suite."""
    suite = service.suites.find_suite(suite_id)
    with read_only(service.engine) as connection:
        version = version_of_suite(connection, suite)
    file = suite.source_file
    text, told = _text_of(service, suite)
    return piece(
        "suite_actions.html",
        suite=suite,
        version=version,
        at=f"/api/test-suites/{quote(suite.id, safe='/')}",
        rights=_rights(caller),
        format="json" if file is not None and file.endswith(".json") else "yaml",
        text=text,
        told=told,
    )


def _text_of(service: Service, suite: Suite) -> tuple[str, str]:
    """The text of a suite's file, or as it would stand in one, or why there is none."""
    try:
        if suite.source_file is not None:
            return service.suites.text_of(suite)[0], ""
        with read_only(service.engine) as connection:
            return suite_file_text(connection, suite), ""
    except SuiteProblems as error:
        return "", str(error)


@router.get("/case-actions/{case_id:path}", dependencies=[READ])
def case_actions(case_id: str, service: Served, caller: Asking) -> Response:
    """Give the actions on a case."""
    suite, case = service.suites.find_case(case_id)
    with read_only(service.engine) as connection:
        targets = [one for one in suites_of_project(connection, service.project) if one.id != suite.id]
        number = len(cases_of_suite(connection, suite.id))
    return piece(
        "case_actions.html",
        case=case,
        version=version_of_case(case),
        at=f"/api/test-cases/{quote(case.id, safe='/')}",
        targets=targets,
        positions=range(number),
        place=case.position or 0,
        rights=_rights(caller),
    )


@router.get("/first-case/{suite_id:path}", dependencies=[READ])
def first_case(suite_id: str, service: Served) -> Response:
    """Redirect to the editor of the first case of a suite."""
    found = service.suites.find_suite(suite_id)
    with read_only(service.engine) as connection:
        cases = cases_of_suite(connection, found.id)
    return RedirectResponse(case_address(cases[0].id) if cases else _suite_address(found.id), 303)


def _suite_address(suite_id: str) -> str:
    return f"/suites/{quote(suite_id, safe='/')}"


@router.get("/suites/{suite_id:path}", dependencies=[READ])
def suite(
    request: Request,
    suite_id: str,
    service: Served,
    caller: Asking,
    q: _Text = "",
    mode: _Text = "",
    start: Annotated[int, Query(ge=0, le=10_000_000, alias="from")] = 0,
) -> Response:
    """Show the cases of a suite, in their order."""
    found = service.suites.find_suite(suite_id)
    with read_only(service.engine) as connection:
        cases = cases_of_suite(connection, found.id)
    shown = [
        one
        for one in cases
        if _has(one.key, str(one.scenario.get("description", "")), words=q) and mode in ("", one.run_mode)
    ]
    address = _suite_address(found.id)
    return page(
        request,
        "suite.html",
        title=found.name,
        suite=found,
        address=address,
        at=f"/api/test-suites/{quote(found.id, safe='/')}",
        answer=f"{found.name}: {plural(len(cases), 'case')}",
        only=sum(one.run_mode == "ONLY" for one in cases),
        lines=[_CaseLine(one, version_of_case(one)) for one in shown[start : start + _PER_PAGE]],
        matching=len(shown),
        following=start + _PER_PAGE if start + _PER_PAGE < len(shown) else None,
        total=len(cases),
        wanted={"q": q, "mode": mode},
        modes=RUN_MODES,
        rights=_rights(caller),
        starter=_json(_starter(cases)),
    )


class _CaseLine(NamedTuple):
    """A case in the list of its suite, with the version that is changed."""

    case: Case
    version: str

    @property
    def at(self) -> str:
        return f"/api/test-cases/{quote(self.case.id, safe='/')}"

    @property
    def address(self) -> str:
        return case_address(self.case.id)

    @property
    def checks(self) -> str:
        """How many checks the case has, or what its output is compared with."""
        said = self.case.scenario
        parts: list[JsonValue] = [said]
        parts += said["turns"] if isinstance(said.get("turns"), list) else []
        hard, soft = (
            sum(len(one.get(name) or ()) for one in parts if isinstance(one, dict))
            for name in ("expect", "evaluate")
        )
        told = [f"{hard} hard"] if hard else []
        told += [f"{soft} soft"] if soft else []
        if not told:
            return "an expected output"
        return f"{' and '.join(told)} check{'' if hard + soft == 1 else 's'}"


def _starter(cases: Sequence[Case]) -> dict[str, Any]:
    """What a new case says at first: the inputs of the one before it where the suite tests a prompt."""
    inputs = cases[-1].scenario.get("inputs") if cases else None
    if isinstance(inputs, dict) and "say" not in cases[-1].scenario:
        return {"inputs": inputs, "assertions": [_NOT_EMPTY]}
    return {"say": "Hello", "assertions": [_NOT_EMPTY]}


def _rights(caller: Caller) -> _Rights:
    return _Rights(caller.role.allows(Role.RUN), caller.role.allows(Role.EDIT))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
