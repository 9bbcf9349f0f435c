"""Calibration cards in a folder: one JSON file for each judge and model."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from grice.judging.cards.card import VERSION, Card
from grice.text import value_text
from grice.user_files import open_file

__all__ = ["ENDING", "CardError", "card_file", "card_json", "load_cards", "read_card"]

ENDING = ".card.json"
MAX_BYTES = 1_000_000
_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_STEM = 60


class CardError(ValueError):
    """A calibration card cannot be read; the text begins with its file."""

    __module__ = "grice"


def card_file(card: Card) -> str:
    """The name of the card's file: `friendly.gpt-4o.card.json`.

    A new card of the same judge and model has the same name. A name that does not fit a file gets a hash.
    """
    return f"{_plain(card.judge)}.{_plain(card.model or 'no-model')}{ENDING}"


def _plain(name: str) -> str:
    plain = _OTHER.sub("-", name).strip("-.")[:_MAX_STEM]
    if plain and plain == name:
        return plain
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".lstrip("-")


def card_json(card: Card) -> bytes:
    """The content of the card's file; it begins with the version."""
    return msgspec.json.format(msgspec.json.encode(_Versioned(VERSION, card)), indent=2) + b"\n"


class _Versioned(msgspec.Struct, frozen=True):
    """A card as it stands in its file."""

    version: int
    card: Card


class _Version(msgspec.Struct):
    version: int = 0


def read_card(path: Path) -> Card:
    """The card in a file. Raises CardError for one that is no card, and for one of a newer version."""
    try:
        with open_file(path) as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise CardError(f"{path}: is larger than {MAX_BYTES:,} bytes, which no card is")
    try:
        version = msgspec.json.decode(content, type=_Version).version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardError(f"{path}: is no calibration card: {error}") from error
    if version != VERSION:
        raise CardError(f"{path}: has version {value_text(version)}, and this Grice reads {VERSION}")
    try:
        card = msgspec.json.decode(content, type=_Versioned).card
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardError(f"{path}: is no calibration card: {error}") from error
    problem = _impossible(card)
    if problem:
        raise CardError(f"{path}: {problem}, which no measurement gives: a card is not edited by hand")
    return card


def _impossible(card: Card) -> str:
    """What cannot be in the figures that decide, "" where they can: how many items, and kappa."""
    counts = msgspec.structs.astuple(card.decisions)
    if card.n < 0 or min(counts) < 0 or sum(counts) > card.n:
        return f"n is {card.n}, and decisions count {', '.join(map(str, counts))}"
    kappa = card.kappa
    if kappa is not None and not -1 <= kappa.low <= kappa.value <= kappa.high <= 1:
        return f"kappa is {kappa.value:g}, 95 % {kappa.low:g} to {kappa.high:g}"
    return ""


def load_cards(folder: Path) -> tuple[dict[str, Card], tuple[str, ...]]:
    """The cards in a folder by the name of their file, and what is wrong with others; no folder has none."""
    cards: dict[str, Card] = {}
    problems = [f"{folder} is no folder"] if folder.exists() and not folder.is_dir() else []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        try:
            cards[path.name] = read_card(path)
        except CardError as error:
            problems.append(str(error))
    return cards, tuple(problems)
