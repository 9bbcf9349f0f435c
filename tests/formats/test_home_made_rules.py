"""General rules by which home-made logs are read: each of these shapes was once read wrong."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from grice.formats.logs import read_log
from grice.formats.proposal import propose

ASKED = (
    "hi, my kettle arrived broken",
    "Where is order 20417?",
    "can i pay by invoice",
    "how much is shipping to Graz",
    "is the shop open on sunday?",
    "i need my money back",
)
TOLD = (
    "I'm sorry to hear that. Could you send me a photo of the damage?",
    "Your order left our warehouse yesterday and should arrive in two days.",
    "Invoices are possible from 50 EUR on.\n\nIs there anything else?",
    "Shipping costs 4.90 EUR and takes three days.",
    "The shop opens Monday to Saturday from 10:00 to 19:00.",
    "I have refunded the amount to your card; it takes five days.",
)
HELPED = (
    "Hello, this is Marta, I have taken over.",
    "Let me check this with our warehouse, one second.",
    "I've refunded you 10 EUR, sorry again!",
)
Talk = list[tuple[str, str]]
Talks = dict[str, Talk]


def talks(*, staff: bool = False) -> Talks:
    """Ten conversations; in three of them staff takes over at the end."""
    found: Talks = {}
    for number in range(10):
        said: Talk = []
        for turn in range(2 + number % 3):
            place = (2 * number + turn) % 6
            said += [("user", f"{ASKED[place]} ({number})"), ("assistant", TOLD[place])]
        if staff and number % 3 == 1:
            said += [
                ("staff", HELPED[number // 3]),
                ("user", f"thanks, {number} is fine"),
            ]
        found[f"c{4100 + number}"] = said
    return found


def rows(told: Talks) -> list[tuple[str, int, str, str]]:
    """Each message with its conversation and its number."""
    return [(name, turn, who, text) for name, talk in told.items() for turn, (who, text) in enumerate(talk)]


def read(path: Path) -> Talks:
    """What a scan with `--map auto` reads of the users and of the assistant."""
    proposal = propose(path)
    found: Talks = {}
    for entry in read_log(path, proposal and proposal.mapping):
        for message in (*entry.messages, *entry.reply):
            if message["role"] in ("user", "assistant"):
                found.setdefault(entry.id, []).append((message["role"], message["content"]))
    return found


def right(told: Talks) -> Talks:
    """The same without the staff."""
    return {name: [one for one in talk if one[0] != "staff"] for name, talk in told.items()}


def written(path: Path, lines: list[object]) -> Path:
    """A file of JSON Lines."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
    return path


def table(path: Path, cells: list[list[object]], delimiter: str = ",") -> Path:
    """A table of these cells."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(cells)
    path.write_text(stream.getvalue(), "utf-8")
    return path


def clock(turn: int) -> str:
    """When the message of this number was said."""
    return f"2025-09-01 08:{turn:02}:05"


def one_line(told: Talks) -> Talks:
    """The same, with each text on one line."""
    return {name: [(who, " ".join(text.split())) for who, text in talk] for name, talk in told.items()}


def test_a_blank_line_in_one_of_the_first_cells_is_no_end_of_a_title(tmp_path: Path) -> None:
    """The third text has a blank line within its quotes, on one of the first eight lines."""
    told = talks()
    first = {"c4099": [("user", "can i pay by invoice"), ("assistant", TOLD[2])], **told}
    cells: list[list[object]] = [["chat id", "nr", "sent by", "message"]]
    cells += [
        [name, turn, {"user": "guest", "assistant": "bot"}[who], text]
        for name, turn, who, text in rows(first)
    ]
    assert read(table(tmp_path / "log.csv", cells, ";")) == first


def test_a_broken_first_line_that_ends_in_a_comma_spoils_no_other(tmp_path: Path) -> None:
    """The file is no document, as the second line is a record of its own."""
    told = talks()
    path = written(
        tmp_path / "log.jsonl", [{"k": name, "who": who, "said": text} for name, _, who, text in rows(told)]
    )
    path.write_text('{"k": "c4100", "who": "assistant",\n' + path.read_text("utf-8"), "utf-8")
    assert read(path) == told
    proposal = propose(path)
    assert proposal is not None
    assert (proposal.skipped, proposal.problems[0][1]) == (1, (1,))


def test_lines_may_end_in_a_return_alone(tmp_path: Path) -> None:
    """So old spreadsheets write them."""
    told = one_line(talks())
    names = {"user": "Customer", "assistant": "Assistant"}
    text = "\n".join(
        f"--- Chat {name} ---\n" + "".join(f"{names[who]}: {said}\n" for who, said in talk)
        for name, talk in told.items()
    )
    path = tmp_path / "log.txt"
    path.write_bytes(text.replace("\n", "\r").encode())
    assert read(path) == told


def test_an_object_as_python_prints_it_stands_in_a_line_of_a_log(tmp_path: Path) -> None:
    """An employee beside a client and a robot is staff, though employees may be users elsewhere."""
    told = talks(staff=True)
    names = {"user": "client", "assistant": "robot", "staff": "employee"}
    path = tmp_path / "app.log"
    path.write_text(
        "".join(
            f"{clock(turn)},1 INFO chat saved { {'dialog': name, 'author': names[who], 'text': text}!r}\n"
            for name, turn, who, text in rows(told)
        ),
        "utf-8",
    )
    assert read(path) == right(told)


def test_bars_between_the_time_and_the_level_make_no_table(tmp_path: Path) -> None:
    """The place in the code stands before the id of the conversation."""
    told = one_line(talks())
    names = {"user": "USER", "assistant": "BOT"}
    path = tmp_path / "app.log"
    path.write_text(
        "".join(
            f"{clock(turn)}.123 | INFO     | app.chat:handle:42 - [{name}] {names[who]}: {text}\n"
            for name, turn, who, text in rows(told)
        ),
        "utf-8",
    )
    assert read(path) == told


@pytest.mark.parametrize(
    "names", [("C", "B", "A"), ("musteri", "asistan", "orc"), ("end_user", "ai_agent", "human")]
)
def test_who_takes_over_late_is_staff_whatever_it_is_called(
    tmp_path: Path, names: tuple[str, str, str]
) -> None:
    """The assistant is silent once it is there."""
    told = talks(staff=True)
    called: dict[str, str] = dict(zip(("user", "assistant", "staff"), names, strict=True))
    lines: list[object] = [
        {"ticket": name, "n": turn, "src": called[who], "msg": text} for name, turn, who, text in rows(told)
    ]
    assert read(written(tmp_path / "log.jsonl", lines)) == right(told)


def test_a_message_that_was_sent_again_is_read_once(tmp_path: Path) -> None:
    """It has the same id and the same text, but another number of the attempt."""
    told = talks()
    lines: list[object] = []
    for place, (name, turn, who, text) in enumerate(rows(told)):
        row = {"message_uuid": f"u-{place}", "dialogue": name, "seq": turn, "party": who, "content": text}
        lines += [{**row, "attempt": 1}] + [{**row, "attempt": 2}] * (place % 13 == 3)
    assert read(written(tmp_path / "log.jsonl", lines)) == told


def test_a_field_that_only_the_bot_has_tells_who_speaks(tmp_path: Path) -> None:
    """The thread is named by the time of its first message."""
    told = talks()
    begun = {name: f"{1756700000 + 900 * number}.000000" for number, name in enumerate(told)}
    lines: list[object] = []
    for name, turn, who, text in rows(told):
        row = {
            "type": "message",
            "text": text,
            "ts": f"{float(begun[name]) + turn:.6f}",
            "thread_ts": begun[name],
        }
        lines.append(
            row | ({"user": f"U0{name[-1]}"} if who == "user" else {"subtype": "bot_message", "bot_id": "B7"})
        )
    path = tmp_path / "log.json"
    path.write_text(json.dumps(lines), "utf-8")
    assert read(path) == {begun[name]: talk for name, talk in told.items()}


def test_a_cell_has_a_conversation_with_a_clock_and_the_name_of_each_visitor(tmp_path: Path) -> None:
    """No name but that of the bot comes again in all rows; the staff has a name of its own."""
    told = one_line(talks(staff=True))
    cells: list[list[object]] = [["chat_id", "visitor", "rating", "transcript"]]
    for number, (name, talk) in enumerate(told.items()):
        visitor = ("Ines", "Omar", "Lena", "Piet")[number % 4]
        names = {"user": visitor, "assistant": "Bo Bot", "staff": "Marta"}
        speeches = [f"(09:37:{turn:02}) {names[who]}: {text}" for turn, (who, text) in enumerate(talk)]
        cells.append([name, visitor, number % 5 + 1, "\n".join(speeches)])
    assert read(table(tmp_path / "log.csv", cells)) == right(told)


def test_the_only_choice_of_a_reply_follows_the_messages(tmp_path: Path) -> None:
    """Each line is a request to a model, with what was said before."""
    told = talks()
    lines: list[object] = [
        {
            "request_id": f"{name}-{place}",
            "properties": {"session": name},
            "sent": {"messages": [{"role": who, "content": text} for who, text in talk[:place]]},
            "got": {"body": {"choices": [{"message": {"role": "assistant", "content": talk[place][1]}}]}},
        }
        for name, talk in told.items()
        for place in range(1, len(talk), 2)
    ]
    assert read(written(tmp_path / "log.jsonl", lines)) == told


def test_a_text_of_which_some_is_marked_is_one(tmp_path: Path) -> None:
    """Bare texts with objects between them, as messengers export bold words."""
    told = talks()
    lines: list[object] = [
        {
            "id": name,
            "messages": [
                {"from": who, "text": [{"type": "bold", "text": text[:4]}, text[4:]] if turn % 2 else text}
                for turn, (who, text) in enumerate(talk)
            ],
        }
        for name, talk in told.items()
    ]
    assert read(written(tmp_path / "log.jsonl", lines)) == told


def test_a_name_without_a_time_is_no_speech_where_speeches_have_one(tmp_path: Path) -> None:
    """So is the mail of the visitor above the speeches."""
    told = one_line(talks())
    names = {"user": "Visitor", "assistant": "Bo (virtual assistant)"}
    parts = [
        f"Chat transcript {name}\nVisitor: {name}@mail.example\nDepartment: Sales\n\n"
        + "".join(f"09:37:{turn:02} {names[who]}: {text}\n" for turn, (who, text) in enumerate(talk))
        for name, talk in told.items()
    ]
    path = tmp_path / "log.txt"
    path.write_text(f"\n{'=' * 40}\n\n".join(parts), "utf-8")
    assert list(read(path).values()) == list(told.values())


@pytest.mark.parametrize("mark", [":", "-"])
def test_what_other_loggers_write_is_no_message(mark: str, tmp_path: Path) -> None:
    """A log of Spring Boot, with the session behind the logger, and a stack trace."""
    trace = "\n\tat java.base/x(Y.java:7)" * 3
    lines = ["start.App " + mark + " Started in 6.2 seconds"]
    for n in range(6):
        said = f"chat.DialogLogger   {mark} [9a{n}b0{n}7]"
        lines += [
            f"{said} CITIZEN: How much is grant {n}?",
            f"search.Retriever    {mark} [9a{n}b0{n}7] {n} passages, best score 0.6",
            f"{said} ASSISTANT: Up to {n}0,000 euros, as: half now and half later.",
            f"push.MetricsClient  {mark} push failed\njava.net.SocketException: timed out{trace}",
        ]
    path = tmp_path / "app.log"
    path.write_text(
        "".join(
            f"2025-05-12 09:{n // 60:02}:{n % 60:02}.117  INFO 1 --- [nio-8080-exec-{n % 9}] ie.gov.{one}\n"
            for n, one in enumerate(lines)
        )
    )
    proposal = propose(path)
    assert proposal is not None
    entries = list(read_log(path, proposal.mapping))
    talks = [[one["content"] for one in entry.messages] for entry in entries if entry.kind == "conversation"]
    assert sorted(talks) == [
        [f"How much is grant {n}?", f"Up to {n}0,000 euros, as: half now and half later."] for n in range(6)
    ]
    others = [entry.problem for entry in entries if entry.kind != "conversation"]
    assert others == ["nobody speaks in what this logger writes"] * 13
