"""`grice scan --judge`: a judge looks at a sample; it is told what that takes, and replayed."""

from __future__ import annotations

import json
import subprocess
import sys
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
    write_project("judging", PROJECT)


def write_project(module: str, code: str) -> None:
    """A module of its own for each code: one that is imported stays."""
    Path(f"{module}.py").write_text(code)
    Path("grice.toml").write_text(f'judge_llm = "{module}:judge"\ncriteria = "{module}:criteria"\n')


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


def test_a_label_chooses_the_judge_alone(grice: Grice) -> None:
    write_log(["What."])
    run = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 9, "--label", "friendly")
    assert run.code == 0
    assert "Applied: 1 check." in run.out


def test_no_test_is_offered_for_what_a_judge_said(grice: Grice) -> None:
    """`grice extract` asks no judge."""
    write_log(["What."])
    grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 9, "--html", "a.html")
    page = Path("a.html").read_text()
    assert "It is curt." in page
    assert "grice extract" not in page


def test_the_last_reply_with_a_text_is_judged(grice: Grice) -> None:
    whole = conversation(0, "What.")
    call = {"id": "1", "type": "function", "function": {"name": "end", "arguments": "{}"}}
    whole["messages"] += [{"role": "assistant", "content": None, "tool_calls": [call]}]  # type: ignore[operator]
    Path("log.jsonl").write_text(json.dumps(whole) + "\n")
    run = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 9, "--json", "a.json", columns=200)
    assert run.err.startswith("friendly: 1 conversation: 1 question to m-1")
    (found,) = json.loads(Path("a.json").read_text())["findings"]
    assert (found["label"], found["turn"]) == ("friendly", 1)


def test_a_judge_that_gives_no_answer_is_an_error_and_no_finding(grice: Grice) -> None:
    write_log(["Hello there!", "What."])
    broken = """
        if "What." in str(request.messages):
            return LLMResponse("As a judge I say no.")
        answer ="""
    write_project("broken_judging", PROJECT.replace("\n        answer =", broken, 1))
    run = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 3, "--json", "a.json", columns=200)
    assert run.code == 2
    assert "error: friendly broke on 1 of 2: the judge's answer is malformed" in run.err
    written = json.loads(Path("a.json").read_text())
    assert written["findings"] == []
    (told,) = (one for one in written["summary"]["checks"] if one["label"] == "friendly")
    assert (told["passed"], told["failed"], told["error"]) == (1, 0, 1)


def test_ctrl_c_keeps_the_answers_that_came(grice: Grice) -> None:
    write_log(["Hello there!", "What.", "Hello there! 2"])
    stopping = """
        if len(Path("asked").read_text()) == 2 and not Path("stopped").exists():
            import asyncio, os, signal
            Path("stopped").touch()
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(60)
        answer ="""
    write_project("stopping_judging", PROJECT.replace("\n        answer =", stopping, 1))
    with Path("grice.toml").open("a") as settings:
        settings.write("concurrency = 1\n")
    command = [sys.executable, "-m", "grice", "scan", "log.jsonl", "--judge", "friendly", "--sample", "4"]
    stopped = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert "friendly: stopped after 1 of 3 answers" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    again = grice("scan", "log.jsonl", "--judge", "friendly", "--sample", 4, columns=200)
    assert again.err.startswith("friendly: 3 conversations, 1 of them recorded: 2 questions to m-1")


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
