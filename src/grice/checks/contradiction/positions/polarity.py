"""Whether a clause affirms or denies a proposition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from grice.checks.contradiction.positions.clauses import Clause, content, root
from grice.checks.contradiction.positions.propositions import COMPARING, Proposition
from grice.checks.contradiction.positions.stance_words import (
    ANTONYMS,
    BAD,
    DISMISSING,
    FAVOURING,
    HARMS,
    MODALS,
    OPPOSING,
    PARTIAL,
    UNBELIEF,
)
from grice.text.packs.pack import LanguagePack

__all__ = ["Held", "denial", "holds", "partial"]


class Held(msgspec.Struct, frozen=True, gc=False):
    """How a clause speaks of a proposition: `sign` +1 or -1 relative to its keys, 0 where it says neither.

    `coverage` is the share of its keys that the clause has, `hits` how many. `extras` are roots that the
    proposition does not have. `heads` says that it names, or a pronoun stands for, what that is about;
    `leads` that the clause begins with it.
    """

    sign: int
    coverage: float
    hits: int
    extras: frozenset[str]
    elided: bool = False
    heads: bool = False
    leads: bool = False


def denial(clause: Clause) -> bool:
    """Whether the clause as a whole is denied: an odd number of negations in it."""
    return _groups(clause) % 2 == 1


def _groups(clause: Clause) -> int:
    """How many negations it has; words of one negation that follow each other count once."""
    marks = clause.negations
    return sum(mark and not (place and marks[place - 1]) for place, mark in enumerate(marks))


def partial(clause: Clause) -> bool:
    """Whether its negation denies only in part ("not always"), or only says what is not meant."""
    if _CLARIFIES.search(clause.text) and not any(word.text in UNBELIEF for word in clause.words):
        return True
    return any(
        mark and place + 1 < len(clause.words) and clause.words[place + 1].text in PARTIAL
        for place, mark in enumerate(clause.negations)
    )


_CLARIFIES = re.compile(
    r"\b(?:is|are|was|were|been|be) (?:\w+ly |often |sometimes )*(?:touted|presented|seen"
    r"|regarded|viewed|portrayed|defended"
    r"|promoted|hailed|described|cited|marketed|overstated|argued|claimed|said)\b|\b(?:to"
    r"|that) (?:ensure|ensures|show) that\b"
    r"|\b(?:argument|claim|idea|notion|assumption|assertion|concern|question|possibility"
    r"|argument about) (?:that|whether)\b"
    r"|\bbefore (?:it|they|we)\b|"
    r"(?:(?<!ought )\bnot|n't) (?:\w+ )?(?:about|mean|imply|suggest|suggesting|saying|to"
    r"|a question of|a matter of|(?:an? )?(?:\w+ )?(?:choice|either))\b"
    r"|\b(?:of|for|by|about|from) not \w+ing\b|^(?:by (?!the way)|(?:through|with|to"
    r"|in order to|rather than|instead of) )\w+"
    r"|\b(?:like|want|wish|need|love|happy|here) to (?:\w+ )?(?:highlight|address|emphasi[sz]e"
    r"|discuss|reiterate|explore"
    r"|present|counter|point|note|offer|reframe|clarify|explain|provide|help|engage|add|share"
    r"|mention)\b(?!.* that )"
)


@lru_cache(maxsize=512)
def _opposites(keys: frozenset[str], pack: LanguagePack) -> dict[str, str]:
    """The roots that deny one of the keys: unsustain for sustain, dangerous for safe."""
    made: dict[str, str] = {}
    for key in keys:
        if len(key) < 3:
            continue
        for prefix in ("un", "in", "im", "il", "ir", "non", "dis"):
            made[prefix + key] = key
            bare = key.removeprefix(prefix)
            if bare != key and len(bare) >= 4:
                made[bare] = key
        made.update(dict.fromkeys(_antonyms(pack).get(key, ()), key))
    return made


@lru_cache(maxsize=8)
def _antonyms(pack: LanguagePack) -> dict[str, tuple[str, ...]]:
    """The roots of words, each with those of the words that deny it."""
    made: dict[str, tuple[str, ...]] = {}
    for word, others in ANTONYMS.items():
        for other in others.split():
            one, against = root(word, pack), root(other, pack)
            made[one] = (*made.get(one, ()), against)
            made[against] = (*made.get(against, ()), one)
    return made


def holds(clause: Clause, about: Proposition, pack: LanguagePack) -> Held | None:
    """How a clause speaks of a proposition; None where it has none of its words."""
    opposite = _opposites(about.keys, pack)
    hits: dict[str, bool] = {}
    permits: list[tuple[int, str]] = []
    extras: set[str] = set()
    flips = 0
    near = False
    for place, key in content(clause.words, pack):
        if clause.negations[place]:
            continue
        if key in about.keys:
            lacking = [word.text for word in clause.words[max(0, place - 2) : place]] == ["out", "of"]
            hits[key] = hits.get(key, False) or (clause.denied[place] != lacking)
            near = (
                near
                or lacking
                or (clause.denied[place] and any(clause.negations[max(0, place - _NEAR) : place]))
            )
        elif key in opposite:
            hits[opposite[key]] = clause.denied[place]
            near = near or clause.denied[place]
            flips += 1
        elif key in FAVOURING or key in OPPOSING:
            permits.append((place, key))
        else:
            extras.add(key)
    far = not permits and 0 < 2 * sum(hits.values()) < len(hits) and not near
    sign = 0 if far else _sign(clause, about, hits, permits, alone=not extras) * (-1) ** flips
    said = {word.text for word in clause.words}
    lead = next((key for _, key in content(clause.words, pack)), "")
    leads = lead in about.keys or lead in opposite or lead in FAVOURING or lead in OPPOSING
    if _disbelieves(clause) != _turned_away(clause, about, pack):
        sign = -sign
    if said & BAD and not said & _LESS and not {root(word, pack) for word in said & BAD} & about.keys:
        sign = -sign * _denied_bad(clause)
        extras -= {root(word, pack) for word in BAD}
    if said & HARMS and not said & _LESS and not {root(word, pack) for word in said & HARMS} & about.keys:
        sign = -sign if leads and not denial(clause) else 0
    if (said & DISMISSING and denial(clause)) or _neither(clause, about):
        sign = 0
    elided = not extras and len(hits) < len(about.keys) and bool(said & MODALS.keys() or permits)
    pronoun = any(word.text in _SUBJECTS for word in clause.words)
    heads = pronoun or bool(about.head & hits.keys())
    count = len(hits) + (pronoun and not about.head & hits.keys() and bool(hits))
    return Held(sign, len(hits) / len(about.keys), count, frozenset(extras), elided, heads, leads or pronoun)


_TURNS = frozenset({"skip", "skipping", "avoid", "avoiding", "forgo", "forgoing", "decline", "declining"})


def _turned_away(clause: Clause, about: Proposition, pack: LanguagePack) -> bool:
    """Whether what it is about stands right behind a verb that turns away from it: "skip the insurance"."""
    places = {place for place, key in content(clause.words, pack) if key in about.keys}
    turns = [place for place, word in enumerate(clause.words) if word.text in _TURNS]
    return any({place + 1, place + 2, place + 3} & places for place in turns)


def _neither(clause: Clause, about: Proposition) -> bool:
    """Whether it speaks for neither side: what one cannot expect, or a call for rules."""
    rules = _RULES.search(clause.text) is not None and not _RULED.search(about.words.lower())
    return rules or _NEITHER.search(clause.text) is not None


_NEITHER = re.compile(
    r"\b(?:unrealistic|naive|wrong|unfair|unreasonable|misguided|mistake"
    r"|impractical) to (?:\w+ly )?(?:expect|assume|think|believe|suggest|demand"
    r"|rely|claim|say|ignore|dismiss|attribute|blame)\b"
)
_RULES = re.compile(
    r"\b(?:strict(?:er)?|better|strong(?:er)?|clear(?:er)?|proper|robust|tighter|tougher|more|effective"
    r"|comprehensive|stringent|adequate)"
    r" (?:\w+ )?(?:regulations?|rules|oversight|restrictions|limits|guidelines|safeguards|standards)\b"
)
_RULED = re.compile(r"\b(?:regulat|restrict|limit|rule|guideline|oversight|standard)")
"""A call for rules is neither for nor against what is asked, where that is not itself about rules."""
_SUBJECTS = frozenset({"it", "it's", "they", "they're", "this", "these"})
_LESS = frozenset(
    {"less", "fewer", "reduce", "reducing", "mitigate", "avoid", "avoiding", "prevent", "minimize"}
)
_NEAR = 4
"""How many words a negation may stand before the one word of a proposition that it denies."""


def _disbelieves(clause: Clause) -> bool:
    """Whether it says that what it speaks of is doubted: not by "no doubt", or "without a doubt"."""
    texts = [word.text for word in clause.words]
    return any(
        word in UNBELIEF and not {"no", "without", "beyond"} & set(texts[max(0, place - 2) : place])
        for place, word in enumerate(texts)
    )


def _denied_bad(clause: Clause) -> int:
    """-1 where what is bad is denied ("it would not be wrong to ..."), which then cancels."""
    return (
        -1
        if all(clause.denied[i] for i, w in enumerate(clause.words) if w.text in BAD) and denial(clause)
        else 1
    )


def _sign(
    clause: Clause,
    about: Proposition,
    hits: dict[str, bool],
    permits: Sequence[tuple[int, str]],
    *,
    alone: bool,
) -> int:
    denied = any(hits.values())
    if permits:
        denied = clause.denied[_outermost(permits)]
    elif not hits or (not denied and (alone or clause.negations[-1])):
        denied = denial(clause)
    elif _groups(clause) == 2:  # "I don't think that it is not safe"
        denied = list(hits.values())[-1]
    sign = -1 if denied else 1
    for _, key in permits:
        sign = -sign if key in OPPOSING else sign
    return sign * (-1 if _swapped(clause, about, hits) else 1)


def _outermost(permits: Sequence[tuple[int, str]]) -> int:
    """The place whose denial counts: of words that follow each other ("not support banning") the last."""
    place = permits[0][0]
    for other, _ in permits[1:]:
        if other - place > _NEAR:
            break
        place = other
    return place


def _swapped(clause: Clause, about: Proposition, hits: dict[str, bool]) -> bool:
    """Whether a comparison stands the other way round: "cars are better than trains"."""
    if not about.right or not about.left:
        return False
    texts = [word.text for word in clause.words]
    cut = next((place for place, word in enumerate(texts) if word in COMPARING), len(texts))
    before = " ".join(texts[:cut])
    left = sum(1 for key in about.left if key[:5] in before)
    right = sum(1 for key in about.right if key[:5] in before)
    return right > 0 and left < right
