"""A scan that waits for more: at the end of files, and for files that come into a folder."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from grice.formats.mapping import LogMapping
from grice.scanning import following
from grice.scanning.check_choice import choose_checks
from grice.scanning.log_scan import ScanOptions, scan
from grice.scanning.report import Finding, ScanReport


def line(name: str, text: str = "Updating now! Would you like me to update it?") -> str:
    messages = [{"role": "user", "content": "Update it"}, {"role": "assistant", "content": text}]
    return json.dumps({"id": name, "messages": messages}) + "\n"


def followed(
    path: Path,
    steps: list[object],
    monkeypatch: pytest.MonkeyPatch,
    mappings: Mapping[str, LogMapping] = MappingProxyType({}),
) -> tuple[list[str], ScanReport]:
    """The places that were found. Whenever the scan waits it is given the next step, at the end Ctrl-C."""
    left: Iterator[object] = iter(steps)

    def wait(_: float) -> None:
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()  # type: ignore[operator]

    monkeypatch.setattr(following.time, "sleep", wait)
    found: list[str] = []

    def take(one: Finding) -> None:
        found.append(f"{Path(one.file).name}:{one.line} {one.conversation}")

    options = ScanOptions(follow=True)
    report = scan([path], choose_checks("tool-flow"), options, mappings=mappings, on_finding=take)
    return found, report


def add(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_lines_that_are_written_later_are_found_when_they_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("a") + line("b", "Done."))
    half = line("d")
    found, report = followed(
        path,
        [lambda: add(path, line("c") + half[:20]), lambda: None, lambda: add(path, half[20:])],
        monkeypatch,
    )
    assert found == ["log.jsonl:1 a", "log.jsonl:3 c", "log.jsonl:4 d"]
    assert (report.lines, report.conversations, report.files) == (4, 4, (str(path),))
    assert report.stopped == f"{path}:4"


def test_files_that_come_into_a_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder may be empty, or have folders of its own; tables and packed logs are left alone."""
    deep = tmp_path / "day" / "new.jsonl"

    def make() -> None:
        deep.parent.mkdir()
        deep.write_text(line("a"))
        (tmp_path / "table.csv").write_text("id,text\n")

    first = tmp_path / "first.ndjson"
    found, report = followed(
        tmp_path, [make, lambda: first.write_text(line("b")), lambda: add(deep, line("c"))], monkeypatch
    )
    assert found == ["new.jsonl:1 a", "first.ndjson:1 b", "new.jsonl:2 c"]
    assert (report.conversations, report.malformed) == (3, 0)


def test_a_log_that_is_moved_away_or_emptied_is_not_found_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("a"))

    def rotate() -> None:
        path.rename(tmp_path / "log-1.jsonl")
        path.write_text(line("b"))

    found, _ = followed(
        tmp_path, [rotate, lambda: path.write_text(""), lambda: add(path, line("c"))], monkeypatch
    )
    assert found == ["log.jsonl:1 a", "log.jsonl:1 b", "log.jsonl:1 c"]


def test_messages_of_several_files_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversations of the same id in two files are two."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"

    def message(role: str, text: str) -> str:
        return json.dumps({"conversation_id": "a", "role": role, "content": text}) + "\n"

    one.write_text(message("user", "Update it"))
    other.write_text(message("user", "Hello"))
    found, _ = followed(
        tmp_path,
        [
            lambda: add(one, message("assistant", "Updating now! Would you like me to update it?")),
            lambda: add(other, message("assistant", "Hello!") + message("user", "Bye")),
            lambda: add(one, message("user", "Yes")),
        ],
        monkeypatch,
    )
    assert found == ["one.jsonl:2 a"]


def test_a_named_file_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, report = followed(tmp_path / "none.jsonl", [], monkeypatch)
    assert found == []
    assert [one.reason for one in report.unreadable] == ["there is no such file"]


def test_a_packed_file_is_refused_and_left_out_of_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size is that of the packed bytes: it would be read again for ever."""
    for name in ("log.jsonl.gz", "log.jsonl"):
        (tmp_path / name).write_bytes(gzip.compress((line("a") * 50).encode()))
    found, report = followed(tmp_path / "log.jsonl.gz", [lambda: None], monkeypatch)
    assert (found, report.conversations) == ([], 0)
    assert ["is packed" in one.reason for one in report.unreadable] == [True]
    found, report = followed(tmp_path, [lambda: None], monkeypatch)
    assert (found, report.conversations) == ([], 0)


WHOLE = LogMapping(messages="talk", role="who", roles={"customer": "user", "bot": "assistant"}, text="txt")
FLAT = LogMapping(conversation="chat", role="who", roles={"customer": "user", "bot": "assistant"}, text="txt")


def test_a_log_of_a_home_made_shape_is_followed_by_its_mapping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation on a line is judged at once, one of several lines as a log of messages is."""

    def spoken(who: str, text: str, **more: str) -> dict[str, str]:
        return {"who": who, "txt": text, **more}

    def talk(text: str) -> str:
        return json.dumps({"talk": [spoken("customer", "Update it"), spoken("bot", text)]}) + "\n"

    def row(chat: str, who: str, text: str) -> str:
        return json.dumps(spoken(who, text, chat=chat)) + "\n"

    bad = "Updating now! Would you like me to update it?"
    whole, rows = tmp_path / "whole.jsonl", tmp_path / "rows"
    whole.write_text(talk("Done.") + talk(bad))
    found, report = followed(
        whole, [lambda: add(whole, talk(bad) + "{}\n")], monkeypatch, {str(whole): WHOLE}
    )
    assert found == ["whole.jsonl:2 ", "whole.jsonl:3 "]
    assert (report.lines, report.conversations, report.malformed) == (4, 3, 1)
    rows.mkdir()
    later = rows / "rows.jsonl"
    steps = [
        lambda: later.write_text(row("a", "customer", "Update it") + row("b", "customer", "Hi")),
        lambda: add(later, row("a", "bot", bad) + row("b", "bot", bad)),
        lambda: add(later, row("a", "customer", "Yes")),
    ]
    found, report = followed(rows, [*steps], monkeypatch, {str(rows): FLAT})
    assert found == ["rows.jsonl:3 a", "rows.jsonl:4 b"], "what is open at the stop is judged as it stands"
    assert (report.lines, report.conversations) == (5, 2)


def test_pieces_of_messages_are_followed_and_judged_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row(number: int, who: str, text: str) -> str:
        return json.dumps({"chat": "a", "id": number, "who": who, "delta": text}) + "\n"

    mapping = replace(FLAT, message_id="id", text="delta")
    path = tmp_path / "log.jsonl"
    path.write_text(
        row(1, "customer", "Update ") + row(1, "customer", "it") + row(2, "bot", "Updating now! ")
    )
    found, report = followed(
        path,
        [lambda: add(path, row(2, "bot", "Would you like me to update it?"))],
        monkeypatch,
        {str(path): mapping},
    )
    assert found == ["log.jsonl:1 a"], "the line on which the conversation begins"
    assert (report.lines, report.conversations, report.malformed) == (4, 1, 0)
