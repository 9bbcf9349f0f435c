"""Topics and simulated users that are declared around tests, and what refuses them."""

from __future__ import annotations

import pytest
from inner_projects import Run
from test_plugin_simulated import BEFOREHAND, PLAYED

HEAD = (
    PLAYED
    + """
from grice import topic, on_reply_match, on_user_match
from grice.matchers import contain

hello = topic("hello", "They greet", triggers=[on_reply_match("Hi")])
bye = topic("bye", "They part", triggers=[on_reply_match("Bye")])
"""
)


@pytest.fixture
def held(pytester: pytest.Pytester) -> Run:
    """Run the tests given as `name="source"`, after the head of this module."""

    def held(*args: object, **files: str) -> pytest.RunResult:
        pytester.makepyfile(**{name: "import pytest\n" + HEAD + text for name, text in files.items()})
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *args)

    return held


def test_names_in_a_graph_are_topics_that_markers_declare_at_any_level(held: Run) -> None:
    test = """
pytestmark = pytest.mark.grice(topics=[hello])

@pytest.mark.grice(topics=[bye])
class TestAll:
    @pytest.mark.grice(topics=[topic("over", "Nothing more")])
    @simulated(goal="Say goodbye", topics={"hello": "bye", "bye": "over", "over": ()}, ask=False)
    def test_beforehand(self, conversation):
        assert [visit.topic for visit in conversation.visits] == ["hello", "bye"]
        expect(conversation).to_have_reached_topic("bye")

    def test_here(self, conversation):
        graph = conversation.follow({"hello": "bye", "bye": ()}, ask=False)
        assert graph.names == ("hello", "bye")
        conversation.say("Hi")
        conversation.simulate(goal="Say goodbye")
        assert conversation.topic == "bye"
"""
    held(test_it=test).assert_outcomes(passed=2)


def test_inner_topics_of_a_name_go_before_outer_ones(held: Run) -> None:
    test = """
pytestmark = pytest.mark.grice(topics=[topic("hello", "Outer", expect=[contain("never")])])

@pytest.mark.grice(topics=[hello])
def test_it(conversation):
    conversation.follow({"hello": ()})
    conversation.say("Hi")
"""
    held(test_it=test).assert_outcomes(passed=1)


WRONG = {
    "an undeclared name": ("{'hello': 'by', 'bye': ()}", "*'by'*did you mean 'bye'*"),
    "an unreachable topic": ("{'hello': (), 'bye': ()}", "*TopicGraphError: *'bye'*"),
    "a self-loop": ("{'hello': 'hello'}", "*TopicGraphError: *'hello'*"),
    "an empty graph": ("{}", "*TopicGraphError: *"),
    "an unhashable topic": ("{'hello': [['bye']]}", "*TopicGraphError: *"),
    "a missing file": ("'none.yaml'", "*none.yaml*"),
    "no graph at all": ("7", "*7*"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("way", ["beforehand", "here"])
def test_a_wrong_graph_fails_the_test_with_the_names(held: Run, wrong: str, way: str) -> None:
    graph, told = WRONG[wrong]
    test = "pytestmark = pytest.mark.grice(topics=[hello, bye])\n"
    if way == "here":
        test += f"def test_it(conversation): conversation.follow({graph})\n"
    else:
        test += f"@simulated(goal='x', topics={graph})\ndef test_it(conversation): pass\n"
    result = held(test_it=test)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E  {told}"])


LEVELS = """
def seen(messages):
    text = str(messages)
    (Path(__file__).with_name("asked.txt")).write_text(text)
    return {"message": "Hi", "done": "no", "reason": "so"}

from pathlib import Path
@pytest.fixture(scope="session")
def user_llm(): return seen

outer = SimulatedUser(role="a pilot", personality=["polite"], rules=["never swear"])
pytestmark = pytest.mark.grice(user=outer)

@pytest.mark.grice(user=SimulatedUser(personality=["hurried"], rules=["mention the baggage"]))
@simulated(context="the module above")
class TestAll:
    @pytest.mark.grice(user=SimulatedUser(goal="Fly home", max_turns=7))
    @simulated(max_turns=1, rules=["ask for a seat"])
    def test_it(self, conversation):
        asked = Path(__file__).with_name("asked.txt").read_text()
        for told in ("a pilot", "polite", "hurried", "never swear", "mention the baggage", "Fly home"):
            assert told in asked
        assert "ask for a seat" in asked
        assert len(conversation.turns) == 1
"""


@pytest.mark.parametrize("way", ["beforehand", "set-up"])
def test_users_of_every_level_are_merged(pytester: pytest.Pytester, way: str) -> None:
    head = PLAYED if way == "set-up" else BEFOREHAND
    pytester.makepyfile(test_it="import pytest\n" + head + LEVELS)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("marker", "told"),
    [
        ("user='impatient'", "a SimulatedUser as user, found 'impatient'"),
        ("user=3", "a SimulatedUser as user, found 3"),
        ("topics='hello'", "a list of topics as topics, found 'hello'"),
        ("topics=['hello']", "a list of topics as topics, found [[]'hello'[]]"),
        ("topics=hello", "a list of topics as topics, found *"),
        ("topic=[hello]", "*, found 'topic' (did you mean 'topics'?)"),
        ("users=3", "*, found 'users' (did you mean 'user'?)"),
        ("user=None", "a SimulatedUser as user, found None"),
    ],
)
def test_a_wrong_marker_is_refused_at_collection(held: Run, marker: str, told: str) -> None:
    result = held(test_it=f"@pytest.mark.grice({marker})\ndef test_it(conversation): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"test_it.py::test_it: the marker grice takes {told}"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decorator", "told"),
    [
        ("simulated(gaol='x')", "*@simulated has no setting 'gaol' (did you mean 'goal'?)*"),
        ("simulated(goal=3)", "*UserConfigError: *goal: expected a text, found 3*"),
        ("simulated(goal='x', runs=0)", "*ValueError: *runs: expected a number from 1, found 0*"),
        ("simulated(goal='x', runs=2, at_least=3)", "*ValueError: *at_least=3 of runs=2 can never pass*"),
        ("simulated(goal='x', max_turns=-1)", "*UserConfigError: *max_turns: *"),
        ("simulated('terse', goal='x')", "*UserConfigError: expected a SimulatedUser, *found 'terse'*"),
    ],
)
def test_a_wrong_decorator_is_told_with_what_is_right(held: Run, decorator: str, told: str) -> None:
    result = held(test_it=f"@{decorator}\ndef test_it(conversation): pass\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"E  {told}"])


def test_a_simulated_test_that_asks_for_no_conversation_is_refused(held: Run) -> None:
    test = """
@simulated(goal="x")
def test_it(agent): pass

@simulated(goal="x")
class TestAll:
    def test_without(self): pass
    def test_with(self, conversation): pass
"""
    result = held(test_it=test)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["test_it.py::test_it has @simulated and does not ask for `conversation`, *"])


def test_one_that_asks_for_it_in_another_way_is_fine(held: Run) -> None:
    test = """
@simulated(goal="x")
@pytest.mark.usefixtures("conversation")
def test_it(): pass

@simulated(goal="x")
def test_other(request): assert request.getfixturevalue("conversation").turns
"""
    held(test_it=test).assert_outcomes(passed=2)


SOFT = """
hello = topic("hello", "They greet", triggers=[on_reply_match("Hi")], evaluate=[contain("good day")])
strict = topic("strict", "They part", triggers=[on_reply_match("Bye")], max_turns=1, required=True)
never = topic("never", "Never comes", required=True, triggers=[on_user_match("never")])

@simulated(goal="Say goodbye", topics={hello: (strict, never), strict: (), never: ()}, ask=False)
def test_it(conversation): pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["beforehand", "set-up"])
def test_soft_verdicts_of_visits_stand_in_the_summary_and_required_topics_fail(
    pytester: pytest.Pytester, way: str
) -> None:
    head = HEAD if way == "set-up" else HEAD.replace(PLAYED, BEFOREHAND)
    pytester.makepyfile(test_it="import pytest\n" + head + SOFT)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E  *never*", "hard checks: *1 fail*", "soft checks: *1 fail*", "*good day*"]
    )


@pytest.mark.slow
def test_a_script_branches_and_scenarios_give_their_goal(held: Run) -> None:
    test = """
from grice import scenarios
@scenarios([
    {"id": "a", "goal": "Say goodbye", "max_turns": 1, "persona": None}, {"id": "b", "goal": "Say goodbye"}
])
@simulated(persona="terse")
class TestAll:
    def test_it(self, conversation, scenario):
        simulation = conversation.record.simulations[0]
        assert (simulation.goal, simulation.persona) == ("Say goodbye", "terse")
        assert simulation.turns == (1 if scenario.key == "a" else 2)

    @pytest.mark.parametrize("n", [1, 2])
    @simulated(UserScript("Hi", {"when": "Hi", "say": "Bye"}))
    def test_script(self, conversation, scenario, n):
        assert [turn.user for turn in conversation.turns] == ["Hi", "Bye"]
"""
    held(test_it=test).assert_outcomes(passed=6)
