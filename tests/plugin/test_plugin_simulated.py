"""Tests whose conversation arrives finished, held by a played user."""

from __future__ import annotations

import pytest
from inner_projects import Run

PLAYED = """
from grice import simulated, SimulatedUser, UserScript, expect, evaluate

def play(messages):
    told = messages[-1]["content"]
    done = "you said Bye" in told
    return {"message": "" if done else "Hi" if "you said Hi" not in told else "Bye",
            "done": "goal_reached" if done else "no", "reason": "so"}

@pytest.fixture(scope="session")
def user_llm():
    return play

@pytest.fixture(scope="session")
def agent_factory():
    return lambda context: lambda text: f"you said {text}"

@pytest.fixture
def agent(agent_factory, agent_context):
    return agent_factory(agent_context)
"""
"""After the echo agent: a user that says Hi and Bye, and an agent of its own that is the same."""

BEFOREHAND = PLAYED[: PLAYED.rindex("@pytest.fixture")]
"""The same with an agent from the session's factory only: the conversation is held beforehand."""

WAYS = pytest.mark.parametrize("way", ["beforehand", "set-up"])


def source(way: str, test: str) -> str:
    """The module of a project that holds its conversations in one of the two ways."""
    return {"beforehand": BEFOREHAND, "set-up": PLAYED}[way] + test


@pytest.fixture
def played(pytester: pytest.Pytester) -> Run:
    """Run the tests given as `name="source"`, without an agent before them."""

    def played(*args: object, **files: str) -> pytest.RunResult:
        head = "import pytest\n"
        pytester.makepyfile(**{name: head + text for name, text in files.items()})
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args, no_reraise_ctrlc=True)

    return played


HELD = """
@simulated(goal="Say goodbye")
def test_it(conversation):
    assert [turn.user for turn in conversation.turns] == ["Hi", "Bye"]
    assert conversation.record.termination == "goal_reached"
    assert conversation.record.simulations[0].goal == "Say goodbye"
    expect(conversation).to_have_turn_count(max=2)
    with pytest.raises(RuntimeError, match="arrived finished"):
        conversation.say("more")
"""


@WAYS
def test_the_conversation_arrives_finished(played: Run, way: str) -> None:
    result = played(test_it=source(way, HELD))
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["hard checks: 1 pass"])


LAST = """
from grice import topic, on_reply_match
from grice.matchers import contain

hello = topic("hello", "They greet", triggers=[on_reply_match("Hi")])
bye = topic("bye", "They part", triggers=[on_reply_match("Bye")], expect=[contain("farewell")],
            evaluate=[contain("Hi")])

@simulated(goal="Say goodbye", topics={hello: bye, bye: ()})
def test_it(conversation):
    pass
"""


@pytest.mark.slow
@WAYS
def test_a_hard_expectation_of_the_last_topic_fails_the_test(played: Run, way: str) -> None:
    result = played(test_it=source(way, LAST))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*farewell*",
            "hard checks: 1 fail",
            "soft checks: 1 pass, 1 fail",
            "test_it.py::test_it",
            "*soft fail*",
        ]
    )
    result.stdout.no_fnmatch_line("*not passing in tests that passed*")


FAULTS = {
    "the agent raises": (
        "agent_factory",
        "lambda context: lambda text: 1 / 0",
        ["*grice.AgentFailed: *", "*user       Hi*", "*ZeroDivisionError: division by zero*"],
    ),
    "the agent cannot be made": (
        "agent_factory",
        "lambda context: 1 / 0",
        ["*ZeroDivisionError*"],
    ),
    "the agent is none": ("agent_factory", "lambda context: 3", ["*3 is not an agent: *"]),
    "the user is silent": (
        "user_llm",
        "lambda messages: {'message': ' ', 'done': 'no', 'reason': ''}",
        ["*grice.SimulatorError: *cannot be used, twice: *"],
    ),
    "the LLM is down": (
        "user_llm",
        "lambda messages: 1 / 0",
        ["*grice.SimulatorError: *gave no answer*ZeroDivisionError*"],
    ),
}


@WAYS
@pytest.mark.parametrize("fault", FAULTS)
def test_what_goes_wrong_is_told_when_the_body_begins(played: Run, way: str, fault: str) -> None:
    name, value, told = FAULTS[fault]
    own = "\n".join(["@pytest.fixture(scope='session')", f"def {name}(): return {value}", ""])
    result = played(test_it=source(way, own + HELD))
    if fault == "the agent cannot be made" and way == "set-up":
        result.assert_outcomes(errors=1)  # by its own fixture
    else:
        result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(told)


def test_a_goal_that_is_missing_is_told(played: Run) -> None:
    result = played(test_it=BEFOREHAND + HELD.replace('goal="Say goodbye"', "max_turns=3"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*a simulated user needs a goal: *"])


@pytest.mark.slow
def test_an_agent_that_hangs_is_told(played: Run) -> None:
    slow = """
import asyncio
@pytest.fixture(scope="session")
def agent_factory():
    async def chat(text):
        await asyncio.sleep(60)
    return lambda context: chat
@pytest.mark.grice(turn_timeout=0.05)
"""
    result = played(test_it=BEFOREHAND + slow + HELD.lstrip())
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*grice.AgentFailed: *", "*0.05 s*"])


@pytest.mark.slow
@pytest.mark.parametrize("wait", ["time.sleep(1.2)", "forever()"])
def test_an_async_agent_that_holds_up_the_loop_does_not_hang_the_session(played: Run, wait: str) -> None:
    slow = f"""
import time
def forever():
    while True:
        time.sleep(0.001)

@pytest.fixture(scope="session")
def agent_factory():
    async def chat(text):
        {wait}
        return text
    return lambda context: chat

@simulated(goal="Say goodbye", max_turns=1)
@pytest.mark.grice(turn_timeout=0.1)
def test_other(conversation): pass

@pytest.mark.grice(turn_timeout=0.1)
"""
    result = played(test_it=BEFOREHAND + slow + HELD.lstrip())
    result.assert_outcomes(failed=2)


@WAYS
@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit", "pytest.exit.Exception('enough')"])
def test_what_stops_a_session_in_an_agent_stops_it_here_too(played: Run, way: str, error: str) -> None:
    own = f"""
@pytest.fixture(scope="session")
def agent_factory():
    def build(context):
        def chat(text):
            raise {error}
        return chat
    return build
"""
    result = played(test_it=source(way, own + HELD))
    if error == "SystemExit":
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["*AgentFailed*SystemExit*"])
    else:
        assert result.parseoutcomes().get("passed") is None
        assert result.ret == pytest.ExitCode.INTERRUPTED


RUNS = """
@simulated(goal="Say goodbye", runs=3{least})
def test_it(conversation):
    number = count()
    {body}
"""
COUNT = """
made = []
def count():
    made.append(1)
    return len(made)
"""


@pytest.mark.slow
@WAYS
@pytest.mark.parametrize(
    ("least", "body", "outcome", "told"),
    [
        ("", "pass", "passed", "*1 passed*"),
        (", at_least=2", "assert number != 2", "passed", "*1 passed*"),
        ("", "assert number != 2, 'two!'", "failed", "*of 3 runs 2 passed, 1 failed; 3 have to pass*"),
        (", at_least=1", "assert 0", "failed", "*of 3 runs 3 failed; 1 have to pass*"),
        ("", "pytest.skip('not now')", "skipped", "*not now*"),
        ("", "number == 2 and pytest.skip('not now')", "failed", "*error: of 3 runs 2 passed, 1 skipped; 3*"),
        (", at_least=2", "number == 2 and pytest.skip('not now')", "passed", "*1 passed*"),
        ("", "pytest.fail('no good')", "failed", "run 1: failed: Failed: no good"),
        ("", "expect(conversation).to_have_turn_count(max=1)", "failed", "run 3: failed: *turn*"),
        ("", "pytest.xfail('known')", "xfailed", "*1 xfailed*"),
    ],
)
def test_several_runs_have_to_pass(
    played: Run, way: str, least: str, body: str, outcome: str, told: str
) -> None:
    own = """
@pytest.fixture
def agent():
    return lambda text: f"you said {text}"
"""
    test = COUNT + (own if way == "set-up" else "") + RUNS.format(least=least, body=body)
    result = played("-rs", test_it=source("beforehand", test))
    assert result.parseoutcomes() == {outcome: 1}
    result.stdout.fnmatch_lines([told])


@WAYS
def test_a_user_that_breaks_off_is_told_apart_from_the_agent(played: Run, way: str) -> None:
    own = """
made = []
def build(context):
    made.append(1)
    said = "Xyzzy" if len(made) == 1 else "go on"
    return lambda text: said

@pytest.fixture(scope="session")
def agent_factory():
    return build

@pytest.fixture(scope="session")
def user_llm():
    def play(messages):
        return {"message": "" if "Xyzzy" in str(messages) else "Hi", "done": "no", "reason": "so"}
    return play

@simulated(goal="x", runs=2, max_turns=2)
def test_it(conversation): pass
"""
    own_agent = "@pytest.fixture\ndef agent():\n    return build\n" if way == "set-up" else ""
    result = played(test_it=source("beforehand", own + own_agent))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["error: of 2 runs *1 broke*; 2 have to pass, *", "run ?: broke: *twice*"])


@WAYS
def test_a_budget_that_is_spent_is_not_charged_to_the_agent(played: Run, way: str) -> None:
    own = """
@pytest.fixture(scope="session")
def user_llm():
    def play(messages):
        raise BudgetSpent("the budget is spent: 10 of 10 tokens")
    return play

@simulated(goal="x", runs=2, max_turns=2)
def test_it(conversation): pass
"""
    own_agent = "@pytest.fixture\ndef agent():\n    return lambda text: text\n" if way == "set-up" else ""
    result = played(test_it=source("beforehand", "from grice import BudgetSpent\n" + own + own_agent))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["error: of 2 runs 2 broke; 2 have to pass, *", "run 1: broke: the budget is*"]
    )


@pytest.mark.slow
def test_an_own_agent_of_state_cannot_serve_several_runs(played: Run) -> None:
    own = """
class Bot:
    def chat(self, messages): return "Hi"

@pytest.fixture
def agent():
    return Bot()

@simulated(goal="x", runs=2)
def test_it(conversation): pass
"""
    result = played(test_it=BEFOREHAND + own)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["runs=2: each run needs an agent of its own, *made one Bot: *agent_factory*"]
    )


ASYNC = """
from grice.aio import expect as later

{mark}
@simulated(goal="Say goodbye"{runs})
async def test_it(async_conversation):
    await later(async_conversation).to_have_turn_count(max=2)
    with pytest.raises(RuntimeError, match="arrived finished"):
        await async_conversation.say("x")

{mark}
@simulated(goal="Say goodbye"{runs})
async def test_plain(conversation):
    await later(conversation).to_have_turn_count(max=1)
"""


@pytest.mark.slow
@WAYS
@pytest.mark.parametrize("runs", ["", ", runs=2"])
@pytest.mark.parametrize("runner", ["asyncio", "anyio"])
def test_async_tests_have_theirs_finished_too(played: Run, way: str, runs: str, runner: str) -> None:
    plugin = {"asyncio": "pytest_asyncio.plugin", "anyio": "anyio.pytest_plugin"}[runner]
    text = ASYNC.format(mark=f"@pytest.mark.{runner}", runs=runs)
    backend = "\n@pytest.fixture\ndef anyio_backend(): return 'asyncio'\n"
    own_agent = (
        "@pytest.fixture\ndef agent():\n    return lambda text: f'you said {text}'\n"
        if way == "set-up"
        else ""
    )
    result = played("-p", plugin, "-W", "ignore", test_it=source("beforehand", backend + own_agent + text))
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*turn*"])


@pytest.mark.slow
@pytest.mark.parametrize("runner", ["asyncio", "anyio"])
def test_async_tests_are_told_what_went_wrong_and_called_for_each_run(played: Run, runner: str) -> None:
    plugin = {"asyncio": "pytest_asyncio.plugin", "anyio": "anyio.pytest_plugin"}[runner]
    test = f"""
@pytest.fixture
def anyio_backend(): return "asyncio"

@pytest.mark.{runner}
@simulated(UserScript("Hi", {{"when": "never", "say": "x"}}))
async def test_broken(conversation): pass

@pytest.mark.{runner}
@simulated(goal="Say goodbye", runs=2)
async def test_twice(conversation): assert 0
"""
    result = played("-p", plugin, "-W", "ignore", test_it=BEFOREHAND + test)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines_random(["E   grice.SimulatorError: *", "of 2 runs 2 failed; 2 have to pass"])


WRAPPED = """
class Mine:
    def __init__(self, conversation): self.seen = len(conversation.turns)

@pytest.fixture
def conversation(conversation): return Mine(conversation)

@simulated(goal="Say goodbye", runs={runs})
def test_it(conversation): assert conversation.seen == 2
"""


@pytest.mark.slow
def test_an_own_fixture_may_wrap_the_finished_conversation(played: Run) -> None:
    played(test_it=BEFOREHAND + WRAPPED.format(runs=1)).assert_outcomes(passed=1)
    result = played(test_it=BEFOREHAND + WRAPPED.format(runs=2))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["runs=2: the fixture `conversation` is overridden with something else *"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        "@simulated(goal='x')\ndef test_it(conversation): assert conversation.turns == 3",
        "def test_it(conversation): conversation.simulate(goal='x'); raise KeyError('mine')",
    ],
)
def test_what_was_said_stands_beside_a_failure_that_does_not_say_it(played: Run, test: str) -> None:
    result = played(test_it=BEFOREHAND + test)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*grice: the conversation*", "  1  user       Hi", "     assistant  you said Hi"]
    )


@pytest.mark.slow
def test_what_was_said_before_the_user_broke_off_is_shown(played: Run) -> None:
    own = """
@simulated(UserScript("Hi", {"when": "never", "say": "x"}))
def test_it(conversation): pass
"""
    result = played(test_it=BEFOREHAND + own)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [">   @simulated(UserScript(*", "E   grice.SimulatorError: *", "test_it.py:*: SimulatorError"]
    )
    result.stdout.fnmatch_lines(["*grice: the conversation*", "  1  user *Hi"])
    result.stdout.no_fnmatch_line("*_pytest*")


@pytest.mark.slow
def test_soft_verdicts_fail_it_where_that_is_asked_for(played: Run) -> None:
    soft = LAST.replace("expect=", "evaluate=").replace(',\n            evaluate=[contain("Hi")]', "")
    played(test_it=BEFOREHAND + soft).assert_outcomes(passed=1)
    result = played("--grice-strict-soft", test_it=BEFOREHAND + soft)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["--grice-strict-soft: a soft check did not pass"])


@pytest.mark.slow
@WAYS
def test_it_may_be_expected_to_fail(played: Run, way: str) -> None:
    own = """
from grice import AgentFailed
@pytest.fixture(scope="session")
def agent_factory():
    return lambda context: lambda text: 1 / 0

@pytest.mark.xfail(raises=AgentFailed, strict=True)
@simulated(goal="x")
def test_it(conversation): pass

@pytest.mark.xfail(raises=AgentFailed, strict=True)
@simulated(UserScript("Hi"))
def test_other(conversation): raise KeyError
"""
    played(test_it=source(way, own)).assert_outcomes(xfailed=2)


STATE = """
SAID = {"Hi": 0, "Other": 0}

def agent_of(context):
    def reply(text):
        SAID[text] = SAID.get(text, 0) + 1
        return f"you said {text}"
    return reply

@pytest.fixture(scope="session")
def agent_factory():
    return agent_of

@simulated(goal="greet", state=lambda: dict(SAID))
def test_it(conversation):
    expect(conversation.state).to_have_changed({"Hi": (0, 1), "Bye": "added"}, only=True)
    expect(conversation.state).to_be_unchanged("Hi")
"""


@WAYS
def test_the_state_is_read_before_and_after(played: Run, way: str) -> None:
    result = played(test_it=source(way, STATE))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *the state to be unchanged at 'Hi': Hi: 0 -> 1*"])
    result.stdout.no_fnmatch_line("*to have only changed*")
