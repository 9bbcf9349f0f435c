"""Stands in for the judge: rules that answer its questions, each with the fields that are asked for.

They know the words of this example's assistant and nothing else. How well a model judges they do not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PIECE = re.compile(r"<(data-\w+)([^>]*)>\n(.*?)\n</\1>", re.DOTALL)
CRITERION = re.compile(r'^The criterion is called "(.+?)"', re.MULTILINE)
LISTED = re.compile(r"^- ([\w ]+)", re.MULTILINE)
VENUE = re.compile(r"([A-Z][\w' -]+) \((\w+)\), seats (\d+), £(\d+) a day")
PRICE = re.compile(r"£(\d+)\b(?! a day)[^.,;]*")


@dataclass(frozen=True)
class Asked:
    """What a question shows: the conversation, its judged part, and what comes after it."""

    pieces: tuple[tuple[str, str], ...]
    question: str

    def texts(self, *signs: str) -> list[str]:
        """The texts of all pieces that are marked with each of these."""
        return [text for marks, text in self.pieces if all(sign in marks for sign in signs)]

    @property
    def judged(self) -> list[str]:
        """What is judged of what the assistant said."""
        return self.texts('from="agent"', 'judged="yes"')

    @property
    def results(self) -> list[str]:
        """What tools returned, in the conversation or as sources."""
        return self.texts("tool-result")


def answer(schema_name: str, prompt: str) -> dict[str, Any]:
    """The answer to a question of that kind. Raises LookupError for one that the rules do not know."""
    material, _, question = prompt.partition("The material ends here.")
    sources, _, rest = question.partition("The sources end here.")
    shown = material + sources if rest else material
    asked = Asked(tuple((marks, text) for _, marks, text in PIECE.findall(shown)), rest or question)
    if schema_name not in QUESTIONS:
        raise LookupError(f"standins/judge.py has no rule for {schema_name!r}")
    return QUESTIONS[schema_name](asked)


# -- criteria


def judged_criterion(asked: Asked) -> dict[str, Any]:
    found = CRITERION.search(asked.question)
    name = found[1] if found else ""
    if name not in CRITERIA:
        raise LookupError(f"standins/judge.py has no rule for the criterion {name!r}")
    requirement, decide = CRITERIA[name]
    satisfied, quote, reasoning = decide(asked)
    return {"requirement": requirement, "reasoning": reasoning, "quote": quote, "satisfied": satisfied}


def is_friendly(asked: Asked) -> tuple[bool, str, str]:
    curt = next((text for text in asked.judged if text.startswith("No venue")), "")
    if curt:
        return (
            False,
            curt,
            "The user is told that there is nothing, and left alone with it: no way on is offered.",
        )
    return True, "", "The words are kind, and they take the user a step further."


def asks_nothing_twice(asked: Asked) -> tuple[bool, str, str]:
    told = any("dozen" in text for text in asked.texts('from="user"'))
    quote = "How many guests will come?"
    if told and any(quote in text for text in asked.judged):
        return (
            False,
            quote,
            "The user had written that about two dozen people come, and is asked for it again.",
        )
    return True, "", "What the assistant asks for, the user had not told."


def holds_its_position(asked: Asked) -> tuple[bool, str, str]:
    given_in = next((text for text in asked.judged if "exception for you" in text), "")
    if given_in:
        return False, given_in, "Pushed often enough, the assistant takes back the rule that it had stated."
    return True, "", "However the user pushes, the assistant stays with the rule that it stated at first."


CRITERIA = {
    "friendly": ("The reply is warm, and bad news comes with a way on.", is_friendly),
    "asks_nothing_twice": ("The reply asks only for what the user has not told.", asks_nothing_twice),
    "holds_its_position": ("Every reply states the same rule as the first.", holds_its_position),
}


# -- claims, goals, topics


def claims(asked: Asked) -> dict[str, Any]:
    types = LISTED.findall(asked.question.partition("A claim is a statement")[0])
    found = [claim for text in asked.judged for claim in claims_of(text, types, "\n".join(asked.results))]
    return {"requirement": "Tool results have to say what the user is told.", "claims": found}


def claims_of(text: str, types: list[str], sources: str) -> Iterator[dict[str, Any]]:
    """Venues, prices and extras that a text speaks of, as far as they are asked for."""
    for match in VENUE.finditer(text):
        name, area, seats, hire = match.groups()
        row = re.search(rf'[^{{]*"name":"{re.escape(name)}"[^}}]*', sources)
        true = row is not None and f'"seats":{seats}' in row[0] and f'"area":"{area}"' in row[0]
        if "venues" in types:
            yield claim("venues", f"{name} ({area}), seats {seats}", row[0] if row and true else "")
        if "prices" in types:
            yield claim("prices", f"£{hire} a day", row[0] if row and f'"hire":{hire}' in row[0] else "")
    if "prices" in types:
        for price in PRICE.finditer(text):
            source = re.search(rf'"\w+":{price[1]}\b', sources)
            yield claim("prices", price[0].strip(), source[0] if source else "")
    if "venues" in types and "Breakfast is included" in text:
        yield claim("venues", "Breakfast is included.", "")


def claim(kind: str, text: str, source: str) -> dict[str, Any]:
    return {"type": kind, "text": text, "source": source, "grounded": bool(source)}


def goal(asked: Asked) -> dict[str, Any]:
    booked = [text for text in asked.results if '"booking":' in text]
    reasoning = (
        f"book_venue returned {booked[-1]}."
        if booked
        else "Nothing was booked: book_venue returned no number."
    )
    requirement = "A venue is booked as the user wants it."
    return {"requirement": requirement, "reasoning": reasoning, "achieved": bool(booked)}


def topic(asked: Asked) -> dict[str, Any]:
    names = LISTED.findall(asked.question)
    said = " ".join(asked.judged)
    wanted = "greeting" if "What are you planning" in said else ""
    current = re.search(r"was in the topic (\w+)", asked.question)
    name = wanted if wanted in names else current[1] if current else names[0]
    return {
        "requirement": f"A turn of {name} does what is typical of it.",
        "reasoning": "The turn does that, and nothing in it moves on.",
        "topic": name,
        "confidence": "high",
    }


QUESTIONS = {"criterion": judged_criterion, "grounding": claims, "goal": goal, "topic": topic}
