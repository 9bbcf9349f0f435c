"""Results of a run, for tests."""

from grice.records import (
    Classification,
    Conversation,
    Message,
    Outcome,
    Result,
    Simulation,
    Turn,
    Verdict,
)
from grice.running.journal.experiment import Experiment

GRAPH = {
    "topics": ["greeting", "search", "results", "booking"],
    "edges": [["greeting", "search"], ["search", "results"], ["results", "search"], ["results", "booking"]],
}
HEAD = Experiment(
    "exp_def456",
    "2025-01-16T14:30:00.000Z",
    name="Prompt v2.3",
    git_commit="abc123def456",
    git_branch="feature/grounding",
    git_dirty=False,
    topic_graph=GRAPH,
)


def turn(number: int, topic: str = "", *, legal: bool = True, reply: str = "Hello!") -> Turn:
    classified = Classification(topic, "trigger", "", legal) if topic else None
    return Turn(number, (Message("user", "Hi"), Message("assistant", reply)), classified=classified)


def soft(outcome: Outcome, turn: int, criterion: str, reason: str = "") -> Verdict:
    claim = f"the reply to satisfy {criterion!r}"
    return Verdict(
        outcome, reason, (), "toSatisfy", claim, mode="soft", turn=turn, criterion=criterion, layer=3
    )


def called(
    outcome: Outcome, turn: int | None, tool: str, *, negated: bool = False, reason: str = ""
) -> Verdict:
    claim = f"the reply {'not to' if negated else 'to'} call {tool}"
    detail = {"type": "call_tool", "tool": tool}
    return Verdict(outcome, reason, (), "toCallTool", claim, negated, turn=turn, detail=detail)


BOOKING = Result(
    "example:1",
    "booking_with_modification",
    Outcome.PASS,
    Conversation(
        turns=tuple(
            turn(number, topic) for number, topic in enumerate(("greeting", "search", "results", "search"), 1)
        ),
        simulations=(Simulation(1, 4, "goal_reached", "the room is booked"),),
    ),
    (
        soft(Outcome.PASS, 1, "friendly"),
        called(Outcome.PASS, 1, "book_room", negated=True),
        soft(Outcome.FAIL, 3, "acknowledges_change", "Response was curt"),
        Verdict(Outcome.PASS, "", (), "toMatch", r"the reply to match /3:00\s*pm/", mode="soft", turn=3),
        called(Outcome.PASS, 4, "book_room"),
    ),
    set_name="venues",
)
"""A result: passed, with an evaluation that failed."""

LOST = Result(
    "example:2",
    "lost",
    Outcome.FAIL,
    Conversation(turns=(turn(1, "greeting"), turn(2, "booking", legal=False))),
    (called(Outcome.FAIL, None, "search", reason="it was never called"),),
    failure="max_turns",
    set_name="venues",
)
JUDGE_DOWN = Result(
    "example:3",
    "judge_down",
    Outcome.ERROR,
    Conversation(turns=(turn(1, "greeting"),)),
    (Verdict(Outcome.ERROR, "HTTP 503", (), "toSatisfy", "the reply to satisfy 'kind'", criterion="kind"),),
    failure="error",
    set_name="venues",
    counts=False,
)
MISLED = Result(
    "example:4",
    "misled",
    Outcome.FAIL,
    Conversation(turns=(turn(1, "greeting"),)),
    (called(Outcome.FAIL, 1, "search"),),
    failure="assertion",
    set_name="venues",
    conduct=(Verdict(Outcome.FAIL, "14 words", matcher="conduct", criterion="terse", mode="soft", turn=1),),
    spoiled="hindered",
    counts=False,
)
ALL = (BOOKING, LOST, JUDGE_DOWN, MISLED)
