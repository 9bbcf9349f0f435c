"""`grice label`: what it asks, writes and refuses, with lines and at a terminal."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from select import select
from typing import Any

import pytest
from grice_command import Grice, Run

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
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"))
        return grice("label", *args)

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
    assert "Next: grice validate judge NAME labels.jsonl --items items.jsonl" in run.out
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
    assert "Next: grice validate judge brief labels.jsonl --items items.jsonl" in run.out
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


def test_input_that_is_no_text_is_no_key(label: Label, monkeypatch: pytest.MonkeyPatch, grice: Grice) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\ny\nq\n"), "utf-8"))
    assert "1 of 2 done, 1 now" in grice("label", "items.jsonl", "--rater", "a").out
    assert label("items.jsonl", "--rater", "a").code == 0


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, *args: object) -> None:
        import pty

        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grice", "label", *map(str, args)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.screen = ""
        self._seen = 0

    def wait_for(self, text: str) -> None:
        """Read until the text is on the screen, below what was waited for before."""
        end = time.monotonic() + 20
        while text not in self.screen[self._seen :]:
            assert time.monotonic() < end, self.screen
            if select([self._ours], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._ours, 4096).decode(errors="replace")
                except OSError:  # the other side is closed
                    break
        assert text in self.screen[self._seen :], self.screen
        self._seen = self.screen.index(text, self._seen) + len(text)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def leave(self) -> int:
        self.wait_for(" now")
        code = self.process.wait(20)
        os.close(self._ours)
        return code


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Terminal]]:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "items.jsonl", *({"id": one, "text": f"Reply {one}"} for one in "abcd"))
    started: list[Terminal] = []

    def start(*args: object) -> Terminal:
        started.append(Terminal("items.jsonl", "--rater", "anna", *args))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is of POSIX")
def test_at_a_terminal_single_keys_answer(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    one = terminal()
    one.wait_for("q quit")
    one.press("y")
    one.wait_for("q quit")
    one.press("\x1b[Am")  # an arrow is no key
    one.wait_for("note: ")
    one.press("so-so\n")
    one.wait_for("noted: so-so")
    one.press("n")
    one.wait_for("2 of 4 done")
    one.wait_for("q quit")
    one.press("u")
    one.wait_for("taken back: fail")
    one.press("?")
    one.wait_for("2 of 4 done")
    one.press("q")
    assert one.leave() == 0
    written = [(each.get("label"), each.get("note")) for each in lines(tmp_path / "labels.jsonl")]
    assert written == [(True, ""), (False, "so-so"), (None, None), (None, "so-so")]


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is of POSIX")
@pytest.mark.parametrize(("leaving", "code"), [("interrupt", 130), ("end", 0)])
def test_leaving_at_a_terminal_keeps_every_label(
    terminal: Callable[..., Terminal], tmp_path: Path, leaving: str, code: int
) -> None:
    one = terminal()
    one.wait_for("q quit")
    one.press("y")
    one.wait_for("1 of 4 done")
    one.wait_for("q quit")
    if leaving == "end":
        one.press("\x04")
    else:
        one.process.send_signal(signal.SIGINT)
    assert one.leave() == code
    assert [each["label"] for each in lines(tmp_path / "labels.jsonl")] == [True]
