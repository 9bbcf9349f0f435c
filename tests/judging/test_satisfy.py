"""satisfy takes criteria in many forms, judges every one of them and folds the verdicts."""

import functools

import msgspec
import pytest
from judged import NO, YES, booking, question_of, reply, scripted, verdict_on

from grice.judging.criterion import criterion
from grice.judging.judge import Judge
from grice.judging.satisfy_criteria import satisfy
from grice.matching.assertions.data_arguments import expected_schema
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.context import resolve_subject
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Outcome, Reply, Turn, failed, fold_all, skipped

KIND = criterion("kind", "The reply is kind.")
BRIEF = criterion("brief", "The reply is brief.")


def by_name(*given, **options):
    """`satisfy`, with names that the plugin is not to look up among the criteria of these tests."""
    return satisfy(*given, **options)


def says_blue(turn):
    return "Blue" in turn.text


def test_a_single_criterion_is_the_verdict_itself():
    llm = scripted(criterion={**NO, "quote": "seats 12"})
    verdict = verdict_on(reply(), satisfy(KIND), llm)
    assert (verdict.outcome, verdict.criterion, verdict.reason) == ("fail", "kind", "it is curt")
    assert (verdict.parts, verdict.layer, verdict.uncalibrated) == ((), 3, True)
    assert (verdict.claim, verdict.turn) == ("the reply to satisfy kind", 2)
    (evidence,) = verdict.evidence
    assert (evidence.quote, evidence.start, evidence.turn) == ("seats 12", 14, 2)
    (request,) = llm.requests
    assert (request.purpose, request.subject, request.schema_name) == ("criterion", "kind", "criterion")


def test_a_quote_that_nobody_said_is_no_evidence():
    verdict = verdict_on(reply(), satisfy(KIND), scripted(criterion={**YES, "quote": "never said"}))
    assert (verdict.outcome, verdict.evidence) == ("pass", ())


def test_every_criterion_is_judged_and_is_a_part():
    llm = scripted(**{"criterion:kind": NO, "criterion:brief": YES})
    matcher = by_name([KIND, ["brief"]], says_blue, ("named", lambda turn: True), "Is in plain English.")
    llm._always["criterion:Is in plain English."] = NO
    verdict = verdict_on(reply(), matcher, llm, criteria=[BRIEF])
    assert [(part.criterion, str(part.outcome)) for part in verdict.parts] == [
        ("kind", "fail"),
        ("brief", "pass"),
        ("says_blue", "pass"),
        ("named", "pass"),
        ("Is in plain English.", "fail"),
    ]
    assert verdict.outcome == "fail"
    assert verdict.reason == "kind: it is curt; Is in plain English.: it is curt"
    assert [part.layer for part in verdict.parts] == [3, 3, 1, 1, 3]
    assert verdict.criterion == ""


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ((YES, YES), "pass"),
        ((YES, NO), "fail"),
        ((YES, "broken"), "error"),
        ((NO, "broken"), "fail"),
    ],
)
def test_the_parts_are_folded(answers, outcome):
    llm = scripted(**{"criterion:kind": answers[0], "criterion:brief": answers[1]})
    assert verdict_on(reply(), satisfy(KIND, BRIEF), llm).outcome == outcome


def test_negation_swaps_pass_and_fail_only():
    def seen(answer):
        verdict = verdict_on(reply(), ~satisfy(KIND), scripted(criterion=answer))
        return verdict.outcome, verdict.negated

    assert seen(YES) == ("fail", True)
    assert seen(NO) == ("pass", True)
    assert seen("not satisfied") == ("error", True)


@pytest.mark.parametrize(
    ("answers", "outcome", "reason"),
    [
        ((NO, NO), "pass", "none of the 2 criteria is met"),
        ((YES, NO), "fail", "kind: it is kind"),
        ((NO, YES), "fail", "brief: it is kind"),
        ((YES, YES), "fail", "kind: it is kind; brief: it is kind"),
        ((YES, "broken"), "fail", "kind: it is kind"),
        ((NO, "broken"), "error", None),
    ],
)
def test_the_negation_of_several_passes_where_none_is_met(answers, outcome, reason):
    llm = scripted(**{"criterion:kind": answers[0], "criterion:brief": answers[1]})
    verdict = verdict_on(reply(), ~satisfy(KIND, BRIEF), llm)
    assert verdict.outcome == outcome
    assert reason in (None, verdict.reason)
    assert fold_all(part.outcome for part in verdict.parts) == outcome
    assert all(part.negated for part in verdict.parts)


def test_a_name_that_is_not_known_is_an_error_under_both_polarities():
    for matcher in (by_name("knid"), ~by_name("knid")):
        verdict = verdict_on(reply(), matcher, scripted(), criteria=[KIND, BRIEF])
        assert verdict.outcome == "error"
        assert verdict.reason == "unknown criterion 'knid' (did you mean 'kind'?): known are brief, kind"
    assert "no criteria are known" in verdict_on(reply(), by_name("kind"), scripted()).reason
    assert "no criteria are known" in verdict_on(reply(), by_name("kind"), judged=False).reason


def test_what_is_given_twice_is_judged_once():
    llm = scripted(criterion=YES)
    matcher = by_name(
        KIND, "kind", [KIND], "Be polite, please.", " Be polite, please. ", says_blue, says_blue
    )
    verdict = verdict_on(reply(), matcher, llm, criteria=[KIND])
    assert [part.criterion for part in verdict.parts] == ["kind", "Be polite, please.", "says_blue"]
    assert len(llm.requests) == 2


def test_functions_of_one_name_are_numbered_and_criteria_of_one_name_refused():
    verdict = verdict_on(reply(), satisfy(("a", lambda turn: True), ("a", lambda turn: False)), judged=False)
    assert [(part.criterion, str(part.outcome)) for part in verdict.parts] == [
        ("a", "pass"),
        ("a (2)", "fail"),
    ]
    other = criterion("kind", "The reply is not unkind.")
    verdict = verdict_on(reply(), satisfy(KIND, other), scripted(criterion=YES))
    assert verdict.outcome == "error"
    assert verdict.reason == "kind: two different criteria are named 'kind': rename one of them"


# -- code


def test_code_needs_no_judge():
    def seen(matcher, subject=None):
        verdict = verdict_on(subject or reply(), matcher, judged=False)
        return verdict.outcome, verdict.criterion, verdict.reason, verdict.layer, verdict.uncalibrated

    assert seen(satisfy(says_blue)) == ("pass", "says_blue", "its function returned True", 1, False)
    assert seen(satisfy(("ok", lambda turn: False))) == (
        "fail",
        "ok",
        "its function returned False",
        1,
        False,
    )
    two = criterion("two", check=lambda conversation: len(conversation.turns) == 2)
    assert seen(satisfy(two))[:2] == ("pass", "two")
    verdict = verdict_on(reply(), by_name(two, "two"), scripted(), criteria=[two])
    assert (verdict.outcome, verdict.parts) == ("pass", ())


def test_code_sees_the_conversation_up_to_what_is_judged():
    seen = []
    whole = criterion("whole", check=lambda conversation: seen.append(conversation) is None)
    messages = criterion("messages", check_messages=lambda given: seen.append(given) is None)
    conversation = booking(id="c", metadata={"a": 1})
    verdict_on(reply(conversation, 1), satisfy(whole, messages), judged=False)
    assert [turn.number for turn in seen[0].turns] == [1]
    assert (seen[0].id, seen[0].metadata) == ("c", {"a": 1})
    assert seen[1] == conversation.turns[0].messages
    verdict_on(conversation, satisfy(whole), judged=False)
    assert seen[2] == conversation


def test_a_function_sees_the_record_of_what_is_judged():
    seen = []
    look = ("look", lambda subject: seen.append(subject) is None)
    conversation = booking()
    for subject in (reply(conversation, 1), conversation.turns[1], conversation, "Hello there"):
        verdict_on(subject, satisfy(look), judged=False)
    assert seen == [conversation.turns[0], conversation.turns[1], conversation, "Hello there"]


async def later(turn):
    return True


def raises(turn):
    raise KeyError("room")


@pytest.mark.parametrize(
    ("code", "outcome", "reason"),
    [
        (raises, "error", "code raised KeyError: 'room'"),
        (lambda turn: 1, "error", "code returned 1, expected True, False or a Verdict"),
        (lambda turn: None, "error", "code returned None, expected True, False or a Verdict"),
        (later, "error", "code is async: expected a plain function"),
        (lambda turn: failed("too long"), "fail", "too long"),
        (lambda turn: skipped("no room"), "skipped", "no room"),
        (lambda turn: failed("half \ud800"), "fail", "half \ufffd"),
    ],
)
def test_what_code_answers(code, outcome, reason):
    for form in (("code", code), criterion("code", check=code), criterion("code", check_messages=code)):
        verdict = verdict_on(reply(), satisfy(form), judged=False)
        assert (verdict.outcome, verdict.reason, verdict.criterion) == (outcome, reason, "code")
        assert verdict_on(reply(), satisfy(form, says_blue), judged=False).parts[0].reason == reason


def test_functions_are_shown_by_their_names():
    partial = functools.partial(says_blue)
    names = satisfy(says_blue, partial, lambda turn: True, ("mine", raises)).words
    assert names.startswith("satisfy says_blue, says_blue, lambda at test_satisfy.py:")
    assert names.endswith(", mine")


def test_code_about_a_conversation_cannot_judge_a_bare_text():
    verdict = verdict_on("Hello there", satisfy(criterion("two", check=lambda c: True)), judged=False)
    assert verdict.outcome == "error"
    assert verdict.reason == "the criterion 'two' looks at a conversation, and a bare text has none"


# -- what can be asked


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "no criterion is given"),
        (([], ()), "no criterion is given"),
        (("",), "a criterion is said in words, found an empty text"),
        (("friendly!",), "'friendly!' is neither the name of a criterion (letters, digits, _ and -) nor"),
        ((7,), "criteria is a criterion, its name, a text, a function or (name, function), found 7"),
        (({"kind": KIND},), "criteria is a criterion, its name, a text, a function or (name, function)"),
        ((str,), "expected a criterion, its name, a text, a function or (name, function)"),
        ((("two words", raises),), "a function is named with letters, digits, _ and -, found 'two words'"),
        ((satisfy,), "satisfy is a matcher, no criterion: give it to .to(...)"),
        ((satisfy(KIND),), "a matcher: give it to .to(...)"),
    ],
)
def test_what_is_no_criterion_is_refused(given, said):
    with pytest.raises(ArgumentError) as refused:
        satisfy(*given)
    assert said in str(refused.value)


@pytest.mark.parametrize("samples", [0, -1, 100, True, 1.5, "3"])
def test_a_number_of_samples_that_is_none_is_refused(samples):
    with pytest.raises(ArgumentError, match="samples is a whole number from 1 to 99"):
        satisfy(KIND, samples=samples)
    with pytest.raises(ValueError, match="samples is a whole number"):
        Judge(scripted(), samples=samples)


def test_a_sentence_in_a_script_without_white_space_is_a_text():
    llm = scripted(criterion=YES)
    assert verdict_on(reply(), satisfy("回复是友好的。"), llm).criterion == "回复是友好的。"


def test_a_data_file_gives_names_and_texts():
    matcher = matcher_from_data({"matcher": "toSatisfy", "expected": ["kind", "Be brief, please."]})
    assert matcher == by_name("kind", "Be brief, please.")
    assert matcher_from_data({"matcher": "toSatisfy", "expected": "kind"}) == by_name("kind")
    voted = matcher_from_data({"matcher": "toSatisfy", "expected": "kind", "options": {"samples": 3}})
    assert voted == by_name("kind", samples=3)
    for wrong in ([], 7, {"name": "kind"}, [["kind", 7]]):
        with pytest.raises(ArgumentError):
            matcher_from_data({"matcher": "toSatisfy", "expected": wrong})
    assert expected_schema(satisfy)["anyOf"][1]["minItems"] == 1


# -- what an LLM judges


def test_without_a_judge_an_llm_criterion_is_an_error_that_says_how_to_get_one():
    for verdict in (
        verdict_on(reply(), satisfy(KIND), judged=False),
        verdict_on(reply(), ~satisfy(KIND), None),
    ):
        assert verdict.outcome == "error"
        assert 'set judge_llm = "provider:model" in grice.toml' in verdict.reason
        assert verdict.criterion == "kind"


def test_before_any_turn_nothing_can_be_judged():
    for matcher in (satisfy(KIND), ~satisfy(KIND)):
        verdict = verdict_on(Conversation(), matcher, scripted())
        assert (verdict.outcome, verdict.reason[:32]) == ("error", "the conversation has no turn yet")


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_reply_without_text_and_calls_is_inconclusive(text):
    silent = Conversation(turns=(booking().turns[0], Turn(2, booking().turns[0].messages[:1])))
    for subject in (text, Reply(silent, 2), silent.turns[1]):
        verdict = verdict_on(subject, satisfy(KIND, says_blue_anywhere), scripted())
        assert verdict.outcome == "inconclusive"
        assert [str(part.outcome) for part in verdict.parts] == ["inconclusive", "pass"]


def says_blue_anywhere(subject):
    return True


def test_a_reply_that_only_calls_a_tool_is_judged():
    called = booking().turns[1]
    only = Turn(1, called.messages[:2], called.tool_calls)
    assert verdict_on(only, satisfy(KIND), scripted(criterion=YES)).outcome == "pass"


def test_a_graded_criterion_passes_at_its_gate():
    graded = criterion("kind", "Be kind.", at_least=3.5, anchors={5: "hugs", 1: "insults"})
    grade = {"requirement": "r", "reasoning": "so so", "quote": "seats 12"}
    for score, outcome in ((3.5, Outcome.PASS), (3.4, Outcome.FAIL), (5, Outcome.PASS)):
        llm = scripted(criterion={**grade, "score": score})
        verdict = verdict_on(reply(), satisfy(graded), llm)
        assert (verdict.outcome, verdict.score, verdict.criterion) == (outcome, score, "kind")
        assert verdict.reason == f"{score:g} of 5, wanted at least 3.5: so so"
        assert [one.quote for one in verdict.evidence] == ["seats 12"]
        assert verdict.judgement.score == score
    assert "5: hugs\n1: insults" in question_of(llm.requests[0])
    assert llm.requests[0].schema_name == "criterion_graded"


def test_examples_are_shown_to_the_judge_with_their_verdicts():
    llm = scripted(criterion=YES)
    shown = criterion(
        "kind", "Be kind.", good=[("Gladly!", "warm")], bad=[("No.", "cold")], edge=[("Ok.", False, "dull")]
    )
    verdict_on(reply(), satisfy(shown), llm)
    question = question_of(llm.requests[0])
    assert "Gladly!" in question
    assert "Example 1 meets the criterion: warm" in question
    assert "Example 2 does not meet the criterion: cold" in question
    assert "Example 3 does not meet the criterion, a borderline case: dull" in question


def test_a_judgement_that_nobody_waits_for_asks_nothing():
    llm = scripted(criterion=YES)
    context = msgspec.structs.replace(resolve_subject(reply()).context, judge=Judge(llm))
    answer = satisfy.function(reply(), context, KIND, BRIEF)
    answer.close()
    assert not llm.requests
