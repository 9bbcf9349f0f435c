"""Shrinking a conversation by delta debugging: parts are dropped as long as its fault still stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from grice.extracting.fault import Fault, judge_last
from grice.formats.pairing import pair_results, with_ids
from grice.formats.turns import turns_of
from grice.records import Conversation, JsonValue, Message, Turn
from grice.text import is_blank
from grice.text.sentences import sentence_spans

MAX_CHECKS = 60
_BY_FACTS = frozenset({"toBeSupportedBy", "toGroundProducts", "toFollowPolicy"})
"""Matchers that hold a reply against what results say: all of it stays."""
_LONGEST_TEXT = 20_000
"""A longer text is not cut into sentences."""

_T = TypeVar("_T")


class Shrunk(NamedTuple):
    """The smaller conversation, and what was dropped on the way: how many parts of each kind.

    `checks` is how often the check was made; `minimal` says whether every part that is left was tried.
    """

    fault: Fault
    dropped: Mapping[str, int]
    checks: int
    minimal: bool


class _OutOfChecks(Exception):
    """The check was made as often as it may be."""


class _Budget:
    def __init__(self, fault: Fault, most: int, also: Callable[[Fault], bool] | None) -> None:
        self._fault = fault
        self._most = most
        self._also = also
        self.made = 0

    def stands(self, conversation: Conversation | None) -> bool:
        """Whether the fault stands in it; None is no conversation. Raises _OutOfChecks."""
        if conversation is None:
            return False
        if self.made >= self._most:
            raise _OutOfChecks
        self.made += 1
        verdict = judge_last(self._fault.check, conversation)
        if not self._fault.is_said_by(verdict):
            return False
        return self._also is None or self._also(
            self._fault._replace(conversation=conversation, verdict=verdict)
        )


class _Stage(NamedTuple):
    """One kind of part: where such parts are, and the conversation that keeps only some of them."""

    kind: str
    parts: Callable[[Conversation], list[Any]]
    keep: Callable[[Conversation, Sequence[Any]], Conversation | None]


def shrink(fault: Fault, most: int = MAX_CHECKS, also: Callable[[Fault], bool] | None = None) -> Shrunk:
    """Drop turns, then tool calls, messages, fields of results and sentences, while the fault stands.

    `also` says whether an agent that is asked has the smaller fault, too. The turns of the result are
    1-minimal: without any one of them the fault is gone, unless the checks ran out before that was known.
    """
    budget = _Budget(fault, most, also)
    best = numbered(fault.conversation, fault.conversation.turns)
    dropped: dict[str, int] = {}
    minimal = True
    for stage in _stages(fault, asks=also is not None):
        parts = stage.parts(best)
        start = best
        kept = parts
        try:
            for smaller in _smaller(parts, _kept_first(stage, fault, parts), _standing(budget, stage, start)):
                kept = smaller
        except _OutOfChecks:
            minimal = False
        best = stage.keep(start, kept) or start
        if len(kept) < len(parts):
            dropped[stage.kind] = len(parts) - len(kept)
        if not minimal:
            break
    verdict = judge_last(fault.check, best)
    return Shrunk(fault._replace(conversation=best, verdict=verdict), dropped, budget.made, minimal)


def _stages(fault: Fault, *, asks: bool) -> Sequence[_Stage]:
    """What may be dropped of the conversation of a fault; `asks` says whether an agent is asked each time."""
    if fault.check.target.kind == "exchange":  # it has the whole history; an agent makes it anew
        return _STAGES[:1] if asks else ()
    if fault.check.matcher.factory.name in _BY_FACTS:  # less facts support less, whatever the reply says
        return [one for one in _STAGES if one.kind not in ("calls", "fields")]
    return _STAGES


def _standing(budget: _Budget, stage: _Stage, conversation: Conversation) -> Callable[[Sequence[Any]], bool]:
    return lambda kept: budget.stands(stage.keep(conversation, kept))


def _kept_first(stage: _Stage, fault: Fault, parts: Sequence[Any]) -> list[Any] | None:
    """The turns that the verdict names, which are tried first."""
    if stage.kind != "turns":
        return None
    named = {one.turn for one in fault.verdict.evidence}
    return [one for one in parts if one + 1 in named]


def _smaller(
    parts: Sequence[_T], guess: Sequence[_T] | None, stands: Callable[[Sequence[_T]], bool]
) -> Iterator[list[_T]]:
    """Ever smaller lists of parts that are enough, by delta debugging (Zeller and Hildebrandt, 2002)."""
    kept = list(parts)
    if not kept:
        return
    for one in ([], guess):
        if one is not None and len(one) < len(kept) and (not one or one != []) and stands(one):
            kept = list(one)
            yield kept
            if not kept:
                return
            break
    count = 2
    while len(kept) > 1:
        size = -(-len(kept) // count)
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if rest and stands(rest):
                kept, count = rest, max(count - 1, 2)
                yield kept
                break
        else:
            if count >= len(kept):
                return
            count = min(count * 2, len(kept))


# -- turns


def numbered(conversation: Conversation, turns: Iterable[Turn]) -> Conversation:
    """The conversation with these turns only, counted from 1, each call with an id."""
    placed = (
        replace(one, number=number, messages=tuple(with_ids(one.messages)))
        for number, one in enumerate(turns, 1)
    )
    return replace(conversation, turns=tuple(placed), simulations=(), topic_graph=None)


def _earlier_turns(conversation: Conversation) -> list[int]:
    return list(range(len(conversation.turns) - 1))


def _with_turns(conversation: Conversation, kept: Sequence[int]) -> Conversation:
    turns = conversation.turns
    return numbered(conversation, [*(turns[one] for one in kept), turns[-1]])


# -- the messages of turns: calls, what is said beside them, fields, sentences


def rebuilt(turn: Turn, messages: Sequence[Message]) -> Turn | None:
    """The turn with other messages, None where they are no longer one turn."""
    made = turns_of(messages)
    if len(made) != 1:
        return None
    return replace(turn, messages=made[0].messages, tool_calls=made[0].tool_calls)


_Change = Callable[[int, Turn], Sequence[Message] | None]


def _changed(conversation: Conversation, change: _Change) -> Conversation | None:
    """The conversation whose turns have the messages that `change` gives; None leaves a turn as it is."""
    turns: list[Turn] = []
    for place, turn in enumerate(conversation.turns):
        messages = change(place, turn)
        made = turn if messages is None else rebuilt(turn, messages)
        if made is None:
            return None
        turns.append(made)
    return replace(conversation, turns=tuple(turns))


_At = tuple[int, int, int]
"""A part of a message: the place of its turn, of the message in it, and its own."""


def _calls(conversation: Conversation) -> list[_At]:
    """The calls of earlier turns; those of the last are what its tools answer."""
    return [
        (place, index, number)
        for place, turn in enumerate(conversation.turns[:-1])
        for index, message in enumerate(turn.messages)
        for number in range(len(message.tool_calls))
    ]


def _with_calls(conversation: Conversation, kept: Sequence[_At]) -> Conversation | None:
    wanted = set(kept)

    def change(place: int, turn: Turn) -> Sequence[Message] | None:
        if place == len(conversation.turns) - 1:
            return None
        answers = pair_results(turn.messages)
        messages: list[Message] = []
        for index, message in enumerate(turn.messages):
            answered = answers.get(index)
            if answered is not None and (place, answered.message, answered.call) not in wanted:
                continue
            left = tuple(
                call for number, call in enumerate(message.tool_calls) if (place, index, number) in wanted
            )
            if message.tool_calls and not left and not message.content:
                continue
            messages.append(replace(message, tool_calls=left) if message.tool_calls else message)
        return messages

    return _changed(conversation, change)


def _asides(conversation: Conversation) -> list[_At]:
    """Messages that say something beside the user, calls and results, but for the reply that is judged."""
    last = len(conversation.turns) - 1
    return [
        (place, index, 0)
        for place, turn in enumerate(conversation.turns)
        for index, message in enumerate(turn.messages)
        if message.role in ("system", "assistant")
        and not message.tool_calls
        and (place, index) != (last, len(turn.messages) - 1)
    ]


def _with_asides(conversation: Conversation, kept: Sequence[_At]) -> Conversation | None:
    gone = {one[:2] for one in _asides(conversation)} - {one[:2] for one in kept}
    return _changed(
        conversation,
        lambda place, turn: [one for index, one in enumerate(turn.messages) if (place, index) not in gone],
    )


def _fields(conversation: Conversation) -> list[tuple[int, int, str]]:
    """The fields of results, and the items of those that are lists.

    Those of a last turn stay whose model's replies are known: these say what stood in the results.
    """
    turns = conversation.turns[:-1] if conversation.turns[-1].exchanges else conversation.turns
    return [
        (place, index, name)
        for place, turn in enumerate(turns)
        for index, message in enumerate(turn.messages)
        if message.role == "tool"
        for name in _names(_value(message.content))
    ]


def _names(value: JsonValue) -> list[str]:
    if isinstance(value, dict):
        return list(value)
    return [str(one) for one in range(len(value))] if isinstance(value, list) else []


def _value(text: str) -> JsonValue:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None


def _with_fields(conversation: Conversation, kept: Sequence[tuple[int, int, str]]) -> Conversation | None:
    gone = set(_fields(conversation)) - set(kept)

    def content(place: int, index: int, message: Message) -> str:
        value = _value(message.content)
        names = _names(value)
        left = [one for one in names if (place, index, one) not in gone]
        if len(left) == len(names):
            return message.content
        if isinstance(value, dict):
            return msgspec.json.encode({one: value[one] for one in left}).decode()
        return msgspec.json.encode([value[int(one)] for one in left]).decode()

    return _changed(
        conversation,
        lambda place, turn: [
            replace(one, content=content(place, index, one)) if one.role == "tool" else one
            for index, one in enumerate(turn.messages)
        ],
    )


def _sentences(conversation: Conversation) -> list[_At]:
    """The sentences of earlier texts that have several; those of the last turn are what is played anew."""
    return [
        (place, index, number)
        for place, turn in enumerate(conversation.turns[:-1])
        for index, message in enumerate(turn.messages)
        if message.role in ("user", "assistant")
        for number in range(len(_pieces(message.content)))
    ]


def _pieces(text: str) -> list[str]:
    spans = sentence_spans(text) if len(text) <= _LONGEST_TEXT else ()
    return [text[start:end].strip() for start, end in spans] if len(spans) > 1 else []


def _with_sentences(conversation: Conversation, kept: Sequence[_At]) -> Conversation | None:
    gone = set(_sentences(conversation)) - set(kept)
    blank = False

    def content(place: int, index: int, message: Message) -> str:
        nonlocal blank
        pieces = _pieces(message.content)
        left = [one for number, one in enumerate(pieces) if (place, index, number) not in gone]
        if len(left) == len(pieces):
            return message.content
        text = " ".join(left)
        blank = blank or is_blank(text)
        return text

    made = _changed(
        conversation,
        lambda place, turn: [
            replace(one, content=content(place, index, one)) for index, one in enumerate(turn.messages)
        ],
    )
    return None if blank else made


_STAGES = (
    _Stage("turns", _earlier_turns, _with_turns),
    _Stage("calls", _calls, _with_calls),
    _Stage("messages", _asides, _with_asides),
    _Stage("fields", _fields, _with_fields),
    _Stage("sentences", _sentences, _with_sentences),
)
