"""The editor of a case: its conversation, expected output and assertions, beside an output."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import Response

from grice.api.case_fields import case_body
from grice.api.service import READ, Asking, Served, Service
from grice.files.prompt_files import PromptErrors, read_prompt
from grice.matching.assertion_words import assertion_words
from grice.store.database import read_only
from grice.store.errors import NoSuchRow
from grice.store.prompts import find_prompt
from grice.store.suites import Suite
from grice.store.tokens import Role
from grice.web.page_rendering import page

router = APIRouter(include_in_schema=False)


@router.get("/cases/{case_id:path}", dependencies=[READ])
def case(request: Request, case_id: str, service: Served, caller: Asking) -> Response:
    """Show the editor of a case. Its script asks the API for the rest."""
    suite, found = service.suites.find_case(case_id)
    body = case_body(found)
    fields = body.model_dump(by_alias=True)
    return page(
        request,
        "case.html",
        title=found.key,
        case=body,
        suite=suite,
        address=f"/api/test-cases/{quote(case_id, safe='/')}",
        suite_address=f"/api/test-suites/{quote(suite.id, safe='/')}",
        may=[str(role) for role in Role if caller.role.allows(role)],
        role=caller.role,
        token=caller.name,
        placeholders=json.dumps(_placeholders(service, suite)),
        examples=[(one, json.dumps(one._asdict())) for one in EXAMPLES],
        rows=[(mode, assertion_words_of(one)) for mode in ("assertions", "evaluate") for one in fields[mode]],
    )


def case_address(case_id: str) -> str:
    """The address of the editor of a case."""
    return f"/cases/{quote(case_id, safe='/')}"


def assertion_words_of(check: dict[str, Any]) -> str:
    """A check on one line, for browsers without scripts."""
    path, match, matcher = (str(check.get(name) or "") for name in ("path", "pathMatch", "matcher"))
    is_all = match == "ALL"
    expected = {"expected": check["expected"]} if "expected" in check else {}
    return assertion_words(
        path or "$", "ALL" if is_all else "ANY", matcher, negated=check.get("not") is True, **expected
    )


def _placeholders(service: Service, suite: Suite) -> list[str]:
    """The names of the inputs that the suite's prompt has; none where it tests no prompt."""
    if suite.prompt is None:
        return []
    try:
        with read_only(service.engine) as connection:
            row = find_prompt(connection, suite.prompt)
        return list(read_prompt(row.text, row.name).lines)
    except (NoSuchRow, PromptErrors):
        return []


class CaseExample(NamedTuple):
    """An output of an agent, assertions on it, and what they show."""

    title: str
    shows: str
    output: str
    assertions: list[dict[str, Any]]


EXAMPLES = (
    CaseExample(
        "A reply in words",
        "It names the room, and gives a time of day in any of its forms.",
        "The Blue Room is free tomorrow at 2 PM.",
        [
            {"matcher": "toContain", "expected": "Blue Room"},
            {"matcher": "toMatch", "expected": {"source": r"\b2(:00)? ?pm\b|14:00", "flags": "i"}},
        ],
    ),
    CaseExample(
        "A list in JSON",
        "Every item has one of two states, and there are two items.",
        '{"items": [{"name": "Akismet", "status": "READY"}, {"name": "Jetpack", "status": "PENDING"}]}',
        [
            {
                "path": "$.items[*].status",
                "pathMatch": "ALL",
                "matcher": "toBeOneOf",
                "expected": ["READY", "PENDING"],
            },
            {"path": "$.items", "matcher": "toHaveLength", "expected": 2},
        ],
    ),
    CaseExample(
        "What must not be",
        "No item has failed, and there is a picture.",
        '{"items": [{"status": "READY"}], "profile": {"picture": "ada.webp"}}',
        [
            {"path": "$.items[*].status", "matcher": "toEqual", "expected": "FAILED", "not": True},
            {"path": "$.profile.picture", "matcher": "toBeNull", "not": True},
        ],
    ),
)
