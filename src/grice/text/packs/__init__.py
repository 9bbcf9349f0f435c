"""Language packs: what rules know of a language, as data. Code has the grammar.

A language is a folder here, named as `languages.json` calls it: `english/words.json`, `english/slots.json`
and so on, each read as its record (`Words`, `SlotWords`) when a rule first needs it. What a folder lacks, the
language does not have: a rule that needs it tells nothing on texts in it. The folder may have code too, for
the forms of its words: `stem` and `singular`.

The file of a project adds to all of this: `use_vocabulary`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import msgspec

from grice.text.packs.pack import LanguagePack, Vocabulary, Words

__all__ = [
    "LanguagePack",
    "Languages",
    "Vocabulary",
    "Words",
    "code_of",
    "known_packs",
    "languages",
    "pack_of",
    "remembered",
    "shared",
    "use_vocabulary",
    "vocabulary",
]

T = TypeVar("T")
V = TypeVar("V", bound=Vocabulary)
P = ParamSpec("P")

_HERE = Path(__file__).parent
_added: Mapping[str, Mapping[str, Vocabulary]] = {}
_forget: list[Callable[[], None]] = []


class Languages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What tells languages apart: their names, frequent words, and letters that few of them have.

    `also_english` are words of other languages that are English too: alone they tell nothing. `scripts` has
    the first letter of each script, by its number, `of_script` the language that alone is written so.
    `greetings` are known everywhere.
    """

    names: Mapping[str, str]
    frequent: Mapping[str, tuple[str, ...]]
    letters: Mapping[str, str]
    also_english: frozenset[str]
    scripts: Mapping[int, str]
    of_script: Mapping[str, str]
    greetings: tuple[str, ...]


def remembered(made: Callable[P, T]) -> Callable[P, T]:
    """Remember what a function makes of vocabulary, until `use_vocabulary` changes that."""
    cached = lru_cache(maxsize=64)(made)
    _forget.append(cached.cache_clear)
    return cached  # type: ignore[return-value]  # it takes what `made` takes


def shared(name: str, type_: type[T]) -> T:
    """A file that is about all languages: `currencies`."""
    return msgspec.json.decode((_HERE / f"{name}.json").read_bytes(), type=type_)


@lru_cache(maxsize=1)
def languages() -> Languages:
    """What tells languages apart."""
    return shared("languages", Languages)


def code_of(language: str) -> str:
    """The bare ISO 639-1 code: en of EN and en-GB."""
    return language.replace("_", "-").split("-", 1)[0].lower()


@lru_cache(maxsize=1)
def _folders() -> dict[str, str]:
    there = {one.parent.name for one in _HERE.glob("*/words.json")}
    return {code: name.lower() for code, name in languages().names.items() if name.lower() in there}


def known_packs() -> tuple[str, ...]:
    """The ISO 639-1 codes of the languages that have a pack."""
    return tuple(_folders())


def vocabulary(type_: type[V], language: str) -> V | None:
    """The words of this kind that a language has, with those that the project adds; None without any."""
    return _vocabulary(type_, code_of(language))


@remembered
def _vocabulary(type_: type[V], code: str) -> V | None:
    folder = _folders().get(code)
    if folder is None:
        return None
    file, added = _HERE / folder / f"{type_.file}.json", _added.get(code, {}).get(type_.file)
    own = msgspec.json.decode(file.read_bytes(), type=type_) if file.is_file() else None
    if own is None or added is None:
        return own if added is None else added  # type: ignore[return-value]  # the record of the file's name
    found: V = _joined(own, added)
    return found


def pack_of(language: str) -> LanguagePack | None:
    """The pack of a language by its code (`en`, `EN`, `en-GB`), None where there is none."""
    return _pack(code_of(language))


@remembered
def _pack(code: str) -> LanguagePack | None:
    words = vocabulary(Words, code)
    if words is None:
        return None
    forms = import_module(f"{__name__}.{_folders()[code]}")
    known: dict[str, Any] = {
        field: partial(getattr(forms, name), words=words)
        for field, name in (("stemmer", "stem"), ("singular", "singular"))
        if hasattr(forms, name)
    }
    return LanguagePack(code=code, name=languages().names[code], **msgspec.structs.asdict(words), **known)


def use_vocabulary(added: Mapping[str, Mapping[str, Vocabulary]]) -> None:
    """Add words to the packs, by code of the language and file, in place of what was added before."""
    global _added
    if added == _added:
        return
    _added = added
    for forget in _forget:
        forget()


def _joined(own: Any, added: Any) -> Any:
    """A value of a pack with what a project adds: lists and tables grow, another value takes its place."""
    if isinstance(own, msgspec.Struct):
        given = ((one.name, getattr(added, one.name), one.default) for one in msgspec.structs.fields(own))
        fields = {
            name: _joined(getattr(own, name), value) for name, value, default in given if value != default
        }
        return msgspec.structs.replace(own, **fields)
    if isinstance(own, Mapping):
        return {**own, **{key: _joined(own[key], one) if key in own else one for key, one in added.items()}}
    if isinstance(own, frozenset):
        return own | added
    if isinstance(own, tuple):
        return (*own, *(one for one in added if one not in own))
    return added
