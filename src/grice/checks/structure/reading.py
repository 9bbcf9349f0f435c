"""Reading the envelope of a reply: what a chatbot hands its user interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grice.records import JsonValue

__all__ = ["DEFAULT_SHAPE", "Clarifier", "Envelope", "EnvelopeShape", "Product", "envelope_of", "spoken_text"]


class EnvelopeShape(msgspec.Struct, frozen=True):
    """Where the parts of an envelope stand: names of fields, or dotted paths (`ui.cards`), the first that is there.

    The default is the shape of seed 001; `products` is also found as `shortlist`. Inside products and clarifiers the names are those of their own
    fields. `free_choice` are values of clarifiers that only open a text field, and are not counted.
    """

    mode: tuple[str, ...] = ("mode",)
    lead: tuple[str, ...] = ("lead",)
    detail: tuple[str, ...] = ("detail",)
    clarifiers: tuple[str, ...] = ("clarifiers",)
    products: tuple[str, ...] = ("products", "shortlist")
    clarifier_label: tuple[str, ...] = ("label",)
    clarifier_value: tuple[str, ...] = ("value",)
    product_id: tuple[str, ...] = ("id",)
    product_title: tuple[str, ...] = ("title", "name")
    product_price: tuple[str, ...] = ("price",)
    product_reasons: tuple[str, ...] = ("why", "reasons")
    free_choice: tuple[str, ...] = ("_something_else",)


DEFAULT_SHAPE = EnvelopeShape()


class Clarifier(msgspec.Struct, frozen=True):
    """A question, or an answer to choose, that the envelope offers the user."""

    label: str
    value: str
    path: str


class Product(msgspec.Struct, frozen=True):
    """A product as a reply shows it. `id` is "" and `price` None where it has none; `reasons` are texts."""

    id: str
    title: str
    price: JsonValue
    reasons: tuple[str, ...]
    raw: Mapping[str, Any]
    path: str


class Envelope(msgspec.Struct, frozen=True):
    """An envelope that was read.

    `lead` and `detail` are None where they are missing. `faults` say what is malformed, each with its path
    (`$.products[1].why is a list of texts, found "good"`); what is malformed is left out of the rest. `source` is "data" or "text".
    """

    mode: str = ""
    lead: str | None = None
    detail: str | None = None
    clarifiers: tuple[Clarifier, ...] = ()
    products: tuple[Product, ...] = ()
    faults: tuple[str, ...] = ()
    source: str = "data"


def envelope_of(subject: object, shape: EnvelopeShape = DEFAULT_SHAPE) -> Envelope | str:
    """The envelope of a reply or turn, of an object, or of a JSON text; else why there is none.

    A reply's is its `data`, else its text where that is one JSON object (in a code fence or not). Two objects in a text, an
    envelope whose lead or text is an envelope again, and text that begins like JSON and is none are malformed: the reason says so.
    """
    raise NotImplementedError


def spoken_text(subject: object, shape: EnvelopeShape = DEFAULT_SHAPE) -> str:
    """What the user reads as prose: lead and detail of an envelope, else the text of the reply."""
    raise NotImplementedError
