"""What clients do when the server misbehaves: tries, waits, time-outs, and what they say in the end."""

import asyncio
import subprocess
import sys
import threading
import time
from email.utils import formatdate

import pytest
from llm_requests import JUDGED, PLAIN, Waits, ask, error_of
from odd_server import ANSWER, http, odd_server, reset

from grice import Fault, LLMError, ScriptedModel, structured
from grice.llm.anthropic_llm import AnthropicLLM
from grice.llm.openai_llm import OpenAILLM

CLIENTS = (OpenAILLM, AnthropicLLM)


def scripted(client, model, **options):
    base = f"{model.url}/v1" if client is OpenAILLM else model.url
    return client("m", base_url=base, api_key=model.key, **{"pause": Waits(), **options})


def odd(server, **options):
    return OpenAILLM("m", base_url=server.url, api_key="", **{"pause": Waits(), **options})


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "fault",
    [
        Fault.rate_limit(None),
        Fault.error(408),
        Fault.error(500),
        Fault.error(502),
        Fault.error(503),
        Fault.error(504),
        Fault.error(529, "overloaded"),
        Fault.reset(),
        Fault.half_stream(),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}",
)
def test_what_may_pass_is_tried_again(client, fault):
    model = ScriptedModel(fault, fault, structured({"satisfied": True}))
    llm = scripted(client, model)
    response = ask(llm, JUDGED)
    assert response.text == '{"satisfied":true}'
    assert response.metadata.retries == 2
    assert len(llm.pause) == 2


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.error(400, "no such field"), "400 Bad Request"),
        (Fault.error(403, "not allowed"), "403 Forbidden"),
        (Fault.error(404, "no such model"), "no such model"),
        (Fault.error(422, "cannot"), "422"),
        (Fault.malformed(), "that is not JSON"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_will_not_pass_is_final_at_once(client, fault, said):
    model = ScriptedModel(fault)
    llm = scripted(client, model)
    assert said in error_of(llm)
    assert llm.pause == []


def test_a_storm_of_429_ends_in_an_error_that_tells_of_it():
    model = ScriptedModel(*[Fault.rate_limit(None, "slow down, key sk-abcdefghijklmnop123456")] * 5)
    llm = scripted(OpenAILLM, model)
    message = error_of(llm)
    assert message.startswith("openai:m: POST http://127.0.0.1:")
    assert "answered 429 Too Many Requests" in message
    assert "slow down" in message
    assert "sk-abc" not in message
    assert "; retried 4 times, after: 429 Too Many Requests; 429" in message
    assert llm.concurrency == 100 // 2**5


def test_waits_double_up_to_a_limit_and_jitter_is_seeded():
    def waits_of(seed):
        model = ScriptedModel(*[Fault.error(500)] * 8)
        llm = scripted(OpenAILLM, model, retries=7, jitter_seed=seed)
        error_of(llm)
        return llm.pause

    waits = waits_of(1)
    assert waits == waits_of(1)
    assert waits != waits_of(2)
    for wait, most in zip(waits, (0.5, 1, 2, 4, 8, 16, 16), strict=True):
        assert 0.75 * most <= wait <= most


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry_After": "7"}, 7, 7),
        ({"Retry_After": "7.25"}, 7.25, 7.25),
        ({"Retry_After": "9", "retry_after_ms": "2500"}, 2.5, 2.5),
        ({"Retry_After": "0"}, 0.3, 0.5),
        ({"Retry_After": 40}, 20, 40),
        ({"Retry_After": -40}, 0.3, 0.5),
        ({"Retry_After": "soon"}, 0.3, 0.5),
        ({"Retry_After": "-5"}, 0.3, 0.5),
        ({"Retry_After": "nan"}, 0.3, 0.5),
    ],
)
def test_the_server_may_say_how_long_to_wait(headers, least, most):
    if isinstance(headers["Retry_After"], int):  # a date, so many seconds from now
        headers = {"Retry_After": formatdate(time.time() + headers["Retry_After"], usegmt=True)}
    with odd_server(http({}, "429 Too Many", **headers), http()) as server:
        llm = odd(server)
        assert ask(llm).text == "fine"
    (wait,) = llm.pause
    assert least <= wait <= most


def test_a_wait_that_is_too_long_is_not_waited():
    with odd_server(http({}, "429 Too Many", Retry_After="3600")) as server:
        llm = odd(server)
        assert "(it asks to wait 3,600 s)" in error_of(llm)
    assert llm.pause == []


async def never(writer):
    await asyncio.sleep(20)


@pytest.mark.slow
def test_a_time_out_is_final_slows_down_and_leaves_its_place():
    with odd_server(never) as server:
        llm = odd(server, timeout=0.05, max_concurrency=2)
        for _ in range(3):
            assert "was not answered within 0.05 s" in error_of(llm)
            assert llm.concurrency == 1
    assert llm.pause == []


async def trickles(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.005)


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", [never, trickles])
def test_bytes_that_come_too_slowly_run_into_the_time_out(behaviour):
    with odd_server(behaviour) as server:
        assert "within 0.1 s" in error_of(odd(server, timeout=0.1))


async def resets(writer):
    reset(writer)


async def resets_in_the_body(writer):
    writer.write(http()[:-20])
    await writer.drain()
    await asyncio.sleep(0.01)
    reset(writer)


@pytest.mark.parametrize(
    "behaviour",
    [resets, resets_in_the_body, [http()[:-20]], [], [b"HTTP/1.1 200 OK\r\nContent-Le"]],
    ids=["reset", "reset in the body", "half a body", "hang up", "half a head"],
)
def test_connections_that_break_are_made_again(behaviour):
    with odd_server(behaviour, http()) as server:
        response = ask(odd(server))
    assert (response.text, response.metadata.retries) == ("fine", 1)


def test_a_server_that_is_not_there_is_tried_again_and_then_said():
    with odd_server(http()) as server:
        pass
    llm = odd(server, retries=2)
    message = error_of(llm)
    assert "Connection refused; retried 2 times, after: Connection refused; Connection refused" in message
    assert len(llm.pause) == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (http(b""), "that is not JSON: (empty body)"),
        (http(b"<html>Welcome</html>", kind="text/html"), "text/html that is not JSON: <html>Welcome</html>"),
        (http(b'\xff\xfe"latin \xe9"', kind="application/json; charset=latin-1"), "that is not JSON"),
        (http(b"\xc3\x28{}"), "that is not JSON"),
        (http([1, 2]), "a body that is no JSON object: [1, 2]"),
        (http(b'"text"'), "a body that is no JSON object"),
        (http({"id": 1}), "no choices[0].message"),
        (http({"choices": {}}), "no choices[0].message"),
        (http({"choices": [None]}), "no choices[0].message"),
        (http({"choices": [{"message": "hi"}]}), "no choices[0].message"),
        (
            http({"error": {"message": "the key sk-abcdefghijklmnop1234 is wrong"}}),
            "an error: 'the key [redacted",
        ),
        (http({"error": "broken"}), "an error: 'broken'"),
        (http(b"[" * 1_990), "that is not JSON"),
        (http(b" " * 3_000), "answered more than 2,000 bytes (max_bytes)"),
        (http(b"", "302 Found", Location="http://127.0.0.1:1/x"), "a redirect to http://127.0.0.1:1/x"),
        (http(b"", "308 Moved", Location="/again"), "redirects more than 3 times"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "is not HTTP"),
    ],
)
def test_answers_that_are_none(answer, said):
    with odd_server(answer) as server:
        llm = odd(server, max_bytes=2_000)
        assert said in error_of(llm)
    assert llm.pause == []


def test_json_is_read_whatever_it_is_called_and_with_what_json_has_not():
    body = b'{"choices":[{"message":{"content":"a\\ud800b"}}],"usage":{"prompt_tokens":NaN}}'
    with odd_server(http(body, kind="text/plain")) as server:
        response = ask(odd(server))
    assert response.text == "a\ufffdb"
    assert response.metadata.input_tokens is None


def test_headers_are_sent_and_secrets_of_them_hidden(monkeypatch):
    monkeypatch.setenv("TENANT", "tenant-12345")
    with odd_server(http({"error": "tenant-12345 is unknown"})) as server:
        message = error_of(odd(server, headers={"X-Tenant": "${env:TENANT}"}))
    assert "[redacted: TENANT] is unknown" in message
    monkeypatch.setenv("TENANT", "two\nlines")
    assert "one line, found several" in error_of(odd(server, headers={"X-Tenant": "${env:TENANT}"}))


def test_a_key_that_the_server_repeats_is_hidden():
    with odd_server(http({"error": "plain-secret-words is no key"}, "401 No")) as server:
        message = error_of(OpenAILLM("m", base_url=server.url, api_key="plain-secret-words"))
    assert "[redacted: api_key] is no key" in message


def test_an_address_from_the_environment(monkeypatch):
    with odd_server(http()) as server:
        monkeypatch.setenv("WHERE", server.url)
        llm = OpenAILLM("m", base_url="${env:WHERE}", api_key="")
        assert ask(llm).text == "fine"
        monkeypatch.setenv("WHERE", "nowhere")
        assert "base_url: expected an address" in error_of(llm)


async def answers_soon(writer):
    await asyncio.sleep(0.01)
    writer.write(http())
    await writer.drain()
    return True


@pytest.mark.slow
def test_no_more_requests_than_allowed_run_at_once():
    with odd_server() as server:

        async def answers_when_three_are_there(writer):
            while server.most_at_once < 3:
                await asyncio.sleep(0.001)
            return await answers_soon(writer)

        server.answers.append(answers_when_three_are_there)
        llm = odd(server, max_concurrency=3)

        async def many():
            return await asyncio.gather(*(llm.ask(PLAIN) for _ in range(12)))

        assert len(asyncio.run(many())) == 12
    assert server.most_at_once == 3


@pytest.mark.slow
def test_one_client_serves_several_loops_and_threads():
    with odd_server(answers_soon) as server:
        llm = odd(server, max_concurrency=2)
        threads = [threading.Thread(target=lambda: [ask(llm) for _ in range(3)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert len(server.bodies) == 12
    assert server.most_at_once <= 2


@pytest.mark.slow
def test_all_get_through_a_server_that_takes_a_few_at_once():
    with odd_server() as server:

        async def overloaded(writer):
            while server.most_at_once < 32:
                await asyncio.sleep(0.001)
            soon = server.at_once > 4
            await asyncio.sleep(0.001)
            writer.write(http({}, "429 Too Many") if soon else http())
            await writer.drain()
            return True

        server.answers.append(overloaded)
        llm = odd(server, max_concurrency=32, retries=50)

        async def many():
            return await asyncio.gather(*(llm.ask(PLAIN) for _ in range(100)))

        responses = asyncio.run(many())
    assert [response.text for response in responses] == ["fine"] * 100
    assert 0 < sum(response.metadata.retries for response in responses) == len(server.bodies) - 100
    assert llm.concurrency < 32


def test_a_cancelled_request_leaves_its_place():
    with odd_server(never, http()) as server:
        llm = odd(server, max_concurrency=1)

        async def run():
            first = asyncio.create_task(llm.ask(PLAIN))
            second = asyncio.create_task(llm.ask(PLAIN))
            while not server.bodies:
                await asyncio.sleep(0.001)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            return await second

        assert asyncio.run(run()).text == "fine"


@pytest.mark.slow
def test_importing_the_clients_loads_no_aiohttp():
    code = (
        "import sys, grice.llm.openai_llm, grice.llm.anthropic_llm as a; a.AnthropicLLM('m')\n"
        "print([one for one in ('aiohttp', 'yarl', 'yaml', 'jsonschema') if one in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_an_unreadable_answer_is_not_asked_for_again():
    with odd_server(http({"choices": []}), http(ANSWER)) as server, pytest.raises(LLMError):
        ask(odd(server))
    assert len(server.bodies) == 1


def test_a_query_in_the_address_stays_at_its_end():
    with odd_server(http()) as server:
        assert ask(OpenAILLM("m", base_url=f"{server.url}/v1/?version=7", api_key="")).text == "fine"
    assert server.heads[0].startswith(b"POST /v1/chat/completions?version=7 HTTP/1.1")
