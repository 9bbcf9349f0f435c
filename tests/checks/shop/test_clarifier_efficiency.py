"""How many turns pass between the first question and the recommendation."""

import pytest

from grice.checks.shop.clarifier_efficiency import clarify_efficiently
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Reply
from semantic_talks import turn_with, verdict_on


def talk(plan):
    """A conversation in letters: a question, r products, b both, n neither, x no envelope."""
    turns = []
    for number, letter in enumerate(plan, 1):
        clarifiers = [{"label": f"Question {number}?", "value": "q"}] if letter in "ab" else []
        products = [{"id": "p", "why": ["good"]}] if letter in "rb" else []
        data = {"mode": "chat", "lead": "Hm.", "clarifiers": clarifiers, "products": products}
        turns.append(turn_with(number, "Hi", "Hm.", None if letter == "x" else data))
    return Conversation(turns=tuple(turns))


@pytest.mark.parametrize(
    ("plan", "mean", "robust", "seed"),
    [
        ("ar", 1.0, "pass", "pass"),
        ("aar", 2.0, "pass", "pass"),
        ("aaar", 3.0, "fail", "fail"),
        ("nanxr", 3.0, "fail", "fail"),
        ("araaaar", 2.5, "fail", "pass"),
        ("rar", 1.0, "pass", "pass"),
        ("raaaar", 4.0, "fail", "pass"),
        ("abb", 1.0, "pass", "pass"),
        ("ara", 1.0, "pass", "pass"),
        ("aaaa", 3.0, "fail", "pass"),
        ("aaa", None, "inconclusive", "pass"),
        ("r", None, "inconclusive", "pass"),
        ("bb", None, "inconclusive", "pass"),
        ("nn", None, "inconclusive", "pass"),
        ("xx", None, "inconclusive", "pass"),
    ],
)
def test_rounds_of_one_conversation(plan, mean, robust, seed):
    verdict = verdict_on(talk(plan), clarify_efficiently())
    assert verdict.outcome == robust
    assert verdict.detail.get("mean") == mean
    assert verdict_on(talk(plan), clarify_efficiently(profile="seed")).outcome == seed


def test_several_conversations_count_together_and_are_named():
    verdict = verdict_on([talk("ar"), talk("aaaar")], clarify_efficiently())
    assert verdict.outcome == "fail"
    assert verdict.reason == (
        "2.50 turns on average, expected at most 2: 1 from turn 1 of conversation 1 to turn 2, "
        "4 from turn 1 of conversation 2 to turn 5"
    )
    assert verdict_on([talk("ar"), talk("aaar")], clarify_efficiently()).outcome == "pass"


def test_a_reply_stands_for_the_conversation_up_to_it():
    conversation = talk("araaaar")
    assert verdict_on(Reply(conversation, 2), clarify_efficiently()).outcome == "pass"
    assert verdict_on(Reply(conversation, 7), clarify_efficiently()).outcome == "fail"


@pytest.mark.parametrize("subject", [[], [Conversation()], [talk("")]])
def test_no_turns_are_inconclusive(subject):
    assert verdict_on(subject, clarify_efficiently()).outcome == "inconclusive"


@pytest.mark.parametrize("subject", ["text", 7, None, [1], {"turns": []}])
def test_what_is_no_conversation_is_an_error(subject):
    assert verdict_on(subject, clarify_efficiently()).outcome == "error"


@pytest.mark.parametrize("options", [{"at_most": -1}, {"at_most": True}, {"at_most": "2"}, {"profile": "x"}])
def test_wrong_options_are_refused(options):
    with pytest.raises(ArgumentError):
        clarify_efficiently(**options)
