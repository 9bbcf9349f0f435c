# ruff: noqa: E501 - tables, one case a line
"""The lint as a matcher: of a request, a turn, a conversation, an array."""

from __future__ import annotations

from typing import Any

import pytest
from message_arrays import USER, YES, answer, said, use
from refusals import answers_of, refusal_of

from grice import (
    Conversation,
    Exchange,
    Message,
    ToolCall,
    Turn,
)
from grice.matchers import pass_lint
from grice.matching.context import Context, resolve_subject
from grice.matching.judge import judge


def verdict_on(subject: Any, matcher: Any, turn: Turn | None = None) -> Any:
    seen = resolve_subject(subject)
    context = Context(None, turn) if turn else seen.context
    verdict = judge(matcher, seen.subject, context)
    negated = judge(~matcher, seen.subject, context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


BUG_B = Exchange({"messages": [use("t1"), answer("t1")]})
GOOD = Exchange({"messages": [USER, use("t1"), answer("t1")]})
TURN = Turn(
    1,
    (
        Message("user", "Update Ajax Search Lite"),
        Message("assistant", "Done.", (ToolCall("update", id="t1"),)),
    ),
    exchanges=(GOOD,),
)


def turn_with(
    *exchanges: Exchange, user: str = "Update Ajax Search Lite", calls: tuple[str, ...] = ()
) -> Turn:
    made = tuple(ToolCall("update", id=one) for one in calls)
    return Turn(
        1, (Message("user", user), Message("assistant", "Done.", made)), tool_calls=made, exchanges=exchanges
    )


def test_the_reason_reads_like_a_report() -> None:
    verdict = verdict_on(BUG_B, pass_lint())
    assert verdict.outcome == "fail"
    assert verdict.claim == "the request to the model to pass the lint of message arrays"
    assert verdict.reason.split("\n") == [
        "messages[0]: error current-user-message-missing: a tool call, and no message of the user in the whole array",
        "  why: the model does not see what it is asked for: it takes a tool call for unprompted, or answers something older",
        "  fix: append the user's message to the history before the request is built",
        ">   0  assistant   -> update t1 {}",
        "    1  user        result of t1: 'ok'",
    ]
    (evidence,) = verdict.evidence
    assert (evidence.path, evidence.note) == ("messages[0]", "current-user-message-missing")


def test_a_long_array_is_shown_around_its_faults() -> None:
    array = [said(f"message {n}", ("user", "assistant")[n % 2]) for n in range(40)]
    array[20] = {"role": "user", "content": ""}
    rows = verdict_on(array, pass_lint(warnings=True)).reason.split("\n")[3:]
    assert [row.split()[0] for row in rows] == ["...", "19", ">", "21", "..."]


@pytest.mark.parametrize(
    ("subject", "turn", "outcome", "reason"),
    [
        (GOOD, None, "pass", "1 message array examined"),
        (GOOD, turn_with(GOOD), "pass", ""),
        (GOOD, turn_with(GOOD, user="Delete Akismet"), "fail", "'Delete Akismet' is nowhere; the last user message is 'Update Ajax Search Lite'"),
        (turn_with(GOOD, GOOD), None, "pass", "2 message arrays examined"),
        (turn_with(GOOD, BUG_B), None, "fail", "request 2:"),
        (Conversation(turns=(turn_with(GOOD), turn_with(GOOD, BUG_B))), None, "fail", "turn 1, request 2:"),
        (turn_with(), None, "inconclusive", "no request to the model was recorded"),
        (Conversation(turns=(turn_with(),)), None, "inconclusive", "no request to the model was recorded"),
        ([], None, "inconclusive", "the list is empty"),
        (Exchange({"input": ["x"]}, dialect="openai_embeddings"), None, "inconclusive", "it holds texts to embed"),
        (Exchange({"messages": []}), None, "fail", "no-messages: `messages` is an empty list"),
        ([USER, YES], None, "pass", "1 message array examined; warnings: same-role-neighbours at messages[1]"),
        ("text", None, "error", "judges an Exchange, a Reply, a Turn, a Conversation, a request or a list of messages, found str"),
    ],
)  # fmt: skip
def test_the_matcher_judges_every_request(subject: Any, turn: Turn | None, outcome: str, reason: str) -> None:
    verdict = verdict_on(subject, pass_lint(), turn)
    assert verdict.outcome == outcome, verdict.reason
    assert reason in verdict.reason


def test_the_turns_calls_tell_whether_they_stand_before_the_users_message() -> None:
    array = [USER, use("h1"), answer("h1", text="Yes"), use("t1"), answer("t1")]
    assert (
        verdict_on(turn_with(Exchange({"messages": array}), user="Yes", calls=("t1",)), pass_lint()).outcome
        == "pass"
    )
    late = Exchange({"messages": [USER, use("t1"), answer("t1", text="Yes")]})
    assert (
        "current-user-message-misplaced"
        in verdict_on(turn_with(late, user="Yes", calls=("t1",)), pass_lint()).reason
    )


def test_warnings_fail_only_when_asked() -> None:
    assert verdict_on([USER, YES], pass_lint()).outcome == "pass"
    verdict = verdict_on([USER, YES], pass_lint(warnings=True))
    assert verdict.outcome == "fail"
    assert verdict.claim == "the value to pass the lint of message arrays without warnings"
    assert (
        verdict_on([USER, YES], pass_lint(warnings=True, ignore=["same-role-neighbours"])).outcome == "pass"
    )


def test_ignored_rules_do_not_count() -> None:
    verdict = verdict_on(BUG_B, pass_lint(ignore={"current-user-message-missing"}))
    assert verdict.outcome == "pass"
    assert "ignoring current-user-message-missing" in verdict.claim


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            {"ignore": ["empty-contents"]},
            "ignore[0]: unknown rule 'empty-contents' (did you mean 'empty-content'?); see grice lint --rules",
        ),
        ({"ignore": ["empty-content", "zebra"]}, "ignore[1]: unknown rule 'zebra'; see grice lint --rules"),
        ({"ignore": "empty-content"}, "ignore is a list of texts, found 'empty-content'"),
        ({"ignore": [5]}, "ignore[0] is a text, found 5"),
        ({"ignore": 5}, "ignore is a list of texts, found 5"),
        ({"ignore": None}, "ignore is a list of texts, found None"),
        ({"warnings": "yes"}, "warnings is true or false, found 'yes'"),
        ({"warnings": 1}, "warnings is true or false, found 1"),
    ],
)
def test_a_rule_that_is_not_known_is_refused(options: dict[str, Any], reason: str) -> None:
    assert refusal_of(pass_lint, **options) == reason
    assert answers_of([USER], "pass_lint", **options) == {("error", reason)}


def test_many_findings_are_counted_and_the_first_listed() -> None:
    array = [YES] * 30
    reason = verdict_on(array, pass_lint(warnings=True)).reason
    assert reason.count("warning same-role-neighbours") == 10
    assert "\nand 19 more\n" in reason
    two = verdict_on(
        turn_with(Exchange({"messages": array}), Exchange({"messages": array})), pass_lint(warnings=True)
    )
    assert two.reason.startswith("2 errors, 56 warnings; 2 message arrays examined\nrequest 1:\n  ")
    assert two.reason.endswith("and 48 more")
