"""What a turn cost: tokens, seconds, requests to the model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeGuard, assert_never

import msgspec

from grice.checks.message_events import Event, MessageArray, events_of
from grice.checks.model_requests import ModelRequests, Request, answering, requests_of, turns_of
from grice.formats.content import json_text
from grice.matching.argument_types import AtLeastOne, AtLeastZero, Positive
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import nothing_in
from grice.records import Conversation, Exchange, Reply, Turn, Verdict, errored, failed, inconclusive, passed
from grice.text import estimated_tokens, shorten, value_text

TokensOf = Literal["input", "output", "total"]
NOT_RECORDED = "no request to the model is on record"
SHOWN_TURNS = 20
SHOWN_ERROR = 200


class Bound(msgspec.Struct, frozen=True):
    """The most that may be spent: up to `limit`, or only `below` it."""

    limit: float
    below: bool = False

    def allows(self, spent: float) -> bool:
        """Whether that much is within the bound."""
        return spent < self.limit if self.below else spent <= self.limit


# -- tokens


@matcher("toStayWithinTokens", layer=0, describe="stay within {limit:{of!s} token}")
def stay_within_tokens(
    subject: str | ModelRequests | MessageArray, ctx: Context, limit: AtLeastOne, *, of: TokensOf = "input"
) -> Verdict:
    """The subject has at most `limit` tokens: of the model's input, its output, or both (`total`).

    Of a request they are counted as the reply's `usage` says; where it does not say they are estimated, and
    the reason says "about". Those of a reply, turn or conversation are the sum over all its requests, those
    for embeddings too. A text and a message array are input, always estimated. No request at all, no reply
    where output is asked for, an empty text and an empty array are `inconclusive`.
    """
    bound = Bound(limit)
    if isinstance(subject, Exchange | Reply | Turn | Conversation):
        return _within_requests(requests_of(subject), bound, of)
    if of != "input":
        return errored(f"of={value_text(of)} is for requests to a model: a text or an array is its input")
    if isinstance(subject, str):
        nothing = nothing_in(subject)
        return _within(_text_in(subject), bound, of, "") if nothing is None else nothing
    if not isinstance(subject, list | tuple):
        raise Unsuitable(
            "a text, an Exchange, a Reply, a Turn, a Conversation or a list of messages, "
            f"found {type(subject).__name__}"
        )
    if not events_of(subject):
        return inconclusive("the message array is empty")
    return _within(_messages_in(subject), bound, of, _spent_on(subject))


@matcher("toUseFewerTokensThan", layer=0, describe="use fewer than {limit:{of!s} token}")
def use_fewer_tokens_than(
    subject: ModelRequests, ctx: Context, limit: AtLeastOne, *, of: TokensOf = "total"
) -> Verdict:
    """The requests to the model have fewer than `limit` tokens: of input, output, or both (`total`).

    They are counted as by `stay_within_tokens`, which allows the limit itself.
    """
    return _within_requests(requests_of(subject), Bound(limit, below=True), of)


def _within_requests(requests: Sequence[Request], bound: Bound, of: TokensOf) -> Verdict:
    if not requests:
        return inconclusive(NOT_RECORDED)
    counts = [(request, count) for request in requests if (count := _count(request.exchange, of)) is not None]
    if not counts:
        return inconclusive("no reply of the model is on record")
    biggest, most = max(counts, key=lambda pair: pair[1].tokens)
    spent = "" if of == "output" else _spent_on(biggest.exchange)
    if of == "total":
        spent += f", {_output_of(biggest.exchange) or 'none'} for the reply"
    if len(requests) > 1:
        spent = f": {spent}" if spent else ""
        spent = f"{len(requests)} requests, the biggest is {biggest.name} with {most}{spent}"
    total = sum((count for _, count in counts), _Count(0))
    return _within(total, bound, of, spent)


def _count(exchange: Exchange, of: TokensOf) -> _Count | None:
    match of:
        case "input":
            return _input_of(exchange)
        case "output":
            return _output_of(exchange)
        case "total":
            return _input_of(exchange) + (_output_of(exchange) or _Count(0))
        case _:
            assert_never(of)


def _within(count: _Count, bound: Bound, of: TokensOf, spent: str) -> Verdict:
    found = _tokens(count.tokens, str(count), of)
    if bound.allows(count.tokens):
        return passed(found)
    if bound.below:
        over = f"{found}, expected fewer than {bound.limit:,}"
    else:
        over = f"{found}, {count.tokens - bound.limit:,} over the limit of {bound.limit:,}"
    return failed(f"{over}; {spent}" if spent else over)


def _tokens(number: int, shown: str, of: TokensOf) -> str:
    words = f"{shown} token{'' if number == 1 else 's'}"
    return words if of == "total" else f"{words} of {of}"


# -- seconds


@matcher("toAnswerWithin", layer=0, describe="answer within {seconds:g} s")
def answer_within(subject: ModelRequests, ctx: Context, seconds: Positive) -> Verdict:
    """The answer came within that many seconds: the model's to a request, or the agent's in a turn.

    Of a conversation every turn counts, and the slowest is named; turns that were not timed, such as those
    of a history, are left out while others were. What was not timed is `inconclusive`; so is what came to no
    answer in time because the agent failed or the model's reply broke off.
    """
    return _answered_within(subject, Bound(seconds))


@matcher("toTakeLessThan", layer=0, describe="take less than {seconds:g} s")
def take_less_than(subject: ModelRequests, ctx: Context, seconds: Positive) -> Verdict:
    """The answer took less than that many seconds: the model's to a request, or the agent's in a turn.

    What counts is as for `answer_within`, which allows the limit itself.
    """
    return _answered_within(subject, Bound(seconds, below=True))


def _answered_within(subject: ModelRequests, bound: Bound) -> Verdict:
    if isinstance(subject, Exchange):
        return _request_within(subject, bound)
    return _turns_within(turns_of(subject), bound)


def _request_within(exchange: Exchange, bound: Bound) -> Verdict:
    took = exchange.duration
    if not _is_time(took):
        return inconclusive("the request to the model was not timed")
    if not bound.allows(took):
        return failed(f"the model took {_time(took)}, {_limit_text(bound)}")
    if exchange.reply is None or exchange.error is not None:
        why = f": {shorten(exchange.error, SHOWN_ERROR)}" if exchange.error else ""
        return inconclusive(f"after {_time(took)} the model had given no whole answer{why}")
    return passed(f"the model took {_time(took)}")


def _turns_within(turns: Sequence[Turn], bound: Bound) -> Verdict:
    timed = [(took, turn) for turn in turns if _is_time(took := turn.duration)]
    if not timed:
        return inconclusive("the turn was not timed" if len(turns) == 1 else "no turn was timed")
    took, slowest = max(timed, key=lambda pair: pair[0])
    found = f"turn {slowest.number} took {_time(took)}"
    if len(timed) > 1:
        found += f", the slowest of {len(timed)} turns"
    if len(timed) < len(turns):
        found += f" ({len(turns) - len(timed)} not timed)"
    if not bound.allows(took):
        return _at(failed(f"{found}; {_limit_text(bound)}{_spent_in_model(slowest)}"), slowest)
    for turn in turns:
        if turn.failure is not None:
            why = shorten(turn.failure.message, SHOWN_ERROR)
            return _at(inconclusive(f"the agent gave no answer in turn {turn.number}: {why}; {found}"), turn)
    return _at(passed(found), slowest)


def _limit_text(bound: Bound) -> str:
    return f"{'expected less than' if bound.below else 'the limit is'} {bound.limit:g} s"


def _at(verdict: Verdict, turn: Turn) -> Verdict:
    return msgspec.structs.replace(verdict, turn=turn.number)


def _spent_in_model(turn: Turn) -> str:
    """What part of a turn its requests to the model took."""
    took, count = turn.model_duration, len(turn.exchanges)
    if took is None:
        return ""
    return f"; {_time(took)} of it in {count} request{'' if count == 1 else 's'} to the model"


def _is_time(duration: float | None) -> TypeGuard[float]:
    return duration is not None and 0 <= duration < math.inf


def _time(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 0.01 else f"{seconds:.3g} s"


# -- requests


def _check_ask(*, times: int | None = None, at_most: int | None = None) -> None:
    if times is not None and at_most is not None:
        raise ArgumentError("times= and at_most= were given, and only one of them can hold")


@matcher(
    "toAskModel", layer=0, describe="ask the model[ {times:time}][ at most {at_most:time}]", check=_check_ask
)
def ask_model(
    subject: Reply | Turn | Conversation,
    ctx: Context,
    *,
    times: AtLeastZero | None = None,
    at_most: AtLeastZero | None = None,
) -> Verdict:
    """The agent sent its model exactly `times` requests, or `at_most` so many; at least one without either.

    Requests that failed count, those for embeddings do not. Where no request at all is on record, of the
    turn or the conversation that it belongs to, the model may not be recorded: `inconclusive`.
    """
    if not isinstance(subject, Reply | Turn | Conversation):
        raise Unsuitable(f"a Reply, a Turn or a Conversation, found {type(subject).__name__}")
    if not requests_of(subject) and (ctx.conversation is None or not ctx.conversation.exchanges):
        return inconclusive(f"{NOT_RECORDED}: the agent's model may not be one that records them")
    counts: dict[int, int] = {}
    for request in answering(subject):
        if request.turn is not None:
            counts[request.turn] = counts.get(request.turn, 0) + 1
    asked = sum(counts.values())
    found = f"asked {_times(asked)}"
    if isinstance(subject, Conversation) and asked:
        shown = [f"turn {turn}: {count}" for turn, count in list(counts.items())[:SHOWN_TURNS]]
        found += f" ({', '.join(shown + ['...'] * (len(counts) > SHOWN_TURNS))})"
    holds = asked == times if times is not None else asked <= at_most if at_most is not None else asked > 0
    return passed(found) if holds else failed(found)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


class _Count(msgspec.Struct, frozen=True):
    """A number of tokens: reported by the model, or `about` it by an estimate."""

    tokens: int
    about: bool = False

    def __add__(self, other: _Count) -> _Count:
        return _Count(self.tokens + other.tokens, self.about or other.about)

    def __str__(self) -> str:
        return f"{'about ' if self.about else ''}{self.tokens:,}"


def _text_in(text: str) -> _Count:
    """The tokens of a text."""
    return _Count(estimated_tokens(text), about=True)


def _messages_in(messages: MessageArray) -> _Count:
    """The tokens of a message array. Raises Unsuitable for what is none."""
    return _Count(sum(tokens for _, tokens in _sized(events_of(messages))), about=True)


def _input_of(exchange: Exchange) -> _Count:
    """The tokens of a request: as its reply's `usage` says, else estimated."""
    reported = exchange.input_tokens
    if reported is not None and reported >= 0:
        return _Count(reported)
    return _Count(sum(tokens for _, tokens in _parts(exchange)), about=True)


def _output_of(exchange: Exchange) -> _Count | None:
    """The tokens of the reply: as its `usage` says, else estimated; None without a reply."""
    reported = exchange.output_tokens
    if reported is not None and reported >= 0:
        return _Count(reported)
    if exchange.reply is None:
        return None
    said = _answer(exchange.reply)
    try:
        return _messages_in(said)
    except Unsuitable:
        return _Count(estimated_tokens(json_text(said)), about=True)


def _spent_on(subject: Exchange | MessageArray) -> str:
    """What the tokens of a request are spent on, biggest first: messages, system prompt, tools."""
    parts = _parts(subject) if isinstance(subject, Exchange) else list(_sized(events_of(subject)))
    messages = [part for part in parts if part[0].startswith("message")]
    sums: Counter[str] = Counter()
    for name, tokens in parts:
        sums["messages" if name.startswith("message") else name] += tokens
    shown = {name: f"about {tokens:,} for the {name}" for name, tokens in sums.most_common()}
    if len(messages) > 1:
        name, tokens = max(messages, key=lambda part: part[1])
        shown["messages"] += f" (the biggest is {name} with about {tokens:,})"
    return ", ".join(shown.values())


def _parts(exchange: Exchange) -> list[tuple[str, int]]:
    """The parts of a request by name, each with its estimated tokens."""
    try:
        parts = list(_sized(events_of(exchange)))
    except Unsuitable:  # malformed messages, and inputs of embeddings
        parts = [("messages", estimated_tokens(json_text(exchange.messages)))]
        if exchange.system:
            parts.append(("system prompt", estimated_tokens(exchange.system)))
    tools = exchange.request.get("tools")
    return [*parts, ("tools", estimated_tokens(json_text(tools)))] if tools else parts


def _sized(events: Sequence[Event]) -> Iterator[tuple[str, int]]:
    for event in events:
        name = "system prompt" if event.kind == "system" else f"message {event.index}, {event.kind},"
        yield name, estimated_tokens(event.text)


def _answer(reply: dict[str, Any]) -> list[Any]:
    """The messages of a reply body, in whichever dialect it is."""
    if isinstance(reply.get("choices"), list):
        choices: Iterable[Any] = reply["choices"]
        return [choice.get("message") for choice in choices if isinstance(choice, dict)]
    if isinstance(reply.get("output"), list):
        return [*reply["output"]]
    return [{"role": "assistant", "content": reply.get("content")}]
