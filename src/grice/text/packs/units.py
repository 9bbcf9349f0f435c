"""Tables of units, written short."""

from __future__ import annotations

from decimal import Decimal

__all__ = ["units_of"]


def units_of(**dimensions: str) -> dict[str, tuple[str, str, Decimal]]:
    """Each surface form with its unit, dimension and factor to the base unit.

    A dimension is written `unit=factor: form form; unit=factor: form`.
    """
    table: dict[str, tuple[str, str, Decimal]] = {}
    for dimension, written in dimensions.items():
        for part in written.split(";"):
            head, forms = part.split(":")
            unit, factor = head.strip().split("=")
            for form in forms.split():
                table[form] = (unit, dimension, Decimal(factor))
    return table
