"""`grice run`: replay goldens and say what happened."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from grice.agents import AgentLoadError, load_target
from grice.identity import fingerprint
from grice.records import Outcome, Result
from grice.reporting.console import print_result, print_summary
from grice.reporting.json_file import write_json
from grice.running.golden import run_golden
from grice.running.settings import Settings, find_project, load_settings
from grice.suites.files import FileError
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, find_goldens, load_all, load_goldens
from grice.text import visible

__all__ = ["FAILED", "PASSED", "UNUSABLE", "run_goldens"]

PASSED, FAILED, UNUSABLE = 0, 1, 2


def run_goldens(
    paths: Sequence[Path], *, agent: str | None, json: Path | None, update: bool, verbose: bool
) -> int:
    """Replay the goldens under `paths`. Returns the exit code: 0 passed, 1 failed, 2 nothing could be tested."""
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        settings = load_settings(find_project(Path.cwd()))
        goldens = load_all(find_goldens(paths))
        targets = _targets(goldens, agent, settings)
    except (GoldenErrors, FileError, AgentLoadError) as error:
        for line in str(error).split("\n"):
            errors.print(visible(line), style="bold red", markup=False, soft_wrap=True)
        return UNUSABLE
    started = time.perf_counter()
    results: list[Result] = []
    interrupted = False
    try:
        for result in _progress(goldens, targets, settings, errors):
            results.append(_updated(result, goldens[len(results)], targets, console) if update else result)
            print_result(console, results[-1], verbose=verbose)
    except AgentLoadError as error:
        errors.print(visible(str(error)), style="bold red", markup=False, soft_wrap=True)
        return UNUSABLE
    except KeyboardInterrupt:
        interrupted = True
        errors.print(f"interrupted after {len(results)} of {len(goldens)} goldens", style="bold red")
    print_summary(console, results, time.perf_counter() - started)
    if json is not None:
        prints = {golden.id: fingerprint(golden.content) for golden in goldens}
        write_json(json, [msgspec.structs.replace(one, fingerprint=prints[one.key]) for one in results])
    if not results:
        return UNUSABLE
    return PASSED if not interrupted and all(one.outcome is Outcome.PASS for one in results) else FAILED


def _progress(
    goldens: Sequence[Golden], targets: Mapping[str | None, object], settings: Settings, console: Console
) -> Iterator[Result]:
    """The results one after the other, with a progress bar on a terminal."""
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(goldens))
        for golden in goldens:
            yield run_golden(
                golden, targets[golden.agent], turn_timeout=settings.turn_timeout, timeout=settings.timeout
            )
            progress.advance(task)


def _updated(
    result: Result, golden: Golden, targets: Mapping[str | None, object], console: Console
) -> Result:
    """The result after the golden's observations were rewritten; the result as it is when it passed."""
    if result.outcome is Outcome.PASS:
        return result
    from grice.running.update import update_golden

    for note in update_golden(golden, result):
        console.print(visible(note), markup=False, soft_wrap=True)
    again = next(one for one in load_goldens(golden.file) if one.id == golden.id)
    return run_golden(again, targets[golden.agent])


def _targets(goldens: Sequence[Golden], agent: str | None, settings: Settings) -> dict[str | None, object]:
    """The agents that the goldens name, by name; None stands for the command line's or the project's."""
    targets: dict[str | None, object] = {}
    for golden in goldens:
        name = golden.agent
        if name in targets:
            continue
        named = name or agent or settings.agent
        if named is None:
            raise AgentLoadError(
                "no agent is configured: name it with --agent module:attribute, "
                'in pyproject.toml as [tool.grice] agent = "module:attribute", or in the golden as "agent"'
            )
        targets[name] = load_target(named, root=settings.root)
    return targets
