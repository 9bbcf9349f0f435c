"""`grice suite convert` and `grice schema suite`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.text import Text

from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.output import write_output
from grice.files.settings_files import SettingsError
from grice.files.suite_convert import Conversion, converted_suite
from grice.files.suite_files import SuiteErrors
from grice.files.suite_schema import suite_schema
from grice.files.writing import check_output, replacing
from grice.matching.assertions.registry import matcher_names
from grice.matching.matcher import ArgumentError
from grice.reporting.console import console_for, print_problem, print_text
from grice.running.projects import Projects

__all__ = ["convert_suite", "print_suite_schema"]

_JSON = ".json"


def convert_suite(file: Path, *, output: Path | None = None, write: bool = False) -> int:
    """Write the suite with its expected outputs as checks: to stdout, to `output`, or with `write` in place.

    Returns the exit code: 0, also when there was nothing to convert. 2: wrong usage, or a file that cannot be
    read or written. 141: nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    if output is not None and write:
        print_problem(errors, "error: --output and --write exclude each other")
        return UNUSABLE
    if output is not None and (output.suffix.lower() == _JSON) != (file.suffix.lower() == _JSON):
        print_problem(errors, f"error: {output}: the syntax stays as it is: name a {file.suffix} file")
        return UNUSABLE
    try:
        if output is not None:
            check_output(output, [file])
        conversion = converted_suite(file, Projects(Path.cwd()).matcher_modules(file))
        if output is not None or (write and conversion.converted):
            with replacing(output or file) as stream:
                stream.write(conversion.text.encode())
        elif not write:
            write_output(console, conversion.text.encode())
    except (SuiteErrors, SettingsError) as error:
        print_problem(errors, str(error))
        return UNUSABLE
    except OSError as error:
        reason = str(error) if error.strerror is None else f"{output or file}: {error.strerror}"
        print_problem(errors, f"error: the suite cannot be written: {reason}")
        return UNUSABLE
    if console.quiet:
        return NOBODY_READS
    for note in conversion.notes:
        print_text(errors, Text(), note)
    print_text(errors, Text(), f"{file}: {_said(conversion)}")
    return PASSED


def _said(conversion: Conversion) -> str:
    number = conversion.converted
    if not number:
        return "nothing to convert"
    return f"{number:,} expected output{'' if number == 1 else 's'} converted"


def print_suite_schema() -> int:
    """Print the JSON Schema of suite files with the matchers of the project and of packages; the exit code.

    2: a module with matchers or a package cannot be loaded. 141: nobody reads it.
    """
    console = console_for(sys.stdout)
    try:
        Projects(Path.cwd()).import_matchers(Path.cwd())
        schema = suite_schema(matcher_names())
    except (ArgumentError, SettingsError) as error:
        print_problem(console_for(sys.stderr), f"error: {error}")
        return UNUSABLE
    write_output(console, json.dumps(schema, indent=2).encode() + b"\n")
    return NOBODY_READS if console.quiet else PASSED
