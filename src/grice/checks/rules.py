"""The rules that are measured: each with its matcher, and labelled examples beside it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from grice.checks.profiles import PROFILES, Profile
from grice.matching.matcher import MatcherFactory


class Rule(msgspec.Struct, frozen=True):
    """A check whose error is measured.

    `name` is what `grice validate checks` and `grice scan --checks` call it. `module`, in `grice.checks`,
    holds the matcher; its examples are `<name>.examples.jsonl` beside it, and those in a folder of its name:
    a file for each step of a rule that has several.
    """

    name: str
    module: str
    matcher: str
    layer: int
    profiles: tuple[Profile, ...] = PROFILES

    @property
    def factory(self) -> MatcherFactory[Any, Any]:
        """Its matcher, imported now."""
        factory: MatcherFactory[Any, Any] = getattr(
            import_module(f"grice.checks.{self.module}"), self.matcher
        )
        return factory

    @property
    def examples(self) -> tuple[Path, ...]:
        """The files of its examples: that beside the module, and those in the folder of the rule's name."""
        beside = Path(__file__).parent.joinpath(*self.module.split(".")[:-1])
        several = sorted((beside / self.name).glob("*.examples.jsonl"))
        return beside / f"{self.name}.examples.jsonl", *several


RULES: tuple[Rule, ...] = (
    Rule("tool-minimality", "tool_minimality", "use_tools_for", 0),
    Rule("boilerplate", "tone.boilerplate", "avoid_boilerplate", 1),
    Rule("contractions", "tone.contractions", "use_contractions", 1),
    Rule("exclamations", "tone.exclamations", "have_at_most_exclamations", 1),
    Rule("repetition", "tone.repetition", "avoid_repetition", 1),
    Rule("similarity", "tone.similarity", "differ_from_previous", 1),
    Rule("openers", "tone.openers", "open_differently", 1),
    Rule("sentences", "structure.sentence_count", "have_at_most_sentences", 1),
    Rule("envelope", "shop.envelope", "have_envelope", 1),
    Rule("clarifiers", "questions.clarifiers", "ask_new_clarifiers", 1),
    Rule("budget", "shop.budget", "stay_within_budget", 1),
    Rule("tool-flow", "tool_flow.matchers", "be_valid_response", 1),
    Rule("self-contradiction", "contradiction.self_contradiction", "avoid_self_contradiction", 1),
    Rule("evidence", "evidence.support", "be_supported_by", 2),
    Rule("products", "shop.products", "ground_products", 2),
    Rule("policy", "evidence.policy", "follow_policy", 2),
    Rule("memory", "questions.memory", "remember_answers", 2),
    Rule(
        "factual-contradiction",
        "contradiction.factual_contradiction",
        "avoid_factual_contradiction",
        2,
        ("robust",),
    ),
    Rule("topicality", "semantics.topicality", "stay_on_topic", 4),
    Rule("coverage", "shop.coverage", "cover_constraints", 4),
    Rule("clarifier-efficiency", "shop.clarifier_efficiency", "clarify_efficiently", 4),
)
"""Every rule with examples, by layer."""


def rule_groups() -> dict[str, list[Rule]]:
    """The rules of each group: of all of them, and of each package."""
    found: dict[str, list[Rule]] = {"all": list(RULES)}
    for rule in RULES:
        package, _, module = rule.module.partition(".")
        if module:
            found.setdefault(package, []).append(rule)
    return found
