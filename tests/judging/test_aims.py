"""have_intent asks what a reply is after, have_achieved_goal what a conversation has come to."""

import pytest
from judged import booking, question_of, reply, scripted, verdict_on

from grice.judging.goal_matchers import have_achieved_goal, have_intent
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Message, Turn


def intent(matches=True, **changed):
    answer = {"requirement": "r", "observed_intent": "offers a room", "reasoning": "names one"}
    return {**answer, "matches": matches, **changed}


def goal(achieved=True):
    return {"requirement": "r", "reasoning": "it was booked", "achieved": achieved}


def test_the_reply_has_the_intent():
    llm = scripted(intent=intent())
    verdict = verdict_on(reply(), have_intent("offer_room"), llm)
    assert (verdict.outcome, verdict.reason) == ("pass", "its intent is 'offers a room': names one")
    assert (verdict.claim, verdict.layer) == ("the reply to have the intent offer_room", 3)
    (request,) = llm.requests
    assert (request.purpose, request.subject) == ("intent", "offer_room")
    assert '"offer_room":\n\noffer room\n' in question_of(request)
    assert verdict_on(reply(), have_intent("offer_room"), scripted(intent=intent(False))).outcome == "fail"


def test_a_description_says_what_the_intent_is():
    llm = scripted(intent=intent())
    matcher = have_intent("offer", described_as="Offers one of the rooms.")
    assert matcher.words == "have the intent offer (Offers one of the rooms.)"
    verdict_on(reply(), matcher, llm)
    assert '"offer":\n\nOffers one of the rooms.\n' in question_of(llm.requests[0])


def test_a_tool_call_shows_an_intent_and_nothing_shows_none():
    called = booking().turns[1]
    only = Turn(1, called.messages[:2], called.tool_calls)
    assert verdict_on(only, have_intent("look_up"), scripted(intent=intent())).outcome == "pass"
    assert verdict_on("", have_intent("look_up"), scripted()).outcome == "inconclusive"
    assert verdict_on(reply(), have_intent("look_up"), judged=False).outcome == "error"
    odd = scripted(intent=intent("true"))
    assert verdict_on(reply(), ~have_intent("look_up"), odd).outcome == "error"


def test_the_goal_is_judged_on_the_whole_conversation():
    llm = scripted(goal=goal())
    verdict = verdict_on(booking(), have_achieved_goal("Book a room"), llm)
    assert (verdict.outcome, verdict.reason) == ("pass", "it was booked")
    assert verdict.claim == "the conversation to have achieved the goal 'Book a room'"
    assert "goal>\nBook a room\n</data-" in question_of(llm.requests[0])
    assert question_of(llm.requests[0]).count('judged="yes">') == 3
    failing = verdict_on(booking(), have_achieved_goal("Book a room"), scripted(goal=goal(False)))
    assert failing.outcome == "fail"


def test_the_goal_that_the_conversation_states_is_the_default():
    llm = scripted(goal=goal())
    stated = booking(metadata={"goal": "Find a room for 12"})
    assert verdict_on(stated, have_achieved_goal(), llm).outcome == "pass"
    assert "Find a room for 12" in question_of(llm.requests[0])
    assert llm.requests[0].subject == "Find a room for 12"
    for none in (booking(), booking(metadata={"goal": 7}), booking(metadata={"goal": " "})):
        for matcher in (have_achieved_goal(), ~have_achieved_goal(" ")):
            verdict = verdict_on(none, matcher, scripted())
            assert verdict.outcome == "error"
            assert verdict.reason.startswith("the conversation states no goal: say which one")


def test_nothing_done_and_no_judge():
    silent = Conversation(turns=(Turn(1, (Message("user", "Hi"),)),))
    assert verdict_on(silent, have_achieved_goal("x y"), scripted()).outcome == "inconclusive"
    assert verdict_on(booking(), have_achieved_goal("x y"), judged=False).outcome == "error"
    assert verdict_on(Conversation(), ~have_achieved_goal("x y"), scripted()).outcome == "error"


def test_a_goal_is_that_of_a_conversation():
    for subject in (reply(), "Hello there"):
        verdict = verdict_on(subject, have_achieved_goal("x y"), scripted())
        assert verdict.outcome == "error"
        assert verdict.reason == f"have_achieved_goal judges a Conversation, found {type(subject).__name__}"


def test_wrong_arguments_are_refused():
    for wrong in ("", " ", 7, None):
        with pytest.raises(ArgumentError, match="name is a text that is not blank"):
            have_intent(wrong)
    with pytest.raises(ArgumentError, match="described_as is a text"):
        have_intent("a", described_as=7)
    with pytest.raises(ArgumentError, match="goal is a text"):
        have_achieved_goal(None)


def test_data_files():
    assert matcher_from_data({"matcher": "toHaveIntent", "expected": "offer"}) == have_intent("offer")
    described = {"matcher": "toHaveIntent", "expected": {"name": "offer", "describedAs": "Offers."}}
    assert matcher_from_data(described).words == "have the intent offer (Offers.)"
    assert matcher_from_data({"matcher": "toHaveAchievedGoal"}) == have_achieved_goal()
    assert matcher_from_data({"matcher": "toHaveAchievedGoal", "expected": "x"}) == have_achieved_goal("x")
