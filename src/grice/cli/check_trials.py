"""`grice validate`: measure checks on labelled examples, and show how often they are right."""

from __future__ import annotations

import sys
from pathlib import Path

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import UnknownCheck
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.named_checks import import_matchers, registered
from grice.cli.output import check_markdown, write_told
from grice.files.writing import check_output
from grice.reporting.console import console_for, print_problem, print_problems
from grice.reporting.documents.validation import validation_document
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document
from grice.text import did_you_mean, value_text
from grice.validation import validate_checks
from grice.validation.json_report import validation_json

__all__ = ["show_checks"]

_PROFILES: dict[str, tuple[Profile, ...]] = {"both": PROFILES, **{one: (one,) for one in PROFILES}}


def show_checks(
    name: str = "",
    folder: Path | None = None,
    *,
    profile: str = "both",
    json: Path | None = None,
    markdown: Path | None = None,
    verbose: bool = False,
) -> int:
    """Measure the checks, print what came out, write it to `json` and `markdown`; the exit code.

    A `name` that is a folder, or a file of examples, is the folder. 0: every outcome is as documented. 1: one
    is not. 2: wrong usage, something cannot be read or written, or nothing was examined.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    if folder is None and name and (Path(name).is_dir() or name.endswith((".json", ".jsonl"))):
        name, folder = "", Path(name)
    try:
        profiles = _profiles(profile)
        inputs = [folder] if folder is not None and folder.is_file() else []
        if json is not None:
            check_output(json, inputs)
        check_markdown(markdown, "validation", inputs)
        import_matchers()
        validation = validate_checks(registered(name), folder, profiles=profiles)
        each = bool(name)
        if validation.examples:
            print_document(console, validation_document(validation, each=each), verbose=verbose)
        write_told(console, json, lambda: validation_json(validation))
        whole = validation_document(validation, each=each, told=False)
        write_told(console, markdown, lambda: document_markdown(whole).encode())
    except (UnknownCheck, OSError) as error:
        failed = "" if isinstance(error, UnknownCheck) else "the results cannot be written: "
        either = "; nor is there such a folder" if folder is None and str(error).startswith("unknown") else ""
        print_problem(errors, f"error: {failed}{error}{either}")
        return UNUSABLE
    print_problems(errors, validation.problems)
    if not validation.complete:
        return UNUSABLE
    return PASSED if validation.as_documented else FAILED


def _profiles(given: str) -> tuple[Profile, ...]:
    """The profiles of the option. Raises UnknownCheck for any other."""
    if given not in _PROFILES:
        hint = did_you_mean(given, _PROFILES)
        raise UnknownCheck(f"--profile is one of {', '.join(_PROFILES)}, found {value_text(given)}{hint}")
    return _PROFILES[given]
