"""Scans that were kept, their findings, and the labels of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.labelling_tasks import rater_of
from grice.api.service import READ, Asking, Served, Service
from grice.checks.first_looks import FirstLook, first_look
from grice.records import Evidence, Outcome, Verdict
from grice.reporting.document import Answer, Transcript, Words, marked_words
from grice.reporting.documents.findings import extracting, pasted, scan_document
from grice.scanning.kept_scan import (
    FindingGroup,
    KeptFinding,
    KeptScan,
    ScanUnreadable,
    grouped_findings,
)
from grice.scanning.log_precision import LogPrecision, answer_on, log_precision
from grice.store.labels import answers_on_scan
from grice.web.page_rendering import page

router = APIRouter(include_in_schema=False)

_LISTED = 10
"""Replies of a label that are listed beside other labels."""
_MOST = 200
"""Replies of one label that are listed."""
_SCANS = 50
_PLACES = 20
_ANSWERS = (
    ("right", "Right", "y", "right"),
    ("wrong", "Wrong", "n", "wrong"),
    ("unsure", "Cannot tell", "0", None),
)
"""What may be said of a finding: as it is kept, its words, its key, and the label of the request."""
_ONE_LINE = str.maketrans("\n\t", "  ")


class _ScanLine(NamedTuple):
    id: str
    when: str
    files: str
    answer: Answer | None
    problem: str


class _Reply(NamedTuple):
    """A reply with the findings on it: its words, where it is, and what people say of it."""

    key: str
    words: Words
    findings: int
    answer: str
    said: Mapping[str, str]


class _Label(NamedTuple):
    """A label of a scan. `replies` are the first ones; `kept` is how many findings were drawn."""

    name: str
    found: int
    kept: int
    groups: int
    rule: str
    profile: str
    first: FirstLook | None
    here: LogPrecision
    replies: list[_Reply]
    next: str


@router.get("/scans", dependencies=[READ])
def scans(request: Request, service: Served) -> Response:
    """List the scans that were kept, the latest first."""
    lines = [_scan_line(service, one) for one in service.scans.ids()[:_SCANS]]
    return page(request, "scans.html", title="Findings", lines=lines)


@router.get("/scans/{scan_id}", dependencies=[READ])
def scan(
    request: Request,
    scan_id: str,
    service: Served,
    caller: Asking,
    label: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Show a scan: the findings, how often they are right here, and the replies, the most frequent first."""
    kept = _scan(service, scan_id)
    said, rater = _answers(service, scan_id), rater_of(service, caller, "")
    names = [one.label for one in kept.labels]
    if label and label not in names:
        raise ApiError(404, f"the scan {scan_id} has no label {label!r}")
    labels = [_label(kept, one, said, rater, _MOST if label else _LISTED) for one in names]
    document = scan_document(kept.report)
    return page(
        request,
        "scan.html",
        title="Findings",
        scan=kept,
        at=_address(scan_id),
        answer=document.answer,
        when=f"{kept.at:%Y-%m-%d %H:%M} UTC",
        labels=labels,
        shown=[one for one in labels if (one.name == label if label else one.found)],
        label=label,
    )


@router.get("/scans/{scan_id}/{key}", dependencies=[READ])
def finding(request: Request, scan_id: str, key: str, service: Served, caller: Asking) -> Response:
    """Show a reply with its findings, and ask whether they are right."""
    kept = _scan(service, scan_id)
    group = next((one for one in grouped_findings(kept) if one.key == key), None)
    if group is None:
        raise ApiError(404, f"the scan {scan_id} has no finding {key!r}")
    said, rater = _answers(service, scan_id), rater_of(service, caller, "")
    told = _label(kept, group.label, said, rater, 0, behind=key)
    first = group.findings[0]
    item = {"items": scan_id, "item": f"{scan_id}/{key}"}
    keys = [one.key for one in grouped_findings(kept, group.label)]
    place = keys.index(key)
    at = _address(scan_id)
    return page(
        request,
        "finding.html",
        title=group.label,
        scan=kept,
        at=at,
        group=group,
        told=told,
        words=_words(first),
        transcript=_transcript(first),
        first=first.finding,
        extract=extracting(first.finding, kept.report),
        places=[_place(one) for one in group.findings[:_PLACES]],
        said=said.get(key, {}),
        own=said.get(key, {}).get(rater, ""),
        rater=rater,
        answers=[
            (said, words, shortcut, msgspec.json.encode({**item, "label": label}).decode())
            for said, words, shortcut, label in _ANSWERS
        ],
        before=f"{at}/{keys[place - 1]}" if place else "",
        behind=f"{at}/{keys[place + 1]}" if place + 1 < len(keys) else "",
        after=f"{at}/{told.next}" if told.next else f"{at}?label={quote(group.label)}",
    )


def _scan(service: Service, scan_id: str) -> KeptScan:
    found = service.scans.find(scan_id)
    if found is None:
        raise ApiError(404, f"there is no scan {scan_id!r}")
    return found


def _answers(service: Service, scan_id: str) -> dict[str, dict[str, str]]:
    with service.reading() as connection:
        return answers_on_scan(connection, scan_id)


def _scan_line(service: Service, id_: str) -> _ScanLine:
    try:
        kept = _scan(service, id_)
        answer = scan_document(kept.report).answer
    except ScanUnreadable as error:
        return _ScanLine(id_, "", "", None, str(error))
    files = ", ".join(Path(one).name for one in kept.files)
    return _ScanLine(id_, f"{kept.at:%Y-%m-%d %H:%M} UTC", files, answer, "")


def _label(
    kept: KeptScan,
    name: str,
    said: Mapping[str, Mapping[str, str]],
    rater: str,
    most: int,
    *,
    behind: str = "",
) -> _Label:
    """A label with its first replies; `next` is the reply that the rater is to be asked about."""
    scanned = next(one for one in kept.labels if one.label == name)
    groups = grouped_findings(kept, name)
    often = sorted(groups, key=lambda one: -len(one.findings))
    return _Label(
        name,
        scanned.found,
        sum(len(one.findings) for one in groups),
        len(groups),
        scanned.rule,
        scanned.profile,
        first_look(scanned.rule, scanned.profile),
        log_precision(groups, said),
        [_reply(one, said.get(one.key, {})) for one in often[:most]],
        _next(groups, said, rater, behind),
    )


def _next(
    groups: Sequence[FindingGroup], said: Mapping[str, Mapping[str, str]], rater: str, behind: str
) -> str:
    """The key of the next reply, in a random order, without the rater's answer; "" when none is left."""
    left = [one.key for one in groups if rater not in said.get(one.key, {}) and one.key != behind]
    return next((one for one in left if one > behind), next(iter(left), ""))


def _reply(group: FindingGroup, said: Mapping[str, str]) -> _Reply:
    return _Reply(group.key, _words(group.findings[0]), len(group.findings), answer_on(said), said)


def _words(one: KeptFinding) -> Words:
    """The excerpt on one line, with what was found in it marked."""
    found = one.finding
    return marked_words(found.excerpt, found.marks, lambda text: text.translate(_ONE_LINE))


def _transcript(one: KeptFinding) -> Transcript:
    found = one.finding
    quotes = [Evidence(found.excerpt[start:end], turn=found.turn) for start, end in found.marks]
    verdict = Verdict(
        Outcome.FAIL, reason=found.reason, claim=found.label, turn=found.turn, evidence=tuple(quotes)
    )
    return Transcript(one.conversation.turns, found.turn, (verdict,))


def _place(one: KeptFinding) -> str:
    found = one.finding
    return f"{pasted(found)}, {found.conversation or 'unnamed'}, turn {found.turn}"


def _address(scan_id: str) -> str:
    return f"/scans/{quote(scan_id, safe='')}"
