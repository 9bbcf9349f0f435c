"""Judge what only a whole array shows: calls and results left over, neighbours, first and last message."""

from __future__ import annotations

import re

from grice.checks.message_lint.finding import Dialect
from grice.checks.message_lint.lint_state import Scan
from grice.text import value_text

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


def judge_order(scan: Scan, *, asks: bool) -> None:
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


def judge_pairs(scan: Scan) -> None:
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
