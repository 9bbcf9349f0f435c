"""Scenario sets: named lists of data records that parameterise conversations."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError
from grice.files.scenario_entries import Entry, Source
from grice.identity import fingerprint, scenario_key, stable_path
from grice.records import Scenario
from grice.text import did_you_mean, shorten, value_text
from grice.typed import Problem

INLINE = "inline"
"""What a set is called that has neither a name nor a file."""


class ScenarioErrors(FileErrors):
    """Everything wrong with the scenarios that were read, one FileError each."""

    __module__ = "grice"


class ScenarioSet(msgspec.Struct, frozen=True, dict=True):
    """Scenarios under one name, in order; their keys are unique.

    Iterating gives them, `set["key"]` finds one. `file` is where they stand, "" when in none. `notes` are
    hints for people: fields that look like a misspelt known one.
    """

    name: str
    scenarios: tuple[Scenario, ...]
    file: str = ""
    notes: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys, in order."""
        return tuple(scenario.key for scenario in self.scenarios)

    def renamed(self, name: str) -> ScenarioSet:
        """The same scenarios under another name."""
        if name == self.name:
            return self
        scenarios = (msgspec.structs.replace(one, set_name=name) for one in self.scenarios)
        return ScenarioSet(name, tuple(scenarios), self.file, self.notes)

    def __len__(self) -> int:
        return len(self.scenarios)

    def __iter__(self) -> Iterator[Scenario]:
        return iter(self.scenarios)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def __getitem__(self, key: str) -> Scenario:
        if key not in self._by_key:
            hint = did_you_mean(str(key), self.keys[:1000])
            raise KeyError(f"scenario set {self.name!r} has no scenario {key!r}{hint}")
        return self._by_key[key]

    @cached_property
    def _by_key(self) -> dict[str, Scenario]:
        return {scenario.key: scenario for scenario in self.scenarios}


ScenarioSource = (
    str
    | os.PathLike[str]
    | ScenarioSet
    | Iterable[Mapping[str, Any] | Scenario]
    | Callable[[], Iterable[Mapping[str, Any] | Scenario]]
)
"""What scenarios can be read from."""


def load_scenarios(
    source: ScenarioSource, *, name: str = "", folder: str | os.PathLike[str] | None = None
) -> ScenarioSet:
    """The scenarios of a file, an iterable, or a function without arguments that returns one.

    Files are .json and .yaml or .yml lists, .jsonl and .csv. A relative path begins at `folder`, by default
    that of the file that calls. The set is called `name`, else like its file without the extension, else
    "inline". Raises ScenarioErrors with everything wrong in it, and when there are no scenarios, TypeError
    for a name that is no text.
    """
    check_name(name)
    if folder is None:
        folder = caller_folder(sys._getframe(1).f_globals)
    return read_scenarios(source, name=name, folder=Path(folder))


def check_name(name: object) -> None:
    """Raise TypeError for what is no name of a set."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a scenario set is a text, found {value_text(name)}")


def read_scenarios(source: object, *, name: str, folder: Path) -> ScenarioSet:
    """`load_scenarios` with its folder known. Raises ScenarioErrors."""
    if isinstance(source, ScenarioSet):
        return source.renamed(name or source.name)
    if isinstance(source, str | os.PathLike):
        from grice.files.scenario_files import read_file

        file = Path(os.path.abspath(folder / source))
        read, default = read_file(file), file.stem
    else:
        from grice.files.scenario_values import read_values

        read, default = read_values(source, name or INLINE), INLINE
    return _made(read, name or default)


def scenario_fingerprint(scenario: Scenario) -> str:
    """`sha256:` and 64 hex digits of the scenario's data: changes exactly when they do, whatever its key."""
    return fingerprint(scenario.data)


def caller_folder(names: Mapping[str, Any]) -> Path:
    """The folder of the file with these global names; the current one where there is no file."""
    file = names.get("__file__")
    return Path(os.path.abspath(file)).parent if isinstance(file, str) else Path.cwd()


def _made(source: Source, name: str) -> ScenarioSet:
    errors: list[FileError] = list(source.errors)
    size = len(source.entries)
    scenarios = tuple(_scenario(entry, source, name, size) for entry in source.entries)
    errors += _duplicates(scenarios, source)
    if not scenarios and not errors:
        message = "there are no scenarios: a test over them would test nothing"
        errors.append(WholeFileError(source.label, message))
    if errors:
        raise ScenarioErrors(sorted(errors, key=lambda error: (error.line, error.column)))
    return ScenarioSet(name, scenarios, source.file, source.notes)


def _scenario(entry: Entry, source: Source, name: str, size: int) -> Scenario:
    key = entry.key or scenario_key(entry.data, set_size=size)
    if not key.isascii():
        key = unicodedata.normalize("NFC", key)
    return Scenario(
        key=key,
        data=entry.data,
        index=entry.index,
        set_name=name,
        file=entry.file or source.file,
        line=entry.line,
    )


def _duplicates(scenarios: tuple[Scenario, ...], source: Source) -> Iterator[FileError]:
    """An error for every key that another scenario has already."""
    first: dict[str, Scenario] = {}
    for scenario in scenarios:
        known = first.setdefault(stable_path(scenario.key), scenario)
        if known is not scenario:
            yield source.error(scenario.index, scenario.line, _duplicate(scenario, known, source))


def _duplicate(scenario: Scenario, known: Scenario, source: Source) -> Problem:
    where = source.place(known.index, known.line)
    if scenario.data.get("id") is not None:
        return Problem(("id",), f"the id {shorten(scenario.key, 60)!r} is used already, at {where}")
    if scenario.data == known.data:
        return Problem((), f"the same scenario stands at {where}: leave one out, or give both an id")
    return Problem((), f"the scenario at {where} has the same key: give both an id")
