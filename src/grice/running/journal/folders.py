"""Where runs are kept, and which one is meant."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from functools import cached_property
from math import inf
from pathlib import Path
from typing import NamedTuple

from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError
from grice.running.journal.reading import first_head
from grice.text import did_you_mean

_UNITS = ("minutes", "hours", "days", "weeks")

_AGO = re.compile(r"(\d{1,6}) (minute|hour|day|week)s? ago")

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def moment_of(text: str, now: datetime) -> datetime | None:
    """The moment that is meant: `7 days ago`, `2026-11-15` (the end of that day), `2026-11-15T14:30`.

    Dates are UTC unless they say otherwise. None for other texts, and for a date that there is not.
    """
    ago = _AGO.fullmatch(text)
    if ago is not None:
        try:
            return now - timedelta(**{f"{ago[2]}s": int(ago[1])})
        except OverflowError:
            return datetime.min.replace(tzinfo=UTC)
    if not _DATE.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if _DATE.fullmatch(text):
        return datetime.combine(moment, time.max, UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def moment_problem(text: str) -> str:
    """What is wrong with a text that looks like a date or an age; "" for other texts, and for a moment."""
    now = datetime.now(UTC)
    if moment_of(text, now) is not None:
        return ""
    if _DATE.match(text):
        return "there is no such date: expected one as 2026-11-15 or 2026-11-15T14:30"
    if not text.endswith(" ago"):
        return ""
    number, _, unit = text.removesuffix(" ago").partition(" ")
    example = "expected an age as `7 days ago`"
    if not re.fullmatch(r"[0-9]{1,6}", number):
        return f"{example}, found {number!r} for the number"
    return f"{example}: {', '.join(_UNITS)}, found {unit!r}{did_you_mean(unit, _UNITS)}"


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

    A folder; the id of a run, with or without `exp_`; `latest`; a name, a tag, a branch: of several runs the
    one that began last; a beginning of an id that no other has. `name:x`, `tag:x` and `branch:x` mean only
    that. A date (2026-11-15, its end in UTC) or `7 days ago` (minutes, hours, days, weeks) is the last run
    that had begun by then. What comes first in this list wins. `REF~N` is the Nth run before that one, of the
    same name, tag or branch where that was meant. `other_than` is an id that is left out, except where N
    counts, 0 included. Runs whose head cannot be read are found by folder and id only.

    Raises JournalError when there is none, with the nearest name, when several are meant, and where a folder
    that cannot be read is newer than the run that was found and may be the one that is meant.
    """
    if _is_run(Path(wanted)):
        return Path(wanted)
    store = _Store(root, other_than, clock())
    meant, back = store.found(wanted), _BACK.fullmatch(wanted)
    if meant is None and back is not None:
        meant = _counted_back(store, back[1], int(back[2]))
    if meant is not None and meant.runs:
        meant.refuse_hidden(wanted)
        return meant.runs[0]
    if len(Path(wanted).parts) > 1 and _is_folder(Path(wanted)):
        return Path(wanted)  # without a journal, which who reads it says
    raise JournalError(store.why_nothing(wanted if back is None else back[1]))


class KeptRuns(NamedTuple):
    """The runs in a folder with their first heads, the latest first, each once.

    `problems` say why others cannot be read, `copies` which folders have a run that another has too.
    """

    runs: list[tuple[Path, Experiment]]
    problems: list[str]
    copies: list[str]


def runs_in(root: Path) -> KeptRuns:
    """The runs that are kept in a folder. Raises JournalError for a file."""
    if root.exists() and not root.is_dir():
        raise JournalError(f"{root}: expected a folder of runs, found a file")
    return _Store(root, "", datetime.now(UTC)).all()


def _counted_back(store: _Store, wanted: str, count: int) -> _Meant | None:
    """The runs from so many before the one that is meant. Raises JournalError when there are fewer."""
    folder = Path(wanted)
    if _is_run(folder):
        folder = folder.resolve()
        store = _Store(folder.parent, "", store.now)
        meant: _Meant | None = store.since(folder)
    else:
        meant = store.found(wanted, counted=True)
    if meant is not None and count >= len(meant.runs):
        there = "there is only 1 run" if len(meant.runs) == 1 else f"there are only {len(meant.runs)} runs"
        raise JournalError(f"{wanted}~{count}: {there} in {store.root}, {wanted} itself included")
    return None if meant is None else meant._replace(runs=meant.runs[count:])


def _is_run(path: Path) -> bool:
    """Whether it is a folder with a journal in it."""
    return _is_folder(path) and any(path.glob("*.jsonl"))


def _is_folder(path: Path) -> bool:
    with suppress(OSError, ValueError):  # a text of any kind may be no path at all
        return path.is_dir() and path != Path()
    return False


def _is_kept(folder: Path) -> bool:
    """Whether it is the folder of a run, also of one that wrote no more than its lock, or not even that."""
    try:
        names = [one.name for one in folder.iterdir()]
    except OSError:  # a file, or a folder that may not be read
        return folder.is_dir() and folder.name.startswith("exp_")
    written = any(name.endswith((".jsonl", ".lock")) for name in names)
    return written or (not names and folder.name.startswith("exp_"))


class _Meant(NamedTuple):
    """The runs that a text means, first of all the one that is meant.

    `hidden` has why other folders cannot be read, with the moment at which each was made, as far as they may
    be among the runs.
    """

    runs: list[Path]
    began: dict[Path, float]
    hidden: Sequence[tuple[float, str]]

    def refuse_hidden(self, wanted: str) -> None:
        """Raise JournalError where a folder that cannot be read may be the run that is meant."""
        run = self.runs[0]
        for moment, problem in self.hidden:
            if run in self.began and moment > self.began[run]:
                raise JournalError(
                    f"{problem}; it is newer than {run.name}, which {wanted} would mean otherwise: "
                    "give the id of the run that is meant, or remove that folder"
                )


class _Store:
    """The runs below a folder. Heads are read when they are asked for, one line a run."""

    def __init__(self, root: Path, other_than: str, now: datetime) -> None:
        self.root = root
        self._other_than = other_than
        self.now = now
        self._unreadable: dict[Path, str] = {}  # why heads cannot be read

    def found(self, wanted: str, *, counted: bool = False) -> _Meant | None:
        """The run that is meant, and those before it, None where nothing is meant by it.

        Raises JournalError when several begin so. With `counted` no run is left out.
        """
        if not wanted:
            return None
        left_out = "" if counted else self._other_than
        named = self._of_id(wanted) or self._of_name(wanted, left_out) or self._beginning_so(wanted)
        return named or self._begun_by(wanted, left_out)

    def since(self, run: Path) -> _Meant:
        """The run, and those that began before it, the latest first."""
        counted = self._copies.get(run, run)
        for place, (one, head) in enumerate(self._by_time):
            if one == counted:
                earlier = self._by_time[place + 1 :]
                meant = self._meant(earlier, until=_began(head).timestamp())
                return meant._replace(runs=[run, *meant.runs])
        return _Meant([run], {}, ())

    def all(self) -> KeptRuns:
        """Every run whose head can be read, and what is to be known of other folders."""
        copies = [
            f"{copy}: it has the same run as {run}, which is the one that counts: remove one of the two"
            for copy, run in self._copies.items()
        ]
        return KeptRuns(self._by_time, list(self._unreadable.values()), copies)

    def _of_id(self, wanted: str) -> _Meant | None:
        """The run of that id, by its folder, else by its head."""
        for run in self._folders:
            if wanted in _names(run.name):
                return self.since(run)
        for run, head in self._by_time:
            if wanted in _names(head.id):
                return self.since(run)
        return None

    def _of_name(self, wanted: str, left_out: str) -> _Meant | None:
        """The last run of all, or of that name, else tag, else branch."""
        if wanted == LATEST:
            return self._meant(self._by_time, left_out=left_out) if self._by_time else None
        kind, _, value = wanted.partition(":")
        asked = ((kind, value),) if kind in _KINDS and value else tuple((one, wanted) for one in _KINDS)
        for one, word in asked:
            found = [(run, head) for run, head in self._by_time if word in _words(head, one)]
            if found:
                return self._meant(found, left_out=left_out)
        return None

    def _beginning_so(self, wanted: str) -> _Meant | None:
        """The run whose id begins so. Raises JournalError for several."""
        begins = [run for run in self._folders if any(name.startswith(wanted) for name in _names(run.name))]
        if len(begins) > 1:
            begins = [run for run in begins if run not in self._copies]
        if len(begins) > 1:
            raise JournalError(f"{wanted}: several runs in {self.root} begin so: {_listed(begins)}")
        return self.since(begins[0]) if begins else None

    def _begun_by(self, wanted: str, left_out: str) -> _Meant | None:
        """The last run that had begun by that date or age."""
        moment = moment_of(wanted, self.now)
        if moment is None:
            return None
        earlier = [(run, head) for run, head in self._by_time if _began(head) <= moment]
        return self._meant(earlier, until=moment.timestamp(), left_out=left_out) if earlier else None

    def _meant(
        self, found: Sequence[tuple[Path, Experiment]], *, until: float = inf, left_out: str = ""
    ) -> _Meant:
        """These runs, but for that of the id that is left out, and what cannot be read up to a moment."""
        times = ((run.stat().st_mtime, problem) for run, problem in self._unreadable.items())
        hidden = [(moment, problem) for moment, problem in times if moment <= until]
        runs = [run for run, head in found if left_out not in (run.name, head.id)]
        return _Meant(runs, {run: _began(head).timestamp() for run, head in found}, hidden)

    def why_nothing(self, wanted: str) -> str:
        """Why no run is meant by it."""
        if not wanted:
            return f"no run is named: give {WAYS}"
        if self.root.exists() and not self.root.is_dir():
            return f"{self.root}: expected a folder of runs, found a file"
        if not self._folders and wanted == LATEST:
            return f"{self.root}: there are no runs yet"
        if wanted == LATEST and not self._by_time:
            return f"{self.root}: no run there can be read: {next(iter(self._unreadable.values()))}"
        if self._other_than and self.found(wanted) is not None:
            return f"{wanted}: there is no such run in {self.root} besides {self._other_than}"
        moment = moment_of(wanted, self.now)
        if moment is not None:
            return f"{wanted}: no run in {self.root} had begun by {moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        problem = moment_problem(wanted)
        return f"{wanted}: {problem}" if problem else self._nothing_called(wanted)

    def _nothing_called(self, wanted: str) -> str:
        """That no run is called so, and what is."""
        for folder in (Path(wanted), self.root / wanted):
            if _is_folder(folder):
                return f"{folder}: there is no journal (*.jsonl) in this folder, and no run is called so"
        if not self._folders:
            return f"{wanted}: there is no such run; {self.root} has none: give {WAYS}"
        number = "is 1" if len(self._folders) == 1 else f"are {len(self._folders)}"
        hint = did_you_mean(wanted, self._known(wanted))
        return f"{wanted}: there is no such run{hint}; there {number} in {self.root}: give {WAYS}"

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
        return sorted(run for run in self.root.iterdir() if _is_kept(run))

    @cached_property
    def _by_time(self) -> list[tuple[Path, Experiment]]:
        """The runs whose head can be read, each once, that which began last first."""
        return [(run, head) for run, head in self._readable if run not in self._copies]

    @cached_property
    def _copies(self) -> dict[Path, Path]:
        """Folders with the run of another folder, and that one: the one that is called like the run."""
        by_id: dict[str, list[Path]] = {}
        for run, head in self._readable:
            by_id.setdefault(head.id, []).append(run)
        firsts = {id_: min(runs, key=lambda run: (run.name != id_, run.name)) for id_, runs in by_id.items()}
        return {run: firsts[head.id] for run, head in self._readable if run != firsts[head.id]}

    @cached_property
    def _readable(self) -> list[tuple[Path, Experiment]]:
        """The folders whose head can be read, that of the run which began last first."""
        read = [(run, head) for run in self._folders if (head := self._head(run)) is not None]
        return sorted(read, key=lambda one: (_began(one[1]), one[0].name), reverse=True)

    def _head(self, run: Path) -> Experiment | None:
        """The first head of the run that can be read: all its files have begun with the same."""
        problem = f"{run}: nothing was written to its journal"
        try:
            files = sorted(one for one in run.iterdir() if one.suffix == ".jsonl")
        except OSError as error:
            files, problem = [], f"{run}: cannot be read: {error.strerror or error}"
        for file in files:
            try:
                head = first_head(file)
            except (JournalError, OSError) as error:
                problem = str(error)
                continue
            if head is not None:
                return head
        self._unreadable[run] = problem
        return None


def _names(id_: str) -> tuple[str, str]:
    """How the run of that id is called in full."""
    return id_, id_.removeprefix("exp_")


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


_folders: list[Path] = []

_lock = threading.Lock()


def session_began(folder: Path) -> None:
    """A session keeps its results in that folder from now on; one may run within another."""
    with _lock:
        _folders.append(folder)


def session_ended(folder: Path) -> None:
    """The session that kept its results in that folder is over; nothing where there is none."""
    with _lock:
        if folder in _folders:
            _folders.remove(folder)


def running_session() -> Path | None:
    """The folder of the innermost session; None where none keeps anything."""
    with _lock:
        return _folders[-1] if _folders else None
