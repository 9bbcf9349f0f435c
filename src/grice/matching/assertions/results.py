"""The result of one assertion, and making all results of a case fit their limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from grice.matching.details import TRUNCATED, cut_samples, digest_of, equal_room, shortened
from grice.matching.limits import Limits, limits_in_force
from grice.records import JsonValue, Outcome, PathMatch, Selection, Verdict, clean_text

_NAMES = {
    "assertion_id": "assertionId",
    "negated": "not",
    "path_match": "pathMatch",
    "actual_samples": "actualSamples",
    "value_count": "valueCount",
    "trivially_true": "triviallyTrue",
}


class AssertionResult(msgspec.Struct, frozen=True, rename=_NAMES):
    """What came out of one assertion; as JSON its fields are in camelCase.

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


def result_of(verdict: Verdict, selection: Selection, description: str = "") -> AssertionResult:
    """A verdict on values at a path as the result of an assertion."""
    return AssertionResult(
        clean_text(selection.id),
        clean_text(selection.path),
        clean_text(verdict.matcher),
        verdict.negated,
        selection.path_match,
        verdict.outcome is Outcome.PASS,
        verdict.outcome,
        selection.samples,
        clean_text(selection.message),
        clean_text(description),
        selection.value_count,
        verdict.unresolved,
        selection.truncated,
        selection.sha256,
        verdict.trivially_true,
    )


def assertion_results(verdicts: Iterable[Verdict]) -> tuple[list[AssertionResult], int]:
    """Give those of the verdicts that judged values at a path as results of assertions.

    They are within the limit on details; the number is how many did not fit, the last ones.
    """
    results = [result_of(one, one.selection) for one in verdicts if one.selection is not None]
    return fitted(results, limits_in_force())


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
    room = equal_room(sizes, most - 2)
    kept = [one if size <= room else _cut(one, room - 1) for one, size in zip(results, sizes, strict=True)]
    while kept and sum(map(_size, kept)) + 2 > most:
        kept.pop()
    return kept, len(results) - len(kept)


def _size(result: AssertionResult) -> int:
    """Bytes of the result as JSON, with the comma behind it."""
    return len(msgspec.json.encode(result)) + 1


def _cut(result: AssertionResult, room: int) -> AssertionResult:
    """The result in at most `room` bytes, as far as that is possible."""
    digest = result.sha256 or digest_of(result.actual_samples)
    bare = msgspec.structs.replace(result, actual_samples=[], truncated=True, sha256=digest)
    left = room - _size(bare)
    if left < len(TRUNCATED) + 2:
        short = [shortened(text, 40) for text in (bare.message, bare.path, bare.description)]
        message, path, description = short
        bare = msgspec.structs.replace(bare, message=message, path=path, description=description)
        left = room - _size(bare)
    return msgspec.structs.replace(bare, actual_samples=cut_samples(result.actual_samples, left))
