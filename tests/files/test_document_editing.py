"""Giving a data file another value: what did not change stays as it is written."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grice.files.document import Document, FileError, parse_document
from grice.files.document_editing import edited_text

SUITE = """\
# top comment
agent: app:agent   # the agent
name: rooms

scenarios:
  # about blue
  - id: blue   # an id
    say: "I need a room"   # quoted
    # why
    expect:
      - {matcher: toContain, expected: a room}  # one
      # two
      - {matcher: toContain, expected: "x"}

  # --- a section ---

  # about red
  - id: red
    say:
      - one
      - two
    expect: [{matcher: toContain,  # in flow
              expected: b}]

  - {id: flow, say: hi, expect: [{matcher: toContain, expected: hi}]}
# the end
"""


def read(text: str, syntax: Any = "yaml") -> Document:
    return parse_document(text, path=f"x.{syntax}", syntax=syntax)


def lines_changed(
    text: str, change: Callable[[Any], object], syntax: Any = "yaml"
) -> tuple[list[str], list[str]]:
    """The lines that go, and those that come, when the value is changed."""
    document = read(text, syntax)
    value = copy.deepcopy(document.value)
    change(value)
    edited = edited_text(document, value)
    assert read(edited, syntax).value == value
    before, now = text.splitlines(), edited.splitlines()
    return [one for one in before if one not in now], [one for one in now if one not in before]


CASES: dict[str, tuple[Callable[[Any], object], list[str], list[str]]] = {
    "a text": (
        lambda v: v["scenarios"][0].update(say="other: text"),
        ['    say: "I need a room"   # quoted'],
        ['    say: "other: text"   # quoted'],
    ),
    "a text of several lines": (
        lambda v: v["scenarios"][0].update(say="a\nb"),
        ['    say: "I need a room"   # quoted'],
        ["    say: |-   # quoted", "      a", "      b"],
    ),
    "a name": (
        lambda v: v["scenarios"][0].update(id="bleu"),
        ["  - id: blue   # an id"],
        ["  - id: bleu   # an id"],
    ),
    "an argument of a check": (
        lambda v: v["scenarios"][0]["expect"][1].update(expected="y"),
        ['      - {matcher: toContain, expected: "x"}'],
        ['      - {matcher: toContain, expected: "y"}'],
    ),
    "a field more": (
        lambda v: v["scenarios"][1].update(run_mode="SKIP"),
        [],
        ["    run_mode: SKIP"],
    ),
    "a field less, with the comment above it": (
        lambda v: v["scenarios"][0].pop("expect"),
        [
            "    # why",
            "    expect:",
            "      - {matcher: toContain, expected: a room}  # one",
            "      # two",
            '      - {matcher: toContain, expected: "x"}',
        ],
        [],
    ),
    "the first field of an item less": (
        lambda v: v["scenarios"][0].pop("id"),
        ["  - id: blue   # an id", '    say: "I need a room"   # quoted'],
        ['  - say: "I need a room"   # quoted'],
    ),
    "an item less, with the comment above it": (
        lambda v: v["scenarios"].pop(0),
        SUITE.splitlines()[5:13],
        [],
    ),
    "a comment that stands apart stays when what is below it goes": (
        lambda v: v["scenarios"].pop(1),
        SUITE.splitlines()[16:23],
        [],
    ),
    "a comment within what is written anew": (
        lambda v: v["scenarios"][1]["expect"][0].update(path="$.a"),
        ["    expect: [{matcher: toContain,  # in flow", "              expected: b}]"],
        ["    # in flow", '    expect: [{matcher: toContain, expected: b, path: "$.a"}]'],
    ),
    "an item more": (
        lambda v: v["scenarios"].append({"id": "new", "say": "hey"}),
        [],
        ["  - id: new", "    say: hey"],
    ),
    "another order": (lambda v: v["scenarios"].reverse(), [], []),
}


@pytest.mark.parametrize(("change", "gone", "new"), CASES.values(), ids=CASES)
def test_what_did_not_change_stays_as_it_is_written(
    change: Callable[[Any], object], gone: list[str], new: list[str]
) -> None:
    assert lines_changed(SUITE, change) == (gone, new)


def test_an_item_that_moves_takes_its_comments_along() -> None:
    document = read(SUITE)
    value = copy.deepcopy(document.value)
    value["scenarios"].insert(0, value["scenarios"].pop(1))
    assert (
        edited_text(document, value)
        .split("scenarios:\n")[1]
        .startswith("  # --- a section ---\n\n  # about red\n  - id: red\n")
    )


def test_json_is_written_as_it_is_indented() -> None:
    text = '{\n    "scenarios": [\n        {"id": "a", "say": "x"},\n        {"id": "b"}\n    ]\n}\n'
    gone, new = lines_changed(text, lambda v: v["scenarios"][0].update(say="y"), "json")
    assert (gone, new) == (['        {"id": "a", "say": "x"},'], ['        {"id": "a", "say": "y"},'])


@pytest.mark.parametrize("text", [SUITE.replace("\n", "\r\n"), SUITE.rstrip("\n")])
def test_line_ends_stay(text: str) -> None:
    document = read(text)
    value = copy.deepcopy(document.value)
    value["scenarios"][0]["say"] = "a\nb"
    edited = edited_text(document, value)
    assert edited.count("\r\n") == (edited.count("\n") if "\r\n" in text else 0)
    assert edited.endswith("\n") == text.endswith("\n")


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 2}, "c": {"b": 1}}, "aliases or an unusual layout"),
        ("a: x\n", {"a": "half \ud83d"}, "only JSON can hold it"),
    ],
)
def test_what_cannot_be_written_is_told(text: str, value: Any, said: str) -> None:
    with pytest.raises(FileError, match=said):
        edited_text(read(text), value)


MIXED = """\
- id: a
  say: |
    line one
      two # no comment

  expect: [{matcher: toContain, expected: 'a # b'}]
# c1
- say:
  - x   # c2
  -   y

  turns:
  - say: q
    expect:
    - matcher: toContain # c3
      expected:
        a: {b: [1, 2, {c: null}]}
        d:
        e: ~
-
  id: third
  note: >-
    folded
    text
"""
LAYOUTS = (
    SUITE,
    SUITE.replace("\n", "\r\n"),
    '{scenarios: [{id: a, say: "x"}, {id: b, # q\n say: y}]}\n',
    MIXED,
)
TEXTS = st.sampled_from(
    [
        "x",
        "a: b",
        "# no",
        "multi\nline",
        "t \n b\n",
        "",
        "no",
        "- x",
        "'q'",
        '"',
        "é",
        "{",
        "\t",
        " lead",
        "x" * 120,
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.just(2.5) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "a", "on", "x y", "1"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for step, one in inner for place in [(*at, step), *places(one, (*at, step))]]


@given(st.data())
@settings(deadline=None)
def test_any_change_is_read_as_what_was_meant(data: st.DataObject) -> None:
    document = read(data.draw(st.sampled_from(LAYOUTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        value = copy.deepcopy(document.value)
        *way, step = data.draw(st.sampled_from(places(value)))
        parent = value
        for one in way:
            parent = parent[one]
        how = data.draw(st.sampled_from(["set", "delete", "add", "move"]))
        if how == "set" or (len(parent) == 1 and how == "delete"):
            parent[step] = data.draw(VALUES)
        elif how == "delete":
            del parent[step]
        elif isinstance(parent, list):
            parent.insert(step, data.draw(VALUES) if how == "add" else parent.pop())
        else:
            parent["new"] = data.draw(VALUES)
        document = read(edited_text(document, value))
        assert json.dumps(document.value, sort_keys=True) == json.dumps(value, sort_keys=True)
