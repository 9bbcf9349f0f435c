"""The envelope of a reply: what a shop assistant gives its user interface, and its limits.

Labelled examples are in `envelope.examples.jsonl` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec

from grice.checks.profiles import Profile
from grice.checks.structure.envelope_parts import (
    Clarifier,
    Envelope,
    EnvelopeShape,
    Product,
    Shape,
    envelope_of,
    read_shape,
)
from grice.checks.structure.sentence_count import counted_sentences
from grice.matching.argument_types import AtLeastOne, AtLeastZero
from grice.matching.context import Context
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import Speech, nothing_in
from grice.records import Evidence, Reply, Turn, Verdict, failed, passed
from grice.text import fold, shorten, value_text

EnvelopeMode = Literal["chat", "recommend"]
MODES: tuple[EnvelopeMode, ...] = get_args(EnvelopeMode)
MAX_SHOWN = 20
CHAT, RECOMMEND = (0, 3), (2, 3)

_TAG = re.compile(
    r"</?(?:a|b|blockquote|br|button|code|div|em|font|h[1-6]|hr|html|i|img|input|iframe|li|ol|p|pre|script|"
    r"small|span|strong|style|sub|sup|svg|table|tbody|td|th|tr|u|ul)(?:\s[^<>]{0,500})?/?>",
    re.IGNORECASE,
)


class _Limits(msgspec.Struct, frozen=True):
    lead: int
    detail: int
    detail_required: bool
    products: tuple[int, int]
    reasons: tuple[int, int]
    clarifiers: int
    mode: str


class _Fault(msgspec.Struct, frozen=True):
    path: str
    said: str
    quote: str = ""


def _check_range(pair: tuple[int, int]) -> None:
    if not 0 <= pair[0] <= pair[1]:
        raise ArgumentError(f"expected the least and the most, like [1, 3], found {value_text(pair)}")


Range = Annotated[tuple[int, int], _check_range]
"""The least and the most."""


@matcher("toHaveEnvelope", layer=1, describe="have a well-formed envelope[ to {mode!s}]")
def have_envelope(
    subject: Speech | Mapping[str, Any],
    ctx: Context,
    *,
    mode: EnvelopeMode | None = None,
    shape: Shape | None = None,
    lead_sentences: AtLeastOne = 2,
    detail_sentences: AtLeastOne = 3,
    products: Range | None = None,
    reasons: Range = (1, 3),
    clarifiers: AtLeastZero = 3,
    detail_required: bool | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The reply's data, or its JSON text, is a well-formed envelope within its limits.

    It has a lead of 1 to `lead_sentences` sentences and a detail of at most `detail_sentences`; products by
    `mode` (that of the envelope unless given: 0 to 3 in a chat, 2 to 3 in a recommendation, each then with
    reasons); at most `clarifiers` clarifiers, without those that only open a text field. `robust` asks for a
    detail too unless `detail_required` says otherwise, names and ids of products, no HTML, and nothing twice;
    all faults are reported at once, each with its path. `seed` counts sentences by their full stops, lets
    the detail be missing, and looks at nothing else. A reply without an envelope fails, an empty one is
    `inconclusive`. Examples: envelope.examples.jsonl.
    """
    if not isinstance(subject, str | Reply | Turn | Mapping):
        raise Unsuitable(f"a text, an object, a Reply or a Turn, found {value_text(subject)}")
    nothing = _nothing_in(subject)
    if nothing is not None:
        return nothing
    found = envelope_of(subject, read_shape(shape))
    if isinstance(found, str):
        return failed(found, evidence=(Evidence(path="$"),))
    judged = mode or ("recommend" if found.mode.strip().lower() == "recommend" else "chat")
    limits = _Limits(
        lead_sentences,
        detail_sentences,
        detail_required if detail_required is not None else profile == "robust",
        _products_of(products, judged),
        (reasons[0], reasons[1]),
        clarifiers,
        judged,
    )
    rule = _robust_faults if profile == "robust" else _seed_faults
    faults = list(rule(found, limits, mode, read_shape(shape)))
    if not faults:
        return passed(_summary(found, judged))
    shown = [f"{fault.path} {fault.said}" for fault in faults[:MAX_SHOWN]]
    shown += [f"... and {len(faults) - MAX_SHOWN} more"] if len(faults) > MAX_SHOWN else []
    evidence = tuple(Evidence(shorten(one.quote, 200), path=one.path) for one in faults[:MAX_SHOWN])
    return failed("\n".join(shown), evidence=evidence)


def _nothing_in(subject: Speech | Mapping[str, Any]) -> Verdict | None:
    if isinstance(subject, str):
        return nothing_in(subject)
    if isinstance(subject, Mapping) or subject.data is not None:
        return None
    return nothing_in(subject.text)


def _products_of(given: Sequence[int] | None, mode: str) -> tuple[int, int]:
    if given is not None:
        return given[0], given[1]
    return RECOMMEND if mode == "recommend" else CHAT


def _summary(envelope: Envelope, mode: str) -> str:
    counts = [(len(envelope.products), "product"), (len(envelope.clarifiers), "clarifier")]
    parts = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts if count]
    return f"{mode}: {', '.join(['lead', *(['detail'] if envelope.detail else []), *parts])}"


def _robust_faults(
    envelope: Envelope, limits: _Limits, mode: str | None, shape: EnvelopeShape
) -> Iterator[_Fault]:
    for fault in envelope.faults:
        path, _, said = fault.partition(" ")
        yield _Fault(path, said)
    yield from _mode_faults(envelope.mode, mode, f"$.{shape.mode[0]}")
    lead, detail = f"$.{shape.lead[0]}", f"$.{shape.detail[0]}"
    told = [fault.partition(" ")[0] for fault in envelope.faults]
    if lead not in told:
        yield from _prose_faults(lead, envelope.lead, limits.lead, required=True)
    if detail not in told:
        yield from _prose_faults(detail, envelope.detail, limits.detail, required=limits.detail_required)
    products = f"$.{shape.products[0]}"
    yield from _count_faults(products, envelope.products, limits.products, limits.mode, told)
    for product in envelope.products:
        yield from _product_faults(product, limits, shape, told)
    yield from _repeated(products, [(one.path, one.id) for one in envelope.products if one.id], "the id")
    chosen = [one for one in envelope.clarifiers if one.value not in shape.free_choice]
    yield from _clarifier_faults(f"$.{shape.clarifiers[0]}", chosen, limits.clarifiers)


def _mode_faults(found: str, wanted: str | None, path: str) -> Iterator[_Fault]:
    mode = found.strip().lower()
    if mode and mode not in MODES:
        yield _Fault(path, f'is "chat" or "recommend", found {json_text(found)}', found)
    elif mode and wanted is not None and mode != wanted:
        yield _Fault(path, f"is {json_text(found)}, expected {json_text(wanted)}", found)


def _prose_faults(path: str, text: str | None, limit: int, *, required: bool) -> Iterator[_Fault]:
    if text is None or not text.strip():
        if required:
            yield _Fault(
                path, f"is {'missing' if text is None else 'empty'}, expected 1 to {limit} sentences"
            )
        return
    yield from _html(path, text)
    found = counted_sentences(text)
    if not found:
        yield _Fault(path, f"has no sentence, found {json_text(text)}", text)
    elif len(found) > limit:
        shown = " | ".join(shorten(one, 100) for one in found[: limit + 2])
        said = f"has {len(found)} sentences, expected at most {limit}: {shown}"
        yield _Fault(path, said, found[limit])


def _html(path: str, text: str) -> Iterator[_Fault]:
    tag = _TAG.search(text)
    if tag is not None:
        yield _Fault(path, f"is plain text, found HTML: {value_text(tag[0])}", tag[0])


def _count_faults(
    path: str, products: Sequence[Product], bounds: tuple[int, int], mode: str, told: Sequence[str]
) -> Iterator[_Fault]:
    least, most = bounds
    dropped = sum(1 for one in told if re.fullmatch(re.escape(path) + r"\[\d+\]", one))
    count = len(products) + dropped
    if count < least or count > most:
        wanted = f"{least} to {most}" if least else f"at most {most}"
        noun = "a recommendation" if mode == "recommend" else "a chat"
        yield _Fault(path, f"has {count} product{'' if count == 1 else 's'}, expected {wanted} in {noun}")


def _product_faults(
    product: Product, limits: _Limits, shape: EnvelopeShape, told: Sequence[str]
) -> Iterator[_Fault]:
    for text, name in ((product.id, shape.product_id[0]), (product.title, shape.product_title[0])):
        path = f"{product.path}.{name}"
        if not text.strip() and path not in told:
            yield _Fault(path, "is missing")
    yield from _html(f"{product.path}.{shape.product_title[0]}", product.title)
    path = f"{product.path}.{shape.product_reasons[0]}"
    malformed = any(one == path or one.startswith(f"{path}[") for one in told)
    least, most = limits.reasons[0] if limits.mode == "recommend" else 0, limits.reasons[1]
    count = len(product.reasons)
    if not malformed and not least <= count <= most:
        wanted = f"{least} to {most}" if least else f"at most {most}"
        yield _Fault(path, f"has {count} reason{'' if count == 1 else 's'}, expected {wanted}")
    for place, reason in enumerate(product.reasons):
        if not reason.strip():
            yield _Fault(f"{path}[{place}]", "is empty")
        yield from _html(f"{path}[{place}]", reason)
    reasons = [(f"{path}[{place}]", one) for place, one in enumerate(product.reasons) if one.strip()]
    yield from _repeated(path, reasons, "the reason")


def _clarifier_faults(path: str, chosen: Sequence[Clarifier], limit: int) -> Iterator[_Fault]:
    if len(chosen) > limit:
        shown = ", ".join(value_text(one.label) for one in chosen[: limit + 1])
        yield _Fault(path, f"has {len(chosen)} clarifiers, expected at most {limit}: {shown}")
    for one in chosen:
        yield from _html(f"{one.path}.label", one.label)
    yield from _repeated(path, [(one.path, one.label) for one in chosen], "the clarifier")


def _repeated(path: str, found: Sequence[tuple[str, str]], what: str) -> Iterator[_Fault]:
    """What is the same twice, but for case, spaces and a mark at the end."""
    first: dict[str, str] = {}
    for where, text in found:
        key = " ".join(fold(text).split()).rstrip(".!?")
        if key in first:
            yield _Fault(where, f"has {what} {value_text(text)}, as {first[key]} has", text)
        else:
            first[key] = where


def _seed_faults(
    envelope: Envelope, limits: _Limits, mode: str | None, shape: EnvelopeShape
) -> Iterator[_Fault]:
    """The documented rule; what the reference code would have thrown on is a fault too."""
    for fault in envelope.faults:
        path, _, said = fault.partition(" ")
        if "found the text" not in said:  # a clarifier that is a bare text is counted like others
            yield _Fault(path, said)
    lead = counted_sentences(envelope.lead or "", "seed")
    if not 1 <= len(lead) <= limits.lead:
        yield _Fault(f"$.{shape.lead[0]}", f"has {len(lead)} sentences, expected 1 to {limits.lead}")
    detail = counted_sentences(envelope.detail or "", "seed")
    if len(detail) > limits.detail or (limits.detail_required and not detail):
        yield _Fault(f"$.{shape.detail[0]}", f"has {len(detail)} sentences, expected at most {limits.detail}")
    yield from _count_faults(f"$.{shape.products[0]}", envelope.products, limits.products, limits.mode, ())
    if limits.mode == "recommend":
        least, most = limits.reasons
        for product in envelope.products:
            if not least <= len(product.reasons) <= most:
                path = f"{product.path}.{shape.product_reasons[0]}"
                yield _Fault(path, f"has {len(product.reasons)} reasons, expected {least} to {most}")
    counted = sum(1 for one in envelope.clarifiers if one.value not in shape.free_choice)
    if counted > limits.clarifiers:
        path = f"$.{shape.clarifiers[0]}"
        yield _Fault(path, f"has {counted} clarifiers, expected at most {limits.clarifiers}")
