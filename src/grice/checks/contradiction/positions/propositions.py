"""What can be affirmed and denied: propositions, by the words that say them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.positions.clauses import Clause, content, read_clauses
from grice.checks.contradiction.positions.stance_words import (
    AUXILIARIES,
    CLASS_NOUNS,
    DEICTIC,
    EVALUATIVE,
    FAVOURING,
    MODALS,
    OPPOSING,
    UNBELIEF,
)
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["COMPARING", "Proposition", "clause_proposition", "proposition_of", "same"]

COMPARING = ("than", "over", "compared")
"""What stands between the two sides of a comparison."""

_MAX_KEYS = 40
_SHOWN = 90


class Proposition(msgspec.Struct, frozen=True):
    """What is affirmed or denied.

    `keys` are the roots of its words; those that allow or forbid are none of them, but say the `sign` of
    affirming it, +1 or -1, and that it is about permitting (`permits`). `lean` is that sign without the
    negations in it. `modal` is the kind of its verb.
    `left` and `right` are the keys on the two sides of "than" or "over". `opinion` marks what is a matter of
    opinion about the world, and not about user, speaker or an "it" (`personal`).
    `head` are the first of its words.
    """

    keys: frozenset[str]
    sign: int
    words: str
    lean: int = 1
    permits: bool = False
    modal: str = ""
    head: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()
    opinion: bool = False
    personal: bool = False
    deictic: bool = False


def proposition_of(text: str, pack: LanguagePack) -> Proposition | None:
    """What a sentence affirms; None where it has no words with a meaning of their own."""
    reading = read_clauses(text, pack)
    found = [
        word
        for clause in reading.clauses
        if clause.kind not in ("concession", "reason", "reported") or len(reading.clauses) == 1
        for word in clause.words
    ]
    clause = next((one for one in reading.clauses), None)
    if clause is None or not found:
        return None
    return _proposition(tuple(found), _joined(reading.clauses), text, pack)


def _joined(clauses: Sequence[Clause]) -> tuple[dict[int, bool], dict[int, bool]]:
    denied = {word.start: flag for one in clauses for word, flag in zip(one.words, one.denied, strict=True)}
    marks = {word.start: flag for one in clauses for word, flag in zip(one.words, one.negations, strict=True)}
    return denied, marks


def clause_proposition(clause: Clause, pack: LanguagePack) -> Proposition | None:
    """What a clause of a reply affirms."""
    denied = {word.start: flag for word, flag in zip(clause.words, clause.denied, strict=True)}
    marks = {word.start: flag for word, flag in zip(clause.words, clause.negations, strict=True)}
    return _proposition(clause.words, (denied, marks), clause.text, pack)


def _proposition(
    found: Sequence[Word], flags: tuple[dict[int, bool], dict[int, bool]], shown: str, pack: LanguagePack
) -> Proposition | None:
    denied, marks = flags
    places = [(place, key) for place, key in content(found, pack) if not marks[found[place].start]][
        :_MAX_KEYS
    ]
    permits = [(place, key) for place, key in places if key in FAVOURING or key in OPPOSING]
    keys = [(place, key) for place, key in places if key not in FAVOURING and key not in OPPOSING]
    if not keys:
        return None
    sign = -1 if any(denied[found[place].start] for place, _ in (permits or keys)) else 1
    lean = 1
    for _, key in permits:
        lean = -lean if key in OPPOSING else lean
    sign *= lean
    if any(word.text in UNBELIEF for word in found):
        sign = -sign
    texts = [word.text for word in found]
    left, right = _sides(texts, keys)
    subject = next((word for word in texts[:4] if word not in AUXILIARIES), "")
    modal = next((MODALS[word] for word in texts if word in MODALS), "")
    named = frozenset(key for _, key in keys)
    expletive = _EXPLETIVE.search(shown) is not None
    deictic = subject in DEICTIC and subject not in ("there", "here") and len(named) <= 2 and not expletive
    personal = deictic or bool(_PERSONAL & set(texts))
    matter = modal == "should" or (not personal and (bool(permits) or bool(named & EVALUATIVE)))
    return Proposition(
        named,
        sign,
        _brief(shown),
        lean,
        bool(permits),
        modal,
        frozenset(key for _, key in keys[: max(1, min(3, len(keys) - 1))]),
        left,
        right,
        opinion=matter and not deictic,
        personal=personal,
        deictic=deictic,
    )


_EXPLETIVE = re.compile(r"\bit (?:\w+ ){1,2}(?:to|that|for)\b")


def _sides(texts: Sequence[str], keys: Sequence[tuple[int, str]]) -> tuple[frozenset[str], frozenset[str]]:
    """What is compared by "than" or "over": a word or two of each side that the other has not."""
    cut = next((place for place, word in enumerate(texts) if word in COMPARING), len(texts))
    before = [key for place, key in keys if place < cut]
    behind = [key for place, key in keys if place > cut]
    left = [key for key in before if key not in behind]
    left = left[-2:] if cut < len(texts) and texts[cut] == "over" else left[:1]
    return (frozenset(left), frozenset(behind[:2]) - set(before)) if behind else (frozenset(), frozenset())


_PERSONAL = frozenset({"i", "my", "me", "you", "your", "i'm", "i've", "you're", "mine"})


def _brief(text: str) -> str:
    text = " ".join(text.split()).strip(" ?.,!")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} ..."


def same(one: Proposition, other: Proposition) -> bool:
    """Whether two questions ask the same: all words alike, or nearly all of many."""
    if one.permits != other.permits and not (one.opinion and other.opinion):
        return False
    if one.keys == other.keys:
        return True
    bare, others = one.keys - CLASS_NOUNS, other.keys - CLASS_NOUNS
    if bare == others and len(bare) > 1:
        return True
    both, either = len(one.keys & other.keys), len(one.keys | other.keys)
    if one.opinion and other.opinion:
        smaller = min(len(one.keys), len(other.keys))
        return both >= 2 and (both / either >= 0.6 or (both == smaller and both >= 3))
    return both >= 3 and both / either >= 0.8
