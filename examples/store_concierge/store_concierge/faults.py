"""Faults that assistants like this have had, to be planted one at a time: each is caught by one check."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import wording
from .concierge import Concierge, Draft
from .tools import Tools
from .understanding import Heard


class InventedFeature(Concierge):
    """Gives a monitor a feature that its record does not have."""

    def recommend(self, tools: Tools, lead: str) -> Draft:
        draft = super().recommend(tools, lead)
        for product in draft.products[:1]:
            product["why"][1] = "Built-in KVM switch"
        return draft


class OverBudget(Concierge):
    """Adds a monitor that costs up to a fifth more than the user would spend, and is no better."""

    def recommend(self, tools: Tools, lead: str) -> Draft:
        limit = self.wishes.get("max_price")
        if limit is None:
            return super().recommend(tools, lead)
        found = tools.search(replace(self._wishes(), max_price=limit * 1.2), limit=6)
        within = [one for one in found if one["price"] <= limit]
        fastest = within[0]["refresh_rate_hz"]
        over = [one for one in found if one["price"] > limit and one["refresh_rate_hz"] <= fastest]
        words = {"count": "three", "use": wording.USE_WORDS[self.wishes.get("use", "")]}
        shown = [*within[:2], *over[:1]]
        return self._showing(shown, lead.format(**words), wording.compared(within[:2], self.wishes["use"]))


class AsksAgain(Concierge):
    """Asks for the budget though the user has named it."""

    def draft(self, heard: Heard, tools: Tools, *, changed: bool = False) -> Draft:
        draft = super().draft(heard, tools, changed=changed)
        if draft.mode == "recommend" and "max_price" in self.wishes:
            draft.detail += " What's your budget?"
        return draft


class ExtraCondition(Concierge):
    """Tells of a fee that the store card does not have."""

    def _on_policy(self, heard: Heard, tools: Tools) -> Draft:
        draft = super()._on_policy(heard, tools)
        draft.detail += " There's a 15% restocking fee if the box has been opened."
        return draft


class SearchesAtOnce(Concierge):
    """Searches the catalogue when it is greeted."""

    def _on_greeting(self, heard: Heard, tools: Tools) -> Draft:
        tools.search(self._wishes())
        return super()._on_greeting(heard, tools)


class StockOpener(Concierge):
    """Begins every reply with the same words."""

    def draft(self, heard: Heard, tools: Tools, *, changed: bool = False) -> Draft:
        draft = super().draft(heard, tools, changed=changed)
        draft.lead = f"Right, let's take a look. {draft.lead}"
        return draft


class Boilerplate(Concierge):
    """Talks about being a language model."""

    def _on_which(self, heard: Heard, tools: Tools) -> Draft:
        draft = super()._on_which(heard, tools)
        draft.lead = f"As an AI language model, I don't have personal opinions. {draft.lead}"
        return draft


class Parrot(Concierge):
    """Says what it said before to whoever complains, with another beginning."""

    last: Draft | None = None

    def draft(self, heard: Heard, tools: Tools, *, changed: bool = False) -> Draft:
        if heard.intent == "friction" and self.last is not None:
            return Draft(f"Okay, sure. {self.last.lead}", self.last.detail)
        self.last = super().draft(heard, tools, changed=changed)
        return self.last


FAULTS: dict[str, Any] = {
    "": Concierge,
    "invented_feature": InventedFeature,
    "over_budget": OverBudget,
    "asks_again": AsksAgain,
    "extra_condition": ExtraCondition,
    "searches_at_once": SearchesAtOnce,
    "stock_opener": StockOpener,
    "boilerplate": Boilerplate,
    "parrot": Parrot,
}
"""The concierge with each fault, by its name; "" has none."""
