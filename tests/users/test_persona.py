"""Personas as data: those shipped, those of a user's own, and what is wrong with data."""

import msgspec
import pytest

from grice.typed import problems_in
from grice.users.persona import (
    Behaviour,
    BehaviourRule,
    Persona,
    PersonasFile,
    persona,
    persona_names,
    persona_of,
)
from grice.users.protocol import UserConfigError

WHOLE = {
    "name": "brief",
    "description": "Says little.",
    "behaviours": [
        {"name": "short", "instruction": "Be short.", "rule": {"max_words": 5, "effect": "hindered"}},
        {
            "name": "asks",
            "instruction": "Ask once.",
            "rule": {"must_match": "WHY\\?", "flags": "i", "on": "any"},
        },
        {"name": "kind", "instruction": "Be kind.", "rule": {"criterion": "The user is kind."}},
    ],
}


@pytest.mark.parametrize("name", persona_names())
def test_a_shipped_persona_has_an_instruction_and_a_rule_for_each_behaviour(name):
    found = persona(name)
    assert found.name == name
    assert found.description
    assert all(one.instruction and one.rule.value != "" for one in found.behaviours)
    assert len(found.behaviours) >= 2


def test_shipped_personas_are_found_by_name():
    assert persona("impatient").behaviours[0].rule == BehaviourRule(max_words=25)
    assert {"impatient", "terse", "chatty", "changes_mind", "skeptical", "vague", "confused"} < set(
        persona_names()
    )
    for name in ("Impatiant", None, 3):
        with pytest.raises(UserConfigError, match="there is no persona"):
            persona(name)
    with pytest.raises(
        UserConfigError, match=r"'Impatiant' \(did you mean 'impatient'\?\): they are impatient, "
    ):
        persona("Impatiant")


def test_a_persona_is_read_from_data_and_written_as_the_same():
    made = persona_of(WHOLE)
    assert made == Persona(
        "brief",
        "Says little.",
        (
            Behaviour("short", "Be short.", BehaviourRule(max_words=5, effect="hindered")),
            Behaviour("asks", "Ask once.", BehaviourRule(must_match="WHY\\?", flags="i", on="any")),
            Behaviour("kind", "Be kind.", BehaviourRule(criterion="The user is kind.")),
        ),
    )
    assert msgspec.json.decode(msgspec.json.encode(made)) == WHOLE


NOT_ONE = (
    "a rule has exactly one of max_words, min_words, max_questions, min_questions, must_match, "
    "must_not_match, criterion, found"
)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({}, f": {NOT_ONE} none"),
        ({"max_words": 5, "min_words": 1}, f": {NOT_ONE} max_words, min_words"),
        ({"max_wrods": 5}, ": unknown field 'max_wrods' (did you mean 'max_words'?)"),
        ({"max_words": "5"}, ".max_words: expected a whole number from 0, found the string '5'"),
        ({"max_words": -1}, ".max_words: expected a whole number from 0, found -1"),
        ({"max_questions": True}, ".max_questions: expected a whole number from 0, found true"),
        ({"max_words": 5, "flags": "i"}, ".flags: flags belong to a pattern"),
        ({"criterion": ""}, ".criterion: expected a text that is not empty, found ''"),
        ({"criterion": "x", "flags": "i"}, ".flags: flags belong to a pattern"),
        ({"must_match": "x", "flags": 3}, ".flags: expected a string, found the number 3"),
        ({"max_words": 5, "on": "all"}, ".on: expected one of any, each, found 'all'"),
        ({"max_words": 5, "effect": "helpde"}, ".effect: expected one of helped, hindered, none, found "),
        (3, ": expected an object, found the number 3"),
    ],
)
def test_a_rule_that_catches_nothing_is_refused(rule, message):
    behaviour = {"name": "b", "instruction": "Do.", "rule": rule}
    with pytest.raises(UserConfigError) as caught:
        persona_of({"name": "p", "behaviours": [behaviour]})
    assert str(caught.value).startswith(f"behaviours[0].rule{message}")


def test_a_pattern_that_is_none_is_refused():
    behaviour = {"name": "b", "instruction": "Do.", "rule": {"must_match": "(?=x)"}}
    with pytest.raises(UserConfigError, match=r"behaviours\[0\]\.rule\.must_match: .*uses look-around"):
        persona_of({"name": "p", "behaviours": [behaviour]})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "missing field 'name', expected a text that is not empty"),
        ({"name": " "}, "name: expected a text that is not empty, found ' '"),
        (
            {"name": "p", "behavior": []},
            "unknown field 'behavior' (did you mean 'behaviours'?)",
        ),
        ({"name": "p", "description": 3}, "description: expected a string, found the number 3"),
        ({"name": "p", "behaviours": {}}, "behaviours: expected a list, found an object"),
        (
            {"name": "p", "behaviours": [{"name": "b"}]},
            (
                "behaviours[0]: missing field 'instruction', expected a text that is not empty; "
                "behaviours[0]: missing field 'rule', expected an object"
            ),
        ),
        (
            {"name": "p", "behaviours": [{"name": "", "instruction": 3, "rule": {"max_words": 1}}]},
            (
                "behaviours[0].name: expected a text that is not empty, found ''; "
                "behaviours[0].instruction: expected a text that is not empty, found the number 3"
            ),
        ),
        (
            {"name": "p", "behaviours": WHOLE["behaviours"][:1] * 2},
            "behaviours[1].name: the name 'short' is that of [0] too",
        ),
    ],
)
def test_a_persona_that_is_none_is_refused(data, message):
    with pytest.raises(UserConfigError) as caught:
        persona_of(data)
    assert str(caught.value) == message


def test_all_that_is_wrong_with_several_personas_is_said():
    data = {"personas": [WHOLE, {"name": 3, "nmae": 1}, WHOLE, {"behaviours": [{"name": 1}]}], "more": 1}
    assert [str(one) for one in problems_in(data, PersonasFile)] == [
        "personas[1].name: expected a text that is not empty, found the number 3",
        "personas[1]: unknown field 'nmae'",
        "personas[3]: missing field 'name', expected a text that is not empty",
        "personas[3].behaviours[0]: missing field 'instruction', expected a text that is not empty",
        "personas[3].behaviours[0]: missing field 'rule', expected an object",
        "personas[3].behaviours[0].name: expected a text that is not empty, found the number 1",
        "personas[2].name: the name 'brief' is that of [0] too",
        "unknown field 'more'",
    ]


@pytest.mark.parametrize(
    "rule",
    [
        {"max_words": -1},
        {"max_words": "3"},
        {"must_match": "("},
        {"must_match": "x", "flags": "q"},
        {"criterion": " "},
        {"max_words": 3, "on": "all"},
        {"max_words": 3, "effect": "bad"},
    ],
)
def test_a_rule_in_python_is_checked_too(rule):
    wrong = next(name for name in ("on", "effect", *rule) if name in rule)
    with pytest.raises(UserConfigError, match=f"^{wrong}: "):
        BehaviourRule(**rule)
