"""The settings of a simulated user: what is taken, and how levels become one."""

import re
from functools import partial
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import fingerprint
from grice.records import Scenario
from grice.users.character import UserRule, should, should_not
from grice.users.persona import Persona, persona
from grice.users.protocol import UserConfigError
from grice.users.settings import SimulatedUser, as_data, check_topics, merged, user_of


def stop(conversation):
    return len(conversation.turns) > 2


async def later(conversation):
    return None


# -- merging


@pytest.mark.parametrize(
    ("outer", "inner", "together"),
    [
        ("calm", "angry", "angry"),
        (["calm"], "angry", "angry"),
        ("calm", ["angry"], ("angry",)),
        (["calm", "old"], ["angry"], ("calm", "old", "angry")),
        ("calm", None, "calm"),
        (["calm"], [], ("calm",)),
        (None, ["angry"], ("angry",)),
        ("calm", "  ", "calm"),
    ],
)
@pytest.mark.parametrize("name", ["personality", "context"])
def test_texts_replace_and_notes_are_added_to_notes(name, outer, inner, together):
    user = merged(SimulatedUser(**{name: outer}), SimulatedUser(**{name: inner}))
    assert getattr(user, name) == together


def test_notes_of_three_levels_come_from_outside_in():
    levels = [SimulatedUser(context=[note]) for note in ("module", "class", "test")]
    assert merged(*levels).context == ("module", "class", "test")
    assert merged(levels[0], SimulatedUser(context="only this"), levels[2]).context == ("test",)


def test_rules_add_up():
    user = merged(SimulatedUser(rules=["a", stop]), SimulatedUser(rules=[should_not("b")]))
    assert user.rules == (should("a"), stop, should_not("b"))


@pytest.mark.parametrize(
    ("name", "outer", "inner"),
    [
        ("goal", "a room", "a car"),
        ("role", "a clerk", "a boss"),
        ("max_turns", 3, 0),
        ("max_length", 30, 20),
        ("template", "{goal}", "{role}"),
        ("stop_when", stop, lambda turn, conversation: True),
        ("persona", persona("terse"), persona("chatty")),
    ],
)
def test_what_an_inner_level_sets_replaces_and_null_never_does(name, outer, inner):
    outside = SimulatedUser(**{name: outer})
    assert getattr(merged(outside, SimulatedUser(**{name: inner})), name) == inner
    assert getattr(merged(outside, SimulatedUser(**{name: None})), name) == outer
    assert getattr(merged(None, outside, None), name) == outer


def test_what_is_different_in_a_topic_is_merged_deep():
    outer = SimulatedUser(
        during_topic={"refund": SimulatedUser(goal="money", rules=["a"]), "hello": SimulatedUser(role="x")}
    )
    inner = SimulatedUser(during_topic={"refund": SimulatedUser(role="angry", rules=["b"])})
    user = merged(SimulatedUser(goal="help"), outer, inner)
    refund = user.for_topic("refund")
    assert (refund.goal, refund.role, refund.rules) == ("money", "angry", (should("a"), should("b")))
    assert user.for_topic("hello").role == "x"
    assert user.for_topic("elsewhere") is user


def test_fifteen_turns_are_made_where_nobody_says():
    assert merged().max_turns == 15
    assert merged(SimulatedUser(max_turns=0)).max_turns == 0
    assert merged(SimulatedUser(max_turns=8), SimulatedUser()).max_turns == 8


settings_of_a_level = st.builds(
    SimulatedUser,
    goal=st.sampled_from(["", "a", "b"]),
    personality=st.one_of(st.sampled_from(["", "calm"]), st.lists(st.sampled_from(["x", "y"]), max_size=2)),
    rules=st.lists(st.sampled_from(["r", "s"]), max_size=2),
    max_turns=st.none() | st.integers(0, 3),
)


@given(settings_of_a_level, settings_of_a_level)
def test_an_empty_level_changes_nothing(one, other):
    assert merged(one, SimulatedUser(), other) == merged(one, other)
    assert merged(SimulatedUser(), one, SimulatedUser()) == merged(one)


# -- what is taken


def test_nothing_has_to_be_set():
    user = SimulatedUser(persona=None, rules=None, goal=None, during_topic=None, context=None)
    assert user == SimulatedUser()
    assert as_data(user) == {}


def test_a_single_rule_needs_no_list():
    assert SimulatedUser(rules="be brief").rules == (should("be brief"),)
    assert SimulatedUser(rules=should_not("shout")).rules == (UserRule("should_not", "shout"),)
    assert SimulatedUser(rules=stop).rules == (stop,)


def test_topics_are_given_by_name_or_by_themselves():
    topic = SimpleNamespace(name="refund")
    topics = {topic.name: SimulatedUser(role="x")}
    assert SimulatedUser(during_topic=topics).for_topic("refund").role == "x"

    class Topic(msgspec.Struct, frozen=True):
        name: str

    assert SimulatedUser(during_topic={Topic("refund"): SimulatedUser(role="x")}).during_topic == topics
    with pytest.raises(UserConfigError, match="the topic 'refund' is there twice"):
        SimulatedUser(during_topic={Topic("refund"): SimulatedUser(), "refund": SimulatedUser()})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"goal": 3}, "goal: expected a text, found 3"),
        ({"role": ["a"]}, "role: expected a text, found ['a']"),
        ({"personality": 3}, "personality: expected a text or a list of texts, found 3"),
        ({"context": ["a", 3]}, "context: expected a text or a list of texts, found ['a', 3]"),
        ({"rules": 3}, "rules: expected a list of rules, found 3"),
        ({"rules": ["a", 3]}, "rules[1]: expected should('...'), should_not('...') or a function"),
        ({"rules": [" "]}, "should: expected a text, found ' '"),
        ({"rules": [later]}, "rules[0]: expected a plain function, found an async one"),
        ({"rules": [int]}, "rules[0]: expected should('...')"),
        ({"persona": "impatent"}, "there is no persona 'impatent' (did you mean 'impatient'?)"),
        ({"persona": {"nmae": "x"}}, "persona: unknown field 'nmae' (did you mean 'name'?)"),
        ({"persona": 3}, "persona: expected a Persona, one as data, or the name of one, found 3"),
        ({"max_turns": -1}, "max_turns: expected a whole number from 0, found -1"),
        ({"max_turns": True}, "max_turns: expected a whole number from 0, found True"),
        ({"max_turns": "8"}, "max_turns: expected a whole number from 0, found '8'"),
        ({"max_length": 0}, "max_length: expected a whole number from 1, found 0"),
        ({"stop_when": "booked"}, "stop_when: expected a function of the conversation, or of its last turn"),
        ({"stop_when": later}, "stop_when: expected a plain function, found an async one"),
        ({"template": 3}, "template: expected a text or a Path, found 3"),
        ({"during_topic": []}, "during_topic: expected {topic: SimulatedUser(...)}, found []"),
        ({"during_topic": {3: SimulatedUser()}}, "expected a topic or the name of one, found 3"),
        ({"during_topic": {"a": "angry"}}, "during_topic['a']: expected a SimulatedUser, found 'angry'"),
        (
            {"during_topic": {"a": SimulatedUser(max_turns=3)}},
            "during_topic['a']: max_turns holds for the whole simulation",
        ),
        (
            {"during_topic": {"a": SimulatedUser(max_turns=0)}},
            "during_topic['a']: max_turns holds for the whole simulation",
        ),
        (
            {"during_topic": {"a": SimulatedUser(stop_when=stop)}},
            "during_topic['a']: stop_when holds for the whole simulation",
        ),
        (
            {"during_topic": {"a": SimulatedUser(during_topic={"b": SimulatedUser()})}},
            "during_topic['a']: during_topic holds for the whole simulation",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(settings, message):
    with pytest.raises(UserConfigError, match=re.escape(message)):
        SimulatedUser(**settings)


@pytest.mark.parametrize("make", [should, should_not])
@pytest.mark.parametrize("text", ["", " ", None, 3])
def test_a_rule_says_something(make, text):
    with pytest.raises(UserConfigError, match=f"{make.__name__}: expected a text"):
        make(text)


def test_levels_are_simulated_users():
    with pytest.raises(UserConfigError, match="expected a SimulatedUser, found 'angry'"):
        merged("angry")


def test_topics_that_are_not_in_the_graph_are_all_named():
    user = SimulatedUser(during_topic={"refnd": SimulatedUser(), "x": SimulatedUser(), "hi": SimulatedUser()})
    check_topics(SimulatedUser(), [])
    with pytest.raises(
        UserConfigError, match=r"no topic 'refnd' \(did you mean 'refund'\?\), 'x'; the topics"
    ):
        check_topics(user, ["hi", "refund"])
    with pytest.raises(UserConfigError, match="no topics are followed"):
        check_topics(user, [])


# -- scenarios


def scenario(**fields):
    return Scenario("venue-1", fields)


def test_the_fields_of_a_scenario_are_settings():
    user = user_of(
        scenario(
            name="Workshop",
            goal="A venue for 20",
            role="a planner",
            personality="brief",
            context=["Stuttgart", "in May"],
            rules=["ask about parking", {"should_not": "name a budget"}, {"should": "be polite"}],
            persona="terse",
            max_turns=6,
            verification={"expected": []},
        )
    )
    assert user == SimulatedUser(
        goal="A venue for 20",
        role="a planner",
        personality="brief",
        context=["Stuttgart", "in May"],
        rules=[should("ask about parking"), should_not("name a budget"), should("be polite")],
        persona="terse",
        max_turns=6,
    )


def test_null_and_missing_fields_of_a_scenario_replace_nothing():
    fields = dict.fromkeys(("goal", "role", "personality", "context", "rules", "persona", "max_turns"))
    assert user_of(scenario(**fields)) == SimulatedUser()
    module = SimulatedUser(persona="terse", personality="calm", rules=["a"], max_turns=4)
    assert merged(module, user_of(scenario(**fields))) == module


def test_a_scenario_may_describe_its_persona():
    behaviour = {"name": "b", "instruction": "Be short.", "rule": {"max_words": 5}}
    user = user_of(scenario(persona={"name": "brief", "behaviours": [behaviour]}))
    assert isinstance(user.persona, Persona)
    assert user.persona.behaviours[0].rule.value == 5


def test_every_wrong_field_of_a_scenario_is_named():
    wrong = Scenario(
        "venue-1",
        {
            "goal": 42,
            "personality": {"kind": "calm"},
            "context": ["a", None],
            "rules": [{"shuold": "x"}],
            "persona": "tersse",
            "max_turns": "8",
            "role": ["x"],
        },
        file="venues.json",
        line=12,
    )
    with pytest.raises(UserConfigError) as caught:
        user_of(wrong)
    lines = str(caught.value).splitlines()
    assert lines == [
        "venues.json:12: scenario venue-1: goal: expected a text, found 42",
        "venues.json:12: scenario venue-1: role: expected a text, found ['x']",
        lines[2],
        "venues.json:12: scenario venue-1: context: expected a text or a list of texts, found ['a', None]",
        lines[4],
        lines[5],
        "venues.json:12: scenario venue-1: max_turns: expected a whole number from 0, found '8'",
    ]
    assert lines[2].endswith(": personality: expected a text or a list of texts, found {'kind': 'calm'}")
    assert lines[4].endswith("{'should': text} or {'should_not': text}, found {'shuold': 'x'}")
    assert "persona: there is no persona 'tersse' (did you mean 'terse'?)" in lines[5]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rules", 3),
        ("rules", [{"should": ""}]),
        ("persona", 3),
        ("persona", {"nmae": "x"}),
        ("max_turns", 2.0),
    ],
)
def test_a_wrong_field_of_a_scenario_is_refused(field, value):
    with pytest.raises(UserConfigError, match=f"scenario venue-1: {field}: "):
        user_of(scenario(**{field: value}))


# -- fingerprints


def test_settings_have_a_digest_that_changes_with_them():
    def user(**more):
        return as_data(SimulatedUser(goal="a room", rules=["x"], persona="terse", **more))

    assert fingerprint(user()) == fingerprint(user())
    others = [
        user(stop_when=stop),
        user(stop_when=lambda turn, conversation: False),
        user(template="{goal}"),
        user(during_topic={"a": SimulatedUser(rules=[stop])}),
        user(personality="calm"),
        user(personality=["calm"]),
        user(max_turns=3),
    ]
    digests = {fingerprint(one) for one in [user(), *others]}
    assert len(digests) == len(others) + 1
    assert others[0]["stop_when"].keys() == {"opaque"}


def test_layout_of_code_is_no_part_of_its_digest():
    def data(source):
        scope = {}
        exec(source, scope)
        return as_data(SimulatedUser(stop_when=scope["stop"]))

    unreadable = data("def stop(c): return True")
    assert unreadable["stop_when"]["opaque"].startswith("sha256:")
    assert as_data(SimulatedUser(stop_when=partial(stop))) == as_data(SimulatedUser(stop_when=stop))


def test_a_template_in_a_file_counts_by_its_text(tmp_path):
    file = tmp_path / "user.md"
    file.write_text("{goal}", "utf-8")
    assert as_data(SimulatedUser(template=file)) == as_data(SimulatedUser(template="{goal}"))
