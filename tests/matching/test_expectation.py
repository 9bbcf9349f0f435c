"""expect fails the test, evaluate only records; both record every verdict exactly once."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice import ExpectationFailed, _runner, evaluate, expect
from grice.matchers import contain, matcher
from grice.matching.expectation import UnrecordedVerdict
from grice.matching.matcher import REGISTRY
from grice.matching.recording import CURRENT, find_recorder
from grice.records import Conversation, Exchange, Message, Outcome, Reply, ToolCall, Turn, Verdict

TURN = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")))


class Log:
    name = "test_it.py::test_it"

    def __init__(self):
        self.verdicts = []

    def add(self, verdict):
        self.verdicts.append(verdict)


class Live:
    """As much of a live conversation as expect looks at."""

    def __init__(self, *turns):
        self.record = Conversation(turns=turns)
        self.recorder = Log()


@pytest.fixture(autouse=True)
def _no_test_records(monkeypatch):
    token = CURRENT.set(None)
    monkeypatch.setattr(_runner, "find", None)
    yield
    CURRENT.reset(token)


@pytest.fixture
def ends_with():
    before = dict(REGISTRY)
    yield matcher("toEndWithOutcome")(lambda subject, ctx, outcome: Verdict(outcome, "because"))
    REGISTRY.clear()
    REGISTRY.update(before)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_hard_verdict_is_recorded_before_it_fails_the_test(ends_with, outcome):
    live = Live(TURN)
    if outcome in (Outcome.PASS, Outcome.SKIPPED):
        assert expect(live).to(ends_with(outcome)).outcome is outcome
    else:
        with pytest.raises(ExpectationFailed) as caught:
            expect(live).to(ends_with(outcome))
        assert caught.value.verdict is live.recorder.verdicts[0]
        assert isinstance(caught.value, AssertionError)
    (verdict,) = live.recorder.verdicts
    assert (verdict.outcome, verdict.mode) == (outcome, "hard")


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_soft_verdict_is_recorded_and_never_raises(ends_with, outcome):
    live = Live(TURN)
    verdict = evaluate(Reply(live, 1)).to(ends_with(outcome))
    assert live.recorder.verdicts == [verdict]
    assert (verdict.outcome, verdict.mode, verdict.turn) == (outcome, "soft", 1)


@given(st.text(), st.text(max_size=3), st.booleans(), st.booleans())
def test_evaluate_never_raises_on_any_text(text, expected, negated, ignore_case):
    log = Log()
    token = CURRENT.set(log)
    try:
        subject = evaluate(text)
        judged = subject.not_to_contain if negated else subject.to_contain
        assert log.verdicts == [judged(expected, ignore_case=ignore_case)]
    finally:
        CURRENT.reset(token)


@pytest.mark.parametrize(
    "check",
    [
        lambda live: expect(live).to_have_called_tool("x"),
        lambda live: expect(live).not_to_have_called_tool("x"),
        lambda live: expect(live).not_to_contain_message(role="user"),
        lambda live: expect(live.record).not_to_have_called_tool("x"),
        lambda live: expect(Reply(live, 1)).not_to_call_tool("x"),
        lambda live: expect(Reply(live, 1)).not_to_contain("x"),
    ],
)
def test_before_any_turn_every_check_is_an_error(check):
    with pytest.raises(ExpectationFailed, match="the conversation has no turn yet") as caught:
        check(Live())
    assert caught.value.verdict.outcome is Outcome.ERROR


def test_a_reply_to_a_turn_that_is_not_there_is_an_error():
    verdict = evaluate(Reply(Live(TURN), 5)).not_to_contain("x")
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == "the check raised LookupError: the conversation has 1 turns, not a turn 5"
    assert repr(Reply(Live(TURN), 5)) == "<Reply to turn 5: ''>"


def test_verdicts_go_to_the_conversation_then_the_context_then_the_runner(monkeypatch):
    live, context, runner = Live(TURN), Log(), Log()
    assert find_recorder("text") is None
    monkeypatch.setattr(_runner, "find", lambda: runner)
    assert find_recorder("text") is runner
    CURRENT.set(context)
    assert find_recorder("text") is find_recorder(TURN) is find_recorder(Exchange({})) is context
    assert find_recorder(live) is find_recorder(Reply(live, 1)) is live.recorder
    assert find_recorder(live.record) is context


def test_an_object_that_happens_to_have_a_recorder_is_a_value():
    class Camera:
        record = "start"
        recorder = "not one of ours"

    camera = Camera()
    assert find_recorder(camera) is None
    log = Log()
    CURRENT.set(log)
    assert evaluate(camera).to_equal(camera).outcome is Outcome.PASS
    assert log.verdicts[0].claim.startswith("the value to equal <")


@pytest.mark.parametrize(
    "check",
    [
        lambda: evaluate("x").to_contain("x"),
        lambda: evaluate("x").to(contain("x")),
        lambda: evaluate("x").not_to(contain("x")),
    ],
)
def test_a_soft_verdict_that_nothing_records_warns_at_the_line_that_gave_it(check):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    (warning,) = caught
    assert warning.category is UnrecordedVerdict
    assert warning.filename == __file__
    assert "no test or conversation records this verdict" in str(warning.message)


def test_a_hard_verdict_needs_no_recorder():
    assert expect("x").to_contain("x").outcome is Outcome.PASS
    with pytest.raises(ExpectationFailed, match=r"^contain 'y': the text is 'x'$"):
        expect("x").to_contain("y")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("y", "expected a matcher such as contain('x'), found 'y'"),
        (5, "expected a matcher such as contain('x'), found 5"),
        (contain, "contain is not yet a matcher: call it, contain(...)"),
    ],
)
def test_what_is_no_matcher_is_refused(wrong, message):
    for check in (expect("x").to, expect("x").not_to):
        with pytest.raises(TypeError) as caught:
            check(wrong)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("subject", "kind", "noun"),
    [
        ("x", "TextExpectation", "the text"),
        (Reply(Live(TURN), 1), "ReplyExpectation", "the reply"),
        (TURN, "TurnExpectation", "the turn"),
        (Exchange({"messages": []}), "ExchangeExpectation", "the request to the model"),
        (Live(TURN), "ConversationExpectation", "the conversation"),
        (Live(TURN).record, "ConversationExpectation", "the conversation"),
        ([], "ListExpectation", "the value"),
        ({}, "ObjectExpectation", "the value"),
        (None, "ValueExpectation", "the value"),
    ],
)
def test_every_kind_of_subject_has_its_methods_and_its_name(subject, kind, noun):
    CURRENT.set(Log())
    expectation = evaluate(subject)
    assert type(expectation).__name__ == kind
    assert expectation.to(contain("x")).claim == f"{noun} to contain 'x'"


def test_every_generated_method_gives_the_matcher_what_it_was_given():
    live = Live(Turn(1, TURN.messages, (ToolCall("book", {"name": "x"}),)))
    reply = Reply(live, 1)
    expect(reply).to_call_tool("book", name="x")
    expect(reply).not_to_call_tool("book", name="y", self=1)
    expect(reply).to_contain("HELLO", ignore_case=True)
    expect(reply).to_match("^hello$", flags="i")
    expect(reply).to_have_at_most_sentences(1)
    expect(live).to_have_called_tool("book", name="x")
    expect(live).to_contain_message(role="user", content="Hi", before="assistant")
    expect({"a": True}).not_to_equal({"a": 1})
    assert [verdict.outcome for verdict in live.recorder.verdicts] == ["pass"] * 7


def test_an_expectation_that_checks_nothing_warns_once_for_its_line():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            expect("some text")
    assert [(one.category.__name__, one.filename) for one in caught] == [("UncalledExpectation", __file__)]
