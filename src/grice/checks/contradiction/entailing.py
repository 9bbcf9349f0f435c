"""Ask a model about statements that no rule could compare."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

from msgspec.structs import replace

from grice.checks.contradiction.cascade import NOTHING, Case, concluded
from grice.checks.contradiction.consistency import Comparison, SelfContradiction
from grice.checks.contradiction.sentence_index import Index, Place
from grice.claims.entailment import Compared, Entailment, EntailmentError
from grice.matching.matcher import is_async
from grice.text import value_text

MAX_PAIRS = 32
"""Pairs of statements that a model is asked about, those with the most words in common."""

MIN_WORDS = 2
"""Words of a sentence that states something."""

_Pair = tuple[Place, Place]


def decided_by_model(
    case: Case, model: Entailment
) -> SelfContradiction | Coroutine[Any, Any, SelfContradiction]:
    """Ask the model about sentences of different replies that share words; a coroutine where the model is
    asynchronous. Raises EntailmentError where the model gives no answer.
    """
    pairs = _pairs(case)
    if not pairs:
        return NOTHING
    if is_async(model.compare):
        return _later(case, pairs, model)
    return _concluded(case, pairs, model.compare(_texts(case, pairs)), model)


async def _later(case: Case, pairs: Sequence[_Pair], model: Entailment) -> SelfContradiction:
    """The same of a model that is awaited; it is not asked before that."""
    answer: Any = model.compare(_texts(case, pairs))
    return _concluded(case, pairs, await answer, model)


def _concluded(case: Case, pairs: Sequence[_Pair], compared: object, model: Entailment) -> SelfContradiction:
    """The most certain pair decides. From the threshold on it is a reversal, and as far below the middle it
    is none; between the two the model cannot tell.
    """
    if not isinstance(compared, Compared):
        raise EntailmentError(f"compare() of {model.name} gives no Compared, found {value_text(compared)}")
    if len(compared.scores) != len(pairs) or not all(0 <= one <= 1 for one in compared.scores):
        raise EntailmentError(
            f"compare() of {model.name} gives for each of {len(pairs)} pairs a score from 0 to 1, found "
            f"{value_text(list(compared.scores))}"
        )
    scored = sorted(zip(compared.scores, pairs, strict=True), reverse=True)
    most = scored[0][0]
    if 1 - model.threshold < most < model.threshold:
        reason = f"{model.name} cannot tell: the most it gives a contradiction is {most:.2f}"
        return replace(NOTHING, reason=reason, score=most, judgement=compared.judgement)
    found = concluded(case, (_comparison(case, *pair, score, model) for score, pair in scored))
    assert found is not None  # there are pairs
    return replace(found, judgement=compared.judgement)


def _comparison(case: Case, one: Place, other: Place, score: float, model: Entailment) -> Comparison:
    first, last = (
        case.talk.said[here].holds("", *case.talk.said[here].sentences[place], "entailment")
        for here, place in (one, other)
    )
    return Comparison("entailment", first, last, score >= model.threshold, score)


def _pairs(case: Case) -> list[_Pair]:
    """Sentences of two replies that state something and share words, the earlier first."""
    talk = case.talk
    index = Index(talk)
    found: list[tuple[int, _Pair]] = []
    for here, said in enumerate(talk.said):
        for number in range(len(said.sentences)):
            place = here, number
            asks = said.sentence(number).rstrip(" \"')*").endswith("?")
            if asks or len(said.keys[number]) < MIN_WORDS:
                continue
            for other in index.beside(place):
                shared = len(talk.own(other) & talk.own(place))
                if shared and case.counts(_blank(case, other, place)):
                    found.append((-shared, (other, place)))
            index.add(place)
    return [pair for _, pair in sorted(found)[:MAX_PAIRS]]


def _blank(case: Case, one: Place, other: Place) -> Comparison:
    first, last = (case.talk.said[here].holds("", 0, 0, "entailment") for here, _ in (one, other))
    return Comparison("entailment", first, last, opposed=False)


def _texts(case: Case, pairs: Sequence[_Pair]) -> list[tuple[str, str]]:
    said = case.talk.said
    return [
        (said[one[0]].sentence(one[1]).strip(), said[other[0]].sentence(other[1]).strip())
        for one, other in pairs
    ]
