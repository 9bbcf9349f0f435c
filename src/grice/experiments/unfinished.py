"""Whether an experiment is all that was to be measured."""

from __future__ import annotations

from grice.experiments.completeness import incomplete_reasons
from grice.experiments.results import ExperimentResults

__all__ = ["why_not_finished"]

_NAMED = 5


def why_not_finished(results: ExperimentResults) -> tuple[str, ...]:
    """Why the experiment is not all that was to be measured, what was begun by name; none where it is."""
    done = len(results.attempts) if results.done is None else results.done
    reasons = incomplete_reasons(results.heads[-1], results.summary, done=done, damaged=results.damaged)
    if results.unfinished:
        named = ", ".join(results.unfinished[:_NAMED])
        more = len(results.unfinished) - _NAMED
        reasons.append(f"begun and not finished: {named}{f' and {more} more' if more > 0 else ''}")
    return tuple(reasons)
