"""The journal of a run: what is written stays, what is torn is known."""

import errno
import json
import os
import shutil
import threading
from pathlib import Path

import pytest
from msgspec import structs

from grice.records import Conversation, Evidence, Message, Outcome, Result, ToolCall, Turn, Verdict, failed
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun, JournalError
from grice.running.journal.reading import index_run, read_run
from grice.running.journal.writing import Journal

HEAD = Experiment("exp_1", "2025-01-16T14:30:00.000Z", name="Prompt v2.3", planned=3)


def result(id_: str = "example:1", repeat: int = 1, text: str = "Hello!", fingerprint: str = "") -> Result:
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", text)))
    verdict = Verdict(Outcome.PASS, matcher="toContain", claim="the reply to contain 'Hello'", turn=1)
    return Result(
        id_,
        f"key of {id_}",
        Outcome.PASS,
        Conversation(turns=(turn,)),
        (verdict,),
        repeat=repeat,
        fingerprint=fingerprint,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "exp_1"


def test_what_was_appended_is_read_with_its_head(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1"))
        journal.append(result("example:2", text="a\nb\u2028c"))
    run = read_run(str(folder))
    assert run.experiment == HEAD
    assert run.results == (result("example:1"), result("example:2", text="a\nb\u2028c"))
    assert (run.notes, run.damaged, run.planned) == ((), 0, 3)


def test_the_first_line_is_a_versioned_head_and_every_other_one_a_result(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result())
    head, line = map(json.loads, (folder / "main.jsonl").read_text().splitlines())
    assert list(head) == ["version", "kind", "experiment"]
    assert (head["version"], head["kind"], head["experiment"]["id"]) == (3, "grice.journal", "exp_1")
    assert list(line) == ["result"]


def test_a_line_stands_in_the_file_before_append_returns(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result())
        assert read_run(folder).results == (result(),)


def test_no_secret_is_written_in_a_head_or_a_result(folder: Path) -> None:
    head = Experiment("exp_1", "", command=("grice", "run", "--key=sk-ant-12345678901"))
    with Journal.create(folder, head) as journal:
        journal.append(result(text="the password=hunter2 is yours"))
    written = (folder / "main.jsonl").read_text()
    assert "hunter2" not in written
    assert "sk-ant-12345678901" not in written
    assert (
        read_run(folder).results[0].conversation.turns[0].text == "the password=[redacted: password] is yours"
    )


def test_a_secret_of_a_tool_call_is_written_in_no_other_text_of_the_result(folder: Path) -> None:
    call = ToolCall("log_in", {"password": "hunter2-horse"})
    said = (Message("user", "I am hunter2-horse"), Message("assistant", "Ok", tool_calls=(call,)))
    evidence = (Evidence("hunter2-horse"),)
    verdict = Verdict(Outcome.FAIL, "it is 'hunter2-horse'", evidence, claim="to be 'hunter2-horse'")
    held = Conversation(turns=(Turn(1, said),))
    one = Result("example:1", "log-in[hunter2-horse]", Outcome.FAIL, held, (verdict,))
    with Journal.create(folder, HEAD) as journal:
        journal.append(one)
        journal.append(result("example:2", text="hunter2-horse is the name of another"))

    first, second = read_run(folder).results
    assert first.key == one.key  # by which it is found again
    assert (folder / "main.jsonl").read_text().splitlines()[1].count("hunter2-horse") == 1
    assert first.verdicts[0].reason == "it is '[redacted: password]'"
    assert second.conversation.turns[0].text == "hunter2-horse is the name of another"


@pytest.mark.parametrize("kept", [1, 50, -1])
def test_a_torn_last_line_is_an_unfinished_conversation(folder: Path, kept: int) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1"))
        journal.append(result("example:2"))
    path = folder / "main.jsonl"
    *whole, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole) + last[:kept])
    run = read_run(folder)
    assert run.results == (result("example:1"),)
    assert run.damaged == 0
    torn = (
        f"{path}:3: the last line is torn ({len(last[:kept])} bytes): its conversation counts as not finished"
    )
    assert run.notes == (f"{torn}, unless its result stands elsewhere",)


def test_a_resumed_run_cuts_the_torn_line_and_goes_on_behind_the_last_whole_one(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1"))
    with (folder / "main.jsonl").open("ab") as stream:
        stream.write(b'{"result":{"id":"example:2"' + b" " * 100_000)
    later = Experiment("exp_1", "2025-01-16T15:00:00.000Z", planned=2)
    with Journal.resume(folder, later) as journal:
        assert journal.cut == 100_027
        journal.append(result("example:2"))
    run = read_run(folder)
    assert run.results == (result("example:1"), result("example:2"))
    assert run.heads == (HEAD, later)
    assert (run.experiment, run.planned, run.notes) == (HEAD, 2, ())


@pytest.mark.parametrize("left", [b"", b'{"version":1,"ki'])
def test_a_run_that_was_killed_before_its_head_was_written_can_be_resumed(folder: Path, left: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "main.jsonl").write_bytes(left)
    with pytest.raises(JournalError, match="nothing was written to its journal"):
        read_run(folder)
    with Journal.resume(folder, HEAD) as journal:
        journal.append(result())
    assert read_run(folder).results == (result(),)


def test_a_bad_line_in_the_middle_is_named_and_the_rest_is_read(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        for number in (1, 2, 3):
            journal.append(result(f"example:{number}"))
    path = folder / "main.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"outcome":"pass"', b'"outcome":"fine"')
    lines.insert(1, b"\xff\x00 rubbish\n")
    path.write_bytes(b"".join(lines))
    run = read_run(folder)
    assert [one.id for one in run.results] == ["example:1", "example:3"]
    assert run.damaged == 2
    assert run.notes[0].startswith(f"{path}:2: left out, it cannot be read: ")
    assert run.notes[1].startswith(f"{path}:4: left out, it cannot be read: Invalid enum value 'fine'")


def test_a_repeat_that_there_is_not_makes_a_line_that_cannot_be_read(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1", repeat=-3))
        journal.append(result("example:2"))
    run = read_run(folder)
    assert ([one.id for one in run.results], run.damaged) == (["example:2"], 1)
    assert run.notes[0].endswith("repeats count from 1, found -3")


def test_a_file_of_a_worker_that_is_gone_leaves_the_run_unfinished(folder: Path) -> None:
    for worker in ("gw0", "gw1"):
        with Journal.create(folder, HEAD, worker=worker) as journal:
            journal.append(result(f"example:{worker}"))
    later = structs.replace(HEAD, timestamp="2025-01-17T14:30:00.000Z", finished_before=2)
    with Journal.resume(folder, later, worker="gw1") as journal:
        journal.append(result("example:3"))
    assert (read_run(folder).done, read_run(folder).complete) == (3, True)
    (folder / "gw0.jsonl").unlink()
    assert (read_run(folder).done, index_run(folder).done, read_run(folder).complete) == (2, 2, False)


def test_a_journal_of_a_newer_version_is_refused_by_name(folder: Path) -> None:
    folder.mkdir(parents=True)
    path = folder / "main.jsonl"
    path.write_text('{"version":4,"kind":"grice.journal","experiment":[]}\n')
    message = rf"{path}:1: journal version 4 is newer than this Grice reads \(3\); update Grice"
    with pytest.raises(JournalError, match=message):
        read_run(folder)
    with pytest.raises(JournalError, match="is newer than this Grice reads"):
        Journal.resume(folder, HEAD)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json\n", "main.jsonl:1: not a journal of Grice: JSON is malformed"),
        ('{"id": 1}\n', "main.jsonl:1: not a journal of Grice: neither a head nor a result"),
        ('{"version":1,"kind":"other","experiment":{}}\n', "neither a head nor a result"),
        ('{"version":3,"kind":"grice.journal","experiment":{"id":1}}\n', "Expected `str`, got `int`"),
        (
            '{"version":3,"kind":"grice.journal","experiment":{"id":"exp_1","timestamp":"","planned":-3}}\n',
            "Expected `int` >= 0 - at `\\$.planned`",
        ),
        (
            '{"version":3,"kind":"grice.journal","experiment":{"id":"exp_1","timestamp":"","planned":%s}}\n'
            % ("9" * 400),
            "Expected `int` <= 1000000000000 - at `\\$.planned`",
        ),
    ],
)
def test_a_file_that_is_no_journal_is_refused(folder: Path, line: str, message: str) -> None:
    folder.mkdir(parents=True)
    (folder / "main.jsonl").write_text(line)
    with pytest.raises(JournalError, match=message):
        read_run(folder)


def test_a_first_line_that_is_a_result_is_no_head(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result())
    path = folder / "main.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(JournalError, match="its first line is no head"):
        read_run(folder)


def test_a_folder_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="gone: there is no such folder"):
        read_run(tmp_path / "gone")
    with pytest.raises(JournalError, match="there is no journal"):
        read_run(tmp_path)


def test_two_runs_on_one_folder_are_refused_with_the_number_of_the_process(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        message = rf"main.jsonl: another run \(process {os.getpid()}\) is writing it"
        with pytest.raises(JournalError, match=message):
            Journal.resume(folder, HEAD)
        with pytest.raises(JournalError, match=message):
            Journal.create(folder, HEAD)
        journal.append(result())
    Journal.resume(folder, HEAD).close()
    assert len(read_run(folder).results) == 1


def test_a_journal_that_is_there_is_not_begun_anew(folder: Path) -> None:
    Journal.create(folder, HEAD).close()
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal.create(folder, HEAD)


def test_another_runs_journal_is_not_resumed(folder: Path) -> None:
    Journal.create(folder, HEAD).close()
    with pytest.raises(JournalError, match="it is the journal of exp_1, not of exp_2"):
        Journal.resume(folder, Experiment("exp_2", ""))
    Journal.resume(folder, HEAD).close()


def test_the_files_of_several_workers_are_one_run(folder: Path) -> None:
    with Journal.create(folder, HEAD, worker="gw0") as one, Journal.create(folder, HEAD, worker="gw1") as two:
        two.append(result("example:2"))
        one.append(result("example:1"))
    assert [each.id for each in read_run(folder).results] == ["example:1", "example:2"]


def test_files_of_different_runs_in_one_folder_are_refused(folder: Path) -> None:
    Journal.create(folder, HEAD, worker="gw0").close()
    Journal.create(folder, Experiment("exp_2", ""), worker="gw1").close()
    with pytest.raises(JournalError, match="it is the journal of exp_2, and other files here are of exp_1"):
        read_run(folder)


ORDER = (Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.PASS, Outcome.SKIPPED)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("worse", "better"), [(one, two) for place, one in enumerate(ORDER) for two in ORDER[place + 1 :]]
)
def test_of_results_in_several_files_the_worse_one_counts(
    folder: Path, worse: Outcome, better: Outcome, swapped: bool
) -> None:
    outcomes = (worse, better) if swapped else (better, worse)
    for worker, outcome in zip(("gw0", "gw1"), outcomes, strict=True):
        with Journal.create(folder, HEAD, worker=worker) as journal:
            journal.append(structs.replace(result(), outcome=outcome))
    run, index = read_run(folder), index_run(folder)
    assert [one.outcome for one in run.results] == [one.outcome for one in index.results()] == [worse]
    told = "1 result with another result in another file, of which the worse one counts: "
    assert run.notes == index.notes == (f"{told}key of example:1 (repeat 1); 1 with another outcome",)
    assert (run.done, index.done) == (1, 1)


def test_the_latest_head_is_the_last_one_of_its_file_whatever_the_clock_said(folder: Path) -> None:
    Journal.create(folder, HEAD).close()
    set_back = structs.replace(HEAD, timestamp="2025-01-16T14:00:00.000Z", planned=7)
    Journal.resume(folder, set_back).close()
    later = structs.replace(HEAD, timestamp="2025-01-16T14:20:00.000Z", planned=9)
    Journal.create(folder, later, worker="gw1").close()
    for run in (read_run(folder), index_run(folder)):
        assert run.heads == (later, HEAD, set_back)
        assert run.planned == 7


def test_a_full_disk_stops_the_run_and_keeps_what_was_finished(folder: Path) -> None:
    resource = pytest.importorskip("resource", reason="no limits on the size of files here")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1"))
        size = journal.path.stat().st_size
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, limits[1]))
            with pytest.raises(JournalError, match=r"main.jsonl: cannot be written: File too large"):
                journal.append(result("example:2"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        with pytest.raises(JournalError, match="cannot be written: File too large"):
            journal.append(result("example:3"))
    assert journal.path.stat().st_size == size
    run = read_run(folder)
    assert (run.results, run.notes) == ((result("example:1"),), ())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="no journal can be written here: Not a directory"):
        Journal.create(tmp_path / "file" / "exp_1", HEAD)
    (tmp_path / "exp_1" / "main.jsonl").mkdir(parents=True)
    with pytest.raises(JournalError, match=r"main\.jsonl: cannot be written: Is a directory"):
        Journal.create(tmp_path / "exp_1", HEAD)


def test_a_result_that_is_not_json_is_named_and_others_are_still_written(folder: Path) -> None:
    odd = Result("example:1", "odd", Outcome.PASS, Conversation(metadata={"at": object()}))
    with Journal.create(folder, HEAD) as journal:
        with pytest.raises(JournalError, match="the result of 'odd' is not JSON"):
            journal.append(odd)
        journal.append(result())
    assert read_run(folder).results == (result(),)


def test_a_result_with_half_a_character_is_written_without_it(folder: Path) -> None:
    odd = Result("example:1", "odd", Outcome.FAIL, Conversation(), (failed("it says x\ud800"),))
    with Journal.create(folder, HEAD) as journal:
        journal.append(odd)
    (found,) = read_run(folder).results
    assert (found.key, found.verdicts[0].reason) == ("odd", "it says x\ufffd")


def test_a_closed_journal_takes_nothing(folder: Path) -> None:
    journal = Journal.create(folder, HEAD)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="the journal is closed"):
        journal.append(result())


def test_threads_write_whole_lines(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:

        def write(worker: int) -> None:
            for number in range(20):
                journal.append(result(f"example:{worker}-{number}"))

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    run = read_run(folder)
    assert (len(run.results), run.notes) == (80, ())


def test_what_was_begun_and_not_finished_is_named_and_what_never_began_is_counted(folder: Path) -> None:
    head = structs.replace(HEAD, planned=5)
    with Journal.create(folder, head) as journal:
        journal.begin(Begun("example:1", "one"))
        journal.begin(Begun("example:2", "two", 3))
        journal.append(result("example:1"))
        journal.begin(Begun("example:3", "password=hunter2"))
    run, index = read_run(folder), index_run(folder)
    assert run.unfinished == index.unfinished == ("two (repeat 3)", "password=[redacted: password]")
    assert (run.never_begun, index.never_begun, run.complete, run.notes) == (2, 2, False, ())
    assert read_run(folder).results == (result("example:1"),)


def test_what_a_killed_worker_had_begun_and_another_finished_is_finished(folder: Path) -> None:
    with Journal.create(folder, HEAD, worker="gw0") as journal:
        journal.begin(Begun("example:1", "one"))
    with (folder / "gw0.jsonl").open("ab") as stream:
        stream.write(b'{"result":{"id":"example:1","key"')
    with Journal.create(folder, HEAD, worker="gw1") as journal:
        journal.begin(Begun("example:1", "one"))
        journal.append(result("example:1"))
    run = read_run(folder)
    assert (len(run.results), run.unfinished, run.never_begun, run.damaged) == (1, (), 2, 0)
    torn = (
        "the last line is torn (33 bytes): its conversation counts as not finished, unless its result stands "
        "elsewhere"
    )
    assert run.notes == (f"{folder / 'gw0.jsonl'}:3: {torn}",)


def test_a_copied_file_counts_once_and_is_noted(folder: Path) -> None:
    with Journal.create(folder, HEAD, worker="gw0") as journal:
        for number in range(1, 6):
            journal.append(result(f"example:{number}"))
    shutil.copy(folder / "gw0.jsonl", folder / "gw0 copy.jsonl")
    run, index = read_run(folder), index_run(folder)
    assert (len(run.results), run.done, len(list(index.results()))) == (5, 5, 5)
    assert run.notes == index.notes
    named = ", ".join(f"key of example:{number} (repeat 1)" for number in (1, 2, 3))
    twice = "5 results found twice, word for word, as in a copied file, and counted once"
    assert run.notes == (f"{twice}: {named} and 2 more",)


def test_a_journal_of_an_older_version_is_refused_by_name(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result())
    path = folder / "main.jsonl"
    path.write_text(path.read_text().replace('"version":3', '"version":2', 1))
    with pytest.raises(JournalError, match=r"1: journal version 2 is older than this Grice reads \(3\)"):
        read_run(folder)


def test_a_disk_that_is_full_from_the_start_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal.create(folder, HEAD) as journal:
        journal.append(result("example:1"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(JournalError, match=r"main.jsonl: cannot be written: No space left on device"):
                journal.begin(Begun("example:2", "two"))
        with pytest.raises(JournalError, match="No space left on device"):
            journal.append(result("example:2"))
    assert read_run(folder).results == (result("example:1"),)


def test_a_run_in_which_nothing_was_finished_has_no_results_and_did_not_pass(folder: Path) -> None:
    Journal.create(folder, HEAD).close()
    run = read_run(folder)
    assert (run.results, run.complete, run.passed, run.never_begun) == ((), False, False, 3)
    nothing = structs.replace(HEAD, planned=0)
    Journal.create(folder.with_name("exp_0"), nothing).close()
    assert not read_run(folder.with_name("exp_0")).complete


def test_two_runs_at_once_in_one_root_do_not_meet(folder: Path) -> None:
    other = structs.replace(HEAD, id="exp_2")
    with Journal.create(folder, HEAD) as one, Journal.create(folder.with_name("exp_2"), other) as two:
        one.append(result("example:1"))
        two.append(result("example:1"))
    assert len(read_run(folder).results) == len(read_run(folder.with_name("exp_2")).results) == 1


def test_a_workers_name_is_no_path(folder: Path) -> None:
    with pytest.raises(ValueError, match="a worker's name has letters"):
        Journal.create(folder, HEAD, worker="../x")


def test_ctrl_c_within_a_line_leaves_nothing_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def interrupted(file: int, data: bytes) -> int:
        write(file, data[:50])
        raise KeyboardInterrupt

    with Journal.create(folder, HEAD) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", interrupted)
            with pytest.raises(KeyboardInterrupt):
                journal.append(result("example:1"))
        journal.append(result("example:2"))
    run = read_run(folder)
    assert ([one.id for one in run.results], run.damaged) == (["example:2"], 0)


def test_results_of_what_is_planned_no_more_finish_nothing(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        for number in (1, 2, 3):
            journal.append(result(f"example:{number}", fingerprint="sha256:a"))
    assert read_run(folder).complete
    later = structs.replace(HEAD, timestamp="2025-01-17T14:30:00.000Z", finished_before=1)
    with Journal.resume(folder, later) as journal:  # two scenarios were changed
        journal.append(result("example:2", fingerprint="sha256:b"))
    run, index = read_run(folder), index_run(folder)
    assert (run.complete, run.passed, run.done, index.done, len(run.results)) == (False, False, 2, 2, 3)


def test_a_run_that_goes_on_is_reported_as_it_was_when_it_was_looked_at(folder: Path) -> None:
    with Journal.create(folder, HEAD, worker="gw0") as one, Journal.create(folder, HEAD, worker="gw1") as two:
        one.append(result("example:1"))
        two.append(result("example:2"))
        index = index_run(folder)
        one.append(result("example:3"))
        assert [each.id for each in index.results()] == ["example:1", "example:2"]


@pytest.mark.parametrize("written", [0, 20])
def test_a_head_that_cannot_be_written_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    write = os.write

    def full(file: int, data: bytes) -> int:
        if not data.startswith(b"{"):
            return write(file, data)  # its number, into the lock
        if not written or len(data) < 200:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[:written])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(JournalError, match=r"main.jsonl: cannot be written: No space left on device"):
            Journal.create(folder, HEAD)
    assert list(folder.parent.iterdir()) == []
    Journal.create(folder, HEAD, worker="gw0").close()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(JournalError, match="No space left on device"):
            Journal.create(folder, HEAD)
    assert sorted(one.name for one in folder.iterdir()) == ["gw0.jsonl", "gw0.lock"]


def test_ctrl_c_within_a_head_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(file: int, data: bytes) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("grice.running.journal.file_lock._write_pid", lambda file: None)
    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Journal.create(folder, HEAD)
    assert list(folder.parent.iterdir()) == []


def test_a_lock_that_cannot_be_written_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(JournalError, match="no journal can be written here: No space left on device"):
        Journal.create(folder, HEAD)
    assert list(folder.parent.iterdir()) == []


def test_what_another_has_begun_stays_where_a_second_fails(folder: Path) -> None:
    with Journal.create(folder, HEAD) as journal:
        journal.append(result())
        with pytest.raises(JournalError, match="another run"):
            Journal.create(folder, HEAD)
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal.create(folder, HEAD)
    assert read_run(folder).results == (result(),)
