"""Keep what others wrote apart from the instructions to a judge.

Texts of agents, users and tools stand between tags that they cannot contain, and the same question is always
the same request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count

import msgspec

from grice.identity import canonical_json
from grice.records import JsonValue
from grice.text import visible

HEX_DIGITS = 12


class Data(msgspec.Struct, frozen=True):
    """A text that somebody else wrote. `label` is Grice's own and says what it is, such as `from="user"`."""

    text: str
    label: str = ""


class Gap(msgspec.Struct, frozen=True):
    """A place where too long a text was cut, in words."""

    words: str


Piece = str | Data | Gap
"""A part of a question: words of ours, somebody else's text, or a gap."""


def data_of(text: str, label: str, limit: int) -> list[Piece]:
    """Wrap a text as data and make hidden characters visible; a long one keeps its beginning and end.

    Three quarters of the `limit` in characters go to the beginning.
    """
    shown = visible(text)
    if len(shown) <= limit:
        return [Data(shown, label)]
    head, tail = limit - limit // 4, limit // 4
    left_out = f"{len(shown) - limit:,} characters left out"
    return [
        Data(shown[:head], f'{label} part="beginning"'),
        Gap(left_out),
        Data(shown[-tail:], f'{label} part="end"'),
    ]


def json_data(value: JsonValue, label: str, limit: int) -> list[Piece]:
    """Wrap a JSON value as data; a text is not quoted."""
    text = value if isinstance(value, str) else canonical_json(value).decode()
    return data_of(text, label, limit)


def newest(shown: Sequence[list[Piece]], limit: int, what: str) -> list[Piece]:
    """Keep the last pieces that fit into so many characters, at least one; they, and how many are left out.

    `what` is one of them in words, such as "turn".
    """
    room, first = limit, len(shown)
    while first:
        size = sum([len(piece.text) for piece in shown[first - 1] if isinstance(piece, Data)])
        if size > room and first < len(shown):
            break
        first -= 1
        room -= size
    gap = [Gap(f"{first} earlier {what}{'' if first == 1 else 's'} left out")] if first else []
    return [*gap, *(piece for pieces in shown[first:] for piece in pieces)]


def tag_for(pieces: Iterable[Piece]) -> str:
    """The first tag of an endless row, such as `data-3f9a1c20b7d4`, that occurs in none of the texts.

    Nothing that somebody writes can hold the tag around it, and the tag does not change with what they write,
    so that recorded answers are found again when a date in it is another one.
    """
    text = "\n".join([piece.text for piece in pieces if isinstance(piece, Data)]).lower()
    for number in count():
        digits = _digits(number)
        if digits not in text:
            return f"data-{digits}"
    raise AssertionError("the row is endless")


@lru_cache(maxsize=16)
def _digits(number: int) -> str:
    return hashlib.sha256(f"grice {number}".encode()).hexdigest()[:HEX_DIGITS]


def written(pieces: Iterable[Piece], tag: str) -> str:
    """Write the pieces one below the other, data between tags."""
    return "\n".join([_piece_text(piece, tag) for piece in pieces])


def _piece_text(piece: Piece, tag: str) -> str:
    if isinstance(piece, Data):
        opening = f"{tag} {piece.label}" if piece.label else tag
        return f"<{opening}>\n{piece.text}\n</{tag}>"
    return f"({piece.words})" if isinstance(piece, Gap) else piece


def gaps_in(pieces: Iterable[Piece]) -> Iterator[str]:
    """Say what was left out."""
    return (piece.words for piece in pieces if isinstance(piece, Gap))
