"""Topic graphs as pictures: everything that was counted is in them, and names are only text."""

import re
from xml.etree import ElementTree as ET

import pytest
from run_results import ALL, GRAPH

from grice.experiments.aggregation.topic_counts import Move, TopicTally
from grice.records import FollowedGraph
from grice.reporting.graph_drawing import DrawnGraph, DrawnTopic, drawn_graph, mermaid
from grice.reporting.graph_svg import svg

NS = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert("1")</script>]]> --> & \x1b[2J\u202e`'


def drawn(edges: list[tuple[str, str]], *, title: str = "Topics") -> DrawnGraph:
    names = dict.fromkeys(name for edge in edges for name in edge)
    return DrawnGraph(
        tuple(DrawnTopic(name, 1) for name in names), tuple(Move(*edge, 1, True) for edge in edges), title
    )


def tally() -> TopicTally:
    counted = TopicTally()
    for result in ALL:
        counted.add(result.conversation.visits)
    return counted


def boxes(picture: str) -> dict[str, tuple[float, float, float, float]]:
    """The boxes of topics by name: left, top, right, bottom."""
    found = {}
    for group in ET.fromstring(picture).iter(f"{NS}g"):
        box, name = group.find(f"{NS}rect"), group.find(f"{NS}text[@class='name']")
        if box is not None and name is not None and name.text:
            left, top, width, height = (float(box.attrib[key]) for key in ("x", "y", "width", "height"))
            found[name.text] = (left, top, left + width, top + height)
    return found


def overlapping(places: dict[str, tuple[float, float, float, float]]) -> list[tuple[str, str]]:
    names = sorted(places)
    return [
        (a, b)
        for at, a in enumerate(names)
        for b in names[at + 1 :]
        if places[a][0] < places[b][2]
        and places[b][0] < places[a][2]
        and places[a][1] < places[b][3]
        and places[b][1] < places[a][3]
    ]


def test_mermaid_has_topics_with_visits_and_edges_with_transitions() -> None:
    assert (
        mermaid(drawn_graph(GRAPH, tally()))
        == """%% drawn by grice report
flowchart TD
  accTitle: Topics
  accDescr: 4 topics, 5 transitions
  t0(["greeting<br/>4 visits"])
  t1["search<br/>2 visits"]
  t2["results<br/>1 visit"]
  t3["booking<br/>1 visit"]
  t0 -- "1" --> t1
  t1 -- "1" --> t2
  t2 -- "1" --> t1
  t2 --> t3
  t0 -. "1, not in the graph" .-> t3
  linkStyle 3 stroke:#9aa0a6,color:#6b7075
  linkStyle 4 stroke:#d93025,color:#d93025,stroke-dasharray:6 4
"""
    )


def test_only_a_graph_that_is_known_has_an_initial_topic() -> None:
    unknown, known = drawn_graph({}, tally()), drawn_graph(GRAPH, tally())
    assert "([" not in mermaid(unknown)
    assert mermaid(known).count("([") == 1
    assert 'class="topic initial' not in svg(unknown)
    assert svg(known).count('class="topic initial') == 1


def test_a_name_is_no_mermaid_and_no_html() -> None:
    graph = drawn([(HOSTILE, "日本語")], title=HOSTILE)
    text = mermaid(graph)
    labels = re.findall(r't\d+(?:\(\[|\[)"(.*)"\]\)?\n', text)
    assert len(labels) == 2
    assert not set('<>"`[]{}()|\x1b\u202e') & set(labels[0].replace("<br/>", ""))
    assert labels[1] == "日本語<br/>1 visit"
    assert "script" in text.splitlines()[2]  # the title keeps its letters
    assert not set('<>"&;#') & set(text.splitlines()[2])


def test_the_picture_says_what_it_shows_to_those_who_do_not_see_it() -> None:
    root = ET.fromstring(svg(drawn_graph(GRAPH, tally(), title="Topics of exp_1")))
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{NS}title") == "Topics of exp_1"
    said = root.findtext(f"{NS}desc") or ""
    assert "greeting (4 visits), search (2 visits)" in said
    assert "greeting to booking (1 time, not in the graph)" in said


def test_illegal_moves_and_what_was_never_reached_stand_out() -> None:
    counted = TopicTally()
    counted.add(ALL[1].conversation.visits)
    root = ET.fromstring(svg(drawn_graph(GRAPH, counted)))
    kinds = [group.attrib["class"] for group in root.iter(f"{NS}g")]
    assert kinds.count("illegal") == 1
    assert kinds.count("unused") == 4
    assert sum("never" in kind for kind in kinds) == 2
    assert "red and dashed: transitions that the graph does not have" in svg(drawn_graph(GRAPH, counted))


def test_names_and_title_are_only_text_in_the_picture() -> None:
    picture = svg(drawn([(HOSTILE, "b\uffff")], title=HOSTILE))
    assert "<script" not in picture
    assert "\x1b" not in picture
    assert "\u202e" not in picture
    ET.fromstring(picture)


@pytest.mark.parametrize(
    "edges",
    [
        [("a", "b"), ("b", "c"), ("c", "d")],
        [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")],
        [("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("c", "b")],
        [
            (f"topic {i}", f"topic {j}")
            for i in range(12)
            for j in (i + 1, i - 2, (i * 5) % 12)
            if 0 <= j < 12 and j != i
        ],
        [("hub", f"{number}, a topic with a long name") for number in range(11)],
    ],
    ids=["line", "diamond", "cycle", "twelve", "star"],
)
def test_no_two_topics_overlap_and_all_stand_in_the_picture(edges: list[tuple[str, str]]) -> None:
    graph = drawn(list(dict.fromkeys(edges)))
    picture = svg(graph)
    places = boxes(picture)
    assert len(places) == len(graph.topics)
    assert overlapping(places) == []
    _, _, width, height = map(float, ET.fromstring(picture).attrib["viewBox"].split())
    assert all(
        left >= 0 and top >= 0 and right <= width and bottom <= height
        for left, top, right, bottom in places.values()
    )
    assert len(re.findall('class="edge"', picture)) == len(graph.edges)
    assert svg(graph) == picture


def test_the_words_below_a_name_stay_in_their_box() -> None:
    short = DrawnGraph((DrawnTopic("a", 0, 6), DrawnTopic("b", 6)), (Move("a", "b", 6, True),))
    left, _, right, _ = boxes(svg(short))["a"]
    assert right - left > 6.5 * len("never visited, 6 left at once")


def test_what_follows_stands_below() -> None:
    places = boxes(svg(drawn([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "c")])))
    assert places["a"][1] < places["b"][1] == places["d"][1] < places["c"][1]


@pytest.mark.parametrize("graph", [DrawnGraph((), ()), DrawnGraph((DrawnTopic("only", 1),), ())])
def test_a_graph_without_edges_is_drawn(graph: DrawnGraph) -> None:
    ET.fromstring(svg(graph))
    assert mermaid(graph).startswith("%% drawn by grice report\nflowchart TD\n")


def test_a_graph_of_a_damaged_head_is_read_with_care() -> None:
    odd = {
        "topics": ["a", 1, None, "a"],
        "edges": [["a", "b"], ["a"], "ab", ["a", 2], ["b", "b"], ["a", "b"]],
    }
    graph = drawn_graph(odd, TopicTally())
    assert [topic.name for topic in graph.topics] == ["a", "b"]
    assert [(edge.start, edge.end) for edge in graph.edges] == [("a", "b")]
    assert drawn_graph({"topics": 3, "edges": {}}, TopicTally()) == DrawnGraph((), ())


def test_a_conversation_whose_first_turn_belongs_to_another_topic_took_that_edge() -> None:
    counted = TopicTally()
    counted.add(ALL[0].conversation.visits)
    graph = {"topics": ["start", "greeting"], "edges": [["start", "greeting"]]}
    assert drawn_graph(graph, counted).edges[0] == Move("start", "greeting", 1, True)


def followed(*edges: tuple[str, str]) -> FollowedGraph:
    return FollowedGraph(
        f"sha256:{edges}", tuple(dict.fromkeys(name for edge in edges for name in edge)), edges
    )


def told(*graphs: FollowedGraph) -> TopicTally:
    counted = tally()
    for graph in graphs:
        counted.add_graph(graph)
    return counted


def test_the_graph_that_conversations_followed_goes_before_the_declared_one() -> None:
    graph = followed(("greeting", "booking"), ("booking", "goodbye"))
    for declared in ({}, {"topics": ["greeting"], "edges": []}):
        drawing = drawn_graph(declared, told(graph, graph))
        assert [topic.name for topic in drawing.topics][:3] == ["greeting", "booking", "goodbye"]
        assert Move("booking", "goodbye", 0, True) in drawing.edges
        assert mermaid(drawing).count('(["greeting') == 1


def test_of_several_graphs_none_is_drawn_but_what_conversations_say_of_their_moves() -> None:
    several = told(followed(("greeting", "booking")), followed(("booking", "greeting")))
    assert drawn_graph(GRAPH, several) == drawn_graph({}, tally())


def test_a_graph_that_is_too_large_for_a_conversation_is_drawn_as_declared() -> None:
    large = FollowedGraph("sha256:1", tuple(GRAPH["topics"]))
    assert drawn_graph(GRAPH, told(large)) == drawn_graph(GRAPH, tally())
    assert drawn_graph({}, told(large)) == drawn_graph({}, tally())
    assert drawn_graph({"topics": ["other"], "edges": []}, told(large)) == drawn_graph({}, tally())
