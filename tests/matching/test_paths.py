"""JSON paths: what they find and where, the short ways to write them, and what they refuse."""

import pickle
import subprocess
import sys

import pytest

from grice.matching.paths import PathError, compile_path, find, find_places

VALUE = {"reply": {"text": "Hello"}, "calls": [{"name": "a"}, {"name": "b", "n": None}], "ü": 1, "日本": 2}
SHOP = {
    "items": [
        {"name": "skis", "price": 300, "tags": ["new"], "status": "READY"},
        {"name": "wax", "price": 10, "tags": [], "status": "PENDING"},
    ],
    "a.b": 1,
    "with space": 2,
    "0": 3,
    "my-key": {"x": 4},
    "length": 5,
    "empty": [],
    "nothing": None,
    "list": [10, 11, 12, 13],
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [VALUE]),
        ("$.reply.text", ["Hello"]),
        ("$.calls[*].name", ["a", "b"]),
        ("$.calls[-1].n", [None]),
        ("$.calls[?@.name == 'b'].name", ["b"]),
        ("$..name", ["a", "b"]),
        ("$['ü']", [1]),
        ("$.日本", [2]),
        ("$..日本", [2]),
        ("$.reply.words", []),
        ("$.calls[5]", []),
        ("$.reply[0]", []),
    ],
)
def test_a_path_finds_values_in_order(path, found):
    assert find(path, VALUE) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.missing", []),
        ("$.list[9]", []),
        ("$.nothing.x", []),
        ("$.items[0].price.x", []),
        ("$.nothing", [None]),
        ("$.empty", [[]]),
        ("$.list[*]", [10, 11, 12, 13]),
        ("$.items.*.price", [300, 10]),
        ("$..price", [300, 10]),
        ("$.list[0,1]", [10, 11]),
        ("$.list[1,0]", [11, 10]),
        ("$.list[1:]", [11, 12, 13]),
        ("$.list[-1:]", [13]),
        ("$.list[::2]", [10, 12]),
        ("$.list[-1]", [13]),
        ("$.list[::-1]", [13, 12, 11, 10]),
        ("$.list[1:0]", []),
        ("$.list[::0]", []),
        ("$['my-key','0']", [{"x": 4}, 3]),
        ("$['a.b']", [1]),
        ("$['with space']", [2]),
        ('$["0"]', [3]),
        ("$.length", [5]),  # a name like any other
        ("$.list.length", []),
        ("$.items[?(@.price>10)].name", ["skis"]),
        ("$.items[?@.price>10].name", ["skis"]),
        ("$.items[?@.price > 10 && @.name == 'skis' || @.name == 'x'].name", ["skis"]),
        ("$.items[?!@.missing].name", ["skis", "wax"]),
        ("$.list[?(@>11)]", [12, 13]),
        ("$.list[?@ > 11]", [12, 13]),
        ("$.items[?(@.nope.deep>1)]", []),
        ("$.items[?length(@.tags) == 0].name", ["wax"]),
        ("$.items[?count(@.tags[*]) == 1].name", ["skis"]),
        ("$.items[?value(@..tags[0]) == 'new'].name", ["skis"]),
        ("$.items[?match(@.status, 'READ.')].name", ["skis"]),
        ("$.items[?search(@.status, 'END')].name", ["wax"]),
        ("$.items[?search(@.price, '0')].name", []),  # neither a number nor null is a text
        ("$.items[?match(@.status, 5)].name", []),
        ("$.items[?!match(@.status, null)].name", ["skis", "wax"]),
        ("$.items[?@.tags[?@ == 'new']].name", ["skis"]),
        ("$.items[?@.price == $.list[0]].name", ["wax"]),
    ],
)
def test_the_table_of_differences_from_jsonpath_plus(path, found):
    assert find(path, SHOP) == found


@pytest.mark.parametrize("value", ["text", "", 5, 0, 0.5, None, True, False, [], {}])
def test_the_root_of_any_value_is_the_value(value):
    for path in ("$", None):
        assert find(path, value) == [value]
    assert find("$.a", value) == []
    assert find("$[0]", value) == []
    assert find("$[*]", value) == []


@pytest.mark.parametrize(
    ("written", "normalized"),
    [
        (None, "$"),
        ("$", "$"),
        ("$.user.name", "$.user.name"),
        ("user.name", "$.user.name"),
        (".a", "$.a"),
        ("..a", "$..a"),
        ("[0].x", "$[0].x"),
        ("['a b']", "$['a b']"),
        ("*", "$.*"),
        ("length", "$.length"),
        ("items[?@.price > 1]", "$.items[?@.price > 1]"),
    ],
)
def test_the_beginning_of_a_path_may_be_left_out(written, normalized):
    path = compile_path(written)
    assert path.normalized == normalized
    assert path.source == (written or "$")


def test_a_path_is_compiled_once():
    assert compile_path("$.reply") is compile_path("$.reply")
    assert compile_path("$.a[*]") is compile_path("$.a[*]")


@pytest.mark.parametrize(
    ("path", "singular"),
    [
        ("$", True),
        ("a[0]['x']", True),
        (r"$['it\'s']", True),
        ("$.*", False),
        ("$..a", False),
        ("$[0,1]", False),
    ],
)
def test_a_path_says_whether_it_finds_one_value_at_most(path, singular):
    assert compile_path(path).is_singular is singular


@pytest.mark.parametrize(
    ("path", "locations"),
    [
        ("$", ["$"]),
        ("items[*].status", ["$.items[0].status", "$.items[1].status"]),
        ("list[-1]", ["$.list[3]"]),
        ("$.list[::-2]", ["$.list[3]", "$.list[1]"]),
        ("$['a.b','with space','0','my-key']", ["$['a.b']", "$['with space']", "$['0']", "$['my-key']"]),
        ("$..x", ["$['my-key'].x"]),
        ("$.items[?@.price < 20].price", ["$.items[1].price"]),
        ("$.missing", []),
    ],
)
def test_a_place_says_where_it_is(path, locations):
    assert [place.location for place in find_places(path, SHOP)] == locations
    assert [place.value for place in find_places(path, SHOP)] == find(path, SHOP)


@pytest.mark.parametrize(
    ("name", "location"),
    [
        ("日本", "$.日本"),
        ("it's", r"$['it\'s']"),
        ("a\\b", r"$['a\\b']"),
        ("a\n\x00", r"$['a\n\u0000']"),
        ("\u202e", r"$['\u202e']"),  # what turns text around is not printed as it is
        ("", "$['']"),
        ("😀", "$['😀']"),
    ],
)
def test_a_location_can_be_read_and_used(name, location):
    (place,) = find_places("$.*", {name: 1})
    assert place.location == location
    assert repr(place) == f"Place({location!r}, 1)"
    assert find(location, {name: 1}) == [1]


def test_a_tuple_is_an_array():
    assert find("$[1]", (1, 2)) == find("$[?@ > 1]", (1, 2)) == find("$[1:]", (1, 2)) == [2]


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("$[?@]", [0, False, "", None], [0, False, "", None]),  # they exist
        ("$[?@.a == 1]", [{"a": True}, {"a": 1}, {"a": 1.0}], [{"a": 1}, {"a": 1.0}]),
        ("$[?@ == $[0]]", [[1], [True], [1.0]], [[1], [1.0]]),
        (
            "$[?@ == $[0]]",
            [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}],
            [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
        ),
        (
            "$[?@.a == @.b]",
            [{}, {"a": None}],
            [{}],
        ),  # two that are missing are equal, and null is not missing
        ("$[?@ == 9007199254740993]", [9007199254740992, 9007199254740993], [9007199254740993]),
        ("$[?@ < 'b']", ["a", "b", 1, None], ["a"]),
        ("$[?@ < '\uffff']", ["\U0001f600", "\ud7ff"], ["\ud7ff"]),  # by code points, not UTF-16 units
        ("$[?@ > 0]", [True, 1, "1"], [1]),
        ("$[?@ <= true]", [True, False, 1], [True]),
        ("$.rows[?@[?@.a == $.wanted]]", {"wanted": 1, "rows": [[{"a": 1}], [{"a": 2}]]}, [[{"a": 1}]]),
        ("$[?length(@) == 1]", ["😀", [1], {"a": 1}, 1], ["😀", [1], {"a": 1}]),
    ],
)
def test_filters_compare_as_json_does(path, value, found):
    assert repr(find(path, value)) == repr(found)


def test_patterns_are_safe_and_follow_the_standard():
    value = [{"t": "ab"}, {"t": "xaby"}, {"t": 5}, {"t": "a\nb"}, {"t": "a\ud800b"}]
    assert find("$[?match(@.t, 'a.?b')].t", value) == ["ab", "a\ud800b"]
    assert find("$[?search(@.t, 'ab')].t", value) == ["ab", "xaby"]
    assert find("$[?search(@.t, '[.]')].t", value) == []
    assert find("$[?search(@.t, '^a')].t", value) == ["ab", "a\nb", "a\ud800b"]
    assert find("$[?match(@, '(a*)*b')]", ["a" * 50_000]) == []


def test_a_pattern_that_the_value_brings_and_that_is_none_matches_nothing():
    assert find(
        "$[?match(@.t, @.p)].t", [{"t": "a", "p": "("}, {"t": "b", "p": "[ab]"}, {"t": "c", "p": 5}]
    ) == ["b"]
    with pytest.raises(PathError, match=r"uses a pattern of 2,000 characters, at most 1,024 are allowed"):
        find("$[?match('a', @)]", ["a" * 2_000])


def deep(levels, leaf=1):
    for _ in range(levels):
        leaf = {"a": leaf}
    return leaf


def test_a_value_as_deep_as_records_are_can_be_searched():
    assert len(find("$..a", deep(200))) == 200


@pytest.mark.slow
@pytest.mark.parametrize("levels", [300, 50_000])
def test_a_value_that_is_too_deep_is_an_error_and_no_crash(levels):
    with pytest.raises(PathError, match="goes too deep") as caught:
        find("$..a", deep(levels))
    assert caught.value.position is None
    with pytest.raises(PathError, match="goes too deep"):
        find("$[?@ == $[1]]", [deep(levels), deep(levels)])


@pytest.mark.slow
def test_a_path_that_finds_too_much_stops():
    with pytest.raises(PathError, match=r"finds more than 100,000 values"):
        find("$[*][*][*]", [[[1] * 50] * 50] * 50)


def inside_itself():
    value = {"b": 1}
    value["a"] = [value, value]
    return value


def doubled(times):
    value = 1
    for _ in range(times):
        value = [value, value]
    return value


WIDE = [{"a": [{"b": n} for n in range(100)], "t": "x" * 1_000} for n in range(300)]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("$..*..*..*..*[?@.nope]", WIDE),
        ("$[*][?count($..*) > 1]", WIDE),
        ("$..[?$..[?@.nope]]", WIDE),
        ("$" + "..*" * 300, WIDE),
        ("$..[" + "*," * 400 + "*]", WIDE),
        ("$[" + "?@," * 300 + "?@]", list(range(100_000))),
        ("$[?" + " && ".join(["@"] * 90) + "]", list(range(100_000))),
        ("$[?" + " && ".join(["1 == 1"] * 90) + "]", list(range(100_000))),
        ("$[*][?$[0] == $[1]]", [list(range(100_000)), list(range(100_000))]),
        ("$[?@ == $[1]]", [doubled(200), doubled(200)]),
        ("$..a", doubled(200)),
        ("$..b", inside_itself()),
        ("$[?@ == $[1]]", [inside_itself(), inside_itself()]),
        ("$[?match(@, '(a|b|ab)*c')]", ["ab" * 500_000] * 300),
        ("$[?match('a', @)]", [f"((a{{1,9}}){{1,9}}){n}" for n in range(5_000)]),
    ],
)
@pytest.mark.timeout(60)
def test_no_path_keeps_one_waiting(path, value, monkeypatch):
    monkeypatch.setattr("grice.matching.paths.search.MAX_VISITS", 50_000)  # a twentieth, to save time
    with pytest.raises(PathError, match=r"visits more than 50,000 places|goes too deep"):
        find(path, value)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_million_places_are_visited_at_most():
    with pytest.raises(PathError, match="visits more than 1,000,000 places"):
        find("$..*..*..*..*[?@.nope]", WIDE)


def test_a_value_inside_itself_can_be_looked_into():
    assert find("$.a[0].a[1].b", inside_itself()) == [1]


@pytest.mark.slow
def test_a_plain_path_needs_no_parser():
    program = (
        "import sys; from grice.matching.paths import find; "
        "assert find('a[0].b', {'a': [{'b': 1}]}) == [1]; "
        "assert not [name for name in sys.modules if name.startswith(('jsonpath', 're2', 'iregexp'))]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_error_survives_pickling():
    with pytest.raises(PathError) as caught:
        compile_path("$.a b")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.position) == (str(caught.value), caught.value.position) == (str(caught.value), 2)
