"""`grice show`: one conversation of a run or a log."""

import gzip
import json
from pathlib import Path

import pytest
from grice_command import Grice
from msgspec.structs import replace
from test_report_command import folder, result, written

from grice.records import Conversation, Message, Outcome, Turn

__all__ = ["folder"]

CHAT = [
    {"role": "user", "content": "Is it open?"},
    {"role": "assistant", "content": "It is open until 8."},
    {"role": "user", "content": "And tomorrow?"},
    {"role": "assistant", "content": "Tomorrow too."},
]


def test_a_result_has_its_answer_its_transcript_and_its_verdicts(folder: Path, grice: Grice) -> None:
    written("exp_1", result(1), result(2, Outcome.FAIL))
    run = grice("show", "latest@scenario-2")
    assert run.code == 0
    assert run.out.splitlines()[0] == "scenario-2 failed: greet: it does not"
    assert ">    assistant  Hello!" not in run.out  # the verdict names no turn
    assert "assistant  Hello!" in run.out
    assert "    fail   the reply to greet\n           it does not\n" in run.out


def test_what_failed_stands_before_what_passed(folder: Path, grice: Grice) -> None:
    one = result(1, Outcome.FAIL)
    passed = replace(one.verdicts[0], outcome=Outcome.PASS, claim="the reply to be short", reason="")
    written("exp_1", replace(one, verdicts=(passed, *one.verdicts)))
    out = grice("show", "@scenario-1").out
    assert out.index("fail   the reply to greet") < out.index("pass   the reply to be short")


def test_a_verdict_names_its_turn(folder: Path, grice: Grice) -> None:
    one = result(1, Outcome.FAIL)
    written("exp_1", replace(one, verdicts=(replace(one.verdicts[0], turn=1),)))
    assert "    fail   turn 1: the reply to greet\n" in grice("show", "@scenario-1").out
    assert "fail         turn 1: the reply to greet\n" in grice("show", "@scenario-1", "--markdown").out


def test_a_repeat_is_named_by_its_number(folder: Path, grice: Grice) -> None:
    again = replace(result(1, Outcome.FAIL), repeat=2)
    written("exp_1", result(1), again)
    assert grice("show", "latest@scenario-1#1").out.startswith("scenario-1 passed")
    assert grice("show", "latest@scenario-1").out.startswith("scenario-1 (repeat 2) failed")
    missing = grice("show", "latest@scenario-1#3")
    assert (missing.code, missing.err) == (
        2,
        "error: latest@scenario-1: there is no repeat 3, it has 1, 2\n",
    )


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("latest@scenaro-1", "latest: no conversation is called 'scenaro-1' (did you mean 'scenario-1'?)"),
        ("latest@unknown", "latest: no conversation is called 'unknown'; it has scenario-1"),
        ("scenario-1", "'scenario-1': expected RUN@ID, such as latest@scenario-1, or FILE:LINE, such as"),
        ("chats.jsonl:1", "chats.jsonl: there is no such file"),
        ("log.jsonl:7", "log.jsonl:7: there is no such line: the last one that holds anything is 4"),
        ("log.jsonl:4", 'log.jsonl:4: not valid JSON'),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_with_what_is(folder: Path, grice: Grice, wanted: str, said: str) -> None:
    written("exp_1", result(1))
    lines = [json.dumps({"messages": CHAT}), "", json.dumps({"id": "x", "messages": CHAT[:2]}), "{"]
    Path("log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = grice("show", wanted)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"error: {said}")
    assert run.err.count("\n") == 1


def test_a_line_of_a_log_is_shown_whole(folder: Path, grice: Grice) -> None:
    with gzip.open("log.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps({"id": "chat-7", "messages": CHAT}) + "\n")
    out = grice("show", "log.jsonl.gz:1").out
    assert out.splitlines()[0] == "chat-7: 2 turns"
    assert "     assistant  Tomorrow too." in out


def test_what_a_scan_finds_in_it_is_marked(folder: Path, grice: Grice) -> None:
    chat = [*CHAT[:2], {"role": "user", "content": "Akismet"}, CHAT[1]]
    chat += [CHAT[0], {"role": "assistant", "content": "Updating now! Would you like me to update it?"}]
    Path("log.jsonl").write_text(json.dumps({"id": "c", "messages": chat}) + "\n", encoding="utf-8")
    out = grice("show", "log.jsonl:1").out
    assert out.splitlines()[0] == "c: 3 turns, 2 findings: similarity, tool-flow"
    assert ">    assistant  It is open until 8." in out
    assert "    fail   turn 2: similarity\n" in out
    assert "    fail   turn 3: tool-flow\n           CONTRADICTORY_PREACTION_AND_ASK: 'Updating now'" in out


def test_a_message_is_shown_with_the_rest_of_its_conversation(folder: Path, grice: Grice) -> None:
    """Messages of other conversations stand between; one that is broken is left out."""
    rows = [{"conversation_id": "a", **one} for one in CHAT]
    rows[1:1] = [{"conversation_id": "b", "role": "user", "content": "Hello?"}]
    rows[4:4] = [{"conversation_id": "a", "role": "nobody", "content": "?"}]
    Path("log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    out = grice("show", "log.jsonl:3").out
    assert out.splitlines()[0] == "a: 2 turns"
    assert "Hello?" not in out
    assert "Tomorrow too." in out


def test_all_turns_of_a_long_conversation_are_shown(folder: Path, grice: Grice) -> None:
    long = [one for number in range(60) for one in ({"role": "user", "content": f"q{number}"}, CHAT[1])]
    Path("log.jsonl").write_text(json.dumps({"messages": long}) + "\n", encoding="utf-8")
    out = grice("show", "log.jsonl:1").out
    assert all(f"user       q{number}\n" in out for number in range(60))


def test_json_and_markdown(folder: Path, grice: Grice) -> None:
    written("exp_1", result(2, Outcome.FAIL))
    given = json.loads(grice("show", "@scenario-2", "--json", "-").out)
    assert (given["key"], given["outcome"]) == ("scenario-2", "fail")
    assert grice("show", "@scenario-2", "--markdown").out.startswith(
        "<!-- grice.conversation -->\n\n### \u2717 Grice"
    )
    assert grice("show", "@scenario-2", "--markdown", "--json", "-").code == 2


def test_printing_a_conversation_gives_its_transcript() -> None:
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello, sk-" + "a" * 40)))
    text = str(Conversation(turns=(turn,)))
    assert text.startswith("  1  user       Hi\n     assistant  Hello, ")
    assert "a" * 40 not in text
    assert str(Conversation()) == ""
