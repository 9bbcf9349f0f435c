"""Both bugs of the assistant, brought back on purpose: Grice catches them, and says where and why.

A check that never fails proves nothing, so each one here is seen to fail with its bug and to pass without.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wordpress_loopback import Client

from grice import AgentContext, ExpectationFailed, LiveConversation, Result, ScriptedModel, expect, tool_use
from grice.files.goldens import load_goldens
from grice.reporting.text import result_text
from grice.running.golden import run_golden
from wordpress_assistant.app import build_assistant
from wordpress_assistant.assistant import Assistant
from wordpress_assistant.site import Site
from wordpress_assistant.talk import run_turn, settle

Build = Callable[[ScriptedModel], Assistant]

HERE = Path(__file__).parent
GOLDENS = HERE.parent / "goldens"
ARRAYS = "test_wordpress_tool_result_messages.py"


def switched(*, narrates: bool = False, forgets_user: bool = False) -> Build:
    """The assistant with switches of its own."""
    return lambda model: Assistant(model.transport, narrates=narrates, forgets_user=forgets_user)


def in_environment(bugs: str) -> Build:
    """The assistant as the environment variable WORDPRESS_ASSISTANT_BUGS makes it."""
    return lambda model: build_assistant(model.transport, {"WORDPRESS_ASSISTANT_BUGS": bugs})


@pytest.fixture
def build(request: pytest.FixtureRequest) -> Build:
    """How the assistant of the test is built; the marks below say it."""
    made: Build = request.param
    return made


@pytest.fixture
def agent(build: Build, scripted_model: ScriptedModel) -> Assistant:
    return build(scripted_model)


bug_a = pytest.mark.parametrize(
    "build", [switched(narrates=True), in_environment("A")], ids=["switch", "environment"], indirect=True
)
bug_b = pytest.mark.parametrize(
    "build", [switched(forgets_user=True), in_environment("B")], ids=["switch", "environment"], indirect=True
)
both_bugs = pytest.mark.parametrize("build", [in_environment("A,b")], ids=["environment"], indirect=True)
no_bug = pytest.mark.parametrize(
    "build", [switched(), in_environment("")], ids=["switch", "environment"], indirect=True
)


def test_a_bug_that_does_not_exist_is_refused(scripted_model: ScriptedModel) -> None:
    with pytest.raises(ValueError, match="names C; the bugs are A and B"):
        in_environment("A,C")(scripted_model)


# -- turn by turn. The model says the same with the bugs and without; what the assistant makes of it differs.

PLUGIN = "ajax-search-lite/ajax-search-lite.php"


@pytest.fixture
def second_turn(
    conversation: LiveConversation, scripted_model: ScriptedModel, tools: dict[str, Callable[..., Any]]
) -> LiveConversation:
    """A conversation after its second turn, the first in which a tool runs."""
    scripted_model.script(
        "Hello.",
        ["Checking the plugins now!", tool_use("list_plugins")],
        "Ajax Search Lite can be updated to 4.13.5. Would you like me to update it?",
    )
    conversation.say("Hello")
    conversation.say("Is there anything to update?", tools=tools)
    return conversation


@bug_a
def test_bug_a_is_caught_in_what_the_user_sees(second_turn: LiveConversation) -> None:
    with pytest.raises(ExpectationFailed) as caught:
        expect(second_turn.last).to_be_valid_response()

    message = str(caught.value)
    expect(message).to_start_with(
        "pass the response validator: PRE_TOOL_NARRATION: 'Checking the plugins now!'"
    )
    assert marked_turns(message) == [2]


@bug_a
def test_bug_a_shows_in_the_prompt_as_well(second_turn: LiveConversation) -> None:
    with pytest.raises(ExpectationFailed, match=r"^contain 'without preamble': "):
        expect(prompt_of(second_turn)).to_contain("without preamble")


@bug_b
def test_bug_b_is_caught_in_what_the_model_was_sent(second_turn: LiveConversation) -> None:
    request = second_turn.exchanges[-1]
    with pytest.raises(ExpectationFailed) as caught:
        expect(request).to_contain_message(role="user", content="anything to update", before="tool_use")

    message = str(caught.value)
    expect(message).to_contain("a user message with 'anything to update' before the last tool_use")
    expect(message).to_contain("tool_use", after="the model was sent:")
    expect(message).to_contain("user", after="the model was sent:")  # the "Hello" of the first turn
    expect(message).not_to_contain("anything to update", after="the model was sent:")


@bug_b
def test_bug_b_is_invisible_in_the_reply(second_turn: LiveConversation) -> None:
    expect(second_turn.last).to_be_free_of()


@both_bugs
def test_both_bugs_are_caught_at_once(second_turn: LiveConversation) -> None:
    expect(second_turn.last).not_to_be_free_of(["PRE_TOOL_NARRATION"])
    expect(second_turn.exchanges[-1]).not_to_contain_message(role="user", content="anything to update")


@no_bug
def test_without_a_bug_every_check_passes(second_turn: LiveConversation) -> None:
    expect(second_turn.last).to_be_free_of()
    expect(prompt_of(second_turn)).to_contain("without preamble")
    expect(second_turn.exchanges[-1]).to_contain_message(
        role="user", content="anything to update", before="tool_use"
    )


# -- over the HTTP routes: what the WordPress plugin shows, which posts back the text it got with the calls


@pytest.fixture
def shown_by_plugin(client: Client, scripted_model: ScriptedModel, site: Site) -> str:
    """The text of the last answer to a message after which one tool runs."""
    scripted_model.script(
        ["Updating now!", tool_use("update_plugin", plugin=PLUGIN)], "Would you like me to update it?"
    )
    _, asked = client.post("/chat", {"message": "Update Ajax Search Lite", "conversationHistory": []})
    (call,) = asked["tool_calls"]
    _, answer = client.post(
        "/tool-result",
        {
            "conversationHistory": [{"role": "user", "content": "Update Ajax Search Lite"}],
            "assistantText": asked["text"],
            "pendingToolCalls": [call],
            "toolResults": [
                {"tool_call_id": call["id"], "result": site.execute(call["name"], call["input"])}
            ],
        },
    )
    return str(answer["text"])


@bug_a
def test_bug_a_is_caught_over_http(shown_by_plugin: str) -> None:
    expect(shown_by_plugin).to_equal("Updating now! Would you like me to update it?")
    with pytest.raises(ExpectationFailed, match="'Updating now' and 'Would you like me to update it'"):
        expect(shown_by_plugin).to_be_free_of(["CONTRADICTORY_PREACTION_AND_ASK"])


@no_bug
def test_without_a_bug_the_plugin_shows_what_was_said_after_the_tool(shown_by_plugin: str) -> None:
    expect(shown_by_plugin).to_equal("Would you like me to update it?")


@no_bug
def test_without_a_bug_an_earlier_text_that_is_posted_is_dropped(
    agent: Assistant, scripted_model: ScriptedModel
) -> None:
    scripted_model.script("It is updated.")
    call = {"id": "toolu_01", "name": "update_plugin", "input": {"plugin": PLUGIN}}

    step = agent.tool_result_step([], [call], [{"tool_call_id": "toolu_01", "result": {}}], "Updating now!")

    expect(step["text"]).to_equal("It is updated.")


# -- on the command line, which runs two tools and waits for the user before the second


@pytest.fixture
def shown_on_command_line(
    agent: Assistant, scripted_model: ScriptedModel, careful_site: Site
) -> tuple[str, str]:
    """What the user sees before and after confirming an update."""
    scripted_model.script(
        ["Checking now!", tool_use("list_plugins")],
        ["Updating now!", tool_use("update_plugin", plugin=PLUGIN)],
        "The update waits for you.",
        "Would you like me to update it?",
    )
    asked, history = run_turn(agent, careful_site, [], "Update what is old")
    settled, _ = settle(agent, careful_site, history, approved=True)
    return asked, settled


@bug_a
def test_bug_a_is_caught_on_the_command_line(shown_on_command_line: tuple[str, str]) -> None:
    asked, settled = shown_on_command_line
    expect(asked).to_equal("Checking now! Updating now! The update waits for you.")
    expect(settled).to_equal("Checking now! Updating now! Would you like me to update it?")
    with pytest.raises(ExpectationFailed, match="'Updating now' and 'Would you like me to update it'"):
        expect(settled).to_be_free_of(["CONTRADICTORY_PREACTION_AND_ASK"])


@no_bug
def test_without_a_bug_the_command_line_shows_what_was_said_after_the_tools(
    shown_on_command_line: tuple[str, str],
) -> None:
    expect(shown_on_command_line).to_equal(("The update waits for you.", "Would you like me to update it?"))


# -- goldens

EVERY_GOLDEN = sorted(path.name.removesuffix(".golden.json") for path in GOLDENS.glob("*.golden.json"))
each_golden = pytest.mark.parametrize("name", EVERY_GOLDEN)


def replay(name: str, build: Build) -> Result:
    (golden,) = load_goldens(GOLDENS / f"{name}.golden.json")

    def agent(context: AgentContext) -> Assistant:
        assert context.model is not None
        return build(context.model)

    return run_golden(golden, agent)


@bug_a
def test_bug_a_fails_the_golden_that_ends_in_a_question(build: Build) -> None:
    result = replay("list-plugins", build)

    assert (result.outcome, result.failure) == ("fail", "assertion")
    report = result_text(result)
    expect(report).to_start_with("the final text to pass the response validator (tool status success): ")
    expect(report).to_contain("PRE_TOOL_NARRATION: 'Checking the plugins now!' (said before the call)")
    assert marked_turns(report) == [1]


@bug_a
def test_bug_a_fails_the_golden_that_allows_one_sentence(build: Build) -> None:
    result = replay("update-plugin-pending", build)

    assert failed_claims(result) == [
        "the final text not to contain 'now!', in any case",
        "the final text to have at most 1 sentence",
        "the final text to pass the response validator (tool status pending)",
    ]


@bug_b
@each_golden
def test_bug_b_fails_every_golden_with_a_tool(name: str, build: Build) -> None:
    result = replay(name, build)

    assert result.outcome == "fail"
    claims = failed_claims(result)
    assert {claim.split(" to the model to ")[1].split()[0] for claim in claims} == {"contain", "pass"}
    assert any("a user message with" in claim for claim in claims)
    assert any("the lint of message arrays" in claim for claim in claims)
    report = result_text(result)
    expect(report).to_start_with("request 2 to the model to contain a user message")
    expect(report).to_contain("tool_result", after="the model was sent:")
    assert marked_turns(report) == [1]


@no_bug
@each_golden
def test_without_a_bug_every_golden_passes(name: str, build: Build) -> None:
    result = replay(name, build)
    assert result.outcome == "pass", result_text(result)


# -- the cases of the specification, as somebody runs them with the bug in the environment

SPECIFIED = ["prompt", "tool_result_messages", "response_validator", "goldens"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bugs", "red"),
    [
        ("", set()),
        (
            "A",
            {
                "test_wordpress_prompt.py::test_prompt_reaches_the_model",
                "test_wordpress_goldens.py::test_update_plugin_pending_is_acknowledged_in_one_sentence",
            },
        ),
        (
            "B",
            {
                f"{ARRAYS}::test_tc1_the_users_message_comes_before_the_tool_call[step]",
                f"{ARRAYS}::test_tc4_earlier_turns_keep_their_order_and_roles[step]",
                "test_wordpress_goldens.py::test_update_plugin_success",
                "test_wordpress_goldens.py::test_pending_then_confirmed",
                "test_wordpress_goldens.py::test_multi_tool_loop_tells_the_second_request_who_asked_and_what_was_found",
            },
        ),
    ],
    ids=["no bug", "A", "B"],
)
def test_a_bug_in_the_environment_turns_the_cases_that_are_about_it_red(bugs: str, red: set[str]) -> None:
    files = [str(HERE / f"test_wordpress_{name}.py") for name in SPECIFIED]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", *files],
        env={**os.environ, "WORDPRESS_ASSISTANT_BUGS": bugs},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = re.findall(r"^FAILED .*?(test_wordpress_\S+)", run.stdout, re.MULTILINE)
    assert set(failed) == red, run.stdout + run.stderr
    assert run.returncode == (1 if red else 0)


def prompt_of(conversation: LiveConversation) -> str:
    system = conversation.exchanges[-1].request["system"]
    assert isinstance(system, str)
    return system


def failed_claims(result: Result) -> list[str]:
    return [verdict.claim for verdict in result.verdicts if verdict.outcome == "fail"]


def marked_turns(report: str) -> list[int]:
    """The turns whose agent's side is marked with `>` in the transcript of a failure."""
    turns: list[int] = []
    number = 0
    for line in report.splitlines():
        row = line.removeprefix(">").split()
        if len(row) > 1 and row[0].isdigit() and row[1] in ("user", "assistant"):
            number = int(row[0])
        if line.startswith(">") and number not in turns:
            turns.append(number)
    return turns
