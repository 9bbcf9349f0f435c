"""Stands in for the judge: rules that give a score for each of its three questions, with their reasons.

They know the words of this example's concierge and nothing else. How well a model judges they do not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grice import Exchange, structured

PIECE = re.compile(r"<(data-\w+)([^>]*)>\n(.*?)\n</\1>", re.DOTALL)
PRICE = re.compile(r"\$([\d,]+(?:\.\d\d)?)")
CONTRACTION = re.compile(r"\w'(?:s|re|ve|ll|d|m|t)\b")
ROBOTIC = re.compile(r"\bas an ai\b|\blanguage model\b|\bi apologi[sz]e\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What a question shows: what is judged, what the user said, and what tools and shop have told."""

    pieces: tuple[tuple[str, str], ...]

    def texts(self, *signs: str) -> list[str]:
        """The texts of all pieces that are marked with each of these."""
        return [text for marks, text in self.pieces if all(sign in marks for sign in signs)]

    @property
    def judged(self) -> str:
        """What is judged of what the concierge said."""
        return "\n".join(self.texts('from="agent"', 'judged="yes"'))

    @property
    def known(self) -> str:
        """What tools returned, and the records and the card that were given."""
        return "\n".join([*self.texts("tool-result"), *self.texts("records"), *self.texts("store-card")])


def answer(exchange: Exchange) -> Any:
    """What the stand-in says, for `ScriptedModel(otherwise=answer)`. Raises LookupError without a rule."""
    asked = exchange.request["response_format"]["json_schema"]["name"]
    return structured(score(asked, exchange.request["messages"][-1]["content"]))


def score(question: str, prompt: str) -> dict[str, Any]:
    """The answer to a question of that kind. Raises LookupError for one that the rules do not know."""
    if question not in QUESTIONS:
        raise LookupError(f"standin_judge.py has no rule for {question!r}")
    return QUESTIONS[question](Asked(tuple((marks, text) for _, marks, text in PIECE.findall(prompt))))


def naturalness(asked: Asked) -> dict[str, Any]:
    points, reasons = 4.5, ["It is short, and it sounds like somebody who works in the shop."]
    if not CONTRACTION.search(asked.judged):
        points, reasons = 3.0, ["There is no contraction in it: nobody talks like that."]
    if ROBOTIC.search(asked.judged) or asked.judged.count("!") > 1:
        points, reasons = 2.0, ["It talks like a machine, or shouts."]
    return _answer("A natural reply is short and friendly, in the words of a chat.", reasons, points)


def guidance(asked: Asked) -> dict[str, Any]:
    prices = PRICE.findall(asked.judged)
    if len(prices) > 1 and "rather" in asked.judged:
        points, reason = 4.5, "It names monitors with prices, and says which to take to spend less."
    elif prices or "?" in asked.judged:
        points, reason = 4.0, "It takes the user a step on."
    else:
        points, reason = 3.0, "It answers, but leaves open what comes next."
    return _answer("The user needs a few monitors to choose from, and a reason to choose.", [reason], points)


def context_use(asked: Asked) -> dict[str, Any]:
    invented = [price for price in PRICE.findall(asked.judged) if price.replace(",", "") not in asked.known]
    if invented:
        reasons = [f"No tool has told the price {invented[0]}."]
        return _answer("Prices have to be those of the search.", reasons, 1.0)
    reasons = ["Every price is one that the search returned.", "It weighs speed against price for this user."]
    return _answer("A good reply uses the records of the search and the user's wishes.", reasons, 4.0)


def _answer(requirement: str, reasons: list[str], points: float) -> dict[str, Any]:
    return {"requirement": requirement, "reasons": reasons, "score": points}


QUESTIONS: dict[str, Callable[[Asked], dict[str, Any]]] = {
    "naturalness": naturalness,
    "guidance": guidance,
    "context_use": context_use,
}
