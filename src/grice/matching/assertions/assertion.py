"""Assertions as data: a path, a matcher, ANY or ALL, and `not`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from grice.identity import canonical_json
from grice.matching.assertion_words import assertion_words
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.json_text import json_text
from grice.matching.limits import Limits, limited, limits_in_force
from grice.matching.matcher import ArgumentError, Matcher
from grice.matching.paths import PathError, compile_path
from grice.matching.selector import Parse, ValueSelector
from grice.records import JsonValue, PathMatch, clean_json
from grice.text import did_you_mean

FIELDS = ("id", "path", "pathMatch", "matcher", "expected", "options", "not", "description")


_JSON_NAMES = {"path_match": "pathMatch", "negated": "not"}


class Assertion(msgspec.Struct, frozen=True, omit_defaults=True, rename=_JSON_NAMES):
    """One check as data; as JSON `path_match` is `pathMatch` and `negated` is `not`.

    `options` are arguments of the matcher beside `expected`. An `id` that is missing is derived from the rest
    when the assertion is loaded.
    """

    matcher: str
    expected: JsonValue | UnsetType = UNSET
    path: str = "$"
    path_match: PathMatch = "ANY"
    negated: bool = False
    id: str = ""
    description: str = ""
    options: dict[str, JsonValue] = {}


class FieldProblem(NamedTuple):
    """Something wrong with an assertion: the field ("" for the assertion as a whole), and what.

    `position` is the character, from 0, of a mistake in a path; None where there is none.
    """

    field: str
    message: str
    position: int | None = None

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class LoadedAssertion(msgspec.Struct, frozen=True):
    """An assertion with its matcher made (`not` applied), or the `problems` that keep it from being asked.

    `at` are the values it asks about, with the assertion on one line as `words`.
    """

    assertion: Assertion
    matcher: Matcher[Any] | None = None
    problems: tuple[FieldProblem, ...] = ()
    at: ValueSelector = ValueSelector()

    @property
    def problem(self) -> str:
        """What keeps it from being asked, a line each; "" where nothing does."""
        return "\n".join(map(str, self.problems))


class AssertionErrors(ValueError):
    """Everything wrong with a list of assertions, one text each."""

    __module__ = "grice"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def load_assertions(
    assertions: Iterable[Assertion | Mapping[str, Any]], *, limits: Limits | None = None
) -> list[LoadedAssertion]:
    """The assertions, ready to be evaluated many times.

    They are records, or dicts with the fields `id, path, pathMatch, matcher, expected, options, not,
    description`. Raises AssertionErrors with everything that is wrong with any of them.
    """
    loaded = read_assertions(assertions, limits or limits_in_force())
    problems = [
        f"assertion {number}: {problem}"
        for number, one in enumerate(loaded, 1)
        for problem in (one.problem.split("\n") if one.problem else ())
    ]
    if problems:
        raise AssertionErrors(problems)
    return loaded


def read_assertions(assertions: object, limits: Limits) -> list[LoadedAssertion]:
    """Each assertion with its matcher, or with why it cannot be asked. Never raises."""
    if isinstance(assertions, str | bytes | Mapping | Assertion) or not isinstance(assertions, Iterable):
        found = "one assertion" if isinstance(assertions, Mapping | Assertion) else json_text(assertions)
        return [_broken({}, f"expected a list of assertions, found {found}")]
    try:
        given = list(assertions)
    except Exception as error:  # somebody's generator
        return [_broken({}, f"the assertions cannot be read: {type(error).__name__}: {error}")]
    fresh = [one for one in given if not isinstance(one, LoadedAssertion)]
    if not fresh:  # what was loaded is within its limits
        return _with_ids(given)
    too_large = _too_large(fresh, limits)
    with limited(limits):
        read = [_broken(_fields(one), too_large) if too_large else _read(one) for one in given]
    return _with_ids(read)


def _with_ids(read: Sequence[LoadedAssertion]) -> list[LoadedAssertion]:
    """The assertions with ids: a missing one is derived from what is asked, one used twice is refused."""
    loaded: list[LoadedAssertion] = []
    taken: dict[str, int] = {}
    times: dict[str, int] = {}
    for number, one in enumerate(read, 1):
        assertion = one.assertion
        if not assertion.id:
            key = one.at.id
            times[key] = times.get(key, 0) + 1
            id_ = key if times[key] == 1 else f"{key}_{times[key]}"
            one = replace(one, assertion=replace(assertion, id=id_), at=replace(one.at, id=id_))
        elif assertion.id in taken:
            problem = f"{json_text(assertion.id)} is the id of assertion {taken[assertion.id]} too"
            one = LoadedAssertion(assertion, None, (*one.problems, FieldProblem("id", problem)), one.at)
        taken.setdefault(one.assertion.id, number)
        loaded.append(one)
    return loaded


def _read(given: object) -> LoadedAssertion:
    if isinstance(given, LoadedAssertion):
        return given
    if not isinstance(given, Assertion | Mapping):
        return _broken({}, f"expected an object, found {json_text(given)}")
    try:
        fields = _fields(given)
        matcher, problems = read_fields(fields)
    except Exception as error:  # somebody's mapping, or a matcher's own code
        return _broken({}, f"the assertion cannot be read: {type(error).__name__}: {error}")
    if matcher is None:
        return _broken(fields, *problems)
    record = record_of_fields(fields)
    return LoadedAssertion(record, matcher, (), selector_of(record))


def _fields(given: object) -> dict[str, Any]:
    if isinstance(given, LoadedAssertion):
        given = given.assertion
    if isinstance(given, Assertion):
        told = msgspec.structs.asdict(given).items()
        given = {_JSON_NAMES.get(name, name): value for name, value in told if value is not UNSET}
    return {str(name): value for name, value in given.items()} if isinstance(given, Mapping) else {}


def read_fields(
    fields: Mapping[str, Any], known: Sequence[str] = FIELDS
) -> tuple[Matcher[Any] | None, list[FieldProblem]]:
    """The matcher that the fields of an assertion say, `not` applied, or all that is wrong with them."""
    problems = [
        FieldProblem(
            name, f"unknown field{did_you_mean(name, [other for other in known if other not in fields])}"
        )
        for name in fields
        if name not in known
    ]
    try:
        compile_path(fields.get("path"))
    except PathError as error:
        problems.append(FieldProblem("path", str(error), error.position))
    if fields.get("pathMatch", "ANY") not in ("ANY", "ALL"):
        found = json_text(fields["pathMatch"])
        problems.append(FieldProblem("pathMatch", f"expected ANY or ALL, found {found}"))
    if not isinstance(fields.get("not", False), bool):
        problems.append(FieldProblem("not", f"expected true or false, found {json_text(fields['not'])}"))
    problems += [
        FieldProblem(name, f"expected a string, found {json_text(fields[name])}")
        for name in ("id", "description")
        if not isinstance(fields.get(name, ""), str | None)
    ]
    matcher = None
    try:
        matcher = matcher_from_data(fields)
    except ArgumentError as error:
        problems.append(FieldProblem(error.field or "matcher", error.message))
    if problems or matcher is None:
        return None, problems
    return ~matcher if fields.get("not") is True else matcher, []


def record_of_fields(fields: Mapping[str, Any]) -> Assertion:
    """The record of fields, as far as they are right."""

    def text(name: str, default: str = "") -> str:
        value = fields.get(name, default)
        return value if isinstance(value, str) else default

    options = fields.get("options")
    return Assertion(
        matcher=text("matcher"),
        expected=fields.get("expected", UNSET),
        path=text("path", "$"),
        path_match="ALL" if fields.get("pathMatch") == "ALL" else "ANY",
        negated=fields.get("not") is True,
        id=text("id"),
        description=text("description"),
        options=options if isinstance(options, dict) else {},
    )


def _broken(fields: Mapping[str, Any], *problems: FieldProblem | str) -> LoadedAssertion:
    record = record_of_fields(fields)
    told = tuple(FieldProblem("", one) if isinstance(one, str) else one for one in problems)
    return LoadedAssertion(record, None, told, selector_of(record))


def _key(assertion: Assertion) -> str:
    """`assertion_` and 8 hex digits that follow from what is asked, whatever its place and description."""
    asked = {**_fields(assertion), "id": "", "description": ""}
    try:
        content = canonical_json(asked)
    except Exception:  # not JSON as it stands, or somebody's mapping
        content = canonical_json(clean_json(asked))
    return f"assertion_{hashlib.sha256(content).hexdigest()[:8]}"


def _too_large(given: Sequence[object], limits: Limits) -> str:
    """What is wrong with the size of the assertions, "" when nothing is."""
    try:
        size = json_size(given)
    except Exception:  # somebody's mapping: reading it says what is wrong
        return ""
    if size <= limits.max_assertion_json_bytes:
        return ""
    return (
        f"the assertions take {size:,} bytes as JSON, at most {limits.max_assertion_json_bytes:,} are "
        "allowed (GRICE_MAX_ASSERTION_JSON_BYTES)"
    )


def selector_of(assertion: Assertion, parse: Parse = "auto", on: str = "") -> ValueSelector:
    """The values that an assertion asks about."""
    one = assertion
    words = assertion_words(
        one.path, one.path_match, one.matcher, one.expected, one.options, negated=one.negated
    )
    return ValueSelector(one.path, one.path_match, parse, one.id or _key(one), words, on)


def json_size(assertions: Iterable[object]) -> int:
    """Bytes of the assertions as JSON, as the limit on them counts."""
    fields = [_fields(one) for one in assertions]
    try:
        return len(msgspec.json.encode(fields))
    except Exception:  # not JSON as it stands, or somebody's mapping
        return len(msgspec.json.encode(clean_json(fields)))
