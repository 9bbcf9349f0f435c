"""Texts in a message array: system text under another role, and whether the user's words are there."""

from __future__ import annotations

import json
import re

__all__ = ["Wording", "is_label", "needle_of"]

_SHORTEST_PROMPT = 40
_NEEDLE = 200

_NAMED = r"(?:\s+(?:prompt|message|note|instructions?))?"
_LABEL = re.compile(
    rf"\s*(?:"
    rf"\[\s*system{_NAMED}\s*[\]:]"
    rf"|<\s*system{_NAMED}\s*>"
    rf"|\#{{1,6}}\s*system{_NAMED}\s*:?\s*(?:\n|$)"
    rf"|system\s+(?:prompt|message|instructions?)\s*:"
    rf"|(?P<plain>system\s*:)(?P<rest>[^\n]*)"
    rf")",
    re.IGNORECASE,
)
_INSTRUCTS = re.compile(
    r"\b(?:you(?:r|'re)?|always|never|must|do not|don't|act as|respond|reply|answer|assistant)\b",
    re.IGNORECASE,
)
# A user who describes a computer begins so too: "System: Windows 11, 16 GB".
_MACHINE = re.compile(
    r"\d|\b(?:windows|mac ?os|os x|linux|ubuntu|debian|fedora|android|ios|x86|arm|wordpress|php|error)\b",
    re.IGNORECASE,
)


def is_label(text: str) -> bool:
    """Whether a text begins as system text does: `System:`, `[system]`, `<system>`, `### System`."""
    found = _LABEL.match(text)
    if found is None or found["plain"] is None:
        return found is not None
    rest = found["rest"] or text[found.end() : found.end() + _NEEDLE]
    return _INSTRUCTS.search(rest) is not None or (bool(rest.strip()) and not _MACHINE.search(rest))


def needle_of(prompt: str) -> str:
    """The beginning of a system prompt by which it is known again; "" for one too short to tell."""
    stripped = prompt.strip()
    return stripped[:_NEEDLE] if len(stripped) >= _SHORTEST_PROMPT else ""


class Wording:
    """What the user said, to be found in a text that may quote, wrap, fold or escape it."""

    __slots__ = ("_folded", "_said")

    def __init__(self, said: str) -> None:
        self._said = said.strip()
        self._folded: tuple[str, ...] = ()

    def is_in(self, text: str) -> bool:
        """Whether the text contains the words as they are, and not as a part of other words."""
        return _stands_in(self._said, text)

    def is_folded_in(self, text: str) -> bool:
        """The same without regard to case, white space, final punctuation, and JSON or HTML escapes.

        Of a long text the beginning has to be there: agents cut what they classify.
        """
        if not self._folded:
            said = self._said
            forms = (said, _escaped(said), json.dumps(said)[1:-1], json.dumps(said, ensure_ascii=False)[1:-1])
            self._folded = tuple({_folded(one)[:_NEEDLE].rstrip(" .!?") for one in forms} - {""})
        folded = _folded(text)
        return any(_stands_in(form, folded) for form in self._folded)


def _escaped(text: str) -> str:
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;")):
        text = text.replace(character, entity)
    return text


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _stands_in(words: str, text: str) -> bool:
    if words == text:
        return True
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not _joined(text[start - 1 : start], words[:1]) and not _joined(words[-1:], text[end : end + 1]):
            return True
        start = text.find(words, start + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two neighbouring characters are of one word, in scripts that put spaces between words."""
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
