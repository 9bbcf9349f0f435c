"""What holds for every path and every value."""

import jsonpath_rfc9535
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grice.matching.paths import PathError, compile_path, find, find_places

NAMES = ["a", "b", "my-key", "x y", "0", "ü", "it's", ""]
# No booleans and no 1: the library takes [true] for equal to [1]; test_paths.py has what is right.
LEAVES = st.one_of(st.none(), st.integers(2, 5), st.sampled_from([0.5, -2, "a", "ab", "", "ü"]))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=20,
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(), max_size=4), inner),
    max_leaves=15,
)


def quoted(name):
    return "'" + name.replace("'", "\\'") + "'"


INDICES = st.integers(-4, 4).map(str)
SLICES = st.tuples(*[INDICES | st.just("")] * 3).map(":".join)
PLAIN_STEPS = st.one_of(
    st.sampled_from([".a", ".b", ".ü", "['a']", '["b"]']),
    st.sampled_from(NAMES).map(lambda name: f"[{quoted(name)}]"),
    INDICES.map(lambda index: f"[{index}]"),
)
OPERANDS = st.one_of(
    st.lists(PLAIN_STEPS, min_size=1, max_size=2).map(lambda steps: "@" + "".join(steps)),
    st.lists(PLAIN_STEPS, max_size=2).map(lambda steps: "$" + "".join(steps)),
    st.sampled_from(
        ["2", "0.5", "null", "'a'", "''", "length(@)", "length(@.a)", "count(@.*)", "value(@..a)"]
    ),
)
COMPARISONS = st.tuples(OPERANDS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), OPERANDS).map(" ".join)
TESTS = st.recursive(
    COMPARISONS | st.sampled_from(["@.a", "@[0]", "@.*", "@..b", "search(@, 'a')", "match(@.a, 'a.?')"]),
    lambda inner: st.one_of(
        inner.map(lambda test: f"!({test})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) && ({pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) || ({pair[1]})"),
    ),
    max_leaves=4,
)
SELECTORS = INDICES | SLICES | st.just("*") | st.sampled_from(NAMES).map(quoted) | TESTS.map("?{}".format)
STEPS = st.one_of(
    PLAIN_STEPS,
    st.sampled_from([".*", "..*", "..a", "..[0]"]),
    st.lists(SELECTORS, min_size=1, max_size=3).map(lambda parts: "[" + ",".join(parts) + "]"),
)
PATHS = st.lists(STEPS, max_size=4).map(lambda steps: "$" + "".join(steps))
PLAIN_PATHS = st.lists(PLAIN_STEPS, max_size=4).map(lambda steps: "$" + "".join(steps))
PIECES = [
    "$",
    "@",
    ".",
    "..",
    "*",
    "[",
    "]",
    "(",
    ")",
    "'",
    '"',
    "?",
    "=",
    "!",
    "<",
    "&&",
    "|",
    ",",
    ":",
    " ",
    "~",
]
PIECES += [
    "^",
    "`",
    "/",
    "\\",
    "\\u",
    "-",
    "0",
    "1",
    "1e999",
    "a",
    "my-key",
    "true",
    "length(",
    "match(",
    "\ud800",
]
ODD_PATHS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(
    st.characters(), max_size=20
)


@given(PATHS | PLAIN_PATHS, VALUES)
def test_a_path_finds_what_the_library_finds_there(path, value):
    nodes = jsonpath_rfc9535.find(path, value)
    places = find_places(path, value)
    assert [place.value for place in places] == nodes.values()
    assert [jsonpath_rfc9535.find(place.location, value).paths() for place in places] == [
        [node.path()] for node in nodes
    ]
    assert find(path, value) == nodes.values()


@given(PLAIN_PATHS, VALUES)
def test_the_fast_way_finds_what_the_engine_finds(path, value):
    by_engine = path + "[*]"  # the same beginning in a path that is not plain
    children = [child for found in find(path, value) for child in find("$[*]", found)]
    assert compile_path(path).is_singular
    assert find(by_engine, value) == children
    assert [place.value for place in find_places(path, value)] == find(path, value)


@given(ODD_PATHS | ODD_PATHS.map("$[?@{}]".format) | ODD_PATHS.map("$.a{}".format), ANY_JSON)
def test_nothing_is_raised_but_a_path_error_inside_the_path(path, value):
    refused, found = outcome(path, value)
    if refused is None:
        assert len(found) == len(find(path, value))
    elif refused.position is not None:
        assert 0 <= refused.position <= len(path)
        assert str(refused).endswith(f"(at character {refused.position})")


def outcome(path, value):
    try:
        return None, find_places(path, value)
    except PathError as refused:
        return refused, None


@given(ANY_JSON)
def test_a_location_finds_exactly_its_value_again(value):
    for place in find_places("$..*", value):
        assume("\\ud" not in place.location)  # a lone surrogate, for which JSON has no path
        (again,) = find(place.location, value)
        assert again is place.value


@given(PATHS, VALUES)
def test_the_dollar_may_be_left_out(path, value):
    shorter = path.removeprefix("$").removeprefix(".") if path[1:2] != "." or path[1:3] != ".." else path[1:]
    assume(shorter)
    assert find(shorter, value) == find(path, value)


@given(PATHS, st.sampled_from([" {}", "{} ", "\n{}\t", "{}\u3000"]))
def test_white_space_around_a_path_is_refused(path, written):
    with pytest.raises(PathError, match=r"white space stands (before|after) it"):
        compile_path(written.format(path))


@pytest.mark.parametrize("path", [5, 5.0, True, b"$", ["$"], {"$": 1}, object])
def test_a_path_that_is_no_text_is_a_path_error(path):
    with pytest.raises(PathError, match="a JSON path is a text, found"):
        find(path, {})
