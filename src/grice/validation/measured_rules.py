"""The checks that can be measured: Grice's rules, and any matcher on a user's examples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import NamedCheck, find_check
from grice.matching.assertions.data_arguments import arguments_of, camel, in_words_of_files
from grice.matching.matcher import ArgumentError, Matcher, MatcherFactory
from grice.text import value_text


class MeasuredRule(msgspec.Struct, frozen=True):
    """A matcher whose outcomes are compared with labelled examples.

    `examples` are the files that Grice ships; a matcher that is no rule of `grice.checks.rules` has none.
    """

    name: str
    factory: MatcherFactory[Any, Any]
    layer: int | None
    profiles: tuple[Profile, ...]
    examples: tuple[Path, ...] = ()


def find_rule(name: str) -> MeasuredRule:
    """Find the check of that name, as `find_check` does. Raises UnknownCheck."""
    return _measured(find_check(name))


def _measured(check: NamedCheck) -> MeasuredRule:
    rule, factory = check.rule, check.factory
    if rule is not None:
        return MeasuredRule(rule.name, factory, rule.layer, rule.profiles, rule.examples)
    profiles = PROFILES if "profile" in factory.parameters else PROFILES[-1:]
    return MeasuredRule(check.name, factory, factory.layer, profiles)


def matcher_for(
    factory: MatcherFactory[Any, Any], args: Mapping[str, Any], profile: Profile | None = None
) -> Matcher[Any]:
    """Make the matcher from arguments by name, as JSON has them, and with the profile if it takes one.

    An object becomes the record that its parameter wants, a list the arguments of a `*parameter`. Where the
    matcher reads an `expected` of its own and the names do not fit, that is tried. Raises ArgumentError.
    """
    chosen = {"profile": profile} if profile and "profile" in factory.parameters else {}
    try:
        return _by_name(factory, {**chosen, **args})
    except (ArgumentError, TypeError) as error:
        if factory.read is not None:
            try:
                read, named = factory.read(dict(args))
                return factory(*read, **{**chosen, **named})
            except (ArgumentError, TypeError):
                pass  # what was wrong with the names says more
        said = in_words_of_files(str(error), factory.parameters).replace(" in options", "")
        raise ArgumentError(said) from None


def _by_name(factory: MatcherFactory[Any, Any], given: Mapping[str, Any]) -> Matcher[Any]:
    parameters = factory.parameters
    many = next((one.name for one in parameters.values() if one.kind is one.VAR_POSITIONAL), None)
    first = given.get(many) if many is not None else None
    if first is not None and not isinstance(first, list):
        raise ArgumentError(f"{camel(many or '')} is a list, found {value_text(first)}")
    _, named = arguments_of(factory, {"options": {name: given[name] for name in given if name != many}})
    named = {name: factory.types[name].from_data(value) for name, value in named.items()}
    leading = [one.name for one in parameters.values() if one.kind is one.POSITIONAL_ONLY]
    args = [named.pop(name) for name in leading if name in named]
    return factory(*args, *(first or ()), **named)
