"""Whether two values agree is decided in one place."""

from __future__ import annotations

import pytest
from claims_held import atoms_in

from grice.claims.agreeing import agree


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
