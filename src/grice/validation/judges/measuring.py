"""Measure one judge against people's labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from grice.judging.criterion import Criterion
from grice.judging.judge import Judge
from grice.matching.protocols import missing_reason
from grice.records import Verdict
from grice.text import shorten, value_text
from grice.validation.judges.decisions import Decision, Split, answers_by_item, decision_of
from grice.validation.judges.figures import FEW, Biases, Half, biases_of, half_of
from grice.validation.judges.gold_labels import Gold, MixedLabels, People, people_of
from grice.validation.judges.items import Item, Label, LabelValue, reply_key
from grice.validation.judges.judge_calls import QUALITIES, Judged, ask_each, judged_named
from grice.validation.judges.labels import LabelKind, kind_of, of_content
from grice.validation.judges.measurement_input import Material, Unmeasurable
from grice.validation.judges.recorded_answers import CODE, Identity, Recorded, identity_of, recorded_answers
from grice.validation.judges.verdict_log import Answer, AnswerLog, answer_of

_MAX_LISTED = 300
_NO_ITEMS = "what was labelled is not there, so nobody can be asked about it: name its file with --items"
_SHOWN = 5


class JudgeMeasured(msgspec.Struct, frozen=True):
    """How well a judge agrees with people: on held-out items, and apart from them on those for tuning
    (`dev`).

    `cost` sums tokens and milliseconds over all answers. `asked` counts the answers that were asked for now.
    `notes` say what could not be measured, or was left out, and why.
    """

    identity: Identity
    people: People
    split: Split
    held: Half
    dev: Half
    biases: Biases
    decisions: tuple[Decision, ...]
    samples: int = 1
    asked: int = 0
    cost: dict[str, float] = {}
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def broken(self) -> list[Decision]:
        """The items on which the judge gave no answer at all."""
        return [one for one in self.decisions if one.broken]

    @property
    def disagreements(self) -> list[Decision]:
        """The items on which the judge differs from most people, or gave no answer."""
        return [one for one in self.decisions if not one.agrees]


def measure_judge(
    name: str,
    material: Material,
    judge: Judge,
    criteria: Mapping[str, Criterion],
    *,
    samples: int = 1,
    split: Split | None = None,
    model: str = "",
    log: Path | None = None,
    concurrency: int = 20,
    progress: Callable[[int, int], None] | None = None,
) -> JudgeMeasured:
    """Measure how well the judge of that name agrees with people.

    Recorded answers of the same judge are used, and what is missing is asked, if there is an LLM, and
    appended to `log`. `model` picks one of several that the recorded answers are of. `progress` hears how
    many answers of how many are there. Raises UnknownJudge, SeveralJudges, MixedLabels and Unmeasurable.
    """
    judged = _judged(name, criteria, material.answers)
    can_ask = judged is not None and (judged.by_code or not missing_reason(judge.llm))
    now = Identity(name) if judged is None else identity_of(judged, judge)
    recorded = recorded_answers(material.answers, now, can_ask=can_ask, model=model)
    clusters = {one.id: one.cluster or one.id for one in material.items.values()}
    wording = judged.criterion.wording if judged is not None and judged.criterion is not None else ""
    labels, outdated = _current(material.labels, wording)
    labels, shown = _not_shown(labels, material.items, judged)
    people = people_of(labels, gate=now.gate, clusters=clusters)
    answers = list(recorded.answers)
    fresh: list[Answer] = []
    if judged is not None and can_ask:
        if not material.items and not answers:
            raise Unmeasurable(_NO_ITEMS)
        wanted = [one for one in people.gold if one in material.items]
        missing = _missing(judged, wanted, answers, samples)
        fresh = _ask(judge, judged, material.items, missing, log, concurrency, progress)
        answers += fresh
    elif not answers:
        raise Unmeasurable(_why_nobody(name, judge, material.answers, recorded))
    _check_kinds(people, answers, now.gate)
    recorded = msgspec.structs.replace(recorded, notes=(*outdated, *shown, *recorded.notes))
    return _measured(people, material, answers, recorded, split or Split(), clusters, asked=len(fresh))


def _current(labels: Sequence[Label], wording: str) -> tuple[list[Label], list[str]]:
    """The labels that were not given for another wording of the criterion, and a note of the others."""
    kept, others = of_content(labels, wording) if wording else (list(labels), [])
    if not others:
        return kept, []
    note = (
        f"{len(others):,} of {len(labels):,} labels were given for another wording of the criterion: left out"
    )
    if not kept:
        raise Unmeasurable(f"{note}; label the items again (grice label)")
    return kept, [note]


def _not_shown(
    labels: Sequence[Label], items: Mapping[str, Item], judged: Judged | None
) -> tuple[list[Label], list[str]]:
    """The labels of what the judge is not shown as examples of its criterion, and a note of the others.

    A judge that is shown the answer proves nothing.
    """
    criterion = None if judged is None or judged.by_code else judged.criterion
    replies = {reply_key(one.text) for one in (() if criterion is None else criterion.examples)}
    shown = {one.id: one for one in items.values() if reply_key(one.text) in replies}
    kept = [one for one in labels if one.item not in shown]
    if len(kept) == len(labels):
        return kept, []
    return kept, [f"left out, as the judge is shown the same replies as examples: {_name_list(list(shown))}"]


def _judged(name: str, criteria: Mapping[str, Criterion], answers: Sequence[Answer]) -> Judged | None:
    """The judge of that name; None for one that only recorded answers name. Raises UnknownJudge."""
    named = dict.fromkeys(one.judge for one in answers)
    if name not in (*criteria, *QUALITIES) and (name in named or (named and set(named) <= {""})):
        return None
    return judged_named(name, criteria, also=filter(None, named))


def _missing(
    judged: Judged, items: Sequence[str], answers: Sequence[Answer], samples: int
) -> list[tuple[str, int]]:
    """What is not recorded: items, each with the number of a sample."""
    there = {(one.item, one.sample) for one in answers if not one.swapped}
    count = 1 if judged.by_code else samples
    return [(item, number) for item in items for number in range(count) if (item, number) not in there]


def _ask(
    judge: Judge,
    judged: Judged,
    items: Mapping[str, Item],
    missing: Sequence[tuple[str, int]],
    log: Path | None,
    concurrency: int,
    progress: Callable[[int, int], None] | None,
) -> list[Answer]:
    """Ask what is missing; each answer is written down as it comes."""
    if not missing:
        return []
    found: list[Answer] = []
    model = CODE if judge.llm is None else judge.llm.model or judge.llm.name

    with ExitStack() as stack:
        written = stack.enter_context(AnswerLog(log)) if log is not None else None

        def tell(item: Item, number: int, verdict: Verdict) -> None:
            answer = answer_of(judged, item.id, number, verdict, model)
            if judged.by_code:
                answer = msgspec.structs.replace(answer, model=CODE, asked="")
            found.append(answer)
            if written is not None:
                written.append(answer)
            if progress is not None:
                progress(len(found), len(missing))

        asked = [(judged.matcher, items[item], number) for item, number in missing]
        ask_each(judge, asked, concurrency=concurrency, tell=tell)
    places = {one: place for place, one in enumerate(missing)}
    return sorted(found, key=lambda one: places[one.item, one.sample])


def _why_nobody(name: str, judge: Judge, answers: Sequence[Answer], recorded: Recorded) -> str:
    """Why there is nothing to measure, where nobody can be asked and no answer is recorded."""
    from grice.judging.judge import NO_JUDGE

    shown = value_text(name)
    if recorded.notes:
        return "\n".join([f"no recorded verdict of {shown} can be measured", *recorded.notes])
    missing = missing_reason(judge.llm)
    why = NO_JUDGE if missing == "no LLM is configured" else missing
    return f"{why}; or give recorded verdicts with --verdicts" if not answers else f"no verdict of {shown}"


def _check_kinds(people: People, answers: Sequence[Answer], gate: float | None) -> None:
    """Raise MixedLabels where labels and answers cannot be held against one another."""
    kinds: set[LabelKind] = {_kind(one.value, gate) for one in answers if one.value is not None}
    wanted: LabelKind = "yes_no" if people.kind == "score" and gate is not None else people.kind
    if kinds and kinds != {wanted}:
        found = " and ".join(_KIND_WORDS[one] for one in kinds)
        raise MixedLabels(
            f"the labels are {_KIND_WORDS[people.kind]}, and the judge's answers {found}: "
            "they cannot be compared"
        )


def _kind(value: LabelValue, gate: float | None) -> LabelKind:
    return "yes_no" if gate is not None and not isinstance(value, str) else kind_of(value)


_KIND_WORDS: Mapping[LabelKind, str] = {"yes_no": "yes or no", "score": "scores", "choice": "choices"}


def _measured(
    people: People,
    material: Material,
    answers: Sequence[Answer],
    recorded: Recorded,
    split: Split,
    clusters: Mapping[str, str],
    *,
    asked: int,
) -> JudgeMeasured:
    grouped = answers_by_item(answers)

    def decided(gold: Gold) -> Decision:
        item = material.items.get(gold.item)
        return decision_of(
            gold,
            grouped.get(gold.item, ()),
            gate=recorded.identity.gate,
            cluster=clusters.get(gold.item, gold.item),
            split=split,
            text="" if item is None else item.text,
        )

    decisions = tuple(decided(gold) for gold in people.gold.values())
    held = [one for one in decisions if not one.dev]
    lengths = {one.id: len(one.text) for one in material.items.values()}
    counted = [one for one in answers if one.item in people.gold]
    identity, models = _with_model(recorded.identity, counted)
    half, biases = half_of(held), biases_of(held, lengths)
    samples = max((len(one.votes) for one in decisions), default=1)
    notes = [
        *recorded.notes,
        *models,
        *_notes(people, material, half, held, split),
        *(() if identity.model == CODE else biases.notes),
    ]
    return JudgeMeasured(
        identity=identity,
        people=people,
        split=split,
        held=half,
        dev=half_of([one for one in decisions if one.dev]),
        biases=biases,
        decisions=decisions,
        samples=max(samples, 1),
        asked=asked,
        cost=_cost(counted),
        sources=material.sources,
        notes=tuple(dict.fromkeys(filter(None, notes))),
    )


def _with_model(identity: Identity, answers: Sequence[Answer]) -> tuple[Identity, list[str]]:
    """The identity with the model that answered, by its own name, and what is odd in that."""
    models = [one.model for one in answers if one.value is not None and one.model]
    if not models:
        return identity, []
    counts = {one: models.count(one) for one in dict.fromkeys(models)}
    most = max(counts, key=lambda one: counts[one])
    told = shorten(", ".join(f"{one} {count:,}" for one, count in counts.items()), _MAX_LISTED)
    odd = [f"several models answered ({told}): the card is bound to {most}"] if len(counts) > 1 else []
    return msgspec.structs.replace(identity, model=most), odd


def _notes(
    people: People, material: Material, held: Half, decisions: Sequence[Decision], split: Split
) -> list[str]:
    """What a reader of the figures has to know."""
    labelled = {one.item for one in material.labels}
    notes = [held.kappa_note, people.alpha_note]
    if not held.n:
        notes.append(f"{_why_no_figures(people, decisions, split)}: there are no figures")
    elif held.n < FEW:
        notes.append(f"only {held.n} held-out items: the intervals say how little that shows")
    if people.tied:
        notes.append(f"left out, as people are tied: {_name_list(people.tied)}")
    if people.unsure:
        notes.append(f"left out, as nobody could tell: {_name_list(people.unsure)}")
    without = [one for one in material.items if one not in labelled]
    if without:
        notes.append(f"left out, as they have no label: {_name_list(without)}")
    if held.classes:
        notes.append(_about_classes(held.classes))
    return notes


def _why_no_figures(people: People, decisions: Sequence[Decision], split: Split) -> str:
    if not people.gold:
        return "people have decided about no item"
    return f"{'no held-out item has an answer' if decisions else 'no item is held out'} (split {split})"


def _about_classes(classes: Sequence[str]) -> str:
    shown = [value_text(one) for one in classes]
    if len(classes) == 1:
        return f"all answers and labels are {shown[0]}"
    if len(classes) == 2:
        return f"the answers are choices: {shown[0]} stands for pass and {shown[1]} for fail"
    return f"the answers are {len(classes)} choices: there is no rate of passes or fails"


def _name_list(names: Sequence[str]) -> str:
    shown = ", ".join(shorten(value_text(one), 60) for one in names[:_SHOWN])
    return f"{len(names):,} ({shown}{', ...' if len(names) > _SHOWN else ''})"


def _cost(answers: Sequence[Answer]) -> dict[str, float]:
    """The sums over all answers, and how many there are."""
    cost: dict[str, float] = {"answers": len(answers)}
    for name in ("tokens", "latency_ms"):
        known = [value for one in answers if (value := getattr(one, name)) is not None]
        if known:
            cost[name] = sum(known)
    return cost
