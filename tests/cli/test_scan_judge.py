"""`grice scan --judge`: a judge looks at a sample; it is told what that takes, and replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grice_command import Grice

PROJECT = """
import json
from pathlib import Path

from grice import Criterion
from grice.llm import Budget
from grice.records import LLMResponse

criteria = [
    Criterion("friendly", "The reply is friendly."),
    Criterion("brief", "The reply is brief.", check=lambda record: len(record.turns[-1].text) < 10),
]


class Judge:
    name, provider, model = "a judge", "own", "m-1"
    budget = Budget(tokens=1_000_000, prices={"m-1": (2.0, 10.0)})

    async def ask(self, request):
        with Path("asked").open("a") as file:
            file.write("x")
        ok = "Hello there" in request.messages[-1]["content"]
        answer = {"requirement": "to be friendly", "reasoning": "It greets." if ok else "It is curt."}
        answer |= {"satisfied": ok, "quote": "Hello there!" if ok else "What."}
        return LLMResponse(json.dumps(answer))


judge = Judge()
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("judging.py").write_text(PROJECT)
    Path("grice.toml").write_text('judge_llm = "judging:judge"\ncriteria = "judging:criteria"\n')


def conversation(number: int, reply: str) -> dict[str, object]:
    messages = [{"role": "user", "content": f"Hi {number}"}, {"role": "assistant", "content": reply}]
    return {"id": f"c{number}", "messages": [*messages, {"role": "user", "content": "Bye"}]}


def write_log(replies: list[str]) -> None:
    lines = [conversation(number, reply) for number, reply in enumerate(replies)]
    lines.append({"id": "silent", "messages": [{"role": "user", "content": "Hello?"}]})
    Path("log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))


def test_it_is_asked_once_about_each_of_the_sample_and_replayed(grice: Grice) -> None:
    write_log(["What.", *["Hello there!"] * 29])
    first = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 31, "--json", "a.json", columns=200)
    told, *_, recorded = first.err.splitlines()
    assert told.startswith("friendly: 30 conversations: 30 questions to m-1, about ")
    assert told.endswith(" tokens sent and 9,000 answered, about 0.12 at its prices")
    assert recorded.startswith("recorded ")
    assert recorded.endswith("cassettes/scan/friendly.jsonl")
    assert len(Path("asked").read_text()) == 30
    found = json.loads(Path("a.json").read_text())["findings"]
    assert [(one["label"], one["line"], one["turn"], one["reason"]) for one in found] == [
        ("friendly", 1, 1, "It is curt.")
    ]
    again = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 31, "--json", "b.json", columns=200)
    assert again.err == "friendly: 30 conversations, 30 of them recorded: nothing is asked\n"
    assert len(Path("asked").read_text()) == 30
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_only_what_is_drawn_is_judged(grice: Grice) -> None:
    write_log(["What."] * 20)
    run = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 5, "--seed", 3, "--json", "a.json")
    assert run.code == 0
    found = json.loads(Path("a.json").read_text())
    assert found["summary"]["conversations"] == 5
    assert len({one["line"] for one in found["findings"]}) == len(Path("asked").read_text())


def test_a_log_of_one_message_a_line_gives_the_same(grice: Grice) -> None:
    replies = ["What.", "Hello there!", "What."]
    rows = [
        {"conversation_id": f"c{number}", **one}
        for number, reply in enumerate(replies)
        for one in conversation(number, reply)["messages"]  # type: ignore[attr-defined]
    ]
    Path("log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    run = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 9, columns=200)
    assert run.out.startswith("Found 2 findings in 2 of 3 conversations: friendly 2.")


def test_a_criterion_by_code_asks_nobody(grice: Grice) -> None:
    write_log(["What.", "Hello there!"])
    run = grice("scan", "log.jsonl", "--judge", "brief", "--sample", 9)
    assert (run.code, run.err) == (0, "")
    assert "brief 1" in run.out
    assert not Path("asked").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "friendly"], "--judge asks an LLM about each conversation: say how many with --sample"),
        (
            ["--judge", "frendly", "--sample", "3"],
            "--judge: unknown judge 'frendly' (did you mean 'friendly'?): known are friendly, brief,",
        ),
        (["--judge", "friendly", "--sample", "3", "--engine", "ray"], "--judge is asked on this machine"),
    ],
)
def test_what_cannot_be_judged_is_told(grice: Grice, options: list[str], said: str) -> None:
    write_log(["What."])
    run = grice("scan", "log.jsonl", *options)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"error: {said}")


def test_without_an_llm_the_settings_are_named(grice: Grice) -> None:
    write_log(["What."])
    Path("grice.toml").unlink()
    run = grice("scan", "log.jsonl", "--judge", "naturalness", "--sample", 3)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: --judge: an LLM judges this and none is configured: set judge_llm")
