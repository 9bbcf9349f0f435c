"""The JSON Schemas of files, for editors: each is made from the types that the files are read as."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grice.typed import schemas_of

__all__ = ["KINDS", "schema_of"]

Schema = dict[str, Any]
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: str, matchers: Iterable[str]) -> Schema:
    """The schema of files of the kind, one of KINDS; `matchers` are the names that a suite may have.

    What it allows may still be wrong, such as a bad path. Raises ArgumentError for a name that is no matcher.
    """
    if kind == "suite":
        from grice.files.suite_schema import suite_schema

        return suite_schema(matchers)
    title, types, many = KINDS[kind]
    shapes, definitions = schemas_of(*types())
    one: Schema = shapes[0] if len(shapes) == 1 else {"anyOf": list(shapes)}
    listed: Schema = {"type": "array", "minItems": 1, "items": one}
    whole = {"only": listed, "or": {"if": {"type": "array"}, "then": listed, "else": one}}.get(many, one)
    return {"$schema": _DRAFT, "title": title, **whole, "$defs": definitions}


def _goldens() -> tuple[type, ...]:
    from grice.files.golden_records import ManyTurns, OneTurn

    return OneTurn, ManyTurns


def _scenarios() -> tuple[type, ...]:
    from grice.files.scenario_schema import ScenarioRecord

    return (ScenarioRecord,)


def _graph() -> tuple[type, ...]:
    from grice.files.graph_files import GraphFile

    return (GraphFile,)


def _script() -> tuple[type, ...]:
    from grice.files.stub_scripts import ScriptFile

    return (ScriptFile,)


def _personas() -> tuple[Any, ...]:
    from grice.users.persona import Personas, PersonasFile

    return Personas, PersonasFile


def _rules() -> tuple[Any, ...]:
    from grice.checks.phrase_rules.rule_book import Rules, RulesFile

    return Rules, RulesFile


def _settings() -> tuple[type, ...]:
    from grice.files.settings import SettingsTable

    return (SettingsTable,)


def _suite() -> tuple[type, ...]:
    from grice.files.suite_types import SuiteFile

    return (SuiteFile,)


KINDS: dict[str, tuple[str, Callable[[], tuple[Any, ...]], str]] = {
    "suite": ("A suite of Grice", _suite, "or"),
    "golden": ("Goldens of Grice", _goldens, "or"),
    "scenarios": ("A set of scenarios", _scenarios, "only"),
    "graph": ("A graph of topics", _graph, ""),
    "script": ("A script of grice stub", _script, ""),
    "personas": ("Personas of simulated users", _personas, ""),
    "rules": ("Rules on wording", _rules, ""),
    "settings": ("grice.toml, or [tool.grice] of pyproject.toml", _settings, ""),
}
"""Each kind of file: its title, its types, and whether it may be a list of them (`or`) or is one (`only`)."""
