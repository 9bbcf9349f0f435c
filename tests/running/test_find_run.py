"""Which run is meant: one notation for all commands."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import find_run, runs_in
from grice.running.journal.form import JournalError
from grice.running.journal.writing import Journal

NOW = datetime(2025, 1, 20, 12, 0, tzinfo=UTC)

Find = Callable[..., str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Six runs, one a day from the 11th at noon, and one folder whose journal cannot be read."""
    rows = (
        ("exp_a1", "nightly", (), "main"),
        ("exp_b2", "first try", ("prompt-v2",), "feature/x"),
        ("exp_b3", "nightly", ("prompt-v2", "slow"), "main"),
        ("exp_c4", "latest", ("exp_a1",), "main"),
        ("exp_d5", "b", (), None),
        ("exp_e6", "v1~2", (), "b2"),
    )
    for day, (id_, name, tags, branch) in enumerate(rows, 11):
        began = f"2025-01-{day}T12:00:00.000Z"
        head = Experiment(id_, began, name=name, tags=tags, git_branch=branch)
        Journal.create(tmp_path / id_, head).close()
    (tmp_path / "exp_f7").mkdir()
    (tmp_path / "exp_f7" / "main.jsonl").write_text("rubbish\n")
    os.utime(tmp_path / "exp_f7", (0, 0))  # it is older than the others
    return tmp_path


@pytest.fixture
def find(root: Path) -> Find:
    return lambda wanted, **more: find_run(wanted, root, clock=lambda: NOW, **more).name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("exp_a1", "exp_a1"),
        ("a1", "exp_a1"),
        ("exp_a", "exp_a1"),
        ("exp_f7", "exp_f7"),  # what is wrong with it says who reads it
        ("latest", "exp_e6"),
        ("nightly", "exp_b3"),
        ("first try", "exp_b2"),
        ("prompt-v2", "exp_b3"),
        ("slow", "exp_b3"),
        ("feature/x", "exp_b2"),
        ("main", "exp_c4"),
        ("name:latest", "exp_c4"),
        ("tag:exp_a1", "exp_c4"),
        ("branch:b2", "exp_e6"),
        ("b2", "exp_b2"),  # an id goes before a branch
        ("b", "exp_d5"),  # two ids begin so, and one run is called so
        ("v1~2", "exp_e6"),
        ("latest~1", "exp_d5"),
        ("latest~0", "exp_e6"),
        ("exp_c4~1", "exp_b3"),
        ("nightly~1", "exp_a1"),
        ("main~1", "exp_b3"),
        ("branch:main~2", "exp_a1"),
        ("tag:prompt-v2~1", "exp_b2"),
        ("v1~2~1", None),
        ("2025-01-13", "exp_b3"),
        ("2025-01-13T11:59", "exp_b2"),
        ("2025-01-13T12:00", "exp_b3"),
        ("2025-01-13T12:30+01:00", "exp_b2"),
        ("7 days ago", "exp_b3"),
        ("1 week ago", "exp_b3"),
        ("169 hours ago", "exp_b2"),
        ("7 days ago~1", "exp_b2"),
    ],
)
def test_a_run_is_found_in_every_way(find: Find, wanted: str, found: str | None) -> None:
    if found is None:
        with pytest.raises(JournalError, match="there is only 1 run in"):
            find(wanted)
    else:
        assert find(wanted) == found


@pytest.mark.slow
def test_a_folder_goes_first_and_counts_back_too(
    find: Find, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_run(str(root / "exp_c4"), Path("elsewhere")) == root / "exp_c4"
    assert find_run(f"{root / 'exp_c4'}~2", Path("elsewhere")) == root / "exp_b2"
    monkeypatch.chdir(root)
    assert find_run("exp_c4", Path("elsewhere")) == Path("exp_c4")
    (root / "feature" / "x").mkdir(parents=True)
    assert find("feature/x") == "exp_b2"  # a folder without a journal is none


@pytest.mark.slow
def test_a_folder_without_a_journal_is_left_to_who_reads_it(root: Path) -> None:
    (root / "sub" / "deep").mkdir(parents=True)
    assert find_run(str(root / "sub" / "deep"), root) == root / "sub" / "deep"


@pytest.mark.slow
def test_a_run_can_be_left_out_where_others_are_meant_too(find: Find) -> None:
    assert find("latest", other_than="exp_e6") == "exp_d5"
    assert find("main", other_than="exp_c4") == "exp_b3"
    assert find("7 days ago", other_than="exp_b3") == "exp_b2"
    assert find("main", other_than="exp_a1") == "exp_c4"
    assert find("exp_c4", other_than="exp_c4") == "exp_c4"
    assert find("latest~1", other_than="exp_e6") == "exp_d5"
    for itself in ("latest~0", "branch:b2~0", "exp_e6~0", "1 day ago~0", "e6"):
        assert find(itself, other_than="exp_e6") == "exp_e6"
    with pytest.raises(JournalError, match=r"^slow: there is no such run in .* besides exp_b3$"):
        find("slow", other_than="exp_b3")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("exp_b", r"^exp_b: several runs in .* begin so: exp_b2, exp_b3$"),
        (
            "nightli",
            r"^nightli: there is no such run \(did you mean 'nightly'\?\); there are 7 in .*: give a",
        ),
        ("promt-v2", r"did you mean 'prompt-v2'\?"),
        ("featrue/x", r"did you mean 'feature/x'\?"),
        ("lates", r"did you mean 'latest'\?"),
        ("exb_p2", r"^exb_p2: there is no such run; there are 7"),
        ("tag:slwo", r"^tag:slwo: there is no such run \(did you mean 'tag:slow'\?\)"),
        ("branch:nightly", "there is no such run"),
        ("nightly~2", r"^nightly~2: there are only 2 runs in .*, nightly itself included$"),
        ("latest~6", "there are only 6 runs in"),
        ("nightli~1", r"^nightli: there is no such run \(did you mean 'nightly'\?\)"),
        ("2025-01-10", r"^2025-01-10: no run in .* had begun by 2025-01-10 23:59 UTC$"),
        ("30 days ago", "no run in .* had begun by 2024-12-21 12:00 UTC"),
        ("999999 weeks ago", "no run in .* had begun by"),
        ("2025-13-40", "there is no such date"),
        ("", "^no run is named: give a folder, an id"),
        ("~1", "there is no such run"),
        ("x\0y", "there is no such run"),
        ("y" * 5000, "there is no such run"),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest_right_name(find: Find, wanted: str, said: str) -> None:
    with pytest.raises(JournalError, match=said):
        find(wanted)


def test_damaged_runs_are_named_where_there_are_no_others(tmp_path: Path) -> None:
    (tmp_path / "exp_1").mkdir()
    (tmp_path / "exp_1" / "main.jsonl").write_text('{"version": 99, "kind": "grice.journal"}\n')
    with pytest.raises(JournalError, match=r"no run there can be read: .*journal version 99 is newer"):
        find_run("latest", tmp_path)
    (tmp_path / "exp_1" / "main.jsonl").write_text("")
    with pytest.raises(JournalError, match=r"no run there can be read: .*exp_1: nothing was written"):
        find_run("latest", tmp_path)


@pytest.fixture
def lost(root: Path) -> Path:
    """A folder that is newer than all runs, and of which nobody knows how its run is called."""
    lost = root / "exp_0f"
    lost.mkdir()
    (lost / "main.lock").touch()
    return lost


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "otherwise"),
    [
        ("latest", "exp_e6"),
        ("latest~1", "exp_d5"),
        ("nightly", "exp_b3"),
        ("tag:prompt-v2~1", "exp_b2"),
        ("main", "exp_c4"),
        ("b", "exp_d5"),
    ],
)
def test_no_older_run_is_meant_where_a_newer_one_cannot_be_read(
    lost: Path, find: Find, wanted: str, otherwise: str
) -> None:
    with pytest.raises(JournalError) as caught:
        find(wanted)
    assert str(caught.value) == (
        f"{lost}: nothing was written to its journal; it is newer than {otherwise}, which {wanted} would "
        "mean otherwise: give the id of the run that is meant, or remove that folder"
    )
    for own in ("exp_b3", "b3", "exp_c4~1", "7 days ago"):
        assert find(own) == "exp_b3"
    (lost / "main.lock").unlink()
    with pytest.raises(JournalError, match="nothing was written to its journal"):
        find(wanted)  # an empty folder of that name is one, too
    os.utime(lost, (0, 0))
    assert find(wanted) == otherwise


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "day", "hour", "refused"),
    [
        ("latest", 16, 11, False),
        ("latest", 16, 13, True),
        ("exp_c4~1", 13, 13, True),  # it may be the one before
        ("exp_c4~1", 14, 13, False),
        ("exp_c4~1", 13, 11, False),
        ("7 days ago", 13, 11, False),
        ("145 hours ago", 13, 13, True),
        ("145 hours ago", 14, 11, False),
        ("2025-01-14T11:00", 14, 12, False),
        ("nightly", 13, 11, False),
    ],
)
def test_what_cannot_be_read_stands_between_runs_only_where_it_may_be_meant(
    lost: Path, find: Find, wanted: str, day: int, hour: int, refused: bool
) -> None:
    made = datetime(2025, 1, day, hour, 59, tzinfo=UTC).timestamp()
    os.utime(lost, (made, made))
    if refused:
        with pytest.raises(JournalError, match="it is newer than exp_"):
            find(wanted)
    else:
        find(wanted)


@pytest.mark.slow
def test_a_baseline_does_not_shift_to_an_older_run(lost: Path, find: Find) -> None:
    with pytest.raises(JournalError, match=r"it is newer than exp_b3, which main would mean otherwise"):
        find("main", other_than="exp_c4")


@pytest.mark.parametrize("word", ["1", "bad", "42", "exp_1"])
@pytest.mark.parametrize("kind", ["name", "tag", "branch"])
def test_a_name_goes_before_the_beginning_of_an_id(tmp_path: Path, word: str, kind: str) -> None:
    called = {"name": {"name": word}, "tag": {"tags": (word,)}, "branch": {"git_branch": word}}[kind]
    own = Experiment("exp_77", "2025-01-11T12:00:00.000Z", **called)  # type: ignore[arg-type]
    Journal.create(tmp_path / own.id, own).close()
    later = f"exp_{word.removeprefix('exp_')}0"
    Journal.create(tmp_path / later, Experiment(later, "2025-01-12T12:00:00.000Z")).close()
    assert find_run(word, tmp_path).name == find_run(f"{kind}:{word}", tmp_path).name == "exp_77"
    exact = later[:-1]
    Journal.create(tmp_path / exact, Experiment(exact, "2025-01-10T12:00:00.000Z")).close()
    assert find_run(word, tmp_path).name == exact  # a full id goes before everything
    assert find_run(f"{kind}:{word}", tmp_path).name == "exp_77"


@pytest.mark.slow
def test_a_copied_folder_is_no_run_of_its_own(root: Path, find: Find) -> None:
    for copy in ("exp_copy", "exp_a9", "exp_e6.bak"):
        shutil.copytree(root / ("exp_e6" if copy != "exp_a9" else "exp_c4"), root / copy)
    assert [find(one) for one in ("latest", "latest~1", "latest~2")] == ["exp_e6", "exp_d5", "exp_c4"]
    assert (find("exp_e"), find("exp_copy"), find("exp_copy~1")) == ("exp_e6", "exp_copy", "exp_d5")
    with pytest.raises(JournalError, match="there are only 6 runs"):
        find("latest~6")
    runs, _, copies = runs_in(root)
    assert len(runs) == 6
    assert copies == [
        f"{root / copy}: it has the same run as {root / own}, which is the one that counts: "
        "remove one of the two"
        for copy, own in (("exp_e6.bak", "exp_e6"), ("exp_copy", "exp_e6"), ("exp_a9", "exp_c4"))
    ]


@pytest.mark.slow
def test_a_folder_that_was_renamed_is_found_by_the_id_of_its_run(root: Path, find: Find) -> None:
    (root / "exp_c4").rename(root / "kept")
    assert (find("exp_c4"), find("c4"), find("kept"), find("c4~1")) == ("kept", "kept", "kept", "exp_b3")


@pytest.mark.slow
def test_only_the_first_line_is_read(root: Path) -> None:
    with (root / "exp_e6" / "main.jsonl").open("ab") as stream:
        stream.write(b"rubbish\n\xff")
    assert find_run("latest", root).name == "exp_e6"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("2026-13-45", "2026-13-45: there is no such date: expected one as 2026-11-15 or 2026-11-15T14:30"),
        (
            "7 dyas ago",
            (
                "7 dyas ago: expected an age as `7 days ago`: minutes, hours, days, weeks, found 'dyas' "
                "(did you mean 'days'?)"
            ),
        ),
        ("seven days ago", "seven days ago: expected an age as `7 days ago`, found 'seven' for the number"),
    ],
)
def test_a_mistyped_date_or_age_is_told(find: Find, wanted: str, message: str) -> None:
    with pytest.raises(JournalError) as caught:
        find(wanted)
    assert str(caught.value) == message


def test_a_run_that_is_called_like_a_mistyped_age_is_found(tmp_path: Path) -> None:
    Journal.create(
        tmp_path / "exp_a1", Experiment("exp_a1", "2025-01-11T12:00:00.000Z", name="long ago")
    ).close()
    assert find_run("long ago", tmp_path).name == "exp_a1"


@pytest.mark.slow
def test_a_folder_without_a_journal_and_a_file_for_a_folder_are_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    (root / "empty").mkdir()
    (root / "file.toml").touch()
    for store in (root, root / "none"):
        with pytest.raises(JournalError, match=r"^empty: there is no journal \(\*\.jsonl\) in this folder"):
            find_run("empty", store)
    (root / "runs" / "exp_a2").mkdir(parents=True)
    (root / "runs" / "exp_a2" / "notes.txt").touch()
    with pytest.raises(JournalError, match=r"^runs/exp_a2: there is no journal \(\*\.jsonl\) in this"):
        find_run("exp_a2", Path("runs"))
    for read in (lambda: find_run("latest", Path("file.toml")), lambda: runs_in(Path("file.toml"))):
        with pytest.raises(JournalError, match=r"^file.toml: expected a folder of runs, found a file$"):
            read()


@pytest.mark.slow
def test_all_runs_are_listed_the_latest_first(root: Path) -> None:
    runs, problems, copies = runs_in(root)
    assert [folder.name for folder, _ in runs] == ["exp_e6", "exp_d5", "exp_c4", "exp_b3", "exp_b2", "exp_a1"]
    assert runs[0][1].name == "v1~2"
    assert len(problems) == 1
    assert "exp_f7" in problems[0]
    assert copies == []
    assert runs_in(root / "none") == ([], [], [])
