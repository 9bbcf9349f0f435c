"""Whether an experiment is all that was to be measured."""

from __future__ import annotations

from collections.abc import Iterator

from grice.experiments.aggregation.summary import Summary
from grice.experiments.comparison.configuration import JudgedBy, configuration_of, judged_by
from grice.experiments.comparison.side_texts import listed
from grice.experiments.results import ExperimentResults
from grice.running.journal.experiment import Experiment

_NAMED = 5

_WAYS: tuple[tuple[str, JudgedBy, bool], ...] = (
    ("judged by {} models", lambda how: how.model, True),
    ("judged with {} prompts", lambda how: f"{how.prompt} {how.version}", True),
    ("asked in {} wordings", lambda how: how.fingerprint, False),
)
"""What judges may differ in, how that is read, and whether its values say anything to a reader."""


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


def why_mixed(results: ExperimentResults) -> str:
    """Why the figures of a run are not those of one agent judged in one way; "" where they are."""
    several = configuration_of(results).several
    resumed = [f"it was resumed after changes, and is of {', '.join(several)}"] if several else []
    return "; ".join((*resumed, *_judged_in_several_ways(results)))


def _judged_in_several_ways(results: ExperimentResults) -> Iterator[str]:
    """What was judged in one way in some attempts, and in another in others.

    Where all attempts ask the same two judges, that is how the test is meant; so are two criteria with a
    judge each. Ways that were not recorded are left out.
    """
    for words, read, shown in _WAYS:
        found = judged_by(results.counted, read)
        mixed: dict[frozenset[str], list[str]] = {}
        for subject, ways in found.items():
            known = [way for way in ways if "" not in way]
            if len(known) > 1:
                mixed.setdefault(frozenset().union(*known), []).append(subject)
        for values, subjects in mixed.items():
            told = f" ({listed(values)})" if shown else ""
            yield f"{listed(subjects)}: {words.format(len(values))}{told}"
