"""What a finished conversation comes to: the table in docs/simulated-users.md, line by line."""

import pytest

from grice import Conversation, Message, Outcome, Simulation, Turn, Verdict
from grice.records import AgentFailure
from grice.running.outcomes import ending_of, judged_outcome

TURN = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")))
PASS, FAIL, ERROR, INCONCLUSIVE, SKIPPED = map(Outcome, ("pass", "fail", "error", "inconclusive", "skipped"))


def ended(termination, *, played=True):
    """A conversation that ended so, with a user who did."""
    simulations = (Simulation(1, 1, termination),) if played else ()
    return Conversation(turns=(TURN,), termination=termination, simulations=simulations)


def ending(termination, *outcomes, spoiled="", played=True, soft=()):
    verdicts = [Verdict(one) for one in outcomes] + [Verdict(one, mode="soft") for one in soft]
    found = ending_of(ended(termination, played=played), verdicts, spoiled)
    return str(found.outcome), found.failure, found.counts


@pytest.mark.parametrize(
    ("termination", "outcomes", "expected"),
    [
        ("completed", [PASS], ("pass", "none", True)),
        ("completed", [PASS, FAIL], ("fail", "assertion", True)),
        ("completed", [PASS, ERROR], ("error", "error", False)),
        ("goal_reached", [PASS], ("pass", "none", True)),
        ("goal_reached", [FAIL], ("fail", "assertion", True)),
        ("gave_up", [PASS], ("pass", "none", True)),
        ("gave_up", [FAIL], ("fail", "assertion", True)),
        ("stop_condition", [PASS], ("pass", "none", True)),
        ("stop_condition", [FAIL], ("fail", "assertion", True)),
        ("max_turns", [PASS], ("pass", "none", True)),
        ("max_turns", [FAIL], ("fail", "max_turns", True)),
        ("agent_error", [ERROR], ("error", "error", True)),
        ("timeout", [ERROR], ("error", "timeout", True)),
        ("simulator_error", [ERROR], ("error", "error", False)),
        ("budget", [ERROR], ("error", "error", False)),
        ("goal_reached", [INCONCLUSIVE], ("inconclusive", "assertion", True)),
        ("max_turns", [ERROR], ("error", "error", False)),
        ("goal_reached", [FAIL, ERROR], ("fail", "assertion", True)),
        ("goal_reached", [SKIPPED], ("skipped", "none", False)),
        ("goal_reached", [SKIPPED, PASS], ("pass", "none", True)),
    ],
)
def test_how_it_ended_and_what_hard_checks_say(termination, outcomes, expected):
    assert ending(termination, *outcomes) == expected


@pytest.mark.parametrize("termination", ["completed", "agent_error", "timeout"])
def test_nobody_has_to_be_played(termination):
    assert ending(termination, FAIL, played=False)[0] == "fail"


@pytest.mark.parametrize(
    ("spoiled", "outcome", "counts"),
    [
        ("hindered", FAIL, False),
        ("hindered", ERROR, False),
        ("helped", PASS, False),
        ("helped", FAIL, True),
        ("hindered", PASS, True),
        ("", FAIL, True),
    ],
)
def test_what_a_user_spoiled_counts_only_against_what_it_did(spoiled, outcome, counts):
    assert ending("goal_reached", outcome, spoiled=spoiled)[2] is counts


def test_a_topic_that_took_too_many_turns_is_max_turns_however_it_ended():
    limit = Verdict(FAIL, detail={"type": "max_turns", "max": 2, "actual": 3})
    found = ending_of(ended("goal_reached"), [limit])
    assert (found.outcome, found.failure, found.counts) == (FAIL, "max_turns", True)


def test_a_soft_verdict_of_that_kind_is_none():
    limit = Verdict(FAIL, mode="soft", detail={"type": "max_turns"})
    assert ending_of(ended("goal_reached"), [limit, Verdict(PASS)]).failure == "none"


@pytest.mark.parametrize("termination", ["agent_error", "timeout"])
def test_a_test_that_wants_an_agent_to_fail_passes_without_a_failure(termination):
    assert ending(termination, PASS, played=False) == ("pass", "none", True)


def test_a_user_whose_player_failed_is_no_measure_of_the_agent_even_where_the_test_goes_on():
    record = Conversation(
        turns=(TURN, TURN),
        termination="completed",
        simulations=(Simulation(1, 0, "simulator_error"), Simulation(1, 1, "goal_reached")),
    )
    assert ending_of(record, [Verdict(FAIL)]).counts is False


@pytest.mark.parametrize("soft", [PASS, FAIL, ERROR, INCONCLUSIVE])
def test_soft_verdicts_never_change_the_outcome(soft):
    assert ending("completed", soft=[soft]) == ("pass", "none", True)
    assert ending("completed", FAIL, soft=[soft])[0] == "fail"


def test_nothing_judged_is_inconclusive():
    assert judged_outcome([]) is INCONCLUSIVE
    assert ending("completed") == ("inconclusive", "none", True)


def test_only_what_was_skipped_is_skipped():
    assert judged_outcome([Verdict(SKIPPED)]) is SKIPPED
    assert judged_outcome([Verdict(SKIPPED, mode="soft")]) is INCONCLUSIVE


@pytest.mark.parametrize(
    ("kind", "error", "counts"),
    [("script", "NotRecorded", False), ("script", "ToolsError", True), ("raised", "ValueError", True)],
)
def test_what_no_script_or_cassette_answers_is_not_charged_to_the_agent(kind, error, counts):
    turn = Turn(1, (Message("user", "Hi"),), failure=AgentFailure(kind, "so it is", error))
    found = ending_of(Conversation(turns=(turn,), termination="agent_error"), [Verdict(ERROR)])
    assert (found.outcome, found.failure, found.counts) == (ERROR, "error", counts)
