"""Personas as data: those shipped, those of a user's own, and what is wrong with data."""

import pytest

from grice.users.persona import (
    Behaviour,
    BehaviourRule,
    Persona,
    persona,
    persona_data,
    persona_names,
    read_persona,
    read_personas,
)
from grice.users.settings import UserConfigError

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
    assert persona("impatient").behaviours[0].rule == BehaviourRule("max_words", 25)
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
    made, problems = read_persona(WHOLE)
    assert problems == []
    assert made == Persona(
        "brief",
        "Says little.",
        (
            Behaviour("short", "Be short.", BehaviourRule("max_words", 5, effect="hindered")),
            Behaviour("asks", "Ask once.", BehaviourRule("must_match", "WHY\\?", "i", "any")),
            Behaviour("kind", "Be kind.", BehaviourRule("criterion", "The user is kind.")),
        ),
    )
    assert persona_data(made) == WHOLE


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({}, "behaviours[0].rule: a rule has exactly one of max_words"),
        ({"max_words": 5, "min_words": 1}, "behaviours[0].rule: a rule has exactly one of"),
        (
            {"max_wrods": 5},
            "behaviours[0].rule.max_wrods: unknown field 'max_wrods' (did you mean 'max_words'?)",
        ),
        ({"max_words": "5"}, "behaviours[0].rule.max_words: expected a whole number from 0, found '5'"),
        (
            {"max_questions": True},
            "behaviours[0].rule.max_questions: expected a whole number from 0, found True",
        ),
        ({"max_words": 5, "flags": "i"}, ""),
        ({"criterion": ""}, "behaviours[0].rule.criterion: expected a text, found ''"),
        ({"criterion": "x", "flags": "i"}, "behaviours[0].rule.criterion: flags belong to a pattern"),
        ({"must_match": "(?=x)"}, "behaviours[0].rule.must_match: "),
        ({"must_match": "x", "flags": 3}, "behaviours[0].rule.must_match: flags are a text, found 3"),
        ({"max_words": 5, "on": "all"}, "behaviours[0].rule.on: expected each or any, found 'all'"),
        ({"max_words": 5, "effect": "bad"}, "behaviours[0].rule.effect: expected none or helped or hindered"),
        (3, "behaviours[0].rule: expected an object, found 3"),
    ],
)
def test_a_rule_that_catches_nothing_is_refused(rule, message):
    behaviour = {"name": "b", "instruction": "Do.", "rule": rule}
    made, problems = read_persona({"name": "p", "behaviours": [behaviour]})
    assert made is None or not message
    assert message in "".join(map(str, problems))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "expected an object, found 3"),
        ({}, "missing field 'name'"),
        ({"name": " "}, "name: expected a text, found ' '"),
        ({"name": "p", "behavior": []}, "behavior: unknown field 'behavior' (did you mean 'behaviours'?)"),
        ({"name": "p", "description": 3}, "description: expected a text, found 3"),
        ({"name": "p", "behaviours": {}}, "behaviours: expected a list, found {}"),
        ({"name": "p", "behaviours": [{"name": "b"}]}, "behaviours[0]: missing field 'instruction'"),
        (
            {"name": "p", "behaviours": [{"name": "", "instruction": 3, "rule": {"max_words": 1}}]},
            "behaviours[0].instruction: expected a text, found 3",
        ),
        (
            {"name": "p", "behaviours": WHOLE["behaviours"][:1] * 2},
            "behaviours[1].name: the name 'short' is used",
        ),
    ],
)
def test_a_persona_that_is_none_is_refused(data, message):
    made, problems = read_persona(data)
    assert made is None
    assert message in "\n".join(map(str, problems))


def test_all_that_is_wrong_with_several_personas_is_said():
    found, problems = read_personas(
        {"personas": [WHOLE, {"name": 3, "nmae": 1}, WHOLE, {"behaviours": [{"name": 1}]}], "more": 1}
    )
    assert [one.name for one in found] == ["brief"]
    assert [str(one) for one in problems] == [
        "more: unknown field",
        "personas[1].nmae: unknown field 'nmae' (did you mean 'name'?)",
        "personas[1].name: expected a text, found 3",
        "personas[2].name: the name 'brief' is used already",
        "personas[3]: missing field 'name'",
        "personas[3].behaviours[0]: missing field 'instruction'",
        "personas[3].behaviours[0]: missing field 'rule'",
        "personas[3].behaviours[0].name: expected a text, found 1",
    ]
    assert read_personas([])[1]
    assert read_personas({"personas": 3})[1]


@pytest.mark.parametrize(
    "rule",
    [
        ("max_wrods", 3),
        ("max_words", -1),
        ("must_match", "("),
        ("must_match", "x", "q"),
        ("criterion", " "),
        ("max_words", 3, "", "all"),
        ("max_words", 3, "", "each", "bad"),
    ],
)
def test_a_rule_in_python_is_checked_too(rule):
    with pytest.raises(UserConfigError, match=f"{rule[0]}: "):
        BehaviourRule(*rule)
