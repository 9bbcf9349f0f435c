"""Every example on a line, with what each profile made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.profiles import Profile
from grice.records import Outcome
from grice.validation.examples import Example
from grice.validation.measuring import Measurement, Trial

__all__ = [
    "EXPECTED",
    "FIXED",
    "KNOWN",
    "MEANINGS",
    "MEASURED",
    "NOT_TRIED",
    "RIGHT",
    "WRONG",
    "Listed",
    "listed",
]

RIGHT, WRONG, FIXED, KNOWN, MEASURED, NOT_TRIED = "pass", "FAIL", "FIXED", "known", "wrong", "-"

MEANINGS = {
    WRONG: "not as expected, fails the command",
    FIXED: "right where a fault is documented, fails the command",
    KNOWN: "wrong as documented, does not fail the command",
    MEASURED: "only measured: no example says what this profile gives, does not fail the command",
    NOT_TRIED: "not tried",
}
"""What the results of a row say, but for the one that is right. Those in capitals decide the exit code."""


EXPECTED = {
    Outcome.FAIL: "alarm",
    Outcome.PASS: "no alarm",
    **{one: one.value for one in (Outcome.INCONCLUSIVE, Outcome.SKIPPED, Outcome.ERROR)},
}
"""What is right on an example, in words that nobody takes for its result."""


class Listed(msgspec.Struct, frozen=True):
    """An example, and how it was classified under each profile, in the order of `profiles`."""

    example: Example
    results: tuple[str, ...]
    found: tuple[str, ...]


def listed(measured: Sequence[Measurement], profiles: Sequence[Profile]) -> Iterator[Listed]:
    """The examples of one rule, in their order."""
    trials: dict[tuple[str, str, int], dict[Profile, Trial]] = {}
    for one in measured:
        for trial in one.trials:
            example = trial.example
            trials.setdefault((example.file, example.id, example.line), {})[one.profile] = trial
    for by_profile in trials.values():
        found = [by_profile.get(profile) for profile in profiles]
        example = next(iter(by_profile.values())).example
        outcomes = tuple("" if one is None else one.verdict.outcome.value for one in found)
        yield Listed(example, tuple(map(_result, found)), outcomes)


def _result(trial: Trial | None) -> str:
    if trial is None:
        return NOT_TRIED
    if not trial.as_documented:
        return FIXED if trial.is_right else WRONG
    if trial.is_right:
        return RIGHT
    return MEASURED if trial.documented is None else KNOWN
