"""OpenAILLM against the stub: what is sent, what is read."""

import json
import re

import msgspec
import pytest
from llm_requests import JUDGED, MESSAGES, PLAIN, SCHEMA, ask, error_of
from odd_server import http, odd_server

from grice import Fault, ScriptedModel, structured
from grice.llm.openai_llm import OpenAILLM


def llm_of(model, **options):
    return OpenAILLM("gpt-test", base_url=f"{model.url}/v1", api_key=model.key, **options)


def completion(message, finish="stop", **fields):
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **fields}


def request_of(request, **options):
    model = ScriptedModel(structured({"satisfied": True}))
    ask(llm_of(model, **options), request)
    return model.exchanges[0].request


def answer_of(body):
    model = ScriptedModel(body)
    return ask(llm_of(model))


def test_the_answer_of_a_model():
    response = answer_of("Hello!")
    assert response.text == "Hello!"
    assert response.parsed is msgspec.UNSET
    metadata = response.metadata
    assert (metadata.provider, metadata.model, metadata.stop_reason) == ("openai", "gpt-test", "stop")
    assert (metadata.retries, metadata.refusal, metadata.replayed) == (0, "", False)
    assert metadata.latency_ms > 0
    assert metadata.input_tokens > 0
    assert metadata.output_tokens > 0


def test_a_plain_request_has_nothing_that_was_not_given():
    assert request_of(PLAIN) == {"model": "gpt-test", "messages": list(MESSAGES), "max_tokens": 1024}


def test_sampling_and_limits_are_sent_when_they_are_given():
    request = msgspec.structs.replace(PLAIN, temperature=0.0, seed=7, max_tokens=50)
    sent = request_of(request)
    assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0.0, 7, 50)
    sent = request_of(request, sampling=False, max_tokens=9, max_tokens_field="max_completion_tokens")
    assert sent.keys() == {"model", "messages", "max_completion_tokens"}
    assert sent["max_completion_tokens"] == 9


def test_the_field_for_the_most_tokens_is_that_of_the_provider():
    assert "max_completion_tokens" in OpenAILLM("m")._body(PLAIN)
    assert "max_tokens" in OpenAILLM("m", base_url="http://127.0.0.1:1/v1")._body(PLAIN)


def test_a_schema_is_sent_by_the_providers_own_means():
    sent = request_of(JUDGED)["response_format"]
    assert sent == {
        "type": "json_schema",
        "json_schema": {
            "name": "verdict",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {
                    "satisfied": {"type": "boolean"},
                    "score": {"type": "integer", "description": "The points. (at least 1, at most 5)"},
                },
                "required": ["satisfied", "score"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize(("way", "format_"), [("json_object", {"type": "json_object"}), ("prompt", None)])
def test_for_servers_without_schemas_it_stands_in_the_system_prompt(way, format_):
    sent = request_of(JUDGED, structured=way)
    assert sent.get("response_format") == format_
    system, user = sent["messages"]
    assert system["content"].startswith("You judge.\n\n")
    assert json.dumps(SCHEMA, separators=(",", ":")) in system["content"]
    assert user == MESSAGES[1]


def test_further_fields_are_the_users():
    with_fields = request_of(PLAIN, parameters={"reasoning_effort": "low", "max_tokens": 3})
    assert (with_fields["reasoning_effort"], with_fields["max_tokens"]) == ("low", 3)


@pytest.mark.parametrize(
    ("message", "finish", "text", "stop_reason", "refusal"),
    [
        ({"content": None, "refusal": "I cannot."}, "stop", "", "stop", "I cannot."),
        ({"content": ""}, "stop", "", "stop", ""),
        ({"content": '{"a": 1'}, "length", '{"a": 1', "length", ""),
        ({"content": "cut"}, "content_filter", "cut", "content_filter", "the provider's content filter"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "stop",
            "ab",
            "stop",
            "",
        ),
    ],
)
def test_ends_of_answers(message, finish, text, stop_reason, refusal):
    response = answer_of(completion({"role": "assistant", **message}, finish))
    assert (response.text, response.metadata.stop_reason) == (text, stop_reason)
    assert response.metadata.refusal.startswith(refusal)
    assert bool(response.metadata.refusal) == bool(refusal)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"choices": []}, "no choices[0].message"),
        (completion({"role": "assistant", "content": 7}), "a choices[0].message.content that is no text"),
        (completion({"content": [{"text": 5}]}), "content that is no text"),
        ({"choices": [], "error": {"message": "no capacity"}}, "an error: 'no capacity'"),
    ],
)
def test_bodies_that_hold_no_answer(body, said):
    model = ScriptedModel(body)
    message = error_of(llm_of(model))
    assert message.startswith("openai:gpt-test: the endpoint answered with ")
    assert said in message


def test_numbers_of_tokens_that_are_none_are_not_known():
    usage = {"prompt_tokens": "12", "completion_tokens": -1}
    with odd_server(http(completion({"content": "x"}, 7, usage=usage, model=5))) as server:
        metadata = ask(OpenAILLM("m", base_url=server.url, api_key="")).metadata
    assert (metadata.input_tokens, metadata.output_tokens) == (None, None)
    assert (metadata.stop_reason, metadata.model) == ("", "m")


def test_a_refused_request_is_final_and_says_what_the_server_said():
    model = ScriptedModel(Fault.error(400, "Unsupported value: 'temperature'"), "never")
    message = error_of(llm_of(model))
    assert "answered 400 Bad Request" in message
    assert "Unsupported value: 'temperature'" in message
    assert message.endswith("(sampling=False leaves temperature and seed out)")
    assert len(model.exchanges) == 1


def test_a_wrong_key_is_not_shown():
    model = ScriptedModel("never")
    llm = OpenAILLM("m", base_url=f"{model.url}/v1", api_key="not-the-key-of-it")
    message = error_of(llm)
    assert "401" in message
    assert "not-the-key" not in message
    model.drop_unused()


def test_the_key_is_read_when_it_is_needed(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = ScriptedModel("Hi", "Hi again")
    llm = OpenAILLM("gpt-test", base_url=f"{model.url}/v1")
    message = error_of(llm)
    assert "the environment variable OPENAI_API_KEY is not set" in message
    assert 'api_key="" is for a server that wants none' in message
    assert "pytest --grice-record=once records them" in message
    monkeypatch.setenv("OPENAI_API_KEY", model.key)
    assert ask(llm).text == "Hi"
    monkeypatch.setenv("MY_KEY", model.key)
    monkeypatch.delenv("OPENAI_API_KEY")
    for placeholder in ("env:MY_KEY", "${env:MY_KEY}"):
        model.script("Hi")
        assert ask(OpenAILLM("m", base_url=f"{model.url}/v1", api_key=placeholder)).text.startswith("Hi")
    assert "the environment variable NO_KEY is not set" in error_of(
        OpenAILLM("m", base_url=model.url, api_key="env:NO_KEY")
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": ""}, "model: expected the name of a model"),
        ({"base_url": "nowhere"}, "base_url: expected an address"),
        ({"base_url": "http://127.0.0.1/v1#x"}, "base_url: expected an address without #"),
        (
            {"base_url": "http://127.0.0.1/v1/chat/completions/"},
            "base_url: /chat/completions is added to it: leave that out, 'http://127.0.0.1/v1'",
        ),
        ({"api_key": "${OPENAI_API_KEY}"}, "api_key: unknown placeholder"),
        ({"structured": "json_shema"}, "did you mean 'json_schema'?"),
        ({"structured": "tool"}, "expected 'json_schema', 'json_object', 'prompt'"),
        ({"max_tokens_field": "max_token"}, "did you mean 'max_tokens'?"),
        ({"timeout": 0}, "timeout: expected a number of seconds"),
        ({"timeout": True}, "timeout: expected a number of seconds"),
        ({"retries": -1}, "retries: expected a whole number of at least 0"),
        ({"max_concurrency": 0}, "max_concurrency: expected a whole number of at least 1"),
        ({"max_tokens": 0}, "max_tokens: expected a whole number of at least 1"),
        ({"sampling": "no"}, "sampling: expected true or false"),
        ({"parameters": ["x"]}, "parameters: expected a mapping"),
        ({"headers": {"a b": "c"}}, "is not the name of a header"),
        ({"budget": 100}, "budget: expected a Budget"),
    ],
)
def test_options_that_cannot_work(options, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        OpenAILLM(**{"model": "m", **options})


def test_the_repr_has_no_key():
    llm = OpenAILLM("m", base_url="https://user:secret-word@host.example/v1", api_key="very-secret-key")
    assert "secret" not in repr(llm)
    assert llm.name == "openai:m"
