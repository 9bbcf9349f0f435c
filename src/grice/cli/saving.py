"""What the end of a run says: where it is kept, how to see and compare it, where its report was saved."""

from __future__ import annotations

from pathlib import Path

from grice.files.settings import Settings
from grice.reporting.console import Screen, print_line, print_problem
from grice.running.journal.form import JournalError
from grice.text import visible


def target_of(settings: Settings, folder: Path | None = None, *, wanted: bool = False) -> Path | None:
    """The folder to save to: the one that is named, else that of `results` in the settings.

    Where neither names one it is `results` in the project when it is `wanted`, else None.
    """
    if folder is None and not (settings.results or wanted):
        return None
    from grice.reporting.experiment.results_file import results_folder

    found, here = folder or results_folder(settings.root, settings.results or wanted), Path.cwd()
    return found.relative_to(here) if found is not None and found.is_relative_to(here) else found


def save_run(journal: Path, target: Path, console: Screen, errors: Screen) -> bool:
    """Save the report of the run in the folder `journal` and say where; whether that could be done."""
    from grice.reporting.experiment.results_file import save_results

    try:
        print_saved(console, save_results(journal, target))
    except (JournalError, OSError) as error:
        print_problem(errors, f"the results cannot be saved: {error}")
        return False
    return True


def print_kept(console: Screen, folder: Path, id_: str, *, complete: bool, large: bool) -> None:
    """Say what newly fails and passes in a run; of a `large` one, and one that is not complete, also where it
    is kept, and what can be done with it next. Nothing where nothing could be kept."""
    if not any(folder.glob("*.jsonl")):
        return
    from grice.reporting.next_steps import how_to_compare, how_to_see, since_earlier

    newly, before = since_earlier(folder)
    if newly:
        print_line(console, newly, hanging="  ")
    if large or not complete:
        print_line(console, f"kept in {visible(str(folder))}: see {how_to_see(folder)}")
    if not complete:
        print_line(console, f"go on with it: the same command and --resume {id_}")
    elif large and before:
        print_line(console, f"to compare it: {how_to_compare(id_, before, folder.parent)}")


def print_saved(console: Screen, path: Path) -> None:
    """Say where the report was saved."""
    print_line(console, f"Results saved to: {visible(shown_path(path), newlines=False)}", hanging="  ")


def shown_path(path: Path) -> str:
    """The path as it is seen from the current folder, when it lies below."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
