"""Rules with dice, in place of a language model.

It knows some instructions that a prompt may have, and follows each of them most of the time: as often as the
table says. Some scenarios are harder than others. The dice follow from the prompt, the scenario and the
number of the conversation, so a run can be repeated.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

HABITS = {
    # what it may do: (how often without the instruction, with it, words of the instruction)
    "looks it up": (0.86, 0.98, "Look the order up"),
    "does it": (0.86, 0.97, "never only promise"),
    "says what is next": (0.45, 0.9, "what happens next"),
    "is brief": (0.4, 0.93, "at most two sentences"),
    "asks needlessly": (0.2, 0.05, "Look the order up"),
    "is friendly": (0.6, 0.92, "friendly"),
}

WANTED = (
    ("cancel_order", r"cancel|do not want|no longer"),
    ("change_address", r"address|moved|send it to"),
    ("start_return", r"torn|damaged|wrong book|missing pages|send .* back"),
)

DONE = {
    "cancel_order": "order {number} is cancelled",
    "change_address": "the address of order {number} is changed",
    "start_return": "a return for order {number} has begun",
}
PROMISED = {
    "cancel_order": "I will have order {number} cancelled",
    "change_address": "I will have the address of order {number} changed",
    "start_return": "I will have a return for order {number} begun",
}
NEXT = {
    "": "You will get a message when it moves.",
    "cancel_order": "You will get your money within five days.",
    "change_address": "Next, the carrier is told.",
    "start_return": "You will get a label by e-mail.",
}


class StandInModel:
    """Answers for one conversation. `dice` says which."""

    def __init__(self, dice: str) -> None:
        self.dice = dice

    def complete(self, messages: Sequence[Mapping[str, Any]]) -> str | tuple[str, int]:
        """The next thing to say or do."""
        prompt = str(messages[0]["content"])
        said = [str(one["content"]) for one in messages if one["role"] == "user"]
        number = re.search(r"\b\d{5}\b", " ".join(said))
        asked_before = any(one["role"] == "assistant" for one in messages)
        if number is None or (not asked_before and self.does("asks needlessly", prompt)):
            return "Happy to look into it! Which order is it?"
        order = int(number[0])
        called = {one["name"]: one["content"] for one in messages if one["role"] == "tool"}
        if "look_up_order" not in called and self.does("looks it up", prompt):
            return "look_up_order", order
        wanted = next((tool for tool, words in WANTED if re.search(words, said[0].lower())), "")
        if wanted and wanted not in called and self.does("does it", prompt):
            return wanted, order
        return self._reply(prompt, order, wanted, called)

    def does(self, habit: str, prompt: str) -> bool:
        """Whether it does so in this conversation."""
        without, with_it, words = HABITS[habit]
        often = with_it if words in prompt else without
        ease = 0.5 + _die(
            self.dice.partition(",")[0], habit
        )  # from 0.5 to 1.5, the same in every conversation
        slips = min(1.0, (1 - often) * ease if often > 0.5 else often * ease)
        rolled = _die(prompt, self.dice, habit)
        return rolled >= slips if often > 0.5 else rolled < slips

    def _reply(self, prompt: str, order: int, wanted: str, called: Mapping[str, Any]) -> str:
        if wanted:
            said = (DONE if wanted in called else PROMISED)[wanted].format(number=order) + "."
        elif "look_up_order" in called:
            said = f"order {order} is {called['look_up_order']['state']}."
        else:
            said = f"order {order} should be with you soon."
        if self.does("is friendly", prompt):
            said = f"{'Of course' if wanted else 'Thank you for asking'}: {said}"
        else:
            said = said[0].upper() + said[1:]
        if self.does("says what is next", prompt):
            said = f"{said} {NEXT[wanted]}"
        if not self.does("is brief", prompt):
            said = f"{said} Our shop has been there since 1952. Do look at our new books."
        return said


def _die(*names: str) -> float:
    """A number from 0 to 1 that follows from the names."""
    digest = hashlib.sha256("\n".join(names).encode()).digest()
    return int.from_bytes(digest[:7], "big") / (1 << 56)
