"""The checks in plain Python, shared by the bare loops."""

import json
import re
from typing import Any

SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
ORDER = re.compile(r"\bA-\d{4}\b")
LOG_RULES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bnow[!.]",
        r"(would you like|shall i|want me to)",
        r"triggered unexpectedly",
        r"(confirm|approve|reject|buttons below)",
        r"\bi('m| am) (wp ai|your ai|an ai)",
    )
]


def contains(replies: list[str], calls: list[Any], order: str) -> bool:
    return "ships on Tuesday" in replies[-1]


def not_contains(replies: list[str], calls: list[Any], order: str) -> bool:
    return not any("as an AI" in reply for reply in replies)


def matches(replies: list[str], calls: list[Any], order: str) -> bool:
    return ORDER.search(replies[-1]) is not None


def at_path(replies: list[str], calls: list[Any], order: str) -> bool:
    return bool(json.loads(replies[2])["order"]["status"] == "shipped")


def called(replies: list[str], calls: list[Any], order: str) -> bool:
    return any(
        call["name"] == "lookup_order" and call["arguments"].get("order_id") == order for call in calls
    )


def sentences(replies: list[str], calls: list[Any], order: str) -> bool:
    return len(SENTENCE_END.findall(replies[-1])) <= 3


CHECKS = (contains, not_contains, matches, at_path, called, sentences)
