"""Whether the model sees what the user said in this turn, and where (bug B of seed 000)."""

from __future__ import annotations

from grice.checks.message_lint.scan import Scan
from grice.checks.message_lint.texts import Wording
from grice.text import value_text

__all__ = ["judge_asking"]


def judge_asking(scan: Scan, *, asks: bool) -> None:
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
        _judge_said(scan, marks, Wording(scan.user), asks)


def _judge_any(scan: Scan, marks: str, asks: bool) -> None:
    spoken, called = marks.find("u"), marks.find("c")
    if called >= 0 and (spoken < 0 or called < spoken):
        if spoken < 0:
            _missing(scan, called, "a tool call, and no message of the user in the whole array")
        elif "a" not in marks[called:spoken] and marks[spoken - 1] == "r":
            _misplaced(scan, spoken, "the first message of the user, behind tool calls")
    elif spoken < 0 and asks and "a" in marks:
        _missing(scan, marks.find("a"), "no message of the user in the whole array")


def _judge_said(scan: Scan, marks: str, said: Wording, asks: bool) -> None:
    place = _place_of(scan, said)
    last = marks.rfind("u")
    if place is None and last < 0:
        _judge_any(scan, marks, asks)
    elif place is None:
        silent = any(one.index == last and one.rule == "empty-content" for one in scan.findings)
        if not silent and not _in_system(scan, said):
            text = next((text for index, text in reversed(scan.spoken) if index == last), "")
            _missing(
                scan, last, f"{value_text(scan.user)} is nowhere; the last user message is {value_text(text)}"
            )
    elif _behind_calls(scan, marks, place):
        _misplaced(scan, place, f"{value_text(scan.user)}, behind tool calls")
    else:
        later = marks.find("u", place + 1)
        if later >= 0 and "a" in marks[place:later]:
            found = f"{value_text(scan.user)}, with an answer and a user message behind it"
            scan.found("current-user-message-buried", place, scan.path(place), found)


def _missing(scan: Scan, index: int, found: str) -> None:
    scan.found("current-user-message-missing", index, scan.path(index), found)


def _misplaced(scan: Scan, index: int, found: str) -> None:
    scan.found("current-user-message-misplaced", index, scan.path(index), found)


def _place_of(scan: Scan, said: Wording) -> int | None:
    """The last message in which the user's words are."""
    for contains in (said.is_in, said.is_folded_in):
        for index, text in reversed(scan.spoken):
            if contains(text):
                return index
    return None


def _in_system(scan: Scan, said: Wording) -> bool:
    """Whether the words are in the system prompt, as some agents put them."""
    return any(said.is_in(text) or said.is_folded_in(text) for text in scan.system)


def _behind_calls(scan: Scan, marks: str, place: int) -> bool:
    """Whether calls of this turn stand before the user's message.

    When the turn's calls are not known, they are those directly before it that no user message led to.
    """
    if scan.calls is not None:
        return any(index < place and id_ in scan.calls for index, id_ in scan.called)
    start = place if marks[place] == "r" else place - 1
    if start < 0 or marks[start] != "r":
        return False
    while start >= 0 and marks[start] in "rcx":
        start -= 1
    return start < 0 or marks[start] != "u"
