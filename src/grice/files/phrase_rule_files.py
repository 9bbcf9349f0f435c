"""Rules on wording in files: YAML, JSON or TOML."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

from grice.checks.phrase_rules.following import example_fault
from grice.checks.phrase_rules.reading import read_rules
from grice.checks.phrase_rules.rule import PhraseRule
from grice.checks.phrase_rules.rule_book import self_tests
from grice.files.document import (
    Document,
    FileError,
    FileErrors,
    file_text,
    load_file,
)
from grice.files.locate import JsonPath
from grice.records import JsonValue
from grice.user_files import TomlError, read_toml

__all__ = ["RuleErrors", "load_rules"]

MAX_ERRORS = 100


class RuleErrors(FileErrors):
    """Everything that is wrong with a file of rules, one FileError each."""

    __module__ = "grice"


def load_rules(path: str | PathLike[str]) -> tuple[PhraseRule, ...]:
    """The rules on wording of a file: a list of them, or an object with `rules`. YAML, JSON or TOML.

    Every rule is tried on its own examples. Raises RuleErrors with everything that is wrong, by line and
    column: unknown fields, patterns that RE2 cannot have, missing examples, ids used twice, and examples that
    a rule judges wrongly.
    """
    try:
        if Path(path).suffix.lower() == ".toml":
            return _checked(_Toml(Path(path)))
        return _checked(load_file(path))
    except FileError as error:
        raise RuleErrors([_other_suffix(error)]) from error


def _other_suffix(error: FileError) -> FileError:
    if error.message == "expected a .json, .yaml or .yml file":
        return FileError(error.path, 1, 1, "expected a .yaml, .yml, .json or .toml file")
    return error


def _checked(document: Document | _Toml) -> tuple[PhraseRule, ...]:
    value = document.value
    if value is None or value == {}:
        raise FileError(document.path, 1, 1, "the file holds no rules: expected a list `rules`")
    if isinstance(value, dict) and "rules" not in value and "id" not in value:
        raise FileError(document.path, 1, 1, "missing field 'rules', expected a list")
    rules, problems = read_rules(value)
    errors = [
        FileError(
            document.path, *document.position(one.path, key=one.of_key), _said(value, one.path, one.message)
        )
        for one in problems
    ]
    errors += _failed_tests(document, value, rules)
    if errors:
        raise RuleErrors(sorted(errors, key=lambda one: (one.line, one.column))[:MAX_ERRORS])
    return rules


def _failed_tests(
    document: Document | _Toml, value: JsonValue, rules: tuple[PhraseRule, ...]
) -> list[FileError]:
    """The examples that their rule judges wrongly."""
    inside: JsonPath = ("rules",) if isinstance(value, dict) and "rules" in value else ()
    several = value["rules"] if inside else value
    places: dict[object, int] = {}
    for place, one in enumerate(several if isinstance(several, list) else ()):
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            places.setdefault(one["id"], place)
    return [
        FileError(
            document.path,
            *document.position(
                (*inside, places[test.rule], test.kind, test.place) if places else (test.kind, test.place)
            ),
            f"rule '{test.rule}': {example_fault(test)}",
        )
        for test in self_tests(rules)
        if not test.right
    ]


def _said(value: JsonValue, path: JsonPath, message: str) -> str:
    """The message with the id of the rule that it is about."""
    inside = path[1:] if path[:1] == ("rules",) else path
    rules = value.get("rules") if isinstance(value, dict) else value
    place = inside[0] if inside else None
    if isinstance(rules, list) and isinstance(place, int):
        id_ = rules[place].get("id") if isinstance(rules[place], dict) else None
        if isinstance(id_, str) and id_:
            return f"rule '{id_[:60]}': {message}"
        return f"rule {place + 1}: {message}"
    return message


class _Toml:
    """A TOML file that has been read. Positions are those of rules, and of fields with a line."""

    def __init__(self, file: Path) -> None:
        self.path = str(file)
        self.text = file_text(file).removeprefix("\ufeff").replace("\r\n", "\n")
        try:
            self.value: JsonValue = read_toml(self.text)
        except TomlError as error:
            raise FileError(self.path, error.line, error.column, f"not valid TOML: {error}") from error

    def position(self, json_path: JsonPath = (), *, key: bool = False) -> tuple[int, int]:  # noqa: ARG002
        """The line of the rule at the path, or of its field, from 1; a name and its value have the same."""
        heads = [found.start() for found in re.finditer(r"(?m)^[ \t]*\[\[[ \t]*rules[ \t]*\]\]", self.text)]
        number = next((one for one in json_path if isinstance(one, int)), None)
        if number is None or number >= len(heads):
            return 1, 1
        start = heads[number]
        end = heads[number + 1] if number + 1 < len(heads) else len(self.text)
        at = start
        for name in json_path[2:]:
            if isinstance(name, str):
                field = re.compile(rf"(?m)^[ \t]*(?:\[+[ \t]*rules\.)?{re.escape(name)}\b").search(
                    self.text, at, end
                )
                at = field.start() if field is not None else at
        at += len(self.text[at:end]) - len(self.text[at:end].lstrip(" \t\n"))
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
