"""No secret reaches the file, and a file with one is refused without showing it."""

import pytest
from tapes import Echo, asked, cassette, edit, record, write_entries

from grice import evaluate
from grice.agents import BoundAgent
from grice.agents.recorded import recorded_agent
from grice.identity import fingerprint
from grice.judging.judge import Judge
from grice.records import LLMResponse, Outcome
from grice.running.live import LiveConversation
from grice.running.verdict_log import VerdictLog
from grice.wire.cassettes import CassetteError, CassetteLLM, Entry, Scrub

KEY = "sk-proj-Ab3dEf6hIj9kLm2n"


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (asked(f"my key is {KEY}"), "ok"),
        (asked("hi"), f"your key is {KEY}"),
        (asked("hi"), {"text": "ok", "headers": {"Authorization": KEY}}),
        ({"arguments": f'{{"passphrase": "{KEY[8:]}"}}'}, "ok"),
        (asked("hi"), {"content": f'[{{"credentials": {{"pin": "{KEY[8:]}"}}}}]'}),
        ({KEY: 1}, {KEY: 2}),
        (asked(f'The tool {{said}}: {{"passphrase": {{"a": "{KEY[8:]}"}}}}, then "{{".'), "ok"),
        (asked(f'Lines: {{"pin": 1}}\n{{"name": "password", "value": "{KEY[8:]}"}}'), "ok"),
    ],
)
def test_no_secret_reaches_the_file(tmp_path, request_, answer):
    path = tmp_path / "one.jsonl"

    record(path, ("agent", request_, answer), test=f"test_it[{KEY}]")

    assert KEY[8:] not in path.read_text()
    assert cassette(path).begin("agent", request_).replayed


def test_the_tags_hold_no_secret(tmp_path):
    path = tmp_path / "one.jsonl"
    with cassette(path, "once") as used:
        used.begin("judge", asked("hi"), "criterion", KEY).record("ok")

    assert KEY not in path.read_text()


def test_a_scrub_rule_does_not_save_a_part_of_a_secret(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked(f"key {KEY}"), "ok"), scrub=[Scrub("sk-proj-", "<prefix>")])

    assert KEY[8:] not in path.read_text()


def test_a_secret_that_scrubbing_uncovers_is_redacted_too(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked(f"key s@@k{KEY[2:]}"), "ok"), scrub=[Scrub("@@", "")])

    assert KEY[8:] not in path.read_text()
    assert not cassette(path).findings()[0].excerpt.count(KEY)


@pytest.mark.parametrize(
    ("request_", "answer", "place"),
    [
        (asked(KEY), "ok", "request.messages[0].content"),
        (asked("hi"), {"said": [1, KEY]}, "response.said[1]"),
        (asked("hi"), {"password": "hunter2!"}, "response.password"),
        (asked("hi"), {"arguments": '{"passphrase": "hunter2!"}'}, "response.arguments"),
        (asked("hi"), {KEY: 1}, "the name of a field in response"),
    ],
)
def test_a_secret_that_an_older_version_wrote_is_an_error(tmp_path, request_, answer, place):
    path = tmp_path / "one.jsonl"
    write_entries(path, Entry("agent", fingerprint(request_), request_, answer))

    with pytest.raises(CassetteError) as raised:
        cassette(path)

    assert str(raised.value) == (
        f"{path}:2: a secret at {place}, expected [redacted: ...] in its place; record it anew with "
        "--grice-update, and change the secret if the file was ever committed"
    )


@pytest.mark.parametrize(
    ("old", "line"), [('"test":""', 1), ('"content":"hi"', 2), ('"subject":""', 2), ('"response":"ok"', 2)]
)
def test_a_secret_that_somebody_pasted_is_an_error(tmp_path, old, line):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked("hi"), "ok"))
    edit(path, old, f'{old.partition(":")[0]}:"{KEY}"')

    with pytest.raises(CassetteError) as raised:
        cassette(path)

    assert f":{line}: a secret at " in str(raised.value)
    assert KEY[8:] not in str(raised.value)


@pytest.mark.parametrize("name", ["password", "passphrase", "credentials"])
@pytest.mark.parametrize("secret", ["hunter2!", 1234567, ["a", "b"]])
def test_a_conversation_with_secrets_in_its_calls_is_played_as_it_was_recorded(tmp_path, name, secret):
    """The messages of the second call hold what the first one answered: raw then, redacted now."""
    path = tmp_path / "one.jsonl"

    def login(messages):
        calls = [{"name": "login", "arguments": {name: secret}, "result": {name: secret}}]
        return {"text": f"turn {len(messages)}", "tool_calls": calls}

    said = []
    for mode in ("once", "none"):
        with cassette(path, mode) as used:
            agent = recorded_agent(BoundAgent("login", lambda messages, _: login(messages)), used)
            with LiveConversation(agent) as live:
                said.append([live.say("Log in").text, live.say("Again").text])

    assert said[0] == said[1]
    assert "hunter2" not in path.read_text()
    assert "1234567" not in path.read_text()


def test_what_the_user_says_is_found_again_after_a_call_with_it(tmp_path):
    """What was played has lost the secret that would tell that it is one, so it may not be hidden by that."""
    path = tmp_path / "one.jsonl"

    def login(messages):
        call = {"name": "log_in", "arguments": {"password": "hunter2-horse"}, "result": "ok"}
        return {"text": f"turn {len(messages)}", "tool_calls": [call]}

    said = []
    for mode in ("once", "none"):
        with cassette(path, mode) as used:
            agent = recorded_agent(BoundAgent("login", lambda messages, _: login(messages)), used)
            with LiveConversation(agent) as live:
                said.append([live.say("Let me in with hunter2-horse").text, live.say("Again").text])

    assert said[0] == said[1]


class Content(Echo):
    """A judge that is always content."""

    async def ask(self, request):
        kinds = {"boolean": "true", "string": '"yes"', "array": "[]", "number": "3", "integer": "3"}
        fields = [f'"{name}": {kinds[one["type"]]}' for name, one in request.schema["properties"].items()]
        return LLMResponse(f"{{{', '.join(fields)}}}")


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"order_token": 90817263}, "ok"),
        ({"cookies": ["c90817263"], "Z": 1.0, "é": "é"}, "ok"),
        ({"name": "password", "value": "p90817263"}, "ok"),
        ("fine", '{"order_token":  90817263, "b": [1, 2]}'),
    ],
)
def test_a_judge_that_saw_a_secret_is_found_again(tmp_path, result, text):
    def agent(messages, on_tool_call):
        on_tool_call("log_in", {"user": "a"}, result=result)
        return text

    def judged(mode):
        with cassette(path, mode) as used:
            log = VerdictLog(judge=lambda: Judge(CassetteLLM(Content(), used, "judge")))
            with LiveConversation(agent, recorder=log, cassette=used) as live:
                evaluate(live.say("Hi")).to_satisfy("The reply is friendly")
                log.settle()
        return log.verdicts[0].outcome

    path = tmp_path / "one.jsonl"

    assert (judged("once"), judged("none")) == (Outcome.PASS, Outcome.PASS)
    assert "90817263" not in path.read_text()
