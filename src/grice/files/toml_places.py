"""Where the keys of a TOML text stand: Python's own reader gives values without places."""

from __future__ import annotations

import re
from functools import lru_cache

from grice.files.locate import JsonPath

_SPACE = re.compile(r"(?:[\s,]|#[^\n]*)*")
_KEY = re.compile(
    r"""[ \t]*(?:(?P<bare>[\w-]+)|"(?P<basic>(?:[^"\\\n]|\\.)*)"|'(?P<literal>[^'\n]*)')[ \t]*"""
)
_SCALAR = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'|"
    r"[^,\]}#\n]+",
    re.DOTALL,
)


@lru_cache(maxsize=8)
def places_in(text: str) -> dict[JsonPath, int]:
    """The offset of every key, and of every item of a list, in a text that is TOML.

    A table stands where its first header or key does.
    """
    return _Places(text).found


def place_in(text: str, path: JsonPath) -> int:
    """The offset of the key or item at the path, or of the nearest around it; 0 where there is none."""
    found = places_in(text)
    return next((found[path[:size]] for size in range(len(path), 0, -1) if path[:size] in found), 0)


class _Places:
    """Walks through a text that has been read already, so that nothing of it is wrong."""

    def __init__(self, text: str) -> None:
        self.found: dict[JsonPath, int] = {}
        self._text = text
        self._at = 0
        self._listed: dict[JsonPath, int] = {}  # the tables of `[[name]]` so far
        table: JsonPath = ()
        while self._skip() < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._value(self._name(table))

    def _skip(self) -> int:
        """Go on behind blanks, commas and comments."""
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at

    def _keys(self) -> list[str]:
        """The parts of a dotted key."""
        keys = []
        while found := _KEY.match(self._text, self._at):
            keys.append(found["bare"] or _plain(found["basic"]) or found["literal"] or "")
            self._at = found.end()
            if not self._text.startswith(".", self._at):
                break
            self._at += 1
        return keys

    def _header(self) -> JsonPath:
        """The table of `[a.b]` or `[[a.b]]`."""
        start, several = self._at, self._text.startswith("[[", self._at)
        self._at += 2 if several else 1
        keys = self._keys()
        self._at += 2 if several else 1
        path: JsonPath = ()
        for number, key in enumerate(keys, 1):
            path = (*path, key)
            self.found.setdefault(path, start)
            if several and number == len(keys):
                self._listed[path] = self._listed.get(path, 0) + 1
            if path in self._listed:
                path = (*path, self._listed[path] - 1)
                self.found.setdefault(path, start)
        return path

    def _name(self, table: JsonPath) -> JsonPath:
        """The path that a key and its `=` begin; the keys on the way stand there too."""
        start = self._at
        for key in self._keys():
            table = (*table, key)
            self.found.setdefault(table, start)
        self._at += 1
        return table

    def _value(self, path: JsonPath) -> None:
        """Go on behind the value of the path, and find what stands in it."""
        opened: list[tuple[JsonPath, bool]] = []
        counts: dict[JsonPath, int] = {}
        while True:
            self._skip()
            sign = self._text[self._at : self._at + 1]
            if sign and sign in "[{":
                opened.append((path, sign == "["))
                self._at += 1
            else:
                found = _SCALAR.match(self._text, self._at)
                self._at = found.end() if found else len(self._text)
            while opened and self._text[self._skip() : self._at + 1] in ("]", "}"):
                opened.pop()
                self._at += 1
            if not opened or self._at >= len(self._text):
                return
            path, is_list = opened[-1]
            if is_list:
                counts[path] = counts.get(path, -1) + 1
                path = (*path, counts[path])
                self.found[path] = self._at
            else:
                path = self._name(path)


def _plain(text: str | None) -> str:
    """A key in double quotes; its escapes are those of JSON, and \\U."""
    if not text or "\\" not in text:
        return text or ""
    from grice.user_files import read_toml

    return str(read_toml(f'key = "{text}"')["key"])
