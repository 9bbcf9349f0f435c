"""Soft checks by a judge: they run in the background and are settled inside the test."""

import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest
from inner_projects import ALONE_AND_XDIST, ECHO, Run

AT_ONCE = """
import random
import threading

COUNT = 24
together = threading.Barrier(COUNT)
pauses = list(range(COUNT))
random.Random(7).shuffle(pauses)

@pytest.fixture
def judge_llm():
    import asyncio
    async def judge(messages, subject=""):
        number = int(subject.split()[-1])
        await asyncio.to_thread(together.wait, 20)     # nobody answers before all are asked
        await asyncio.sleep(pauses[number] / 1000)
        kind = number % 3 != 0
        return {"requirement": "x", "reasoning": f"reason {number}", "quote": "", "satisfied": kind}
    return judge

def test_it(conversation, monkeypatch):
    import asyncio
    reply = conversation.say("Hi")
    verdicts = [evaluate(reply).to_satisfy(f"It meets rule {number}") for number in range(COUNT)]
    assert "Pending" in repr(verdicts[-1])
"""


@pytest.mark.slow
def test_many_checks_run_at_once_and_are_reported_in_the_order_of_the_calls(run: Run) -> None:
    source = AT_ONCE.replace("asyncio.to_thread(together.wait, 20)", "all_asked()").replace(
        "@pytest.fixture",
        """
asked = []
async def all_asked():
    import asyncio
    asked.append(1)
    while len(asked) < COUNT:
        await asyncio.sleep(0.001)

@pytest.fixture""",
        1,
    )
    result = run(test_it=source)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 16 pass, 8 fail"])
    shown = [line.split()[-1] for line in result.outlines if ": reason " in line]
    assert shown == [str(number) for number in range(0, 24, 3)]


PHASES = """
@pytest.fixture
def greeted(conversation):
    evaluate(conversation.say("Hi")).to_satisfy("bad manners in set-up")
    yield conversation

def test_fails(greeted):
    evaluate(greeted.last).to_satisfy("bad manners in the test")
    expect(greeted.last).to_contain("no such thing")

def test_passes(greeted):
    evaluate(greeted.last).to_satisfy("It is kind.")

def test_raises(conversation):
    evaluate(conversation.say("Hi")).to_satisfy("bad manners here")
    evaluate(conversation.last).to_satisfy("It is kind here.")
    raise KeyError("mine")
"""


@pytest.mark.slow
def test_soft_checks_of_a_failing_test_are_settled_and_shown_in_its_section(judged: Run) -> None:
    result = judged("-p", "no:randomly", test_it=PHASES)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "* grice: soft verdicts *",
            "soft fail         turn 1: the reply to satisfy 'bad manners in the test'",
            "    as it should be",
            "* grice: soft verdicts *",
            "soft fail         turn 1: the reply to satisfy 'bad manners here'",
            "*",
            "soft pass         turn 1: the reply to satisfy 'It is kind here.'",
            "soft checks: 2 pass, 4 fail",
        ]
    )
    assert result.stdout.str().count("* grice: soft verdicts *") == 0  # the lines above are patterns
    result.stdout.fnmatch_lines(["  soft fail         turn 1: satisfy 'bad manners in set-up': * (2 times)"])


LATE = """
@pytest.fixture
def greeted(conversation, judge_llm):
    conversation.say("Hi")
    yield conversation
    evaluate(conversation.last).to_satisfy("It is kind at the end")

def test_it(greeted):
    evaluate(greeted.last).to_satisfy("It is kind in the test")

def test_only_late(greeted):
    pass

@pytest.fixture
def greeted_without(conversation):
    conversation.say("Hi")
    yield
    evaluate(conversation.last).to_satisfy("It is too late")

def test_too_late(greeted_without):
    pass
"""


@pytest.mark.slow
def test_a_check_of_a_teardown_is_made_live_and_never_recorded(judged: Run) -> None:
    result = judged(test_it=LATE)
    result.assert_outcomes(passed=3)
    told = "*no answer: the test is being torn down: have the fixture that checks there request judge_llm"
    result.stdout.fnmatch_lines(["soft checks: 3 pass, 1 error", told])
    result = judged("--grice-record")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        ["soft checks: 1 pass, 3 error", "*a judge call came after the end of the test*"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_the_summary_is_the_same_whoever_ran_the_tests(judged: Run, args: tuple[str, ...]) -> None:
    result = judged(
        *args,
        "--grice-record",
        "--junitxml=out.xml",
        test_a="""
def test_soft(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_satisfy("bad manners, first")
    evaluate(reply).to_satisfy("It is kind.")

def test_hard(conversation):
    expect(conversation.say("Hi")).to_satisfy("It is kind.")
""",
        test_b="""
def test_broken(conversation, judge_llm):
    judge_llm._function = None
    evaluate(conversation.say("Hi")).to_satisfy("Nobody can say")
""",
    )
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "=* grice =*",
            "every check of the criterion 'Nobody can say' ended in an error: nothing was judged by it",
            "hard checks: 1 pass",
            "soft checks: 1 pass, 1 fail, 1 error",
            "test_a.py::test_soft",
            "  soft fail         turn 1: satisfy 'bad manners, first': as it should be",
            "test_b.py::test_broken",
            "  soft error        turn 1: satisfy 'Nobody can say': the judge gave no answer: *not callable",
            "1 hard verdict is by an LLM *",
            "recorded cassettes/test_a/test_hard.jsonl: 1 added, 0 removed, 0 changed",
            "recorded cassettes/test_a/test_soft.jsonl: 2 added, 0 removed, 0 changed",
        ],
        consecutive=True,
    )


@pytest.mark.slow
def test_junit_names_the_criterion_and_why_it_did_not_pass(pytester: pytest.Pytester, judged: Run) -> None:
    judged("--junitxml=out.xml", test_it=PHASES)
    found: dict[str, list[str]] = {}
    for case in ElementTree.parse(pytester.path / "out.xml").iter("testcase"):
        values = [str(one.get("value")) for one in case.iter("property") if one.get("name") == "grice.soft"]
        found[str(case.get("name"))] = values
    told = "fail: turn 1: the reply to satisfy 'bad manners {}': as it should be"
    assert found == {
        "test_fails": [told.format("in set-up"), told.format("in the test")],
        "test_passes": [told.format("in set-up")],
        "test_raises": [told.format("here")],
    }


STRICT = """
def test_pass(conversation):
    evaluate(conversation.say("Hi")).to_satisfy("It is kind.")

def test_fail(conversation):
    evaluate(conversation.say("Hi")).to_satisfy("bad manners all over")

def test_error(conversation):
    evaluate(conversation.say("Hi")).to_match("(")

def test_inconclusive():
    evaluate("").to_contain("x")

def test_skipped(conversation):
    from grice import Outcome, Verdict
    from grice.matching.matcher import matcher

    @matcher("toBeLeftOut")
    def be_left_out(subject, ctx) -> Verdict:
        return Verdict(Outcome.SKIPPED, "does not apply")

    evaluate(conversation.say("Hi")).to(be_left_out())
"""


@pytest.mark.slow
def test_strict_soft_fails_on_what_did_not_pass_and_shows_it(judged: Run) -> None:
    judged(test_it=STRICT).assert_outcomes(passed=5)
    result = judged("--grice-strict-soft", "-p", "no:randomly")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        [
            "--grice-strict-soft: a soft check did not pass",
            "soft fail         turn 1: the reply to satisfy 'bad manners all over'",
            "    as it should be",
            "--grice-strict-soft: a soft check did not pass",
            "soft error        turn 1: the reply to match /(/",
            "--grice-strict-soft: a soft check did not pass",
            "soft inconclusive the text to contain 'x'",
        ]
    )


@pytest.mark.slow
def test_a_test_that_is_run_again_begins_with_a_judge_and_a_cassette_of_its_own(
    pytester: pytest.Pytester, judged: Run
) -> None:
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            runtestprotocol(item, nextitem=nextitem, log=False)
            item.funcargs = {}
            item._initrequest()
            for report in runtestprotocol(item, nextitem=nextitem, log=False):
                item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    body = """
attempts = []

def test_it(conversation):
    attempts.append(1)
    evaluate(conversation.say("Hi")).to_satisfy("bad manners in both")
    assert len(attempts) == 2
"""
    result = judged("--grice-record=all", test_it=body)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 1 fail"])
    judged("--grice-record=none").assert_outcomes(passed=1)


WAITING = """
import pathlib

@pytest.fixture
def judge_llm():
    import asyncio
    async def judge(messages, subject=""):
        if "slow" in subject:
            pathlib.Path("waiting").touch()
            await asyncio.sleep(300)
        return {"requirement": "x", "reasoning": "curt", "quote": "", "satisfied": False}
    return judge

def test_it(conversation):
    reply = conversation.say("Hi")
    evaluate(reply).to_satisfy("It is quick to judge.").settle()
    evaluate(reply).to_satisfy("It is slow to judge.")
"""


@pytest.mark.slow
def test_ctrl_c_waits_for_no_judge_and_records_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=ECHO + WAITING)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--grice-record"]
    with subprocess.Popen(
        command, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        for _ in range(400):
            if (pytester.path / "waiting").exists():
                break
            time.sleep(0.05)
        child.send_signal(2)
        out, err = child.communicate(timeout=60)
    assert child.returncode == pytest.ExitCode.INTERRUPTED, out + err
    assert "interrupted: test_it.py::test_it" in out
    assert "the agent" not in err
    assert "satisfy 'It is quick to judge.'" in out
    assert "It is slow to judge." not in out.split(" grice ")[1]
    assert not list(pytester.path.rglob("*.jsonl"))


def test_a_record_mode_that_is_none_is_a_usage_error_with_the_choices(run: Run) -> None:
    result = run("--grice-record", "test_it.py", test_it="def test_it(): pass")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*--grice-record: expected one of none, once, new, all, off, or =once before a path, found 'test_*"]
    )
