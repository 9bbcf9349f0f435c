"""What judges made of frozen anchors then and now; the same as the body of an issue."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grice.judging.drift import Drift, Level, Scores, Shift, plain, prompt_text, short_hash
from grice.records import Verdict
from grice.reporting.document import (
    Align,
    Answer,
    Code,
    Document,
    Line,
    Note,
    Part,
    Section,
    Table,
    Tone,
    lines,
)
from grice.text import plural, shorten
from grice.validation.drifting.anchors import Anchor

_MEANING = (
    "then, now: the median of all scores of the scenario, in brackets the lowest and the highest; yes is 1, "
    "no is 0. level: a change of 0.3 is info, of 0.5 warning, of 1.0 critical, either way; a drop of 0.5 or "
    "more is an alarm. samples of then: the medians that one sample of each anchor would give."
)
_ADVICE = (
    "Read a few of the anchors above and decide who is right. If the judge got worse, pin its model, take "
    "back the change of prompt or criterion, or measure it anew against people's labels. Calibration cards "
    "of a judge that changed are stale. If it is right now, accept what it says:"
)
_HEADINGS = ("judge", "scenario", "then", "now", "change", "level", "samples of then")
_ALIGN: tuple[Align, ...] = ("left", "left", "right", "right", "right")
_TONES: dict[Level, Tone] = {"steady": "", "info": "warn", "warning": "warn", "critical": "bad"}
_NAMED, _DROPS, _REASONS = 3, 20, 3
_MAX_NAME, _MAX_VALUE = 60, 200


def drift_document(drift: Drift) -> Document:
    """What dropped and how sure that is, what changed about the judges, and the table of all scenarios."""
    dropped = tuple(Line(f"{_name(one)}: {_change(one)}, {_noise_text(one)}", "bad") for one in drift.drops)
    ordered = sorted(drift.shifts, key=lambda one: (not one.dropped, one.delta if one.dropped else 0))
    tones: tuple[Tone, ...] = tuple(
        "bad" if one.dropped else "good" if one.delta > 0 and one.level != "steady" else _TONES[one.level]
        for one in ordered
    )
    table = Table(_HEADINGS, tuple(map(_cells, ordered)), _ALIGN, tones=tones, spare=(6,))
    sections = (
        Section("What dropped", dropped, folded=False, first=_DROPS),
        Section("What changed", tuple(_changes(drift)), folded=False),
        Section("All scenarios", (table, Note(_MEANING, "faint")) if ordered else ()),
    )
    return Document("drift", "", _answer(drift), parts=tuple(filter(None, sections)))


def issue_document(
    drift: Drift,
    anchors: Sequence[Anchor],
    verdicts: Mapping[str, tuple[Verdict, ...]],
    *,
    files: tuple[str, str],
    options: Sequence[str] = (),
) -> Document:
    """The same with all that is needed to decide: what the judges say now, what they are, what to do.

    `files` are the names of the anchors and of the baseline, `options` what the command was given beside.
    """
    whole = drift_document(drift)
    since = f" of {drift.before.created}" if drift.before.created else ""
    words = ("grice", "validate", "drift", files[0], "--baseline", files[1], *options, "--accept")
    sections = (
        Section("What cannot be told", lines(drift.problems), folded=False),
        Section("What the judges say now", tuple(_reasons(drift, anchors, verdicts)), folded=False),
        Section("The judges then and now", (_states(drift),)),
        Section("What to do", (Note(_ADVICE, "faint"), Code(shlex.join(words))), folded=False),
    )
    about = Line(f"Anchors: {files[0]}. Baseline: {files[1]}{since}.")
    return replace(whole, about=(about,), parts=(*whole.parts, *filter(None, sections)))


def _answer(drift: Drift) -> Answer:
    drops = drift.drops
    if not drift.shifts:
        return Answer("It cannot be told whether the judges drifted.", "bad")
    scenarios, rest = plural(len(drift.shifts), "scenario"), _rest(drift)
    if not drops:
        tone: Tone = "warn" if drift.problems else "good"
        return Answer(f"No drift: no drop of 0.5 or more in {scenarios}{rest}.", tone)
    fell = [f"{one.judge} fell by {plain(-one.delta)} on {one.scenario}" for one in drops[:_NAMED]]
    more = [f"{len(drops) - _NAMED} more"] if len(drops) > _NAMED else []
    counts = f"{len(drops)} of {scenarios} dropped by 0.5 or more{rest}."
    return Answer(f"Drift: {', '.join((*fell, *more))}.", "bad", counts)


def _rest(drift: Drift) -> str:
    """What moved less than an alarm, and how many scenarios got too few answers to tell."""
    asked = sum(len(one.scenarios) for one in drift.now.judges.values())
    counts = {
        "rose by 0.3 or more": sum(one.level != "steady" and one.delta > 0 for one in drift.shifts),
        "fell by less than 0.5": sum(one.level == "info" and one.delta < 0 for one in drift.shifts),
        "cannot be told": asked - sum(one.certain for one in drift.shifts),
    }
    return "".join(f"; {count} {words}" for words, count in counts.items() if count)


def _changes(drift: Drift) -> Iterator[Line]:
    """What is not as it was about the judges."""
    for one in drift.changes:
        who, before, now = (shorten(text, _MAX_VALUE) for text in (one.judge, one.before, one.now))
        yield Line(f"Changed: the {one.what} of {who}, {before} -> {now}", "strong")
    if drift.shifts and not drift.changes:
        moved = any(one.level != "steady" for one in drift.shifts)
        why = "; what moved is noise, or another model behind the same name" if moved else ""
        yield Line(f"Same models, prompts and criteria as then{why}.")


def _name(shift: Shift) -> str:
    return f"{shorten(shift.judge, _MAX_VALUE)}, {shorten(shift.scenario, _MAX_VALUE)}"


def _change(shift: Shift) -> str:
    """The change with its sign: -0.5, +1, 0."""
    return f"{'+' if shift.delta > 0 else ''}{plain(shift.delta)}"


def _cells(shift: Shift) -> tuple[str, ...]:
    return (
        shorten(shift.judge, _MAX_NAME),
        shorten(shift.scenario, _MAX_NAME),
        _median(shift.before),
        _median(shift.now),
        _change(shift),
        shift.level if shift.level != "steady" else "",
        _noise(shift.before),
    )


def _median(scores: Scores) -> str:
    given = scores.given
    if scores.median is None:
        return "-"
    low, high = min(given), max(given)
    spread = f" ({plain(low)}-{plain(high)})" if low != high else ""
    missing = f", {scores.missing} missing" if scores.missing else ""
    return f"{plain(scores.median)}{spread}{missing}"


def _noise(scores: Scores) -> str:
    if scores.noise is None:
        return "one only"
    low, high = map(plain, scores.noise)
    return f"{low}-{high}" if low != high else f"all {low}"


def _noise_text(shift: Shift) -> str:
    """Whether the change is more than what the samples of the baseline differed by anyway."""
    if shift.within_noise is None:
        return (
            "the baseline has one sample of an anchor: how far answers vary by themselves is unknown; "
            "accept a baseline with --samples 5"
        )
    spread = _noise(shift.before)
    if shift.within_noise:
        return f"within the spread of the baseline's own samples ({spread}): it may be noise"
    return f"outside the spread of the baseline's own samples ({spread})"


# -- what an issue says beside


def _states(drift: Drift) -> Table:
    """The judges then and now."""
    rows = tuple(
        (name, when, one.model or "unnamed", prompt_text(one), short_hash(one.fingerprint), str(one.samples))
        for name, now in drift.now.judges.items()
        for when, one in (("then", drift.before.judges.get(name)), ("now", now))
        if one is not None
    )
    headings = ("judge", "", "model", "prompt", "criterion", "samples")
    return Table(headings, rows, (*["left"] * 5, "right"))  # type: ignore[arg-type]


def _reasons(
    drift: Drift, anchors: Sequence[Anchor], verdicts: Mapping[str, tuple[Verdict, ...]]
) -> Iterator[Part]:
    """Of each drop what the judge said of a few of its anchors."""
    for drop in drift.drops[:_DROPS]:
        own = [one for one in anchors if (one.judge, one.scenario) == (drop.judge, drop.scenario)]
        for anchor in own[:_REASONS]:
            said = next((one for one in verdicts.get(anchor.item.id, ()) if one.judgement is not None), None)
            if said is not None:
                reply = Line(f"the reply: {' '.join(anchor.item.subject.text.split())}")
                yield Line(f"{drop.judge}, anchor {anchor.item.id}: {said.reason}", under=(reply,))
