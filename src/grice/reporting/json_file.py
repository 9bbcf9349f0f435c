"""Results as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grice.identity import redact
from grice.matching.assertions.results import assertion_results
from grice.matching.details import within_limits
from grice.matching.limits import limits_in_force
from grice.records import Result, encode_results
from grice.user_files import replacing


def write_json(path: Path, results: Sequence[Result], *, complete: bool = True) -> None:
    """Write the results with their format version, secrets redacted; the file appears whole or not at all.

    `complete` says whether everything that was asked for was run. What the verdicts of a result take is
    within the limit on details. Those that judged values at a path are its `assertions`, too, as
    `AssertionResult` has them.
    """
    limits = limits_in_force()
    kept = tuple(within_limits(one, limits) for one in results)
    plain = msgspec.json.decode(encode_results(kept))
    for one, result in zip(plain["results"], kept, strict=True):
        asserted, left_out = assertion_results(result.verdicts)
        if asserted:
            one["assertions"] = msgspec.to_builtins(asserted)
        if left_out:
            one["assertions_left_out"] = left_out
    clean = [redact(one) for one in plain["results"]]  # each by itself, as in a journal
    whole = {"version": plain["version"], "complete": complete, "results": clean}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")
