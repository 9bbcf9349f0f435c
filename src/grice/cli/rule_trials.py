"""`grice validate rules`: try rules on wording that users wrote as data on their own examples."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from grice.checks.phrase_rules.rule import PhraseRule
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.output import print_problems
from grice.files.document import FileError, WholeFileError
from grice.files.phrase_rule_files import RuleErrors, load_rules
from grice.reporting.console import console_for
from grice.reporting.documents.validation import rules_document
from grice.reporting.renderers.terminal import print_document

__all__ = ["show_rules"]


def show_rules(files: Sequence[Path]) -> int:
    """Print every rule of the files with its examples, and everything that is wrong; the exit code.

    0: every example comes out as it should. 1: one does not, or a rule is malformed. 2: a file cannot be
    read.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    problems: list[FileError] = []
    rules: list[PhraseRule] = []
    for file in files:
        try:
            rules += load_rules(file)
        except RuleErrors as error:
            problems += error.errors
    if rules:
        print_document(console, rules_document(rules))
    print_problems(errors, problems)
    if any(isinstance(one, WholeFileError) for one in problems):
        return UNUSABLE
    return FAILED if problems else PASSED
