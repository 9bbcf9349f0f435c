# ruff: noqa: E501 - sources of tests, one a line
"""What the record shows beside failures, and of tests that passed."""

import pytest
from inner_projects import Run

LOOPS = """
@pytest.fixture
def agent():
    def loops(messages, on_tool_call):
        for _ in range(4):
            on_tool_call("look", {"id": "A1"}, result=1)
        return "It is open."
    return loops
"""

SHOWN = [
    "*grice: the conversation*",
    "  1  user       Where is A1?",
    "     assistant  -> look(id='A1')  x 4",
    "     tool       1",
    "     assistant  It is open.",
    "*grice: what the record shows*",
    "turn 1: look(id='A1') was called 4 times with the same arguments",
]


def test_a_plain_assert_shows_the_conversation_and_the_cause(run: Run) -> None:
    result = run(
        test_it=f"{LOOPS}\ndef test_it(conversation):\n    assert conversation.say('Where is A1?').text == ''\n"
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(SHOWN, consecutive=True)


def test_an_expectation_shows_the_cause_and_no_second_transcript(run: Run) -> None:
    result = run(
        test_it=f"{LOOPS}\ndef test_it(conversation):\n    expect(conversation.say('Where is A1?')).to_equal('')\n"
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(SHOWN[-2:], consecutive=True)
    result.stdout.no_fnmatch_line("*grice: the conversation*")


def test_a_test_that_passes_tells_it_at_the_end(run: Run) -> None:
    result = run(
        test_it=f"{LOOPS}\ndef test_it(conversation):\n    assert conversation.say('Where is A1?').text\n"
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            'what the records of passed tests show (hints = "off" in the settings hides it):',
            "  test_it.py::test_it: turn 1: look(id='A1') was called 4 times with the same arguments",
        ],
        consecutive=True,
    )


@pytest.mark.parametrize("expected", ["''", "'It is open.'"])
def test_the_settings_hide_it(run: Run, pytester: pytest.Pytester, expected: str) -> None:
    pytester.makefile(".toml", grice='hints = "off"')
    result = run(
        test_it=f"{LOOPS}\ndef test_it(conversation):\n    assert conversation.say('Hi').text == {expected}\n"
    )
    result.stdout.no_fnmatch_line("*was called 4 times*")


def test_the_settings_allow_calls_that_no_request_offers(run: Run, pytester: pytest.Pytester) -> None:
    source = """
from grice import tool_use

@pytest.fixture
def agent(agent_context):
    tools = [{"name": "get_order"}]
    return lambda messages: agent_context.model.respond({"messages": messages, "tools": tools})

def test_it(conversation, scripted_model):
    scripted_model.script(tool_use("get_ordr"))
    expect(conversation.say("Hi")).to_call_tool("get_ordr")
"""
    refused = run(test_it=source)
    refused.assert_outcomes(failed=1)
    refused.stdout.fnmatch_lines(
        ["*grice.UnofferedCall: *offers no tool 'get_ordr' (did you mean 'get_order'?)*"]
    )
    pytester.makefile(".toml", grice='unoffered = "allow"')
    run(test_it=source).assert_outcomes(passed=1)


SUITE = """
scenarios:
  - {id: a, say: Where is A1?, expect: [{matcher: toContain, expected: never}]}
"""


@pytest.mark.parametrize(("hints", "shown"), [("on", 1), ("off", 0)])
def test_a_suite_that_fails_shows_the_cause(
    run: Run, pytester: pytest.Pytester, hints: str, shown: int
) -> None:
    pytester.path.joinpath("a.grice.yaml").write_text(SUITE)
    pytester.path.joinpath("grice.toml").write_text(f'hints = "{hints}"')
    result = run("a.grice.yaml", conftest=f"import pytest\n{LOOPS}")
    result.assert_outcomes(failed=1)
    assert (
        str(result.stdout).count("turn 1: look(id='A1') was called 4 times with the same arguments") == shown
    )
