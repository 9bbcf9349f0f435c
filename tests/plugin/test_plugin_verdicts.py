from xml.etree import ElementTree

import pytest
from inner_projects import ALONE_AND_XDIST, Run

MIXED = """
def test_soft_failure(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_contain("warmth")
    expect(reply).to_contain("Hi")

def test_soft_error(conversation):
    evaluate(conversation.say("Hi")).to_match("(")

def test_hard_failure(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_contain("warmth")
    expect(reply).to_contain("Bye")

def test_without_conversation():
    evaluate("some text").to_contain("other")
"""

SUMMARY = [
    "=* grice =*",
    "every soft check of toMatch ended in an error: nothing was judged by it",
    "hard checks: 1 pass, 1 fail",
    "soft checks: 3 fail, 1 error",
    "test_mixed.py::test_hard_failure",
    "  soft fail         turn 1: contain 'warmth': the text is 'you said Hi' (2 times)",
    "test_mixed.py::test_soft_error",
    "  soft error        turn 1: match /(/: *",
    "test_mixed.py::test_without_conversation",
    "  soft fail         contain 'other': the text is 'some text'",
]


def test_the_whole_reason_of_a_soft_verdict_is_shown_when_it_is_asked_for(run: Run) -> None:
    wide = "evaluate('a\\n' * 3).to_equal('b')"
    brief = run(test_it=f"def test_it():\n    {wide}\n")
    whole = run("-v", test_it=f"def test_it():\n    {wide}\n")
    brief.stdout.fnmatch_lines(
        ["test_it.py::test_it", "  soft fail         equal 'b': *", "*1 passed*"], consecutive=True
    )
    whole.stdout.fnmatch_lines(
        ["  soft fail         expected the text to equal 'b'", "    *"], consecutive=True
    )


@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_soft_verdicts_change_no_outcome_and_are_summed_up_with_reasons(
    run: Run, args: tuple[str, ...]
) -> None:
    result = run(*args, test_mixed=MIXED)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(SUMMARY, consecutive=True)


@pytest.mark.slow
def test_a_failed_test_shows_its_soft_verdicts_in_a_section(run: Run) -> None:
    result = run(test_mixed=MIXED)
    result.stdout.fnmatch_lines(
        [
            "* grice: soft verdicts *",
            "soft fail         turn 1: the reply to contain 'warmth'",
            "    the text is 'you said Hi'",
        ],
        consecutive=True,
    )
    assert result.stdout.str().count("grice: soft verdicts") == 1


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("expect(reply).to_match('(')", "error: match /(/: '(' is not a pattern"),
        ("expect('').to_contain('x')", "inconclusive: contain 'x': the text is empty"),
        ("expect('').not_to_contain('x')", "inconclusive: not contain 'x': the text is empty"),
    ],
)
def test_a_hard_check_without_an_answer_fails_in_words(run: Run, check: str, message: str) -> None:
    result = run(test_it=f"def test_it(conversation):\n    reply = conversation.say('Hi')\n    {check}\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E       grice.ExpectationFailed: {message}*"])


def test_verdicts_of_fixtures_are_kept_in_every_phase(run: Run) -> None:
    result = run(
        test_it="""
@pytest.fixture
def greeted(conversation):
    evaluate(conversation.say("Hi")).to_contain("one")
    yield conversation
    evaluate(conversation.last).to_contain("three")

def test_it(greeted):
    evaluate(greeted.last).to_contain("two")
"""
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 3 fail", "*'one': *", "*'two': *", "*'three': *"])


def test_verdicts_of_the_running_test_are_found_from_threads(run: Run) -> None:
    result = run(
        test_it="""
from threading import Thread

def test_it():
    thread = Thread(target=lambda: evaluate("text").to_contain("more"))
    thread.start()
    thread.join()
"""
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 1 fail", "test_it.py::test_it"])


def test_a_session_without_verdicts_says_nothing(run: Run) -> None:
    result = run(test_it="def test_it(): pass")
    result.assert_outcomes(passed=1)
    assert "grice" not in result.stdout.str().replace("test_a_session", "").split("collected")[1]


NASTY = r"[bold]not markup[/bold] \x1b[31mred\x1b[0m ]]> <b>&amp; \x00\x08 \u202e :smile:"


def test_what_an_agent_says_is_text_on_the_terminal_and_in_junit(pytester: pytest.Pytester, run: Run) -> None:
    result = run(
        "--junitxml=out.xml",
        "--color=yes",
        test_it=f"""
@pytest.fixture
def agent():
    return lambda text: "{NASTY}"

def test_fails(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_contain("soft")
    expect(reply).to_contain("hard")

def test_passes(conversation):
    evaluate(conversation.say("Hi")).to_contain("soft")
""",
    )
    result.assert_outcomes(passed=1, failed=1)
    shown = r"[bold]not markup[/bold] \x1b[31mred\x1b[0m ]]> <b>&amp; \x00\x08 \u202e :smile:"
    assert f"assistant  {shown}" in result.stdout.str()
    assert not {"\x00", "\x08", "\u202e"} & set(result.stdout.str())

    failed, passed = ElementTree.parse(pytester.path / "out.xml").iter("testcase")
    assert shown in (failed.find("failure").text or "")  # type: ignore[union-attr]
    for case in (failed, passed):
        properties = {one.get("name"): one.get("value") for one in case.iter("property")}
        assert properties["grice.soft"].startswith("fail: turn 1: the reply to contain 'soft': the text is")  # type: ignore[union-attr]


def test_soft_verdicts_of_every_phase_are_in_junit_once(pytester: pytest.Pytester, run: Run) -> None:
    run(
        "--junitxml=out.xml",
        test_it="""
@pytest.fixture
def greeted(conversation):
    evaluate(conversation.say("Hi")).to_contain("one")
    yield conversation
    evaluate(conversation.last).to_contain("three")

def test_it(greeted):
    evaluate(greeted.last).to_contain("two")
""",
    )
    found = [str(one.get("value")) for one in ElementTree.parse(pytester.path / "out.xml").iter("property")]
    assert [value.split("'")[1] for value in found] == ["one", "two", "three"]


def test_hard_verdicts_that_did_not_pass_in_passed_tests_are_counted_apart(run: Run) -> None:
    result = run(
        test_it="""
def test_it(conversation):
    with pytest.raises(AssertionError):
        expect(conversation.say("Hi")).to_contain("Bye")
"""
    )
    result.stdout.fnmatch_lines(["hard checks: 1 fail (1 not passing in tests that passed)"])


def test_junit_has_the_soft_verdicts_of_the_last_attempt_only(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            item.user_properties.append(("kept", "yes"))
            runtestprotocol(item, nextitem=nextitem, log=False)
            item.funcargs = {}
            item._initrequest()
            for report in runtestprotocol(item, nextitem=nextitem, log=False):
                item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    run(
        "--junitxml=out.xml",
        test_it="""
attempts = []

def test_it(conversation):
    attempts.append(1)
    evaluate(conversation.say("Hi")).to_contain(f"attempt {len(attempts)}")
""",
    )
    junit = pytester.path.joinpath("out.xml").read_text()
    assert junit.count('name="kept"') == 1
    assert junit.count('name="grice.soft"') == 1
    assert "attempt 2" in junit
    assert "attempt 1" not in junit
