"""The result of one assertion, and making all results of a case fit their limit."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.matching.assertions.assertion import Assertion
from grice.matching.json_text import json_text
from grice.matching.limits import Limits
from grice.matching.selected import TRUNCATED, digest_of
from grice.matching.selector import PathMatch
from grice.records import JsonValue, Outcome, Selection, Verdict, clean_text

__all__ = ["AssertionResult", "fitted", "result_of"]

_NAMES = {
    "assertion_id": "assertionId",
    "negated": "not",
    "path_match": "pathMatch",
    "actual_samples": "actualSamples",
    "value_count": "valueCount",
    "trivially_true": "triviallyTrue",
}


class AssertionResult(msgspec.Struct, frozen=True, rename=_NAMES):
    """What came out of one assertion; as JSON its fields have the names of seed 002.

    `actual_samples` are the first of the `value_count` values at the path; MISSING is written
    `{"$undefined": true}`. What does not fit ends in "...truncated", and `sha256` is then the digest of the
    canonical JSON of all the values. `unresolved` marks a result that rests on a path that resolved nothing,
    `trivially_true` one that passes whatever was said.
    """

    assertion_id: str
    path: str
    matcher: str
    negated: bool
    path_match: PathMatch
    passed: bool
    outcome: Outcome
    actual_samples: list[JsonValue]
    message: str = ""
    description: str = ""
    value_count: int = 0
    unresolved: bool = False
    truncated: bool = False
    sha256: str | None = None
    trivially_true: bool = False


def result_of(assertion: Assertion, told: Verdict | str) -> AssertionResult:
    """The result that a verdict is, or why there is none: an error."""
    verdict = Verdict(Outcome.ERROR) if isinstance(told, str) else told
    selection = verdict.selection or _NOTHING
    return AssertionResult(
        clean_text(assertion.id),
        clean_text(assertion.path),
        clean_text(assertion.matcher),
        assertion.negated,
        assertion.path_match,
        verdict.outcome is Outcome.PASS,
        verdict.outcome,
        selection.samples,
        clean_text(told if isinstance(told, str) else selection.message),
        clean_text(assertion.description),
        selection.value_count,
        verdict.unresolved,
        selection.truncated,
        selection.sha256,
        verdict.trivially_true,
    )


_NOTHING = Selection("$")


def fitted(results: Sequence[AssertionResult], limits: Limits) -> tuple[list[AssertionResult], int]:
    """The results within the limit on details as JSON, and how many of them had to be left out.

    When they are too large, every result gets the same room: samples are cut first, then what is left of
    room is the message's, the path's and the description's. Only when not even ids and outcomes fit are
    results left out, the last ones first.
    """
    most = limits.max_test_result_details_bytes
    if len(msgspec.json.encode(results)) <= most:
        return list(results), 0
    sizes = [_size(result) for result in results]
    room = _room(sizes, most - 2)
    kept = [one if size <= room else _cut(one, room - 1) for one, size in zip(results, sizes, strict=True)]
    while kept and sum(map(_size, kept)) + 2 > most:
        kept.pop()
    return kept, len(results) - len(kept)


def _size(result: AssertionResult) -> int:
    """Bytes of the result as JSON, with the comma behind it."""
    return len(msgspec.json.encode(result)) + 1


def _room(sizes: Sequence[int], most: int) -> int:
    """The largest size to which all may be cut so that they fit: small ones leave their room to others."""
    left, count = most, len(sizes)
    for size in sorted(sizes):
        if size * count > left:
            break
        left, count = left - size, count - 1
    return left // max(count, 1)


def _cut(result: AssertionResult, room: int) -> AssertionResult:
    """The result in at most `room` bytes, as far as that is possible."""
    digest = result.sha256 or digest_of(result.actual_samples)
    bare = msgspec.structs.replace(result, actual_samples=[], truncated=True, sha256=digest)
    left = room - _size(bare)
    if left < len(TRUNCATED) + 2:
        short = [_shortened(text, 40) for text in (bare.message, bare.path, bare.description)]
        message, path, description = short
        bare = msgspec.structs.replace(bare, message=message, path=path, description=description)
        left = room - _size(bare)
    samples: list[JsonValue] = []
    for sample in result.actual_samples:
        size = len(msgspec.json.encode(sample)) + 1
        if size + len(TRUNCATED) + 3 > left:
            samples.append(_preview(sample, left))
            break
        samples.append(sample)
        left -= size
    return msgspec.structs.replace(bare, actual_samples=samples)


def _preview(sample: JsonValue, room: int) -> str:
    """The beginning of the sample as JSON in at most `room` bytes, with the mark that says it is cut."""
    written = json_text(sample, max(0, room))
    while written and len(msgspec.json.encode(written + TRUNCATED)) > room:
        written = written[: len(written) * 3 // 4]
    return written + TRUNCATED


def _shortened(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - len(TRUNCATED)] + TRUNCATED
