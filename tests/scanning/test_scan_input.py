"""What a scan does with lines and files that are not what it expects."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from grice.scanning import Finding, ScanReport, entries, lines, scan

USER = {"role": "user", "content": "Update it"}
INTRODUCTION = {"role": "assistant", "content": "I am an AI."}
ROLES = "system, developer, user, human, assistant, ai, tool, function, tool_result"
LISTED = "a list of conversations; expected one conversation a line (jq -c '.[]' splits it)"


def log(tmp_path: Path, *items: object) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def scanned(path: Path) -> tuple[ScanReport, list[Finding]]:
    findings: list[Finding] = []
    return scan([path], on_finding=findings.append), findings


@pytest.mark.parametrize("content", [b"", b"\n \n\r\n", b"[]\n", b'{"messages": []}\n', b"nonsense\n"])
def test_a_log_in_which_nothing_was_examined_is_not_complete(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    report = scan([path])
    assert not report.complete
    assert not report.found
    assert report.turns_examined == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{bad", "not JSON: object keys must be strings (byte 1)"),
        (b'{"messages": [', "not JSON: Input data was truncated"),
        (b'{"messages": [], "score": NaN}', "not JSON: NaN is not a JSON number (byte 26)"),
        (b'[{"a": -Infinity}]', "not JSON: Infinity is not a JSON number (byte 8)"),
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
            'messages[0]: has the role "usr"; did you mean "user"?',
        ),
        (b'[{"messages": []}]', LISTED),
        (b'[[{"role": "user"}]]', LISTED),
        (
            b'{"role": "user", "content": "x"}',
            f"a message without the id of its conversation; looked for {', '.join(entries.CONVERSATION_IDS)}",
        ),
        (
            b'{"chat_id": "c", "role": "usr", "content": "x"}',
            'the message has the role "usr"; did you mean "user"?',
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


def test_a_conversation_with_one_unreadable_message_is_not_judged_in_part(tmp_path: Path) -> None:
    report, findings = scanned(log(tmp_path, {"messages": [USER, INTRODUCTION, USER, {"role": "bot"}]}))
    assert findings == []
    assert (report.malformed, report.conversations) == (1, 0)


def test_text_cut_in_the_middle_of_an_emoji_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"messages": [{"role": "assistant", "content": "I am an AI \\ud83d"}]}\n')
    report, [finding] = scanned(path)
    assert finding.excerpt == "I am an AI \ufffd"
    assert report.malformed == 0


def test_only_the_first_hundred_malformed_lines_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("bad\n" * 250)
    report = scan([path])
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
        (b"\xff\xfe{\x00}\x00", "is UTF-16"),
        (b"PAR1\x00\x01", "is not text"),
        (b'[\n  {"messages": []}\n]\n', "jq -c '.[]' {path} > log.jsonl"),
        (gzip.compress(b'{"messages": []}\n' * 1000)[:60], "cannot be read"),
        (b'[\n  {"messages": []},\n  {"messages": []}\n]\n', "jq -c '.[]' {path} > log.jsonl"),
        (b'{"messages": [\n  {"role": "user",\n "content": "x"}]}\n', "jq -c . {path} > log.jsonl"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_scanned(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "log.json"
    if content is not None:
        path.write_bytes(content)
    report = scan([path, log(tmp_path, [USER, INTRODUCTION])])
    [problem] = report.unreadable
    assert problem.file == str(path)
    assert reason.format(path=path) in problem.reason
    assert report.turns_with_findings == 1
    assert not report.complete


def test_a_compressed_file_that_ends_early_is_scanned_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    compressed = gzip.compress((json.dumps([USER, INTRODUCTION]) + "\n").encode() * 20_000)
    path.write_bytes(compressed[: len(compressed) // 2])
    report = scan([path])
    assert report.turns_with_findings > 0
    assert report.unreadable[0].reason.startswith("cannot be read after line ")


def test_a_directory_is_refused_with_advice(tmp_path: Path) -> None:
    assert "is a directory; name the files in it" in scan([tmp_path]).unreadable[0].reason
