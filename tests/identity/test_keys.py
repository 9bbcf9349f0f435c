import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import scenario_key, stable_id, stable_path


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ({"id": "update-plugin", "say": "x"}, "update-plugin"),
        ({"id": 7}, "7"),
    ],
)
def test_a_scenario_is_called_by_its_own_id(record, key):
    assert scenario_key(record) == key


@pytest.mark.parametrize("absent", [{}, {"id": ""}, {"id": "  "}, {"id": None}, {"id": True}, {"id": [1]}])
def test_without_an_id_the_content_is_the_key(absent):
    record = {"say": "hi", "tags": ["a"], **absent}
    key = scenario_key(record)
    assert key.startswith("scenario_")
    assert len(key) == len("scenario_") + 8
    assert scenario_key(dict(reversed(record.items()))) == key
    assert scenario_key({**record, "say": "ho"}) != key


def test_the_key_of_the_seed_is_the_digest_of_compact_sorted_json():
    digest = hashlib.sha256('{"a":1,"b":"é"}'.encode()).hexdigest()
    assert scenario_key({"b": "é", "a": 1}) == f"scenario_{digest[:8]}"


def test_large_sets_have_longer_keys():
    short, long = scenario_key({"a": 1}, set_size=1000), scenario_key({"a": 1}, set_size=1001)
    assert long.startswith(short)
    assert len(long) == len("scenario_") + 16


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((("BookingAgent", "venue search"), {}), "BookingAgent::venue search"),
        (
            (("test_venues", "TestX", "test_y"), {"params": "a-1", "scenario": "rush"}),
            "test_venues::TestX::test_y[a-1]@rush",
        ),
        ((("s", "  two \n\t words "), {}), "s::two words"),
        ((("s", " "), {"params": ""}), "s::(anonymous)[(anonymous)]"),
        ((("s", "cafe\u0301"), {}), "s::café"),
        ((("s", "a::b@c[d]"), {}), r"s::a\:\:b\@c\[d]"),
        ((("s", "back\\slash"), {}), r"s::back\\slash"),
    ],
)
def test_the_path_of_a_test(arguments, path):
    names, options = arguments
    assert stable_path(*names, **options) == path


def test_the_id_of_the_seeds_example():
    path = stable_path("BookingAgent", "venue search", "returns results")
    assert path == "BookingAgent::venue search::returns results"
    assert stable_id(path) == "example:b085ef658697"


tricky = st.text(alphabet=":@[]\\a ", min_size=1, max_size=5)
parts = st.tuples(st.lists(tricky, min_size=1, max_size=3), st.none() | tricky, st.none() | tricky)


def normalised(inputs):
    names, params, scenario = inputs
    return [
        None if part is None else (" ".join(unicodedata.normalize("NFC", part).split()) or "(anonymous)")
        for part in (*names, "|", params, scenario)
    ]


@given(parts, parts)
def test_different_inputs_never_share_a_path(one, other):
    paths = [
        stable_path(*names, params=params, scenario=scenario) for names, params, scenario in (one, other)
    ]
    assert (paths[0] == paths[1]) == (normalised(one) == normalised(other))
