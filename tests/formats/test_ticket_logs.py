"""Tickets, requests of one session and transcripts, as companies write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grice.formats.logs import Entry, read_log
from grice.formats.mapping import LogMapping
from grice.formats.proposal import propose

_ASKED = [
    "My order is late.",
    "Can I change the address?",
    "how do i log in",
    "The lamp is broken",
    "Is it in stock?",
]
_REPLIED = [
    "I have asked the courier.",
    "Which one should it be?",
    "Choose the link below.",
    "We send another.",
    "In May.",
]


def _lines(path: Path, values: list[Any]) -> Path:
    path.write_text("\n".join(map(json.dumps, values)), "utf-8")
    return path


def _read(path: Path) -> tuple[LogMapping, list[Entry]]:
    proposal = propose(path)
    assert proposal is not None
    return proposal.mapping, list(read_log(path, proposal.mapping))


def _ticket(number: int, first: str, *replies: tuple[str, str]) -> dict[str, Any]:
    return {"nr": number, "details": first, "replies": [{"by": who, "text": text} for who, text in replies]}


def test_the_text_of_a_ticket_is_its_first_message(tmp_path: Path) -> None:
    tickets = [
        _ticket(n, asked, ("agent", replied), ("customer", "thanks a lot"))
        for n, (asked, replied) in enumerate(zip(_ASKED, _REPLIED, strict=True))
    ]
    mapping, entries = _read(
        _lines(tmp_path / "tickets.jsonl", [*tickets, _ticket(9, "Nobody has answered yet")])
    )
    assert mapping.opening == "details"
    said = [[(one["role"], one["content"]) for one in entry.messages] for entry in entries]
    assert said[0] == [("user", _ASKED[0]), ("assistant", _REPLIED[0]), ("user", "thanks a lot")]
    assert said[-1] == [("user", "Nobody has answered yet")]


def test_a_text_beside_a_conversation_that_the_bot_greets_is_no_message(tmp_path: Path) -> None:
    talks = [
        _ticket(
            n,
            f"Asked: {asked}",
            ("bot", f"Hello {n}, how can I help?"),
            ("customer", asked),
            ("bot", replied),
        )
        for n, (asked, replied) in enumerate(zip(_ASKED, _REPLIED, strict=True))
    ]
    assert _read(_lines(tmp_path / "talks.jsonl", talks))[0].opening == ""


def test_an_opening_that_the_messages_repeat_is_read_once() -> None:
    mapping = LogMapping(messages="m", opening="first", role="by", text="text", roles={"a": "user"})
    assert (
        len(mapping.read({"first": "Hello  there\n", "m": [{"by": "a", "text": "Hello there"}]}).messages)
        == 1
    )


@pytest.mark.parametrize(("role", "is_read"), [("user", False), ("assistant", True)])
def test_a_message_without_text_is_one_only_as_an_empty_reply(role: str, *, is_read: bool) -> None:
    mapping = LogMapping(messages="m", role="by", text="text")
    found = mapping.read({"m": [{"by": role, "text": None}]})
    assert (len(found.messages) == 1, found.problem) == (
        is_read,
        "" if is_read else "m[0]: neither text at text nor a call",
    )
    sent = mapping.read({"m": [{"by": role, "text": "", "attachments": ["a.png"]}]})
    assert (sent.messages, bool(sent.problem)) == ([], True)


def test_requests_of_a_session_in_an_object_are_one_conversation(tmp_path: Path) -> None:
    asked = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Rooms?"},
    ]
    calls = [(asked[:1], "Hello"), (asked, None), (asked, "Two.")]
    lines = [
        {
            "id": f"req_{n}",
            "metadata": {"session_id": "s1"},
            "request": {"messages": messages},
            "response": said and {"role": "assistant", "content": said},
        }
        for n, (messages, said) in enumerate(calls)
    ]
    (entry,) = read_log(_lines(tmp_path / "calls.jsonl", lines))
    assert (entry.id, entry.units, len(entry.messages), entry.reply[0]["content"]) == ("s1", 3, 3, "Two.")


def test_a_header_that_comes_again_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("chat,who,text\n1,user,Hi there\nchat,who,text\n1,bot,Hello to you\n", "utf-8")
    entries = list(read_log(path, LogMapping(conversation="chat", role="who", text="text")))
    assert [one.problem for one in entries if one.problem] == ["the header of the table once more"]
    assert [len(one.messages) for one in entries if one.messages] == [2]


def test_a_transcript_says_in_brackets_who_speaks_and_below_how_it_was_rated(tmp_path: Path) -> None:
    parts = [
        f"=====\nChat ID: 88{n}\nPage: /a\n=====\n"
        f"[10:0{n}:01] Visitor: {asked}\n[10:0{n}:05] Mira (bot): {replied}\n"
        f"Note: one each.\n[10:0{n}:30] Tom (staff): I can help\nRating: {n}/5\n\n"
        for n, (asked, replied) in enumerate(zip(_ASKED, _REPLIED, strict=True))
    ]
    path = tmp_path / "chats.txt"
    path.write_text("".join(parts), "utf-8")
    mapping, entries = _read(path)
    assert (mapping.conversation, mapping.roles["staff"]) == ("Chat ID", "skip")
    talk = next(one for one in entries if one.id == "880")
    assert [one["content"] for one in talk.messages] == [_ASKED[0], f"{_REPLIED[0]}\nNote: one each."]


def test_who_joins_late_under_a_word_for_users_is_staff(tmp_path: Path) -> None:
    rows = [
        {"chat": n, "kind": who, "text": text}
        for n, (asked, replied) in enumerate(zip(_ASKED, _REPLIED, strict=True))
        for who, text in [
            ("Contact", asked),
            ("AgentBot", replied),
            *([("User", "Hi, Tom here"), ("Contact", "ok")] * (n == 2)),
        ]
    ]
    assert _read(_lines(tmp_path / "rows.jsonl", rows))[0].roles["User"] == "skip"


def test_who_is_spoken_to_does_not_speak(tmp_path: Path) -> None:
    people = {"user": {"role": "user", "id": "u1"}, "bot": {"role": "bot", "id": "b1"}}
    lines = [
        {"conversation": f"c{number % 5}-{number}", "recipient": people[to], "text": said, "from": people[by]}
        for number in range(20)
        for by, to, said in (
            ("user", "bot", _ASKED[number % 5] + f" ({number})"),
            ("bot", "user", _REPLIED[number % 5] + f" ({number})"),
        )
    ]

    mapping, _ = _read(_lines(tmp_path / "log.jsonl", lines))

    assert mapping.role == "from.role"
    assert mapping.roles == {"user": "user", "bot": "assistant"}


def test_a_receipt_that_every_ticket_gets_is_no_greeting(tmp_path: Path) -> None:
    tickets = [
        {
            "ticket": f"t{number}",
            "description": f"{_ASKED[number]} ({number})",
            "comments": [
                {"author": "agent", "body": "Thank you for writing, somebody will look at it soon."},
                {"author": "agent", "body": _REPLIED[number]},
                {"author": "customer", "body": f"Thanks, {number} it is"},
            ],
        }
        for number in range(5)
    ]

    mapping, entries = _read(_lines(tmp_path / "log.jsonl", tickets))

    assert mapping.opening == "description"
    assert not mapping.said
    assert entries[0].messages[0] == {"role": "user", "content": "My order is late. (0)"}
