"""A result of a journal as rows of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, insert

from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.check_rows import checks_in
from grice.matching.details import shortened
from grice.matching.limits import Limits
from grice.records import Outcome, Result, Verdict
from grice.records.codec import encode
from grice.running.journal.result_selector import Place
from grice.store.columns import made_id
from grice.store.database import insert_new
from grice.store.details import details_text
from grice.store.tables import (
    conversations,
    findings,
    test_cases,
    test_results,
    test_suites,
    topic_visits,
    verdicts,
)

__all__ = ["Owner", "add_rows", "agent_prompt", "attempts_in", "name_in_index", "suite_id"]

_LONGEST_NAME = 500
"""Characters of a name that an index holds; PostgreSQL has a limit on its entries."""
_LONGEST_SUITE = 250

Row = dict[str, Any]


class Owner(NamedTuple):
    """Whose results they are: a run of a project."""

    project: str
    run: str


def add_rows(
    connection: Connection, owner: Owner, found: Iterable[tuple[Result, Place]], limits: Limits
) -> None:
    """Write results, each with its place in the journal."""
    batch = _Batch(owner, limits)
    for result, place in found:
        batch.add(result, place)
    for table, rows in ((test_suites, batch.suites), (test_cases, batch.cases)):
        insert_new(connection, table, [rows[key] for key in sorted(rows)])
    for table, added in batch.rows.items():
        if added:
            connection.execute(insert(table), added)


def suite_id(project: str, file: str = "") -> str:
    """The id of the suite of a file, or of everything that a project runs."""
    return made_id(project, file or "*")


def agent_prompt(project: str) -> str:
    """The id of the prompt that stands for the agent of a project, and of its only version."""
    return made_id(project, "agent")


def name_in_index(text: str) -> str:
    """A name as short as an index takes it."""
    return shortened(text, _LONGEST_NAME)


class _Batch:
    """The rows of some results, by table, parents first."""

    def __init__(self, owner: Owner, limits: Limits) -> None:
        self.owner = owner
        self.limits = limits
        self.suites: dict[str, Row] = {}
        self.cases: dict[str, Row] = {}
        self.rows: dict[Table, list[Row]] = {
            one: [] for one in (conversations, test_results, verdicts, topic_visits, findings)
        }

    def add(self, result: Result, place: Place) -> None:
        """Add those of a result."""
        attempt = attempt_of(result)
        id_ = made_id(self.owner.run, result.id, str(result.repeat))
        self.rows[conversations].append(_conversation(id_, self.owner.run, result, attempt, place))
        if result.outcome is not Outcome.SKIPPED:
            self.rows[test_results].append(self._result(id_, result, attempt))
        self._add_verdicts(id_, result.verdicts, counted=attempt.counted)
        self.rows[topic_visits] += [
            {
                "conversation_id": id_,
                "number": one.number,
                "topic": one.topic,
                "first": one.first,
                "last": one.last,
                "legal": one.legal,
            }
            for one in attempt.visits
        ]

    def _result(self, id_: str, result: Result, attempt: Attempt) -> Row:
        case, suite = made_id(self.owner.project, result.id), suite_id(self.owner.project, result.file)
        if case not in self.cases:
            self.cases[case] = _case(case, suite, result)
            self.suites[suite] = {
                "id": suite,
                "prompt_id": agent_prompt(self.owner.project),
                "name": shortened(result.file or self.owner.project, _LONGEST_SUITE),
            }
        turns = result.conversation.turns
        return {
            "id": id_,
            "test_suite_run_id": self.owner.run,
            "test_case_id": case,
            "actual_output": turns[-1].text if turns else "",
            "status": "PASS" if result.outcome is Outcome.PASS else "FAIL",
            "details": details_text(result.verdicts, self.limits),
            "outcome": result.outcome.value,
            "counts": result.counts,
            "why": attempt.why,
        }

    def _add_verdicts(self, id_: str, given: tuple[Verdict, ...], *, counted: bool) -> None:
        run, rows, found = self.owner.run, self.rows[verdicts], self.rows[findings]
        for number, (check, verdict) in enumerate(checks_in(given), 1):
            rows.append(
                {
                    "conversation_id": id_,
                    "number": number,
                    "run_id": run,
                    "criterion": name_in_index(check.criterion),
                    "matcher": check.matcher,
                    "mode": check.mode,
                    "outcome": check.outcome,
                    "score": verdict.score,
                    "turn": verdict.turn,
                    "counted": counted,
                }
            )
            if check.outcome == "fail":
                found.append(
                    {
                        "conversation_id": id_,
                        "number": number,
                        "label": check.criterion or check.matcher,
                        "turn": verdict.turn,
                        "reason": verdict.reason,
                        "quote": next((one.quote for one in verdict.evidence if one.quote), ""),
                    }
                )


def _conversation(id_: str, run: str, result: Result, attempt: Attempt, place: Place) -> Row:
    told = len(attempt.tokens) == attempt.turns > 0
    return {
        "id": id_,
        "run_id": run,
        "journal": place[0],
        "line": place[1],
        "stable_id": result.id,
        "repeat": result.repeat,
        "key": result.key,
        "name": result.description,
        "set_name": result.set_name,
        "fingerprint": result.fingerprint,
        "outcome": result.outcome.value,
        "counts": result.counts,
        "failure": result.failure,
        "termination": result.conversation.termination,
        "turns": attempt.turns,
        "tokens": sum(attempt.tokens) if told else None,
        "slowest_seconds": max(attempt.latencies, default=None),
        "attempt": encode(attempt).decode(),
        "record": encode(result.conversation).decode(),
    }


def _case(id_: str, suite: str, result: Result) -> Row:
    """The case of a result that no file and nobody wrote yet: only its name is known."""
    return {
        "id": id_,
        "test_suite_id": suite,
        "inputs": "{}",
        "expected_output": "",
        "output_type": "string",
        "run_mode": "DEFAULT",
        "name": result.key,
        "source_file": result.file,
    }


def attempts_in(texts: Iterable[str]) -> Iterator[Attempt]:
    """The attempts that `add_rows` wrote."""
    decoder = msgspec.json.Decoder(Attempt)
    return map(decoder.decode, texts)
