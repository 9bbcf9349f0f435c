"""Several results of one scenario and repeat: which of them counts, and what the notes say of the others."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import structs

from grice.records import Conversation, Outcome, Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import collect_run, index_run, read_run
from grice.running.journal.writing import Journal

HEAD = Experiment("exp_1", "2025-01-16T14:30:00.000Z", planned=1)
ELSEWHERE = structs.replace(HEAD, timestamp="2025-01-16T15:00:00.000Z")
LATER = structs.replace(ELSEWHERE, finished_before=1)
WORST_FIRST = ("fail", "error", "inconclusive", "pass", "fail, no", "error, no", "pass, no", "skipped")
"""Outcomes as `written` takes them, the one that counts before others first."""


def result(said: str, key: str = "red", text: str = "") -> Result:
    """Of `pass`, or of `pass, no`, which does not count."""
    outcome, _, no = said.partition(", ")
    return Result(f"example:{key}", key, Outcome(outcome), Conversation(), counts=not no, description=text)


def written(folder: Path, *sessions: Iterable[Result], worker: str = "main", head: Experiment = HEAD) -> None:
    """A file with a head before each of the sessions."""
    for number, results in enumerate(sessions):
        begin = Journal.resume if number else Journal.create
        with begin(folder, head if not number else LATER, worker=worker) as journal:
            for one in results:
                journal.append(one)


def counted(folder: Path) -> tuple[list[Result], tuple[str, ...]]:
    """The results that count and the notes, in which all ways of reading agree."""
    run, index, collected = read_run(folder), index_run(folder), collect_run(folder, lambda one: one)
    assert list(run.results) == list(index.results()) == list(collected.results)
    assert run.notes == index.notes == collected.notes
    assert run.done == index.done == collected.done
    return list(run.results), run.notes


def told(folder: Path) -> str:
    """What counts of the only scenario, as `result` takes it."""
    (one,) = counted(folder)[0]
    return f"{one.outcome.value}{'' if one.counts else ', no'}"


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("worse", "better"),
    [(one, two) for place, one in enumerate(WORST_FIRST) for two in WORST_FIRST[place + 1 :]],
)
def test_of_several_answers_to_one_question_the_worse_one_that_counts_is_taken(
    tmp_path: Path, worse: str, better: str, swapped: bool, apart: bool
) -> None:
    first, second = (worse, better) if swapped else (better, worse)
    if apart:
        written(tmp_path, [result(first)], worker="gw0")
        written(tmp_path, [result(second)], worker="gw1")
    else:
        written(tmp_path, [result(first), result(second)])
    assert told(tmp_path) == worse


def test_retrying_until_it_passes_changes_nothing(tmp_path: Path) -> None:
    once = [result("fail" if number % 2 else "pass", str(number)) for number in range(40)]
    again = [result("pass", one.key, "again") for one in once if one.outcome is Outcome.FAIL]
    still = [result("fail", one.key, "twice") for one in again[:4]]
    written(tmp_path, [*once, *still, *again])
    results, notes = counted(tmp_path)
    assert results == once
    assert notes == (
        (
            "20 results run again in the same session, of which the worse one counts: "
            "1 (repeat 1), 3 (repeat 1), 5 (repeat 1) and 17 more; 20 with another outcome"
        ),
    )


def test_one_that_came_out_alike_is_told_as_such(tmp_path: Path) -> None:
    written(tmp_path, [result("fail"), result("fail", text="again")])
    results, notes = counted(tmp_path)
    assert results == [result("fail")]
    assert notes == (
        (
            "1 result run again in the same session, of which the worse one counts: red (repeat 1); "
            "none with another outcome"
        ),
    )


def test_a_resumed_run_asks_anew(tmp_path: Path) -> None:
    blue = result("pass", "blue")
    written(tmp_path, [result("fail"), blue], [result("pass")])
    results, notes = counted(tmp_path)
    assert results == [blue, result("pass")]
    assert notes == (
        "1 result replaced by a later one when the run was resumed: red (repeat 1); 1 with another outcome",
    )


def test_a_resumed_run_that_asks_twice_does_not_hide_the_worse_answer(tmp_path: Path) -> None:
    written(tmp_path, [result("error")], [result("fail"), result("pass")])
    assert told(tmp_path) == "fail"
    assert [note.split(" red")[0].split(",")[0] for note in counted(tmp_path)[1]] == [
        "1 result run again in the same session",
        "1 result replaced by a later one when the run was resumed:",
    ]


def test_the_head_that_ends_a_recording_begins_no_session(tmp_path: Path) -> None:
    recorded = structs.replace(HEAD, recorded=True)
    written(tmp_path, [result("fail")], head=recorded)
    Journal.resume(tmp_path, recorded).close()
    with (tmp_path / "main.jsonl").open("ab") as stream:
        written(tmp_path / "other", [result("pass")])
        stream.write((tmp_path / "other" / "main.jsonl").read_bytes().splitlines(keepends=True)[1])
    assert told(tmp_path) == "fail"


def test_what_counts_in_each_file_is_held_against_the_others(tmp_path: Path) -> None:
    written(tmp_path, [result("fail"), result("pass")], worker="gw0")
    written(tmp_path, [result("pass")], worker="gw1")
    written(tmp_path, [result("error"), result("skipped")], worker="gw2")
    assert told(tmp_path) == "fail"


@pytest.mark.parametrize("later", ["gw0", "gw2"])
@pytest.mark.parametrize("better", ["pass", "skipped"])
def test_another_time_in_another_file_hides_nothing_where_no_run_was_resumed(
    tmp_path: Path, later: str, better: str
) -> None:
    """As where shards of one run, which began at times of their own, are put into one folder."""
    written(tmp_path, [result("fail")], worker="gw1")
    written(tmp_path, [result(better)], worker=later, head=ELSEWHERE)
    assert told(tmp_path) == "fail"
    assert "in another file" in counted(tmp_path)[1][0]


@pytest.mark.parametrize("later", ["gw0", "gw2"])
def test_a_resumed_run_asks_anew_also_where_another_worker_does(tmp_path: Path, later: str) -> None:
    written(tmp_path, [result("fail")], worker="gw1")
    written(tmp_path, [result("pass")], worker=later, head=LATER)
    assert told(tmp_path) == "pass"
    assert counted(tmp_path)[1] == (
        "1 result replaced by a later one when the run was resumed: red (repeat 1); 1 with another outcome",
    )


def test_a_file_that_is_glued_to_itself_counts_once(tmp_path: Path) -> None:
    written(tmp_path, [result("fail"), result("pass", "blue")])
    file = tmp_path / "main.jsonl"
    file.write_bytes(file.read_bytes() * 2)
    results, notes = counted(tmp_path)
    assert results == [result("fail"), result("pass", "blue")]
    assert notes == (
        (
            "2 results found twice, word for word, as in a copied file, and counted once: "
            "red (repeat 1), blue (repeat 1)"
        ),
    )


def test_a_copied_line_does_not_let_a_better_one_in(tmp_path: Path) -> None:
    written(tmp_path, [result("fail")], [result("fail"), result("pass")])
    assert told(tmp_path) == "fail"
