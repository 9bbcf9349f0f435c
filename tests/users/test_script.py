"""Scripted users that branch on the reply."""

import re
from functools import partial

import pytest
from played import talk

from grice.matchers import be_greater_than, call_tool, contain, satisfy
from grice.records import Conversation, ToolCall
from grice.users.plans import plan_data, plan_of
from grice.users.protocol import SimulatorError, UserConfigError, UserSupport
from grice.users.script import UserScript, repeat, when


def held(script, agent, most=20):
    """What the user says in a conversation with an agent: a list of replies, or a function of the message."""
    player = script.start(UserSupport())
    replies = iter(agent) if isinstance(agent, list) else None
    said, move = [], None
    conversation = Conversation()
    while len(said) < most:
        move = player.move(conversation, "")
        if move.done != "no":
            break
        reply = next(replies, "ok") if replies is not None else agent(move.message)
        said.append((move.message, reply))
        conversation = talk(*said)
    return [message for message, _ in said], move


def test_a_script_says_its_texts_and_is_done():
    said, move = held(UserScript("Hi", "A room", "Thanks"), ["Hello", "Which?", "Done"])
    assert said == ["Hi", "A room", "Thanks"]
    assert (move.done, move.message, move.reason) == ("goal_reached", "", "the script is through")


BRANCH = (
    when(r"which (day|date)", "Tomorrow", flags="i")
    .when(contain("how many"), "Ten")
    .when(lambda reply: "price" in reply.text, "Too much")
    .otherwise("Never mind")
)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Which Date?", "Tomorrow"),
        ("For how many?", "Ten"),
        ("Which date, and how many?", "Tomorrow"),
        ("The price is 80", "Too much"),
        ("No idea", "Never mind"),
    ],
)
def test_a_branch_says_what_fits_the_reply(reply, answer):
    said, move = held(UserScript("A room", BRANCH, "Bye"), [reply])
    assert said == ["A room", answer, "Bye"]
    assert move.done == "goal_reached"


def test_a_matcher_may_be_negated_and_look_at_tool_calls():
    script = UserScript("Book", when(~call_tool("book"), "Please book it").otherwise("Thanks"))
    player = script.start(UserSupport())
    player.move(Conversation(), "")
    assert player.move(talk(("Book", "Sure")), "").message == "Please book it"
    player = script.start(UserSupport())
    player.move(Conversation(), "")
    booked = talk(("Book", "Sure"))
    calls = (ToolCall("book", id="1", result=True),)
    turn = type(booked.turns[0])(1, booked.turns[0].messages, calls)
    assert player.move(Conversation(turns=(turn,)), "").message == "Thanks"


def test_a_branch_that_fits_nothing_is_the_scripts_error_and_says_the_reply():
    with pytest.raises(
        SimulatorError,
        match=r"step 2 of the script has nothing to say to 'No room': none of /which day/, contain 'x' "
        r"holds; give the step .otherwise\('...'\) or .or_skip\(\)",
    ):
        held(UserScript("Hi", when("which day", "Tomorrow").when(contain("x"), "y")), ["No room"])


def test_a_branch_may_be_skipped():
    script = UserScript("Hi", when("which day", "Tomorrow").or_skip(), "Bye")
    assert held(script, ["No room"])[0] == ["Hi", "Bye"]
    assert held(script, ["which day?"])[0] == ["Hi", "Tomorrow", "Bye"]
    assert held(UserScript("Hi", when("a", "b").or_skip()), ["x"])[1].done == "goal_reached"


def test_what_answers_questions_goes_on_as_long_as_it_can():
    answers = repeat(when("day", "Tomorrow").when("many", "Ten"), times=5)
    said, _ = held(UserScript("Hi", answers, "Thanks"), ["Which day?", "How many?", "Booked"])
    assert said == ["Hi", "Tomorrow", "Ten", "Thanks"]


def test_a_loop_ends_after_its_times():
    said, move = held(
        UserScript("Hi", repeat(when("day", "Tomorrow"), times=3)), lambda message: "Which day?"
    )
    assert said == ["Hi"] + 3 * ["Tomorrow"]
    assert move.done == "goal_reached"
    assert held(UserScript(repeat("More", times=2), "Bye"), ["a"])[0] == ["More", "More", "Bye"]
    otherwise = repeat(when("x", "y").otherwise("z"), times=2)
    assert held(UserScript("Hi", otherwise), ["a"])[0] == ["Hi", "z", "z"]


def test_one_script_plays_many_conversations():
    script = UserScript("Hi", repeat("More", times=2))
    assert held(script, ["a"])[0] == held(script, ["a"])[0] == ["Hi", "More", "More"]


def test_a_script_is_data_too():
    script = UserScript(
        {"say": "A room"},
        {"when": {"which day": "Tomorrow", "how many": "Ten"}, "otherwise": "Hm", "flags": "i"},
        {"when": "price", "say": "Too much", "otherwise": None},
        {"repeat": 2, "when": "why", "say": "Because"},
        "Bye",
    )
    assert script == UserScript(
        "A room",
        when("which day", "Tomorrow", flags="i").when("how many", "Ten", flags="i").otherwise("Hm"),
        when("price", "Too much").or_skip(),
        repeat(when("why", "Because"), times=2),
        "Bye",
    )
    assert held(script, ["WHICH DAY", "ok", "ok"])[0] == ["A room", "Tomorrow", "Bye"]


def broken(reply):
    raise ValueError("no")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (broken, "step 2 of the script: the condition broken raised ValueError: no"),
        (partial(broken), "the condition broken raised ValueError"),
        (
            lambda reply: later(reply),
            "step 2 of the script: the condition lambda at test_script.py:.* is async",
        ),
        (be_greater_than(3), "step 2 of the script: be greater than 3: "),
    ],
)
def test_a_condition_that_breaks_is_the_scripts_error(condition, message):
    player = UserScript("Hi", when(condition, "x").otherwise("y")).start(UserSupport())
    player.move(Conversation(), "")
    turn = talk(("Hi", "Hello")).turns[0]
    calls = (ToolCall("book", {"capacity": 1}, id="1"),)
    with pytest.raises(SimulatorError, match=message):
        player.move(Conversation(turns=(type(turn)(1, turn.messages, calls),)), "")


def test_a_branch_before_any_reply_is_the_scripts_error():
    with pytest.raises(SimulatorError, match="step 1 of the script looks at a reply, and there is none yet"):
        held(UserScript(when("a", "b").otherwise("c")), [])
    player = UserScript(when("Hello", "b").otherwise("c")).start(UserSupport())
    assert player.move(talk(("scripted", "Hello")), "").message == "b"


async def later(reply):
    return True


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UserScript(), "a script has at least one step"),
        (lambda: UserScript("Hi", ""), "step 2: expected a text to say, found ''"),
        (lambda: UserScript("Hi", 3), "step 2: expected a text to say, found 3"),
        (lambda: UserScript("Hi", goal=3), "goal: expected a text, found 3"),
        (lambda: UserScript("Hi", max_turns="3"), "max_turns: expected a whole number from 0, found '3'"),
        (lambda: UserScript("Hi", max_turns=-1), "max_turns: expected a whole number from 0, found -1"),
        (lambda: when("(", "x"), "when: "),
        (lambda: when("a", "x", flags="q"), "when: unknown flag 'q'"),
        (lambda: when("a", "x", flags=3), "when: flags are a text, found 3"),
        (lambda: when(contain("a"), "x", flags="i"), "flags belong to a pattern"),
        (lambda: when("a", ""), "when: expected a text to say, found ''"),
        (
            lambda: when(3, "x"),
            "when: expected a pattern, a matcher or a plain function of the reply, found 3",
        ),
        (lambda: when(later, "x"), "when: expected a pattern, a matcher or a plain function"),
        (lambda: when(satisfy("Is kind."), "x"), "when: satisfy 'Is kind.' has to be waited for"),
        (lambda: when("a", "x").otherwise(None), "otherwise: expected a text to say, found None"),
        (lambda: repeat("x", times=0), "times is a whole number from 1 to 100, found 0"),
        (lambda: repeat("x", times=101), "times is a whole number from 1 to 100, found 101"),
        (lambda: repeat("x", times=True), "times is a whole number from 1 to 100, found True"),
        (lambda: repeat(repeat("x", times=2), times=2), "repeat: expected a text to say"),
        (lambda: UserScript({"sya": "x"}), "step 1: unknown field 'sya' (did you mean 'say'?)"),
        (lambda: UserScript({"otherwise": "x", "say": "y"}), "step 1: otherwise and flags belong to"),
        (lambda: UserScript({"when": "a"}), "step 1: say: expected a text to say, found None"),
        (lambda: UserScript({"when": {}}), "step 1: when is a pattern beside say, or {pattern: text}"),
        (lambda: UserScript({"when": ["a"]}), "step 1: when: expected a pattern or {pattern: text}"),
        (lambda: UserScript({"when": {"(": "x"}}), "step 1: when: "),
        (lambda: UserScript({"repeat": 1000, "say": "x"}), "step 1: repeat: times is a whole number"),
    ],
)
def test_what_is_no_script_is_refused(make, message):
    with pytest.raises(UserConfigError, match=re.escape(message)):
        make()


def test_a_script_is_a_plan_with_a_digest():
    script = UserScript("Hi", BRANCH, repeat("x", times=2), goal="a room", max_turns=4)
    assert plan_of(script) is script
    assert (script.kind, script.goal, script.persona_name, script.max_turns) == ("script", "a room", "", 4)
    data = plan_data(script)
    assert data["kind"] == "script"
    conditions = [condition for condition, _ in data["settings"]["steps"][1]["when"]]
    assert conditions[0] == {"pattern": "which (day|date)", "flags": "i"}
    assert conditions[1]["matcher"] == "toContain"
    assert conditions[2].keys() == {"opaque"}
