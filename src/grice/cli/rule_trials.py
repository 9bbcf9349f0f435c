"""`grice validate rules`: try rules on wording that users wrote as data on their own examples."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from grice.checks.phrase_rules.rule import PhraseRule
from grice.checks.phrase_rules.rule_book import SelfTest, self_tests
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.output import print_problems
from grice.files.document import FileError, WholeFileError
from grice.files.phrase_rule_files import RuleErrors, load_rules
from grice.reporting.console import console_for, print_line
from grice.text import shorten, visible

__all__ = ["show_rules"]

_LONGEST = 100


def show_rules(files: Sequence[Path]) -> int:
    """Print every rule of the files with its examples, and everything that is wrong; the exit code.

    0: every example comes out as it should. 1: one does not, or a rule is malformed. 2: a file cannot be
    read.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    problems: list[FileError] = []
    tried = rules = 0
    for file in files:
        try:
            found = load_rules(file)
        except RuleErrors as error:
            problems += error.errors
            continue
        rules += len(found)
        tried += _print_rules(console, found)
    print_problems(errors, problems)
    if rules:
        print_line(console, f"{_counted(rules, 'rule')}, right on all of {_counted(tried, 'example')}.")
    if any(isinstance(one, WholeFileError) for one in problems):
        return UNUSABLE
    return FAILED if problems else PASSED


def _print_rules(console: Console, rules: Sequence[PhraseRule]) -> int:
    """Each rule and what it found in its examples; how many examples there were."""
    tests: dict[str, list[SelfTest]] = {}
    for test in self_tests(rules):
        tests.setdefault(test.rule, []).append(test)
    for rule in rules:
        why = f"  {_line(rule.why)}" if rule.why else ""
        print_line(console, f"{_line(rule.id)}{why}", style="bold", hanging="  ")
        for test in tests.get(rule.id, ()):
            found = f"  found {', '.join(map(_line, test.found))}" if test.found else ""
            print_line(
                console, f"  pass  {test.kind:<4}  {_line(test.text)}{found}", hanging="              "
            )
    return sum(map(len, tests.values()))


def _line(text: str) -> str:
    return visible(shorten(" ".join(text.split()), _LONGEST), newlines=False)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
