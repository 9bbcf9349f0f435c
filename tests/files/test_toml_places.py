"""Every key of a TOML text is found where it stands; Python's reader says which keys there are."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.files.toml_places import places_in

TEXT = '''\
# [no] table = "here"
plain = 1 # = 2
"quoted.key" = "a = [1, {"
'literal' = 'b # ] }'
a . b."c" = { x = 1, y = [ { z = 2 }, 3 ], "w=" = """{""" }
many = [
  1979-05-27 07:32:00, # a date with a blank
  """
  = ] "" \\""" [ """", "end" ]
last = \'\'\'
[not.a.table]
\'\'\'\'
[ table . "inner" ]
key = [[1, [2]], []]
[[list]]
one = 1
[list.sub]
two = 2
[[list]]
[[list.deep]]
three = {}
[table]
four = "\\"]"
"\\u00e9" = true
'''


def paths_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths_of(one, (*path, step))


def test_every_key_and_item_has_a_place() -> None:
    assert set(places_in(TEXT)) == set(paths_of(tomllib.loads(TEXT)))


@pytest.mark.parametrize(
    ("path", "stands"),
    [
        (("plain",), "plain = 1"),
        (("quoted.key",), '"quoted.key"'),
        (("a",), "a . b"),
        (("a", "b", "c"), "a . b"),
        (("a", "b", "c", "y", 0, "z"), "z = 2"),
        (("a", "b", "c", "y", 1), "3 ]"),
        (("many", 1), '"""\n  = ]'),
        (("many", 2), '"end"'),
        (("last",), "last"),
        (("table",), '[ table . "inner"'),
        (("table", "inner", "key", 0, 1, 0), "2]]"),
        (("list",), "[[list]]\none"),
        (("list", 0, "sub", "two"), "two"),
        (("list", 1), "[[list]]\n[[list.deep"),
        (("list", 1, "deep", 0, "three"), "three"),
        (("table", "four"), "four"),
    ],
)
def test_a_place_is_where_the_key_or_item_begins(path: tuple[str | int, ...], stands: str) -> None:
    assert TEXT[places_in(TEXT)[path] :].startswith(stands)


def test_line_ends_of_windows_are_no_part_of_a_key() -> None:
    text = "a = 1\r\n[b]\r\nc = [\r\n 2,\r\n]\r\n"
    assert {path: text[at] for path, at in places_in(text).items()} == {
        ("a",): "a",
        ("b",): "[",
        ("b", "c"): "c",
        ("b", "c", 0): "2",
    }


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=4)
VALUES = st.recursive(
    st.booleans() | st.integers(-9, 9) | KEYS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=3),
    max_leaves=8,
)


def written(value: Any) -> str:
    """As TOML on one line; texts are escaped as far as JSON and TOML agree."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)} = {written(one)}" for key, one in value.items()) + "}"
    return str(value)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_whatever_stands_in_it(value: dict[str, Any]) -> None:
    text = "\n".join(f"{written(key)} = {written(one)}" for key, one in value.items())
    assert tomllib.loads(text) == value
    assert set(places_in(text)) == set(paths_of(value))
