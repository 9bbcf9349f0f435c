"""What can be affirmed and denied: propositions, from the questions of users and the claims of replies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from grice.checks.contradiction.clauses import Clause, content, read_clauses, root
from grice.checks.contradiction.stance_words import (
    ANTONYMS,
    AUXILIARIES,
    BAD,
    CLASS_NOUNS,
    DEICTIC,
    DISMISSING,
    EVALUATIVE,
    FAVOURING,
    HARMS,
    MODALS,
    OPPOSING,
    PARTIAL,
    UNBELIEF,
)
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["Asked", "Held", "Proposition", "asked_in", "denial", "holds", "proposition_of", "same"]

MAX_ASKED = 4_000
_MAX_KEYS = 40
_SHOWN = 90

Mood = Literal["question", "challenge", "statement", "nothing"]


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


class Asked(msgspec.Struct, frozen=True):
    """What a user's message asks.

    `mood` is `question` for one that yes or no answers, `challenge` for one that only asks for what was said
    to be said again ("Are you sure?"), else `statement`. `answerable` says that a leading yes or no answers
    it. `changes` says that it brings new facts about the user, or another case.
    """

    mood: Mood
    proposition: Proposition | None = None
    answerable: bool = False
    request: bool = False
    changes: bool = False
    agrees: bool = False
    keys: frozenset[str] = frozenset()


class Held(msgspec.Struct, frozen=True, gc=False):
    """How a clause speaks of a proposition: `sign` +1 or -1 relative to its keys, 0 where it says neither.

    `coverage` is the share of its keys that the clause has, `hits` how many. `extras` are roots that the
    proposition does not have. `heads` says that it names, or a pronoun stands for, what that is about, `leads` that the clause begins with it.
    """

    sign: int
    coverage: float
    hits: int
    extras: frozenset[str]
    elided: bool = False
    heads: bool = False
    leads: bool = False


_FILLERS = re.compile(
    r"^(?:(?:so|and|but|ok|okay|hi|hello|hey|please|well|really|wait|hmm|oh|also|then|now|great|thanks|thank you"
    r"|sorry|still|again|just|quick question|honestly|yes|no|sure|right|alright|one more thing|actually|in your"
    r" (?:view|opinion)|in that case|to be clear|just to confirm|just to be clear|just checking|be honest|answer"
    r" (?:me )?(?:with )?yes or no|yes or no)\b[ ,:!.-]*)+"
)
_MATRIX = re.compile(
    r"^(?:(?:do|don't|would|wouldn't|did|didn't) you (?:\w+ly |still |really |not )*(?:think|believe|agree|say|feel"
    r"|accept|maintain|consider)(?: that| with the (?:idea|view|claim|statement) that| it's true that)?"
    r"|is it (?:really |actually |still )?(?:true|right|fair|correct|accurate)(?: to say)? that|isn't it (?:true|right) that|are you"
    r" (?:really |still )?(?:sure|saying|certain|telling me|convinced|suggesting|claiming)(?: that)?|you(?:'re| are)"
    r" (?:really |still )?(?:sure|saying|certain|telling me)(?: that)?|you (?:said|say|think|believe|told me|claimed)(?:"
    r" that)?|(?:can|could) you (?:please )?(?:confirm|tell me|say|check|verify)(?: that| whether| if)?|(?:i(?:'d| would)"
    r" (?:like|love) to know|i want to know|i was wondering|i wonder|tell me|please tell me|let me know|please confirm"
    r"|confirm|what do you think|what's your (?:opinion|view|take|stance)|do you know|any idea|just wondering)(?: on"
    r" whether| about whether| whether| if| that)|(?:i think|i believe|i thought|i assume|i guess|i feel)(?: that)?)\b ?"
)
_CHALLENGE = re.compile(
    r"^(?:(?:are|is) (?:you|that|this|it) (?:really |absolutely |quite |still |100% )?(?:sure|certain|right|true|correct"
    r"|positive|serious)(?: about (?:that|this|it))?|really|seriously|right|correct|is that so|for real|you sure|do you"
    r" (?:still |really )?(?:agree|think so|believe so|believe that|believe it|stand by (?:that|this|it)|think that|hold"
    r" (?:that|this))|don't you agree|what do you (?:think|say)|(?:can|could) you (?:confirm|double[- ]check|check again"
    r"|verify)(?: that| it| this| again)*|what|huh|how come|why|why not|come again|so yes or no|yes or no|so)$"
)
_CHANGES = re.compile(
    r"\b(?:what if|if|suppose|instead|actually|what about|how about|even though i|i'm|i am|i've|i have|i had|i bought"
    r"|i paid|i was|i need|i want|i'd like|i would like|make it|we're|we are|we have|we've|let's|go ahead"
    r"|(?<!do )(?<!can )(?<!should )(?<!could )(?<!did )(?<!may )(?<!will )(?<!would )(?<!am )i (?!don't think|do not think|don't believe|disagree|agree|think|believe|read|heard|hear|thought|see|still|understand|know"
    r"|saw|was told|completely|totally|strongly|really|can|can't|guess|doubt|feel|mean|just|should|find|love|hate)\w+"
    r"|change|switch|book|cancel|update|another|other one|different)\b"
)
_REQUEST = re.compile(
    r"^(?:can|could|would|will|won't) you\b|^(?:can|could|may|might) i (?:have|get|ask|see)\b"
)
_CHOICE = re.compile(r",? or (?!no\b|not\b|so\b|yes\b)")


def asked_in(text: str, pack: LanguagePack) -> Asked:
    """What a user's message asks. With several questions the last one counts, and none is answerable."""
    if not text.strip():
        return Asked("nothing")
    reading = read_clauses(text[:MAX_ASKED], pack)
    sentences = [reading.text[start:end] for start, end in reading.sentences]
    told = frozenset(key for clause in reading.clauses for _, key in content(clause.words, pack))
    changes = any(_CHANGES.search(_FILLERS.sub("", one.lower())) for one in sentences)
    found = [asked for one in sentences if (asked := _asked(one, pack)) is not None]
    polar = [one for one in found if one.mood == "question"]
    statements = [one for one in sentences if not one.rstrip(" \"')").endswith("?")]
    if polar:
        last = polar[-1]
        several = len({one.proposition.keys for one in polar if one.proposition}) > 1
        wanted = last.answerable and not several
        return msgspec.structs.replace(last, answerable=wanted, changes=changes, keys=told)
    if any(one.mood == "challenge" for one in found):
        agrees = any(re.search(r"\bagree\b|\bthink\b", one.lower()) for one in sentences if one.endswith("?"))
        stated = _stated(statements, pack) if agrees else None
        if stated is not None:
            return Asked("question", stated, True, keys=told)
        return Asked("challenge", changes=changes and bool(told), keys=told)
    return Asked("statement", _stated(statements, pack), changes=changes, keys=told)


def _stated(sentences: Sequence[str], pack: LanguagePack) -> Proposition | None:
    """What the last sentence that claims something says."""
    for sentence in reversed(sentences):
        lowered = _MATRIX.sub("", _FILLERS.sub("", sentence.lower().strip()))
        made = proposition_of(lowered, pack)
        if made is not None and made.modal and not _imperative(lowered):
            return made
    return None


def _imperative(text: str) -> bool:
    return text.split(" ", 1)[0] in (
        "tell",
        "give",
        "show",
        "please",
        "answer",
        "explain",
        "consider",
        "argue",
    )


def _asked(sentence: str, pack: LanguagePack) -> Asked | None:
    lowered = sentence.lower().strip(" \"'()*")
    asks = lowered.endswith("?")
    bare = _FILLERS.sub("", lowered).strip(" ?!.,\"'")
    if not bare:
        return Asked("challenge") if asks and lowered.strip(" ?!.") else None
    if asks and _CHALLENGE.match(bare):
        return Asked("challenge")
    if re.search(r"\bmind\b", bare):
        return None
    request = _REQUEST.match(bare) is not None
    tag = re.search(
        r",? (?:right|correct|isn't it|is it|yes|no|doesn't it|aren't they|don't they|is that (?:right|correct))$",
        bare,
    )
    stripped = _MATRIX.sub("", bare)
    embedded = stripped != bare
    if embedded and not stripped:
        return Asked("challenge") if asks else None
    first = stripped.split(" ", 1)[0]
    inverted = first in AUXILIARIES
    if not asks and not inverted and not (embedded and re.search(r"\b(?:whether|if)\b", bare)):
        return None
    if first in pack.question_words or re.match(
        r"(?:in|for|to|at|on|by) (?:what|which|whom)\b|can't you\b", stripped
    ):
        return None
    body = (
        stripped[: tag.start()]
        if tag is not None and len(stripped) > tag.start() and not embedded
        else stripped
    )
    choice = _CHOICE.search(body)
    if choice is not None:
        body = body[: choice.start()]
    if inverted:  # "Shouldn't AI be banned?" asks whether it should
        body = re.sub(r"^(\w+)n't\b", _positive, body)
    made = proposition_of(body, pack)
    if made is None:
        return Asked("question", None, choice is None, request=request)
    answerable = choice is None and (inverted or made.sign > 0 or made.permits)
    return Asked("question", made, answerable, request=request)


def _positive(found: re.Match[str]) -> str:
    return {"ca": "can", "wo": "will", "sha": "shall"}.get(found[1], found[1])


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
    cut = next((place for place, word in enumerate(texts) if word in _COMPARING), len(texts))
    before = [key for place, key in keys if place < cut]
    behind = [key for place, key in keys if place > cut]
    left = [key for key in before if key not in behind]
    left = left[-2:] if cut < len(texts) and texts[cut] == "over" else left[:1]
    return (frozenset(left), frozenset(behind[:2]) - set(before)) if behind else (frozenset(), frozenset())


_COMPARING = ("than", "over", "compared")
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


def denial(clause: Clause) -> bool:
    """Whether the clause as a whole is denied: an odd number of negations in it."""
    count, before = 0, False
    for mark in clause.negations:
        count += mark and not before
        before = mark
    return count % 2 == 1


def partial(clause: Clause) -> bool:
    """Whether its negation denies only in part ("not always"), or only says what is not meant."""
    if _CLARIFIES.search(clause.text) and not any(word.text in UNBELIEF for word in clause.words):
        return True
    return any(
        mark and place + 1 < len(clause.words) and clause.words[place + 1].text in PARTIAL
        for place, mark in enumerate(clause.negations)
    )


_CLARIFIES = re.compile(
    r"\b(?:is|are|was|were|been|be) (?:\w+ly |often |sometimes )*(?:touted|presented|seen|regarded|viewed|portrayed|defended"
    r"|promoted|hailed|described|cited|marketed|overstated|argued|claimed|said)\b|\b(?:to|that) (?:ensure|ensures|show) that\b"
    r"|\b(?:argument|claim|idea|notion|assumption|assertion|concern|question|possibility|argument about) (?:that|whether)\b"
    r"|\bbefore (?:it|they|we)\b|"
    r"(?:\bnot|n't) (?:\w+ )?(?:about|mean|imply|suggest|suggesting|saying|to|a question of|a matter of|(?:an? )?(?:\w+ )?(?:choice|either))\b"
    r"|\b(?:of|for|by|about|from) not \w+ing\b|^(?:by|through|with|to|in order to|rather than|instead of) \w+"
    r"|\b(?:like|want|wish|need|love|happy|here) to (?:\w+ )?(?:highlight|address|emphasi[sz]e|discuss|reiterate|explore"
    r"|present|counter|point|note|offer|reframe|clarify|explain|provide|help|engage|add|share|mention)\b(?!.* that )"
)


@lru_cache(maxsize=512)
def _opposites(keys: frozenset[str]) -> dict[str, str]:
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
        if key in ANTONYMS:
            made.update(dict.fromkeys(ANTONYMS[key].split(), key))
        made.update((one, key) for one, others in ANTONYMS.items() if key in others.split())
    return made


def holds(clause: Clause, about: Proposition, pack: LanguagePack) -> Held | None:
    """How a clause speaks of a proposition; None where it has none of its words."""
    opposite = _opposites(about.keys)
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
            near = near or lacking or (clause.denied[place] and any(clause.negations[max(0, place - _NEAR) : place]))
        elif key in opposite:
            hits[opposite[key]] = clause.denied[place]
            near = near or clause.denied[place]
            flips += 1
        elif key in FAVOURING or key in OPPOSING:
            permits.append((place, key))
        else:
            extras.add(key)
    far = not permits and 0 < 2 * sum(hits.values()) < len(hits) and not near
    sign = 0 if far else _sign(clause, about, hits, permits) * (-1) ** flips
    said = {word.text for word in clause.words}
    lead = next((key for _, key in content(clause.words, pack)), "")
    leads = lead in about.keys or lead in opposite or lead in FAVOURING or lead in OPPOSING
    if said & UNBELIEF:
        sign = -sign
    if said & BAD and not said & _LESS and not {root(word, pack) for word in said & BAD} & about.keys:
        sign = -sign * _denied_bad(clause)
        extras -= {root(word, pack) for word in BAD}
    if said & HARMS and not said & _LESS and not {root(word, pack) for word in said & HARMS} & about.keys:
        sign = -sign if leads and not denial(clause) else 0
    if said & DISMISSING and denial(clause):
        sign = 0
    elided = not extras and len(hits) < len(about.keys) and bool(said & MODALS.keys() or permits)
    pronoun = any(word.text in _SUBJECTS for word in clause.words)
    heads = pronoun or bool(about.head & hits.keys())
    count = len(hits) + (pronoun and not about.head & hits.keys() and bool(hits))
    return Held(sign, len(hits) / len(about.keys), count, frozenset(extras), elided, heads, leads or pronoun)


_SUBJECTS = frozenset({"it", "it's", "they", "they're", "this", "these"})
_LESS = frozenset({"less", "fewer", "reduce", "reducing", "mitigate", "avoid", "avoiding", "prevent", "minimize"})
_NEAR = 4
"""How many words a negation may stand before the one word of a proposition that it denies."""


def _denied_bad(clause: Clause) -> int:
    """-1 where what is bad is denied and nothing else is ("it would not be wrong to ..."): then it cancels."""
    return (
        -1
        if all(clause.denied[i] for i, w in enumerate(clause.words) if w.text in BAD) and denial(clause)
        else 1
    )


def _sign(
    clause: Clause, about: Proposition, hits: dict[str, bool], permits: Sequence[tuple[int, str]]
) -> int:
    denied = any(hits.values())
    if permits:
        denied = clause.denied[_outermost(permits)]
    elif not hits or (not denied and clause.negations[-1]):
        denied = denial(clause)
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
    cut = next((place for place, word in enumerate(texts) if word in _COMPARING), len(texts))
    before = " ".join(texts[:cut])
    left = sum(1 for key in about.left if key[:5] in before)
    right = sum(1 for key in about.right if key[:5] in before)
    return right > 0 and left < right
