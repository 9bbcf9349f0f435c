"""Functions as checks and test bodies: what they ask for, and what is declared on them."""

from functools import partial

import pytest

import grice
from grice import Scenario, SimulatedUser, UserConfigError, UserScript, simulated, topic
from grice.running.body import body_of

RUSHED = SimulatedUser(goal="Book a room", personality="In a hurry")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda conversation: 0, ("conversation",)),
        (lambda c: 0, ("conversation",)),
        (lambda c, s: 0, ("conversation", "scenario")),
        (lambda conversation, scenario: 0, ("conversation", "scenario")),
        (lambda scenario, conversation: 0, ("scenario", "conversation")),
        (lambda c, scenario: 0, ("conversation", "scenario")),
        (lambda scenario, c: 0, ("scenario", "conversation")),
        (lambda conversation, s: 0, ("conversation", "scenario")),
        (lambda async_conversation, s: 0, ("async_conversation", "scenario")),
        (lambda c, limit=3: 0, ("conversation",)),
        (lambda c, *, limit=3: 0, ("conversation",)),
        (partial(lambda limit, c: 0, 3), ("conversation",)),
    ],
)
def test_a_function_of_one_or_two_arguments_takes_the_conversation_and_the_scenario(function, arguments):
    assert body_of(function).arguments == arguments


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda: 0, "nothing"),
        (lambda scenario: 0, "scenario"),
        (lambda a, b, c: 0, "a, b, c"),
        (lambda *both: 0, "nothing"),
        (lambda self, conversation: 0, "self, conversation"),
    ],
)
def test_any_other_function_is_refused(function, found):
    with pytest.raises(ValueError, match=f"asks for {found}: a check is a function of conversation"):
        body_of(function)


def test_a_body_knows_its_place():
    body = body_of(lambda c: 0)
    assert (body.suite, body.title) == ("test_body", "<lambda>")
    assert body.file == __file__
    assert body.path(Scenario("small", {})) == "test_body::<lambda>@small"


@pytest.mark.grice(user=SimulatedUser(role="outer"), topics=[topic("outer")])
@pytest.mark.grice(user=SimulatedUser(role="inner"), topics=[topic("inner")], timeout=5)
def rooms(conversation):
    return True


def test_what_is_declared_on_it():
    body = body_of(rooms)
    assert {user.role for user in body.users()} == {"outer", "inner"}
    assert {one.name for one in body.topics()} == {"outer", "inner"}
    assert body.option("timeout") == 5
    assert body.option("record", "none") == "none"


# -- @simulated


def test_a_body_without_it_holds_its_conversation_itself():
    assert body_of(lambda c: 0).drives
    assert not body_of(simulated(goal="Book")(lambda c: 0)).drives


def test_limits_are_for_plans_and_levels_for_simulated_users():
    script = simulated(UserScript("Hi"), max_turns=2)(lambda c: 0)
    assert body_of(script).simulated.limits == {"max_turns": 2}
    user = simulated(goal="Book", max_turns=2)(lambda c: 0)
    assert body_of(user).simulated.limits == {}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"gaol": "Book"}, r"no setting 'gaol'.*'goal'"),
        ({"goal": 5}, "goal: expected a text, found 5"),
        ({"max_turns": -1}, "max_turns: expected a whole number from 0"),
        ({"persona": "tense"}, "terse"),
        ({"opening": 5}, "opening: expected a text or a list of texts, found 5"),
        ({"opening": ["Hi", 5]}, "opening: expected a text"),
        ({"opening": [" "]}, "opening: expected texts that are not blank"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_is_written(given, text):
    with pytest.raises(UserConfigError, match=text):
        simulated(**given)


@pytest.mark.parametrize("user", ["Book a room", ["Hi"], 5, SimulatedUser])
def test_what_cannot_play_is_refused_where_it_is_written(user):
    with pytest.raises(UserConfigError, match="expected a SimulatedUser, a UserScript"):
        simulated(user)


def test_a_script_takes_no_settings_of_a_simulated_user():
    with pytest.raises(UserConfigError, match="goal: a script has no settings"):
        simulated(UserScript("Hi"), goal="Book")


def test_forgotten_brackets_are_told():
    def test_it(conversation):
        raise AssertionError

    with pytest.raises(UserConfigError, match=r"without brackets before test_it: write @simulated\(...\)"):
        simulated(test_it)

    class TestRooms:
        __test__ = False

    with pytest.raises(UserConfigError, match="without brackets before TestRooms"):
        simulated(TestRooms)


@pytest.mark.parametrize(
    "given", [{"runs": 0}, {"runs": True}, {"runs": "3"}, {"runs": 2, "at_least": 3}, {"at_least": 0}]
)
def test_impossible_numbers_of_runs_are_refused(given):
    with pytest.raises(ValueError, match=r"expected a number from 1|can never pass"):
        simulated(goal="Book", **given)


def test_an_agent_is_told_the_markers_of_the_test_as_under_pytest():
    @pytest.mark.xfail
    @pytest.mark.grice(turn_timeout=5)
    def test_books(conversation):
        raise AssertionError

    assert set(body_of(test_books).tags) == {"grice", "xfail"}

    told = []

    class Agent:
        def __init__(self, context):
            told.append(context["tags"])

        def chat(self, messages):
            raise AssertionError

    @pytest.mark.grice(turn_timeout=5)
    def looks(conversation):
        return True

    grice.run(agent=Agent, checks=[looks], journal=False)
    assert told == [("grice",)]
