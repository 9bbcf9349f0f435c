"""Which recorded answer a call gets, from several threads and tasks too."""

import asyncio
import random
import threading

import pytest
from tapes import Echo, asked, cassette, question, record

from grice.wire.cassettes import CassetteLLM, NotRecorded


def test_equal_requests_get_their_answers_in_order(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, *[("judge", asked("again?"), n) for n in range(3)])

    used = cassette(path)

    assert [used.begin("judge", asked("again?")).response for _ in range(3)] == [0, 1, 2]


def test_more_calls_than_recorded_say_so(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, *[("judge", asked("again?"), n) for n in range(2)])
    used = cassette(path)
    for _ in range(2):
        used.begin("judge", asked("again?"))

    with pytest.raises(NotRecorded) as raised:
        used.begin("judge", asked("again?"))

    assert str(raised.value) == (
        f"{path}: this judge call was made more often than it is recorded (recorded 2, asked 3): 'again?'; "
        "record it anew with --grice-update"
    )


def test_kinds_do_not_take_each_others_answers(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked("hi"), "judged"), ("user", asked("hi"), "played"))

    used = cassette(path)

    assert used.begin("user", asked("hi")).response == "played"
    assert used.begin("judge", asked("hi")).response == "judged"


def test_two_tests_at_once_keep_to_their_own_file(tmp_path):
    names = ("one", "two")
    for name in names:
        record(tmp_path / name, *[("judge", asked("again?"), f"{name} {n}") for n in range(20)])
    got = {name: [] for name in names}

    def play(name):
        with cassette(tmp_path / name) as used:
            got[name] += [used.begin("judge", asked("again?")).response for _ in range(20)]

    threads = [threading.Thread(target=play, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert got == {name: [f"{name} {n}" for n in range(20)] for name in names}


def test_threads_share_a_cassette_without_taking_an_answer_twice(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, *[("judge", asked("again?"), n) for n in range(80)])
    used, got = cassette(path), []

    def play():
        got.extend(used.begin("judge", asked("again?")).response for _ in range(20))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(got) == list(range(80))
    assert used.unused == ()


def test_tasks_share_a_cassette(tmp_path):
    path = tmp_path / "one.jsonl"

    async def judge(mode):
        llm = CassetteLLM(Echo(), used := cassette(path, mode), "judge")
        answers = await asyncio.gather(
            *[llm.ask(question(f"number {n % 5}", sample=n // 5)) for n in range(20)]
        )
        used.finish()
        return [answer.text for answer in answers]

    assert asyncio.run(judge("once")) == asyncio.run(judge("none"))


@pytest.mark.parametrize("seed", [1, 2])
def test_background_calls_are_written_in_the_order_in_which_they_began(tmp_path, seed):
    class Slow(Echo):
        async def ask(self, request):
            for _ in range(pauses.randrange(5)):
                await asyncio.sleep(0)
            return await super().ask(request)

    async def judge(path):
        llm = CassetteLLM(Slow(), used := cassette(path, "once", test="t"), "judge")
        await asyncio.gather(*[llm.ask(question(f"number {n}")) for n in range(30)])
        used.finish()
        return path.read_bytes()

    pauses = random.Random(seed)
    first = asyncio.run(judge(tmp_path / "first"))
    pauses = random.Random(seed + 100)

    assert asyncio.run(judge(tmp_path / "second")) == first


def test_judges_stand_behind_the_others_whenever_they_began(tmp_path):
    path = tmp_path / "one.jsonl"
    with cassette(path, "once") as used:
        for kind, text in (("agent", "a"), ("judge", "b"), ("tools", "c"), ("judge", "d"), ("user", "e")):
            used.begin(kind, asked(text)).record("yes")

    kinds = [entry.kind for entry in cassette(path).unused]

    assert kinds == ["agent", "tools", "user", "judge", "judge"]
