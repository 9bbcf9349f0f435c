"""Conversations as a list has them: a line or two each, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.matching.failure import headline, shown_reason
from grice.records import Outcome, Result, Verdict
from grice.reporting.renderers.html.conversation import seconds
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.reporting.renderers.html.verdicts import CALM, SIGNS, badge
from grice.reporting.text import marked_turn
from grice.reporting.verdict_labels import label
from grice.text import plural, shorten

_RANKS = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS, Outcome.SKIPPED)
_LONGEST_LINE = 300


@dataclass
class Entry:
    """A conversation in a list. `body` is what it opens to, or it is `packed` elsewhere, or `left_out`.

    `turn` is where it is opened, None at its beginning; `soft` says that it passed, and a soft check did not.
    """

    name: str
    anchor: str
    turn: int | None
    outcome: Outcome
    newly: bool
    soft: bool
    line: str
    body: str = ""
    packed: tuple[str, int] | None = None
    left_out: bool = False

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """What newly fails comes first, what passed last; those of one rank keep the order of the run."""
        return not self.newly, 0 if self.newly else _RANKS.index(self.outcome), not self.soft

    @property
    def bad(self) -> bool:
        """Whether it did not pass, nor was skipped."""
        return self.outcome not in CALM


def entry_of(result: Result, name: str, anchor: str, *, newly: bool) -> Entry:
    """The result in a list, without its body."""
    notable = [one for one in result.verdicts if one.outcome not in CALM]
    notable.sort(key=lambda one: (one.outcome is not result.outcome, one.mode == "soft"))
    soft = result.outcome is Outcome.PASS and bool(notable)
    return Entry(
        name,
        anchor,
        marked_turn(result.verdicts),
        result.outcome,
        newly,
        soft,
        html_of([_line(result, name, notable, newly=newly)]),
    )


def filters(entries: Sequence[Entry]) -> list[tuple[str, str, int]]:
    """What the list can be cut down to: a name, its words, and how many that leaves."""
    newly = ("newly", "newly fails", sum(one.newly for one in entries))
    outcomes = [
        (one.value, f"{SIGNS[one]} {one.value}", sum(each.outcome is one for each in entries))
        for one in _RANKS
    ]
    soft = ("soft", "\u25c7 soft only", sum(one.soft for one in entries))
    return [one for one in (newly, *outcomes, soft) if one[2]]


def _line(result: Result, name: str, notable: Sequence[Verdict], *, newly: bool) -> Node:
    taken = [plural(len(result.conversation.turns), "turn"), seconds(result.duration)]
    facts = [*taken, "" if result.counts else "does not count"]
    heading = element(
        "h3",
        "",
        badge(result.outcome),
        element("span", "name", name),
        element("span", "about", result.description if result.description != result.key else ""),
        element("span", "facts", " \u00b7 ".join(filter(None, facts))),
    )
    why = list(_why(result, notable, newly=newly))
    return element("summary", "", heading, element("span", "why", *why) if why else "")


def _why(result: Result, notable: Sequence[Verdict], *, newly: bool) -> Iterator[Node]:
    """What failed first, or why there is nothing to say of it."""
    if newly:
        yield element("b", "newly", "newly fails ")
    if notable and notable[0].mode == "soft":
        worst = notable[0]
        yield badge(worst.outcome, "soft", word=False)
        reason = f": {shown_reason(worst.reason)[0]}" if worst.reason else ""
        yield shorten(f" soft: {label(worst)}{reason}", _LONGEST_LINE)
    elif notable:
        yield shorten(headline(notable[0]), _LONGEST_LINE)
    elif not result.verdicts:
        yield "nothing was checked"
    elif result.outcome is Outcome.SKIPPED:
        yield shorten(next((one.reason for one in result.verdicts if one.reason), ""), _LONGEST_LINE)
