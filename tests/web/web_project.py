"""Projects for pages: runs with results that have everything, hostile ones, and a long conversation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from page_documents import PAYLOADS, hostile_result, refund

from grice.records import Conversation, Exchange, Message, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal

BEFORE, LATER, HOSTILE, LONG = "exp_before", "exp_later", "exp_hostile", "exp_long"


def conversation_id(run: str, place: int) -> str:
    """The id of the result that was written as the first, second, ... of a run; a head is line 1."""
    return f"{run}/main/{place + 1:09d}"


def write_project(folder: Path) -> None:
    """Two runs of three scenarios, each three times; in the later one `refund` newly fails."""
    keys = ("refund", "delay", "brief")
    soft = Verdict(
        Outcome.FAIL, "It is curt.", matcher="toSatisfy", criterion="friendly", mode="soft", turn=2, score=2
    )
    passing = [
        msgspec.structs.replace(
            refund(Outcome.PASS, key, repeat=repeat), verdicts=refund(Outcome.PASS).verdicts
        )
        for key in keys
        for repeat in (1, 2, 3)
    ]
    later = [
        refund(Outcome.FAIL, one.key, repeat=one.repeat)
        if one.key == "refund"
        else msgspec.structs.replace(one, verdicts=(*one.verdicts, soft))
        if one.key == "delay"
        else one
        for one in passing
    ]
    write(
        folder,
        BEFORE,
        1,
        passing,
        name="Prompt v1",
        tags=("nightly",),
        git_branch="main",
        git_commit="abc1234",
    )
    write(folder, LATER, 2, later, name="Prompt v2", git_branch="topic")


def write_hostile(folder: Path, payloads: Iterable[str] = PAYLOADS) -> None:
    """A run with markup in every field."""
    texts = list(payloads)
    results = [hostile_result(text, number, Outcome.FAIL) for number, text in enumerate(texts)]
    write(folder, HOSTILE, 3, results, name=texts[0], tags=tuple(texts[:5]), git_branch=texts[1])


def write_long(folder: Path, turns: int = 90) -> None:
    """A run with one conversation, which fails in turn 70."""
    said: list[dict[str, Any]] = []
    held = []
    for number in range(1, turns + 1):
        said += [{"role": "user", "content": f"question {number}"}]
        told = Exchange({"messages": list(said)}, dialect="openai_chat", turn=number)
        words = (Message("user", f"question {number}"), Message("assistant", f"reply {number}"))
        held.append(Turn(number, words, exchanges=(told,), duration=0.5))
        said += [{"role": "assistant", "content": f"reply {number}"}]
    verdict = Verdict(
        Outcome.FAIL, "no price", matcher="toContain", claim="the reply to contain a price", turn=70
    )
    result = Result("example:long", "long", Outcome.FAIL, Conversation(turns=tuple(held)), (verdict,))
    write(folder, LONG, 4, [result], name="long")


def write(folder: Path, id_: str, day: int, results: Iterable[Result], **more: Any) -> None:
    """A finished run that began on that day of November."""
    found = list(results)
    head = Experiment(id_, f"2026-11-{day:02d}T10:00:00.000Z", planned=len(found), **more)
    with Journal.create(folder / ".grice" / "runs" / id_, head, worker="main") as journal:
        for one in found:
            journal.append(one)
