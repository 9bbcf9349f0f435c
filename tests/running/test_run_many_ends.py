"""`grice.run`: what is kept of a run, and every way in which it ends early."""

import asyncio
import signal
import sys
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from typing import ClassVar

import pytest
from simulations import says

import grice
import grice.aio
from grice import (
    Budget,
    BudgetSpent,
    JournalError,
    ScriptedLLM,
    UserScript,
    scenarios,
    topic,
)
from grice.running.events import (
    RunFinished,
)
from grice.running.journal.folders import find_run
from grice.running.journal.reading import read_run
from grice.running.journal.writing import Journal
from grice.running.run_many import plan_of_run
from grice.running.session import Keeping, RunSession

SCRIPT = UserScript("Hi")
MANY = [{"id": f"s{number}", "goal": f"Goal {number}"} for number in range(12)]
JUDGED = {"requirement": "x", "reasoning": "so", "achieved": True}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up and runs are kept."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(given=MANY, checks=(lambda c: True,), *, agent=lambda text: "Yes", user=SCRIPT, **options):
    return grice.run(given, agent, list(checks), user=user, **{"journal": False, **options})


def outcomes(found):
    return {(one.key, one.repeat): str(one.outcome) for one in found.results}


# -- the journal


@pytest.mark.slow
def test_a_run_is_kept_and_can_be_read_again(folder):
    found = run(MANY[:3], journal=True, name="first", repeat=2, seed=7)
    again = read_run(find_run("latest"))
    assert found.folder == folder.joinpath(".grice/runs", found.experiment.id).relative_to(folder)
    assert {(one.key, one.repeat): one for one in again.results} == {
        (one.key, one.repeat): one for one in found.results
    }
    assert (again.experiment.name, again.experiment.planned, again.experiment.seed) == ("first", 6, 7)


def test_a_folder_may_be_named(folder):
    found = run(MANY[:1], journal=folder / "elsewhere")
    assert [one.name for one in (folder / "elsewhere").iterdir()] == [found.experiment.id]
    assert not (folder / ".grice").exists()


def test_nothing_is_kept_unless_asked(folder):
    assert len(run(MANY[:1], journal=False).results) == 1
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_held(folder):
    (folder / "file").write_text("")
    made = []
    with pytest.raises(JournalError, match="file"):
        run(MANY[:1], journal=folder / "file", agent=lambda text: made.append(text) or "Yes")
    assert made == []


def test_a_journal_that_cannot_be_written_any_more_stops_the_run_and_keeps_what_is_finished(monkeypatch):
    from grice.running.journal.writing import Journal

    appended = []
    append = Journal.append

    def full(self, result):
        if len(appended) == 2:
            raise JournalError("main.jsonl: cannot be written: No space left on device")
        append(self, result)
        appended.append(result.key)

    monkeypatch.setattr(Journal, "append", full)
    events = []
    with pytest.raises(JournalError, match="No space left"):
        run(MANY, journal=True, concurrency=3, observers=[events.append])
    assert [one.key for one in read_run(find_run("latest")).results] == appended
    assert isinstance(events[-1], RunFinished)
    assert not events[-1].complete


def test_only_what_is_unfinished_is_held_when_a_run_is_resumed():
    calls = []

    def agent(text):
        calls.append(text)
        return "Yes"

    begun = run(MANY[:2], journal=True, agent=agent)
    events = []
    again = run(MANY[:4], journal=True, agent=agent, resume=begun.experiment.id, observers=[events.append])
    assert len(calls) == 4
    assert set(outcomes(again)) == {(f"s{number}", 1) for number in range(4)}
    assert (events[0].planned, events[0].finished_before) == (4, 2)
    assert again.experiment.id == begun.experiment.id


def test_a_scenario_that_changed_is_held_again():
    begun = run(MANY[:2], journal=True)
    changed = [MANY[0], {**MANY[1], "goal": "Another"}]
    events = []
    again = run(changed, journal=True, resume=begun.experiment.id, observers=[events.append])
    assert events[0].finished_before == 1
    assert len(again.results) == 2
    assert [one.fingerprint for one in again.results] != [one.fingerprint for one in begun.results]


def test_a_run_goes_on_in_its_configuration_unless_it_is_mixed():
    begun = run(MANY[:1], journal=True, seed=1)
    with pytest.raises(JournalError, match="another seed: 1 before, 2 now"):
        run(MANY[:2], journal=True, seed=2, resume=begun.experiment.id)
    mixed = run(MANY[:2], journal=True, seed=2, resume=begun.experiment.id, mix=True)
    assert len(mixed.results) == 2
    assert [head.seed for head in read_run(mixed.folder).heads] == [1, 2]


def test_there_must_be_a_run_to_resume():
    with pytest.raises(JournalError, match="there is no such run"):
        run(MANY[:1], journal=True, resume="exp_none")


def test_a_run_waits_for_the_workers_of_the_one_that_it_resumes():
    """They may outlive the process that began it, and finish something until they end."""
    begun = run(MANY[:2], journal=True)
    worker = Journal.resume(begun.folder, begun.experiment, worker="ray-1")
    late = run(MANY[2:3]).results[0]

    def end():
        worker.append(late)
        worker.close()

    ending = threading.Timer(0.3, end)
    ending.start()
    again = run(MANY[:4], journal=True, resume=begun.experiment.id)
    ending.join()
    assert [len(again.results), again.experiment.finished_before] == [4, 3]
    assert read_run(begun.folder).notes == ()


def test_what_a_run_finished_while_it_was_to_be_resumed_is_not_held_again():
    begun = run(MANY[:2], journal=True)
    keeping = Keeping(resume=begun.experiment.id)
    plan = plan_of_run(MANY[:3], lambda text: "Yes", [lambda c: True], {"user": SCRIPT})
    kept = RunSession(plan.experiment(), plan.works, keeping, lambda event: None)
    run(MANY[:3], journal=True, resume=begun.experiment.id)  # another process, which is faster
    with kept:
        assert kept.left(plan.works) == []


def test_what_is_held_elsewhere_stands_in_the_order_in_which_it_was_planned():
    """Workers of an engine keep what they finish, and send it as they finish it."""
    plan = plan_of_run(MANY[:4], lambda text: "Yes", [lambda c: True], {"user": SCRIPT})
    kept = RunSession(plan.experiment(), plan.works, Keeping(keep=False), lambda event: None)
    with kept:
        kept.hold_elsewhere(reversed(plan.works), 1)
    assert [one.id for one in kept.run.results] == [work.id for work in plan.works]


# -- a budget


class Judging:
    """An LLM of somebody's own, of which nobody knows a script."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = 0

    def complete(self, messages):
        self.asked += 1
        if self.asked > self.answers:
            raise BudgetSpent("the budget is spent: 10 of 10 tokens")
        return JUDGED


@pytest.mark.slow
@pytest.mark.parametrize("how", ["matcher", "test", "soft"])
def test_a_budget_that_the_judge_spends_leaves_conversations_unfinished(how):
    judge = Judging(3)

    def check(conversation):
        grice.expect(conversation).to_have_achieved_goal()

    def soft(conversation):
        grice.evaluate(conversation).to_have_achieved_goal()

    checks = {"matcher": [], "test": [check], "soft": [soft]}[how]
    events = []
    begun = run(MANY, checks, judge_llm=judge, journal=True, concurrency=1, observers=[events.append])
    assert [one.key for one in begun.results] == ["s0", "s1", "s2"]
    assert set(outcomes(begun).values()) == {"pass"}
    assert judge.asked == 4
    assert not events[-1].complete
    again = run(MANY, checks, judge_llm=Judging(100), journal=True, resume=begun.experiment.id)
    assert len(again.results) == 12
    assert set(outcomes(again).values()) == {"pass"}


@pytest.mark.slow
def test_a_budget_that_the_user_spends_leaves_conversations_unfinished():
    class TurnScope:
        def complete(self, messages):
            first = "Nothing has been said yet" in str(messages)
            return says("Hello there") if first else says("", "goal_reached")

    budget = Budget(tokens=1)
    begun = run(MANY, user=None, user_llm=TurnScope(), budget=budget, journal=True, concurrency=1)
    assert begun.results == ()
    again = run(MANY, user=None, user_llm=TurnScope(), journal=True, resume=begun.experiment.id)
    assert len(again.results) == 12


def test_what_is_going_on_when_the_budget_is_spent_is_finished_if_it_can():
    judge = Judging(11)
    found = run(MANY, [], judge_llm=judge, concurrency=12)
    assert len(found.results) == 11


def test_a_script_with_a_budget_goes_through_no_cassette(monkeypatch):
    monkeypatch.setenv("CI", "1")
    judge = ScriptedLLM({"goal": JUDGED})
    found = run(MANY[:2], [], judge_llm=judge, budget=Budget(tokens=10**9))
    assert set(outcomes(found).values()) == {"pass"}


def test_a_judge_that_never_answers_is_given_up(monkeypatch):
    async def hang(request):
        await asyncio.sleep(30)

    monkeypatch.setattr("grice.running.checking.LONGEST", 0.02)
    (result,) = run(MANY[:1], [], judge_llm=ScriptedLLM({"goal": hang})).results
    (verdict,) = result.verdicts
    assert (verdict.outcome, verdict.reason) == ("error", "the check did not answer within 0.02 s")
    assert verdict.claim == "the conversation to have achieved its goal"


@pytest.mark.slow
def test_a_budget_for_topics_leaves_conversations_unfinished():
    class Broke:
        def complete(self, messages):
            raise BudgetSpent("the budget is spent")

    assert run(MANY, topics={topic("a"): topic("b")}, judge_llm=Broke()).results == ()


# -- interrupted


class Guarded:
    """Agents that know who is inside of its `around()`; the third hangs until it is stopped."""

    inside: ClassVar[set] = set()
    left: ClassVar[set] = set()

    def __init__(self, context):
        self.key = context["scenario"]["id"]

    @asynccontextmanager
    async def around(self):
        self.inside.add(self.key)
        try:
            yield
        finally:
            await asyncio.sleep(0)
            self.inside.discard(self.key)
            self.left.add(self.key)

    async def chat(self, messages):
        if self.key in ("s2", "s3"):
            HANGING.append(self.key)
            await asyncio.sleep(30)
        return "Yes"


HANGING = []


@pytest.fixture
def guarded():
    HANGING.clear()
    Guarded.inside.clear()
    Guarded.left.clear()
    return Guarded


def test_a_cancelled_run_leaves_its_conversations_in_an_orderly_way_and_keeps_what_is_finished(guarded):
    events = []

    async def test():
        running = grice.aio.run(
            MANY[:6], guarded, [lambda c: True], user=SCRIPT, concurrency=2, observers=[events.append]
        )
        task = asyncio.create_task(running)
        while len(HANGING) < 2:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert guarded.inside == set()

    asyncio.run(test())
    assert guarded.left == {"s0", "s1", "s2", "s3"}
    assert {one.key for one in read_run(find_run("latest")).results} == {"s0", "s1"}
    assert isinstance(events[-1], RunFinished)
    assert (events[-1].finished, events[-1].complete) == (2, False)


@pytest.fixture
def interrupt():
    """Ctrl-C as soon as two conversations hang."""

    def wait():
        end = time.monotonic() + 60
        while len(HANGING) < 2 and time.monotonic() < end:
            time.sleep(0.001)
        signal.raise_signal(signal.SIGINT) if sys.platform == "win32" else signal.pthread_kill(
            threading.main_thread().ident, signal.SIGINT
        )

    thread = threading.Thread(target=wait)
    yield thread.start
    thread.join()


@pytest.mark.slow
def test_ctrl_c_leaves_every_around_and_keeps_what_is_finished(guarded, interrupt):
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        run(MANY[:6], agent=guarded, concurrency=2, journal=True)
    assert guarded.inside == set()
    assert guarded.left == {"s0", "s1", "s2", "s3"}
    kept = read_run(find_run("latest"))
    assert {one.key for one in kept.results} == {"s0", "s1"}
    again = run(MANY[:2] + MANY[4:6], agent=guarded, journal=True, resume=kept.experiment.id)
    assert {one.key for one in again.results} == {"s0", "s1", "s4", "s5"}


class Plain:
    """The same for tests that hold their conversation themselves, in threads."""

    inside: ClassVar[set] = set()

    def __init__(self, context):
        self.key = context["scenario"]["id"]

    @contextmanager
    def around(self):
        self.inside.add(self.key)
        try:
            yield
        finally:
            self.inside.discard(self.key)

    def chat(self, messages):
        if self.key in ("s2", "s3"):
            HANGING.append(self.key)
            while True:
                time.sleep(0.001)
        return "Yes"


@pytest.mark.parametrize("test", ["plain", "async"])
def test_ctrl_c_leaves_every_around_of_tests_that_hold_their_conversation(interrupt, test):
    HANGING.clear()
    Plain.inside.clear()

    @scenarios(MANY[:4])
    def holds(conversation, scenario):
        conversation.say("Hi")

    @scenarios(MANY[:4])
    async def holds_later(async_conversation, scenario):
        await async_conversation.say("Hi")

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        run(None, [holds if test == "plain" else holds_later], user=None, agent=Plain, concurrency=2)
    assert Plain.inside == set()


def test_an_agent_that_raises_ctrl_c_ends_the_run():
    def agent(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(MANY[:2], agent=agent)


@pytest.mark.slow
def test_a_run_can_follow_a_run_with_the_same_agent_and_llm():
    async def judged(request):
        await asyncio.sleep(0)
        return JUDGED

    judge = ScriptedLLM({"goal": judged})
    for _ in range(2):
        assert set(outcomes(run(MANY, [], judge_llm=judge)).values()) == {"pass"}
