"""Suites that test a prompt: running, resuming and comparing them, and the versions of `grice prompt`."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from grice_command import Grice

PROMPT = "Name the capital of {{country}}.\n"
SUITE = """
prompt: ../prompts/capital.md
scenarios:
  - id: asked
    inputs: {country: France}
    expect: [{path: $.said, matcher: toEqual, expected: "Name the capital of France.\\n"}]
    evaluate: [{on: exchange 1, path: "$.request.messages[0].role", matcher: toEqual, expected: user}]
  - id: scripted
    inputs: {country: [Spain]}
    model: ['{"capital": "Madrid"}']
    output_type: json
    expected_output: {capital: Madrid}
"""
LLM = """
import json
from pathlib import Path

from grice import LLMError, LLMMetadata, LLMResponse

class Echo:
    provider, model = "local", "echo-1"

    def complete(self, messages, max_tokens, purpose, subject):
        with open("asked.txt", "a") as asked:
            asked.write(f"{purpose} {subject} {max_tokens} {len(messages)}\\n")
        text = json.dumps({"said": messages[-1]["content"]})
        return LLMResponse(text, metadata=LLMMetadata(input_tokens=5, output_tokens=7, stop_reason="length"))

class Down:
    provider, model = "local", "down-1"

    def complete(self, messages):
        raise LLMError("it is down")
"""
CAPITAL = Path("prompts/capital.md")


@pytest.fixture(autouse=True)
def prompted(project: Path) -> Path:
    """A project with a prompt, a suite that tests it, and an LLM."""
    for name, text in {
        "grice.toml": 'prompt_llm = "llms:Echo"\n',
        "llms.py": LLM,
        "prompts/capital.md": PROMPT,
        "suites/capital.grice.yaml": SUITE,
    }.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    (project / "pyproject.toml").unlink()
    return project


def results() -> dict[str, dict[str, Any]]:
    """The results of all runs by key; a later run's go first."""
    found = {}
    for file in sorted(Path(".grice/runs").glob("*/*.jsonl"), key=os.path.getmtime):
        lines = map(json.loads, file.read_text().splitlines())
        found |= {line["result"]["key"]: line["result"] for line in lines if "result" in line}
    return found


def plain(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def test_the_filled_prompt_is_answered_by_one_call_of_the_llm(grice: Grice) -> None:
    run = grice("run", "suites")
    assert (run.code, run.err) == (0, "")
    assert "2 passed  2 scenarios, 3 checks" in run.out
    assert Path("asked.txt").read_text() == "prompt asked 4096 1\n"
    asked = results()["asked"]["conversation"]
    (turn,) = asked["turns"]
    (exchange,) = turn["exchanges"]
    assert exchange["request"] == {"model": "echo-1", "messages": [turn["messages"][0]]}
    assert exchange["reply"]["usage"] == {"prompt_tokens": 5, "completion_tokens": 7}
    assert turn["metadata"] == {"finish_reason": "length"}
    agent = asked["metadata"]["agent"]
    assert (agent["type"], agent["prompt"], agent["model"]) == ("prompt", "prompts/capital.md", "echo-1")
    scripted = results()["scripted"]["conversation"]
    assert scripted["turns"][0]["messages"][0]["content"] == 'Name the capital of ["Spain"].\n'
    assert scripted["metadata"]["agent"]["model"] == "scripted"


def test_an_llm_that_fails_and_none_at_all_are_errors(grice: Grice) -> None:
    Path("grice.toml").write_text('prompt_llm = "llms:Down"\n')
    run = grice("run", "suites")
    assert run.code == 1
    assert "the agent raised LLMError: it is down" in plain(run.out)
    assert "1 passed, 1 error" in run.out
    (exchange,) = results()["asked"]["conversation"]["turns"][0]["exchanges"]
    assert exchange["error"] == "it is down"
    Path("grice.toml").write_text("")
    said = plain(grice("run", "suites").out)
    assert 'no LLM is configured to answer prompts/capital.md: set prompt_llm = "provider:model"' in said


def test_a_setting_that_names_no_llm_is_told(grice: Grice) -> None:
    Path("grice.toml").write_text('prompt_llm = "llms:Ehco"\n')
    run = grice("run", "suites")
    assert run.code == 2
    assert "prompt_llm: LLM 'llms:Ehco'" in plain(run.out + run.err)
    check = grice("check", "grice.toml")
    assert (check.code, "did you mean 'Echo'" in plain(check.out)) == (1, True)


def test_a_history_is_sent_before_the_prompt_and_holds_texts_only(grice: Grice) -> None:
    said = "{role: user, content: Hi}, {role: assistant, content: Hello}"
    function = "{name: f, arguments: '{}'}"
    call = f"{{role: assistant, tool_calls: [{{id: a, type: function, function: {function}}}]}}"
    result = "{role: tool, tool_call_id: a, content: done}"
    suite = Path("suites/capital.grice.yaml")
    suite.write_text(SUITE.replace("- id: asked\n", f"- id: asked\n    history: [{said}]\n"))
    assert grice("run", "suites/capital.grice.yaml::asked").code == 0
    assert Path("asked.txt").read_text() == "prompt asked 4096 3\n"
    suite.write_text(
        SUITE.replace("- id: asked\n", f"- id: asked\n    history: [{said}, {call}, {result}]\n")
    )
    run = grice("run", "suites/capital.grice.yaml::asked")
    assert run.code == 1
    assert "the history of a prompt holds texts only" in plain(run.out)


def test_the_agent_of_the_command_line_answers_in_its_place(grice: Grice) -> None:
    Path("others.py").write_text("def shout(text): return text.upper()\n")
    run = grice("run", "suites/capital.grice.yaml::asked", "--agent", "others:shout")
    assert run.code == 1
    assert "NAME THE CAPITAL OF FRANCE." in run.out
    assert not Path("asked.txt").exists()


def test_a_scenario_of_a_script_that_is_not_asked_for_is_an_error(grice: Grice) -> None:
    suite = Path("suites/capital.grice.yaml")
    suite.write_text(SUITE.replace("['{", "[one, '{").replace("Madrid\"}']", "Madrid\"}']"))
    run = grice("run", "suites/capital.grice.yaml::scripted")
    assert run.code == 1
    assert "1 of 2 scripted model replies were never asked for" in plain(run.out)


def test_a_changed_prompt_is_told_on_resume_and_in_a_comparison(grice: Grice) -> None:
    assert grice("run", "suites", "--name", "one").code == 0
    CAPITAL.write_text("Name the capital of {{country}}, in JSON.\n")
    refused = grice("run", "suites", "--resume", "one")
    assert refused.code == 2
    assert "another text of the prompt prompts/capital.md" in refused.err
    mixed = grice("run", "suites", "--resume", "one", "--mix")
    assert "the run goes on with another text of the prompt prompts/capital.md" in plain(mixed.out)
    grice("run", "suites", "--name", "two")
    said = plain(grice("compare", "one", "two").out)
    assert "○ Agent: another text of the prompt prompts/capital.md" in said
    assert "the baseline experiment was resumed after changes: 2 texts of a prompt" in said
    Path("grice.toml").write_text('prompt_llm = "llms:Down"\n')
    grice("run", "suites", "--name", "three")
    said = plain(grice("compare", "two", "three").out)
    assert "○ Agent: prompts are answered by another LLM: local/echo-1, now local/down-1" in said


def test_the_same_prompt_is_told_as_such(grice: Grice) -> None:
    for name in ("one", "two"):
        grice("run", "suites", "--name", name)
    assert "Comparison validity: HIGH, nothing differs" in grice("compare", "one", "two").out


# -- versions


def asked_of_database(question: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(".grice/grice.db")
    try:
        return connection.execute(question).fetchall()
    finally:
        connection.close()


def test_each_text_is_a_version_and_runs_know_theirs(grice: Grice) -> None:
    grice("run", "suites", "--name", "one")
    assert "prompts/capital.md: version 1\nprompts: 1 read\n" in grice("db", "sync").out
    assert grice("db", "sync").out == "suites: 1 as before\nprompts: 1 as before\nruns: 1 as before\n"
    CAPITAL.write_text("Where is {{country}}?\n")
    listed = grice("prompt", "history", CAPITAL)
    assert listed.code == 0
    assert re.match(r"   1  \d{4}-\d\d-\d\d \d\d:\d\d  33 characters, 1 run\n", listed.out)
    assert "the file has a text of no version; grice db sync keeps it" in plain(listed.out)
    assert "prompts/capital.md: version 2" in grice("db", "sync").out
    grice("run", "suites", "--name", "two")
    grice("db", "sync")
    used = (
        "SELECT r.name, h.version FROM test_suite_runs r JOIN prompt_history h ON h.id = r.prompt_history_id"
    )
    assert sorted(asked_of_database(used)) == [("one", 1), ("two", 2)]
    grice("db", "rebuild")
    assert sorted(asked_of_database(used)) == [("one", 1), ("two", 2)]
    assert grice("prompt", "show", CAPITAL).out == "Where is {{country}}?\n"
    assert grice("prompt", "show", CAPITAL, "--version", 1).out == PROMPT
    difference = grice("prompt", "diff", CAPITAL, 1).out.splitlines()
    assert difference[:2] == ["--- prompts/capital.md version 1", "+++ prompts/capital.md version 2"]
    assert difference[3:] == [f"-{PROMPT.strip()}", "+Where is {{country}}?"]
    assert grice("prompt", "diff", CAPITAL, 2, 2).out == "nothing differs\n"
    CAPITAL.write_text("Where is {{country}}?")
    grice("db", "sync")
    assert grice("prompt", "diff", CAPITAL, 2).out == "only line breaks differ\n"


def test_restoring_writes_the_file_and_keeps_what_stood_there(
    grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    grice("db", "sync")
    CAPITAL.write_text("A draft of {{country}}\n")
    monkeypatch.chdir("prompts")
    restored = grice("prompt", "restore", "capital.md", 1)
    assert restored.code == 0
    assert restored.out.splitlines() == [
        "prompts/capital.md: its text was in no version: kept as version 2",
        "prompts/capital.md: version 3, with the text of version 1",
    ]
    assert Path("capital.md").read_text() == PROMPT
    assert grice("prompt", "show", "capital.md", "--version", 2).out == "A draft of {{country}}\n"
    again = grice("prompt", "restore", "capital.md", 1)
    assert "the latest version has the text of version 1 already" in plain(again.out)
    Path("capital.md").unlink()
    assert grice("prompt", "restore", "capital.md", 2).code == 0
    assert Path("capital.md").read_text() == "A draft of {{country}}\n"
    assert grice("db", "sync").out == "suites: 1 as before\nprompts: 1 as before\nruns: none\n"


def test_pushing_a_run_keeps_a_new_text_and_makes_no_version_of_an_old_one(grice: Grice) -> None:
    grice("db", "sync")
    for text in ("Two {{country}}", PROMPT, "Two {{country}}"):
        CAPITAL.write_text(text)
        grice("run", "suites", "--name", text)
        assert grice("db", "push", "latest").code == 0
    versions = asked_of_database("SELECT version, prompt FROM prompt_history WHERE prompt != ''")
    assert versions == [
        (1, PROMPT),
        (2, "Two {{country}}"),
    ]


def test_what_is_not_there_is_told_with_the_nearest(grice: Grice) -> None:
    assert "is not there yet: run `grice db sync`" in plain(grice("prompt", "history", CAPITAL).err)
    grice("db", "sync")
    run = grice("prompt", "history", "prompts/capitol.md")
    assert (run.code, "(did you mean 'prompts/capital.md'?)" in plain(run.err)) == (2, True)
    run = grice("prompt", "restore", CAPITAL, 7)
    assert (run.code, plain(run.err)) == (
        2,
        "error: prompts/capital.md has no version 7: the latest is 1",
    )
    CAPITAL.write_bytes(b"\xff")
    run = grice("prompt", "restore", CAPITAL, 1)
    assert (run.code, "not UTF-8" in run.err) == (2, True)
    run = grice("db", "sync")
    said = plain(run.err)
    assert run.code == 2
    assert said.startswith("error: left out: suites/capital.grice.yaml: prompts/capital.md:1:1: not UTF-8")
    assert "prompts: 1 left out" in run.out


def test_a_missing_prompt_is_told_once(grice: Grice) -> None:
    grice("db", "sync")
    CAPITAL.unlink()
    unchanged = grice("db", "sync")
    assert (unchanged.code, plain(unchanged.err).count("there is no such file")) == (2, 1)
    suite = Path("suites/capital.grice.yaml")
    suite.write_text(f"{suite.read_text()}# changed\n")
    changed = grice("db", "sync")
    assert changed.out == "suites: 1 left out\nruns: none\n"
    assert plain(changed.err).count("there is no such file") == 1
