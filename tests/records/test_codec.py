"""The JSON form of records round-trips byte for byte and refuses what it cannot read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from grice.records import (
    AgentFailure,
    Conversation,
    Evidence,
    Exchange,
    Message,
    Outcome,
    RecordFormatError,
    Result,
    ToolCall,
    Turn,
    Verdict,
    decode_conversation,
    encode_conversation,
    encode_results,
    failed,
)

text = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
objects = st.dictionaries(text, json_values, max_size=3)
maybe = lambda strategy: st.none() | strategy  # noqa: E731
seconds = st.floats(0, 1e6)
calls = st.builds(
    ToolCall,
    text,
    arguments=objects,
    id=text,
    raw_arguments=maybe(text),
    result=st.just(UNSET) | json_values,
    error=maybe(text),
    duration=maybe(seconds),
    source=st.sampled_from(["reply", "signal", "log"]),
    metadata=objects,
)
messages = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool"]),
    content=text,
    tool_calls=st.lists(calls, max_size=2).map(tuple),
    tool_call_id=maybe(text),
    name=maybe(text),
    is_error=st.booleans(),
    metadata=objects,
)
exchanges = st.builds(
    Exchange, objects, reply=maybe(objects), dialect=text, turn=maybe(st.integers(1, 9)), error=maybe(text)
)
turns = st.builds(
    Turn,
    st.integers(1, 99),
    messages=st.lists(messages, max_size=3).map(tuple),
    tool_calls=st.lists(calls, max_size=2).map(tuple),
    exchanges=st.lists(exchanges, max_size=2).map(tuple),
    data=json_values,
    failure=maybe(st.builds(AgentFailure, st.sampled_from(["raised", "timeout", "script"]), text)),
    duration=maybe(seconds),
    metadata=objects,
)
conversations = st.builds(
    Conversation,
    id=text,
    turns=st.lists(turns, max_size=2).map(tuple),
    system=maybe(text),
    name=text,
    termination=st.sampled_from([None, "completed", "agent_error", "timeout", "interrupted"]),
    metadata=objects,
)


@given(conversations)
def test_a_conversation_round_trips_byte_for_byte(conversation):
    written = encode_conversation(conversation)
    read = decode_conversation(written)
    assert read == conversation
    assert encode_conversation(read) == written
    assert decode_conversation(written.decode()) == conversation


def test_a_null_result_is_an_answer_and_no_result_is_none():
    for call, answered in ((ToolCall("x", result=None), True), (ToolCall("x"), False)):
        turn = Turn(1, tool_calls=(call,))
        read = decode_conversation(encode_conversation(Conversation(turns=(turn,))))
        assert read.tool_calls[0].answered is answered


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "truncated"),
        (b"\xff\xfe{", "not a record of Grice"),
        (b"{not json", "malformed"),
        ("{\ud800}", "not a record of Grice"),
        (b"[]", "Expected `object`, got `array`"),
        (b"null", "Expected `object`, got `null`"),
        (b"{}", 'it has no "version"'),
        (b'{"conversation": {}}', 'it has no "version"'),
        (b'{"version": "1", "conversation": {}}', "Expected `int`, got `str`"),
        (b'{"version": true, "conversation": {}}', "Expected `int`, got `bool`"),
        (b'{"version": null, "conversation": {}}', "not a record of Grice"),
        (b'{"version": 0, "conversation": {}}', "there is no format version 0"),
        (b'{"version": -3, "conversation": {}}', "there is no format version -3"),
        (b'{"version": 2, "conversation": {}}', "format version 2 is newer than this Grice reads"),
        (b'{"version": 99, "something": "else"}', "format version 99 is newer"),
        (b'{"version": 1}', "missing required field `conversation`"),
        (b'{"version": 1, "conversation": {"turns": [{}]}}', "missing required field `number`"),
        (b'{"version": 1, "conversation": {"turns": 5}}', "Expected `array`, got `int`"),
        (b'{"version": 1, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not a record of Grice"),
        (b'{"version": 1, "conversation": {"metadata": {"x": ' + b"[" * 100_000, "not a record of Grice"),
    ],
    ids=lambda value: repr(value[:30]),
)
def test_what_is_not_a_record_is_refused_with_the_reason(data, message):
    with pytest.raises(RecordFormatError) as caught:
        decode_conversation(data)
    assert message in str(caught.value)


def test_results_are_written_with_version_and_verdicts():
    verdict = Verdict(Outcome.FAIL, "because", (Evidence("quote", turn=1, start=0, end=5),), "toContain")
    result = Result("example:1", "k", Outcome.FAIL, Conversation(), (verdict,), "assertion")
    written = json.loads(encode_results((result,)))
    assert written["version"] == 1
    assert written["results"][0]["verdicts"][0]["reason"] == "because"
    assert written["results"][0]["outcome"] == "fail"


def test_half_a_character_spoils_no_other_record():
    odd = Result("example:1", "odd", Outcome.FAIL, Conversation(), (failed("it says x\ud800"),))
    fine = Result("example:2", "fine", Outcome.PASS, Conversation(id="c"))
    written = json.loads(encode_results((odd, fine)))["results"]
    assert written[0]["verdicts"][0]["reason"] == "it says x\ufffd"
    assert written[1] == json.loads(encode_results((fine,)))["results"][0]
    cut = Conversation(turns=(Turn(1, (Message("user", "x\udc00"),)),))
    assert decode_conversation(encode_conversation(cut)).turns[0].user == "x\ufffd"
