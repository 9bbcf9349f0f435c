"""be_grounded_in and claim take what a reply says apart and hold it against what tools returned."""

import re

import pytest
from judged import LOOKUP, booking, question_of, reply, scripted, turn, verdict_on

from grice.judging.grounding import be_grounded_in, claim
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Message, Reply, ToolCall, Turn

SEATS = {"type": "rooms", "text": "The Blue Room seats 12", "source": "tool result 1", "grounded": True}
PRICE = {"type": "prices", "text": "costs 80 euros", "source": "", "grounded": False}
VIEW = {"type": "rooms", "text": "has a view of the sea", "source": "", "grounded": False}


def claims(*found):
    return {"requirement": "stands in a result", "claims": list(found)}


def grounded(*found, types=("rooms", "prices"), subject=None, **named):
    llm = scripted(grounding=claims(*found))
    return verdict_on(subject or reply(), be_grounded_in(*types, **named), llm)


def test_every_claim_has_to_be_grounded():
    verdict = grounded(SEATS)
    assert (verdict.outcome, verdict.reason) == ("pass", "1 claim, all grounded")
    (evidence,) = verdict.evidence
    assert (evidence.quote, evidence.start, evidence.end) == ("The Blue Room seats 12", 0, 22)
    assert evidence.note == "rooms, grounded in tool result 1"


def test_it_fails_with_each_ungrounded_claim_and_its_place():
    verdict = grounded(SEATS, PRICE, VIEW)
    assert verdict.outcome == "fail"
    assert verdict.reason == (
        "2 of 3 claims not grounded: prices 'costs 80 euros', rooms 'has a view of the sea'"
    )
    price, view = verdict.evidence
    text = reply().text
    assert text[price.start : price.end] == price.quote == "costs 80 euros"
    assert (price.turn, price.note) == (2, "prices, not grounded")
    assert view.note == "rooms, not grounded; not said in these words"
    assert (view.quote, view.start, view.turn) == ("has a view of the sea", None, None)  # nobody said so
    assert verdict.judgement.samples[0].answer == claims(SEATS, PRICE, VIEW)


def test_the_claims_are_counted_by_type_for_reports():
    assert grounded(SEATS, PRICE, VIEW).detail == {
        "claims": {"rooms": {"grounded": 1, "total": 2}, "prices": {"grounded": 0, "total": 1}}
    }
    assert grounded().detail == {}


def test_no_claim_is_inconclusive_under_both_polarities():
    for matcher in (be_grounded_in("rooms"), ~be_grounded_in("rooms")):
        verdict = verdict_on(reply(), matcher, scripted(grounding=claims()))
        assert verdict.outcome == "inconclusive"
        assert verdict.reason == "no claim of these types was found: nothing was examined"


def sources(llm):
    return re.findall(r'tool-(call|result|error)="(\d*)">\n(.*)', question_of(llm.requests[0]))


def test_the_results_of_all_turns_up_to_the_judged_one_are_sources():
    rates = ToolCall("rates", id="r", result="1 euro is 1.1 dollars")
    late = ToolCall("late", id="l", result="unseen")
    conversation = booking(turn(3, "In dollars?", "88 dollars.", rates), turn(4, "Ok", "Bye", late))
    llm = scripted(grounding=claims(SEATS))
    verdict_on(Reply(conversation, 3), be_grounded_in("rooms"), llm)
    assert sources(llm) == [
        ("call", "1", '{"arguments":{"room":"Blue"},"name":"lookup"}'),
        ("result", "1", '{"capacity":12,"price":80}'),
        ("call", "2", '{"arguments":{},"name":"rates"}'),
        ("result", "2", "1 euro is 1.1 dollars"),
    ]
    assert "unseen" not in question_of(llm.requests[0])
    llm = scripted(grounding=claims(SEATS))
    verdict_on(Reply(conversation, 3), be_grounded_in("rooms", from_tools=["rates"]), llm)
    assert [kind + number for kind, number, _ in sources(llm)] == ["call2", "result2"]


def test_the_speech_before_is_shown_without_its_tool_calls():
    llm = scripted(grounding=claims(SEATS))
    verdict_on(reply(), be_grounded_in("rooms"), llm)
    question = question_of(llm.requests[0])
    assert "Happy to help!" in question
    assert question.count('"capacity":12') == 1
    assert "- rooms" in question


def test_a_long_result_is_cut_once_and_the_verdict_says_so():
    search = ToolCall("search", id="s", result="r" * 20_030)
    conversation = Conversation(turns=(turn(1, "Which?", "The Blue Room seats 12.", search),))
    llm = scripted(grounding=claims(SEATS))
    verdict = verdict_on(reply(conversation), be_grounded_in("rooms"), llm)
    assert verdict.reason == "1 claim, all grounded (judged with 30 characters left out)"
    assert question_of(llm.requests[0]).count("characters left out") == 1


def test_claims_without_any_tool_call_have_no_source():
    llm = scripted(grounding=claims(PRICE))
    conversation = Conversation(turns=(turn(1, "Price?", "It costs 80 euros."),))
    verdict = verdict_on(reply(conversation), be_grounded_in("prices"), llm)
    assert verdict.outcome == "fail"
    assert "(no tool was called)" in question_of(llm.requests[0])


@pytest.mark.parametrize("calls", [(), (ToolCall("rates", id="r"),)])
def test_nothing_is_grounded_where_no_tool_returned_anything(calls):
    conversation = Conversation(turns=(turn(1, "Price?", "It costs 80 euros.", *calls),))
    made_up = {**PRICE, "grounded": True, "source": "common knowledge"}
    for matcher in (be_grounded_in("prices"), ~claim("prices")):
        llm = scripted(grounding=claims(made_up), forbidden_claims=claims(made_up))
        verdict = verdict_on(reply(conversation), matcher, llm)
        assert verdict.outcome == "error"
        assert "is grounded and there is no source: no tool returned anything" in verdict.reason
        llm = scripted(grounding=[claims(made_up), claims(PRICE)], forbidden_claims=[claims(PRICE)])
        assert verdict_on(reply(conversation), matcher, llm).outcome == "fail"


def test_named_tools_that_returned_nothing_are_inconclusive_and_cost_no_request():
    pending = Conversation(turns=(turn(1, "Book", "On it.", ToolCall("book", id="b")),))
    for subject, tools, said in (
        (reply(), ["rates"], "rates was never called: there is nothing that claims could rest on"),
        (
            reply(),
            ["rates", "fees"],
            "rates, fees were never called: there is nothing that claims could rest",
        ),
        (reply(), "rates", "rates was never called"),
        (reply(), "lokup", "lokup (did you mean 'lookup'?) was never called"),
        (reply(pending), ["book"], "book returned nothing yet"),
    ):
        for matcher in (be_grounded_in(from_tools=tools), ~claim(from_tools=tools)):
            llm = scripted()
            verdict = verdict_on(subject, matcher, llm)
            assert verdict.outcome == "inconclusive"
            assert verdict.reason.startswith(said)
            assert not llm.requests
    failing = Conversation(turns=(turn(1, "Book", "It failed.", ToolCall("book", id="b", error="full")),))
    llm = scripted(grounding=claims({**SEATS, "type": "errors"}))
    assert verdict_on(reply(failing), be_grounded_in("errors", from_tools="book"), llm).outcome == "pass"
    assert ("error", "1", "full") in sources(llm)


def test_a_reply_without_text_claims_nothing():
    silent = Turn(1, (Message("user", "Hi"),))
    for matcher in (be_grounded_in("rooms"), ~claim("rooms")):
        assert verdict_on(silent, matcher, scripted()).outcome == "inconclusive"


def test_without_a_judge_it_is_an_error():
    assert verdict_on(reply(), be_grounded_in("rooms"), judged=False).outcome == "error"
    assert verdict_on(reply(), ~claim("rooms"), judged=False).outcome == "error"


def test_an_answer_that_contradicts_itself_is_repaired_once():
    wrong = [
        (claims({**SEATS, "type": "weather"}), "claims[0].type: 'weather' is not one of rooms, prices"),
        (claims(SEATS, {**SEATS, "source": " "}), "claims[1] is grounded and names no source"),
        (
            claims({**SEATS, "source": 'Tool result 7: "capacity": 12'}),
            "names the source 'Tool result 7', whi",
        ),
        (claims({**SEATS, "source": 'tool-result="0"'}), "which is not there"),
        (claims({**SEATS, "text": " "}), "claims[0].text is empty"),
        (claims({**SEATS, "grounded": "true"}), "claims[0].grounded: Expected 'bool', got 'str'"),
        ({**claims(SEATS), "grounded": True}, "contains unknown field 'grounded'"),
    ]
    for answer, problem in wrong:
        llm = scripted(grounding=[answer, claims(SEATS)])
        assert verdict_on(reply(), be_grounded_in("rooms", "prices"), llm).outcome == "pass"
        assert problem in llm.requests[1].messages[-1]["content"]
        llm = scripted(grounding=answer)
        verdict = verdict_on(reply(), be_grounded_in("rooms", "prices"), llm)
        assert (verdict.outcome, problem in verdict.reason) == ("error", True)


def test_without_types_any_statement_of_fact_counts():
    llm = scripted(grounding=claims({**VIEW, "type": "location"}))
    verdict = verdict_on(reply(), be_grounded_in(), llm)
    assert verdict.outcome == "fail"
    assert "any statement of fact" in question_of(llm.requests[0])
    assert "enum" not in str(llm.requests[0].schema)


def test_votes_count_passes_fails_and_what_could_not_be_told():
    answers = [claims(SEATS), claims(), claims(SEATS, PRICE)]
    verdict = verdict_on(reply(), be_grounded_in("rooms", "prices"), scripted(grounding=answers), samples=3)
    assert (verdict.outcome, verdict.reason) == (
        "inconclusive",
        "the votes are tied: 1 pass, 1 fail, 1 inconclusive",
    )
    answers = [claims(), claims(SEATS, PRICE), claims(PRICE)]
    verdict = verdict_on(reply(), be_grounded_in("rooms", "prices"), scripted(grounding=answers), samples=3)
    assert verdict.reason == "2 of 3 votes: 1 of 2 claims not grounded: prices 'costs 80 euros'"


def test_many_ungrounded_claims_are_counted():
    many = [{**VIEW, "text": f"claim {number}"} for number in range(8)]
    verdict = grounded(*many)
    assert verdict.reason.endswith("rooms 'claim 4', and 3 more")
    assert len(verdict.evidence) == 8


def test_of_a_conversation_every_reply_is_judged():
    happy = {**SEATS, "text": "Happy to help!", "grounded": False}
    verdict = grounded(happy, PRICE, subject=booking())
    assert [(one.turn, one.start) for one in verdict.evidence] == [(1, 0), (2, 27)]


# -- forbidden claims


def test_an_ungrounded_claim_is_a_claim():
    llm = scripted(forbidden_claims=claims(SEATS, PRICE))
    verdict = verdict_on(reply(), ~claim("rooms", "prices"), llm)
    assert (verdict.outcome, verdict.negated) == ("fail", True)
    assert verdict.reason == "1 of 2 claims not grounded: prices 'costs 80 euros'"
    assert [one.quote for one in verdict.evidence] == ["costs 80 euros"]
    assert llm.requests[0].schema_name == "forbidden_claims"


@pytest.mark.parametrize("found", [(), (SEATS,)])
def test_a_reply_that_claims_nothing_ungrounded_is_examined(found):
    answer = claims(*found)
    assert verdict_on(reply(), ~claim("rooms"), scripted(forbidden_claims=answer)).outcome == "pass"
    assert verdict_on(reply(), claim("rooms"), scripted(forbidden_claims=answer)).outcome == "fail"


# -- arguments


@pytest.mark.parametrize(
    ("args", "named", "said"),
    [
        (("",), {}, "claim_types is a text that is not blank, found ''"),
        ((7,), {}, "claim_types is a text that is not blank, found 7"),
        (("a",), {"from_tools": []}, "from_tools is a list of texts that is not empty"),
        (
            ("a",),
            {"from_tools": 7},
            "from_tools is a text that is not blank or a list of texts that is not empty, found 7",
        ),
        (
            ("a",),
            {"from_tools": {"x": 1}},
            "from_tools is a text that is not blank or a list of texts that is not empty",
        ),
        (("a",), {"from_tools": ["x", ""]}, "from_tools[1] is a text that is not blank, found ''"),
    ],
)
def test_wrong_arguments_are_refused(args, named, said):
    for matcher in (be_grounded_in, claim):
        with pytest.raises(ArgumentError) as refused:
            matcher(*args, **named)
        assert said in str(refused.value)


def test_words_and_data_files():
    matcher = be_grounded_in("rooms", from_tools=["lookup"])
    assert matcher.words == "be grounded in rooms (from lookup)"
    assert claim().words == "make ungrounded claims about what its tools returned"
    assert matcher == matcher_from_data(
        {"matcher": "toBeGroundedIn", "expected": ["rooms"], "options": {"fromTools": ["lookup"]}}
    )
    assert claim("rooms") == matcher_from_data({"matcher": "toClaim", "expected": "rooms"})
    with pytest.raises(ArgumentError):
        matcher_from_data({"matcher": "toClaim", "expected": [7]})
    assert LOOKUP.answered
