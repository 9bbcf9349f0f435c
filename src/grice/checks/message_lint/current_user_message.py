"""Whether the model sees what the user said in this turn, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grice.checks.message_lint.lint_state import Scan
from grice.checks.message_lint.texts import Wording
from grice.text import value_text


def judge_asking(scan: Scan, messages: Sequence[Any], *, asks: bool) -> None:
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
