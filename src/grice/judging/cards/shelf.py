"""The calibration cards of a project, and the standing that they give a judge."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from grice.judging.cards.card import Card
from grice.judging.cards.files import card_file, load_cards
from grice.records import Judgement, Standing
from grice.text import shorten, value_text

__all__ = ["NO_CARDS", "CardShelf", "shelf_of"]

_SHOWN = 80
PEOPLE = "people"
MIN_ITEMS = 20
"""How many held-out items a card rests on that lets a judge decide: chance agrees with people on a few."""


class CardShelf(msgspec.Struct, frozen=True):
    """The cards that are there, by the name of their file, and what a project wants of them.

    `require` says who decides a build: False any judge (those without a card are marked), True only one whose
    kappa is above 0 with 95 % confidence, a number only one whose interval begins at that kappa or above.
    `advisory` are the judges whose verdicts are soft: names of criteria and prompts, or True for all.
    `place` says where the cards lie; `problems` are files there that are no cards.
    """

    cards: Mapping[str, Card] = {}
    require: bool | float = False
    advisory: bool | frozenset[str] = False
    place: str = ""
    problems: tuple[str, ...] = ()

    def standing(self, judge: str, judgement: Judgement) -> Standing:
        """What the cards say of the judge of that name, who came to the judgement."""
        name, problem = self._find(judge, judgement)
        card = self.cards.get(name)
        required = self.require is not False
        advisory = self.advisory is True or (self.advisory is not False and judge in self.advisory)
        if card is None or problem:
            return Standing(card=name, problem=problem, required=required, advisory=advisory)
        kappa, counts = card.kappa, card.decisions
        return Standing(
            card=name,
            problem=self._too_weak(name, card),
            n=card.n,
            kappa=None if kappa is None else kappa.value,
            kappa_low=None if kappa is None else kappa.low,
            kappa_high=None if kappa is None else kappa.high,
            gate=card.gate,
            own_examples=card.kind != PEOPLE,
            passed_right=counts.true_quiet,
            passed_wrong=counts.false_alarms,
            failed_right=counts.true_alarms,
            failed_wrong=counts.missed,
            required=required,
            advisory=advisory,
        )

    def _find(self, judge: str, judgement: Judgement) -> tuple[str, str]:
        """The file of the card that fits, or is nearest, and why it does not count; "" without any."""
        own = {name: card for name, card in self.cards.items() if card.judge == judge}
        shown = value_text(shorten(judge, _SHOWN))
        where = f" in {self.place}" if self.place else ""
        if not own:
            more = f"; {'; '.join(self.problems)}" if self.problems else ""
            return "", f"there is no calibration card for the judge {shown}{where}{more}"
        stale = {name: _changes(card, judgement) for name, card in own.items()}
        fitting = [name for name, changes in stale.items() if not changes]
        if fitting:
            return max(fitting, key=lambda name: (own[name].created, name)), ""
        nearest = min(stale, key=lambda name: (len(stale[name]), name))
        return nearest, f"the calibration card {nearest}{where} is stale: {', '.join(stale[nearest])}"

    def _too_weak(self, name: str, card: Card) -> str:
        """Why the card does not earn its judge a decision; "" when it does."""
        if self.require is not False and card.kind != PEOPLE:
            return f"the calibration card {name} is of own examples: people's labels are wanted"
        if self.require is not False and card.n < MIN_ITEMS:
            return f"the calibration card {name} rests on {card.n} items: at least {MIN_ITEMS} are wanted"
        if card.kappa is None:
            why = f" ({card.notes[0]})" if card.notes else ""
            return f"the calibration card {name} has no kappa{why}"
        wanted = 0.0 if isinstance(self.require, bool) else self.require
        if card.kappa.low > wanted or (wanted > 0 and card.kappa.low >= wanted):
            return ""
        said = f"kappa {card.kappa.value:.2f}, 95 % {card.kappa.low:.2f} to {card.kappa.high:.2f}, n {card.n}"
        least = f"at least {wanted:g}" if wanted > 0 else "above 0, better than chance"
        return f"the calibration card {name} shows too little agreement: {said}; wanted {least}"


NO_CARDS = CardShelf()


def shelf_of(
    given: Iterable[Card] | CardShelf | Path,
    *,
    require: bool | float = False,
    advisory: bool | Collection[str] = False,
) -> CardShelf:
    """The shelf with these cards, or with those in a folder. Raises ValueError for a wrong `require`."""
    if isinstance(given, CardShelf):
        return given
    if not isinstance(require, bool) and not 0 <= require < 1:
        raise ValueError(f"require_card is true, false or a kappa from 0 to 1, found {value_text(require)}")
    named = advisory if isinstance(advisory, bool) else frozenset(advisory)
    if isinstance(given, Path):
        cards, problems = load_cards(given)
        return CardShelf(cards, require, named, given.name, problems)
    return CardShelf({card_file(card): card for card in given}, require, named)


def _changes(card: Card, judgement: Judgement) -> list[str]:
    """What is not as it was when the card was made."""
    changes = []
    if card.model != judgement.model:
        changes.append(f"the model is {judgement.model or 'unknown'}, and was {card.model or 'unknown'}")
    if card.prompt != judgement.prompt:
        changes.append(f"the prompt is {judgement.prompt}, and was {card.prompt}")
    elif card.prompt_hash != judgement.prompt_hash:
        version = f"v{judgement.version}, and was v{card.prompt_version}"
        changes.append(f"the prompt {card.prompt} has changed (it is {version})")
    if card.fingerprint != judgement.fingerprint:
        changes.append("the criterion has changed")
    return changes
