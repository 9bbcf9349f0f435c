"""Cassettes of what agents and their client's tools say."""

from collections.abc import Callable

import pytest
from inner_projects import Run

Cassettes = Callable[[], dict[str, list[str]]]

AGENT = """
from pathlib import Path

def count(what):
    with Path("lived.txt").open("a") as file:
        file.write(what + "\\\\n")

@pytest.fixture
def agent():
    def chat(messages, on_tool_call):
        count("agent")
        if messages[-1]["role"] == "tool":
            return "It is " + messages[-1]["content"]
        return {"tool_calls": [{"id": "c1", "name": "weather", "arguments": {"city": "Rome"}}]}
    return chat

def weather(city):
    count("tool")
    return f"sunny in {city}"
""".replace("\\\\", "\\")

SYNC = (
    AGENT
    + """
def test_it(conversation):
    reply = conversation.say("Hi", tools={"weather": weather})
    assert reply.text == "It is sunny in Rome"
"""
)
ASYNC = (
    AGENT
    + """
@pytest.mark.asyncio
async def test_it(async_conversation):
    async def later(city): return weather(city)
    reply = await async_conversation.say("Hi", tools={"weather": later})
    assert reply.text == "It is sunny in Rome"
"""
)


@pytest.mark.slow
@pytest.mark.parametrize("source", [SYNC, ASYNC], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("kinds", "live"), [(["agent", "tools"], []), (["tools"], ["agent", "agent"]), (["agent"], ["tool"])]
)
def test_agents_and_tools_are_recorded_where_the_settings_say_so(
    pytester: pytest.Pytester,
    judged: Run,
    cassettes: Cassettes,
    source: str,
    kinds: list[str],
    live: list[str],
) -> None:
    pytester.makepyprojecttoml(f"[tool.grice]\nrecord_kinds = {kinds}\n")
    plugins = ("-p", "pytest_asyncio.plugin", "-W", "ignore")
    result = judged(*plugins, "--grice-record", test_it=source)
    result.assert_outcomes(passed=1)
    calls = {"agent": ["agent chat", "agent chat"], "tools": ["tools weather"]}
    wanted = sorted(call for kind in kinds for call in calls[kind])
    assert sorted(cassettes()["cassettes/test_it/test_it.jsonl"]) == wanted
    result.stdout.fnmatch_lines([f"recorded cassettes/test_it/test_it.jsonl: {len(wanted)} added, *"])
    (pytester.path / "lived.txt").unlink()
    judged(*plugins, "--grice-record=none").assert_outcomes(passed=1)
    lived = pytester.path / "lived.txt"
    assert (lived.read_text().split() if lived.exists() else []) == live


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["", 'scrub = ["date"]'])
def test_a_cassette_that_cannot_be_used_is_an_error_without_a_traceback(
    pytester: pytest.Pytester, judged: Run, setting: str
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nrecord_kinds = ["agent"]\n')
    judged("--grice-record", test_it=SYNC).assert_outcomes(passed=1)
    tape = pytester.path / "cassettes" / "test_it" / "test_it.jsonl"
    place = "pyproject.toml:3:1: [[]tool.grice[]] scrub: " if setting else "test_it.jsonl:1: "
    pytester.makepyprojecttoml(f'[tool.grice]\nrecord_kinds = ["agent"]\n{setting}\n')
    tape.write_bytes(tape.read_bytes() if setting else tape.read_bytes()[:60])
    before = tape.read_bytes()
    result = judged()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{place}*"])
    assert "src/grice" not in result.stdout.str()
    assert tape.read_bytes() == before


@pytest.mark.slow
def test_a_recorded_agent_that_is_told_something_else_fails_the_test_with_the_difference(
    pytester: pytest.Pytester, judged: Run
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nrecord_kinds = ["agent"]\n')
    judged("--grice-record", test_it=SYNC)
    result = judged(test_it=SYNC.replace('"Hi"', '"Bye"'))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *this agent call (chat) is not recorded: 'Bye'",
            "E *messages[[]0[]].content: 'Hi' -> 'Bye'",
            "E *--grice-update",
        ]
    )
