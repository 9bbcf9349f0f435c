"""What changes nothing for a reader changes no outcome, and a negation turns it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_subjects import BOARD, outcome, verdict_on
from grice.checks.evidence.policy import follow_policy
from grice.checks.shop.products import ground_products

TEXTS = (
    "It's got a soft flex and it costs $299.99.",
    "It's got a stiff flex.",
    "It isn't waterproof.",
    "It's made of bamboo, and that's rare.",
    "You'll find it weighs 2.9 kg.",
)
CHANGES: dict[str, Callable[[str], str]] = {
    "curly apostrophes": lambda text: text.replace("'", "’"),
    "upper case": str.upper,
    "lower case": str.lower,
    "bold": lambda text: f"**{text}**",
    "a bullet": lambda text: f"- {text}",
    "invisible characters": lambda text: (
        "\u200b".join(text.split(" ", 1)[:1]) + " \u2060" + text.split(" ", 1)[1]
    ),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "a greeting": lambda text: f"Hi there! {text}",
    "a pleasantry": lambda text: f"{text} Let me know if you have any questions!",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_outcome_stays(text: str, change: str) -> None:
    assert outcome(CHANGES[change](text), language="en") == outcome(text, language="en")


@pytest.mark.parametrize("change", CHANGES)
def test_the_outcome_on_policy_stays(change: str) -> None:
    card = {"returns": {"window_days": 30}}
    for text in ("It's returnable within 30 days.", "It's returnable within 60 days."):
        one, other = (
            verdict_on(said, follow_policy(card, language="en")) for said in (text, CHANGES[change](text))
        )
        assert one.outcome is other.outcome


@pytest.mark.parametrize("change", [one for one in CHANGES if one not in ("a greeting", "a pleasantry")])
def test_the_outcome_on_products_stays(change: str) -> None:
    for why in ("It's soft in flex", "It's stiff in flex"):
        verdicts = [
            verdict_on(
                {"products": [{"id": "p1", "why": [said]}]}, ground_products(records=[BOARD], language="en")
            )
            for said in (why, CHANGES[change](why))
        ]
        assert verdicts[0].outcome is verdicts[1].outcome


@pytest.mark.parametrize("word", ["waterproof", "soft", "refundable"])
@pytest.mark.parametrize("truth", [True, False])
def test_negating_one_side_turns_the_outcome(word: str, truth: bool) -> None:
    plain, denied = (outcome(f"It {verb} {word}.", {word: truth}) for verb in ("is", "isn't"))
    assert (plain, denied) == (("pass", "fail") if truth else ("fail", "pass"))
    valued, denying = (outcome(f"It {verb} {word}.", {"kind": word}) for verb in ("is", "isn't"))
    assert (valued, denying) == ("pass", "fail")


@given(
    st.text(max_size=80),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ),
)
def test_nothing_raises(text: str, facts: object) -> None:
    assert outcome(text, facts) != "error"
    assert outcome(text, facts, profile="seed") in ("pass", "fail")
