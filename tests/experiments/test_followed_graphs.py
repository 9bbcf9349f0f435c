"""Which topic graphs conversations followed, and whether two experiments followed the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_experiments import attempt, attempts, experiment

import grice
from grice.experiments.attempts import Attempt
from grice.experiments.baselines import load_baseline, save_baseline
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Grade, Level
from grice.experiments.loading import results_in
from grice.experiments.results import ExperimentResults
from grice.records import FollowedGraph, TopicVisit
from grice.topics.graph import TopicGraph, followed_graph, topic_graph_hash

VISITS = (TopicVisit(1, "asking", 1, 2),)
ASKING, OFFERING, LEAVING = (
    grice.topic(name, triggers=[grice.on_user_match(name)]) for name in ("asking", "offering", "leaving")
)
SHORT: dict[grice.Topic, object] = {ASKING: OFFERING}
LONG: dict[grice.Topic, object] = {ASKING: OFFERING, OFFERING: LEAVING}
OTHER = "another graph: topics, and the ways between them, are not the same"


def said(before: ExperimentResults, after: ExperimentResults) -> tuple[Grade, str, Level]:
    """The grade and the reason of the topic graphs, and the level of the whole."""
    found = compare(before, after).comparability
    one = next(one for one in found.aspects if one.name == "Topic graph")
    return one.grade, one.reason, found.level


def following(graphs: str) -> list[Attempt]:
    """An attempt for each mark: the graph that it followed, `-` for none."""
    return [
        attempt(f"s{number:02}", graph=graph.strip("-"), visits=VISITS if graph != "-" else ())
        for number, graph in enumerate(graphs)
    ]


@pytest.mark.parametrize(
    ("before", "after", "grade", "reason"),
    [
        ("aaaa", "aaaa", "same", "identical"),
        ("aabb", "aabb", "same", "identical"),
        ("aa--", "aa--", "same", "identical"),
        ("----", "----", "same", "neither follows one"),
        ("aaaa", "bbbb", "forbids", OTHER),
        ("aaaa", "----", "forbids", "only the baseline follows one"),
        ("----", "aaaa", "forbids", "only the current follows one"),
        ("aaaa", "aaab", "forbids", OTHER.replace("graph:", "graph in 1 of 4 scenarios:")),
        ("aaab", "aaba", "forbids", OTHER.replace("graph:", "graph in 2 of 4 scenarios:")),
        ("aa--", "aa-a", "forbids", "only the current follows one in 1 of 4 scenarios"),
    ],
)
def test_the_graph_of_each_shared_scenario_counts(before: str, after: str, grade: Grade, reason: str) -> None:
    sides = experiment("a", following(before)), experiment("b", following(after))
    assert said(*sides) == (grade, reason, "INVALID" if grade == "forbids" else "HIGH")


def test_repeats_that_follow_different_graphs_are_not_those_that_follow_one() -> None:
    def repeats(graphs: str) -> list[Attempt]:
        return [attempt("s", graph=one, visits=VISITS, repeat=n) for n, one in enumerate(graphs, 1)]

    assert said(experiment("a", repeats("aba")), experiment("b", repeats("aab")))[0] == "same"
    assert said(experiment("a", repeats("aaa")), experiment("b", repeats("aab")))[0] == "forbids"


def test_the_graph_of_a_scenario_that_only_one_side_has_does_not_count() -> None:
    before = experiment("a", following("aaaaaaaaa"), topic_graph_hash="a")
    after = experiment("b", following("aaaaaaaaab"), topic_graph_hash="of both")
    assert said(before, after) == ("same", "identical", "HIGH")


def test_graphs_that_some_attempts_do_not_tell_are_no_same_graphs() -> None:
    untold = attempt("s03", visits=VISITS)
    grade, reason, level = said(
        experiment("a", following("aaaa")), experiment("b", [*following("aaa"), untold])
    )
    assert (grade, level) == ("flagged", "MEDIUM")
    assert reason == (
        "cannot be told: 1 attempt of the current visited topics of a graph that is not recorded: "
        "run it again, a runner of your own with start_experiment(topics=...)"
    )


def test_a_graph_that_is_declared_is_that_of_attempts_that_do_not_tell_theirs() -> None:
    before = experiment("a", attempts("++++", visits=VISITS), topic_graph_hash="a")
    assert said(before, experiment("b", following("aaaa"), topic_graph_hash="a"))[0] == "same"
    assert said(before, experiment("b", following("bbbb"), topic_graph_hash="b"))[0] == "forbids"


def test_scenarios_that_had_no_turn_do_not_tell_whether_they_follow_one() -> None:
    before, silent = experiment("a", following("aaaa")), attempt("s03", passed=False, turns=0)
    grade, reason, _ = said(before, experiment("b", [*following("aaa"), silent]))
    assert grade == "flagged"
    assert reason == "cannot be told: 1 scenario followed one on one side, and had no turn on the other"
    again = attempt("s03", graph="a", visits=VISITS, repeat=2)
    assert said(before, experiment("b", [*following("aaa"), silent, again]))[0] == "same"


def shape(graph: dict[grice.Topic, object]) -> FollowedGraph:
    return followed_graph(TopicGraph.of(graph))


QUIET, LOUD = (grice.topic("asking", characteristic=text) for text in ("asks for a room", "asks for a hall"))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({QUIET: OFFERING}, {LOUD: OFFERING}, "changed characteristic: asking"),
        (SHORT, {QUIET: OFFERING}, "changed characteristic: asking"),
        (SHORT, LONG, "added: leaving"),
        (LONG, SHORT, "removed: leaving"),
        (
            {ASKING: [OFFERING, LEAVING]},
            {ASKING: OFFERING, OFFERING: LEAVING},
            "changed successors: asking, offering",
        ),
    ],
)
def test_another_graph_names_the_topics_that_changed(
    before: dict[grice.Topic, object], after: dict[grice.Topic, object], told: str
) -> None:
    def side(graph: dict[grice.Topic, object]) -> list[Attempt]:
        followed = shape(graph)
        return attempts("++++", graph=followed.hash, followed=followed, visits=VISITS)

    found = said(experiment("a", side(before)), experiment("b", side(after)))
    assert found == ("forbids", f"another graph: {told}", "INVALID")


# -- what was followed inside a test


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def held(graph: object, **options: Any) -> ExperimentResults:
    @grice.scenarios([{"id": "a", "goal": "A room"}, {"id": "b", "goal": "A hall"}])
    def books(conversation: Any, scenario: Any) -> None:
        if graph is not None:
            conversation.follow(graph, ask=False)
        grice.expect(conversation.say("asking")).to_contain("asking")

    return ExperimentResults.of(grice.run(checks=[books], agent=lambda text: text, **options))


@pytest.mark.slow
def test_a_graph_that_is_followed_in_the_body_counts_as_a_declared_one(folder: Path) -> None:
    short, again, other, none = held(SHORT), held(SHORT), held(LONG), held(None)
    assert not short.experiment.topic_graph_hash
    assert {one.graph for one in short.attempts} == {topic_graph_hash(TopicGraph.of(SHORT))}
    assert said(short, again) == ("same", "identical", "HIGH")
    assert said(short, other) == ("forbids", "another graph: added: leaving", "INVALID")
    assert said(short, none)[1:] == ("only the baseline follows one", "INVALID")


@pytest.mark.slow
def test_journals_and_baselines_keep_the_graph(folder: Path) -> None:
    kept = held(SHORT, journal=folder / "runs")
    assert {one.graph for one in results_in(Path(kept.source)).attempts} == {kept.attempts[0].graph}
    path = save_baseline("main", kept, folder)
    assert said(load_baseline(path), held(SHORT))[0] == "same"
    assert said(load_baseline(path), held(LONG))[0] == "forbids"


def recorded(graph: object) -> ExperimentResults:
    with grice.start_experiment(store=False) as run:
        with grice.LiveConversation(lambda text: text) as conversation, run.attempt("a", conversation):
            conversation.follow(graph, ask=False)
            grice.expect(conversation.say("asking")).to_contain("asking")
        return run.finish()


def test_a_runner_of_ones_own_need_not_declare_a_graph_that_is_followed() -> None:
    assert said(recorded(SHORT), recorded(SHORT))[:2] == ("same", "identical")
    assert said(recorded(SHORT), recorded(LONG))[::2] == ("forbids", "INVALID")
