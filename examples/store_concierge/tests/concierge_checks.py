"""The code checks of a turn, by what kind of turn it is: layers 0, 1, 2 and 4, without a judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grice import Reply
from grice.matchers import (
    Matcher,
    ask_new_clarifiers,
    avoid_boilerplate,
    avoid_repetition,
    be_supported_by,
    differ_from_previous,
    follow_policy,
    ground_products,
    have_at_most_exclamations,
    have_envelope,
    open_differently,
    remember_answers,
    report_what_it_did,
    stay_within_budget,
    use_contractions,
    use_tools_for,
)
from store_concierge.tools import STORE_CARD

Named = tuple[str, Matcher[Any]]

TOOLS = {
    "details": {"needs": ["product.details"], "only": True, "at_most": 1},
    "store": {"needs": ["store.info"], "only": True, "at_most": 1},
    "stock": {"needs": ["inventory.check"], "allows": ["product.search"], "only": True, "at_most": 2},
}
"""What other turns use: details, stock with what is like it, opening hours."""

DRIVERS = {"refresh_rate_hz": "higher", "response_time_ms": "lower", "screen_size_inches": "higher"}
"""What is worth paying more for."""


def checks_of(reply: Reply, kind: str, *, budget: float | None = None) -> Iterator[Named]:
    """The checks of a turn, each with its name.

    `kind` is small_talk, recommendation, policy, details, stock or store; `budget` what the user would spend.
    What compares with earlier turns is left out of the first, what looks at questions where there are none.
    """
    yield "tools", use_tools_for(kind, policy=TOOLS)
    if kind != "small_talk":
        yield "self-report", report_what_it_did(store_card_tool="policy.get")
    yield "envelope", have_envelope()
    yield from tone()
    if reply.number > 1:
        yield "similarity", differ_from_previous()
        yield "openers", open_differently()
    if reply.number > 1 and "?" in reply.text:
        yield "clarifiers", ask_new_clarifiers()
        yield "memory", remember_answers()
    if kind in ("recommendation", "stock", "store"):
        yield "support", be_supported_by()
    if reply.data["products"]:
        yield "products", ground_products()
        if budget is not None:
            yield "budget", stay_within_budget(budget, drivers=DRIVERS)
    if kind == "policy":
        yield "policy", follow_policy(STORE_CARD)


def tone() -> Iterator[Named]:
    """How it is said, whatever was said before."""
    yield "boilerplate", avoid_boilerplate()
    yield "contractions", use_contractions()
    yield "exclamations", have_at_most_exclamations(1)
    yield "repetition", avoid_repetition()
