"""Typed parameters of a matcher are its check, its schema and its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypedDict

import jsonschema
import msgspec
import pytest
from dirty_equals import IsInt, IsStr
from msgspec import Meta

from grice.matching.annotations import argument_type
from grice.matching.argument_types import AtLeastOne, Share, SpokenText, Text
from grice.matching.assertions.data_arguments import expected_schema
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.matcher import REGISTRY, ArgumentError, MatcherFactory, matcher

if TYPE_CHECKING:
    from somewhere import Unknown  # type: ignore[import-not-found]


class Message(TypedDict, total=False):
    role: Literal["user", "assistant"]
    text: Text


class Budget(msgspec.Struct, frozen=True):
    most: int


@dataclass(frozen=True)
class Range:
    least: int
    most: int


class Embeds(Protocol):
    def embed(self, texts: Sequence[str]) -> Any: ...


def is_even(number: int) -> None:
    if number % 2:
        raise ArgumentError(f"an even number is wanted, found {number}")


Even = Annotated[int, is_even]
FITS: list[tuple[Any, list[Any], list[tuple[Any, str]]]] = [
    (int, [0, -3, 10**400], [(True, "a whole number"), (1.0, "a whole number"), ("1", "a whole number")]),
    (float, [0, 1.5], [(False, "a number"), ("1", "a number"), (Decimal(1), "a number")]),
    (bool, [True], [(1, "true or false"), (None, "true or false")]),
    (str, ["", "x"], [(None, "a text"), (b"x", "a text"), (IsStr(), "a text")]),
    (AtLeastOne, [1], [(0, "a whole number from 1"), (True, "a whole number from 1")]),
    (Share, [0.1, 1], [(0, "a number above 0 and up to 1"), (float("nan"), "a number above 0 and up to 1")]),
    (Annotated[float, Meta(gt=0)], [1e300], [(float("inf"), "a number above 0")]),
    (Annotated[float, Meta(multiple_of=1, ge=0)], [3, 3.0], [(3.5, "a whole number from 0")]),
    (Text, [" "], [("", "a text that is not empty")]),
    (SpokenText, ["x"], [(" ", "a text that is not blank")]),
    (Literal["a", "b"], ["a"], [("c", "'a' or 'b'"), (IsStr(), "'a' or 'b'")]),
    (Literal[1, None], [1, None], [(True, "1 or None")]),
    (Literal[1, "a"], [1, "a"], [("b", "1 or 'a'")]),
    (int | None, [None, 1], [("x", "a whole number")]),
    (int | str, ["x", 1], [(1.5, "a whole number or a text")]),
    (Sequence[str], [[], ("x",)], [("x", "a list of texts"), ({"x": 1}, "a list of texts")]),
    (Collection[Text], [{"x"}, ["x"]], [("x", "a list of texts")]),
    (Annotated[Sequence[int], Meta(min_length=1)], [[1]], [([], "a list of whole numbers that is not")]),
    (tuple[int, int], [[1, 2], (1, 2)], [((1,), "a list of 2"), (3, "a list of 2")]),
    (Mapping[str, int], [{}, {"a": 1}], [([], "an object")]),
    (Callable[[int], bool], [len], [(3, "a function")]),
    (Budget, [Budget(3)], [(3, "a Budget"), ({"most": 3}, "a Budget")]),
    (object, [None, IsInt()], []),
    (Any, [object()], []),
    (Embeds, [object()], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("annotation", "right", "wrong"), FITS, ids=lambda one: re.sub(r" at 0x\w+", "", str(one))[:40]
)
def test_an_annotation_says_what_fits_and_names_it(
    annotation: Any, right: list[Any], wrong: list[tuple[Any, str]]
) -> None:
    kind = argument_type(annotation)
    for value in right:
        kind.check("it", value)
    for value, words in wrong:
        with pytest.raises(ArgumentError) as refused:
            kind.check("it", value)
        assert str(refused.value).startswith(f"it is {words}")


@pytest.mark.parametrize(
    ("annotation", "value", "problem"),
    [
        (Sequence[int], [1, "2"], "it[1] is a whole number, found '2'"),
        (Sequence[Sequence[int]], [[1], [True]], "it[1][0] is a whole number, found True"),
        (Collection[str], {3}, "an element of it is a text, found 3"),
        (tuple[int, str], [1, 2], "it[1] is a text, found 2"),
        (Mapping[str, int], {"a": "x"}, "it['a'] is a whole number, found 'x'"),
        (Mapping[Text, int], {"": 1}, "a name in it is a text that is not empty, found ''"),
        (Sequence[int] | str, [None], "it[0] is a whole number, found None"),
        (Message, {"rol": "user"}, "it has an unknown field 'rol' (did you mean 'role'?)"),
        (Message, {"role": "usr"}, "it.role is 'user' or 'assistant', found 'usr' (did you mean 'user'?)"),
        (Even, 3, "an even number is wanted, found 3"),
        (Even, "3", "it is a whole number, found '3'"),
        (Sequence[Even], [2, 3], "it[1]: an even number is wanted, found 3"),
        (Budget, {"most": "x"}, "it is a Budget, found {'most': 'x'}: Expected int, got str - at $.most"),
        (Text, Budget, "it is a text that is not empty, found <class"),
    ],
)
def test_what_is_wrong_inside_is_named_with_its_place(annotation: Any, value: Any, problem: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        argument_type(annotation).check("it", value)
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (AtLeastOne, {"type": "integer", "minimum": 1}),
        (Share, {"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Sequence[Text], {"type": "array", "items": {"type": "string", "minLength": 1}}),
        (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (str | Callable[[int], bool], {"type": "string"}),
        (Callable[[int], bool], None),
        (object, {}),
    ],
)
def test_an_annotation_says_the_json_schema(annotation: Any, schema: Any) -> None:
    assert argument_type(annotation).schema() == schema


def made(**options: Any) -> MatcherFactory[Any, Any]:
    """A matcher with parameters of many kinds."""
    REGISTRY.pop("toCite", None)

    @matcher("toCite", **options)
    def cite(
        subject: object,
        ctx: Any,
        *sources: Text,
        at_least: AtLeastOne = 1,
        exact: bool = False,
        unit: Unknown = None,
        **more: int,
    ) -> bool:
        return True

    REGISTRY.pop("toCite")
    return cite


@pytest.mark.parametrize(
    ("sources", "named", "problem"),
    [
        ((3,), {}, "sources is a text that is not empty, found 3"),
        (("a", ""), {}, "sources[1] is a text that is not empty, found ''"),
        ((), {"at_least": True}, "at_least is a whole number from 1, found True"),
        ((), {"exact": 1}, "exact is true or false, found 1"),
        ((), {"page": "x"}, "page is a whole number, found 'x'"),
    ],
)
def test_a_matcher_cannot_be_made_with_a_wrong_argument(sources: Any, named: Any, problem: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        made()(*sources, **named)
    assert str(refused.value) == problem


def test_what_only_a_type_checker_sees_is_not_looked_at() -> None:
    unit = object()
    assert made()("a", unit=unit).kwargs == {"unit": unit}


def test_arguments_that_fit_no_parameter_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'seconds'"):
        timed_matcher()()


def timed_matcher(**options: Any) -> MatcherFactory[Any, Any]:
    @matcher("toTake", **options)
    def take(subject: object, ctx: Any, seconds: float, budget: Budget | None = None) -> bool:
        return True

    return REGISTRY.pop(take.name)


@pytest.mark.parametrize(
    ("template", "sources", "named", "sentence"),
    [
        ("cite {sources}", ("a", "b"), {}, "cite 'a', 'b'"),
        ("cite {sources!s}", ("a", "b"), {}, "cite a, b"),
        ("cite at least {at_least:source}", (), {}, "cite at least 1 source"),
        ("cite at least {at_least:big source}", (), {"at_least": 2000}, "cite at least 2,000 big sources"),
        ("cite {at_least:time}, {at_least:reply}", (), {"at_least": 2}, "cite 2 times, 2 replies"),
        ("cite {at_least:time}", (), {}, "cite once"),
        ("cite {at_least:.1f}", (), {}, "cite 1.0"),
        ("cite [{sources}|anything][, at least {at_least}]", (), {}, "cite anything"),
        ("cite [{sources}|anything][, at least {at_least}]", ("a",), {"at_least": 2}, "cite 'a', at least 2"),
        ("cite[exact?, word for word]", (), {"exact": True}, "cite, word for word"),
        ("cite[exact?, word for word]", (), {}, "cite"),
    ],
)
def test_a_template_makes_the_sentence(template: str, sources: Any, named: Any, sentence: str) -> None:
    assert made(describe=template)(*sources, **named).words == sentence


def test_without_a_template_the_sentence_is_the_name_and_the_arguments() -> None:
    assert made()("a", at_least=2).words == "cite 'a', at_least=2"


def test_wrong_arguments_are_described_as_they_are() -> None:
    assert made(describe="cite {at_least:source}").describe(at_least="x") == "cite at_least='x'"


def test_a_template_with_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="describe names 'limit', which is no argument: sources, at_least"):
        made(describe="cite {limit}")()


def test_an_object_of_a_file_becomes_the_record_that_the_annotation_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(REGISTRY, "toTake", timed_matcher())
    made = matcher_from_data({"matcher": "toTake", "expected": {"seconds": 3, "budget": {"most": 5}}})
    assert made.kwargs == {"seconds": 3, "budget": Budget(5)}
    with pytest.raises(ArgumentError, match="Expected int, got str"):
        matcher_from_data({"matcher": "toTake", "expected": 3, "options": {"budget": {"most": "x"}}})


def test_the_schema_of_a_matcher_follows_from_its_parameters() -> None:
    schema = expected_schema(timed_matcher())
    assert schema is not None
    for fine in (3, {"seconds": 1.5}, {"seconds": 3, "budget": {"most": 5}}):
        jsonschema.validate(fine, schema)
    for wrong in ("3", {"budget": {"most": 5}}, {"seconds": 3, "budget": {"most": "x"}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_every_built_in_sentence_can_be_made() -> None:
    import grice.matchers

    for name in grice.matchers.__all__:
        factory = getattr(grice.matchers, name)
        if isinstance(factory, MatcherFactory):
            assert factory.types.keys() == factory.parameters.keys()
