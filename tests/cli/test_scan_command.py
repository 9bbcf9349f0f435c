"""`grice scan` as its user sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from grice.cli.app import app

USER = {"role": "user", "content": "Update it"}
HOSTILE = "I am an AI [bold red]x[/] [/nope] \x1b[31mred\x1b]0;title\x07 \u202egnp.exe :smile: ]]> \x00"


def log(tmp_path: Path, *texts: str) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [
        {"id": f"c{n}", "messages": [USER, {"role": "assistant", "content": text}]}
        for n, text in enumerate(texts, start=1)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def run(*arguments: object, width: int = 100, **more: Any) -> Result:
    return CliRunner().invoke(
        app, ["scan", *map(str, arguments)], env={"COLUMNS": str(width), "TERM": "dumb"}, **more
    )


def test_shows_what_was_examined_the_counts_and_the_marked_excerpts(tmp_path: Path) -> None:
    path = log(tmp_path, "Updating now! Would you like me to update it?", "Done.", "Done.", "Done.")
    result = run(path, width=200)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"Scanned {path}: 4 lines, 4 conversations, 4 assistant turns examined.",
        "",
        "label                              turns     rate",
        "CONTRADICTORY_PREACTION_AND_ASK        1   25.00%",
        "UNEXPECTED_TRIGGER_LANGUAGE            0    0.00%",
        "CONFIRMATION_LANGUAGE_ON_SUCCESS       0    0.00%",
        "REDUNDANT_CONFIRMATION_ASK             0    0.00%",
        "SELF_INTRODUCTION                      0    0.00%",
        "any of the five                        1   25.00%",
        "",
        "CONTRADICTORY_PREACTION_AND_ASK",
        "  log.jsonl:1  c1  turn 1  no tool result",
        "    Updating »now!« »Would you like« me to update it?",
    ]


@pytest.mark.parametrize(
    ("texts", "options", "code"),
    [
        (["Done."], [], 0),
        (["I am an AI."], [], 0),
        (["Done."], ["--fail-on-findings"], 0),
        (["I am an AI."], ["--fail-on-findings"], 1),
        ([], [], 2),
        ([""], ["--fail-on-findings"], 2),
        (["I am an AI."], ["--fail-on-findings", "missing.jsonl"], 2),
        (["Done."], ["--nonsense"], 2),
    ],
)
def test_the_exit_code_tells_how_it_went(
    tmp_path: Path, texts: list[str], options: list[str], code: int
) -> None:
    assert run(log(tmp_path, *texts), *options).exit_code == code


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, "error: {path}: there is no such file"),
        (b"", "error: nothing was examined: there are no lines in the logs"),
        (b"oops\n", "error: nothing was examined: no line could be read"),
        (
            b'{"messages": [{"role": "user", "content": "x"}]}\n',
            "error: nothing was examined: the assistant says nothing in 1 conversation",
        ),
        (b'[\n {"messages": []}\n]\n', "jq -c '.[]' {path} > log.jsonl"),
        (b"PK\x03\x04\x00\x00", "error: {path}: is not text; expected JSON Lines"),
    ],
)
def test_a_scan_of_nothing_says_why(tmp_path: Path, content: bytes | None, error: str) -> None:
    path = tmp_path / "log.json"
    if content is not None:
        path.write_bytes(content)
    result = run(path)
    assert result.exit_code == 2
    assert error.format(path=path) in result.stderr
    assert "%" not in result.stdout


def test_needs_a_file() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr


@pytest.mark.parametrize("width", [30, 60, 100])
def test_text_of_the_log_is_shown_as_text_at_every_width(tmp_path: Path, width: int) -> None:
    path = log(tmp_path, HOSTILE)
    path.write_text(path.read_text().replace('"c1"', json.dumps("[red]\x1b[31m\nid")))
    with path.open("a") as file:
        arguments = {"name": "[b]", "arguments": "{[blink]\x1b"}
        call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": arguments}]}
        file.write(json.dumps([call]) + "\n" + json.dumps([{"role": "[b]\x1b"}]) + "\n")
    result = run(path, width=width)
    assert result.exit_code == 0
    shown = "".join(line.strip() for line in result.stdout.splitlines()).replace(" ", "")
    for escaped in (
        r"»IamanAI«[boldred]x[/][/nope]\x1b[31mred\x1b]0;title\x07\u202egnp.exe:smile:]]>\x00",
        r"[red]\x1b[31m\nid",
        r"{[blink]\x1b",
    ):
        assert escaped in shown
    assert not set(result.stdout) & set("\x1b\x07\x00\u202e")


def test_malformed_lines_are_grouped_by_their_reason(tmp_path: Path) -> None:
    path = log(tmp_path, "Done.")
    with path.open("a") as file:
        file.write("7\n" * 8 + "{}\n" * 2)
    result = run(path)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-3:] == [
        "10 of 11 lines not examined: malformed",
        "  log.jsonl:2, 3, 4, 5, 6 and 3 more: found a number; expected an object or a list of messages",
        '  log.jsonl:10, 11: found an object with no fields; expected "messages", "input", or a message',
    ]


def test_the_examples_come_from_different_conversations(tmp_path: Path) -> None:
    path = log(tmp_path, *["I am an AI."] * 5)
    path.write_text(path.read_text().replace("c2", "c1"))
    result = run(path)
    assert "SELF_INTRODUCTION, 3 of 5" in result.stdout
    places = [line.split() for line in result.stdout.splitlines() if line.startswith("  log.jsonl:")]
    assert [place[1] for place in places] == ["c1", "c3", "c4"]


def test_reads_standard_input(tmp_path: Path) -> None:
    result = run("-", input=log(tmp_path, "I am an AI.").read_bytes())
    assert result.exit_code == 0
    assert "<stdin>:1  c1  turn 1" in result.stdout


def test_writes_every_finding_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    result = run(log(tmp_path, *["I am an AI."] * 20), "--json", path, width=300)
    assert result.exit_code == 0
    assert f"All findings: {path}" in result.stdout
    document = json.loads(path.read_text("utf-8"))
    assert len(document["findings"]) == 20
    assert document["summary"]["labels"][4]["rate"] == 1.0


@pytest.mark.parametrize("place", ["folder", "log.jsonl/findings.json", "log.jsonl", "link.jsonl"])
def test_refuses_a_place_where_the_findings_cannot_go_before_it_scans(tmp_path: Path, place: str) -> None:
    path = log(tmp_path, "I am an AI.")
    before = path.read_text()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.jsonl").symlink_to(path)
    result = run(path, "--json", tmp_path / place)
    assert result.exit_code == 2
    assert "error: the findings cannot be written: " in result.stderr
    assert result.stdout == ""
    assert path.read_text() == before


def test_makes_the_folder_of_the_findings(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "findings.json"
    assert run(log(tmp_path, "I am an AI."), "--json", path).exit_code == 0
    assert len(json.loads(path.read_text())["findings"]) == 1


def test_messages_that_were_left_out_are_counted_and_listed(tmp_path: Path) -> None:
    path = log(tmp_path, "I am an AI.")
    path.write_text(json.dumps([USER, {"role": "assistant", "content": "I am an AI."}, 7]) + "\n7\n")
    result = run(path)
    assert "Updat" not in result.stdout
    assert "log.jsonl:1  turn 1  no tool result" in result.stdout
    assert result.stdout.splitlines()[-3:] == [
        "1 of 2 lines and 1 message of other lines not examined: malformed",
        "  log.jsonl:1: messages[2]: is not an object; expected a message with role and content",
        "  log.jsonl:2: found a number; expected an object or a list of messages",
    ]


def test_runs_as_a_command_whatever_the_terminal_can_show(tmp_path: Path) -> None:
    path = log(tmp_path, "I am an AI \U0001f600.")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "100"}
    command = [sys.executable, "-c", "from grice.cli import main; main()", "scan", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\xbbI am an AI\xab \U0001f600." in done.stdout
