"""What several lines say of one conversation is put together, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from grice.formats import gathering
from grice.formats.gathering import Gathering
from grice.formats.logs import Entry, entry_of


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def call(session: str, turns: int, begins: str = "Hi") -> Entry:
    """The request of a turn, with all that was said before, and its reply."""
    talk = [said(role, f"{begins} {n}") for n in range(turns) for role in ("user", "assistant")]
    return entry_of({"session_id": session, "messages": talk[:-1], "response": talk[-1]}, turns)


def gathered(calls: Iterable[Entry]) -> list[Entry]:
    held = Gathering()
    return [*(over for one in calls for over in held.take(one)), *held.rest()]


def told(entries: Sequence[Entry]) -> list[tuple[str, int, int, bool]]:
    """Of each its conversation, how many messages and lines it has, and whether it was let go early."""
    return [(one.group, len(one.messages) + len(one.reply), one.units, one.early) for one in entries]


def test_calls_that_repeat_what_was_said_are_one_conversation() -> None:
    calls = [call(session, turns) for turns in (1, 2, 3) for session in ("a", "b")]
    assert told(gathered(calls)) == [("a", 6, 3, False), ("b", 6, 3, False)]
    late = [call("a", 3), call("a", 1), call("a", 2)]
    assert told(gathered(late)) == [("a", 6, 3, False)]


def test_of_calls_that_repeat_what_was_said_the_last_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "MAX_HELD", 3_000)
    long = [call("a", turns) for turns in range(1, 30)]  # 40,000 bytes in all
    assert told(gathered([call("b", 1), *long])) == [("b", 2, 1, False), ("a", 58, 29, False)]


def test_the_one_quiet_for_longest_is_over_when_too_much_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [call("a", 1), call("b", 1), call("a", 2), call("c", 1), call("b", 2)]
    early = [("b", 2, 1, True), ("a", 4, 2, False), ("c", 2, 1, False), ("b", 4, 1, False)]
    monkeypatch.setattr(gathering, "MAX_OPEN", 2)
    assert told(gathered(calls[:4])) == early[:3]
    monkeypatch.setattr(gathering, "MAX_OPEN", 10)
    monkeypatch.setattr(gathering, "MAX_HELD", 300)
    assert told(gathered(calls[:4])) == early[:3]


def test_of_conversations_beside_each_other_the_first_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "MAX_BESIDE", 2)
    calls = [call("a", turns, begins) for begins in ("One", "Two", "Three") for turns in (2, 3)]
    assert told(gathered(calls)) == [("a", 6, 2, True), ("a", 6, 2, False), ("a", 6, 2, False)]
