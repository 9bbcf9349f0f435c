"""A validation as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.identity import redact
from grice.records import JsonValue, clean_json
from grice.stats.rates import Rate
from grice.text import shorten
from grice.validation.measuring import Measurement, Trial, alarm_kappa, attributions, confusion
from grice.validation.validating import Validation

VERSION = 1
_MAX_TEXT = 2_000


def validation_json(validation: Validation) -> bytes:
    """The JSON of a validation: `{"version", "complete", "as_documented", "measurements", "problems"}`.

    A rate is null where none is defined: precision without alarms, recall where nothing should fail. Secrets
    are replaced.
    """
    plain = {
        "version": VERSION,
        "complete": validation.complete,
        "as_documented": validation.as_documented,
        "measurements": [_measurement(one) for one in validation.measurements],
        "problems": list(validation.problems),
        "left_out": validation.left_out,
    }
    encoded = msgspec.json.encode(redact(clean_json(plain)))
    return msgspec.json.format(encoded, indent=2) + b"\n"


def _measurement(one: Measurement) -> dict[str, JsonValue]:
    return {
        "rule": one.rule,
        "matcher": one.matcher,
        "layer": one.layer,
        "profile": one.profile,
        "n": one.n,
        "alarms": msgspec.to_builtins(one.alarms),
        "precision": _rate(one.precision),
        "recall": _rate(one.recall),
        "accuracy": _rate(one.accuracy),
        "kappa": None if (kappa := alarm_kappa(one)) is None else msgspec.to_builtins(kappa),
        "confusion": {right.value: dict(found) for right, found in confusion(one).items()},
        "rules": [msgspec.to_builtins(part) for part in attributions(one)],
        "undecided": {outcome.value: msgspec.to_builtins(held) for outcome, held in one.undecided.items()},
        "mismatches": [_trial(trial) for trial in one.mismatches],
        "known_faults": [_trial(trial) for trial in one.faults if trial.as_documented],
    }


def _rate(rate: Rate | None) -> JsonValue:
    return None if rate is None else msgspec.to_builtins(rate)


def _trial(trial: Trial) -> dict[str, Any]:
    example = trial.example
    return {
        "id": example.id,
        "file": example.file,
        "line": example.line,
        "outcome": trial.verdict.outcome.value,
        "documented": trial.documented.value if trial.documented is not None else None,
        "right": example.right.value,
        "why": example.why,
        "reason": trial.verdict.reason,
        "evidence": msgspec.to_builtins(trial.verdict.evidence),
        "text": shorten(example.text or example.conversation.turns[-1].text, _MAX_TEXT),
        "args": dict(example.args),
    }
