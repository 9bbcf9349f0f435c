"""Write the results of a journal as rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, select

from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.check_rows import checks_in
from grice.matching.details import shortened
from grice.matching.limits import Limits
from grice.records import Outcome, Result, Verdict
from grice.records.codec import encode
from grice.running.journal.result_selector import Place
from grice.store.columns import escaped, made_id
from grice.store.database import insert_new, insert_rows
from grice.store.limited_texts import details_text
from grice.store.tables import (
    conversations,
    findings,
    test_cases,
    test_results,
    test_suites,
    topic_visits,
    verdicts,
)

_LONGEST_NAME = 500
"""Characters of a name that an index holds; PostgreSQL has a limit on its entries."""
_LONGEST_SUITE = 250
_SUITE_IN_RUN = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,199})\.grice\.json")
_PROMPT_IN_RUN = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,199})\.prompt\.md")
NOTHING_SAID = {"inputs": "{}", "expected_output": "", "output_type": "string", "run_mode": "DEFAULT"}
"""What the row of a case has in PromptKitchen's columns of which only results are known."""

Row = dict[str, Any]


class Owner(NamedTuple):
    """The run, and its project, that results belong to."""

    project: str
    run: str


def add_rows(
    connection: Connection, owner: Owner, found: Iterable[tuple[Result, Place]], limits: Limits
) -> None:
    """Write results, each with its place in the journal, which is its id: so rows are added at the end.

    Raises IntegrityError where there is a result of one of these conversations already.
    """
    batch = _Batch(owner, limits)
    for result, place in found:
        batch.add(result, place)
    _add_cases(connection, batch)
    for table, added in batch.rows.items():
        insert_rows(connection, table, added)


def _add_cases(connection: Connection, batch: _Batch) -> None:
    """Add the cases that are not there yet, and their suites: files and people say more of those that are."""
    known = set(connection.execute(select(test_cases.c.id).where(test_cases.c.id.in_(batch.cases))).scalars())
    cases = [batch.cases[id_] for id_ in sorted(batch.cases.keys() - known)]
    suites = {one["test_suite_id"] for one in cases}
    insert_new(connection, test_suites, [batch.suites[id_] for id_ in sorted(suites)])
    insert_new(connection, test_cases, cases)


def suite_id(project: str, file: str = "") -> str:
    """The id of the suite of a file, or of everything that a project runs."""
    return made_id(project, file or "*")


def suite_in_run_folder(file: str, run: str) -> str:
    """The id of a suite of the tables that was written to a file in the folder of its run; else ""."""
    *_, folder, name = ("", "", *PurePath(file).parts)
    found = _SUITE_IN_RUN.fullmatch(name)
    return found[1] if found is not None and folder == run else ""


def prompt_in_run_folder(file: str, run: str) -> str:
    """The id of a prompt of the tables that was written to a file in the folder of the run; else ""."""
    *_, folder, name = ("", "", *PurePath(file).parts)
    found = _PROMPT_IN_RUN.fullmatch(name)
    return found[1] if found is not None and folder == run else ""


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
        self.rows: dict[Table, list[tuple[Any, ...]]] = {
            one: [] for one in (conversations, test_results, verdicts, topic_visits, findings)
        }

    def add(self, result: Result, place: Place) -> None:
        """Add the rows of a result."""
        attempt = attempt_of(result)
        id_ = made_id(self.owner.run, place[0].removesuffix(".jsonl"), f"{place[1]:09d}")
        self.rows[conversations].append(_conversation(id_, self.owner.run, result, attempt, place))
        if result.outcome is not Outcome.SKIPPED:
            self.rows[test_results].append(self._result(id_, result, attempt))
        self._add_verdicts(id_, result.verdicts, counted=attempt.counted)
        self.rows[topic_visits] += [
            (id_, one.number, escaped(one.topic), one.first, one.last, one.legal) for one in attempt.visits
        ]

    def _result(self, id_: str, result: Result, attempt: Attempt) -> tuple[Any, ...]:
        case = made_id(self.owner.project, result.id)
        suite = suite_in_run_folder(result.file, self.owner.run) or suite_id(self.owner.project, result.file)
        if case not in self.cases:
            self.cases[case] = _case(case, suite, result)
            self.suites[suite] = {
                "id": suite,
                "prompt_id": agent_prompt(self.owner.project),
                "name": shortened(result.file or self.owner.project, _LONGEST_SUITE),
                "project_id": self.owner.project,
                "source_file": result.file,
            }
        turns = result.conversation.turns
        return (
            id_,
            self.owner.run,
            case,
            escaped(turns[-1].text) if turns else "",
            "PASS" if result.outcome is Outcome.PASS else "FAIL",
            details_text(result.verdicts, self.limits),
            result.outcome.value,
            result.counts,
            escaped(attempt.why),
        )

    def _add_verdicts(self, id_: str, given: tuple[Verdict, ...], *, counted: bool) -> None:
        run, rows, found = self.owner.run, self.rows[verdicts], self.rows[findings]
        checks = (one for verdict in given for one in checks_in(verdict))
        for number, (check, verdict) in enumerate(checks, 1):
            name, outcome = check.criterion, check.outcome
            rows.append(
                (
                    id_,
                    number,
                    run,
                    _stored_name(name),
                    _stored_name(check.matcher),
                    check.mode,
                    outcome,
                    verdict.score,
                    verdict.turn,
                    counted,
                )
            )
            if outcome == "fail":
                quote = next((one.quote for one in verdict.evidence if one.quote), "")
                texts = (escaped(verdict.reason), escaped(quote))
                found.append((id_, number, _stored_name(name or check.matcher), verdict.turn, *texts))


@lru_cache(maxsize=4_096)
def _stored_name(text: str) -> str:
    """The name of a criterion or matcher, which thousands of verdicts have."""
    return escaped(name_in_index(text))


def _conversation(id_: str, run: str, result: Result, attempt: Attempt, place: Place) -> tuple[Any, ...]:
    told = len(attempt.tokens) == attempt.turns > 0
    texts = (result.key, result.description, result.set_name, result.fingerprint)
    return (
        id_,
        run,
        escaped(place[0]),
        place[1],
        escaped(result.id),
        result.repeat,
        *map(escaped, texts),
        result.outcome.value,
        result.counts,
        result.failure,
        result.conversation.termination,
        attempt.turns,
        sum(attempt.tokens) if told else None,
        max(attempt.latencies, default=None),
        _stored_name(attempt.persona) if attempt.persona else None,
        encode(attempt).decode(),
        encode(result.conversation).decode(),
    )


def _case(id_: str, suite: str, result: Result) -> Row:
    """The case of a result that no file and nobody wrote yet: only its name is known."""
    return {
        "id": id_,
        "test_suite_id": suite,
        **NOTHING_SAID,
        "name": result.key,
        "source_file": result.file,
    }


def attempts_in(texts: Iterable[str]) -> Iterator[Attempt]:
    """The attempts that `add_rows` wrote."""
    decoder = msgspec.json.Decoder(Attempt)
    return map(decoder.decode, texts)
