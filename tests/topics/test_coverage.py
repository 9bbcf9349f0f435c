"""Where many conversations went in a graph."""

from msgspec.structs import replace
from talks import talk, through, turn

from grice.records import Classification
from grice.topics.coverage import coverage
from grice.topics.graph import TopicGraph
from grice.topics.topic import topic

FLOW = TopicGraph.of({topic("a"): "b", topic("b"): ("c", "a"), topic("c"): "d", topic("d"): ()})


def test_topics_and_edges_are_counted_and_missing_ones_named():
    found = coverage(FLOW, [through("a", "a", "b"), through("a", "b", "c", "c")])
    assert (found.conversations, found.turns) == (2, 7)
    assert [(one.name, one.visits, one.conversations, one.turns) for one in found.topics] == [
        ("a", 2, 2, 3),
        ("b", 2, 2, 2),
        ("c", 1, 1, 2),
        ("d", 0, 0, 0),
    ]
    assert [(one.source, one.target, one.count) for one in found.edges] == [
        ("a", "b", 2),
        ("b", "c", 1),
        ("b", "a", 0),
        ("c", "d", 0),
    ]
    assert found.missing_topics == ("d",)
    assert found.missing_edges == (("b", "a"), ("c", "d"))
    assert (found.topic_rate, found.edge_rate, found.backtracking_rate) == (0.75, 0.5, 0.0)


def test_a_conversation_that_goes_back_to_a_topic_it_had_left_counts_once():
    found = coverage(FLOW, [through("a", "b", "a", "b", "a"), through("a", "a"), through("a", "b")])
    assert found.returning == 1
    assert found.backtracking_rate == 1 / 3


def test_moves_that_the_graph_does_not_have_are_counted_the_most_frequent_first():
    found = coverage(FLOW, [through("a", "c", "b"), through("d"), through("a", "c"), through("a", "x")])
    assert [(one.source, one.target, one.count) for one in found.illegal] == [
        ("a", "c", 2),
        ("a", "d", 1),
        ("a", "x", 1),
        ("c", "b", 1),
    ]
    assert found.unknown == ("x",)


def test_a_first_turn_in_another_topic_took_the_edge_to_it():
    found = coverage(FLOW, [through("b")])
    assert found.edges[0].count == 1
    assert found.topics[0].visits == 0


def test_conversations_without_topics_and_turns_that_are_undecided():
    lost = replace(turn(2), classified=Classification("a", "error", "the judge is down"))
    found = coverage(FLOW, [talk(), talk(turn(1)), talk(turn(1, topic="a"), lost)])
    assert (found.conversations, found.unclassified, found.undecided, found.turns) == (1, 2, 1, 2)


def test_a_turn_without_a_topic_in_between_is_no_way_back():
    gap = talk(turn(1, topic="a"), turn(2), turn(3, topic="a"))
    assert coverage(FLOW, [gap]).backtracking_rate == 0.0


def test_without_conversations_there_are_no_rates():
    found = coverage(FLOW, [])
    assert (found.topic_rate, found.edge_rate, found.backtracking_rate) == (None, None, None)
    assert found.missing_topics == ("a", "b", "c", "d")
    assert coverage(TopicGraph.of({topic("a"): ()}), [through("a")]).edge_rate is None
