"""The code checks of a turn, by what kind of turn it is: layers 0, 1, 2 and 4, without a judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grice import Reply
from grice.checks.evidence.memory import remember_answers
from grice.checks.evidence.policy import follow_policy
from grice.checks.evidence.products import ground_products
from grice.checks.evidence.support import be_supported_by
from grice.checks.self_report import report_what_it_did
from grice.checks.structure.budget import stay_within_budget
from grice.checks.structure.clarifiers import ask_new_clarifiers
from grice.checks.structure.envelope import have_envelope
from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.similarity import differ_from_previous
from grice.checks.tool_minimality import use_tools_for
from grice.matching.matcher import Matcher
from store_concierge.tools import STORE_CARD

Named = tuple[str, Matcher[Any]]

TOOLS = {
    "details": {"needs": ["product.details"], "only": True, "at_most": 1},
    "store": {"needs": ["store.info"], "only": True, "at_most": 1},
    "stock": {"needs": ["inventory.check"], "allows": ["product.search"], "only": True, "at_most": 2},
}
"""What turns use that the seed does not name: details, stock with what is like it, opening hours."""

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
