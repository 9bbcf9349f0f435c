"""The same conversation in asynchronous tests, whoever runs them."""

from collections.abc import Callable

import pytest
from inner_projects import Run

STRICT = ("-p", "pytest_asyncio.plugin", "-W", "ignore")
AUTO = (*STRICT, "-o", "asyncio_mode=auto")
ANYIO = ("-p", "anyio.pytest_plugin")

RUNNERS = {
    "asyncio, strict": (STRICT, "@pytest.mark.asyncio"),
    "asyncio, auto": (AUTO, ""),
    "anyio": (ANYIO, "@pytest.mark.anyio"),
}

CHECKED = """
import asyncio
from grice import ExpectationFailed, Outcome
from grice.aio import evaluate as later_evaluate, expect as later_expect

@pytest.fixture
def anyio_backend():
    return "asyncio"

loops = []

@pytest.fixture
def agent():
    async def chat(text):
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return f"you said {{text}}"
    return chat

{mark}
async def test_it(async_conversation):
    reply = await async_conversation.say("Hi")
    assert loops == [asyncio.get_running_loop()]
    verdict = await later_evaluate(reply).to_satisfy("bad manners")
    assert verdict.outcome is Outcome.FAIL
    await later_expect(reply).to_satisfy("It is kind.", "It is good.")
    await later_expect(reply).to_contain("Hi")
    expect(reply).to_contain("Hi")
    with pytest.raises(ExpectationFailed):
        await later_expect(reply).not_to_satisfy("It is kind.")

def test_plain(conversation):
    reply = conversation.say("Hi")
    expect(reply).to_satisfy("It is kind.")
    evaluate(reply).to_satisfy("bad manners")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("args", "mark"), RUNNERS.values(), ids=RUNNERS.keys())
def test_say_and_checks_are_awaited_on_the_test_s_own_loop(
    judged: Run, asked: Callable[[], list[str]], args: tuple[str, ...], mark: str
) -> None:
    result = judged(*args, "-p", "no:randomly", "--grice-record", test_it=CHECKED.format(mark=mark))
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "hard checks: 4 pass, 1 fail (1 not passing in tests that passed)",
            "soft checks: 2 fail",
            "test_it.py::test_it",
            "  soft fail         turn 1: satisfy 'bad manners'* (2 times)",
        ]
    )
    asked()
    judged(*args, "--grice-record=none").assert_outcomes(passed=2)
    assert asked() == []


WRONG = """
import grice.aio

@pytest.mark.asyncio
async def test_say(conversation):
    conversation.say("Hi")

@pytest.mark.asyncio
async def test_check(async_conversation):
    expect(await async_conversation.say("Hi")).to_satisfy("It is kind.")

@pytest.mark.asyncio
async def test_text():
    expect("some text").to_satisfy("It is kind.")
"""


@pytest.mark.slow
def test_what_would_hold_up_the_loop_says_which_fixture_and_module_to_use(judged: Run) -> None:
    result = judged(*STRICT, "-p", "no:randomly", test_it=WRONG)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "E *grice.LoopIsRunning: *take the fixture async_conversation *grice.aio*",
            "E *grice.LoopIsRunning: *from grice.aio import expect*await expect(...)*async_conversation",
            "E *grice.LoopIsRunning: *from grice.aio import expect*",
        ]
    )


def test_soft_checks_without_await_are_settled_in_the_test(judged: Run) -> None:
    result = judged(
        *STRICT,
        test_it="""
@pytest.mark.asyncio
async def test_it(async_conversation):
    evaluate(await async_conversation.say("Hi")).to_satisfy("bad manners")
""",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 1 fail"])


AROUND = """
events = []

class Bot:
    {kind}def chat(self, messages):
        events.append("chat")
        return "Hello"

    def around(self):
        from contextlib import asynccontextmanager
        @asynccontextmanager
        async def around():
            events.append("in")
            yield
            events.append("out")
        return around()

@pytest.fixture
def agent():
    return Bot()

@pytest.mark.asyncio
async def test_entered(async_conversation):
    async with async_conversation:
        await async_conversation.say("Hi")
    assert events == ["in", "chat", "out"]

@pytest.mark.asyncio
async def test_not_entered(async_conversation):
    await async_conversation.say("Hi")
"""


@pytest.mark.parametrize("kind", ["", "async "])
def test_an_asynchronous_around_is_entered_by_the_test(run: Run, kind: str) -> None:
    result = run(*STRICT, "-p", "no:randomly", test_it=AROUND.format(kind=kind))
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["E *RuntimeError: around() of Bot is asynchronous: *async with conversation:*"]
    )


JUDGE = """
import pytest_asyncio
from judges import Kind
from grice.aio import evaluate as later

made = []

@pytest_asyncio.fixture
async def judge_llm():
    import asyncio
    await asyncio.sleep(0)
    made.append(1)
    return Kind()

@pytest.mark.asyncio
async def test_requested(async_conversation, judge_llm):
    verdict = await later(await async_conversation.say("Hi")).to_satisfy("It is kind.")
    assert verdict.outcome == "pass", verdict

@pytest.mark.asyncio
async def test_not_requested(async_conversation):
    verdict = await later(await async_conversation.say("Hi")).to_satisfy("It is kind.")
    assert verdict.outcome == "error"
    assert "request judge_llm in the test's arguments" in verdict.reason, verdict.reason

def test_plain(conversation):
    assert evaluate(conversation.say("Hi")).to_satisfy("It is kind.").outcome == "pass"
"""


def test_an_asynchronous_judge_fixture_is_to_be_requested_by_asynchronous_tests(judged: Run) -> None:
    judged(*STRICT, test_it=JUDGE).assert_outcomes(passed=3)


def test_a_judge_is_asked_from_another_loop_and_from_many_tasks(judged: Run) -> None:
    result = judged(
        test_it="""
import asyncio
from grice import aio

def test_loop_in_a_thread(conversation):
    reply = conversation.say("Hi")
    async def check():
        checks = [aio.evaluate(reply).to_satisfy(f"It is kind, number {n}.") for n in range(20)]
        return await asyncio.gather(*checks)
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor() as pool:
        verdicts = pool.submit(asyncio.run, check()).result()
    assert {one.outcome.value for one in verdicts} == {"pass"}

def test_own_loop():
    async def check():
        await aio.expect("Welcome!").to_satisfy("It is kind.")
    asyncio.run(check())
"""
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["hard checks: 1 pass", "soft checks: 20 pass"])


@pytest.mark.slow
def test_under_trio_the_same_holds(judged: Run) -> None:
    pytest.importorskip("trio")
    result = judged(
        *ANYIO,
        test_it="""
from grice.aio import expect as later

@pytest.fixture
def anyio_backend():
    return "trio"

@pytest.fixture
def agent():
    async def chat(text):
        import trio
        await trio.sleep(0)
        return f"you said {text}"
    return chat

@pytest.mark.anyio
async def test_it(async_conversation):
    await later(await async_conversation.say("Hi")).to_satisfy("It is kind.")
""",
    )
    result.assert_outcomes(passed=1)


FORGOTTEN = """
from grice import aio

@pytest.mark.asyncio
async def test_hard(async_conversation):
    reply = await async_conversation.say("Hi")
    aio.expect(reply).to_contain("nothing")

@pytest.mark.asyncio
async def test_soft(async_conversation):
    reply = await async_conversation.say("Hi")
    aio.evaluate(reply).to_satisfy("It is kind.")
    await aio.expect(reply).to_contain("Hi")
"""


def test_a_check_that_nobody_awaits_fails_the_test_or_is_a_soft_error(judged: Run) -> None:
    result = judged(*STRICT, "-p", "no:randomly", test_it=FORGOTTEN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "a check was not made",
            "error        *the reply to contain 'nothing'",
            "    the check was never made: write `await` before expect(...) and evaluate(...)",
            "hard checks: 1 pass, 1 error",
            "soft checks: 1 error",
        ]
    )


LEFT_ALONE = """
import asyncio
from grice import aio
from grice.matchers import matcher

@matcher("toTakeItsTime")
async def take_its_time(subject: str, ctx):
    await asyncio.sleep(60)
    return True

@pytest.mark.asyncio
async def test_task(async_conversation):
    reply = await async_conversation.say("Hi")
    task = asyncio.create_task(aio.expect(reply.text).to(take_its_time()))
    await asyncio.sleep(0)
    task.cancel()

@pytest.mark.asyncio
async def test_not_begun(async_conversation):
    reply = await async_conversation.say("Hi")
    asyncio.create_task(aio.expect(reply).to_contain("nothing")).cancel()
"""


def test_a_check_that_is_cancelled_is_no_pass(judged: Run) -> None:
    result = judged(*STRICT, "-p", "no:randomly", test_it=LEFT_ALONE)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["    the check was not awaited to its end: *", "hard checks: 2 error"])
