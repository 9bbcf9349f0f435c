"""A log, a cassette, labels, a card, a journal and a baseline are data: they are read, and nothing else."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from grice.agents import load_target
from grice.checks.message_lint.entry import lint
from grice.cli.lint_files import Subject, read_subjects
from grice.experiments.baselines import load_baseline, save_baseline
from grice.experiments.loading import read_experiment
from grice.files.document import FileErrors
from grice.formats import FormatError, read_conversations
from grice.formats.lines import Unreadable
from grice.judging.calibration_cards import Card, CardError, card_json, read_card
from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError
from grice.running.journal.reading import read_run
from grice.running.journal.writing import Journal
from grice.scanning import default_checks, scan
from grice.stats.rates import Confusion
from grice.validation.judges.labels import read_labels
from grice.wire.cassettes import Cassette, CassetteError
from grice.wire.cassettes.reading import read_tape

CANARY = "canary_of_the_tests"
NAMES = (f"{CANARY}:agent", f"{CANARY}.app:agent", CANARY, f"!!python/object/apply:{CANARY}.agent")


class Recorder:
    """A finder that notes who asks for the canary, and finds it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] == CANARY:
            self.asked.append(name)
        return None


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Records imports of a module that is there to be imported."""
    recorder = Recorder()
    (tmp_path / f"{CANARY}.py").write_text("agent = 'hello'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [recorder, *sys.meta_path])
    return recorder


def planted(value: Any) -> Iterator[Any]:
    """The value with a name in place of each of its texts, one after the other, and in fields of its own."""
    if isinstance(value, str):
        yield from NAMES
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in planted(each))
    elif isinstance(value, dict):
        for field, each in value.items():
            yield from (value | {field: other} for other in planted(each))
        fields = ("agent", "embedder", "llm", "type", "__class__", "py/object", "$ref")
        yield value | dict.fromkeys(fields, NAMES[0])


MESSAGES = [
    {"role": "user", "content": "Is it free?"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "yes"},
    {"role": "assistant", "content": "It is."},
]


def a_log(path: Path) -> None:
    path.write_text(json.dumps({"id": "one", "messages": MESSAGES}) + "\n")


def a_cassette(path: Path) -> None:
    request = {"provider": "openai", "model": "m", "messages": MESSAGES}
    with Cassette.open(path, "all", environ={}) as recorded:
        recorded.begin("judge", request).record({"text": "yes"})


def labels(path: Path) -> None:
    path.write_text(
        '{"item": "reply-1", "label": true, "rater": "anna", "criterion": "kind", "note": "so"}\n'
    )


def a_card(path: Path) -> None:
    counts = Confusion(true_alarms=20, false_alarms=3, missed=7, true_quiet=30)
    card = Card(
        judge="kind",
        model="m",
        prompt="criterion",
        prompt_version=1,
        prompt_hash="sha256:1",
        n=60,
        decisions=counts,
    )
    path.write_bytes(card_json(card))


def journal_in(folder: Path) -> None:
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")))
    verdict = Verdict(Outcome.PASS, matcher="toContain", claim="the reply to contain 'Hello'", turn=1)
    with Journal.create(folder, Experiment("exp_1", "2025-01-16T14:30:00.000Z", planned=1)) as journal:
        journal.append(Result("a:1", "key", Outcome.PASS, Conversation(turns=(turn,)), (verdict,)))


def a_journal(path: Path) -> None:
    journal_in(path.parent / "made")
    path.write_bytes((path.parent / "made" / "main.jsonl").read_bytes())


def a_baseline(path: Path) -> None:
    runs = path.parent / "runs"
    journal_in(runs / "exp_1")
    save_baseline("one", read_experiment("exp_1", runs=runs), path.parent, accept=True).replace(path)


def lint_all(path: Path) -> None:
    for subject in read_subjects(path):
        if isinstance(subject, Subject):
            lint(subject.array)


READERS: dict[str, tuple[Callable[[Path], None], str, Callable[[Path], object]]] = {
    "a log that is read": (a_log, "log.jsonl", lambda path: list(read_conversations(path))),
    "a log that is scanned": (a_log, "log.jsonl", lambda path: scan([path], default_checks())),
    "a log that is linted": (a_log, "log.jsonl", lint_all),
    "a cassette": (a_cassette, "tape.jsonl", read_tape),
    "labels": (labels, "labels.jsonl", lambda path: read_labels([path])),
    "a card": (a_card, "kind.card.json", read_card),
    "a journal": (a_journal, "main.jsonl", lambda path: read_run(path.parent)),
    "a baseline": (a_baseline, "one.baseline.json", load_baseline),
}


REFUSALS = (FormatError, Unreadable, CassetteError, FileErrors, CardError, JournalError)


@pytest.mark.parametrize("kind", READERS)
def test_names_in_data_are_not_imported(tmp_path: Path, recorder: Recorder, kind: str) -> None:
    write, name, read = READERS[kind]
    path = tmp_path / "files" / name
    path.parent.mkdir()
    write(path)
    read(path)  # it can be read as it is
    text = path.read_text("utf-8")
    whole = name.endswith(".json")
    lines = [text] if whole else text.splitlines()
    for place, line in enumerate(lines):
        for other in planted(json.loads(line)):
            path.write_text(
                "\n".join([*lines[:place], json.dumps(other), *lines[place + 1 :]]) + "\n", "utf-8"
            )
            with suppress(*REFUSALS):
                read(path)
    assert recorder.asked == []
    assert CANARY not in sys.modules


def test_a_name_that_is_an_agents_is_imported(tmp_path: Path, recorder: Recorder) -> None:
    assert load_target(NAMES[0], root=tmp_path) == "hello"
    assert CANARY in recorder.asked
    del sys.modules[CANARY]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
@pytest.mark.timeout(20)  # a watchdog: a pipe without a writer would be waited for
@pytest.mark.parametrize("what", ["pipe", "device"])
@pytest.mark.parametrize("kind", READERS)
def test_a_pipe_and_a_device_are_not_read(tmp_path: Path, kind: str, what: str) -> None:
    _, name, read = READERS[kind]
    if what == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("/dev/zero")
    try:
        said = str(read(tmp_path / name))
    except REFUSALS as refusal:
        said = str(refusal)
    assert f"it is a {what}, expected a file" in said
