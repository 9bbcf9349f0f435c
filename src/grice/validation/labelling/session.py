"""One rater's session: the next item, the answers given, and undo."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from time import monotonic

import msgspec

from grice.stats.agreement import agreement_rate, cohen_kappa
from grice.text import visible
from grice.validation.judges.items import Item, Label, LabelValue
from grice.validation.labelling.journal import Journal
from grice.validation.labelling.labelling_questions import LabellingQuestion


def drawn(items: Sequence[Item], limit: int, *, seed: int = 0) -> list[Item]:
    """Draw a number of the items, the same for every rater; all of them for 0."""
    if not limit or limit >= len(items):
        return list(items)
    chosen = sorted(items, key=lambda one: _lot(f"draw {seed}", one))[:limit]
    kept = {one.id for one in chosen}
    return [one for one in items if one.id in kept]


def order_of(items: Iterable[Item], rater: str, *, seed: int = 0) -> list[Item]:
    """The items in the rater's own order, which stays when items are added."""
    return sorted(items, key=lambda one: _lot(f"order {seed} {rater}", one))


def _lot(what: str, item: Item) -> str:
    return sha256(f"{what}\0{item.id}".encode("utf-8", "surrogatepass")).hexdigest()


class _Step(msgspec.Struct, frozen=True):
    """What was done with an item: labelled, or left for later."""

    item: Item
    label: Label | None = None


class Session:
    """The items that a rater has not answered yet, in order.

    `before` are the rater's labels of earlier sessions, which can be taken back too. `watch` counts seconds.
    """

    def __init__(
        self,
        items: Sequence[Item],
        asked: LabellingQuestion,
        rater: str,
        journal: Journal,
        *,
        seed: int = 0,
        before: Sequence[Label] = (),
        again: bool = False,
        watch: Callable[[], float] = monotonic,
    ) -> None:
        ordered = order_of(items, rater, seed=seed)
        by_id = {one.id: one for one in ordered}
        own = [label for label in before if label.item in by_id]
        said = {label.item for label in own}
        self._places = {one.id: place for place, one in enumerate(ordered, 1)}
        self._waiting = [one for one in reversed(ordered) if again or one.id not in said]
        self._steps = [] if again else [_Step(by_id[label.item], label) for label in own]
        self._earlier = len(self._steps)
        self._asked, self._rater, self._journal = asked, rater, journal
        self._seed, self._watch = seed, watch
        self._note = ""
        self._shown = watch()
        self.total = len(ordered)

    @property
    def item(self) -> Item | None:
        """The item that is asked about now; None when none is left."""
        return self._waiting[-1] if self._waiting else None

    @property
    def done(self) -> int:
        """The number of items with a label of this rater; when asked again, of items with a new one."""
        return sum(step.label is not None for step in self._steps)

    @property
    def skipped(self) -> int:
        """The number of items left for later."""
        return sum(step.label is None for step in self._steps)

    @property
    def new(self) -> int:
        """The number of labels that were given in this session and not undone."""
        return sum(step.label is not None for step in self._steps[self._earlier :])

    @property
    def note(self) -> str:
        """The note on the item."""
        return self._note

    def show(self) -> None:
        """Start the clock: the item is shown to the rater."""
        self._shown = self._watch()

    def annotate(self, note: str) -> None:
        """Keep a note, which goes with the label of the item."""
        self._note = note.strip()

    def label(self, value: LabelValue | None) -> None:
        """Write the rater's label on the item. Raises OSError, and then nothing has changed."""
        item = self._waiting[-1]
        label = Label(
            item.id,
            value,
            self._rater,
            self._asked.criterion,
            self._note,
            fingerprint=self._asked.fingerprint,
            question=self._asked.question,
            seconds=max(0.0, self._watch() - self._shown),
        )
        written = self._journal.write(label, seed=self._seed, place=self._places[item.id])
        self._forward(_Step(item, written))

    def skip(self) -> None:
        """Leave the item for a later session."""
        self._forward(_Step(self._waiting[-1]))

    def undo(self) -> Label | Item | None:
        """Undo the last answer, a label or a skip, and ask again; None where there is none."""
        if not self._steps:
            return None
        step = self._steps[-1]
        if step.label is not None:
            self._journal.retract(step.label)
        self._steps.pop()
        self._earlier = min(self._earlier, len(self._steps))
        self._waiting.append(step.item)
        self._note = step.label.note if step.label is not None else ""
        return step.label or step.item

    def _forward(self, step: _Step) -> None:
        self._steps.append(step)
        self._waiting.pop()
        self._note = ""


_MOST = 10


def of_question(labels: Sequence[Label], asked: LabellingQuestion) -> tuple[list[Label], list[Label]]:
    """Split labels: those that answer the question, and those of the same criterion with another text."""
    same = [one for one in labels if (one.criterion, one.fingerprint, one.question) == asked.key]
    named = [one for one in labels if one.criterion == asked.criterion]
    other = [one for one in named if (one.criterion, one.fingerprint, one.question) != asked.key]
    return same, other


def measuring_command(asked: LabellingQuestion, out: Path, items: Iterable[Path]) -> str:
    """The command that measures a judge against the labels."""
    sources = [argument for path in items for argument in ("--items", str(path))]
    words = ["grice", "validate", "judge", asked.criterion or "NAME", str(out), *sources]
    return shlex.join(words)


def agreement_lines(
    labels: Sequence[Label], items: Mapping[str, Item], asked: LabellingQuestion
) -> Iterator[str]:
    """How well every two raters agree on the items that both labelled, a line for each pair."""
    by_rater: dict[str, dict[str, Label]] = {}
    for label in labels:
        if label.item in items:
            by_rater.setdefault(label.rater, {})[label.item] = label
    if len(by_rater) < 2:
        return
    for place, (one, other) in enumerate(combinations(sorted(by_rater), 2)):
        if place == _MOST:
            yield "and other raters"
            return
        yield _agreement(one, other, by_rater, items, asked)


def _agreement(
    one: str,
    other: str,
    by_rater: Mapping[str, Mapping[str, Label]],
    items: Mapping[str, Item],
    asked: LabellingQuestion,
) -> str:
    who = visible(f"{one or 'somebody unnamed'} and {other or 'somebody unnamed'}", newlines=False)
    both = [name for name in by_rater[one] if name in by_rater[other]]
    pairs = [(by_rater[one][name].value, by_rater[other][name].value) for name in both]
    kept = [place for place, pair in enumerate(pairs) if None not in pair]
    if not kept:
        return f"{who}: no item labelled by both yet"
    told = [pairs[place] for place in kept]
    clusters = [items[both[place]].cluster for place in kept]
    rate = agreement_rate(told, clusters=clusters)
    agreed = sum(first == second for first, second in told)
    share = "" if rate is None else f" ({rate.low:.0%} to {rate.high:.0%})"
    kappa = cohen_kappa(told, clusters=clusters, weights="quadratic" if asked.kind == "score" else None)
    rest = (
        "kappa undefined: one answer only"
        if kappa is None
        else f"kappa {kappa.value:.2f} ({kappa.low:.2f} to {kappa.high:.2f})"
    )
    return f"{who}: same label on {agreed} of {len(kept)}{share}, {rest}"
