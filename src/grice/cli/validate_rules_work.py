"""The work of `grice validate rules`: try rules on wording that users wrote as data on their own examples."""

from __future__ import annotations

from grice.checks.phrase_rules.rule import PhraseRule
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.output import print_problems
from grice.cli.shown_document import check_forms, run_showing, show_document
from grice.cli.validate_rules import Command
from grice.files.document import FileError, WholeFileError
from grice.files.phrase_rule_files import RuleErrors, load_rules
from grice.reporting.console import Screen
from grice.reporting.documents.validation import rules_document, rules_json


def show_rules(given: Command) -> int:
    """Show every rule of the files with its examples, and everything that is wrong; the exit code.

    0: every example comes out as it should. 1: one does not, or a rule is malformed. 2: a file cannot be
    read.
    """
    problems: list[FileError] = []
    rules: list[PhraseRule] = []
    for file in given.files:
        try:
            rules += load_rules(file)
        except RuleErrors as error:
            problems += error.errors

    def show(console: Screen, errors: Screen) -> int:
        said = list(map(str, problems))
        check_forms(given, "validation", given.files)
        show_document(given, rules_document(rules, problems), lambda: rules_json(rules, said), console, said)
        print_problems(errors, problems)
        if any(isinstance(one, WholeFileError) for one in problems):
            return UNUSABLE
        return FAILED if problems else PASSED

    return run_showing("rules", show)
