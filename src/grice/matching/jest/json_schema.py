"""The validators of `jsonschema` made safe: patterns run on RE2, every step is counted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from grice.matching.jest.schema_values import SchemaError, plain_schema, plain_value, repeated
from grice.matching.json_text import json_text
from grice.matching.patterns import Pattern, PatternError, compile_pattern
from grice.text import did_you_mean, shorten, value_text, visible

if TYPE_CHECKING:
    from fractions import Fraction


MAX_DEPTH = 100

"""Keywords within one another. Each takes frames of the stack, whose end `rpds` does not survive."""

STEPS_BETWEEN = 16

"""Steps from one look at the clock to the next."""

_WHY = "too many branches, or too large a value"

_NEWEST = "https://json-schema.org/draft/2020-12/schema"
_SHORTEST = 3
_MAX_PLACE = 200
_NAMED = {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
_HELD = {
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "disallow",
    "else",
    "extends",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
}


class _Budget:
    """How many steps and seconds of CPU time are left."""

    def __init__(self, steps: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._left = steps, steps
        self._seconds, self._clock = seconds, clock
        self._end = clock() + seconds
        self._next_look = steps - STEPS_BETWEEN
        self._depth = 0

    def spend(self, steps: int = 1) -> None:
        """Raise SchemaError when too many steps were made, or they took too long."""
        self._left -= steps
        if self._left < 0:
            raise SchemaError(f"checking takes more than {self._most:,} steps: {_WHY}")
        if self._left <= self._next_look:
            self._next_look = self._left - STEPS_BETWEEN
            if self._clock() > self._end:
                raise SchemaError(f"checking takes longer than {self._seconds:g} seconds: {_WHY}")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go into a keyword. Raise SchemaError when too many are open, one in another."""
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise SchemaError(f"checking goes more than {MAX_DEPTH} keywords deep")
            yield
        finally:
            self._depth -= 1


_budget: ContextVar[_Budget] = ContextVar("grice_schema_budget")


@contextmanager
def limited_to(steps: int, seconds: float, clock: Callable[[], float]) -> Iterator[None]:
    """Let safe validators make so many steps in the block, and take so much time of the clock."""
    token = _budget.set(_Budget(steps, seconds, clock))
    try:
        yield
    finally:
        _budget.reset(token)


@lru_cache(maxsize=16)
def safe(draft: Any) -> Any:
    """The validator of a draft with its patterns on RE2, in JavaScript's syntax, and every step counted.

    It is used inside `limited_to`.
    """
    from jsonschema import validators

    keywords = {**draft.VALIDATORS, **_OWN}
    counted = {
        name: _counted(keyword, name) for name, keyword in keywords.items() if name in draft.VALIDATORS
    }
    extend: Any = validators.extend
    made = extend(draft, counted)
    fields = [(field.name, field.alias) for field in made.__attrs_attrs__ if field.init]

    def evolve(self: Any, **changes: Any) -> Any:
        """As `jsonschema` has it, but never out of the safe validators."""
        schema = changes.setdefault("schema", self.schema)
        other = _known_draft(schema)
        for name, alias in fields:
            if alias not in changes:
                changes[alias] = getattr(self, name)
        _budget.get().spend()
        return (type(self) if other is None else safe(other))(**changes)

    made.evolve = evolve
    return made


def _counted(keyword: Any, name: str) -> Any:
    squared = name in ("unevaluatedItems", "unevaluatedProperties")  # they look things up in lists

    def count(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
        costs = len(value) ** 2 // 2_000 if squared and isinstance(value, list | dict) else 0
        budget = _budget.get()
        budget.spend(1 + costs)
        with budget.deeper():
            yield from keyword(validator, asked, value, schema) or ()

    return count


def _found(pattern: str, text: str) -> bool:
    _budget.get().spend()
    return compiled(pattern).search(text) is not None


def compiled(pattern: str) -> Pattern:
    r"""The pattern as JSON Schema has them, with flag u; or without it, for those that write `\-` or `\_`."""
    try:
        return compile_pattern(pattern, "u")
    except PatternError:
        return compile_pattern(pattern)


def _problem(words: str) -> Any:
    from jsonschema.exceptions import ValidationError

    return ValidationError(words)


def _pattern(validator: Any, pattern: str, value: object, schema: object) -> Iterator[Any]:
    if isinstance(value, str) and not _found(pattern, value):
        yield _problem(f"{json_text(value)} does not match the pattern {json_text(pattern)}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], value: object, schema: object
) -> Iterator[Any]:
    if not isinstance(value, Mapping):
        return
    for pattern, part in patterns.items():
        for name, one in value.items():
            if _found(pattern, name):
                yield from validator.descend(one, part, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, allowed: Any, value: object, schema: Mapping[str, Any]
) -> Iterator[Any]:
    if not isinstance(value, Mapping):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [name for name in value if name not in known and not any(_found(p, name) for p in patterns)]
    if isinstance(allowed, Mapping):
        for name in extras:
            yield from validator.descend(value[name], allowed, path=name)
    elif not allowed and extras:
        yield _problem(f"{', '.join(map(repr, extras[:5]))} not allowed here")


def _unique_items(validator: Any, unique: Any, value: object, schema: object) -> Iterator[Any]:
    if unique and isinstance(value, list):
        places = repeated(value)
        if places is not None:
            shown = value_text(value[places[0]])
            yield _problem(f"elements {places[0]} and {places[1]} are the same: {shown}")


def _multiple_of(validator: Any, divisor: Any, value: Any, schema: object) -> Iterator[Any]:
    if validator.is_type(value, "number") and not _divides(divisor, value):
        yield _problem(f"{value!r} is not a multiple of {divisor!r}")


def _divides(divisor: float, value: float) -> bool:
    """Whether it does, of the numbers as they are written: 0.1 divides 0.3."""
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return (_exact(value) / _exact(divisor)).denominator == 1


def _exact(number: float) -> Fraction:
    from fractions import Fraction

    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


_OWN = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
    "divisibleBy": _multiple_of,
}
MAX_STEPS = 200_000

MAX_SECONDS = 2.0

"""Of CPU time, for a schema and for a value. A schema of 64 kB takes 90,000 steps and half a second."""


def check_schema(schema: object) -> None:
    """Raise SchemaError unless it is a JSON Schema whose words, patterns and references can be used.

    Whatever the schema is, nothing else is raised.
    """
    if not isinstance(schema, Mapping | bool):
        raise SchemaError(f"expected a JSON Schema, an object, found {json_text(schema)}")
    with _in_plain_words("not a JSON Schema that can be used"):
        plain, names = plain_schema(schema)
        draft = _draft_of(plain)
        with limited_to(MAX_STEPS, MAX_SECONDS, time.thread_time):
            wrong = next(_validator(draft, draft.META_SCHEMA).iter_errors(plain), None)
        if wrong is not None:
            where = "".join(f"[{step!r}]" for step in wrong.absolute_path)
            raise SchemaError(f"not a JSON Schema: {_said(where) or 'it'}: {_said(wrong.message)}")
        for part in _parts_of(plain):
            _check_patterns(part)
    if {"patternProperties", "unevaluatedProperties"} <= names:
        raise SchemaError("unevaluatedProperties cannot be used together with patternProperties")


def schema_problems(
    value: object,
    schema: Mapping[str, object] | bool,
    *,
    most: int,
    clock: Callable[[], float] = time.thread_time,
) -> list[str]:
    """What does not fit the schema, each with its JSON path, at most `most`.

    Raises SchemaError when that cannot be told: a reference leads nowhere, or the check takes more than
    200,000 steps or two seconds of the clock.
    """
    with _in_plain_words("the value cannot be checked"):
        plain, _ = plain_schema(schema)
        validator = _validator(_draft_of(plain), plain)
        with limited_to(MAX_STEPS, MAX_SECONDS, clock):
            found = list(islice(validator.iter_errors(plain_value(value)), most))
        return [f"at {_place(error.json_path)}: {_said(error.message)}" for error in found]


def _validator(draft: Any, schema: object) -> Any:
    from referencing import Registry

    return safe(draft)(schema, registry=Registry())


@contextmanager
def _in_plain_words(what: str) -> Iterator[None]:
    """Whatever goes wrong in the block as a SchemaError."""
    from referencing.exceptions import Unresolvable

    try:
        yield
    except SchemaError as error:
        raise SchemaError(_said(error, 600)) from None
    except Unresolvable as error:
        raise SchemaError(f"a reference of the schema leads nowhere: {_said(error)}") from None
    except PatternError as error:
        raise SchemaError(f"a pattern of the schema: {error}") from None
    except RecursionError:
        raise SchemaError(f"{what}: nested too deep") from None
    except Exception as error:  # of a library, on values that nobody foresaw, or of somebody's own object
        raise SchemaError(f"{what}: {type(error).__name__}: {_said(error)}") from None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # of rpds, at the end of the stack; no Exception
            raise SchemaError(f"{what}: nested too deep") from None
        raise


def _place(path: str) -> str:
    return visible(shorten(path, 200), newlines=False)


def _said(message: object, most: int = 300) -> str:
    try:
        return visible(shorten(str(message), most), newlines=False)
    except Exception:  # somebody's exception
        return type(message).__name__


def _check_patterns(part: Mapping[str, Any]) -> None:
    """Raise PatternError for a pattern that cannot run."""
    if isinstance(part.get("pattern"), str):
        compiled(part["pattern"])
    keyed = part.get("patternProperties")
    for one in keyed if isinstance(keyed, Mapping) else ():
        compiled(one)


@lru_cache(maxsize=1)
def _drafts() -> dict[str, Any]:
    """The validators of `jsonschema`, by the URIs of their drafts."""
    from jsonschema import validators

    drafts = (
        validators.Draft3Validator,
        validators.Draft4Validator,
        validators.Draft6Validator,
        validators.Draft7Validator,
        validators.Draft201909Validator,
        validators.Draft202012Validator,
    )
    return {str(one.META_SCHEMA["$schema"]).rstrip("#"): one for one in drafts}


def _known_draft(schema: object) -> Any:
    """The validator of the draft that `$schema` names, None when it is absent or names none."""
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    return _drafts().get(uri.removesuffix("#")) if isinstance(uri, str) else None


def _draft_of(schema: object) -> Any:
    """The validator of the draft that a schema is written in: the newest unless `$schema` names another.

    Raises SchemaError when that is not the URI of a draft.
    """
    if not isinstance(schema, Mapping) or "$schema" not in schema:
        return _drafts()[_NEWEST]
    found = _known_draft(schema)
    if found is None:
        uri = schema["$schema"]
        near = did_you_mean(uri, _drafts()) if isinstance(uri, str) else ""
        raise SchemaError(
            f"$schema: expected the URI of a draft{near or f' such as {_NEWEST!r}'}, found {value_text(uri)}"
        )
    return found


def _parts_of(schema: object) -> Iterator[Mapping[str, Any]]:
    """The schema and all schemas in it that are objects.

    Raises SchemaError for a word that is read past although it was meant to ask something.
    """
    waiting: list[tuple[object, Any, str]] = [(schema, _draft_of(schema), "")]
    seen: set[int] = set()
    while waiting:
        part, draft, place = waiting.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        if "$schema" in part:
            draft = _draft_of(part)
        for name, inside in part.items():
            _check_word(name, draft, place)
            waiting += [(one, draft, f"{place}{step}") for step, one in _inside(name, inside)]
        yield part


def _inside(name: str, value: Any) -> Iterator[tuple[str, object]]:
    """The values of a keyword that may be schemas, each with its step."""
    if name in _NAMED and isinstance(value, dict):
        yield from ((f"[{name!r}][{one!r}]", part) for one, part in value.items())
    elif name in _HELD:
        parts = value if isinstance(value, list) else [value]
        yield from ((f"[{name!r}]", part) for part in parts)


def _check_word(word: str, draft: Any, place: str) -> None:
    if word in draft.VALIDATORS or word.startswith("x-"):
        return
    at = f"{shorten(place, _MAX_PLACE)}: " if place else ""
    uri = str(draft.META_SCHEMA["$schema"]).rstrip("#")
    others = [other for other, one in _drafts().items() if word in one.VALIDATORS]
    if others and word not in _old_words(uri):
        raise SchemaError(f"{at}the keyword {word!r} asks nothing in {uri}, it is one of {others[-1]}")
    if not others and (hint := _hint(word, uri)):
        raise SchemaError(f"{at}unknown keyword {value_text(word)}{hint}")


def _old_words(uri: str) -> set[str]:
    """Words of a draft that `jsonschema` reads with another one; newer drafts list those that are gone."""
    meta = _drafts()[uri].META_SCHEMA
    return set() if "allOf" in meta else set(meta["properties"])


@lru_cache(maxsize=1_000)
def _hint(word: str, uri: str) -> str:
    """The keyword that asks something and was meant, as `did_you_mean` says it."""
    known = {*_drafts()[uri].VALIDATORS, "$defs", "definitions"} - {"format"}
    if "if" in known:
        known |= {"then", "else"}
    if "unevaluatedItems" in known:
        known |= {"minContains", "maxContains"}
    if word in known:
        return ""
    return did_you_mean(word, sorted(name for name in known if len(name) > _SHORTEST))
