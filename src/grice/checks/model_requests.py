"""What requests to the model ask for beside their messages: tools, model, parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from grice.matching.argument_types import Text
from grice.matching.context import Context
from grice.matching.equality import first_difference, json_equal
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import (
    Conversation,
    Exchange,
    Outcome,
    Reply,
    Turn,
    Verdict,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, shorten, value_text

ModelRequests = Exchange | Reply | Turn | Conversation
"""What has requests to the model: one request, a turn's, or a conversation's."""

EMBEDDINGS = "openai_embeddings"
SHOWN_NAMES = 1_000
SHOWN_REQUESTS = 10


class Request(msgspec.Struct, frozen=True):
    """One request to the model with its place: its turn, and its number within it, both from 1."""

    exchange: Exchange
    turn: int | None = None
    number: int = 1

    @property
    def name(self) -> str:
        """How a message names it."""
        return f"request {self.number} of turn {self.turn}" if self.turn is not None else "the request"


def requests_of(subject: object) -> list[Request]:
    """Every request of the subject in order, those for embeddings too. Raises Unsuitable."""
    if isinstance(subject, Exchange):
        return [Request(subject)]
    return [
        Request(exchange, turn.number, number)
        for turn in turns_of(subject)
        for number, exchange in enumerate(turn.exchanges, 1)
    ]


def turns_of(subject: object) -> Sequence[Turn]:
    """The turns of a conversation, or the one turn. Raises Unsuitable for anything else."""
    if isinstance(subject, Conversation):
        return subject.turns
    if isinstance(subject, Reply | Turn):
        return (subject.turn if isinstance(subject, Reply) else subject,)
    raise Unsuitable(f"an Exchange, a Reply, a Turn or a Conversation, found {type(subject).__name__}")


def answering(subject: object) -> list[Request]:
    """The requests of the subject that ask for an answer: all but those for embeddings."""
    return [request for request in requests_of(subject) if request.exchange.dialect != EMBEDDINGS]


def refuse_embeddings(subject: object) -> None:
    """Raise Unsuitable for a request that asks for embeddings: it has no prompt and no tools."""
    if isinstance(subject, Exchange) and subject.dialect == EMBEDDINGS:
        raise Unsuitable("requests for an answer, and this one is for embeddings")


def judge_requests(subject: object, judged: Callable[[Exchange], Verdict]) -> Verdict:
    """The verdict on one request; of a turn or conversation, on all of its requests for an answer.

    What holds of every request passes, what holds of none fails. When it holds of some only, or is in doubt
    of one, neither the claim nor its negation is true of them all: `inconclusive`, as it is without any
    request.
    """
    if isinstance(subject, Exchange):
        return judged(subject)
    found = [(request, judged(request.exchange)) for request in answering(subject)]
    if not found:
        return inconclusive("no request to the model is on record")
    request, verdict = _telling(found)
    outcomes = {one.outcome for _, one in found}
    if len(outcomes) > 1 and verdict.outcome is not Outcome.ERROR:
        verdict = inconclusive(verdict.reason, evidence=verdict.evidence)
    reason = verdict.reason
    if len(found) > 1:
        reason = f"{_how_many(found)}; {request.name}: {reason}"
    return msgspec.structs.replace(verdict, reason=reason, turn=request.turn)


def _telling(found: Sequence[tuple[Request, Verdict]]) -> tuple[Request, Verdict]:
    """The first request that differs from the others, whose reason stands for all."""
    outcomes = [verdict.outcome for _, verdict in found]
    if Outcome.ERROR in outcomes:
        return found[outcomes.index(Outcome.ERROR)]
    if Outcome.PASS in outcomes:
        return next((pair for pair in found if pair[1].outcome is not Outcome.PASS), found[0])
    return next((pair for pair in found if pair[1].outcome is not Outcome.FAIL), found[0])


def _how_many(found: Sequence[tuple[Request, Verdict]]) -> str:
    count = len(found)
    others = [request for request, verdict in found if verdict.outcome is not Outcome.PASS]
    if not others:
        return f"true of all {count} requests"
    if len(others) < count:
        return f"true of {count - len(others)} of {count} requests, not of {_requests(others)}"
    doubtful = [request for request, verdict in found if verdict.outcome is not Outcome.FAIL]
    doubt = f", in doubt of {_requests(doubtful)}" if doubtful else ""
    return f"true of none of the {count} requests{doubt}"


def _requests(requests: Sequence[Request]) -> str:
    return ", ".join(
        [one.name for one in requests[:SHOWN_REQUESTS]] + ["..."] * (len(requests) > SHOWN_REQUESTS)
    )


@matcher("toOfferTool", layer=2, describe="offer the tool {name}")
def offer_tool(subject: ModelRequests, ctx: Context, name: Text) -> Verdict:
    """The request offers the model the tool of that name; of a turn or conversation, every request does.

    When some requests offer it and some do not, the verdict is `inconclusive` under both polarities, so that
    `not_to_offer_tool` passes only where none offers it. Requests for embeddings are left out; no request
    at all is `inconclusive`. A built-in tool without a name counts by its type, a namespace by the tools in
    it, and `functions` are tools.
    """
    refuse_embeddings(subject)

    def judged(exchange: Exchange) -> Verdict:
        offered = exchange.offered_tools
        if name in offered:
            return passed(f"{_names(offered)} offered")
        return failed(f"offered: {_names(offered)}{did_you_mean(name, offered)}")

    return judge_requests(subject, judged)


@matcher("toOfferOnlyTools", layer=2, describe="offer [only the tools {names}|no tool]")
def offer_only_tools(subject: ModelRequests, ctx: Context, *names: Text) -> Verdict:
    """The request offers the model exactly these tools, in any order; without names, none at all.

    Turns and conversations are judged as by `offer_tool`.
    """
    refuse_embeddings(subject)

    def judged(exchange: Exchange) -> Verdict:
        offered = exchange.offered_tools
        others = [name for name in dict.fromkeys(offered) if name not in names]
        missing = [name for name in names if name not in offered]
        if not others and not missing:
            return passed(f"{_names(offered)} offered")
        parts = [f"{value_text(name)} is not offered{did_you_mean(name, others)}" for name in missing]
        if others:
            parts.append(f"{'offered beside them' if names else 'offered'}: {_names(others)}")
        return failed("; ".join(parts))

    return judge_requests(subject, judged)


def _names(names: Sequence[str]) -> str:
    return shorten(", ".join(names), SHOWN_NAMES) or "no tool"


def _check_fields(**fields: object) -> None:
    if not fields:
        raise ArgumentError("name at least one field of the request, such as model='...'")


@matcher(
    "toHaveParameters",
    layer=2,
    check=_check_fields,
)
def have_parameters(subject: ModelRequests, ctx: Context, /, **fields: object) -> Verdict:
    """The request has these fields at its top level, with these values: the model, the temperature, ...

    Values are equal as in `equal`: by JSON equality, or by their own `==` (dirty-equals). Fields that are
    not named may be anything. Turns and conversations are judged as by `offer_tool`.
    """

    def judged(exchange: Exchange) -> Verdict:
        request = exchange.request
        wrong = [
            why
            for name, expected in fields.items()
            if (why := _why_different(request, name, expected)) is not None
        ]
        if wrong:
            return failed("\n".join(wrong))
        return passed(", ".join(f"{name} {value_text(request[name])}" for name in fields))

    return judge_requests(subject, judged)


def _why_different(request: dict[str, object], name: str, expected: object) -> str | None:
    if name not in request:
        near = did_you_mean(name, request)
        return f"{name}: not in the request{near}, expected {value_text(expected)}"
    if json_equal(request[name], expected):
        return None
    place = first_difference(request[name], expected)
    found, wanted = value_text(place.actual), value_text(place.expected)
    return f"{name}{place.path[1:]}: found {found}, expected {wanted}"
