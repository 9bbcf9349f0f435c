"""A comparison as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.identity import redact
from grice.judging.drift import Drift, Shift, plain
from grice.records import clean_json
from grice.validation.drifting.baseline import judge_json

__all__ = ["VERSION", "drift_json"]

VERSION = 1


def drift_json(drift: Drift) -> bytes:
    """`{"version", "complete", "dropped", "changes", "scenarios", "judges", "problems"}`.

    Medians and changes are texts, for they are decimal numbers. `judges` is the state of each judge now.
    Secrets are replaced.
    """
    whole = {
        "version": VERSION,
        "complete": not drift.problems,
        "dropped": len(drift.drops),
        "created": drift.now.created,
        "baseline_created": drift.before.created,
        "anchors": drift.now.fingerprint,
        "changes": [msgspec.to_builtins(one) for one in drift.changes],
        "scenarios": [_shift(one) for one in drift.shifts],
        "judges": {name: judge_json(state) for name, state in drift.now.judges.items()},
        "problems": list(drift.problems),
    }
    return msgspec.json.format(msgspec.json.encode(redact(clean_json(whole))), indent=2) + b"\n"


def _shift(one: Shift) -> dict[str, Any]:
    before, now = one.before.median, one.now.median
    return {
        "judge": one.judge,
        "scenario": one.scenario,
        "then": None if before is None else plain(before),
        "now": None if now is None else plain(now),
        "change": plain(one.delta),
        "level": one.level,
        "dropped": one.dropped,
        "missing": one.now.missing,
        "within_noise": one.within_noise,
    }
