"""The results of a run as a page lists them: filtered, the worst first, a page at a time.

Each filter reads an index, see `tables.INDEXES`; words are looked for in one conversation after the other, so
a search takes only so much time and says how far it came.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Select, func, select

from grice.store.columns import unescaped
from grice.store.tables import conversations, test_results, test_suite_runs, topic_visits, verdicts

RANKS: tuple[str, ...] = ("fail", "error", "inconclusive", "pass", "skipped")
"""Outcomes, the worst first."""
_SEARCH_ROWS = 100
_LOOKED_AT = 10
_SAMPLE = 200
_UNPASSED = ("fail", "error", "inconclusive")

_held, _results, _runs = conversations.c, test_results.c, test_suite_runs.c

Position = tuple[str, str]
"""Behind which result a list goes on: its outcome and its id."""


class ResultFilter(msgspec.Struct, frozen=True):
    """Which results are listed; "" and 0 let all through.

    `criterion` and `matcher` list those where a check of it did not pass, `topic` those that visited it, and
    `slower` those with a turn of so many seconds or more. `words` are all in what was said, in the name, or
    in why it did not pass.
    """

    outcome: str = ""
    failure: str = ""
    criterion: str = ""
    matcher: str = ""
    topic: str = ""
    persona: str = ""
    slower: float = 0
    words: str = ""


class ListedResult(NamedTuple):
    """A result in a list, without its transcript; `case` is the test case that it is of."""

    id: str
    stable_id: str
    key: str
    name: str
    repeat: int
    outcome: str
    counts: bool
    failure: str
    turns: int
    tokens: int | None
    slowest_seconds: float | None
    persona: str
    why: str
    case: str


class ResultPlace(NamedTuple):
    """The place of a conversation's result: the file in the journal of its run, and the line."""

    journal: str
    line: int
    outcome: str


class ResultList(NamedTuple):
    """Some results; the list goes on behind `after`, None at its end.

    `searched` counts the conversations that words were looked for in, where that was not all of them.
    """

    results: list[ListedResult]
    after: Position | None
    searched: int = 0


def list_results(
    connection: Connection,
    run: str,
    wanted: ResultFilter,
    *,
    after: Position | None = None,
    limit: int = 50,
    seconds: float = math.inf,
) -> ResultList:
    """The results of a run that the filter lets through, the worst first, then as they were finished.

    A search for words ends after so many `seconds` of CPU behind the first row.
    """
    found: list[ListedResult] = []
    words = wanted.words.casefold().split()
    begun, searched = math.inf, 0
    sqlite = connection.dialect.name == "sqlite"
    for outcome in _ranks(wanted, after):
        behind = after[1] if after is not None and after[0] == outcome else ""
        while True:
            at_once = _SEARCH_ROWS if words else limit + 1 - len(found)
            rows = connection.execute(
                listed_query(
                    run, outcome, wanted, behind, at_once, with_record=bool(words), sorts_by_byte=sqlite
                )
            )
            read = 0
            for row in rows:
                read += 1
                begun = min(begun, time.thread_time())
                one = ListedResult(*row[: len(ListedResult._fields)])
                if words and not _has(words, one, row.record):
                    behind = one.id
                elif len(found) == limit:
                    last = found[-1]
                    return ResultList(found, (last.outcome, last.id) if not words else (outcome, behind))
                else:
                    found.append(one)
                    behind = one.id
                searched += 1
                if words and time.thread_time() - begun > seconds:
                    return ResultList(found, (outcome, behind), searched)
            if not words or read < at_once:
                break
    return ResultList(found, None)


def _ranks(wanted: ResultFilter, after: Position | None) -> Sequence[str]:
    ranks = [wanted.outcome] if wanted.outcome else list(RANKS)
    return ranks if after is None or after[0] not in ranks else ranks[ranks.index(after[0]) :]


def listed_query(
    run: str,
    outcome: str,
    wanted: ResultFilter,
    behind: str = "",
    limit: int = 50,
    *,
    with_record: bool = False,
    sorts_by_byte: bool = True,
) -> Select[*tuple[Any, ...]]:
    """The statement of `list_results`, for one outcome.

    Where texts sort by their bytes, the visits of a run are a range of ids.
    """
    fields = [getattr(_held, name) for name in ListedResult._fields[:-3]]
    query = (
        select(
            *fields, *(func.coalesce(one, "") for one in (_held.persona, _results.why, _results.test_case_id))
        )
        .outerjoin(test_results, _results.id == _held.id)
        .where(_held.run_id == run, _held.outcome == outcome, _held.id > behind)
        .order_by(_held.id)
        .limit(limit)
    )
    if with_record:
        query = query.add_columns(_held.record)
    if wanted.failure:
        query = query.where(_held.failure == wanted.failure)
    if wanted.persona:
        query = query.where(_held.persona == wanted.persona)
    if wanted.slower:
        query = query.where(_held.slowest_seconds >= wanted.slower)
    of = verdicts.c
    for column, name in ((of.criterion, wanted.criterion), (of.matcher, wanted.matcher)):
        if name:
            query = query.where(
                _held.id.in_(
                    select(of.conversation_id).where(
                        column == name, of.run_id == run, of.outcome.in_(_UNPASSED)
                    )
                )
            )
    if wanted.topic:
        visit = topic_visits.c
        visited = select(visit.conversation_id).where(visit.topic == wanted.topic)
        if sorts_by_byte:  # an id begins with that of its run
            visited = visited.where(visit.conversation_id > f"{run}/", visit.conversation_id < f"{run}0")
        query = query.where(_held.id.in_(visited))
    return query


def count_outcomes(connection: Connection, run: str) -> dict[str, int]:
    """The number of results of a run by outcome, the worst first."""
    query = select(_held.outcome, func.count()).where(_held.run_id == run).group_by(_held.outcome)
    found = {str(outcome): int(number) for outcome, number in connection.execute(query)}
    return {one: found[one] for one in RANKS if one in found}


def personas_in(connection: Connection, run: str, limit: int = 100) -> list[str]:
    """The first personas that were played in a run."""
    query = select(_held.persona).where(_held.run_id == run, _held.persona.is_not(None))
    return list(connection.execute(query.distinct().order_by(_held.persona).limit(limit)).scalars())


def place_of(connection: Connection, run: str, id_: str) -> ResultPlace | None:
    """Where a result of a run stands, None where it has none of that id."""
    query = select(_held.journal, _held.line, _held.outcome).where(_held.id == id_, _held.run_id == run)
    row = connection.execute(query).first()
    return None if row is None else ResultPlace(unescaped(row.journal), row.line, row.outcome)


def neighbours(connection: Connection, run: str, outcome: str, id_: str) -> tuple[str, str]:
    """The results before and behind one, among those of its outcome; "" where there is none."""
    query = select(_held.id).where(_held.run_id == run, _held.outcome == outcome)
    before = query.where(_held.id < id_).order_by(_held.id.desc()).limit(1)
    behind = query.where(_held.id > id_).order_by(_held.id).limit(1)
    return (connection.execute(before).scalar() or "", connection.execute(behind).scalar() or "")


def passes_in(connection: Connection, run: str) -> dict[str, list[bool]]:
    """Whether each attempt that counts in a run passed, by stable id."""
    query = select(_held.stable_id, _held.outcome).where(
        _held.run_id == run, _held.counts, _held.outcome != "skipped"
    )
    found: dict[str, list[bool]] = {}
    for id_, outcome in connection.execute(query):
        found.setdefault(str(id_), []).append(outcome == "pass")
    return found


def run_before(connection: Connection, project: str, run: str) -> str:
    """The last run before a run that has tests in common with it; "" for none.

    A few runs before it are looked at, and for as many tests as show whether they are the same.
    """
    began = select(_runs.run_at).where(_runs.id == run).scalar_subquery()
    earlier = (
        select(_runs.id)
        .where(_runs.project_id == project, _runs.run_at < began, _runs.id != run)
        .order_by(_runs.run_at.desc(), _runs.id)
        .limit(_LOOKED_AT)
    )
    cases = select(_results.test_case_id).where(_results.test_suite_run_id == run, _results.counts)
    own = list(connection.execute(cases.order_by(_results.test_case_id).limit(_SAMPLE)).scalars())
    for other in connection.execute(earlier).scalars() if own else ():
        shared = select(_results.id).where(
            _results.test_suite_run_id == other, _results.test_case_id.in_(own), _results.counts
        )
        if connection.execute(shared.limit(1)).first() is not None:
            return str(other)
    return ""


class _SearchedMessage(msgspec.Struct):
    content: Any = ""


class _SaidTurn(msgspec.Struct):
    messages: list[_SearchedMessage] = []


class _SaidRecord(msgspec.Struct):
    turns: list[_SaidTurn] = []


_DECODER = msgspec.json.Decoder(_SaidRecord)


def _has(words: Sequence[str], one: ListedResult, record: str | None) -> bool:
    """Whether all words are in what was said or in what the list shows."""
    shown = f"{one.key}\n{one.name}\n{one.why}".casefold()
    left = [word for word in words if word not in shown]
    if not left or not record:
        return not left
    low = record.casefold()
    if not all(json.dumps(word, ensure_ascii=False)[1:-1] in low for word in left):
        return False
    said = "\n".join(_texts(_DECODER.decode(record))).casefold()
    return all(word in said for word in left)


def _texts(record: _SaidRecord) -> Iterator[str]:
    for turn in record.turns:
        for message in turn.messages:
            if isinstance(message.content, str):
                yield message.content
