"""The baseline of a set of anchors: a JSON file with the scores of every judge when it was accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import msgspec

from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.locate import JsonPath
from grice.files.typed import read
from grice.identity import redact
from grice.judging.drift import Drift, JudgeState, Scores, Shift, Snapshot, plain
from grice.judging.judge import MAX_SAMPLES
from grice.records import clean_json
from grice.text import value_text
from grice.typed import Closed, Problem, says

VERSION = 1

_EDITED = "a baseline is not edited by hand: put back what was accepted, or remove it and make a new one"

_Score = Annotated[str, says("a score such as '4.1'", pattern=r"^[0-9]{1,9}(\.[0-9]{1,30})?$")]


class _Scenario(Closed, frozen=True):
    median: _Score
    scores: tuple[_Score, ...]


class _Judge(Closed, frozen=True):
    model: str
    prompt: str
    prompt_version: int
    prompt_hash: str
    fingerprint: str
    graded: bool
    samples: Annotated[int, says(f"a number from 1 to {MAX_SAMPLES}", ge=1, le=MAX_SAMPLES)]
    scenarios: dict[str, _Scenario]

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """Every anchor has a score for each sample."""
        for name, scenario in fields["scenarios"].items():
            count = len(scenario["scores"])
            if not count or count % fields["samples"]:
                found = f"expected {fields['samples']} an anchor, found {count}"
                yield Problem(("scenarios", name, "scores"), found)


class _Baseline(Closed, frozen=True):
    version: int
    created: str
    anchors: str
    items: dict[str, Annotated[str, says("the fingerprint of an anchor")]]
    judges: dict[str, _Judge]


def baseline_json(snapshot: Snapshot) -> bytes:
    """The content of a baseline file."""
    whole = {
        "version": VERSION,
        "created": snapshot.created,
        "anchors": snapshot.fingerprint,
        "items": dict(snapshot.anchors),
        "judges": {name: judge_json(state) for name, state in snapshot.judges.items()},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def judge_json(state: JudgeState) -> dict[str, Any]:
    """A judge as plain data. Scores are texts, as they are decimal numbers."""
    plain = {name: getattr(state, name) for name in _Judge.__struct_fields__}
    return {**plain, "scenarios": {name: _scores_json(one) for name, one in state.scenarios.items()}}


def _scores_json(scores: Scores) -> dict[str, Any]:
    median = scores.median
    return {
        "median": None if median is None else plain(median),
        "scores": [None if score is None else plain(score) for anchor in scores.samples for score in anchor],
    }


def read_baseline(path: Path) -> Snapshot:
    """The baseline in the file. Raises FileErrors with everything that is wrong with it.

    A newer version is refused by name, as are scores that are no decimal numbers or lie off their scale, and
    medians that are not those of their scores.
    """
    document = load_file(path, errors=FileErrors)
    if problem := _other_version(document.value):
        raise FileErrors([_error(document, ("version",), problem)])
    found = read(document, _Baseline, document.value)
    if isinstance(found, list):
        raise FileErrors(found)
    judges = {name: _state(one) for name, one in found.judges.items()}
    snapshot = Snapshot(found.items, judges, found.created)
    errors = [*_wrong_scores(document, judges), *_wrong_set(document, snapshot, found.anchors)]
    if errors:
        raise FileErrors(errors)
    return snapshot


def _other_version(value: Any) -> str:
    version = value.get("version") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version == VERSION:
        return ""
    if version > VERSION:
        return f"version {version} of baselines is newer than this Grice reads ({VERSION}): upgrade Grice"
    return f"version: expected {VERSION}, found {version}"


def _state(judge: _Judge) -> JudgeState:
    plain = {name: getattr(judge, name) for name in _Judge.__struct_fields__}
    scenarios = {name: _scores(one.scores, judge.samples) for name, one in judge.scenarios.items()}
    return JudgeState(**{**plain, "scenarios": scenarios})


def _scores(given: Sequence[str], size: int) -> Scores:
    numbers = [Decimal(one) for one in given]
    return Scores(tuple(tuple(numbers[start : start + size]) for start in range(0, len(numbers), size)))


def _wrong_scores(document: Document, judges: Mapping[str, JudgeState]) -> Iterator[FileError]:
    """What is wrong with scores that are numbers: where they lie, and what they come to."""
    value: Any = document.value
    for name, state in judges.items():
        low, high = state.scale
        for scenario, scores in state.scenarios.items():
            place: JsonPath = ("judges", name, "scenarios", scenario)
            for number, one in enumerate(scores.given):
                if not low <= one <= high:
                    found = f"expected a score from {low} to {high}, found {plain(one)}"
                    yield _error(document, (*place, "scores", number), found)
            stated = value["judges"][name]["scenarios"][scenario]["median"]
            if scores.median != Decimal(stated):
                right = plain(scores.median) if scores.median is not None else "none"
                found = f"median: {stated} is not the median of the scores, which is {right}; {_EDITED}"
                yield _error(document, (*place, "median"), found)


def _wrong_set(document: Document, snapshot: Snapshot, stated: str) -> Iterator[FileError]:
    if snapshot.fingerprint != stated:
        found = f"anchors: {value_text(stated)} is not the fingerprint of the items below; {_EDITED}"
        yield _error(document, ("anchors",), found)


def _error(document: Document, place: JsonPath, message: str) -> FileError:
    return FileError(document.path, *document.position(place), message)


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
