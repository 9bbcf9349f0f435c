"""The report of a run: what newly fails, what did not pass, then what all results come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from grice.experiments.aggregation.summary import UNCHECKED, Summary, was_resumed
from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.unfinished import incomplete_reasons
from grice.records import Outcome, Result
from grice.reporting.changed_outcomes import names_text, newly_text
from grice.reporting.document import (
    Align,
    Answer,
    Conversations,
    Document,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    Words,
    lines,
)
from grice.reporting.documents.run_sections import named, run_sections
from grice.reporting.figures_text import percent
from grice.reporting.identity_text import git_text, mixed_text, moment_text
from grice.reporting.next_steps import NO_EARLIER, Earlier, comparing_lines, earlier_run, how_to_show
from grice.reporting.text import broken_check_lines, reason_text
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import RunIndex
from grice.text import plural, shorten

_SHOWN = 20
_EXCERPTS = 5
_LONGEST_NAME = 120
_LONGEST_REASON = 200


class _NotPassed(NamedTuple):
    """An attempt that counts and did not pass."""

    id: str
    key: str
    how: str
    why: str


@dataclass
class RunResults:
    """What one pass over the results of a run leaves: their sums, and those that a report shows.

    `newly` are of those the first that passed in the `earlier` run, `others` the first of the rest, one of
    each id; `calm` counts what passed or was skipped, of which a report shows nothing, and `not_calm` has the
    ids of the rest.
    """

    earlier: Earlier = NO_EARLIER
    summary: Summary = field(default_factory=Summary)
    not_passed: list[_NotPassed] = field(default_factory=list)
    newly: dict[str, Result] = field(default_factory=dict)
    others: dict[str, Result] = field(default_factory=dict)
    calm: int = 0
    not_calm: set[str] = field(default_factory=set)

    def add(self, attempt: Attempt, result: Result | None = None) -> None:
        """Count one more, the result kept where it is among the first that a report shows."""
        self.summary.add(attempt)
        if attempt.outcome is Outcome.SKIPPED or (attempt.passed and attempt.counts):
            self.calm += 1
            return
        self.not_calm.add(attempt.id)
        if attempt.counted:
            self.not_passed.append(_NotPassed(attempt.id, attempt.key, _how(attempt), _why(attempt)))
        kept = self.newly if attempt.counted and self.earlier.passed(attempt.id) else self.others
        if result is not None and len(kept) < _SHOWN:
            kept.setdefault(result.id, result)

    @property
    def failing(self) -> list[str]:
        """The ids of what passed in every attempt of the earlier run, and in none of this one."""
        of = self.summary.attempts.of
        return [id_ for id_, one in of.items() if not one.passed and self.earlier.passed(id_)]

    @property
    def passing(self) -> list[str]:
        """The other way round."""
        of = self.summary.attempts.of
        return [id_ for id_, one in of.items() if one.passed == one.total and self.earlier.failed(id_)]

    @property
    def added(self) -> list[str]:
        """The ids of what passed in no attempt of this run, and was not in the earlier one."""
        of = self.summary.attempts.of
        return [id_ for id_, one in of.items() if not one.passed and self.earlier.lacks(id_)]

    @property
    def shown(self) -> tuple[Result, ...]:
        """What a brief report shows the conversations of: what newly fails, else what did not pass.

        What does not count comes last.
        """
        failing = [self.newly[id_] for id_ in self.failing if id_ in self.newly]
        every = (*self.newly.values(), *self.others.values())
        return tuple(failing or sorted(every, key=lambda one: not one.counts))[:_EXCERPTS]


def run_results(results: Iterable[Result], earlier: Earlier = NO_EARLIER) -> RunResults:
    """What the results come to, read once; only the first that did not pass are kept."""
    found = RunResults(earlier)
    for result in results:
        found.add(attempt_of(result), result)
    found.summary.sort()
    return found


def kept_document(
    index: RunIndex, *, saved: str = "", everything: bool = False, verbose: bool = False
) -> tuple[Document, Summary]:
    """The report of a kept run and the sums in it, of one pass over its results.

    `everything` shows those that passed too; the rest as `run_document`. Raises JournalError.
    """
    found = run_results(index.results(), earlier_run(index.folder))
    document = run_document(
        index.heads,
        found,
        notes=index.notes,
        unfinished=index.unfinished,
        never_begun=index.never_begun,
        done=index.done,
        damaged=index.damaged,
        runs=index.folder.parent,
        saved=saved,
        everything=index.results() if everything else None,
        verbose=verbose,
    )
    return document, found.summary


def run_document(
    heads: Sequence[Experiment],
    found: RunResults,
    *,
    notes: Sequence[str] = (),
    unfinished: Sequence[str] = (),
    never_begun: int | None = None,
    done: int | None = None,
    damaged: int = 0,
    runs: Path | None = None,
    saved: str = "",
    everything: Iterable[Result] | None = None,
    verbose: bool = False,
    listed: bool = True,
) -> Document:
    """The report of a run.

    `heads` are those of the journal, the earliest first. `unfinished` names what was begun and not finished,
    `never_begun` counts what was planned only, `done` what is finished of the plan, `damaged` the lines that
    cannot be read. `runs` is the folder of the run and of the earlier one, `saved` says where the report was
    saved. `everything` are all results, shown in place of those that did not pass. Lists of names are cut
    unless it is `verbose`. A page that lists results by itself wants none `listed`.
    """
    summary = found.summary
    gaps = incomplete_reasons(
        heads[-1], summary, done=summary.results if done is None else done, damaged=damaged
    )
    broken = broken_check_lines(summary.checks)
    if not summary.completion.total:
        gaps = gaps[:-1]  # the last one is the answer
    mixed = mixed_text(heads)
    return Document(
        "experiment",
        "Grice: Experiment Summary",
        _answer(found, whole=not gaps, broken="".join(f"; {one}" for one in broken[:1])),
        about=tuple(_about(heads, summary, unfinished, never_begun or 0, verbose=verbose)),
        parts=tuple(_parts(heads, found, notes, everything, verbose=verbose, listed=listed)),
        notes=tuple(Note(one, "bad") for one in (*broken[1:], *gaps, *filter(None, [mixed]))),
        steps=tuple(_steps(heads[0].id, found, runs, saved)),
    )


def _answer(found: RunResults, *, whole: bool, broken: str) -> Answer:
    """What newly fails and passes, else how many failed; only a whole run with nothing amiss is good.

    It is a warning where nothing went wrong and not everything could have, or was judged: `broken` says what
    was not.
    """
    summary = found.summary
    if not summary.completion.total:
        why = "no conversation counts" if summary.results else "no conversation was finished"
        return Answer(f"Nothing was found out about the agent: {why}", "bad")
    calm = set(summary.outcomes) <= {Outcome.PASS, Outcome.SKIPPED} and not summary.not_counted
    good: Tone = "warn" if broken or summary.unchecked else "good"
    tone: Tone = good if calm and whole else "bad"
    partly = f"{broken}{'' if whole else '; the run is not whole'}"
    rate = f"{_rate(summary)}{partly}"
    named = _who_failed(summary)
    if not found.earlier.id:
        return Answer(rate, tone, named)
    failing, passing, added = found.failing, found.passing, found.added
    against = f"compared with {found.earlier.id}"
    if not failing and not passing and not added:
        same = f"No test newly fails or newly passes, {against}."
        return Answer(rate, tone, " ".join(filter(None, (same, named))))
    said = newly_text(*([summary.keys[id_] for id_ in ids] for ids in (failing, passing, added)))
    said = said if failing else f"No test newly fails; {said}"
    return Answer(f"{said}{partly}", tone, f"{_rate(summary)}, {against}.")


def _who_failed(summary: Summary) -> str:
    """`Failed: a, b.`; of repeats `Failed every time: a. Failed now and then: b, c.`"""
    of = {id_: one for id_, one in summary.attempts.of.items() if one.passed < one.total}
    if summary.never_checked or not of:
        return ""
    said = "Did not pass" if _is_unclear(summary) else "Failed"
    every = [summary.keys[id_] for id_, one in of.items() if not one.passed]
    some = [summary.keys[id_] for id_, one in of.items() if one.passed]
    repeated = " every time" if any(one.total > 1 for one in of.values()) else ""
    told = ((repeated, every), (" now and then", some))
    return " ".join(f"{said}{how}: {names_text(names)}." for how, names in told if names)


def _is_unclear(summary: Summary) -> bool:
    """Whether some of what did not pass did not fail either: nobody could tell."""
    return bool(summary.undecided or summary.failures[UNCHECKED])


def _rate(summary: Summary) -> str:
    """`All 16 conversations passed`, `26 of 120 conversations failed (78.3% passed)`; what to allow for."""
    passed, total = summary.completion.passed, summary.completion.total
    of = plural(total, "conversation")
    if summary.never_checked:
        said = f"Completion was never checked: {of} and no hard check"
    elif passed == total:
        said = "The conversation passed" if total == 1 else f"All {of} passed"
    else:
        who = f"{total - passed:,} of {of}" if total > 1 else "The conversation"
        said = f"{who} {'did not pass' if _is_unclear(summary) else 'failed'}"
        said += f" ({percent(summary.completion.rate)} passed)" if total > 1 else ""
    unchecked = 0 if summary.never_checked else summary.unchecked
    rest = (
        f", {unchecked:,} without a hard check" if unchecked else "",
        f", {len(summary.not_counted):,} not counted" if summary.not_counted else "",
    )
    return f"{said}{''.join(rest)}"


def _about(
    heads: Sequence[Experiment],
    summary: Summary,
    unfinished: Sequence[str],
    never_begun: int,
    *,
    verbose: bool,
) -> Iterator[Line]:
    first, last = heads[0], heads[-1]
    name: Words = f' "{shorten(first.name, _LONGEST_NAME)}"' if first.name else ""
    yield Line((Span("Experiment: "), Span(first.id, "code"), Span(str(name))), "strong")
    yield Line(f"Timestamp:  {moment_text(first.timestamp)}")
    if first.tags:
        yield Line(f"Tags:       {', '.join(first.tags)}")
    if code := git_text(first):
        yield Line(f"Git:        {code}")
    for use, model in first.models.items():
        parts = (model.name, model.provider, model.model)
        said = model.name if model.model in model.name else " ".join(filter(None, parts))
        yield Line(f"{f'{use.capitalize()}:':<12}{said}")
    yield _finished(summary.results, last.planned)
    if was_resumed(heads):
        later = dict.fromkeys(head.timestamp for head in heads if head.timestamp != first.timestamp)
        yield Line(f"Resumed:    {', '.join(map(moment_text, later))}")
    if unfinished:
        names = [shorten(one, _LONGEST_NAME) for one in unfinished]
        yield Line(f"Begun and not finished: {named(names, None if verbose else _SHOWN)}", "bad")
    if never_begun:
        yield Line(f"Never begun: {plural(never_begun, 'conversation')}", "bad")


def _finished(results: int, planned: int | None) -> Line:
    """How many conversations were finished beside how many were to be."""
    if planned is None or planned == results:
        return Line(f"Finished:   {plural(results, 'conversation')}")
    if results > planned:
        more = f"{plural(results, 'conversation')}, more than the {planned:,} planned"
        return Line(f"Finished:   {more}", "warn")
    noun = "conversation" if planned == 1 else "conversations"
    return Line(f"Finished:   {results:,} of {planned:,} planned {noun}", "bad")


def _parts(
    heads: Sequence[Experiment],
    found: RunResults,
    notes: Sequence[str],
    everything: Iterable[Result] | None,
    *,
    verbose: bool,
    listed: bool,
) -> Iterator[Part]:
    summary = found.summary
    if summary.results and not listed:
        yield from run_sections(heads, summary, verbose=verbose)
    elif summary.results:
        yield _conversations(found, everything)
        yield from run_sections(heads, summary, verbose=verbose)
    else:
        yield Note("No conversation was finished: there is nothing to report.", "bad")
    yield Section("Notes", lines([reason_text(one) for one in notes], tone="warn"))


def _conversations(found: RunResults, everything: Iterable[Result] | None) -> Section:
    """What did not pass, as a table unless all of it is shown, then the conversations of what newly fails."""
    summary, shown = found.summary, found.shown
    count = summary.results - found.calm
    newly = frozenset(found.failing)
    parts: tuple[Part, ...] = (table,) if (table := _table(found, newly)) is not None else ()
    if everything is not None:
        title = f"Conversations ({summary.results:,})"
        return Section(title, (*parts, Conversations(everything, newly=newly)), folded=False)
    if table is not None and table.overview and len(shown) == len(found.not_calm):
        parts = ()  # all that it says stands below
    if shown:
        more = len(found.not_calm) - len(shown)
        parts = (*parts, Conversations(shown, more, newly))
    not_counted = f", {len(summary.not_counted):,} of them not counted" if summary.not_counted else ""
    return Section(f"Did not pass ({count:,}{not_counted})", parts, folded=False)


def _table(found: RunResults, newly: frozenset[str]) -> Table | None:
    """A row for each scenario, where several attempts failed; of how many, where it was repeated."""
    by_id: dict[str, list[_NotPassed]] = {}
    for one in sorted(found.not_passed, key=lambda one: one.id not in newly):
        by_id.setdefault(one.id, []).append(one)
    of = found.summary.attempts.of
    repeated = any(of[id_].total > 1 for id_ in by_id)
    rows = [
        (
            shorten(own[0].key, _LONGEST_NAME),
            *([f"{len(own):,} of {of[id_].total:,}"] if repeated else []),
            ("newly: " if id_ in newly else "") + ", ".join(dict.fromkeys(one.how for one in own)),
            own[0].why,
        )
        for id_, own in by_id.items()
    ]
    if len(found.not_passed) <= 1 and (not rows or found.newly or found.others):
        return None
    headers = ("Scenario", *(["Failed"] if repeated else []), "How", "Why")
    align: tuple[Align, ...] = ("left", "right" if repeated else "left")
    return Table(headers, tuple(rows), align, first=_SHOWN, overview=not repeated)


def _how(attempt: Attempt) -> str:
    outcome = attempt.outcome.value
    return outcome if attempt.failure in ("none", outcome) else f"{outcome} ({attempt.failure})"


def _why(attempt: Attempt) -> str:
    """The first line of why it did not pass; all of it where that line only leads the others."""
    first = attempt.why.split("\n", 1)[0].rstrip()
    return shorten(reason_text(attempt.why if first.endswith(":") else first), _LONGEST_REASON)


def _steps(id_: str, found: RunResults, runs: Path | None, saved: str) -> Iterator[Line]:
    if saved:
        yield Line(f"Results saved to: {saved}")
    if found.shown:
        one = found.shown[0]
        keys = Counter(found.summary.keys.values())
        command = how_to_show(id_, one, runs, is_key=keys[one.key] == 1)
        yield _step(f"To see the whole conversation of {shorten(one.key, _LONGEST_NAME)}:", command)
    if found.summary.counted:
        said, command = comparing_lines(id_, found.earlier.id, runs)
        yield _step(said, command)


def _step(said: str, command: str) -> Line:
    return Line(said, under=(Line((Span(command, "code"),)),))
