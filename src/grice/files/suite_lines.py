"""The lines on which fields of a data file stand, cheaply: most files need no second parse for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grice.files.document import Document
from grice.files.locate import JsonPath
from grice.records import JsonValue

__all__ = ["FieldLines"]


_ALIAS = r"(?:^|[\s\[{,])[&*][^\s,\[\]{}]"


class FieldLines:
    """The lines of fields by name and place.

    The n-th field of a name stands where its name is found for the n-th time in the text. When the numbers of
    both differ (the name stands in a text too) and where YAML has aliases, or the name in a comment, the
    document is asked, which is slower.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines: dict[str, dict[JsonPath, int]] = {}

    def line(self, place: JsonPath, name: str) -> int:
        """The line of the field `name` of the object at `place`."""
        if name not in self._lines:
            self._lines[name] = self._found(name)
        found = self._lines[name].get(place)
        return self._document.position((*place, name), key=True)[0] if found is None else found

    def _found(self, name: str) -> dict[JsonPath, int]:
        text, places = self._document.text, list(_places(self._document.value, name, ()))
        written = re.escape(name)
        if self._document.syntax == "json":
            pattern = rf'(?<!\\)"{written}"\s*:'
        else:
            if re.search(rf"(?m){_ALIAS}|(?:^|\s)#.*{written}", text):
                return {}
            pattern = rf"(?m)(?:^|(?<=[\s{{,\[]))(?:{written}[ \t]*:(?=\s|$)|([\"']){written}\1[ \t]*:)"
        offsets = [found.start() for found in re.finditer(pattern, text)]
        if len(offsets) != len(places):
            return {}
        lines: list[int] = []
        line, seen = 1, 0
        for offset in offsets:
            line += text.count("\n", seen, offset)
            seen = offset
            lines.append(line)
        return dict(zip(places, lines, strict=True))


def _places(value: JsonValue, name: str, place: JsonPath) -> Iterator[JsonPath]:
    """The places of the objects with a field of that name, in the order of the file."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == name:
                yield place
            if isinstance(item, dict | list):
                yield from _places(item, name, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from _places(item, name, (*place, index))
