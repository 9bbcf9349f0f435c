"""Where runs are kept, and which one is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError
from grice.running.journal.moments import moment_of, moment_problem
from grice.running.journal.reading import first_head
from grice.text import did_you_mean

__all__ = ["LATEST", "RUNS", "WAYS", "find_run", "runs_in"]

RUNS = Path(".grice", "runs")
LATEST = "latest"
WAYS = "a folder, an id, a name, a tag, a branch, a date such as `7 days ago`, or `latest`"
"""How a run can be meant, in words."""

_KINDS = ("name", "tag", "branch")
_BACK = re.compile(r"(.+)~(\d{1,9})", re.DOTALL)
_NAMED = 5


def find_run(
    wanted: str,
    root: Path = RUNS,
    *,
    other_than: str = "",
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Path:
    """The folder of the run that is meant; the same notation everywhere.

    A folder; the id of a run, with or without `exp_`, or a beginning that no other has; `latest`; a name, a
    tag, a branch: of several runs the one that began last. `name:x`, `tag:x` and `branch:x` mean only that.
    A date (2026-11-15, its end in UTC) or `7 days ago` (minutes, hours, days, weeks) is the last run that had
    begun by then. What comes first in this list wins. `REF~N` is the Nth run before that one, of the same
    name, tag or branch where that was meant. `other_than` is an id that is left out, except where N counts.
    Runs whose head cannot be read are found by folder and id only.

    Raises JournalError when there is none, with the nearest name, when several are meant, and for `latest`
    when a folder that cannot be read is newer.
    """
    if _is_run(Path(wanted)):
        return Path(wanted)
    store = _Store(root, other_than, clock())
    runs, back = store.found(wanted), _BACK.fullmatch(wanted)
    if runs is None and back is not None:
        runs = _counted_back(store, back[1], int(back[2]))
    if runs:
        return runs[0]
    if len(Path(wanted).parts) > 1 and _is_folder(Path(wanted)):
        return Path(wanted)  # without a journal, which who reads it says
    raise JournalError(store.why_nothing(wanted if back is None else back[1]))


def runs_in(root: Path) -> tuple[list[tuple[Path, Experiment]], list[str]]:
    """The runs in a folder with their first heads, the latest first, and why others cannot be read.

    Raises JournalError for a file.
    """
    if root.exists() and not root.is_dir():
        raise JournalError(f"{root}: expected a folder of runs, found a file")
    return _Store(root, "", datetime.now(UTC)).all()


def _counted_back(store: _Store, wanted: str, count: int) -> list[Path] | None:
    """The runs from so many before the one that is meant. Raises JournalError when there are fewer."""
    folder = Path(wanted)
    if _is_run(folder):
        folder = folder.resolve()
        store = _Store(folder.parent, "", store.now)
        runs: list[Path] | None = store.since(folder.name)
    else:
        runs = store.found(wanted, counted=count > 0)
    if runs is not None and count >= len(runs):
        there = "there is only 1 run" if len(runs) == 1 else f"there are only {len(runs)} runs"
        raise JournalError(f"{wanted}~{count}: {there} in {store.root}, {wanted} itself included")
    return None if runs is None else runs[count:]


def _is_run(path: Path) -> bool:
    """Whether it is a folder with a journal in it."""
    return _is_folder(path) and any(path.glob("*.jsonl"))


def _is_folder(path: Path) -> bool:
    with suppress(OSError, ValueError):  # a text of any kind may be no path at all
        return path.is_dir() and path != Path()
    return False


class _Store:
    """The runs below a folder. Heads are read when they are asked for, one line a run."""

    def __init__(self, root: Path, other_than: str, now: datetime) -> None:
        self.root = root
        self._other_than = other_than
        self.now = now
        self._unreadable: dict[Path, str] = {}  # why heads cannot be read

    def found(self, wanted: str, *, counted: bool = False) -> list[Path] | None:
        """The run that is meant, and those before it, None where nothing is meant by it.

        Raises JournalError when several begin so. With `counted` no run is left out.
        """
        if not wanted:
            return None
        begins = [run for run in self._folders if _begins(run.name, wanted)]
        exact = [run for run in begins if wanted in (run.name, run.name.removeprefix("exp_"))]
        if len(exact or begins) == 1:
            return self.since((exact or begins)[0].name)
        chosen = self._chosen(wanted)
        if chosen is None and begins:
            raise JournalError(f"{wanted}: several runs in {self.root} begin so: {_listed(begins)}")
        left_out = "" if counted else self._other_than
        if chosen is None:
            return None
        return [run for run, head in chosen if left_out not in (run.name, head.id)]

    def since(self, name: str) -> list[Path]:
        """The run of that id, and those that began before it, the latest first."""
        runs = [run for run, _ in self._by_time]
        own = self.root / name
        return [own, *(runs[runs.index(own) + 1 :] if own in runs else ())]

    def all(self) -> tuple[list[tuple[Path, Experiment]], list[str]]:
        """Every run whose head can be read, the latest first, and why others cannot."""
        return self._by_time, list(self._unreadable.values())

    def _chosen(self, wanted: str) -> Sequence[tuple[Path, Experiment]] | None:
        """The runs of that name, tag, branch or date, the latest first; None where there are none such."""
        if wanted == LATEST:
            self._refuse_older()
            return self._by_time or None
        kind, _, value = wanted.partition(":")
        asked = ((kind, value),) if kind in _KINDS and value else tuple((one, wanted) for one in _KINDS)
        for one, word in asked:
            found = [(run, head) for run, head in self._by_time if word in _words(head, one)]
            if found:
                return found
        moment = moment_of(wanted, self.now)
        if moment is None:
            return None
        return [(run, head) for run, head in self._by_time if _began(head) <= moment] or None

    def _refuse_older(self) -> None:
        """Raise JournalError when a folder that cannot be read is newer than the last run that can be."""
        if not self._by_time:
            return
        last, head = self._by_time[0]
        for run, problem in self._unreadable.items():
            if run.stat().st_mtime > _began(head).timestamp():
                raise JournalError(
                    f"{problem}; it is newer than {last.name}, the last run that can be read: name the run "
                    "that is meant, or remove that folder"
                )

    def why_nothing(self, wanted: str) -> str:
        """Why no run is meant by it."""
        if not wanted:
            return f"no run is named: give {WAYS}"
        if self.root.exists() and not self.root.is_dir():
            return f"{self.root}: expected a folder of runs, found a file"
        if not self._folders and wanted == LATEST:
            return f"{self.root}: there are no runs yet"
        empty = f"; the folder {wanted} has no journal in it" if _is_folder(Path(wanted)) else ""
        if not self._folders:
            return f"{wanted}: there is no such run; {self.root} has none{empty}: give {WAYS}"
        if wanted == LATEST and not self._by_time:
            return f"{self.root}: no run there can be read: {next(iter(self._unreadable.values()))}"
        if self._other_than and self._chosen(wanted) is not None:
            return f"{wanted}: there is no such run in {self.root} besides {self._other_than}"
        moment = moment_of(wanted, self.now)
        if moment is not None:
            return f"{wanted}: no run in {self.root} had begun by {moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        problem = moment_problem(wanted)
        if problem:
            return f"{wanted}: {problem}"
        number = "is 1" if len(self._folders) == 1 else f"are {len(self._folders)}"
        hint = did_you_mean(wanted, self._known(wanted))
        return f"{wanted}: there is no such run{hint}{empty}; there {number} in {self.root}: give {WAYS}"

    def _known(self, wanted: str) -> list[str]:
        """What runs can be called, in the notation that was used."""
        kind, _, value = wanted.partition(":")
        if kind in _KINDS and value:
            return [f"{kind}:{word}" for _, head in self._by_time for word in _words(head, kind)]
        words = [word for _, head in self._by_time for one in _KINDS for word in _words(head, one)]
        return [*(run.name for run in self._folders), LATEST, *words]

    @cached_property
    def _folders(self) -> list[Path]:
        if not self.root.is_dir():
            return []
        return sorted(run for run in self.root.iterdir() if run.is_dir() and any(run.glob("*.jsonl")))

    @cached_property
    def _by_time(self) -> list[tuple[Path, Experiment]]:
        """The runs whose head can be read, that which began last first."""
        read = [(run, head) for run in self._folders if (head := self._head(run)) is not None]
        return sorted(read, key=lambda one: (_began(one[1]), one[0].name), reverse=True)

    def _head(self, run: Path) -> Experiment | None:
        """The first head of the run that can be read: all its files have begun with the same."""
        problem = f"{run}: nothing was written to its journal"
        for file in sorted(run.glob("*.jsonl")):
            try:
                head = first_head(file)
            except (JournalError, OSError) as error:
                problem = str(error)
                continue
            if head is not None:
                return head
        self._unreadable[run] = problem
        return None


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted) or name.removeprefix("exp_").startswith(wanted)


def _listed(runs: Sequence[Path]) -> str:
    more = len(runs) - _NAMED
    return f"{', '.join(run.name for run in runs[:_NAMED])}{f' and {more} more' if more > 0 else ''}"


def _words(head: Experiment, kind: str) -> Iterable[str]:
    """What the run is called, in one of its ways."""
    words = {"name": (head.name,), "tag": head.tags, "branch": (head.git_branch or "",)}[kind]
    return [word for word in words if word]


def _began(head: Experiment) -> datetime:
    """When the run began; long ago where its head does not say."""
    try:
        moment = datetime.fromisoformat(head.timestamp)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
