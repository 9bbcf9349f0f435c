"""Which one it is: gate B12, the airline is Delta, with Dr. Patel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from grice.checks.contradiction.facts.stated_clauses import Clause, Token
from grice.checks.contradiction.facts.stated_reading import (
    Reader,
    Said,
    Statement,
    qualifiers_of,
    stated,
    topic_of,
)

__all__ = ["choices", "numbers", "people"]

_NUMBERS = frozenset(["number", "code", "reference", "id", "pin"])


_NUMBERED = re.compile(r"\s+(?:is|will be)?:?\s*#?([A-Z0-9][A-Z0-9-]{3,})\b")


_CODE = re.compile(r"[A-Z]{0,3}-?\d[\w.-]*|[A-Z]\b")


def choices(said: Said, reader: Reader) -> Iterator[Statement]:
    """Which one it is: gate B12, the airline is Delta."""
    tokens, words, text = said.clause.tokens, reader.words, reader.normal.text
    arrives = (
        frozenset(("arrive",))
        if any(words.attributes.get(one.text) == "arrive" for one in tokens)
        else frozenset()
    )
    for place, token in enumerate(tokens):
        if token.text in words.labels:
            code = _CODE.match(text, _after(text, token.end, said.clause.end))
            if code is None or code.end() > said.clause.end or _is_denied_at(code.start(), said.clause):
                continue
            label = token.text.removesuffix("s")
            if label in ("room", "desk") and not re.search(
                r"(?i)number|is|:", text[token.end : code.start()]
            ):
                continue
            topic = said.topic - {
                token.stem,
                code[0].casefold(),
                *(one.stem for one in tokens if one.start >= code.start() and one.end <= code.end()),
            }
            one = msgspec.structs.replace(
                said, topic=frozenset(topic - {"depart", "boarding", "found"}), names=said.names & topic
            )
            yield stated(
                "choice",
                frozenset((label,)) | arrives,
                qualifiers_of(said),
                frozenset((code[0].casefold().strip(".-"),)),
                one,
                reader,
                code[0],
            )
        elif token.text in words.choices and place + 1 < len(tokens):
            yield from _chosen(token, place, said, reader)


def _chosen(token: Token, place: int, said: Said, reader: Reader) -> Iterator[Statement]:
    """What stands behind "the airline is" and "Airline:"."""
    text, tokens = reader.normal.text, said.clause.tokens
    link = re.match(
        r"(?:\s+of\s+[^:.]{2,30}?)?\s*(?::|\s(?:is|are)\b)\s*",
        text[token.end : token.end + 50],
        re.IGNORECASE,
    )
    if link is None or tokens[place].denied:
        return
    begin = token.end + link.end()
    behind = [one for one in tokens if one.start >= begin]
    value = frozenset(one.stem for one in behind if one.text not in reader.words.pack.stop_words)
    if (
        not value
        or len(behind) > 5
        or any(one.denied for one in behind)
        or not any(one.name for one in behind)
    ):
        return
    topic, names = topic_of([one for one in tokens if one.start < begin and one is not token], reader.words)
    one = msgspec.structs.replace(said, topic=topic, names=names)
    yield stated(
        "choice",
        frozenset((reader.words.choices[token.text],)),
        frozenset(),
        value,
        one,
        reader,
        text[behind[0].start : behind[-1].end],
    )


def numbers(said: Said, reader: Reader) -> Iterator[Statement]:
    """The number or code that something has: your order number is A-48213."""
    tokens, text = said.clause.tokens, reader.normal.text
    for before, token in pairwise(tokens):
        if token.text not in _NUMBERS:
            continue
        found = _NUMBERED.match(text, token.end)
        if found is None or found.end() > said.clause.end or not any(map(str.isdigit, found[1])):
            continue
        value = frozenset((found[1].casefold(),))
        one = msgspec.structs.replace(said, topic=frozenset(), names=frozenset())
        yield stated("choice", frozenset((before.stem, "number")), frozenset(), value, one, reader, found[1])
        return


def people(said: Said, reader: Reader) -> Iterator[Statement]:
    """With whom an appointment is: Dr. Patel."""
    tokens = said.clause.tokens
    if not any(reader.words.attributes.get(one.text) == "appointment" for one in tokens):
        return
    for before, title, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if title.text in ("dr", "doctor") and before.text == "with" and name.name and not name.denied:
            one = msgspec.structs.replace(said, topic=said.topic - {"appointment", name.stem, title.stem})
            shown = reader.normal.text[title.start : name.end]
            yield stated(
                "choice",
                frozenset(("doctor",)),
                qualifiers_of(said),
                frozenset((name.stem,)),
                one,
                reader,
                shown,
            )


def _after(text: str, start: int, end: int) -> int:
    """Where what a label names begins: gate B12, gate number B12, gate is B12."""
    found = re.match(
        r"\s*(?:(?:number|no\.?|#|is|:|to|now|will be|has changed|currently)\s*)*",
        text[start : min(end, start + 30)],
        re.IGNORECASE,
    )
    return start + (found.end() if found else 0)


def _is_denied_at(place: int, clause: Clause) -> bool:
    return any(token.denied for token in clause.tokens if token.start <= place)
