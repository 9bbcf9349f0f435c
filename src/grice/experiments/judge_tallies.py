"""What judges gave for each criterion in a result, with what is known of their errors."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from grice.experiments.check_rows import checks_in
from grice.experiments.ranges import Count
from grice.matching.judged_by import heard
from grice.records import Outcome, Standing, Verdict


class JudgeTally(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Of `n` answers of judges for the criterion `passed` passed, before a negation.

    `standing` is that of the judge where its calibration card counts, None for all others.
    """

    criterion: str
    passed: Count
    n: Count
    standing: Standing | None = None


def judge_tallies(verdicts: Iterable[Verdict]) -> tuple[JudgeTally, ...]:
    """A tally for each criterion and standing; checks without an answer of a judge are in none."""
    found: dict[tuple[str, Standing | None], list[int]] = {}
    for verdict in (part for whole in verdicts for _, part in checks_in(whole)):
        judgement = verdict.judgement
        if judgement is None or not verdict.criterion:
            continue
        if verdict.outcome in (Outcome.PASS, Outcome.FAIL) and heard(judgement):
            sums = found.setdefault((verdict.criterion, _known(judgement.standing)), [0, 0])
            sums[0] += (verdict.outcome is Outcome.PASS) is not verdict.negated
            sums[1] += 1
    return tuple(JudgeTally(name, passed, n, of) for (name, of), (passed, n) in found.items())


def _known(standing: Standing | None) -> Standing | None:
    if standing is None or not standing.card or standing.problem:
        return None
    return _shared(standing)


@lru_cache(maxsize=256)
def _shared(standing: Standing) -> Standing:
    """The one object for all that are equal: thousands of attempts have the same judges."""
    return standing
