"""A conversation on one line: its topics, how long each turn took, and where something did not pass."""

from __future__ import annotations

from typing import NamedTuple

from grice.records import Outcome, Result
from grice.reporting.renderers.html.conversation import seconds
from grice.reporting.renderers.html.verdicts import CALM

_WIDTH, _WIDEST = 960.0, 96.0
_RANKS = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE)
_HEIGHT = 36.0
_MANY = 10


class Stop(NamedTuple):
    """A turn on the line, in its units: where it stands, how high its bar is, in words what it is."""

    number: int
    x: float
    width: float
    height: float
    outcome: str
    text: str
    address: str


class Band(NamedTuple):
    """Turns of one topic in a row."""

    x: float
    width: float
    topic: str
    legal: bool


class Timeline(NamedTuple):
    """The line, with what it says in words, and whether that is more than the turns say by themselves."""

    width: float
    stops: list[Stop]
    bands: list[Band]
    text: str
    tells: bool


def timeline_of(result: Result, at: str) -> Timeline:
    """The line of a conversation whose page is at that address."""
    turns = result.conversation.turns
    worst: dict[int, Outcome] = {}
    for one in result.verdicts:
        if one.turn and one.outcome not in CALM:
            worst[one.turn] = min(one.outcome, worst.get(one.turn, one.outcome), key=_RANKS.index)
    longest = max((one.duration or 0 for one in turns), default=0)
    step = min(_WIDEST, _WIDTH / max(1, len(turns)))
    places = {one.number: place * step for place, one in enumerate(turns)}
    stops = []
    for turn in turns:
        height = max(4.0, _HEIGHT * (turn.duration or 0) / longest) if longest else 12.0
        outcome = worst.get(turn.number)
        tokens = (turn.input_tokens or 0) + (turn.output_tokens or 0)
        facts = [
            f"turn {turn.number}",
            seconds(turn.duration),
            f"{tokens:,} tokens" if tokens else "",
            outcome.value if outcome else "",
        ]
        text = ", ".join(filter(None, facts))
        stops.append(
            Stop(
                turn.number,
                places[turn.number],
                max(step - 2, 1),
                height,
                outcome.value if outcome else "",
                text,
                f"{at}?turn={turn.number}#t.{turn.number}",
            )
        )
    bands = [
        Band(
            places[one.first],
            places[one.last] + step - 2 - places[one.first],
            one.topic,
            one.legal or one.number == 1,
        )
        for one in result.conversation.visits
        if one.first in places and one.last in places
    ]
    tells = len(turns) > 1 and bool(bands or longest or len(turns) > _MANY)
    failing = ", ".join(f"turn {number} {outcome.value}" for number, outcome in sorted(worst.items()))
    return Timeline(max(step * len(turns), 1), stops, bands, failing or "nothing did not pass", tells)
