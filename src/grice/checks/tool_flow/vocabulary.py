"""English words for what an assistant does: verbs by what they come to, nouns of actions, lists."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from grice.text.packs.english_forms import stem

__all__ = [
    "action_of_noun",
    "base_forms",
    "groups_of",
    "is_participle",
    "lemma",
    "same_action",
    "states",
    "word_list",
]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    read = files("grice.checks.tool_flow").joinpath("tool-flow.words.json").read_bytes()
    table: dict[str, Any] = msgspec.json.decode(read)
    return table


@lru_cache(maxsize=64)
def word_list(name: str) -> frozenset[str]:
    """The words of a list of the table."""
    return frozenset(" ".join(_table()[name]).split())


@lru_cache(maxsize=64)
def base_forms(name: str) -> frozenset[str]:
    """The lemmas of a list of verbs or nouns of the table."""
    return frozenset(map(lemma, word_list(name)))


@lru_cache(maxsize=4)
def _turned(name: str) -> dict[str, str]:
    return {form: word for word, forms in _table()[name].items() for form in forms.split()}


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """What the forms of a casefolded verb share: updating, updated and update give updat."""
    return stem(_turned("irregular").get(word, word))


@lru_cache(maxsize=1)
def _groups() -> list[frozenset[str]]:
    return [frozenset(map(lemma, line.split())) for line in _table()["actions"]]


@lru_cache(maxsize=4096)
def groups_of(verb: str) -> frozenset[int]:
    """The groups of actions that a lemma belongs to; none for a verb that changes nothing we know of."""
    return frozenset(number for number, verbs in enumerate(_groups()) if verb in verbs)


@lru_cache(maxsize=4096)
def action_of_noun(noun: str) -> str:
    """The lemma of the verb that a noun of an action is made of: cancellation gives cancel; "" for others."""
    verb = _turned("nouns").get(noun)
    return lemma(verb) if verb is not None else ""


def same_action(one: str, other: str) -> bool:
    """Whether two lemmas are of the same action, or of ones that come to the same."""
    return one == other or not groups_of(one).isdisjoint(groups_of(other))


def is_participle(word: str) -> bool:
    """Whether a casefolded word may say what has been done: updated, sent."""
    if word in _turned("irregular"):
        return not word.endswith(("ing", "adds"))
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed")


@lru_cache(maxsize=1)
def states() -> dict[str, tuple[str, ...]]:
    """The states that only an action brings about, with the lemmas of that: live, publish."""
    return {state: tuple(map(lemma, verbs.split())) for state, verbs in _table()["states"].items()}
