"""The exports of other tools: a conversation in the shape of each gives the messages of the original."""

# ruff: noqa: E501

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from grice.formats import read_conversation
from grice.formats.log_files import files_in
from grice.formats.logs import Entry, read_log
from grice.records import Conversation

CALL = {"id": "call_1", "name": "find_order", "arguments": {"id": 7}}
CHAT: list[Any] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "Where is order 7?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": '{"state": "sent"}'},
    {"role": "assistant", "content": "It was sent."},
    {"role": "user", "content": "Thanks"},
    {"role": "assistant", "content": "You're welcome."},
]
OPENAI_CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "find_order", "arguments": '{"id": 7}'},
}
OPENAI = [one if "tool_calls" not in one else {**one, "tool_calls": [OPENAI_CALL]} for one in CHAT]
PLAIN = [one for one in CHAT if one["role"] != "tool" and "tool_calls" not in one]


def told(conversation: Conversation) -> list[tuple[object, ...]]:
    said = [("system", conversation.system, [])] if conversation.system else []
    return said + [
        (one.role, one.content, [(call.name, call.arguments) for call in one.tool_calls])
        for one in conversation.messages
    ]


def read(path: Path) -> tuple[list[Entry], list[Entry]]:
    """The conversations of a log, and what is no conversation of one."""
    found = list(read_log(path))
    read_ones = [one for one in found if one.kind in ("conversation", "record") and one.messages]
    return read_ones, [one for one in found if one not in read_ones]


def conversation_of(entry: Entry) -> Conversation:
    return read_conversation([*entry.messages, *entry.reply])


def otlp(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"arrayValue": {"values": [otlp(one) for one in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": otlp(one)} for key, one in value.items()]}}
    return {"stringValue": value} if isinstance(value, str) else {"intValue": str(value)}


def span(at: int, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    pairs = [{"key": key, "value": otlp(value)} for key, value in attributes.items()]
    return {"traceId": "t1", "spanId": f"s{at}", "startTimeUnixNano": str(at), "attributes": pairs, **more}


def spans(*given: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(given)}]}]}


def parts(message: dict[str, Any]) -> dict[str, Any]:
    """A message as the GenAI conventions write it."""
    if message["role"] == "tool":
        answer = {"type": "tool_call_response", "id": "call_1", "response": message["content"]}
        return {"role": "tool", "parts": [answer]}
    if "tool_calls" in message:
        return {"role": "assistant", "parts": [{"type": "tool_call", **CALL}]}
    return {"role": message["role"], "parts": [{"type": "text", "content": message["content"]}]}


def numbered(message: dict[str, Any], above: str) -> dict[str, Any]:
    """A message as the attributes of OpenInference number it."""
    held = {f"{above}.message.role": message["role"]}
    if message["content"] is not None:
        held[f"{above}.message.content"] = message["content"]
    if "tool_calls" in message:
        call = f"{above}.message.tool_calls.0.tool_call"
        held |= {f"{call}.id": "call_1", f"{call}.function.name": "find_order"}
        held[f"{call}.function.arguments"] = '{"id": 7}'
    if "tool_call_id" in message:
        held[f"{above}.message.tool_call_id"] = "call_1"
    return held


def openinference(asked: int) -> dict[str, Any]:
    """The attributes of the call of the model that gave the message of this index."""
    held: dict[str, Any] = {"openinference.span.kind": "LLM", "session.id": "s-1"}
    for index, one in enumerate(CHAT[:asked]):
        held |= numbered(one, f"llm.input_messages.{index}")
    return held | numbered(CHAT[asked], "llm.output_messages.0")


def genai(asked: int) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": "c-1",
        "gen_ai.system_instructions": [{"type": "text", "content": "You help."}],
        "gen_ai.input.messages": json.dumps([parts(one) for one in CHAT[1:asked]]),
        "gen_ai.output.messages": json.dumps([{**parts(CHAT[asked]), "finish_reason": "stop"}]),
    }


def langchain(message: dict[str, Any]) -> dict[str, Any]:
    kind = {"user": "human", "assistant": "ai"}.get(message["role"], message["role"])
    held = {"type": kind, "content": message["content"] or ""}
    if "tool_calls" in message:
        held["tool_calls"] = [{"name": "find_order", "args": {"id": 7}, "id": "call_1", "type": "tool_call"}]
    if "tool_call_id" in message:
        held["tool_call_id"] = "call_1"
    name = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}[
        kind
    ]
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": held}


def inspect_message(message: dict[str, Any]) -> dict[str, Any]:
    held = {**message, "id": "m", "source": "generate"}
    if "tool_calls" in message:
        held["tool_calls"] = [{"id": "call_1", "function": "find_order", "arguments": {"id": 7}}]
    if message["role"] == "tool":
        held["function"] = "find_order"
    return held


ASKED = (2, 4, 6)
INSPECT = {"id": 1, "epoch": 1, "input": "x", "messages": [inspect_message(one) for one in CHAT]}
LANGSMITH = [
    {
        "id": f"r{at}",
        "run_type": "llm",
        "trace_id": "tr",
        "start_time": f"2025-03-04T09:00:0{at}",
        "inputs": {"messages": [[langchain(one) for one in CHAT[:at]]]},
        "outputs": {"generations": [[{"text": "", "message": langchain(CHAT[at])}]]},
    }
    for at in reversed(ASKED)
]
EXPORTS: dict[str, Any] = {
    "otlp-genai": spans(*(span(at, genai(at)) for at in reversed(ASKED))),
    "otlp-openinference": spans(*(span(at, openinference(at)) for at in ASKED)),
    "phoenix": [
        {
            "name": "llm",
            "span_kind": "LLM",
            "context": {"trace_id": "t", "span_id": f"{at}"},
            "start_time": f"2025-03-04T09:00:0{at}+00:00",
            "attributes": openinference(at),
        }
        for at in ASKED
    ],
    "langsmith": LANGSMITH,
    "langfuse": {
        "data": [
            {
                "id": f"o{at}",
                "traceId": "t",
                "type": "GENERATION",
                "startTime": f"2025-03-04T09:00:0{at}Z",
                "input": OPENAI[:at],
                "output": OPENAI[at],
            }
            for at in ASKED
        ],
        "meta": {"page": 1},
    },
    "inspect": {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [INSPECT]},
}


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("indent", [None, 1])
def test_an_export_gives_the_conversation_once(name: str, indent: int | None, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(EXPORTS[name], indent=indent))
    [entry], skipped = read(path)
    assert told(conversation_of(entry)) == told(read_conversation(OPENAI))
    assert not skipped
    assert entry.units == len(ASKED) or name == "inspect"


SHAREGPT = [
    {"from": {"user": "human", "assistant": "gpt"}.get(one["role"], one["role"]), "value": one["content"]}
    for one in PLAIN
]
TRACES = [
    {"id": f"t{at}", "timestamp": f"2025-03-04T09:0{at}:00Z", "sessionId": "s", "latency": 1, "input": ask, "output": answer}
    for at, (ask, answer) in enumerate([("Where is order 7?", "It was sent."), ("Thanks", "You're welcome.")])
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "system"),
    [
        ([{"id": "a", "conversations": SHAREGPT}], True),
        ([{"system": "You help.", "conversations": SHAREGPT[1:]}], True),
        (TRACES, False),
        (TRACES[::-1], False),
        ([{"prompt": {"raw": json.dumps(PLAIN[:-1])}, "vars": {}, "response": {"output": "You're welcome."}}], True),
        ([{"run_type": "chain", "id": "r", "inputs": {"messages": PLAIN[:2]}, "outputs": {"messages": PLAIN}}], True),
    ],
)  # fmt: skip
def test_lines_of_plain_messages_give_the_conversation(
    lines: list[Any], system: bool, tmp_path: Path
) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    [entry], skipped = read(path)
    assert told(conversation_of(entry)) == told(read_conversation(PLAIN if system else PLAIN[1:]))
    assert not skipped


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            spans(span(1, {"gen_ai.operation.name": "execute_tool"})),
            "a span of execute_tool without messages",
        ),
        ({"run_type": "retriever", "inputs": {"query": "x"}}, "LangSmith: a run of type retriever"),
        ({"traceId": "t", "type": "SPAN", "input": {"x": 1}}, "Langfuse: an observation of type SPAN"),
        ({"prompt": {"raw": "Hi"}, "vars": {}, "error": "429"}, "promptfoo: a result without output: 429"),
        ({"version": 2, "kind": "journal", "experiment": {}}, "a journal of Grice: the head of a run"),
        ({"begun": {"id": "a", "key": "k"}}, "a journal of Grice: begun, but not finished"),
    ],
)
def test_a_part_without_messages_is_skipped_with_the_reason(value: Any, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(json.dumps(value) + "\n")
    found, [skipped] = read(path)
    assert not found
    assert problem in skipped.problem


def test_calls_beside_the_assistant_are_conversations_of_their_own(tmp_path: Path) -> None:
    router = {"gen_ai.conversation.id": "c-1", "gen_ai.input.messages": json.dumps([parts({"role": "system", "content": "Route."}), parts(CHAT[1])]),
              "gen_ai.output.messages": json.dumps([parts({"role": "assistant", "content": "orders"})])}  # fmt: skip
    path = tmp_path / "spans.json"
    path.write_text(json.dumps(spans(span(1, router), *(span(at, genai(at)) for at in ASKED))))
    found, _ = read(path)
    assert [told(conversation_of(one))[-1][1] for one in found] == ["orders", "You're welcome."]


def test_what_grice_writes_is_read(tmp_path: Path) -> None:
    conversation = read_conversation(OPENAI, id="a")
    record = msgspec.to_builtins(conversation)
    lines = [
        record,
        {"version": 1, "conversation": record},
        {"result": {"id": "r", "key": "k", "conversation": record}},
    ]
    path = tmp_path / "journal.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    found, skipped = read(path)
    assert [told(conversation_of(one)) for one in found] == [told(conversation)] * 3
    assert not skipped


def test_logs_are_read_packed_from_folders_and_from_archives(tmp_path: Path) -> None:
    line = json.dumps({"messages": OPENAI}) + "\n"
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.jsonl.gz").write_bytes(gzip.compress(line.encode(), mtime=0))
    (tmp_path / "one.jsonl").write_text(line)
    (tmp_path / "notes.txt").write_text("no log")
    with zipfile.ZipFile(tmp_path / "three.eval", "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1_epoch_1.json", json.dumps(INSPECT))
    files = [Path(one) for one in files_in([tmp_path])]
    assert [one.name for one in files] == ["two.jsonl.gz", "one.jsonl", "three.eval"]
    for file in files:
        [entry], skipped = read(file)
        assert told(conversation_of(entry)) == told(read_conversation(OPENAI))
        assert not skipped


def test_a_log_packed_with_zstd_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.compress(json.dumps({"messages": OPENAI}).encode()))
    [entry], _ = read(path)
    assert told(conversation_of(entry)) == told(read_conversation(OPENAI))
