"""The baseline of a set of anchors: a JSON file with what every judge gave them when it was accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.locate import JsonPath
from grice.files.typed import FieldType, check_fields
from grice.identity import redact
from grice.judging.drift import Drift, JudgeState, Scores, Shift, Snapshot, plain
from grice.judging.judge import MAX_SAMPLES
from grice.records import clean_json
from grice.text import value_text

__all__ = ["VERSION", "baseline_json", "drift_json", "judge_json", "read_baseline"]

VERSION = 1

_TOP: dict[str, FieldType] = {
    "version": int,
    "created": str,
    "anchors": str,
    "items": dict,
    "judges": dict,
}

_JUDGE: dict[str, FieldType] = {
    "model": str,
    "prompt": str,
    "prompt_version": int,
    "prompt_hash": str,
    "fingerprint": str,
    "graded": bool,
    "samples": int,
    "scenarios": dict,
}

_SCENARIO: dict[str, FieldType] = {"median": str, "scores": list}

_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,30})?")

_EDITED = "a baseline is not edited by hand: put back what was accepted, or remove it and make a new one"


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
    """A judge as plain data. Scores are texts, for they are decimal numbers and no binary ones."""
    return {
        "model": state.model,
        "prompt": state.prompt,
        "prompt_version": state.prompt_version,
        "prompt_hash": state.prompt_hash,
        "fingerprint": state.fingerprint,
        "graded": state.graded,
        "samples": state.samples,
        "scenarios": {name: _scores_json(scores) for name, scores in state.scenarios.items()},
    }


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
    try:
        document = load_file(path)
    except FileError as error:
        raise FileErrors([error]) from None
    errors = list(_wrong(document))
    if errors:
        raise FileErrors(errors)
    value: Any = document.value
    judges = {name: _judge(one) for name, one in value["judges"].items()}
    snapshot = Snapshot(value["items"], judges, value["created"])
    errors = [*_wrong_scores(document, judges), *_wrong_set(document, snapshot, value["anchors"])]
    if errors:
        raise FileErrors(errors)
    return snapshot


def _wrong(document: Document) -> Iterator[FileError]:
    """What is wrong with the fields, in the order in which they are read."""
    value: Any = document.value
    version = value.get("version") if isinstance(value, dict) else None
    if isinstance(version, int) and not isinstance(version, bool) and version != VERSION:
        newer = f"version {version} of baselines is newer than this Grice reads ({VERSION}): upgrade Grice"
        older = f"version: expected {VERSION}, found {version}"
        yield _error(document, ("version",), newer if version > VERSION else older)
        return
    errors = check_fields(document, (), value, required=_TOP)
    yield from errors
    if errors:
        return
    for name, one in value["items"].items():
        if not isinstance(one, str):
            found = f"items.{name}: expected the fingerprint of an anchor, found {value_text(one)}"
            yield _error(document, ("items", name), found)
    for name, judge in value["judges"].items():
        yield from _wrong_judge(document, ("judges", name), judge)


def _wrong_judge(document: Document, place: JsonPath, judge: Any) -> Iterator[FileError]:
    errors = check_fields(document, place, judge, required=_JUDGE)
    yield from errors
    if errors:
        return
    if not 1 <= judge["samples"] <= MAX_SAMPLES:
        found = f"samples: expected a number from 1 to {MAX_SAMPLES}, found {value_text(judge['samples'])}"
        yield _error(document, (*place, "samples"), found)
        return
    for name, scenario in judge["scenarios"].items():
        where: JsonPath = (*place, "scenarios", name)
        wrong = check_fields(document, where, scenario, required=_SCENARIO)
        yield from wrong
        if not wrong:
            yield from _wrong_numbers(document, where, scenario, judge["samples"])


def _wrong_numbers(
    document: Document, place: JsonPath, scenario: Mapping[str, Any], samples: int
) -> Iterator[FileError]:
    numbers: list[tuple[JsonPath, Any]] = [(("median",), scenario["median"])]
    numbers += [(("scores", number), one) for number, one in enumerate(scenario["scores"])]
    for where, one in numbers:
        if not isinstance(one, str) or not _NUMBER.fullmatch(one):
            found = f"expected a score such as '4.1', found {value_text(one)}"
            yield _error(document, (*place, *where), found)
    count = len(scenario["scores"])
    if not count or count % samples:
        found = f"scores: expected {samples} an anchor, found {count}"
        yield _error(document, (*place, "scores"), found)


def _judge(value: Mapping[str, Any]) -> JudgeState:
    fields = {name: value[name] for name in _JUDGE if name != "scenarios"}
    size = value["samples"]
    scenarios = {name: _scores(one["scores"], size) for name, one in value["scenarios"].items()}
    return JudgeState(**fields, scenarios=scenarios)


def _scores(given: list[str], size: int) -> Scores:
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
