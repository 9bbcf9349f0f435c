"""`grice schema`: the JSON Schemas of files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grice.cli.arguments import Given, argument
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.options import OneOf

KINDS = ("suite", "golden", "scenarios", "graph", "script", "personas", "rules", "map", "settings")


class Command(Given):
    """Print the JSON Schema of a kind of files, for editors.

    That of suites has your own matchers where [tool.grice] matchers names them. Save it beside them and begin
    a suite with: # yaml-language-server: $schema=grice-suite.schema.json

    Exit code 0: printed. 2: a module with matchers or a package cannot be loaded. 141: nobody reads it.
    """

    kind: str = argument(type=OneOf(KINDS), metavar="KIND", help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}.")

    def __call__(self) -> int:
        from grice.cli.output import write_output
        from grice.files.schemas import schema_of
        from grice.files.settings_files import SettingsError
        from grice.matching.assertions.registry import matcher_names
        from grice.matching.matcher import ArgumentError
        from grice.reporting.console import print_problem, screen_for
        from grice.running.projects import Projects

        console = screen_for(sys.stdout)
        try:
            Projects(Path.cwd()).import_matchers(Path.cwd())
            schema = schema_of(self.kind, matcher_names())
            if self.kind == "settings":
                _put_gates(schema)
        except (ArgumentError, SettingsError) as error:
            print_problem(screen_for(sys.stderr), f"error: {error}")
            return UNUSABLE
        write_output(console, json.dumps(schema, indent=2).encode() + b"\n")
        return NOBODY_READS if console.quiet else PASSED


def _put_gates(schema: dict[str, Any]) -> None:
    """Say in the schema of settings which gates there are."""
    from grice.experiments.gates.gate_settings import gates_schema

    shape, definitions = gates_schema()
    schema["$defs"]["SettingsTable"]["properties"]["gates"] = shape
    schema["$defs"] |= definitions
