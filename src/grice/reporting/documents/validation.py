"""How often checks are right on labelled examples: what is not as documented, then the figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grice.checks.profiles import Profile
from grice.identity.redacted_json import redacted_json
from grice.matching.json_text import json_text
from grice.records import Evidence, Outcome, Turn
from grice.records.codec import encode
from grice.reporting.document import (
    Answer,
    Document,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    Words,
    labelled,
    marked_words,
)
from grice.reporting.figures_text import rate_text
from grice.text import plural, shorten, value_text
from grice.text.excerpts import excerpt
from grice.validation.measuring import UNDECIDED, Measurement, Trial, alarm_kappa, attributions, confusion
from grice.validation.validating import EXPECTED, FIXED, MEANINGS, RIGHT, WRONG, Validation, listed

if TYPE_CHECKING:
    from grice.checks.phrase_rules.rule import PhraseRule


HEADINGS = ("rule", "profile", "n", "false", "precision", "missed", "recall", "right", "undecided")
"""The columns of a table of measurements, but for the layer of a rule."""

_ALARM = (
    "An alarm is the outcome fail. false: alarms that are wrong; precision: the share of alarms that is",
    "right. missed: what should fail and does not; recall: the share of it that does fail. Both with their",
    "95 % Wilson interval, and - where undefined.",
)
_COUNTS = (
    "right: how many of the n outcomes, each one of five, are right. undecided: how many are inconclusive,",
    "skipped or error, in brackets how many of these should not be.",
)
NOTES = (" ".join(_ALARM), " ".join(_COUNTS))
"""What the columns mean."""

_CHOSEN = "The examples were chosen to be hard, by the authors of the rules: no sample of any traffic."
_WITH_LAYER = (*HEADINGS, "layer")
_NUMBERS = ("n", "false", "missed", "right", "undecided", "layer")
_SPARE = ("false", "missed", "right", "undecided", "layer")
_SHOWN, _PARTS, _NAMED = 20, 20, 5
_MAX_TEXT, _MAX_SAID, _MAX_WHY = 600, 200, 100
_MAX_ID, _MAX_CELL = 44, 200
_MAX_LINES, _MAX_EARLIER = 8, 5


def validation_document(validation: Validation, *, each: bool = False) -> Document:
    """What is not as documented, the table, and what is known to be wrong.

    With `each` every example has a row, and every rule its confusion.
    """
    measured = [one for one in validation.measurements if one.n]
    wrong = [trial for one in measured for trial in one.mismatches]
    ordered = sorted(measured, key=lambda one: not one.mismatches)
    notes = (*NOTES, _CHOSEN) if validation.shipped else NOTES
    sections = (
        Section("Not as documented", tuple(_trial(one, "bad") for one in wrong), folded=False, first=_SHOWN),
        *(_each_example(measured) if each else ()),
        Section("Measured", (measured_table(ordered, _WITH_LAYER), *_faint(notes)), folded=False),
        *(map(_confusion, measured) if each else ()),
        _known(measured),
    )
    parts: tuple[Part, ...] = tuple(filter(None, sections)) if measured else ()
    return Document("validation", "", _answer(validation, wrong), parts=parts)


def measured_table(measured: Iterable[Measurement], columns: Sequence[str] = HEADINGS) -> Table:
    """A row for each rule and profile."""
    rows, tones = [], []
    for one in measured:
        cells: dict[str, str] = dict(zip(_WITH_LAYER, _figures(one), strict=True))
        rows.append(tuple(cells[name] for name in columns))
        tones.append("bad" if one.mismatches else "")
    return Table(
        tuple(columns),
        tuple(rows),
        tuple("right" if name in _NUMBERS else "left" for name in columns),
        tones=tuple(tones),  # type: ignore[arg-type]
        spare=tuple(columns.index(name) for name in _SPARE if name in columns),
    )


# -- the answer


def _answer(validation: Validation, wrong: Sequence[Trial]) -> Answer:
    if not validation.examples:
        return Answer("Nothing was examined.", "bad")
    rules = len({one.rule for one in validation.measurements if one.n})
    tried = f"{plural(rules, 'rule')} on {plural(validation.examples, 'labelled example')}"
    more = " ".join(_deciding(validation))
    if not wrong:
        return Answer(f"Every outcome is as documented: {tried}.", "good", more)
    counts = Counter(one.example.rule for one in wrong).most_common()
    named = ", ".join(f"{rule} {count}" for rule, count in counts[:_NAMED])
    others = f" and {plural(len(counts) - _NAMED, 'more rule')}" if len(counts) > _NAMED else ""
    count = f"{plural(len(wrong), 'outcome')} {'is' if len(wrong) == 1 else 'are'} not as documented"
    return Answer(f"{count}: {named}{others}.", "bad", f"Tried: {tried}. {more}")


def _deciding(validation: Validation) -> Iterator[str]:
    """Which profiles decided the answer, and which were only measured."""
    decided: list[str] = []
    measured: list[str] = []
    known = 0
    for profile in dict.fromkeys(one.profile for one in validation.measurements):
        trials = [trial for one in validation.measurements if one.profile == profile for trial in one.trials]
        held = [trial for trial in trials if trial.documented is not None]
        if held:
            kept = sum(trial.as_documented for trial in held)
            decided.append(f"{profile} gives {kept:,} of {plural(len(held), 'outcome')} as documented")
            known += sum(trial.as_documented and not trial.is_right for trial in held)
        if len(held) < len(trials):
            hint = "" if held else f" (--profile {profile} makes it decide)"
            measured.append(f"{plural(len(trials) - len(held), 'outcome')} of {profile}{hint}")
    if decided:
        yield f"{', '.join(decided)}."
    if known:
        yield f"Of these {known:,} are known to be wrong, which decides nothing."
    if measured:
        yield f"Only measured: {', '.join(measured)}."
    if validation.left_out:
        yield f"{plural(validation.left_out, 'example')} of other rules left out."


# -- figures


def _figures(one: Measurement) -> tuple[str, ...]:
    counts = [one.undecided[outcome] for outcome in UNDECIDED]
    found, right = sum(held.found for held in counts), sum(held.right for held in counts)
    return (
        one.rule,
        one.profile,
        str(one.n),
        str(one.alarms.false_alarms),
        rate_text(one.precision),
        str(one.alarms.missed),
        rate_text(one.recall),
        str(one.accuracy.successes if one.accuracy is not None else 0),
        f"{found}" if found == right else f"{found} ({found - right})",
        "-" if one.layer is None else str(one.layer),
    )


def _each_example(measured: Sequence[Measurement]) -> Iterator[Section]:
    """A row for every example: pass or fail under each profile, what is right, its name and why."""
    for rule in dict.fromkeys(one.rule for one in measured):
        own = [one for one in measured if one.rule == rule]
        profiles: list[Profile] = [one.profile for one in own]
        found = sorted(listed(own, profiles), key=lambda one: not {WRONG, FIXED} & {*one.results})
        rows = tuple(
            (
                *(_result(result) for result in one.results),
                EXPECTED[one.example.right],
                shorten(one.example.id, _MAX_ID),
                shorten(one.example.why, _MAX_CELL),
            )
            for one in found
        )
        used = {result for one in found for result in one.results}
        meanings = [f"{result}: {meaning}" for result, meaning in MEANINGS.items() if result in used]
        table = Table((*profiles, "expected", "example", "why"), rows)
        yield Section(f"Every example of {rule}", (table, *_faint(meanings)))


def _result(result: str) -> Words:
    tone: Tone = "good" if result == RIGHT else "bad" if result in (WRONG, FIXED) else "warn"
    return (Span(result, tone),)


def _confusion(one: Measurement) -> Section:
    """Kappa, what was found against what is right, and which parts of the rule decided."""
    kappa = alarm_kappa(one)
    said = "kappa undefined: all examples, or all outcomes, are of one class"
    if kappa is not None:
        said = f"kappa {kappa.value:.2f} (95 % {kappa.low:.2f} to {kappa.high:.2f}) of alarm or none"
    counts = confusion(one)
    found = [outcome for outcome in Outcome if any(row[outcome] for row in counts.values())]
    rows = tuple((str(right), *(str(row[outcome]) for outcome in found)) for right, row in counts.items())
    headers = ("right", *(f"found {outcome}" for outcome in found))
    told = [
        f"decided by {part.part}: {part.right} right{f', {part.wrong} wrong' if part.wrong else ''}"
        for part in attributions(one)
    ]
    more = [f"and {len(told) - _PARTS} more, in --json"] if len(told) > _PARTS else []
    table = Table(headers, rows, ("left", *["right"] * len(found)))  # type: ignore[arg-type]
    return Section(f"{one.rule}, {one.profile}: {said}", (table, *_faint([*told[:_PARTS], *more])))


def _known(measured: Sequence[Measurement]) -> Section:
    """How often each profile is wrong as documented, and where."""
    faults = [trial for one in measured for trial in one.faults if trial.as_documented]
    counts = Counter((trial.profile, trial.example.rule) for trial in faults)
    lines = []
    for profile in dict.fromkeys(one for one, _ in counts):
        own = {rule: count for (one, rule), count in counts.items() if one == profile}
        rules = ", ".join(f"{rule} {count}" for rule, count in own.items())
        lines.append(Line(f"wrong by {profile}: {sum(own.values())} ({rules})"))
    trials = [_trial(one, "warn") for one in faults]
    return Section("Known to be wrong", (*lines, *trials), first=len(lines))


def _faint(texts: Iterable[str]) -> Iterator[Note]:
    return (Note(one, "faint") for one in texts)


# -- rules on wording


def rules_json(rules: Sequence[PhraseRule], problems: Sequence[str]) -> bytes:
    """`version`, `kind`, each rule with its examples and what was found in them, and what is wrong."""
    from grice.checks.phrase_rules.rule_book import self_tests

    tried = [
        {
            "id": rule.id,
            "why": rule.why,
            "examples": [
                {"kind": one.kind, "text": one.text, "right": one.right, "found": one.found}
                for one in self_tests([rule])
            ],
        }
        for rule in rules
    ]
    plain = {"version": 1, "kind": "grice.rules", "rules": tried, "problems": problems}
    return msgspec.json.format(redacted_json(encode(plain)), indent=2) + b"\n"


def rules_document(rules: Sequence[PhraseRule], problems: Sequence[object] = ()) -> Document:
    """Every rule with its own examples, all of which come out as they should, and what was found in them."""
    shown = tuple(map(_rule, rules))
    tried = plural(sum(len(one.under) for one in shown), "example")
    said = f"{plural(len(rules), 'rule')}, right on all of {tried}." if rules else "No rule was tried."
    if problems:
        said = f"{plural(len(problems), 'problem')}; {said[0].lower()}{said[1:]}"
    answer = Answer(said, "bad" if problems or not rules else "good")
    return Document("validation", "", answer, parts=shown)


def _rule(rule: PhraseRule) -> Line:
    from grice.checks.phrase_rules.rule_book import self_tests

    tests = []
    for test in self_tests([rule]):
        found = f"  found {', '.join(map(_short, test.found))}" if test.found else ""
        tests.append(Line(f"pass  {test.kind:<4}  {_short(test.text)}{found}"))
    why = f"  {_short(rule.why)}" if rule.why else ""
    return Line((Span(_short(rule.id), "strong"), Span(why)), under=tuple(tests))


def _short(text: str) -> str:
    return shorten(" ".join(text.split()), _MAX_WHY)


# -- one trial, told like a bug report


def _trial(trial: Trial, tone: Tone) -> Line:
    """`openers: openers-title  robust  examples/openers.jsonl:12`, and its trace."""
    example = trial.example
    file, here = Path(example.file), Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    name = f"{example.rule}: " if example.rule else ""
    trace = tuple(Line(labelled(label, said, 10)) for label, said in trial_trace(trial))
    return Line(f"{name}{example.id}  {trial.profile}  {shown}:{example.line}", tone, under=trace)


def trial_trace(trial: Trial) -> Iterator[tuple[str, Words]]:
    """What was expected and why, what was found, and where in the text, as a reader asks for them."""
    example, verdict = trial.example, trial.verdict
    documented = trial.documented or example.right
    why = f", because {_line(example.why)}" if example.why else ""
    if trial.as_documented:
        yield "right", f"{example.right}{why}"
    else:
        right = f" (right is {example.right})" if example.right is not documented else ""
        yield "expected", f"{documented}{right}{why}"
    yield "found", f"{verdict.outcome}: {_line(verdict.reason) or 'no reason'}"
    if example.args:
        yield "args", shorten(json_text(dict(example.args)), _MAX_TEXT)
    yield from _texts(trial)


def _texts(trial: Trial) -> Iterator[tuple[str, Words]]:
    """The judged text with its marks, the data, and what was seen in other turns."""
    example = trial.example
    turns = example.conversation.turns
    judged = turns[-1]
    for turn in turns[-1 - _MAX_EARLIER : -1]:
        said = [f"{who}: {shorten(_line(one), _MAX_SAID)}" for who, one in _said(turn) if one]
        yield f"turn {turn.number}", "  ".join(said) or "nothing was said"
    if judged.user:
        yield "user", _line(judged.user)
    text = example.text if example.subject_kind == "text" else judged.text
    evidence = trial.verdict.evidence
    here = [one for one in evidence if one.turn in (None, judged.number) and one.path is None]
    if text:
        yield "reply", _marked(text, here)
    if judged.data is not None:
        yield "data", shorten(json_text(judged.data), _MAX_TEXT)
    others = [one for one in evidence if one not in here or not _is_span(one, text)]
    for one in others[:_MAX_LINES]:
        place = f"in turn {one.turn}" if one.turn is not None and one.turn != judged.number else "saw"
        path = f"{one.path} " if one.path else ""
        note = f" ({_line(one.note)})" if one.note else ""
        yield place, f"{path}{value_text(one.quote)}{note}"


def _said(turn: Turn) -> tuple[tuple[str, str], ...]:
    data = json_text(turn.data) if turn.data is not None else ""
    return (("user", turn.user), ("reply", turn.text), ("data", data))


def _is_span(one: Evidence, text: str) -> bool:
    return one.start is not None and one.end is not None and 0 <= one.start < one.end <= len(text)


def _marked(text: str, evidence: Sequence[Evidence]) -> Words:
    spans = sorted({(one.start or 0, one.end or 0) for one in evidence if _is_span(one, text)})
    if not spans:
        return _line(text)
    shown, marks = excerpt(text, spans[:_MAX_LINES])
    return marked_words(shown, marks, _line)


def _line(text: str) -> str:
    return shorten(re.sub(r"[\t\n\r]+", " ", text), _MAX_TEXT)
