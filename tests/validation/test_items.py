"""Items: what people and judges are asked about, from JSON Lines, JSON and CSV."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.files.document import FileErrors
from grice.formats import read_conversation
from grice.records import encode_conversation
from grice.validation.judges.items import Item, find_items, read_items

REPLY = "expected a reply, or an object with user and text"
NO_REPLY = "no reply in the conversation: there is nothing to judge"
DIALOGUE = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi"},
    {"role": "user", "content": "Refund?"},
    {"role": "assistant", "content": "Within 30 days."},
    {"role": "user", "content": "Thanks"},
]


def written(tmp_path: Path, *lines: Any, name: str = "items.jsonl") -> Path:
    path = tmp_path / name
    told = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    path.write_bytes(("\n".join(told) + "\n").encode())
    return path


def items_of(tmp_path: Path, *lines: Any, name: str = "items.jsonl") -> list[Item]:
    return read_items([written(tmp_path, *lines, name=name)])


def errors_of(tmp_path: Path, *lines: Any, name: str = "items.jsonl") -> list[str]:
    with pytest.raises(FileErrors) as raised:
        items_of(tmp_path, *lines, name=name)
    return [str(one).replace(f"{tmp_path}/", "") for one in raised.value.errors]


def test_a_row_has_a_reply_and_what_came_before(tmp_path: Path) -> None:
    row = {
        "id": "a",
        "user": "And shoes?",
        "text": "Shoes too.",
        "earlier": ["Hello", {"user": "Refund?", "text": "Within 30 days."}],
        "tool_calls": [{"name": "policy", "arguments": {"of": "shoes"}, "result": 30}],
        "cluster": "chat 1",
        "verdict": "fail",
    }
    (item,) = items_of(tmp_path, row)
    assert [turn.text for turn in item.conversation.turns] == ["Hello", "Within 30 days.", "Shoes too."]
    assert (item.subject.text, item.subject.number, item.text) == ("Shoes too.", 3, "Shoes too.")
    assert item.subject.tool_calls[0].result == 30
    assert (item.id, item.cluster, item.line, item.extra) == ("a", "chat 1", 1, {"verdict": "fail"})


@pytest.mark.parametrize(
    ("fields", "cluster"),
    [
        ({}, "a"),
        ({"cluster": 7}, "7"),
        ({"conversation": "chat 1"}, "chat 1"),
        ({"scenario": "refunds"}, "refunds"),
        ({"scenario": "refunds", "cluster": "chat 1"}, "chat 1"),
    ],
)
def test_a_cluster_is_what_items_share_else_the_item(
    tmp_path: Path, fields: dict[str, Any], cluster: str
) -> None:
    assert items_of(tmp_path, {"id": "a", "text": "Yes.", **fields})[0].cluster == cluster


@pytest.mark.parametrize(
    "row",
    [
        {"messages": DIALOGUE},
        {"conversation": DIALOGUE},
        {"messages": DIALOGUE[:3], "response": "Within 30 days."},
        {"messages": DIALOGUE[:3], "text": "Within 30 days."},
        {"messages": DIALOGUE[:3], "choices": [{"message": DIALOGUE[3]}]},
        {"messages": DIALOGUE[:3], "response": {"choices": [{"message": DIALOGUE[3]}]}},
        {"messages": DIALOGUE[:4], "response": DIALOGUE[3]},
        {"input": "Refund?", "output": "Within 30 days."},
        json.loads(encode_conversation(read_conversation(DIALOGUE))),
        json.loads(msgspec.json.encode(read_conversation(DIALOGUE))),
    ],
)
def test_the_last_reply_of_a_conversation_is_judged(tmp_path: Path, row: dict[str, Any]) -> None:
    (item,) = items_of(tmp_path, {**row, "id": "c1"})
    assert (item.id, item.subject.text) == ("c1", "Within 30 days.")
    assert item.conversation.turns[-1].user == "Refund?"


def test_messages_one_a_line_are_gathered_by_their_conversation(tmp_path: Path) -> None:
    lines = [{"session_id": name, **one} for one in DIALOGUE for name in ("x", "y")]
    items = items_of(tmp_path, *lines)
    assert [(one.id, one.text, one.line) for one in items] == [
        ("x", "Within 30 days.", 1),
        ("y", "Within 30 days.", 2),
    ]


def test_a_conversation_without_id_is_named_by_its_line(tmp_path: Path) -> None:
    items = items_of(tmp_path, {"messages": DIALOGUE}, "", {"messages": DIALOGUE}, name="log.jsonl")
    assert [one.id for one in items] == ["log.jsonl:1", "log.jsonl:3"]


def test_a_table_may_have_quoted_lines_and_json(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_bytes(
        b"\xef\xbb\xbfid,user,text,earlier,cluster\r\n"
        b'1,"Two\r\nlines?","Yes, ""two"".","[{""user"": ""Hi"", ""text"": ""Hello""}]",c\r\n'
        b"\r\n"
        b"2,,[draft] No.,,\r\n"
    )
    one, two = read_items([path])
    assert one.conversation.turns[-1].user == "Two\r\nlines?"
    assert (one.text, one.conversation.turns[0].text, one.cluster) == ('Yes, "two".', "Hello", "c")
    assert (two.id, two.text, two.cluster, two.line) == ("2", "[draft] No.", "2", 5)


def test_a_json_list_and_a_compressed_log_are_read(tmp_path: Path) -> None:
    listed = tmp_path / "items.json"
    listed.write_text('[\n {"id": "a", "text": "x"},\n {"id": "b", "text": "y"}\n]')
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps({"id": "c", "messages": DIALOGUE}).encode()))
    assert [(one.id, one.line) for one in read_items([listed, packed])] == [("a", 2), ("b", 3), ("c", 1)]


def test_labelled_rows_may_repeat_their_item(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "Yes.", "label": True, "rater": who} for who in ("anna", "ben")]
    assert [one.id for one in items_of(tmp_path, *rows)] == ["a"]
    rows[1]["text"] = "No."
    assert errors_of(tmp_path, *rows) == [
        "items.jsonl:2:8: the id 'a' is that of line 1 too, where another reply is judged"
    ]


def test_rows_of_labels_only_are_passed_over(tmp_path: Path) -> None:
    assert len(items_of(tmp_path, {"item": "a", "label": True}, {"id": "a", "text": "Yes."})) == 1


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        ([], ["items.jsonl: is empty: it holds no rows"]),
        (
            [{"item": "a", "label": True}],
            [
                ("items.jsonl: holds no items: expected text (the reply to judge) or messages "
                "(a conversation that ends with it)")
            ],
        ),
        (
            [{"id": "a", "text": "x"}, {"id": "a", "text": "x"}, {"text": "x"}, {"id": "b", "txt": "x"}],
            [
                "items.jsonl:2:8: the id 'a' is that of line 1 too",
                "items.jsonl:3:1: missing field 'id', which labels name the item by",
                ("items.jsonl:4:1: nothing to judge: expected text (the reply to judge) or messages "
                "(a conversation that ends with it) (did you mean 'text'?)"),
            ],
        ),
        (
            [{"id": True, "text": 3, "earlier": [{"user": "x", "txet": "y"}, 4]}],
            [
                "items.jsonl:1:8: id: expected a string or an integer, found true",
                "items.jsonl:1:22: text: expected a string, found the number 3",
                "items.jsonl:1:51: earlier[0]: unknown field 'txet' (did you mean 'text'?)",
                f"items.jsonl:1:65: earlier[1]: {REPLY}, found the number 4",
            ],
        ),
        (["[]", "{", '"x"'], None),
        ([{"id": "a", "messages": DIALOGUE[:1]}], [f"items.jsonl:1:1: {NO_REPLY}"]),
        ([{"id": "a", "messages": [{"role": "wizard", "content": "x"}]}], None),
        ([{"id": "a", "turns": [{"number": "one"}]}], None),
    ],
)  # fmt: skip
def test_everything_wrong_is_told_at_its_place(
    tmp_path: Path, lines: list[Any], errors: list[str] | None
) -> None:
    found = errors_of(tmp_path, *lines)
    if errors is None:
        assert [one.split(":")[1] for one in found] == [str(n) for n, _ in enumerate(lines, 1)]
    else:
        assert found == errors


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("id;text\n1;x\n", ":1:1: the header is one column 'id;text': expected commas between the columns"),
        ("id,id\n1,x\n", ":1:1: column 2: the column 'id' is there twice"),
        ("id,\n1,x\n", ":1:1: column 2 has no name: the first row names the columns"),
        ("id,text\n1,x\n2\n", ":3:1: a row of 1 cells, expected 2 as in the header"),
        ('id,text\n1,"x\n', ":2:1: not valid CSV: a quote that opens in this row is not closed"),
        ("id,text,earlier\n1,x,[oops]\n", ":2:1: earlier: begins with [ as JSON does: not valid JSON"),
        (
            "id,text,earlier\n1,x,[5]\n",
            ":2:1: earlier[0]: expected a reply, or an object with user and text, found the number 5",
        ),
        ("id,text\n", ": is empty: it holds no rows"),
        ("id,text\n1,\n", ":2:1: nothing to judge"),
    ],
)
def test_what_is_wrong_in_a_table_has_its_line(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    with pytest.raises(FileErrors) as raised:
        read_items([path])
    assert str(raised.value).startswith(f"{path}{error}")


@pytest.mark.parametrize("name", ["items.csv", "items.jsonl", "items.json"])
def test_a_missing_or_unreadable_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileErrors, match="there is no such file"):
        read_items([tmp_path / name])
    tmp_path.joinpath(name).mkdir()
    with pytest.raises(FileErrors, match=name):
        read_items([tmp_path / name])
    tmp_path.joinpath(name).rmdir()
    tmp_path.joinpath(name).write_bytes(b"id,text\n\xff\xfe")
    with pytest.raises(FileErrors, match=name):
        read_items([tmp_path / name])


def test_conversations_without_a_reply_are_told_apart(tmp_path: Path) -> None:
    found = find_items(
        [written(tmp_path, {"id": "a", "messages": DIALOGUE[:1]}, {"id": "b", "messages": DIALOGUE})]
    )
    assert ([one.id for one in found.items], len(found.errors), len(found.silent)) == (["b"], 0, 1)


_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "name", "text", "user", "turns", "messages"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
_FIELD = st.sampled_from(
    [
        "id",
        "text",
        "user",
        "earlier",
        "tool_calls",
        "messages",
        "conversation",
        "turns",
        "response",
        "item",
        "label",
        "labels",
        "cluster",
        "input",
        "output",
        "session_id",
        "role",
        "message",
        "content",
    ]
)


@given(rows=st.lists(st.dictionaries(_FIELD, _VALUE, max_size=5), max_size=4))
def test_any_rows_are_read_or_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = written(tmp_path, *rows)
    found = find_items([path])
    assert all(one.id and one.conversation.turns for one in found.items)
    assert found.items or found.errors or found.silent
