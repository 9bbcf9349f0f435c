"""The JSON Schemas that editors are given: what they allow is what the readers take."""

import json
from typing import Any

import jsonschema
import pytest

from grice.cli import schema as command
from grice.files.schemas import KINDS, schema_of

GOLDEN = {
    "id": "a",
    "userMessage": "Hi",
    "mockLlmResponses": [{"step": "chat", "content": "Hello"}],
    "assertions": {"finalText": {"contains": "Hello"}},
}
TURN = {name: GOLDEN[name] for name in ("userMessage", "mockLlmResponses")}
PERSONA = {"name": "brief", "behaviours": [{"name": "b", "instruction": "Do.", "rule": {"max_words": 5}}]}
RULE = {"id": "a", "any_of": "x", "good": ["y"], "bad": [{"text": "x", "called": ["book"]}]}
ALLOWED = {
    "golden": [
        GOLDEN,
        [GOLDEN],
        {"id": "b", "turns": [TURN]},
        {**GOLDEN, "pendingAssertions": {"finalText": {"contains": "?"}, "validator": {"expectValid": True}}},
    ],
    "scenarios": [[{"id": 1, "goal": "A room", "guests": 3}], [{"id": "a", "goal": None}]],
    "graph": [{"topics": {"a": {"next": "b"}, "b": None}}],
    "script": [{"replies": ["Hello"], "rules": [{"when": "hi", "reply": "Hello"}]}],
    "settings": [{"agent": "a:b", "concurrency": 3, "store": True}, {"agent": {"type": "http", "url": "x"}}],
}
ALLOWED |= {
    "personas": [[PERSONA], {"personas": [PERSONA]}],
    "rules": [[RULE], {"rules": [RULE], "version": 1}],
}
REFUSED = {
    "golden": [
        {},
        {**GOLDEN, "assertion": {}},
        {**GOLDEN, "pendingAssertions": {"lint": False}},
        {**GOLDEN, "userMessage": " "},
        {**GOLDEN, "mockLlmResponses": []},
        {**GOLDEN, "mockLlmResponses": [{"step": "chatt", "content": ""}]},
    ],
    "scenarios": [{}, [], [{"goal": 3}], [{"max_turns": -1}]],
    "graph": [{}, {"topics": {"a": {"nxt": "b"}}}],
    "script": [{"reply": []}, {"rules": [{"when": "hi"}]}],
    "personas": [[], {}, PERSONA, [{"nmae": "x"}], [{**PERSONA, "behaviours": [{"name": "b"}]}]],
    "rules": [[], {}, [{**RULE, "anyof": "x"}], [{**RULE, "bad": []}], [{**RULE, "negated": "no"}]],
    "settings": [{"agnet": "a:b"}, {"concurrency": "3"}, {"conduct": "judges"}],
}


def validator(kind: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads(json.dumps(schema_of(kind, ()))))


def test_the_command_has_every_kind() -> None:
    assert tuple(KINDS) == command.KINDS


@pytest.mark.parametrize("kind", ALLOWED)
def test_a_schema_allows_what_is_right(kind: str) -> None:
    made = validator(kind)
    made.check_schema(made.schema)
    for value in ALLOWED[kind]:
        made.validate(value)


@pytest.mark.parametrize("kind", REFUSED)
def test_a_schema_refuses_what_is_wrong(kind: str) -> None:
    made = validator(kind)
    assert [one for one in REFUSED[kind] if made.is_valid(one)] == []
