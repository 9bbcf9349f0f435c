"""Personas: how a user behaves, as data. Each behaviour comes with the rule that catches it being broken."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from grice.matching.patterns import PatternError, compile_pattern
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.users.errors import UserConfigError

__all__ = [
    "Behaviour",
    "BehaviourRule",
    "Check",
    "Effect",
    "Persona",
    "Problem",
    "persona",
    "persona_data",
    "persona_names",
    "read_persona",
    "read_personas",
]

FILE = Path(__file__).parent / "personas.json"

Check = Literal[
    "max_words", "min_words", "max_questions", "min_questions", "must_match", "must_not_match", "criterion"
]
"""What a rule looks at: a number of words or of question marks, a pattern, or a text for the judge."""
Effect = Literal["none", "helped", "hindered"]
"""What a user that breaks a rule does to the agent's chances."""
NUMBERS = ("max_words", "min_words", "max_questions", "min_questions")
PATTERNS = ("must_match", "must_not_match")
CHECKS: tuple[str, ...] = get_args(Check)
EFFECTS: tuple[str, ...] = get_args(Effect)


class BehaviourRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """What catches a behaviour being broken.

    `value` is the number, the pattern (JavaScript syntax, on RE2) or, for a criterion, its text. `on` says
    whether each message of the user has to keep to it, or whether it is enough that any does. `effect` is
    what a user that breaks it does to the agent's chances; for a criterion the judge says so. Raises
    UserConfigError for a rule that can catch nothing.
    """

    check: Check
    value: int | str
    flags: str = ""
    on: Literal["each", "any"] = "each"
    effect: Effect = "none"

    def __post_init__(self) -> None:
        known = self.check in CHECKS and self.on in ("each", "any") and self.effect in EFFECTS
        wrong = _wrong_value(self.check, self.value, self.flags) if known else f"there is no {self}"
        if wrong:
            raise UserConfigError(f"{self.check}: {wrong}")

    @property
    def judged(self) -> bool:
        """Whether the judge has to say, and not code."""
        return self.check == "criterion"


class Behaviour(msgspec.Struct, frozen=True, omit_defaults=True):
    """One behaviour: the instruction that the simulated user is given, and the rule that belongs to it."""

    name: str
    instruction: str
    rule: BehaviourRule


class Persona(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of person: `description` says in words who that is, `behaviours` what they do."""

    name: str
    description: str = ""
    behaviours: tuple[Behaviour, ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """What is wrong in the data of a persona: where, as names and indices, and what in words.

    `of_key` says that the name of the field is wrong, and not its value.
    """

    path: tuple[str | int, ...]
    message: str
    of_key: bool = False

    def __str__(self) -> str:
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"{where.removeprefix('.')}: {self.message}" if where else self.message


def persona(name: str) -> Persona:
    """The persona of that name, one of those shipped with Grice. Raises UserConfigError."""
    shipped = _shipped()
    if not isinstance(name, str) or name not in shipped:
        hint = did_you_mean(name, shipped) if isinstance(name, str) else ""
        raise UserConfigError(
            f"there is no persona {value_text(name)}{hint}: they are {', '.join(persona_names())}; "
            "give one of your own as data, or say who it is in personality="
        )
    return shipped[name]


def persona_names() -> list[str]:
    """The names of the personas shipped with Grice."""
    return list(_shipped())


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Persona]:
    found, problems = read_personas(msgspec.json.decode(FILE.read_bytes()))
    if problems:
        raise UserConfigError(f"{FILE}: {'; '.join(map(str, problems))}")
    return {one.name: one for one in found}


def persona_data(given: Persona) -> dict[str, JsonValue]:
    """The persona as data, as `read_persona` takes it."""
    behaviours: list[JsonValue] = []
    for one in given.behaviours:
        rule = one.rule
        shown: dict[str, JsonValue] = {rule.check: rule.value}
        shown |= {name: getattr(rule, name) for name in ("flags", "on", "effect") if _differs(rule, name)}
        behaviours.append({"name": one.name, "instruction": one.instruction, "rule": shown})
    return {"name": given.name, "description": given.description, "behaviours": behaviours}


def _differs(rule: BehaviourRule, name: str) -> bool:
    return bool(getattr(rule, name) != getattr(BehaviourRule(rule.check, rule.value), name))


def read_personas(data: JsonValue) -> tuple[list[Persona], list[Problem]]:
    """The personas of a list, or of an object with `personas`, and everything that is wrong with it."""
    at: tuple[str | int, ...] = ()
    if isinstance(data, dict) and "personas" in data:
        strange = [Problem((name,), "unknown field", of_key=True) for name in data if name != "personas"]
        found, problems = read_personas(data["personas"])
        return found, [*strange, *(_within("personas", one) for one in problems)]
    if not isinstance(data, list) or not data:
        return [], [Problem(at, f"expected a list of personas, found {value_text(data)}")]
    personas: list[Persona] = []
    problems = []
    for index, one in enumerate(data):
        made, wrong = read_persona(one)
        problems += [_within(index, problem) for problem in wrong]
        if made is not None and made.name in {other.name for other in personas}:
            problems.append(Problem((index, "name"), f"the name {made.name!r} is used already"))
        elif made is not None:
            personas.append(made)
    return personas, problems


def read_persona(data: JsonValue) -> tuple[Persona | None, list[Problem]]:
    """The persona that an object describes, None where anything in it is wrong, and what is."""
    problems = _wrong_fields(data, ("name",), ("description", "behaviours"))
    if not isinstance(data, dict):
        return None, problems
    problems += [
        Problem((name,), f"expected a text, found {value_text(data[name])}")
        for name in ("name", "description")
        if name in data and not _is_said(data[name], empty=name == "description")
    ]
    behaviours: list[Behaviour] = []
    given = data.get("behaviours", [])
    if not isinstance(given, list):
        problems.append(Problem(("behaviours",), f"expected a list, found {value_text(given)}"))
        given = []
    for index, one in enumerate(given):
        behaviour, wrong = _read_behaviour(one)
        problems += [_within("behaviours", _within(index, problem)) for problem in wrong]
        if behaviour is not None and behaviour.name in {other.name for other in behaviours}:
            problems.append(
                Problem(("behaviours", index, "name"), f"the name {behaviour.name!r} is used already")
            )
        elif behaviour is not None:
            behaviours.append(behaviour)
    if problems:
        return None, problems
    return Persona(str(data["name"]), str(data.get("description", "")), tuple(behaviours)), []


def _read_behaviour(data: JsonValue) -> tuple[Behaviour | None, list[Problem]]:
    problems = _wrong_fields(data, ("name", "instruction", "rule"), ())
    if not isinstance(data, dict):
        return None, problems
    problems += [
        Problem((name,), f"expected a text, found {value_text(data[name])}")
        for name in ("name", "instruction")
        if name in data and not _is_said(data[name])
    ]
    rule, wrong = _read_rule(data["rule"]) if "rule" in data else (None, [])
    problems += [_within("rule", problem) for problem in wrong]
    if rule is None or problems:
        return None, problems
    return Behaviour(str(data["name"]), str(data["instruction"]), rule), []


def _read_rule(data: JsonValue) -> tuple[BehaviourRule | None, list[Problem]]:
    problems = _wrong_fields(data, (), (*CHECKS, "flags", "on", "effect"))
    if not isinstance(data, dict) or problems:
        return None, problems
    checks = [name for name in CHECKS if name in data]
    if len(checks) != 1:
        found = ", ".join(checks) or "none"
        return None, [Problem((), f"a rule has exactly one of {', '.join(CHECKS)}, found {found}")]
    check, value = checks[0], data[checks[0]]
    problems = [
        Problem((name,), f"expected {' or '.join(allowed)}, found {value_text(data[name])}")
        for name, allowed in (("on", ("each", "any")), ("effect", EFFECTS))
        if name in data and data[name] not in allowed
    ]
    wrong = _wrong_value(check, value, data.get("flags", ""))
    problems += [Problem((check,), wrong)] if wrong else []
    if problems:
        return None, problems
    read = msgspec.convert({**data, "check": check, "value": value}, BehaviourRule)
    return read, []


def _wrong_value(check: str, value: JsonValue, flags: JsonValue) -> str:
    """What is wrong with the value of a rule, "" when nothing is."""
    if check in NUMBERS:
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return "" if fits else f"expected a whole number from 0, found {value_text(value)}"
    if not _is_said(value):
        return f"expected a text, found {value_text(value)}"
    if flags and check not in PATTERNS:
        return "flags belong to a pattern"
    if check in PATTERNS:
        if not isinstance(flags, str):
            return f"flags are a text, found {value_text(flags)}"
        try:
            compile_pattern(str(value), flags)
        except PatternError as error:
            return str(error)
    return ""


def _within(step: str | int, problem: Problem) -> Problem:
    """The problem, seen from what holds it."""
    return Problem((step, *problem.path), problem.message, problem.of_key)


def _wrong_fields(data: JsonValue, required: tuple[str, ...], optional: tuple[str, ...]) -> list[Problem]:
    """Missing and unknown fields of an object."""
    if not isinstance(data, Mapping):
        return [Problem((), f"expected an object, found {value_text(data)}")]
    known = (*required, *optional)
    missing = [Problem((), f"missing field {name!r}") for name in required if name not in data]
    strange = [
        Problem((name,), f"unknown field {name!r}{did_you_mean(str(name), known)}", of_key=True)
        for name in data
        if name not in known
    ]
    return [*missing, *strange]


def _is_said(text: Any, *, empty: bool = False) -> bool:
    return isinstance(text, str) and (empty or bool(text.strip()))
