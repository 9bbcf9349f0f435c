"""The section of a report on topics: how often each was visited, and which moves were made and not made."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from grice.experiments.aggregation.summary import Summary
from grice.reporting.console import print_line
from grice.reporting.figures_text import plural
from grice.reporting.graph_drawing import DrawnTopic, drawn_graph
from grice.reporting.headings import print_heading
from grice.reporting.layout import cells
from grice.running.journal.experiment import Experiment
from grice.text import visible

__all__ = ["never_taken", "not_in_graph_lines", "print_topics", "visited_topics"]


def visited_topics(head: Experiment, summary: Summary) -> Sequence[DrawnTopic]:
    """The topics of the graph, and others that were visited, with their visits."""
    return drawn_graph(head.topic_graph, summary.topic_tally).topics


def never_taken(head: Experiment, summary: Summary) -> list[str]:
    """The transitions of the graph that nobody took, as `search > results`."""
    moves = summary.topic_tally.moves(head.topic_graph)
    return [f"{_line(one.start)} > {_line(one.end)}" for one in moves if one.legal and not one.times]


def not_in_graph_lines(head: Experiment, summary: Summary) -> list[str]:
    """The moves that the graph does not have, with how often they were made."""
    return [
        f"not in the graph: {_line(one.start)} > {_line(one.end)}, {plural(one.times, 'time')}"
        for one in summary.topic_tally.moves(head.topic_graph)
        if not one.legal
    ]


def print_topics(console: Console, head: Experiment, summary: Summary) -> None:
    """The topics with their visits, and the moves that stand out; nothing where no graph was followed."""
    topics = visited_topics(head, summary)
    if not topics:
        return
    print_heading(console, "Topics")
    width = max(cells(_line(topic.name)) for topic in topics)
    for topic in topics:
        padded = _line(topic.name) + " " * (width - cells(_line(topic.name)))
        reached = topic.visits or topic.left
        print_line(console, f"  {padded}  {topic.words}", style="" if reached else "yellow")
    if missing := never_taken(head, summary):
        said = f"never taken: {', '.join(missing)}"
        print_line(console, said, indent="  ", hanging="    ", style="yellow")
    for said in not_in_graph_lines(head, summary):
        print_line(console, said, indent="  ", hanging="    ", style="red")


def _line(text: str) -> str:
    return visible(text, newlines=False)
