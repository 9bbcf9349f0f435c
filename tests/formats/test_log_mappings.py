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
from grice.formats.proposal import UnlikeMessages, described, guess, propose
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
    "copy.sql": "COPY public.staff (id, job) FROM stdin;\n1\tdentist\n2\tnurse\n\\.\n\nCOPY public.entry (id, session_id, body, by_patient, at) FROM stdin;\n" + "".join(rows(lambda n, m, who, text: f"{n * 9 - m}\t{n}\t{text}\t{'ft'[who == 'user']}\t2025-03-{n + 1:02} 10:0{m}:00+01\n")[::-1]) + "\\.\n",
    "insert.sql": "CREATE TABLE `m` (`id` int, `talk` int, `src` varchar(9), `txt` text, `seq` int);\nINSERT INTO `m` VALUES " + ",".join(rows(lambda n, m, who, text: "({},{},'{}','{}',{})".format(n * 9 + m, n, "guest" if who == "user" else "desk", text.replace("'", "''"), m))) + ";\n",
    "pairs.log": "".join(rows(lambda n, m, who, text: f"2025-03-{n + 1:02}T10:0{m}:00Z INFO relay - sid=s{n} dir={'in' if who == 'user' else 'out'} text={json.dumps(text)}\n")),
    "syslog.log": "".join(rows(lambda n, m, who, text: f"Mar {n + 1:2} 10:0{m}:00 gw-1 chatd[7]: " + json.dumps({"cid": f"c{n}", "from": "visitor" if who == "user" else "bot", "body": text}) + "\n")),
    "stamped.log": "".join(rows(lambda n, m, who, text: f"2025-03-{n + 1:02} 10:0{m}:00 [talk-{n}] {'CUST' if who == 'user' else 'REP'}: {text}\n")),
    "headed.txt": "\n".join(nested(lambda n, chat: f"=== Chat {n + 400} ===\n" + "".join(f"{'Visitor' if who == 'user' else 'Vera'}: {text}\n" for who, text in chat))),
    "ruled.txt": "".join(nested(lambda n, chat: f"{'=' * 20}\nTicket: T-{n}\nOpened: 3 March\n{'-' * 20}\n" + "".join(f"[10:0{m}] {'Ann' if who == 'user' else 'Shop Bot'}: {text}\n" for m, (who, text) in enumerate(chat)) + "\n")),
    "marked.md": "\n".join(nested(lambda n, chat: f"# Talk {n + 70}\n\n" + "".join(f"### {'User' if who == 'user' else 'Assistant'}\n\n{text}\n\n" for who, text in chat))),
    "sep.csv": "sep=;\n" + table(["Fall", "Datum", "Uhrzeit", "Wer", "Was"], rows(lambda n, m, who, text: [f"F{n}", f"{n + 1:02}.03.25", f"10:0{m}:00", "Kunde" if who == "user" else "Bot", text])[::-1], ";"),
    "chats.xml": "<?xml version='1.0'?><log>" + "".join(nested(lambda n, chat: f"<chat ref='c{n}'>" + "".join(f"<msg from='{'guest' if who == 'user' else 'desk'}'>{text}</msg>" for who, text in chat) + "</chat>")) + "</log>",
    "chats.yaml": "".join(nested(lambda n, chat: f"- ref: c{n}\n  lines:\n" + "".join(f"  - {{by: {'guest' if who == 'user' else 'desk'}, say: {json.dumps(text)}}}\n" for who, text in chat))),
    "columns.jsonl": jsonl(nested(lambda n, chat: {"ref": f"r{n}", "who": "".join("CB"[who == "assistant"] for who, _ in chat), "lines": [text for _, text in chat]})),
    "two.json": json.dumps({"stays": [{"guest": {"nights": n}, "chats": nested(lambda n, chat: {"chat_id": f"c{n}", "log": [{"by": who[0], "txt": text} for who, text in chat]})[n::3]} for n in range(3)]}),
    "people.jsonl": jsonl(nested(lambda n, chat: {"cid": n, "people": [{"pid": 4 + n % 2, "kind": "guest"}, {"pid": 5 - n % 2, "kind": "bot"}], "log": [{"by": 4 + n % 2 if who == "user" else 5 - n % 2, "txt": text} for who, text in chat]})),
    "legend.json": json.dumps({"legend": {"who": {"X": "customer", "Y": "our chat bot"}}, "docs": nested(lambda n, chat: {"ref": n, "said": [{"who": "XY"[who == "assistant"], "txt": text} for who, text in chat]})}),
    "twice.jsonl": jsonl([line for n, line in enumerate(rows(lambda n, m, who, text: {"eid": f"e{n}-{m}", "thread": n, "t": 1741078800 + n * 900 + m, "fromMember": who == "user", "body": text})) for _ in range(1 + (n == 7))]),
    "python.csv": table(["ref", "talk"], nested(lambda n, chat: [f"r{n}", repr([{"by": "guest" if who == "user" else "desk", "say": text} for who, text in chat])])),
    "requests.jsonl": jsonl([{"req": f"q{n}-{m}", "thread": f"t{n}", "prompt": [{"who": who, "txt": text} for who, text in chat[:m]], "completion": {"who": "assistant", "txt": chat[m][1]}} for n, chat in enumerate(CHATS) for m in range(1, len(chat), 2)]),
}  # fmt: skip


def chats_in(path: Path, mapping: LogMapping | None) -> Chats:
    found = [one for one in read_log(path, mapping) if one.kind == "conversation"]
    return sorted([(one["role"], one["content"]) for one in entry.messages] for entry in found)


@pytest.mark.parametrize("name", HOME)
def test_the_proposal_reads_the_whole_log(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(HOME[name], "utf-16" if name == "sep.csv" else "utf-8")
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


def test_a_role_that_is_not_in_the_mapping_is_told(tmp_path: Path) -> None:
    mapping = LogMapping(messages="m", role="who", roles={"agent_*": "assistant", "x": "user"}, text="txt")
    said = [{"who": who, "txt": "Hi"} for who in ("x", "agent_7", "bot")]
    (tmp_path / "log.jsonl").write_text(jsonl([{"m": said}]))
    [entry] = read_log(tmp_path / "log.jsonl", mapping)
    assert [one["role"] for one in entry.messages] == ["user", "assistant"]
    assert entry.problem == (
        'm[2]: the role "bot" is not in roles; the mapping has agent_*, x: say in a map (--map FILE) whose it '
        "is, or skip"
    )


def test_a_wrong_path_of_the_text_is_told(tmp_path: Path) -> None:
    mapping = LogMapping(messages="m", role="who", roles={"x": "user"}, text="said.txt")
    (tmp_path / "log.jsonl").write_text(jsonl([{"m": [{"who": "x", "said": {"text": "Hi"}}]}]))
    [entry] = read_log(tmp_path / "log.jsonl", mapping)
    assert entry.problem == "m[0]: no text at said.txt; there are who, said"


def test_lists_of_other_lengths_are_told(tmp_path: Path) -> None:
    mapping = LogMapping(messages=".", columns=("who", "txt"), role="who", roles={"x": "user"}, text="txt")
    (tmp_path / "log.jsonl").write_text(jsonl([{"who": ["x"], "txt": ["a", "b"]}]))
    [entry] = read_log(tmp_path / "log.jsonl", mapping)
    assert entry.problem == "expected lists of one length; found who 1, txt 2"


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


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (LogMapping(said={"a.left": "user", "a.right": "assistant"}), "a.left is the user and a.right the"),
        (LogMapping(text="t", speakers=True, roles={"Ana": "user", "Kim": "assistant"}), "Ana is the user"),
        (LogMapping(said={"user.left": "user", "right": "assistant"}), "user.left is the user"),
        (LogMapping(said={"a.question": "user", "a.answer": "assistant"}), ""),
        (LogMapping(text="t", speakers=True, roles={"Bot": "assistant", "*": "user"}), ""),
    ],
)
def test_who_speaks_is_called_a_guess_where_no_name_tells_it(mapping: LogMapping, said: str) -> None:
    guessed = guess(mapping)
    assert said in guessed
    assert bool(guessed) == bool(said)
