"""Files that users name: what is no file is refused, by every reader, and never waited for."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from grice.checks.performance import BaselineError, read_performance
from grice.experiments.baselines import read_baseline_file
from grice.files.document import FileError, FileErrors, load_file
from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.graph_files import GraphErrors, load_graph
from grice.files.persona_files import PersonaErrors, load_personas
from grice.files.phrase_rule_files import RuleErrors, load_rules
from grice.files.scenario_sets import ScenarioErrors, load_scenarios
from grice.files.settings import load_settings
from grice.files.settings_files import SettingsError
from grice.files.stub_scripts import load_scripts
from grice.files.suite_files import SuiteErrors, load_suite
from grice.formats import FormatError, read_conversations
from grice.judging.calibration_cards import CardError, read_card
from grice.records import Attachment
from grice.running.journal.form import JournalError
from grice.running.journal.reading import first_head, passes_in, read_run
from grice.user_files import TomlError, link_problem, open_file, read_toml, real_path
from grice.users.character import template_text
from grice.users.protocol import UserConfigError
from grice.validation.drifting.baseline import read_baseline
from grice.validation.judges.items import read_items
from grice.validation.judges.labels import read_labels
from grice.validation.judges.verdict_log import read_answers
from grice.wire.cassettes.errors import CassetteError
from grice.wire.cassettes.reading import read_tape

unix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
links = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Makes named pipes that end at once, so that a reader which waits for one finds it empty."""
    made: list[tuple[Path, Thread]] = []
    over = Event()

    def end_each_time(path: Path) -> None:
        while not over.is_set():
            os.close(os.open(path, os.O_WRONLY))

    def make(name: str) -> Path:
        path = tmp_path / name
        os.mkfifo(path)
        thread = Thread(target=end_each_time, args=(path,), daemon=True)
        thread.start()
        made.append((path, thread))
        return path

    yield make
    over.set()
    for path, thread in made:
        reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        thread.join()
        os.close(reading)


READERS: list[tuple[str, Callable[[Path], object], type[Exception]]] = [
    ("a.json", load_file, FileError),
    ("a.golden.json", load_goldens, GoldenErrors),
    ("a.grice.yaml", load_suite, SuiteErrors),
    ("a.graph.yaml", load_graph, GraphErrors),
    ("a.personas.yaml", load_personas, PersonaErrors),
    ("a.rules.yaml", load_rules, RuleErrors),
    ("a.toml", load_rules, RuleErrors),
    ("set.json", load_scenarios, ScenarioErrors),
    ("set.jsonl", load_scenarios, ScenarioErrors),
    ("set.csv", load_scenarios, ScenarioErrors),
    ("script.json", lambda path: load_scripts([path]), FileErrors),
    ("pyproject.toml", lambda path: load_settings(path.parent), SettingsError),
    ("log.jsonl", lambda path: list(read_conversations(path)), FormatError),
    ("main.jsonl", first_head, OSError),
    ("main.jsonl", lambda path: read_run(path.parent), JournalError),
    ("main.jsonl", lambda path: passes_in(path.parent), OSError),
    ("a.baseline.json", read_baseline_file, JournalError),
    ("a.card.json", read_card, CardError),
    ("performance.json", read_performance, BaselineError),
    ("drift.json", read_baseline, FileErrors),
    ("template.md", template_text, UserConfigError),
    ("tape.jsonl", read_tape, CassetteError),
    ("labels.jsonl", lambda path: read_labels([path]), FileErrors),
    ("labels.csv", lambda path: read_labels([path]), FileErrors),
    ("items.jsonl", lambda path: read_items([path]), FileErrors),
    ("answers.jsonl", read_answers, FileErrors),
    ("photo.png", Attachment.of, OSError),
]


@unix
@pytest.mark.parametrize(("name", "read", "error"), READERS, ids=[name for name, _, _ in READERS])
def test_every_reader_refuses_a_pipe(
    pipe: Callable[[str], Path], name: str, read: Callable[[Path], object], error: type[Exception]
) -> None:
    with pytest.raises(error, match="it is a pipe, expected a file"):
        read(pipe(name))


@unix
def test_a_pipe_or_device_is_named(pipe: Callable[[str], Path]) -> None:
    for path, what in ((pipe("pipe"), "a pipe"), (Path("/dev/null"), "a device")):
        with pytest.raises(OSError, match=f"it is {what}, expected a file") as caught:
            open_file(path)
        assert caught.value.filename == str(path)


@unix
def test_a_socket_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(OSError, match="it is a socket, expected a file"):
            open_file("socket")


def test_a_file_is_opened_and_others_are_refused_as_ever(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a\r\nb")
    with open_file(tmp_path / "file") as stream:
        assert stream.read() == b"a\r\nb"
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "gone")


@links
def test_a_loop_of_links_is_called_so(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(OSError, match="it is a loop of links"):
        open_file(one)
    assert link_problem(one) == "is a loop of links"
    assert real_path(one) == one


@links
def test_a_link_to_nothing_says_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("gone")
    assert link_problem(tmp_path / "link") == "is a link to gone, which is not there"
    (tmp_path / "gone").touch()
    assert link_problem(tmp_path / "link") == ""
    assert link_problem(tmp_path / "gone") == ""


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a = ", (1, 5), "a value is missing behind the ="),
        ("a = 1\nb = [\n1,\n", (2, 5), r"the \[ that opens here is not closed"),
        ("a = 1\nb = \x00", (2, 5), "this is no value of TOML"),
        ("a = 1\n  b = " + "9" * 5_000, (2, 7), "a number of thousands of digits"),
        ("a = " + "[" * 3_000 + "]" * 3_000, (1, 1), "nested too deep"),
        ("a = " + "{b = " * 3_000 + "1" + "}" * 3_000, (1, 1), "nested too deep"),
    ],
    ids=["end", "open", "sign", "digits", "lists", "tables"],
)
def test_what_is_no_toml_says_why_and_where(text: str, place: tuple[int, int], said: str) -> None:
    with pytest.raises(TomlError, match=said) as caught:
        read_toml(text)
    assert (caught.value.line, caught.value.column) == place
