"""One result: evaluations by turn, expectations, summaries, result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from grice.experiments.aggregation.summary import CheckCount
from grice.experiments.attempts import UNSEEN, why_not_counted
from grice.records import Conversation, Outcome, Result, Verdict
from grice.reporting.console import STYLES, Screen, print_line
from grice.reporting.figures_text import percent
from grice.reporting.layout import cells, transcript_rows
from grice.reporting.lines import Line
from grice.reporting.text import judge_marks, marked_turn, reason_lines, reason_text
from grice.reporting.verdict_labels import label
from grice.text import plural, shorten, visible

_WIDEST = 48
_LONGEST_QUOTE = 500


def print_scenario(console: Screen, result: Result, *, newly: bool = False) -> None:
    """The whole result. `newly` says that it failed, and passed in the run before."""
    again = f"  (repeat {result.repeat})" if result.repeat > 1 else ""
    mark = "  newly fails" if newly else ""
    print_line(console, f"Scenario: {_line(result.key)}{again}{mark}", style="bold", hanging="  ")
    for said in _about(result):
        print_line(console, said, style="dim", indent="  ", hanging="    ")
    if any(turn.messages for turn in result.conversation.turns):
        console.print()
        rows = transcript_rows(
            result.conversation.turns, marked=marked_turn(result.verdicts), width=console.width - 2
        )
        for row in rows:
            console.print(Line(f"  {row}", style="red" if row.startswith(">") else ""), soft_wrap=True)
    soft = [verdict for verdict in result.verdicts if verdict.mode == "soft"]
    hard = [verdict for verdict in result.verdicts if verdict.mode == "hard"]
    if soft:
        console.print("\n  Evaluations (soft):")
        _print_by_turn(console, result.conversation, soft)
    if hard:
        console.print("\n  Expectations (hard):")
        names = [f"{_where(verdict.turn)}: {label(verdict)}" for verdict in hard]
        _print_checks(console, "    ", names, hard)
    if result.conduct:
        console.print("\n  Conduct of the simulated user:")
        names = [f"{_where(one.turn)}: {_line(one.criterion) or label(one)}" for one in result.conduct]
        _print_checks(console, "    ", names, result.conduct)
    console.print()
    if soft or hard:
        _print_counts(console, soft, hard)
    else:
        unseen = UNSEEN if result.outcome is Outcome.INCONCLUSIVE else "nothing was checked"
        print_line(console, unseen, indent="  ")
    _print_ending(console, result)


def _where(turn: int | None) -> str:
    return "Conversation" if turn is None else f"Turn {turn}"


def _print_counts(console: Screen, soft: Sequence[Verdict], hard: Sequence[Verdict]) -> None:
    if soft:
        count = CheckCount()
        count.outcomes.update(verdict.outcome.value for verdict in soft)
        others = _others(count)
        print_line(
            console, f"Evaluation Summary: {ratio(count.passed, count.evaluated)}{others}", indent="  "
        )
    applied = [verdict for verdict in hard if verdict.outcome is not Outcome.SKIPPED]
    if applied:
        passed = sum(verdict.outcome is Outcome.PASS for verdict in applied)
        print_line(console, f"Expectation Summary: {ratio(passed, len(applied))}", indent="  ")


def _others(count: CheckCount) -> str:
    """How many checks gave no answer, and of which kind."""
    parts = [
        f", {count.outcomes[outcome]} {word}"
        for outcome, word in (("inconclusive", "could not tell"), ("error", "broke"), ("skipped", "skipped"))
        if count.outcomes[outcome]
    ]
    return "".join(parts)


def _print_ending(console: Screen, result: Result) -> None:
    said = Line("\n  Result: ").append(_ENDINGS[result.outcome], style=STYLES[result.outcome])
    if result.failure not in ("none", result.outcome.value):
        said.append(f" ({result.failure})")
    console.print(said)
    if not result.counts and result.outcome is not Outcome.SKIPPED:
        why = shorten(reason_text(why_not_counted(result)), _LONGEST_QUOTE)
        print_line(console, f"Not counted in completion: {why}", style="yellow", indent="  ", hanging="    ")
    elif result.spoiled:
        print_line(console, f"The simulated user {result.spoiled} the agent.", style="yellow", indent="  ")


_ENDINGS = {
    Outcome.PASS: "PASSED",
    Outcome.FAIL: "FAILED",
    Outcome.INCONCLUSIVE: "INCONCLUSIVE",
    Outcome.ERROR: "ERROR",
    Outcome.SKIPPED: "SKIPPED",
}


_OF_THE_USER = ("goal_reached", "gave_up")
"""How a played user ends a simulation; what else ends one is not theirs."""


def _about(result: Result) -> Iterator[str]:
    """What is told of a result under its name: description, topics, how it ended."""
    conversation = result.conversation
    if result.description:
        yield _line(result.description)
    if result.set_name:
        yield f"Set: {_line(result.set_name)}"
    if conversation.visits:
        yield f"Topics: {topic_path(conversation)}"
    count = len(conversation.turns)
    turns = plural(count, "turn")
    if conversation.simulations:
        for one in conversation.simulations:
            why = f": {shorten(reason_text(one.reason), _LONGEST_QUOTE)}" if one.reason else ""
            who = f"{one.user} " if one.termination in _OF_THE_USER else ""
            yield f"Ended after {turns}, {who}{one.termination}{why}"
    elif conversation.termination:
        yield f"Ended after {turns}, {conversation.termination}"
    failure = next((turn.failure for turn in conversation.turns if turn.failure is not None), None)
    if failure is not None:
        yield f"Agent failure: {failure.kind}: {shorten(reason_text(failure.message), _LONGEST_QUOTE)}"


def topic_path(conversation: Conversation) -> str:
    """The visits to topics with their turns: `greeting (1) > results (2-4)`; `!>` is an illegal move."""
    parts: list[str] = []
    for visit in conversation.visits:
        turns = f"{visit.first}" if visit.first == visit.last else f"{visit.first}-{visit.last}"
        arrow = "" if not parts else " > " if visit.legal else " !> "
        parts.append(f"{arrow}{_line(visit.topic)} ({turns})")
    return "".join(parts)


def _print_by_turn(console: Screen, conversation: Conversation, verdicts: Sequence[Verdict]) -> None:
    """The checks under the turns that they judged; those of the whole conversation stand last."""
    topics = {turn.number: turn.topic for turn in conversation.turns}
    width = min(max(cells(label(verdict)) for verdict in verdicts), _WIDEST)
    ordered = sorted(verdicts, key=lambda one: float("inf") if one.turn is None else one.turn)
    for turn, group in groupby(ordered, key=lambda one: one.turn):
        topic = topics.get(turn) if turn is not None else ""
        beside = f" ({_line(topic)})" if topic else ""
        console.print(Line(f"    {_where(turn)}{beside}:"), soft_wrap=True)
        own = list(group)
        _print_checks(console, " " * 6, list(map(label, own)), own, width=width)


def _print_checks(
    console: Screen,
    indent: str,
    names: Sequence[str],
    verdicts: Sequence[Verdict],
    *,
    width: int = 0,
) -> None:
    """A line a check, with its reason beside it where that is short, else below."""
    marks = _MARKS if console.encoding.lower().startswith("utf") else _PLAIN_MARKS
    width = width or min(max(map(cells, names)), _WIDEST)
    below = f"{indent}    "
    for name, verdict in zip(names, verdicts, strict=True):
        row = Line(f"{indent}{name}{' ' * max(0, width - cells(name))}  ")
        if cells(row.plain) + _MARK_WIDTH > console.width:
            print_line(console, name, indent=indent, hanging=below)
            row = Line(below)
        row.append(marks.get(verdict.outcome, verdict.outcome.value), style=STYLES[verdict.outcome])
        row.append(_beside(verdict))
        reasons = reason_lines(verdict)
        if reasons and cells(row.plain) + cells(reasons[0]) + 4 <= console.width:
            row.append(f'  "{reasons.pop(0)}"', style="yellow")
        console.print(row, soft_wrap=True)
        for reason in reasons:
            said = shorten(reason, _LONGEST_QUOTE)
            own = " " * (len(reason) - len(reason.lstrip()))  # the rows of a table stand further in
            print_line(console, said, style="yellow", indent=below, hanging=f"{below}{own}  ")


_MARK_WIDTH = max(len(one.value) for one in Outcome)
_MARKS = {Outcome.PASS: "\u2713", Outcome.FAIL: "\u2717"}
_PLAIN_MARKS = {Outcome.PASS: "pass", Outcome.FAIL: "FAIL"}


def _beside(verdict: Verdict) -> str:
    score = "" if verdict.score is None else f"  score {verdict.score:g}"
    return "  ".join([score, *judge_marks(verdict)])


def ratio(part: int, whole: int) -> str:
    """`7/8 passed (87.5%)`, or `0/0 passed`."""
    return f"{part}/{whole} passed ({percent(part / whole)})" if whole else "0/0 passed"


def _line(text: str) -> str:
    return visible(text, newlines=False)
