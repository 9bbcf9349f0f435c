"""A failure reads like a bug report: asserted as text, exactly as a user sees it."""

import copy
import textwrap

import msgspec
import pytest
from dirty_equals import IsInt

from grice import (
    AgentResponse,
    Conversation,
    ExpectationFailed,
    Message,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    _runner,
    evaluate,
    expect,
)
from grice.matchers import failed, matcher
from grice.matching.recording import CURRENT
from grice.matching.transcript import call_text, transcript
from grice.records import AgentFailure, Exchange
from grice.text import value_text

TEST_NAME = "test_booking.py::test_books_a_room"


@pytest.fixture(autouse=True)
def _failures_here_are_not_this_tests(monkeypatch):
    monkeypatch.setattr(_runner, "find", None)


class Log:
    def __init__(self, name=TEST_NAME):
        self.name = name

    def add(self, verdict):
        pass


class Live:
    def __init__(self, *turns, name=TEST_NAME):
        self.record = Conversation(turns=turns)
        self.recorder = Log(name)


@matcher("toExplain")
def explain(subject: str, ctx: object, reason: str) -> Verdict:
    return failed(reason)


def said(number, user, *answers):
    """A turn: texts and tool calls of the agent are messages of their own."""
    messages = [Message("user", user)]
    messages += [one if isinstance(one, Message) else Message("assistant", one) for one in answers]
    return Turn(number, tuple(messages), tuple(call for m in messages for call in m.tool_calls))


def shown(*turns, **options):
    return transcript(turns, **options)


def block(text):
    return textwrap.dedent(text).strip("\n")


CALL = ToolCall("check_availability", {"room": "Blue Room", "capacity": 1})
GREETING = said(1, "Hi, I need a room", "Happy to help! Which day suits you?")
BOOKING = said(
    2,
    "The Blue Room, tomorrow at 2pm, 10 people",
    Message("assistant", "The Blue Room is free tomorrow at 2pm.", (CALL,)),
)


def message_of(check):
    with pytest.raises(ExpectationFailed) as caught:
        check()
    return str(caught.value)


def test_the_failure_message_of_the_design():
    reply = Reply(Live(GREETING, BOOKING), 2)
    check = lambda: expect(reply).to_call_tool("check_availability", room="Blue Room", capacity=IsInt(ge=10))  # noqa: E731
    assert message_of(check) == (
        "call check_availability(room='Blue Room', capacity=IsInt(ge=10)): capacity was 1\n"
        "\n"
        "  1  user       Hi, I need a room\n"
        "     assistant  Happy to help! Which day suits you?\n"
        "  2  user       The Blue Room, tomorrow at 2pm, 10 people\n"
        ">    assistant  -> check_availability(room='Blue Room', capacity=1)\n"
        ">               The Blue Room is free tomorrow at 2pm.\n"
        "\n"
        "  nearest call: check_availability #1   room 'Blue Room' ok   capacity 1, expected IsInt(ge=10)"
    )


@pytest.mark.parametrize(
    ("check", "first"),
    [
        (
            lambda reply: expect(reply).not_to_contain("free", after="e"),
            "not contain 'free' after 'e': found at character 17: 'The Blue Room is free tomorrow at 2pm.'",
        ),
        (
            lambda reply: expect(reply).to_contain("free", after="==="),
            "inconclusive: contain 'free' after '===': '===' does not occur, so there is nothing after it",
        ),
        (
            lambda reply: expect(reply).not_to_match("(?=x)"),
            "error: not match /(?=x)/: '(?=x)' uses look-around; say what must be there in one pattern and what must not in a second, negated one (at character 0)",  # noqa: E501
        ),
        (
            lambda reply: expect(reply).to_match("a\nb\x1b"),
            "match /a\\nb\\x1b/: the text is 'The Blue Room is free tomorrow at 2pm.'",
        ),
    ],
)
def test_the_first_line_says_which_outcome_it_is_and_why(check, first):
    lines = message_of(lambda: check(Reply(Live(GREETING, BOOKING), 2))).split("\n")
    assert lines[0] == first
    assert len(lines) == 7


def test_a_long_first_line_is_cut_beside_the_claim_and_whole_below():
    long = "x" * 300
    headline, empty, below = message_of(lambda: expect("a").to(explain(long))).split("\n")
    assert headline.startswith("explain 'xxx")
    assert headline.endswith("x... (300 characters)")
    assert (empty, below) == ("", f"  {long}")


def test_a_reason_of_several_lines_goes_on_below():
    assert message_of(lambda: expect("a").to(explain("first\nsecond"))) == (
        "explain 'first\\nsecond': first\n\n  second"
    )


def test_a_bare_text_has_no_transcript_and_a_turn_its_own():
    assert message_of(lambda: expect("Hello").to_equal("Bye")) == "equal 'Bye': found 'Hello'"
    assert "\n\n> 1" not in message_of(lambda: expect(GREETING).to_equal("Bye"))
    assert "  1  user       Hi, I need a room\n>    assistant  Happy" in message_of(
        lambda: expect(GREETING).to_equal("Bye")
    )


def test_a_request_shows_what_the_model_was_sent():
    exchange = Exchange(
        {
            "system": "Be kind.",
            "messages": [
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "t1", "name": "x", "input": {}}],
                },
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]},
            ],
        }
    )
    check = lambda: expect(exchange).to_contain_message(role="user", content="Blue", before="tool_use")  # noqa: E731
    assert message_of(check) == block(
        """
        the request to the model to contain a user message with 'Blue' before the last tool_use

          the model was sent:
                system       'Be kind.'
             0  tool_use     'x {}'
             1  tool_result  'ok'
        """
    )


def test_tool_results_and_errors_are_shown_between_question_and_answer():
    calls = (ToolCall("find", {"q": "x"}, id="a"), ToolCall("book", raw_arguments='{"room": ', id="b"))
    turn = said(
        1,
        "Book it",
        Message("assistant", "Let me look.", calls),
        Message("tool", '{"rooms": 2}', tool_call_id="a"),
        Message("tool", "no such room", tool_call_id="b", is_error=True),
        "Sorry, that failed.",
    )
    assert shown(turn, marked=1).split("\n") == [
        "  1  user       Book it",
        ">    assistant  Let me look.",
        ">               -> find(q='x')",
        ">               -> book(malformed arguments: '{\"room\": ')",
        '>    tool       {"rooms": 2}',
        ">    tool       error: no such room",
        ">    assistant  Sorry, that failed.",
    ]


def test_what_a_call_brought_back_is_shown_when_no_message_has_it():
    calls = (ToolCall("find", result={"n": 2}), ToolCall("book", error="no such\nroom"), ToolCall("wait"))
    assert shown(said(1, "Go", Message("assistant", "Done.", calls))).split("\n")[1:] == [
        "     assistant  -> find()",
        "                   result: {'n': 2}",
        "                -> book()",
        r"                   error: no such\nroom",
        "                -> wait()",
        "                Done.",
    ]


def test_replies_of_several_lines_stay_under_their_role():
    assert shown(said(1, "a\nb", "one\n\n  two\n"), marked=1).split("\n") == [
        "  1  user       a",
        "                b",
        ">    assistant  one",
        ">",
        ">                 two",
        ">",
    ]


def test_text_of_agents_shows_as_text():
    hostile = "\x1b[31mred\x1b[0m [bold]rich[/] \u202eevil\u202c \x07\r\x00 ]]> <b> \ud800"
    assert shown(said(1, "Hi", hostile)).split("\n")[1] == (
        r"     assistant  \x1b[31mred\x1b[0m [bold]rich[/] \u202eevil\u202c \x07\r\x00 ]]> <b> \ud800"
    )
    call = ToolCall("x\x1b[2J\n", {"a\n": "\x1b\u202e"})
    assert call_text(call) == r"x\x1b[2J\n(a\n='\x1b\u202e')"


@pytest.mark.parametrize(
    ("turn", "rows"),
    [
        (said(1, "Hi", ""), ["  1  user       Hi", ">    assistant  (no text)"]),
        (said(1, "Hi"), ["  1  user       Hi", ">    assistant  (no reply)"]),
        (Turn(1), ["> 1  assistant  (no reply)"]),
        (Turn(1, (Message("assistant", "Welcome"),)), ["> 1  assistant  Welcome"]),
        (
            Turn(1, (Message("user", "Hi"),), failure=AgentFailure("timeout", "no answer in 60 s")),
            ["  1  user       Hi", ">    failure    timeout: no answer in 60 s"],
        ),
        (
            Turn(1, (Message("user", "Hi"),), failure=AgentFailure("raised", "KeyError: 'x'\nsecond line")),
            ["  1  user       Hi", ">    failure    raised: KeyError: 'x'", ">               second line"],
        ),
    ],
)
def test_a_turn_without_an_answer_says_so(turn, rows):
    assert shown(turn, marked=1).split("\n") == rows


def test_of_many_turns_those_up_to_the_marked_one_are_shown():
    turns = [said(number, f"q{number}", f"a{number}") for number in range(1, 121)]
    lines = shown(*turns, marked=110).split("\n")
    assert lines[0] == "      ... 90 earlier turns"
    assert lines[1:3] == ["  91  user       q91", "      assistant  a91"]
    assert lines[-3:] == [" 110  user       q110", ">     assistant  a110", "      ... 10 later turns"]
    first = shown(*turns, marked=1).split("\n")
    assert first[:2] == ["  1  user       q1", ">    assistant  a1"]
    assert first[-1] == "     ... 100 later turns"
    assert shown(*turns[:21], marked=21).split("\n")[0] == "     ... 1 earlier turn"
    assert shown(*turns[:21], marked=20).split("\n")[-1] == "     ... 1 later turn"
    assert shown(*turns).split("\n")[-1] == "      assistant  a120"


def test_a_megabyte_is_cut_and_says_so():
    text = "line of an endless reply \x1b\n" * 40_000
    call = ToolCall("x", {"a": text, "b": [text]}, result=text)
    live = Live(said(1, text, Message("assistant", text, (call,)), Message("tool", text, is_error=True)))
    message = message_of(lambda: expect(Reply(live, 1)).to_call_tool("x", a=1))
    assert len(message) < 15_000
    assert f"({len(text)} characters)" in message
    assert "lines)" in message


def test_many_lines_and_calls_are_cut():
    lines = shown(said(1, "Hi", "x\n" * 500)).split("\n")
    assert len(lines) == 42
    assert lines[-1].strip() == "... (501 lines)"


def test_a_long_claim_and_a_long_reason_are_cut():
    message = message_of(lambda: expect(Live(GREETING)).to_have_called_tool("t" * 5_000, **{"a" * 3_000: 1}))
    assert len(message) < 2_000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "'x'"),
        ("it's", '"it\'s"'),
        ("\u00fc\u202e\n", r"'ü\u202e\n'"),
        (None, "None"),
        ({"a": [1, True]}, "{'a': [1, True]}"),
        (AgentResponse("x").text, "'x'"),
    ],
)
def test_a_value_is_written_on_one_line(value, text):
    assert value_text(value) == text


def test_a_long_value_is_cut_and_says_how_long_it_is():
    assert value_text("x" * 300) == "'" + "x" * 160 + "'... (300 characters)"
    assert value_text(["x" * 300]) == "['" + "x" * 195 + "..."


class Scripted(Log):
    """The recorder of a test that has a conversation."""

    def __init__(self, conversation):
        super().__init__()
        self.conversation = conversation


def exchanging(number, *requests):
    turn = said(number, f"q{number}", f"a{number}")
    return Turn(number, turn.messages, exchanges=requests)


def request(text):
    return Exchange({"messages": [{"role": "user", "content": text}]})


@pytest.mark.parametrize("same", [lambda exchange: exchange, copy.copy], ids=["itself", "equal"])
def test_a_request_of_the_tests_conversation_is_shown_with_its_turn(same):
    asked = [request("a"), request("b"), request("c")]
    live = Live(exchanging(1, asked[0]), exchanging(2, asked[1], asked[2]))
    token = CURRENT.set(Scripted(live))
    try:
        message = message_of(lambda: expect(same(asked[2])).to_contain_message(content="needle"))
    finally:
        CURRENT.reset(token)
    assert message == block("""
        request 2 to the model to contain a message with 'needle'

          1  user       q1
             assistant  a1
          2  user       q2
        >    assistant  a2

          the model was sent:
             0  user         'c'
    """)


def test_equal_requests_are_told_apart_by_identity_and_else_the_last_counts():
    first, second = request("a"), request("a")
    live = Live(exchanging(1, first), exchanging(2, request("b"), second))
    token = CURRENT.set(Scripted(live.record))
    try:
        verdicts = [evaluate(one).to_contain_message(role="user") for one in (first, second, request("a"))]
        other = evaluate(request("z")).to_contain_message(role="user")
    finally:
        CURRENT.reset(token)
    assert [(verdict.turn, verdict.claim.split(" to the")[0]) for verdict in verdicts] == [
        (1, "request 1"),
        (2, "request 2"),
        (2, "request 2"),
    ]
    assert (other.turn, other.claim) == (None, "the request to the model to contain a user message")


def test_a_long_reason_is_cut():
    text = message_of(lambda: expect("a\n" * 100_000).to_equal("b\n" * 100_000))
    assert len(text.splitlines()) < 120


def test_equal_calls_of_one_message_are_folded_beside_others():
    calls = [ToolCall("get", {"id": 1}, result="no") for _ in range(3)] + [ToolCall("put", {})]
    turn = Turn(
        1, (Message("user", "Hi"), Message("assistant", "Done", tool_calls=tuple(calls))), tuple(calls)
    )
    assert transcript((turn,)).split("\n")[1:] == [
        "     assistant  -> get(id=1)  x 3",
        "                   result: 'no'",
        "                -> put()",
        "                Done",
    ]


def test_calls_that_differ_behind_what_is_shown_are_not_folded():
    """Bookings of three amounts are three, though 200 characters of each look alike."""
    calls = [ToolCall("book", {"seats": "x" * 1_000 + str(amount)}, id=str(amount)) for amount in range(3)]
    asked = Message("assistant", "", tool_calls=tuple(calls))
    back = [Message("tool", "no", tool_call_id=one.id) for one in calls]
    together = Turn(1, (Message("user", "Hi"), asked, *back), tuple(calls))
    one_by_one = [
        part
        for call, answer in zip(calls, back, strict=True)
        for part in (msgspec.structs.replace(asked, tool_calls=(call,)), answer)
    ]
    apart = Turn(1, (Message("user", "Hi"), *one_by_one), tuple(calls))
    for turn in (together, apart):
        assert transcript((turn,)).count("-> book(") == 3
    same = [msgspec.structs.replace(one, arguments=calls[0].arguments) for one in calls]
    folded = Turn(
        1, (Message("user", "Hi"), msgspec.structs.replace(asked, tool_calls=tuple(same)), *back), ()
    )
    assert transcript((folded,)).count("-> book(") == 1
