"""Cassettes of runs: the same transcripts and verdicts again."""

import random

import pytest
from simulations import says

import grice
from grice import BudgetSpent, ScriptedLLM
from grice.matchers import have_achieved_goal

GIVEN = [{"id": f"s{number}", "goal": f"Book room {number}"} for number in range(4)]


class Model:
    """An LLM that says something else each time, and counts what it was asked."""

    def __init__(self):
        self.asked = 0
        self.draw = random.Random(1)

    def complete(self, messages, purpose="", seed=None):
        self.asked += 1
        number = self.draw.randrange(10**9)
        if purpose == "user":
            first = "Nothing has been said yet" in str(messages)
            done = "no" if first or number % 3 else "goal_reached"
            return says(f"This is message {number} with {seed}", done, f"because {number}")
        return {"requirement": "x", "reasoning": f"reason {number}", "achieved": number % 2 == 0}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings and cassettes are."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(given, model, **options):
    return grice.run(
        given,
        lambda text: f"You said: {text}",
        [have_achieved_goal()],
        judge_llm=model,
        user_llm=model,
        journal=False,
        **options,
    )


def told(found):
    """Everything that was said and judged, by scenario and repeat."""
    return {
        (one.key, one.repeat): (
            [(turn.user, turn.text) for turn in one.conversation.turns],
            [(sim.termination, sim.reason, sim.asked) for sim in one.conversation.simulations],
            [(str(verdict.outcome), verdict.reason) for verdict in one.verdicts],
            str(one.outcome),
        )
        for one in found.results
    }


@pytest.mark.slow
def test_a_run_is_recorded_and_played_again_in_any_order(folder):
    model = Model()
    recorded = told(run(GIVEN, model, record="once", seed=7, repeat=2))
    assert len({str(one) for one in recorded.values()}) > 1
    assert len(list(folder.rglob("*.jsonl"))) == 8
    asked = model.asked
    for order, concurrency in ((GIVEN, 1), (random.Random(3).sample(GIVEN, len(GIVEN)), 8)):
        again = run(order, model, record="none", seed=7, repeat=2, concurrency=concurrency)
        assert told(again) == recorded
    assert model.asked == asked


@pytest.mark.slow
def test_a_part_of_the_scenarios_is_played_as_it_was():
    recorded = told(run(GIVEN, Model(), record="once"))
    again = told(run(GIVEN[2:3], Model(), record="none"))
    assert again == {key: recorded[key] for key in again}
    assert len(again) == 1


def test_nothing_is_asked_live_where_the_cassette_has_another_seed():
    run(GIVEN[:1], Model(), record="once", seed=7)
    model = Model()
    (result,) = run(GIVEN[:1], model, record="none", seed=8).results
    assert model.asked == 0
    assert (result.outcome, result.counts) == ("error", False)
    assert "seed" in result.verdicts[0].reason


@pytest.mark.slow
def test_a_recorded_conversation_needs_no_llm(monkeypatch):
    monkeypatch.setenv("CI", "1")
    recorded = told(run(GIVEN[:2], Model(), record="once"))
    again = grice.run(GIVEN[:2], lambda text: f"You said: {text}", [have_achieved_goal()], journal=False)
    assert told(again) == recorded


@pytest.mark.slow
def test_calls_that_nobody_makes_any_more_are_told():
    run(GIVEN[:1], Model(), record="once")
    shorter = grice.run(
        GIVEN[:1], lambda text: f"You said: {text}", [lambda c: True], journal=False, record="none"
    )
    (result,) = shorter.results
    assert result.outcome == "error"
    assert result.verdicts[-1].claim == "the cassette to fit the conversation"


def test_a_script_needs_no_cassette(folder):
    llm = ScriptedLLM({"goal": {"requirement": "x", "reasoning": "so", "achieved": True}})
    options = {"user": grice.UserScript("Hi"), "judge_llm": llm, "journal": False, "record": "once"}
    grice.run(GIVEN, lambda text: "Yes", **options)
    assert list(folder.iterdir()) == []


class Judge:
    """A judge that anybody may have, with a budget or without."""

    def __init__(self, *, spent):
        self.spent = spent

    def complete(self, messages):
        if self.spent:
            raise BudgetSpent("the budget is spent: 10 of 10 tokens")
        return {"requirement": "x", "reasoning": "so", "achieved": True}


@pytest.mark.slow
def test_what_a_spent_budget_left_unfinished_is_recorded_when_the_run_goes_on(folder):
    def go_on(judge, **options):
        options |= {"user_llm": Model(), "judge_llm": judge, "record": "once", "seed": 7}
        return grice.run(GIVEN, lambda text: f"You said: {text}", [have_achieved_goal()], **options)

    begun = go_on(Judge(spent=True))
    assert begun.results == ()
    assert list(folder.glob("cassettes/**/*.jsonl")) == []
    again = go_on(Judge(spent=False), resume=begun.experiment.id)
    assert {str(one.outcome) for one in again.results} == {"pass"}
    assert len(again.results) == len(list(folder.glob("cassettes/**/*.jsonl"))) == len(GIVEN)
