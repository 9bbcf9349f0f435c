"""Topics and triggers over real dialogues: how much triggers decide, how often they are right, who leaves.

    python benchmarks/topic_graphs.py [task_dialogues.jsonl]

The dialogues are RasaHQ/STAR's (MIT): a person plays the assistant, mostly by picking replies, each of which
has an action label, sometimes by typing, which has none. Three tasks have the same phases. The triggers are
what one writes who has read a few of them; the labels are only compared with, never read by a trigger.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from grice.records import Classification, Conversation, Message, ToolCall, Turn
from grice.topics.coverage import coverage
from grice.topics.graph import TopicGraph
from grice.topics.topic import Topic, topic
from grice.topics.tracker import Tracker
from grice.topics.triggers import on_reply_match, on_tool_call

DATA = Path("/work/shared/data/task_dialogues.jsonl")
TASKS = ("party_plan", "doctor_schedule", "ride_book")

ASKS = (
    r"(your name|how many|(at|which|what) venue|what (day|time|hotel|doctor)|where (are|do) you|"
    r"when (are|would|do)|symptoms|departing|filter for|kind|type)"
)
OFFERS = r"\b(can|shall|should|may) i book|\b(not|no|isn't) (\w+ )?available|booked out"
BOOKED = r"\b(is|are|been|have) (now |successfully )?(booked|scheduled)|\bride booked|your driver"
ENDS = r"\bgood ?bye|anything else|enjoy your ride|have a (nice|good|great)"

PHASES = {
    "opening": ("hello",),
    "details": ("ask_", "search_criteria", "food_drink_criteria"),
    "availability": ("ask_confirm_booking", "available", "nothing_found"),
    "booked": ("booking_successful", "confirm_booking", "driver_details", "booking_failed"),
    "closing": ("goodbye", "anything_else", "ride_bye"),
}
"""What is in the labels that belong to a topic; the longest of these counts."""


class Dialogue(NamedTuple):
    """A dialogue, and for each turn the topics that its labels say."""

    conversation: Conversation
    labelled: list[set[str]]
    typed: list[bool]
    happy: bool


def main(path: Path) -> None:
    """Print the tables."""
    dialogues = {task: list(dialogues_of(path, task)) for task in TASKS}
    graphs: dict[str, dict[str, tuple[str, ...]]] = {"happy flow": {}, "with ways back": WAYS_BACK}
    for name, extra in graphs.items():
        print(f"\n{name}")
        print(
            f"{'task':<16}{'dialogues':>10}{'turns':>7}{'by trigger':>12}{'picked':>8}{'typed':>7}"
            f"{'precision':>11}{'all turns':>11}{'leave':>7}{'happy':>7}{'labels leave':>14}"
        )
        rows = [study(booking_graph(task, extra), dialogues[task]) for task in TASKS]
        for task, row in zip((*TASKS, "all"), (*rows, added(rows)), strict=True):
            print(f"{task:<16}{row}")


class Study(NamedTuple):
    """What was counted, each as (how many, of how many)."""

    dialogues: int
    turns: int
    by_trigger: tuple[int, int]
    picked: tuple[int, int]
    typed: tuple[int, int]
    precision: tuple[int, int]
    all_turns: tuple[int, int]
    leave: tuple[int, int]
    happy_leave: tuple[int, int]
    labels_leave: tuple[int, int]

    def __str__(self) -> str:
        """A row of the table."""
        pairs: Any = self[2:]
        shares = [f"{part / whole:.0%}" if whole else "-" for part, whole in pairs]
        widths = (12, 8, 7, 11, 11, 7, 7, 14)
        written = "".join(f"{one:>{width}}" for one, width in zip(shares, widths, strict=True))
        return f"{self.dialogues:>10}{self.turns:>7}{written}"


def added(rows: Iterable[Study]) -> Study:
    """The rows together."""
    columns = list(zip(*rows, strict=True))
    pairs = [(sum(part for part, _ in column), sum(whole for _, whole in column)) for column in columns[2:]]
    return Study(sum(columns[0]), sum(columns[1]), *pairs)


def study(graph: TopicGraph, dialogues: list[Dialogue]) -> Study:
    """Follow the dialogues by triggers alone, and compare with the labels."""
    followed = [(one, follow(graph, one.conversation)) for one in dialogues]
    turns = [
        (turn.classified, labels, typed)
        for one, conversation in followed
        for turn, labels, typed in zip(conversation.turns, one.labelled, one.typed, strict=True)
        if turn.classified is not None
    ]
    decided = [(found, labels) for found, labels, _ in turns if found.by == "trigger" and labels]
    known = [(found, labels) for found, labels, _ in turns if labels]
    leaves = [(one.happy, any(not visit.legal for visit in c.visits)) for one, c in followed]
    gold = [_leaves(graph, one.labelled) for one in dialogues]
    return Study(
        len(dialogues),
        len(turns),
        _share(found.by == "trigger" for found, _, _ in turns),
        _share(found.by == "trigger" for found, _, typed in turns if not typed),
        _share(found.by == "trigger" for found, _, typed in turns if typed),
        _share(found.topic in labels for found, labels in decided),
        _share(found.topic in labels for found, labels in known),
        _share(leave for _, leave in leaves),
        _share(leave for happy, leave in leaves if happy),
        _share(gold),
    )


def _share(answers: Iterable[bool]) -> tuple[int, int]:
    listed = list(answers)
    return sum(listed), len(listed)


def _leaves(graph: TopicGraph, labelled: Iterable[set[str]]) -> bool:
    """Whether the labels alone make a move that the graph does not have."""
    before = graph.initial.name
    for topics in labelled:
        if topics and before not in topics:
            following = [name for name in graph.successors(before) if name in topics]
            if not following:
                return True
            before = following[0]
    return False


# -- the graph


WAYS_BACK = {
    "availability": ("details", "closing"),
    "booked": ("availability", "details"),
    "closing": ("booked", "availability", "details"),
    "details": ("closing",),
}


def booking_graph(task: str, extra: dict[str, tuple[str, ...]]) -> TopicGraph:
    """The phases of booking something with the tool of that name."""
    topics: list[Topic] = [
        topic("opening"),
        topic("details", triggers=on_reply_match(rf"{ASKS}.*\?", flags="is")),
        topic(
            "availability",
            triggers=(
                on_tool_call(task, RequestType='"Check"'),
                on_reply_match(OFFERS, flags="i"),
            ),
        ),
        topic(
            "booked",
            triggers=(on_tool_call(task, RequestType='"Book"'), on_reply_match(BOOKED, flags="i")),
        ),
        topic("closing", triggers=on_reply_match(ENDS, flags="i")),
    ]
    flow = {
        "opening": ("details", "availability"),
        "details": ("availability",),
        "availability": ("booked",),
        "booked": ("closing",),
        "closing": (),
    }
    return TopicGraph.of({one: (*flow[one.name], *extra.get(one.name, ())) for one in topics})


def follow(graph: TopicGraph, conversation: Conversation) -> Conversation:
    """The conversation with the topics that triggers find."""
    tracker = Tracker(graph, ask=False)
    turns: tuple[Turn, ...] = ()
    for turn in conversation.turns:
        found = tracker.classify(replace(conversation, turns=(*turns, turn)))
        assert isinstance(found, Classification)
        turns = (*turns, replace(turn, classified=found))
    return replace(conversation, turns=turns)


# -- the data


def dialogues_of(path: Path, task: str) -> Iterator[Dialogue]:
    """The dialogues of the file that are about that task alone."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        said = any(message["role"] == "assistant" for message in row["messages"])
        if row["labels"]["tasks"] == [task] and said:
            parts = list(_turns(row["messages"]))
            turns = tuple(_turn(number, messages) for number, messages in enumerate(parts, 1))
            yield Dialogue(
                Conversation(row["id"], turns),
                [{name for one in part if (name := phase(one.get("action")))} for part in parts],
                [_is_typed(part) for part in parts],
                row["labels"]["happy"],
            )


def phase(action: str | None) -> str:
    """The topic that a label belongs to, "" for one that belongs to none."""
    parts = [(len(part), name) for name, parts in PHASES.items() for part in parts if part in (action or "")]
    return max(parts)[1] if parts else ""


def _is_typed(messages: list[dict[str, Any]]) -> bool:
    """Whether the assistant only typed in it, and picked no reply."""
    said = [one for one in messages if one["role"] == "assistant" and one["content"]]
    return bool(said) and all(one.get("action") in (None, "custom") for one in said)


def _turns(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    part: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "user" and part:
            yield part
            part = []
        part.append(message)
    if part:
        yield part


def _turn(number: int, messages: list[dict[str, Any]]) -> Turn:
    calls = [
        ToolCall(call["name"], call["arguments"]) for one in messages for call in one.get("tool_calls", ())
    ]
    said = tuple(Message(one["role"], one["content"]) for one in messages if one["role"] != "tool")
    return Turn(number, said, tuple(calls))


def print_coverage(path: Path, task: str) -> None:
    """Print where the dialogues of one task went."""
    graph = booking_graph(task, WAYS_BACK)
    found = coverage(graph, [follow(graph, one.conversation) for one in dialogues_of(path, task)])
    print(f"\n{task}: backtracking {found.backtracking_rate:.0%}, never taken: {found.missing_edges}")
    print("  against the graph:", ", ".join(f"{e.source} -> {e.target} {e.count}" for e in found.illegal[:8]))


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if given.exists():
        main(given)
        for one_task in TASKS:
            print_coverage(given, one_task)
    else:
        print(f"nothing to study: {given} is not there")
