"""Home-made logs: a mapping is proposed for each shape, and every line is read or told."""

# ruff: noqa: E501

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grice.formats.gathering import sort_keys
from grice.formats.logs import read_log
from grice.formats.mapping import LogMapping, role_in
from grice.formats.proposal import UnlikeMessages, described, propose
from grice.typed import problems_in

Chats = list[list[tuple[str, str]]]
ASKED = [
    "Where is my parcel?",
    "Can you cancel order 4471 please?",
    "I forgot my password",
    "Do you ship to Norway?",
]
TOLD = [
    "Let me check that for you.",
    "I've cancelled it for you.",
    "I've sent a reset link to your email.",
    "Yes, we do.",
]
CHATS: Chats = [
    [("user", ASKED[n % 4]), ("assistant", TOLD[n % 4]), ("user", "ok, thank you"), ("assistant", "You're welcome!")][: 4 - n % 2 * 2]
    for n in range(12)
]  # fmt: skip


def rows(line: Callable[[int, int, str, str], Any]) -> list[Any]:
    """A row for each message: made of the numbers of the chat and the message, who speaks, and the text."""
    return [line(n, m, who, text) for n, chat in enumerate(CHATS) for m, (who, text) in enumerate(chat)]


def nested(line: Callable[[int, list[tuple[str, str]]], Any]) -> list[Any]:
    return [line(n, chat) for n, chat in enumerate(CHATS)]


def jsonl(values: list[Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in values)


def table(header: list[str], lines: list[Any], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([header, *lines])
    return text.getvalue()


def clock(n: int, m: int) -> str:
    return f"{n + 1:02}.03.2025 {9 + m:02}:15"


HOME = {
    "list.jsonl": jsonl(nested(lambda n, chat: {"chat": f"c{n}", "transcript": [{"who": "customer" if who == "user" else "bot", "txt": text} for who, text in chat]})),
    "numbers.jsonl": jsonl(rows(lambda n, m, who, text: {"sess": n, "ts": 1741078800 + n * 900 + m, "src": 1 if who == "user" else 2, "payload": {"body": text}})),
    "newest.csv": table(["Case No.", "Date / Time", "Direction", "Message (plain)"], rows(lambda n, m, who, text: [n, clock(n, m), "inbound" if who == "user" else "outbound", text])[::-1], ";"),
    "greets.csv": table(["conv", "turn", "speaker_id", "text"], rows(lambda n, m, who, text: [n, m, int(who == "user"), text])),
    "flags.json": json.dumps({f"room-{n}": {"log": [{"isBot": who == "assistant", "msg": text} for who, text in chat]} for n, chat in enumerate(CHATS)}),
    "export.json": json.dumps({"meta": {"n": 12}, "dialogues": nested(lambda n, chat: {"id": n, "conversation": [{"participant": "USER" if who == "user" else "AGENT", "utterance": text} for who, text in chat]})}, indent=1),
    "prefixes.jsonl": jsonl(nested(lambda n, chat: {"ticket": n, "notes": "\n".join(f"[09:0{m}] {'Customer' if who == 'user' else 'Agent Kim'}: {text}" for m, (who, text) in enumerate(chat))})),
    "spoken.jsonl": jsonl(nested(lambda n, chat: {"id": n, "dialogue": [("U: " if who == "user" else "B: ") + text for who, text in chat]})),
    "pairs.jsonl": jsonl([{"session": n, "user_msg": chat[m][1], "bot_msg": chat[m + 1][1], "intent": "faq"} for n, chat in enumerate(CHATS) for m in range(0, len(chat), 2)]),
    "keyed.jsonl": jsonl(nested(lambda n, chat: {"callId": f"{n:05}", "history": [{who[0]: text} for who, text in chat]})),
    "beside.jsonl": jsonl(nested(lambda n, chat: {"trace": f"t{n}", "history": [{"by": "human" if who == "user" else "bot", "say": text} for who, text in chat[:-2]], "question": chat[-2][1], "answer": chat[-1][1]})),
    "turns.json": json.dumps({f"PMUL{n}": {"goal": {}, "log": [{"text": text, "metadata": {}} for _, text in chat]} for n, chat in enumerate(CHATS)}),
    "cells.tsv": table(["", "chat_key", "dialog"], nested(lambda n, chat: [n, f"x{n}", json.dumps([["client" if who == "user" else "operator", text] for who, text in chat])]), "\t"),
    "names.jsonl": jsonl(nested(lambda n, chat: {"thread": {"uid": n}, "posts": [{"author": {"display": ("Ann", "Li", "Omar", "Eva", "Tom")[n % 5] if who == "user" else "Ava"}, "body": text} for who, text in chat]})),
}  # fmt: skip


def chats_in(path: Path, mapping: LogMapping | None) -> Chats:
    found = [one for one in read_log(path, mapping) if one.kind == "conversation"]
    return sorted([(one["role"], one["content"]) for one in entry.messages] for entry in found)


@pytest.mark.parametrize("name", HOME)
def test_the_proposal_reads_the_whole_log(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(HOME[name])
    proposal = propose(path)
    assert proposal is not None
    assert chats_in(path, proposal.mapping) == sorted(CHATS), described(proposal.mapping)
    assert (proposal.skipped, proposal.problems, proposal.whole) == (0, (), True)
    assert not problems_in(msgspec.to_builtins(proposal.mapping), LogMapping)


@pytest.mark.parametrize(
    "content",
    [
        jsonl([{"messages": [{"role": "user", "content": "Hi"}]}]),
        jsonl([{"session_id": "s", "role": "user", "content": "Hi"}]),
        "no log at all\n",
        "",
    ],
)
def test_nothing_is_proposed_for_a_known_shape_or_for_nothing(content: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(content)
    assert propose(tmp_path / "log.jsonl") is None


REVIEWS = [
    "The lamp is bright and cheap",
    "broke after two days",
    "My desk came without screws",
    "nice colour",
]


@pytest.mark.parametrize(
    "lines",
    [
        [{"item": "a", "label": True}] * 5,
        [{"id": n, "stars": n % 5, "product": ("lamp", "kettle")[n % 2], "review": f"{REVIEWS[n % 4]} {n}"} for n in range(60)],
        [{"sha": f"{n:040}", "author": ("ann", "bo")[n % 3 == 0], "message": f"mend the parser {n}", "ts": 1741000000 + n} for n in range(60)],
        [{"host": f"h{n % 3}", "level": ("info", "warn")[n % 2], "msg": f"request {n} took too long", "ts": n} for n in range(60)],
        [{"from": f"{'abcde'[n % 5]}@x.example", "to": f"{'fg'[n % 2]}@x.example", "body": REVIEWS[n % 4]} for n in range(60)],
    ],
)  # fmt: skip
def test_nothing_is_proposed_for_what_is_no_conversation(lines: list[Any], tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(jsonl(lines))
    with pytest.raises(UnlikeMessages):
        propose(tmp_path / "log.jsonl")


def test_a_proposal_says_what_it_leaves_out_and_cannot_read(tmp_path: Path) -> None:
    lines = rows(lambda n, m, who, text: {"chat": n, "who": who, "txt": text, "score": 5})
    lines[3] = {"chat": 0, "who": "user", "score": 5}
    (tmp_path / "log.jsonl").write_text(jsonl(lines[:6]) + "{broken\n" + jsonl(lines[6:]))
    proposal = propose(tmp_path / "log.jsonl")
    assert proposal is not None
    assert proposal.left_out == ("score",)
    [(missing, places), (broken, others)] = proposal.problems
    assert (missing, places) == ("no text at txt; there are chat, who, score", (4,))
    assert broken.startswith("not valid JSON")
    assert others == (7,)
    assert len(proposal.shown) == 3
    assert described(proposal.mapping) == (
        "a line is a message, conversation at chat, role at who (user -> user, assistant -> assistant), text at txt"
    )


MAPPING = LogMapping(
    conversation="c", order="t", role="who", roles={"x": "user", "y": "assistant"}, text="txt"
)
LISTED = LogMapping(messages="m", role="who", roles={"x": "user", "y": "assistant"}, text="txt")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["x", "y", "z", "", "10:15"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["c", "t", "who", "txt", "m", "messages", "role"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=2, max_size=8), st.sampled_from([None, MAPPING, LISTED]))
def test_every_line_is_read_or_skipped_with_a_reason(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Any], mapping: LogMapping | None
) -> None:
    path = tmp_path_factory.mktemp("logs") / "log.jsonl"
    path.write_text(jsonl(lines))
    found = list(read_log(path, mapping))
    if mapping is not None:
        path.write_text(json.dumps({"rows": lines}))
        found += read_log(path, replace(mapping, each="rows"))
    assert sum(one.units for one in found) == len(lines) * (1 + (mapping is not None))
    assert all(one.problem for one in found if one.kind not in ("conversation", "message", "record"))


def test_rows_come_in_the_order_of_their_time(tmp_path: Path) -> None:
    lines = [{"c": "a", "t": time, "who": "x", "txt": time} for time in ("2:05 pm", "11:00 am", "12:30 am")]
    (tmp_path / "log.jsonl").write_text(jsonl(lines))
    [entry] = read_log(tmp_path / "log.jsonl", MAPPING)
    assert [one["content"] for one in entry.messages] == ["12:30 am", "11:00 am", "2:05 pm"]
    assert (entry.lines, entry.units, entry.id) == ((3, 2, 1), 3, "a")


@pytest.mark.parametrize(
    "times",
    [
        [1, "2", 3.5],
        ["2025-03-04T09:00:00+02:00", "2025-03-04T08:00:00Z"],
        ["03/04/2025 9:00", "04/04/2025 8:00"],
        ["12/31/2024 9:00", "01/02/2025 8:00"],
    ],
)
def test_times_sort(times: list[Any]) -> None:
    keys = sort_keys(times)
    assert keys is not None
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_what_is_no_time_sorts_nothing() -> None:
    assert sort_keys(["9:00", "soon"]) is None
    assert sort_keys([1, None]) is None


@pytest.mark.parametrize(
    ("value", "role"),
    [
        ("Customer", "user"),
        ("agent_2", "assistant"),
        ("isFromBot", "assistant"),
        ("SYSTEM", "system"),
        ("x1", None),
    ],
)
def test_a_name_tells_a_role(value: str, role: str | None) -> None:
    assert role_in(value) == role


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"text": "txt"}, "nothing says who speaks"),
        ({"role": "who"}, "nothing says where the text is"),
        ({"role": "who", "text": "txt", "speakers": True, "roles": {"a": "user"}}, "expected one of them"),
        ({"speakers": True}, "expected roles with the names"),
        ({"first": "user", "text": "."}, "expected messages"),
        ({"role": "who", "text": "txt", "roles": {"a": "usr"}}, "did you mean 'user'?"),
    ],
)
def test_a_wrong_mapping_is_told(mapping: dict[str, Any], message: str) -> None:
    [problem] = problems_in(mapping, LogMapping)
    assert message in str(problem)
