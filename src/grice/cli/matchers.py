"""`grice matchers`: every matcher that files may name, those of the project too."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output, replacing
from grice.matching.assertions.matcher_info import MatcherInfo, registry
from grice.matching.assertions.registry import find_matcher
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError
from grice.reporting.console import console_for, print_line, print_problem
from grice.running.projects import Projects

__all__ = ["show_matchers"]

_VERSION = 1
_LONGEST_SCHEMA = 500


def show_matchers(names: Sequence[str] = (), *, json: Path | None = None) -> int:
    """List the matchers, or say all of those that are named, and write the same to `json`; the exit code.

    0: shown. 2: a name is none, a module or package with matchers cannot be loaded, or the file cannot be
    written. 141: nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        Projects(Path.cwd()).import_matchers(Path.cwd())
        known = {find_matcher(name).name for name in names}
        shown = [one for one in registry() if not names or one.name in known]
        if json is not None:
            check_output(json, [])
            with replacing(json) as stream:
                stream.write(msgspec.json.encode({"version": _VERSION, "matchers": shown}) + b"\n")
    except (ArgumentError, SettingsError, OSError) as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    width = max(len(one.name) for one in shown) + 2
    for one in shown:
        print_line(console, one.documentation, indent=f"{one.name:<{width}}", hanging=" " * width)
        if names:
            _print_details(console, one, " " * width)
    return NOBODY_READS if console.quiet else PASSED


def _print_details(console: Console, info: MatcherInfo, indent: str) -> None:
    least, most = info.arity
    details = {
        "in Python": f"{info.python_name}, of {info.module}",
        "judges": ", ".join(info.subjects),
        "arity": f"{least} or more" if most is None else str(most) if least == most else f"{least} to {most}",
        "expected": _schema_text(info.expected),
        "options": _schema_text(info.options),
    }
    for name, text in details.items():
        print_line(console, text, indent=f"{indent}{name}: ", hanging=f"{indent}  ")


def _schema_text(schema: dict[str, Any] | None) -> str:
    return "none" if schema is None else json_text(schema, _LONGEST_SCHEMA)
