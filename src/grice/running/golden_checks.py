"""Judging one turn of a golden."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from grice.checks.context import contain_message, have_last_user_message
from grice.checks.message_events import Event, ReadMessages, events_of
from grice.checks.message_lint import is_clean, pass_lint
from grice.checks.message_lint.texts import Wording
from grice.checks.structure.sentence_count import have_at_most_sentences
from grice.checks.tool_flow.matchers import be_free_of, be_valid_response
from grice.checks.tool_flow.status import ToolStatus, status_for, status_of_result, tool_status_of
from grice.files.golden_records import FinalText, GoldenTurn, ReplyAssertions, ToolResultStep
from grice.formats.content import json_text
from grice.formats.turns import parse_result
from grice.matching.calls.names import name_text
from grice.matching.context import Context
from grice.matching.equality import TooDeep, json_equal
from grice.matching.jest.texts import contain
from grice.matching.jest.values import equal
from grice.matching.judge import judge
from grice.matching.matcher import Matcher, Unsuitable
from grice.records import Evidence, Exchange, JsonValue, Outcome, Reply, Turn, Verdict
from grice.text import shorten, value_text
from grice.wire.dialects import EMBEDDINGS

FINAL_TEXT = "the final text"
PENDING_TEXT = "the text before the decision"
_PASS_LINT = pass_lint()


Given = dict[int, dict[str, JsonValue]]
"""What the golden records as results, by tool call id, for each request that follows such: from 1."""


def judge_turn(turn: GoldenTurn, reply: Reply, given: Given, file: str = "") -> Iterator[Verdict]:
    """The verdict on every assertion of the turn, and on whether the requests fit the script.

    `given` are the results that the agent was given, `file` is the golden's, for what is wrong in it.
    """
    record = reply.turn
    context = Context(reply.conversation.record, record, noun=FINAL_TEXT)
    yield from _text_verdicts(turn.assertions, context)
    yield from _step_verdicts(turn, record.exchanges, given, context)
    yield from _validator_verdicts(turn, turn.assertions, reply, context, file)
    before = next((one for one in context.earlier_turns(1)), None)
    if turn.assertions.claims and (_is_turned_down(record) or _is_left_waiting(record, before)):
        verdict = judge(_NO_FALSE_CLAIM, record, context)
        told = verdict.outcome is Outcome.INCONCLUSIVE
        yield (
            replace(verdict, reason=f"{verdict.reason}; 'claims: false' leaves this out") if told else verdict
        )


_NO_FALSE_CLAIM = be_free_of(["CLAIMED_WITHOUT_ACTION", "SUCCESS_AFTER_FAILURE"])


def _is_turned_down(turn: Turn) -> bool:
    """Whether a call that waited for the user was not done after all: they rejected it, or it failed."""
    results = [one for one in turn.messages if one.role == "tool" and not one.is_error]
    waited = {one.tool_call_id for one in results if status_of_result(one.content) == "pending"}
    return any(call.id in waited and tool_status_of((call,)) == "error" for call in turn.tool_calls)


def _is_left_waiting(turn: Turn, before: Turn | None) -> bool:
    """Whether a call of the turn before waited for the user, and no tool was called since they answered.

    So it is where they said no; whatever they said, nothing was done.
    """
    return not turn.tool_calls and before is not None and status_for(before, None) == "pending"


def judge_pending(turn: GoldenTurn, reply: Reply, file: str = "") -> Iterator[Verdict]:
    """The verdict on what is asserted of the reply as it stands while a call waits for the user."""
    context = Context(reply.conversation.record, reply.turn, noun=PENDING_TEXT)
    yield from _text_verdicts(turn.pending, context)
    yield from _validator_verdicts(turn, turn.pending, reply, context, file)


def _text_verdicts(asserted: ReplyAssertions, context: Context) -> Iterator[Verdict]:
    for matcher in _final_text_matchers(asserted.final_text):
        yield judge(matcher, context.turn, context)


def _validator_verdicts(
    turn: GoldenTurn, asserted: ReplyAssertions, reply: Reply, context: Context, file: str
) -> Iterator[Verdict]:
    validator, record = asserted.validator, reply.turn
    if not validator:
        return
    contradicted = _contradicted(turn, reply, validator.tool_status)
    if contradicted:
        reason = f"{file or 'the golden'}, turn {record.number}: {contradicted}"
        claim = "validator.toolStatus to be what the tools returned"
        yield Verdict(Outcome.ERROR, reason, claim=claim, turn=record.number)
    else:
        valid = be_valid_response(tool_status=validator.tool_status, profile=validator.profile)
        yield judge(valid if validator.expect_valid else ~valid, record, context)


def _contradicted(turn: GoldenTurn, reply: Reply, given: ToolStatus | None) -> str:
    """How the status that the file gives differs from that of the turn's last tool result; "" if it does not.

    That a tool succeeded is told by `success: true` in the file: a result of the agent's own tools may say
    otherwise in words that nobody reads.
    """
    if given is None:
        return ""
    found = status_for(reply, None)
    told = found in ("error", "pending") or (found == "success" and turn.tool_results)
    if not told or given == found:
        return ""
    answered = [call for call in reply.turn.tool_calls if call.answered]
    last = f"{answered[-1].name} was the last tool to answer" if answered else "the last tool answered"
    return f"toolStatus says {given}, but {last}, with {found}; mend toolStatus, or leave it out"


def _final_text_matchers(asserted: FinalText) -> Iterator[Matcher[Any]]:
    if isinstance(asserted.equals, str):
        yield equal(asserted.equals)
    for text in asserted.contains:
        yield contain(text)
    for text in asserted.not_contains:
        yield ~contain(text, ignore_case=True)
    if isinstance(asserted.max_sentences, int):
        yield have_at_most_sentences(asserted.max_sentences)


def _step_verdicts(
    turn: GoldenTurn, exchanges: tuple[Exchange, ...], given: Given, context: Context
) -> Iterator[Verdict]:
    """Verdicts on each request to the model: that it is of the scripted step, and what its messages hold."""
    step = 0
    ignored = turn.assertions.lint_ignore
    asked = (exchange for exchange in exchanges if exchange.dialect != EMBEDDINGS)
    for number, (scripted, exchange) in enumerate(zip(turn.replies, asked, strict=False), 1):
        found = _step_of(exchange)
        noun = f"request {number} to the model"
        context = Context(context.conversation, context.turn, noun=noun)
        if found != scripted.step:
            reason = f"the script says {scripted.step!r}, the agent sent a request {_STEPS.get(found, found)}"
            at = context.turn.number if context.turn is not None else None
            yield Verdict(Outcome.ERROR, reason, claim=f"{noun} to be of the scripted step", turn=at)
        if number == 1 and found == "chat" and not _says(exchange.messages[-1], turn.user):
            yield judge(contain_message(role="user", content=turn.user), exchange, context)
        absent = False
        if found == "tool-result":
            sent, asserted = _read(exchange), _asserted(turn, step)
            absent = asserted is not None and asserted.user_message is False
            exact = asserted is None or asserted.content
            yield from _lost_results(sent, given.get(number, {}) if exact else {}, context)
            if absent:
                yield _without_user(sent, turn.user, context)
            for matcher in _step_matchers(asserted, turn.user, context):
                yield judge(matcher, sent, context)
            step += 1
        if ignored is not None and _needs_lint(found, exchange, context):
            rules = (*ignored, "current-user-message-missing") if absent else ignored
            yield judge(pass_lint(ignore=rules) if rules else _PASS_LINT, exchange, context)


def _needs_lint(step: str, exchange: Exchange, context: Context) -> bool:
    """Whether the lint has something to say of the request; of one with tool results always."""
    return step == "tool-result" or (
        step != "empty" and not is_clean(exchange, context.turn, context.earlier_turns())
    )


def _is_system(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") in ("system", "developer")


_STEPS = {
    "chat": "that ends with a user message",
    "tool-result": "that ends with a tool's result",
    "malformed": "whose last message cannot be read",
    "empty": "without messages",
    "other": "that ends with neither a user message nor a tool's result",
}


def _says(message: Mapping[str, JsonValue], user: str) -> bool:
    """Whether it plainly is the user's message; if not, a closer look is needed."""
    content = message.get("content")
    return isinstance(content, str) and user in content


def _lost_results(
    sent: ReadMessages | Exchange, given: Mapping[str, JsonValue], context: Context
) -> Iterator[Verdict]:
    """A failure for each result of the turn that the agent sent on empty, or not as it was just given."""
    if not isinstance(sent, ReadMessages) or context.turn is None:
        return
    results = {event.id: event for event in sent.events if event.kind == "tool_result"}
    calls = {call.id: call for call in context.turn.tool_calls}
    renamed = [event for id_, event in results.items() if id_ not in calls]
    for id_, call in calls.items():
        found = [results[id_]] if id_ in results else renamed
        if given.get(id_) is not None:
            if any(_brings(event, given[id_]) for event in found):
                continue
            shown = "; ".join(value_text(shorten(event.text, 200)) for event in found) or "no result"
            reason = f"the golden records {shorten(json_text(given[id_]), 200)}, the model was sent {shown}"
        elif id_ in results and not results[id_].text and call.result not in _NOTHING:
            reason = "the tool's result was not empty, what the model was sent of it is"
        else:
            continue
        claim = f"{context.noun} to bring the result of {id_} ({name_text(call.name)})"
        yield Verdict(Outcome.FAIL, reason, claim=claim, turn=context.turn.number)


_NOTHING: tuple[object, ...] = (UNSET, None, "", {}, [])


def _brings(sent: Event, recorded: JsonValue) -> bool:
    """Whether the model was sent what is recorded: as it is, in an envelope, or as its content blocks."""
    content = recorded.get("content") if isinstance(recorded, dict) else recorded
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    texts = [one["text"] for one in blocks if one.get("type") == "text" and isinstance(one.get("text"), str)]
    try:
        return (bool(texts) and all(text in sent.said for text in texts)) or _holds(
            sent.text, parse_result(recorded) if isinstance(recorded, str) else recorded
        )
    except (TooDeep, RecursionError):
        return json_text(recorded) in sent.text


def _holds(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether a value is the wanted one, or has it somewhere in it; JSON text counts as what it says."""
    if json_equal(found, wanted):
        return True
    if isinstance(found, dict | list):
        return any(_holds(one, wanted) for one in (found.values() if isinstance(found, dict) else found))
    if not isinstance(found, str):
        return False
    if isinstance(wanted, str) and wanted.strip() in found:
        return True
    inner = parse_result(found)
    if inner != found:
        return _holds(inner, wanted)
    if isinstance(wanted, dict | list):  # in words around it, with spaces or without
        squeezed = "".join(found.split())
        return any("".join(text.split()) in squeezed for text in (json_text(wanted), json.dumps(wanted)))
    return re.search(rf"(?i)(?<![\w.]){re.escape(json_text(wanted))}(?!\w|\.\d)", found) is not None


def _without_user(sent: ReadMessages | Exchange, user: str, context: Context) -> Verdict:
    """Whether no message of the user in the request says what the user said in this turn."""
    if not isinstance(sent, ReadMessages):
        return judge(~contain_message(role="user", content=user), sent, context)
    said = Wording(user)
    spoken = (event for event in sent.events if event.kind == "user")
    found = [one for one in spoken if said.is_in(one.said) or said.is_folded_in(one.said)]
    places = ", ".join(f"message {one.index}" for one in found)
    return Verdict(
        Outcome.FAIL if found else Outcome.PASS,
        f"it is in {places}" if found else "no user message has it",
        claim=f"{context.noun} to contain no user message with {value_text(user)}",
        evidence=tuple(Evidence(shorten(one.said, 200), path=f"messages[{one.index}]") for one in found),
        turn=context.turn.number if context.turn is not None else None,
    )


def _asserted(turn: GoldenTurn, step: int) -> ToolResultStep | None:
    each = turn.assertions.tool_result_steps
    return each[step] if step < len(each) else turn.assertions.every_step


def _read(exchange: Exchange) -> ReadMessages | Exchange:
    """The request read once for all checks; as it is when it cannot be read, which each check then says."""
    try:
        return ReadMessages(events_of(exchange))
    except Unsuitable:
        return exchange


def _step_matchers(asserted: ToolResultStep | None, user: str, context: Context) -> Iterator[Matcher[Any]]:
    if asserted is None:
        return
    if asserted.user_message:
        yield have_last_user_message(user, _own_calls(context))
    for id_ in asserted.tool_results:
        yield contain_message(role="tool_result", id=id_, after="tool_use")


def _own_calls(context: Context) -> frozenset[str]:
    """The ids of this turn's tool calls; none when an earlier turn used one of them too."""
    own = frozenset(call.id for call in context.turn.tool_calls) if context.turn is not None else frozenset()
    earlier = (call.id for turn in context.earlier_turns() for call in turn.tool_calls)
    return own if own.isdisjoint(earlier) else frozenset()


def _step_of(exchange: Exchange) -> str:
    """The step that a request is of: what its last message is decides, a system reminder behind it aside.

    Other words name what else it is.
    """
    last: list[Any] = list(exchange.messages[-1:])
    if not last:
        return "empty"
    if not isinstance(last[0], dict):
        return "malformed"
    if last[0].get("role") in ("system", "developer"):
        last = next(([one] for one in reversed(exchange.messages) if not _is_system(one)), last)
    if last[0].get("role") == "user" and isinstance(last[0].get("content"), str):
        return "chat"  # without a closer look at a plain text
    try:
        kinds = {event.kind for event in events_of(last)}
    except Unsuitable:
        return "malformed"
    if "tool_result" in kinds:
        return "tool-result"
    return "chat" if kinds == {"user"} else "other"
