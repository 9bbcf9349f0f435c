"""A suite and a golden name their agent. A suite may say at which address it is, and no more than that."""

import json
from pathlib import Path

import pytest

from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.suite_files import SuiteErrors, load_suite

PROGRAM = {"type": "subprocess", "command": ["rm", "-r", "."]}
ADDRESS = {"type": "http", "url": "https://elsewhere.example/chat"}
SCENARIO = {"id": "one", "say": "hi", "expect": [{"matcher": "toContain", "expected": "hi"}]}
GOLDEN = {"id": "one", "userMessage": "hi", "mockLlmResponses": [{"content": "hello"}]}


def errors_of(folder: Path, agent: object) -> list[str]:
    """What is wrong with the agent, of the file and of a scenario, which is told alike."""
    file = folder / "shop.grice.yaml"
    told = []
    for fields in ({"agent": agent, "scenarios": [SCENARIO]}, {"scenarios": [{**SCENARIO, "agent": agent}]}):
        file.write_text(json.dumps(fields))
        with pytest.raises(SuiteErrors) as caught:
            load_suite(file)
        told.append([one.message.removeprefix("scenarios[0].") for one in caught.value.errors])
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize("agent", [PROGRAM, {"type": "subprocess"}, {**PROGRAM, "url": "http://x"}])
def test_a_suite_starts_no_program(tmp_path: Path, agent: object) -> None:
    expected = (
        "agent.type: expected 'http' or 'openai' in a suite, found 'subprocess'; a program is described in "
        "the settings, where it is yours"
    )
    assert errors_of(tmp_path, agent) == [expected]


@pytest.mark.parametrize(
    ("agent", "where"),
    [
        (
            {**ADDRESS, "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
            "agent.headers: 'Authorization' holds",
        ),
        ({**ADDRESS, "url": "https://elsewhere.example/${env:TOKEN}"}, "agent: 'url' holds"),
        ({**ADDRESS, "tool_results": {"url": "/${env:TOKEN}"}}, "agent.tool_results: 'url' holds"),
        (
            {"type": "openai", "base_url": "https://x/v1", "model": "m", "api_key": "${env:TOKEN}"},
            "agent: 'api_key' holds",
        ),
        ("https://elsewhere.example/${env:TOKEN}", "agent: found"),
    ],
)
def test_a_suite_sends_no_variable_of_the_environment(
    tmp_path: Path, agent: object, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret-of-the-reader")
    (told,) = errors_of(tmp_path, agent)
    assert told.startswith(f"{where} ${{env:TOKEN}}, and a suite sends no variable of the environment: ")


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (["rm"], "agent: expected a text that is not empty or an object, found a list"),
        (1, "agent: expected a text that is not empty or an object, found the number 1"),
        ({}, "agent: needs a type: 'http', 'openai'"),
        ({"type": 1}, "agent.type: expected 'http', 'openai', found 1"),
        ({"type": "htp"}, "agent.type: expected 'http' or 'openai' in a suite, found 'htp' (did you mean"),
        ({**ADDRESS, "urk": 1}, "agent: an agent of type 'http' has no 'urk'"),
        ({**ADDRESS, "url": "x"}, "agent.url: expected an address"),
        ("htp://x", "agent: expected an address such as http://127.0.0.1:8000/chat, found 'htp://x'"),
    ],
)
def test_what_describes_no_agent_is_told_with_its_place(tmp_path: Path, agent: object, said: str) -> None:
    (told,) = errors_of(tmp_path, agent)
    assert told.startswith(said)


@pytest.mark.parametrize("agent", [PROGRAM, ADDRESS, ["rm"], 1])
def test_a_golden_describes_no_agent(tmp_path: Path, agent: object) -> None:
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps({**GOLDEN, "agent": agent}))
    with pytest.raises(GoldenErrors, match=r"agent: expected a string, found"):
        load_goldens(file)


def test_a_golden_names_no_address(tmp_path: Path) -> None:
    file = tmp_path / "shop.golden.json"
    file.write_text(json.dumps({**GOLDEN, "agent": "https://elsewhere.example/chat"}))
    with pytest.raises(GoldenErrors, match=r"agent: expected 'module:attribute', found 'https://elsewhere"):
        load_goldens(file)
