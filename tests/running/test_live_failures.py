"""Agents that raise, hang or return no response: a typed failure beside the transcript."""

import asyncio
import signal
import threading
import time

import pytest

from grice.agents import AgentFailed, bind_agent
from grice.loops.deadline import DeadlineExceeded, call_within
from grice.records import decode_conversation, encode_conversation
from grice.running.live import LiveConversation

SHORT = 0.15


def talk_to(agent, **options):
    return LiveConversation(bind_agent(agent), **options)


class BrokenText(Exception):
    def __str__(self):
        raise ValueError


class Odd(BaseException):
    pass


def raising_asynchronously(error):
    async def agent(messages):
        raise error

    return agent


def raising(error):
    def agent(messages):
        raise error

    return agent


def returning(value):
    return lambda messages: value


@pytest.mark.parametrize(
    ("agent", "kind", "message"),
    [
        (raising(ValueError("no model")), "raised", "the agent raised ValueError: no model"),
        (raising(BrokenText()), "raised", "the agent raised BrokenText: (its message cannot be shown)"),
        (raising(SystemExit(3)), "raised", "the agent raised SystemExit: 3"),
        (raising(Odd("no end")), "raised", "the agent raised Odd: no end"),
        (raising(asyncio.CancelledError()), "raised", "the agent raised CancelledError: "),
        (raising(GeneratorExit()), "raised", "the agent raised GeneratorExit: "),
        (raising_asynchronously(GeneratorExit()), "raised", "the agent raised GeneratorExit: "),
        (raising_asynchronously(Odd("no end")), "raised", "the agent raised Odd: no end"),
        (raising(ValueError("a\ud800\x1b[31m")), "raised", "the agent raised ValueError: a\ufffd\x1b[31m"),
        (returning(None), "returned_nothing", "the agent returned None, expected a text or a response"),
        (returning(5), "bad_return", "the agent returned 5 (int), expected a text"),
        (returning(b"\xff\xfe"), "bad_return", "the agent returned bytes that are not UTF-8 (at byte 0)"),
        (returning({"text": ["a"]}), "bad_return", "the response's text is ['a'] (list), expected a string"),
        (returning({"tool_calls": [{}]}), "bad_return", "a tool call needs a name"),
    ],
)
def test_a_failure_is_typed_recorded_and_shown_with_the_transcript(agent, kind, message):
    live = talk_to(agent)
    with pytest.raises(AgentFailed) as caught:
        live.say("Hello")
    failure = caught.value.failure
    assert failure.kind == kind
    assert failure.message.startswith(message)
    assert live.turns[0].failure == failure
    assert live.record.termination == "agent_error"
    shown = str(caught.value)
    assert shown.startswith("turn 1: ")
    assert "\n  1  user       Hello\n" in shown
    assert f">    failure    {kind}: " in shown
    assert "\x1b" not in shown
    assert "\ud800" not in shown
    assert decode_conversation(encode_conversation(live.record)) == live.record


def test_the_failure_keeps_the_traceback_and_the_cause():
    with pytest.raises(AgentFailed) as caught:
        talk_to(raising(ValueError("no model"))).say("Hello")
    assert isinstance(caught.value.__cause__, ValueError)
    assert "raise error" in caught.value.failure.traceback


@pytest.mark.parametrize("stop", [KeyboardInterrupt, pytest.skip.Exception, pytest.exit.Exception])
def test_what_is_for_who_runs_the_agent_is_no_failure_of_the_agent(stop):
    live = talk_to(raising(stop("enough")))
    with pytest.raises(stop, match="enough"):
        live.say("Hello")
    assert live.record.termination == "interrupted"
    assert live.turns[0].failure is None


def test_ten_megabytes_are_a_reply_like_any_other_and_short_in_messages():
    replies = iter(["x" * 10_000_000, None])
    live = talk_to(lambda messages: next(replies))
    assert len(live.say("hi").text) == 10_000_000
    with pytest.raises(AgentFailed) as caught:
        live.say("again")
    assert len(str(caught.value)) < 10_000
    assert "10000000 characters" in str(caught.value)


def test_an_exception_with_a_huge_message_is_short_in_messages():
    with pytest.raises(AgentFailed) as caught:
        talk_to(raising(ValueError("x" * 10_000_000))).say("hi")
    assert len(str(caught.value)) < 10_000


def test_calls_that_were_signalled_before_the_failure_are_kept():
    def agent(messages, on_tool_call):
        on_tool_call("search", arguments={"q": "x"}, result=[1])
        on_tool_call("book", arguments={"room": 1})
        raise OSError("down")

    live = talk_to(agent)
    with pytest.raises(AgentFailed) as caught:
        live.say("hi")
    assert [(call.name, call.id, call.answered) for call in live.tool_calls] == [
        ("search", "call_1_1", True),
        ("book", "call_1_2", False),
    ]
    assert ">    assistant  -> search(q='x')" in str(caught.value)


def test_the_conversation_goes_on_after_a_failure():
    replies = iter([ValueError("down"), "back"])
    sent = []

    def agent(messages):
        sent.append(messages)
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    with talk_to(agent) as live:
        with pytest.raises(AgentFailed):
            live.say("one")
        assert live.record.termination == "agent_error"
        assert live.say("two").text == "back"
    assert [m["content"] for m in sent[1]] == ["one", "two"]
    assert live.record.termination == "completed"
    assert [turn.failure is None for turn in live.turns] == [False, True]


def test_a_turn_whose_second_round_failed_can_be_answered_again():
    replies = iter([{"tool_calls": [{"name": "f", "id": "a"}]}, None, "done"])
    live = talk_to(lambda messages: next(replies), tools={"f": 1})
    with pytest.raises(AgentFailed):
        live.say("hi")
    reply = live.answer(2)
    assert (reply.text, reply.turn.failure, reply.tool_calls[0].result) == ("done", None, 2)


# -- time-outs: agents hang for longer than a test may take


def sleeps(messages):
    time.sleep(300)


def is_busy(messages):
    while True:
        pass


def swallows_exceptions(messages):
    while True:
        try:
            time.sleep(300)
        except Exception:
            return "Sorry, that took too long."


def turns_it_into_another_error(messages):
    try:
        time.sleep(300)
    except BaseException as error:
        raise RuntimeError("interrupted") from error


def swallows_it_and_ends(messages):
    try:
        time.sleep(300)
    except BaseException:
        return "too late"


async def sleeps_asynchronously(messages):
    await asyncio.sleep(300)


async def swallows_exceptions_asynchronously(messages):
    try:
        await asyncio.sleep(300)
    except Exception:
        return "Sorry."


SLOW = [sleeps, is_busy, swallows_exceptions, turns_it_into_another_error, swallows_it_and_ends]
SLOW_ASYNCHRONOUS = [sleeps_asynchronously, swallows_exceptions_asynchronously]


@pytest.mark.slow
@pytest.mark.parametrize("agent", [*SLOW, *SLOW_ASYNCHRONOUS])
def test_an_agent_that_hangs_is_a_time_out_of_its_turn(agent):
    live = talk_to(agent, turn_timeout=SHORT)
    with pytest.raises(AgentFailed, match=r"turn 1: the agent did not answer within 0\.15 s") as caught:
        live.say("hi")
    assert caught.value.failure.kind == "timeout"
    assert live.record.termination == "timeout"


@pytest.mark.slow
def test_the_failure_shows_where_the_agent_was():
    with pytest.raises(AgentFailed) as caught:
        talk_to(sleeps, turn_timeout=SHORT).say("hi")
    assert "time.sleep(300)" in caught.value.failure.traceback


@pytest.mark.slow
@pytest.mark.parametrize("agent", [is_busy, *SLOW_ASYNCHRONOUS])
def test_an_agent_that_hangs_in_another_thread_is_a_time_out_too(agent):
    failures = []

    def drive():
        try:
            talk_to(agent, turn_timeout=SHORT).say("hi")
        except AgentFailed as error:
            failures.append(error.failure.kind)

    thread = threading.Thread(target=drive)
    thread.start()
    thread.join(60)
    assert failures == ["timeout"]


@pytest.mark.slow
def test_the_time_out_of_a_turn_can_be_its_own():
    with pytest.raises(AgentFailed, match=r"within 0\.1 s"):
        talk_to(sleeps).say("hi", timeout=0.1)


@pytest.mark.slow
def test_the_conversation_has_a_time_out_too():
    live = talk_to(lambda messages: time.sleep(0.06 if len(messages) < 3 else 300) or "ok", timeout=0.8)
    live.say("one")
    with pytest.raises(AgentFailed, match=r"within the 0\.8 s of the conversation"):
        live.say("two")
    with pytest.raises(AgentFailed, match=r"of the conversation"):
        live.say("three")  # nothing is left
    assert live.record.termination == "timeout"


@pytest.mark.slow
def test_all_rounds_of_a_turn_share_its_time():
    def agent(messages):
        time.sleep(0.06)
        return {"tool_calls": [{"name": "f"}]}

    live = talk_to(agent, turn_timeout=0.8, tools={"f": 1})
    with pytest.raises(AgentFailed, match="did not answer"):
        live.say("hi")
    assert 1 <= len(live.tool_calls) < 20


# -- the alarm


@pytest.fixture
def alarm():
    if not hasattr(signal, "setitimer"):
        pytest.skip("there is no alarm on this system")
    handler = signal.getsignal(signal.SIGALRM)
    before = signal.setitimer(signal.ITIMER_REAL, 0)  # that of pytest-timeout
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *before)


def wait_for(rung):
    end = time.monotonic() + 60
    while not rung and time.monotonic() < end:
        time.sleep(0.01)
    return rung


class Rang(pytest.fail.Exception):
    """What pytest-timeout raises."""


@pytest.mark.parametrize(("deadline", "agent_time"), [(20, 0), (20, 0.05), (0.1, 30)])
def test_a_later_alarm_of_somebody_else_keeps_its_handler_and_its_time(alarm, deadline, agent_time):
    rung = []
    ring = lambda *_: rung.append(True)  # noqa: E731
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        call_within(deadline, time.sleep, agent_time)
    except DeadlineExceeded:
        assert agent_time == 30
    assert signal.getsignal(signal.SIGALRM) is ring
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60 - min(deadline, agent_time)
    assert not rung


@pytest.mark.slow
def test_a_later_alarm_of_somebody_else_still_rings(alarm):
    rung = []
    signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(DeadlineExceeded):
        call_within(0.1, time.sleep, 30)
    assert wait_for(rung)


@pytest.mark.slow
def test_an_earlier_alarm_of_somebody_else_goes_first(alarm):
    def ring(*_):
        raise Rang

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    live = talk_to(swallows_exceptions, turn_timeout=5)
    with pytest.raises(Rang):
        live.say("hi")
    assert live.record.termination == "interrupted"
    assert signal.getsignal(signal.SIGALRM) is ring


@pytest.mark.slow
def test_a_conversation_inside_an_agent_has_its_own_deadline():
    def outer(messages):
        with pytest.raises(AgentFailed, match=r"within 0\.1 s"):
            talk_to(sleeps, turn_timeout=0.1).say("inner")
        time.sleep(30)

    with pytest.raises(AgentFailed, match=r"within 1\.5 s"):
        talk_to(outer, turn_timeout=1.5).say("outer")


@pytest.mark.slow
def test_the_inner_deadline_may_be_the_later_one():
    def outer(messages):
        talk_to(sleeps, turn_timeout=20).say("inner")

    with pytest.raises(AgentFailed, match=r"within 0\.15 s"):
        talk_to(outer, turn_timeout=SHORT).say("outer")


def test_a_call_in_time_leaves_no_alarm_behind(alarm):
    assert call_within(5, lambda *args: args, 1, 2) == (1, 2)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    with pytest.raises(ZeroDivisionError):
        call_within(5, lambda: 1 / 0)
    with pytest.raises(DeadlineExceeded):
        call_within(0, lambda: 1)
