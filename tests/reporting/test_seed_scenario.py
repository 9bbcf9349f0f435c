"""A whole scenario as it is printed, from its checks.

The layout that this follows has a slip: it counts 7 of 8 evaluations and lists seven, of which six passed.
"""

import io

from run_results import called, soft

from grice.records import Conversation, Outcome, Result, Turn, Verdict
from grice.reporting.console import screen_for
from grice.reporting.experiment.scenario import print_scenario

PASS, FAIL = Outcome.PASS, Outcome.FAIL


def other(matcher: str, about: str, turn: int) -> Verdict:
    claim = f"the reply to {about}"
    return Verdict(PASS, matcher=matcher, claim=claim, mode="soft", turn=turn)


BOOKING = Result(
    "example:1",
    "booking_with_modification",
    PASS,
    Conversation(turns=tuple(map(Turn, (1, 2, 3, 4)))),
    (
        soft(PASS, 1, "friendly"),
        other("toHaveIntent", "have intent gather_req", 1),
        other("toBeGroundedIn", "be grounded in room_catalog", 2),
        soft(FAIL, 3, "acknowledges_change", "Response was curt"),
        other("toMatch", r"match /3:00\s*pm/", 3),
        other("toBeGroundedIn", "be grounded in confirmation", 4),
        soft(PASS, 4, "friendly"),
        called(PASS, 1, "book_room", negated=True),
        called(PASS, 2, "check_availability"),
        called(PASS, 3, "check_availability"),
        called(PASS, 4, "book_room"),
    ),
)


def test_the_scenario_of_the_seed() -> None:
    stream = io.StringIO()
    print_scenario(screen_for(stream), BOOKING)
    assert (
        stream.getvalue()
        == r"""Scenario: booking_with_modification

  Evaluations (soft):
    Turn 1:
      satisfy(friendly)             ✓
      have_intent(gather_req)       ✓
    Turn 2:
      be_grounded_in(room_catalog)  ✓
    Turn 3:
      satisfy(acknowledges_change)  ✗  "Response was curt"
      match(/3:00\s*pm/)            ✓
    Turn 4:
      be_grounded_in(confirmation)  ✓
      satisfy(friendly)             ✓

  Expectations (hard):
    Turn 1: not call_tool(book_room)       ✓
    Turn 2: call_tool(check_availability)  ✓
    Turn 3: call_tool(check_availability)  ✓
    Turn 4: call_tool(book_room)           ✓

  Evaluation Summary: 6/7 passed (85.7%)
  Expectation Summary: 4/4 passed (100%)

  Result: PASSED
"""
    )
