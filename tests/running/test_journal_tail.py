"""Following a journal while it is written."""

from pathlib import Path

import pytest

from grice.records import Conversation, Outcome, Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun
from grice.running.journal.tailing import BadPlace, JournalTail
from grice.running.journal.writing import Journal

HEAD = Experiment("exp_0123456789ab", "2026-01-16T14:30:00.000Z", planned=2)


def result(key: str) -> Result:
    return Result(key, key, Outcome.PASS, Conversation())


def told(tail: JournalTail) -> list[str]:
    return [getattr(one.holds, "key", "head") for one in tail.new_lines()]


def test_each_line_is_told_once_whichever_worker_wrote_it(tmp_path: Path) -> None:
    tail = JournalTail(tmp_path)
    assert told(tail) == []
    with Journal.create(tmp_path, HEAD) as main, Journal.create(tmp_path, HEAD, worker="gw0") as other:
        main.begin(Begun("a", "a"))
        other.append(result("b"))
        assert sorted(told(tail)) == ["a", "b", "head", "head"]
        main.append(result("a"))
        assert told(tail) == ["a"]
    assert told(tail) == []


def test_every_place_goes_on_behind_its_line(tmp_path: Path) -> None:
    with Journal.create(tmp_path, HEAD) as main, Journal.create(tmp_path, HEAD, worker="gw0") as other:
        for key in "abc":
            main.append(result(key))
            other.append(result(key.upper()))
    lines = list(JournalTail(tmp_path).new_lines())
    for number, line in enumerate(lines):
        assert list(JournalTail(tmp_path, line.place).new_lines()) == lines[number + 1 :]


def test_a_torn_line_is_told_when_it_is_whole_and_a_damaged_one_not_at_all(tmp_path: Path) -> None:
    with Journal.create(tmp_path, HEAD) as journal:
        journal.append(result("a"))
    file = tmp_path / "main.jsonl"
    whole = file.read_bytes()
    line = whole.splitlines(keepends=True)[1]
    tail = JournalTail(tmp_path)
    file.write_bytes(whole + b"{damaged}\n" + line[:20])
    assert told(tail) == ["head", "a"]
    file.write_bytes(whole + b"{damaged}\n" + line)
    assert told(tail) == ["a"]


@pytest.mark.parametrize(
    "place", ["main", "main:", "main:1", "main:-1", "../main:0", "main:999999", ",", "a b:1"]
)
def test_what_is_no_place_of_the_journal_is_refused(tmp_path: Path, place: str) -> None:
    Journal.create(tmp_path, HEAD).close()
    with pytest.raises(BadPlace):
        JournalTail(tmp_path, place)
