"""A graph that a test follows in its body is part of what a kept session says, under xdist too."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from inner_projects import ALONE_AND_XDIST, XDIST, Run

from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison
from grice.experiments.loading import results_in
from grice.experiments.results import ExperimentResults
from grice.running.journal.folders import find_run

FLOW = """
import sys
from collections.abc import Callable

import pytest
from grice import on_user_match, scenarios, topic

greeting = topic("greeting")
asking = topic("asking", triggers=(on_user_match("room"),))
booking = topic("%s", triggers=(on_user_match("book"),))

@scenarios([{"id": f"s{number}"} for number in range(6)])
def test_it(conversation, scenario):
    conversation.follow({greeting: asking, asking: booking}, ask=False)
    conversation.say("Hi")
    expect(conversation.say("A room")).to_contain("room")
"""
Session = Callable[..., ExperimentResults]


@pytest.fixture
def session(pytester: pytest.Pytester, run: Run) -> Session:
    """Runs the flow with a last topic of that name, and gives what it comes to."""

    def session(name: str, *options: str) -> ExperimentResults:
        run("--grice-store", "--grice-name", name, *options, test_it=FLOW % name).assert_outcomes(passed=6)
        return results_in(find_run(name, pytester.path / ".grice" / "runs"))

    return session


def graphs(found: Comparison) -> str:
    return next(one.grade for one in found.comparability.aspects if one.name == "Topic graph")


@pytest.mark.slow
@pytest.mark.parametrize("workers", ALONE_AND_XDIST)
def test_sessions_that_follow_another_graph_are_not_compared(
    session: Session, workers: tuple[str, ...]
) -> None:
    before, after = session("booking", *workers), session("paying")
    assert graphs(compare(before, before)) == "same"
    assert compare(before, before).comparability.level == "HIGH"
    assert graphs(compare(before, after)) == "forbids"


@pytest.mark.slow
def test_the_graph_of_a_session_is_drawn(session: Session, pytester: pytest.Pytester) -> None:
    session("booking", *XDIST)
    drawing = pytester.run(sys.executable, "-m", "grice", "report", "booking", "--graph", "mermaid").stdout
    drawing.fnmatch_lines(
        [
            '  t0([[]"greeting<br/>6 visits"])',
            '  t1[[]"asking<br/>6 visits"]',
            '  t2[[]"booking<br/>never visited"]',
            '  t0 -- "6" --> t1',
            "  t1 --> t2",
        ]
    )
