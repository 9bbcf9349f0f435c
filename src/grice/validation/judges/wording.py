"""Measurements of judges in words and figures, for the console and for Markdown alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion, Rate
from grice.text import shorten, value_text
from grice.validation.figures import rate_text
from grice.validation.judges.decisions import Decision
from grice.validation.judges.figures import Half
from grice.validation.judges.items import LabelValue
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import KINDS, CriteriaMeasured, CriterionMeasured, Trial

__all__ = [
    "CRITERIA_HEADINGS",
    "CRITERIA_NOTES",
    "JUDGE_HEADINGS",
    "criteria_cells",
    "criteria_summary",
    "disagreement_lines",
    "estimate_text",
    "judge_rows",
    "judge_summary",
    "judges_text",
    "other_rows",
    "trial_heading",
    "trial_lines",
]

CRITERIA_HEADINGS = ("criterion", "n", *KINDS, "false", "precision", "missed", "recall", "kappa")
"""The columns of a table of criteria."""

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
CRITERIA_NOTES = (" ".join(_LEFT_OUT), " ".join(_ALARMS))
"""What the columns mean, and how examples are judged."""

JUDGE_HEADINGS = ("", "held out", "dev")
"""The columns of a table of one judge: what counts, and beside it what it may have been tuned on."""

_MAX_TEXT = 600
_MAX_NAME = 60


def estimate_text(given: Estimate | Rate | None) -> str:
    """`0.88 (0.73 to 0.95)`, or a dash where nothing is defined."""
    if given is None:
        return "-"
    return f"{_figure(given.value)} ({_figure(given.low)} to {_figure(given.high)})"


def _figure(value: float) -> str:
    shown = f"{value:.2f}"
    return "0.00" if shown == "-0.00" else shown


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return (
        f"{number:,} {noun[:-3]}ia" if noun.endswith("ion") and noun == "criterion" else f"{number:,} {noun}s"
    )


# -- criteria


def criteria_summary(found: CriteriaMeasured) -> str:
    """What came out, in a sentence."""
    trials = [trial for one in found.measured for trial in one.trials]
    right = sum(trial.right for trial in trials)
    tried = f"{_counted(len(found.measured), 'criterion')} on {_counted(len(trials), 'example')}"
    if right == len(trials):
        return f"All examples are judged as their authors did: {tried}."
    broken = sum(len(one.broken) for one in found.measured)
    wrong = len(trials) - right - broken
    told = [f"{_counted(wrong, 'example')} judged otherwise"] if wrong else []
    told += [f"{_counted(broken, 'example')} without an answer"] if broken else []
    return f"{', '.join(told)}: {tried}."


def criteria_cells(one: CriterionMeasured) -> tuple[str, ...]:
    """The cells of a row, in the order of CRITERIA_HEADINGS."""
    by_kind = [f"{right}/{n}" if n else "-" for right, n in map(one.of_kind, KINDS)]
    return (
        one.criterion.name,
        str(one.n),
        *by_kind,
        str(one.alarms.false_alarms),
        rate_text(one.alarms.precision),
        str(one.alarms.missed),
        rate_text(one.alarms.recall),
        estimate_text(one.kappa),
    )


def judges_text(found: CriteriaMeasured) -> str:
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


def trial_heading(one: CriterionMeasured, trial: Trial) -> str:
    """`friendly: bad example 2 of 5`."""
    return f"{one.criterion.name}: {trial.example.kind} example {trial.number} of {one.n}"


def trial_lines(trial: Trial) -> Iterator[tuple[str, str]]:
    """The lines of a trial, each a label and a text."""
    said = {"pass": "meets it", "fail": "does not meet it"}
    yield "author", f"{said['pass' if trial.example.verdict else 'fail']}: {trial.example.explanation}"
    found = said.get(trial.outcome.value, trial.outcome.value)
    yield "judge", shorten(f"{found}: {trial.reason or 'no reason'}", _MAX_TEXT)
    yield "reply", shorten(trial.example.text, _MAX_TEXT)


# -- a judge


def judge_summary(one: JudgeMeasured) -> str:
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
    kappa = f"kappa {estimate_text(one.held.kappa)}" if one.held.kappa is not None else "no kappa"
    return f"{shorten(who.judge, _MAX_NAME)} ({', '.join(named)}): {kappa} on {one.held.n:,} held-out items"


def judge_rows(one: JudgeMeasured) -> Iterator[tuple[str, str, str]]:
    """The rows of the table of a judge, in the order of JUDGE_HEADINGS."""
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
    ("base rate (people pass)", lambda half: estimate_text(half.base_rate)),
    ("TPR (of these, judge passes)", lambda half: estimate_text(half.sensitivity)),
    ("TNR (of the rest, judge fails)", lambda half: estimate_text(half.specificity)),
    ("agreement", lambda half: estimate_text(half.agreement)),
    ("kappa, judge and people", lambda half: estimate_text(half.kappa)),
    ("kappa of scores, quadratic", lambda half: estimate_text(half.weighted)),
)


def other_rows(one: JudgeMeasured) -> Iterator[tuple[str, str]]:
    """What else is known of the judge and of the people, each a label and a text."""
    people, biases = one.people, one.biases
    several = f"{_counted(people.overlapping, 'item')} with several labels"
    yield "people", f"{_counted(len(people.raters), 'rater')}, {several}"
    yield "Krippendorff's alpha among people", estimate_text(people.alpha)
    for rater in people.raters if len(people.raters) > 1 else ():
        name = shorten(value_text(rater.name or "unnamed"), _MAX_NAME)
        yield f"kappa, {name} and the others", f"{estimate_text(rater.kappa)}, n {rater.with_others}"
    if biases.self_consistency is not None:
        yield "self-consistency (two answers agree)", estimate_text(biases.self_consistency)
    if biases.position is not None:
        yield "position bias (verdict changes with the order)", estimate_text(biases.position)
        yield "answers that choose the first place", estimate_text(biases.prefers_first)
    if biases.length is not None:
        yield "length bias (longer texts favoured, -2 to 2)", estimate_text(biases.length)
    yield "cost", _cost_text(one.cost)


def _cost_text(cost: dict[str, float]) -> str:
    told = [_counted(int(cost.get("answers", 0)), "answer")]
    if "tokens" in cost:
        told.append(f"{cost['tokens']:,.0f} tokens")
    if "latency_ms" in cost:
        told.append(f"{cost['latency_ms'] / 1000:,.1f} s of waiting")
    return ", ".join(told)


def disagreement_lines(one: Decision) -> Iterator[tuple[str, str]]:
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
