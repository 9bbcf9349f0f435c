"""Labelling: the order, the keys, taking back, what is shown and what is never shown."""

from __future__ import annotations

import io
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grice.judging.criterion import criterion
from grice.records import Conversation, Message, Turn
from grice.reporting.labelling import ask_all, keys_line, print_item, print_whole
from grice.validation.examples import conversation_of
from grice.validation.judges.items import Item, Label
from grice.validation.judges.judge_calls import QUALITIES
from grice.validation.judges.labels import read_labels
from grice.validation.labelling.journal import Journal, labels_there
from grice.validation.labelling.keyboard import LineKeyboard
from grice.validation.labelling.labelling_questions import (
    LabellingQuestion,
    WrongQuestion,
    asked_of,
    chosen_from,
    quality_asked,
    question_asked,
)
from grice.validation.labelling.session import Session, agreement_lines, drawn, of_question, order_of

GOOD = question_asked("Good?")
BRIEF = asked_of(
    criterion("brief", "The reply is brief.", good=[("Yes.", "one word")], bad=[("Well, well.", "padded")])
)
GRADED = asked_of(criterion("warm", "The reply is warm.", at_least=4, anchors={1: "cold", 5: "warm"}))


def items(*names: str, **fields: Any) -> list[Item]:
    return [
        Item(name, conversation_of({"text": f"Reply {name}", **fields}), name, f"Reply {name}")
        for name in names
    ]


class Desk:
    """A rater at work: what is typed, the file, and what was on the screen."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "labels.jsonl"
        self.screen = ""
        self.session: Session | None = None

    def work(
        self,
        typed: str,
        of: list[Item],
        asked: LabellingQuestion = GOOD,
        *,
        rater: str = "anna",
        **options: Any,
    ) -> list[tuple[str, Any]]:
        """Type these lines; the rater's labels in the file, in the order of writing."""
        screen = io.StringIO()
        console = Console(file=screen, width=80, markup=False, highlight=False, emoji=False)
        before = [one for one in of_question(labels_there(self.path), asked)[0] if one.rater == rater]
        with Journal(self.path, asked, rater, clock=lambda: "2026-01-01T00:00:00+00:00") as journal:
            ticks = count(step=2)
            self.session = Session(
                of, asked, rater, journal, before=before, watch=lambda: float(next(ticks)), **options
            )
            ask_all(console, LineKeyboard(io.StringIO(typed)), self.session, asked)
        self.screen = screen.getvalue()
        return [(one.item, one.value) for one in labels_there(self.path) if one.rater == rater]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of the file."""
        return [json.loads(line) for line in self.path.read_text().splitlines()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


THREE = order_of(items("a", "b", "c"), "anna")
FIRST, SECOND, THIRD = (one.id for one in THREE)


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("y\nn\n?\n", [(FIRST, True), (SECOND, False), (THIRD, None)]),
        ("YES\nfail\n unsure \n", [(FIRST, True), (SECOND, False), (THIRD, None)]),
        ("y\nq\nn\n", [(FIRST, True)]),
        ("y\n", [(FIRST, True)]),
        ("", []),
        ("u\ny\nu\nn\nq\n", [(FIRST, False)]),
        ("y\nn\nu\nu\nn\ny\nq\n", [(FIRST, False), (SECOND, True)]),
        ("s\ny\nq\n", [(SECOND, True)]),
        ("s\nu\ny\nq\n", [(FIRST, True)]),
        ("x\n7\n\nyep\ny\n", [(FIRST, True)]),
        ("h\nt\ny\n", [(FIRST, True)]),
    ],
)
def test_keys_say_what_becomes_of_an_item(desk: Desk, typed: str, labels: list[tuple[str, Any]]) -> None:
    assert desk.work(typed, items("a", "b", "c")) == labels


def test_a_line_of_the_file_says_who_said_what_when(desk: Desk) -> None:
    desk.work("m too long\nn\n", items("a"), BRIEF)
    assert desk.lines == [
        {
            "version": 1,
            "item": "a",
            "rater": "anna",
            "criterion": "brief",
            "fingerprint": BRIEF.fingerprint,
            "label": False,
            "note": "too long",
            "at": "2026-01-01T00:00:00+00:00",
            "seconds": 2.0,
            "seed": 0,
            "place": 1,
        }
    ]
    (label,) = read_labels([desk.path])
    assert (label.note, label.fingerprint, label.seconds) == ("too long", BRIEF.fingerprint, 2.0)


def test_a_note_may_be_a_line_of_its_own_and_ends_with_its_item(desk: Desk) -> None:
    desk.work("m\nhm\ny\nn\n", items("a", "b"))
    assert [one["note"] for one in desk.lines] == ["hm", ""]


def test_a_label_taken_back_is_asked_again_with_its_note(desk: Desk) -> None:
    desk.work("m hm\ny\nu\nn\nq\n", items("a", "b"))
    assert [one.get("label", "retracted") for one in desk.lines] == [True, "retracted", False]
    assert [one.note for one in labels_there(desk.path)] == ["hm"]


def test_work_goes_on_where_it_was_left(desk: Desk) -> None:
    desk.work("y\nq\n", items("a", "b", "c"))
    assert desk.work("n\ns\n", items("a", "b", "c")) == [(FIRST, True), (SECOND, False)]
    assert "1 of 3 done" in desk.screen
    assert f"Reply {FIRST}" not in desk.screen
    assert desk.session is not None
    assert (desk.session.done, desk.session.new, desk.session.skipped) == (2, 1, 1)
    assert desk.work("u\ny\nq\n", items("a", "b", "c")) == [(FIRST, True), (SECOND, True)]


def test_asked_again_the_new_label_counts(desk: Desk) -> None:
    desk.work("y\ny\n", items("a", "b"))
    first, second = (each.id for each in order_of(items("a", "b"), "anna"))
    assert dict(desk.work("n\nq\n", items("a", "b"), again=True)) == {first: False, second: True}


def test_raters_share_a_file_and_see_nothing_of_each_other(desk: Desk) -> None:
    desk.work("m because\ny\nn\n", items("a", "b"), rater="anna")
    desk.work("n\nn\n", items("a", "b"), rater="ben")
    assert "0 of 2 done" in desk.screen
    assert "because" not in desk.screen
    assert len(labels_there(desk.path)) == 4


def test_labels_of_another_content_of_the_criterion_stay_apart(desk: Desk) -> None:
    desk.work("y\n", items("a"), BRIEF)
    changed = asked_of(criterion("brief", "At most two sentences."))
    desk.work("n\n", items("a"), changed)
    same, other = of_question(labels_there(desk.path), changed)
    assert [one.value for one in same] == [False]
    assert [one.value for one in other] == [True]


def test_every_rater_has_an_order_of_their_own_that_stays() -> None:
    many = items(*map(str, range(30)))
    anna = [one.id for one in order_of(many, "anna")]
    assert anna == [one.id for one in order_of(reversed(many), "anna")]
    assert anna != [one.id for one in order_of(many, "ben")]
    assert anna != [one.id for one in order_of(many, "anna", seed=1)]
    assert anna != [one.id for one in many]
    fewer = [one.id for one in order_of(many[:20], "anna")]
    assert fewer == [one for one in anna if int(one) < 20]


def test_a_limit_draws_the_same_items_for_every_rater() -> None:
    many = items(*map(str, range(30)))
    ten = [one.id for one in drawn(many, 10, seed=3)]
    assert len(ten) == 10
    assert ten == [one.id for one in drawn(many, 10, seed=3)]
    assert ten != [one.id for one in drawn(many, 10, seed=4)]
    assert drawn(many, 0) == drawn(many, 99) == many


def test_scores_and_choices_have_keys_of_their_own(desk: Desk) -> None:
    assert desk.work("9\ny\n4\n", items("a"), GRADED) == [("a", 4.0)]
    assert "5  warm" in desk.screen
    pair = chosen_from(question_asked("Which?"), "first, second")
    one, two = (each.id for each in order_of(items("a", "b"), "ben"))
    assert desk.work("2\nFIRST\n", items("a", "b"), pair, rater="ben") == [(one, "second"), (two, "first")]
    letters = chosen_from(question_asked("Which?"), "A,B")
    assert keys_line(letters).startswith("a A  b B  ? cannot tell")


@pytest.mark.parametrize(
    "choices", ["a", "a,", "a,A", "?,b", "unsure,b", "u,v", "1,2,3,4,5,6,7,8,9,10", "x" * 99]
)
def test_choices_that_cannot_be_asked_are_refused(choices: str) -> None:
    with pytest.raises(WrongQuestion, match="--choices: "):
        chosen_from(GOOD, choices)


@pytest.mark.parametrize("name", QUALITIES)
def test_for_a_quality_people_are_asked_what_the_judge_is_asked(name: str) -> None:
    asked = quality_asked(name)
    assert asked.text.startswith("How ")
    assert [score for score, _ in asked.anchors] == [1, 2, 3, 4, 5]


def shown(item: Item, asked: LabellingQuestion = GOOD, *, whole: bool = False) -> str:
    screen = io.StringIO()
    console = Console(file=screen, width=100, markup=False, highlight=False, emoji=False)
    if whole:
        print_whole(console, item)
    else:
        print_item(console, item, asked, done=0, total=1)
    return screen.getvalue()


def test_only_the_conversation_is_shown_with_the_judged_reply_marked() -> None:
    conversation = conversation_of(
        {"earlier": [{"user": "Hi", "text": "Hello"}], "user": "Refund?", "text": "No.", "data": "SECRET"}
    )
    item = Item("a", conversation, text="No.", extra={"verdict": "SECRET", "label": "SECRET"})
    screen = shown(item)
    assert "     assistant  Hello\n" in screen
    assert ">    assistant  No.\n" in screen
    assert "SECRET" not in screen


def test_text_of_agents_is_shown_as_text() -> None:
    text = "\x1b[2J\x07[bold]hi[/bold] \u202eevil\r\ud800"
    item = Item("a", Conversation(turns=(Turn(1, (Message("assistant", text),)),)), text=text)
    for screen in (shown(item), shown(item, whole=True)):
        assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(screen)
        assert "\\x1b[2J\\x07[bold]hi[/bold] \\u202eevil\\r\\ud800" in screen


@pytest.mark.parametrize("text", ["word " * 3_000 + "END", "line\n" * 200 + "END", "x" * 20_000 + "END"])
def test_a_long_reply_is_shown_to_its_end(text: str) -> None:
    (item,) = items("a")
    long = Item("a", conversation_of({"text": text}), text=text)
    assert "END" in shown(long).replace("\n", "")
    assert "The whole reply" not in shown(item)


def test_agreement_is_told_of_items_that_both_labelled() -> None:
    def labels(rater: str, *values: bool | None) -> list[Label]:
        return [Label(str(place), one, rater, question="Good?") for place, one in enumerate(values)]

    known = {one.id: one for one in items("0", "1", "2", "3")}
    three = [
        *labels("anna", True, False, True, None),
        *labels("ben", True, True, True),
        Label("9", True, "cy"),
    ]
    assert [one.partition(" (")[0] for one in agreement_lines(three, known, GOOD)] == [
        "anna and ben: same label on 2 of 3"
    ]
    assert list(agreement_lines(labels("anna", True), known, GOOD)) == []
    apart = [Label("0", True, "anna"), Label("1", True, "ben")]
    assert list(agreement_lines(apart, known, GOOD)) == ["anna and ben: no item labelled by both yet"]
    same = [*labels("anna", True, True), *labels("ben", True, True)]
    assert next(agreement_lines(same, known, GOOD)).endswith("kappa undefined: one answer only")


def test_a_line_that_was_cut_off_is_not_continued(desk: Desk) -> None:
    desk.work("y\nq\n", items("a", "b"))
    desk.path.write_bytes(desk.path.read_bytes().rstrip(b"\n"))
    assert len(desk.work("n\n", items("a", "b"))) == 2


def test_a_label_that_cannot_be_written_changes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("grice.validation.labelling.journal.os.write", full)
    with pytest.raises(OSError, match="No space"):
        desk.work("y\n", items("a"))
    assert desk.session is not None
    assert (desk.session.done, desk.session.item) == (0, desk.session.item)
    assert desk.path.read_bytes() == b""
