"""Finding a check by the name that a command line gives it: a rule, or any matcher by code."""

from __future__ import annotations

from typing import Any

import msgspec

from grice.checks.rules import RULES, Rule
from grice.matching.assertions.registry import find_matcher
from grice.matching.matcher import ArgumentError, MatcherFactory
from grice.text import did_you_mean, value_text


class UnknownCheck(ValueError):
    """A name that is no check by code, or a rule that cannot be loaded; the text says why."""


class NamedCheck(msgspec.Struct, frozen=True):
    """A matcher under the name of its rule, else its own; `rule` is None for one that is not measured."""

    name: str
    factory: MatcherFactory[Any, Any]
    rule: Rule | None = None


def find_check(name: str) -> NamedCheck:
    """The check of that name: `openers`, `open_differently`, `toOpenDifferently`, `toContain`.

    Raises UnknownCheck, with the nearest right name, for one that is unknown, asks a judge or cannot be
    loaded.
    """
    rule = next((one for one in RULES if name in (one.name, one.matcher, _in_files(one))), None)
    if rule is not None:
        return load_rule(rule)
    if not name.startswith("to") or "-" in name:
        raise UnknownCheck(f"unknown rule {value_text(name)}{_nearest(name)}")
    try:
        factory = find_matcher(name)
    except ArgumentError as error:
        raise UnknownCheck(error.message) from error
    if factory.judged:
        raise UnknownCheck(f"{name} asks a judge: only checks by code can be named here")
    return NamedCheck(name, factory)


def load_rule(rule: Rule) -> NamedCheck:
    """The rule with its matcher. Raises UnknownCheck when that cannot be imported."""
    try:
        return NamedCheck(rule.name, rule.factory, rule)
    except (ImportError, AttributeError) as error:
        raise UnknownCheck(f"the rule {rule.name} cannot be loaded: {error}") from error


def _in_files(rule: Rule) -> str:
    """The matcher's name in files, without importing it: `toOpenDifferently`."""
    return "to" + "".join(part.capitalize() for part in rule.matcher.split("_"))


def _nearest(name: str) -> str:
    names = [one.name for one in RULES]
    hint = did_you_mean(name, [*names, *(one.matcher for one in RULES)])
    return hint or f"; expected one of {', '.join(names)}"
