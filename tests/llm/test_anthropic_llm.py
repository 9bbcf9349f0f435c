"""AnthropicLLM against the stub: what is sent, what is read."""

import msgspec
import pytest
from llm_requests import JUDGED, MESSAGES, PLAIN, ask, error_of
from odd_server import http, odd_server

from grice import LLMRequest, ScriptedModel, structured, tool_use
from grice.llm.anthropic_llm import AnthropicLLM

STRICT = {
    "type": "object",
    "properties": {
        "satisfied": {"type": "boolean"},
        "score": {"type": "integer", "description": "The points. (at least 1, at most 5)"},
    },
    "required": ["satisfied", "score"],
    "additionalProperties": False,
}


def llm_of(model, **options):
    return AnthropicLLM("claude-test", base_url=model.url, api_key=model.key, **options)


def answer_of(reply, request=PLAIN, **options):
    model = ScriptedModel(reply)
    return ask(llm_of(model, **options), request)


def request_of(request, reply="ok", **options):
    model = ScriptedModel(reply)
    ask(llm_of(model, **options), request)
    return model.exchanges[0].request


def test_the_answer_of_a_model():
    response = answer_of("Hello!")
    metadata = response.metadata
    assert (response.text, response.parsed) == ("Hello!", msgspec.UNSET)
    assert (metadata.provider, metadata.model, metadata.stop_reason) == (
        "anthropic",
        "claude-test",
        "end_turn",
    )
    assert metadata.input_tokens > 0
    assert metadata.output_tokens > 0


def test_the_system_prompt_goes_where_it_belongs():
    request = LLMRequest((*MESSAGES, {"role": "system", "content": "Be brief."}), temperature=0.5, seed=3)
    assert request_of(request) == {
        "model": "claude-test",
        "max_tokens": 1024,
        "messages": [MESSAGES[1]],
        "system": "You judge.\n\nBe brief.",
        "temperature": 0.5,
    }
    assert "temperature" not in request_of(request, sampling=False)


def test_a_system_prompt_alone_is_asked_as_the_user():
    sent = request_of(LLMRequest(({"role": "system", "content": "Begin."},)))
    assert sent["messages"] == [{"role": "user", "content": "Begin."}]
    assert "system" not in sent


def test_a_schema_is_an_output_format():
    sent = request_of(JUDGED, structured({"satisfied": True}))
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": STRICT}}


def test_a_schema_can_be_a_tool_that_the_model_must_call():
    model = ScriptedModel(tool_use("verdict", satisfied=True, score=4))
    response = ask(llm_of(model, structured="tool"), JUDGED)
    assert response.parsed == {"satisfied": True, "score": 4}
    assert response.text == '{"satisfied":true,"score":4}'
    sent = model.exchanges[0].request
    assert sent["tool_choice"] == {"type": "tool", "name": "verdict"}
    (tool,) = sent["tools"]
    assert (tool["name"], tool["input_schema"]) == ("verdict", STRICT)


def test_a_model_that_speaks_instead_of_calling_is_read_too():
    response = answer_of('{"satisfied": true}', JUDGED, structured="tool")
    assert (response.text, response.parsed) == ('{"satisfied": true}', msgspec.UNSET)


def test_a_schema_can_stand_in_the_prompt():
    sent = request_of(JUDGED, structured="prompt")
    assert "JSON Schema" in sent["system"]
    assert sent.keys() == {"model", "max_tokens", "messages", "system"}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"content": ["I will not."], "stop_reason": "refusal"}, "I will not."),
        ({"content": [], "stop_reason": "refusal"}, "the model refused to answer"),
        ({"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "bio"}}, "bio"),
        ({"content": ["{"], "stop_reason": "max_tokens"}, ""),
    ],
)
def test_ends_of_answers(body, refusal):
    metadata = answer_of(body).metadata
    assert (metadata.stop_reason, metadata.refusal) == (body["stop_reason"], refusal)


def test_thoughts_are_no_part_of_the_answer():
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    assert answer_of([thought, "a", "b"]).text == "ab"


@pytest.mark.parametrize("content", [None, "text", [5], [{"type": "text"}]])
def test_bodies_that_hold_no_answer(content):
    with odd_server(http({"type": "message", "content": content})) as server:
        message = error_of(AnthropicLLM("m", base_url=server.url, api_key=""))
    assert message.startswith("anthropic:m: the endpoint answered with ")


def test_tokens_of_a_cache_are_counted():
    usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 2}
    body = {"content": ["x"], "usage": {**usage, "cache_creation_input_tokens": 500}}
    metadata = answer_of(body).metadata
    assert (metadata.input_tokens, metadata.output_tokens) == (543, 2)


def test_a_missing_key_names_its_variable(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert "the environment variable ANTHROPIC_API_KEY is not set" in error_of(AnthropicLLM("m"), PLAIN)


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_the_address_may_have_its_version(ending):
    model = ScriptedModel("hi")
    llm = AnthropicLLM("m", base_url=f"{model.url}{ending}", api_key=model.key)
    assert ask(llm).text == "hi"


def test_a_tool_that_is_called_twice_gives_no_answer_to_choose():
    blocks = [{"type": "tool_use", "input": {"satisfied": one}} for one in (True, False)]
    with odd_server(http({"content": blocks, "stop_reason": "tool_use"})) as server:
        llm = AnthropicLLM("m", base_url=server.url, api_key="", structured="tool")
        assert ask(llm, JUDGED).parsed == [{"satisfied": True}, {"satisfied": False}]
