"""Whether an experiment is all that was to be measured."""

from __future__ import annotations

from grice.experiments.aggregation.summary import Summary
from grice.experiments.results import ExperimentResults
from grice.running.journal.experiment import Experiment

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


def incomplete_reasons(head: Experiment, summary: Summary, *, done: int, damaged: int = 0) -> list[str]:
    """Why its report is not of everything, a line each; nothing where it is.

    `head` is the latest of the run, `done` how much of what it plans is finished, `damaged` how many lines of
    the journal cannot be read. A head without a plan is that of a recording that goes on, or has died: one
    that is finished says how many there were to be.
    """
    reasons: list[str] = []
    planned = head.planned
    if planned is None:
        reasons.append("its recording was never finished (grice.finish_experiment)")
    elif done < planned:
        were = "conversation was" if planned == 1 else "conversations were"
        reasons.append(f"{planned - done} of {planned} {were} not finished{_way_on(head)}")
    if damaged:
        lines = "line" if damaged == 1 else "lines"
        reasons.append(f"{damaged} {lines} of the journal cannot be read")
    if not summary.results:
        reasons.append("no conversation was finished")
    elif not summary.completion.total:
        reasons.append("no conversation counts: nothing was found out about the agent")
    return reasons


def _way_on(head: Experiment) -> str:
    """How to finish a run that was not finished; pytest, whose command begins so, runs its tests anew."""
    if head.recorded:
        return "; a recording cannot be resumed: record it again"
    if head.command[:1] == ("pytest",):
        return "; pytest cannot go on with a run: run it again"
    return f": give the same command and --resume {head.id}"
