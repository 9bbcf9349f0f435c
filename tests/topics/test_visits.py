"""What is expected of a topic is judged once for every visit, over its turns."""

import gc

import pytest
from msgspec.structs import replace
from talks import checked, only, settled, talk, through, turn

from grice.judging.criterion import criterion
from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matchers import (
    be_grounded_in,
    call_tool,
    call_tools,
    contain,
    have_at_most_sentences,
    have_intent,
    have_turn_count,
    match,
    satisfy,
    use_tools,
)
from grice.records import AgentFailure, Classification, Message, ToolCall, TopicVisit, Turn, failed
from grice.topics.topic import topic
from grice.topics.visits import visit_checks

YES = {"requirement": "r", "reasoning": "it is kind", "quote": "", "satisfied": True}
NO = {**YES, "reasoning": "it is curt", "satisfied": False}

TALK = talk(
    turn(1, "Hello. What can I do?", "greet", topic="a"),
    turn(2, "When is it?", topic="b"),
    turn(3, "", "search", topic="b"),
    turn(4, "Three rooms. Sorry!", ToolCall("search", {"size": 3}), topic="b"),
    turn(5, "Bye.", "leave", topic="a"),
)


def outcome(expected, name="b", conversation=TALK, judge=None):
    return only(checked(topic(name, expect=expected), conversation, judge=judge))


def told(verdict):
    return verdict.outcome, verdict.reason, verdict.turn


def test_a_verdict_names_the_visit_its_turns_and_its_mode():
    verdict = outcome(call_tool("search"))
    assert verdict.claim == "in b (turns 2-4): the agent to call search"
    assert (verdict.outcome, verdict.visit, verdict.turn, verdict.mode) == ("pass", 2, 4, "hard")
    assert verdict.detail == {"type": "call_tool", "tool": "search"}
    soft = only(checked(topic("b", evaluate=~call_tool("search")), TALK))
    assert soft.claim == "in b (turns 2-4): the agent not to call search"
    assert (soft.outcome, soft.mode) == ("fail", "soft")
    assert outcome(call_tool("greet"), "a").claim == "in a (turn 1): the agent to call greet"


@pytest.mark.parametrize(
    ("expected", "outcome_"),
    [
        (call_tool("search"), "pass"),
        (call_tool("search", size=3), "pass"),
        (~call_tool("search"), "fail"),
        (call_tool("greet"), "fail"),
        (~call_tool("greet"), "pass"),
        (~call_tool("leave"), "pass"),
        (call_tools(["search", "search"], order="exact"), "pass"),
        (use_tools("search", only=True), "pass"),
        (have_turn_count(exactly=3), "pass"),
    ],
)
def test_matchers_on_calls_and_conversations_look_at_the_turns_of_the_visit_together(expected, outcome_):
    assert outcome(expected).outcome == outcome_


def test_a_text_is_wanted_in_one_reply_and_unwanted_in_every():
    assert told(outcome(match("rooms"))) == ("pass", "turn 4: found 'rooms' at character 6", 4)
    assert told(outcome(contain("Hello"))) == (
        "fail",
        "none of turns 2 and 4: the text is 'Three rooms. Sorry!'",
        4,
    )
    assert outcome(contain("Hello")).claim == "in b (turns 2-4): a reply to contain 'Hello'"
    negated = outcome(~match("sorry", flags="i"))
    assert told(negated) == ("fail", "turn 4: found 'Sorry' at character 13", 4)
    assert negated.claim == "in b (turns 2-4): every reply not to match /sorry/i"
    assert outcome(~contain("Hello")).outcome == "pass"


def test_any_other_matcher_on_replies_holds_for_every_reply():
    assert told(outcome(have_at_most_sentences(1)))[::2] == ("fail", 4)
    assert outcome(have_at_most_sentences(2)).outcome == "pass"
    assert outcome(have_at_most_sentences(2)).claim.startswith("in b (turns 2-4): every reply to ")


def test_a_visit_without_words_has_nothing_to_look_at():
    silent = talk(turn(1, topic="a"), turn(2, topic="a"))
    assert outcome(match("x"), "a", silent).outcome == "inconclusive"
    assert outcome(~match("x"), "a", silent).outcome == "inconclusive"


def test_a_turn_in_which_the_agent_failed_is_not_passed_over():
    crashed = Turn(
        2, (Message("user", "Hi"),), classified=TALK.turns[0].classified, failure=AgentFailure("raised", "x")
    )
    conversation = talk(turn(1, "Hello", topic="a"), crashed)
    assert outcome(~match("x"), "a", conversation).outcome == "inconclusive"
    assert outcome(~call_tool("x"), "a", conversation).outcome == "inconclusive"


def test_a_failure_on_a_turn_whose_topic_is_not_known_is_an_error():
    lost = replace(turn(2, "Sorry.", "book"), classified=Classification("a", "error", "the judge is down"))
    for expected in (
        ~match("Sorry"),
        ~call_tool("book"),
        lambda turn, _: turn.number == 1,
    ):
        verdict = outcome(expected, "a", talk(turn(1, "Hello", "search", topic="a"), lost))
        assert verdict.outcome == "error"
        assert verdict.reason.startswith("it is not known whether turn 2 belongs to a: ")
    known = outcome(~match("Hello"), "a", talk(turn(1, "Hello", topic="a"), lost))
    assert (known.outcome, known.turn) == ("fail", 1)
    assert outcome(match("Hello"), "a", talk(turn(1, "Hello", topic="a"), lost)).outcome == "pass"


def test_each_visit_is_judged_on_its_own():
    conversation = through("a", "b", "a", "b")
    expects = topic("a", expect=have_turn_count(exactly=1), evaluate=contain("In a."))
    verdicts = [one for visit in conversation.visits[::2] for one in checked(expects, conversation, visit)]
    assert [(one.visit, one.turn, one.outcome) for one in verdicts] == [
        (1, 1, "pass"),
        (1, 1, "pass"),
        (3, 3, "pass"),
        (3, 3, "pass"),
    ]


def test_what_comes_after_the_visit_is_not_looked_at():
    seen = []
    expects = topic("a", expect=lambda turn, conversation: not seen.append(len(conversation.turns)))
    assert only(checked(expects, TALK)).outcome == "pass"
    assert seen == [1]


def test_a_visit_without_turns_examined_nothing():
    expects = topic("z", expect=(call_tool("x"), ~match("x"), lambda turn, conversation: True))
    verdicts = checked(expects, TALK, TopicVisit(7, "z", 9, 8))
    assert [one.outcome for one in verdicts] == ["inconclusive"] * 3
    assert verdicts[0].reason == "no turn belongs to it: there is nothing to look at"


def asks(turn, conversation):
    return turn.text.endswith("?")


def test_a_function_holds_for_every_turn():
    verdict = outcome(("asks something", asks))
    assert verdict.claim == "in b (turns 2-4): every turn to meet 'asks something'"
    assert told(verdict) == ("fail", "turns 3 and 4: its function returned False", 3)
    assert (verdict.criterion, verdict.layer) == ("asks something", 1)
    assert outcome(asks, "a").outcome == "pass"
    assert outcome(lambda conversation: len(conversation.turns) > 1).outcome == "pass"


async def slowly(turn, conversation):
    return True


@pytest.mark.parametrize(
    ("function", "outcome_", "reason"),
    [
        (lambda turn, conversation: failed("no \ud800"), "fail", "no �"),
        (lambda turn, conversation: 1 / 0, "error", "raised ZeroDivisionError: division by zero"),
        (lambda turn, conversation: None, "error", "returned None, expected True, False or a Verdict"),
        (slowly, "error", "slowly is async"),
    ],
)
def test_what_a_function_may_come_to(function, outcome_, reason):
    verdict = outcome(function, "a")
    assert verdict.outcome == outcome_
    assert reason in verdict.reason


def test_forbidden_tools_are_hard_and_named_one_by_one():
    verdicts = checked(topic("b", forbid_tools=("search", "book")), TALK)
    assert [(one.outcome, one.mode, one.claim) for one in verdicts] == [
        ("fail", "hard", "in b (turns 2-4): the agent not to call search"),
        ("pass", "hard", "in b (turns 2-4): the agent not to call book"),
    ]


# -- judges


def judging(**answers):
    llm = ScriptedLLM(answers)
    return Judge(llm, criteria=[criterion("friendly", "The reply is warm.")]), llm


def test_a_criterion_is_judged_once_over_the_visit_with_its_turns_marked():
    judge, llm = judging(criterion=[YES])
    verdict = outcome("friendly", judge=judge)
    assert verdict.claim == "in b (turns 2-4): the agent to satisfy friendly"
    assert (verdict.outcome, verdict.criterion, verdict.visit, verdict.turn) == ("pass", "friendly", 2, 4)
    shown = llm.requests[0].messages[1]["content"]
    marked = shown.split("Turn ")[1:]
    assert ['judged="yes">' in one for one in marked] == [False, True, True, True]
    assert "Hello. What can I do?" in shown
    assert "Bye." not in shown


def test_code_of_a_criterion_is_given_the_conversation_up_to_the_end_of_the_visit():
    numbers = []
    seen = criterion("seen", check=lambda conversation: not numbers.append(len(conversation.turns)))
    mine = satisfy(("mine", lambda conversation: [one.number for one in conversation.turns] == [2, 3, 4]))
    assert outcome(seen).outcome == "pass"
    assert numbers == [4]
    assert outcome(mine).outcome == "pass"


def test_without_a_judge_it_is_an_error_that_says_how_to_get_one():
    verdict = outcome("The agent is kind.")
    assert verdict.outcome == "error"
    assert "judge_llm" in verdict.reason


def claims(*grounded):
    found = [{"type": "prices", "text": "It costs 3", "source": "", "grounded": one} for one in grounded]
    return {"requirement": "r", "claims": found}


def test_grounding_wants_claims_that_are_grounded_and_forbidden_claims_none_that_are_not():
    judge, _ = judging(grounding=[claims()], forbidden_claims=[claims()])
    grounding, forbidden = checked(
        topic("b", grounding="prices", forbid_claims=["prices"]), TALK, judge=judge
    )
    assert (grounding.outcome, grounding.mode) == ("inconclusive", "hard")
    assert grounding.claim == "in b (turns 2-4): the agent to be grounded in prices"
    assert (forbidden.outcome, forbidden.mode) == ("pass", "hard")
    assert forbidden.claim == "in b (turns 2-4): the agent not to make ungrounded claims about prices"
    judge, _ = judging(forbidden_claims=[claims(False)])
    assert only(checked(topic("b", forbid_claims="prices"), TALK, judge=judge)).outcome == "fail"
    judge, _ = judging(grounding=[claims(False)])
    assert outcome(be_grounded_in("prices"), judge=judge).outcome == "fail"


def test_a_judged_matcher_on_replies_asks_for_each_and_keeps_what_each_cost():
    yes = {"requirement": "r", "observed_intent": "asks", "reasoning": "it asks", "matches": True}
    judge, llm = judging(intent=[yes, {**yes, "matches": False}, yes])
    verdict = outcome(have_intent("ask"), judge=judge)
    assert len(llm.requests) == 2  # of turn 3 there are no words
    assert (verdict.outcome, verdict.turn, len(verdict.parts)) == ("fail", 4, 2)
    assert verdict.detail == {"type": "intent", "intent": "ask"}


def test_what_is_not_awaited_can_be_closed():
    judge, _ = judging(intent=[])
    expects = topic("b", expect=have_intent("ask"), evaluate="friendly")
    for later in visit_checks(expects, TALK, TALK.visits[1], judge=judge):
        later.close()
    gc.collect(1)  # warns of coroutines that never ran


def test_verdicts_keep_their_order():
    judge, _ = judging(criterion=[NO])
    expects = topic("b", expect=("friendly", contain("rooms")), evaluate=("friendly",))
    first, second, third = visit_checks(expects, TALK, TALK.visits[1], judge=judge)
    assert second.outcome == "pass"
    assert settled([first])[0].outcome == "fail"
    third.close()
