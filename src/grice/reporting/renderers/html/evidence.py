"""Where in the words of a conversation the evidence of its verdicts stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from grice.records import Evidence, Outcome, Turn, Verdict
from grice.reporting.renderers.html.nodes import Node, element

_SHORTENED = re.compile(r"(?:\.\.\.|\u2026)(?: \(\d+ characters\))?$")
_CALL = re.compile(r"tool_calls\[(\d+)\]")
_ORDER = {"assistant": 0, "user": 1, "tool": 2, "system": 3}
_LEAST = 2
"""Characters of a quote that is looked for where nothing says where it stands."""


class Mark(NamedTuple):
    """Words of a message that are evidence of the verdict of that number."""

    start: int
    end: int
    verdict: int
    outcome: Outcome


class Placed:
    """What stands beside what in one turn.

    `marks` are those in a message, by its place in the turn. `beside` are the numbers of the verdicts whose
    evidence is in a message (its place) or in a call (`c` and its place in the turn), `rest` all others.
    `unfound` has for a verdict the evidence that none of the words shown are.
    """

    def __init__(self) -> None:
        self.marks: dict[int, list[Mark]] = {}
        self.beside: dict[int | str, list[int]] = {}
        self.rest: list[int] = []


def placed(
    turn: Turn, verdicts: Sequence[Verdict], first_call: int, unfound: dict[int, list[Evidence]]
) -> Placed:
    """Find what is about this turn. `first_call` is the number of its first call in the conversation.

    Evidence in this turn whose words are not there is added to `unfound`.
    """
    found = Placed()
    by_speaker = sorted(enumerate(turn.messages), key=lambda one: _ORDER[one[1].role])
    for number, verdict in enumerate(verdicts):
        where: int | str | None = None
        for one in verdict.evidence:
            if (one.turn or verdict.turn) != turn.number:
                continue
            spot: int | str | None = _call(one, first_call, len(turn.tool_calls))
            if spot is None:
                for place, message in by_speaker:
                    span = _span(message.content, one)
                    if span is not None:
                        spot = place
                        mark = Mark(*span, number, verdict.outcome)
                        found.marks.setdefault(place, []).append(mark)
                        break
            if spot is None and one.quote:
                unfound.setdefault(number, []).append(one)
            where = spot if where is None else where
        if verdict.turn == turn.number:
            (found.rest if where is None else found.beside.setdefault(where, [])).append(number)
    return found


def _call(evidence: Evidence, first: int, count: int) -> str | None:
    """The call of the turn that the path of the evidence names."""
    named = _CALL.match(evidence.path or "")
    place = int(named[1]) - first if named else -1
    return f"c{place}" if 0 <= place < count else None


def _span(text: str, evidence: Evidence) -> tuple[int, int] | None:
    """Where the quote stands: at its offsets when they fit, else where it is first found."""
    quote = _SHORTENED.sub("", evidence.quote)
    if not quote:
        return None
    start = evidence.start
    if start is None or text[start : start + len(quote)] != quote:
        start = text.find(quote) if len(quote) >= _LEAST else -1
    return None if start < 0 else (start, start + len(quote))


def marked(text: str, marks: Iterable[Mark]) -> list[Node]:
    """The text with what is marked in elements that name their verdicts; the worst outcome has its colour."""
    found = [one for one in marks if one.start < len(text)]
    if not found:
        return [text]
    edges = sorted({0, len(text), *(min(edge, len(text)) for one in found for edge in (one.start, one.end))})
    nodes: list[Node] = []
    for start, end in pairwise(edges):
        over = [one for one in found if one.start <= start and end <= one.end]
        if not over:
            nodes.append(text[start:end])
            continue
        worst = min(over, key=lambda one: _WORST.index(one.outcome))
        numbers = " ".join(str(one.verdict) for one in over)
        nodes.append(element("mark", worst.outcome.value, text[start:end], data_of=numbers))
    return nodes


_WORST = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS, Outcome.SKIPPED)
