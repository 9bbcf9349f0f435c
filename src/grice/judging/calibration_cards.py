"""Calibration cards: how well a judge agrees with people, and the standing that a project's cards give it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from grice.records import Judgement, Standing
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion
from grice.text import shorten, value_text
from grice.user_files import open_file

VERSION = 1

ENDING = ".card.json"

MAX_BYTES = 1_000_000

_OTHER = re.compile(r"[^A-Za-z0-9._-]+")

_MAX_STEM = 60


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How well one judge agrees with people, on items that nobody tuned it on.

    `judge` is the name of the criterion, or of the prompt where the judge has no criterion. It holds for one
    `model`, one text of the prompt (`prompt_hash`), one content of the criterion (`fingerprint`, "" without
    one), and at one `gate` where answers are scores. `decisions` counts held-out items: an alarm is a
    judge's "not met". `n` is how many there are, `dev_n` how many are for tuning, by `split`. Rates are from
    0 to 1; None is what could not be measured, and `notes` say why. `sensitivity` is the share of what people
    let pass that the judge passes (TPR), `specificity` of what they fail that it fails (TNR). `alpha` is
    Krippendorff's among the people. `length_bias` is the judge's pass rate less people's in the longer half
    of the texts, minus the same in the shorter; `position_bias` the share of pairs whose verdict changes with
    their order. `cost` sums tokens, and latency in milliseconds, over all answers. `kind` says where the
    labels come from: the criterion's own examples, or people.
    """

    version: int = VERSION
    judge: str
    model: str
    prompt: str
    prompt_version: int
    prompt_hash: str
    fingerprint: str = ""
    gate: float | None = None
    kind: str = "people"
    sources: tuple[str, ...] = ()
    created: str = ""
    n: int = 0
    dev_n: int = 0
    split: str = ""
    raters: int = 0
    clusters: int = 0
    samples: int = 1
    unanswered: int = 0
    tied: int = 0
    decisions: Confusion = Confusion()
    base_rate: Estimate | None = None
    sensitivity: Estimate | None = None
    specificity: Estimate | None = None
    agreement: Estimate | None = None
    kappa: Estimate | None = None
    dev_kappa: Estimate | None = None
    alpha: Estimate | None = None
    self_consistency: Estimate | None = None
    position_bias: Estimate | None = None
    length_bias: Estimate | None = None
    cost: dict[str, float] = {}
    notes: tuple[str, ...] = ()


class CardError(ValueError):
    """A calibration card cannot be read; the text begins with its file."""

    __module__ = "grice"


def card_file(card: Card) -> str:
    """The name of the card's file: `friendly.gpt-4o.card.json`.

    A new card of the same judge and model has the same name. A name that does not fit a file gets a hash.
    """
    return f"{_file_part(card.judge)}.{_file_part(card.model or 'no-model')}{ENDING}"


def _file_part(name: str) -> str:
    plain = _OTHER.sub("-", name).strip("-.")[:_MAX_STEM]
    if plain and plain == name:
        return plain
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".lstrip("-")


def card_json(card: Card) -> bytes:
    """The content of the card's file; it begins with the version."""
    return msgspec.json.format(msgspec.json.encode(_Versioned(VERSION, card)), indent=2) + b"\n"


class _Versioned(msgspec.Struct, frozen=True):
    """A card as it stands in its file."""

    version: int
    card: Card


class _Version(msgspec.Struct):
    version: int = 0


def read_card(path: Path) -> Card:
    """The card in a file. Raises CardError for one that is no card, and for one of a newer version."""
    try:
        with open_file(path) as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CardError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(content) > MAX_BYTES:
        raise CardError(f"{path}: is larger than {MAX_BYTES:,} bytes, which no card is")
    try:
        version = msgspec.json.decode(content, type=_Version).version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardError(f"{path}: is no calibration card: {error}") from error
    if version != VERSION:
        raise CardError(f"{path}: has version {value_text(version)}, and this Grice reads {VERSION}")
    try:
        card = msgspec.json.decode(content, type=_Versioned).card
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardError(f"{path}: is no calibration card: {error}") from error
    problem = _impossible(card)
    if problem:
        raise CardError(f"{path}: {problem}, which no measurement gives: a card is not edited by hand")
    return card


def _impossible(card: Card) -> str:
    """What cannot be in the figures that decide, "" where they can: how many items, and kappa."""
    counts = msgspec.structs.astuple(card.decisions)
    if card.n < 0 or min(counts) < 0 or sum(counts) > card.n:
        return f"n is {card.n}, and decisions count {', '.join(map(str, counts))}"
    kappa = card.kappa
    if kappa is not None and not -1 <= kappa.low <= kappa.value <= kappa.high <= 1:
        return f"kappa is {kappa.value:g}, 95 % {kappa.low:g} to {kappa.high:g}"
    return ""


def load_cards(folder: Path) -> tuple[dict[str, Card], tuple[str, ...]]:
    """Read the cards in a folder, by file name, and what is wrong with others; {} without a folder."""
    cards: dict[str, Card] = {}
    problems = [f"{folder} is no folder"] if folder.exists() and not folder.is_dir() else []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        try:
            cards[path.name] = read_card(path)
        except CardError as error:
            problems.append(str(error))
    return cards, tuple(problems)


_SHOWN = 80

PEOPLE = "people"

MIN_ITEMS = 20

"""How many held-out items a card rests on that lets a judge decide: chance agrees with people on a few."""


class CardShelf(msgspec.Struct, frozen=True):
    """The cards of a project, by the name of their file, and which of them it requires.

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
        """The standing of the judge of that name, which made the judgement, by its card."""
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
    """Make the shelf of these cards, or of those in a folder. Raises ValueError for a wrong `require`."""
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
