import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import canonical_json, fingerprint

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-(2.0**53) + 1, 2.0**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ((1, (2,)), b"[1,[2]]"),
        (1.0, b"1"),
        (1e21, b"1e+21"),
        (float("nan"), b'"NaN"'),
        (float("-inf"), b'"-Infinity"'),
        (2**53 - 1, b"9007199254740991"),
        (2**53, b'"9007199254740992"'),
        (-(2**70), b'"-1180591620717411303424"'),
        ("a\ud800b", '"a\ufffdb"'.encode()),
        ({"\ud800": 1}, '{"\ufffd":1}'.encode()),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'.encode()),  # by UTF-16, not code point
    ],
)
def test_writes_the_one_canonical_text(value, expected):
    assert canonical_json(value) == expected


@pytest.mark.parametrize("value", [object(), b"bytes", {1: 2}, {"a": {1}}])
def test_refuses_what_is_not_json(value):
    with pytest.raises(TypeError, match="not a JSON"):
        canonical_json(value)


@given(st.dictionaries(st.text(), json_values))
def test_the_order_of_fields_does_not_matter(fields):
    reordered = dict(reversed(fields.items()))
    assert canonical_json(reordered) == canonical_json(fields)
    assert fingerprint(reordered) == fingerprint(fields)


without_floats = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(without_floats)
def test_the_quick_way_writes_what_the_reference_writes(value):
    assert canonical_json(value) == rfc8785.dumps(value)


@given(json_values)
def test_the_text_is_json_and_canonical_again(value):
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text


def test_a_fingerprint_names_its_algorithm_and_changes_with_the_content():
    assert fingerprint({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
