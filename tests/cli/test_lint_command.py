# ruff: noqa: E501 - tables, one case a line
"""`grice lint` as its user sees it."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from grice_command import Grice

from grice import Conversation, Exchange, Message, Turn, encode_conversation
from grice.checks.message_lint import RULES
from grice.records import Outcome, encode_results
from grice.records import Result as RunResult

USER = {"role": "user", "content": "Update it"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "update", "input": {}}]}
ANSWER = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}
GOOD = [USER, CALL, ANSWER]
BUG_B = [CALL, ANSWER]
TWICE = [USER, USER]
HOSTILE = "[bold red]x[/] [/nope] \x1b[31mred\x1b]0;title\x07 \u202egnp.exe :smile: \x00"


def write(tmp_path: Path, value: object, name: str = "request.json", *, indent: int | None = None) -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(value, indent=indent), "utf-8")
    return path


def recorded(*messages: Any, user: str = "Update it") -> Conversation:
    exchanges = tuple(Exchange({"messages": array}) for array in messages)
    return Conversation(id="chat-1", turns=(Turn(1, (Message("user", user),), exchanges=exchanges),))


def test_shows_where_what_why_and_how_to_mend_it(tmp_path: Path, grice: Grice) -> None:
    path = write(tmp_path, BUG_B)
    run = grice("lint", path, columns=200)
    assert run.code == 1
    assert run.out.splitlines() == [
        "1 error, 0 warnings: 1 file, 1 message array examined.",
        "",
        f"{path}:1",
        "    0  error  current-user-message-missing  messages[0]",
        "    found: a tool call, and no message of the user in the whole array",
        f"    why:   {RULES['current-user-message-missing'].why_for('anthropic')}",
        f"    fix:   {RULES['current-user-message-missing'].fix}",
    ]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("value", "arrays", "code"),
    [
        (GOOD, 1, 0),
        (BUG_B, 1, 1),
        ({"model": "m", "messages": GOOD}, 1, 0),
        ({"model": "m", "messages": []}, 1, 1),
        ([], 1, 1),
        ({"input": "Hello", "model": "m"}, 1, 0),
        ([GOOD, BUG_B], 2, 1),
        ([{"messages": GOOD}, {"messages": GOOD}], 2, 0),
        ({"request": {"messages": BUG_B}, "response": {}}, 1, 1),
        ([[{"request": {"messages": GOOD}, "dialect": "anthropic"}]], 1, 0),
        (TWICE, 1, 0),
    ],
    ids=lambda value: None,
)
def test_reads_requests_and_arrays(
    tmp_path: Path, value: object, arrays: int, code: int, indent: int | None, grice: Grice
) -> None:
    run = grice("lint", write(tmp_path, value, indent=indent))
    assert run.code == code, run.out + run.err
    assert f"{arrays} message array{'' if arrays == 1 else 's'} examined" in run.out


def test_reads_json_lines_and_names_the_line(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.jsonl"
    lines = [GOOD, {"id": "c2", "messages": BUG_B}, {"messages": GOOD}]
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    run = grice("lint", path, columns=300)
    assert run.code == 1
    assert f"{path}:2  c2" in run.out
    assert run.out.startswith("1 error, 0 warnings: 1 file, 3 message arrays examined.\n")


def test_reads_compressed_files_and_standard_input(tmp_path: Path, grice: Grice) -> None:
    data = json.dumps(BUG_B).encode()
    path = tmp_path / "request.json.gz"
    path.write_bytes(gzip.compress(data))
    assert grice("lint", path).code == 1
    for given in (data, gzip.compress(data), b"\xef\xbb\xbf" + data):
        run = grice("lint", "-", stdin=given)
        assert run.code == 1
        assert run.out.split("\n\n")[1].startswith("<stdin>")


def test_reads_conversations_and_results_of_grice(tmp_path: Path, grice: Grice) -> None:
    conversation = recorded(GOOD, BUG_B)
    path = tmp_path / "conversation.json"
    path.write_bytes(encode_conversation(conversation))
    run = grice("lint", path, columns=300)
    assert run.code == 1
    assert "chat-1 turn 1, request 2" in run.out
    assert run.out.startswith("1 error, 0 warnings: 1 file, 2 message arrays examined.\n")

    results = encode_results((RunResult("id", "update-plugin", Outcome.PASS, conversation),))
    path.write_bytes(msgspec.json.format(results, indent=2))
    run = grice("lint", path, columns=300)
    assert run.code == 1
    assert "update-plugin turn 1, request 2" in run.out


def test_a_recorded_turn_tells_what_the_user_said(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "conversation.json"
    path.write_bytes(encode_conversation(recorded(GOOD, user="Delete it")))
    run = grice("lint", path, columns=300)
    assert run.code == 1
    assert "'Delete it' is nowhere; the last user message is 'Update it'" in run.out


def test_options_change_what_counts(tmp_path: Path, grice: Grice) -> None:
    path = write(tmp_path, TWICE)
    assert grice("lint", path).code == 0
    assert grice("lint", path, "--fail-on-warnings").code == 1
    assert grice("lint", path, "--fail-on-warnings", "--ignore", "same-role-neighbours").code == 0
    blank = write(tmp_path, [{"role": "user", "content": ""}])
    assert grice("lint", blank).code == 0
    assert grice("lint", blank, "--dialect", "anthropic").code == 1
    ignored = grice("lint", blank, "--dialect", "anthropic", "--ignore", "empty-content")
    assert ignored.code == 0
    assert "empty-content" not in ignored.out


def test_writes_every_finding_to_a_file(tmp_path: Path, grice: Grice) -> None:
    out = tmp_path / "new" / "findings.json"
    run = grice("lint", write(tmp_path, {"id": "r", "messages": BUG_B}), "--json", out, columns=300)
    assert run.code == 1
    assert f"All findings: {out}" in run.out
    document = json.loads(out.read_text())
    assert document["version"] == 1
    (finding,) = document["findings"]
    assert finding["rule"] == "current-user-message-missing"
    assert (finding["index"], finding["path"], finding["name"], finding["line"]) == (0, "messages[0]", "r", 1)
    assert document["summary"]["arrays"] == document["summary"]["errors"] == 1


def test_the_report_has_the_forms_of_its_siblings(tmp_path: Path, grice: Grice) -> None:
    out = tmp_path / "lint.md"
    path = write(tmp_path, {"id": "r", "messages": BUG_B})
    said = grice("lint", path, tmp_path / "missing.json", "--markdown")
    assert said.code == 2
    assert said.out.startswith("<!-- grice.findings -->\n\n### \u2717 Grice: 1 error, ")
    assert "missing.json: there is no such file**" in said.out
    for _ in range(2):  # its own is written over
        assert grice("lint", path, "--markdown", "-o", out).out == ""
    assert "current-user-message-missing" in out.read_text("utf-8")
    assert "--json - and --markdown exclude" in grice("lint", path, "--markdown", "--json", "-").err


@pytest.mark.parametrize("place", ["folder", "request.json", "other.txt"])
def test_refuses_a_place_where_the_findings_cannot_go(tmp_path: Path, place: str, grice: Grice) -> None:
    path = write(tmp_path, BUG_B)
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.txt").write_text("mine")
    run = grice("lint", path, "--json", tmp_path / place)
    assert run.code == 2
    assert "error: the findings cannot be written: " in run.err
    assert run.out == ""
    assert json.loads(path.read_text()) == BUG_B


@pytest.mark.parametrize(
    ("content", "errors"),
    [
        (None, ["{path}: there is no such file"]),
        (b"", ["{path}: nothing was examined: the file is empty"]),
        (b"oops", ["{path}:1: not valid JSON: a line begins with {{ or ["]),
        (b'{\n "messages": [', ["{path}: not valid JSON at line 2, column 14: the [ that opens here is not closed: ] is missing"]),
        (b"7", ["{path}:1: found a number; expected a request with messages or input, a list of messages"]),
        (b'{"a": 1, "b": 2}', ["{path}:1: found an object with a, b; expected a request"]),
        (b"[7]", ["{path}:1: [0]: found a number; expected"]),
        (b'{"conversation_id": "a", "role": "user", "content": "Hi"}\n', ["{path}:1: found a message alone; expected a request"]),
        (b'{"version": 9, "conversation": {}}', ["{path}:1: format version 9 is newer than this Grice reads"]),
        (b'{"version": 9, "results": []}', ["{path}:1: format version 9 is newer than this Grice reads"]),
        (b'{"version": 1, "results": [{"key": "x"}]}', ["{path}:1: Object missing required field"]),
        (b'{"messages": "x"}\n{', ["{path}:2: not valid JSON at column 1: the {{ that opens here is not closed"]),
        (b"nope\n7\n[{}]\n", ["{path}:1: not valid JSON", "{path}:2: found a number", "{path}:3: [0]: found an object with no fields"]),
        (b"PK\x03\x04\x00\n\xff\n\xfe", ["{path}: cannot be read: File is not a zip file"]),
        (b"\x1f\x8b broken", ["{path}: cannot be read"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error(
    tmp_path: Path, content: bytes | None, errors: list[str], grice: Grice
) -> None:
    path = tmp_path / "request.json"
    if content is not None:
        path.write_bytes(content)
    run = grice("lint", path, columns=300)
    assert run.code == 2, run.out + run.err
    for error in errors:
        assert f"error: {error.format(path=path)}" in run.err


def test_the_rows_of_a_table_are_examined(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.csv"
    messages = json.dumps(BUG_B).replace('"', '""')
    path.write_text(f'id,messages\na,"{messages}"\nb,\nc,x,y\n')
    run = grice("lint", path, columns=300)
    assert run.out.startswith("1 error, 0 warnings: 1 file, 1 message array examined.\n")
    assert f"{path}:3: found an object with id; expected" in run.err
    assert f"{path}:4: a row of 3 cells, expected 2 as in the header" in run.err


def test_a_bad_line_stops_nothing_but_success(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\noops\n{json.dumps(BUG_B)}\n")
    run = grice("lint", path, tmp_path)
    assert run.code == 2
    assert run.out.startswith("1 error, 0 warnings: 2 files, 2 message arrays examined.\n")
    assert f"{path}:2: not valid JSON" in run.err
    assert "is a directory" in run.err


def test_conversations_without_requests_are_nothing_examined(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "conversation.json"
    path.write_bytes(encode_conversation(recorded()))
    run = grice("lint", path)
    assert run.code == 2
    assert "nothing was examined: no request to a model is recorded in 1 conversation" in run.err
    good = write(tmp_path, GOOD, "good.json")
    run = grice("lint", path, good)
    assert run.code == 0
    assert "Of 1 conversation no request to a model is recorded." in run.out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "FILE... is missing: name the files, or list the rules with --rules"),
        (["x.json", "--dialect", "antropic"], "found 'antropic' (did you mean 'anthropic'?)"),
        (["x.json", "--ignore", "emtpy-content"], "unknown rule 'emtpy-content' (did you mean 'empty-content'?)"),
        (["x.json", "--nonsense"], "No such option"),
    ],
)  # fmt: skip
def test_wrong_usage(arguments: list[str], error: str, grice: Grice) -> None:
    run = grice("lint", *arguments)
    assert run.code == 2
    assert error in run.err


def test_lists_the_rules(grice: Grice) -> None:
    run = grice("lint", "--rules", columns=200)
    assert run.code == 0
    listed = run.out.splitlines()
    assert [line.split()[0] for line in listed] == list(RULES)
    assert any("error or warning" in line for line in listed)


@pytest.mark.parametrize("width", [30, 60, 100])
def test_text_of_the_file_is_shown_as_text_at_every_width(tmp_path: Path, width: int, grice: Grice) -> None:
    value = {
        "id": HOSTILE,
        "messages": [{"role": HOSTILE, "content": HOSTILE}, {**USER, "content": [HOSTILE]}],
    }
    run = grice("lint", write(tmp_path, value), columns=width)
    assert run.code == 1
    assert not set(run.out) & set("\x1b\x07\x00\u202e")
    shown = "".join(line.strip() for line in run.out.splitlines()).replace(" ", "")
    assert r"[boldred]x[/][/nope]\x1b[31mred" in shown


def test_secrets_are_not_shown(tmp_path: Path, grice: Grice) -> None:
    secret = "sk-ant-api03-" + "a1B2" * 20
    array = [
        USER,
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "x", "arguments": secret}}]},
    ]
    out = tmp_path / "findings.json"
    run = grice("lint", write(tmp_path, array), "--json", out, columns=300)
    assert run.code == 1
    assert "input-not-object" in run.out
    assert secret not in run.out + out.read_text()


def test_what_the_terminal_cannot_show_is_escaped(tmp_path: Path, grice: Grice) -> None:
    path = write(tmp_path, [USER, {"role": "user", "content": ["\U0001f600"]}])
    with io.TextIOWrapper(io.BytesIO(), "ascii") as ascii_only:
        done = grice("lint", path, stdout=ascii_only)
        ascii_only.seek(0)
        assert r"\U0001f600" in ascii_only.read()
    assert (done.code, done.err) == (1, "")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"conversation": "c", "request": {"messages": [USER, CALL, ANSWER]}, "reply": {}, "dialect": "openai_chat"}, 1),
        ({"conversation": "c", "request": {"messages": [USER, CALL, ANSWER]}, "reply": {}, "dialect": "anthropic"}, 0),
        ({"custom_id": "r-1", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": [USER, CALL, ANSWER]}}, 1),
        ({"custom_id": "r-1", "params": {"messages": [{"role": "system", "content": "x"}, USER]}}, 1),
        ({"input": ["a", "b"], "model": "m"}, 2),
        ({"custom_id": "r-1", "url": "/v1/embeddings", "body": {"input": "a"}}, 2),
    ],
)  # fmt: skip
def test_recorded_and_batch_lines_name_their_dialect(
    tmp_path: Path, line: Any, code: int, grice: Grice
) -> None:
    run = grice("lint", write(tmp_path, line), columns=300)
    assert run.code == code, run.out + run.err
    if code == 1:
        assert line.get("custom_id", "c") in run.out


@pytest.mark.parametrize(
    "array", [[{"type": "human", "content": "Hi"}], {"messages": [{"type": "human", "content": "Hi"}]}]
)
def test_the_format_of_a_log_is_refused_with_what_converts_it(
    tmp_path: Path, array: Any, grice: Grice
) -> None:
    run = grice("lint", write(tmp_path, array), columns=300)
    assert run.code == 2
    expected = "LangChain's shape; convert it: grice.to_openai_chat(grice.read_conversation(...))"
    assert expected in run.err


def test_ten_problems_of_a_file_are_shown(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n" + "oops\n" * 25)
    run = grice("lint", path, columns=300)
    assert run.code == 2
    assert run.err.count("not valid JSON") == 10
    assert f"{path}: and 15 more" in run.err


def test_a_later_turn_needs_its_own_message(tmp_path: Path, grice: Grice) -> None:
    def turn(number: int, user: str, text: str, *arrays: Any) -> Turn:
        exchanges = tuple(Exchange({"messages": array}) for array in arrays)
        return Turn(number, (Message("user", user), Message("assistant", text)), exchanges=exchanges)

    yes, ok = {"role": "user", "content": "Yes"}, {"role": "assistant", "content": "ok"}
    lost = turn(3, "Yes", "", [yes, ok, {"role": "user", "content": "Delete it"}])
    record = Conversation(turns=(turn(1, "Yes", "ok"), turn(2, "Delete it", "deleted"), lost))
    path = tmp_path / "conversation.json"
    path.write_bytes(encode_conversation(record))
    assert "current-user-message-missing" in grice("lint", path).out


def test_results_that_match_no_call_are_told_once_a_file(tmp_path: Path, grice: Grice) -> None:
    lost = [{"role": "tool", "tool_call_id": f"c{n}", "content": "x"} for n in range(3)]
    path = write(tmp_path, {"messages": [{"role": "user", "content": "Hello"}, *lost]})
    findings = tmp_path / "findings.json"
    run = grice("lint", path, "--json", findings, columns=300)
    assert run.code == 1
    assert run.out.count("orphan-tool-result") == 1
    assert f"{path}: 3 tool results match no call: findings on tools are unreliable" in run.out
    assert run.out.startswith("3 errors, 0 warnings: 1 file, 1 message array examined.\n")
    rules = [one["rule"] for one in json.loads(findings.read_bytes())["findings"]]
    assert rules.count("orphan-tool-result") == 3


def test_messages_are_found_where_every_command_finds_them(tmp_path: Path, grice: Grice) -> None:
    user = {"role": "user", "content": "Hello"}
    lines = [{"conversation": [user]}, {"request": {"body": {"messages": [user]}}}]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    run = grice("lint", path)
    assert (run.code, "2 message arrays examined" in run.out) == (0, True)
