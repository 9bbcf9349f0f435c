"""What is kept of what verdicts looked at, within the limit on details."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from grice.identity import canonical_json
from grice.matching.json_text import json_text
from grice.matching.limits import Limits
from grice.records import Evidence, JsonValue, Result, Verdict, clean_json
from grice.records.codec import encode

TRUNCATED = "...truncated"
MAX_NAME = 1_000
"""Characters of a claim, an id or a path."""
LEAST = 200
"""Characters that are left of a text that is cut, where there is room at all."""


def within_limits(result: Result, limits: Limits) -> Result:
    """The result with verdicts whose details take no more bytes as JSON, all together, than the limit.

    Details are reasons, evidence, samples, messages, parts and what an LLM answered; what says which check it
    was, and its outcome, always stay, in a thousand characters each. Too large ones get the same room each:
    samples are cut first, then texts and quotes, then parts. What is cut ends in "...truncated".
    """
    most = limits.max_test_result_details_bytes
    verdicts = [_named_shortly(one) for one in (*result.verdicts, *result.conduct)]
    sizes = [_size(one) for one in verdicts]
    if sum(sizes) > most:
        room = equal_room(sizes, most)
        verdicts = [
            one if size <= room else _cut(one, room) for one, size in zip(verdicts, sizes, strict=True)
        ]
    count = len(result.verdicts)
    return replace(result, verdicts=tuple(verdicts[:count]), conduct=tuple(verdicts[count:]))


def _named_shortly(verdict: Verdict) -> Verdict:
    """The verdict with a claim, an id and a path of a thousand characters at most."""
    selection = verdict.selection
    if selection is not None and max(len(selection.id), len(selection.path)) > MAX_NAME:
        id_, path = (shortened(text, MAX_NAME) for text in (selection.id, selection.path))
        verdict = replace(verdict, selection=replace(selection, id=id_, path=path))
    if max(len(verdict.claim), len(verdict.criterion)) <= MAX_NAME:
        return verdict
    claim, criterion = (shortened(text, MAX_NAME) for text in (verdict.claim, verdict.criterion))
    return replace(verdict, claim=claim, criterion=criterion)


def _bare(verdict: Verdict) -> Verdict:
    """The verdict without any details."""
    selection = verdict.selection
    if selection is not None:
        selection = replace(selection, samples=[], message="")
    return replace(verdict, reason="", evidence=(), parts=(), judgement=None, detail={}, selection=selection)


def _size(verdict: Verdict) -> int:
    """Bytes of the details of a verdict as JSON."""
    return len(encode(verdict)) - len(encode(_bare(verdict)))


def _cut(verdict: Verdict, room: int) -> Verdict:
    """The verdict with details of at most so many bytes; without room for any, a mark that says so."""
    selection = verdict.selection
    if selection is not None and selection.samples:
        digest = selection.sha256 or digest_of(clean_json(selection.samples))
        bare = replace(selection, samples=[], truncated=True, sha256=digest)
        left = room - _size(replace(verdict, selection=bare))
        verdict = replace(verdict, selection=replace(bare, samples=cut_samples(selection.samples, left)))
    for characters in (room // 8, room // 32, LEAST):
        if _size(verdict) <= room:
            return verdict
        verdict = _shorter(verdict, max(characters, LEAST))
    return verdict if _size(verdict) <= room else replace(_bare(verdict), reason=TRUNCATED)


def _shorter(verdict: Verdict, characters: int) -> Verdict:
    """The verdict with no text of more characters, and as few quotes as fit in them."""
    selection = verdict.selection
    if selection is not None and len(selection.message) > characters:
        selection = replace(selection, message=shortened(selection.message, characters), truncated=True)
    return replace(
        verdict,
        reason=shortened(verdict.reason, characters),
        evidence=tuple(_shorter_quotes(verdict.evidence, characters)),
        parts=tuple(_shorter(part, max(characters // 4, LEAST)) for part in verdict.parts),
        detail=verdict.detail if len(encode(verdict.detail)) <= characters else {},
        selection=selection,
    )


def _shorter_quotes(evidence: Sequence[Evidence], characters: int) -> list[Evidence]:
    kept: list[Evidence] = []
    for one in evidence:
        short = replace(one, quote=shortened(one.quote, characters), note=shortened(one.note, characters))
        characters -= len(short.quote) + len(short.note)
        if characters < 0:
            break
        kept.append(short)
    return kept


def digest_of(values: Sequence[JsonValue]) -> str:
    """The SHA-256 of the canonical JSON of values, in hexadecimal digits."""
    return hashlib.sha256(canonical_json(list(values))).hexdigest()


def equal_room(sizes: Sequence[int], most: int) -> int:
    """The largest size to which all may be cut so that they fit: small ones leave their room to others."""
    left, count = most, len(sizes)
    for size in sorted(sizes):
        if size * count > left:
            break
        left, count = left - size, count - 1
    return left // max(count, 1)


def cut_samples(samples: Sequence[JsonValue], room: int) -> list[JsonValue]:
    """The first samples in at most `room` bytes as JSON; the one that no longer fits is cut."""
    kept: list[JsonValue] = []
    for sample in samples:
        size = len(msgspec.json.encode(sample)) + 1
        if size + len(TRUNCATED) + 3 > room:
            return [*kept, _preview(sample, room)]
        kept.append(sample)
        room -= size
    return kept


def _preview(sample: JsonValue, room: int) -> str:
    """The beginning of the sample as JSON in at most `room` bytes, with the mark that says it is cut."""
    written = json_text(sample, max(0, room))
    while written and len(msgspec.json.encode(written + TRUNCATED)) > room:
        written = written[: len(written) * 3 // 4]
    return written + TRUNCATED


def shortened(text: str, characters: int) -> str:
    """The text in at most so many characters, with the mark that says it is cut."""
    return text if len(text) <= characters else text[: characters - len(TRUNCATED)] + TRUNCATED
