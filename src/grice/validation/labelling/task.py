"""A labelling task: items, the question about each, and the file that answers are appended to.

`grice label` goes through one with keys at a terminal; pages answer one item at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from grice.files.document import FileErrors
from grice.files.writing import check_output
from grice.judging.criterion import Criterion
from grice.text import value_text
from grice.validation.judges.items import Item, Label, LabelValue, find_items
from grice.validation.judges.judge_calls import QUALITIES
from grice.validation.judges.labels import kind_of
from grice.validation.labelling.journal import Journal, labels_there
from grice.validation.labelling.labelling_questions import (
    LabellingQuestion,
    WrongQuestion,
    asked_of,
    quality_asked,
    unknown_name,
)
from grice.validation.labelling.session import drawn, of_question, order_of


class LabellingTask(msgspec.Struct, frozen=True):
    """The items, the question about them, and the file of answers.

    `silent` counts conversations of the files in which nobody replied.
    """

    items: tuple[Item, ...]
    asked: LabellingQuestion
    out: Path
    seed: int = 0
    silent: int = 0

    def order(self, rater: str) -> list[Item]:
        """The items in the rater's own order."""
        return order_of(self.items, rater, seed=self.seed)


def named_asked(name: str, criteria: Mapping[str, Criterion]) -> LabellingQuestion:
    """The question for the criterion or quality of that name. Raises WrongQuestion."""
    if name in criteria:
        return asked_of(criteria[name])
    if name in QUALITIES:
        return quality_asked(name)
    raise unknown_name(name, sorted(criteria))


def check_labels_file(out: Path) -> None:
    """Raise WrongQuestion for a name that no file of labels has, and OSError where it cannot be written."""
    _check_name(out)
    check_output(out)


def _check_name(out: Path) -> None:
    if out.suffix.lower() not in (".jsonl", ".ndjson"):
        raise WrongQuestion(f"{out}: labels are written as JSON Lines, expected a .jsonl file")


def labelling_task(
    files: Sequence[Path], asked: LabellingQuestion, out: Path, *, limit: int = 0, seed: int = 0
) -> LabellingTask:
    """The task over the items of the files. Raises FileErrors, WrongQuestion, and OSError for the output."""
    _check_name(out)
    found = find_items(files)
    if found.errors:
        raise FileErrors(found.errors)
    if not found.items:
        raise FileErrors(found.silent)
    check_output(out, files)
    items = drawn(found.items, limit, seed=seed)
    return LabellingTask(tuple(items), asked, out, seed, len(found.silent))


def labels_of_task(task: LabellingTask) -> tuple[list[Label], list[Label]]:
    """The answers to the question, and those to the same criterion with an earlier text.

    Raises FileErrors, and WrongQuestion for answers of another kind.
    """
    before, other = of_question(labels_there(task.out), task.asked)
    check_kind(before, task.asked, task.out)
    return before, other


def check_kind(before: Sequence[Label], asked: LabellingQuestion, out: Path) -> None:
    """Raise WrongQuestion for an answer of another kind than the question already has."""
    for label in before:
        if label.value is not None and kind_of(label.value) != asked.kind:
            raise WrongQuestion(
                f"{out}:{label.line}: the same was answered with {value_text(label.value)}, another kind of "
                "answer: ask as before, or give another --out"
            )


def done_by(task: LabellingTask, rater: str, said: Sequence[Label]) -> int:
    """The number of items with an answer of the rater."""
    answered = {one.item for one in said if one.rater == rater}
    return sum(one.id in answered for one in task.items)


def next_item(task: LabellingTask, rater: str, said: Sequence[Label], behind: str = "") -> Item | None:
    """The rater's next item, behind the one of that id in their order; None when none is left.

    Those before it come again when all behind it have an answer.
    """
    answered = {one.item for one in said if one.rater == rater}
    ordered = task.order(rater)
    place = next((number for number, one in enumerate(ordered, 1) if one.id == behind), 0)
    left = (one for one in (*ordered[place:], *ordered[:place]) if one.id not in answered)
    return next(left, None)


def answer_item(
    task: LabellingTask, rater: str, item: str, value: LabelValue | None, note: str = ""
) -> Label:
    """Write a rater's answer on an item to the disk; None means that they cannot tell.

    An item that has an answer of the rater has the new one then. Raises WrongQuestion, FileErrors, OSError.
    """
    labels_of_task(task)
    asked = task.asked
    places = {one.id: place for place, one in enumerate(task.order(rater), 1)}
    if item not in places:
        raise WrongQuestion(f"there is no item {value_text(item)}")
    if value is not None and not any(
        type(one) is type(value) and one == value for one in asked.keys.values()
    ):
        known = ", ".join(value_text(one) for one in asked.keys.values())
        raise WrongQuestion(f"expected one of {known}, or null, found {value_text(value)}")
    label = Label(
        item,
        value,
        rater,
        asked.criterion,
        note.strip(),
        fingerprint=asked.fingerprint,
        question=asked.question,
    )
    with Journal(task.out, asked, rater) as journal:
        return journal.write(label, seed=task.seed, place=places[item])


def take_back(task: LabellingTask, rater: str) -> Label | None:
    """Undo the rater's last answer; None where there is none. Raises as `answer_item`."""
    before, _ = labels_of_task(task)
    known = {one.id for one in task.items}
    own = [one for one in before if one.rater == rater and one.item in known]
    if not own:
        return None
    with Journal(task.out, task.asked, rater) as journal:
        journal.retract(own[-1])
    return own[-1]
