"""The answers that a judge gives. Their fields make the JSON Schema that is sent and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Confidence = Literal["high", "medium", "low"]

Text = Annotated[str, Meta(min_length=1)]
Score = Annotated[float, Meta(ge=1, le=5, description="A number from 1 to 5; fractions are allowed.")]
Requirement = Annotated[
    str, Meta(min_length=1, description="What is asked for, as one positive requirement in your own words.")
]
Reasoning = Annotated[
    str, Meta(min_length=1, description="How what was said and done compares with it, in a few sentences.")
]
Quote = Annotated[
    str, Meta(description="The words of the judged part that decide it, copied exactly; empty for none.")
]


class CriterionAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasoning: Reasoning
    quote: Quote
    satisfied: Annotated[bool, Meta(description="Whether the judged part meets the requirement.")]


class GradedAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasoning: Reasoning
    quote: Quote
    score: Score


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    type: Annotated[Text, Meta(description="The type of claim it is, as listed.")]
    text: Annotated[Text, Meta(description="The words that make the claim, copied exactly.")]
    source: Annotated[
        str, Meta(description="Where it is supported and what stands there; empty when it is not.")
    ]
    grounded: Annotated[bool, Meta(description="Whether the source supports the whole claim.")]


class ClaimsAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    claims: Annotated[tuple[Claim, ...], Meta(description="Every claim of these types; none is [].")]


class ComparedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    number: Annotated[int, Meta(ge=1, description="The number of the pair.")]
    reasoning: Reasoning
    contradiction: Annotated[bool, Meta(description="Whether both statements cannot hold together.")]


class EntailmentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    pairs: list[ComparedPair]


class IntentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    observed_intent: Annotated[Text, Meta(description="What the judged part sets out to do, in a few words.")]
    reasoning: Reasoning
    matches: Annotated[bool, Meta(description="Whether that is the expected intent.")]


class GoalAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasoning: Reasoning
    achieved: Annotated[bool, Meta(description="Whether the goal was achieved by the end.")]


class ScoreAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasons: Annotated[
        tuple[Text, ...], Meta(min_length=1, description="One to four reasons, the weightiest first.")
    ]
    score: Score


class TopicAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasoning: Reasoning
    topic: Annotated[Text, Meta(description="The name of the topic, exactly as listed.")]
    confidence: Confidence


class VerifiedAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):  # noqa: D101
    requirement: Requirement
    reasoning: Reasoning
    source: Annotated[str, Meta(description="The fact that decides it, copied exactly; empty for none.")]
    answer: Annotated[
        Literal["supported", "contradicted", "unsupported"],
        Meta(description="What the facts say of the claim."),
    ]


def schema_of(answer: Any, choices: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    """The JSON Schema of an answer, without references. Clients leave out what their provider cannot take.

    All fields are required and no others allowed. `choices` are the values that a text field may have. It is
    made once for each answer, and not to be changed.
    """
    return _schema_without_references(
        answer, tuple((name, tuple(values)) for name, values in (choices or {}).items())
    )


@lru_cache(maxsize=64)
def _schema_without_references(
    answer: Any, choices: tuple[tuple[str, tuple[str, ...]], ...]
) -> dict[str, Any]:
    schema = _generated(answer)
    plain: dict[str, Any] = _inlined(schema, schema["$defs"], dict(choices))
    return plain


@lru_cache(maxsize=64)
def _generated(answer: Any) -> dict[str, Any]:
    return msgspec.json.schema(answer)


def _inlined(schema: Any, defined: Mapping[str, Any], choices: Mapping[str, Sequence[str]]) -> Any:
    if isinstance(schema, list):
        return [_inlined(one, defined, choices) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(defined[schema["$ref"].rpartition("/")[2]], defined, choices)
    plain = {
        word: _inlined(said, defined, choices)
        for word, said in schema.items()
        if word not in ("title", "$defs")
    }
    properties = plain.get("properties", {})
    for name in choices:
        if name in properties:
            properties[name]["enum"] = list(choices[name])
    return plain
