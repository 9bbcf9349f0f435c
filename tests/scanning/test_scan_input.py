"""What a scan does with lines and files that are not what it expects."""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from grice.formats import lines, logs
from grice.scanning import Finding, ScanReport, scan
from grice.scanning.check_choice import choose_checks

CHECKS = choose_checks("tool-flow", "seed")
USER = {"role": "user", "content": "Update it"}
INTRODUCTION = {"role": "assistant", "content": "I am an AI."}
ROLES = "system, developer, user, human, assistant, ai, tool, function, tool_result"
READ_FROM = 'a reply is read from "response", "choices", "output", "reply" or "text"'


def log(tmp_path: Path, *items: object) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def scanned(path: Path) -> tuple[ScanReport, list[Finding]]:
    findings: list[Finding] = []
    return scan([path], CHECKS, on_finding=findings.append), findings


def test_a_table_is_a_log_too(tmp_path: Path) -> None:
    messages = json.dumps([USER, INTRODUCTION]).replace('"', '""')
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv.gz"
    whole.write_text(f'id,messages,note\na,"{messages}",\nb,[oops],\nc,x\n', "utf-8")
    parts.write_bytes(gzip.compress(b"chat_id,role,content\na,user,Hi\nb,user,[Hi]\na,ai,I am an AI.\n"))
    report, found = scanned(whole)
    assert [(one.conversation, one.line) for one in found] == [("a", 2)]
    assert [(one.line, one.reason.split(": ")[-1]) for one in report.malformed_lines] == [
        (3, 'write "oops"'),
        (4, "a row of 2 cells, expected 3 as in the header"),
    ]
    assert [(one.conversation, one.line) for one in scanned(parts)[1]] == [("a", 4)]


@pytest.mark.parametrize("content", [b"", b"\n \n\r\n", b"[]\n", b'{"messages": []}\n', b"nonsense\n"])
def test_a_log_in_which_nothing_was_examined_is_not_complete(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    report = scan([path], CHECKS)
    assert not report.complete
    assert not report.found
    assert report.turns_examined == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{bad", 'not valid JSON at column 2: the name of a field needs double quotes: write "bad"'),
        (b'{"messages": [', "not valid JSON at column 14: the [ that opens here is not closed: ] is missing"),
        (b'{"score": NaN}', "not valid JSON: NaN is no JSON number: write null, or a text in quotes"),
        (b"[-Infinity]", "not valid JSON: -Infinity is no JSON number: write null, or a text in quotes"),
        (b'{"a": "\xff"}', "not UTF-8: byte 0xff"),
        (b"[" * 100_000, "nested too deep"),
        (b"7", "found a number; expected an object or a list of messages"),
        (b"null", "found null; expected an object or a list of messages"),
        (b"{}", 'found an object with no fields; expected "messages", "input", or a message'),
        (b'{"a": 1, "b": 2}', 'found an object with a, b; expected "messages", "input", or a message'),
        (b'{"messages": "hi"}', '"messages" is a text; expected a list of messages'),
        (b'{"messages": {"a": 1}}', '"messages" is an object; expected a list of messages'),
        (b'{"input": 5}', '"input" is a number; expected a list of messages'),
        (b"[1]", "messages[0]: is not an object; expected a message with role and content"),
        (
            b'{"messages": [{"role": "usr", "content": "x"}]}',
            "messages[0]: has the role \"usr\" (did you mean 'user'?)",
        ),
        (
            b'{"role": "user", "content": "x"}',
            f"a message without the id of its conversation; looked for {', '.join(logs.CONVERSATION_IDS)}",
        ),
        (
            b'{"chat_id": "c", "role": "usr", "content": "x"}',
            "the message has the role \"usr\" (did you mean 'user'?)",
        ),
        (
            b'{"a": "k", "role": "sk-ant-abcdefgh12345678", "chat_id": "c"}',
            f'the message has the role "[redacted: api key]"; expected one of {ROLES}',
        ),
    ],
)  # fmt: skip
def test_a_malformed_line_is_listed_with_its_reason_and_the_rest_is_scanned(
    tmp_path: Path, line: bytes, reason: str
) -> None:
    good = json.dumps({"messages": [USER, INTRODUCTION]}).encode()
    path = tmp_path / "log.jsonl"
    path.write_bytes(good + b"\n\n" + line + b"\n" + good)
    report, findings = scanned(path)
    assert [(bad.line, bad.reason) for bad in report.malformed_lines] == [(3, reason)]
    assert [finding.line for finding in findings] == [1, 4]
    assert (report.lines, report.malformed) == (3, 1)


def test_an_unreadable_message_is_listed_with_its_index_and_the_others_are_judged(tmp_path: Path) -> None:
    spoken = [USER, INTRODUCTION, USER, {"role": "bot"}, 7, INTRODUCTION]
    report, findings = scanned(log(tmp_path, {"messages": spoken}))
    assert [finding.turn for finding in findings] == [1, 2]
    assert (report.malformed, report.malformed_messages, report.conversations) == (0, 2, 1)
    assert [line.reason.partition(" ")[0] for line in report.malformed_lines] == [
        "messages[3]:",
        "messages[4]:",
    ]


def test_a_line_without_any_readable_message_is_malformed(tmp_path: Path) -> None:
    report, _ = scanned(log(tmp_path, {"messages": [7, {"role": "bot"}]}))
    assert (report.malformed, report.malformed_messages, report.conversations) == (1, 0, 0)


ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I am an AI."}]}
CHOICES = [{"index": 0, "message": INTRODUCTION}, {"index": 1, "message": INTRODUCTION}]
ANTHROPIC = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "I am an AI."}],
    "stop_reason": "end_turn",
}
REASONING = {"type": "reasoning", "summary": []}


@pytest.mark.parametrize(
    "line",
    [
        {"input": "Update it", "output": [REASONING, ITEM]},
        {"input": [USER], "output": "I am an AI."},
        {"messages": [USER], "response": {"id": "r", "choices": CHOICES}},
        {"messages": [USER], "response": {"output": [ITEM]}},
        {"messages": [USER], "response": ANTHROPIC},
        {"messages": [USER], "response": INTRODUCTION},
        {"messages": [USER], "response": {"content": "I am an AI."}},
        {"messages": [USER], "response": {"status_code": 200, "body": {"choices": CHOICES}}},
        {"messages": [USER], "choices": CHOICES},
        {"messages": [USER], "choices": [{"text": "I am an AI."}]},
        {"messages": [USER, INTRODUCTION], "response": INTRODUCTION},
        {"messages": [USER, INTRODUCTION], "response": None, "output": []},
        {"request": {"model": "m", "messages": [USER]}, "response": {"choices": CHOICES}},
        {"request": {"input": "Update it"}, "response": {"output": [ITEM]}},
        {"request": "Update it", "response": "I am an AI."},
        {"input": [USER], "response": "", "output": [ITEM]},
        {"input": [USER], "response": {}, "choices": [], "output": [ITEM]},
        {"messages": [USER], "response": {"role": "assistant", "content": ""}, "choices": CHOICES},
        {"messages": [USER], "response": {"choices": [], "output": [ITEM]}},
        {"messages": [USER], "response": {"content": [{"text": "I am an AI."}]}, "completion": "x"},
        {"messages": [USER], "reply": "I am an AI."},
        {"messages": [USER], "text": "I am an AI."},
        {"messages": [USER, INTRODUCTION], "text": "the prompt as it was sent"},
        {"body": {"messages": [USER]}, "response": {"body": {"choices": CHOICES}}},
        {"conversation": [USER, INTRODUCTION]},
        {"conversation": {"id": "c", "messages": [USER, INTRODUCTION]}},
    ],
)
def test_the_reply_of_a_line_with_request_and_reply_is_judged_once(tmp_path: Path, line: object) -> None:
    report, [finding] = scanned(log(tmp_path, line))
    assert (finding.label, finding.turn, finding.spans) == ("tool-flow", 1, ((0, 10),))
    assert (report.turns, report.malformed, report.malformed_messages) == (1, 0, 0)


EXPECTED = 'expected a message, or an object with "choices" or "output"'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"messages": [USER], "response": {"status": 1}}, f'"response" is an object with status; {EXPECTED}'),
        ({"messages": [USER], "response": 200}, f'"response" is a number; {EXPECTED}'),
        ({"messages": [USER], "choices": [{"delta": {}}]}, f'"choices" is a list; {EXPECTED}'),
        ({"input": "x", "output": [1]}, f'"output" is a list; {EXPECTED}'),
        (
            {"request": {"messages": [USER]}, "response": {"choices": []}},
            f'"response.choices" is a list; {EXPECTED}',
        ),
        (
            {"request": {"prompt": "x"}, "response": "y"},
            '"request" is an object; expected an object with "messages" or "input"',
        ),
    ],
)
def test_a_reply_that_cannot_be_read_makes_the_line_malformed_and_names_the_field(
    tmp_path: Path, line: object, reason: str
) -> None:
    report, findings = scanned(log(tmp_path, line))
    assert findings == []
    assert (report.malformed, [line.reason for line in report.malformed_lines]) == (1, [reason])


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"completion": "Yes."}, "completion"),
        ({"bot_reply": {"text": "Yes."}, "result": "Yes.", "response_id": "r"}, "bot_reply, result"),
        ({"response": "", "answer": ["Yes."]}, "answer"),
        ({"response": {"role": "assistant", "content": ""}, "message": {"content": "Yes."}}, "message"),
    ],
)
def test_a_line_whose_reply_stands_in_an_unread_field_is_malformed_and_the_rest_is_judged(
    tmp_path: Path, fields: dict[str, Any], named: str
) -> None:
    report, [finding] = scanned(log(tmp_path, {"messages": [INTRODUCTION, USER], **fields}))
    assert (finding.turn, report.conversations) == (1, 1)
    assert (report.malformed, [line.reason for line in report.malformed_lines]) == (
        1,
        [f"no reply, but text in {named}; {READ_FROM}"],
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"model": "m", "id": "r", "metadata": {"text": "x"}, "expected_output": "x", "system": "Be brief."},
        {"text": {"format": {"type": "text"}}, "result": True, "message": " ", "response": []},
    ],
)
def test_a_line_without_a_reply_is_no_malformed_line(tmp_path: Path, fields: dict[str, Any]) -> None:
    report, _ = scanned(log(tmp_path, {"messages": [INTRODUCTION, USER], **fields}))
    assert report.malformed == 0


def test_an_assistant_message_with_text_outside_its_content_is_a_malformed_message(tmp_path: Path) -> None:
    report, _ = scanned(log(tmp_path, {"messages": [USER, {"role": "assistant", "parts": ["I am an AI."]}]}))
    assert report.malformed_messages == 1
    assert report.malformed_lines[0].reason.startswith("messages[1]: has no content, but text in parts")


def test_a_reminder_beside_a_tool_result_keeps_the_tool_status(tmp_path: Path) -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "t", "content": '{"success": true}'},
        {"type": "text", "text": "<system-reminder>Be brief.</system-reminder>"},
    ]
    said = {"role": "assistant", "content": "Please confirm."}
    use = {"type": "tool_use", "id": "t", "name": "update", "input": {}}
    calling = {"role": "assistant", "content": [use]}
    report, [finding] = scanned(
        log(tmp_path, {"messages": [USER, calling, {"role": "user", "content": blocks}, said]})
    )
    assert (finding.label, finding.turn, report.turns) == ("tool-flow", 1, 1)
    assert "tool status success" in finding.reason


def test_an_unreadable_item_of_a_reply_is_named_by_its_field(tmp_path: Path) -> None:
    report, [finding] = scanned(log(tmp_path, {"input": [USER], "output": [ITEM, {"role": "bot"}]}))
    assert finding.turn == 1
    assert report.malformed_lines[0].reason.startswith('output[1]: has the role "bot"')


def test_text_cut_in_the_middle_of_an_emoji_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"messages": [{"role": "assistant", "content": "I am an AI \\ud83d"}]}\n')
    report, [finding] = scanned(path)
    assert finding.excerpt == "I am an AI \ufffd"
    assert report.malformed == 0


def test_only_the_first_hundred_malformed_lines_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("bad\n" * 250)
    report = scan([path], CHECKS)
    assert (len(report.malformed_lines), report.malformed) == (100, 250)


def test_a_line_over_the_limit_is_skipped_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 200)
    good = json.dumps({"messages": [USER, INTRODUCTION]})
    for name, write in (("a", Path.write_bytes), ("a.gz", lambda p, b: p.write_bytes(gzip.compress(b)))):
        path = tmp_path / name
        write(path, f"{'x' * 5_000_000}\n{good}\n{'y' * 201}".encode())
        report, findings = scanned(path)
        assert [finding.line for finding in findings] == [2]
        assert [line.line for line in report.malformed_lines] == [1, 3]
        assert "longer than" in report.malformed_lines[0].reason


@pytest.mark.parametrize(
    "convert",
    [
        lambda data: data,
        gzip.compress,
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"\n\n" + data + b"\n\n",
    ],
    ids=["plain", "gzip", "byte order mark", "crlf", "no last newline", "blank lines"],
)
def test_reads_the_usual_encodings_of_a_file(tmp_path: Path, convert: Any) -> None:
    path = log(tmp_path, {"messages": [USER, INTRODUCTION]}, {"messages": [USER]})
    path.write_bytes(convert(path.read_bytes()))
    report, findings = scanned(path)
    assert (report.conversations, report.malformed, len(findings)) == (2, 0, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "there is no such file"),
        (b"PAR1\x00\x01", "Parquet" if find_spec("pyarrow") is None else "cannot be read"),
        (gzip.compress(b'{"messages": []}\n' * 1000, mtime=0)[:60], "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_scanned(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "log.json"
    if content is not None:
        path.write_bytes(content)
    report = scan([path, log(tmp_path, [USER, INTRODUCTION])], CHECKS)
    [problem] = report.unreadable
    assert problem.file == str(path)
    assert reason.format(path=path) in problem.reason
    assert report.conversations_with_findings == 1
    assert not report.complete


@pytest.mark.slow
def test_a_compressed_file_that_ends_early_is_scanned_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    compressed = gzip.compress((json.dumps([USER, INTRODUCTION]) + "\n").encode() * 20_000)
    path.write_bytes(compressed[: len(compressed) // 2])
    report = scan([path], CHECKS)
    assert report.conversations_with_findings > 0
    assert report.unreadable[0].reason.startswith("cannot be read after byte ")


def test_a_directory_is_refused_with_advice(tmp_path: Path) -> None:
    assert "is a directory; name the files in it" in scan([tmp_path], CHECKS).unreadable[0].reason


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([{"id": "c", "role": "tool", "content": "no", "requestor": "assistant", "error": True}], "error"),
        ([{"type": "tool", "content": "no", "tool_call_id": "c", "status": "error"}], "error"),
        (
            [
                {
                    "author": "agent",
                    "content": {"parts": [{"function_response": {"response": {"error": "no"}}}]},
                }
            ],
            "error",
        ),
    ],
)
def test_results_in_the_shapes_of_frameworks_are_read(
    tmp_path: Path, messages: list[Any], status: str
) -> None:
    calling = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f"}}]}
    _, [finding] = scanned(log(tmp_path, {"messages": [USER, calling, *messages, INTRODUCTION]}))
    assert f"tool status {status}" in finding.reason


CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}


def answer(id: str) -> dict[str, str]:  # noqa: A002
    return {"role": "tool", "tool_call_id": id, "content": "x"}


def test_results_that_match_no_call_are_told_once_a_file(tmp_path: Path) -> None:
    right = [USER, CALLING, answer("c"), INTRODUCTION]
    wrong = [USER, CALLING, answer("x"), answer("c"), answer("c"), INTRODUCTION]
    whole = log(tmp_path, {"messages": right}, {"messages": wrong}, {"messages": wrong})
    parts = tmp_path / "parts.jsonl"
    lines = [{"session_id": name, **one} for one in wrong for name in ("a", "b")]
    parts.write_text("".join(json.dumps(one) + "\n" for one in lines))
    report = scan([whole, parts], CHECKS)
    told = "4 tool results match no call: findings on tools are unreliable"
    assert [str(one) for one in report.orphan_results] == [f"{whole}: {told}", f"{parts}: {told}"]
    choice = choose_checks("openers", "")
    assert scan([whole, parts], choice).orphan_results == report.orphan_results
