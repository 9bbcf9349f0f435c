"""The simulated user that a scenario describes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grice.records import JsonValue, Scenario
from grice.text import value_text
from grice.users.character import UserRule, should, should_not
from grice.users.persona import Persona, persona, persona_of
from grice.users.protocol import UserConfigError


def scenario_settings(scenario: Scenario) -> dict[str, Any]:
    """The fields of a scenario that describe a user; null and missing ones are unset.

    They are goal, role (texts), personality, context (texts or lists of texts), rules (a list of texts,
    `{"should": text}` and `{"should_not": text}`), persona (the name of one, or one as data) and max_turns.
    Other fields are no settings. Raises UserConfigError, which names every field that is wrong.
    """
    found: dict[str, Any] = {}
    problems: list[str] = []
    for name, read in USER_FIELDS.items():
        given = scenario.get(name)
        if given is None:
            continue
        try:
            found[name] = read(given)
        except UserConfigError as error:
            problems.append(f"{name}: {error}")
    if problems:
        where = scenario_place(scenario)
        raise UserConfigError("\n".join(f"{where}: {problem}" for problem in problems))
    return found


def scenario_place(scenario: Scenario) -> str:
    """Name the scenario, with its file and line where it has one."""
    where = f"{scenario.file}:{scenario.line}: " if scenario.file else ""
    return f"{where}scenario {scenario.key}"


def _text(given: JsonValue) -> str:
    if not isinstance(given, str):
        raise UserConfigError(f"expected a text, found {value_text(given)}")
    return given


def _notes(given: JsonValue) -> str | list[str]:
    if isinstance(given, str):
        return given
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise UserConfigError(f"expected a text or a list of texts, found {value_text(given)}")
    return [str(one) for one in given]


def _rules(given: JsonValue) -> list[UserRule]:
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list):
        raise UserConfigError(f"expected a list of rules, found {value_text(given)}")
    return [_rule(one) for one in given]


def _rule(given: JsonValue) -> UserRule:
    if isinstance(given, str):
        return should(given)
    if isinstance(given, dict) and len(given) == 1:
        if "should" in given:
            return should(given["should"])
        if "should_not" in given:
            return should_not(given["should_not"])
    raise UserConfigError(
        f"expected a text, {{'should': text}} or {{'should_not': text}}, found {value_text(given)}"
    )


def _persona(given: JsonValue) -> Persona | None:
    if isinstance(given, str):
        return persona(given) if given.strip() else None
    if not isinstance(given, dict):
        raise UserConfigError(f"expected the name of a persona, or an object, found {value_text(given)}")
    return persona_of(given)


def _number(given: JsonValue) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise UserConfigError(f"expected a whole number from 0, found {value_text(given)}")
    return given


USER_FIELDS: dict[str, Callable[[Any], Any]] = {
    "goal": _text,
    "role": _text,
    "personality": _notes,
    "context": _notes,
    "rules": _rules,
    "persona": _persona,
    "max_turns": _number,
}
"""The fields of a scenario that describe a user, and how each is read."""
