"""The two HTTP routes on a real server, and the model's client against a real server that plays the model."""

from __future__ import annotations

import logging
import os
import socket
from typing import Any

import pytest
from wordpress_loopback import Client, ModelServer

from grice import LiveConversation, ScriptedModel, expect, tool_use
from wordpress_assistant.app import build_assistant
from wordpress_assistant.assistant import Assistant
from wordpress_assistant.model import AnthropicModel, ModelError

ASKED = {"role": "user", "content": "Update Ajax Search Lite plugin"}
CALL: dict[str, Any] = {
    "id": "toolu_01",
    "name": "update_plugin",
    "input": {"plugin": "ajax-search-lite/ajax-search-lite.php"},
}
RESULT = {"tool_call_id": "toolu_01", "result": {"message": "Plugin updated from v4.9.5 to v4.13.5."}}


# -- the routes


def test_chat_answers_a_message(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script("Two plugins are installed.")

    status, answer = client.post("/chat", {"message": "Which plugins are there?", "conversationHistory": []})

    assert status == 200
    expect(answer).to_equal(
        {"text": "Two plugins are installed.", "tool_calls": [], "stop_reason": "end_turn"}
    )


def test_chat_leaves_tool_calls_to_the_site(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script(
        ["Updating it now!", tool_use("update_plugin", call_id="toolu_01", **CALL["input"])]
    )

    _, answer = client.post("/chat", {"message": ASKED["content"]})

    expect(answer).to_equal({"text": "", "tool_calls": [CALL], "stop_reason": "tool_use"})


def test_chat_sends_the_history(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script("It is done.")

    client.post("/chat", {"message": "Is it done?", "conversationHistory": [ASKED]})

    (request,) = scripted_model.exchanges
    expect(request).to_contain_message(role="user", content="Update Ajax Search Lite plugin")
    expect(request).to_contain_message(role="user", content="Is it done?")


def test_tool_result_goes_on_from_the_results(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script("Ajax Search Lite updated from v4.9.5 to v4.13.5.")

    status, answer = client.post("/tool-result", results_of(CALL, RESULT))

    assert status == 200
    expect(answer["text"]).to_be_free_of(tool_status="success")
    (request,) = scripted_model.exchanges
    expect(request).to_contain_message(role="user", content="Update Ajax Search Lite", before="tool_use")
    expect(request).to_contain_message(role="tool_result", id="toolu_01", content="4.13.5")
    expect(request).to_pair_tool_calls()


def test_a_failed_tool_is_marked_as_an_error(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script("The update failed: the disk is full.")

    client.post("/tool-result", results_of(CALL, {**RESULT, "result": "disk full", "is_error": True}))

    block = scripted_model.exchanges[0].messages[-1]["content"][0]
    expect(block).to_equal(
        {"type": "tool_result", "tool_use_id": "toolu_01", "content": "disk full", "is_error": True}
    )


# -- what cannot be answered


def results_of(*calls_and_results: dict[str, Any]) -> dict[str, Any]:
    calls = [one for one in calls_and_results if "id" in one]
    results = [one for one in calls_and_results if "id" not in one]
    return {"conversationHistory": [ASKED], "pendingToolCalls": calls, "toolResults": results}


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        pytest.param("/chat", b"{", 400, "the body is not JSON", id="not JSON"),
        pytest.param("/chat", b"\xff", 400, "the body is not JSON", id="not UTF-8"),
        pytest.param("/chat", b"[" * 100_000, 400, "the body is not JSON", id="too deep"),
        pytest.param("/chat", [], 400, "must be a JSON object", id="not an object"),
        pytest.param("/chat", {}, 400, "message must be a text", id="no message"),
        pytest.param("/chat", {"message": " "}, 400, "message must be a text", id="blank message"),
        pytest.param(
            "/chat", {"message": "x", "conversationHistory": ["x"]}, 400, "list of objects", id="bad history"
        ),
        pytest.param(
            "/chat",
            {"message": "x", "conversationHistory": [ASKED] * 101},
            400,
            "0 to 100",
            id="long history",
        ),
        pytest.param("/tool-result", results_of(CALL), 400, "allowed are 1 to 20", id="no result"),
        pytest.param("/tool-result", results_of(*[RESULT] * 21), 400, "allowed are 1 to 20", id="21 results"),
        pytest.param(
            "/tool-result",
            results_of(CALL, {**RESULT, "tool_call_id": "toolu_09"}),
            400,
            "tool results answer no pending call: toolu_09",
            id="another id",
        ),
        pytest.param(
            "/tool-result",
            {**results_of(CALL, RESULT), "assistantText": ["Updating it now!"]},
            400,
            "assistantText must be a text",
            id="text that is none",
        ),
        pytest.param("/chat", b" " * 1_000_001, 413, "exceeds 1000000 bytes", id="too large"),
        pytest.param("/chats", {"message": "x"}, 404, "there are /chat, /tool-result", id="no such route"),
    ],
)
def test_bad_requests_are_refused_before_the_model_is_asked(
    client: Client, scripted_model: ScriptedModel, path: str, body: object, status: int, said: str
) -> None:
    found, answer = client.post(path, body)

    assert found == status
    expect(answer["error"]).to_contain(said)
    assert not scripted_model.exchanges


def test_only_post_is_answered(client: Client) -> None:
    status, answer = client.request("GET", "/chat")
    assert status == 405
    expect(answer["error"]).to_contain("only POST")


def test_a_body_of_unknown_length_is_refused(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(b"POST /chat HTTP/1.0\r\n\r\n")
        assert b" 411 " in connection.recv(1000)


def test_a_model_that_fails_is_a_bad_gateway(client: Client, scripted_model: ScriptedModel) -> None:
    scripted_model.script(ModelError("the model answered 529: overloaded"))

    status, answer = client.post("/chat", {"message": "Hello"})

    assert status == 502
    expect(answer).to_equal({"error": "the model answered 529: overloaded"})


@pytest.mark.parametrize(
    "reply", [{"content": "text"}, {"content": [{"type": "tool_use"}]}], ids=["no blocks", "block without id"]
)
def test_a_malformed_reply_of_the_model_is_a_bad_gateway(client: Client, reply: dict[str, Any]) -> None:
    client.assistant.transport = lambda _: reply
    status, answer = client.post("/chat", {"message": "Hello"})
    assert status == 502
    expect(answer["error"]).to_contain("the model's reply has")


def test_a_mistake_of_our_own_is_logged(
    client: Client, scripted_model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    scripted_model.script(RuntimeError("boom"))
    with caplog.at_level(logging.ERROR):
        status, answer = client.post("/chat", {"message": "Hello"})
    assert (status, answer["error"]) == (500, "RuntimeError: boom")
    assert "/chat failed" in caplog.text


# -- the model's client


def test_the_environment_says_where_the_model_is(
    model_server: ModelServer, scripted_model: ScriptedModel
) -> None:
    scripted_model.script("Hello.")

    reply = AnthropicModel.from_env()({"model": "claude", "messages": [ASKED]})

    assert reply["content"] == [{"type": "text", "text": "Hello."}]
    ((path, headers),) = model_server.requests
    assert path == "/v1/messages"
    assert headers["x-api-key"] == "test-key"
    assert headers["anthropic-version"] == "2023-06-01"


def test_without_a_key_none_is_sent(model_server: ModelServer, scripted_model: ScriptedModel) -> None:
    scripted_model.script("Hello.")
    AnthropicModel.from_env({"ANTHROPIC_BASE_URL": f"{model_server.url}/proxy/"})({"messages": [ASKED]})
    ((path, headers),) = model_server.requests
    assert path == "/proxy/v1/messages"
    assert "x-api-key" not in headers


def test_the_key_is_not_shown() -> None:
    expect(repr(AnthropicModel(api_key="secret"))).not_to_contain("secret")


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        pytest.param(
            529, b'{"type": "overloaded_error"}', "the model answered 529: .*overloaded", id="an error"
        ),
        pytest.param(401, b"", r"the model answered 401: \(empty body\)", id="an empty body"),
        pytest.param(200, b"<html>", "is not JSON: <html>", id="not JSON"),
        pytest.param(200, b"[]", r"is not a JSON object: \[\]", id="not an object"),
        pytest.param(500, b"x" * 600, f"500: {'x' * 500}…$", id="a long body"),
    ],
)
def test_a_reply_that_is_none_is_a_model_error(
    model_server: ModelServer, status: int, body: bytes, said: str
) -> None:
    model_server.failure = (status, body)
    with pytest.raises(ModelError, match=said):
        AnthropicModel.from_env()({"messages": [ASKED]})


def test_a_model_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as closed_soon:
        url = f"http://127.0.0.1:{closed_soon.getsockname()[1]}"
    with pytest.raises(ModelError, match=f"no answer from the model at {url}/v1/messages"):
        AnthropicModel(base_url=url)({"messages": []})


def test_an_address_that_is_no_web_address_is_refused() -> None:
    with pytest.raises(ModelError, match="must begin with http:// or https://"):
        AnthropicModel(base_url="file:///etc")({"messages": []})


# -- all of it over HTTP, as a Grice conversation


class TestOverTheWire:
    """The assistant as it is deployed: its model is wherever the environment says."""

    @pytest.fixture
    def agent(self, model_server: ModelServer) -> Assistant:
        assert model_server.url == os.environ["ANTHROPIC_BASE_URL"]
        return build_assistant(AnthropicModel.from_env())

    def test_conversation(
        self, conversation: LiveConversation, scripted_model: ScriptedModel, tools: dict[str, Any]
    ) -> None:
        scripted_model.script(
            tool_use("update_plugin", plugin="ajax-search-lite/ajax-search-lite.php"),
            "Ajax Search Lite updated from v4.9.5 to v4.13.5.",
        )

        reply = conversation.say("Update Ajax Search Lite plugin", tools=tools)

        expect(reply).to_be_valid_response(tool_status="success")
        expect(conversation.exchanges[1]).to_contain_message(
            role="user", content="Update Ajax Search Lite", before="tool_use"
        )
