"""What saving a case would change of the text of its suite."""

from __future__ import annotations

from difflib import unified_diff
from typing import NamedTuple

from grice.files.suite_code import changed_code_of_scenario
from grice.files.suite_writing import suite_text, yaml_problems
from grice.store import suite_editing
from grice.store.columns import exact_value
from grice.store.database import read_only
from grice.store.suite_rows import assertions_size
from grice.store.suite_saving import ANY, Change, changed_scenarios
from grice.store.suite_workspace import Fields, SuiteWorkspace
from grice.store.suites import Suite, cases_of_suite, document_of


class CaseDifference(NamedTuple):
    """What saving a case changes, as `diff -u` says it, "" for nothing; and the bytes of its hard checks."""

    text: str
    size: int


def difference_of_case(suites: SuiteWorkspace, id_: str, change: Change) -> CaseDifference:
    """What `SuiteSaver.change_case` would change of the text of the suite; nothing is saved.

    Of a suite in no file the text is that of its export.
    """
    suite, case = suites.find_case(id_)
    if suite.source_file is None:
        new = change(case.scenario)
        suites.refuse_code(changed_code_of_scenario, case.scenario, new, suite)
        return _difference_in_tables(suites, suite, id_, new)
    with suites.in_file(suite) as file:
        raw, place = changed_scenarios(suites, file, case, change, ANY)
        checked = suites.checked_case(file, raw, place)
        text = _difference(suite.source_file, file.document.text, checked.text)
        return CaseDifference(text, assertions_size(checked.scenarios[place]))


def _difference_in_tables(suites: SuiteWorkspace, suite: Suite, id_: str, new: Fields) -> CaseDifference:
    with read_only(suites.engine) as connection:
        row = suite_editing.changed_row(connection, id_, new, suites.reading_of_body())
        old = document_of(connection, suite)
        ids = [one.id for one in cases_of_suite(connection, suite.id)]
    said = list(old["scenarios"])
    said[ids.index(id_)] = exact_value(row["content"])
    both = (old, {**old, "scenarios": said})
    as_json = any(map(yaml_problems, both))
    text = _difference(suite.name, *(suite_text(one, as_json=as_json) for one in both))
    return CaseDifference(text, len((row["assertions"] or "").encode()))


def _difference(name: str, before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
    return "".join(f"{one}\n" for one in lines)
