"""What Grice asks an LLM of its own, as judge, as simulated user or with a prompt, and what comes back."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.records.capture import JsonValue

Purpose = Literal[
    "criterion",
    "grounding",
    "forbidden_claims",
    "intent",
    "goal",
    "topic",
    "naturalness",
    "guidance",
    "context_use",
    "user",
    "conduct",
    "verification",
    "entailment",
    "prompt",
]
"""What an LLM is asked for."""


class LLMRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request to an LLM.

    `messages` are dicts with `role` (system, user, assistant) and `content`, a text. `purpose` is what it is
    asked for, `subject` the name of what is judged, such as a criterion's; both are tags and are not sent.
    `schema` is the JSON Schema of the answer that is wanted, `schema_name` its name for providers that want
    one; without a schema the answer is any text. `sample` counts repeated questions from 0.
    """

    messages: tuple[dict[str, JsonValue], ...]
    purpose: Purpose = "criterion"
    subject: str = ""
    schema: dict[str, JsonValue] | None = None
    schema_name: str = ""
    max_tokens: int = 1024
    temperature: float | None = None
    seed: int | None = None
    sample: int = 0


class LLMMetadata(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of an answer beside its text. None, or "", is what nobody said.

    `model` is the one that answered, `latency_ms` the time of the last try in milliseconds, `retries` how
    many tries before it failed. `stop_reason` is the provider's word for why the answer ends, `refusal` what
    the model said where it refused to answer. `replayed` says that it comes from a cassette.
    """

    provider: str = ""
    model: str = ""
    latency_ms: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    stop_reason: str = ""
    refusal: str = ""
    retries: int = 0
    replayed: bool = False


class LLMResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """An LLM's answer: its `text`, and `parsed` when its client has it as JSON already (else UNSET)."""

    text: str = ""
    parsed: JsonValue | msgspec.UnsetType = msgspec.UNSET
    metadata: LLMMetadata = LLMMetadata()


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer of a judge: its JSON object and what it cost, or why there is none (`error`).

    `repaired` says that the first answer was malformed and this is the second.
    """

    answer: dict[str, JsonValue] | None = None
    error: str = ""
    repaired: bool = False
    metadata: LLMMetadata = LLMMetadata()


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a judge's agreement with people, and what the project makes of that.

    `card` is the file of the calibration card that fits or is nearest, "" without one; `problem` says why
    there is none, or why it does not count. `own_examples` says that it was measured on those of the
    criterion, and not on labels of people. `kappa`, with its 95 % interval, and `n` are the card's. The four
    counts are its held-out items: of those that people let pass the judge passed `passed_right`, of those
    that they fail it failed `failed_right`. `required` says that without a card nothing is decided,
    `advisory` that its verdicts are soft.
    """

    card: str = ""
    problem: str = ""
    n: int = 0
    kappa: float | None = None
    kappa_low: float | None = None
    kappa_high: float | None = None
    gate: float | None = None
    own_examples: bool = False
    passed_right: int = 0
    passed_wrong: int = 0
    failed_right: int = 0
    failed_wrong: int = 0
    required: bool = False
    advisory: bool = False


class Judgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a judge came to a verdict.

    `prompt` names the prompt file, `version` and `prompt_hash` (sha256) say which text it was. `samples` are
    the answers, one a vote. `score` is their median and `spread` the distance from lowest to highest, both in
    points from 1 to 5, None for yes/no questions. Tokens and `latency_ms` are sums over the samples.
    `fingerprint` is that of the criterion that was judged, "" without one. `standing` is what is known of the
    judge; None where nobody asked for cards.
    """

    prompt: str
    version: int
    prompt_hash: str
    model: str = ""
    samples: tuple[Sample, ...] = ()
    score: float | None = None
    spread: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float | None = None
    replayed: bool = False
    fingerprint: str = ""
    standing: Standing | None = None
