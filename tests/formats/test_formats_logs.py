"""What a line of a log holds."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from grice.formats import read_conversation
from grice.formats.logs import Entry, entry_of, read_log
from grice.formats.pairing import Orphans, orphan_results, orphans_told, pair_results
from grice.records import Message, ToolCall

USER = {"role": "user", "content": "Refund?"}
REPLY = {"role": "assistant", "content": "Within 30 days."}
FUZZED = int(os.environ.get("GRICE_FUZZED_LINES", "200"))


def entries(content: bytes, folder: Path) -> list[Entry]:
    (folder / "log.jsonl").write_bytes(content)
    return list(read_log(folder / "log.jsonl"))


@pytest.mark.parametrize(
    ("value", "kind", "within"),
    [
        ([USER], "conversation", ""),
        ({"messages": [USER]}, "conversation", ""),
        ({"input": "Refund?"}, "conversation", ""),
        ({"events": [USER]}, "conversation", "events"),
        ({"request": {"messages": [USER]}}, "conversation", "request"),
        ({"request": "Refund?"}, "conversation", ""),
        ({"custom_id": "a", "body": {"input": [USER]}}, "conversation", "body"),
        ({"custom_id": "a", "params": {"messages": [USER]}}, "conversation", "params"),
        ({"request": {"body": {"messages": [USER]}}}, "conversation", "request.body"),
        ({"conversation": [USER]}, "conversation", "conversation"),
        ({"conversation": {"messages": [USER]}}, "conversation", "conversation"),
        ({**USER, "session_id": 7}, "message", ""),
        ({"message": USER, "thread_id": "t"}, "message", ""),
        ({**USER, "chat_id": "c", "params": {"messages": [USER]}}, "message", ""),
        ({"turns": []}, "record", ""),
        ({"version": 1, "conversation": {"turns": []}}, "record", ""),
        ({"version": 1, "results": []}, "results", ""),
        ({"item": "a", "label": True}, "other", ""),
        ({"id": "a", "text": "Yes.", "conversation": "chat 1"}, "other", ""),
        (USER, "other", ""),
        ({"messages": 5}, "malformed", ""),
        ([[USER]], "malformed", ""),
        (7, "malformed", ""),
    ],
)
def test_a_line_is_of_one_kind(value: Any, kind: str, within: str) -> None:
    entry = entry_of(value, 3)
    assert (entry.line, entry.kind, entry.within, entry.value) == (3, kind, within, value)
    assert bool(entry.messages) is (kind in ("conversation", "message"))
    assert bool(entry.problem) is (kind not in ("conversation", "message"))


@pytest.mark.parametrize(
    ("value", "id"),
    [
        ({"id": "a", "session_id": "s", "messages": []}, "a"),
        ({"sessionId": "s", "messages": []}, "s"),
        ({"custom_id": "c", "body": {"messages": []}}, "c"),
        ({"request": {"id": "r", "messages": []}}, "r"),
        ({"id": "m", "session_id": 7, **USER}, "7"),
    ],
)
def test_a_line_has_the_id_of_its_conversation(value: Any, id: str) -> None:  # noqa: A002
    assert entry_of(value).id == id


@pytest.mark.parametrize(
    ("fields", "reply", "problem"),
    [
        ({"response": "Yes."}, ["Yes."], ""),
        ({"reply": {"content": "Yes."}}, ["Yes."], ""),
        ({"text": " ", "answer": "Yes."}, [], "no reply, but text in answer"),
        ({"reply": 5}, [], ""),
        ({"response": {"status": 500}}, [], '"response" is an object with status'),
    ],
)
def test_the_reply_stands_beside_the_messages(fields: Any, reply: list[str], problem: str) -> None:
    entry = entry_of({"messages": [USER], **fields})
    assert [one["content"] for one in entry.reply] == reply
    assert entry.problem.startswith(problem)
    assert bool(entry.problem) is bool(problem)


def test_a_reply_that_cannot_be_read_spoils_no_conversation_that_has_one() -> None:
    fields = {"output": {"score": 1}}
    assert entry_of({"messages": [USER], **fields}).kind == "malformed"
    whole = entry_of({"messages": [USER, REPLY], **fields})
    assert (whole.kind, whole.messages, whole.reply) == ("conversation", [USER, REPLY], [])
    assert whole.problem.startswith('"output" is an object with score')


@pytest.mark.parametrize("key", ["request", "body", "conversation"])
def test_messages_are_not_looked_for_without_end(key: str) -> None:
    value: Any = {"messages": [USER]}
    for _ in range(5_000):
        value = {key: value}
    assert entry_of(value).kind in ("other", "malformed")
    reply: Any = "Yes."
    for _ in range(5_000):
        reply = {"output": reply}
    assert entry_of({"messages": [USER], "response": reply}).kind == "malformed"


def test_lines_keep_their_numbers_and_garbage_is_told(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbf[]\n\n  \nnonsense\n{"a": "\xff"}\n{"messages": []}'
    found = entries(content, tmp_path)
    assert [(one.line, one.kind) for one in found] == [
        (1, "conversation"),
        (4, "malformed"),
        (5, "malformed"),
        (6, "conversation"),
    ]
    assert found[2].problem == "not UTF-8: byte 0xff"


def test_any_mutated_lines_are_read_or_told(tmp_path: Path) -> None:
    chance = random.Random(7)
    seeds = [
        json.dumps(one).encode()
        for one in (
            {"id": "a", "messages": [USER, REPLY], "response": {"choices": [{"message": REPLY}]}},
            {"session_id": "s", "role": "tool", "tool_call_id": "c", "content": "é\U0001f600"},
            {"request": {"input": [USER]}, "output": [REPLY], "score": 1e9},
            {"version": 1, "conversation": {"turns": []}, "results": [[{}]]},
            [USER, {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}],
        )
    ]
    for _ in range(FUZZED):
        line = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 12)):
            _mutate(line, chance)
        found = entries(bytes(line).replace(b"\0", b""), tmp_path)
        assert all(one.problem or one.kind in ("conversation", "message", "record") for one in found)
        assert all(isinstance(one.id, str) and isinstance(one.messages, list) for one in found)


def _mutate(line: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(line) + 1)
    piece = chance.choice(
        (b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"\xff", b"\0", b"null", b"1e999")
    )
    match chance.randrange(4):
        case 0:
            line[at:at] = piece
        case 1:
            del line[at : at + chance.randint(1, 8)]
        case 2 if at < len(line):
            line[at] = chance.randrange(256)
        case _:
            line[at:at] = line[: chance.randint(0, 40)] or piece


def called(*ids: str) -> Message:
    return Message("assistant", "", tool_calls=tuple(ToolCall("look", {}, id=one) for one in ids))


def result(id: str | None = None, name: str | None = None) -> Message:  # noqa: A002
    return Message("tool", "x", tool_call_id=id, name=name)


@pytest.mark.parametrize(
    ("messages", "count"),
    [
        ([], 0),
        ([called("a", "b"), result("b"), result("a")], 0),
        ([called("a"), result("a"), result("a")], 1),
        ([result("a"), called("a")], 1),
        ([called(""), result("x")], 0),
        ([called("a"), result(name="look")], 0),
        ([called("a"), result(name="other")], 1),
        ([called("a"), Message("user", "Wait"), result("a")], 0),
    ],
)
def test_results_that_match_no_call_are_counted(messages: list[Message], count: int) -> None:
    assert orphan_results(messages) == count
    assert sum(one.role == "tool" for one in messages) - len(pair_results(messages)) == count


def test_a_result_that_its_call_holds_too_matches_it() -> None:
    call = ToolCall("look", {}, id="a", result=1)
    assert orphan_results([Message("assistant", "", tool_calls=(call,)), result("a")]) == 0


def test_results_of_the_users_own_tools_do_not_count() -> None:
    raw = {"id": "c", "role": "tool", "content": "no", "requestor": "user", "error": False}
    assert orphan_results(read_conversation([USER, raw, REPLY]).messages) == 0


def test_not_more_than_a_thousand_calls_are_waited_for() -> None:
    orphans = Orphans()
    for number in range(1_001):
        orphans.take(called(f"c{number}"))
    orphans.take(result("c0"))
    orphans.take(result("c1"))
    assert orphans.count == 1


def test_the_number_is_told_in_words() -> None:
    assert orphans_told(1) == "1 tool result matches no call: findings on tools are unreliable"
    assert orphans_told(9_000).startswith("9,000 tool results match no call:")
