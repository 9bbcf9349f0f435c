"""A topic graph is made of a dict, and everything wrong with one is said at once."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.records import FollowedGraph
from grice.topics.graph import (
    TopicGraph,
    TopicGraphError,
    as_data,
    condensed,
    followed_graph,
    topic_graph_hash,
    topological,
)
from grice.topics.topic import topic
from grice.topics.triggers import after_turns_in

A, B, C = topic("a", "The beginning."), topic("b"), topic("c")


def problems(given, *declared):
    with pytest.raises(TopicGraphError) as caught:
        TopicGraph.of(given, declared)
    return caught.value.problems


def test_a_dict_of_topics_is_a_graph_whose_first_key_is_where_it_begins():
    graph = TopicGraph.of({A: B, B: (C, A), C: ()})
    assert graph.initial is A
    assert graph.names == ("a", "b", "c")
    assert graph.successors("b") == ("c", "a")
    assert graph.edges == (("a", "b"), ("b", "c"), ("b", "a"))
    assert graph.terminal == ("c",)
    assert (graph.topic("c"), len(graph), "c" in graph, list(graph)) == (C, 3, True, [A, B, C])
    assert TopicGraph.of(graph) is graph


@pytest.mark.parametrize("ends", [(), [], None])
def test_a_topic_that_ends_has_no_successors_or_is_no_key(ends):
    assert TopicGraph.of({A: [B], B: ends}) == TopicGraph.of({A: B})


def test_a_single_topic_and_a_cycle_are_graphs():
    assert TopicGraph.of({A: ()}).terminal == ("a",)
    assert TopicGraph.of({A: B, B: A}).terminal == ()


def test_names_stand_for_topics_of_the_dict_then_for_declared_ones_the_last_first():
    outer, inner = topic("b", "outer"), topic("b", "inner")
    graph = TopicGraph.of({"a": "b", "b": "a"}, [A, outer, inner])
    assert graph.topics == (A, inner)
    assert TopicGraph.of({A: "b", B: ()}, [outer]).topics == (A, B)


def test_a_topic_with_other_options_takes_the_place_of_the_one_it_was_made_of():
    short = B.but(max_turns=3)
    graph = TopicGraph.of({A: short, short: "c", "c": "b"}, [A, B, C])
    assert graph.topic("b").max_turns == 3
    assert B.max_turns is None


def test_an_undefined_topic_is_named_with_the_nearest_right_one():
    greeting = topic("greeting")
    assert problems({greeting: "gretting"}) == (
        "'greeting' is followed by 'gretting', which is not defined (did you mean 'greeting'?)",
    )
    assert problems({"greting": ()}, greeting) == (
        "'greting' is not defined (did you mean 'greeting'?): give a topic(...), or declare it by a marker",
    )


def test_two_topics_of_one_name_are_refused_once():
    other = topic("a", "another")
    assert problems({A: B, B: C, C: other}) == (
        "two different topics are named 'a': rename one, or name it by its name",
    )
    assert problems({A: B, "a": C}) == ("'a' is a key twice: put all that may follow it into one list",)


def test_a_topic_that_follows_itself_is_refused_for_staying_needs_no_edge():
    assert problems({A: (A, B)}) == (
        "'a' follows itself: leave it out, a conversation may always stay in its topic",
    )


def test_all_topics_that_cannot_be_reached_are_named():
    assert problems({A: (), B: C, C: B}) == ("cannot be reached from 'a', where it begins: 'b', 'c'",)


def test_a_misspelt_successor_does_not_make_what_was_meant_unreachable():
    gathering = topic("gathering")
    assert len(problems({A: "gatherng", gathering: B})) == 1


def test_a_graph_without_topics_and_what_is_no_graph():
    assert problems({}) == ("it has no topics",)
    (said,) = problems([A, B])
    assert said.startswith("a graph is a dict {topic: topics that may follow}, found [<Topic a>")
    assert problems(None)
    assert problems("venues.yaml")


@pytest.mark.parametrize(
    ("successors", "said"),
    [
        ([{"name": "b"}], "a successor of 'a' is a topic or its name, found {'name': 'b'}"),
        ([["b"]], "a successor of 'a' is a topic or its name, found ['b']"),
        ({B: C}, "the successors of 'a': expected a topic, its name, or a tuple of them"),
        ({B}, "the successors of 'a': a set has no order, write a tuple"),
        (7, "the successors of 'a': expected a topic, its name, or a tuple of them, found 7"),
        ([""], "a successor of 'a' is a topic or its name, found ''"),
        ([topic], "call it, topic(...)"),
        ([B, "b"], "'a' has the successor 'b' twice"),
    ],
)
def test_successors_of_a_wrong_kind_are_named_with_their_topic(successors, said):
    assert any(said in one for one in problems({A: successors})), problems({A: successors})


def test_a_topic_can_be_a_key_and_what_cannot_is_refused():
    assert problems({A: (), 3: ()}) == ("a key of the graph is a topic or its name, found 3",)


def test_a_trigger_that_counts_turns_in_a_topic_that_is_not_there():
    later = topic("later", triggers=(after_turns_in("latr", count=2),))
    assert problems({A: later}) == (
        "a trigger of 'later' counts turns in 'latr', which the graph does not have (did you mean 'later'?)",
    )


def test_everything_wrong_is_said_at_once_and_survives_pickling():
    with pytest.raises(TopicGraphError) as caught:
        TopicGraph.of({A: ("a", "bb", 7), B: {C}, topic("b"): ()})
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error).splitlines() == [
        "topic graph: 6 problems",
        "  two different topics are named 'b': rename one, or name it by its name",
        "  'a' follows itself: leave it out, a conversation may always stay in its topic",
        "  'a' is followed by 'bb', which is not defined",
        "  a successor of 'a' is a topic or its name, found 7",
        "  the successors of 'b': a set has no order, write a tuple, found {<Topic c>}",
        "  'b' is a key twice: put all that may follow it into one list",
    ]


def test_a_topic_that_the_graph_does_not_have():
    with pytest.raises(LookupError, match=r"no topic 'resluts' \(did you mean 'results'\?\): it has results"):
        TopicGraph.of({topic("results"): ()}).topic("resluts")


def test_the_data_of_a_graph_follow_its_edges_and_condense_cycles():
    d = topic("d")
    graph = TopicGraph.of({d: (C, B), C: A, B: A, A: (C,)})
    assert as_data(graph) == [
        ["d", "", ["b", "c"]],
        ["b", "", ["a"]],
        ["a", "The beginning.", ["c"]],
        ["c", "", ["a"]],
    ]


def test_the_hash_changes_with_the_content_and_not_with_the_order_of_declaration():
    one = topic_graph_hash(TopicGraph.of({A: (B, C), B: C, C: ()}))
    assert one.startswith("sha256:")
    assert one == topic_graph_hash(TopicGraph.of({A: (C, B), C: None, B: [C]}))
    assert one == topic_graph_hash(TopicGraph.of({A: (B.but(max_turns=2), C), "b": C}))
    assert one != topic_graph_hash(TopicGraph.of({A: (B, C)}))
    assert one != topic_graph_hash(TopicGraph.of({A: (B.but(characteristic="x"), C), "b": C}))


GRAPHS = st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef")), min_size=1)


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_order_is_topological_and_the_same_for_every_declaration(edges, random):
    full = {name: sorted(edges.get(name, ())) for name in "abcdef"}
    order = topological(full)
    assert sorted(order) == list("abcdef")
    mixed = random.sample("abcdef", 6)
    assert topological({name: random.sample(full[name], len(full[name])) for name in mixed}) == order
    group = {name: number for number, names in enumerate(condensed(full)) for name in names}
    for name, following in full.items():
        for one in following:
            if group[one] != group[name]:
                assert order.index(name) < order.index(one)
    for one in "abcdef":
        for other in "abcdef":
            assert (group[one] == group[other]) == (_leads(full, one, other) and _leads(full, other, one))


def _leads(edges, start, end):
    seen, waiting = {start}, [start]
    while waiting:
        for one in edges[waiting.pop()]:
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return end in seen


def test_a_conversation_keeps_the_graph_and_of_a_large_one_only_the_names():
    small = TopicGraph.of({A: (B, C), B: C})
    edges = (("a", "b"), ("a", "c"), ("b", "c"))
    found = followed_graph(small)
    assert found == FollowedGraph(topic_graph_hash(small), ("a", "b", "c"), edges, found.characteristics)
    assert [bool(one) for one in found.characteristics] == [bool(one.characteristic) for one in (A, B, C)]
    assert followed_graph(TopicGraph.of({A: ()})).edges == ()
    topics = [topic(f"t{number}") for number in range(26)]
    large = TopicGraph.of({one: [other for other in topics if other is not one] for one in topics})
    kept = followed_graph(large)
    assert (kept.hash, kept.topics, kept.edges) == (topic_graph_hash(large), large.names, None)
    assert kept.characteristics == ()
