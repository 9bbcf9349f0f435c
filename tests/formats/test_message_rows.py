"""Rows of a home-made log that are one message: pieces of streams, edits, deletions, rows that came twice."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grice.formats.logs import Entry, read_log
from grice.formats.mapping import LogMapping
from grice.formats.proposal import described, propose
from grice.scanning.one_conversation import conversation_at

Row = dict[str, Any]
Talk = list[tuple[str, str]]
MadeRows = Callable[[int, int, str, str], list[Row]]
TALKS: list[Talk] = [
    [
        ("user", f"hi, where is order {4100 + n}"),
        ("assistant", f"Your order {4100 + n} left our warehouse, it should arrive on day {n}."),
        ("user", "can i change the address"),
        ("assistant", "I'm sorry, it is on the van already. You may refuse it at the door."),
        ("user", f"ok, thanks, i wait for number {n}"),
        ("assistant", f"You're welcome! Anything else about number {n}?"),
    ]
    for n in range(8)
]
BOT = {"user": False, "assistant": True}
WRONG = "wrong window"


def pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]


def openai(n: int, k: int, who: str, text: str) -> list[Row]:
    """Events of OpenAI's Responses API; of some replies the last ones are missing."""
    same = {"session": f"s{n}"}
    if who == "user":
        return [{**same, "type": "input.user_message", "text": text}]
    ids = {"response_id": f"resp_{n}_{k}", "item_id": f"msg_{n}_{k}"}
    deltas = [{"type": "response.output_text.delta", **ids, "delta": one} for one in pieces(text)]
    whole = [{"type": "response.output_text.done", **ids, "text": text}]
    return [{**same, **one} for one in deltas + whole * (n % 3 > 0)]


def anthropic(n: int, k: int, who: str, text: str) -> list[Row]:
    """Events of Anthropic's API, of which the pieces have no id."""
    if who == "user":
        events: list[Row] = [{"type": "user_message", "text": text}]
    else:
        delta = [{"type": "text_delta", "text": one} for one in pieces(text)]
        events = [{"type": "message_start", "message": {"id": f"msg_{n}{k}", "role": "assistant"}}]
        events += [{"type": "content_block_delta", "index": 0, "delta": one} for one in delta]
        events += [{"type": "message_stop"}]
    return [{"conversation_id": f"c{n}", "event": one["type"], "data": one} for one in events]


def tokens(n: int, k: int, who: str, text: str) -> list[Row]:
    """Tokens between a start and an end, without an id, that only their kind tells."""
    same = {"conversation": f"q{n}", "role": who}
    if who == "user":
        return [{**same, "kind": "prompt", "text": text}]
    spoken = [{**same, "kind": "token", "text": one} for one in pieces(text)]
    return [{**same, "kind": "begin"}, *spoken, {**same, "kind": "end"}]


def chunks(n: int, k: int, who: str, text: str) -> list[Row]:
    """Numbered pieces, two of them in the wrong order, and one that came twice."""
    found = [
        {
            "conv_id": n,
            "msg_id": f"{n}.{k}",
            "seq": seq,
            "speaker": "guest" if who == "user" else "bot",
            "chunk": one,
        }
        for seq, one in enumerate(pieces(text))
    ]
    return [found[1], found[0], *found[2:], found[-1]]


def snapshots(n: int, k: int, who: str, text: str) -> list[Row]:
    """Each row has all that was said so far, as a recogniser of speech writes it."""
    words = text.split()
    heard = [" ".join(words[:end]).lower() for end in range(1, len(words), 2)]
    said = {
        "call_sid": f"CA{n}",
        "utterance_id": f"{n}:{k}",
        "speaker": "caller" if who == "user" else "agent",
    }
    return [{**said, "is_final": one == text, "transcript": one} for one in [*heard, text]]


def discord(n: int, k: int, who: str, text: str) -> list[Row]:
    """Edits and deletions as events about a message."""
    same = {"id": f"{90 + n}{k}", "channel_id": f"55{n}"}
    said = {**same, "author": {"id": f"u{n}" if who == "user" else "b", "bot": BOT[who]}}
    if n % 2 and k == 3:
        events = [("CREATE", {**said, "content": f"{text[:-4]}..."}), ("UPDATE", {**said, "content": text})]
    elif n % 3 == 0 and k == 2:
        gone = {**said, "id": f"{same['id']}9", "content": WRONG}
        events = [
            ("CREATE", gone),
            ("DELETE", {**same, "id": gone["id"]}),
            ("CREATE", {**said, "content": text}),
        ]
    else:
        events = [("CREATE", {**said, "content": text})]
    return [{"t": f"MESSAGE_{name}", "d": one} for name, one in events]


def slack(n: int, k: int, who: str, text: str) -> list[Row]:
    """The new message inside the row that changes the old one, which its time names."""
    ts = f"{1741000000 + 1000 * n + 10 * k}.000100"
    same = {"type": "message", "user": f"U{n}CUST" if who == "user" else "U0BOT_HELP", "ts": ts}
    same["thread_ts"] = f"{1741000000 + 1000 * n}.000100"
    if n % 2 == 0 or k != 3:
        return [{**same, "text": text}]
    old, new = {**same, "text": f"{text} ???"}, {**same, "text": text, "edited": {"user": "UBOT"}}
    change = {"type": "message", "subtype": "message_changed", "ts": f"{ts[:-3]}999"}
    return [old, {**change, "message": new, "previous_message": old}]


def matrix(n: int, k: int, who: str, text: str) -> list[Row]:
    """Events that are related to the one that they replace."""
    same = {
        "type": "m.room.message",
        "room_id": f"!r{n}",
        "sender": f"@guest{n}" if who == "user" else "@support-bot",
    }
    if n % 2 == 0 or k != 3:
        return [{**same, "event_id": f"${n}{k}", "content": {"body": text}}]
    relation = {"rel_type": "m.replace", "event_id": f"${n}{k}"}
    new = {"body": f" * {text}", "m.new_content": {"body": text}, "m.relates_to": relation}
    return [
        {**same, "event_id": f"${n}{k}", "content": {"body": text.upper()}},
        {**same, "event_id": f"${n}{k}e", "content": new},
    ]


def kafka(n: int, k: int, who: str, text: str) -> list[Row]:
    """A third of the messages come twice."""
    sender = "CUSTOMER" if who == "user" else "VIRTUAL_AGENT"
    value = {"messageId": f"m-{n}-{k}", "conversationId": f"c-{n}", "senderType": sender, "text": text}
    return [{"key": f"c-{n}", "value": value}] * (1 + ((n + k) % 3 == 0))


def versions(n: int, k: int, who: str, text: str) -> list[Row]:
    """Versions of a message; a deleted one has no text any more."""
    row = {"message_id": 100 * n + k, "ticket": f"T-{n}", "author": "customer" if who == "user" else "agent"}
    first = {**row, "version": 1, "body": text, "deleted_at": ""}
    if n % 3 == 0 and k == 2:
        gone = {**first, "message_id": 100 * n + 50, "body": WRONG}
        return [gone, {**gone, "version": 2, "body": "", "deleted_at": "2025-03-03"}, first]
    return [{**first, "body": text.replace("o", "0")}, {**first, "version": 2}] if k == 3 else [first]


def ordered(made: MadeRows, first: int = 0) -> list[Row]:
    """The rows of all conversations, those of three beside each other."""
    left = [
        [row for k, (who, text) in enumerate(talk) for row in made(n, k, who, text)]
        for n, talk in enumerate(TALKS, first)
    ]
    found: list[Row] = []
    while any(left):
        for one in [one for one in left if one][:3]:
            found += one[:4]
            del one[:4]
    return [
        {**row, "at": f"2025-03-03T{8 + n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z"}
        for n, row in enumerate(found)
    ]


def written(path: Path, rows: list[Row]) -> Path:
    if path.suffix == ".csv":
        with path.open("w", newline="") as stream:
            table = csv.DictWriter(stream, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    else:
        path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return path


def read(path: Path, mapping: LogMapping | None = None) -> tuple[list[Talk], list[Entry]]:
    """The conversations by the mapping, or by the one that is proposed, and what is in none of them."""
    proposal = None if mapping else propose(path)
    entries = list(read_log(path, mapping or (proposal and proposal.mapping)))
    said = [
        [(one["role"], one["content"]) for one in entry.messages if one["content"]]
        for entry in entries
        if entry.kind == "conversation"
    ]
    return sorted(said), [one for one in entries if one.kind != "conversation"]


FLAT_ROWS = [openai, tokens, chunks, snapshots, versions]
WITH_OBJECTS = [anthropic, discord, slack, matrix, kafka]


@pytest.mark.parametrize(
    ("made", "suffix"),
    [(one, ".jsonl") for one in FLAT_ROWS + WITH_OBJECTS] + [(one, ".csv") for one in FLAT_ROWS],
)
def test_rows_of_one_message_are_read_as_one(made: MadeRows, suffix: str, tmp_path: Path) -> None:
    rows = ordered(made)
    if suffix == ".csv":
        rows = [dict.fromkeys({name: "" for row in rows for name in row}, "") | row for row in rows]
    path = written(tmp_path / f"log{suffix}", rows)
    proposal = propose(path)
    assert proposal is not None
    assert "are one message" in described(proposal.mapping)
    talks, others = read(path)
    assert talks == sorted(TALKS)
    entries = read_log(path, proposal.mapping)
    assert sum(one.units for one in entries) == len(rows)
    assert all(one.problem for one in others)


def test_messages_in_a_list_are_joined_too(tmp_path: Path) -> None:
    def events(n: int, talk: Talk) -> Iterator[Row]:
        for k, (who, text) in enumerate(talk):
            row = {"id": f"{n}-{k}", "from": "visitor" if who == "user" else "assistant"}
            if who == "user":
                yield {**row, "kind": "message", "text": text}
                continue
            yield {**row, "kind": "typing"}
            yield from ({**row, "kind": "delta", "text": one} for one in pieces(text))
            yield {**row, "kind": "completed", "text": text}

    chats = [{"chat": f"c{n}", "events": list(events(n, talk))} for n, talk in enumerate(TALKS)]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"exported": "today", "chats": chats}))
    assert read(path) == (sorted(TALKS), [])


def test_a_few_pieces_are_enough(tmp_path: Path) -> None:
    talks: list[Talk] = [
        [("user", f"Do you sell {what}?"), ("assistant", f"Yes, {what} in all sizes.")]
        for what in ("shoes", "shirts", "socks")
    ]
    rows: list[Row] = []
    for n, ((_, asked), (_, answer)) in enumerate(talks):
        rows.append({"conv": f"c{n}", "from": "customer", "msg_id": f"m{n}", "text": asked})
        rows += [{"conv": f"c{n}", "from": "bot", "msg_id": f"a{n}", "delta": one} for one in pieces(answer)]
    assert read(written(tmp_path / "log.jsonl", rows)) == (sorted(talks), [])


def test_a_deleted_message_is_told_with_its_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", ordered(discord))
    _, others = read(path)
    assert {one.problem for one in others} == {"the message was deleted"}
    assert [one.line for one in others] == [
        n for n, line in enumerate(path.read_text().splitlines(), 1) if WRONG in line or "DELETE" in line
    ]
    proposal = propose(path)
    assert proposal is not None
    assert proposal.skipped == len(others) == 6


@pytest.mark.parametrize(
    "fields",
    [
        lambda n, k, who: {"template_id": "hello" if k == 0 else f"gen{n}{k}"},
        lambda n, k, who: {"turn_id": f"{n}-{k // 2}", "idx": k % 2},
        lambda n, k, who: {
            "user_id": f"u{n}" if who == "user" else "b",
            "status": "deleted",
            "updated_at": n,
        },
        lambda n, k, who: {"id": k + 1},
        lambda n, k, who: {"id": f"{n}.{k}", "reply_to": f"{n}.{k - 1}" if k else None},
    ],
    ids=["templates", "turns", "status", "counters", "replies"],
)
def test_rows_that_only_share_an_id_stay_apart(
    fields: Callable[[int, int, str], Row], tmp_path: Path
) -> None:
    """The first two messages of each conversation say the same."""
    talks: list[Talk] = [[("user", "hello there"), ("user", "hello there"), *talk] for talk in TALKS]
    rows = [
        {"chat": f"c{n}", "who": who, "text": text, **fields(n, k, who)}
        for n, talk in enumerate(talks)
        for k, (who, text) in enumerate(talk)
    ]
    assert read(written(tmp_path / "log.jsonl", rows)) == (sorted(talks), [])


FLAT = LogMapping(conversation="c", message_id="id", role="who", text="text | delta")


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        ([{"delta": "ha"}, {"delta": "ha"}, {"delta": " ha"}], ["haha ha"]),
        ([{"delta": "1"}, {"delta": "10"}, {"delta": "0"}], ["1100"]),
        ([{"delta": "Hel"}, {"delta": "lo"}, {"text": "Hello."}], ["Hello."]),
        ([{"text": "yes"}, {"text": "no", "type": "edited"}], ["no"]),
        ([{"text": "yes"}, {"text": "no"}], ["no"]),
        ([{"text": "yes"}, {"text": "yes"}], ["yes"]),
        ([{"text": "b", "version": 2}, {"text": "a", "version": 1}], ["b"]),
        ([{"text": "two", "seq": 1}, {"text": "one ", "seq": 0}], ["one two"]),
        ([{"text": "yes"}, {"is_deleted": True}], []),
        ([{"delta": "close "}, {"delta": "it", "intent": "delete_account"}], ["close it"]),
        ([{"text": "yes", "status": "deleted"}, {"text": "yes", "status": "deleted"}], ["yes"]),
    ],
)
def test_how_rows_become_one_is_read_from_them(rows: list[Row], texts: list[str], tmp_path: Path) -> None:
    """Who speaks stands in the first row alone."""
    given = [{"c": "1", "id": "m", **({} if n else {"who": "user"}), **one} for n, one in enumerate(rows)]
    path = written(tmp_path / "log.jsonl", [*given, {"c": "1", "id": "n", "who": "bot", "text": "Bye."}])
    [talk], others = read(path, FLAT)
    assert talk == [*(("user", one) for one in texts), ("assistant", "Bye.")]
    assert len(others) == (0 if texts else 2)


def test_a_conversation_of_one_row_has_its_message(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", [{"c": "1", "id": "m", "who": "user", "text": "Anyone there?"}])
    assert read(path, FLAT) == ([[("user", "Anyone there?")]], [])


def test_a_question_and_its_answer_with_one_id_are_two_messages(tmp_path: Path) -> None:
    """What is said after that with the same id is a further message, but for an edit."""
    same = {"c": "1", "id": "request-7"}
    rows = [
        {**same, "who": "user", "text": "Is it open?"},
        {**same, "who": "bot", "delta": "Yes, "},
        {**same, "delta": "it is."},
        {**same, "who": "user", "text": "Is the shop open?", "edited": True},
        {**same, "who": "user", "text": "Thanks."},
    ]
    said = [("user", "Is the shop open?"), ("assistant", "Yes, it is."), ("user", "Thanks.")]
    assert read(written(tmp_path / "log.jsonl", rows), FLAT) == ([said], [])


def test_a_conversation_is_found_by_the_line_of_a_later_piece(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", ordered(openai))
    proposal = propose(path)
    assert proposal is not None
    names = [json.loads(line)["session"] for line in path.read_text().splitlines()]
    found = [conversation_at(path, n, proposal.mapping).id for n in range(1, len(names) + 1)]
    assert found == names


def test_whole_texts_are_found_between_many_pieces(tmp_path: Path) -> None:
    """One row in fifty says what the user says."""
    rows: list[Row] = []
    for n, talk in enumerate(TALKS):
        for k, (who, text) in enumerate(talk):
            row = {"chat": f"c{n}", "id": f"{n}.{k}", "who": who}
            spoken = [
                {**row, "delta": one} for one in f"{text} And one more thing for you to know.".split(" ")
            ] * 3
            rows += (
                [{**row, "text": text}]
                if who == "user"
                else [{**one, "delta": f"{one['delta']} "} for one in spoken]
            )
    proposal = propose(written(tmp_path / "log.jsonl", rows))
    assert proposal is not None
    mapping = proposal.mapping
    assert (mapping.conversation, mapping.text, proposal.skipped) == ("chat", "text | delta", 0)
