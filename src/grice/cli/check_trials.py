"""`grice validate`: measure checks on labelled examples, and show how often they are right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import UnknownCheck
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.named_checks import import_matchers, registered
from grice.cli.output import print_problems, print_written
from grice.files.writing import check_output, replacing
from grice.reporting.console import console_for, print_problem
from grice.validation import Validation, validate_checks
from grice.validation.console import print_decision, print_validation

if TYPE_CHECKING:
    from grice.cli.validate_checks import Arguments

__all__ = ["show_checks"]

_PROFILES: dict[str, tuple[Profile, ...]] = {"both": PROFILES, **{one: (one,) for one in PROFILES}}


def show_checks(given: Arguments) -> int:
    """Measure the checks, print what came out, write it to files; the exit code.

    A name that is a folder, or a file of examples, is the folder.
    """
    name, folder = given.name, given.folder
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    if folder is None and name and (Path(name).is_dir() or name.endswith((".json", ".jsonl"))):
        name, folder = "", Path(name)
    outputs = [
        (path, write)
        for path, write in ((given.json, _json), (given.markdown, _markdown))
        if path is not None
    ]
    try:
        for output, _ in outputs:
            _check_output(output, folder)
        import_matchers()
        validation = validate_checks(registered(name), folder, profiles=_PROFILES[given.profile])
        print_validation(console, validation, each=bool(name), verbose=given.verbose)
        for output, write in outputs:
            with replacing(output) as stream:
                stream.write(write(validation))
            print_written(console, output)
    except (UnknownCheck, OSError) as error:
        failed = "" if isinstance(error, UnknownCheck) else "the results cannot be written: "
        either = "; nor is there such a folder" if folder is None and str(error).startswith("unknown") else ""
        print_problem(errors, f"error: {failed}{error}{either}")
        return UNUSABLE
    print_problems(errors, validation.problems)
    if not validation.complete:
        return UNUSABLE
    code = PASSED if validation.as_documented else FAILED
    print_decision(console, validation, code)
    return code


def _check_output(output: Path, folder: Path | None) -> None:
    inputs = [folder] if folder is not None and folder.is_file() else []
    if output.suffix == ".md" and output.is_file():  # Markdown has no version to tell it by
        if output.read_bytes()[:7] not in (b"", b"| rule "):
            raise FileExistsError(f"{output} exists and is no table of Grice: it is not written over")
        return
    check_output(output, inputs)


def _json(validation: Validation) -> bytes:
    from grice.validation.json_report import validation_json

    return validation_json(validation)


def _markdown(validation: Validation) -> bytes:
    from grice.validation.markdown import validation_markdown

    return validation_markdown(validation).encode()
