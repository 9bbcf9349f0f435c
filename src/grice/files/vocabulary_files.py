"""The vocabulary of a project: words that it adds to the packs of languages. YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from os import PathLike
from typing import Any

import msgspec

from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.locate import JsonValue
from grice.files.typed import errors_in, named
from grice.text import did_you_mean, value_text
from grice.text.packs import known_packs, languages, vocabulary
from grice.text.packs.pack import Vocabulary
from grice.text.packs.records import KINDS
from grice.typed import Problem

AddedVocabulary = Mapping[str, Mapping[str, Vocabulary]]
"""By code of the language and kind of words, as `grice.text.packs.use_vocabulary` takes it."""

_PART = re.compile(r"(?<!P)<(\w+)>")


class VocabularyErrors(FileErrors):
    """Everything that is wrong with a file of vocabulary, one FileError each."""


def language_codes() -> dict[str, str]:
    """The languages that have a pack, as files call them, with their codes: english, en."""
    return {languages().names[code].lower(): code for code in known_packs()}


@lru_cache(maxsize=1)
def _file_type() -> type[msgspec.Struct]:
    """What such a file says: for each language the kinds of words, each with what it adds."""
    kinds = [(name, kind | msgspec.UnsetType, msgspec.UNSET) for name, kind in KINDS.items()]
    language = msgspec.defstruct("AddedWords", kinds, frozen=True, forbid_unknown_fields=True)
    fields = [(name, language | msgspec.UnsetType, msgspec.UNSET) for name in language_codes()]
    return msgspec.defstruct("AddedVocabulary", fields, frozen=True, forbid_unknown_fields=True)


def load_vocabulary(path: str | PathLike[str]) -> AddedVocabulary:
    """The words that a file adds, by language and kind: `{"english": {"words": {"greetings": ["ahoy"]}}}`.

    Raises VocabularyErrors with everything that is wrong, by line and column: a language without a pack,
    unknown kinds and fields, wrong values, and patterns that cannot be compiled.
    """
    document = load_file(path, errors=VocabularyErrors)
    if errors := [*_unknown_languages(document)] or (
        errors_in(document, document.value, _file_type()) or [*_unknown_parts(document)]
    ):
        raise VocabularyErrors(errors)
    return {
        code: {kind: msgspec.convert(one, KINDS[kind]) for kind, one in document.value[name].items()}
        for name, code in language_codes().items()
        if name in document.value
    }


def _unknown_languages(document: Document) -> Iterator[FileError]:
    known = language_codes()
    for name in document.value if isinstance(document.value, dict) else ():
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            yield named(document, (), Problem((), f"no language {value_text(name)} has a pack{hint}", name))


def _unknown_parts(document: Document) -> Iterator[FileError]:
    """The patterns that name a part which neither the file nor the pack has."""
    for name, code in language_codes().items():
        for kind, said in document.value.get(name, {}).items():
            known = getattr(vocabulary(KINDS[kind], code), "lists", None)
            if known is None or kind == "actions":
                continue
            parts = {*known, *said.get("lists", ())}
            for path, text in _texts(said, (name, kind)):
                for part in _PART.findall(text):
                    if part not in parts:
                        there = f"there are {', '.join(sorted(parts))}"
                        told = f"the pattern names <{part}>, which no list is; {there}"
                        yield named(document, (), Problem(path, told))


def _texts(value: JsonValue, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(one, (*path, step))
