"""English words for what an assistant does: verbs by their effect, nouns of actions, lists."""

from __future__ import annotations

from functools import lru_cache

from grice.text.packs import LanguagePack, pack_of, remembered, vocabulary
from grice.text.packs.records import ActionWords
from grice.text.words import stem


@remembered
def english() -> LanguagePack:
    """The words of English: the rule is for it alone."""
    pack = pack_of("en")
    assert pack is not None
    return pack


@remembered
def _table() -> ActionWords:
    return vocabulary(ActionWords, "en") or ActionWords()


def word_list(name: str) -> frozenset[str]:
    """The words of a list of the table."""
    return _table().lists[name]


@remembered
def base_forms(name: str) -> frozenset[str]:
    """The lemmas of a list of verbs or nouns of the table."""
    return frozenset(map(lemma, word_list(name)))


@remembered
def _irregular() -> dict[str, str]:
    return {form: verb for verb, forms in _table().irregular.items() for form in forms}


@remembered
def _verbs_of_nouns() -> dict[str, str]:
    return {noun: verb for verb, nouns in _table().nouns.items() for noun in nouns}


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """What the forms of a casefolded verb share: updating, updated and update give updat."""
    return stem(_irregular().get(word, word))


@remembered
def _groups() -> list[frozenset[str]]:
    return [frozenset(map(lemma, verbs)) for verbs in _table().actions]


@lru_cache(maxsize=4096)
def groups_of(verb: str) -> frozenset[int]:
    """The groups of actions that a lemma belongs to; none for a verb that changes nothing we know of."""
    return frozenset(number for number, verbs in enumerate(_groups()) if verb in verbs)


@lru_cache(maxsize=4096)
def action_of_noun(noun: str) -> str:
    """The lemma of the verb that a noun of an action is made of: cancellation gives cancel; "" for others."""
    verb = _verbs_of_nouns().get(noun)
    return lemma(verb) if verb is not None else ""


def same_action(one: str, other: str) -> bool:
    """Whether two lemmas are of the same action, or of ones that come to the same."""
    return one == other or not groups_of(one).isdisjoint(groups_of(other))


def is_participle(word: str) -> bool:
    """Whether a casefolded word may say what has been done: updated, sent."""
    if word in _irregular() or word in english().irregular_verbs:
        return not word.endswith(("ing", "adds"))
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed")


@remembered
def states() -> dict[str, tuple[str, ...]]:
    """The states that only an action brings about, with the lemmas of that: live, publish."""
    return {state: tuple(map(lemma, verbs)) for state, verbs in _table().states.items()}
