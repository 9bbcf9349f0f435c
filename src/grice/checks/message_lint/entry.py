"""`grice.lint_messages`: which dialect an array has, and one pass over it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec

from grice.checks.message_events import MessageArray
from grice.checks.message_lint.anthropic import read_anthropic
from grice.checks.message_lint.chat import read_chat
from grice.checks.message_lint.dialects import dialect_of, told_by
from grice.checks.message_lint.finding import Dialect, LintFinding
from grice.checks.message_lint.inputs import judge_nested
from grice.checks.message_lint.lint_state import ForeignObject, Scan, kind_of
from grice.checks.message_lint.other_api import judge_array, refuse_format
from grice.checks.message_lint.responses import read_responses
from grice.checks.message_lint.schemas import check_schemas
from grice.checks.message_lint.texts import Wording
from grice.records import Exchange, JsonValue, Turn, clean_json
from grice.text import did_you_mean, value_text

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_NAMED: dict[str, Dialect] = {name: name for name in DIALECTS}
_READERS = {"anthropic": read_anthropic, "openai_chat": read_chat, "openai_responses": read_responses}
_STORED = ("previous_response_id", "conversation", "prompt")
_ASKING = ("max_tokens", "max_completion_tokens", "max_output_tokens", "tools", "tool_choice", "stream")
_TELLING = frozenset({"missing-role", "unknown-role", "malformed-content", "unknown-item", "empty-content"})
_NO_REQUEST: dict[str, JsonValue] = {}

_NEIGHBOURS: dict[Dialect, re.Pattern[str]] = {
    "anthropic": re.compile(r"(?=u[ur]|ru|[ac][ac])"),
    "openai_chat": re.compile(r"(?=uu|[ac][ac])"),
    "openai_responses": re.compile(r"(?=uu|aa)"),
}
_LATE = re.compile(r"(?<=[uacrx])s")
_FIRST = re.compile(r"[sx]*([uacr])")
_UNSEEN = frozenset(
    {
        "current-user-message-missing",
        "current-user-message-misplaced",
        "current-user-message-behind-calls",
    }
)
_EXPLAINS = _UNSEEN | {
    "current-user-message-buried",
    "duplicate-tool-result",
    "foreign-block",
    "missing-tool-call-id",
    "missing-tool-result-id",
    "orphan-tool-result",
    "tool-block-in-wrong-role",
    "tool-result-before-call",
    "tool-result-misplaced",
    "unanswered-tool-call",
}
_ROLES = {"u": "user", "r": "user", "a": "assistant", "c": "assistant"}


def lint_messages(
    subject: Exchange | Mapping[str, JsonValue] | MessageArray,
    *,
    dialect: Dialect | None = None,
    user: str | None = None,
) -> tuple[LintFinding, ...]:
    """Find what is wrong with a message array: what a provider rejects, and what misleads a model.

    `subject` is a request (an Exchange or its body, with `messages` or `input`) or the array alone, in the
    shape of Anthropic, OpenAI Chat or OpenAI Responses: `dialect` names it, else the content tells. `user` is
    what the user said in this turn; with it a request is also judged on whether the model sees that. Raises
    TypeError for another subject, and ValueError for an unknown dialect and for an array in the format of a
    log or framework that is sent to no API (LangChain, ADK, OpenTelemetry, tau2).
    """
    if dialect is not None and dialect not in DIALECTS:
        hint = did_you_mean(dialect, DIALECTS) if isinstance(dialect, str) else ""
        raise ValueError(f"unknown dialect {dialect!r}{hint}; expected one of {', '.join(DIALECTS)}")
    return lint(subject, dialect, user)


def lint(
    subject: object,
    dialect: Dialect | None = None,
    user: str | None = None,
    calls: Collection[str] | None = None,
    earlier: Sequence[Turn] = (),
) -> tuple[LintFinding, ...]:
    """Lint a request or array, with the ids of this turn's `calls` where known and the `earlier` turns."""
    try:
        return _linted(subject, dialect, (user, calls, earlier))
    except ForeignObject:
        if isinstance(subject, Exchange):
            subject = msgspec.structs.replace(subject, request=clean_json(subject.request))
        else:
            subject = clean_json(subject)
        return _linted(subject, dialect, (user, calls, earlier))


_Said = tuple[
    str | None, Collection[str] | None, Sequence[Turn]
]  # the user, this turn's calls, earlier turns


def _linted(subject: object, dialect: Dialect | None, said: _Said) -> tuple[LintFinding, ...]:
    if isinstance(subject, Exchange):
        named = dialect or _NAMED.get(subject.dialect)
        if subject.dialect == "openai_embeddings" or (not named and holds_texts(subject.request)):
            return ()
        return _lint_request(subject.request, named, said, asks=True)
    if isinstance(subject, Mapping):
        if not dialect and holds_texts(subject):
            return ()
        return _lint_request(subject, dialect, said, asks=_asks(subject))
    if isinstance(subject, Sequence) and not isinstance(subject, str | bytes):
        told = dialect or told_by(subject) or "openai_chat"
        base = "input" if told == "openai_responses" else "messages"
        scan = Scan(told, base, _NO_REQUEST, *said)
        scan.told = dialect is None
        if not subject:
            scan.found("no-messages", None, base, "an empty list")
            return tuple(scan.findings)
        return _lint_array(scan, subject, asks=False)
    raise TypeError(f"a request or a list of messages is linted, found {type(subject).__name__}")


def _asks(request: Mapping[str, JsonValue]) -> bool:
    """Whether a mapping is a request for a reply, and not a logged conversation."""
    return any(key in request for key in _ASKING) or ("model" in request and "id" not in request)


def array_of(request: Mapping[str, JsonValue]) -> tuple[str, JsonValue]:
    """The message array of a request as it is, and the field that holds it."""
    base = "messages" if request.get("messages") is not None or "input" not in request else "input"
    held = request.get(base)
    return base, [{"role": "user", "content": held}] if base == "input" and isinstance(held, str) else held


def holds_texts(request: Mapping[str, JsonValue]) -> bool:
    """Whether a body asks for embeddings of texts, and so has no messages."""
    if "input" not in request or request.get("messages") is not None:
        return False
    held = request["input"]
    if "encoding_format" in request or "embedding" in str(request.get("model")):
        return True
    return isinstance(held, list | tuple) and bool(held) and all(isinstance(one, str) for one in held)


def _lint_request(
    request: Mapping[str, JsonValue], dialect: Dialect | None, said: _Said, *, asks: bool
) -> tuple[LintFinding, ...]:
    base, messages = array_of(request)
    rows = messages if isinstance(messages, list | tuple) else ()
    scan = Scan(dialect or dialect_of(request, base, rows) or "openai_chat", base, request, *said)
    scan.told = dialect is None
    if request.get("tools"):
        check_schemas(scan, request["tools"])
    if rows:
        return _lint_array(scan, rows, asks=asks)
    if messages is None or isinstance(messages, list | tuple):
        if not any(request.get(key) for key in _STORED):
            found = f"`{base}` is {kind_of(messages)}" if base in request else f"no `{base}`"
            scan.found("no-messages", None, base, found)
    else:
        scan.foreign(messages)
        scan.found("messages-not-list", None, base, kind_of(messages), value=messages)
    return tuple(scan.findings)


def _lint_array(scan: Scan, messages: Sequence[Any], *, asks: bool) -> tuple[LintFinding, ...]:
    dialect = scan.dialect
    if scan.told and messages[0].__class__ is dict and "turn_idx" in messages[0]:
        refuse_format(messages)
    _READERS[dialect](scan, messages)
    if dialect == "openai_responses":
        scan.begins = not _refers_back(scan.request, messages)
    if scan.open or scan.loose_calls or scan.loose_results:
        _judge_pairs(scan)
    if scan.begins:
        _judge_asking(scan, messages, asks=asks)
    _judge_order(scan, asks=asks)
    if scan.nested:
        judge_nested(scan)
    if not scan.findings:
        return ()
    if scan.told and any(one.rule in _TELLING for one in scan.findings):
        refuse_format(messages)
    judge_array(scan, messages, asks=asks)
    return tuple(sorted(scan.findings, key=lambda one: -1 if one.index is None else one.index))


def _refers_back(request: Mapping[str, JsonValue], items: Sequence[Any]) -> bool:
    """Whether a Responses request has more before it than it says."""
    return any(request.get(key) for key in _STORED) or any(
        isinstance(item, dict) and item.get("type") in ("item_reference", "compaction") for item in items
    )


def _judge_order(scan: Scan, *, asks: bool) -> None:
    """Judge the roles of all messages and their order; `asks` says that the array is sent for a reply."""
    marks = "".join(scan.marks)
    for found in _NEIGHBOURS[scan.dialect].finditer(marks):
        index = found.start() + 1
        _judge(
            scan, "same-role-neighbours", index, f"a message of role {_ROLES[marks[index]]} behind another"
        )
    if scan.dialect != "anthropic":
        for found in _LATE.finditer(marks):
            _judge(scan, "system-message-late", found.start(), "a system message")
    if asks and marks[-1:] == "a":
        _judge(scan, "last-message-from-assistant", len(marks) - 1, "a message of role assistant")
    first = _FIRST.match(marks)
    unseen = any(one.rule in _UNSEEN for one in scan.findings)
    if scan.begins and first is not None and first[1] in "ac" and not unseen:
        _judge(scan, "first-message-not-user", first.start(1), "a message of role assistant")


def _judge(scan: Scan, rule: str, index: int, found: str) -> None:
    """Keep the finding, unless a fault of that message or the one before it explains it."""
    near = (index - 1, index)
    explained = not scan.explained.isdisjoint(near)
    if not explained and not any(one.index in near and one.rule in _EXPLAINS for one in scan.findings):
        scan.found(rule, index, scan.path(index), found)


def _judge_pairs(scan: Scan) -> None:
    """Judge the calls without result and the results without call, each fault once.

    Messages that cannot be read may have been the other side of what is left over, and so may those that
    are stored before the array, or that it only refers to.
    """
    left = ((*at, id_) for id_, at in scan.open.items() if id_ not in scan.borrowed)
    calls = sorted([*scan.loose_calls, *left])
    results = sorted(scan.loose_results)
    if not scan.begins:
        _judge_stored(scan, results)
    unread = [index for index, mark in enumerate(scan.marks) if mark == "?"]
    if unread:
        calls = [one for one in calls if one[0] > unread[-1]]
        results = [one for one in results if one[0] < unread[0]]
    for result in results:
        index, place, id_ = result
        if any(_answers(scan, result, (at, 0, "")) for at in scan.unread_calls):
            continue
        later = next((call for call in calls if id_ and call[2] == id_), None)
        slot = later or next((call for call in calls if _answers(scan, result, call)), None)
        if slot is not None:
            calls.remove(slot)
        if later is not None:
            scan.explained.add(later[0])
            found = f"the result of the call at {scan.path(*later[:2])}"
            scan.found("tool-result-before-call", index, scan.path(index, place), found)
        elif id_ and scan.begins and (slot is None or slot[2]):
            found = f"a result of id {value_text(id_)}"
            found += f"; the call at {scan.path(*slot[:2])} has {value_text(slot[2])}" if slot else ""
            scan.found("orphan-tool-result", index, scan.path(index, place), found)
    for index, place, id_ in calls:
        if id_:
            scan.found(
                "unanswered-tool-call", index, scan.path(index, place), f"a call of id {value_text(id_)}"
            )


def _judge_stored(scan: Scan, results: list[tuple[int, int, str]]) -> None:
    """Judge the results of calls that are stored: each has one."""
    seen = {""}
    for index, place, id_ in results:
        if id_ in seen and id_:
            found = f"a second result of id {value_text(id_)}"
            scan.found("duplicate-tool-result", index, scan.path(index, place), found)
        seen.add(id_)


def _answers(scan: Scan, result: tuple[int, int, str], call: tuple[int, int, str]) -> bool:
    """Whether a result stands where that of the call has to stand."""
    if scan.dialect == "openai_responses":
        return call[0] < result[0]
    between = scan.marks[call[0] + 1 : result[0]]
    return call[0] < result[0] and (not between if scan.dialect == "anthropic" else set(between) <= {"r"})


def _judge_asking(scan: Scan, messages: Sequence[Any], *, asks: bool) -> None:
    """Judge whether the user's message is there, before the tool calls that it led to.

    Without the user's text only what cannot be right is found: calls, or a request, without any user message
    before them.
    """
    marks = "".join(scan.marks)
    if "?" in marks:
        return
    if scan.user is None or not scan.user.strip() or not ("u" in marks or scan.spoken):
        _judge_any(scan, marks, asks)
    else:
        _judge_said(scan, marks, messages, asks)


def _judge_any(scan: Scan, marks: str, asks: bool) -> None:
    spoken, called = marks.find("u"), marks.find("c")
    if called >= 0 and (spoken < 0 or called < spoken):
        if spoken < 0:
            _missing(scan, called, "a tool call, and no message of the user in the whole array")
        elif "a" not in marks[called:spoken] and marks[spoken - 1] == "r":
            _behind(scan, called, spoken, "the first message of the user, behind tool calls")
    elif spoken < 0 and asks and "a" in marks:
        _missing(scan, marks.find("a"), "no message of the user in the whole array")


def _judge_said(scan: Scan, marks: str, messages: Sequence[Any], asks: bool) -> None:
    said = Wording(scan.user or "")
    spoken = _joined(scan.spoken)
    place = _place_of(spoken, said)
    last = marks.rfind("u")
    if place is not None and scan.earlier and _is_earlier(scan, said, spoken, messages[place + 1 :]):
        found = f"{value_text(scan.user)} is there only as what the user said in an earlier turn"
        _missing(scan, _where_missing(scan, marks, last), found)
    elif place is None and last < 0:
        _judge_any(scan, marks, asks)
    elif place is None:
        silent = any(one.index == last and one.rule == "empty-content" for one in scan.findings)
        if not silent and not any(said.is_in(text) or said.is_folded_in(text) for text in scan.system):
            text = next((text for index, text in reversed(spoken) if index == last), "")
            found = f"{value_text(scan.user)} is nowhere; the last user message is {value_text(text)}"
            _missing(scan, _where_missing(scan, marks, last), found)
    else:
        first = _first_call_before(scan, marks, place)
        later = marks.find("u", place + 1)
        if first >= 0:
            _behind(scan, first, place, f"{value_text(scan.user)}, behind tool calls")
        elif later >= 0 and "a" in marks[place:later]:
            found = f"{value_text(scan.user)}, with an answer and a user message behind it"
            scan.found("current-user-message-buried", place, scan.path(place), found)


def _joined(spoken: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The texts of the user with those of one message joined."""
    texts: dict[int, str] = {}
    for index, text in spoken:
        texts[index] = f"{texts[index]}\n{text}" if index in texts else text
    return list(texts.items())


def _place_of(spoken: list[tuple[int, str]], said: Wording) -> int | None:
    """The last message in which the user's words are."""
    for contains in (said.is_in, said.is_folded_in):
        for index, text in reversed(spoken):
            if contains(text):
                return index
    return None


def _is_earlier(scan: Scan, said: Wording, spoken: list[tuple[int, str]], behind: Sequence[Any]) -> bool:
    """Whether the user's words are in the array only because an earlier turn had the same ones.

    So it is when they are there no more often than earlier turns had them, and what was said after the last
    of those turns stands behind them.
    """
    same = [number for number, turn in enumerate(scan.earlier) if said.is_same(turn.user)]
    if not same:
        return False
    if sum(said.is_in(text) or said.is_folded_in(text) for _, text in spoken) > len(same):
        return False
    since = scan.earlier[same[-1] :]
    texts = {text for turn in since for text in (turn.text, turn.user) if text and not said.is_same(text)}
    known = [Wording(text) for text in texts]
    return any(one.is_in(text) or one.is_folded_in(text) for text in _texts_of(behind) for one in known)


def _texts_of(messages: Sequence[Any]) -> Iterator[str]:
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list | tuple) else [content]:
            text = block.get("text") if isinstance(block, dict) else block
            if isinstance(text, str) and text:
                yield text


def _where_missing(scan: Scan, marks: str, last: int) -> int:
    """Where the missing message belongs: before the calls that it led to, else at the last user message."""
    own = [index for index, id_ in scan.called if index > last and id_ in (scan.calls or ())]
    if own:
        return own[0]
    first = marks.find("c", max(last, marks.rfind("a")) + 1)
    first = first if first >= 0 else marks.find("c", last + 1)
    return first if first >= 0 else last


def _missing(scan: Scan, index: int, found: str) -> None:
    scan.found("current-user-message-missing", index, scan.path(index), found)


def _behind(scan: Scan, first: int, place: int, found: str) -> None:
    """The user's message stands behind calls, the first of which is in the message `first`."""
    known = scan.calls is not None and any(index < place and id_ in scan.calls for index, id_ in scan.called)
    scan.explained.add(first)
    rule = "current-user-message-misplaced" if known else "current-user-message-behind-calls"
    scan.found(rule, place, scan.path(place), found)


def _first_call_before(scan: Scan, marks: str, place: int) -> int:
    """The first call of this turn that stands before the user's message, -1 without one.

    When the turn's calls are not known, they are those directly before it that no user message led to.
    """
    if scan.calls is not None:
        return next((index for index, id_ in scan.called if index < place and id_ in scan.calls), -1)
    start = place if marks[place] == "r" else place - 1
    if start < 0 or marks[start] != "r":
        return -1
    while start >= 0 and marks[start] in "rcx":
        start -= 1
    return -1 if start >= 0 and marks[start] == "u" else marks.find("c", start + 1)
