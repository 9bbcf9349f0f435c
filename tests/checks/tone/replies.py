"""Judging one reply after others."""

from __future__ import annotations

from typing import Any

from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Turn, Verdict


def on_reply(
    text: str, matcher: Matcher[Any], *earlier: str, user: str = "And then?", **fields: Any
) -> Verdict:
    """The verdict on a reply to this user, after replies to others."""
    turns = [
        Turn(number, (Message("user", f"Question {number}?"), Message("assistant", one)))
        for number, one in enumerate(earlier, 1)
    ]
    last = Turn(len(earlier) + 1, (Message("user", user), Message("assistant", text)), **fields)
    context = Context(Conversation(turns=(*turns, last)), last, noun="the reply")
    return judge(matcher, last, context)
