"""A run as JSON; rates are not rounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import msgspec

from grice.experiments.aggregation.as_json import counts_json, summary_json
from grice.experiments.aggregation.summary import CheckCount, Summary, summed_by, was_resumed
from grice.experiments.attempts import failure_message, why_not_counted
from grice.experiments.check_rows import check_rows
from grice.matching.assertions.results import assertion_results
from grice.records import Outcome, Result, Verdict, clean_text
from grice.reporting.identity_text import head_json, mixed_text
from grice.reporting.verdict_labels import python_name
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import RunIndex

RUN_REPORT_VERSION = 1

_IN_MEMORY = 8 * 1024 * 1024
"""Of the results of a report; more of them wait in a file."""
_AT_ONCE = 1024 * 1024


def index_json(index: RunIndex) -> tuple[Iterator[bytes], Summary]:
    """The report on a run that is kept, as `run_json` writes it. Raises JournalError."""
    return run_json(
        index.heads,
        index.results(),
        notes=index.notes,
        unfinished=index.unfinished,
        never_begun=index.never_begun,
        damaged=index.damaged,
    )


def run_json(
    heads: Sequence[Experiment],
    results: Iterable[Result],
    *,
    notes: Sequence[str] = (),
    unfinished: Sequence[str] = (),
    never_begun: int | None = None,
    damaged: int = 0,
) -> tuple[Iterator[bytes], Summary]:
    """The report as indented UTF-8 JSON, in parts, and its sums. Rates are from 0 to 1, null of nothing.

    The results are read at once, and wait in a file where they are many: memory does not grow with them.
    `unfinished` names what was begun and not finished, `never_begun` counts what was planned only, `damaged`
    the lines of the journal that cannot be read.
    """
    summary = Summary()
    with ExitStack() as closing:
        scenarios = closing.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        for one in summed_by(summary, results):
            scenarios.write(b",\n" if scenarios.tell() else b"\n")
            text = msgspec.json.format(msgspec.json.encode(_scenario(one)), indent=2)
            scenarios.write(b"    " + text.replace(b"\n", b"\n    "))
        closing.pop_all()  # who writes the parts closes it
    head = heads[-1]
    report = {
        "version": RUN_REPORT_VERSION,
        "mixed": mixed_text(heads),
        "experiment": {**head_json(heads[0]), "resumed": was_resumed(heads)},
        **summary_json(summary, head),
        "unfinished": list(unfinished),
        "never_begun": never_begun,
        "damaged_lines": damaged,
        "notes": list(map(clean_text, notes)),
        "scenario_results": [],
    }
    parts = _parts(msgspec.json.format(msgspec.json.encode(report), indent=2), scenarios)
    return chain((next(parts),), parts), summary  # begun, it closes the file though nobody reads on


def _parts(report: bytes, scenarios: IO[bytes]) -> Iterator[bytes]:
    """The report, the results put into the empty list at its end."""
    start, end = report[: -len(b"]\n}")], report[-len(b"]\n}") :] + b"\n"
    with scenarios:
        filled = scenarios.tell() > 0
        scenarios.seek(0)
        yield start
        while part := scenarios.read(_AT_ONCE):
            yield part
        yield b"\n  " + end if filled else end


def _scenario(result: Result) -> dict[str, Any]:
    """A result; `id` is the scenario's own key, `stable_id` that of the test with this scenario."""
    conversation = result.conversation
    soft = [verdict for verdict in result.verdicts if verdict.mode == "soft"]
    hard = [
        verdict
        for verdict in result.verdicts
        if verdict.mode == "hard" and verdict.outcome is not Outcome.SKIPPED
    ]
    return {
        "id": result.key,
        "stable_id": result.id,
        "name": result.description or result.key,
        "set": result.set_name or None,
        "repeat": result.repeat,
        "fingerprint": result.fingerprint,
        "passed": result.outcome is Outcome.PASS,
        "outcome": result.outcome,
        "counts": result.counts,
        "not_counted_because": None
        if result.counts or result.outcome is Outcome.SKIPPED
        else why_not_counted(result),
        "spoiled": result.spoiled or None,
        "turns": len(conversation.turns),
        "topics_visited": [visit.topic for visit in conversation.visits],
        "termination": conversation.termination,
        "simulations": [_simulation(one) for one in conversation.simulations],
        "failure_type": None if result.failure == "none" else result.failure,
        "failure_message": failure_message(result) or None,
        "duration": result.duration,
        "evaluations": _evaluations(soft),
        "expectations": {
            "total": len(hard),
            "passed": sum(verdict.outcome is Outcome.PASS for verdict in hard),
            "details": [_detail(verdict) for verdict in hard],
        },
        "conduct": [_detail(verdict) for verdict in result.conduct],
        "assertions": msgspec.to_builtins(assertion_results(result.verdicts)[0]),
    }


def _simulation(one: Any) -> dict[str, Any]:
    names = ("user", "termination", "reason", "turns", "goal", "persona")
    return {name: getattr(one, name) for name in names}


def _evaluations(soft: Sequence[Verdict]) -> dict[str, Any]:
    """`total` are those that gave an answer; `rate` is the share of them that passed."""
    count = CheckCount()
    count.outcomes.update(verdict.outcome.value for verdict in soft)
    by_criterion: dict[str, CheckCount] = {}
    for row in check_rows(soft):
        if row.criterion:
            by_criterion.setdefault(row.criterion, CheckCount()).outcomes[row.outcome] += 1
    return {
        "total": count.evaluated,
        "passed": count.passed,
        "rate": count.rate,
        "inconclusive": count.outcomes["inconclusive"],
        "error": count.outcomes["error"],
        "by_criterion": counts_json(by_criterion),
        "details": [_detail(verdict) for verdict in soft],
    }


def _detail(verdict: Verdict) -> dict[str, Any]:
    """What was checked as data, and how it came out; `passed` is true for the outcome pass only.

    Of the word of a test's body the code is for comparing only.
    """
    return {
        "type": python_name(verdict) or None,
        **{name: one for name, one in verdict.detail.items() if verdict.matcher or name != "code"},
        "passed": verdict.outcome is Outcome.PASS,
        "outcome": verdict.outcome,
        "negated": verdict.negated,
        "turn": verdict.turn,
        "visit": verdict.visit,
        "criterion": verdict.criterion or None,
        "score": verdict.score,
        "claim": verdict.claim,
        "reason": verdict.reason,
    }
