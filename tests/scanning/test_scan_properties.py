"""A scan sees the same turns as the rest of Grice, however a log is written."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grice.files.suite_records import SuiteCheck, Target
from grice.formats import read_message, turns_of
from grice.matchers import contain, equal, match
from grice.matching.selector import ValueSelector
from grice.records import Conversation, Reply
from grice.running.suite_checks import judge_checks
from grice.scanning import Choice, Finding, scan
from grice.scanning.check_choice import LogCheck
from grice.text.excerpts import excerpt

CHECKS = Choice(
    (
        LogCheck("now", SuiteCheck(~match(r"\bnow[!.]", flags="i"), Target("reply"))),
        LogCheck("asks", SuiteCheck(~match("would you", flags="i"), Target("reply"))),
        LogCheck("starts", SuiteCheck(~match("^It was"), Target("reply"))),
        LogCheck("done", SuiteCheck(~contain("Done"), Target("reply"))),
        LogCheck("lost", SuiteCheck(~equal("lost"), Target("reply"), ValueSelector("$.order.status"))),
    )
)
TEXTS = st.sampled_from(
    [
        "Updating now!",
        "Would you like me to?",
        "Please confirm.",
        "I'm WP AI.",
        "It was triggered unexpectedly.",
        "Done.",
        "",
        "\n",
        "é \U0001f600",
        '{"order": {"status": "lost"}}',
        ' {"order": {"status": "sent"}}',
        '{"order": {"status": "lost", "status": "sent"}}',
        '{"order": {"status": "lost"}, "weight": NaN}',
        '{"order": "lost"}',
        '```json\n{"order": {"status": "lost"}}\n```',
        '[{"order": 1}]',
    ]
)
RESULTS = st.sampled_from(['{"success": true}', '{"status": "pending"}', "Error: no", "null", "7", "fine"])
CALL = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
BROKEN = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{"}}
CALLS = st.sampled_from([CALL, BROKEN])
MESSAGES = st.one_of(
    st.builds(lambda text: {"role": "user", "content": text}, TEXTS),
    st.builds(lambda text: {"role": "assistant", "content": text}, TEXTS),
    st.builds(lambda text: {"role": "assistant", "content": [{"type": "text", "text": text}]}, TEXTS),
    st.builds(lambda text, c: {"role": "assistant", "content": text, "tool_calls": [c]}, TEXTS, CALLS),
    st.builds(lambda text: {"role": "tool", "tool_call_id": "t", "content": text}, RESULTS),
    st.builds(
        lambda text, result: {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": result},
                {"type": "text", "text": text},
            ],
        },
        TEXTS,
        RESULTS,
    ),
    st.builds(lambda text: {"type": "function_call_output", "call_id": "t", "output": text}, RESULTS),
    st.builds(lambda text: {"role": "system", "content": text}, TEXTS),
)  # fmt: skip
CONVERSATIONS = st.lists(st.lists(MESSAGES, max_size=8), max_size=4)
KEYS = ["messages", "input", "role", "content", "type", "tool_calls", "chat_id", "function", "name", "id"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                KEYS
            ),
            inner | st.sampled_from(["user", "assistant", "tool", "function_call", "tool_use", "text"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)  # fmt: skip


def findings_of(lines: list[Any], *, keep_lines: bool = False) -> tuple[list[Any], tuple[int, ...]]:
    found: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        report = scan([path], CHECKS, on_finding=found.append)
        assert scan([path], CHECKS) == report  # also where nobody takes the findings
    kept = [
        (f.conversation, f.turn, f.label, f.spans, f.marks, f.excerpt, f.line * keep_lines) for f in found
    ]
    counted = (report.turns, report.turns_examined, *(one.failed for one in report.checks))
    return sorted(kept, key=repr), counted


@given(CONVERSATIONS, st.randoms(use_true_random=False))
def test_interleaved_messages_give_the_findings_of_whole_conversations(
    conversations: list[list[Any]], chance: random.Random
) -> None:
    whole = [{"id": f"c{n}", "messages": messages} for n, messages in enumerate(conversations)]
    waiting = [[{"chat_id": f"c{n}", **m} for m in messages] for n, messages in enumerate(conversations)]
    mixed = []
    while any(waiting):
        mixed.append(chance.choice([messages for messages in waiting if messages]).pop(0))
    assert findings_of(mixed) == findings_of(whole)


@given(st.lists(MESSAGES, max_size=8))
def test_the_turns_and_outcomes_are_those_of_the_readers(messages: list[Any]) -> None:
    turns = turns_of(message for raw in messages for message in read_message(raw))
    record = Conversation("c", turns=turns)
    expected = {
        (turn.number, one.label)
        for turn in turns
        if any(message.role == "assistant" for message in turn.messages)
        for one in CHECKS.checks
        if next(judge_checks([one.check], Reply(record, turn.number))).outcome == "fail"
    }
    seen, _ = findings_of([{"messages": messages}])
    assert {(f[1], f[2]) for f in seen} == expected


@given(st.lists(JSON, max_size=4))
def test_no_json_whatever_stops_a_scan(values: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
        report = scan([path], CHECKS)
    assert report.lines == len(values)
    assert report.unreadable == ()


@given(st.binary(max_size=60))
def test_no_bytes_whatever_stop_a_scan(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        path.write_bytes(content)
        assert not scan([path], CHECKS).complete


@given(st.text(alphabet="ab \n", max_size=500), st.data())
def test_an_excerpt_marks_the_same_characters_as_the_text(text: str, data: st.DataObject) -> None:
    place = st.integers(0, len(text))
    pairs = data.draw(st.lists(st.tuples(place, place), max_size=3))
    spans = [(min(pair), min(max(pair), min(pair) + 20)) for pair in pairs]
    shown, marks = excerpt(text, spans)
    assert sorted(shown[a:b] for a, b in marks) == sorted(text[a:b] for a, b in spans)
    assert len(shown) <= 3 * (2 * 70 + 20 + 6) + 6
