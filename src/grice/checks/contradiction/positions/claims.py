"""What the clauses of a reply claim of a proposition, and what the reply then holds of it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.positions.answers import Answer
from grice.checks.contradiction.positions.clauses import Clause, Reading, content, root
from grice.checks.contradiction.positions.polarity import Held, denial, holds, partial
from grice.checks.contradiction.positions.propositions import Proposition
from grice.checks.contradiction.positions.stance_words import (
    CONS,
    DEICTIC,
    FAVOURING,
    MODALS,
    NARROWING,
    OPPOSING,
    PROS,
    TEMPORAL,
)
from grice.checks.contradiction.stances import Position
from grice.text.packs.pack import LanguagePack

__all__ = ["Claim", "Holding", "clause_claim", "holding", "outweighing"]

ENOUGH = 0.5
"""The least confidence with which a claim counts."""

_NARROWS_NO = re.compile(
    r"\b(?:without|unless|except|until|if|alone|only (?:if|with|when|after|under|for))\b"
)
_NARROWS_YES = re.compile(
    r"\b(?:without|unless|except|until|if|only|with|provided|providing|within|as long as"
    r"|so long as|when|once|depend"
    r"\w*|subject to|but)\b"
)
_OUTWEIGH = re.compile(r"\b(?:outweigh(?:s|ed|ing)?|exceed(?:s|ed)?|overshadow(?:s|ed)?)\b")


_MEASURE = re.compile(
    r"\b(?:such|this|these|that|the|a) (?:an? )?(?:\w+ )?(?:measures?|polic(?:y|ies)|laws?|rules?"
    r"|steps?|moves?"
    r"|legislation|restrictions?|prohibition|bans?)\b"
)
"""What stands for the ban or permission that is asked about: "the benefits of such a measure"."""


class Claim(msgspec.Struct, frozen=True, gc=False):
    """That a reply affirms (+1) or denies (-1) something, at a place in its prose.

    `narrowed` says that it does so under a condition or for a part only, `temporal` that it does for now.
    """

    sign: int
    confidence: float
    start: int
    end: int
    rule: str
    sentence: int
    narrowed: bool = False
    temporal: bool = False
    contrast: bool = False
    concludes: bool = False


class Holding(msgspec.Struct, frozen=True, gc=False):
    """What a reply holds of a proposition. `sign` is 0 for both or for what cannot be told."""

    position: Position
    sign: int
    confidence: float
    start: int
    end: int
    rule: str
    narrowed: bool = False
    temporal: bool = False


def clause_claim(
    clause: Clause, about: Proposition, pack: LanguagePack, *, asked: bool, last: int
) -> Claim | None:
    """What a clause claims of a proposition, None where it claims nothing.

    `asked` says that the reply answers a question about it, or goes on about it. `last` is the number of the
    reply's last sentence.
    """
    if clause.kind != "main" or partial(clause) or _OUTWEIGH.search(clause.text):
        return None
    held = holds(clause, about, pack)
    if held is None or not held.sign:
        return None
    ends = clause.concludes or clause.sentence == last
    if about.opinion:
        confidence = _opinion(clause, about, held, asked=asked, stands_out=ends or clause.sentence < 2)
        narrowed = held.sign * about.lean < 0 and _NARROWS_NO.search(clause.text) is not None
        narrowed = narrowed or (about.personal and clause.conditioned)
    else:
        confidence = _fact(clause, about, held, asked=asked)
        narrowed = clause.conditioned or _narrowed(clause, held, pack)
    if confidence < ENOUGH:
        return None
    texts = {word.text for word in clause.words}
    rule = "said as its own opinion" if clause.own else "said of it"
    return Claim(
        held.sign,
        confidence,
        clause.start,
        clause.end,
        rule,
        clause.sentence,
        narrowed=narrowed,
        temporal=bool(texts & TEMPORAL),
        contrast=clause.contrast,
        concludes=clause.concludes,
    )


def _opinion(clause: Clause, about: Proposition, held: Held, *, asked: bool, stands_out: bool) -> float:
    """How sure it is that a clause speaks of a matter of opinion."""
    texts = {word.text for word in clause.words}
    moods = {MODALS[word] for word in texts if word in MODALS}
    speaks_of_permits = any(root_in(clause, roots) for roots in (FAVOURING, OPPOSING))
    said_of = about.modal in moods or speaks_of_permits or clause.own
    if held.elided and said_of and (held.hits or (asked and _elliptic(clause))):
        return 0.85
    if about.permits and not speaks_of_permits:
        return 0.0
    return _named(clause, about, held, moods, stands_out=stands_out)


def _named(clause: Clause, about: Proposition, held: Held, moods: set[str], *, stands_out: bool) -> float:
    """How sure it is that a clause that names things speaks of a matter of opinion."""
    speaks_of_permits = any(root_in(clause, roots) for roots in (FAVOURING, OPPOSING))
    size = len(about.keys)
    need = 1 if size == 1 else 2 if clause.own else max(2, math.ceil(0.3 * size))
    if held.hits < need or not held.heads:
        return 0.0
    denied = denial(clause)
    if not denied and not held.leads and "should" not in moods:
        return 0.0  # it affirms something else: "a balanced approach is better"
    vague = len(held.extras) > (2 if clause.own else 4)
    if denied and vague and held.coverage < ENOUGH and held.hits < (3 if clause.own else size):
        return 0.0  # it denies something about it: "biofuel does not have to compete with food"
    if clause.own:
        return 0.9
    if about.modal == "should" and "should" in moods:
        return 0.8 if denied or held.coverage >= ENOUGH or speaks_of_permits else 0.55
    return _plain(about, held, moods, denied=denied, stands_out=stands_out)


def _plain(about: Proposition, held: Held, moods: set[str], *, denied: bool, stands_out: bool) -> float:
    """How sure it is of a clause that is put neither as an opinion nor as a demand."""
    if about.permits and not moods:
        return 0.55 if stands_out else 0.0
    if stands_out:
        return 0.75 if held.coverage >= ENOUGH else 0.55 if denied or len(about.keys) > 5 else 0.0
    return 0.6 if held.coverage >= 0.6 else 0.0


def _elliptic(clause: Clause) -> bool:
    """Whether the clause leaves out what it speaks of: "it shouldn't", "I would never allow it"."""
    last = clause.words[-1].text
    pronoun = clause.words[0].text in _PRONOUNS or clause.own or len(clause.words) < 3
    participle = last.endswith("ed") and last.startswith(tuple(OPPOSING | FAVOURING))
    return pronoun and (last in MODALS or last in _ENDS or participle)


_PRONOUNS = DEICTIC | {"i", "we", "you", "i'd", "i'm", "we'd", "yes", "no", "and", "but", "so"}
_ENDS = frozenset(
    {"it", "this", "that", "them", "so", "not", "be", "to", "do", "happen", "all", "cannot", "against"}
)


def root_in(clause: Clause, roots: frozenset[str]) -> bool:
    """Whether a word of the clause begins with one of the roots, other than in a noun made of it."""
    return any(
        word.text.startswith(one) for word in clause.words for one in roots if len(word.text) <= len(one) + 4
    )


def _fact(clause: Clause, about: Proposition, held: Held, *, asked: bool) -> float:
    """How sure it is that a clause speaks of a matter of fact."""
    texts = {word.text for word in clause.words}
    if (
        held.elided
        and asked
        and not held.extras
        and clause.sentence < 2
        and texts & DEICTIC | (texts & {"i", "you", "we"})
    ):
        return 0.8 if about.modal in {MODALS[word] for word in texts if word in MODALS} else 0.0
    if about.deictic and not asked:
        return 0.0
    if about.permits != any(root_in(clause, roots) for roots in (FAVOURING, OPPOSING)):
        return 0.0
    if held.coverage < 0.75 or (held.hits < 2 and not (asked and clause.sentence < 2)):
        return 0.0
    return 0.75


def _narrowed(clause: Clause, held: Held, pack: LanguagePack) -> bool:
    """Whether a clause speaks only of a part: what it adds stands behind a preposition, or is much."""
    if len(held.extras) > 2:
        return True
    if not held.extras:
        return False
    places = [place for place, key in content(clause.words, pack) if key in held.extras]
    return any(
        clause.words[before].text in NARROWING
        for place in places
        for before in range(max(0, place - 3), place)
        if not _OWN_PLACE & {word.text for word in clause.words[before:place]}
    )


_OWN_PLACE = frozenset({"our", "us", "your", "this"})
"""What points at the case that is spoken of: "on this fare" leaves nothing else open."""


def outweighing(clause: Clause, pack: LanguagePack, about: Proposition) -> Claim | None:
    """That the benefits outweigh the risks, or the other way round, denied or not."""
    found = _OUTWEIGH.search(clause.text)
    if found is None or clause.kind in ("question", "reported", "condition"):
        return None
    place = len(clause.text[: found.start()].split())
    before = [word.text for word in clause.words[:place]]
    after = [word.text for word in clause.words[place + 1 :]]
    first = next((_worth(word) for word in before if _worth(word)), 0)
    second = next((_worth(word) for word in after if _worth(word)), 0)
    if first == second:  # one cost against another says nothing
        return None
    first = first or -second
    if after[:1] == ["by"]:
        first = -first
    if clause.denied[place] or any(clause.negations[max(0, place - 3) : place]):
        first = -first
    roots = {root(word.text, pack) for word in clause.words}
    measure = _MEASURE.search(clause.text) is not None
    lean = about.lean if about.permits and (measure or roots & (OPPOSING | FAVOURING)) else 1
    return Claim(
        first * lean, 0.75, clause.start, clause.end, "benefits against risks", clause.sentence,
        contrast=clause.contrast, concludes=clause.concludes,
    )  # fmt: skip


def _worth(word: str) -> int:
    return 1 if word in PROS else -1 if word in CONS else 0


def holding(
    claims: Sequence[Claim], answer: Answer | None, answered: int, about: Proposition, reading: Reading
) -> Holding | None:
    """What a reply holds of a proposition, by its claims and the answer it begins with.

    `answered` is the sign that a "yes" would have, 0 where the answer is to something else.
    """
    if answer is not None and answered and answer.position == "mixed":
        return Holding("mixed", 0, 0.8, answer.start, answer.end, "answers both")
    everything = list(claims)
    if answer is not None and answered:
        particle = _particle(answer, answered, reading)
        clear = [one for one in claims if one.confidence >= 0.8 and not one.narrowed]
        against = [one for one in clear if one.sign != particle.sign]
        if (
            not (against and (about.opinion or not answer.strong or against[-1].contrast))
            or particle.narrowed
        ):
            everything = [particle, *everything]
    if not everything:
        return None
    full = [one for one in everything if not one.narrowed] or everything
    chosen = _chosen(full)
    if chosen is None:
        first = everything[0]
        return Holding("mixed", 0, 0.6, first.start, first.end, "claims both")
    sign, confidence, one = chosen
    lean = sign * about.lean
    narrowed = one.narrowed or any(
        other.narrowed and other.sign == sign and other.sentence == one.sentence for other in everything
    )
    return Holding(
        "yes" if lean > 0 else "no",
        sign,
        round(confidence, 2),
        one.start,
        one.end,
        one.rule,
        narrowed,
        one.temporal,
    )


def _particle(answer: Answer, answered: int, reading: Reading) -> Claim:
    end = reading.sentences[answer.sentence][1] if reading.sentences else answer.end
    rest = reading.text[answer.end : max(end, answer.end)].lower()
    narrows = _NARROWS_YES if answer.position == "yes" else _NARROWS_NO
    sign = answered if answer.position == "yes" else -answered
    temporal = bool(set(re.findall(r"\w+", rest)[:12]) & TEMPORAL)
    confidence = 0.85 if answer.strong else 0.65
    return Claim(
        sign, confidence, answer.start, answer.end, "the answer it begins with", answer.sentence,
        narrowed=narrows.search(rest) is not None, temporal=temporal,
    )  # fmt: skip


def _chosen(claims: Sequence[Claim]) -> tuple[int, float, Claim] | None:
    """The sign that the claims have together, how sure that is, and the claim that says it best."""
    signs = {one.sign for one in claims}
    best = max(claims, key=lambda one: (one.confidence, -one.start))
    if len(signs) == 1:
        return best.sign, min(0.98, best.confidence + 0.04 * (len(claims) > 1)), best
    weights = {sign: sum(one.confidence for one in claims if one.sign == sign) for sign in (1, -1)}
    contrasts = [one for one in claims if one.contrast and one.confidence >= 0.7]
    concluding = [one for one in claims if one.concludes and one.confidence >= 0.7]
    if concluding or contrasts:
        one = (concluding or contrasts)[-1]
        if weights[one.sign] * 2 >= weights[-one.sign]:
            return one.sign, one.confidence * 0.85, one
    sign = 1 if weights[1] > weights[-1] else -1
    if abs(weights[1] - weights[-1]) / (weights[1] + weights[-1]) < ENOUGH:
        return None
    strongest = max((one for one in claims if one.sign == sign), key=lambda one: one.confidence)
    return sign, strongest.confidence * 0.65, strongest
