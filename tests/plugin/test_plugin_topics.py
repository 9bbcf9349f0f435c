"""Topics and simulated users that are declared around tests, and what refuses them."""

from __future__ import annotations

import pytest
from inner_projects import Run
from test_plugin_simulated import BEFOREHAND, PLAYED, WAYS

import grice

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


FAILS = """
hello = topic("hello", "They greet", triggers=[on_reply_match("Hi")], expect=[contain("good day")])
farewell = topic("farewell", "They part", triggers=[on_reply_match("Bye")])
graph = {hello: farewell, farewell: ()}
"""


def looking(held: Run, body: str, settings: str = "", mark: str = "", args: str = "") -> pytest.RunResult:
    """Run a test whose conversation fails in a topic."""
    test = f"""
{mark}
@simulated(goal="Say goodbye", topics=graph, ask=False{settings})
def test_it(conversation):
    {body}
"""
    return held(*args.split(), test_it=FAILS + test)


BOTH = "evaluate(conversation).to_have_turn_count(max=1); expect(conversation).to_have_turn_count(max=2)"


@WAYS
def test_the_test_looks_also_where_a_topic_failed(pytester: pytest.Pytester, way: str) -> None:
    head = HEAD if way == "set-up" else HEAD.replace(PLAYED, BEFOREHAND)
    test = f"""
@simulated(goal="Say goodbye", topics=graph, ask=False)
def test_it(conversation): {BOTH}
"""
    pytester.makepyfile(test_it="import pytest\n" + head + FAILS + test)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E   grice.ExpectationFailed: in hello (turn 1): a reply to contain 'good day': *",
            "hard checks: 1 pass, 1 fail",
            "soft checks: 1 pass, 1 fail",
            "  soft fail         have at most 1 turn: *",
            "FAILED test_it.py::test_it - in hello (turn 1): a reply to contain 'good day': *",
        ]
    )
    result.stdout.no_fnmatch_line("*also: *")


@pytest.mark.parametrize(
    ("body", "also", "hard"),
    [
        (
            "expect(conversation).to_have_turn_count(max=1)",
            "have at most 1 turn: it has 2 turns (test_it.py, line *)",
            "2 fail",
        ),
        ("assert conversation.turns == (), 'none!'", "AssertionError: none! (test_it.py, line *)", "1 fail"),
        ("{}['here']", "KeyError: 'here' (test_it.py, line *)", "1 fail"),
        ("pytest.fail('no good')", "Failed: no good (test_it.py, line *)", "1 fail"),
        ("pytest.skip('not now')", "Skipped: not now (test_it.py, line *)", "1 fail"),
        ("pytest.xfail('known')", "XFailed: known (test_it.py, line *)", "1 fail"),
    ],
)
def test_what_the_test_raises_stands_below_what_failed_in_the_topic(
    held: Run, body: str, also: str, hard: str
) -> None:
    result = looking(held, body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E   grice.ExpectationFailed: in hello (turn 1): *", f"E     also: {also}", f"hard checks: {hard}"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("runner", ["asyncio", "anyio"])
def test_an_async_test_looks_also_where_a_topic_failed(held: Run, runner: str) -> None:
    plugin = {"asyncio": "pytest_asyncio.plugin", "anyio": "anyio.pytest_plugin"}[runner]
    test = f"""
from grice.aio import evaluate as evaluate_later, expect as expect_later

@pytest.fixture
def anyio_backend(): return "asyncio"

@pytest.mark.{runner}
@simulated(goal="Say goodbye", topics=graph, ask=False)
async def test_it(async_conversation):
    await evaluate_later(async_conversation).to_have_turn_count(max=1)
    await expect_later(async_conversation).to_have_turn_count(max=1)
"""
    result = held("-p", plugin, "-W", "ignore", test_it=FAILS + test)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E   grice.ExpectationFailed: in hello (turn 1): *",
            "E     also: have at most 1 turn: *",
            "hard checks: 2 fail",
            "soft checks: 1 pass, 1 fail",
        ]
    )


def test_it_may_be_expected_that_a_topic_fails(held: Run) -> None:
    mark = "@pytest.mark.xfail(raises=__import__('grice').ExpectationFailed, strict=True)"
    looking(held, "assert 0", mark=mark).assert_outcomes(xfailed=1)


@pytest.mark.parametrize(
    "stop", ["KeyboardInterrupt", "pytest.exit.Exception('enough')"], ids=["Ctrl-C", "exit"]
)
def test_what_stops_the_session_does_so_where_a_topic_failed(pytester: pytest.Pytester, stop: str) -> None:
    test = f"""
@simulated(goal="Say goodbye", topics=graph, ask=False)
def test_it(conversation): raise {stop}
"""
    pytester.makepyfile(test_it="import pytest\n" + HEAD + FAILS + test)
    result = pytester.runpytest_inprocess(no_reraise_ctrlc=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize(
    ("broken", "user"),
    [
        ("agent = pytest.fixture(lambda: lambda text: 1 / 0 if text == 'Ho' else f'you said {text}')", "Ho"),
        ("", {"when": "never", "say": "Ho"}),
    ],
    ids=["the agent", "the user"],
)
def test_what_breaks_a_conversation_off_keeps_the_test_from_looking(
    held: Run, broken: str, user: object
) -> None:
    test = f"""
{broken}
@simulated(UserScript("Hi", "Bye", {user!r}), topics=graph, ask=False)
def test_it(conversation): print("looked")
"""
    result = held(test_it=FAILS + test)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*before that: expected in hello (turn 1): a reply to contain 'good day'*"])
    result.stdout.no_fnmatch_line("looked")


def test_every_run_looks_also_where_a_topic_failed(held: Run) -> None:
    body = f"{BOTH}; assert len(conversation.turns) == 3, 'three!'"
    result = looking(held, body, ", runs=2")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "of 2 runs 2 failed; 2 have to pass",
            "run 1: failed: in hello (turn 1): a reply to contain 'good day': *",
            "  also: AssertionError: three! (test_it.py, line *)",
            "run 2: failed: in hello (turn 1): a reply to contain 'good day': *",
            "  also: AssertionError: three! (test_it.py, line *)",
            "hard checks: 2 pass, 2 fail",
            "soft checks: 2 pass, 2 fail",
        ]
    )


@pytest.mark.parametrize("runs", [1, 2])
def test_the_result_has_what_the_topic_and_the_test_found(
    pytester: pytest.Pytester, held: Run, runs: int
) -> None:
    body = f"{BOTH}; assert len(conversation.turns) == 3, 'three!'"
    looking(held, body, f", runs={runs}", args="--grice-store=kept")
    (folder,) = (pytester.path / "kept").iterdir()
    results = grice.read_run(folder).results
    assert len(results) == runs
    for one in results:
        assert (str(one.outcome), one.failure) == ("fail", "assertion")
        assert [(str(each.outcome), each.mode, each.claim) for each in one.verdicts] == [
            ("fail", "hard", "in hello (turn 1): a reply to contain 'good day'"),
            ("pass", "soft", "the conversation to make only moves that its topic graph has"),
            ("fail", "soft", "the conversation to have at most 1 turn"),
            ("pass", "hard", "the conversation to have at most 2 turns"),
            ("fail", "hard", "test_it to hold"),
        ]


def test_moves_that_the_graph_has_are_counted_and_not_listed(held: Run) -> None:
    test = """
farewell = topic("farewell", "They part", triggers=[on_reply_match("Bye")])

@simulated(goal="Say goodbye", topics={hello: farewell, farewell: ()}, ask=False)
def test_it(conversation): expect(conversation).to_have_turn_count(max=2)
"""
    result = held(test_it=test)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["hard checks: 1 pass", "soft checks: 1 pass"])
    result.stdout.no_fnmatch_line("*to make only moves*")


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
