"""How far judges can be trusted, as a document: criteria on their own examples, a judge against people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.reporting.document import (
    Align,
    Answer,
    Document,
    Line,
    Note,
    Part,
    Section,
    Table,
    Tone,
    labelled,
)
from grice.reporting.figures_text import rate_text
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion, Rate
from grice.text import plural, shorten, value_text
from grice.validation.judges.decisions import Decision
from grice.validation.judges.figures import Half
from grice.validation.judges.items import LabelValue
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import KINDS, CriteriaMeasured, CriterionMeasured, Trial

_CRITERIA = ("criterion", "n", *KINDS, "false", "precision", "missed", "recall", "kappa")
_ALIGN: tuple[Align, ...] = tuple("left" if name == "criterion" else "right" for name in _CRITERIA)

_LEFT_OUT = (
    "Each example was judged by a judge that was shown only the other examples of its criterion",
    "(leave-one-out): one that is shown the answer proves nothing. Code is shown none. good, bad and edge:",
    "how many of these are judged as their author did.",
)
_ALARMS = (
    'An alarm is "does not meet the criterion". false: alarms that are wrong; precision: the share of alarms',
    "that is right; missed: examples that do not meet it and raised none; recall: the share of those that",
    "did. All with 95 % intervals, and - where undefined.",
)
_CRITERIA_NOTES = (" ".join(_LEFT_OUT), " ".join(_ALARMS))
"""What the columns mean, and how examples are judged."""

_MAX_TEXT = 600
_MAX_NAME = 60
_SHOWN = 20


def criteria_document(found: CriteriaMeasured) -> Document:
    """Every example that is judged otherwise than by its author, the table, then the other examples."""
    trials = [(one, trial) for one in found.measured for trial in one.trials]
    wrong = tuple(_trial(one, trial, "bad") for one, trial in trials if not trial.right)
    right = tuple(_trial(one, trial, "good") for one, trial in trials if trial.right)
    ordered = sorted(found.measured, key=lambda one: not (one.wrong or one.broken))
    tones: tuple[Tone, ...] = tuple("bad" if one.wrong or one.broken else "" for one in ordered)
    rows = tuple(map(_criteria_cells, ordered))
    spare = tuple(map(_CRITERIA.index, ("false", "missed", *KINDS)))
    table = Table(_CRITERIA, rows, _ALIGN, tones=tones, spare=spare)
    notes = [f"{one.criterion.name}: {note}" for one in found.measured for note in _notes(one)]
    if found.without:
        notes.append(f"without examples, so not tried: {len(found.without)} ({', '.join(found.without)})")
    meaning = (Note(one, "faint") for one in _CRITERIA_NOTES)
    sections = (
        Section("Judged otherwise", wrong, folded=False, first=_SHOWN),
        Section("By criterion", (table, *meaning) if rows else (), folded=False),
        Section("Judged as by their authors", right, detail=True),
    )
    answer = Answer("Nothing was examined.", "bad")
    if found.measured:
        good = found.all_right and found.complete
        answer = Answer(_criteria_summary(found), "good" if good else "bad", _judges_text(found))
    parts: tuple[Part, ...] = (*map(Note, notes), *filter(None, sections))
    return Document("validation", "", answer, parts=parts)


def judge_document(one: JudgeMeasured) -> Document:
    """The figures of a judge, what to know of them, and the items that most people judge otherwise."""
    apart = one.disagreements
    silent = sum(each.value is None for each in apart)
    share = f"{len(apart) - silent:,} of {len(one.decisions):,} items judged otherwise than by most people"
    count = f"{share}{f', {silent:,} without an answer' if silent else ''}"
    split = (
        f"Held out: the items that count, {one.held.n:,} of them. dev: those on which prompt and criterion "
        f"may be tuned. Which is which follows from the cluster and the key ({one.split}). 95 % intervals."
    )
    figures = Table(("", "held out", "dev"), tuple(_judge_rows(one)))
    others = Table(("", ""), tuple(_other_rows(one)))
    shown = tuple(_decision(each) for each in apart)
    return Document(
        "validation",
        "",
        Answer(f"{_judge_summary(one)}.", "", f"{count}." if apart else ""),
        parts=(
            *map(Note, one.notes),
            Section("Judge and people", (figures, Note(split, "faint")), folded=False),
            Section("People, bias and cost", (others,), folded=False),
            *([Section("Judged otherwise", shown, detail=True)] if shown else []),
        ),
    )


def _notes(one: CriterionMeasured) -> Iterator[str]:
    yield from filter(None, (one.kappa_note, *one.problems))


def _trial(one: CriterionMeasured, trial: Trial, tone: Tone) -> Line:
    return Line(_trial_heading(one, trial), tone, under=_labels(_trial_lines(trial)))


def _decision(one: Decision) -> Line:
    half = "dev" if one.dev else "held out"
    tone: Tone = "warn" if one.value is not None else "bad"
    return Line(f"{one.item}  {half}", tone, under=_labels(_disagreement_lines(one)))


def _labels(told: Iterable[tuple[str, str]]) -> tuple[Line, ...]:
    return tuple(Line(labelled(label, " ".join(text.split()), 8)) for label, text in told)


def _estimate(given: Estimate | Rate | None) -> str:
    """`0.88 (0.73 to 0.95)`, or a dash where nothing is defined."""
    if given is None:
        return "-"
    return f"{_figure(given.value)} ({_figure(given.low)} to {_figure(given.high)})"


def _figure(value: float) -> str:
    shown = f"{value:.2f}"
    return "0.00" if shown == "-0.00" else shown


def _criteria(number: int) -> str:
    return f"{number:,} {'criterion' if number == 1 else 'criteria'}"


# -- criteria


def _criteria_summary(found: CriteriaMeasured) -> str:
    """What came out, in a sentence."""
    trials = [trial for one in found.measured for trial in one.trials]
    right = sum(trial.right for trial in trials)
    tried = f"{_criteria(len(found.measured))} on {plural(len(trials), 'example')}"
    if right == len(trials):
        return f"All examples are judged as their authors did: {tried}."
    broken = sum(len(one.broken) for one in found.measured)
    wrong = len(trials) - right - broken
    told = [f"{plural(wrong, 'example')} judged otherwise"] if wrong else []
    told += [f"{plural(broken, 'example')} without an answer"] if broken else []
    return f"{', '.join(told)}: {tried}."


def _criteria_cells(one: CriterionMeasured) -> tuple[str, ...]:
    """The cells of a row, in the order of its headings."""
    by_kind = [f"{right}/{n}" if n else "-" for right, n in map(one.of_kind, KINDS)]
    return (
        one.criterion.name,
        str(one.n),
        *by_kind,
        str(one.alarms.false_alarms),
        rate_text(one.alarms.precision),
        str(one.alarms.missed),
        rate_text(one.alarms.recall),
        _estimate(one.kappa),
    )


def _judges_text(found: CriteriaMeasured) -> str:
    """Who judged which criteria: `friendly, brief by gpt-4o (prompt criterion v1); long by code`."""
    by: dict[str, list[str]] = {}
    for one in found.measured:
        by.setdefault(_judge_text(one), []).append(one.criterion.name)
    return f"Judged: {'; '.join(f'{_list(names)} by {judge}' for judge, names in by.items())}."


def _list(names: Sequence[str]) -> str:
    return shorten(", ".join(names), _MAX_TEXT)


def _judge_text(one: CriterionMeasured) -> str:
    if one.criterion.by_code:
        return "code"
    who = one.identity
    samples = f", {one.samples} samples" if one.samples > 1 else ""
    return f"{shorten(who.model, _MAX_NAME)} (prompt {who.prompt} v{who.prompt_version}{samples})"


def _trial_heading(one: CriterionMeasured, trial: Trial) -> str:
    """`friendly: bad example 2 of 5`."""
    return f"{one.criterion.name}: {trial.example.kind} example {trial.number} of {one.n}"


def _trial_lines(trial: Trial) -> Iterator[tuple[str, str]]:
    """The lines of a trial, each a label and a text."""
    said = {"pass": "meets it", "fail": "does not meet it"}
    yield "author", f"{said['pass' if trial.example.verdict else 'fail']}: {trial.example.explanation}"
    found = said.get(trial.outcome.value, trial.outcome.value)
    yield "judge", shorten(f"{found}: {trial.reason or 'no reason'}", _MAX_TEXT)
    yield "reply", shorten(trial.example.text, _MAX_TEXT)


# -- a judge


def _judge_summary(one: JudgeMeasured) -> str:
    """What came out, in a sentence."""
    who = one.identity
    named = [shorten(who.model, _MAX_NAME) or "a model that nobody names"]
    if who.prompt:
        version = f" v{who.prompt_version}" if who.prompt_version else ""
        named.append(f"prompt {shorten(who.prompt, _MAX_NAME)}{version}")
    if who.gate is not None:
        named.append(f"at least {who.gate:g} of 5")
    if one.samples > 1:
        named.append(f"{one.samples} samples")
    kappa = f"kappa {_estimate(one.held.kappa)}" if one.held.kappa is not None else "no kappa"
    return f"{shorten(who.judge, _MAX_NAME)} ({', '.join(named)}): {kappa} on {one.held.n:,} held-out items"


def _judge_rows(one: JudgeMeasured) -> Iterator[tuple[str, str, str]]:
    """The rows of the table of a judge."""
    for name, shown in _ROWS:
        cells = shown(one.held), shown(one.dev)
        if cells != ("-", "-"):
            yield name, *cells


def _confusion(half: Half) -> str:
    counts = half.decisions
    if counts == Confusion():
        return "-"
    return (
        f"{counts.true_quiet} right passes, {counts.true_alarms} right fails, "
        f"{counts.missed} wrong passes, {counts.false_alarms} wrong fails"
    )


_ROWS = (
    ("items", lambda half: f"{half.n:,}"),
    ("clusters", lambda half: f"{half.clusters:,}"),
    ("without an answer", lambda half: f"{half.unanswered:,}"),
    ("decisions", _confusion),
    ("base rate (people pass)", lambda half: _estimate(half.base_rate)),
    ("TPR (of these, judge passes)", lambda half: _estimate(half.sensitivity)),
    ("TNR (of the rest, judge fails)", lambda half: _estimate(half.specificity)),
    ("agreement", lambda half: _estimate(half.agreement)),
    ("kappa, judge and people", lambda half: _estimate(half.kappa)),
    ("kappa of scores, quadratic", lambda half: _estimate(half.weighted)),
)


def _other_rows(one: JudgeMeasured) -> Iterator[tuple[str, str]]:
    """What else is known of the judge and of the people, each a label and a text."""
    people, biases = one.people, one.biases
    several = f"{plural(people.overlapping, 'item')} with several labels"
    yield "people", f"{plural(len(people.raters), 'rater')}, {several}"
    yield "Krippendorff's alpha among people", _estimate(people.alpha)
    for rater in people.raters if len(people.raters) > 1 else ():
        name = shorten(value_text(rater.name or "unnamed"), _MAX_NAME)
        yield f"kappa, {name} and the others", f"{_estimate(rater.kappa)}, n {rater.with_others}"
    if biases.self_consistency is not None:
        yield "self-consistency (two answers agree)", _estimate(biases.self_consistency)
    if biases.position is not None:
        yield "position bias (verdict changes with the order)", _estimate(biases.position)
        yield "answers that choose the first place", _estimate(biases.prefers_first)
    if biases.length is not None:
        yield "length bias (longer texts favoured, -2 to 2)", _estimate(biases.length)
    yield "cost", _cost_text(one.cost)


def _cost_text(cost: dict[str, float]) -> str:
    told = [plural(int(cost.get("answers", 0)), "answer")]
    if "tokens" in cost:
        told.append(f"{cost['tokens']:,.0f} tokens")
    if "latency_ms" in cost:
        told.append(f"{cost['latency_ms'] / 1000:,.1f} s of waiting")
    return ", ".join(told)


def _disagreement_lines(one: Decision) -> Iterator[tuple[str, str]]:
    """The lines of a decision that people do not share, each a label and a text."""
    labels = ", ".join(f"{label.rater or 'unnamed'} {_word(label.value)}" for label in one.gold.labels)
    yield "people", f"{_word(one.gold.value)}{f' ({shorten(labels, _MAX_TEXT)})' if labels else ''}"
    for label in one.gold.labels:
        if label.note:
            yield "note", shorten(f"{label.rater or 'unnamed'}: {label.note}", _MAX_TEXT)
    yield "judge", shorten(_said(one), _MAX_TEXT)
    if one.text:
        yield "reply", shorten(one.text, _MAX_TEXT)


def _said(one: Decision) -> str:
    if one.value is None:
        return f"no answer: {one.why}"
    score = f" ({one.score:g} of 5)" if one.score is not None else ""
    votes: Sequence[LabelValue] = one.votes if len(one.votes) > 1 else ()
    told = f" (votes {', '.join(map(_word, votes))})" if votes else ""
    return f"{_word(one.value)}{score}{told}{f': {one.reason}' if one.reason else ''}"


def _word(value: LabelValue | None) -> str:
    if value is None:
        return "could not tell"
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return value_text(value)
