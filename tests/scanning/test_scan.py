"""What a scan examines, finds and counts."""

from __future__ import annotations

import gc
import json
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grice.formats import gathering, logs
from grice.scanning import (
    Finding,
    FindingsFile,
    ScanReport,
    choose_checks,
    default_checks,
    kept,
    log_parts,
    scan,
    whole_file,
)

CHECKS = choose_checks("tool-flow", "seed")
USER = {"role": "user", "content": "Update it"}
INTRODUCTION = {"role": "assistant", "content": "I am an AI."}
DONE = {"role": "assistant", "content": "Done."}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def log(tmp_path: Path, *items: object, name: str = "log.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def scanned(*paths: Path) -> tuple[ScanReport, list[Finding]]:
    findings: list[Finding] = []
    return scan(paths, CHECKS, on_finding=findings.append), findings


@pytest.mark.parametrize(
    "line",
    [
        {"messages": [USER, INTRODUCTION], "id": "c"},
        {"messages": [USER, INTRODUCTION], "conversation_id": "c", "system": "Be brief."},
        {"input": [USER, INTRODUCTION], "id": "c", "instructions": "Be brief."},
        {"messages": None, "input": [USER, INTRODUCTION], "session_id": "c"},
        {
            "id": "c",
            "messages": [USER, {"role": "assistant", "content": [{"type": "text", "text": "I am an AI."}]}],
        },
        {
            "id": "c",
            "input": [
                USER,
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "I am an AI."}],
                },
            ],
        },
        {
            "id": "c",
            "messages": [{"type": "human", "content": "x"}, {"type": "ai", "content": "I am an AI."}],
        },
    ],
)
def test_reads_a_conversation_a_line_in_every_shape(tmp_path: Path, line: object) -> None:
    report, [finding] = scanned(log(tmp_path, line))
    assert (finding.label, finding.line, finding.conversation, finding.turn) == ("tool-flow", 1, "c", 1)
    assert (finding.excerpt, finding.marks, finding.spans) == ("I am an AI.", ((0, 10),), ((0, 10),))
    assert (report.conversations, report.turns, report.turns_examined, report.malformed) == (1, 1, 1, 0)


def test_reads_a_bare_list_as_a_conversation_without_id(tmp_path: Path) -> None:
    _, [finding] = scanned(log(tmp_path, [USER, INTRODUCTION]))
    assert finding.conversation == ""


@pytest.mark.parametrize("key", logs.CONVERSATION_IDS)
def test_reads_a_message_a_line_under_any_name_of_the_conversation(tmp_path: Path, key: str) -> None:
    path = log(tmp_path, {key: "c", **USER}, {key: "d", **DONE}, {key: "c", "message": INTRODUCTION})
    report, [finding] = scanned(path)
    assert (finding.conversation, finding.turn, finding.line) == ("c", 1, 3)
    assert (report.conversations, report.turns_examined) == (2, 2)


def test_a_number_can_be_the_id(tmp_path: Path) -> None:
    _, [finding] = scanned(log(tmp_path, {"chat_id": 7, **INTRODUCTION}))
    assert finding.conversation == "7"


def chat_call(arguments: str, call_id: str = "t") -> dict[str, Any]:
    function = {"name": "update", "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def chat_result(content: str, call_id: str = "t") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def anthropic_result(content: str, **more: object) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t", "content": content, **more}
    return {"role": "user", "content": [block]}


@pytest.mark.parametrize(
    ("between", "status"),
    [
        ([], "none"),
        ([chat_call("{}")], "none"),
        ([chat_call("{}"), chat_result('{"success": true}')], "success"),
        ([chat_call("{}"), chat_result('{"status": "pending_confirmation"}')], "pending"),
        ([chat_call("{}"), chat_result("Error: no such plugin")], "error"),
        ([chat_call("{}"), anthropic_result("ok")], "success"),
        ([chat_call("{}"), anthropic_result("ok", is_error=True)], "error"),
        ([chat_call("{}"), {"role": "function", "name": "update", "content": "ok"}], "success"),
        ([chat_result("ok"), USER], "none"),
    ],
)
def test_the_tool_status_is_that_of_the_last_result_in_the_turn(
    tmp_path: Path, between: list[Any], status: str
) -> None:
    _, findings = scanned(log(tmp_path, {"messages": [USER, *between, INTRODUCTION]}))
    assert [
        finding.reason.rpartition("tool status ")[2].rstrip(")").split(",")[0] for finding in findings
    ] == [status]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        (chat_call("{bad"), "update"),
        (chat_call("[1]"), "update"),
        ({"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "x"}}, "f"),
        ({"type": "function_call", "call_id": "1", "name": "g", "arguments": "{"}, "g"),
        ({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "h", "input": [1]}]}, "h"),
    ],
)
def test_malformed_tool_arguments_are_a_finding_of_their_own_kind(
    tmp_path: Path, message: object, tool: str
) -> None:
    report = scan([log(tmp_path, {"messages": [USER, message, DONE]})], default_checks())
    [count] = [one for one in report.checks if one.failed and one.label == "malformed-arguments"]
    assert count.examples[0].finding.reason.startswith(f"no JSON object: {tool}: ")


@pytest.mark.parametrize(
    "message",
    [
        chat_call("{}"),
        chat_call(""),
        {"type": "custom_tool_call", "call_id": "1", "name": "shell", "input": "ls -l"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "h", "input": []}]},
    ],
)
def test_good_arguments_and_the_text_of_custom_tools_are_no_finding(tmp_path: Path, message: object) -> None:
    report = scan([log(tmp_path, {"messages": [USER, message]})], default_checks())
    assert not report.found


def test_secrets_are_taken_out_of_everything_that_is_kept(tmp_path: Path) -> None:
    key = "sk-ant-abcdefgh12345678"
    text = f"Your key is {key}. I am an AI with password=confirm123 for you."
    messages = [USER, chat_call(f"{{{key}"), chat_result("ok"), said(text)]
    choice = choose_checks("tool-flow,default", "seed")
    report = scan([log(tmp_path, {"id": f"c-{key}", "messages": messages})], choice)
    kept_text = msgspec.json.encode(report).decode()
    assert "abcdefgh" not in kept_text
    assert "confirm123" not in kept_text
    found = {one.label: one.examples[0].finding for one in report.checks if one.failed}
    assert set(found) == {"tool-flow", "malformed-arguments", "leaked-secret"}
    shown = found["tool-flow"]
    assert "I am an AI" in [shown.excerpt[a:b] for a, b in shown.marks]


def test_a_conversation_quiet_for_long_is_over_when_too_many_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_OPEN", 2)
    names = ["a", "b", "a", "c", "d", "a"]
    report, _ = scanned(log(tmp_path, *({"chat_id": name, **DONE} for name in names)))
    assert report.conversations == 5  # a came back after it was over
    assert report.turns_examined == 5


def test_requests_of_a_session_quiet_for_long_are_over_when_too_many_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "MAX_OPEN", 2)
    calls = [{"session_id": name, "messages": [USER], "response": DONE} for name in "abcd"]
    again = {"session_id": "a", "messages": [USER, DONE, USER], "response": DONE}
    report, _ = scanned(log(tmp_path, *calls, again))
    assert (report.lines, report.conversations, report.ended_early) == (5, 5, 3)
    assert scanned(log(tmp_path, calls[0], calls[1], again))[0].ended_early == 0


def test_a_turn_that_never_ends_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_TURN", 500)
    report, findings = scanned(log(tmp_path, *({"chat_id": "c", **INTRODUCTION} for _ in range(8))))
    assert [finding.turn for finding in findings] == [1, 2, 3]
    assert (report.conversations, report.turns_examined) == (1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False], ids=["conversations", "messages"])
def test_memory_does_not_grow_with_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    monkeypatch.setattr(kept, "MAX_OPEN", 20)
    monkeypatch.setattr(log_parts, "PART", 2_000)
    monkeypatch.setattr(whole_file, "ENTRIES", 20)
    peaks = []
    for size in (150, 150, 1500):  # the first one loads and compiles what is needed
        path = tmp_path / f"{size}.jsonl"
        with path.open("w") as file:
            for number in range(size):
                name = f"c{number}"
                parts = [{"messages": [USER, INTRODUCTION], "id": name}]
                if not whole:
                    parts = [{"chat_id": name, **USER}, {"chat_id": name, **INTRODUCTION}]
                file.writelines(json.dumps(part) + "\n" for part in [*parts, "malformed"])
        gc.collect()
        tracemalloc.start()
        report = scan([path], CHECKS)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert report.conversations_with_findings == size
    assert peaks[2] - peaks[1] < 300_000


def test_the_file_of_findings_is_one_document_and_appears_when_complete(tmp_path: Path) -> None:
    source = log(tmp_path, *([USER, INTRODUCTION] for _ in range(10)))
    path = tmp_path / "findings.json"
    with FindingsFile(path) as file:
        report = scan([source], CHECKS, on_finding=file.write)
        assert not path.exists()
        file.finish(report)
    document = json.loads(path.read_text("utf-8"))
    assert list(document) == ["version", "findings", "summary"]
    assert document["version"] == 2
    assert [finding["line"] for finding in document["findings"]] == list(range(1, 11))
    assert document["summary"]["turns_examined"] == 10
    assert sorted(item.name for item in tmp_path.iterdir()) == ["findings.json", "log.jsonl"]


def test_a_scan_that_breaks_leaves_the_old_file_of_findings(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), FindingsFile(path):
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["findings.json"]
