"""OpenAIEmbedder against the stub, and against servers that answer oddly."""

import asyncio

import pytest
from llm_requests import Waits
from odd_server import http, odd_server

from grice import LLMError, ScriptedModel
from grice.checks.semantics.topicality import stay_on_topic
from grice.checks.semantics.vectors import likeness
from grice.llm import Budget
from grice.llm.openai_embedder import BATCH, OpenAIEmbedder
from grice.matching.context import resolve_subject
from grice.matching.judge import judge

REPLY = "Yes, we carry three waterproof hiking boots for men and women."


def embedder_of(model, **options):
    return OpenAIEmbedder("e-test", base_url=f"{model.url}/v1", api_key=model.key, **options)


def odd_embedder(server, **options):
    return OpenAIEmbedder(
        "e-test", base_url=server.url, api_key="sk-secret-1234567890", pause=Waits(), **options
    )


def embed(embedder, *texts):
    return asyncio.run(embedder.embed(texts))


def answer(*vectors, **fields):
    rows = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return http({"data": rows, "usage": {"prompt_tokens": 7, "total_tokens": 7}, **fields})


def verdict_of(text, embedder):
    seen = resolve_subject(text)
    matcher = stay_on_topic(about="Do you have waterproof hiking boots?", embedder=embedder)
    return judge(matcher, seen.subject, seen.context)


def test_vectors_of_the_stub_lie_close_where_texts_share_words():
    model = ScriptedModel()
    one, other, none = embed(
        embedder_of(model, dimensions=256), "hiking boots", "boots for hiking", "goodbye"
    )
    assert len(one) == 256
    assert likeness(one, other) > 0.5 > likeness(one, none)
    sent = model.exchanges[0].request
    assert sent == {
        "model": "e-test",
        "input": ["hiking boots", "boots for hiking", "goodbye"],
        "dimensions": 256,
    }


def test_it_judges_topicality():
    model = ScriptedModel()  # it answers for as long as somebody holds it
    embedder = embedder_of(model, threshold=0.3)
    verdict = verdict_of(REPLY, embedder)
    assert verdict.outcome == "pass"
    assert verdict.detail["embedder"] == "openai:e-test"
    assert verdict_of("Snow leopards live high in the mountains of Central Asia.", embedder).outcome == "fail"


def test_a_text_is_sent_once_in_its_life():
    model = ScriptedModel()
    embedder = embedder_of(model)
    for _ in range(3):
        verdict_of(REPLY, embedder)
    assert len(model.exchanges) == 1


def test_many_texts_go_in_several_requests():
    model = ScriptedModel()
    vectors = embed(embedder_of(model, dimensions=4), *[f"text {number}" for number in range(BATCH + 1)])
    assert len(vectors) == BATCH + 1
    assert [len(one.request["input"]) for one in model.exchanges] == [BATCH, 1]


def test_empty_long_and_broken_texts_can_be_sent():
    model = ScriptedModel()
    assert len(embed(embedder_of(model), "", "x" * 100_000, "lone \ud800 surrogate")) == 3


def test_vectors_come_in_the_order_of_the_texts():
    rows = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    with odd_server(http({"data": rows})) as server:
        assert embed(odd_embedder(server), "a", "b") == [[1.0, 0.0], [0.0, 1.0]]


def test_overload_is_tried_again_and_a_budget_counted():
    budget = Budget(tokens=10)
    with odd_server(http({}, "429 Too Many"), answer([1.0])) as server:
        embedder = odd_embedder(server, budget=budget)
        assert embed(embedder, "a") == [[1.0]]
        assert budget.spent.tokens == 7
        embed(embedder, "b")
        with pytest.raises(LLMError, match="budget"):
            embed(embedder, "c")


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (answer([1.0]), "1 vectors for 2 texts"),
        (http({"data": "none"}), "no data for 2 texts"),
        (http({}), "no data for 2 texts"),
        (answer([1.0], ["x"]), "an embedding that is no list of numbers"),
        (answer([1.0], None), "an embedding that is no list of numbers"),
        (answer([1.0], [1.0, 2.0]), "vectors of different lengths"),
        (http(b'{"data": [{"embedding": [NaN]}, {"embedding": [1.0]}]}'), ""),
        (http(b"<html>", kind="text/html"), "that is not JSON"),
        (http({"error": {"message": "bad key sk-secret-1234567890"}}, "401 Unauthorized"), "401"),
    ],
)
def test_a_broken_answer_is_an_error_that_hides_the_key(said, problem):
    with odd_server(said) as server:
        verdict = verdict_of(REPLY, odd_embedder(server, retries=0))
    assert verdict.outcome == "error"
    assert problem in verdict.reason
    assert "1234567890" not in verdict.reason


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 2},
        {"threshold": True},
        {"off_topic": "x"},
        {"dimensions": 0},
        {"retries": -1},
        {"base_url": "x"},
    ],
)
def test_what_cannot_work_is_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        OpenAIEmbedder("m", **options)


def test_without_a_key_it_says_which_one(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    verdict = verdict_of(REPLY, OpenAIEmbedder("m"))
    assert verdict.outcome == "error"
    assert "OPENAI_API_KEY" in verdict.reason
