"""Make and change suites and cases that stand in no file.

What is given is what a suite file would say, and is checked as one: SuiteProblems has everything wrong, each
with its place in what was given. Every function works in the transaction of its connection, see
`database.locked`. A suite that stands in a file is changed there: StandsInFile.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, insert, select, update

from grice.files.matcher_modules import MatcherModules
from grice.files.prompt_files import PromptErrors, PromptFile, read_prompt
from grice.files.suite_files import read_suite
from grice.files.suite_records import SuiteScenario
from grice.files.suite_types import SuiteHead
from grice.identity import fingerprint, scenario_key
from grice.judging.criterion import Criterion
from grice.matching.assertions.evaluation import legacy_assertion
from grice.records import JsonValue
from grice.store.columns import exact_text
from grice.store.database import put_rows
from grice.store.errors import StandsInFile, StoreError, SuiteProblems
from grice.store.limited_texts import assertions_text
from grice.store.owners import add_project
from grice.store.prompts import find_prompt
from grice.store.result_rows import agent_prompt
from grice.store.suite_rows import (
    case_id,
    case_row,
    head_of,
    name_problems,
    owners_of,
    retire_cases,
    retire_suite,
    suite_row,
    write_cases,
)
from grice.store.suites import Case, Suite, cases_of_suite, document_of, find_case, find_suite
from grice.store.tables import test_cases, test_suites
from grice.typed import Problem, problems_in

Row = dict[str, Any]


class SuiteReading(NamedTuple):
    """How a suite is read: the criteria by name, None where any will do, and how it imports modules."""

    criteria: Mapping[str, Criterion] | None
    modules: MatcherModules


NO_IMPORTS = SuiteReading(None, MatcherModules(load_module=lambda _: None, load_agent=lambda _: None))
"""What a suite names that others sent is not imported."""


def make_suite(
    connection: Connection,
    project: str,
    value: JsonValue,
    *,
    prompt: str | None = None,
    reading: SuiteReading = NO_IMPORTS,
) -> Suite:
    """Make a suite of the content of a suite file with a `name`; it may have no scenarios yet.

    `prompt` is the id of the prompt that it tests.
    """
    suite, scenarios = _read_whole(
        project, f"suite_{uuid.uuid4().hex[:12]}", value, reading, prompt_text(connection, prompt)
    )
    add_project(connection, project)
    _write_whole(connection, suite, scenarios, ())
    if prompt is not None:
        row = test_suites.c.id == suite["id"]
        connection.execute(update(test_suites).where(row).values(prompt_id=prompt))
    return find_suite(connection, suite["id"])


def change_suite(
    connection: Connection, id_: str, value: JsonValue, reading: SuiteReading = NO_IMPORTS
) -> Suite:
    """Replace what a suite says; its scenarios stay where `value` has none.

    Results follow the name of a suite and the ids of its scenarios: under others their history begins anew.
    """
    before = _own_suite(connection, id_)
    cases = cases_of_suite(connection, id_)
    own = [one for one in cases if one.fingerprint is not None]
    if isinstance(value, dict) and "scenarios" not in value:
        value, cases = {"name": before.name, **value, "scenarios": [one.scenario for one in own]}, own
    suite, scenarios = _read_whole(
        before.project, id_, value, reading, prompt_text(connection, before.prompt)
    )
    _write_whole(connection, suite, scenarios, cases)
    return find_suite(connection, id_)


def copy_suite(connection: Connection, id_: str, name: str) -> Suite:
    """Make a suite under another name that has the same scenarios; it stands in no file."""
    before = find_suite(connection, id_)
    if problems := _wrong_name(name):
        raise SuiteProblems(problems)
    suite = suite_row(f"suite_{uuid.uuid4().hex[:12]}", before.project, name, before.head)
    prompt = connection.execute(select(test_suites.c.prompt_id).where(test_suites.c.id == id_)).scalar_one()
    rows = [_copied(suite, row) for row in _rows_of(connection, id_)]
    refuse_taken(connection, suite, rows)
    connection.execute(insert(test_suites).values({**suite, "prompt_id": prompt}))
    put_rows(connection, test_cases, rows)
    _set_fingerprint(connection, suite["id"])
    return find_suite(connection, suite["id"])


def delete_suite(connection: Connection, id_: str) -> None:
    """Delete a suite with its cases. Their results stay."""
    retire_suite(connection, _own_suite(connection, id_).id)


def make_case(
    connection: Connection,
    suite: str,
    scenario: JsonValue,
    *,
    position: int | None = None,
    reading: SuiteReading = NO_IMPORTS,
) -> Case:
    """Add a scenario to a suite, at the end or at a position from 0. One without an `id` gets one."""
    of = _own_suite(connection, suite)
    row = _read_case(connection, of, scenario, reading)
    _refuse_used(connection, of, row)
    put_rows(connection, test_cases, [row])
    _place(connection, suite, row["id"], position)
    return find_case(connection, row["id"])


def change_case(
    connection: Connection, id_: str, scenario: JsonValue, reading: SuiteReading = NO_IMPORTS
) -> Case:
    """Replace what a case says; it keeps its id where `scenario` gives no other."""
    row = changed_row(connection, id_, scenario, reading)
    put_rows(connection, test_cases, [row])
    if row["id"] != id_:
        retire_cases(connection, [id_])
    _set_fingerprint(connection, row["test_suite_id"])
    return find_case(connection, row["id"])


def changed_row(
    connection: Connection, id_: str, scenario: JsonValue, reading: SuiteReading = NO_IMPORTS
) -> Row:
    """The row of a case with that scenario; nothing is written."""
    before = find_case(connection, id_)
    of = _own_suite(connection, before.suite)
    row = _read_case(connection, of, _with_id(scenario, before.key), reading)
    if before.fingerprint is None:
        row["id"] = id_  # that which PromptKitchen's server gave it
    _refuse_used(connection, of, row, but=id_)
    row["position"] = before.position
    return row


def copy_case(connection: Connection, id_: str, suite: str | None = None) -> Case:
    """Add the same scenario to its own suite or another one, under an id that is free there."""
    case = find_case(connection, id_)
    target = suite or case.suite
    used = {one.key for one in cases_of_suite(connection, target)}
    return make_case(connection, target, {**case.scenario, "id": free_key(case.key, used)})


def free_key(key: str, used: Collection[str]) -> str:
    """The key, with a number behind it where it is in use."""
    numbered = (f"{key}-{number}" for number in range(2, len(used) + 3))
    return key if key not in used else next(one for one in numbered if one not in used)


def move_case(
    connection: Connection, id_: str, suite: str | None = None, *, position: int | None = None
) -> Case:
    """Put a case at another position of its suite, or into another suite, at the end where none is given."""
    case = find_case(connection, id_)
    of = _own_suite(connection, case.suite)
    if suite is None or suite == of.id:
        _place(connection, of.id, id_, position)
        return find_case(connection, id_)
    moved = make_case(connection, suite, _with_id(case.scenario, case.key), position=position)
    delete_case(connection, id_)
    return moved


def delete_case(connection: Connection, id_: str) -> None:
    """Delete a case. Its results stay."""
    case = find_case(connection, id_)
    of = _own_suite(connection, case.suite)
    retire_cases(connection, [id_])
    _set_fingerprint(connection, of.id)


def deleted_rows(connection: Connection, suite: str, case: str | None = None) -> tuple[Row, list[Row]]:
    """The rows of a suite and of its cases, or of one of them, to keep before a deletion."""
    of = connection.execute(select(test_suites).where(test_suites.c.id == suite)).mappings().one()
    return dict(of), [one for one in _rows_of(connection, suite) if case in (None, one["id"])]


def put_back_case(connection: Connection, row: Row) -> Case:
    """Put a deleted case back at its place. Raises SuiteProblems where another one has its id."""
    of = _own_suite(connection, row["test_suite_id"])
    if row["fingerprint"] is not None:  # the suite may have another name by now
        row = {**row, "id": case_id(of.project, of.name, row["name"])}
    _refuse_used(connection, of, row)
    put_rows(connection, test_cases, [row])
    _place(connection, of.id, row["id"], row["position"])
    return find_case(connection, row["id"])


def put_back_suite(connection: Connection, suite: Row, cases: Sequence[Row]) -> Suite:
    """Put a deleted suite back, with its cases.

    Raises SuiteProblems where another one has one of them, and NoSuchRow where its prompt was deleted.
    """
    find_prompt(connection, suite["prompt_id"])
    refuse_taken(connection, suite, cases)
    put_rows(connection, test_suites, [suite])
    put_rows(connection, test_cases, list(cases))
    return find_suite(connection, suite["id"])


def migrate_case(connection: Connection, id_: str) -> list[JsonValue]:
    """Replace the expected output of a case by one assertion, `toEqual` at `$`; the assertions it has now.

    Raises StoreError where it has assertions already, or one would judge differently.
    """
    case = find_case(connection, id_)
    of = _own_suite(connection, case.suite)
    if case.assertions:
        raise StoreError(f"{id_}: it has assertions already")
    if case.scenario.get("should_trim_whitespace"):
        raise StoreError(f"{id_}: it leaves out white space, which toEqual does not")
    if case.fingerprint is not None and "expected_output" not in case.scenario:
        raise StoreError(f"{id_}: it has no expected output")
    kind: Any = case.output_type
    assertion = legacy_assertion(case.expected_output, kind)
    made: list[JsonValue] = [{**msgspec.to_builtins(assertion), "path": "$", "pathMatch": "ANY"}]
    values: Row = {"assertions": assertions_text(made)}
    if case.fingerprint is not None:
        parse = {"parse": "json"} if kind == "json" else {}
        left = ("expected_output", "output_type", "should_trim_whitespace", "expect")
        said = {name: one for name, one in case.scenario.items() if name not in left}
        said["expect"] = [{**made[0], **parse}]
        said["id"] = case.key
        values |= {"content": exact_text(said), "fingerprint": fingerprint(said)}
    connection.execute(update(test_cases).where(test_cases.c.id == id_).values(values))
    _set_fingerprint(connection, of.id)
    return made


def _own_suite(connection: Connection, id_: str) -> Suite:
    """The suite, which stands in no file."""
    found = find_suite(connection, id_)
    if found.source_file is not None:
        raise StandsInFile(f"{found.name}: it stands in {found.source_file}: change it there")
    return found


def prompt_text(connection: Connection, prompt: str | None) -> PromptFile | None:
    """The latest text of the prompt of that id, None of what stands for an agent.

    Raises NoSuchRow, and SuiteProblems for a text that is no prompt.
    """
    if prompt is None:
        return None
    row = find_prompt(connection, prompt)
    if row.id == agent_prompt(row.project):
        return None
    try:
        return read_prompt(row.text, row.name)
    except PromptErrors as error:
        raise SuiteProblems([Problem(("prompt",), str(one)) for one in error.errors]) from error


def _read_whole(
    project: str,
    id_: str,
    value: JsonValue,
    reading: SuiteReading,
    prompt: PromptFile | None,
) -> tuple[Row, list[SuiteScenario]]:
    """The row and the scenarios of a suite that is right."""
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    head = {name: one for name, one in fields.items() if name != "scenarios"}
    scenarios: list[SuiteScenario] = []
    if not isinstance(value, dict) or fields.get("scenarios", []) != []:
        scenarios, problems = read_suite(value, "", *reading, prompt)
    else:
        problems = problems_in(head, SuiteHead)
    if not any("name" in (*one.path, one.key) for one in problems):
        problems += _wrong_name(fields.get("name", ""))
    if problems:
        raise SuiteProblems(problems)
    return suite_row(id_, project, head["name"], head_of(head)), scenarios


def _wrong_name(name: str) -> list[Problem]:
    if not name.strip():
        return [Problem(("name",), "expected a name, a text that is not empty")]
    return name_problems(name)


def _write_whole(
    connection: Connection, suite: Row, scenarios: Sequence[SuiteScenario], before: Sequence[Case]
) -> None:
    """Write a suite in place of these cases."""
    rows = [case_row(suite, one, position) for position, one in enumerate(scenarios)]
    refuse_taken(connection, suite, rows)
    retire_cases(connection, {one.id for one in before} - {one["id"] for one in rows})
    write_cases(connection, suite, rows)
    _set_fingerprint(connection, suite["id"])


def _read_case(connection: Connection, suite: Suite, scenario: JsonValue, reading: SuiteReading) -> Row:
    """The row of a scenario that is right in the suite."""
    if isinstance(scenario, dict) and "id" not in scenario:
        scenario = {"id": new_key(scenario), **scenario}
    whole = {**suite.head, "name": suite.name, "scenarios": [scenario]}
    found, problems = read_suite(whole, suite.name, *reading, prompt_text(connection, suite.prompt))
    start = ("scenarios", 0)
    of_case = [one._replace(path=one.path[2:]) for one in problems if one.path[:2] == start]
    if problems:
        raise SuiteProblems(of_case or problems)
    row = suite_row(suite.id, suite.project, suite.name, suite.head)
    return case_row(row, found[0], 0)


def new_key(scenario: dict[str, JsonValue]) -> str:
    """The id of a scenario that has none: it stays when the scenario changes."""
    try:
        json.dumps(scenario, allow_nan=False)
        return scenario_key(scenario)
    except (TypeError, ValueError, RecursionError):
        return "scenario"  # it is told as wrong


def _with_id(scenario: JsonValue, key: str) -> JsonValue:
    return {"id": key, **scenario} if isinstance(scenario, dict) else scenario


def _refuse_used(connection: Connection, suite: Suite, row: Row, but: str = "") -> None:
    """Raise SuiteProblems where the suite, or another one of its name, has a case of that id."""
    others = [one for one in cases_of_suite(connection, suite.id) if one.id != but]
    if any(one.key == row["name"] for one in others):
        raise SuiteProblems([Problem(("id",), f"the id {row['name']!r} is used already in this suite")])
    if row["id"] != but:
        refuse_taken(connection, {"id": suite.id, "name": suite.name}, [row])


def refuse_taken(connection: Connection, suite: Row, rows: Sequence[Row]) -> None:
    """Raise SuiteProblems where another suite of the same name has one of the cases."""
    owners = owners_of(connection, [one["id"] for one in rows])
    for row in rows:
        owner = owners.get(row["id"])
        if owner is not None and owner != suite["id"]:
            found = find_suite(connection, owner)
            where = f"in {found.source_file}" if found.source_file is not None else f"as {owner}"
            told = f"another suite {suite['name']!r} stands {where} and has the id {row['name']!r} too"
            raise SuiteProblems([Problem(("name",), f"{told}: choose another name")])


def _place(connection: Connection, suite: str, id_: str, position: int | None) -> None:
    """Number the cases of a suite, with one of them at a position, at the end where it is None."""
    ids = [one.id for one in cases_of_suite(connection, suite) if one.id != id_]
    ids.insert(len(ids) if position is None else max(position, 0), id_)
    for number, one in enumerate(ids):
        row = test_cases.c.id == one
        connection.execute(update(test_cases).where(row).values(position=number))
    _set_fingerprint(connection, suite)


def _set_fingerprint(connection: Connection, suite: str) -> None:
    found = find_suite(connection, suite)
    row, digest = test_suites.c.id == suite, fingerprint(document_of(connection, found))
    connection.execute(update(test_suites).where(row).values(fingerprint=digest))


def _rows_of(connection: Connection, suite: str) -> list[Row]:
    ids = [one.id for one in cases_of_suite(connection, suite)]
    query = select(test_cases).where(test_cases.c.id.in_(ids))
    return [dict(row) for row in connection.execute(query).mappings()]


def _copied(suite: Row, row: Row) -> Row:
    """The row of a case as another suite has it."""
    key = row["name"] or row["id"]
    id_ = case_id(suite["project_id"], suite["name"], key)
    return {
        **row,
        "id": id_,
        "test_suite_id": suite["id"],
        "name": key,
        "source_file": None,
        "source_line": None,
    }
