"""`grice label`: what it asks, writes and refuses, with lines and at a terminal."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from grice_command import Grice, Run

from grice.cli.label import Command
from grice.cli.label_work import label_items

LOG = [
    [{"role": "user", "content": "Refund?"}, {"role": "assistant", "content": "Within 30 days."}],
    [{"role": "user", "content": "Hello?"}],
]
Label = Callable[..., Run]


@pytest.fixture
def label(grice: Grice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Label:
    """The command in a folder with two items; `typed` are its lines of input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    write(tmp_path / "items.jsonl", *({"id": one, "text": f"Reply {one}", "label": True} for one in "ab"))

    def run(*args: object, typed: str = "") -> Run:
        return grice("label", *args, stdin=typed.encode())

    return run


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(one) for one in path.read_text("utf-8").splitlines()]


def test_labels_are_appended_and_the_next_step_is_told(label: Label, tmp_path: Path) -> None:
    run = label("items.jsonl", "--rater", "anna", "--question", "Kind?", typed="y\nn\n")
    assert (run.code, run.err) == (0, "")
    assert "anna labels 2 of 2 items into labels.jsonl" in run.out
    assert "Kind?" in run.out
    assert "2 of 2 done, 2 now" in run.out
    assert "Next\n  grice validate judge NAME labels.jsonl --items items.jsonl\n" in run.out
    assert [one["label"] for one in lines(tmp_path / "labels.jsonl")] == [True, False]


def test_a_second_rater_is_told_how_far_they_agree_only_at_the_end(label: Label) -> None:
    label("items.jsonl", "--rater", "anna", typed="y\ny\n")
    run = label("items.jsonl", "--rater", "ben", typed="y\nn\n")
    before, _, after = run.out.partition("2 of 2 done, 2 now")
    assert "anna" not in before
    assert "anna and ben: same label on 1 of 2" in after


@pytest.mark.parametrize("torn", ['{"version":1,"item":"b","rat', '{"ve'])
def test_a_line_that_was_never_whole_is_asked_for_again(label: Label, tmp_path: Path, torn: str) -> None:
    label("items.jsonl", "--rater", "anna", typed="y\n")
    with (tmp_path / "labels.jsonl").open("a") as stream:
        stream.write(torn)
    run = label("items.jsonl", "--rater", "anna", typed="n\n")
    assert (run.code, run.err) == (0, "")
    assert [one["label"] for one in lines(tmp_path / "labels.jsonl")] == [True, False]


def test_what_others_wrote_is_theirs_to_mend(label: Label, tmp_path: Path) -> None:
    label("items.jsonl", "--rater", "anna", typed="y\n")
    with (tmp_path / "labels.jsonl").open("a") as stream:
        stream.write('{"item": "b", "label": tru')
    before = (tmp_path / "labels.jsonl").read_bytes()
    run = label("items.jsonl", "--rater", "anna", typed="n\n")
    assert (run.code, "labels.jsonl:2:" in run.err) == (2, True)
    assert (tmp_path / "labels.jsonl").read_bytes() == before


def test_nothing_is_left_to_label(label: Label) -> None:
    label("items.jsonl", "--rater", "anna", typed="y\ny\n")
    run = label("items.jsonl", "--rater", "anna")
    assert run.code == 0
    assert "2 of 2 done, 0 now" in run.out
    assert "Reply" not in run.out


def test_a_criterion_of_the_project_or_of_a_module_is_asked(label: Label, tmp_path: Path) -> None:
    tmp_path.joinpath("rules_for_label.py").write_text(
        "from grice import criterion\nALL = [criterion('brief', 'The reply is brief.')]\n"
    )
    run = label(
        "items.jsonl", "--criterion", "brief", "--criteria", "rules_for_label:ALL", "--rater", "a", typed="q"
    )
    assert "brief: The reply is brief." in run.out
    assert "grice validate judge brief labels.jsonl" not in run.out  # no label yet
    tmp_path.joinpath("pyproject.toml").write_text('[tool.grice]\ncriteria = "rules_for_label:ALL"\n')
    run = label("items.jsonl", "--criterion", "brief", "--rater", "a", typed="y\n")
    assert "Next\n  grice validate judge brief labels.jsonl --items items.jsonl\n" in run.out
    assert lines(tmp_path / "labels.jsonl")[0]["fingerprint"].startswith("sha256:")
    run = label("items.jsonl", "--criterion", "breif", "--rater", "a")
    assert (run.code, "unknown criterion 'breif' (did you mean 'brief'?)" in run.err) == (2, True)


def test_a_changed_criterion_is_told_and_asked_anew(label: Label, tmp_path: Path) -> None:
    module = tmp_path / "changing_rules.py"
    module.write_text(
        "from grice import criterion\nNEW = criterion('brief', 'New.')\nOLD = criterion('brief', 'Old.')\n"
    )
    for name, told in (
        ("OLD", ""),
        ("NEW", "2 labels in labels.jsonl are of criterion 'brief' as it read before"),
    ):
        args = ("items.jsonl", "--criterion", "brief", "--criteria", f"changing_rules:{name}", "--rater", "a")
        run = label(*args, typed="y\nn\n")
        assert (run.code, told in run.err, "2 of 2 done, 2 now" in run.out) == (0, True, True)


def test_a_log_of_conversations_is_labelled_by_its_last_replies(label: Label, tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *({"messages": one} for one in LOG))
    run = label(log, "--rater", "a", typed="y\n")
    assert "1 conversation has no reply to judge: left out (line 2)" in run.err
    assert [one["item"] for one in lines(tmp_path / "labels.jsonl")] == ["log.jsonl:1"]


def test_no_secret_is_shown(label: Label, tmp_path: Path) -> None:
    call = {
        "id": "1",
        "type": "function",
        "function": {"name": "f", "arguments": '{"password": "hunter2-horse"}'},
    }
    said = {"role": "assistant", "content": "I am hunter2-horse. " * 200, "tool_calls": [call]}
    system = {"role": "system", "content": "The key is sk-ant-abcdefgh12345678."}
    log = write(tmp_path / "log.jsonl", {"messages": [system, LOG[0][0], said]})
    run = label(log, "--rater", "a", typed="t\ny\n")
    assert "[redacted: password]" in run.out
    assert "[redacted: api key]" in run.out
    assert "hunter2" not in run.out
    assert "sk-ant" not in run.out


def test_a_rater_is_asked_for_when_nobody_knows_them(
    label: Label, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("getpass.getuser", lambda: "")
    label("items.jsonl", typed="Dora\ny\n")
    assert lines(tmp_path / "labels.jsonl")[0]["rater"] == "Dora"
    assert "--rater" in label("items.jsonl", typed="").err
    monkeypatch.setattr("getpass.getuser", lambda: "eve")
    assert "eve labels 2 of 2" in label("items.jsonl", typed="").out


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["none.jsonl"], "none.jsonl: there is no such file"),
        (["items.jsonl", "--criterion", "x"], "error: unknown criterion 'x'"),
        (["items.jsonl", "--criterion", "naturalnes"], "did you mean 'naturalness'?"),
        (["items.jsonl", "--criterion", "x", "--criteria", "nowhere:X"], "there is no module 'nowhere'"),
        (["items.jsonl", "--criterion", "x", "--question", "y"], "what is asked is one of them"),
        (["items.jsonl", "--choices", "a,b", "--scale"], "an answer is one of them"),
        (["items.jsonl", "--choices", "a"], "--choices: expected 2 to 9 choices"),
        (["items.jsonl", "--question", "  "], "--question: expected words"),
        (["items.jsonl", "--out", "labels.csv"], "labels are written as JSON Lines"),
        (["items.jsonl", "--out", "items.jsonl"], "is one of the files to read"),
        (["items.jsonl", "--out", "items.jsonl/labels.jsonl"], "labels cannot be written"),
        (["items.jsonl", "--out", "notes.jsonl"], "no result of Grice: it is not written over"),
        (["items.jsonl", "--out", "."], "labels are written as JSON Lines"),
        (["broken.jsonl"], "broken.jsonl:1:1: nothing to judge"),
        (["silent.jsonl"], "silent.jsonl:1:1: no reply in the conversation"),
    ],
)
def test_what_cannot_be_done_is_refused_before_the_first_question(
    label: Label, tmp_path: Path, args: list[str], error: str
) -> None:
    tmp_path.joinpath("notes.jsonl").write_text('{"mine": 1}\n')
    write(tmp_path / "broken.jsonl", {"id": "a"})
    write(tmp_path / "silent.jsonl", {"messages": LOG[1]})
    run = label(*args, "--rater", "anna", typed="y\ny\n")
    assert (run.code, run.out) == (2, "")
    assert error in run.err
    assert tmp_path.joinpath("notes.jsonl").read_text() == '{"mine": 1}\n'


def test_another_kind_of_answer_to_the_same_question_is_refused(label: Label) -> None:
    label("items.jsonl", "--rater", "anna", typed="y\nq\n")
    run = label("items.jsonl", "--rater", "anna", "--scale", typed="3\n")
    assert run.code == 2
    assert "labels.jsonl:1: the same was answered with True, another kind of answer" in run.err


def test_input_that_is_no_text_is_no_key(label: Label, grice: Grice) -> None:
    run = grice("label", "items.jsonl", "--rater", "a", stdin=b"\xff\xfe\ny\nq\n")
    assert "1 of 2 done, 1 now" in run.out
    assert label("items.jsonl", "--rater", "a").code == 0


# -- at a terminal


class Typist(io.StringIO):
    """An output whose reader types at the terminal: the next keys whenever they are asked."""

    def __init__(self, terminal: int, *typed: tuple[str, str]) -> None:
        super().__init__()
        self._terminal = terminal
        self._typed = list(typed)
        self._seen = 0

    def write(self, text: str) -> int:
        written = super().write(text)
        if self._typed and self._typed[0][0] in self.getvalue()[self._seen :]:
            self._seen = len(self.getvalue())
            os.write(self._terminal, self._typed.pop(0)[1].encode())
        return written


@pytest.fixture
def at_terminal(
    grice: Grice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[Run, str]]]:
    """The command at a terminal, and its screen; each prompt is answered with keys."""
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")  # of POSIX
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "items.jsonl", *({"id": one, "text": f"Reply {one}"} for one in "abcd"))
    ours, theirs = pty.openpty()

    def run(*typed: tuple[str, str]) -> tuple[Run, str]:
        screen, before = Typist(ours, *typed), termios.tcgetattr(theirs)
        with open(theirs, encoding="utf-8", closefd=False) as stdin, monkeypatch.context() as patched:
            patched.setattr(sys, "stdin", stdin)
            done = grice("label", "items.jsonl", "--rater", "anna", stdout=screen)
        assert termios.tcgetattr(theirs) == before
        return done, screen.getvalue()

    yield run
    os.close(ours)
    os.close(theirs)


def test_at_a_terminal_single_keys_answer(
    at_terminal: Callable[..., tuple[Run, str]], tmp_path: Path
) -> None:
    run, screen = at_terminal(
        ("q quit", "y"),
        ("q quit", "\x1b[Am"),  # an arrow is no key
        ("note: ", "so-so\n"),
        ("noted: so-so", "n"),
        ("q quit", "u"),
        ("taken back: fail", "?"),
        ("q quit", "q"),
    )
    assert (run.code, run.err) == (0, "")
    assert "is no key here" not in screen
    assert screen.count("2 of 4 done") == 3
    written = [(each.get("label"), each.get("note")) for each in lines(tmp_path / "labels.jsonl")]
    assert written == [(True, ""), (False, "so-so"), (None, None), (None, "so-so")]


def test_the_end_of_the_input_at_a_terminal_keeps_every_label(
    at_terminal: Callable[..., tuple[Run, str]], tmp_path: Path
) -> None:
    run, screen = at_terminal(("q quit", "y"), ("q quit", "\x04"))
    assert run.code == 0
    assert "1 of 4 done, 1 now" in screen
    assert [each["label"] for each in lines(tmp_path / "labels.jsonl")] == [True]


class Interrupting:
    """A keyboard at which `y` is pressed, and then Ctrl-C."""

    def __init__(self) -> None:
        self.closed = False
        self._keys = iter("y")

    def key(self) -> str | None:
        for key in self._keys:
            return key
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("nothing was interrupted")

    def line(self) -> str | None:
        raise AssertionError("nothing is asked for that is a line")

    def close(self) -> None:
        self.closed = True


def test_ctrl_c_keeps_every_label(label: Label, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyboard = Interrupting()
    try:
        code = label_items(Command(items=[Path("items.jsonl")], rater="anna"), keyboard)
    except KeyboardInterrupt:
        pytest.fail("it left the command")
    assert (code, keyboard.closed) == (130, True)
    assert "1 of 2 done, 1 now" in capsys.readouterr().out
    assert [each["label"] for each in lines(tmp_path / "labels.jsonl")] == [True]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is of POSIX")
def test_a_process_that_waits_for_a_key_is_interrupted(tmp_path: Path) -> None:
    import pty

    items = write(tmp_path / "items.jsonl", {"id": "a", "text": "Reply a"})
    command = [sys.executable, "-m", "grice", "label", str(items), "--rater", "anna"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        screen = ""
        while "q quit" not in screen:
            screen += os.read(ours, 4096).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    os.close(ours)


@pytest.mark.skipif(os.name == "nt", reason="devices are Unix's")
def test_items_of_a_device_are_refused(label: Label) -> None:
    run = label("/dev/null", "--rater", "anna")
    assert (run.code, run.err) == (
        2,
        "error: /dev/null: cannot be opened: it is a device, expected a file\n",
    )


def test_a_last_line_that_nobody_can_read_stays_and_is_told(label: Label, tmp_path: Path) -> None:
    nested = '{"version": 1, "x": ' + "[" * 3_000 + "]" * 3_000 + "}"
    (tmp_path / "labels.jsonl").write_text(nested)
    run = label("items.jsonl", "--rater", "anna")
    assert run.code == 2
    assert "nested deeper than 200 levels" in run.err
    assert (tmp_path / "labels.jsonl").read_text() == nested


def test_results_that_match_no_call_are_told_once_a_file(label: Label, tmp_path: Path) -> None:
    lost = {"role": "tool", "tool_call_id": "c", "content": "x"}
    asked = {"role": "user", "content": "Refund?"}
    said = {"role": "assistant", "content": "Within 30 days."}
    write(tmp_path / "log.jsonl", *({"id": name, "messages": [asked, lost, said]} for name in "ab"))
    run = label("log.jsonl", "--rater", "anna", typed="q")
    assert run.err == "log.jsonl: 2 tool results match no call: findings on tools are unreliable\n"


def test_a_reply_that_cannot_be_read_leaves_its_conversation_out(label: Label, tmp_path: Path) -> None:
    asked = {"role": "user", "content": "Refund?"}
    rows = [
        {"id": "a", "request": {"messages": [asked]}, "response": {"status": 500}},
        {"id": "b", "request": {"messages": [asked]}, "response": "Within 30 days."},
    ]
    write(tmp_path / "log.jsonl", *rows)
    run = label("log.jsonl", "--rater", "anna", typed="y\n")
    assert run.err == "1 conversation has no reply to judge: left out (line 1)\n"
    assert [one["item"] for one in lines(tmp_path / "labels.jsonl")] == ["b"]
