"""What passes without checking anything is told, and fails where `strict` is set."""

import pytest
from inner_projects import ALONE_AND_XDIST, Run
from test_plugin_store_reruns import RERUNS

HOLLOW = """
def test_empty_pattern(conversation):
    expect(conversation.say("Hi")).to_match("")

def test_empty_list():
    expect([]).not_to_contain("x")

def test_soft():
    evaluate([]).not_to_contain("x")

def test_sound(conversation):
    expect(conversation.say("Hi")).to_contain("Hi")
"""

COUNTED = [
    "hard checks: 3 pass",
    "soft checks: 1 pass",
    "3 verdicts are trivially true, 2 of them a hard pass:",
    "  test_hollow.py::test_empty_list: hard pass: the value not to contain 'x': the list is empty",
    "  test_hollow.py::test_empty_pattern: hard pass: the reply to match //: the pattern matches every text",
    "  test_hollow.py::test_soft: soft pass: the value not to contain 'x': the list is empty",
]


@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_the_summary_counts_and_names_what_is_trivially_true(run: Run, args: tuple[str, ...]) -> None:
    result = run(*args, test_hollow=HOLLOW)
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(COUNTED, consecutive=True)


@pytest.mark.parametrize("by", ["option", "setting"])
def test_strict_fails_hard_checks_that_are_trivially_true(
    run: Run, pytester: pytest.Pytester, by: str
) -> None:
    pytester.makepyprojecttoml("[tool.grice]\nstrict = true" if by == "setting" else "")
    result = run(*(["--grice-strict"] if by == "option" else []), test_hollow=HOLLOW)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*Failed: match //: trivially true, which strict refuses: the pattern matches every text",
            "1 verdict is trivially true:",
            "  test_hollow.py::test_soft: soft pass: the value not to contain 'x': the list is empty",
        ]
    )


UNCALLED = """
def test_uncalled(conversation):
    reply = conversation.say("Hi")
    expect(reply).to_contain("Hi")
    expect(reply)
    expect(reply).to_contain
    kept = expect("some text")

def test_soft(conversation):
    evaluate(conversation.say("Hi"))
"""


def test_an_expect_without_a_matcher_is_warned_of_at_its_line(run: Run) -> None:
    result = run("-W", "default", test_uncalled=UNCALLED)
    result.assert_outcomes(passed=2, warnings=4)
    for line, kind in ((11, "expect"), (12, "expect"), (13, "expect"), (16, "evaluate")):
        warned = (
            f"*test_uncalled.py:{line}: UncalledExpectation: {kind}(...) checks nothing: call a matcher *"
        )
        result.stdout.fnmatch_lines([warned])


def test_an_expect_without_a_matcher_fails_where_warnings_are_errors(run: Run) -> None:
    result = run("-W", "error", test_uncalled=UNCALLED)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["a check was not made", "error        test_uncalled.py:11 to check something"]
    )


def test_strict_makes_an_error_of_it_in_hard_checks(run: Run) -> None:
    result = run("--grice-strict", test_uncalled=UNCALLED)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "a check was not made",
            "error        test_uncalled.py:11 to check something",
            "    expect(...) checks nothing: call a matcher of it, as in expect(...).to_contain('x')",
            "error        test_uncalled.py:12 to check something",
            "error        test_uncalled.py:13 to check something",
            "hard checks: 1 pass, 3 error",
            "soft checks: 1 error",
        ]
    )


HELD = """
def test_held(conversation):
    check = expect(conversation.say("Hi").text)
    try:
        raise KeyError
    except KeyError as error:
        kept = error  # holds the frame, and so the expectation

def test_after(conversation):
    import gc
    gc.collect()
    expect(conversation.say("Hi")).to_contain("Hi")
"""


def test_an_expect_that_something_holds_is_told_of_its_own_test(run: Run) -> None:
    result = run("--grice-strict", "-v", test_held=HELD)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["test_held.py::test_held FAILED*"])


def test_an_expect_in_a_run_before_is_forgotten(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makeconftest(RERUNS)
    source = """
runs = []

def test_it(conversation):
    expect(conversation.say("Hi")) if not runs else expect(conversation.say("Hi")).to_contain("Hi")
    runs.append(1)
    assert len(runs) > 1
"""
    run("--grice-strict", test_it=source).assert_outcomes(passed=1)


def test_a_test_that_broke_off_is_not_blamed_for_what_it_did_not_come_to(run: Run) -> None:
    source = """
def boom():
    raise KeyError("boom")

def test_it(conversation):
    expect(conversation.say("Hi")).to_equal(boom())
"""
    result = run("--grice-strict", test_it=source)
    result.assert_outcomes(failed=1, warnings=0)
    result.stdout.no_fnmatch_line("*checks nothing*")


UNCHECKED = """
import unittest.mock

def is_polite(reply):
    assert "you" in reply.text

def is_nothing(reply):
    return reply.text

def test_nothing(conversation):
    conversation.say("Hi")

def test_through_a_function_that_checks_nothing(conversation):
    is_nothing(conversation.say("Hi"))

def test_plain_assert(conversation):
    assert "Hi" in conversation.say("Hi").text

def test_through_a_function(conversation):
    is_polite(conversation.say("Hi"))

def test_raises(conversation):
    with pytest.raises(TypeError):
        conversation.say()
    conversation.say("Hi")

def is_long(reply):
    is_polite(reply)

def test_through_two_functions(conversation):
    is_long(conversation.say("Hi"))

@pytest.fixture
def checker():
    return is_polite

def test_through_a_fixture(conversation, checker):
    checker(conversation.say("Hi"))

class TestGroup:
    def check(self, reply):
        assert reply

    def test_through_a_method(self, conversation):
        self.check(conversation.say("Hi"))

def test_silent(conversation):
    pass

def test_without_agent():
    pass
"""


@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_a_test_that_speaks_and_checks_nothing_is_named(run: Run, args: tuple[str, ...]) -> None:
    result = run(*args, "--grice-strict", test_it=UNCHECKED)
    result.assert_outcomes(passed=10)
    result.stdout.fnmatch_lines(
        [
            "=* grice =*",
            "2 tests speak to the agent and make no check that can be seen:",
            "  test_it.py::test_nothing",
            "  test_it.py::test_through_a_function_that_checks_nothing",
            "=* 10 passed in *",
        ],
        consecutive=True,
    )


def test_suites_are_held_to_strict_too(pytester: pytest.Pytester) -> None:
    suite = """
scenarios:
  - {id: empty, say: Hi, expect: [{matcher: toMatch, expected: ""}]}
  - {id: sound, say: Hi, expect: [{matcher: toContain, expected: Hi}]}
"""
    pytester.path.joinpath("it.grice.yaml").write_text(suite)
    pytester.makepyfile(bots="def agent(text): return f'you said {text}'")
    args = ("-p", "no:cacheprovider", "--grice-agent", "bots:agent")
    pytester.runpytest_inprocess(*args).assert_outcomes(passed=2)
    result = pytester.runpytest_inprocess(*args, "--grice-strict")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*trivially true, which strict refuses: the pattern matches every text"])
