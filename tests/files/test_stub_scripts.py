import json
from pathlib import Path

import pytest

from grice.files.document import FileErrors
from grice.files.stub_scripts import load_scripts
from grice.wire import Fault, ToolUse
from grice.wire.replies import ModelReply

EXAMPLES = Path(__file__).parents[2] / "examples" / "wordpress_assistant" / "goldens"


def write(tmp_path: Path, text: str, name: str = "stub.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"Hello"', ModelReply(("Hello",))),
        ('{"text": "Hi", "delay": 2}', ModelReply(("Hi",), delay=2.0)),
        ('{"tool": "search", "arguments": {"q": 1}}', ModelReply((ToolUse("search", {"q": 1}),))),
        ('["Look", {"tool": "a", "id": "t"}]', ModelReply(("Look", ToolUse("a", {}, "t")))),
        ('{"text": "Look", "tool": "a"}', ModelReply(("Look", ToolUse("a", {})))),
        ('{"json": {"city": "Oslo"}}', ModelReply(('{"city":"Oslo"}',))),
        ('{"text": "x", "stop_reason": "max_tokens"}', ModelReply(("x",), "max_tokens")),
        ('{"text": "x", "usage": {"input_tokens": 7}}', ModelReply(("x",), usage={"input_tokens": 7})),
        ('{"fault": "rate_limit", "retry_after": 0.5}', Fault.rate_limit(0.5)),
        ('{"fault": "rate_limit"}', Fault.rate_limit()),
        ('{"fault": "error", "status": 503}', Fault.error(503)),
        ('{"fault": "error", "retry_after": 5}', Fault.error(retry_after=5)),
        (
            '{"text": "Look", "tool": "a", "arguments": {}, "delay": 1}',
            ModelReply(("Look", ToolUse("a", {})), delay=1),
        ),
        ('{"fault": "timeout"}', Fault.timeout()),
        ('{"fault": "half_stream", "text": "abc"}', Fault.half_stream("abc")),
    ],
)
def test_a_reply_is_read(tmp_path: Path, written: str, read: object) -> None:
    path = write(tmp_path, f'{{"replies": [{written}]}}', "stub.json")
    (script,) = load_scripts([path])
    assert script.replies == (read,)


@pytest.mark.parametrize(
    ("written", "place", "message"),
    [
        ("replies: []", "1:1", "the script has neither replies nor rules"),
        ("replies: hello", "1:10", "replies: expected a list"),
        ("replise: []", "1:1", "unknown field 'replise' (did you mean 'replies'?)"),
        ("replies:\n  - {tex: hi}", "2:6", "unknown field 'tex' (did you mean 'text'?)"),
        ("replies:\n  - {delay: 1}", "2:5", "a reply has text, tool, json, content or fault"),
        ("replies:\n  - {fault: rate_limt}", "2:5", "unknown fault 'rate_limt' (did you mean 'rate_limit'?)"),
        ("replies:\n  - {fault: error, status: 200}", "2:5", "from 400 to 599, found 200"),
        ("replies:\n  - [hi, {fault: reset}]", "2:10", "a fault stands alone"),
        ("replies:\n  - {text: a, delay: " + "9" * 400 + "}", "2:22", "a number of 400 digits is too large"),
        ("replies:\n  - {fault: error, status: " + "9" * 5_000 + "}", "2:28", "a number of 5000 digits"),
        (
            "replies:\n  - {json: [" + "[" * 3_000 + "]" * 3_001 + "}",
            "2:209",
            "nested deeper than 200 levels",
        ),
        ("rules:\n  - {when: a}", "2:5", "missing field 'reply'"),
        ("rules:\n  - {when: '(?=a)', reply: b}", "2:12", "look-around"),
        ("replies:\n  - {content: [{text: a}]}", "2:5", "a scripted reply is a text"),
        ("replies:\n  - {content: [{type: thinking}]}", "2:5", "block needs 'thinking', a text"),
        ("replies:\n  - {text: a, usage: {output_tokens: five}}", "2:22", "usage.output_tokens is a whole"),
        (
            "replies:\n  - {text: a, delay: -4}",
            "2:22",
            "delay: expected a number of seconds from 0, found -4",
        ),
        (
            "replies:\n  - {fault: error, retry_after: -1}",
            "2:33",
            "retry_after: expected a number of seconds from 0",
        ),
        ("replies:\n  - [hi, {text: a, delay: 3}]", "2:20", "'delay' is of a whole reply, not of a part"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, written: str, place: str, message: str) -> None:
    path = write(tmp_path, written)
    with pytest.raises(FileErrors) as caught:
        load_scripts([path])
    assert str(caught.value).startswith(f"{path}:{place}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("written", "column", "field", "kind"),
    [
        ("{fault: rate_limit, delay: 3, text: hello}", 25, "delay", "fault rate_limit"),
        ("{fault: rate_limit, status: 503}", 25, "status", "fault rate_limit"),
        ("{fault: reset, text: hello}", 20, "text", "fault reset"),
        ("{fault: half_stream, json: {}}", 26, "json", "fault half_stream"),
        ("{text: a, json: {}}", 6, "text", "json"),
        ("{json: {}, tool: a}", 16, "tool", "json"),
        ("{text: a, arguments: {}, id: a}", 15, "arguments", "text"),
        ("{text: a, status: 503}", 15, "status", "text"),
        ("{tool: a, text: b, content: [c]}", 6, "tool", "content"),
        ("{tool: a, retry_after: 1}", 15, "retry_after", "tool"),
    ],
)
def test_fields_that_contradict_one_another_are_refused(
    tmp_path: Path, written: str, column: int, field: str, kind: str
) -> None:
    path = write(tmp_path, f"replies:\n  - {written}")
    with pytest.raises(FileErrors) as caught:
        load_scripts([path])
    assert str(caught.value).startswith(
        f"{path}:2:{column}: replies[0]: {field!r} does not go with {kind!r}, which takes "
    )


def test_without_files_the_script_is_an_echo() -> None:
    (script,) = load_scripts([])
    assert script.model().respond({"messages": [{"role": "user", "content": "x"}]})["content"] == [
        {"type": "text", "text": "You said: x"}
    ]


def test_goldens_give_their_replies_under_their_ids() -> None:
    scripts = load_scripts(sorted(EXAMPLES.glob("*.golden.json")))
    update = next(script for script in scripts if script.name == "update-plugin-success")
    first, second = update.replies
    assert isinstance(first, ModelReply)
    assert first.calls[0].name == "update_plugin"
    assert isinstance(second, ModelReply)
    assert (
        second.text
        == json.loads((EXAMPLES / "update-plugin-success.golden.json").read_text())["mockLlmResponses"][1][
            "content"
        ][0]["text"]
    )


def test_every_conversation_begins_the_script_anew(tmp_path: Path) -> None:
    (script,) = load_scripts([write(tmp_path, "replies: [one, two]")])
    for _ in range(2):
        assert script.model().respond({"messages": []})["content"] == [{"type": "text", "text": "one"}]
