"""A fault: a conversation up to the turn on which a check fails, and whether a smaller one still has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grice.checks.message_lint.matcher import pass_lint
from grice.files.suite_records import SuiteCheck, Target
from grice.files.suite_subjects import subject_problem
from grice.matching.jest.values import equal
from grice.records import Conversation, Outcome, Reply, Turn, Verdict
from grice.running.suite_checks import judge_checks
from grice.scanning.check_choice import LogCheck
from grice.scanning.report import reason_shape


class Fault(NamedTuple):
    """What is to be kept from coming back: `conversation` ends with the turn on which `check` fails.

    `label` names the check, `place` where the conversation was found, as in `chats.jsonl:12`.
    """

    label: str
    check: SuiteCheck
    conversation: Conversation
    verdict: Verdict
    place: str

    @property
    def turn(self) -> int:
        """The number of the turn on which the check fails: the last."""
        return len(self.conversation.turns)

    def is_said_by(self, verdict: Verdict) -> bool:
        """Whether the verdict is this fault: a fail whose reason differs in numbers and quotes at most."""
        return verdict.outcome is Outcome.FAIL and reason_shape(verdict.reason) == reason_shape(
            self.verdict.reason
        )


def judge_last(check: SuiteCheck, conversation: Conversation) -> Verdict:
    """The verdict on the last turn, or on the whole conversation where the check looks at that."""
    reply = Reply(conversation, len(conversation.turns))
    (verdict,) = judge_checks([check], reply, whole=check.target.kind == "conversation")
    return verdict


def _fails_in(conversation: Conversation, one: LogCheck, number: int) -> bool:
    """Whether the check of the log fails on the turn, by what comes after it too."""
    (verdict,) = judge_checks([one.check], Reply(conversation, number))
    return verdict.outcome is Outcome.FAIL


LINT = "lint"
"""The label of faults in requests to the model, where a record has them."""


def faults_in(
    conversation: Conversation,
    checks: Sequence[LogCheck],
    place: str,
    turn: int | None = None,
    *,
    lint: bool = False,
) -> list[Fault]:
    """The faults of the conversation in the order of their turns, or those of one turn.

    A check of conversations is made of the conversation up to each turn, and found where it first fails.
    With `lint` the requests to the model are checked too.
    """
    found: list[Fault] = []
    failed: set[str] = set()
    for number, last in enumerate(conversation.turns, 1):
        if not any(one.role == "assistant" for one in last.messages):
            continue
        part = replace(conversation, turns=conversation.turns[:number])
        for one in checks:
            check = _of_replies(one.check)
            if one.of_conversation and one.label in failed:
                continue
            if (
                check is not one.check
                and not one.of_conversation
                and not _fails_in(conversation, one, number)
            ):
                continue
            verdict = judge_last(check, part)
            if verdict.outcome is not Outcome.FAIL:
                continue
            failed.add(one.label)
            if turn in (None, number):
                found.append(Fault(one.label, check, part, verdict, place))
        if lint and turn in (None, number):
            found += _in_requests(part, last, place)
    return found


def _in_requests(part: Conversation, last: Turn, place: str) -> Iterator[Fault]:
    """The first request of the last turn that a provider would refuse, or that hides what the user said."""
    for number in range(1, len(last.exchanges) + 1):
        check = SuiteCheck(pass_lint(), Target("exchange", number))
        verdict = judge_last(check, part)
        if verdict.outcome is Outcome.FAIL:
            yield Fault(LINT, check, part, verdict, place)
            return


def _of_replies(check: SuiteCheck) -> SuiteCheck:
    """The check as a suite says it: on the last reply where its matcher takes one, which has history."""
    if check.matcher.factory.name == "toAnswerTheUser":  # a check of scans, which no file names
        return replace(check, matcher=~equal(""))
    target = Target("reply")
    if check.target.kind != "conversation" or subject_problem(check.matcher, target, check.at):
        return check
    return replace(check, target=target)
