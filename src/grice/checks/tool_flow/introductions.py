"""Where the assistant introduces itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tool_flow.speech_acts import Sentence
from grice.text.packs.english import PACK

__all__ = ["introductions"]

_NAME = r"[A-Z][\w'&.-]*(?: [A-Z][\w'&.-]*| \d+){0,3}"
_KIND = (
    r"(?:assistant|chat ?bot|bot|agent|helper|concierge|companion|advis[eo]r|representative|rep"
    r"|guide|copilot|co-pilot|A\.?I\.?|"
    r"ai model|language model|llm|program|robot|specialist|butler|host|buddy)"
)
_MODS = r"(?:[\w'+.&-]+ ){0,5}?"
_I_AM = r"\b(?:i'm|i am|i m)"
_OPENS = r"(?:^|[.!?\n,;:\u00a4)] ?|\s-\s|\b(?:and|so|hi|hello|hey|there|but) )\W*"
_BY_KIND = re.compile(
    rf"{_I_AM} (?:(?:only|just|actually|really|also) )?(?:an?|your|the|our|this \w+'s"
    rf"|[\w.&-]+'s) (?P<mods>{_MODS})(?P<kind>{_KIND})\b(?![-/])",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    rf"\b(?:I'm|I am|i'm|i am) (?P<name>{_NAME})(?P<after>\s*(?:$|[^\w\s'&/]|and\b|from\b"
    rf"|with\b|your\b|here\b|at\b|of\b|the\b|\u00a4))"
)
_MY_NAME = re.compile(
    r"\b(?:my name(?:'s| is| would be)|(?:you can |please |just |you may |feel free to )?call "
    r"me|i go by|i am called|i'm called|they call me)\s+(?P<name>\w+)",
    re.IGNORECASE,
)
_AS = re.compile(
    rf"(?:^|[.!?,;\n] ?)\W*(?:speaking )?(?:as|being) (?:(?:your|the|an|a|our) "
    rf"(?P<mods>{_MODS})(?P<kind>{_KIND})|(?P<name>{_NAME}))\b,? (?:i|we|my|i'm|i'll|i've|it's my)\b",
    re.IGNORECASE,
)
_THIS_IS = re.compile(
    rf"{_OPENS}(?:[Tt]his is|[Ii]t's|[Ii]t is|[Yy]ou're (?:chatting|talking|speaking) (?:with"
    rf"|to)|[Yy]ou've reached|[Mm]eet|[Yy]ou are (?:chatting|talking|speaking) (?:with|to)) "
    rf"(?P<name>{_NAME})"
    rf"(?:,? (?:(?:here|speaking)\b|(?:your|the|an|a|our)\b (?:[\w'+.&-]+ ){{0,5}}?{_KIND}\b)"
    rf"|(?: here)? (?:from|with|at) (?:the )?{_NAME})"
)
_HERE = re.compile(
    rf"^\W*(?:(?:Hi|Hello|Hey|Greetings|Good (?:morning|afternoon|evening))(?: "
    rf"there)?[,! ]+\W*)?(?P<name>{_NAME}) here\s*(?:[,.!:;-]|$|and\b|to help|from\b|with\b"
    rf"|your\b|\u00a4)"
)
_CHATTING = re.compile(
    rf"\byou(?:'re| are) (?:now )?(?:chatting|talking|speaking) (?:with|to) (?:an?|your|our"
    rf"|the) {_MODS}{_KIND}\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:can't|cannot|can not|don't|do not|unable|not able|won't|isn't|not allowed|not "
    r"permitted|couldn't|without|not (?:a|an) |lack|no "
    r"(?:way|access|ability|feelings|opinions?)|never|doesn't|haven't|not)\b"
)
_BECAUSE = re.compile(
    r"\b(?:since|because|as|although|though|while|even though|given(?: that)?|remember(?: "
    r"that)?|note(?: that)?|fact that|if|that)\s*$",
    re.IGNORECASE,
)
_NO_NAMES = (
    PACK.opinion_words
    | PACK.stop_words
    | frozenset(
        [
            "sorry",
            "afraid",
            "unable",
            "ready",
            "glad",
            "happy",
            "excited",
            "able",
            "done",
            "delighted",
            "pleased",
            "thrilled",
            "honored",
            "confident",
            "aware",
            "available",
            "back",
            "free",
            "certain",
            "interested",
            "new",
            "curious",
            "grateful",
            "thankful",
            "proud",
            "busy",
            "currently",
            "fully",
            "still",
            "wrong",
            "right",
            "ok",
            "okay",
            "looking",
            "referring",
            "based",
            "located",
            "sure",
            "later",
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
        ]
    )
)


def introductions(sentences: Sequence[Sentence], *, asked: bool = False) -> Iterator[tuple[int, int]]:
    """Where the assistant says who it is. With `asked` the user wanted to know."""
    if asked:
        return
    for number, sentence in enumerate(sentences):
        found = _introduction_in(
            sentence, following=sentences[number + 1].text if number + 1 < len(sentences) else ""
        )
        if found is not None:
            yield sentence.start + found[0], sentence.start + found[1]


def _introduction_in(sentence: Sentence, following: str) -> tuple[int, int] | None:
    text, lowered = sentence.cased, sentence.text
    if not _MAY_INTRODUCE.search(lowered):
        return None
    for found in _BY_KIND.finditer(text):
        explains = _explains(lowered, text[: found.start()], found.end(), following)
        if _is_person(found) and not sentence.denies(found.start("kind")) and not explains:
            return found.start(), found.end()
    for pattern in (_BY_NAME, _MY_NAME, _THIS_IS, _HERE):
        for found in pattern.finditer(text):
            named = _is_name(found["name"], given=pattern is _MY_NAME) and not _supposed(text, found)
            if named and not sentence.denies(found.start("name")):
                return found.start(), found.end("name")
    chatting = _CHATTING.search(text)
    if chatting is not None and not sentence.denies(chatting.start()):
        return chatting.span()
    return next((found.span() for found in _AS.finditer(text) if _is_as_itself(found, lowered)), None)


def _is_as_itself(found: re.Match[str], lowered: str) -> bool:
    """Whether "As X, I" is said of the assistant, and not to explain a limit."""
    named = found["name"]
    if named is None:
        return not _LIMIT.search(lowered, found.end()) and _is_person(found)
    own = named.split()[-1].lower() not in ("i", "we") and _is_self(named)
    return bool(named[0].isupper() and own and _is_name(named))


_MAY_INTRODUCE = re.compile(
    r"\bi'm\b|\bi am\b|\bi m\b|\bname\b|\bcall|\bas\b|\bbeing\b|\bthis is\b|\bhere\b|\bit's\b"
    r"|\bit is\b|\byou're\b|\byou are\b|\bmeet\b|reached|\bi go by\b"
)


def _is_person(found: re.Match[str]) -> bool:
    """Whether a kind of assistant is what the words come to: an AI, not an AI plugin or an agent's fee."""
    kind, after = found["kind"].lower(), found.string[found.end("kind") :]
    if re.match(r"'s\b|\s*-\w", after):
        return False
    if kind in (
        "agent",
        "host",
        "program",
        "specialist",
        "rep",
        "representative",
        "guide",
        "buddy",
    ) and re.search(r"\b(?:not|looking|contacting|asking)\b", found[0]):
        return False
    return (
        re.search(
            r"\b(?:sure|afraid|going|here|able|looking|sorry|trying|using|glad|happy|transferring"
            r"|connecting|the one)\b",
            found["mods"] or "",
        )
        is None
    )


def _explains(lowered: str, before: str, end: int, following: str) -> bool:
    """Whether it says what it is only to explain a limit: "I'm an AI, so I can't"."""
    if _BECAUSE.search(before):
        return True
    if _LIMIT.search(lowered, end):
        return True
    return re.match(
        r"\W*(?:so|that means|therefore|i (?:don't|can't|cannot|do not)|and)\b[^.]*", following
    ) is not None and (_LIMIT.search(following[:120]) is not None)


def _supposed(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start()][-40:].lower()
    return (
        re.search(r"\b(?:if|whether|that|says?|said|suppose|saying|example|like)\s*[:,]?\s*$", before)
        is not None
    )


def _is_name(name: str, *, given: bool = False) -> bool:
    first = name.split()[0].strip(".,'").lower()
    if given:
        return first not in {
            "back",
            "when",
            "if",
            "later",
            "at",
            "on",
            "for",
            "the",
            "is",
            "not",
            "in",
            "any",
            "anytime",
            "required",
            "to",
            "a",
            "crazy",
        }
    if first in PACK.contracted or first in PACK.pronouns:
        return False
    plain = len(first) > 4 and first.endswith(("ing", "ed", "ful"))  # excited, but not Ted
    return first not in _NO_NAMES and not plain and len(first) > 1


def _is_self(name: str) -> bool:
    """Whether "As X, I" names the speaker: a name with AI, bot or assistant in it, or one plain name."""
    parts = name.split()
    return len(parts) == 1 or any(re.fullmatch(_KIND, part, re.IGNORECASE) for part in parts)
