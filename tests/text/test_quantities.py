import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.packs import pack_of
from grice.text.quantities import quantities, same_quantity

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


@pytest.mark.parametrize(
    ("claimed", "holds", "agrees"),
    [
        ("30 days", "30 days", True),
        ("30 days", "14 days", False),
        ("2 weeks", "14 days", True),
        ("a 12-month plan", "for one year", True),
        ("5 days", "5 business days", None),
        ("30 days", "30 kg", None),
        ("under $300", "$299.99", True),
        ("under $300", "$300", False),
        ("at most $300", "$300", True),
        ("over 500 reviews", "512 reviews", True),
        ("over 500 reviews", "480 reviews", False),
        ("$300", "300 EUR", None),
        ("about $300", "$310", True),
        ("about $300", "$400", False),
        ("3-5 days", "4 days", True),
        ("4 days", "3-5 days", False),
        ("3-5 days", "3 to 5 days", True),
        ("1.5 kg", "1500 g", True),
        ("41 °F", "5 °C", True),
        ("$20 per month", "$20 per year", None),
        ("4.5 stars", "4.5 out of 5", True),
        ("under $300", "under $250", True),
        ("under $300", "over $400", False),
        ("under $300", "under $400", None),
        ("iPhone 15", "iPhone 15", None),
    ],
)
def test_quantities_agree_when_what_is_claimed_holds(claimed, holds, agrees):
    (one,), (other,) = quantities(claimed), quantities(holds)
    assert same_quantity(one, other) is agrees


def test_a_tolerance_is_a_share_of_what_holds():
    (one,), (other,) = quantities("96 grams"), quantities("100 g")
    assert same_quantity(one, other) is False
    assert same_quantity(one, other, tolerance=Decimal("0.05")) is True


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
