"""Personas: how a user behaves, as data. Each behaviour comes with the rule that detects a breach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from grice.matching.patterns import PatternError, compile_pattern
from grice.text import did_you_mean, value_text
from grice.typed import Closed, NotBlank, Problem, problems_in, problems_of, says
from grice.users.protocol import UserConfigError

FILE = Path(__file__).parent / "personas.json"

Effect = Literal["none", "helped", "hindered"]
"""What a user that breaks a rule does to the agent's chances."""
Count = Annotated[int, says("a whole number from 0", ge=0)]
PATTERNS = ("must_match", "must_not_match")
CHECKS = ("max_words", "min_words", "max_questions", "min_questions", *PATTERNS, "criterion")


class BehaviourRule(Closed, frozen=True, omit_defaults=True, kw_only=True):
    """The rule that detects a breach of a behaviour: one of numbers, patterns, and a text for the judge.

    A number is one of words or of question marks, a pattern has JavaScript syntax, on RE2. `on` says whether
    each message of the user has to keep to it, or whether it is enough that any does. `effect` is what a user
    that breaks it does to the agent's chances; for a criterion the judge says so. Raises UserConfigError for
    a rule that can catch nothing.
    """

    max_words: Count | UnsetType = UNSET
    min_words: Count | UnsetType = UNSET
    max_questions: Count | UnsetType = UNSET
    min_questions: Count | UnsetType = UNSET
    must_match: NotBlank | UnsetType = UNSET
    must_not_match: NotBlank | UnsetType = UNSET
    criterion: NotBlank | UnsetType = UNSET
    flags: str = ""
    on: Literal["each", "any"] = "each"
    effect: Effect = "none"

    def __post_init__(self) -> None:
        if problems := problems_of(self):
            raise UserConfigError("; ".join(map(str, problems)))

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """A rule has one check, and flags only with a pattern."""
        checks = [name for name in CHECKS if name in fields]
        if len(checks) != 1:
            found = ", ".join(checks) or "none"
            yield Problem((), f"a rule has exactly one of {', '.join(CHECKS)}, found {found}")
        elif checks[0] in PATTERNS:
            try:
                compile_pattern(fields[checks[0]], fields.get("flags", ""))
            except PatternError as error:
                yield Problem((checks[0],), str(error))
        elif fields.get("flags"):
            yield Problem(("flags",), "flags belong to a pattern")

    @property
    def check(self) -> str:
        """The name of the property that is checked, such as `max_words`."""
        return next(name for name in CHECKS if getattr(self, name) is not UNSET)

    @property
    def value(self) -> int | str:
        """The number, the pattern or the text."""
        value: int | str = getattr(self, self.check)
        return value

    @property
    def judged(self) -> bool:
        """Whether the judge decides, and not code."""
        return self.check == "criterion"


class Behaviour(Closed, frozen=True):
    """One behaviour: the instruction to the simulated user, and its rule."""

    name: NotBlank
    instruction: NotBlank
    rule: BehaviourRule


class Persona(Closed, frozen=True):
    """A kind of person: `description` says who that is, `behaviours` what they do."""

    name: NotBlank
    description: str = ""
    behaviours: Annotated[tuple[Behaviour, ...], says(once="name")] = ()


Personas = Annotated[tuple[Persona, ...], says("a list of personas", min_length=1, once="name")]


class PersonasFile(Closed, frozen=True):
    """A file of personas that may have a name for its schema."""

    personas: Personas
    schema: str = msgspec.field(default="", name="$schema")


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
    shipped = msgspec.json.decode(FILE.read_bytes(), type=PersonasFile)
    return {one.name: one for one in shipped.personas}


def persona_of(data: Mapping[str, Any]) -> Persona:
    """Read a persona from data. Raises UserConfigError with everything that is wrong."""
    if problems := problems_in(dict(data), Persona):
        raise UserConfigError("; ".join(map(str, problems)))
    return msgspec.convert(dict(data), Persona)
