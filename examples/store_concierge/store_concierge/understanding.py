"""What a message says: what the user is after, and which wishes it states. Patterns, not a model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

USES = {
    "gaming": r"\bgam(?:e|es|ing|er)\b|\bplay(?:ing)?\b|\besports\b",
    "office": r"\boffice\b|\bwork\b|\bspreadsheets?\b|\bcod(?:e|ing)\b|\bemails?\b",
    "creative": r"\bphotos?\b|\bphoto editing\b|\bdesign\b|\bvideo editing\b|\bediting\b",
    "films": r"\bfilms?\b|\bmovies?\b|\bstreaming\b|\bnetflix\b",
}
POLICIES = {
    "returns": r"\breturn|\brefund|\bsend (?:it|one|them) back|\bexchange\b|don't like it",
    "shipping": r"\bshipp?ing\b|\bdeliver|\bhow (?:long|soon).*\b(?:arrive|get here)|\bpostage\b",
    "warranty": r"\bwarrant|\bguarantee|\bdead pixel|\bbreaks?\b",
}
GLOSSARY = {
    "panels": r"\bips\b.*\bva\b|\bva\b.*\bips\b|\bpanel types?\b",
    "oled": r"\b(?:what|how|is|does).*\boled\b",
    "refresh": r"\brefresh rate\b|\bhz\b|\bhertz\b",
    "resolution": r"\b(?:1440p|qhd|4k)\b.*\b(?:vs|versus|or|difference|worth)\b|\bresolution mean",
}
QUESTION = re.compile(r"\?|\bwhat'?s\b|\bexplain\b|\bdifference\b")
MONEY = r"\$\s?(\d[\d,]*(?:\.\d+)?)|\b(\d[\d,]*)\s?(?:dollars|bucks|usd)\b"
RANGE = re.compile(r"\$\s?(\d[\d,]*)\s?(?:-|\u2013|to|and)\s?\$?\s?(\d[\d,]*)")
WANTS_TO_SEE = re.compile(r"\bshow me\b|\boptions\b|\brecommend|\bsuggest|\bwhat have you got\b")
NO_OLED = re.compile(r"\b(?:without|no|not|skip|drop|forget)\s(?:the\s|an\s)?oled\b")
SIZE = re.compile(r"\b(\d{2}(?:\.\d)?)\s?(?:-\s?)?(?:inch(?:es)?\b|in\b|\"|\u201d)")
RESOLUTION = {
    "4k": r"\b4k\b|\buhd\b|\b2160p\b",
    "1440p": r"\b1440p\b|\bqhd\b",
    "1080p": r"\b1080p\b|\bfull hd\b",
}


@dataclass(frozen=True)
class Heard:
    """A message, understood.

    `wishes` has the fields of `Wishes` that it states, and None for one that it takes back; `about` is the
    topic of a question; `now` says that the user wants to see monitors at once; `text` is the message itself.
    """

    intent: str
    wishes: dict[str, Any]
    about: str = ""
    now: bool = False
    text: str = ""


def understand(text: str) -> Heard:
    """The intent is one of those in `INTENTS`, or stock, education, policy, other."""
    said = text.casefold().replace("\u2019", "'")
    wishes = wishes_in(said)
    if re.search(r"\bin stock\b|\bavailable\b|\bhave any left\b", said):
        return Heard("stock", wishes, text=text)
    term = _first(GLOSSARY, said) if QUESTION.search(said) else ""
    if term and "max_price" not in wishes:
        return Heard("education", {}, term)
    policy = _first(POLICIES, said)
    if policy:
        return Heard("policy", {}, policy)
    intent = next((name for name, pattern in INTENTS if re.search(pattern, said)), "")
    intent = intent or ("shopping" if wishes else "other")
    return Heard(intent, wishes, now=bool(WANTS_TO_SEE.search(said)), text=text)


INTENTS = (
    ("store", r"\bopening hours\b|\bwhen are you open\b|\bopen on\b|\bsupport hours\b"),
    ("friction", r"\bfrustrat|\bfed up\b|\bannoy|\bsick of\b|\bterrible\b|\bridiculous\b|\bwaste of\b"),
    ("which", r"\bwhich (?:one|of)\b|\btell me more\b|\bwould you (?:pick|choose|buy)\b"),
    ("more", r"\b(?:other|more|different) (?:options|ones|monitors)\b|\banything else\b"),
    ("shopping", r"\bmonitors?\b|\bscreens?\b|\boptions\b|\brecommend|\bdisplays?\b|\bshow me\b"),
    ("thanks", r"\bthank|\bcheers\b|\bthat's all\b|\bbye\b"),
    ("greeting", r"^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b"),
)
"""In this order: the first that is found is meant."""


def wishes_in(said: str) -> dict[str, Any]:
    """The wishes that a message states."""
    size = SIZE.search(said)
    stated: dict[str, Any] = {
        "use": _first(USES, said),
        "max_price": _most(said),
        "size": float(size[1]) if size else None,
        "resolution": _first(RESOLUTION, said),
        "panel": "OLED" if re.search(r"\boled\b", said) else "",
        "wide": bool(re.search(r"\bultra-?wide\b", said)),
    }
    wishes = {name: value for name, value in stated.items() if value}
    return wishes | {"panel": None} if NO_OLED.search(said) else wishes


def _most(said: str) -> float | None:
    """The most that the user would spend."""
    span = RANGE.search(said)
    amount = span[2] if span else next((a or b for a, b in re.findall(MONEY, said)), "")
    return float(amount.replace(",", "")) if amount else None


def _first(patterns: dict[str, str], said: str) -> str:
    return next((name for name, pattern in patterns.items() if re.search(pattern, said)), "")
