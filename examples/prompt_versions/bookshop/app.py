"""Putting the assistant together: one function for each version of the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from standin.model import StandInModel

from .assistant import BookshopAssistant
from .orders import Orders

PROMPTS = Path(__file__).parent.parent / "prompts"


def version(name: str) -> Callable[[Any], BookshopAssistant]:
    """What builds an assistant with that prompt, for one conversation.

    A real model answers the same question differently each time. The stand-in does so too: the dice of the
    second conversation about a scenario are not those of the first.
    """
    prompt = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    built: Counter[str] = Counter()
    lock = Lock()

    def build(context: Any) -> BookshopAssistant:
        scenario = str(context["scenario"]["id"])
        with lock:
            built[scenario] += 1
            dice = f"{scenario}, time {built[scenario]}"
        return BookshopAssistant(prompt, StandInModel(dice), Orders())

    return build


v1 = version("v1")
v2 = version("v2")
v3 = version("v3")
v1_reworded = version("v1_reworded")
