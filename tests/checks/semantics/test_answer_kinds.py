"""What kind of answer a question asks for, and whether the reply gives it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.semantics.topicality import answers_in_kind, stay_on_topic
from grice.text.packs import pack_of
from semantic_talks import reply_to, verdict_on


@pytest.mark.parametrize(
    ("question", "reply", "kind"),
    [
        ("How much is it?", "$49.99, taxes included.", "a price"),
        ("What’s the late fee?", "It is 12 euros.", "a price"),
        ("How much is it?", "Lovely, isn't it.", ""),
        ("When do you close?", "At 10 pm.", "a time"),
        ("How long does it take?", "About 3 days.", "a time"),
        ("When do you close?", "Our team is friendly.", ""),
        ("How many are left?", "Only 4.", "a number"),
        ("Is the pool heated?", "Yes, all year.", "a yes or no"),
        ("May I bring my dog?", "Of course!", "a yes or no"),
        ("May I bring my dog?", "Our sale has begun.", ""),
        ("Tell me about the pool", "Yes, all year.", ""),
        ("", "", ""),
    ],
)
def test_the_reply_gives_what_was_asked_for(question, reply, kind):
    assert answers_in_kind(question, reply, pack_of("en")) == kind


def test_only_english_is_known():
    assert answers_in_kind("How much is it?", "$5", pack_of("de")) == ""


@pytest.mark.parametrize(
    ("user", "reply", "outcome"),
    [
        ("Is the pool heated?", "Yes, we keep the water at 28 °C all year.", "pass"),
        ("Is the pool heated?", "We keep the water at 28 °C all year.", "inconclusive"),
        ("how much is it?", "It's €39 a month.", "pass"),
        ("how much is it?", "It has a long battery life.", "inconclusive"),
    ],
)
def test_an_answer_in_kind_is_on_topic_where_words_cannot_tell(user, reply, outcome):
    verdict = verdict_on(reply_to(user, reply), stay_on_topic(embedder="lexical"))
    assert verdict.outcome == outcome
    assert ("the question asks for" in verdict.reason) == (outcome == "pass")


def test_a_limit_of_ones_own_knows_no_answers_in_kind():
    verdict = verdict_on(
        reply_to("Is the pool heated?", "Yes, all year."), stay_on_topic(embedder="lexical", at_least=0.5)
    )
    assert verdict.outcome == "fail"


@given(st.text(), st.text())
def test_any_texts_give_an_answer(question, reply):
    assert isinstance(answers_in_kind(question, reply, pack_of("en")), str)
