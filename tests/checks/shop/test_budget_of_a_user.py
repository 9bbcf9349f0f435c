# ruff: noqa: E501 - tables, one case a line
"""stay_within_budget reads budgets and prices of any format, and says which product is too dear."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.shop.budget import beaten, stay_within_budget
from grice.checks.shop.price_limit import PriceBudget, read_budget
from grice.records import ToolCall
from structure_turns import refusal_of, reply_of, verdict_on


def cards(*prices):
    products = [
        {"id": f"p{n}", "title": f"Board {n}", "price": price, "why": ["a", "b"]}
        for n, price in enumerate(prices)
    ]
    return {"lead": "Here.", "products": products}


@pytest.mark.parametrize(
    ("given", "budget"),
    [
        (400, PriceBudget(Decimal(400))),
        (399.5, PriceBudget(Decimal("399.5"))),
        ("under $500", PriceBudget(Decimal(500), currency="USD")),
        ("minimum $100, maximum $300", PriceBudget(Decimal(300), currency="USD")),
        ("about 40 a month", PriceBudget(Decimal(40), approximate=True, per="month")),
        ("$400-$600", PriceBudget(Decimal(600), currency="USD")),
        ("400 to 600", PriceBudget(Decimal(600))),
        ("around $400", PriceBudget(Decimal(400), currency="USD", approximate=True)),
        ("max 1.299,00 EUR", PriceBudget(Decimal("1299.00"), currency="EUR")),
        ({"max": "400", "currency": "eur"}, PriceBudget(Decimal(400), currency="EUR")),
        ({"max": 400, "currency": "dollars"}, PriceBudget(Decimal(400), None, "USD")),
        (PriceBudget(Decimal(400), currency="€"), PriceBudget(Decimal(400), None, "EUR")),
        ({"max": "$400", "min": 100}, PriceBudget(Decimal(400), Decimal(100), "USD")),
        (
            {"max": 400, "total": True, "quantities": {"a": 2}},
            PriceBudget(Decimal(400), total=True, quantities={"a": 2}),
        ),
    ],
)
def test_a_budget_is_a_number_a_text_or_a_record(given, budget):
    assert read_budget(given) == budget


@pytest.mark.parametrize(
    ("budget", "problem"),
    [
        (None, "budget is a PriceBudget, a number, a Decimal, a text or an object, found None"),
        (True, "budget is a PriceBudget, a number, a Decimal, a text or an object, found True"),
        ("cheap", "budget names no highest amount, found 'cheap'"),
        ("at least $300", "budget names no highest amount, found 'at least $300'"),
        ("mindestens 300 Euro", "budget names no highest amount, found 'mindestens 300 Euro'"),
        ("$50 or more", "budget names no highest amount, found '$50 or more'"),
        (-1, "a budget has a max above 0, a min up to that and a tolerance from 0 up, found -1"),
        ({"maximum": 3}, "budget has an unknown field 'maximum' (did you mean 'max'?)"),
        ({"min": 3}, "budget has no max, found {'min': 3}"),
        ({"max": 3, "currency": "pieces"}, "budget.currency is a code like 'USD', found 'pieces'"),
        ({"max": 3, "total": "yes"}, "budget: Expected `bool`, got `str` - at `$.total`"),
    ],
)
def test_what_is_no_budget_is_refused(budget, problem):
    assert refusal_of(stay_within_budget, budget) == problem


@pytest.mark.parametrize(
    ("drivers", "problem"),
    [
        (
            {"rating": "hihger"},
            "drivers['rating'] is 'higher' or 'lower' or a list of texts, at least 2, found 'hihger' (did you mean 'higher'?)",
        ),
        ({"flex": ["soft"]}, "drivers['flex'] is a list of texts, at least 2, found ['soft']"),
        (["rating"], "drivers is an object, found ['rating']"),
    ],
)
def test_wrong_drivers_are_refused(drivers, problem):
    assert refusal_of(stay_within_budget, 400, drivers=drivers) == problem


@pytest.mark.parametrize(
    ("data", "budget", "outcome", "reason"),
    [
        (
            cards(300, 549),
            400,
            "fail",
            "$.products[1].price ('Board 1'): 549 is 37.2 % over the budget of 400, more than the 20 % of an upsell",
        ),
        (
            cards(None),
            400,
            "inconclusive",
            "$.products[0].price ('Board 0'): its price is missing, and no record of it has one",
        ),
        (
            cards("soon"),
            400,
            "inconclusive",
            "$.products[0].price ('Board 0'): its price is unreadable: \"soon\", and no record of it has one",
        ),
        (
            cards("€349"),
            "under $400",
            "inconclusive",
            "$.products[0].price ('Board 0'): its price is in EUR, the budget in USD",
        ),
        (
            cards(450),
            400,
            "inconclusive",
            "$.products[0].price ('Board 0'): 450 is 12.5 % over the budget of 400, and no drivers are given by which it could be better",
        ),
        (
            cards("from $999"),
            400,
            "fail",
            "$.products[0].price ('Board 0'): 999 is 149.8 % over the budget of 400, more than the 20 % of an upsell",
        ),
        (cards(), 400, "inconclusive", "there are no products and no prices to compare with the budget"),
        (
            cards(300, 380.5),
            400,
            "pass",
            "$.products[0].price ('Board 0') 300; $.products[1].price ('Board 1') 380.50",
        ),
    ],
)
def test_the_reason_names_product_price_and_budget(data, budget, outcome, reason):
    verdict = verdict_on(data, stay_within_budget(budget))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_a_price_that_differs_from_the_record_is_named_as_such():
    calls = (ToolCall("search", result=[{"id": "p0", "price": 449}]),)
    verdict = verdict_on(reply_of(("Hi", "Here."), data=cards(349), calls=calls), stay_within_budget(400))
    assert verdict.outcome == "fail"
    assert (
        verdict.reason == "$.products[0].price ('Board 0'): the card says 349, the record of the product 449"
    )


def test_evidence_of_a_price_in_prose_is_its_place():
    text = "I'd take the **Custom** at $649, a great board."
    verdict = verdict_on(text, stay_within_budget(400))
    assert verdict.outcome == "fail"
    [found] = verdict.evidence
    assert text[found.start : found.end] == "$649" == found.quote


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("The Aero is $380. It normally sells for $650.", "pass"),
        ("The Aero is $380 instead of $650.", "pass"),
        ("You mentioned $500 to $700, so the Aero at $380 is fine.", "pass"),
        ("The Aero is $380. Although it is over your budget, the Nova at $720 is worth a look.", "pass"),
        ("The Aero is $380, and the Nova, at $720, is a step up.", "fail"),
        ("The Aero is $380. The Nova is $720 and has a $50 mail-in rebate.", "fail"),
        ("How about the Aero at $680?", "fail"),
        ("| Aero | $380 |\n| Nova | $720 |", "fail"),
        ("Das Aero kostet 380 €. Das Nova kostet 720 €.", "fail"),
    ],
)
def test_an_amount_of_the_prose_counts_where_it_is_a_price(text, outcome):
    assert verdict_on(text, stay_within_budget(400)).outcome == outcome


@given(st.decimals(1, 5_000, places=2), st.decimals(1, 5_000, places=2))
def test_a_price_is_within_exactly_when_it_is_not_above(price, limit):
    verdict = verdict_on(cards(str(price)), stay_within_budget({"max": str(limit), "tolerance": 0}))
    assert verdict.outcome == ("pass" if price <= limit else "fail")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=20),
        lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=8), one, max_size=3),
        max_leaves=6,
    )
)
def test_no_price_raises(price):
    for profile in ("seed", "robust"):
        assert verdict_on(cards(price, 100), stay_within_budget(400, profile=profile)).outcome != "error"


@pytest.mark.parametrize(
    ("mine", "theirs", "better", "unknown"),
    [
        ("900 g", "1.2 kg", [], []),
        ("1.2 kg", "900 g", ["x"], []),
        ("2 hours", "90 min", ["x"], []),
        ("4,8 Sterne", 4.9, [], []),
        ("4.8 / 5", "4.2 stars", ["x"], []),
        ("10,000 mAh", "9,000 mAh", ["x"], []),
        ("IPX7", "IPX4", ["x"], []),
        (900, "1.2 kg", [], ["x"]),
        ("$20", "10 EUR", [], ["x"]),
        ("good", 3, [], ["x"]),
        (True, False, ["x"], []),
    ],
)
def test_drivers_are_compared_by_their_units(mine, theirs, better, unknown):
    assert beaten({"x": mine}, [{"x": theirs}], {"x": "higher"}) == (better, unknown)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Board 0 is $9,000.", "fail"),
        ("It costs 9,000.", "fail"),
        ("It's priced at just 9000, and it rides well.", "fail"),
        ("It costs 300.", "pass"),
        ("It costs 45 minutes of your time, and 9,000 people have one.", "pass"),
    ],
)
def test_a_price_of_the_text_counts_beside_an_envelope_that_says_another(text, outcome):
    verdict = verdict_on(reply_of(("A board?", text), data=cards(300)), stay_within_budget(400))
    assert verdict.outcome == outcome, verdict.reason
