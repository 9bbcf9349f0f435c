"""Write and remove the rows of suites and cases; results that refer to them stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from grice.files.suite_records import SuiteScenario
from grice.identity import fingerprint, stable_id, stable_path
from grice.records import JsonValue
from grice.store.columns import escaped, exact_text, json_text, made_id
from grice.store.database import put_rows
from grice.store.limited_texts import assertions_text
from grice.store.result_rows import NOTHING_SAID, agent_prompt, suite_id
from grice.store.tables import test_cases, test_results, test_suite_runs, test_suites
from grice.typed import Problem

_suites, _cases = test_suites.c, test_cases.c
_AT_ONCE = 500
_LONGEST_NAME = 250

Row = dict[str, Any]


def case_id(project: str, suite: str, key: str) -> str:
    """The id of a case, which the results of its runs have too."""
    return made_id(project, stable_id(stable_path(suite, scenario=key)))


def head_of(document: JsonValue) -> dict[str, JsonValue]:
    """What a suite says beside its name and scenarios."""
    fields: Mapping[str, JsonValue] = document if isinstance(document, dict) else {}
    return {name: one for name, one in fields.items() if name not in ("name", "scenarios")}


def name_problems(name: str) -> list[Problem]:
    """What is wrong with the name of a suite for a database."""
    if len(escaped(name)) <= _LONGEST_NAME:
        return []
    return [Problem(("name",), f"expected at most {_LONGEST_NAME} characters, found {len(name)}")]


def suite_row(
    id_: str,
    project: str,
    name: str,
    head: Mapping[str, JsonValue],
    *,
    file: str | None = None,
    digest: str = "",
    written_from: str | None = None,
    written_at: datetime | None = None,
) -> Row:
    """The row of a suite without a prompt, with its file in a checkout where it has one."""
    return {
        "id": id_,
        "prompt_id": agent_prompt(project),
        "name": name,
        "project_id": project,
        "source_file": file,
        "fingerprint": digest,
        "content": exact_text(head),
        "written_from": written_from,
        "written_at": written_at,
    }


def case_row(suite: Row, scenario: SuiteScenario, position: int) -> Row:
    """The row of a case. Raises StoreError where its hard checks are too large."""
    said: dict[str, Any] = scenario.content
    file, expected = suite["source_file"], said.get("expected_output", "")
    assertions = _assertions(scenario)
    return {
        "id": case_id(suite["project_id"], suite["name"], scenario.id),
        "test_suite_id": suite["id"],
        "inputs": json_text(said.get("inputs", {})),
        "expected_output": expected if isinstance(expected, str) else exact_text(expected),
        "output_type": said.get("output_type", "string"),
        "run_mode": scenario.run_mode,
        "assertions": assertions_text(assertions) if assertions else None,
        "should_trim_whitespace": said.get("should_trim_whitespace"),
        "name": scenario.id,
        "source_file": file,
        "source_line": None if file is None else scenario.line,
        "fingerprint": fingerprint(said),
        "position": position,
        "content": exact_text(said),
    }


def assertions_size(scenario: SuiteScenario) -> int:
    """The bytes of a scenario's hard checks as they are kept, which `max_assertion_json_bytes` limits."""
    return len(json_text(_assertions(scenario)).encode())


def _assertions(scenario: SuiteScenario) -> list[JsonValue]:
    """The hard checks of a scenario as PromptKitchen has them, with the ids that results have."""
    said: Sequence[Any] = scenario.content.get("expect") or ()
    hard = (one for one in scenario.checks if one.mode == "hard")
    return [
        {**one, "id": check.at.id, "path": one.get("path", "$"), "pathMatch": one.get("pathMatch", "ANY")}
        for one, check in zip(said, hard, strict=bool(said))
    ]


def owners_of(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """The suites of the cases that are there, by the id of the case; cases of journals only have none."""
    found: dict[str, str] = {}
    for some in _chunks(ids):
        query = select(_cases.id, _cases.test_suite_id).where(_cases.id.in_(some))
        is_bare = _cases.content.is_(None) & _cases.source_file.is_not(None)
        found.update((str(case), str(suite)) for case, suite in connection.execute(query.where(~is_bare)))
    return found


def write_cases(connection: Connection, suite: Row, cases: Sequence[Row]) -> None:
    """Write a suite with these cases. Cases that journals know join it, with the runs of their suite."""
    put_rows(connection, test_suites, [suite], keep="prompt_id")
    before: set[str] = set()
    for some in _chunks([one["id"] for one in cases]):
        before.update(
            connection.execute(select(_cases.test_suite_id).where(_cases.id.in_(some)).distinct()).scalars()
        )
    put_rows(connection, test_cases, list(cases))
    for id_ in before - {suite["id"]}:
        _take_over(connection, id_, suite)


def _take_over(connection: Connection, before: str, suite: Row) -> None:
    """Give the runs of a suite that lost all its cases to the one that has them now."""
    left = select(_cases.id).where(_cases.test_suite_id == before).limit(1)
    if before == suite_id(suite["project_id"]) or connection.execute(left).first():
        return  # it is that of all that a project runs, or goes on without these cases
    runs = test_suite_runs.c.test_suite_id
    connection.execute(update(test_suite_runs).where(runs == before).values(test_suite_id=suite["id"]))
    connection.execute(delete(test_suites).where(_suites.id == before))


def retire_cases(connection: Connection, ids: Iterable[str]) -> None:
    """Remove cases; the row of one that has results stays in the form that a journal alone makes."""
    bare: Row = {
        **NOTHING_SAID,
        "assertions": None,
        "should_trim_whitespace": None,
        "source_file": func.coalesce(_cases.source_file, ""),
        "source_line": None,
        "fingerprint": None,
        "position": None,
        "content": None,
    }
    results = test_results.c.test_case_id
    for some in _chunks(ids):
        used = set(connection.execute(select(results).where(results.in_(some)).distinct()).scalars())
        connection.execute(update(test_cases).where(_cases.id.in_(used)).values(bare))
        connection.execute(delete(test_cases).where(_cases.id.in_(set(some) - used)))


def retire_suite(connection: Connection, id_: str) -> None:
    """Remove a suite with its cases; its row stays where results or runs refer to it."""
    of_suite = select(_cases.id).where(_cases.test_suite_id == id_)
    retire_cases(connection, list(connection.execute(of_suite).scalars()))
    runs = test_suite_runs.c
    ran = connection.execute(select(runs.id).where(runs.test_suite_id == id_).limit(1)).first()
    if ran or connection.execute(of_suite.limit(1)).first():
        bare = {
            **dict.fromkeys(("fingerprint", "content", "written_from", "written_at")),
            "source_file": func.coalesce(_suites.source_file, ""),
        }
        connection.execute(update(test_suites).where(_suites.id == id_).values(bare))
    else:
        connection.execute(delete(test_suites).where(_suites.id == id_))


def _chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(ids)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
