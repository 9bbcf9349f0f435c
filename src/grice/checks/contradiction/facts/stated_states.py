"""What a clause says is so or is not so: available, included, refundable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from grice.checks.contradiction.facts.stated_clauses import Token
from grice.checks.contradiction.facts.stated_reading import (
    BE,
    Reader,
    Said,
    Statement,
    qualifiers_of,
    stated,
    topic_of,
)

__all__ = ["states", "yes_no"]

_MISSING = frozenset(["unavailable", "discontinued"])


_STATES = {
    ("in", "stock"): ("available", True),
    ("out", "of", "stock"): ("available", False),
    ("sold", "out"): ("available", False),
    ("fully", "booked"): ("available", False),
    ("booked", "up"): ("available", False),
    ("no", "vacancies"): ("available", False),
    ("no", "availability"): ("available", False),
}


_FOLLOWS = frozenset(
    [
        "at",
        "on",
        "for",
        "in",
        "from",
        "until",
        "again",
        "now",
        "today",
        "to",
        "right",
        "during",
        "this",
        "by",
        "tomorrow",
        "as",
        "with",
    ]
)


_PASSING = frozenset(("yet", "still"))


_ABOUT_YOU = frozenset(["i", "i'm", "i've", "you", "you're", "you've", "we've", "let"])


_PARTICIPLES = frozenset(
    [
        "been",
        "taken",
        "given",
        "written",
        "chosen",
        "gone",
        "done",
        "sent",
        "made",
        "found",
        "got",
        "sold",
        "put",
        "become",
        "begun",
    ]
)


_AUXILIARY = frozenset(["been", "already", "just", "successfully", "not", "now", "also"])


def states(said: Said, reader: Reader) -> Iterator[Statement]:
    """Whether something is available, or open."""
    tokens = said.clause.tokens
    for place, token in enumerate(tokens):
        state = _state_at(tokens, place)
        if state is None:
            continue
        attribute, value = state
        topic = said.topic - {
            "stock",
            "sold",
            "sell",
            "vacanc",
            "vacancy",
            "unavail",
            "unavailable",
            "discontinu",
            "open",
            "close",
        }
        one = msgspec.structs.replace(said, topic=frozenset(topic))
        yield stated(
            "availability", frozenset((attribute,)), qualifiers_of(said), value != token.denied, one, reader
        )
        return


def _state_at(tokens: Sequence[Token], place: int) -> tuple[str, bool] | None:
    word = tokens[place].text
    for phrase, state in _STATES.items():
        if word == phrase[0] and tuple(one.text for one in tokens[place : place + len(phrase)]) == phrase:
            return state if word != "no" else ("available", tokens[place].denied)
    if word in _MISSING:
        return "available", False
    if word not in ("available", "open", "closed"):
        return None
    before = [one.text for one in tokens[max(0, place - 4) : place]]
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if (
        not BE.intersection(before)
        or "will" in before
        or (following and following not in _FOLLOWS and not following[0].isdigit())
    ):
        return None
    return ("available", True) if word == "available" else ("open", word == "open")


def yes_no(said: Said, reader: Reader) -> Iterator[Statement]:
    """Whether something is so: includes breakfast, is refundable."""
    tokens, words = said.clause.tokens, reader.words
    if any(one.text == "not" and other.text in ("all", "every") for one, other in pairwise(tokens)):
        return
    if any(one.dimension == "money" for one in said.clause.quantities) or _is_passing(tokens):
        return
    for place, token in enumerate(tokens):
        name = words.denying.get(token.text)
        negative = name is not None and token.text not in words.pack.noun_negations
        name = name or words.predicates.get(token.text) or _existential(tokens, place)
        if name is None or _is_auxiliary(tokens, place) or _is_noun(tokens, place):
            continue
        rest = [one for one in tokens if one is not token]
        own = [one for one in rest if words.predicates.get(one.text) != name]
        topic, names = topic_of(own, words)
        topic -= {name, "open", "close"}
        if not topic and name in ("have", "allow", "require", "support", "compatible", "cover"):
            return
        denying = reader.words.pack.negations | reader.words.pack.word_negations | {"no"}
        denied = token.denied or any(one.denied for one in own if one.text not in denying)
        one = msgspec.structs.replace(said, topic=frozenset(topic), names=names)
        yield stated("yes_no", frozenset((name,)), qualifiers_of(said), denied == negative, one, reader)
        return
    yield from _so(said, reader)


def _so(said: Said, reader: Reader) -> Iterator[Statement]:
    """Whether something is so, in any words: the office is accessible. The other statement has to have the
    same words.
    """
    clause, pack = said.clause, reader.words.pack
    verbs = [one.start for one in clause.tokens if one.text in BE or one.text in pack.clause_verbs]
    if any(one.text in ("may", "might", "could", "should") for one in clause.tokens):
        return
    if not verbs or len(said.topic) < 2 or clause.quantities or clause.moments or clause.key:
        return
    if not any(one.start < verbs[0] for one in clause.tokens) or clause.tokens[0].text in _ABOUT_YOU:
        return
    denying = pack.negations | pack.word_negations | {"no"}
    denied = any(one.denied for one in clause.tokens if one.text not in denying and one.start > verbs[0])
    if _state_of(clause.tokens) is None:
        yield stated("yes_no", frozenset(("so",)), frozenset(), not denied, said, reader)


def _state_of(tokens: Sequence[Token]) -> tuple[str, bool] | None:
    """What the words say of being available or open."""
    found = (_state_at(tokens, place) for place in range(len(tokens)))
    return next((one for one in found if one is not None), None)


def _is_passing(tokens: Sequence[Token]) -> bool:
    """Whether what is said holds for now only: not active yet."""
    return any(token.text in _PASSING for token in tokens)


def _existential(tokens: Sequence[Token], place: int) -> str | None:
    """There is a pool: it has one."""
    there = tokens[place].text == "there's" or (
        tokens[place].text == "there" and place + 1 < len(tokens) and tokens[place + 1].text in BE
    )
    return "have" if there else None


def _is_noun(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word that can be a verb is a noun: the lack of clarity, the support of many."""
    return place + 1 < len(tokens) and tokens[place + 1].text == "of"


def _is_auxiliary(tokens: Sequence[Token], place: int) -> bool:
    """Whether a form of have, need or can only helps another verb that is a predicate itself."""
    word = tokens[place].text
    following = next((one.text for one in tokens[place + 1 :] if one.text not in _AUXILIARY), "")
    if word in ("have", "has"):
        return (
            following.endswith("ed")
            or following in _PARTICIPLES
            or (place + 1 < len(tokens) and tokens[place + 1].text == "been")
        )
    return False
