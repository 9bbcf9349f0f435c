"""Whether two values agree is decided in one place."""

from __future__ import annotations

import pytest
from claims_settled import atoms_in

from grice.claims.value_agreement import agree
from grice.text.quantities import quantities


@pytest.mark.parametrize(
    ("claimed", "known", "answer"),
    [
        ("It takes 2 hours.", "It takes 120 minutes.", "same"),
        ("It takes 2 hours.", "It takes 3 hours.", "different"),
        ("It takes 2 hours.", "It weighs 2 kg.", "not comparable"),
        ("It costs $40.", "It costs €40.", "not comparable"),
        ("It costs $40.", "It costs $39.99.", "different"),
        ("It costs about $40.", "It costs $39.99.", "same"),
        ("It costs $40 per month.", "It costs $40 per year.", "not comparable"),
        ("It arrives within 5 days.", "It takes 3-5 days.", "same"),
        ("It arrives in 4 days.", "It takes 3-5 days.", "different"),
        ("It takes 3-5 days.", "It takes 4 days.", "same"),
        ("It weighs 2.5 kg.", "It weighs 2460 g.", "same"),
        ("It weighs 40 kg.", "It weighs 41 kg.", "different"),
        ("It is under $300.", "It costs $299.", "same"),
        ("It is under $300.", "It costs $301.", "different"),
        ("It opens at 9 am.", "It opens at 09:00.", "same"),
        ("It opens at 9 am.", "It opens at 10:00.", "different"),
        ("It is on March 4.", "It is on 2026-03-04.", "same"),
    ],
)
def test_values_agree(claimed: str, known: str, answer: str) -> None:
    one, other = (atoms_in(text)[-1] for text in (claimed, known))
    assert agree(one, other) == answer


def test_states_and_codes_agree() -> None:
    shipped, denied = (atoms_in(text)[0] for text in ("It is shipped.", "It is not shipped."))
    assert agree(shipped, shipped) == "same"
    assert agree(shipped, denied) == "different"
    assert agree("B12", "b12") == "same"
    assert agree("B12", True) == "not comparable"


@pytest.mark.parametrize(
    ("claimed", "known", "answer"),
    [
        ("30 days", "30 days", "same"),
        ("30 days", "14 days", "different"),
        ("2 weeks", "14 days", "same"),
        ("a 12-month plan", "for one year", "same"),
        ("5 days", "5 business days", "not comparable"),
        ("30 days", "30 kg", "not comparable"),
        ("under $300", "$299.99", "same"),
        ("under $300", "$300", "different"),
        ("at most $300", "$300", "same"),
        ("over 500 reviews", "512 reviews", "same"),
        ("over 500 reviews", "480 reviews", "different"),
        ("$300", "300 EUR", "not comparable"),
        ("about $300", "$310", "same"),
        ("about $300", "$400", "different"),
        ("3-5 days", "4 days", "same"),
        ("4 days", "3-5 days", "different"),
        ("3-5 days", "3 to 5 days", "same"),
        ("1.5 kg", "1500 g", "same"),
        ("41 °F", "5 °C", "same"),
        ("$20 per month", "$20 per year", "not comparable"),
        ("4.5 stars", "4.5 out of 5", "same"),
        ("under $300", "under $250", "different"),
        ("under $300", "over $400", "different"),
        ("under $300", "under $400", "different"),
        ("iPhone 15", "iPhone 15", "not comparable"),
    ],
)
def test_bare_quantities_agree(claimed: str, known: str, answer: str) -> None:
    (one,), (other,) = quantities(claimed), quantities(known)
    assert agree(one, other) == answer
