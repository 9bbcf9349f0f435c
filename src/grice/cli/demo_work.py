"""The work of `grice demo`: a real small assistant replayed offline, then one of its bugs caught."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.rule import Rule

from grice.agents import AgentLoadError, load_target
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.files.goldens import find_goldens, load_all
from grice.files.settings import Settings
from grice.records import Outcome, Result
from grice.reporting.console import Screen, print_line, print_problem, print_result, print_summary, screen_for
from grice.running.bundled_example import EXAMPLE_AGENT, example_folder
from grice.running.file_work import replay

SWITCH = "WORDPRESS_ASSISTANT_BUGS"

BUGS = {
    "A": (
        "the model narrates before its tool runs, and the backend glues both texts into one message",
        "Updating now! ... Would you like me to update it?",
    ),
    "B": (
        "the backend leaves the user's message out of what it sends the model after a tool ran",
        "It seems an update action was triggered unexpectedly.",
    ),
}


def run_demo(bug: str | None) -> int:
    """Replay the example without bugs and then with bug A, or with the named bug only.

    Returns 0 when everything went as it should: all passed without a bug, a check failed with one, and
    nothing ended in an error; else 1, and 2 for a bug that does not exist.
    """
    console = screen_for(sys.stdout)
    if bug is not None and bug.upper() not in BUGS:
        print_problem(screen_for(sys.stderr), f"there is no bug {bug!r}: the bugs are A and B")
        return UNUSABLE
    try:
        return PASSED if _show(console, None if bug is None else bug.upper()) else FAILED
    except AgentLoadError as error:
        print_problem(screen_for(sys.stderr), f"the demo is broken: {error}")
        return FAILED


def _show(console: Screen, bug: str | None) -> bool:
    if bug is not None:
        return _show_bug(console, bug)
    sound = _show_sound(console)
    caught = _show_bug(console, "A")
    _say(
        console,
        "Now you: grice demo --bug B shows a bug that no reply gives away; grice scan LOG.jsonl looks for "
        "such replies in a chat log of your own; the docs begin with your first golden and your first test.",
    )
    return sound and caught


def _show_sound(console: Screen) -> bool:
    _say(
        console,
        "A WordPress assistant, replayed offline: each golden is a recorded conversation with the model's "
        "replies scripted. Checked are the final text and every request that the assistant sent to its "
        "model.",
    )
    results = _replay(None)
    width = max(len(result.key) for result in results)
    for index, result in enumerate(results):
        print_result(console, result, verbose=index == len(results) - 1, key_width=width)
    print_summary(console, results, sum(result.duration or 0 for result in results))
    console.print()
    return _nothing_broke(results) and all(result.outcome is Outcome.PASS for result in results)


def _show_bug(console: Screen, bug: str) -> bool:
    what, said = BUGS[bug]
    console.print(Rule(f"bug {bug} switched on", style="red"))
    _say(console, f"In production this assistant once said: {said}", f"Cause: {what}.")
    results = _replay(bug)
    caught = [result for result in results if result.outcome is Outcome.FAIL]
    for result in (caught or [result for result in results if result.outcome is not Outcome.PASS])[:1]:
        print_result(console, result)
    print_summary(console, results, sum(result.duration or 0 for result in results))
    console.print()
    if not _nothing_broke(results):
        return False
    if not caught:
        print_problem(screen_for(sys.stderr), f"bug {bug} was not caught: no check of any golden failed")
    return bool(caught)


def _nothing_broke(results: Sequence[Result]) -> bool:
    """Whether no golden ended in an error, which catches no bug; one that did is said."""
    broken = [result.key for result in results if result.outcome is Outcome.ERROR]
    if broken:
        names = ", ".join(broken)
        message = f"the demo is broken: {names} ended in an error, so nothing can be said about the bug"
        print_problem(screen_for(sys.stderr), message)
    return not broken


def _replay(bug: str | None) -> list[Result]:
    folder = example_folder()
    settings = Settings(folder)
    with _environment(SWITCH, bug):
        target = load_target(EXAMPLE_AGENT, root=folder)
        goldens = load_all(find_goldens([folder / "goldens"]))
        return [replay(golden, target, settings).result for golden in goldens]


@contextmanager
def _environment(name: str, value: str | None) -> Iterator[None]:
    before = os.environ.pop(name, None)
    if value is not None:
        os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def _say(console: Screen, *lines: str) -> None:
    for line in lines:
        print_line(console, line)
    console.print()
