"""The extra `semantic`: MiniLM with its real weights, on replies that share no word with the question."""

import math

import pytest

from grice import Conversation, Message, MiniLMEmbedder, Reply, Turn, expect
from grice.checks.semantics.vectors import likeness

PAIRS = [
    ("I am looking for trousers", "These wool pants and slim chinos look sharp in any office."),
    ("My parcel still hasn't come", "The courier lost your package; a new one leaves the depot tonight."),
    ("Is breakfast included?", "A morning buffet with coffee and pastries comes with every room."),
    ("How do I get my money back?", "We refund the full price to your card within a week."),
    ("The screen stays black", "Hold the power button for ten seconds until the display lights up."),
]


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def reply_to(question: str, answer: str) -> Reply:
    turn = Turn(1, (Message("user", question), Message("assistant", answer)))
    return Reply(Conversation("c", (turn,)), 1)


def test_the_vectors_have_length_one_and_are_the_same_each_time(minilm: MiniLMEmbedder) -> None:
    one, other = minilm.embed(["hello there", "hello there"])
    assert list(one) == list(other) == list(minilm.embed(["hello there"])[0])
    assert math.hypot(*one) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", " ", "😀", "你好", "\ud800", "word " * 20_000])
def test_any_text_has_a_vector(minilm: MiniLMEmbedder, text: str) -> None:
    assert all(map(math.isfinite, minilm.embed([text])[0]))


@pytest.mark.parametrize(("question", "answer"), PAIRS)
def test_other_words_for_the_same_are_on_topic(minilm: MiniLMEmbedder, question: str, answer: str) -> None:
    expect(reply_to(question, answer)).to_stay_on_topic(embedder=minilm)


def test_a_true_answer_is_nearer_than_anybody_elses(minilm: MiniLMEmbedder) -> None:
    questions, answers = zip(*PAIRS, strict=True)
    asked, answered = minilm.embed(questions), minilm.embed(answers)
    for place, question in enumerate(asked):
        scores = [likeness(question, answer) for answer in answered]
        assert scores.index(max(scores)) == place
