"""Read the envelope of a reply: what a chatbot gives its user interface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from grice.matching.calls.names import step_text
from grice.matching.json_parsing import NotJson, json_problem, parse_json
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError
from grice.records import JsonValue, Reply, Turn
from grice.text import did_you_mean, value_text

MAX_FAULTS = 50
MAX_PARTS = 10_000


class EnvelopeShape(msgspec.Struct, frozen=True):
    """Where the parts of an envelope stand: names of fields, or dotted paths (`ui.cards`), the first there.

    The default has the names of the envelope itself; `products` is also found as `shortlist`. Inside products
    and clarifiers the names are those of their own fields. `free_choice` are values of clarifiers that only
    open a text field, and are not counted.
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
    """The parts of an envelope.

    `lead` and `detail` are None where they are missing or null. `faults` say what is malformed, each with its
    path (`$.products[1].why is a list of texts, found "good"`); what is malformed is left out of the rest,
    but for a clarifier that is a bare text: it is read as its label. `source` is "data" or "text".
    """

    mode: str = ""
    lead: str | None = None
    detail: str | None = None
    clarifiers: tuple[Clarifier, ...] = ()
    products: tuple[Product, ...] = ()
    faults: tuple[str, ...] = ()
    source: str = "data"


def read_shape(given: object) -> EnvelopeShape:
    """The shape that a matcher was given: None is the default, an object has fields of `EnvelopeShape`.

    A name may stand for a list of one. Raises ArgumentError.
    """
    if given is None:
        return DEFAULT_SHAPE
    if isinstance(given, EnvelopeShape):
        return given
    if not isinstance(given, Mapping):
        raise ArgumentError(f"shape is an object with names of fields, found {value_text(given)}")
    fields = {name.replace("_", "").lower(): name for name in EnvelopeShape.__struct_fields__}
    read: dict[str, tuple[str, ...]] = {}
    for written, value in given.items():
        name = fields.get(str(written).replace("_", "").lower(), "")  # camel case too, as files write it
        if not name:
            known = EnvelopeShape.__struct_fields__
            hint = did_you_mean(str(written), known) or f"; known are {', '.join(known)}"
            raise ArgumentError(f"shape has an unknown field {value_text(written)}{hint}")
        names = (value,) if isinstance(value, str) else value
        if (
            not isinstance(names, list | tuple)
            or not all(isinstance(one, str) and one for one in names)
            or not names
        ):
            raise ArgumentError(
                f"shape.{name} is the name of a field or a list of names, found {value_text(value)}"
            )
        read[name] = tuple(names)
    return EnvelopeShape(**read)


Shape = Annotated[EnvelopeShape | Mapping[str, Any], read_shape]
"""What a matcher takes for a shape."""


def envelope_of(subject: object, shape: EnvelopeShape = DEFAULT_SHAPE) -> Envelope | str:
    """The envelope of a reply or turn, of an object, or of a JSON text; else why there is none.

    A reply's is its `data`, else its text where that is one JSON object (in a code fence or not). Two objects
    in a text, an envelope whose lead or text is an envelope again, and text that begins like JSON and is none
    are malformed: the reason says so. Never raises.
    """
    if isinstance(subject, Reply | Turn):
        data = subject.data
        if isinstance(data, Mapping):
            found = _of_object(data, shape, "data")
            if not isinstance(found, str) or not found.startswith(_NONE) or not subject.text.strip():
                return found
        elif isinstance(data, str) and data.strip():
            return _of_text(data, shape)
        elif isinstance(data, list):
            return f"{_MALFORMED} the data is a list, found {json_text(data)}"
        return _of_text(subject.text, shape)
    if isinstance(subject, Mapping):
        return _of_object(subject, shape, "data")
    if isinstance(subject, str):
        return _of_text(subject, shape)
    return f"{_NONE} an object is read, found {value_text(subject)}"


def spoken_text(subject: object, shape: EnvelopeShape = DEFAULT_SHAPE) -> str:
    """What the user reads as prose: lead and detail of an envelope, else the text of the reply."""
    found = envelope_of(subject, shape)
    if isinstance(found, Envelope):
        parts = [part for part in (found.lead, found.detail) if part and part.strip()]
        if parts or found.source == "text":
            return "\n".join(parts)
    if isinstance(subject, Reply | Turn):
        return subject.text
    return subject if isinstance(subject, str) else ""


def shown_texts(subject: Reply | Turn, shape: EnvelopeShape = DEFAULT_SHAPE) -> tuple[str, str]:
    """What a user may read of a reply: its text, and lead and detail of its data; "" for the one of them that
    repeats the other.

    A text that is JSON is no prose. Of two that differ in white space only the text is kept, and of two of
    which one holds the other the longer.
    """
    text = subject.text
    if subject.data is None and "{" not in text:
        return text, ""
    spoken = spoken_text(subject, shape)
    if not _is_prose(text, shape):
        return "", spoken
    one, other = " ".join(text.split()), " ".join(spoken.split())
    if other in one:
        return text, ""
    return ("", spoken) if one in other else (text, spoken)


def all_prose(subject: object, shape: EnvelopeShape = DEFAULT_SHAPE) -> str:
    """All that a user may read of a subject: its text, and lead and detail where they say something else."""
    if not isinstance(subject, Reply | Turn):
        return spoken_text(subject, shape)
    return "\n".join(filter(None, shown_texts(subject, shape)))


def _is_prose(text: str, shape: EnvelopeShape) -> bool:
    found = _of_text(text, shape)
    return isinstance(found, str) and found.startswith(_NONE)


_NONE = "no envelope:"
_MALFORMED = "malformed envelope:"
_ABSENT: Any = object()


def _of_text(text: str, shape: EnvelopeShape) -> Envelope | str:
    bare = text.strip().lstrip("\ufeff").strip()
    if not bare:
        return f"{_NONE} the text is empty"
    if bare.startswith("{"):
        return _of_whole(bare, shape)
    inside = _fenced(bare)
    if inside is not None:
        return _of_fenced(bare, inside, shape)
    opening = bare.find('{"')
    if opening > 0:
        value = _first_object(bare[opening:])
        if isinstance(value, Mapping) and _has_any(value, shape):
            return f"{_MALFORMED} there is text before the object: {value_text(bare[:opening])}"
    return f"{_NONE} the reply is plain text, and it has no data"


def _of_whole(text: str, shape: EnvelopeShape) -> Envelope | str:
    """The envelope of a text that begins like an object."""
    try:
        value = parse_json(text)
    except NotJson as error:
        rest = _after_first(text)
        if rest is None:
            return f"{_MALFORMED} {error}"
        what = "two JSON objects in a row" if rest.startswith("{") else "there is text after the object"
        return f"{_MALFORMED} {what}: {value_text(rest)}"
    return _of_object(value, shape, "text")


def _of_fenced(text: str, inside: str, shape: EnvelopeShape) -> Envelope | str:
    try:
        value = parse_json(text, "fenced")
    except NotJson as error:
        return (
            f"{_MALFORMED} {error}" if inside.lstrip().startswith("{") else f"{_NONE} the reply is plain text"
        )
    if not isinstance(value, Mapping) or not _has_any(value, shape):
        return f"{_NONE} the code fence holds none of its fields"
    if text.count('"lead"') > 1 and _after_fence(text).lstrip().startswith(("```", "{")):
        return f"{_MALFORMED} two JSON objects in a row"
    before = text.partition("```")[0].strip()
    after = _after_fence(text).strip()
    if before or after:
        return f"{_MALFORMED} there is text around the code fence: {value_text(before or after)}"
    return _of_object(value, shape, "text")


def _fenced(text: str) -> str | None:
    """What stands in the first code fence."""
    opening = text.find("```")
    if opening < 0:
        return None
    first, _, rest = text[opening + 3 :].partition("\n")
    return rest.partition("```")[0] if rest else first


def _after_fence(text: str) -> str:
    return text.partition("```")[2].partition("```")[2]


def _after_first(text: str) -> str | None:
    """What stands after the object that the text begins with; None when it does not begin with one."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return text[end:].strip()


def _first_object(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _has_any(value: Mapping[str, Any], shape: EnvelopeShape) -> bool:
    parts = (shape.lead, shape.detail, shape.clarifiers, shape.products)
    return any(_at(value, names)[1] is not _ABSENT for names in parts)


def _at(value: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any]:
    """The first of these fields that is there and not null, with its path; else null or _ABSENT."""
    known = _ABSENT
    where = f"$.{names[0]}"
    for name in names:
        found, path = _step(value, name)
        if found is not _ABSENT and found is not None:
            return path, found
        if found is None and known is _ABSENT:
            known, where = None, path
    return where, known


def _step(value: Any, name: str) -> tuple[Any, str]:
    if isinstance(value, Mapping) and name in value:
        return value[name], f"${step_text(name)}"
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return _ABSENT, ""
        value = value[step]
    return value, f"$.{name}"


def _of_object(value: Mapping[str, Any], shape: EnvelopeShape, source: str) -> Envelope | str:
    for names in (shape.lead, ("text",)):
        path, inner = _at(value, names)
        if _is_envelope(inner, shape):
            return f"{_MALFORMED} {path} holds an envelope again, found {json_text(inner)}"
    if not _has_any(value, shape):
        fields = [shape.lead[0], shape.detail[0], shape.clarifiers[0], shape.products[0]]
        return f"{_NONE} the object has none of {', '.join(fields)}, found {json_text(value)}"
    faults: list[str] = []
    mode = _text(*_at(value, shape.mode), faults)
    lead = _text(*_at(value, shape.lead), faults)
    detail = _text(*_at(value, shape.detail), faults)
    clarifiers = tuple(_clarifiers(*_at(value, shape.clarifiers), shape, faults))
    products = tuple(_products(*_at(value, shape.products), shape, faults))
    return Envelope(mode or "", lead, detail, clarifiers, products, tuple(faults[:MAX_FAULTS]), source)


def _is_envelope(value: object, shape: EnvelopeShape) -> bool:
    if isinstance(value, str):
        bare = value.strip()
        if not bare.startswith("{") or json_problem(bare) is not None:
            return False
        value = parse_json(bare)
    return isinstance(value, Mapping) and _has_any(value, shape)


def _text(path: str, value: Any, faults: list[str]) -> str | None:
    if value is _ABSENT or value is None:
        return None
    if isinstance(value, str):
        return value
    faults.append(f"{path} is a text, found {json_text(value)}")
    return None


def _items(path: str, value: Any, what: str, faults: list[str]) -> Iterator[tuple[str, Any]]:
    if value is _ABSENT or value is None:
        return
    if not isinstance(value, list | tuple):
        faults.append(f"{path} is a list of {what}, found {json_text(value)}")
        return
    for place, one in enumerate(value[:MAX_PARTS]):
        yield f"{path}[{place}]", one


def _clarifiers(path: str, value: Any, shape: EnvelopeShape, faults: list[str]) -> Iterator[Clarifier]:
    for where, one in _items(path, value, "objects with label and value", faults):
        if isinstance(one, str):
            faults.append(f"{where} is an object with label and value, found the text {json_text(one)}")
            if one.strip():
                yield Clarifier(one, "", where)
            continue
        if not isinstance(one, Mapping):
            faults.append(f"{where} is an object with label and value, found {json_text(one)}")
            continue
        label_path, label = _at(one, shape.clarifier_label)
        if not isinstance(label, str) or not label.strip():
            found = "nothing" if label is _ABSENT else json_text(label)
            faults.append(f"{where}{label_path[1:]} is a text that is not empty, found {found}")
            continue
        yield Clarifier(label, _as_plain_data(_at(one, shape.clarifier_value)[1]), where)


def _as_plain_data(value: Any) -> str:
    """A text or number as text; "" for anything else."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _products(path: str, value: Any, shape: EnvelopeShape, faults: list[str]) -> Iterator[Product]:
    for where, one in _items(path, value, "products", faults):
        if not isinstance(one, Mapping):
            faults.append(f"{where} is an object, found {json_text(one)}")
            continue
        for names in (shape.product_id, shape.product_title):
            name_path, found = _at(one, names)
            if found is not _ABSENT and found is not None and not _as_plain_data(found):
                kind = "not empty" if isinstance(found, str) else "a text or a number"
                faults.append(f"{where}{name_path[1:]} is {kind}, found {json_text(found)}")
        price = _at(one, shape.product_price)[1]
        reasons_path, reasons = _at(one, shape.product_reasons)
        yield Product(
            _as_plain_data(_at(one, shape.product_id)[1]),
            _as_plain_data(_at(one, shape.product_title)[1]),
            None if price is _ABSENT else price,
            tuple(_reasons(f"{where}{reasons_path[1:]}", reasons, faults)),
            one,
            where,
        )


def _reasons(path: str, value: Any, faults: list[str]) -> Iterator[str]:
    if value is _ABSENT or value is None:
        return
    if not isinstance(value, list | tuple):
        faults.append(f"{path} is a list of texts, found {json_text(value)}")
        return
    for place, one in enumerate(value[:MAX_PARTS]):
        if isinstance(one, str):
            yield one
        else:
            faults.append(f"{path}[{place}] is a text, found {json_text(one)}")
