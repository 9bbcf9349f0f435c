"""Labelling replies one at a time: `grice label` in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from grice.api.errors import ApiError
from grice.api.labelling_tasks import TaskNamed, criteria_of, find_task, item_files, rater_of, refusals
from grice.api.service import READ, Asking, Served, Service
from grice.judging.calibration_cards import load_cards
from grice.matching.redacted import redacted_record
from grice.records import Conversation
from grice.reporting.document import Section, Transcript
from grice.reporting.documents.labels import card_section, labels_document
from grice.store.tokens import OWNER
from grice.validation.judges.items import Item, Label, LabelValue
from grice.validation.judges.judge_calls import QUALITIES
from grice.validation.labelling.labelling_questions import LabellingQuestion
from grice.validation.labelling.session import agreement_lines, measuring_command
from grice.validation.labelling.task import LabellingTask, done_by, labels_of_task, next_item
from grice.web.page_rendering import page

router = APIRouter(include_in_schema=False)

_TURNS = 20
"""Turns that are shown before the reply, unless all are wanted."""
_Text = Annotated[str, Query(max_length=1000)]


class _Key(NamedTuple):
    """An answer: its key, its words, and the body of the request that gives it."""

    key: str
    words: str
    body: str
    chosen: bool


def _named(
    items: _Text = "",
    criterion: _Text = "",
    question: Annotated[str, Query(max_length=2000)] = "",
    choices: _Text = "",
    out: _Text = "labels.jsonl",
    limit: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    seed: Annotated[int, Query(ge=0, le=2**53)] = 0,
    scale: bool = False,
) -> TaskNamed:
    return TaskNamed(items, criterion, question, choices, out, limit, seed, scale=scale)


_Named = Annotated[TaskNamed, Depends(_named)]


@router.get("/labels", dependencies=[READ])
def labels(request: Request, service: Served, caller: Asking) -> Response:
    """Ask for the file to label, the rater, and the question."""
    problem, criteria = "", []
    try:
        criteria = sorted(criteria_of(service))
    except ApiError as error:
        problem = error.message
    return page(
        request,
        "labels_start.html",
        title="Labels",
        files=item_files(service),
        criteria=criteria,
        qualities=QUALITIES,
        rater=rater_of(service, caller, ""),
        fixed=caller.name != OWNER,
        problem=problem,
        cards=_cards(service, ""),
    )


@router.get("/labels/ask", dependencies=[READ])
def ask(
    request: Request,
    service: Served,
    caller: Asking,
    named: _Named,
    rater: _Text = "",
    item: _Text = "",
    behind: _Text = "",
    whole: bool = False,
) -> Response:
    """Ask about the next reply, or the one of that id; at the end say how far raters agree.

    Nobody sees what others said before they have answered for all replies.
    """
    task = find_task(service, named)
    who = rater_of(service, caller, rater)
    with service.labelling, refusals():
        said, other = labels_of_task(task)
    shown = _item(task, item) if item else next_item(task, who, said, behind)
    here = _address(named, who)
    shell: dict[str, Any] = {
        "named": named,
        "asked": task.asked,
        "rater": who,
        "done": done_by(task, who, said),
        "total": len(task.items),
        "other": len(other),
        "silent": task.silent,
        "here": here,
    }
    if shown is None:
        return page(
            request, "labels_end.html", title="Labels", **shell, **_end(service, task, named, who, said)
        )
    own = next((one for one in reversed(said) if one.rater == who and one.item == shown.id), None)
    turns = redacted_record(shown.conversation, Conversation).turns
    first = 0 if whole else max(0, len(turns) - _TURNS)
    place = {"behind": shown.id}
    return page(
        request,
        "label.html",
        title="Labels",
        **shell,
        item=shown,
        own=own,
        keys=_keys(task.asked, named, who, shown, own),
        undo=_body(named, who),
        transcript=Transcript(turns[first:], turns[-1].number),
        left_out=first,
        whole=f"{here}&{urlencode({'item': shown.id, 'whole': 'true'})}",
        then=f"{here}&{urlencode(place)}",
        system=redacted_record(shown.conversation, Conversation).system,
    )


def _item(task: LabellingTask, wanted: str) -> Item:
    found = next((one for one in task.items if one.id == wanted), None)
    if found is None:
        raise ApiError(404, f"there is no item {wanted!r}")
    return found


def _keys(
    asked: LabellingQuestion, named: TaskNamed, rater: str, item: Item, own: Label | None
) -> list[_Key]:
    """The answers with their keys; the last one is that somebody cannot tell."""
    answers: list[tuple[str, LabelValue | None]] = [*asked.keys.items(), ("0", None)]
    return [
        _Key(
            key,
            _label_text(asked, value),
            _body(named, rater, item=item.id, label=value),
            own is not None and own.value == value and type(own.value) is type(value),
        )
        for key, value in answers
    ]


def _label_text(asked: LabellingQuestion, value: LabelValue | None) -> str:
    if value is None:
        return "Cannot tell"
    if isinstance(value, bool):
        return "Pass" if value else "Fail"
    if isinstance(value, str):
        return value
    anchor = dict(asked.anchors).get(int(value), "")
    return f"{value:g}: {anchor}" if anchor else f"{value:g}"


def _body(named: TaskNamed, rater: str, **more: Any) -> str:
    return msgspec.json.encode({**named._asdict(), "rater": rater, **more}).decode()


def _address(named: TaskNamed, rater: str) -> str:
    """The address of the task for a rater."""
    fields = {name: value for name, value in named._asdict().items() if value}
    if "scale" in fields:
        fields["scale"] = "true"
    return f"/labels/ask?{urlencode({**fields, 'rater': rater})}"


def _end(
    service: Service, task: LabellingTask, named: TaskNamed, rater: str, said: list[Label]
) -> dict[str, Any]:
    """The text when nothing is left to label."""
    agreement = list(agreement_lines(said, {one.id: one for one in task.items}, task.asked))
    command = measuring_command(task.asked, Path(named.out), [Path(named.items)])
    document = labels_document(done_by(task, rater, said), len(task.items), agreement, command)
    return {
        "document": document,
        "raters": sorted({one.rater for one in said}),
        "cards": _cards(service, task.asked.criterion) if task.asked.criterion else [],
        "undo": _body(named, rater),
    }


def _cards(service: Service, judge: str) -> list[Section]:
    """The calibration cards of a judge, of all for ""."""
    found, _ = load_cards(service.root / service.settings.cards)
    return [card_section(one) for one in found.values() if not judge or one.judge == judge]
