"""What journals hold comes into the database: once, from where it was left, and as they say it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, text

from grice.experiments.aggregation.as_json import summary_json
from grice.experiments.loading import results_in
from grice.records import Outcome
from grice.running.journal.file_lock import FileLock
from grice.running.journal.writing import Journal
from grice.store import journal_lines
from grice.store.columns import json_value
from grice.store.database import open_database, read_only
from grice.store.queries import experiment_of, results_of_run
from grice.store.syncing import Synced, forget_lost, sync_folder, sync_run
from journals import head, result, rows, run_row, write_run


def sync(engine: Engine, root: Path, *, anew: bool = False) -> list[Synced]:
    return list(sync_folder(engine, root, "bot", anew=anew))


def test_a_run_with_its_results(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path, "exp_1", "++-?s", tags=("nightly",))
    assert sync(engine, tmp_path) == [Synced("exp_1", 5, "FINISHED", changed=True)]
    run = run_row(engine, "exp_1")
    assert (run["state"], run["status"], run["outcome"]) == ("FINISHED", "COMPLETED", "fail")
    assert (run["planned"], run["done"], run["pass_percentage"]) == (5, 5, 50.0)
    assert (run["project_id"], run["name"], run["git_branch"]) == ("bot", "rooms", "main")
    assert run["run_at"] == datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert run["test_suite_id"] == "bot/tests/test_rooms.py"
    found = rows(engine)
    assert [(one["status"], one["outcome"]) for one in found["test_results"]] == [
        ("PASS", "pass"),
        ("PASS", "pass"),
        ("FAIL", "fail"),
        ("FAIL", "inconclusive"),
    ]
    assert [one["outcome"] for one in found["conversations"]][-1] == "skipped"
    assert [one["name"] for one in found["test_cases"]] == ["s0", "s1", "s2", "s3"]
    assert len(found["verdicts"]) == 8
    assert {one["topic"] for one in found["topic_visits"]} == {"prices"}
    assert [(one["label"], one["reason"]) for one in found["findings"]] == [("toContain", "so it is")]
    assert [one["tag"] for one in found["run_tags"]] == ["nightly"]


def test_what_was_skipped_is_in_no_result(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path, "exp_1", "+ss")
    sync(engine, tmp_path)
    with read_only(engine) as connection:
        found = results_of_run(connection, "exp_1").results
    assert [(one["testCaseId"], one["status"], one["output"]) for one in found] == [
        ("bot/example:000000000000", "PASS", "It is 90.")
    ]
    assert [one["assertionId"] for one in found[0]["details"]] == ["", ""]
    assert run_row(engine, "exp_1")["pass_percentage"] == 100.0


def test_the_summary_is_that_of_the_journal(engine: Engine, tmp_path: Path) -> None:
    folder = write_run(tmp_path, "exp_1", "++-?!s")
    sync(engine, tmp_path)
    kept = results_in(folder)
    wanted = msgspec.json.decode(msgspec.json.encode(summary_json(kept.summary, kept.heads[-1])))
    assert json_value(run_row(engine, "exp_1")["summary"]) == wanted
    with read_only(engine) as connection:
        found = experiment_of(connection, "exp_1")
    assert found is not None
    assert (found.heads, found.attempts, found.done) == (kept.heads, kept.attempts, kept.done)


def test_a_second_sync_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path, "exp_1", "+-")
    sync(engine, tmp_path)
    before = rows(engine)
    assert sync(engine, tmp_path) == [Synced("exp_1", 0, "FINISHED")]
    assert rows(engine) == before


def test_only_what_is_new_is_read(engine: Engine, tmp_path: Path) -> None:
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=3)) as journal:
        journal.append(result(0, Outcome.PASS))
        assert sync(engine, tmp_path)[0][:3] == ("exp_1", 1, "RUNNING")
        journal.append(result(1, Outcome.FAIL))
        journal.append(result(2, Outcome.PASS))
        assert sync(engine, tmp_path)[0][:3] == ("exp_1", 2, "RUNNING")
        assert run_row(engine, "exp_1")["summary"] is None
    assert sync(engine, tmp_path)[0][:3] == ("exp_1", 0, "FINISHED")
    assert run_row(engine, "exp_1")["outcome"] == "fail"
    twice = open_database(f"sqlite:///{tmp_path}/again.db")
    from grice.store.migrating import upgrade

    upgrade(twice)
    sync(twice, tmp_path)
    assert rows(twice) == rows(engine)
    twice.dispose()


def test_a_long_journal_is_read_in_chunks(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path, "exp_1", "+-+-+-+-")
    sync(engine, tmp_path)
    whole = rows(engine)
    monkeypatch.setattr(journal_lines, "_MOST_LINES", 2)
    assert sync(engine, tmp_path, anew=True)[0].read == 8
    assert rows(engine) == whole


def test_a_torn_line_is_told_and_read_when_it_is_whole(engine: Engine, tmp_path: Path) -> None:
    folder = write_run(tmp_path, "exp_1", "+-", planned=3)
    more = (
        write_run(tmp_path / "elsewhere", "exp_1", "+-+").joinpath("main.jsonl").read_bytes().splitlines(True)
    )
    with (folder / "main.jsonl").open("ab") as stream:
        stream.write(more[-1][:40])
    found = sync(engine, tmp_path)[0]
    assert found.read == 2
    assert "main.jsonl:4: the last line is torn; it is left out" in found.notes[0]
    with (folder / "main.jsonl").open("ab") as stream:
        stream.write(more[-1][40:])
    assert sync(engine, tmp_path)[0][:3] == ("exp_1", 1, "FINISHED")


def test_a_line_that_cannot_be_read_is_told_and_counted(engine: Engine, tmp_path: Path) -> None:
    folder = write_run(tmp_path, "exp_1", "+")
    with (folder / "main.jsonl").open("ab") as stream:
        stream.write(b"{}\n")
    found = sync(engine, tmp_path)[0]
    assert "main.jsonl:3: left out, it cannot be read" in found.notes[0]
    assert [one["damaged"] for one in rows(engine)["journal_files"]] == [1]


def test_a_newer_journal_is_told_and_the_others_are_read(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path, "exp_1", "+")
    newer = write_run(tmp_path, "exp_2", "+", day=21) / "main.jsonl"
    newer.write_bytes(newer.read_bytes().replace(b'"version":3', b'"version":9'))
    found = sync(engine, tmp_path)
    assert [one.run for one in found] == ["exp_1", ""]
    assert "journal version 9 is newer than this Grice reads (3); update Grice" in found[1].problem
    assert [one["id"] for one in rows(engine)["test_suite_runs"]] == ["exp_1"]


def test_a_run_whose_later_head_is_newer_keeps_what_was_read(engine: Engine, tmp_path: Path) -> None:
    folder = write_run(tmp_path, "exp_1", "+", planned=2)
    sync(engine, tmp_path)
    newer = (
        (folder / "main.jsonl")
        .read_bytes()
        .splitlines(keepends=True)[0]
        .replace(b'"version":3', b'"version":9')
    )
    with (folder / "main.jsonl").open("ab") as stream:
        stream.write(newer)
    found = sync(engine, tmp_path)[0]
    assert "main.jsonl:3: journal version 9 is newer" in found.problem
    assert (found.state, len(rows(engine)["test_results"])) == ("CANCELLED", 1)


def test_what_was_run_again_is_as_the_report_says(engine: Engine, tmp_path: Path) -> None:
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=2)) as journal:
        journal.append(result(0, Outcome.FAIL))
        assert sync(engine, tmp_path)[0].read == 1
        journal.append(result(1, Outcome.PASS))
        journal.append(result(0, Outcome.PASS))  # the worse one counts
    with Journal.resume(tmp_path / "exp_1", head("exp_1", day=21, planned=2, finished_before=2)) as journal:
        sync(engine, tmp_path)
        assert [one["outcome"] for one in rows(engine)["test_results"]] == ["fail", "pass"]
        journal.append(result(1, Outcome.FAIL))  # a resumed run asks anew
    sync(engine, tmp_path)
    kept = results_in(tmp_path / "exp_1")
    assert [one["outcome"] for one in rows(engine)["test_results"]] == ["fail", "fail"]
    assert run_row(engine, "exp_1")["done"] == kept.done == 2
    with read_only(engine) as connection:
        found = experiment_of(connection, "exp_1")
    assert found is not None
    assert (found.heads, found.attempts) == (kept.heads, kept.attempts)
    before = rows(engine)
    sync(engine, tmp_path, anew=True)
    assert rows(engine) == before


def test_another_journal_under_the_same_name_takes_the_place_of_the_first(
    engine: Engine, tmp_path: Path
) -> None:
    folder = write_run(tmp_path, "exp_1", "+-+-")
    sync(engine, tmp_path)
    write_run(tmp_path / "elsewhere", "exp_1", "+")
    (folder / "main.jsonl").write_bytes((tmp_path / "elsewhere" / "exp_1" / "main.jsonl").read_bytes())
    sync(engine, tmp_path)
    assert len(rows(engine)["test_results"]) == 1


@pytest.mark.parametrize(
    ("planned", "ends", "state", "status", "error"),
    [
        (2, "well", "FINISHED", "COMPLETED", None),
        (2, "killed", "FINISHED", "COMPLETED", None),
        (3, "well", "CANCELLED", "FAILED", "it was ended before everything was done; 2 of 3 conversations"),
        (3, "killed", "DIED", "FAILED", "its process 4711 is gone; 2 of 3 conversations are finished"),
        (3, "not", "RUNNING", "RUNNING", None),
    ],
)
def test_how_a_run_stands_follows_from_its_journal_and_its_lock(
    engine: Engine, tmp_path: Path, planned: int, ends: str, state: str, status: str, error: str | None
) -> None:
    folder = write_run(tmp_path, "exp_1", "+-", planned=planned)
    lock = FileLock(folder / "main.lock") if ends == "not" else None
    if ends == "killed":
        (folder / "main.lock").write_text("4711\n")
    sync(engine, tmp_path)
    run = run_row(engine, "exp_1")
    assert (run["state"], run["status"]) == (state, status)
    assert run["outcome"] == ("fail" if state == "FINISHED" else None)
    assert (run["error"] or "").startswith(error or "")
    assert bool(run["error"]) == bool(error)
    if lock is not None:
        lock.release()


def test_a_run_of_which_nothing_more_is_heard_has_died(engine: Engine, tmp_path: Path) -> None:
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=3)) as journal:
        journal.append(result(0, Outcome.PASS))
        sync_run(engine, tmp_path / "exp_1", "bot")
    forget_lost(engine)
    assert run_row(engine, "exp_1")["state"] == "RUNNING"
    forget_lost(engine, clock=lambda: datetime.now(UTC) + timedelta(days=2))
    run = run_row(engine, "exp_1")
    assert (run["state"], run["status"]) == ("DIED", "FAILED")


def test_many_at_once_read_each_line_once(url: str, engine: Engine, tmp_path: Path) -> None:
    for number in range(3):
        write_run(tmp_path, f"exp_{number}", "+-+" * 20, day=number + 1)

    def one(_: int) -> list[Synced]:
        mine = open_database(url)
        try:
            return sync(mine, tmp_path)
        finally:
            mine.dispose()

    with ThreadPoolExecutor(4) as pool:
        found = [one for each in pool.map(one, range(4)) for one in each]
    assert not [one.problem for one in found if one.problem]
    assert sum(one.read for one in found) == 180
    before = rows(engine)
    sync(engine, tmp_path, anew=True)
    assert rows(engine) == before


def test_rebuilding_gives_the_same_rows_and_leaves_the_runs_of_others(engine: Engine, tmp_path: Path) -> None:
    write_run(tmp_path / "elsewhere", "exp_0", "+-", day=1)
    sync_run(engine, tmp_path / "elsewhere" / "exp_0", "bot")
    write_run(tmp_path / "here", "exp_1", "+-s")
    write_run(tmp_path / "here", "exp_2", "--+", day=21, worker="gw0")
    sync(engine, tmp_path / "here")
    before = rows(engine)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM verdicts"))
        connection.execute(text("UPDATE test_results SET details = NULL WHERE test_suite_run_id <> 'exp_0'"))
    sync(engine, tmp_path / "here", anew=True)
    lost = [one for one in before["verdicts"] if one["run_id"] == "exp_0"]
    now = rows(engine)
    assert now.pop("verdicts") == [one for one in before.pop("verdicts") if one not in lost]
    assert now == before


def test_text_of_any_kind_comes_back_as_it_was(engine: Engine, tmp_path: Path) -> None:
    said = "NUL \0, U+001A \x1a, \x1a0000, and an emoji 🏨"
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=1, name="a\0b")) as journal:
        journal.append(result(0, Outcome.FAIL, said=said, description="x\0y"))
    assert sync(engine, tmp_path)[0].problem == ""
    found = rows(engine)
    assert found["test_results"][0]["actual_output"] == said
    assert found["test_suite_runs"][0]["name"] == "a\0b"
    assert found["conversations"][0]["name"] == "x\0y"


def test_what_the_database_does_not_take_is_told(engine: Engine, tmp_path: Path) -> None:
    with Journal.create(tmp_path / "exp_1", head("exp_1", planned=1)) as journal:
        journal.append(msgspec.structs.replace(result(0, Outcome.PASS), repeat=2**63))
    found = sync(engine, tmp_path)[-1]
    assert "cannot be written to the database" in found.problem
