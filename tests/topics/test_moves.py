"""What is expected of moves, of the time in a topic, and of the whole way."""

from msgspec.structs import replace
from talks import followed, only, talk, through, turn

from grice.records import Classification
from grice.topics.graph import TopicGraph
from grice.topics.moves import end_checks, limit_exceeded, move_checks
from grice.topics.topic import topic
from grice.topics.triggers import on_user_match

A = topic("a", triggers=on_user_match("a"))
B = topic("b", triggers=on_user_match("b"))
C = topic("c", triggers=on_user_match("c"))
FLOW = TopicGraph.of({A: B, B: C})


def said(users, graph=FLOW):
    return followed(graph, *(turn(number, user=user) for number, user in enumerate(users, 1)))


def moves(conversation, graph=FLOW, **options):
    """The verdicts after each turn."""
    return [
        verdict
        for number in range(1, len(conversation.turns) + 1)
        for verdict in move_checks(graph, replace(conversation, turns=conversation.turns[:number]), **options)
    ]


def test_each_move_along_the_graph_passes_soft_unless_strict():
    found = moves(said("abbc"))
    assert [(one.outcome, one.mode, one.turn, one.visit) for one in found] == [
        ("pass", "soft", 2, 2),
        ("pass", "soft", 4, 3),
    ]
    assert [one.reason for one in found] == ["a to b", "b to c"]
    assert found[0].detail == {"type": "transition", "topic": "b", "from": "a", "to": "b"}
    assert [one.mode for one in moves(said("ab"), strict=True)] == ["hard"]


def test_a_first_turn_beyond_the_initial_topic_is_a_move():
    verdict = only(moves(said("b")))
    assert (verdict.outcome, verdict.turn, verdict.reason) == ("pass", 1, "a to b")


def test_a_turn_that_stays_in_its_topic_is_no_move():
    assert moves(said("aaa")) == []
    assert moves(talk(turn(1, topic="a"), turn(2), turn(3, topic="a"))) == []
    assert moves(talk(turn(1, topic="a"), lost(2)))[0].matcher == "known topic"
    assert moves(talk()) == []
    assert moves(talk(turn(1))) == []


def test_moves_along_the_graph_and_against_it_are_of_one_claim():
    passes, fails = moves(said("abca"))[0], moves(said("ac"))[0]
    assert (passes.outcome, fails.outcome) == ("pass", "fail")
    assert (passes.matcher, passes.claim, passes.layer) == (fails.matcher, fails.claim, fails.layer)
    assert passes.claim == "the conversation to make only moves that its topic graph has"


def test_a_move_that_the_graph_does_not_have_fails_soft_unless_strict():
    verdict = only(moves(said("acc")))
    assert (verdict.outcome, verdict.mode, verdict.turn, verdict.visit) == ("fail", "soft", 2, 2)
    assert verdict.reason == "a to c, but after a comes b; turn 2: the user says /c/; c does not follow a"
    assert verdict.detail == {"type": "transition", "topic": "c", "from": "a", "to": "c"}
    assert only(moves(said("acc"), strict=True)).mode == "hard"
    assert only(moves(said("c"))).reason.startswith("a to c, but")


def limits(verdicts):
    return [one for one in verdicts if one.matcher == "max_turns of a topic"]


def test_more_turns_in_a_topic_than_it_may_have_fail_once():
    short = B.but(max_turns=2)
    graph = TopicGraph.of({A: short, "b": C})
    verdict = only(limits(moves(said("abbb-", graph), graph)))
    assert (verdict.outcome, verdict.mode, verdict.turn, verdict.visit) == ("fail", "hard", 4, 2)
    assert verdict.claim == "at most 2 turns in b"
    assert verdict.reason == "3 turns belong to it"
    assert verdict.detail == {"type": "max_turns", "topic": "b", "max": 2, "actual": 3}
    assert limits(moves(said("abb", graph), graph)) == []


def test_all_visits_count_towards_the_limit():
    conversation = through("a", "b", "a", "b")
    assert limit_exceeded(A.but(max_turns=2), conversation) is None
    assert limit_exceeded(A, conversation) is None
    verdict = limit_exceeded(A.but(max_turns=1), conversation)
    assert verdict.claim == "at most 1 turn in a"
    assert (verdict.reason, verdict.turn) == ("2 turns belong to it in 2 visits", 3)


def lost(number, name="a"):
    return replace(turn(number), classified=Classification(name, "error", "the judge is down"))


def test_a_turn_whose_topic_is_not_known_does_not_count_towards_the_limit():
    graph = TopicGraph.of({A.but(max_turns=2): B, "b": C})
    conversation = talk(turn(1, topic="a"), lost(2), turn(3, topic="a"), turn(4, topic="a"), lost(5))
    found = limits(moves(conversation, graph))
    assert [(one.turn, one.detail["actual"]) for one in found] == [(4, 3)]


def test_a_turn_whose_topic_is_not_known_is_an_error_hard_where_something_hard_depends_on_it():
    verdict = only(moves(talk(lost(1))))
    assert (verdict.outcome, verdict.mode, verdict.turn) == ("error", "soft", 1)
    assert verdict.claim == "the topic of turn 1 to be known"
    assert verdict.reason == "it counts as a, where the conversation was: the judge is down"
    graph = TopicGraph.of({A: B.but(required=True), "b": C})
    assert only(moves(talk(lost(1)), graph)).mode == "hard"


def required(conversation):
    return only(end_checks(TopicGraph.of({A: B.but(required=True), "b": C}), conversation))


def test_a_required_topic_that_was_never_reached_fails_and_names_those_that_were():
    verdict = required(through("a", "c", "a"))
    assert (verdict.outcome, verdict.mode, verdict.reason) == ("fail", "hard", "visited: a, c")
    assert verdict.claim == "the required topic b to be visited"
    assert verdict.detail == {"type": "reached_topic", "topic": "b"}
    assert list(end_checks(FLOW, through("a"))) == []


def test_a_required_topic_that_was_reached_passes_where_it_was():
    verdict = required(through("a", "b"))
    assert (verdict.outcome, verdict.turn, verdict.visit) == ("pass", 2, 2)


def test_every_verdict_says_what_it_is_of():
    graph = TopicGraph.of({A.but(max_turns=1): B.but(required=True), "b": C})
    found = [*moves(said("cc", graph), graph), *moves(talk(lost(1)), graph), *moves(said("aa", graph), graph)]
    found += end_checks(graph, through("a"))
    assert {one.matcher for one in found} == {
        "topic transition",
        "known topic",
        "max_turns of a topic",
        "required topic",
    }


def test_whether_a_required_topic_was_reached_may_not_be_known():
    assert required(talk()).outcome == "inconclusive"
    assert required(talk(lost(1))).outcome == "error"
    assert required(talk(lost(1))).reason == "visited: a; the topic of turn 1 is not known"
    assert required(talk(turn(1))).reason == "no topic was visited; the topic of turn 1 is not known"
    assert required(talk(lost(1), turn(2, topic="b"))).outcome == "pass"
    assert required(talk(lost(1, "b"))).outcome == "error"
