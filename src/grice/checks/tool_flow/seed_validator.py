"""The five patterns of profile `seed`, character by character, with what they miss and flag wrongly."""

from __future__ import annotations

import re
from typing import NamedTuple

from grice.checks.tool_flow.labels import Finding, Label, Validation
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_flow.vocabulary import word_list
from grice.text.packs import remembered


class _Pattern(NamedTuple):
    regex: re.Pattern[str]
    literals: tuple[str, ...]  # one of them is in the lower-cased text wherever the pattern matches

    def search(self, text: str, lowered: str) -> re.Match[str] | None:
        for literal in self.literals:  # finding literals is many times faster than the pattern
            if literal in lowered:
                return self.regex.search(text)
        return None


class _Rule(NamedTuple):
    label: Label
    patterns: tuple[_Pattern, ...]  # all of them must match somewhere
    status: ToolStatus | None = None  # the rule applies only under this status


def _pattern(source: str, *literals: str) -> _Pattern:
    # As JavaScript without its u flag: \b knows ASCII only, and no other letter folds to an ASCII one.
    return _Pattern(re.compile(source, re.IGNORECASE | re.ASCII), literals)


def _either(*literals: str) -> _Pattern:
    return _pattern("|".join(literals), *literals)


_RULES = (
    _Rule(
        "CONTRADICTORY_PREACTION_AND_ASK",
        (
            _pattern(r"\bnow[!.]", "now!", "now."),
            _either("would you like", "shall i", "want me to"),
        ),
    ),
    _Rule("UNEXPECTED_TRIGGER_LANGUAGE", (_either("triggered unexpectedly"),)),
    _Rule(
        "CONFIRMATION_LANGUAGE_ON_SUCCESS",
        (_either("confirm", "approve", "reject", "buttons below"),),
        status="success",
    ),
    _Rule("REDUNDANT_CONFIRMATION_ASK", (_either("would you like", "shall i"),), status="pending"),
)


@remembered
def _rules() -> tuple[_Rule, ...]:
    """The five rules: how an assistant introduces itself is vocabulary, which a project may add to."""
    phrases = sorted(word_list("introduces_itself"))
    named = "|".join(map(re.escape, phrases))
    introduces = _pattern(rf"\bi(?:'m| am) (?:{named})\b", *phrases)
    return (*_RULES, _Rule("SELF_INTRODUCTION", (introduces,)))


def seed_validation(text: str, status: ToolStatus) -> Validation:
    """What the five patterns find. They are linear in the length of the text."""
    lowered = text.lower()
    findings: list[Finding] = []
    for label, patterns, needed in _rules():
        if needed is not None and needed != status:
            continue
        spans: list[tuple[int, int]] = []
        for pattern in patterns:
            hit = pattern.search(text, lowered)
            if hit is None:
                break
            spans.append(hit.span())
        else:
            findings.append(Finding(label, tuple(spans)))
    return Validation(tuple(findings)) if findings else _CLEAN


_CLEAN = Validation()
