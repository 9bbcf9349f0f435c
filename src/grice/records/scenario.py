"""A scenario: one data record that parameterises a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from grice.records.capture import JsonValue


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """One record of a scenario set, as it was given.

    `key` names it, uniquely in its set: its `id`, else `scenario_` and the start of its content's hash.
    `data` is the whole record, `index` its place from 0, `set_name` the set's name; `file` and `line` are
    where it stands, "" and 1 for one that was given in Python. Its fields are attributes too
    (`scenario.goal`), as far as the names are free; `scenario["goal"]` always finds them.
    """

    key: str
    data: dict[str, JsonValue]
    index: int = 0
    set_name: str = ""
    file: str = ""
    line: int = 1

    @property
    def goal(self) -> str:
        """What the user wants, "" when the record does not say."""
        goal = self.data.get("goal")
        return goal if isinstance(goal, str) else ""

    @property
    def verification(self) -> Any:
        """What checks compare with, {} when the record has none."""
        found = self.data.get("verification")
        return {} if found is None else found

    def get(self, name: str, default: Any = None) -> Any:
        """The field of that name, else the default."""
        return self.data.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __getitem__(self, name: str) -> Any:
        if name not in self.data:
            raise KeyError(self._missing(name))
        return self.data[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self.data:
            raise AttributeError(self._missing(name))
        return self.data[name]

    def _missing(self, name: str) -> str:
        return f"scenario {self.key} has no field {name!r}; it has {', '.join(map(repr, self.data))}"
