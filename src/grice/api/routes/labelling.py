"""Labelling, one answer at a time: `grice label` for pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from grice.api.bodies import Body
from grice.api.errors import ERRORS, ErrorBody
from grice.api.labelling_tasks import TaskNamed, find_task, rater_of, refusals
from grice.api.service import EDIT, Asking, Served, Service
from grice.identity import redact_text
from grice.store.tokens import Caller
from grice.validation.judges.items import Label
from grice.validation.labelling.task import LabellingTask, answer_item, done_by, labels_of_task, take_back

_WRONG: dict[int | str, dict[str, object]] = {
    422: {"model": ErrorBody, "description": "The items, the labels or the answer cannot be used."}
}
router = APIRouter(prefix="/api", tags=["labels"], responses={**ERRORS, **_WRONG})

_Name = Annotated[str, Field(max_length=300)]


class TaskBody(Body):
    """A labelling task: the file of items, what is asked of each, who is asked, where answers go.

    Files are in the project. The id of a scan in place of one asks whether its findings are right or wrong;
    the items are `scan_<id>/<key>` then. Without a criterion `question` is asked; `choices`, with commas
    between, are asked for in place of pass or fail. `limit` draws so many of the items, 0 takes all.
    """

    items: Annotated[str, Field(min_length=1, max_length=1000)]
    criterion: _Name = ""
    question: Annotated[str, Field(max_length=2000)] = ""
    choices: Annotated[str, Field(max_length=600)] = ""
    scale: bool = False
    rater: _Name = ""
    out: Annotated[str, Field(min_length=1, max_length=1000)] = "labels.jsonl"
    limit: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    seed: Annotated[int, Field(ge=0, le=2**53)] = 0

    @property
    def named(self) -> TaskNamed:
        """The task that the body names."""
        return TaskNamed(
            self.items,
            self.criterion,
            self.question,
            self.choices,
            self.out,
            self.limit,
            self.seed,
            scale=self.scale,
        )


class AnswerBody(TaskBody):
    """An answer: what the rater says of an item; null where they cannot tell."""

    item: Annotated[str, Field(min_length=1, max_length=2000)]
    label: bool | float | str | None
    note: Annotated[str, Field(max_length=10_000)] = ""


class AnswersBody(Body):
    """How many of the items have an answer of the rater, and the item that was answered or asked again."""

    rater: str
    done: int
    total: int
    item: str | None


@router.post("/labelling", status_code=201, dependencies=[EDIT])
def answer(body: AnswerBody, service: Served, caller: Asking) -> AnswersBody:
    """Append a rater's answer on an item to the file of labels; it is on the disk before this returns."""
    task = find_task(service, body.named)
    rater = rater_of(service, caller, body.rater)
    with service.labelling, refusals():
        answer_item(task, rater, body.item, body.label, redact_text(body.note))
        said, _ = labels_of_task(task)
    _keep_change(service, caller, f"labelled {body.item}")
    return _answers(task, rater, said, body.item)


@router.post("/labelling/undo", dependencies=[EDIT])
def undo(body: TaskBody, service: Served, caller: Asking) -> AnswersBody:
    """Take the last answer of a rater back; `item` is null where there is none."""
    task = find_task(service, body.named)
    rater = rater_of(service, caller, body.rater)
    with service.labelling, refusals():
        taken = take_back(task, rater)
        said, _ = labels_of_task(task)
    if taken is not None:
        _keep_change(service, caller, f"took a label of {taken.item} back")
    return _answers(task, rater, said, None if taken is None else taken.item)


def _keep_change(service: Service, caller: Caller, what: str) -> None:
    with service.writing(caller, what):
        pass  # it stands in the file already


def _answers(task: LabellingTask, rater: str, said: list[Label], item: str | None) -> AnswersBody:
    return AnswersBody(rater=rater, done=done_by(task, rater, said), total=len(task.items), item=item)
