"""Suites and cases in the tables: those of files, those that people made there, those of PromptKitchen."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, func, or_, select
from sqlalchemy.sql.elements import ColumnElement

from grice.files.suite_files import suite_name
from grice.files.suite_writing import suite_text, yaml_problems
from grice.records import JsonValue
from grice.store.columns import exact_value, json_value
from grice.store.errors import NoSuchRow, StoreError, SuiteProblems
from grice.store.result_rows import agent_prompt
from grice.store.tables import test_cases, test_suites
from grice.text import did_you_mean
from grice.typed import Problem

_suites, _cases = test_suites.c, test_cases.c
_LAST = 2**31 - 1


class Suite(NamedTuple):
    """A suite. `head` is what it says beside its name and scenarios, `fingerprint` is that of its whole
    content.

    `prompt` is the prompt that it tests, None where its agent is the project's or its own. `source_file` is
    None of one that stands in no file. The fingerprint of a file is that of its bytes.
    """

    id: str
    project: str
    prompt: str | None
    name: str
    source_file: str | None
    fingerprint: str | None
    head: dict[str, JsonValue]


class Case(NamedTuple):
    """A case. `scenario` is what a suite file says of it, `key` the id of that scenario.

    `inputs` and what follows are the same in the form of PromptKitchen's server. A case that only that server
    knows has no `fingerprint`.
    """

    id: str
    suite: str
    key: str
    position: int | None
    source_file: str | None
    source_line: int | None
    fingerprint: str | None
    scenario: dict[str, JsonValue]
    inputs: dict[str, JsonValue]
    expected_output: str
    output_type: str
    run_mode: str
    assertions: list[JsonValue]


def suites_of_project(connection: Connection, project: str) -> list[Suite]:
    """The suites of a project, by name."""
    return _found(connection, _suites.project_id == project)


def suites_of_prompt(connection: Connection, prompt: str) -> list[Suite]:
    """The suites that test a prompt, by name."""
    return [one for one in _found(connection, _suites.prompt_id == prompt) if one.prompt is not None]


def find_suite(connection: Connection, id_: str) -> Suite:
    """The suite of that id. Raises NoSuchRow."""
    for one in _found(connection, _suites.id == id_):
        return one
    raise NoSuchRow(f"{id_}: there is no such suite")


def suite_named(connection: Connection, project: str, name: str) -> Suite:
    """The suite of a project of that id, name or file.

    Raises NoSuchRow, and StoreError where several have the name.
    """
    known = suites_of_project(connection, project)
    found = [one for one in known if one.id == name]
    found = found or [one for one in known if name in (one.name, one.source_file)]
    if not found:
        hint = did_you_mean(name, [one.name for one in known])
        raise NoSuchRow(f"{name}: {project} has no such suite in the database{hint}")
    if len(found) > 1:
        raise StoreError(f"{name}: several suites are called so: {', '.join(one.id for one in found)}")
    return found[0]


def cases_of_suite(connection: Connection, suite: str) -> list[Case]:
    """The cases of a suite, in their order."""
    return _cases_where(connection, _cases.test_suite_id == suite)


def find_case(connection: Connection, id_: str) -> Case:
    """The case of that id. Raises NoSuchRow."""
    for one in _cases_where(connection, _cases.id == id_):
        return one
    raise NoSuchRow(f"{id_}: there is no such case")


def document_of(connection: Connection, suite: Suite) -> dict[str, JsonValue]:
    """The content of a suite as a file has it, with its name."""
    scenarios = [one.scenario for one in cases_of_suite(connection, suite.id)]
    return {**suite.head, "name": suite.name, "scenarios": scenarios}


def suite_file_text(
    connection: Connection, suite: Suite, file: str = "", *, as_json: bool = False, prompt: str = ""
) -> str:
    """The suite as the text of a suite file, YAML unless JSON is wanted; `file` is its name to be.

    `prompt` is the file of the prompt that it tests, where it names another one or none. Raises SuiteProblems
    for what such a file cannot say.
    """
    cases = cases_of_suite(connection, suite.id)
    document = document_of(connection, suite)
    if prompt:
        document["prompt"] = prompt
    if file and suite_name(file) == suite.name:
        del document["name"]
    problems: list[Problem] = []
    if not as_json:
        wrong = yaml_problems(document)
        problems += [one._replace(message=f"{one.message}: write a .grice.json file") for one in wrong]
    if not cases:
        problems.append(Problem(("scenarios",), "it has none, and a suite file has at least one"))
    if problems:
        raise SuiteProblems(problems)
    return suite_text(document, as_json=as_json)


def _found(connection: Connection, condition: ColumnElement[bool]) -> list[Suite]:
    """The suites of which that holds; those that are known from journals only are none."""
    shown = or_(_suites.source_file.is_(None), _suites.fingerprint.is_not(None))
    query = select(test_suites).where(condition, shown).order_by(_suites.name, _suites.id)
    return [
        Suite(
            row.id,
            row.project_id or "",
            None if row.prompt_id == agent_prompt(row.project_id or "") else row.prompt_id,
            row.name,
            row.source_file,
            row.fingerprint,
            exact_value(row.content) if row.content else {},
        )
        for row in connection.execute(query)
    ]


def _cases_where(connection: Connection, condition: ColumnElement[bool]) -> list[Case]:
    is_bare = and_(_cases.content.is_(None), _cases.source_file.is_not(None))
    order = func.coalesce(_cases.position, _LAST), _cases.id
    query = select(test_cases).where(condition, ~is_bare).order_by(*order)
    return [_case(row) for row in connection.execute(query)]


def _case(row: Any) -> Case:
    inputs: Any = json_value(row.inputs) if row.inputs else {}
    assertions: Any = json_value(row.assertions) if row.assertions else []
    return Case(
        row.id,
        row.test_suite_id,
        row.name or row.id,
        row.position,
        row.source_file,
        row.source_line,
        row.fingerprint,
        exact_value(row.content) if row.content else _scenario(row, inputs, assertions),
        inputs,
        row.expected_output,
        row.output_type,
        row.run_mode,
        assertions,
    )


def _scenario(row: Any, inputs: JsonValue, assertions: list[dict[str, JsonValue]]) -> dict[str, JsonValue]:
    """What a suite file says of a case of PromptKitchen: assertions are preferred to the expected output."""
    is_json = row.output_type == "json"
    said: dict[str, JsonValue] = {"id": row.name or row.id}
    if row.run_mode != "DEFAULT":
        said["run_mode"] = row.run_mode
    said["inputs"] = inputs
    if assertions:
        said["expect"] = [{**({"parse": "json"} if is_json else {}), **one} for one in assertions]
    else:
        if is_json:
            said["output_type"] = "json"
        elif row.should_trim_whitespace:
            said["should_trim_whitespace"] = True
        said["expected_output"] = row.expected_output
    return said
