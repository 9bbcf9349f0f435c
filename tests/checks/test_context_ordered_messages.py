# ruff: noqa: E501 - tables, one case a line
"""contain_messages: several messages of an array at once, in one of the five orders."""

import pytest
from refusals import answers_of, refusal_of

from grice import expect
from grice.matchers import contain_message, contain_messages
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Exchange, Message, Turn

ASKED = {"role": "user", "content": "Which plugins are installed?"}
TOLD = {"role": "assistant", "content": "Ajax Search Lite and Akismet."}
UPDATE = {"role": "user", "content": "Update Ajax Search Lite"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "update", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]}
ARRAY = [ASKED, TOLD, UPDATE, CALL, RESULT]

FIRST = {"role": "user", "content": "Which plugins"}
SECOND = {"role": "assistant", "content": "and Akismet"}
THIRD = {"role": "user", "content": "Update Ajax"}
TALK = [FIRST, SECOND, THIRD]
USE, ANSWER = {"role": "tool_use", "id": "t1"}, {"role": "tool_result", "id": "t1"}
EVERY_ORDER = ["exact", "in_order", "unordered", "superset", "subset"]


def verdict_on(subject, messages, **options):
    seen = resolve_subject(subject)
    matcher = contain_messages(messages, **options)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


def first_line(verdict):
    return verdict.reason.split("; the model was sent:")[0]


def test_a_reversed_history_is_refused_which_three_single_checks_accept():
    reversed_history = [UPDATE, TOLD, ASKED, CALL, RESULT]
    for one in TALK:
        seen = resolve_subject(reversed_history)
        assert judge(contain_message(**one, before="tool_use"), seen.subject, seen.context).outcome == "pass"
    assert verdict_on(ARRAY, TALK).outcome == "pass"
    assert verdict_on(reversed_history, TALK).outcome == "fail"


@pytest.mark.parametrize(
    ("expected", "passing"),
    [
        (TALK, {"in_order", "superset"}),
        ([THIRD, FIRST], {"superset"}),
        ([*TALK, USE, ANSWER], set(EVERY_ORDER)),
        ([ANSWER, USE, *TALK], {"unordered", "superset", "subset"}),
        ([*TALK, USE, ANSWER, {"content": "zebra"}], {"subset"}),
        ([FIRST, FIRST], set()),
        ([{"role": "user"}, {"role": "user"}], {"in_order", "superset"}),
        ([{"role": "user"}, {"role": "user"}, {"role": "user"}], set()),
        (
            [{**FIRST, "before": "tool_use"}, {"role": "tool_use", "after": "assistant"}],
            {"in_order", "superset"},
        ),
        ([{**FIRST, "after": "tool_use"}], set()),
        # what fits two of the expected is given to the one that needs it
        ([{"role": "user"}, FIRST], {"superset"}),
    ],
)
def test_the_five_orders(expected, passing):
    subjects = [ARRAY, tuple(ARRAY), Exchange({"messages": ARRAY})]
    for order in EVERY_ORDER:
        for subject in subjects:
            verdict = verdict_on(subject, expected, order=order)
            assert verdict.outcome == ("pass" if order in passing else "fail"), (order, verdict.reason)


def test_a_conversation_is_judged_like_the_array():
    talk = Conversation(
        turns=(Turn(1, (Message("user", "Hello"), Message("assistant", "Hi"))),), system="Be kind."
    )
    wanted = [{"role": "system"}, {"role": "user"}, {"role": "assistant"}]
    assert verdict_on(talk, wanted, order="exact").outcome == "pass"
    assert verdict_on(talk, wanted[::-1]).outcome == "fail"


@pytest.mark.parametrize(
    ("messages", "order", "reason"),
    [
        ([UPDATE, TOLD, ASKED], "in_order", "not found after a user message with 'Which plugins' (message 2): an assistant message with 'and Akismet', which is message 1"),
        ([ASKED, TOLD], "in_order", "not found after an assistant message with 'and Akismet' (message 1): a user message with 'Update Ajax'"),
        ([TOLD], "in_order", "not found: a user message with 'Which plugins'"),
        ([ASKED, UPDATE, TOLD], "exact", "not found directly after a user message with 'Which plugins' (message 0): an assistant message with 'and Akismet', which is message 2"),
        (ARRAY, "exact", "not expected directly after a user message with 'Update Ajax' (message 2): the tool_use of message 3"),
        ([ASKED], "superset", "not found: an assistant message with 'and Akismet', a user message with 'Update Ajax'"),
        ([UPDATE, CALL], "unordered", "not found: a user message with 'Which plugins', an assistant message with 'and Akismet'; not expected: the tool_use of message 1"),
        ([UPDATE, CALL], "subset", "not expected: the tool_use of message 1"),
    ],
)  # fmt: skip
def test_a_failure_says_which_message_was_not_found_and_behind_which(messages, order, reason):
    verdict = verdict_on(messages, TALK, order=order)
    assert (verdict.outcome, first_line(verdict)) == ("fail", reason)


def test_the_messages_found_are_the_evidence():
    verdict = verdict_on(ARRAY, TALK)
    assert verdict.reason == "message 0, message 1, message 2 are they"
    assert [one.path for one in verdict.evidence] == ["messages[0]", "messages[1]", "messages[2]"]


def test_the_claim_names_the_messages_in_their_order():
    claim = verdict_on(ARRAY, [FIRST, USE]).claim
    assert claim.endswith(
        "to contain these messages in this order: a user message with 'Which plugins', a tool_use of id 't1'"
    )


def test_an_empty_array_and_a_bound_that_is_not_there_are_inconclusive():
    assert verdict_on([], TALK).reason == "the message array is empty"
    verdict = verdict_on([ASKED], [{**FIRST, "before": "tool_use"}])
    assert (verdict.outcome, first_line(verdict)) == ("inconclusive", "there is no tool_use to be before")


@pytest.mark.parametrize(
    ("messages", "options", "problem"),
    [
        ([], {}, 'messages is a list that is not empty, found []'),
        ({"role": "user"}, {}, "messages is a list that is not empty, found {'role': 'user'}"),
        (["Hi"], {}, "messages[0] is an object, found 'Hi'"),
        ([FIRST, {"rol": "user"}], {}, "messages[1] has an unknown field 'rol' (did you mean 'role'?)"),
        ([{}], {}, 'messages[0]: name the message: role=, content= or id='),
        ([{"role": "usr"}], {}, "messages[0].role is 'system', 'user', 'assistant', 'tool_use' or 'tool_result', found 'usr' (did you mean 'user'?)"),
        ([FIRST], {"order": "ordered"}, "order is 'exact', 'in_order', 'unordered', 'superset' or 'subset', found 'ordered' (here that is 'in_order')"),
    ],
)  # fmt: skip
def test_what_names_no_messages_is_refused(messages, options, problem):
    assert refusal_of(contain_messages, messages, **options) == problem
    assert answers_of(ARRAY, "contain_messages", messages, **options) == {("error", problem)}


def test_it_is_a_method_of_expect():
    expect(ARRAY).to_contain_messages([FIRST, SECOND, THIRD], order="in_order")
    expect(Exchange({"messages": ARRAY})).not_to_contain_messages([THIRD, FIRST])


def test_many_messages_that_are_missing_are_cut():
    wanted = [{"role": "user", "content": f"{number} {'x' * 300}"} for number in range(1_000)]
    verdict = verdict_on([{"role": "user", "content": "hi"}], wanted, order="unordered")
    assert len(verdict.reason) < 10_000
