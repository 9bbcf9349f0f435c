"""The progress of a run, on a terminal and elsewhere."""

import io
import re

from msgspec.structs import replace
from rich.console import Console
from run_results import BOOKING, LOST

from grice.records import Outcome, Result
from grice.reporting.console import screen_for
from grice.reporting.progress import progress_on
from grice.running.events import ConversationFinished, ConversationStarted, Event, RunFinished, RunStarted


def events(results: list[Result], *, planned: int, before: int = 0) -> list[Event]:
    told: list[Event] = [RunStarted("exp_1", planned, before)]
    for one in results:
        told += [ConversationStarted(one.id, one.key, one.repeat), ConversationFinished(one)]
    return [*told, RunFinished("exp_1", len(results), len(results) + before == planned)]


def lines(told: list[Event]) -> list[str]:
    stream = io.StringIO()
    observer = progress_on(screen_for(stream))
    for event in told:
        observer(event)
    return stream.getvalue().splitlines()


def test_a_log_has_a_line_for_each_tenth_and_one_for_each_failure() -> None:
    shown = lines(events([*[BOOKING] * 39, replace(LOST, repeat=2)], planned=40))
    assert shown[0] == "exp_1: 40 conversations"
    assert shown[1] == "4/40: 4 passed"
    assert shown[-2] == "fail         lost (repeat 2)  the reply to call search"
    assert shown[-1] == "40/40: 39 passed, 1 failed"
    assert len(shown) == 12


def test_a_resumed_run_counts_what_was_finished_before() -> None:
    shown = lines(events([BOOKING], planned=10, before=9))
    assert shown == ["exp_1: 10 conversations, 9 finished before", "10/10: 1 passed"]


def test_a_run_that_is_stopped_says_where() -> None:
    assert lines(events([BOOKING], planned=100))[-1] == "stopped at 1/100: 1 passed"


def test_a_run_of_nothing_shows_no_rate() -> None:
    assert lines(events([], planned=0)) == ["exp_1: 0 conversations"]


def test_quiet_shows_nothing() -> None:
    stream = io.StringIO()
    observer = progress_on(screen_for(stream), quiet=True)
    for event in events([LOST], planned=1):
        observer(event)
    assert stream.getvalue() == ""


def test_text_of_others_is_text() -> None:
    hostile = replace(LOST, key="[red]x[/red]\x1b[2J", outcome=Outcome.ERROR, verdicts=())
    shown = lines(events([hostile], planned=1))
    assert shown[1] == r"error        [red]x[/red]\x1b[2J"


def test_a_terminal_has_a_bar_with_counts_and_failures_above_it() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100, markup=False, highlight=False)
    observer = progress_on(console)
    told = events([BOOKING, LOST], planned=3)
    for event in told[:-1]:
        observer(event)
    observer(ConversationStarted("example:9", "next"))
    observer(told[-1])
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    assert "fail         lost" in text
    assert "2/3" in text
    assert "1 passed, 1 failed" in text
