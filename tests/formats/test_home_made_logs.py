"""Twelve home-made logs by somebody who had not seen the code, cut down to a few conversations each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.formats.errors import FormatError
from grice.formats.log_files import values_in
from grice.formats.logs import parts_in, read_log
from grice.formats.mapping import LogMapping
from grice.formats.proposal import described, guess, propose
from grice.formats.text_logs import _SPEECH

FOLDER = Path(__file__).with_name("home_made")
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("utf-8"))["files"]
GUESSED = {"08_callcentre_asr.jsonl", "10_wohnbau_dialoge.json", "12_hotel_concierge.csv.gz"}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_home_made_log_is_read_whole(name: str) -> None:
    right = EXPECTED[name]
    path = FOLDER / name
    proposal = propose(path)
    assert proposal is not None
    how = described(proposal.mapping)
    entries = list(read_log(path, proposal.mapping))
    talks = {
        one.id: [(each["role"], each["content"]) for each in one.messages if each["content"]]
        for one in entries
        if one.messages
    }
    spoken = [role for talk in talks.values() for role, text in talk if text.strip()]
    assert len(talks) == right["conversations"], how
    assert (spoken.count("user"), spoken.count("assistant")) == (
        right["user_messages"],
        right["assistant_messages"],
    ), how
    begins = [
        (role, text) for role, text in talks[str(right["sample"]["id"])] if role in ("user", "assistant")
    ]
    assert begins[:3] == [(one["role"], one["text"]) for one in right["sample"]["first_three"]]
    assert len([one for one in entries if one.problem]) == right["not_read"]
    assert sum(one.units for one in entries) == sum(1 for _ in parts_in(values_in(path), proposal.mapping))
    assert bool(guess(proposal.mapping)) == (name in GUESSED)


LATER = Path(__file__).parents[2] / "benchmarks" / "home_made_logs" / "round_5"


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("05_auental.jsonl", "role at richtung"),  # not what a message is about
        ("06_solvea.csv", "user at question, assistant at réponse"),  # not the source of an answer
        (
            "12_bluepeak.txt",
            "virtual assistant -> assistant, Ravi -> skip",
        ),  # staff, and notices between signs
    ],
)
def test_a_log_that_was_read_wrong_at_its_first_look_is_read_whole(name: str, how: str) -> None:
    right = json.loads((LATER / "expected.json").read_text("utf-8"))["files"][name]
    proposal = propose(LATER / name)
    assert proposal is not None
    assert how in described(proposal.mapping)
    talks = [one.messages for one in read_log(LATER / name, proposal.mapping) if one.kind == "conversation"]
    spoken = [one["role"] for talk in talks for one in talk if one["content"].strip()]
    assert (len(talks), spoken.count("user"), spoken.count("assistant")) == (
        right["conversations"],
        right["user_messages"],
        right["assistant_messages"],
    )


CELLS = st.sampled_from(['"', '""', "a", "é", '"a"', 'a"b', ",", ";", "\t", "|", "\\N", "\\", "", "{}"])


@given(st.lists(st.lists(CELLS, max_size=5).map("".join), min_size=1, max_size=8), st.sampled_from(",;\t|"))
def test_every_line_of_a_table_is_read_or_listed(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], mark: str
) -> None:
    path = tmp_path_factory.mktemp("logs") / "log.csv"
    rows = [f"line{number}{mark}{line}" for number, line in enumerate(lines, start=2)]
    path.write_text("\n".join([f"id{mark}text", *rows]), "utf-8")
    entries = list(read_log(path, LogMapping(said={"id": "user", "text": "assistant"})))
    held = json.dumps([one.value for one in entries])
    listed = {one.line for one in entries if one.problem}
    missing = [n for n in range(2, len(lines) + 2) if f"line{n}" not in held and n not in listed]
    assert not missing, entries


def test_a_row_that_cannot_be_read_loses_no_other(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text('who,text\nuser,"Hi" there\nbot,Hello\nuser,"open\nbot,Bye\n')
    mapping = LogMapping(role="who", text="text", roles={"user": "user", "bot": "assistant"})
    entries = list(read_log(path, mapping))
    assert [one.line for one in entries if one.problem] == [2, 4]
    assert [one["content"] for entry in entries for one in entry.messages] == ["Hello", "Bye"]


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (['"Unlimited" is it', "a\\tb\\\\", "\\N"], {"a": '"Unlimited" is it', "b": "a\tb\\"}),
        (['"Unlimited" is it', "a\\tb", "c"], {"a": '"Unlimited" is it', "b": "a\\tb", "c": "c"}),
        (['"in ""quotes"""', "a\\tb", "c"], {"a": 'in "quotes"', "b": "a\\tb", "c": "c"}),
    ],
)
def test_tabs_stand_between_cells_of_databases_or_of_csv(
    cells: list[str], read: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "log.tsv"
    path.write_text("\t".join("abc") + "\n" + "\t".join(cells) + "\n")
    assert [value for _, value in values_in(path)] == [read]


@pytest.mark.parametrize(
    ("dump", "rows"),
    [
        (
            r"INSERT INTO m (id, body) VALUES (1,'in C:\'),(2,E'it\'s\n'),(3,'it''s');",
            [(1, "in C:\\"), (2, "it's\n"), (3, "it's")],
        ),
        (r"INSERT INTO `m` (`id`, `body`) VALUES (1,'in C:\\'),(2,'it\'s');", [(1, "in C:\\"), (2, "it's")]),
        (
            "INSERT INTO m (id, body) VALUES (1,'a'),(2,'it's');\nINSERT INTO m(id, body) VALUES (4,'c');",
            [(1, "a"), "(2,'it's')", (4, "c")],
        ),
        (  # a statement needs no sign at its end, and may stand in a text
            "INSERT INTO m(id,body)VALUES(1,'a')\nINSERT INTO m(id,body)VALUES(2,'\nINSERT INTO b VALUES()')",
            [(1, "a"), (2, "\nINSERT INTO b VALUES()")],
        ),
        (
            "COPY m (id, body) FROM stdin;\n1\ta\u2028b\x85c\r\n2\td\n\\.\n",
            [("1", "a\u2028b\x85c"), ("2", "d")],
        ),
        ("COPY m (id, body) FROM stdin;\n\\.\nINSERT INTO m (id, body) VALUES (1,'a');", [(1, "a")]),
    ],
)
def test_each_row_of_a_dump_is_read_or_stays_a_text(dump: str, rows: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "log.sql"
    path.write_text(dump, "utf-8", newline="")
    [(_, tables)] = values_in(path)
    assert tables == {"m": [row if isinstance(row, str) else {"id": row[0], "body": row[1]} for row in rows]}
    entries = list(read_log(path, LogMapping(each="m", said={"body": "user"})))
    assert sum(bool(one.problem) for one in entries) == sum(isinstance(row, str) for row in rows)


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("a.xml", "<a>My <b>order 1</b> is <i>late</i></a>", "My order 1 is late"),
        ("a.xml", '<a by="x">My <b>order</b> is late</a>', {"by": "x", "text": "My order is late"}),
        ("a.xml", '<a m="2"><m>Hi</m><m>you</m></a>', {"m": ["Hi", "you"]}),
        ("a.xml", "<a><m>Hi, you</m>;<m>Hello</m></a>", {"m": ["Hi, you", "Hello"], "text": ";"}),
        ("a.xml", "<a>" * 3000 + "</a>" * 3000, "nested too deep"),
        ("a.yaml", "- text: \"Hi\"\n- text: '*order 1* is late,\n    *very* & late'\n", None),
        (
            "a.yaml",
            "- text: |\n    *order 1* is late\n    - &now\n",
            [{"text": "*order 1* is late\n- &now\n"}],
        ),
        ("a.yaml", "- &a {text: Hi}\n- *a\n", "YAML with anchors"),
        ("a.yaml", "- !!str &a Hi\n", "YAML with anchors"),
        ("a.yaml", "null: 1\ntext: Hi\n", "not valid YAML"),
    ],
)
def test_what_xml_and_yaml_hold_is_read_or_told(name: str, text: str, held: Any, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(f"<?xml version='1.0'?>{text}" if name == "a.xml" else text)
    [(_, value)] = values_in(path)
    if isinstance(value, FormatError):
        assert isinstance(held, str)
        assert held in str(value)
    else:
        assert value == (held or [{"text": "Hi"}, {"text": "*order 1* is late, *very* & late"}])


def test_a_text_may_end_with_a_time_in_an_export_of_a_messenger(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    chat = "[3/3/25, 08:01:17] Ana: See you at 9:30\n[3/3/25, 08:01:19] Bot: Fine: at 9:30\nNote: bring it"
    path.write_text(json.dumps({"id": 1, "chat": chat}) + "\n" + json.dumps({"id": 2, "chat": chat}) + "\n")
    mapping = LogMapping(messages="chat", speakers=True, roles={"Bot": "assistant", "*": "user"})
    first, _ = read_log(path, mapping)
    assert [(one["role"], one["content"]) for one in first.messages] == [
        ("user", "See you at 9:30"),
        ("assistant", "Fine: at 9:30\nNote: bring it"),
    ]


def test_a_text_holds_conversations_with_blank_lines_between(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text("Customer: Hi, you\nBot: Hello\n\n\nCustomer: Bye\nall\nBot: Goodbye\n\nno talk\n")
    proposal = propose(path)
    assert proposal is not None
    first, second, last = sorted(read_log(path, proposal.mapping), key=lambda one: one.line)
    assert [one["content"] for one in first.messages] == ["Hi, you", "Hello"]
    assert [one["content"] for one in second.messages] == ["Bye\nall", "Goodbye"]
    assert (first.line, second.line, last.line) == (1, 5, 9)
    assert "nobody speaks" in last.problem


def test_an_export_of_a_messenger_is_one_conversation(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(
        "3/3/25, 8:01 - Ana: Hi\n\nthere\n3/3/25, 8:02 - Shop Bot: Hello\n3/3/25, 8:03 - Ana left\n"
    )
    proposal = propose(path)
    assert proposal is not None
    [entry] = read_log(path, proposal.mapping)
    assert [(one["role"], one["content"]) for one in entry.messages] == [
        ("user", "Hi\n\nthere"),
        ("assistant", "Hello"),
        ("system", "Ana left"),
    ]


@pytest.mark.parametrize("between", ["=== Conversation {} ===\n", "----\n"])
def test_a_heading_inside_a_reply_begins_no_conversation(between: str, tmp_path: Path) -> None:
    reply = "Sure:\n\n## Step 1\nHold the key.\n\n## Step 2\nRelease it."
    talk = f"User: how do I reset it\nAssistant: {reply}\nUser: ok\n"
    path = tmp_path / "log.txt"
    path.write_text("".join(between.format(number) + talk for number in range(4)))
    proposal = propose(path)
    assert proposal is not None
    entries = list(read_log(path, proposal.mapping))
    assert [len(one.messages) for one in entries] == [3] * 4
    assert all("Release it." in one.messages[1]["content"] for one in entries)


def test_who_speaks_twice_in_one_conversation_speaks(tmp_path: Path) -> None:
    names = ["Jane", "Omar", "Lucia", "Piet", "Anna", "Yuki", "Hugo", "Ines"]
    path = tmp_path / "log.txt"
    path.write_text(
        "\n".join(
            f"{name}: my order is late\nBot: sorry to hear\n{name}: please cancel it\nBot: it is done\n"
            for name in names
        )
    )
    proposal = propose(path)
    assert proposal is not None
    entries = list(read_log(path, proposal.mapping))
    assert [[one["role"] for one in entry.messages] for entry in entries] == [["user", "assistant"] * 2] * 8


def test_a_long_name_is_read_in_no_time() -> None:
    assert _SPEECH.match("Name" + "_" * 20_000) is None
