"""What a good reply is, as criteria of code: no LLM is asked."""

from __future__ import annotations

from grice import Conversation, criterion


def says_what_happens_next(conversation: Conversation) -> bool:
    text = conversation.turns[-1].text.lower()
    return any(words in text for words in ("next,", "within", "you will get", "on its way"))


def is_brief(conversation: Conversation) -> bool:
    text = conversation.turns[-1].text
    return sum(text.count(mark) for mark in ".!?") <= 2


def is_friendly(conversation: Conversation) -> bool:
    text = conversation.turns[-1].text.lower()
    return any(words in text for words in ("happy to", "thank you", "of course"))


CRITERIA = [
    criterion("next_step", "Says what happens next.", check=says_what_happens_next),
    criterion("brief", "Has at most two sentences.", check=is_brief),
    criterion("friendly", "Is warm.", check=is_friendly),
]
