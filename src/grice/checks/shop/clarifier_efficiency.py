"""How many turns a chatbot asks before it recommends."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile
from grice.checks.structure.envelope_parts import Envelope, EnvelopeShape, Shape, envelope_of, read_shape
from grice.matching.argument_types import NotNegative
from grice.matching.context import Context, record_of
from grice.matching.matcher import Unsuitable, matcher
from grice.records import Conversation, Evidence, Outcome, Reply, Turn, Verdict, inconclusive
from grice.text import shorten, value_text

AT_MOST = 2.0
MAX_SHOWN = 20
MAX_QUOTE = 200


class _Round(msgspec.Struct, frozen=True):
    """From the first clarifier, at turn `first`, to a recommendation, or to the last turn where none came."""

    conversation: int
    first: int
    last: int
    recommended: bool
    quote: str = ""

    @property
    def length(self) -> int:
        return self.last - self.first


@matcher(
    "toClarifyEfficiently",
    layer=4,
    describe="recommend within {at_most:turn} of the first clarifier, on average",
)
def clarify_efficiently(
    subject: Reply | Turn | Conversation | Sequence[Conversation],
    ctx: Context,
    *,
    at_most: NotNegative = AT_MOST,
    shape: Shape | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """From first clarifier to recommendation it takes at most that many turns, on average over rounds.

    Clarifiers and products are those of the envelopes. A round begins with a reply that asks and shows no
    products, and ends with the next one that shows some; a conversation may have several, and several
    conversations may be given in a list. Questions beside products begin none. A round without a
    recommendation counts only once it is too long already. Without a round that counts, and without
    envelopes, the verdict is `inconclusive`. `seed` takes the first clarifier and the first products of each
    conversation, wherever they stand, and 0 where one is missing.
    """
    shown = read_shape(shape)
    conversations = _conversations(subject, ctx)
    if not any(conversations):
        return inconclusive("there are no turns to look at")
    read = [[envelope_of(turn, shown) for turn in turns] for turns in conversations]
    if profile == "seed":
        return _by_seed(read, at_most)
    if not any(isinstance(one, Envelope) for turns in read for one in turns):
        return inconclusive("no reply has an envelope with clarifiers and products")
    rounds = [one for number, turns in enumerate(read, 1) for one in _rounds(turns, number, shown)]
    return _verdict(rounds, at_most, len(read))


def _conversations(subject: object, ctx: Context) -> list[Sequence[Turn]]:
    if isinstance(subject, Reply | Turn | Conversation):
        return [turns_up_to(subject, ctx)]
    if isinstance(subject, list | tuple):
        records = [record_of(one) for one in subject]
        if all(one is not None for one in records):
            return [one.turns for one in records if one is not None]
    raise Unsuitable(f"a Reply, a Turn, a Conversation or a list of them, found {value_text(subject)}")


def _rounds(turns: Sequence[Envelope | str], number: int, shape: EnvelopeShape) -> list[_Round]:
    found: list[_Round] = []
    first, quote = 0, ""
    for place, one in enumerate(turns, 1):
        if isinstance(one, str):
            continue
        if one.products:
            if first:
                found.append(_Round(number, first, place, True, quote))
            first = 0
        elif not first:
            asked = [clarifier for clarifier in one.clarifiers if clarifier.value not in shape.free_choice]
            if asked:
                first, quote = place, shorten(asked[0].label, MAX_QUOTE)
    if first:
        found.append(_Round(number, first, len(turns), False, quote))
    return found


def _verdict(rounds: Sequence[_Round], at_most: float, conversations: int) -> Verdict:
    ended = [one for one in rounds if one.recommended]
    late = [one for one in rounds if not one.recommended and one.length > at_most]
    counted = ended + late
    if not rounds:
        return inconclusive("no reply asks a clarifier before it recommends")
    if not counted:
        first = rounds[0]
        return inconclusive(
            f"{_place(first, conversations)} asks {value_text(first.quote)}, and no recommendation has come "
            f"in the {first.length} turn{'' if first.length == 1 else 's'} after it"
        )
    mean = sum(one.length for one in counted) / len(counted)
    listed = ", ".join(_round_text(one, conversations) for one in counted[:MAX_SHOWN])
    listed += ", ..." if len(counted) > MAX_SHOWN else ""
    good = mean <= at_most
    reason = f"{mean:.2f} turns on average, expected at most {at_most:g}: {listed}"
    evidence = tuple(
        Evidence(one.quote, one.first if conversations == 1 else None, note=_round_text(one, conversations))
        for one in counted[:MAX_SHOWN]
    )
    return Verdict(
        Outcome.PASS if good else Outcome.FAIL,
        reason,
        evidence,
        detail={"mean": round(mean, 6), "rounds": len(counted), "at_most": at_most},
    )


def _round_text(one: _Round, conversations: int) -> str:
    place = _place(one, conversations)
    if one.recommended:
        return f"{one.length} from {place} to turn {one.last}"
    return f"{one.length} since {place}, and no recommendation yet"


def _place(one: _Round, conversations: int) -> str:
    return (
        f"turn {one.first}" if conversations == 1 else f"turn {one.first} of conversation {one.conversation}"
    )


def _by_seed(read: Sequence[Sequence[Envelope | str]], at_most: float) -> Verdict:
    lengths = []
    for turns in read:
        asked = next(
            (at for at, one in enumerate(turns) if isinstance(one, Envelope) and one.clarifiers), None
        )
        shown = next((at for at, one in enumerate(turns) if isinstance(one, Envelope) and one.products), None)
        lengths.append(0 if asked is None or shown is None else shown - asked)
    mean = sum(lengths) / len(lengths)
    outcome = Outcome.PASS if mean <= at_most else Outcome.FAIL
    return Verdict(outcome, f"{mean:g} turns on average, expected at most {at_most:g}", detail={"mean": mean})
