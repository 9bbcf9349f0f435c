"""Experiments of a runner of one's own: what is recorded stands in the journal, and is all that counts."""

import json
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import grice
import grice.matchers
from grice.experiments.loading import results_in
from grice.experiments.recording import recording
from grice.experiments.recording.recording import (
    ExperimentError,
    Recording,
    current_experiment,
    finish_experiment,
    record_result,
    start_experiment,
)
from grice.experiments.unfinished import why_not_finished
from grice.matching.failure import ExpectationFailed
from grice.records import Conversation, Message, Outcome, Result, Scenario, Turn, Verdict
from grice.running.journal import folders
from grice.running.journal.experiment import new_experiment
from grice.running.journal.folders import session_began, session_ended
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal


@pytest.fixture(autouse=True)
def nothing_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test knows of no experiment, whatever runs around it."""
    monkeypatch.setattr(recording, "_current", recording._Current())
    monkeypatch.setattr(folders, "_folders", [])


@pytest.fixture
def started(tmp_path: Path) -> Recording:
    return start_experiment("Prompt v1", ("main",), store=tmp_path, id="exp_1")


def result(key: str, outcome: Outcome = Outcome.PASS, repeat: int = 1, **fields: object) -> Result:
    return Result(f"example:{key}", key, outcome, Conversation(), repeat=repeat, **fields)  # type: ignore[arg-type]


def said(reply: str) -> Conversation:
    return Conversation(turns=(Turn(1, (Message("user", "A room"), Message("assistant", reply))),))


def test_what_was_recorded_is_read_from_the_folder_later(tmp_path: Path) -> None:
    start_experiment("Prompt v1", ("main", "v1"), store=tmp_path, agent="rooms", seed=7)
    record_result(result("red"))
    record_result(result("blue", Outcome.FAIL, failure="assertion"))
    finished = finish_experiment()

    read = grice.read_experiment("latest", runs=tmp_path)
    for one in (finished, read):
        assert (one.name, one.experiment.tags, one.experiment.agent) == ("Prompt v1", ("main", "v1"), "rooms")
        assert one.experiment.seed == 7
        assert one.completion_rate == 0.5
        assert one.complete
        assert one.source == str(tmp_path / one.id)
    assert finished.attempts == read.attempts
    assert finished.notes == read.notes == ()
    assert finished.planned == read.planned == 2


def test_without_a_folder_it_goes_where_runs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = start_experiment()
    assert run.folder == Path(".grice", "runs", run.experiment.id)
    run.record(result("red"))
    run.finish()
    assert len(grice.read_experiment().attempts) == 1


def test_nothing_is_written_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with start_experiment(store=False) as run:
        run.record(result("red"))
        assert run.folder is None
    assert not list(tmp_path.iterdir())


def test_a_result_is_in_the_journal_when_record_returns(started: Recording, tmp_path: Path) -> None:
    started.record(result("red"))
    assert [one.key for one in results_in(tmp_path / "exp_1").attempts] == ["red"]


def test_the_current_experiment_is_what_is_recorded_so_far(started: Recording) -> None:
    before = current_experiment()
    started.record(result("red"))
    assert len(before.attempts) == 0
    assert before.completion_rate is None
    assert current_experiment().completion_rate == 1.0
    assert not current_experiment().complete
    assert current_experiment().id == "exp_1"


AGAIN = "red: repeat 1 of this scenario is recorded already: give each attempt .* such as repeat=3$"


def test_a_second_of_the_same_id_and_repeat_is_refused(started: Recording, tmp_path: Path) -> None:
    started.record(result("red", Outcome.FAIL, failure="assertion"))
    started.record(result("red", repeat=2))
    written = (tmp_path / "exp_1" / "main.jsonl").read_bytes()
    with pytest.raises(ExperimentError, match=AGAIN):
        started.record(result("red"))
    assert (tmp_path / "exp_1" / "main.jsonl").read_bytes() == written
    finished = started.finish()
    read = results_in(tmp_path / "exp_1")
    assert finished.completion_rate == read.completion_rate == 0.5
    assert len(finished.attempts) == len(read.attempts) == finished.planned == 2
    assert finished.complete
    assert finished.notes == read.notes == ()


def test_an_attempt_that_was_made_already_does_not_begin(started: Recording, tmp_path: Path) -> None:
    for repeat in (1, 2):
        with started.attempt("red", said("No."), repeat=repeat):
            grice.expect("No.").to_contain("booked")
    written = (tmp_path / "exp_1" / "main.jsonl").read_bytes()
    with pytest.raises(ExperimentError, match=AGAIN), started.attempt("red", said("Yes.")):
        raise NotImplementedError("the block does not begin")
    assert (tmp_path / "exp_1" / "main.jsonl").read_bytes() == written
    assert started.finish().completion_rate == 0.0


def test_an_attempt_that_goes_on_is_not_made_twice(started: Recording) -> None:
    with started.attempt("red", said("No.")) as attempt:
        with pytest.raises(ExperimentError, match=r"red: repeat 1 of this scenario is being recorded: .*=2$"):
            started.attempt("red", said("Yes.")).__enter__()
        grice.expect("No.").to_contain("booked")
    assert attempt.result is not None
    assert started.results.completion_rate == 0.0


def test_a_repeat_that_there_is_not_is_refused(started: Recording) -> None:
    with pytest.raises(ValueError, match="red: repeats count from 1, found -3"):
        started.record(result("red", repeat=-3))
    assert started.results.attempts == ()


def test_a_recording_that_died_is_not_all_there_is(tmp_path: Path) -> None:
    run = start_experiment(store=tmp_path, id="exp_1")
    run.record(result("red"))
    said = "its recording was never finished (grice.finish_experiment)"
    assert why_not_finished(run.results) == why_not_finished(results_in(tmp_path / "exp_1")) == (said,)
    assert why_not_finished(run.finish()) == why_not_finished(results_in(tmp_path / "exp_1")) == ()


def test_fewer_than_were_planned_are_not_complete(tmp_path: Path) -> None:
    run = start_experiment(store=tmp_path, planned=2, id="exp_1")
    run.record(result("red"))
    assert not run.finish().complete
    read = results_in(tmp_path / "exp_1")
    assert (read.planned, read.complete) == (2, False)


def test_an_experiment_of_nothing_is_not_complete(started: Recording, tmp_path: Path) -> None:
    finished = started.finish()
    assert not finished.complete
    assert finished.completion_rate is None
    assert not results_in(tmp_path / "exp_1").complete


@pytest.mark.parametrize("store", [True, False])
def test_what_it_gives_later_is_what_finishing_it_gave(tmp_path: Path, store: bool) -> None:
    with start_experiment(store=tmp_path if store else False) as run:
        run.record(result("red"))
        assert not run.results.complete
    assert run.results.complete
    assert (run.results.planned, why_not_finished(run.results)) == (1, ())
    other = start_experiment(store=False)
    other.record(result("red"))
    assert other.finish().heads == other.results.heads
    assert grice.compare(run.results, other.results).comparability.level == "HIGH"


def test_a_with_block_finishes_it(tmp_path: Path) -> None:
    with start_experiment(store=tmp_path, id="exp_1") as run:
        run.record(result("red"))
    assert results_in(tmp_path / "exp_1").complete
    with start_experiment(store=tmp_path, id="exp_2") as run:
        run.finish()
    assert repr(run) == "<Recording exp_2: 0 attempts, ended>"


def test_an_exception_leaves_it_unfinished_and_says_so(tmp_path: Path) -> None:
    run = start_experiment(store=tmp_path, id="exp_1")

    def stopped() -> None:
        with run:
            run.record(result("red"))
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError) as raised:
        stopped()
    assert raised.value.__notes__ == [
        f"the experiment exp_1 is unfinished; what was recorded (1) is kept in {tmp_path / 'exp_1'}"
    ]
    read = results_in(tmp_path / "exp_1")
    assert len(read.attempts) == 1
    assert not read.complete
    with pytest.raises(ExperimentError, match="exp_1 is finished, and takes no more"):
        run.record(result("blue"))
    start_experiment(store=False)


def test_two_at_once_are_refused(started: Recording) -> None:
    with pytest.raises(ExperimentError, match="exp_1 is being recorded: finish it before another is started"):
        start_experiment()
    started.finish()
    start_experiment(store=False).finish()


def test_one_that_could_not_be_begun_is_not_current(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(JournalError, match="no journal can be written here"):
        start_experiment(store=file)
    with pytest.raises(ExperimentError, match="no experiment is being recorded; begin one"):
        record_result(result("red"))


def test_an_id_that_is_there_already_is_refused(tmp_path: Path) -> None:
    start_experiment(store=tmp_path, id="exp_1").finish()
    with pytest.raises(JournalError, match="there is a journal already; resume it, or take another id"):
        start_experiment(store=tmp_path, id="exp_1")


@pytest.mark.parametrize("asked", [lambda: record_result(result("red")), finish_experiment])
def test_without_a_start_they_say_how(asked: object) -> None:
    with pytest.raises(
        ExperimentError, match=r"no experiment is being recorded; begin one with grice\.start"
    ):
        asked()  # type: ignore[operator]


def test_after_its_end_they_say_that_it_has_ended(started: Recording) -> None:
    started.finish()
    with pytest.raises(
        ExperimentError, match="record_result: no experiment is being recorded: exp_1 is fini"
    ):
        record_result(result("red"))
    with pytest.raises(ExperimentError, match="there is no current experiment: exp_1 is finished; begin one"):
        current_experiment()
    with pytest.raises(ExperimentError, match="exp_1 is finished, and takes no more"):
        started.finish()


def test_only_results_are_recorded(started: Recording) -> None:
    with pytest.raises(TypeError, match=r"an experiment records a grice\.Result, found dict"):
        started.record({"passed": True})  # type: ignore[arg-type]


def test_a_negative_plan_is_refused() -> None:
    for given, error, message in _WRONG:
        with pytest.raises(error, match=f"^{message}$"):
            start_experiment(**given)
    with pytest.raises(ValueError, match="planned is a number of results, found -1"):
        start_experiment(planned=-1)


def test_a_single_tag_is_one() -> None:
    assert start_experiment(tags="nightly", store=False).experiment.tags == ("nightly",)


def test_clock_and_id_are_given() -> None:
    run = start_experiment(store=False, id="exp_9", clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))
    assert (run.experiment.id, run.experiment.timestamp) == ("exp_9", "2026-01-02T00:00:00.000Z")


def test_criteria_and_topics_are_in_its_head_as_in_that_of_other_runs(tmp_path: Path) -> None:
    brief = grice.criterion("brief", check=lambda conversation: len(conversation.turns) < 3)
    asking, offering = grice.topic("asking"), grice.topic("offering")
    graph: dict[grice.Topic, object] = {asking: offering, offering: ()}
    run = start_experiment(store=False, criteria=[brief], topics=graph)
    held = grice.run(
        [{"id": "a", "goal": "A room"}],
        lambda text: text,
        [grice.matchers.contain("room")],
        user=grice.UserScript("A room"),
        criteria=[brief],
        topics=graph,
        ask=False,
        journal=False,
    )
    for name in ("criteria", "criteria_hash", "topic_graph", "topic_graph_hash"):
        assert getattr(run.experiment, name)
        assert getattr(run.experiment, name) == getattr(held.experiment, name)


def test_what_is_no_graph_and_no_criterion_is_refused() -> None:
    with pytest.raises(grice.TopicGraphError):
        start_experiment(store=False, topics=3)
    with pytest.raises(grice.CriterionError):
        start_experiment(store=False, criteria=["friendly"])  # type: ignore[list-item]
    start_experiment(store=False)


KILLED = """
import os, signal, sys
import grice
from grice import Conversation, Outcome, Result

run = grice.start_experiment(store=sys.argv[1], id="exp_1")
for number in range(10):
    run.record(Result(f"example:{number}", str(number), Outcome.PASS, Conversation()))
    if number == 6:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_runner_that_is_killed_in_an_attempt_has_begun_it(tmp_path: Path) -> None:
    code = (KILLED_INSIDE, str(tmp_path))
    done = subprocess.run([sys.executable, "-c", *code], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    read = results_in(tmp_path / "exp_1")
    assert (len(read.attempts), read.unfinished) == (1, ("blue (repeat 2)",))
    assert why_not_finished(read) == (
        "1 of 2 conversations were not finished; a recording cannot be resumed: record it again",
        "begun and not finished: blue (repeat 2)",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_runner_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    read = results_in(tmp_path / "exp_1")
    assert [one.key for one in read.attempts] == [str(number) for number in range(7)]
    assert not read.complete


KILLED_INSIDE = """
import os, signal, sys
import grice

run = grice.start_experiment(store=sys.argv[1], id="exp_1", planned=2)
said = grice.read_conversation([{"role": "user", "content": "A"}, {"role": "assistant", "content": "B"}])
with run.attempt("red", said):
    grice.expect("B").to_contain("B")
with run.attempt("blue", said, repeat=2):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_threads_record_at_once(started: Recording, tmp_path: Path) -> None:
    def some(number: int) -> None:
        for repeat in range(1, 26):
            started.record(result(f"scenario {number}", repeat=repeat))

    threads = [threading.Thread(target=some, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started.finish().attempts) == 200
    read = results_in(tmp_path / "exp_1")
    assert len({(one.id, one.repeat) for one in read.attempts}) == 200
    assert read.complete
    assert read.notes == ()


def test_a_result_that_cannot_be_written_does_not_count(started: Recording) -> None:
    started.record(result("red"))
    assert started._journal is not None
    started._journal.close()
    with pytest.raises(JournalError, match="the journal is closed"):
        started.record(result("blue"))
    assert [one.key for one in started.results.attempts] == ["red"]


# The running pytest session.


def test_a_session_is_read_from_its_folder_with_all_workers(tmp_path: Path) -> None:
    head = new_experiment(id="exp_7", planned=3)
    session_began(tmp_path)
    with pytest.raises(ExperimentError, match="nothing is recorded yet: no test of this session has begun"):
        current_experiment()
    for worker in ("gw0", "gw1"):
        with Journal.create(tmp_path, head, worker=worker) as journal:
            journal.append(result(worker))
    assert [one.key for one in current_experiment().attempts] == ["gw0", "gw1"]
    with pytest.raises(ExperimentError, match="pytest keeps the results of its tests itself, in "):
        record_result(result("red"))
    session_ended(tmp_path)
    with pytest.raises(ExperimentError, match=r"there is no current experiment; begin one .* --grice-store"):
        current_experiment()
    session_ended(tmp_path)


def test_the_inner_of_two_sessions_is_current(tmp_path: Path) -> None:
    for name in ("outer", "inner"):
        session_began(tmp_path / name)
        Journal.create(tmp_path / name, new_experiment(id=f"exp_{name}")).close()
    assert current_experiment().id == "exp_inner"
    session_ended(tmp_path / "inner")
    assert current_experiment().id == "exp_outer"


def test_what_was_started_goes_before_the_session(started: Recording, tmp_path: Path) -> None:
    session_began(tmp_path)
    assert current_experiment().id == "exp_1"


# Attempts whose checks are collected.


def test_the_checks_of_a_block_are_one_attempt(started: Recording, tmp_path: Path) -> None:
    scenario = Scenario("red", {"id": "red", "name": "The Red Room"}, set_name="rooms", file="rooms.json")
    conversation = said("The Red Room is booked.")
    with started.attempt(scenario, conversation, repeat=2) as attempt:
        grice.evaluate(conversation.turns[0].text).to_contain("Blue")
        grice.expect(conversation.turns[0].text).to_contain("booked")
    assert attempt.result is not None
    assert attempt.result.outcome is Outcome.PASS
    assert attempt.result.conversation == conversation
    assert [(one.mode, one.outcome.value) for one in attempt.result.verdicts] == [
        ("soft", "fail"),
        ("hard", "pass"),
    ]
    (kept,) = results_in(tmp_path / "exp_1").attempts
    assert (kept.key, kept.set_name, kept.repeat, kept.name) == ("red", "rooms", 2, "The Red Room")
    assert kept.fingerprint.startswith("sha256:")
    assert kept.counted


def test_an_attempt_has_the_stable_id_of_its_set_and_key(started: Recording) -> None:
    conversation = said("Hello")
    for repeat in (1, 2):
        with started.attempt("red", conversation, suite="rooms", repeat=repeat):
            grice.expect("Hello").to_contain("Hello")
    with started.attempt(Scenario("red", {"id": "red", "new": 1}, set_name="rooms"), conversation, repeat=3):
        grice.expect("Hello").to_contain("Hello")
    assert {one.id for one in started.results.attempts} == {
        grice.read_experiment(str(started.folder)).attempts[0].id
    }


def test_a_failed_check_ends_the_block_and_not_the_runner(started: Recording) -> None:
    for key in ("red", "blue"):
        with started.attempt(key, said("No.")) as attempt:
            grice.expect("No.").to_contain("booked")
            raise NotImplementedError("nothing behind the check runs")
        assert attempt.result is not None
        assert (attempt.result.outcome, attempt.result.failure) == (Outcome.FAIL, "assertion")
        assert len(attempt.result.verdicts) == 1
    assert started.results.completion_rate == 0.0


def test_an_assertion_is_a_failed_check(started: Recording) -> None:
    with started.attempt("red", said("No.")) as attempt:
        assert "booked" in "No.", "no booking"
    assert attempt.result is not None
    assert attempt.result.outcome is Outcome.FAIL
    assert attempt.result.verdicts[0].claim == "red to hold"
    assert "no booking" in attempt.result.verdicts[0].reason


def test_a_failure_whose_verdict_went_elsewhere_is_kept(started: Recording) -> None:
    verdict = Verdict(Outcome.FAIL, "found no", claim="the reply to say yes", mode="hard")
    with started.attempt("red", said("No.")) as attempt:
        raise ExpectationFailed("the reply says no", verdict)
    assert attempt.result is not None
    assert attempt.result.verdicts == (verdict,)


def test_another_exception_is_an_error_and_goes_on(started: Recording) -> None:
    with pytest.raises(KeyError), started.attempt("red", said("No.")):
        raise KeyError("name")
    (kept,) = started.results.attempts
    assert kept.outcome is Outcome.ERROR
    assert not kept.counted
    assert "the runner raised KeyError" in kept.why


def test_an_interrupted_attempt_is_not_recorded(started: Recording, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), started.attempt("red", said("No.")):
        raise KeyboardInterrupt
    assert started.results.attempts == ()
    assert started.results.unfinished == results_in(tmp_path / "exp_1").unfinished == ("red",)
    with started.attempt("red", said("No.")):
        grice.expect("No.").to_contain("No")
    assert started.results.unfinished == results_in(tmp_path / "exp_1").unfinished == ()


def test_what_was_begun_and_not_finished_leaves_the_experiment_incomplete(
    started: Recording, tmp_path: Path
) -> None:
    started.record(result("blue"))
    with pytest.raises(KeyboardInterrupt), started.attempt("red", said("No.")):
        raise KeyboardInterrupt
    finished, read = started.finish(), results_in(tmp_path / "exp_1")
    for one in (finished, read):
        assert (one.planned, one.complete) == (2, False)
        assert why_not_finished(one)[1] == "begun and not finished: red"


def test_an_attempt_without_checks_has_not_passed(started: Recording) -> None:
    with started.attempt("red", said("No.")) as attempt:
        pass
    assert attempt.result is not None
    assert attempt.result.outcome is Outcome.INCONCLUSIVE


def test_asserts_of_a_block_that_held_are_not_seen_and_the_reason_says_so(
    started: Recording, tmp_path: Path
) -> None:
    with started.attempt("red", said("No.")) as attempt:
        assert attempt.result is None  # plain, and it holds
    finished = started.finish()
    for one in (finished, results_in(tmp_path / "exp_1")):
        assert one.attempts[0].outcome is Outcome.INCONCLUSIVE
        assert one.attempts[0].why == "no check of Grice was made; plain asserts are not seen"
        assert one.completion_rate is None


def test_a_live_conversation_is_taken_as_it_ended(started: Recording) -> None:
    live = grice.LiveConversation(lambda text: "The Red Room is booked.")
    with started.attempt("red", live) as attempt:
        reply = live.say("The Red Room, please")
        grice.expect(reply).to_contain("booked")
    assert attempt.result is not None
    assert attempt.result.outcome is Outcome.PASS
    assert len(attempt.result.conversation.turns) == 1


def test_an_agent_that_fails_is_the_outcome(started: Recording) -> None:
    def broken(text: str) -> str:
        raise OSError("no connection")

    live = grice.LiveConversation(broken)
    with started.attempt("red", live) as attempt:
        live.say("The Red Room, please")
    assert attempt.result is not None
    assert (attempt.result.outcome, attempt.result.failure) == (Outcome.ERROR, "error")
    assert attempt.result.counts
    assert started.results.completion_rate == 0.0


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            {"conversation": [{"role": "user", "content": "Hi"}]},
            TypeError,
            r"an attempt is made of a Conversation, found list; grice\.rea",
        ),
        ({"repeat": 0}, ValueError, "^repeats count from 1, found 0"),
        ({"repeat": "2"}, TypeError, "^repeats are numbers from 1, found str$"),
        ({"repeat": True}, TypeError, "^repeats are numbers from 1, found bool$"),
        (
            {"scenario": None},
            TypeError,
            "^an attempt is made at a Scenario, or at its key, which is a text, found NoneType$",
        ),
        (
            {"scenario": " "},
            ValueError,
            "^an attempt is made at a Scenario, or at its key, which is not empty, found ' '$",
        ),
        ({"suite": None}, TypeError, "^suite is a text, found NoneType$"),
    ],
)
def test_wrong_attempts_are_refused(
    started: Recording, given: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    all_given = {"scenario": "red", "conversation": said("Hi"), **given}
    with pytest.raises(error, match=message), started.attempt(**all_given):
        raise NotImplementedError
    assert started.results.attempts == results_in(tmp_path / "exp_1").attempts == ()
    assert results_in(tmp_path / "exp_1").unfinished == ()


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"repeat": "2"}, TypeError, "^red: repeats are numbers from 1, found str$"),
        ({"repeat": None}, TypeError, "^red: repeats are numbers from 1, found NoneType$"),
        ({"id": ""}, ValueError, "^the id of a result is not empty, found ''$"),
        ({"key": None}, TypeError, "^the key of a result is a text, found NoneType$"),
    ],
)
def test_wrong_results_are_refused(
    started: Recording, given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        started.record(structs.replace(result("red"), **given))
    assert started.results.attempts == ()


def test_attempts_of_threads_do_not_mix(started: Recording) -> None:
    barrier = threading.Barrier(4)

    def one(number: int) -> None:
        with started.attempt(str(number), said(str(number))):
            barrier.wait(timeout=10)
            grice.evaluate(str(number)).to_contain(str(number))
            barrier.wait(timeout=10)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sum(tally.times for tally in one.checks) for one in started.results.attempts] == [1] * 4
    assert started.results.evaluation_rate == 1.0
    assert started.results.completion_rate is None  # there is no hard check


def test_the_journal_is_plain_lines(started: Recording, tmp_path: Path) -> None:
    started.record(result("red"))
    started.finish()
    lines = [json.loads(line) for line in (tmp_path / "exp_1" / "main.jsonl").read_text().splitlines()]
    assert [sorted(line)[0] for line in lines] == ["experiment", "result", "experiment"]
    assert [line["experiment"].get("planned") for line in (lines[0], lines[2])] == [None, 1]


_WRONG: tuple[tuple[dict[str, Any], type[Exception], str], ...] = (
    ({"name": 5}, TypeError, "the name of an experiment is a text, found int"),
    ({"tags": [5]}, TypeError, "the tag of an experiment is a text, found int"),
    ({"tags": 5}, TypeError, "tags are texts, found int"),
    ({"planned": "3"}, TypeError, "planned is a number of results, found str"),
    ({"planned": True}, TypeError, "planned is a number of results, found bool"),
    ({"name": "latest"}, ValueError, "name: expected another name than 'latest', .*"),
    ({"tags": "x~1"}, ValueError, "tag: expected a name without ~ and a number, found 'x~1': .*"),
    ({"tags": [""]}, ValueError, "tag: expected a name, found ''"),
    ({"store": ""}, ValueError, "expected a folder for runs, found ''"),
)


def test_an_experiment_is_read_by_its_path(tmp_path: Path) -> None:
    with start_experiment(store=tmp_path, id="exp_1") as run:
        run.record(result("red"))
    assert grice.read_experiment(tmp_path / "exp_1").id == "exp_1"
    with pytest.raises(
        JournalError, match=r"none\.baseline\.json: cannot be read: No such file or directory$"
    ):
        grice.read_experiment(tmp_path / "none.baseline.json")
    with pytest.raises(
        TypeError, match=r"^an experiment is meant by a text .* or a pathlib.Path, found int$"
    ):
        grice.read_experiment(5)  # type: ignore[arg-type]
