"""Tests that a plugin runs again until they pass: the journal keeps the answer that was worse."""

from __future__ import annotations

import pytest
from inner_projects import Run
from test_plugin_store import by_key, kept

RERUNS = """
import pytest
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):  # as pytest-rerunfailures does it
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in (2, 1, 0):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if not left or not any(one.failed for one in reports):
            break
        item._initrequest()
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
"""

FLAKY = """
tries = {}

@pytest.mark.parametrize("good_at", [1, 2, 3, 9])
def test_it(conversation, good_at):
    tries[good_at] = tries.get(good_at, 0) + 1
    expect(conversation.say("Hi")).to_contain("Hi" if tries[good_at] >= good_at else "Bye")
"""


@pytest.mark.slow
def test_what_is_run_again_until_it_passes_has_failed(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makeconftest(RERUNS)
    run("--grice-store", test_it="import pytest\n" + FLAKY).assert_outcomes(passed=3, failed=1)
    found = kept(pytester.path / ".grice" / "runs")
    outcomes = {key: one.outcome.value for key, one in by_key(found.results).items()}
    assert outcomes == {
        "test_it[1]": "pass",
        "test_it[2]": "fail",
        "test_it[3]": "fail",
        "test_it[9]": "fail",
    }
    assert found.complete
    assert found.notes == (
        (
            "3 results run again in the same session, of which the worse one counts: "
            "test_it[2] (repeat 1), test_it[3] (repeat 1), test_it[9] (repeat 1); 2 with another outcome"
        ),
    )
