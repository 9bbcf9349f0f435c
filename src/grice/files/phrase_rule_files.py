"""Rules on wording in files: YAML, JSON or TOML."""

from __future__ import annotations

from os import PathLike

import msgspec

from grice.checks.phrase_rules.rule import PhraseRule
from grice.checks.phrase_rules.rule_book import Rules, RulesFile
from grice.files.document import FileErrors, load_file
from grice.files.typed import errors_in


class RuleErrors(FileErrors):
    """Everything that is wrong with a file of rules, one FileError each."""

    __module__ = "grice"


def load_rules(path: str | PathLike[str]) -> tuple[PhraseRule, ...]:
    """The rules on wording of a file: a list of them, or an object with `rules`. YAML, JSON or TOML.

    Every rule is tried on its own examples. Raises RuleErrors with everything that is wrong, by line and
    column: unknown fields, patterns that RE2 cannot have, missing examples, ids used twice, and examples that
    a rule judges wrongly.
    """
    document = load_file(path, toml=True, errors=RuleErrors)
    value = document.value
    if errors := errors_in(document, value, RulesFile if isinstance(value, dict) else Rules):
        raise RuleErrors(errors)
    listed = value["rules"] if isinstance(value, dict) else value
    return msgspec.convert(listed, tuple[PhraseRule, ...])
