"""An LLM behind a cassette."""

import asyncio

import pytest
from tapes import Echo, cassette, question

from grice.matching.protocols import LLMError
from grice.records import LLMMetadata, LLMResponse
from grice.wire.cassettes import CassetteLLM, NotRecorded


def ask(path, mode, llm, *requests, kind="judge", **options):
    with cassette(path, mode, **options) as used:
        behind = CassetteLLM(llm, used, kind)

        async def all_of_them():
            return [await behind.ask(request) for request in requests]

        return asyncio.run(all_of_them())


def test_a_recorded_answer_is_played_without_asking(tmp_path):
    path, llm = tmp_path / "one.jsonl", Echo()
    (live,) = ask(path, "once", llm, question("polite?"))

    (played,) = ask(path, "none", llm, question("polite?"))

    assert llm.asked == 1
    assert not live.metadata.replayed
    assert played == LLMResponse(
        '"polite?"', metadata=LLMMetadata("stub", "echo-1", 12.5, 7, 3, replayed=True)
    )


def test_parsed_answers_come_back(tmp_path):
    class Parsing(Echo):
        async def ask(self, request):
            return LLMResponse("", {"satisfied": None})

    path = tmp_path / "one.jsonl"
    ask(path, "once", Parsing(), question("polite?"))

    assert ask(path, "none", None, question("polite?"))[0].parsed == {"satisfied": None}


def test_without_an_llm_the_recording_says_the_model(tmp_path):
    path = tmp_path / "one.jsonl"
    ask(path, "once", Echo("openai", "gpt-x"), question("polite?"))

    behind = CassetteLLM(None, cassette(path), "judge")

    assert (behind.provider, behind.model) == ("openai", "gpt-x")
    assert ask(path, "none", None, question("polite?"))[0].text == '"polite?"'


def test_without_an_llm_what_is_not_recorded_is_an_error(tmp_path):
    with pytest.raises(LLMError, match="no LLM is configured as user, and no cassette has its answer"):
        ask(tmp_path / "one.jsonl", "auto", None, question("hi"), kind="user")


def test_what_is_missing_is_an_error_of_the_llm(tmp_path):
    path, llm = tmp_path / "one.jsonl", Echo()
    ask(path, "once", llm, question("polite?"))

    with pytest.raises(LLMError) as raised:
        ask(path, "none", llm, question("short?"))

    assert isinstance(raised.value, NotRecorded)
    assert llm.asked == 1


def test_another_model_makes_the_recording_stale(tmp_path):
    path = tmp_path / "one.jsonl"
    ask(path, "once", Echo(model="echo-1"), question("polite?"))

    with pytest.raises(NotRecorded, match=r"in\n    model: 'echo-1' -> 'echo-2'\n  if that is meant, record"):
        ask(path, "none", Echo(model="echo-2"), question("polite?"))


@pytest.mark.parametrize(
    "changed",
    [
        {"schema": {"type": "object"}},
        {"schema_name": "verdict"},
        {"max_tokens": 7},
        {"temperature": 0.0},
        {"seed": 1},
        {"sample": 1},
    ],
)
def test_every_part_of_what_is_sent_counts(tmp_path, changed):
    path = tmp_path / "one.jsonl"
    ask(path, "once", Echo(), question("polite?"))

    with pytest.raises(NotRecorded, match=f"    {next(iter(changed))}: "):
        ask(path, "none", Echo(), question("polite?", **changed))


def test_tags_do_not_count(tmp_path):
    path = tmp_path / "one.jsonl"
    ask(path, "once", Echo(), question("polite?"))

    assert ask(path, "none", Echo(), question("polite?", subject="courteous", purpose="goal"))


def test_samples_have_their_own_answers(tmp_path):
    class Counting(Echo):
        async def ask(self, request):
            return LLMResponse(f"sample {request.sample}")

    path = tmp_path / "one.jsonl"
    samples = [question("polite?", sample=n) for n in range(3)]
    ask(path, "once", Counting(), *samples)

    played = ask(path, "none", None, *reversed(samples))

    assert [answer.text for answer in played] == ["sample 2", "sample 1", "sample 0"]


def test_errors_are_not_recorded(tmp_path):
    class Failing(Echo):
        async def ask(self, request):
            raise LLMError("429")

    path = tmp_path / "one.jsonl"
    with pytest.raises(LLMError, match="429"):
        ask(path, "once", Failing(), question("polite?"))

    assert not path.exists()
    assert ask(path, "once", Echo(), question("polite?"))[0].text == '"polite?"'


def test_answers_without_metadata_come_back(tmp_path):
    class Terse(Echo):
        async def ask(self, request):
            return LLMResponse("yes")

    path = tmp_path / "one.jsonl"
    ask(path, "once", Terse("", ""), question("polite?"))

    assert ask(path, "none", Terse("", ""), question("polite?")) == [
        LLMResponse("yes", metadata=LLMMetadata(replayed=True))
    ]
