import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.packs import pack_of
from grice.text.quantities import quantities

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "quantities.jsonl").read_text(encoding="utf-8").splitlines()
]


def number(written):
    return None if written is None else Decimal(str(written))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_finds_the_quantities_of_a_sentence(row):
    found = [
        (one.low, one.high, one.unit, one.dimension, "ord" if one.ordinal else one.comparison)
        for one in quantities(row["text"])
    ]
    assert found == [(number(low), number(high), *others) for low, high, *others in row["found"]]


def test_a_quantity_says_where_it_stands_with_its_words_of_comparison():
    text = "Refunds take at most 3-5 or no more than 7 business days."
    assert [text[one.start : one.end] for one in quantities(text)] == ["3-5", "no more than 7 business days"]


@given(
    st.text(
        st.sampled_from("0123456789.,/-–½%°$ dayskgtwoandahalf+x\"'\n\ud800") | st.characters(), max_size=40
    )
)
def test_any_text_is_measured_without_an_error(text):
    for code in ("en", "de"):
        for one in quantities(text, pack_of(code)):
            assert 0 <= one.start < one.end <= len(text)
            assert one.dimension == "name" or one.low is not None or one.high is not None


@pytest.mark.parametrize(
    "unit", ["1,1 ", "5 $10.50 or 3-5 days, ", "1/2", "a1", "10 x ", "1-", "one hundred and ", "half a "]
)
def test_many_numbers_do_not_raise(unit):
    quantities(unit * 500, pack_of("en"))
