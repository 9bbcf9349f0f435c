"""What `grice matchers` shows: a line for each matcher, or all that is known of those that are named."""

from __future__ import annotations

import sys
from inspect import Parameter
from pathlib import Path
from typing import Any

import msgspec
import yaml

from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.matchers import Command
from grice.files.check_example import example_of
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.matching.assertions.registry import MatcherInfo, find_matcher, registry
from grice.matching.json_text import json_text
from grice.matching.matcher import ArgumentError, MatcherFactory
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.projects import Projects
from grice.user_files import replacing

_VERSION = 1
_LONGEST_SCHEMA = 500
_PLACES = {
    "Reply": "reply",
    "Conversation": "conversation",
    "Turn": "turn",
    "Exchange": "conversation.exchanges[-1]",
    "str": "reply.text",
    "float": "reply.data, path='$.name'",
}
"""How a test gets at a subject, by the type that a matcher judges; the first counts."""


def show_matchers(given: Command) -> int:
    """List the matchers, or say all of those that are named, and write the same to a file; the exit code."""
    names, json = given.names, given.json
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
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


def _print_details(console: Screen, info: MatcherInfo, indent: str) -> None:
    least, most = info.arity
    factory = find_matcher(info.name)
    parameters = [_parameter_text(one) for one in factory.parameters.values()]
    details = {
        "in Python": f"{info.python_name}, of {info.module}",
        "judges": ", ".join(info.subjects),
        "arity": f"{least} or more" if most is None else str(most) if least == most else f"{least} to {most}",
        "arguments": "; ".join(parameters) or "none",
        "expected": _schema_text(info.expected),
        "options": _schema_text(info.options),
        "in a file": file_form(factory),
        "in a test": python_form(info),
    }
    for name, text in details.items():
        print_line(console, text, indent=f"{indent}{name}: ", hanging=f"{indent}  ")


def file_form(factory: MatcherFactory[Any, Any]) -> str:
    """An example of the matcher as a suite has it: `- {matcher: toHaveTurnCount, expected: 1}`."""
    return f"- {_yaml_text(example_of(factory))}"


def python_form(info: MatcherInfo) -> str:
    """The matcher as a test calls it, with its defaults: `expect(reply).to_contain(expected, after=None)`."""
    place = next((place for name, place in _PLACES.items() if name in info.subjects), "reply.data")
    calls = map(_call_text, find_matcher(info.name).parameters.values())
    return f"expect({place}).to_{info.python_name}({', '.join(calls)})"


def _schema_text(schema: dict[str, Any] | None) -> str:
    return "none" if schema is None else json_text(schema, _LONGEST_SCHEMA)


def _parameter_text(parameter: Parameter) -> str:
    """A parameter with its annotation and default, as its author wrote them: `digits: Digits = 2`."""
    return str(parameter).replace("'", "", 2) if isinstance(parameter.annotation, str) else str(parameter)


def _call_text(parameter: Parameter) -> str:
    """A parameter as a call shows it: `value`, `*texts`, `digits=2`."""
    return str(parameter.replace(annotation=Parameter.empty))


def _yaml_text(value: object) -> str:
    return yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000).strip()
