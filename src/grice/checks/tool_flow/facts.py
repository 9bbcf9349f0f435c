"""What the tools really did, to compare a reply with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Literal

import msgspec
from msgspec import UNSET

from grice.checks.tool_flow.status import ToolStatus, status_of_result
from grice.checks.tool_flow.vocabulary import (
    action_of_noun,
    groups_of,
    is_participle,
    lemma,
    same_action,
    word_list,
)
from grice.formats.turns import parse_result
from grice.matching.calls.doubts import doubts_of
from grice.matching.context import Context
from grice.matching.json_text import json_text
from grice.records import Conversation, Reply, ToolCall, Turn

MAX_SOURCE = 2_000_000
"""The characters of results and messages that are looked at."""

Became = Literal["success", "error", "pending", "open"]
Sort = Literal["act", "look", "any"]

_TOKENS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SAYS_WHAT = ("action", "operation", "op", "method", "command", "intent", "type", "status", "mode")


class Deed(msgspec.Struct, frozen=True, gc=False):
    """One call of a tool: the lemmas of what it does, whether it changes anything, what became of it.

    `sort` is "any" where its name does not say what it does.
    """

    name: str
    verbs: frozenset[str]
    sort: Sort
    became: Became
    told: str = ""

    def does(self, verb: str) -> bool:
        """Whether it may be what a verb says: by its name, or by what it returned."""
        if self.sort == "any" or any(same_action(one, verb) for one in self.verbs):
            return True
        return self.sort == "act" and verb in _stems_in(self.told)


class Facts(msgspec.Struct, frozen=True):
    """What is known of a turn's tools and calls.

    `known` says that its calls are. `sure` says that all that was done is: no turn is missing, no agent
    failed, no call went unreported, and there are tools at all. `user` is what the user said in the turn,
    `before` in the turns before; `proposed` is the reply before, `opening` says that there is none. `sources`
    gives the texts in which a version may stand, whose making takes long, `narration` what was said beside
    calls: where, and what.
    """

    known: bool = False
    sure: bool = False
    deeds: tuple[Deed, ...] = ()
    earlier: tuple[Deed, ...] = ()
    user: str = ""
    before: tuple[str, ...] = ()
    proposed: str = ""
    opening: bool = False
    sources: Callable[[], Iterable[str]] = tuple
    narration: tuple[tuple[str, str], ...] = ()

    @property
    def status(self) -> ToolStatus | None:
        """The status of the last answered call; None without any."""
        return next((one.became for one in reversed(self.deeds) if one.became != "open"), None)

    @property
    def acted(self) -> bool:
        """Whether a call of the turn that does not only look succeeded."""
        return any(one.became == "success" and one.sort != "look" for one in self.deeds)

    def did(self, verb: str) -> bool:
        """Whether a call of this turn or an earlier one did what the verb says."""
        return any(one.became == "success" and one.does(verb) for one in (*self.earlier, *self.deeds))

    @property
    def ever_acted(self) -> bool:
        """Whether any call so far that does not only look succeeded."""
        return any(one.became == "success" and one.sort != "look" for one in (*self.earlier, *self.deeds))

    @property
    def pending_verbs(self) -> frozenset[str]:
        """What the calls do that are pending; none where their names do not say."""
        return frozenset(
            verb for one in self.deeds if one.became in ("pending", "open") for verb in one.verbs
        )

    @property
    def results(self) -> str:
        """The first 200,000 characters of what all calls returned, in small letters."""
        return _results_of((*self.earlier, *self.deeds))


NO_FACTS = Facts()


@lru_cache(maxsize=8)
def _results_of(deeds: tuple[Deed, ...]) -> str:
    return "\n".join(one.told for one in deeds).lower()[:200_000]


def facts_of(subject: object, ctx: Context) -> Facts:
    """What is known about a Reply or Turn; nothing about a bare text."""
    if not isinstance(subject, Reply | Turn):
        return NO_FACTS
    turn = subject.turn if isinstance(subject, Reply) else subject
    whole = ctx.conversation is not None
    before = ctx.earlier_turns() if whole else ()
    turns = (*before, turn)
    earlier = [call for one in before for call in one.tool_calls]
    complete = (whole and len(turns) >= turn.number) or turn.number == 1
    in_play = bool(earlier or turn.tool_calls) or any(_offers_tools(one) for one in turns)
    return Facts(
        known=True,
        sure=complete and in_play and not doubts_of(turns),
        deeds=tuple(map(_deed, turn.tool_calls)),
        earlier=tuple(map(_deed, earlier)),
        user=turn.user,
        before=tuple(one.user for one in before),
        proposed=before[-1].text if before else "",
        opening=turn.number == 1,
        sources=partial(_sources, turns, ctx.conversation),
        narration=tuple(_narration(turn)),
    )


def facts_of_calls(calls: Sequence[ToolCall]) -> Facts:
    """The facts of these calls alone; with none it is unknown whether there are tools."""
    deeds = tuple(map(_deed, calls))
    return Facts(known=True, sure=bool(deeds), deeds=deeds, sources=lambda: (one.told for one in deeds))


def _deed(call: ToolCall) -> Deed:
    """What a call does, and what became of it."""
    verbs, sort, named = _meant_by(call.name)
    if sort == "any" and _only_reads(call):
        return Deed(call.name, verbs, "look", _became(call, verbs, "look"), _call_content(call))
    if not named:  # the tool is named after a thing, or runs anything: an argument may say what
        says = [call.arguments.get(name) for name in _SAYS_WHAT]
        meant = [_meant_by(one[:80]) for one in says if isinstance(one, str) and one.upper() not in _HTTP]
        more = frozenset(verb for one, kind, by_verb in meant if by_verb and kind == "act" for verb in one)
        verbs, sort = (more, "act") if more else (verbs, sort)
    return Deed(call.name, verbs, sort, _became(call, verbs, sort), _call_content(call))


def _only_reads(call: ToolCall) -> bool:
    """Whether a call whose tool is named after a thing, or runs anything, shows that it only looks: it says
    so (GET, SELECT), or it brings back data without a word on how it went (fare_rules, seat_map).
    """
    asked = [text for name, text in call.arguments.items() if name.lower() in _CODE and isinstance(text, str)]
    if asked:
        return all(_READS.match(text[:200]) is not None for text in asked)
    if _runs_anything(call.name) or any(name in call.arguments for name in _SAYS_WHAT):
        return False
    result = parse_result(call.result) if isinstance(call.result, str) else call.result
    if isinstance(result, list):
        return not any(isinstance(one, dict) and _acknowledges(one) for one in result)
    if not isinstance(result, dict) or not result or _acknowledges(result):
        return False
    return len(call.arguments) < 2


_HTTP = ("POST", "PUT", "PATCH", "DELETE")  # what is posted or deleted there may come to anything
_CODE = ("method", "http_method", "verb", "sql", "query", "statement")
_READS = re.compile(r"(?i)\s*(?:get|head|options|select|with|show|describe|explain|list|read|fetch|query)\b")


def _acknowledges(result: Mapping[str, object]) -> bool:
    """Whether the fields of a result say how an action went, or what it made: ok, updated, booking_id."""
    tokens = (one.lower() for field in result for one in _TOKENS.findall(str(field)[:80]))
    return any(one in word_list("acknowledged") or is_participle(one) for one in tokens)


def _runs_anything(name: str) -> bool:
    tokens = [one.lower() for one in _TOKENS.findall(name[:200])]
    return not tokens or tokens[0] in word_list("anything")


def _became(call: ToolCall, verbs: frozenset[str], sort: Sort) -> Became:
    """What became of a call: a status that is that of what was looked up, or what the tool was to bring about
    (cancel_order: cancelled), is none of the call.
    """
    if call.error is not None:
        return "error"
    if call.result is UNSET:
        return "open"
    result = parse_result(call.result) if isinstance(call.result, str) else call.result
    if isinstance(result, dict) and isinstance(word := result.get("status"), str):
        word = word.strip().lower()
        if (sort == "look" and word not in _BROKEN) or lemma(word) in verbs:
            result = {name: value for name, value in result.items() if name != "status"}
    status = status_of_result(result)
    return "success" if status == "none" else status


_BROKEN = ("error", "failed", "failure")


@lru_cache(maxsize=1024)
def _meant_by(name: str) -> tuple[frozenset[str], Sort, bool]:
    """The lemmas of what a tool of that name does, whether it changes anything, whether a verb says so."""
    if _runs_anything(name):
        return frozenset(), "any", False
    tokens = [one.lower() for one in _TOKENS.findall(name[:200])]
    if tokens[0] in word_list("looks") or tokens[-1] in word_list("looks"):
        return frozenset({lemma(tokens[0])}), "look", True
    acts = [bool(groups_of(lemma(one))) and not _is_thing(one) for one in tokens]
    verbs = [lemma(one) for one, does in zip(tokens, acts, strict=True) if does]
    if acts[0] and tokens[0] not in word_list("light"):
        # update_reservation_changes: what follows is what it is done to, but for "and cancel"
        joined = zip(tokens, tokens[1:], acts[1:], strict=False)
        verbs = [verbs[0], *(lemma(one) for before, one, does in joined if does and before in ("and", "or"))]
    if verbs:
        return frozenset(verbs), "act", True
    made = [action_of_noun(one) or lemma(one) for one in tokens if _is_thing(one)]
    return frozenset(made), "act" if made else "any", False


def _is_thing(token: str) -> bool:
    """Whether it is a noun of an action, or the plural of one: booking, orders."""
    if action_of_noun(token):
        return lemma(token) != action_of_noun(token)  # update, order: a verb too
    return token.endswith("s") and bool(action_of_noun(token[:-1]))


def _call_content(call: ToolCall) -> str:
    if call.error is not None:
        return call.error[:MAX_SOURCE]
    parts = [json_text(call.arguments, MAX_SOURCE)] if call.arguments and call.result is not UNSET else []
    if call.result is not UNSET:
        parts.append(call.result if isinstance(call.result, str) else json_text(call.result, MAX_SOURCE))
    return "\n".join(parts)[:MAX_SOURCE]


@lru_cache(maxsize=64)
def _stems_in(text: str) -> frozenset[str]:
    return frozenset(lemma(one) for one in re.findall(r"[a-z]+", text[:20_000].lower()) if len(one) > 2)


def _offers_tools(turn: Turn) -> bool:
    return any(
        exchange.request.get("tools") or exchange.request.get("functions") for exchange in turn.exchanges
    )


def _sources(turns: Sequence[Turn], conversation: Conversation | None) -> Iterator[str]:
    """The texts of the conversation but for what the judged reply says: messages, prompts, results."""
    if conversation is not None and conversation.system:
        yield conversation.system
    for place, turn in enumerate(turns):
        last = place == len(turns) - 1
        for message in turn.messages:
            if not (last and message.role == "assistant"):
                yield message.content[:MAX_SOURCE]
        for call in turn.tool_calls:
            yield _call_content(call)
        for exchange in turn.exchanges[-1:]:
            yield json_text(exchange.request, MAX_SOURCE)


def _narration(turn: Turn) -> Iterator[tuple[str, str]]:
    """What was said beside calls that were answered: where it stands in the messages, and what."""
    answered = {call.id for call in turn.tool_calls if call.answered}
    for place, message in enumerate(turn.messages):
        if message.role != "assistant" or not message.tool_calls or not message.content.strip():
            continue
        if any(call.answered or call.id in answered for call in message.tool_calls):
            yield f"messages[{place}]", message.content
