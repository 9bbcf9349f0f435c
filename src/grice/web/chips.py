"""The result of each check as a chip: outcome, path, matcher, mode, polarity, samples."""

from __future__ import annotations

import difflib
import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from grice.identity import redact_text
from grice.store.columns import json_value
from grice.store.tables import test_cases, test_results
from grice.text import shorten

_LONGEST_DIFF = 20_000
_LINES = 400


class Chip(NamedTuple):
    """The result of a check. `mode` is ANY or ALL where it has a path, `samples` are values at that path.

    `truncated` says that some of it was too long to be kept.
    """

    outcome: str
    path: str
    matcher: str
    mode: str
    negated: bool
    message: str
    description: str
    samples: list[str]
    truncated: bool
    unresolved: bool


class Chips(NamedTuple):
    """The chips of a result. A case without assertions has the difference between expected and actual."""

    chips: list[Chip]
    diff: list[tuple[str, str]]


def chips_of(connection: Connection, run: str, id_: str) -> Chips:
    """The chips of a result, none where it has no details."""
    results, cases = test_results.c, test_cases.c
    query = (
        select(results.details, results.actual_output, cases.expected_output, cases.assertions)
        .join(test_cases, cases.id == results.test_case_id)
        .where(results.id == id_, results.test_suite_run_id == run)
    )
    row = connection.execute(query).first()
    if row is None:
        return Chips([], [])
    details: Any = [] if row.details is None else json_value(row.details)
    found = [_chip(one) for one in details if isinstance(one, dict)] if isinstance(details, list) else []
    expected = row.expected_output or ""
    is_legacy = bool(expected) and (row.assertions or "[]") == "[]"
    return Chips(found, _diff(expected, row.actual_output or "") if is_legacy else [])


def _chip(one: dict[str, Any]) -> Chip:
    path = str(one.get("path") or "")
    samples = one.get("actualSamples") or []
    return Chip(
        outcome=str(
            one.get("outcome") or ("pass" if one.get("passed") else "fail" if "passed" in one else "skipped")
        ),
        path=path,
        matcher=str(one.get("matcher") or ""),
        mode=str(one.get("pathMatch") or "") if path else "",
        negated=bool(one.get("not")),
        message=redact_text(str(one.get("message") or "")),
        description=redact_text(str(one.get("description") or "")),
        samples=[redact_text(_text(each)) for each in samples],
        truncated="...truncated" in json.dumps(one, ensure_ascii=False, default=str)
        or bool(one.get("truncated")),
        unresolved=bool(one.get("unresolved")),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _diff(expected: str, actual: str) -> list[tuple[str, str]]:
    """Lines of both, each with `-` (expected, not there), `+` (there, not expected) or a space."""
    texts = (shorten(redact_text(text), _LONGEST_DIFF).splitlines()[:_LINES] for text in (expected, actual))
    one, other = texts
    lines: list[tuple[str, str]] = []
    for kind, start, end, begin, close in difflib.SequenceMatcher(None, one, other, False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in one[start:end]]
        else:
            lines += [("-", line) for line in one[start:end]] + [("+", line) for line in other[begin:close]]
    return lines
