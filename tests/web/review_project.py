"""A project to be looked through: a scan that was kept, replies to label, a prompt with two versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from grice.scanning import choose_checks, scan
from grice.scanning.kept_scan import SCANS, FindingSample, write_scan
from grice.store.database import open_database
from grice.store.migrating import upgrade
from grice.store.owners import project_name
from grice.store.prompt_sync import sync_prompts

SCAN = "scan_0123456789ab"
PROMPT = "prompts/capital.md"
FIRST = "Name the capital of {{country}}.\nAnswer in one word.\n"
SECOND = "Name the capital of {{country}}, please.\nAnswer in one word.\n"
INTRODUCTIONS = ("Hello! I'm your AI assistant.",) * 3 + ("I am an AI.", "I am an AI language model.")


def write_log(path: Path, replies: Iterable[str], user: str = "Hello") -> None:
    """A log of conversations of one turn."""
    lines = [
        {
            "id": f"chat-{number}",
            "messages": [{"role": "user", "content": user}, {"role": "assistant", "content": reply}],
        }
        for number, reply in enumerate(replies, 1)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))


def keep_scan(folder: Path, log: Path, id_: str = SCAN) -> None:
    """Scan the log and keep what was found."""
    sample = FindingSample()
    report = scan([log], choose_checks("tool-flow", "seed"), on_conversation=sample.add)
    write_scan(folder / SCANS, id_, report, sample)


def write_items(path: Path, texts: Sequence[str]) -> None:
    """Replies to label, `r1`, `r2`, ..."""
    rows = [{"id": f"r{number}", "user": "Hi", "text": text} for number, text in enumerate(texts, 1)]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))


def write_prompt(folder: Path, *texts: str) -> None:
    """A suite with its prompt, of which each text was kept as a version."""
    (folder / "prompts").mkdir(exist_ok=True)
    (folder / "capital.grice.yaml").write_text(
        f"prompt: {PROMPT}\nscenarios: [{{id: france, inputs: {{country: France}}}}]\n"
    )
    engine = open_database("sqlite:///.grice/grice.db", folder)
    upgrade(engine)
    for text in texts:
        (folder / PROMPT).write_text(text)
        sync_prompts(engine, folder, project_name(folder))
    engine.dispose()


def write_review(folder: Path, replies: int = 50) -> None:
    """A log with its scan, replies, a prompt with two versions."""
    write_log(folder / "chats.jsonl", (*INTRODUCTIONS, "Which plugin is it?"))
    keep_scan(folder, folder / "chats.jsonl")
    write_items(folder / "replies.jsonl", [f"Which size do you need? {number}" for number in range(replies)])
    write_prompt(folder, FIRST, SECOND)
