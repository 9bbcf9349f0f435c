"""A comparison as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.experiments.comparison.records import Comparison, Measure, ScenarioChange, Side
from grice.records.codec import encode
from grice.reporting.comparison.answer import answer
from grice.reporting.identity_text import head_json

COMPARISON_VERSION = 1
_KIND = "grice.comparison"


def comparison_json(comparison: Comparison) -> bytes:
    """The comparison as indented UTF-8 JSON.

    Rates, and differences of rates, are from 0 to 1, not rounded; what is not known is null. Differences are
    the current experiment's less the baseline's.
    """
    report = {
        "version": COMPARISON_VERSION,
        "kind": _KIND,
        "conclusion": comparison.conclusion,
        "answer": answer(comparison),
        "scripted": comparison.scripted,
        "newly_failing": [_flip(one, one.after) for one in comparison.newly_failing],
        "newly_passing": [_flip(one, one.before) for one in comparison.newly_passing],
        "comparability": msgspec.to_builtins(comparison.comparability),
        "baseline": _side(comparison.baseline),
        "current": _side(comparison.current),
        "scenarios": {
            "shared": comparison.shared,
            "added": list(comparison.added),
            "added_failing": list(comparison.added_failing),
            "removed": list(comparison.removed),
            "edited": list(comparison.edited),
            "uncounted": list(comparison.uncounted),
        },
        "criteria": {
            "added": list(comparison.criteria_added),
            "removed": list(comparison.criteria_removed),
            "changed": list(comparison.criteria_changed),
        },
        "soft_left_out": comparison.soft_left_out,
        "measures": [_measure(one) for one in comparison.measures],
        "changes": [_change(one) for one in comparison.changes],
        "runs": {
            "baseline": msgspec.to_builtins(comparison.baseline_runs),
            "current": msgspec.to_builtins(comparison.current_runs),
        },
        "advice": list(comparison.advice),
        "notes": list(comparison.notes),
    }
    return msgspec.json.format(encode(report), indent=2) + b"\n"


def _side(side: Side) -> dict[str, Any]:
    """The head of the experiment, and what is compared of it."""
    return {
        "experiment": head_json(side.experiment),
        "scenarios": side.scenarios,
        "attempts": side.attempts,
        "source": side.source or None,
        "missing": {"attempts": side.missing_attempts, "checks": side.missing_checks},
    }


def _measure(measure: Measure) -> dict[str, Any]:
    """The measure; its counts by name, the note null where there is none."""
    return {
        **msgspec.to_builtins(measure),
        "unit": measure.unit or None,
        "baseline_count": _count(measure.baseline_count),
        "current_count": _count(measure.current_count),
        "arrow": measure.arrow or None,
        "note": measure.note or None,
    }


def _count(count: tuple[int, int] | None) -> dict[str, int] | None:
    return None if count is None else {"passed": count[0], "evaluated": count[1]}


def _flip(change: ScenarioChange, why: str) -> dict[str, Any]:
    return {"id": change.id, "key": change.key, "reason": why or None}


def _change(change: ScenarioChange) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(change),
        "before": change.before or None,
        "after": change.after or None,
    }
