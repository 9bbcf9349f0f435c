"""Whether two experiments follow the same topic graphs, scenario by scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.counting import count_of
from grice.experiments.comparison.records import Aspect
from grice.running.journal.experiment import Experiment

__all__ = ["FollowedGraphs", "followed_graphs", "graph_aspect"]

NAME = "Topic graph"
NO_GRAPH = frozenset({""})


@dataclass(frozen=True)
class FollowedGraphs:
    """The graphs that one side follows.

    `known` has their fingerprints by the stable id of the scenario, "" for none; a scenario without a turn
    that tells no graph is left out. `unknown` counts the attempts that visited topics whose graph nothing
    tells.
    """

    known: Mapping[str, frozenset[str]]
    unknown: int

    @property
    def following(self) -> frozenset[str]:
        """The ids of the scenarios that follow one."""
        return frozenset(id_ for id_, graphs in self.known.items() if graphs != NO_GRAPH)


def followed_graphs(
    heads: Iterable[Experiment], attempts: Iterable[Attempt], shared: frozenset[str] = frozenset()
) -> FollowedGraphs:
    """What all attempts of an experiment tell, and the heads where these tell nothing.

    Graphs are those of the `shared` scenarios; where there are none, all are taken together.
    """
    declared = frozenset(head.topic_graph_hash for head in heads if head.topic_graph_hash)
    every = tuple(attempts)
    told = any(one.graph or one.visits for one in every)
    known: dict[str, frozenset[str]] = {}
    unknown = 0
    for one in every:
        if not shared or one.id in shared:
            own = frozenset({one.graph}) if one.graph else _untold(one, declared, told)
            unknown += own is None
            if own:
                scenario = one.id if shared else ""
                known[scenario] = known.get(scenario, frozenset()) | own
    return FollowedGraphs(known, unknown)


def _untold(one: Attempt, declared: frozenset[str], told: bool) -> frozenset[str] | None:
    """What an attempt follows that does not say which graph: nothing known is empty, None not recorded.

    What heads declare holds for those that visited topics, and for all where no attempt tells anything.
    """
    if one.visits:
        return declared or None
    if declared and not told:
        return declared
    return NO_GRAPH if one.turns else frozenset()


def graph_aspect(before: FollowedGraphs, after: FollowedGraphs) -> Aspect:
    """Another graph in a shared scenario forbids the comparison."""
    for word, one in (("baseline", before), ("current", after)):
        if one.unknown:
            said = f"{count_of(one.unknown, 'attempt')} of the {word} visited topics of a graph that is not"
            return Aspect(NAME, "flagged", f"cannot be told: {said} recorded: {_WHAT_TO_DO}")
    if not before.following and not after.following:
        return Aspect(NAME, "same", "neither follows one")
    both = before.known.keys() & after.known.keys()
    changed = [id_ for id_ in both if before.known[id_] != after.known[id_]]
    if changed:
        where = "" if len(changed) == len(both) else f" in {len(changed)} of {len(both)} scenarios"
        return Aspect(NAME, "forbids", _difference(before, after, frozenset(changed), where))
    silent = (before.following | after.following) - both
    if silent:
        said = f"{count_of(len(silent), 'scenario')} followed one on one side, and had no turn on the other"
        return Aspect(NAME, "flagged", f"cannot be told: {said}")
    return Aspect(NAME, "same", "identical")


def _difference(before: FollowedGraphs, after: FollowedGraphs, changed: frozenset[str], where: str) -> str:
    if not changed & after.following:
        return f"only the baseline follows one{where}"
    if not changed & before.following:
        return f"only the current follows one{where}"
    return f"another graph{where}: topics, and the ways between them, are not the same"


_WHAT_TO_DO = "run it again, a runner of your own with start_experiment(topics=...)"
