"""An agent is named by its address, on the command line, in settings and in suites: no Python is written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from answering_server import serving

from grice.agents import AgentLoadError, bind_agent
from grice.agents.configured import AgentTableError, agent_at, agent_from_table
from grice.files.settings import load_settings
from grice.files.settings_files import SettingsError
from grice.files.suite_files import load_suite
from grice.running.live import LiveConversation
from grice.running.projects import Projects
from grice.wire.addresses import meant_as_address

COMPLETION = {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}


def said_by(agent: object) -> str:
    with LiveConversation(bind_agent(agent)) as live:
        return live.say("Hello").text


def run_grice(folder: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grice", *args],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_is_sent_the_messages_as_json_and_nothing_else() -> None:
    with serving({"reply": "Hi"}) as server:
        assert said_by(agent_at(server.url)) == "Hi"
    assert server.body == {"message": "Hello", "messages": [{"role": "user", "content": "Hello"}]}
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/chat/completions"])
def test_an_openai_compatible_one_is_asked_for_the_model_behind_the_sign(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-sent-to-an-address")
    with serving(COMPLETION) as server:
        assert said_by(agent_at(f"http://127.0.0.1:{server.port}{path}#small")) == "Hi"
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.body["model"] == "small"
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("htp://x/chat", "found 'htp://x/chat' (did you mean 'http://x/chat'?)"),
        ("http:/x", "expected an address such as http://127.0.0.1:8000/chat, found 'http:/x'"),
        ("http://", "expected an address such as"),
        ("http://:8000/chat", "it names no host"),
        ("http://x:99999/chat", "Port out of range"),
        ("http://x:port/chat", "Port could not be cast"),
        ("http://x/a b", "it holds a blank"),
        ("localhost:8000/chat", "(did you mean 'http://localhost:8000/chat'?)"),
        ("http://x/v1", "needs the name of a model: 'http://x/v1#my-model'"),
        ("http://x/v1?a=b#small", "has nothing behind a ?"),
        ("http://x/chat#small", "what is behind the # names the model of an OpenAI-compatible address"),
        ("http://x/${user}", "unknown placeholder ${user}"),
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_run(
    tmp_path: Path, address: str, said: str
) -> None:
    assert meant_as_address(address)
    with pytest.raises(AgentLoadError) as caught:
        Projects(tmp_path, agent=address).agent_for(tmp_path)
    assert said in str(caught.value)
    (tmp_path / "grice.toml").write_text(f'agent = "{address}"\n')
    with pytest.raises(SettingsError) as refused:
        load_settings(tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / 'grice.toml'}:1:1: agent: ")
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["my_bot", "my_bot:agent", "my.bot:agent.inner", "bot-1:agent", ""])
def test_a_name_is_no_address(name: str) -> None:
    assert not meant_as_address(name)


def test_the_command_line_wins_over_the_settings_which_may_say_an_address(tmp_path: Path) -> None:
    with serving({"reply": "Hi"}) as mine, serving({"reply": "Bye"}) as other:
        (tmp_path / "grice.toml").write_text(f'agent = "{mine.url}"\n')
        assert said_by(Projects(tmp_path).agent_for(tmp_path)) == "Hi"
        assert said_by(Projects(tmp_path, agent=other.url).agent_for(tmp_path)) == "Bye"


def test_a_reply_says_where_the_text_is() -> None:
    with serving({"out": ["Hi"]}) as server:
        table = {"type": "http", "url": server.url, "reply": "$.out[0]"}
        assert said_by(agent_from_table(table, Path())) == "Hi"


@pytest.mark.parametrize(
    ("more", "faults"),
    [
        ({"reply": "a b"}, [("reply", "'a b' is not a JSON path")]),
        ({"reply": 3}, [("reply", "expected a path, found 3")]),
        ({"reply": "$.a", "response": {"text": "$.b"}}, [("reply", "stands beside 'response'")]),
        (
            {"url": "x", "retries": -1, "urk": 1, "headers": {"a": 5}, "reply": "$["},
            [
                ("", "has no 'urk'"),
                ("reply", "is not a JSON path"),
                ("url", "expected an address"),
                ("headers.a", "expected a text"),
                ("retries", "expected a whole number of at least 0"),
            ],
        ),
    ],
)
def test_everything_wrong_with_a_table_is_told(
    more: dict[str, object], faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(AgentTableError) as caught:
        agent_from_table({"type": "http", "url": "http://127.0.0.1", **more}, Path())
    found = [(".".join(one.place), one.message) for one in caught.value.faults]
    assert [place for place, _ in found] == [place for place, _ in faults]
    assert all(said in message for (_, message), (_, said) in zip(found, faults, strict=True))


def test_tools_that_are_no_list_are_told() -> None:
    with pytest.raises(AgentTableError, match="expected a list of tools, found 5"):
        agent_from_table({"type": "openai", "tools": 5}, Path())


# -- in suites


def suite(folder: Path, agent: object, /, **scenario: object) -> Path:
    file = folder / "shop.grice.json"
    one = {"id": "one", "say": "Hello", "expect": [{"matcher": "toContain", "expected": "Hi"}], **scenario}
    file.write_text(json.dumps({"agent": agent, "scenarios": [one]}))
    return file


def test_a_suite_describes_what_answers_at_an_address(tmp_path: Path) -> None:
    with serving({"out": "Hi"}) as server:
        table = {"type": "http", "url": server.url, "reply": "$.out"}
        (scenario,) = load_suite(suite(tmp_path, table))
        assert said_by(scenario.agent) == "Hi"
        (scenario,) = load_suite(suite(tmp_path, "my_bot:agent", agent=table))
        assert said_by(scenario.agent) == "Hi"
        (scenario,) = load_suite(suite(tmp_path, "my_bot:agent"))
        assert scenario.agent == "my_bot:agent"


def test_a_suite_sends_no_key_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-sent-for-a-suite")
    with serving(COMPLETION) as server:
        table = {"type": "openai", "base_url": f"http://127.0.0.1:{server.port}/v1", "model": "small"}
        (scenario,) = load_suite(suite(tmp_path, table))
        assert said_by(scenario.agent) == "Hi"
    assert "authorization" not in server.requests[0].headers


@pytest.mark.slow
def test_grice_run_needs_no_python_and_keeps_no_secret(tmp_path: Path) -> None:
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
    with serving({"reply": "Hi there"}) as server:
        suite(tmp_path, {"type": "http", "url": server.url})
        done = run_grice(tmp_path, "run", "shop.grice.json")
        assert done.returncode == 0, done.stderr
        done = run_grice(tmp_path, "run", "shop.grice.json", "--agent", f"{server.url}?api_key={key}")
        assert done.returncode == 0, done.stderr
    assert server.requests[-1].path == f"/chat?api_key={key}"
    kept = [file.read_text() for file in (tmp_path / ".grice").rglob("*") if file.is_file()]
    assert any("Hi there" in text for text in kept)
    assert not any(key in text for text in [*kept, done.stdout, done.stderr])


@pytest.mark.slow
def test_a_wrong_address_ends_the_command_before_anything_is_run(tmp_path: Path) -> None:
    file = suite(tmp_path, "http://127.0.0.1:9/chat")
    done = run_grice(tmp_path, "run", file.name, "--agent", "localhost:8000")
    assert done.returncode == 2
    assert "did you mean 'http://localhost:8000'?" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "grice.pytest_plugin", "--grice-agent", "htp://x", file.name],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "expected an address such as http://127.0.0.1:8000/chat, found 'htp://x'" in done.stderr
