"""@matcher makes a typed factory of a function; whatever the function does, a verdict comes out."""

import asyncio
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.matchers import contain, matcher
from grice.matching.context import Context, resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import REGISTRY, Unsuitable
from grice.records import Conversation, Evidence, Message, Outcome, Reply, Turn, Verdict, passed


@pytest.fixture(autouse=True)
def _registry_as_before():
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def made(function, **options):
    return matcher(f"to{uuid.uuid4().hex.capitalize()}".replace("to", "toX", 1), **options)(function)


def verdict_on(subject, one):
    seen = resolve_subject(subject)
    return judge(one, seen.subject, seen.context)


def shout(subject, ctx, mark="!", *, times: int = 1):
    return subject.endswith(mark * times)


def test_a_function_that_returns_a_bool_is_a_matcher():
    shouts = matcher("toShout")(shout)
    assert REGISTRY["toShout"] is shouts
    assert repr(shouts) == "<matcher toShout>"
    assert repr(~shouts("!", times=2)) == "~shout('!', times=2)"
    verdict = verdict_on("hey!", shouts(times=2))
    assert verdict == Verdict(
        Outcome.FAIL,
        "it is 'hey!'",
        matcher="toShout",
        claim="the text to shout times=2",
        negated=False,
        mode="hard",
    )
    assert verdict_on("hey!!", shouts(times=2)).outcome == "pass"
    assert verdict_on("hey!", ~shouts(times=2)).claim == "the text not to shout times=2"


def test_a_verdict_keeps_reason_evidence_and_its_own_turn():
    evidence = (Evidence("quote", turn=1),)
    one = made(lambda subject, ctx: Verdict(Outcome.PASS, "because", evidence, turn=7))()
    verdict = verdict_on("x", ~one)
    assert (verdict.outcome, verdict.reason, verdict.evidence, verdict.turn) == (
        "fail",
        "because",
        evidence,
        7,
    )


def test_the_turn_of_the_subject_is_the_verdicts():
    turns = tuple(Turn(n, (Message("user", "Hi"), Message("assistant", f"answer {n}"))) for n in (1, 2))
    conversation = Conversation(turns=turns)
    assert verdict_on(Reply(conversation, 2), contain("answer 2")).turn == 2
    assert verdict_on(turns[0], contain("answer 1")).turn == 1
    assert verdict_on("answer", contain("answer")).turn is None


def test_a_matcher_sees_the_earlier_turns():
    turns = tuple(Turn(n, (Message("assistant", str(n)),)) for n in (1, 2, 3, 4))
    context = resolve_subject(Reply(Conversation(turns=turns), 4)).context
    assert [turn.number for turn in context.earlier_turns()] == [1, 2, 3]
    assert [turn.number for turn in context.earlier_turns(2)] == [2, 3]
    assert context.earlier_turns(0) == Context().earlier_turns() == ()


@given(st.sampled_from(list(Outcome)), st.booleans())
def test_negation_swaps_pass_and_fail_only(outcome, twice):
    one = made(lambda subject, ctx: Verdict(outcome))()
    expected = {Outcome.PASS: Outcome.FAIL, Outcome.FAIL: Outcome.PASS}.get(outcome, outcome)
    verdict = verdict_on("x", ~~one if twice else ~one)
    assert verdict.outcome is (outcome if twice else expected)
    assert verdict.negated is not twice


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


def _later(answer):
    async def function(subject, ctx):
        await asyncio.sleep(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return function


def _raising(error):
    def check(subject, ctx):
        raise error

    return check


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_raising(ValueError("boom")), "the check raised ValueError: boom"),
        (_raising(KeyError()), "the check raised KeyError"),
        (_raising(AssertionError("assert 1 == 2")), "the check raised AssertionError: assert 1 == 2"),
        (_raising(RecursionError("deep")), "the check raised RecursionError: deep"),
        (_raising(ValueError("lone \ud800")), "the check raised ValueError: lone \ufffd"),
        (_raising(Unprintable()), "the check raised Unprintable"),
        (lambda s, c: None, "the check returned None, expected True, False or a Verdict"),
        (lambda s, c: 1, "the check returned 1, expected True, False or a Verdict"),
        (lambda s, c: "yes", "the check returned 'yes', expected True"),
        (lambda s, c: Unprintable(), "the check returned <Unprintable>, expected True"),
        (lambda s, c: Verdict("maybe"), "the check returned a malformed Verdict(outcome='maybe'"),
        (lambda s, c: Verdict(Outcome.PASS, None), "the check returned a malformed Verdict"),
        (lambda s, c: Verdict(Outcome.PASS, "", None), "the check returned a malformed Verdict"),
        (lambda s, c: Verdict(Outcome.PASS, "", ("quote",)), "the check returned a malformed Verdict"),
        (_later(None), "the check returned None, expected True, False or a Verdict"),
        (_later(ValueError("boom")), "the check raised ValueError: boom"),
        (_later(Unsuitable("a text, found 1")), "function judges a text, found 1"),
    ],
)
def test_a_check_that_breaks_is_an_error_under_both_polarities(function, reason):
    one = made(function)()
    for verdict in (verdict_on("x", one), verdict_on("x", ~one)):
        assert verdict.outcome is Outcome.ERROR
        assert verdict.reason.startswith(reason)


def test_an_outcome_given_as_text_becomes_an_outcome():
    verdict = verdict_on("x", made(lambda s, c: Verdict("pass", "fine"))())
    assert verdict.outcome is Outcome.PASS


def test_lone_surrogates_in_a_verdict_are_replaced_so_that_it_can_be_written_down():
    one = made(lambda s, c: passed("\ud800", evidence=(Evidence("a\ud800", note="\udfff"),)))()
    verdict = verdict_on("x", one)
    assert (verdict.reason, verdict.evidence[0].quote, verdict.evidence[0].note) == (
        "\ufffd",
        "a\ufffd",
        "\ufffd",
    )


@pytest.mark.parametrize("describe", [lambda *a, **k: 1 / 0, lambda: "too few", lambda *a, **k: None])
def test_a_description_that_breaks_is_replaced_by_plain_words(describe):
    one = made(shout, describe=describe)("?")
    verdict = verdict_on("what?", one)
    assert (verdict.outcome, verdict.claim) == ("pass", "the text to shout '?'")


@pytest.mark.parametrize(
    "name", ["", "contain", "to", "tocontain", "to_contain", "toFoo bar", "ToFoo", "to2"]
)
def test_a_malformed_name_is_refused(name):
    with pytest.raises(ValueError, match="a matcher is named like toCiteSources, found"):
        matcher(name)


def test_a_taken_name_is_refused_and_names_its_owner():
    with pytest.raises(ValueError, match=r"'toContain' is taken by grice\.matching\.jest\.texts\.contain"):
        matcher("toContain")(shout)

    def contain(subject, ctx):  # the same name in another module
        return True

    contain.__qualname__ = "contain"
    with pytest.raises(ValueError, match="is taken by"):
        matcher("toContain")(contain)


def test_the_name_of_a_built_in_matcher_is_taken_before_that_was_imported(monkeypatch):
    monkeypatch.delitem(REGISTRY, "toContain", raising=False)
    with pytest.raises(ValueError, match=r"'toContain' is taken by grice\.matching\.jest\.texts"):
        matcher("toContain")(shout)


def test_a_module_may_be_loaded_again():
    assert matcher("toShout")(shout) is not matcher("toShout")(shout)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f("!", 2), "shout(mark='!', *, times: int = 1): too many positional arguments"),
        (lambda f: f(tiems=2), "got an unexpected keyword argument 'tiems'"),
        (lambda f: contain(), "missing a required argument: 'expected'"),
        (lambda f: contain("x", befor="y"), "got an unexpected keyword argument 'befor'"),
    ],
)
def test_wrong_arguments_are_refused_where_the_matcher_is_made(call, message):
    with pytest.raises(TypeError) as caught:
        call(made(shout))
    assert message in str(caught.value)


def test_a_function_without_context_is_refused_when_called():
    with pytest.raises(TypeError, match="a matcher takes a subject and a context first"):
        made(lambda subject: True)()


def test_matchers_are_equal_by_name_arguments_and_negation():
    assert contain("x") == contain("x")
    assert contain("x") == ~~contain("x")
    assert contain("x") != ~contain("x")
    assert contain("x") != contain("y")
    assert contain("x") != contain("x", ignore_case=True)
    assert contain("x") != "x"
    assert (contain("x").phrase, (~contain("x")).phrase) == ("contain 'x'", "not contain 'x'")
