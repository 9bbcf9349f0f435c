"""Whether an experiment is all that was to be measured."""

from __future__ import annotations

from grice.experiments.results import ExperimentResults

__all__ = ["why_not_finished"]


def why_not_finished(results: ExperimentResults) -> tuple[str, ...]:
    """Why the experiment is not all that was to be measured, none where it is."""
    reasons: list[str] = []
    done = len(results.attempts) if results.done is None else results.done
    planned = results.planned
    if planned is not None and done < planned:
        reasons.append(f"{planned - done} of {planned} conversations were not finished")
    if results.unfinished:
        named = ", ".join(results.unfinished[:_NAMED])
        more = len(results.unfinished) - _NAMED
        reasons.append(f"begun and not finished: {named}{f' and {more} more' if more > 0 else ''}")
    if results.damaged:
        lines = "line" if results.damaged == 1 else "lines"
        reasons.append(f"{results.damaged} {lines} of the journal cannot be read")
    if not results.attempts:
        reasons.append("no conversation was finished")
    return tuple(reasons)


_NAMED = 5
