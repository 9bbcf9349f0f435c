"""Whatever an agent or model hands over becomes plain JSON and valid Unicode, quickly and without raising."""

import math
from collections import OrderedDict, deque, namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from unittest.mock import MagicMock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.records import clean_json, clean_text, parse_arguments


class Colour(StrEnum):
    RED = "red"


class OldColour(str, Enum):  # noqa: UP042 - what older code has
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@dataclass
class Room:
    name: str
    people: int | None = None


Point = namedtuple("Point", "x y")


class Dumpable:
    def model_dump(self):
        return {"room": Room("Blue"), "nan": math.nan}


class FakeMapping(Mapping):
    def __getitem__(self, key):
        raise RuntimeError("no")

    def __len__(self):
        return 1

    def __iter__(self):
        return iter(["key"])

    def __repr__(self):
        return "a broken mapping"


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no")


class Raises:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        return "raises"


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("plain", "plain"),
        ("\ud800x", "\ufffdx"),
        ("\ud83d\ude00", "\U0001f600"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        ({"a": [-math.inf, None]}, {"a": ["-Infinity", None]}),
        (b"caf\xc3\xa9", "caf\u00e9"),
        ([b"\xff", None], ["\\xff", None]),
        (bytearray(b"x"), "x"),
        (memoryview(b"x"), "x"),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        (frozenset({3, 1, 2}), [1, 2, 3]),
        ((1, (2, None)), [1, [2, None]]),
        (deque([1, 2]), [1, 2]),
        (range(3), [0, 1, 2]),
        (Point(1, 2), [1, 2]),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (
            {None: 1, True: 2, 3: 4, 1.5: 5, "k\ud800": 6},
            {"null": 1, "true": 2, "3": 4, "1.5": 5, "k\ufffd": 6},
        ),
        ({(1, 2): 3}, {"(1, 2)": 3}),
        ({math.nan: 1, 10**5000: 2}, {"NaN": 1, "...an integer of 16610 bits": 2}),
        (10**5000, "...an integer of 16610 bits"),
        (2**100, 2**100),
        (Colour.RED, "red"),
        ([OldColour.RED, Level.HIGH, None], ["red", 3, None]),
        (Room("Blue"), {"name": "Blue", "people": None}),
        (Dumpable(), {"room": {"name": "Blue", "people": None}, "nan": "NaN"}),
        (FakeMapping(), "a broken mapping"),
        ({"x": Raises()}, {"x": "raises"}),
        (Unprintable(), "<Unprintable>"),
        ({Unprintable(): 1}, {"<Unprintable>": 1}),
        (Room, repr(Room)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_junk_becomes_plain_json(value, cleaned):
    result = clean_json(value)
    assert result == cleaned
    assert msgspec.json.decode(msgspec.json.encode(result)) == result


@pytest.mark.parametrize("value", [Colour.RED, OldColour.RED, Level.HIGH, True, 1.0, "x"])
def test_scalars_become_exactly_the_types_of_json(value):
    for found in (clean_json(value), clean_json([value, math.nan])[0]):
        assert type(found) in (str, int, float, bool)


def test_a_mock_becomes_its_repr():
    assert clean_json({"x": MagicMock()})["x"].startswith("<MagicMock")


def test_the_result_is_a_private_copy():
    value = {"a": [1, {"b": None}]}
    cleaned = clean_json(value)
    cleaned["a"][1]["b"] = "changed"
    assert value == {"a": [1, {"b": None}]}


def _cycle():
    value = []
    value += [value, value]
    return value


def _cycle_through_mapping():
    value = {}
    value["one"] = [value, {"two": value}]
    return value


def _nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "make",
    [
        _cycle,
        _cycle_through_mapping,
        lambda: _nested(10_000),
        lambda: _nested(400),
        pytest.param(lambda: range(10**12), marks=pytest.mark.slow),
    ],
    ids=["cycle", "mapping cycle", "depth 10,000", "depth 400", "endless"],
)
def test_values_without_end_end(make):
    result = clean_json(make())
    assert msgspec.json.decode(msgspec.json.encode(result)) == result


def test_a_cycle_is_named_and_a_value_that_occurs_twice_is_kept():
    assert clean_json(_cycle()) == ["...a cycle", "...a cycle"]
    twice = [math.nan]
    assert clean_json([twice, twice]) == [["NaN"], ["NaN"]]


def test_deep_nesting_is_cut_and_wide_values_are_not():
    assert clean_json(_nested(150)) == _nested(150)
    assert "...too deep" in repr(clean_json(_nested(250)))
    wide = {"messages": [{"content": [{"text": "x"}]} for _ in range(300)]}
    assert clean_json(wide) == wide


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.tuples(inner, inner)
            | st.dictionaries(st.text(st.characters()) | st.integers() | st.none(), inner, max_size=4)
        ),
        max_leaves=10,
    )
)
def test_the_result_always_encodes_decodes_to_itself_and_is_stable(value):
    result = clean_json(value)
    assert msgspec.json.decode(msgspec.json.encode(result)) == result
    assert clean_json(result) == result


@given(st.text(st.characters()))
def test_clean_text_gives_valid_unicode_and_keeps_what_is_valid(text):
    cleaned = clean_text(text)
    cleaned.encode()
    assert clean_text(cleaned) is cleaned
    if not any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        assert cleaned is text


@pytest.mark.parametrize(
    ("raw", "arguments", "kept"),
    [
        (None, {}, None),
        ("", {}, None),
        ({}, {}, None),
        ("{}", {}, None),
        ('{"room": "Blue", "n": 1}', {"room": "Blue", "n": 1}, None),
        ({"room": math.nan}, {"room": "NaN"}, None),
        (b'{"room": "Blue"}', {"room": "Blue"}, None),
        (Dumpable(), {"room": {"name": "Blue", "people": None}, "nan": "NaN"}, None),
        ("  ", {}, "  "),
        ("not json", {}, "not json"),
        ('{"room": "Blue"', {}, '{"room": "Blue"'),
        ('{"n": NaN}', {}, '{"n": NaN}'),
        ('{"n": 1e400}', {}, '{"n": 1e400}'),
        ('{"s": "\\ud800"}', {}, '{"s": "\\ud800"}'),
        ("{\ud800}", {}, "{\ufffd}"),
        ("[1, 2]", {}, "[1, 2]"),
        ('"text"', {}, '"text"'),
        ("null", {}, "null"),
        ([1, math.inf], {}, '[1,"Infinity"]'),
        (5, {}, "5"),
        (FakeMapping(), {}, '"a broken mapping"'),
        (b"\xff", {}, "\\xff"),
        ('{"a": ' * 10_000, {}, '{"a": ' * 10_000),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_arguments_are_read_or_kept_raw(raw, arguments, kept):
    assert parse_arguments(raw) == (arguments, kept)
