"""Judges are asked about many items, each sample a question of its own."""

from __future__ import annotations

import asyncio
import threading

import pytest
from measured_judges import GRADED, KIND, judge_by

from grice import LLMError
from grice.judging.criterion import criterion
from grice.judging.judge import Judge
from grice.loops.background_loop import LoopIsRunning
from grice.records import Outcome
from grice.validation.examples import conversation_of
from grice.validation.judges.items import Item
from grice.validation.judges.judge_calls import UnknownJudge, ask_about, judged_named

ITEMS = [Item(f"i{n}", conversation_of({"user": "Hi", "text": f"Reply {n}"})) for n in range(7)]


def outcomes(judge, judged, **options):
    return [[one.outcome.value for one in some] for some in ask_about(judge, judged, ITEMS, **options)]


def test_the_verdicts_come_in_the_order_of_the_items_one_a_sample():
    judge, llm = judge_by(lambda text, request: int(text[-1]) % 2 == 0 or request.sample == 1)
    found = outcomes(judge, judged_named("kind", {"kind": KIND}), samples=2, concurrency=3)
    assert found == [["pass" if n % 2 == 0 else "fail", "pass"] for n in range(7)]
    assert sorted((one.sample) for one in llm.requests) == [0] * 7 + [1] * 7


def test_each_sample_has_a_seed_of_its_own():
    _, llm = judge_by(lambda *_: True)
    outcomes(Judge(llm, seed=40), judged_named("kind", {"kind": KIND}), samples=3)
    assert sorted({one.seed for one in llm.requests}) == [40, 41, 42]


def test_tell_hears_of_every_answer_as_it_comes():
    judge, _ = judge_by(lambda text, _: LLMError("down") if text.endswith("3") else True)
    told = []
    ask_about(judge, judged_named("kind", {"kind": KIND}), ITEMS, tell=lambda *one: told.append(one))
    assert sorted((item.id, number, verdict.outcome.value) for item, number, verdict in told) == [
        (f"i{n}", 0, "error" if n == 3 else "pass") for n in range(7)
    ]


def test_what_tell_raises_ends_the_asking():
    judge, llm = judge_by(lambda *_: True)

    def full(*_):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        ask_about(judge, judged_named("kind", {"kind": KIND}), ITEMS, concurrency=1, tell=full)
    assert len(llm.requests) == 1


def test_code_is_asked_once_in_the_callers_thread_and_needs_no_llm():
    seen = []

    def is_even(conversation):
        seen.append(threading.current_thread())
        return int(conversation.turns[-1].text[-1]) % 2 == 0

    judged = judged_named("even", {"even": criterion("even", check=is_even)})
    assert outcomes(Judge(None), judged, samples=3) == [["pass" if n % 2 == 0 else "fail"] for n in range(7)]
    assert set(seen) == {threading.current_thread()}
    assert judged.by_code
    assert judged.prompt == ""


def test_without_an_llm_every_verdict_is_an_error_that_says_how_to_have_one():
    found = ask_about(Judge(None), judged_named("naturalness", {}), ITEMS)
    assert {verdict.outcome for (verdict,) in found} == {Outcome.ERROR}
    assert "judge_llm" in found[0][0].reason


@pytest.mark.parametrize(
    ("name", "gate", "prompt"),
    [
        ("kind", 3.5, "criterion_graded"),
        ("naturalness", 3.7, "naturalness"),
        ("guidance", 3.7, "guidance"),
        ("context_use", 3.7, "context_use"),
    ],
)
def test_a_judge_has_the_name_of_its_criterion_or_of_its_prompt(name, gate, prompt):
    judged = judged_named(name, {"kind": GRADED})
    assert (judged.name, judged.gate, judged.prompt) == (name, gate, prompt)
    assert bool(judged.fingerprint) is (name == "kind")


def test_an_unknown_judge_is_told_with_the_nearest_right_name():
    with pytest.raises(UnknownJudge) as refused:
        judged_named("naturalnes", {"kind": KIND})
    assert "'naturalnes' (did you mean 'naturalness'?)" in str(refused.value)
    assert isinstance(refused.value, LookupError)


def test_asking_in_an_event_loop_is_refused():
    judge, _ = judge_by(lambda *_: True)

    async def inside():
        ask_about(judge, judged_named("kind", {"kind": KIND}), ITEMS)

    with pytest.raises(LoopIsRunning):
        asyncio.run(inside())
