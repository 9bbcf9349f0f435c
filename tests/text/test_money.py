import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.money import money_in, read_money

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "money.jsonl").read_text(encoding="utf-8").splitlines()
]


def amount(written):
    return None if written is None else Decimal(written)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_finds_the_amounts_of_a_sentence(row):
    found = [(one.low, one.high, one.currency, one.period) for one in money_in(row["text"])]
    assert found == [(amount(low), amount(high), *others) for low, high, *others in row["found"]]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Now **$1,299.00** only", "$1,299.00"),
        ("about 400 to 600 dollars today", "400 to 600 dollars"),
        ("it is $20 per month.", "$20 per month"),
        ("I owe -$50 now", "-$50"),
    ],
)
def test_an_amount_says_where_it_stands(text, place):
    (one,) = money_in(text)
    assert text[one.start : one.end] == place


def test_about_makes_an_amount_approximate():
    assert [money_in(text)[0].approximate for text in ("about $40", "~$40", "$40 or so", "$40")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("value", "low", "currency"),
    [
        (350, "350", "USD"),
        (349.99, "349.99", "USD"),
        ("350", "350", "USD"),
        (" 1.299,00 ", "1299.00", "USD"),
        ("$1,299.00", "1299.00", "USD"),
        ("1.299,00 EUR", "1299.00", "EUR"),
        ({"amount": "5", "currencyCode": "eur"}, "5", "EUR"),
        ({"price": {"amount": 3, "currency": "GBP"}}, "3", "GBP"),
        (-5, "-5", "USD"),
    ],
)
def test_reads_the_amount_of_a_field(value, low, currency):
    found = read_money(value, "USD")
    assert (found.low, found.high, found.currency) == (Decimal(low), Decimal(low), currency)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        "",
        "abc",
        "12 or 13",
        "$1 or $2",
        [1],
        {},
        "1" * 500,
    ],
)
def test_what_is_no_amount_is_none(value):
    assert read_money(value) is None


@given(
    st.text(
        st.sampled_from("0123456789.,'’ $€£-–+kKto USDEURpermonth\u00a0\ud800١½²") | st.characters(),
        max_size=30,
    )
)
def test_any_text_and_value_is_read_without_an_error(text):
    for one in money_in(text):
        assert 0 <= one.start < one.end <= len(text)
        assert one.low is not None or one.high is not None
    read_money(text)


@given(st.decimals(0, 10**7, places=2))
def test_an_amount_reads_the_same_however_it_is_written(value):
    english, german = f"{value:,.2f}", f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    swiss = f"{value:,.2f}".replace(",", "'")
    for text in (f"${english}", f"{german} €", f"CHF {swiss}", f"USD {value:.2f}"):
        assert [one.low for one in money_in(text)] == [value]
