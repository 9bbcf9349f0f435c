"""A drop as the body of an issue, in Markdown. What agents and judges said stands in code spans."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grice.identity import redact_text
from grice.judging.drift import Drift, JudgeState, Shift, prompt_text, short_hash
from grice.records import Verdict
from grice.text import shorten, visible
from grice.validation.drifting.anchors import Anchor
from grice.validation.drifting.figures import (
    HEADINGS,
    MEANING,
    NUMBERS,
    cells,
    change_text,
    headline,
    noise_text,
    unexplained,
)

__all__ = ["MARK", "issue_body"]

MARK = "<!-- grice drift, version 1 -->"
"""How every such file begins."""

_MAX_ROWS = 200
_MAX_DROPS = 20
_MAX_QUOTE = 300
_MAX_REASON = 500
_REASONS = 3


def issue_body(
    drift: Drift,
    anchors: Sequence[Anchor],
    verdicts: Mapping[str, tuple[Verdict, ...]],
    *,
    files: tuple[str, str],
    options: Sequence[str] = (),
) -> str:
    """The whole issue.

    `files` are the names of the anchors and of the baseline, `options` what the command was given beside.
    """
    since = f" of {_code(drift.before.created)}" if drift.before.created else ""
    parts = [
        MARK,
        f"# Judge drift: {_title(drift)}",
        f"{headline(drift)} Anchors: {_code(files[0])}. Baseline: {_code(files[1])}{since}.",
        "## What dropped",
        *_drops(drift),
        "## What changed",
        "\n".join(_changes(drift)),
        _states(drift),
        "## All scenarios",
        _table(drift.shifts),
        MEANING,
        *_problems(drift.problems),
        "## What the judges say now",
        "\n".join(_reasons(drift, anchors, verdicts)),
        "## What to do",
        _advice(files, options),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(drift: Drift) -> str:
    worst = drift.drops[0]
    more = f" and {len(drift.drops) - 1} more" if len(drift.drops) > 1 else ""
    return f"{_code(worst.judge)} {change_text(worst)} on {_code(worst.scenario)}{more}"


def _drops(drift: Drift) -> Iterator[str]:
    told = [
        f"- {_code(one.judge)}, {_code(one.scenario)}: {change_text(one)} ({one.level}); {noise_text(one)}"
        for one in drift.drops[:_MAX_DROPS]
    ]
    if len(drift.drops) > _MAX_DROPS:
        told.append(f"- and {len(drift.drops) - _MAX_DROPS} more, in the table below")
    yield "\n".join(told)


def _changes(drift: Drift) -> Iterator[str]:
    if not drift.changes:
        yield unexplained(drift)
    for one in drift.changes:
        yield f"- the {one.what} of {_code(one.judge)}: {_code(one.before)}, now {_code(one.now)}"


def _states(drift: Drift) -> str:
    """The judges then and now."""
    rows: list[list[str]] = []
    for name, now in drift.now.judges.items():
        rows += [
            [_cell(name), when, *map(_cell, _state_cells(state))]
            for when, state in (("then", drift.before.judges.get(name)), ("now", now))
            if state is not None
        ]
    headings = ("judge", "", "model", "prompt", "criterion", "samples")
    return _written(headings, rows, ("samples",))


def _state_cells(state: JudgeState) -> tuple[str, ...]:
    return state.model or "unnamed", prompt_text(state), short_hash(state.fingerprint), str(state.samples)


def _table(shifts: Sequence[Shift]) -> str:
    rows = [[_cell(one) for one in cells(shift)] for shift in shifts[:_MAX_ROWS]]
    more = len(shifts) - _MAX_ROWS
    return _written(HEADINGS, rows, NUMBERS) + (f"\n\nand {more} more scenarios" if more > 0 else "")


def _written(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str]) -> str:
    rule = ["---:" if name in numbers else "---" for name in headings]
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, rule, *rows))


def _problems(problems: Sequence[str]) -> list[str]:
    if not problems:
        return []
    return ["## What cannot be told", "\n".join(f"- {_code(one, _MAX_REASON)}" for one in problems)]


def _reasons(
    drift: Drift, anchors: Sequence[Anchor], verdicts: Mapping[str, tuple[Verdict, ...]]
) -> Iterator[str]:
    """Of each drop what the judge said of a few of its anchors."""
    for drop in drift.drops[:_MAX_DROPS]:
        own = [one for one in anchors if (one.judge, one.scenario) == (drop.judge, drop.scenario)]
        for anchor in own[:_REASONS]:
            said = next((one for one in verdicts.get(anchor.item.id, ()) if one.judgement is not None), None)
            if said is None:
                continue
            reply = anchor.item.subject.text
            yield f"- {_code(drop.judge)}, anchor {_code(anchor.item.id)}: {_code(said.reason, _MAX_REASON)}"
            yield f"  - the reply: {_code(reply, _MAX_QUOTE)}"


def _advice(files: tuple[str, str], options: Sequence[str]) -> str:
    words = ["grice", "validate", "drift", files[0], "--baseline", files[1], *options, "--accept"]
    command = shlex.join(words)
    return (
        "Read a few of the anchors above and decide who is right. If the judge got worse, pin its model, "
        "take back the change of prompt or criterion, or measure it anew against people's labels. If it is "
        f"right now, accept what it says: {_code(command, 1000)}. "
        "Calibration cards of a judge that changed are stale."
    )


def _code(text: str, limit: int = 120) -> str:
    """The text as a code span, in which nothing of it is markup, a link or a mention."""
    shown = " ".join(shorten(visible(redact_text(text), newlines=False), limit).split())
    if not shown:
        return "(empty)"
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    room = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{room}{shown}{room}{fence}"


def _cell(text: str) -> str:
    """The same for a cell of a table, where a bar would end it."""
    return _code(text).replace("|", "\\|") if text else ""
