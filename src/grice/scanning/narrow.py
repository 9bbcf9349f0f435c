"""A first look at a line of a log: whether every check passes on it, with as little decoding as possible.

It knows conversations in plain chat messages, by far the most. What it does not know for sure is left to
judging, so that it changes no outcome.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from types import GenericAlias
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from grice.formats.calls import make_call
from grice.formats.logs import CONVERSATION_IDS
from grice.formats.turns import turns_of
from grice.matching.limits import limits_in_force
from grice.matching.matcher import Matcher, Prefilter
from grice.matching.patterns import PatternError, compile_pattern, matches_everything
from grice.matching.patterns.pattern import MAX_MEMORY
from grice.matching.patterns.pattern_set import MAX_REPEATS, PatternSet
from grice.records import Conversation, Message
from grice.records.conversation import Role
from grice.running.suite_checks import AtPath, prefilter_of
from grice.scanning.check_choice import LogCheck
from grice.scanning.kept import MAX_TURNS
from grice.text import is_blank

_BETWEEN = b"\xff"
"""What stands between replies that are looked through as one: a byte of no text, which no pattern matches."""
_Never = Literal["\0never"]
"""The type of a field with which a line is left to judging, as it may change what the rest means."""
_Text = Annotated[str, Meta(min_length=1)]


class _Function(msgspec.Struct, gc=False):
    name: str
    arguments: str


class _Call(msgspec.Struct, gc=False):
    function: _Function
    id: str = ""
    type: Literal["function"] = "function"
    requestor: _Never | UnsetType = UNSET


class _Message(msgspec.Struct, gc=False, kw_only=True, tag_field="role"):
    tool_call_id: str | None = None
    name: str | None = None
    # with one of these it is a message of another format, or says more than its content
    type: None = None
    data: None = None
    refusal: None = None
    function_call: None = None
    parts: None = None
    user_content: None = None
    requestor: _Never | UnsetType = UNSET
    is_error: None = None
    status: None = None
    tool_messages: _Never | UnsetType = UNSET
    turn_idx: _Never | UnsetType = UNSET


class _System(_Message, tag="system", kw_only=True):
    content: _Text
    tool_calls: list[_Call] | None = None


class _Developer(_System, tag="developer", kw_only=True):
    pass


class _User(_Message, tag="user", kw_only=True):
    content: _Text
    tool_calls: None = None


class _Assistant(_Message, tag="assistant", kw_only=True):
    content: str | None = None
    tool_calls: list[_Call] | None = None


class _Tool(_Message, tag="tool", kw_only=True):
    content: str
    tool_calls: list[_Call] | None = None


_AnyMessage = _System | _Developer | _User | _Assistant | _Tool
_Messages = list[_AnyMessage]


class _Line(msgspec.Struct, gc=False):
    messages: _Messages
    id: str | int | float | None = None
    # with one of these, empty too, it is a request, with which other lines may go on, or a sample
    response: _Never | UnsetType = UNSET
    choices: _Never | UnsetType = UNSET
    output: _Never | UnsetType = UNSET
    request: _Never | UnsetType = UNSET
    error: _Never | UnsetType = UNSET
    epoch: _Never | UnsetType = UNSET


_names: list[Any] = [(name, _Never | UnsetType, UNSET) for name in CONVERSATION_IDS]
_Nameless: Any = GenericAlias(list, msgspec.defstruct("_Nameless", _names, gc=False))
"""Messages that do not name their conversation: those of a list that do may be of several."""

_decode_line = msgspec.json.Decoder(_Line).decode
_decode_list = msgspec.json.Decoder(_Messages).decode
_refuse_names = msgspec.json.Decoder(_Nameless).decode


class Doubtful(NamedTuple):
    """A conversation in plain messages on which some checks may not pass: their labels, by the turn's number.

    On all other turns with a reply every check passes. A label has whether its check is certain to fail.
    `said` is what the agent said in each turn with a reply.
    """

    labels: dict[int, dict[str, bool]]
    messages: _Messages
    id: str
    said: dict[int, list[str]]

    def full_text(self, turn: int) -> str:
        """Everything the agent said in the turn of this number, as `Turn.full_text` has it."""
        return "\n".join(one for one in self.said[turn] if one)

    def record(self, id: str) -> Conversation:  # noqa: A002
        """The conversation up to the last turn that is doubtful, as reading it whole gives it."""
        return Conversation(id=id, turns=turns_of(map(_neutral, self._until(max(self.labels)))))

    def _until(self, last: int) -> _Messages:
        """The messages of the turns up to one, and those behind it where a result is among them."""
        results = [place for place, one in enumerate(self.messages) if type(one) is _Tool]
        turns = 0
        for place, one in enumerate(self.messages):
            turns += type(one) is _User
            if turns > last and not (results and results[-1] >= place):
                return self.messages[:place]
        return self.messages


class Look(NamedTuple):
    """What a first look at lines tells: how many there are, the conversations that it knows, and of these the
    turns and those with a reply.

    `left` has, by the place of its line, what has to be judged: None is a line to be read whole.
    """

    lines: int
    conversations: int
    turns: int
    examined: int
    left: dict[int, Doubtful | None]


def _neutral(raw: _AnyMessage) -> Message:
    if type(raw) is _Tool:
        return Message("tool", raw.content, tool_call_id=raw.tool_call_id, name=raw.name or None)
    calls = [make_call(one.function.name, one.function.arguments, one.id) for one in raw.tool_calls or ()]
    return Message(_ROLES[type(raw)], raw.content or "", tool_calls=tuple(calls), name=raw.name or None)


_ROLES: dict[type, Role] = {_System: "system", _Developer: "system", _User: "user", _Assistant: "assistant"}


class NarrowLook:
    """Looks at lines for checks that can all be told from the texts of the replies."""

    def __init__(self, checks: Sequence[LogCheck]) -> None:
        together = {one.label: pattern for one in checks if (pattern := _forbidden(one))}
        self._either = _either(together.values())
        self._forbidden = PatternSet(together if self._either else {})
        others = [one for one in checks if self._either is None or one.label not in together]
        alone = {one.label: prefilter_of(one.check) for one in others}
        self._alone = {label: passes for label, passes in alone.items() if passes is not None}
        self.possible = len(self._alone) == len(alone)
        self._longest = limits_in_force().regex_max_test_str_len

    def at(self, lines: Sequence[bytes]) -> Look:
        """What is known of the conversations of the lines, of which some may be blank."""
        left: dict[int, Doubtful | None] = {}
        known: list[tuple[int, _Line]] = []
        begins: list[int] = []
        texts: list[str] = []
        count = turns = 0
        for place, line in enumerate(lines):
            if not line or line.isspace():
                continue
            count += 1
            read = _read(line)
            told = _replies(read.messages) if read is not None else None
            if read is None or told is None or (len(line) > self._longest < max(map(len, told[1]))):
                left[place] = None
                continue
            turns += told[0]
            known.append((place, read))
            begins.append(len(texts))
            texts += told[1]
        for number, labels in sorted(self._doubtful(texts).items()):
            at = bisect_right(begins, number) - 1
            place, read = known[at]
            one = left.get(place)
            if one is None:
                name = "" if read.id is None else str(read.id)
                one = left[place] = Doubtful({}, read.messages, name, _said(read.messages))
            one.labels[[*one.said][number - begins[at]]] = labels
        return Look(count, len(known), turns, len(texts), left)

    def _doubtful(self, texts: Sequence[str]) -> dict[int, dict[str, bool]]:
        """The labels of the checks that may not pass, by the number of the text."""
        found: dict[int, dict[str, bool]] = {}
        joined = _BETWEEN.join(map(str.encode, texts))
        if self._either is not None and texts:
            for number in _places(self._either, joined):
                found[number] = dict.fromkeys(self._forbidden.found_in(texts[number]), True)
        for label, passes in self._alone.items():
            for number in _failing(passes, texts, joined):
                fails = isinstance(passes, AtPath) and passes.fails(texts[number])
                found.setdefault(number, {})[label] = fails
        return found


def _read(line: bytes) -> _Line | None:
    try:
        if not line.startswith(b"["):
            return _decode_line(line)
        _refuse_names(line)
        return _Line(_decode_list(line))
    except (ValueError, RecursionError):
        return None


def _failing(passes: Prefilter, texts: Sequence[str], joined: bytes) -> list[int]:
    """The numbers of the texts of which a first look does not say that the check passes."""
    asked: Iterable[int] = range(len(texts))
    if isinstance(passes, AtPath) and passes.on_words and not _has_fence(joined):
        asked = [number for number, text in enumerate(texts) if not text[0].isalnum()]
    try:
        return [number for number in asked if passes(texts[number]) is not True]
    except Exception:  # somebody's code: judging says what is wrong
        return [number for number in asked if not holds(passes, texts[number])]


def _has_fence(joined: bytes) -> bool:
    return (b"`" in joined and b"```" in joined) or (b"~" in joined and b"~~~" in joined)


def _places(pattern: Any, joined: bytes) -> Iterator[int]:
    """The numbers of the texts in which the pattern occurs, which looks through all of them as one."""
    at = number = 0
    while (found := pattern.search(joined, at)) is not None:
        start = found.start()
        number += joined.count(_BETWEEN, at, start)
        yield number
        number, at = number + 1, joined.find(_BETWEEN, start) + 1
        if not at:
            return


def holds(passes: Prefilter, text: str) -> bool:
    """Whether a first look says that the check passes."""
    try:
        return passes(text) is True
    except Exception:  # somebody's code: judging says what is wrong
        return False


def _forbidden(check: LogCheck) -> tuple[str, str] | None:
    """The pattern that may match no reply, where several replies can be looked through as one text."""
    matcher: Matcher[Any] = check.check.matcher
    if matcher.factory.name != "toMatch" or not matcher.negated or prefilter_of(check.check) is None:
        return None
    source, flags = matcher.args[0], matcher.kwargs.get("flags", "")
    try:
        translation = compile_pattern(source, flags).translation
    except PatternError:
        return None
    edges = ("^", "$", "\\A", "\\z")  # of a text: between two replies there is none
    if translation.inside_characters or translation.any_line_end or translation.most_repeats > MAX_REPEATS:
        return None
    if any(one in translation.source for one in edges) or matches_everything(source, flags):
        return None
    return source, flags


def _either(patterns: Iterable[tuple[str, str]]) -> Any:
    """What finds any of the patterns, None where there are none, or more than RE2 can hold at once."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    options.never_capture = True
    sources = [f"(?:{compile_pattern(*one).translation.source})" for one in patterns]
    try:
        return re2.compile("|".join(sources), options) if sources else None
    except re2.error:
        return None


def _replies(messages: _Messages) -> tuple[int, list[str]] | None:  # noqa: C901 - one pass
    """How many turns there are, and the text of each with a reply, as `Turn.text` has it.

    None where more than the plain texts counts.
    """
    if not messages or type(messages[-1]) is not _Assistant:
        return None
    turns = 0
    replies: list[str] = []
    reply: str | None = None
    calling = answered = False  # whether the agent's last message calls, and whether a result came last
    waiting: dict[str, bool] = {}
    for message in messages:
        kind = type(message)
        if kind is _User:
            if reply is not None:
                replies.append(reply)
                reply = None
            calling = answered = False
            turns += 1
        elif kind is _Assistant:
            content, calls = message.content, message.tool_calls
            if calls:
                if not _all_new(calls, waiting):
                    return None
                calling = True
            elif content:
                calling = False
            else:
                return None
            if content:
                reply = content
            elif answered or reply is None:
                reply = ""
            answered = False
            turns = turns or 1
        elif kind is _Tool:
            if not waiting.get(message.tool_call_id or ""):
                return None
            waiting[message.tool_call_id or ""] = False
            answered = True
            reply = "" if calling else reply
    replies.append(reply or "")
    for text in replies:
        if not text or not ("!" <= text[0] <= "~" or not is_blank(text)):
            return None
    return (turns, replies) if turns <= MAX_TURNS else None


def _said(messages: _Messages) -> dict[int, list[str]]:
    """What the agent said in each turn with a reply, by the turn's number."""
    said: dict[int, list[str]] = {}
    turn = 0
    for one in messages:
        if type(one) is _User:
            turn += 1
        elif type(one) is _Assistant:
            turn = turn or 1
            said.setdefault(turn, []).append(one.content or "")
    return said


def _all_new(calls: list[_Call], waiting: dict[str, bool]) -> bool:
    """Whether each call has an id of its own; then they wait for their results."""
    for call in calls:
        if not call.id or call.id in waiting:
            return False
        waiting[call.id] = True
    return True
