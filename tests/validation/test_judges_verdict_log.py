"""The log of a judge's answers is read again as it was written, and whatever else is in it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.files.document import FileError, FileErrors
from grice.validation.judges.verdict_log import Answer, AnswerLog, read_answers

SCORES = st.none() | st.floats(1, 5)
ANSWERS = st.builds(
    Answer,
    item=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    value=st.none() | st.booleans() | st.floats(-9, 9) | st.sampled_from(["1", "2", "tie"]),
    sample=st.integers(0, 98),
    score=SCORES,
    order=st.sampled_from(["", "swapped"]),
    reason=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    tokens=st.none() | st.integers(0, 9999).map(float),
)


@given(answers=st.lists(ANSWERS, max_size=5))
def test_what_is_written_is_read_again(tmp_path: Path, answers: list[Answer]) -> None:
    path = tmp_path / "v.jsonl"
    path.unlink(missing_ok=True)
    with AnswerLog(path) as log:
        for one in answers:
            log.append(one)
    assert read_answers(path) == answers


@given(
    content=st.binary(max_size=60)
    | st.sampled_from([b'{"item":1,"value":NaN}', b'{"item":"a","value":1e999}'])
)
def test_any_bytes_are_answers_or_errors_with_their_place(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(content + b"\n")
    errors: tuple[FileError, ...] = ()
    try:
        read_answers(path)
    except FileErrors as wrong:
        errors = wrong.errors
    assert all(one.path == str(path) and one.line >= 1 for one in errors)


def test_a_torn_last_line_is_cut_off_before_more_is_written(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(b'{"item":"a","value":true}\n{"item":"b","va')
    assert [one.item for one in read_answers(path)] == ["a"]
    with AnswerLog(path) as log:
        log.append(Answer(item="c", value=False))
    assert [one.item for one in read_answers(path)] == ["a", "c"]
    assert len(path.read_bytes().splitlines()) == 2


def test_a_whole_last_line_without_its_end_stays(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(b'{"item":"a","value":true}')
    with AnswerLog(path) as log:
        log.append(Answer(item="c", value=False))
    assert [one.item for one in read_answers(path)] == ["a", "c"]


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("My notes\nMore of them")
    with pytest.raises(FileErrors, match=r"notes\.txt:1:1"):
        read_answers(path)
    assert path.read_text() == "My notes\nMore of them"


def test_secrets_in_reasons_are_not_written(tmp_path: Path) -> None:
    secret = "sk-proj-" + "a1B2" * 10
    with AnswerLog(tmp_path / "v.jsonl") as log:
        log.append(Answer(item="a", value=None, error=f"401 for {secret}", reason=f"says {secret}"))
    assert secret not in (tmp_path / "v.jsonl").read_text()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"value": True}, "missing field 'item'"),
        ({"item": "a", "vaule": True}, "unknown field 'vaule' (did you mean 'value'?)"),
        ({"item": "a", "value": True, "sample": -1}, "sample: expected a number from 0, found -1"),
        ({"item": "a", "value": True, "score": 7}, "score: expected a number from 1 to 5, found 7"),
        ({"item": "a", "value": True, "order": "back"}, "order: expected 'swapped'"),
        ({"item": "a", "value": {}}, "value: expected true, false, a score or a choice, found an object"),
        ({"item": None, "value": True}, "item: expected a string"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(tmp_path: Path, line: dict[str, object], said: str) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text('{"item": "ok", "value": true}\n' + json.dumps(line) + "\n")
    with pytest.raises(FileErrors) as wrong:
        read_answers(path)
    assert said in str(wrong.value)
    assert {one.line for one in wrong.value.errors} == {2}
