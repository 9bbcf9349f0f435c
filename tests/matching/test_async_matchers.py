"""Matchers that are async: waited for by `expect`, pending after `evaluate`, awaited through `grice.aio`."""

import asyncio
import gc
import os
import threading

import pytest

from grice import ExpectationFailed, LoopIsRunning, _runner, aio, evaluate, expect
from grice.loops.background_loop import close_portal
from grice.matchers import Matcher, matcher, satisfy_any
from grice.matching.matcher import REGISTRY
from grice.matching.recording import CURRENT, JUDGE
from grice.matching.waiting import PendingVerdict
from grice.records import Outcome, Verdict, errored, failed, passed
from grice.running.verdict_log import VerdictLog


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    known = dict(REGISTRY)
    monkeypatch.setattr(_runner, "find", None)
    yield
    REGISTRY.clear()
    REGISTRY.update(known)


@pytest.fixture
def log():
    log = VerdictLog("test_it")
    token = CURRENT.set(log)
    yield log
    CURRENT.reset(token)


def long_enough(name="toBeLongEnough", gate=None, where=None, **options) -> Matcher[str]:
    @matcher(name, **options)
    async def be_long_enough(subject: str, ctx) -> Verdict:
        """The text has more than two characters."""
        if where is not None:
            where.append(threading.current_thread().name)
        if gate is not None:
            await asyncio.to_thread(gate.wait, 10)
        await asyncio.sleep(0)
        return passed(f"judge {ctx.judge}") if len(subject) > 2 else failed("too short")

    return be_long_enough()


def test_expect_waits_for_an_async_matcher_on_grices_own_loop(log):
    threads = []
    verdict = expect("long").to(long_enough(where=threads))
    assert verdict.outcome is Outcome.PASS
    assert log.verdicts == [verdict]
    assert threads != [threading.current_thread().name]


def test_a_hard_async_check_that_fails_raises(log):
    with pytest.raises(ExpectationFailed, match="too short") as raised:
        expect("no").to(long_enough())
    assert log.verdicts == [raised.value.verdict]
    assert expect("no").not_to(long_enough()).outcome is Outcome.PASS


def test_evaluate_does_not_wait_and_keeps_the_place_of_its_verdict(log):
    gate = threading.Event()
    pending = evaluate("long").to(long_enough(gate=gate))
    assert isinstance(pending, PendingVerdict)
    evaluate("x").to_contain("x")
    assert log.verdicts[0].outcome is Outcome.ERROR  # until it is settled nobody may take it for green
    gate.set()
    log.settle()
    assert [one.matcher for one in log.verdicts] == ["toBeLongEnough", "toContain"]
    assert [one.outcome for one in log.verdicts] == [Outcome.PASS, Outcome.PASS]


def test_a_pending_verdict_has_the_fields_of_the_settled_one(log):
    pending = evaluate("no").not_to(long_enough(layer=3))
    settled = pending.settle()
    names = Verdict.__struct_fields__
    assert {name: getattr(pending, name) for name in names} == {
        name: getattr(settled, name) for name in names
    }
    assert (settled.outcome, settled.negated, settled.mode, settled.layer) == (Outcome.PASS, True, "soft", 3)


def test_soft_checks_run_at_the_same_time(log):
    barrier = threading.Barrier(3, timeout=10)

    @matcher("toMeetUp")
    async def meet(subject: str, ctx) -> bool:
        await asyncio.to_thread(barrier.wait)
        return True

    for _ in range(3):
        evaluate("x").to(meet())
    log.settle()
    assert [one.outcome for one in log.verdicts] == [Outcome.PASS] * 3


def test_without_a_recorder_a_soft_check_is_waited_for_and_warned_of():
    with pytest.warns(UserWarning, match="no test or conversation records this verdict"):
        verdict = evaluate("long").to(long_enough())
    assert verdict.outcome is Outcome.PASS


@pytest.mark.slow
def test_a_synchronous_hard_check_on_a_running_loop_names_grice_aio(log):
    async def test():
        expect("long").to(long_enough())

    with pytest.raises(LoopIsRunning, match=r"from grice\.aio import expect"):
        asyncio.run(test())
    gc.collect()  # a coroutine that was never awaited would warn


def test_a_soft_check_on_a_running_loop_goes_on_in_the_background(log):
    async def test():
        evaluate("long").to(long_enough())

    asyncio.run(test())
    log.settle()
    assert log.verdicts[0].outcome is Outcome.PASS


def test_aio_awaits_every_check_without_holding_up_the_loop(log):
    gate = threading.Event()

    async def open_later():
        await asyncio.sleep(0)
        gate.set()

    async def test():
        both = await asyncio.gather(aio.expect("long").to(long_enough(gate=gate)), open_later())
        plain = await aio.expect("long").to_contain("lo")
        soft = await aio.evaluate("no").to(long_enough(gate=gate))
        return both[0], plain, soft

    verdicts = asyncio.run(test())
    assert [one.outcome for one in verdicts] == [Outcome.PASS, Outcome.PASS, Outcome.FAIL]
    assert tuple(log.verdicts) == verdicts


def test_aio_raises_when_a_hard_check_fails(log):
    async def test():
        await aio.expect("no").to(long_enough())

    with pytest.raises(ExpectationFailed, match="too short"):
        asyncio.run(test())


def test_values_at_a_path_and_nested_matchers_are_waited_for(log):
    one = long_enough()
    assert expect({"a": ["no", "long"]}, path="$.a[*]").to(one).outcome is Outcome.PASS
    with pytest.raises(ExpectationFailed, match="too short"):
        expect({"a": ["no", "long"]}, path="$.a[*]", match="ALL").to(one)
    assert expect(["no", "long"]).to(satisfy_any(one)).outcome is Outcome.PASS

    async def test():
        at = await aio.expect({"a": ["no", "long"]}, path="$.a[*]").to(one)
        nested = await aio.expect(["no", "long"]).to(satisfy_any(one))
        return at.outcome, nested.outcome

    assert asyncio.run(test()) == (Outcome.PASS, Outcome.PASS)


def test_an_async_matcher_after_nothing_was_said_is_an_error_in_both_polarities(log):
    from grice.records import Conversation

    for wanted in (long_enough(), ~long_enough()):
        verdict = evaluate(Conversation()).to(wanted)
        assert verdict.outcome is Outcome.ERROR
        assert "no turn yet" in verdict.reason


def test_a_matcher_that_wants_a_judge_finds_that_of_the_test_or_of_the_context():
    log = VerdictLog("test_it", judge=lambda: "of the test")
    token = CURRENT.set(log)
    try:
        assert expect("long").to(long_enough(judged=True)).reason == "judge of the test"
        own = JUDGE.set("of the context")
        assert expect("long").to(long_enough(judged=True)).reason == "judge of the context"
        JUDGE.reset(own)
        assert expect("long").to(long_enough("toBeLongToo")).reason == "judge None"
    finally:
        CURRENT.reset(token)


def test_a_judge_that_cannot_be_had_is_an_error_that_says_why():
    def no_judge():
        raise RuntimeError("the fixture judge_llm is broken")

    token = CURRENT.set(VerdictLog("test_it", judge=no_judge))
    try:
        for wanted in (long_enough(judged=True), ~long_enough(judged=True)):
            verdict = evaluate("long").to(wanted)
            assert verdict.outcome is Outcome.ERROR
            assert verdict.reason == "there is no judge: the fixture judge_llm is broken"
    finally:
        CURRENT.reset(token)


def test_hard_verdicts_by_an_llm_are_marked_uncalibrated(log):
    from grice.records import Judgement, Sample

    by_llm = Judgement("criterion", 1, "sha256:0", samples=(Sample({"satisfied": True}),))

    @matcher("toBeJudged")
    async def be_judged(subject: str, ctx) -> Verdict:
        part = Verdict(Outcome.PASS, criterion="friendly", judgement=by_llm)
        return Verdict(Outcome.PASS, parts=(part,)) if subject == "parts" else part

    assert expect("parts").to(be_judged()).uncalibrated
    assert expect("one").to(be_judged()).uncalibrated
    assert not evaluate("one").to(be_judged()).settle().uncalibrated
    assert not expect("one").to_contain("one").uncalibrated
    assert log.verdicts[1].criterion == "friendly"


@pytest.mark.slow
def test_a_check_that_never_answers_is_given_up(log, monkeypatch):
    monkeypatch.setattr("grice.matching.waiting.LONGEST", 0.05)

    @matcher("toHang")
    async def hang(subject: str, ctx) -> bool:
        await asyncio.sleep(60)
        return True

    pending = evaluate("x").to(hang())
    assert pending.outcome is Outcome.ERROR
    assert pending.reason == "the check did not answer within 0.05 s"
    assert pending.claim == "the text to hang"
    with pytest.raises(ExpectationFailed, match="did not answer within"):
        expect("x").not_to(hang())


def hanging(state=None):
    @matcher("toHang")
    async def hang(subject: str, ctx) -> bool:
        try:
            if state is not None:
                state["begun"].set()
            await asyncio.sleep(60)
        finally:
            if state is not None:
                state["ended"].set()
        return True

    return hang()


@pytest.mark.parametrize("negated", [False, True])
def test_a_check_whose_loop_is_closed_is_an_error(log, negated):
    asked = ~hanging() if negated else hanging()
    pending = [evaluate("x").to(asked) for _ in range(3)]
    close_portal()
    log.settle()
    assert [one.outcome for one in (*log.verdicts, *pending)] == [Outcome.ERROR] * 6
    assert pending[0].reason.startswith("the check was broken off before it answered")
    assert pending[0].claim == f"the text {'not ' if negated else ''}to hang"

    async def closes():
        asyncio.get_running_loop().call_later(0.05, close_portal)
        return await aio.evaluate("x").to(asked)

    awaited = asyncio.run(closes())
    assert (awaited.outcome, awaited.claim) == (Outcome.ERROR, pending[0].claim)
    assert expect("long").to(long_enough()).outcome is Outcome.PASS  # on a new one


def test_an_awaited_check_that_never_answers_is_given_up(log, monkeypatch):
    monkeypatch.setattr("grice.matching.waiting.LONGEST", 0.05)

    async def checks():
        return await aio.evaluate("x").not_to(hanging())

    verdict = asyncio.run(checks())
    assert (verdict.outcome, verdict.reason) == (Outcome.ERROR, "the check did not answer within 0.05 s")
    assert verdict.claim == "the text not to hang"


def test_checks_that_nobody_waits_for_any_more_are_ended(log):
    state = {"begun": threading.Event(), "ended": threading.Event()}
    evaluate("x").to(hanging(state))
    assert state["begun"].wait(10)
    log.give_up()
    assert state["ended"].wait(10)
    assert log.verdicts == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # that a process with threads forks
def test_a_check_that_runs_in_another_process_is_an_error_at_once(log):
    pending = evaluate("x").not_to(hanging())
    child = os.fork()
    if child == 0:
        said = pending.outcome is Outcome.ERROR and "before os.fork()" in pending.reason
        os._exit(0 if said else 1)
    assert os.waitpid(child, 0)[1] == 0
    log.give_up()


def test_an_answer_of_an_error_stays_one_under_both_polarities(log):
    @matcher("toBreak")
    async def be_broken(subject: str, ctx) -> Verdict:
        return errored("down")

    assert {evaluate("x").to(m).outcome for m in (be_broken(), ~be_broken())} == {Outcome.ERROR}


def test_a_judge_that_gave_no_answer_had_no_part_in_the_verdict(log):
    from grice.records import Judgement, Sample

    @matcher("toBeAsked")
    async def be_asked(subject: str, ctx) -> Verdict:
        samples = (Sample(error="the judge gave no answer: down"),)
        return Verdict(
            Outcome.ERROR, "down", judgement=Judgement("criterion", 1, "sha256:0", samples=samples)
        )

    with pytest.raises(ExpectationFailed) as raised:
        expect("x").to(be_asked())
    assert not raised.value.verdict.uncalibrated
    assert "judged by" not in str(raised.value)


def test_a_check_that_is_not_awaited_is_no_condition(log):
    for begin in (aio.expect, aio.evaluate):
        check = begin("some text").to_contain("zzz")
        with pytest.raises(TypeError, match="write `await`"):
            assert check
        check.close()


def test_a_check_that_is_awaited_may_be_a_task_or_one_of_several(log):
    async def both():
        task = asyncio.create_task(aio.evaluate("some text").to_contain("some"))
        return await asyncio.gather(task, aio.expect("some text").to_contain("text"))

    assert all(asyncio.run(both()))
