"""Where runs are kept, and which one is meant."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from grice.running.journal.form import JournalError
from grice.running.journal.reading import first_head
from grice.text import did_you_mean

__all__ = ["RUNS", "find_run"]

RUNS = Path(".grice", "runs")
LATEST = "latest"


def find_run(wanted: str, root: Path = RUNS) -> Path:
    """The folder of the run that is meant: a folder, the id of a run or its beginning, or `latest`.

    `latest` is the run that began last. Raises JournalError when there is none or several are meant, with the
    nearest id.
    """
    if wanted == LATEST:
        return _latest(root)
    path = Path(wanted)
    if path.is_dir() and (any(path.glob("*.jsonl")) or len(path.parts) > 1):
        return path
    known = _runs(root)
    found = [run for run in known if run.name == wanted] or [
        run for run in known if _begins(run.name, wanted)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        named = ", ".join(run.name for run in found[:_NAMED])
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise JournalError(f"{wanted}: several runs in {root} begin so: {named}{more}")
    names = [run.name for run in known]
    number = "is 1" if len(known) == 1 else f"are {len(known)}"
    here = f"; there {number} in {root}" if known else f"; {root} has none"
    hint = did_you_mean(wanted, [*names, LATEST])
    raise JournalError(f"{wanted}: there is no such run{hint}{here}: give a folder, an id or `{LATEST}`")


_NAMED = 5


def _begins(name: str, wanted: str) -> bool:
    return bool(wanted) and (name.startswith(wanted) or name.removeprefix("exp_").startswith(wanted))


def _runs(root: Path) -> list[Path]:
    if not root.is_dir():
        return []
    return sorted(run for run in root.iterdir() if run.is_dir() and any(run.glob("*.jsonl")))


def _latest(root: Path) -> Path:
    begun = [(_began(run), run.name, run) for run in _runs(root)]
    if not begun:
        raise JournalError(f"{root}: there are no runs yet")
    return max(begun)[-1]


def _began(run: Path) -> str:
    """When the run began, "" when its journal does not say."""
    times: list[str] = []
    for file in run.glob("*.jsonl"):
        with suppress(JournalError, OSError):
            head = first_head(file)
            times += [head.timestamp] if head is not None else []
    return min(times, default="")
