"""Conversations as JSON Lines: one a line, in any format."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import grice
from grice.formats import FORMATS, Format, FormatError, Loss, lines

CHAT = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "Hello."}]}
PARTS = [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]


def test_each_line_is_a_conversation_in_its_own_format(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"\ufeff{json.dumps(CHAT)}\n\n{json.dumps(PARTS)}\n", "utf-8")
    first, second = grice.read_conversations(path)
    assert [t.text for t in first.turns] == ["Hello."]
    assert grice.to_otel(second) == PARTS
    assert [c.turns for c in grice.read_conversations(str(path))] == [first.turns, second.turns]


def test_gzip_and_lines_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(CHAT).encode() * 1 + b"\n"))
    text, data = json.dumps(CHAT), json.dumps(CHAT).encode()
    assert [*grice.read_conversations(path)] == [*grice.read_conversations([text])]
    assert len([*grice.read_conversations(["\ufeff" + text, " ", data + b"\n"])]) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"messages": []}\n{"messages": [{"role": "usr", "content": ""}]}', ":2: messages[0]: has the role"),
        ('\n{"messages": [', ":2: not valid JSON at column 14: the [ that opens here is not closed"),
        ("7", ":1: found a number; expected a list of messages"),
        ('{"messages": [], "a": NaN}', ":1: not valid JSON: NaN is no JSON number"),
        ('{"eval_cases": []}', ':1: found an ADK eval set; read each of its "eval_cases" on its own'),
        (json.dumps(CHAT, indent=1), ": is one JSON document over several lines"),
    ],
)
def test_an_error_names_the_file_and_the_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(FormatError) as caught:
        list(grice.read_conversations(path))
    assert str(caught.value).startswith(f"{path}{message}")


def test_what_came_before_a_bad_line_is_read() -> None:
    read = grice.read_conversations([json.dumps(CHAT), "{bad"])
    assert next(read).messages[0].content == "hi"
    with pytest.raises(FormatError, match=r"^line 2: not valid JSON at column 2: the name"):
        next(read)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("/nowhere/log.jsonl", "there is no such file"),
        (
            "s3:/bucket/log.jsonl",
            "there is no such file; such addresses are not read: mount what is there, or pipe it to -",
        ),
        ([7], "line 1: found a number"),
        ([{}], "expected a line"),
    ],
)
def test_what_is_no_log_is_refused(given: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(grice.read_conversations(given))


def test_an_unknown_format_is_refused_before_anything_is_read() -> None:
    with pytest.raises(FormatError, match="did you mean 'langchain'"):
        grice.read_conversations([], format="lanchain")  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="unknown format"):
        grice.to_jsonl([], format="x")  # type: ignore[arg-type]


def test_a_line_longer_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 20)
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(CHAT), "utf-8")
    for given in (path, [json.dumps(CHAT)]):
        with pytest.raises(FormatError, match="longer than 20 bytes"):
            list(grice.read_conversations(given))


@pytest.mark.parametrize("form", FORMATS)
def test_conversations_come_back_from_their_lines(form: Format) -> None:
    chat = [{"role": "system", "content": "be"}, *CHAT["messages"]]
    conversations = [
        grice.read_conversation(chat, id="c1", metadata={"tag": "é"}),
        grice.read_conversation(CHAT),
    ]
    text = grice.to_jsonl(conversations, format=form)
    back = list(grice.read_conversations(text.splitlines(), format=form))
    assert [(c.id, c.system, c.metadata.get("tag")) for c in back] == [("c1", "be", "é"), ("", None, None)]
    assert [grice.to_openai_chat(c) for c in back] == [chat, CHAT["messages"]]
    assert grice.to_jsonl(back, format=form) == text


def test_a_single_conversation_is_one_line_and_its_losses_name_it() -> None:
    conversation = grice.read_conversation([{"role": "user", "name": "Ann", "content": "hi"}])
    losses: list[Loss] = []
    assert grice.to_jsonl(conversation, format="anthropic", losses=losses).count("\n") == 1
    assert losses == [Loss("conversations[0].messages[0].name", "the name 'Ann'")]
    with pytest.warns(grice.FormatLossWarning) as caught:
        grice.to_jsonl([conversation], format="anthropic")
    assert caught[0].filename == __file__
