"""Whether whoever was to play a user did: rules of code, the judge, and what a spoiled run is."""

import asyncio
import re

import pytest
from msgspec.structs import replace
from played import GOAL, simulated, talk, turn

from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matching.protocols import LLMError
from grice.records import (
    Classification,
    Conversation,
    Evidence,
    FollowedGraph,
    Outcome,
    Simulation,
    ToolCall,
    Verdict,
)
from grice.users.conduct import GENERAL, judge_conduct, judge_rules, spoiled
from grice.users.persona import Behaviour, BehaviourRule, Persona
from grice.users.script import UserScript
from grice.users.settings import SimulatedUser

TALK = simulated(
    talk(
        ("Hi, I need a room for ten people tomorrow at two, please", "Which one?"),
        ("Blue", "It is booked."),
    )
)


def persona_with(check, value, **fields):
    behaviour = Behaviour("one", "Do as told.", BehaviourRule(**{check: value}, **fields))
    return Persona("", "", (behaviour,))


def user(**settings):
    return SimulatedUser(goal=GOAL, **settings)


# -- rules of code


@pytest.mark.parametrize(
    ("check", "value", "fields", "turns", "note"),
    [
        ("max_words", 3, {}, [1], "12 words, wanted at most 3"),
        ("max_words", 12, {}, [], ""),
        ("min_words", 2, {}, [2], "1 word, wanted at least 2"),
        ("min_words", 13, {}, [1, 2], "12 words, wanted at least 13"),
        ("min_words", 2, {"on": "any"}, [], ""),
        ("max_questions", 0, {}, [], ""),
        ("min_questions", 1, {"on": "any"}, [1, 2], "0 questions, wanted at least 1"),
        ("must_match", "room|blue", {"flags": "i"}, [], ""),
        ("must_match", "room", {}, [2], "nothing in it matches /room/"),
        ("must_match", "room", {"on": "any"}, [], ""),
        ("must_not_match", "b.ue", {"flags": "i"}, [2], "'Blue' matches /b.ue/i"),
        ("must_not_match", "green", {}, [], ""),
    ],
)
def test_code_catches_a_behaviour_being_broken(check, value, fields, turns, note):
    (verdict,) = judge_rules(user(persona=persona_with(check, value, **fields)), TALK)
    assert (verdict.outcome is Outcome.FAIL) == bool(turns)
    assert [one.turn for one in verdict.evidence] == turns
    assert (verdict.matcher, verdict.criterion, verdict.mode, verdict.layer) == ("conduct", "one", "soft", 1)
    assert verdict.claim == "the played user to keep to one: Do as told."
    if turns:
        first = verdict.evidence[0]
        assert (verdict.turn, first.note) == (turns[0], note)
        assert first.quote == TALK.turns[turns[0] - 1].user
        assert verdict.reason.endswith(f"{', '.join(map(str, turns))}: {note}")
    else:
        assert verdict.reason == "kept to in 2 messages"


def test_a_rule_that_nobody_looked_at_is_not_kept_to():
    plan = user(persona="terse")
    for conversation in (Conversation(), talk(("said by the test", "ok"))):
        assert {one.outcome for one in judge_rules(plan, conversation)} == {Outcome.INCONCLUSIVE}


def test_only_what_the_simulated_user_said_counts():
    plan = user(persona=persona_with("max_words", 1))
    turns = talk(("said by the test", "ok"), ("Blue", "ok"), ("and by the test again", "ok")).turns
    played = Simulation(2, 1, "max_turns")
    other = Simulation(1, 1, "max_turns", persona="chatty")
    scripted = Simulation(3, 1, "goal_reached", user="script")
    (verdict,) = judge_rules(plan, Conversation(turns=turns, simulations=(other, played, scripted)))
    assert verdict.outcome is Outcome.PASS
    (verdict,) = judge_rules(plan, Conversation(turns=turns, simulations=(other, played)), other)
    assert verdict.outcome is Outcome.FAIL


def test_each_message_is_held_against_the_persona_of_its_topic():
    different = Persona("loud", "", (Behaviour("shouts", "Shout.", BehaviourRule(must_match="!")),))
    plan = user(
        persona=persona_with("max_words", 2), during_topic={"refund": SimulatedUser(persona=different)}
    )
    turns = (
        turn(1, "My money", "Sure", classified=Classification("refund", "trigger")),
        turn(2, "Give me all of it", "Done", classified=Classification("refund", "stay")),
    )
    verdicts = judge_rules(plan, simulated(Conversation(turns=turns)))
    assert [(one.criterion, one.outcome.value) for one in verdicts] == [("one", "pass"), ("shouts", "fail")]
    assert verdicts[1].turn == 2


def test_the_first_message_is_held_against_what_holds_where_the_graph_begins():
    different = SimulatedUser(persona=persona_with("max_words", 1))
    plan = user(persona=persona_with("max_words", 9), during_topic={"greeting": different})
    moved = turn(1, "A room please", "Here", classified=Classification("results", "trigger"))
    graph = FollowedGraph("", ("greeting", "results"))
    followed = replace(simulated(Conversation(turns=(moved,))), topic_graph=graph)
    assert [(one.outcome.value, one.turn) for one in judge_rules(plan, followed)] == [
        ("inconclusive", None),
        ("fail", 1),
    ]


def test_after_a_turn_without_a_topic_it_is_the_one_before():
    different = SimulatedUser(persona=persona_with("max_words", 1))
    plan = user(persona=persona_with("max_words", 9), during_topic={"refund": different})
    turns = (
        turn(1, "Money", "Sure", classified=Classification("refund", "trigger")),
        turn(2, "Back", ""),
        turn(3, "All of it", "Done", classified=Classification("refund", "stay")),
    )
    verdicts = judge_rules(plan, simulated(Conversation(turns=turns)))
    assert [one.turn for one in verdicts if one.outcome is Outcome.FAIL] == [3]


def test_scripts_have_no_conduct():
    assert judge_rules(UserScript("Hi"), TALK) == ()
    assert asyncio.run(judge_conduct(Judge(None), UserScript("Hi"), TALK)) == ()


# -- the judge


def answer(count, **broken):
    """The judge's answer on so many rules; `broken` are those that were, as _3=("helped", 2)."""
    rules = []
    for number in range(1, count + 1):
        effect, where = broken.get(f"_{number}", ("none", 0))
        wrong = where > 0
        rules.append(
            {
                "number": number,
                "reasoning": f"about {number}",
                "quote": "Blue" if wrong else "",
                "turn": where,
                "broken": wrong,
                "effect": effect,
            }
        )
    return {"requirement": "be a user", "rules": rules}


def judged(plan, *answers, conversation=TALK, **options):
    llm = ScriptedLLM({"conduct": list(answers)})
    return asyncio.run(judge_conduct(Judge(llm, **options), plan, conversation)), llm


def test_the_judge_says_of_each_rule_whether_it_was_kept_to():
    plan = user(rules=["be polite", lambda conversation: "hurry"], role="a clerk", persona="changes_mind")
    names = [*GENERAL, "in_character", "changes_one_wish", "keeps_the_goal", "should: be polite"]
    conversation = simulated(TALK, persona="changes_mind")
    verdicts, llm = judged(plan, answer(len(names), _2=("helped", 2)), conversation=conversation)
    assert [one.criterion for one in verdicts] == names
    assert [one.criterion for one in verdicts if one.outcome is Outcome.FAIL] == [
        "leaves_the_work_to_the_agent"
    ]
    broken = verdicts[1]
    assert (broken.turn, broken.detail, broken.reason) == (2, {"effect": "helped"}, "about 2")
    assert broken.evidence == (Evidence("Blue", 2),)
    assert all((one.mode, one.layer, one.matcher) == ("soft", 3, "conduct") for one in verdicts)
    assert [one.judgement is not None for one in verdicts] == [True] + [False] * (len(names) - 1)
    assert verdicts[0].judgement.prompt == "conduct"
    told = str(llm.requests[0].messages[1]["content"])
    for words in (
        GOAL,
        "It ended with goal_reached, and the one who played said why: 'all is booked'.",
        "a clerk",
    ):
        assert words in told
    assert "hurry" not in told


def test_the_judge_sees_tool_calls_and_which_messages_are_judged():
    calls = (ToolCall("book", {"room": "Blue"}, id="1", result={"ok": True}),)
    turns = (turn(1, "by the test", "ok"), turn(2, "Blue", "Booked", tool_calls=calls))
    conversation = Conversation(turns=turns, simulations=(Simulation(2, 1, "max_turns"),))
    _, llm = judged(user(), answer(len(GENERAL)), conversation=conversation)
    told = str(llm.requests[0].messages[1]["content"])
    tag = re.search(r"<(data-\w+)>", told)[1]
    assert f'<{tag} from="user">\nby the test' in told
    assert f'<{tag} from="user" judged="yes">\nBlue' in told
    assert '"room":"Blue"' in told
    assert '{"ok":true}' in told


def test_a_rule_of_a_topic_is_judged_in_its_turns_only():
    plan = user(rules=["be polite"], during_topic={"refund": SimulatedUser(rules=["complain"])})
    turns = (
        turn(1, "My money", "Sure", classified=Classification("refund", "trigger")),
        turn(2, "Give me all of it", "Done", classified=Classification("refund", "stay")),
    )
    verdicts, llm = judged(plan, answer(len(GENERAL) + 2), conversation=simulated(Conversation(turns=turns)))
    assert [one.criterion for one in verdicts][-2:] == ["should: be polite", "should: complain"]
    told = str(llm.requests[0].messages[1]["content"])
    assert "5. The user should: be polite\n6. The user should: complain (only in turn 2)" in told


@pytest.mark.parametrize(
    "bad",
    [
        answer(len(GENERAL) - 1),
        answer(len(GENERAL), _1=("helped", 9)),
        {"requirement": "x"},
        "the user was fine",
    ],
)
def test_a_malformed_answer_is_repaired_once_and_then_an_error(bad):
    verdicts, _ = judged(user(), bad, answer(len(GENERAL)))
    assert {one.outcome for one in verdicts} == {Outcome.PASS}
    (verdict,), _ = judged(user(), bad, bad)
    assert (verdict.outcome, verdict.criterion, verdict.mode) == (Outcome.ERROR, "conduct", "soft")
    assert "malformed" in verdict.reason


def test_a_judge_that_is_down_is_one_error():
    (verdict,), _ = judged(user(), LLMError("down"))
    assert (verdict.outcome, verdict.reason) == (Outcome.ERROR, "the judge gave no answer: down")


def test_a_user_who_said_nothing_is_not_judged():
    (verdict,), llm = judged(user(), conversation=Conversation())
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert llm.requests == []


def test_votes_decide_by_majority():
    count = len(GENERAL)
    answers = [answer(count, _1=("helped", 1)), answer(count), answer(count, _1=("hindered", 2))]
    verdicts, _ = judged(user(), *answers, samples=3)
    assert [one.outcome.value for one in verdicts] == ["fail", "pass", "pass", "pass"]
    assert verdicts[0].reason.startswith("2 of 3 votes")
    assert verdicts[0].detail == {"effect": "helped"}


# -- what it did


def broken(effect, outcome=Outcome.FAIL, matcher="conduct"):
    return Verdict(outcome, matcher=matcher, detail={"effect": effect}, mode="soft")


@pytest.mark.parametrize(
    ("verdicts", "termination", "outcome", "effect"),
    [
        ([], "goal_reached", None, ""),
        ([], None, None, ""),
        ([], "simulator_error", None, "hindered"),
        ([broken("helped")], "simulator_error", None, "hindered"),
        ([broken("none")], "max_turns", None, ""),
        ([broken("helped")], "max_turns", None, "helped"),
        ([broken("hindered")], "max_turns", None, "hindered"),
        ([broken("hindered"), broken("helped")], "max_turns", Outcome.PASS, "helped"),
        ([broken("hindered"), broken("helped")], "max_turns", Outcome.FAIL, "hindered"),
        ([broken("hindered"), broken("helped")], "max_turns", None, "hindered"),
        ([broken("helped", Outcome.PASS)], "goal_reached", None, ""),
        ([broken("helped", Outcome.ERROR)], "goal_reached", None, ""),
        ([broken("helped", matcher="toCallTool")], "goal_reached", None, ""),
        ([Verdict(Outcome.FAIL, matcher="conduct")], "goal_reached", None, ""),
    ],
)
def test_a_spoiled_run_says_what_the_user_did(verdicts, termination, outcome, effect):
    assert spoiled(verdicts, termination, outcome=outcome) == effect


def test_a_persona_says_what_breaking_its_rule_does():
    plan = user(persona=persona_with("max_words", 3, effect="helped"))
    assert spoiled(judge_rules(plan, TALK)) == "helped"
    assert spoiled(judge_rules(user(persona=persona_with("max_words", 3)), TALK)) == ""
