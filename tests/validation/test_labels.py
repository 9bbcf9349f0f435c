"""People's labels: what they may look like, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grice.files.document import FileErrors
from grice.validation.judges.items import Label, read_items
from grice.validation.judges.labels import check_labels, of_content, read_labels


def written(tmp_path: Path, *lines: Any, name: str = "labels.jsonl") -> Path:
    path = tmp_path / name
    told = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    path.write_text("\n".join(told) + "\n", "utf-8")
    return path


def values_of(tmp_path: Path, *values: Any, **options: Any) -> list[Any]:
    rows = [{"item": f"i{place}", "label": one} for place, one in enumerate(values)]
    return [one.value for one in read_labels([written(tmp_path, *rows)], **options)]


def cells_of(tmp_path: Path, *cells: str, **options: Any) -> list[Any]:
    rows = [f"i{place},{cell}" for place, cell in enumerate(cells)]
    return [
        one.value for one in read_labels([written(tmp_path, "item,label", *rows, name="l.csv")], **options)
    ]


def errors_of(path: Path, **options: Any) -> list[str]:
    with pytest.raises(FileErrors) as raised:
        read_labels([path], **options)
    return [str(one).replace(f"{path.parent}/", "") for one in raised.value.errors]


@pytest.mark.parametrize(
    ("written_as", "read"),
    [
        ([True, False, None], [True, False, None]),
        (["pass", "FAIL", "Yes", "no", "met", "not met"], [True, False] * 3),
        (["?", "unsure", "", True], [None, None, None, True]),
        ([1, 5, 3.5], [1.0, 5.0, 3.5]),
        ([1, 0, 1], [True, False, True]),
        (["first", " tie ", "first"], ["first", "tie", "first"]),
        (["1", "2"], ["1", "2"]),
    ],
)
def test_values_of_json(tmp_path: Path, written_as: list[Any], read: list[Any]) -> None:
    found = values_of(tmp_path, *written_as)
    assert found == read
    assert list(map(type, found)) == list(map(type, read))


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["1", "0", ""], [True, False, None]),
        (["true", "FALSE", "1"], [True, False, True]),
        (["1", "5", "?", "2.5"], [1.0, 5.0, None, 2.5]),
        (["A", "B"], ["A", "B"]),
    ],
)
def test_values_of_tables_are_text(tmp_path: Path, cells: list[str], read: list[Any]) -> None:
    found = cells_of(tmp_path, *cells)
    assert found == read
    assert list(map(type, found)) == list(map(type, read))


def test_the_reader_may_say_what_numbers_are(tmp_path: Path) -> None:
    assert cells_of(tmp_path, "1", "2", kind="choice") == ["1", "2"]
    assert values_of(tmp_path, 1, 1, kind="score") == [1.0, 1.0]
    path = written(tmp_path, {"item": "a", "label": "pass"})
    assert errors_of(path, kind="score") == ["labels.jsonl:1:24: expected scores, found 'pass'"]


def test_a_column_for_each_rater_where_blank_is_no_label(tmp_path: Path) -> None:
    path = written(tmp_path, "id,text,label:anna,label:j.smith", "a,Yes.,pass,", "b,No.,?,fail", name="l.csv")
    assert [(one.item, one.rater, one.value) for one in read_labels([path])] == [
        ("a", "anna", True),
        ("b", "anna", None),
        ("b", "j.smith", False),
    ]
    assert [one.id for one in read_items([path])] == ["a", "b"]


def test_labels_by_rater_in_the_row_of_the_item(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {
            "id": "a",
            "text": "Yes.",
            "labels": {"anna": True, "ben": None},
            "note": "hm",
            "criterion": "brief",
        },
        {"id": "b", "text": "No."},
    )
    one, two = read_labels([path])
    assert (one.item, one.rater, one.value, one.note, one.criterion) == ("a", "anna", True, "hm", "brief")
    assert (two.rater, two.value, two.line) == ("ben", None, 1)


def test_labels_of_another_criterion_are_left_out_when_one_is_wanted(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"item": "a", "label": True, "criterion": "brief"},
        {"item": "a", "label": 4, "criterion": "warm"},
        {"item": "b", "label": False},
    )
    assert [one.value for one in read_labels([path], criterion="brief")] == [True, False]
    assert [one.value for one in read_labels([path])] == [True, 4.0, False]
    assert errors_of(path, criterion="warm")[0].startswith("labels.jsonl:2:24: labels of several kinds")


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        ([], ["labels.jsonl: is empty: it holds no rows"]),
        (
            [{"id": "a", "text": "x"}],
            ["labels.jsonl: holds no labels: expected item and label in each row"],
        ),
        (
            [{"label": True}, {"item": "a"}, {"item": "a", "lable": True}, {"item": "a", "label": [1]}],
            [
                "labels.jsonl:1:1: missing field 'item', the id of what is labelled",
                "labels.jsonl:2:1: missing field 'label'",
                "labels.jsonl:3:15: unknown field 'lable' (did you mean 'label'?)",
                "labels.jsonl:4:24: expected a label, found [1]",
            ],
        ),
        (
            [{"id": "a", "text": "x", "lable": True}],
            ["labels.jsonl:1:26: unknown field 'lable' (did you mean 'label'?)"],
        ),
        (
            [{"item": "a", "label": 8}, {"item": "b", "label": 3}],
            ["labels.jsonl:1:24: expected a score from 1 to 5, found 8"],
        ),
        (
            [{"item": str(n), "label": n != 2} for n in range(6)] + [{"item": "x", "label": "maybe"}],
            [
                (
                    "labels.jsonl:7:24: labels of several kinds: met or not in lines 1, 2, 3 and 3 more; "
                    "choices in line 7"
                )
            ],
        ),
        (
            [{"item": "a", "labels": "x"}, {"item": "a", "label": True, "rater": ["x"]}],
            [
                "labels.jsonl:1:25: labels: expected an object of raters and their labels, found 'x'",
                "labels.jsonl:2:39: rater: expected a string or an integer, found a list",
            ],
        ),
        (
            [{"version": 99, "at": "now", "item": "a", "label": True}],
            ["labels.jsonl:1:13: version 99 is newer than this Grice reads (1); update Grice"],
        ),
    ],
)
def test_everything_wrong_is_told_at_its_place(tmp_path: Path, lines: list[Any], errors: list[str]) -> None:
    assert errors_of(written(tmp_path, *lines)) == errors


def line(item: str, label: Any = None, **more: Any) -> dict[str, Any]:
    told = {} if more.get("retracts") else {"label": label}
    return {"version": 1, "item": item, "rater": "anna", "criterion": "brief", **told, "at": "t", **more}


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        ([line("a", True), line("a", False)], [("a", False)]),
        ([line("a", True), line("a", retracts=True)], []),
        ([line("a", True), line("a", False), line("a", retracts=True)], [("a", True)]),
        ([line("a", True), line("a", retracts=True), line("a", False)], [("a", False)]),
        ([line("a", retracts=True), line("a", True)], [("a", True)]),
        ([line("a", True), line("a", retracts=True, rater="ben")], [("a", True)]),
        (
            [line("a", True, fingerprint="old"), line("a", False, fingerprint="new")],
            [("a", True), ("a", False)],
        ),
        ([line("a", 1), line("b", 1)], [("a", 1.0), ("b", 1.0)]),
        ([line("a", "yes"), line("b", "maybe")], [("a", "yes"), ("b", "maybe")]),
    ],
)
def test_of_what_grice_label_writes_the_last_word_counts(
    tmp_path: Path, lines: list[Any], read: list[Any]
) -> None:
    found = [(one.item, one.value) for one in read_labels([written(tmp_path, *lines)])]
    assert found == read
    assert [type(value) for _, value in found] == [type(value) for _, value in read]


def test_labels_of_another_content_of_the_criterion_are_told_apart() -> None:
    labels = [Label("a", True, fingerprint="new"), Label("b", True, fingerprint="old"), Label("c", True)]
    fitting, others = of_content(labels, "new")
    assert [one.item for one in fitting] == ["a", "c"]
    assert [one.item for one in others] == ["b"]


def test_labels_as_a_whole_are_checked_against_the_items(tmp_path: Path) -> None:
    rows = [{"id": name, "text": "x"} for name in ("reply-1", "reply-2")]
    items = {one.id: one for one in read_items([written(tmp_path, *rows, name="items.jsonl")])}
    labels = [
        Label("reply-1", True, "anna", file="l.jsonl", line=1),
        Label("reply-1", False, "anna", file="l.jsonl", line=2),
        Label("reply-1", False, "ben", file="l.jsonl", line=3),
        Label("reply-2", True, file="l.jsonl", line=4),
        Label("reply-2", True, file="m.jsonl", line=5),
        Label("reply-9", None, "anna", file="l.jsonl", line=6),
    ]
    assert check_labels(labels, items) == [
        "l.jsonl:2: anna says two things of item 'reply-1': fail here, pass in line 1",
        (
            "m.jsonl:5: somebody unnamed labels item 'reply-2' twice, as in l.jsonl:4; "
            "say who labels, in 'rater'"
        ),
        "l.jsonl:6: label of an unknown item 'reply-9'",
    ]
    assert check_labels(labels[2:4], items) == []


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.json"])
def test_a_number_of_hundreds_of_digits_is_no_label(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, '{"item": "a", "label": ' + "9" * 400 + "}", name=name)
    assert errors_of(path) == [f"{name}:1:24: a number of 400 digits is too large"]
    csv = written(tmp_path, "item,label", f"a,{'9' * 400}", name="labels.csv")
    assert values_of(tmp_path, 1) == [True]
    assert [one.value for one in read_labels([csv])] == ["9" * 400]
