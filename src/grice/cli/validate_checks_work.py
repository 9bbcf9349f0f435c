"""The work of `grice validate`: measure checks on labelled examples, and show how often they are right."""

from __future__ import annotations

from pathlib import Path

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import UnknownCheck
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.named_checks import import_matchers, registered
from grice.cli.output import print_problems
from grice.cli.shown_document import check_forms, run_showing, show_document
from grice.cli.validate_checks import Command
from grice.reporting.console import Screen
from grice.reporting.documents.validation import validation_document
from grice.validation import validate_checks
from grice.validation.json_report import validation_json

_PROFILES: dict[str, tuple[Profile, ...]] = {"both": PROFILES, **{one: (one,) for one in PROFILES}}


def show_checks(given: Command) -> int:
    """Measure the checks, print what came out, write it to files; the exit code.

    A name that is a folder, or a file of examples, is the folder.
    """
    name, folder = given.name, given.folder
    if folder is None and name and (Path(name).is_dir() or name.endswith((".json", ".jsonl"))):
        name, folder = "", Path(name)

    def show(console: Screen, errors: Screen) -> int:
        check_forms(given, "validation", [folder] if folder is not None and folder.is_file() else [])
        import_matchers()
        try:
            validation = validate_checks(registered(name), folder, profiles=_PROFILES[given.profile])
        except UnknownCheck as error:
            is_name = folder is None and str(error).startswith("unknown")
            raise UnknownCheck(f"{error}{'; nor is there such a folder' if is_name else ''}") from error
        document = validation_document(validation, each=bool(name))
        problems = list(map(str, validation.problems))
        show_document(given, document, lambda: validation_json(validation), console, problems)
        print_problems(errors, validation.problems)
        if not validation.complete:
            return UNUSABLE
        return PASSED if validation.as_documented else FAILED

    return run_showing("results", show, refused=(UnknownCheck,))
