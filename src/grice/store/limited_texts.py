"""Canonical JSON for columns, within the limits of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from grice.matching.assertions.results import AssertionResult, fitted, result_of
from grice.matching.details import TRUNCATED
from grice.matching.limits import Limits, limits_in_force
from grice.records import JsonValue, Outcome, Verdict
from grice.store.columns import json_text
from grice.store.errors import StoreError


def assertions_text(assertions: Sequence[JsonValue], limits: Limits | None = None) -> str:
    """Write the assertions of a case as JSON. Raises StoreError where they are too large."""
    written = json_text(list(assertions))
    most = (limits or limits_in_force()).max_assertion_json_bytes
    if (size := len(written.encode())) > most:
        digest = hashlib.sha256(written.encode()).hexdigest()
        raise StoreError(
            f"assertions: {size} bytes of JSON, more than the {most} of max_assertion_json_bytes "
            f"(SHA-256 {digest})"
        )
    return written


def details_text(verdicts: Iterable[Verdict], limits: Limits | None = None) -> str:
    """Write the details of checks as JSON, cut to the limit on details.

    What does not fit ends in "...truncated", beside the SHA-256 of the whole; checks that do not fit at all
    are one last entry, which counts them.
    """
    return details_of([_result(one) for one in verdicts], limits)


def details_of(results: Sequence[AssertionResult], limits: Limits | None = None) -> str:
    """Make the details of results of assertions, cut to the limit on details."""
    limits = limits or limits_in_force()
    most = limits.max_test_result_details_bytes
    whole = _details_json(results)
    if len(whole) <= most and len(whole.encode()) <= most:
        return whole
    room = most
    while True:
        within = msgspec.structs.replace(limits, max_test_result_details_bytes=max(room - _REST, _LEAST))
        kept, left_out = fitted(results, within)
        told = msgspec.to_builtins(kept)
        if left_out:
            digest = hashlib.sha256(whole.encode()).hexdigest()
            told.append({"message": f"{left_out} more {TRUNCATED}", "sha256": digest, "truncated": True})
        written = json_text(told)
        size = len(written.encode())
        if size <= most or room <= _LEAST:
            return written
        room -= size - most  # canonical JSON writes some numbers longer than the limit's own count


def _details_json(results: Sequence[AssertionResult]) -> str:
    """Canonical JSON; what a sorted encoder writes is that, but for what samples may hold."""
    if any(one.actual_samples for one in results):
        return json_text(msgspec.to_builtins(results))
    return msgspec.json.encode(results, order="sorted").decode()


_REST = 200
"""Bytes of the entry that counts what was left out."""
_LEAST = 1_024


def _result(verdict: Verdict) -> AssertionResult:
    """What came of a check; of one that looked at no values its reason is the message."""
    description = verdict.claim or verdict.criterion
    if verdict.selection is not None:
        return result_of(verdict, verdict.selection, description)
    outcome = verdict.outcome
    return AssertionResult(
        "",
        "",
        verdict.matcher,
        verdict.negated,
        "ANY",
        outcome is Outcome.PASS,
        outcome,
        [],
        verdict.reason,
        description,
        unresolved=verdict.unresolved,
        trivially_true=verdict.trivially_true,
    )
