"""How home-made logs are read without a flag, by `grice scan --map auto`, against what is right.

python benchmarks/home_made_logs.py FOLDER

The folder has the logs, and an expected.json that says of each how many conversations and messages of either
side it has, how many lines cannot be read, and how one conversation begins.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from grice.cli.log_mapping import MappedLogs, mapped_logs
from grice.formats.log_files import values_in
from grice.formats.logs import parts_in, read_log


class Found(NamedTuple):
    """What was read of a log, and what was said of it."""

    said: str
    numbers: dict[str, int]
    sample: list[tuple[str, str]]
    reasons: list[str]
    skips: bool
    balanced: bool


def read(path: Path, sample: str) -> Found:
    """Read a log as a scan with `--map auto` does."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        logs: MappedLogs = mapped_logs([path], "auto")
    mapping = logs.mappings.get(str(path))
    talks: dict[str, list[Any]] = defaultdict(list)
    reasons: list[str] = []
    units = 0
    for entry in read_log(path, mapping):
        units += entry.units
        messages = [*entry.messages, *entry.reply]
        if entry.problem:
            reasons.append(f"{entry.line}: {entry.problem}")
        if messages:
            talks[entry.id or f"line {entry.line}"] += messages
    spoken = [one for talk in talks.values() for one in talk if _text(one)]
    numbers = {
        "conversations": len(talks),
        "user_messages": sum(one["role"] == "user" for one in spoken),
        "assistant_messages": sum(one["role"] == "assistant" for one in spoken),
        "unread": len(reasons),
    }
    begins = [
        (one["role"], one["content"] if isinstance(one["content"], str) else _text(one))
        for one in talks.get(sample, ())
        if _text(one)
    ]
    skips = mapping is not None and "skip" in mapping.roles.values()
    balanced = units == sum(1 for _ in parts_in(values_in(path), mapping))
    return Found(said.getvalue(), numbers, begins, reasons, skips, balanced)


def _text(message: Any) -> str:
    """What a message says, be it a text or in blocks."""
    text = message.get("content")
    blocks = [one.get("text") for one in text if isinstance(one, dict)] if isinstance(text, list) else [text]
    return "\n".join(one for one in blocks if isinstance(one, str)).strip()


def judged(found: Found, right: dict[str, Any]) -> list[str]:
    """What is wrong with what was read; nothing where all is right."""
    wrong = [
        f"{name} {found.numbers[name]}, right is {right[name]}"
        for name in ("conversations", "user_messages", "assistant_messages")
        if found.numbers[name] != right[name]
    ]
    empty = right["empty_user_messages"] + right["empty_assistant_messages"] + right["not_dialogue"]
    if not right["unreadable"] <= found.numbers["unread"] <= right["unreadable"] + empty:
        wrong.append(f"{found.numbers['unread']} lines not read, right is {right['unreadable']}")
    wanted = [(one["role"], one["text"]) for one in right["sample"]["first_three"]]
    spoken = [one for one in found.sample if one[0] in ("user", "assistant")][: len(wanted)]
    if spoken != wanted:
        wrong.append(f"{right['sample']['id']} begins {spoken}, right is {wanted}")
    if not found.balanced:
        wrong.append("LOST: lines are in no entry")
    missing = right["conversations"] - found.numbers["conversations"]
    if found.numbers["conversations"] and missing > found.numbers["unread"] and not found.skips:
        wrong.append("LOST: conversations are missing, and nothing is said of them")
    return wrong


def main(folder: Path) -> None:
    """Read each log, and print what is wrong with it and how many are right."""
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text("utf-8"))["files"]
    whole = 0
    for name, right in expected.items():
        found = read(folder / name, str(right["sample"]["id"]))
        wrong = judged(found, right)
        whole += not wrong
        print(f"{'right' if not wrong else 'WRONG'}  {name}: {found.numbers}")
        for line in wrong:
            print(f"    {line}")
        if "-v" in sys.argv:
            print(found.said)
            print("\n".join(f"    not read {one}" for one in found.reasons[:8]))
    print(f"{whole} of {len(expected)} logs are read whole")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
