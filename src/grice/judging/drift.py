"""Drift of judges: their scores of a frozen set of anchors then, and now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Context, Decimal
from typing import Literal

import msgspec

from grice.identity import fingerprint
from grice.text import shorten, visible

Level = Literal["steady", "info", "warning", "critical"]
"""How far a median moved, either way: less than 0.3, at least 0.3, 0.5, 1.0."""

DROP = Decimal("0.5")
"""A median that falls by this much, or more, is an alarm."""

_LEVELS: tuple[tuple[Decimal, Level], ...] = (
    (Decimal("1.0"), "critical"),
    (Decimal("0.5"), "warning"),
    (Decimal("0.3"), "info"),
)
_EXACT = Context(prec=60)  # scores are floats written out, of at most 17 digits: nothing is ever rounded
_NAMED = 20
_MAX_NAME = 80


class Scores(msgspec.Struct, frozen=True):
    """The scores that a judge gave the anchors of one scenario: for each anchor its samples, in order.

    A sample is a score from 1 to 5, or 1 for yes and 0 for no; None is an answer that is missing, and
    `failures` say why.
    """

    samples: tuple[tuple[Decimal | None, ...], ...]
    failures: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[Decimal, ...]:
        """All scores that were given."""
        return tuple(score for anchor in self.samples for score in anchor if score is not None)

    @property
    def missing(self) -> int:
        """The number of missing answers."""
        return sum(score is None for anchor in self.samples for score in anchor)

    @property
    def silent(self) -> bool:
        """Whether an anchor has no answer at all, or there is no anchor."""
        return not self.samples or any(all(one is None for one in anchor) for anchor in self.samples)

    @property
    def median(self) -> Decimal | None:
        """The true median of the scores that were given: of an even number the mean of the middle two."""
        return _median(self.given) if self.given else None

    @property
    def noise(self) -> tuple[Decimal, Decimal] | None:
        """The lowest and the highest median that one sample of each anchor could have given.

        None where an anchor has one answer only, which says nothing of how answers vary.
        """
        given = [[one for one in anchor if one is not None] for anchor in self.samples]
        if not given or any(len(anchor) < 2 for anchor in given):
            return None
        return _median([min(anchor) for anchor in given]), _median([max(anchor) for anchor in given])

    def reach(self, scale: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
        """The lowest and the highest possible median, whatever the missing answers would be."""
        low, high = (
            [end if score is None else score for anchor in self.samples for score in anchor] for end in scale
        )
        return _median(low), _median(high)


class JudgeState(msgspec.Struct, frozen=True):
    """A judge, and its scores for each scenario. `graded` judges give scores from 1 to 5, others yes or no.

    `model` is the one that answered, `prompt_hash` the SHA-256 of the prompt, `fingerprint` that of the
    criterion, "" without one. `samples` is how often each anchor was judged.
    """

    model: str = ""
    prompt: str = ""
    prompt_version: int = 0
    prompt_hash: str = ""
    fingerprint: str = ""
    graded: bool = True
    samples: int = 1
    scenarios: Mapping[str, Scores] = {}

    @property
    def scale(self) -> tuple[Decimal, Decimal]:
        """The lowest and the highest score."""
        return (Decimal(1), Decimal(5)) if self.graded else (Decimal(0), Decimal(1))


class Snapshot(msgspec.Struct, frozen=True):
    """The scores of judges on a set of anchors at one time. `anchors` are fingerprints of the anchors by id.

    `created` is the time in ISO 8601, "" for none.
    """

    anchors: Mapping[str, str]
    judges: Mapping[str, JudgeState]
    created: str = ""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the whole set, independent of its order."""
        return fingerprint(dict(self.anchors))


class Change(msgspec.Struct, frozen=True):
    """A change in the set-up of a judge, such as its model or prompt."""

    judge: str
    what: Literal["model", "prompt", "criterion", "samples"]
    before: str
    now: str


class Shift(msgspec.Struct, frozen=True):
    """One judge on one scenario, then and now. `scale` is the lowest and the highest score."""

    judge: str
    scenario: str
    before: Scores
    now: Scores
    scale: tuple[Decimal, Decimal]

    @property
    def delta(self) -> Decimal:
        """The median now minus the median then, exactly."""
        return _EXACT.subtract(_known_median(self.now.median), _known_median(self.before.median))

    @property
    def level(self) -> Level:
        """The size of the shift in words."""
        return level_of(self.delta)

    @property
    def dropped(self) -> bool:
        """Whether it fell by 0.5 or more."""
        return self.delta <= -DROP

    @property
    def certain(self) -> bool:
        """Whether the missing answers cannot change whether it dropped."""
        low, high = (
            _EXACT.subtract(end, _known_median(self.before.median)) for end in self.now.reach(self.scale)
        )
        return (low <= -DROP) == (high <= -DROP)

    @property
    def within_noise(self) -> bool | None:
        """Whether the median now lies between those of single samples then; None with one sample."""
        if self.before.noise is None:
            return None
        low, high = self.before.noise
        return low <= _known_median(self.now.median) <= high


class Drift(msgspec.Struct, frozen=True):
    """The result of a comparison. `problems` say why some or all scenarios could not be compared."""

    before: Snapshot
    now: Snapshot
    shifts: tuple[Shift, ...] = ()
    changes: tuple[Change, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def drops(self) -> tuple[Shift, ...]:
        """The alarms, the deepest first."""
        return tuple(sorted((one for one in self.shifts if one.dropped), key=lambda one: one.delta))


def exact(score: object) -> Decimal | None:
    """The score as the decimal number that its digits say; None for what is no finite number."""
    if isinstance(score, bool) or not isinstance(score, int | float):
        return None
    number = Decimal(repr(score))
    return number if number.is_finite() else None


def plain(number: Decimal) -> str:
    """The number in digits, without zeros at its end: 4.1, 4, 0.5."""
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def level_of(delta: Decimal) -> Level:
    """The size of a shift in words, up or down."""
    size = delta.copy_abs()  # abs() rounds to the precision that a program may have set
    for least, level in _LEVELS:
        if size >= least:
            return level
    return "steady"


def compare(before: Snapshot, now: Snapshot) -> Drift:
    """Compare two snapshots. Nothing is compared where they are not of the same anchors."""
    problems = obstacles(before, now)
    changes = tuple(_changes(before, now))
    if problems:
        return Drift(before, now, (), changes, tuple(problems))
    shifts: list[Shift] = []
    for judge, state in now.judges.items():
        for scenario, scores in state.scenarios.items():
            problems += _unanswered(judge, scenario, scores)
            if not scores.silent:
                then = before.judges[judge].scenarios[scenario]
                shifts.append(Shift(judge, scenario, then, scores, state.scale))
    problems += [_uncertain(one) for one in shifts if not one.certain]
    return Drift(before, now, tuple(shifts), changes, tuple(problems))


def obstacles(before: Snapshot, now: Snapshot) -> list[str]:
    """Say why two snapshots cannot be compared, scores aside: it is known before anyone is asked."""
    if not any(state.scenarios for state in before.judges.values()):
        return ["the baseline is empty: it holds no scores of any scenario"]
    if not any(state.scenarios for state in now.judges.values()):
        return ["there is no anchor to judge"]
    problems = _refrozen(before.anchors, now.anchors)
    for judge in [*now.judges, *(one for one in before.judges if one not in now.judges)]:
        problems += _unlike(judge, before.judges.get(judge), now.judges.get(judge))
    return problems


def _unlike(judge: str, before: JudgeState | None, now: JudgeState | None) -> list[str]:
    """Why a judge cannot be compared with itself."""
    if before is None:
        return [f"the baseline has nothing of the judge {_quoted_name(judge)}"]
    if now is None:
        return [f"the baseline has the judge {_quoted_name(judge)}, and this run has no anchor of it"]
    if before.graded != now.graded:
        was, is_now = (("scores from 1 to 5" if one.graded else "yes or no") for one in (before, now))
        return [f"the judge {_quoted_name(judge)} gave {was} in the baseline and gives {is_now} now"]
    absent = [one for one in before.scenarios if one not in now.scenarios]
    new = [one for one in now.scenarios if one not in before.scenarios]
    said = (
        [f"{_quoted_name(judge)}: this run has no anchor of {_name_list('scenario', absent)}"]
        if absent
        else []
    )
    return (
        [*said, f"{_quoted_name(judge)}: the baseline has nothing of {_name_list('scenario', new)}"]
        if new
        else said
    )


def _refrozen(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What was done to a set of anchors that is to stay as it is."""
    done = {
        "added": [one for one in now if one not in before],
        "removed": [one for one in before if one not in now],
        "changed": [one for one in now if one in before and now[one] != before[one]],
    }
    told = "; ".join(f"{word}: {_names(ids)}" for word, ids in done.items() if ids)
    return [f"the anchors are not those of the baseline ({told})"] if told else []


def _unanswered(judge: str, scenario: str, scores: Scores) -> Iterator[str]:
    if scores.silent:
        why = f": {scores.failures[0]}" if scores.failures else ""
        yield f"the judge {_quoted_name(judge)} gave no answer for the scenario {_quoted_name(scenario)}{why}"


def _uncertain(shift: Shift) -> str:
    missing, of = shift.now.missing, shift.now.missing + len(shift.now.given)
    why = f": {shift.now.failures[0]}" if shift.now.failures else ""
    return (
        f"{_quoted_name(shift.judge)}, {_quoted_name(shift.scenario)}: {missing} of {of} answers are missing "
        f"and could decide whether it dropped{why}"
    )


def _changes(before: Snapshot, now: Snapshot) -> Iterator[Change]:
    """What is not as it was about the judges that both have."""
    for judge, state in now.judges.items():
        then = before.judges.get(judge)
        if then is None:
            continue
        answered = any(scores.given for scores in state.scenarios.values())
        if then.model != state.model and answered:  # without an answer nobody knows who would have answered
            yield Change(judge, "model", then.model or "unnamed", state.model or "unnamed")
        if then.prompt_hash != state.prompt_hash or then.prompt != state.prompt:
            yield Change(judge, "prompt", prompt_text(then), prompt_text(state))
        if then.fingerprint != state.fingerprint:
            yield Change(judge, "criterion", short_hash(then.fingerprint), short_hash(state.fingerprint))
        if then.samples != state.samples:
            yield Change(judge, "samples", str(then.samples), str(state.samples))


def prompt_text(state: JudgeState) -> str:
    """The prompt in words: its name, version and the beginning of its hash."""
    return f"{state.prompt} version {state.prompt_version}, {short_hash(state.prompt_hash)}"


def short_hash(digest: str) -> str:
    """The beginning of a hash, enough to tell it from others; `none` without one."""
    return digest.removeprefix("sha256:")[:12] or "none"


def _median(scores: Sequence[Decimal]) -> Decimal:
    ordered = sorted(scores)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return _EXACT.divide(_EXACT.add(ordered[half - 1], ordered[half]), Decimal(2))


def _known_median(median: Decimal | None) -> Decimal:
    if median is None:
        raise ValueError("a scenario without any score cannot be compared")
    return median


def _name_list(noun: str, names: Sequence[str]) -> str:
    return f"the {noun}{'' if len(names) == 1 else 's'} {_names(names)}"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(_quoted_name, names[:_NAMED])) + more


def _quoted_name(name: str) -> str:
    return shorten(visible(name, newlines=False), _MAX_NAME)
