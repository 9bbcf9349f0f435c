"""Whether one tool was called as expected, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grice.matching.calls.doubts import doubt_about, doubts_of
from grice.matching.calls.fit import Fit, fit_of, misses
from grice.matching.calls.names import meant, name_text, names_text
from grice.matching.calls.spec import ExpectedCall
from grice.matching.calls.wording import evidence_of, explain, unsure, worst_argument
from grice.matching.matcher import ArgumentError
from grice.matching.transcript import call_text
from grice.records import Evidence, ToolCall, Turn, Verdict, errored, failed, inconclusive, passed
from grice.text import shorten, value_text

COUNTS = ("times", "at_least", "at_most")
MAX_SHOWN = 5
MAX_CALLED = 1_000


class Often(NamedTuple):
    """How often a call is expected: from `least` to `most` times, without limit when that is None."""

    least: int = 1
    most: int | None = None

    @property
    def words(self) -> str:
        """For messages: `2 times`, `at least once`, `1 to 3 times`."""
        if self.most is None:
            return f"at least {_times(self.least)}"
        if self.least == self.most:
            return _times(self.least)
        return f"{self.least} to {_times(self.most)}" if self.least else f"at most {_times(self.most)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def often(times: object = None, at_least: object = None, at_most: object = None) -> Often | None:
    """How often these ask for, None when none is given. Raises ArgumentError for what is no count."""
    given = {"times": times, "at_least": at_least, "at_most": at_most}
    for name, count in given.items():
        if count is None:
            continue
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ArgumentError(f"{name} is a whole number from 1 on, found {value_text(count)}")
        if count == 0:
            hint = (
                "at_least=0 always holds" if name == "at_least" else "for no call at all use not_to_..., or ~"
            )
            raise ArgumentError(f"{name} is a whole number from 1 on, found 0: {hint}")
    if isinstance(times, int):
        if at_least is not None or at_most is not None:
            raise ArgumentError("times is an exact number, so at_least and at_most say nothing beside it")
        return Often(times, times)
    least = at_least if isinstance(at_least, int) else None
    most = at_most if isinstance(at_most, int) else None
    if least is not None and most is not None and least > most:
        raise ArgumentError(f"at_least={least} is more than at_most={most}")
    if least is None and most is None:
        return None
    return Often(least or 0, most)


class _Found(NamedTuple):
    """The calls of the expected name, and the places in this list of those that fit or may fit.

    `places` are where they stand among all calls.
    """

    calls: list[ToolCall]
    places: list[int]
    fitting: list[int]
    unsure: list[tuple[Fit, int]]

    @property
    def words(self) -> str:
        """How often it was called, and how: `called 2 times: book(room='Blue'), book(room='Red')`."""
        if not self.fitting:
            return "never called"
        shown = ", ".join(call_text(self.calls[place]) for place in self.fitting[:MAX_SHOWN])
        more = len(self.fitting) - MAX_SHOWN
        cut = f" and {more} more" if more > 0 else ""
        return f"called {_times(len(self.fitting))}: {shorten(shown, 1_000)}{cut}"

    def evidence(self, turns: Sequence[Turn], *nearest: int) -> tuple[Evidence, ...]:
        """The nearest call of the name, if one is given, and those that fit."""
        return evidence_of(turns, [self.places[place] for place in (*nearest, *self.fitting)])


def verdict_on_call(
    calls: Sequence[ToolCall], turns: Sequence[Turn], expected: ExpectedCall, count: Often | None = None
) -> Verdict:
    """Whether the calls have the expected one, at least once or as often as `count` says."""
    found = _look(calls, expected, first=count is None)
    low = len(found.fitting)
    if count is None and low:
        evidence = found.evidence(turns)
        return passed(f"called {evidence[0].quote}", evidence=evidence)
    doubt = doubt_about(doubts_of(turns), (expected.name,))
    asked = count or Often()
    high = low + len(found.unsure)
    if asked.most is not None and low > asked.most:
        return failed(f"expected {asked.words}, {found.words}", evidence=found.evidence(turns))
    if low < asked.least:
        if high >= asked.least:
            return _open_question(found, turns, expected, enough=asked.least - low)
        verdict = _too_few(calls, turns, found, expected, count)
    elif asked.most is None or high <= asked.most:
        verdict = passed(found.words, evidence=found.evidence(turns))
        doubt = None if asked.most is None else doubt
    else:
        return _open_question(found, turns, expected, enough=asked.most + 1 - low)
    if doubt is not None:
        return inconclusive(f"{doubt}; {verdict.reason}", evidence=verdict.evidence)
    return verdict


def _look(calls: Sequence[ToolCall], expected: ExpectedCall, *, first: bool) -> _Found:
    """The calls of the name, and which fit; with `first`, no more is asked once one does."""
    places = [place for place, call in enumerate(calls) if call.name == expected.name]
    found = _Found([calls[place] for place in places], places, [], [])
    for place, call in enumerate(found.calls):
        fit = fit_of(expected, call, "subset")
        if fit is Fit.FITS:
            found.fitting.append(place)
            if first:
                break
        elif fit is not Fit.MISSES:
            found.unsure.append((fit, place))
    return found


def _open_question(found: _Found, turns: Sequence[Turn], expected: ExpectedCall, *, enough: int) -> Verdict:
    """What nobody can tell. `enough` calls more would turn the answer.

    It is an error only when those of which finding out broke are needed for that.
    """
    unknown = [place for fit, place in found.unsure if fit is Fit.UNKNOWN]
    broken = [place for fit, place in found.unsure if fit is Fit.BROKEN]
    make, place = (inconclusive, unknown[0]) if len(unknown) >= enough else (errored, broken[0])
    reason = unsure(expected, found.calls[place], "subset", f"{name_text(expected.name)} #{place + 1}")
    return make(reason, evidence=evidence_of(turns, [found.places[place]]))


def _too_few(
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    found: _Found,
    expected: ExpectedCall,
    count: Often | None,
) -> Verdict:
    if not calls:
        return failed("no tool was called")
    if not found.calls:
        called = list(dict.fromkeys(call.name for call in calls))
        return failed(
            f"called only: {names_text(called, MAX_CALLED)}{meant(expected.name, called)}",
            evidence=evidence_of(turns, range(len(calls))),
        )
    told = [] if count is None else [f"expected {count.words}, {found.words}"]
    evidence = found.evidence(turns)
    others = [place for place in range(len(found.calls)) if place not in found.fitting]
    if others:
        nearest = min(others, key=lambda place: misses(expected, found.calls[place], "subset"))
        label = f"nearest call: {name_text(expected.name)} #{nearest + 1}"
        if count is None and (worst := worst_argument(expected, found.calls[nearest], "subset")):
            told.append(worst)
        told.append(explain(expected, found.calls[nearest], "subset", label))
        evidence = found.evidence(turns, nearest)
    return failed("\n".join(told), evidence=evidence)
