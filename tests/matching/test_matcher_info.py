"""`grice.registry()`: what is known of each matcher."""

import inspect
import json
from collections.abc import Iterator

import jsonschema
import msgspec
import pytest

import grice
import grice.matchers
from grice import MatcherInfo, Reply
from grice._catalogue import MODULES
from grice.matchers import matcher
from grice.matching.matcher import REGISTRY, MatcherFactory


class Room(msgspec.Struct):
    """A room, as an argument."""

    name: str
    seats: int = 1


@pytest.fixture
def own() -> Iterator[None]:
    """Three matchers of somebody's own."""

    @matcher("toNameSources", layer=2)
    def name_sources(reply: Reply, ctx: object, *sources: str, at_least: int = 1) -> bool:
        """The reply says
        where it knows it from.

        As in [house rules].
        """
        return True

    @matcher("toOfferRoom", judged=True)
    def offer_room(text: str, ctx: object, room: Room, *, within: list[Room] | None = None) -> bool:
        """The text offers the room."""
        return True

    @matcher("toSayAnything")
    def say_anything(subject, ctx, **words):  # type: ignore[no-untyped-def]
        return True

    yield
    for name in ("toNameSources", "toOfferRoom", "toSayAnything"):
        del REGISTRY[name]


def known(name: str) -> MatcherInfo:
    (found,) = [one for one in grice.registry() if one.name == name]
    return found


def test_every_built_in_matcher_is_listed_by_name_with_what_it_does() -> None:
    listed = grice.registry()
    names = [one.name for one in listed]
    assert names == sorted(set(names))
    assert set(names) >= set(MODULES)
    built_in = [one for one in listed if one.name in MODULES]
    assert all(one.documentation for one in built_in)
    assert all(one.module == MODULES[one.name] for one in built_in)
    factories = {getattr(grice.matchers, one.python_name) for one in built_in}
    assert all(isinstance(one, MatcherFactory) for one in factories)
    assert {one.name for one in factories} == set(MODULES)


def test_the_matcher_of_a_package_is_listed_as_it_is_used() -> None:
    found = known("toCiteSources")
    assert (found.python_name, found.module, found.arity) == ("cite_sources", "grice_citations", (0, 1))


@pytest.mark.parametrize(
    ("name", "arity"),
    [
        ("toBeNull", (0, 0)),
        ("toContain", (1, 1)),
        ("toHaveProperty", (1, 2)),
        ("toBeFreeOf", (0, 1)),
        ("toHaveInSystemPrompt", (0, None)),
        ("toHaveTurnCount", (0, 1)),
        ("toPairToolCalls", (0, 0)),
    ],
)
def test_the_arity_is_how_many_positional_arguments_it_needs_and_takes(
    name: str, arity: tuple[int, int | None]
) -> None:
    assert known(name).arity == arity


def test_a_matcher_of_your_own_is_listed_with_what_its_signature_says(own: None) -> None:
    texts = [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    by_name = {"sources": {"anyOf": texts}, "atLeast": {"type": "integer"}}
    assert known("toNameSources") == MatcherInfo(
        name="toNameSources",
        python_name="name_sources",
        module=__name__,
        arity=(0, None),
        expected={
            "anyOf": [*texts, {"type": "object", "properties": by_name, "additionalProperties": False}]
        },
        options={
            "type": "object",
            "properties": {"atLeast": {"type": "integer"}},
            "additionalProperties": False,
        },
        documentation="The reply says where it knows it from.",
        subjects=("Reply",),
        layer=2,
        judged=False,
    )
    judged = known("toOfferRoom")
    assert (judged.judged, judged.arity, judged.documentation) == (True, (1, 1), "The text offers the room.")


def test_one_without_annotations_and_words_is_listed_with_what_is_known(own: None) -> None:
    found = known("toSayAnything")
    assert (found.documentation, found.subjects, found.layer) == ("", ("Any",), None)
    assert found.expected == {"type": "object", "minProperties": 1}
    assert found.options == {"type": "object"}


def test_schemas_stand_on_their_own(own: None) -> None:
    room = known("toOfferRoom")
    assert room.expected is not None
    assert room.options is not None
    jsonschema.validate({"name": "Blue", "seats": 2}, room.expected)
    jsonschema.validate({"room": {"name": "Blue"}, "within": [{"name": "Red"}]}, room.expected)
    jsonschema.validate({"within": [{"name": "Red"}]}, room.options)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"within": [{"seats": 3}]}, room.options)
    for one in grice.registry():
        for schema in (one.expected, one.options):
            if schema is not None:
                jsonschema.Draft202012Validator.check_schema(schema)
                assert _references(schema) <= {f"#/$defs/{name}" for name in schema.get("$defs", ())}


def _references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(_references, value.values()))
    return set().union(*map(_references, value)) if isinstance(value, list) else set()


def test_the_list_is_json_and_comes_back_the_same(own: None) -> None:
    listed = grice.registry()
    written = msgspec.json.encode(listed)
    assert msgspec.json.decode(written, type=tuple[MatcherInfo, ...]) == listed
    assert set(json.loads(written)[0]) == set(inspect.signature(MatcherInfo).parameters)
