"""Agents that read their model's address once, at start, in a process of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from inner_projects import golden, write_golden

BACKEND = """
import json, os, sys, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        message = self.rfile.read(int(self.headers["content-length"])).decode()
        request = {"model": "m", "messages": [{"role": "user", "content": message}]}
        headers = {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "content-type": "application/json"}
        url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
        try:
            asked = urllib.request.Request(url, json.dumps(request).encode(), headers)
            with urllib.request.urlopen(asked) as reply:
                said = json.loads(reply.read())["content"][0]["text"]
        except urllib.error.HTTPError as error:
            with error:
                said = "Sorry, something went wrong."
        self.send_response(200)
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""

AGENT = """
import urllib.request

def agent(text):
    with urllib.request.urlopen("http://127.0.0.1:{backend}/", text.encode(), timeout=10) as reply:
        return reply.read().decode()
"""


@pytest.fixture
def address(pytester: pytest.Pytester) -> Iterator[str]:
    """A project whose agent asks a backend, whose model has the fixed address."""
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    env = os.environ | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "backend-key"}
    command = [sys.executable, "-c", BACKEND]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as backend:
        assert backend.stdout is not None
        pytester.makepyfile(talker=AGENT.format(backend=backend.stdout.readline().strip()))
        settings = f'[tool.grice]\nagent = "talker:agent"\nmodel_port = {port}\nmodel_key = "backend-key"\n'
        pytester.makepyprojecttoml(settings)
        yield url
        backend.kill()


@pytest.mark.slow
def test_goldens_and_tests_are_driven_one_at_a_time_and_the_report_says_so(
    pytester: pytest.Pytester, address: str
) -> None:
    write_golden(pytester.path / "a.golden.json", golden("one"), golden("two"))
    pytester.makepyfile(
        test_it="""
        from grice import expect

        def test_it(conversation, scripted_model):
            scripted_model.script("Good day!")
            reply = conversation.say("Hi")
            expect(reply).to_equal("Good day!")
            expect(reply.exchanges[0]).to_contain_message(role="user", content="Hi")
        """
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [f"the model's address {address} is fixed: 3 conversations driven one at a time"]
    )


@pytest.mark.slow
def test_workers_of_xdist_wait_for_each_other(pytester: pytest.Pytester, address: str) -> None:
    write_golden(pytester.path / "a.golden.json", *[golden(f"number-{n}") for n in range(8)])
    result = pytester.runpytest_inprocess("-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(
        [f"the model's address {address} is fixed: 8 conversations driven one at a time"]
    )


@pytest.mark.slow
def test_a_request_without_scripted_reply_fails_an_agent_that_apologises(
    pytester: pytest.Pytester, address: str
) -> None:
    pytester.makepyfile(
        test_it="""
        def test_it(conversation, scripted_model):
            conversation.say("Hi")
        """
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*UnscriptedRequest*model request 1 has no scripted reply*", "*user       Hi"]
    )


@pytest.mark.slow
def test_a_wrong_key_is_the_failure_not_the_apology(pytester: pytest.Pytester, address: str) -> None:
    settings = pytester.path / "pyproject.toml"
    settings.write_text(settings.read_text().replace("backend-key", "another"))
    pytester.makepyfile(
        test_it="""
        def test_it(conversation, scripted_model):
            scripted_model.script("Good day!")
            conversation.say("Hi")
        """
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*BadModelRequest*the request has the wrong API key*"])


@pytest.mark.slow
def test_grice_run_plays_at_the_fixed_address_too(pytester: pytest.Pytester, address: str) -> None:
    write_golden(pytester.path / "a.golden.json", golden("one"), golden("two"))
    result = pytester.run(sys.executable, "-m", "grice", "run", ".")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["2 passed*", f"the model's address {address} is fixed: 2 conversations driven one at a time"]
    )


@pytest.mark.parametrize("port", [0, -1, 70000, '"8799"', True])
def test_a_port_that_is_none_is_refused_where_it_stands(pytester: pytest.Pytester, port: object) -> None:
    shown = str(port).lower()
    pytester.makepyprojecttoml(f"[tool.grice]\nmodel_port = {shown}\n")
    pytester.makepyfile(test_it="def test_it(conversation): pass")
    result = pytester.runpytest_inprocess()
    assert result.ret != 0
    expected = "*pyproject.toml:2:1: * model_port: expected a port from 1 to 65535, found *"
    result.stdout.fnmatch_lines([expected])


@pytest.mark.slow
def test_the_url_of_a_conversation_needs_no_settings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=Path(__file__).with_name("model_url_suite.txt").read_text())
    pytester.runpytest_inprocess().assert_outcomes(passed=2)
