"""What a user wants of a product, as values: words, a range of numbers, one of several, or never."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

import msgspec

from grice.matching.matcher import ArgumentError
from grice.text import did_you_mean, value_text

Bound = int | float | str
"""A number, or a text with its unit ("400 EUR", "1.5 kg")."""


class Constraint(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that the user wants.

    `name` is the field of the product that it is about, or the words of a free text where nothing else is
    given. `at_least` and `at_most` are a range, both included, `one_of` the values that are right, `never`
    those that are wrong. `synonyms` are other words for it.
    """

    name: str = ""
    at_least: Bound | None = None
    at_most: Bound | None = None
    one_of: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()

    @property
    def is_range(self) -> bool:
        """Whether it limits a number."""
        return self.at_least is not None or self.at_most is not None

    def __str__(self) -> str:
        return constraint_words(self)


ConstraintLike = Constraint | str | Mapping[str, Any]
"""A constraint, a free text, or an object with the fields of a constraint."""


def constraint(
    name: str = "",
    *,
    at_least: Bound | None = None,
    at_most: Bound | None = None,
    equals: str | None = None,
    one_of: Sequence[str] = (),
    never: str | Sequence[str] = (),
    synonyms: Sequence[str] = (),
) -> Constraint:
    """A constraint: `constraint("waterproof")`, `constraint("price", at_most=400)`.

    `constraint("skill", one_of=["beginner", "intermediate"])` takes any of these, `equals` is one alone.
    `constraint("material", never="leather")` rules out, and without a name anywhere in the product. Raises
    ArgumentError.
    """
    given = {"name": name, "at_least": at_least, "at_most": at_most, "synonyms": synonyms}
    values = ([equals] if equals is not None else []) + list(_texts(one_of, "one_of"))
    made = _made({**given, "one_of": values, "never": never}, "the constraint")
    if equals is not None and one_of:
        raise ArgumentError("equals and one_of are given, and only one of them can hold")
    return made


def read_constraints(given: object) -> tuple[Constraint, ...]:
    """The constraints that are given, in order. Raises ArgumentError."""
    if isinstance(given, str | Constraint | Mapping):
        given = [given]
    if not isinstance(given, Sequence):
        raise ArgumentError(f"constraints is a list of texts and constraints, found {value_text(given)}")
    return tuple(_read(one, f"constraints[{place}]") for place, one in enumerate(given))


Constraints = Annotated[Sequence[ConstraintLike] | ConstraintLike, read_constraints]


def constraint_words(one: Constraint) -> str:
    """A constraint in words, for messages: `price at most 400`."""
    parts = [one.name] if one.name else []
    parts += [f"at least {one.at_least}"] if one.at_least is not None else []
    parts += [f"at most {one.at_most}"] if one.at_most is not None else []
    parts += [f"one of {', '.join(one.one_of)}"] if len(one.one_of) > 1 else list(one.one_of)
    parts += [f"no {' or '.join(one.never)}"] if one.never else []
    return " ".join(parts)


_FIELDS = {
    "name": "name",
    "field": "name",
    "text": "name",
    "at_least": "at_least",
    "atLeast": "at_least",
    "at_most": "at_most",
    "atMost": "at_most",
    "one_of": "one_of",
    "oneOf": "one_of",
    "equals": "one_of",
    "never": "never",
    "synonyms": "synonyms",
}


def _read(given: object, where: str) -> Constraint:
    if isinstance(given, Constraint):
        return given
    if isinstance(given, str):
        return _made({"name": given}, where)
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{where} is a text or an object, found {value_text(given)}")
    fields: dict[str, object] = {}
    for name, value in given.items():
        known = _FIELDS.get(name) if isinstance(name, str) else None
        if known is None:
            hint = (
                did_you_mean(str(name), _FIELDS)
                or "; known are name, atLeast, atMost, oneOf, never, synonyms"
            )
            raise ArgumentError(f"{where} has an unknown field {value_text(name)}{hint}")
        if known in fields:
            raise ArgumentError(f"{where} gives {known} twice")
        fields[known] = value
    return _made(fields, where)


def _made(fields: Mapping[str, object], where: str) -> Constraint:
    name = fields.get("name", "")
    if not isinstance(name, str):
        raise ArgumentError(f"{where}: the name is a text, found {value_text(name)}")
    low, high = (_bound(fields.get(one), one, where) for one in ("at_least", "at_most"))
    one_of = _texts(fields.get("one_of"), "one_of", where)
    never = _texts(fields.get("never"), "never", where)
    name = " ".join(name.split())
    if not name and not never:
        raise ArgumentError(f"{where} has no name: a field of the product, or the words that are wanted")
    if sum(map(bool, (low is not None or high is not None, one_of, never))) > 1:
        raise ArgumentError(f"{where} is a range, one_of or never: write a constraint for each")
    both = isinstance(low, int | float) and isinstance(high, int | float)
    if both and Decimal(str(low)) > Decimal(str(high)):
        raise ArgumentError(f"{where}: at_least {low} is over at_most {high}")
    return Constraint(name, low, high, one_of, never, _texts(fields.get("synonyms"), "synonyms", where))


def _bound(given: object, name: str, where: str) -> Bound | None:
    if given is None:
        return None
    number = isinstance(given, int | float | Decimal) and not isinstance(given, bool) and math.isfinite(given)
    if number:
        return given if isinstance(given, int | float) else float(given)  # type: ignore[arg-type]
    if isinstance(given, str) and any(sign.isdigit() for sign in given):
        return given
    raise ArgumentError(
        f"{where}: {name} is a number, or a text with a number and its unit, found {value_text(given)}"
    )


def _texts(given: object, name: str, where: str = "the constraint") -> tuple[str, ...]:
    if given is None:
        return ()
    texts = (given,) if isinstance(given, str) else given
    if not isinstance(texts, Sequence) or not all(isinstance(one, str) and one.strip() for one in texts):
        raise ArgumentError(f"{where}: {name} is a text or a list of texts, found {value_text(given)}")
    return tuple(texts)
