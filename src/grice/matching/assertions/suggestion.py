"""What can be asked about a value that somebody points at in an output: its path, and matchers that pass.

What stays and what changes from run to run is known by `scaffold`, which proposes for whole outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from grice import _catalogue
from grice.matching.assertions.assertion import Assertion, json_size
from grice.matching.assertions.evaluation import evaluate_assertions
from grice.matching.assertions.scaffold import (
    Proposal,
    form_of,
    is_clean,
    json_kind,
    pattern_of,
    proposals_at,
    stable_token,
)
from grice.matching.json_parsing import NotJson, parse_json
from grice.matching.limits import limits_in_force
from grice.matching.matcher import REGISTRY
from grice.matching.paths import PathError, compile_path, find, step_text
from grice.matching.selector import Parse
from grice.matching.subject_types import subject_types
from grice.records import JsonValue, PathMatch
from grice.text import did_you_mean, value_text

MOST_SUGGESTED = 12
MOST_OWN = 5
LARGEST_EXPECTED = 1_000
"""Bytes of JSON; more than that nobody wants to see as an expected value."""
MOST_FIELDS = 20
LONG_PART = 60


class NoSuchValue(ValueError):
    """Nothing stands where the pointer leads; `index` is the step that is wrong, None for all of it."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message, index)
        self.message = message
        self.index = index

    def __str__(self) -> str:
        return self.message


class SuggestedMatcher(msgspec.Struct, frozen=True, rename={"negated": "not", "path_match": "pathMatch"}):
    """A matcher that passes at `path`, the wildcard's where it asks about ALL, and why one asks it."""

    matcher: str
    path: str
    path_match: PathMatch
    why: str
    expected: JsonValue | UnsetType = UNSET
    negated: bool = False


class Suggestion(msgspec.Struct, frozen=True, rename={"wildcard_path": "wildcardPath"}):
    """The path of a value, the same over all items of the lists on its way, and what can be asked."""

    path: str
    wildcard_path: str | None
    matchers: tuple[SuggestedMatcher, ...]


def suggest_assertions(
    output: JsonValue, pointer: Sequence[str | int], *, parse: Parse = "auto"
) -> Suggestion:
    """What can be asked about the value that keys and indices lead to, at least three matchers that pass.

    JSON in a text is looked into as `evaluate_assertions` does with the same `parse`; without steps the value
    is the text. Raises NoSuchValue.
    """
    limits = limits_in_force()
    whole = _value_of(output, pointer, parse)
    value = _value_at(whole, pointer)
    path = "$" + "".join(map(step_text, pointer))
    wildcard = "$" + "".join("[*]" if isinstance(one, int) else step_text(one) for one in pointer)
    try:
        compile_path(path)
        over_all = find(wildcard, whole) if wildcard != path else []
    except PathError as error:
        raise NoSuchValue(f"no path can say this place: {error}") from None
    name = next((one for one in reversed(pointer) if isinstance(one, str)), "")
    asked = [*_of_value(path, name, value)]
    asked[1:1] = proposals_at(wildcard, name, over_all, several=True)
    asked += _own(path, value)
    kept: list[SuggestedMatcher] = []
    seen: list[Assertion] = []
    for one in asked:
        new = one.assertion not in seen and json_size([one.assertion]) <= limits.max_assertion_json_bytes
        if new and evaluate_assertions(output, [one.assertion], parse=parse, limits=limits).passed:
            seen.append(one.assertion)
            kept.append(_suggested(one))
    return Suggestion(path, wildcard if wildcard != path else None, tuple(kept[:MOST_SUGGESTED]))


def _suggested(one: Proposal) -> SuggestedMatcher:
    said = one.assertion
    return SuggestedMatcher(said.matcher, said.path, said.path_match, one.why, said.expected, said.negated)


# -- the value


def _value_of(output: JsonValue, pointer: Sequence[str | int], parse: Parse) -> JsonValue:
    """The output as paths look into it."""
    if not isinstance(output, str) or (not pointer and parse in ("auto", "text")):
        return output
    if parse == "text":
        raise NoSuchValue("the output is a text, and is not read as JSON", 0)
    try:
        return parse_json(output, parse)
    except NotJson as error:
        raise NoSuchValue(f"the output is a text without JSON: {error}", 0 if pointer else None) from None


def _value_at(value: JsonValue, pointer: Sequence[str | int]) -> JsonValue:
    for index, step in enumerate(pointer):
        if isinstance(step, str) and isinstance(value, dict):
            if step not in value:
                hint = did_you_mean(step, list(value))
                raise NoSuchValue(f"there is no {value_text(step)} here{hint}", index)
            value = value[step]
        elif isinstance(step, int) and isinstance(value, list):
            if not 0 <= step < len(value):
                raise NoSuchValue(f"expected an index below {len(value)}, found {step}", index)
            value = value[step]
        else:
            expected = {"object": "the name of a field", "array": "an index"}.get(json_kind(value), "no step")
            found = f"{value_text(step)} into {value_text(value)}"
            raise NoSuchValue(f"expected {expected}, found {found}", index)
    return value


# -- what is asked of it


def _of_value(path: str, name: str, value: JsonValue) -> Iterator[Proposal]:
    """What may be asked, the best first."""
    kind = json_kind(value)
    yield from proposals_at(path, name, [value])
    if isinstance(value, str):
        yield from _of_text(path, name, value)
    elif isinstance(value, dict):
        yield from _of_object(path, value)
    elif isinstance(value, list):
        yield from _of_list(path, value)
    elif isinstance(value, bool):
        yield _proposal(path, "toBeTruthy" if value else "toBeFalsy", UNSET, f"it is {str(value).lower()}")
    elif isinstance(value, int | float):
        yield _proposal(path, "toBeGreaterThanOrEqual", value, "it is no less than now")
        yield _proposal(path, "toBeLessThanOrEqual", value, "it is no more than now")
    if _is_small(value):
        yield _proposal(path, "toEqual", value, "it is exactly this")
    article = kind if kind == "null" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    yield _proposal(path, "toMatchSchema", {"type": kind}, f"it is {article}, whatever it holds")
    if value is not None:
        yield _proposal(path, "toBeNull", UNSET, "there is a value", negated=True)
    yield _proposal(path, "toBeDefined", UNSET, "it is there at all")


def _of_text(path: str, name: str, text: str) -> Iterator[Proposal]:
    token, what = stable_token(text)
    has_pattern = any(one.assertion.matcher == "toMatch" for one in proposals_at(path, name, [text]))
    if token and is_clean(token):
        yield _proposal(path, "toContain", token, f"{what} is in it")
    elif text and len(text) <= LONG_PART and is_clean(text):
        yield _proposal(path, "toContain", text, "these words are in it")
    if not has_pattern and len(text) <= LONG_PART and (form := form_of(text)):
        yield _proposal(path, "toMatch", form, "it has this form, whatever the words")
    elif not has_pattern and token and is_clean(token):
        same: JsonValue = {"source": pattern_of(token), "flags": "i"}
        yield _proposal(path, "toMatch", same, f"{what} is in it, in small or large letters")
    start = text[:LONG_PART]
    if text and is_clean(start):
        yield _proposal(path, "toStartWith", start, "it begins so")
    yield _proposal(path, "toBeValidJson", UNSET, "it is JSON")


def _of_object(path: str, value: dict[str, JsonValue]) -> Iterator[Proposal]:
    names = [one for one in value if is_clean(one)][:MOST_FIELDS]
    plain = {one: value[one] for one in names if not isinstance(value[one], dict | list)}
    stable = {
        one: item
        for one, item in plain.items()
        if any(
            each.selected and each.assertion.matcher == "toEqual" for each in proposals_at("$", one, [item])
        )
    }
    for fields, why in ((stable, "these fields seem to stay"), (plain, "it has these fields")):
        if fields and _is_small(fields):
            yield _proposal(path, "toMatchObject", fields, why)
    if names:
        schema = {"type": "object", "required": names}
        yield _proposal(path, "toMatchSchema", schema, "it has these fields, whatever they hold")
        yield _proposal(path, "toHaveProperty", names[0], f"it has the field {value_text(names[0])}")


def _of_list(path: str, value: list[JsonValue]) -> Iterator[Proposal]:
    if value:
        yield _proposal(path, "toMatchSchema", {"type": "array", "minItems": 1}, "the list is not empty")
        item = next((one for one in value if _is_small(one)), UNSET)
        if item is not UNSET:
            yield _proposal(path, "toContainEqual", item, "this item is in it")


def _own(path: str, value: JsonValue) -> Iterator[Proposal]:
    """The project's own matchers without arguments that take such a value."""
    kinds = {"string": "str", "object": "dict", "array": "list", "integer": "int", "number": "float"}
    wanted = {kinds.get(json_kind(value), "bool"), "JsonValue", "Any", "object"}
    own = [one for one in REGISTRY.values() if one.name not in _catalogue.MODULES]
    fitting = [
        one for one in own if not one.needs_arguments and not one.judged and wanted & set(subject_types(one))
    ]
    for one in fitting[:MOST_OWN]:
        yield _proposal(path, one.name, UNSET, "a matcher of this project that passes")


def _is_small(value: JsonValue) -> bool:
    """Whether one reads it as an expected value, and a file can hold it."""
    try:
        return json_size([Assertion("", value)]) <= LARGEST_EXPECTED and _is_writable(value)
    except (ValueError, RecursionError):
        return False


def _is_writable(value: JsonValue) -> bool:
    if isinstance(value, str):
        return is_clean(value)
    if isinstance(value, dict):
        return all(is_clean(name) and _is_writable(one) for name, one in value.items())
    return all(map(_is_writable, value)) if isinstance(value, list) else True


def _proposal(
    path: str, matcher: str, expected: JsonValue | UnsetType, why: str, *, negated: bool = False
) -> Proposal:
    return Proposal(Assertion(matcher, expected, path, negated=negated), True, why)
