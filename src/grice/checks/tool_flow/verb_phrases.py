"""The verb and the object of a clause, for telling whether two clauses speak of one action."""

from __future__ import annotations

import re

import msgspec

from grice.checks.tool_flow.english_actions import (
    ADVERBS,
    LIGHT_VERBS,
    OTHERNESS,
    PRONOUNS,
    action_of_noun,
    lemma,
    same_action,
)
from grice.text.packs.english import PACK
from grice.text.words import stem

__all__ = ["VerbPhrase", "phrase_at", "phrase_of_noun", "same_thing", "subject_phrase"]

_MAX_WORDS = 40
_WORD = re.compile(r"[\w'.&+-]*\w")
_STOP = re.compile(
    r"[.!?;:\n()\u00a4\"](?!\w)|\s-\s|,|\b(?:and (?:i|we|then|it|you)|but|because|so that|so|if"
    r"|while|before|after|once|"
    r"until|unless|although|which|who|or (?:would|do|should|shall|is|leave|not))\b"
)
_OTHERS = re.compile(
    r"\b(?:as well|in the meantime|while you wait|meanwhile|too|once (?:it|that|this)(?:'s| is)"
    r"|after(?:wards| that)?"
    r"|on top of that|besides)\b"
)
_PARTICLES = {"on": "on", "off": "off", "up": "up"}
_PARTICLE_VERBS = frozenset({"turn", "switch", "set", "sign"})
_HEDGES = re.compile(
    r"(?:go(?:ing)? ahead and(?= \w+ing\b)|go ahead and|proceed to|continue to|try to|start to"
    r"|begin to|help (?:you )?(?:to )?)\s+"
)
_AHEAD = re.compile(
    r"(?:go(?:ing)? ahead|proceed(?:ing)?|continu(?:e|ing)|go(?:ing)? on|do(?:ing)? (?:it|that|so|this))\b"
)
_THEREWITH = re.compile(
    r"\s*(?:with|on|to) (?:(?:the|this|that|your|these|those|all|a|my) )?((?:[\w'-]+ ){0,3}?)([\w'-]+)"
)


class VerbPhrase(msgspec.Struct, frozen=True, gc=False):
    """A verb with its object.

    `verb` is a lemma, "" where it is left to the context. `generic` says that it is a go ahead. `nouns` are
    stems of plain words of the object, `names` its words with capitals or digits and those behind it in the
    clause. `pronoun` says that the object is it, this or the like, `other` that it is marked as another one.
    Places are in the sentence; `clause_end` is where its clause ends.
    """

    verb: str
    nouns: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    pronoun: bool = False
    other: bool = False
    generic: bool = False
    start: int = 0
    end: int = 0
    clause_end: int = 0


def phrase_at(cased: str, lowered: str, place: int) -> VerbPhrase:
    """The verb phrase that begins at a place of a sentence, given with its case and without."""
    while place < len(lowered) and not (lowered[place].isalnum() or lowered[place] in ".?!;:"):
        place += 1
    stop = _STOP.search(lowered, place)
    clause_end = stop.start() if stop is not None else len(lowered)
    sentence_end = re.search(r"[?!;\n]|\.(?!\w)", lowered[place:])
    other = _is_other(lowered[place : place + sentence_end.start() if sentence_end else len(lowered)])
    start = _skip_adverbs(lowered, place, clause_end)
    hedge = _HEDGES.match(lowered, start)
    if hedge is not None and hedge.end() < clause_end:
        start = _skip_adverbs(lowered, hedge.end(), clause_end)
    elif (ahead := _AHEAD.match(lowered, start)) is not None:
        return _go_ahead(lowered, ahead, start, clause_end, other=other)
    word = _WORD.match(lowered, start, clause_end)
    if word is None:
        return VerbPhrase(
            "", generic=True, other=other, start=place, end=max(place, clause_end), clause_end=clause_end
        )
    verb = word[0]
    nouns, names, pronoun, noun, particle = _object(cased, lowered, word.end(), clause_end)
    base = lemma(verb)
    if particle and base in _PARTICLE_VERBS:
        base = f"{base}-{particle}"
    elif verb in LIGHT_VERBS or base in _LIGHT:
        if noun and (made := action_of_noun(noun)):
            base, nouns = made, nouns - {stem(noun)}
        elif verb.startswith("start") and noun.endswith("ing"):
            base = lemma(noun)
        elif pronoun and base in _LEFT_OPEN:
            base = ""
    return VerbPhrase(
        base, nouns, names, pronoun, other, start=start, end=clause_end, clause_end=clause_end,
        generic=not base,
    )  # fmt: skip


_LIGHT = frozenset(map(lemma, LIGHT_VERBS))
_LEFT_OPEN = frozenset(
    map(
        lemma,
        [
            "process",
            "complete",
            "do",
            "finish",
            "finalize",
            "finalise",
            "perform",
            "execute",
            "start",
            "begin",
            "confirm",
        ],
    )
)


def _go_ahead(lowered: str, ahead: re.Match[str], start: int, clause_end: int, *, other: bool) -> VerbPhrase:
    """Go ahead, or with what: with the booking."""
    verb, nouns = "", frozenset[str]()
    behind = _THEREWITH.match(lowered, ahead.end(), clause_end)
    if behind is not None:
        found = [*re.findall(r"[\w'-]+", behind[1]), behind[2]]
        # "to" may lead to a verb: continue to book
        verb = next((made for one in found if (made := action_of_noun(one))), "")
        if not verb:
            verb = next((lemma(one) for one in found if one.endswith("ing") and len(one) > 5), "")
        nouns = frozenset(
            stem(one) for one in found if not action_of_noun(one) and one not in PACK.stop_words
        )
    if not verb and (doing := re.compile(r"\s+(\w{3,}ing)\b").match(lowered, ahead.end(), clause_end)):
        verb = lemma(doing[1])  # continue playing
    generic = not verb
    return VerbPhrase(
        verb, nouns, other=other, generic=generic, start=start, end=clause_end, clause_end=clause_end
    )


def phrase_of_noun(noun: str, start: int, end: int) -> VerbPhrase | None:
    """The action that a noun names, None for any other noun."""
    verb = action_of_noun(noun)
    return VerbPhrase(verb, start=start, end=end, clause_end=end) if verb else None


def subject_phrase(cased: str, lowered: str, before: int, participle: str, end: int) -> VerbPhrase:
    """The phrase of a passive: its object is the subject that stands before the place."""
    breaks = [
        found.end()
        for found in re.finditer(
            r"[.!?;:,\n()\u00a4](?=\s|$)|\s-\s|\b(?:and|but|because|so|that|now that)\b", lowered[:before]
        )
    ]
    start = breaks[-1] if breaks else 0
    start += len(lowered[start:before]) - len(lowered[start:before].lstrip())
    nouns, names, pronoun, noun, _ = _object(cased, lowered, start, before, whole=True)
    stop = _STOP.search(lowered, end)
    clause_end = stop.start() if stop is not None else len(lowered)
    _, behind, _, _, _ = _object(cased, lowered, end, clause_end)
    verb = lemma(participle)
    if verb in _LIGHT and (made := action_of_noun(noun)):
        verb, nouns = made, nouns - {stem(noun)}
    return VerbPhrase(
        verb, nouns, names | behind, pronoun, _is_other(lowered[end:clause_end]), start=min(start, before),
        end=end, clause_end=clause_end,
    )  # fmt: skip


def _is_other(clause: str) -> bool:
    return _OTHERS.search(clause) is not None or any(
        word in OTHERNESS for word in re.findall(r"[a-z]+", clause)
    )


def _skip_adverbs(lowered: str, place: int, end: int) -> int:
    while (word := _WORD.match(lowered, place, end)) is not None:
        if word[0] not in ADVERBS or lowered.startswith("go ahead", place):
            return place
        place = word.end()
        while place < end and lowered[place] == " ":
            place += 1
    return place


def _object(
    cased: str, lowered: str, start: int, end: int, *, whole: bool = False
) -> tuple[frozenset[str], frozenset[str], bool, str, str]:
    """Of what stands between: stems of its nouns, names, whether it is a pronoun, its head noun, a particle.

    The object ends at a preposition, behind which only names count.
    """
    nouns: set[str] = set()
    names: set[str] = set()
    pronoun = behind = False
    head = particle = ""
    for count, found in enumerate(_WORD.finditer(lowered, start, end)):
        if count >= _MAX_WORDS:
            break
        word = found[0]
        shown = cased[found.start() : found.end()]
        first_of_sentence = found.start() == 0
        if count < 4 and word in _PARTICLES and not particle:
            particle = word
            continue
        if word in PACK.prepositions or word == "to":
            behind = not whole
            continue
        is_name = any(one.isdigit() for one in shown) or (shown[:1].isupper() and not first_of_sentence)
        if is_name and word not in PRONOUNS and word not in PACK.stop_words:
            names.add(word.removesuffix("'s"))
        elif behind:
            continue
        elif word in PRONOUNS:
            pronoun = True
        elif word not in PACK.stop_words and word not in ADVERBS and not word.endswith("ly"):
            nouns.add(stem(word))
            head = word
    return frozenset(nouns), frozenset(names), pronoun and not nouns and not names, head, particle


_REALISING = frozenset(map(lemma, ["apply", "implement", "save", "make", "commit"]))
_CHANGING = (lemma("update"), lemma("create"))


def same_thing(asked: VerbPhrase, told: VerbPhrase) -> bool:
    """Whether an asked action is the one that is told of: by its verb, and by what it is done to.

    Unlike what the told one is done to, "it", nothing and a plain noun for a name are no other thing.
    """
    if asked.other or told.other:
        return False
    realises = asked.verb in _REALISING and any(same_action(told.verb, one) for one in _CHANGING)
    if asked.verb and told.verb and not realises and not same_action(asked.verb, told.verb):
        return False
    new_names, own_names = asked.names - told.names, told.names - asked.names
    if new_names and own_names:
        return False
    if asked.pronoun or told.pronoun or not asked.nouns or not told.nouns:
        return not (
            new_names and told.nouns and not asked.nouns and not asked.pronoun and _apart(asked, told)
        )
    # billing address and shipping address share a word, and each has one of its own
    return bool(asked.nouns & told.nouns) and (asked.nouns <= told.nouns or told.nouns <= asked.nouns)


def _apart(asked: VerbPhrase, told: VerbPhrase) -> bool:
    """Whether names that are asked about and nouns that are told of are known to differ: they are not."""
    return bool(told.names) and not asked.names & told.names
