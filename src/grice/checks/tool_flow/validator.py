"""The response validator: finds what is wrong in how a reply speaks of its tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grice.checks.profiles import PROFILES, Profile
from grice.checks.tool_flow.labels import Finding, Label, Validation
from grice.checks.tool_flow.status import STATUSES, ToolStatus, tool_status_of
from grice.checks.tool_flow.vocabulary import word_list
from grice.text import did_you_mean
from grice.text.packs import remembered

if TYPE_CHECKING:
    from grice.checks.tool_flow.facts import Facts
    from grice.records import ToolCall


_CLEAN = Validation()


def validate_response(
    text: str,
    tool_status: ToolStatus | None = None,
    *,
    profile: Profile = "robust",
    calls: Sequence[ToolCall] | None = None,
) -> Validation:
    """Look for the bad patterns in what an assistant said after a tool had this status.

    `tool_status` is success, pending, error or none (None is none). `robust` goes by what the reply does
    (reports, announces, asks, offers, introduces itself), in English; for a text in another language the
    result is not `valid`, and `undetermined` says why. With `calls`, all that was called so far, it also
    holds the text against what the tools did, and their last status is the default. `seed` has five
    patterns, word by word. Linear in the length of the text. Raises TypeError for a text that is not a str,
    ValueError for another status or profile.
    """
    if not isinstance(text, str):
        raise TypeError(f"validate_response judges a text (str), found {type(text).__name__}")
    if tool_status is None and calls:
        tool_status = tool_status_of(calls)
    status = "none" if tool_status is None else tool_status
    if status not in STATUSES:
        raise ValueError(
            f"unknown tool status {status!r}{did_you_mean(str(status), STATUSES)}: {', '.join(STATUSES)}"
        )
    if profile == "seed":
        return _seed_validation(text, status)
    if profile not in PROFILES:
        raise ValueError(f"profile is seed or robust, found {profile!r}")
    from grice.checks.tool_flow.facts import NO_FACTS, facts_of_calls

    return robust_response(text, status, facts_of_calls(calls) if calls is not None else NO_FACTS)


def robust_response(text: str, status: ToolStatus, facts: Facts, *, worded: bool = True) -> Validation:
    """Validate a text with the robust profile, given what is known of its tools; its wording if `worded`."""
    from grice.checks.tool_flow.robust_validator import robust_validation  # its patterns are many
    from grice.records import clean_text

    if not text.strip():
        return Validation(undetermined="the text is empty: there is nothing to look at")
    return robust_validation(clean_text(text), status, facts, worded=worded)


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


@remembered
def _rules() -> tuple[_Rule, ...]:
    """The five rules: how an assistant introduces itself is vocabulary, which a project may add to."""
    phrases = sorted(word_list("introduces_itself"))
    named = "|".join(map(re.escape, phrases))
    introduces = _pattern(rf"\bi(?:'m| am) (?:{named})\b", *phrases)
    return (*_RULES, _Rule("SELF_INTRODUCTION", (introduces,)))


def _seed_validation(text: str, status: ToolStatus) -> Validation:
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
