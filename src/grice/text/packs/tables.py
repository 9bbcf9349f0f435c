"""Tables of words, written short."""

from __future__ import annotations

from decimal import Decimal

__all__ = ["listed", "named", "numbered", "pairs", "phrases", "units_of"]


def listed(written: str) -> frozenset[str]:
    """The words of a text, casefolded."""
    return frozenset(written.casefold().split())


def phrases(written: str) -> tuple[str, ...]:
    """Phrases that semicolons part, casefolded, in their order."""
    return tuple(" ".join(part.split()) for part in written.casefold().split(";") if part.strip())


def pairs(written: str, *, fold: bool = True) -> dict[str, str]:
    """What stands before and behind the colons of `one: other; one: other`; the former casefolded."""
    return {
        " ".join((key.casefold() if fold else key).split()): value.strip()
        for key, value in (part.rsplit(":", 1) for part in written.split(";") if part.strip())
    }


def numbered(written: str, first: int = 0) -> dict[str, int]:
    """The words of parts that semicolons part, with the number of the part."""
    return {
        word: number
        for number, part in enumerate(written.casefold().split(";"), first)
        for word in part.split()
    }


def named(written: str) -> dict[str, str]:
    """Each word of `name: word word; name: word` with its name."""
    return {
        word: name.strip()
        for name, words in (part.split(":", 1) for part in written.casefold().split(";") if part.strip())
        for word in words.split()
    }


def units_of(written: str) -> dict[str, tuple[str, str, Decimal]]:
    """Each surface form with its unit, dimension and factor to the base unit.

    A line is `dimension | unit=factor: form form; unit=factor: form`. A form with a space has `_` for it.
    """
    table: dict[str, tuple[str, str, Decimal]] = {}
    for line in filter(str.strip, written.splitlines()):
        dimension, _, units = line.partition("|")
        for part in units.split(";"):
            head, forms = part.split(":")
            unit, factor = head.strip().split("=")
            for form in forms.casefold().split():
                table[form] = (unit.replace("_", " "), dimension.strip(), Decimal(factor))
    return table
