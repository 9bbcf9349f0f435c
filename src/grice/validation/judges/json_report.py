"""Measurements of judges as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.identity import redact
from grice.records import clean_json
from grice.validation.judges.decisions import Decision
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import CriteriaMeasured, CriterionMeasured, Trial

VERSION = 1


def criteria_json(found: CriteriaMeasured) -> bytes:
    """`{"version", "complete", "all_right", "criteria", "without_examples", "problems"}`.

    A rate and a kappa are null where they are undefined. Secrets are replaced.
    """
    return _encoded(
        {
            "version": VERSION,
            "complete": found.complete,
            "all_right": found.all_right,
            "criteria": [_criterion(one) for one in found.measured],
            "without_examples": list(found.without),
            "problems": list(found.problems),
        }
    )


def judge_json(one: JudgeMeasured) -> bytes:
    """`{"version", "judge", "held_out", "dev", "people", "biases", "cost", "notes", "decisions"}`.

    Figures that are undefined are null. Secrets are replaced.
    """
    people = one.people
    return _encoded(
        {
            "version": VERSION,
            "judge": msgspec.to_builtins(one.identity),
            "split": str(one.split),
            "samples": one.samples,
            "held_out": msgspec.to_builtins(one.held),
            "dev": msgspec.to_builtins(one.dev),
            "people": {
                "kind": people.kind,
                "raters": msgspec.to_builtins(people.raters),
                "overlapping": people.overlapping,
                "alpha": msgspec.to_builtins(people.alpha),
                "tied": list(people.tied),
                "unsure": list(people.unsure),
            },
            "biases": msgspec.to_builtins(one.biases),
            "cost": one.cost,
            "asked": one.asked,
            "sources": list(one.sources),
            "notes": list(one.notes),
            "decisions": [_decision(each) for each in one.decisions],
        }
    )


def _encoded(plain: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(redact(clean_json(plain))), indent=2) + b"\n"


def _criterion(one: CriterionMeasured) -> dict[str, Any]:
    return {
        "criterion": one.criterion.name,
        "judge": msgspec.to_builtins(one.identity),
        "samples": one.samples,
        "n": one.n,
        "right": sum(trial.right for trial in one.trials),
        "alarms": msgspec.to_builtins(one.alarms),
        "precision": msgspec.to_builtins(one.alarms.precision),
        "recall": msgspec.to_builtins(one.alarms.recall),
        "kappa": msgspec.to_builtins(one.kappa),
        "notes": [note for note in (one.kappa_note, *one.problems) if note],
        "examples": [_trial(trial) for trial in one.trials],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "number": trial.number,
        "kind": trial.example.kind,
        "text": trial.example.text,
        "verdict": trial.example.verdict,
        "why": trial.example.explanation,
        "right": trial.right,
        "outcome": trial.outcome.value,
        "reason": trial.reason,
        "samples": [one.outcome.value for one in trial.verdicts],
        "examples_shown": trial.shown,
    }


def _decision(one: Decision) -> dict[str, Any]:
    return {
        "item": one.item,
        "cluster": one.cluster,
        "half": "dev" if one.dev else "held_out",
        "people": one.gold.value,
        "labels": [{"rater": label.rater, "label": label.value} for label in one.gold.labels],
        "value": one.value,
        "score": one.score,
        "votes": list(one.votes),
        "agrees": one.agrees,
        "reason": one.reason or one.why,
    }
