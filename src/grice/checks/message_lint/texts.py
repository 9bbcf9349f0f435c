"""Texts in a message array: system text under another role, and whether the user's words are there."""

from __future__ import annotations

import html
import json
import re
import unicodedata

from grice.text import fold

_LONG = 40
_NEEDLE = 200
_SHORT = 8

MAY_BE_LABEL = "[<#Ss \n\t"
"""A text that begins as system text does begins with one of these."""

_NAMED = r"(?:\s+(?:prompt|message|note|instructions?))?"
_LABEL = re.compile(
    rf"\s*(?:"
    rf"\[\s*system{_NAMED}\s*[\]:]"
    rf"|<\s*system{_NAMED}\s*>"
    rf"|(?P<heading>\#{{1,6}}\s*system{_NAMED}\s*:?\s*(?:\n|$))"
    rf"|system\s+(?:prompt|message|instructions?)\s*:"
    rf"|(?P<plain>system\s*:)"
    rf")",
    re.IGNORECASE,
)
_INSTRUCTS = re.compile(
    r"\b(?:you\s+(?:are|must|should|will|may|can\s+only|have\s+to)|you're|your\s+(?:task|job|role|name)"
    r"|always|never|must|do\s+not|don't|act\s+as)\b",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"\s*(?:please\s+)?(?:be|act|answer|respond|reply|use|keep|write|speak|talk|give|return|ignore|follow|do|only"
    r"|output|say|pretend|stay|provide|limit|translate|summari[sz]e|refuse|avoid|greet|address|call)\b",
    re.IGNORECASE,
)
# A user who describes a computer begins so too: "System: Windows 11, 16 GB".
_MACHINE = re.compile(
    r"\d|\b(?:windows|mac ?os|os x|linux|ubuntu|debian|fedora|android|ios|x86|arm|wordpress|php|error)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.!?;\n]*")


def is_label(text: str, *, of_assistant: bool = False) -> bool:
    """Whether a text begins as system text does: `System:`, `[system]`, `<system>`, `### System`.

    `System:` needs an instruction behind it; so does a heading in the assistant's own text.
    """
    found = _LABEL.match(text)
    if found is None:
        return False
    rest = text[found.end() : found.end() + _NEEDLE]
    if found["plain"] is not None:
        return _is_instruction(rest.lstrip())
    return found["heading"] is None or not of_assistant or _INSTRUCTS.search(rest) is not None


def _is_instruction(text: str) -> bool:
    if _INSTRUCTS.match(text) or _COMMANDS.match(text):
        return True
    clause = _CLAUSE.match(text)
    return not (clause and _MACHINE.search(clause[0])) and _INSTRUCTS.search(text) is not None


def joined_words(text: str) -> str:
    """The text with a single space for every run of white space."""
    return " ".join(text.split())


def repeats(prompt: str, text: str) -> bool:
    """Whether a text is the system prompt, begins as it does, or holds its beginning.

    `prompt` has single spaces; a text or prompt too short to tell has to be the same as a whole.
    """
    if len(text) < len(prompt) and len(text) < _LONG:
        return False
    words = joined_words(text)
    if words == prompt:
        return bool(prompt)
    if len(words) >= _LONG and prompt.startswith(words):
        return True
    return len(prompt) >= _LONG and prompt[:_NEEDLE] in words


class Wording:
    """What the user said, prepared to be found in a text that may quote, wrap, fold, escape or cut it."""

    __slots__ = ("_alone", "_folded", "_forms", "_said")

    def __init__(self, said: str) -> None:
        self._said = said.strip()
        self._folded = ""
        self._forms: tuple[str, ...] = ()
        self._alone: re.Pattern[str] | None = None

    def is_same(self, text: str) -> bool:
        """Whether the text says exactly this."""
        return bool(self._said) and _folded(text) == self._fold()

    def is_in(self, text: str) -> bool:
        """Whether the text contains the words as they are, and not as a part of other words."""
        if text.strip() == self._said:
            return True
        return _stands_in(self._said, text) and not self._is_short()

    def _fold(self) -> str:
        self._folded = self._folded or _folded(self._said)
        return self._folded

    def _is_short(self) -> bool:
        """Whether it is one short word, which many a text has by chance: it has to stand alone."""
        if self._alone is None and len(self._said) < 2 * _SHORT:
            core = self._fold().rstrip(" .!?")
            if 0 < len(core) < _SHORT and " " not in core and not any(map(_needs_no_space, core)):
                self._alone = re.compile(_ALONE.format(re.escape(core)))
        return self._alone is not None

    def is_folded_in(self, text: str) -> bool:
        """The same without regard to case, white space, quotes, final punctuation, JSON or HTML escapes.

        Of a long text the beginning has to be there: agents cut what they classify.
        """
        return self._is_within(text) or ("&" in text and self._is_within(html.unescape(text)))

    def _is_within(self, text: str) -> bool:
        if self._is_short() and self._alone is not None:
            return any(self._alone.search(_folded(line)) for line in text.splitlines())
        if not self._forms:
            plain, encoded = json.dumps(self._said, ensure_ascii=False)[1:-1], json.dumps(self._said)[1:-1]
            php = (plain.replace("/", "\\/"), encoded.replace("/", "\\/"))
            forms = (self._said, plain, encoded, *php)
            self._forms = tuple({_folded(one)[:_NEEDLE].rstrip(" .!?") for one in forms} - {""})
        folded = _folded(text)
        return any(_stands_in(form, folded) for form in self._forms) or self._is_cut_in(folded)

    def _is_cut_in(self, folded: str) -> bool:
        """Whether the text holds a beginning of the words, and then ends or says that it was cut."""
        said = self._fold()
        start = folded.find(said[:_LONG]) if len(said) > _LONG else -1
        if start < 0:
            return False
        length = _LONG
        while length < len(said) and folded[start + length : start + length + 1] == said[length]:
            length += 1
        rest = folded[start + length :].strip()
        return not rest.strip(".\u2026") or rest.startswith(("...", "\u2026", '"', "'", "<", "\\n"))


_ALONE = r"(?:^|[\"'`:>\]|()\[{{*=-])\s*{}\s*(?:$|[.!?,;:\"'`<|()\[\]{{}}*\\-])"


def _folded(text: str) -> str:
    """The text without what differs between two ways to write the same."""
    return joined_words(fold(text if text.isascii() else unicodedata.normalize("NFC", text)))


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


def _needs_no_space(character: str) -> bool:
    """Whether a character is of a script that writes words without spaces: Thai, Chinese, Japanese."""
    return "\u0e00" <= character <= "\u0eff" or character >= "\u2e80"
