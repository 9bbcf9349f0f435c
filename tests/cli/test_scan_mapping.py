"""`grice scan` of home-made logs: the proposal, `--map`, and the map of the settings."""

# ruff: noqa: E501

from __future__ import annotations

import html
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from grice_command import Grice

LINES = [
    {"chat": f"c{n}", "transcript": [{"who": "customer", "txt": "Update Akismet"}, {"who": "bot", "txt": "I am an AI."}]}
    for n in range(3)
]  # fmt: skip
FOUND = "Found 3 findings in 3 of 3 conversations: tool-flow 3."
MAPPING = "messages: transcript\nrole: who\nroles: {customer: user, bot: assistant}\ntext: txt\n"


@pytest.fixture(autouse=True)
def _log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("home.jsonl").write_text("".join(json.dumps(one) + "\n" for one in LINES))


def test_where_nobody_can_be_asked_the_proposal_is_printed(grice: Grice) -> None:
    run = grice("scan", "home.jsonl")
    assert run.code == 2
    told = " ".join(run.err.split())
    assert (
        "messages at transcript[], conversation at chat, role at who (customer -> user, bot -> assistant), text at txt"
        in told
    )
    assert "user: Update Akismet assistant: I am an AI." in told
    assert "The 3 lines: 3 read as 3 conversations, 0 not read" in told
    assert "give --map auto to read it so, or save this as home.map.yaml" in told


def test_a_role_that_comes_late_is_told_with_what_to_do(grice: Grice) -> None:
    late = json.dumps(
        {"chat": "late", "transcript": [*LINES[0]["transcript"], {"who": "boss", "txt": "No."}]}
    )
    lines = [json.dumps({**LINES[0], "chat": f"c{number}"}) for number in range(2_000)]
    Path("home.jsonl").write_text("\n".join([*lines, late]) + "\n")
    run = grice("scan", "home.jsonl", "--map", "auto")
    told = " ".join(run.err.split())
    assert "The 2,001 lines: 2,001 read as 2,001 conversations, 1 of them in part, 0 not read" in told
    why = (
        'home.jsonl:2001: transcript[2]: the role "boss" is not in roles; the mapping has customer, bot: say in a '
        "map (--map FILE) whose it is, or skip"
    )
    assert why in told
    assert why in " ".join(run.out.split())
    Path("home.map.yaml").write_text(MAPPING.replace("bot: assistant", "bot: assistant, boss: skip"))
    assert "boss" not in grice("scan", "home.jsonl", "--map", "home.map.yaml").out


def test_the_proposal_is_taken_and_so_is_a_file(grice: Grice) -> None:
    run = grice("scan", "home.jsonl", "--map", "auto")
    assert run.code == 0
    assert FOUND in " ".join(run.out.split())
    Path("home.map.yaml").write_text(MAPPING)
    for arguments in (["--map", "home.map.yaml"], ["--map", "home.map.yaml", "--checks", "openers"]):
        assert "3 conversations" in " ".join(grice("scan", "home.jsonl", *arguments).out.split())


def test_a_conversation_of_such_a_log_is_shown_by_its_map(grice: Grice) -> None:
    Path("home.map.yaml").write_text(f"{MAPPING}conversation: chat\n")
    for named in ("home.map.yaml", "auto"):
        run = grice("show", "home.jsonl:2", "--map", named)
        assert (run.code, run.out.splitlines()[0]) == (0, "c1: 1 turn, 1 finding: tool-flow")
    asked = grice("show", "home.jsonl:2")
    assert (asked.code, asked.out) == (2, "")
    assert "give --map auto to read it so" in " ".join(asked.err.split())
    assert "--map: 'latest@a' is no line of a log" in grice("show", "latest@a", "--map", "auto").err


def offered(text: str) -> list[str]:
    """The first command of an HTML page or a text that writes a test, as words."""
    found = re.search(r"grice (extract [^<\n\u00b7]+)", html.unescape(text))
    assert found is not None, text
    return shlex.split(found[1])


@pytest.mark.parametrize("checks", ["", "own checks.yaml", "default,own checks.yaml"])
def test_the_command_that_is_offered_for_a_finding_finds_it_again(grice: Grice, checks: str) -> None:
    Path("home.map.yaml").write_text(f"{MAPPING}conversation: chat\n")
    Path("own checks.yaml").write_text("- {matcher: toMatch, expected: AI, not: true, id: no ai}\n")
    chosen = ["--checks", checks, "--label", "no ai"] if checks else []
    run = grice("scan", "home.jsonl", "--map", "home.map.yaml", *chosen, "--html", "found.html")
    assert (run.code, run.err) == (0, "")
    command = offered(Path("found.html").read_text())
    assert command[:6] == [
        "extract",
        "home.jsonl:1",
        "--turn",
        "1",
        "--label",
        "no ai" if checks else "tool-flow",
    ]
    extracted = grice(*command)
    assert (extracted.code, extracted.err) == (0, "")
    assert list(Path("tests").iterdir())


def test_the_command_that_is_offered_for_a_conversation_has_its_map(grice: Grice) -> None:
    Path("home.map.yaml").write_text(f"{MAPPING}conversation: chat\n")
    command = offered(grice("show", "home.jsonl:2", "--map", "home.map.yaml", columns=200).out)
    assert command[-2:] == ["--map", "home.map.yaml"]
    assert grice(*command).code == 0


def test_the_settings_keep_a_map_for_logs_of_no_known_shape(grice: Grice) -> None:
    Path("home.map.yaml").write_text(MAPPING)
    Path("grice.toml").write_text('map = "home.map.yaml"\n')
    Path("known.jsonl").write_text('{"messages": [{"role": "assistant", "content": "I am an AI."}]}\n')
    assert "4 conversations" in " ".join(grice("scan", "home.jsonl", "known.jsonl").out.split())


def test_a_mapping_that_is_wrong_is_told_by_line(grice: Grice) -> None:
    Path("home.map.yaml").write_text(MAPPING.replace("text: txt", "txet: txt"))
    expected = "home.map.yaml:4:1: unknown field 'txet' (did you mean 'text'?)"
    run = grice("scan", "home.jsonl", "--map", "home.map.yaml")
    assert run.code == 2
    assert expected in run.err
    assert expected in " ".join(grice("check", "home.map.yaml").out.split())


def test_lines_that_cannot_be_read_are_listed_by_reason(grice: Grice) -> None:
    with Path("home.jsonl").open("a") as stream:
        stream.write('{"chat": "d"}\n{"chat": "e"}\n')
    run = grice("scan", "home.jsonl")
    assert run.code == 2
    told = " ".join(run.err.split())
    assert "The 5 lines: 3 read as 3 conversations, 2 not read" in told
    assert "home.jsonl:4, 5: no messages at transcript" in told


def test_a_mapping_that_is_there_is_not_overwritten(grice: Grice) -> None:
    Path("home.map.yaml").write_text(MAPPING)
    assert "save this as home-2.map.yaml" in " ".join(grice("scan", "home.jsonl").err.split())


def test_where_nothing_is_a_conversation_that_is_said(grice: Grice) -> None:
    Path("other.jsonl").write_text('{"item": "a"}\n{"item": "b"}\n')
    run = grice("scan", "other.jsonl")
    assert "nothing in it is clearly a conversation" in " ".join(run.err.split())


@pytest.mark.slow
def test_at_a_terminal_it_asks_and_saves() -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "grice", "scan", "home.jsonl"]
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True) as process:
        os.write(ours, b"s\n")
        out, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert FOUND in " ".join(out.split())
    assert "messages: transcript" in Path("home.map.yaml").read_text()


def test_standard_input_is_mapped_too() -> None:
    lines = Path("home.jsonl").read_bytes()
    command = [sys.executable, "-m", "grice", "scan", "-", "--map", "auto"]
    done = subprocess.run(command, input=lines, capture_output=True, check=False)
    assert FOUND in " ".join(done.stdout.decode().split())
