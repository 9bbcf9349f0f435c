# ruff: noqa: E501 - a table, one problem a line
"""Topic graphs in YAML and JSON: the same as in Python, and everything wrong with one said at once."""

import json

import pytest

from grice import call
from grice.files.graph_files import GraphErrors, load_graph
from grice.matchers import call_tool, have_turn_count, match, satisfy
from grice.topics.topic import topic
from grice.topics.triggers import after_turns_in, on_reply_match, on_tool_call, on_user_match

FRIENDLY = "friendly"

FULL = """\
version: 1
topics:
  greeting:
    characteristic: Initial contact
    next: gathering
  gathering:
    intent: collect date, size and place
    next: [results, greeting]
    triggers:
      - {on_reply: 'tell me about.*event', flags: i}
      - {on_user: party}
      - {after_turns_in: greeting, count: 2}
    expect:
      - {matcher: toCallTool, expected: book_venue, not: true}
      - {matcher: toHaveTurnCount, options: {max: 5}}
    evaluate:
      - {matcher: toMatch, expected: {source: please, flags: i}}
      - friendly
      - The agent asks one question at a time.
    max_turns: 3
    forbid_tools: [book_venue]
    grounding: prices
  results:
    required: true
    forbid_claims: [prices]
    triggers:
      - {on_tool_call: search, with: {filter: {city: Oslo}, confirm: false}}
      - on_tool_call: find
"""


def loaded(folder, text, name="venues.yaml", declared=()):
    path = folder / name
    path.write_text(text, "utf-8")
    return load_graph(path, declared)


def problems(folder, text, name="g.yaml", declared=()):
    with pytest.raises(GraphErrors) as caught:
        loaded(folder, text, name, declared)
    return [str(error).removeprefix(f"{folder}/") for error in caught.value.errors]


def test_a_file_says_what_python_says(tmp_path):
    graph = loaded(tmp_path, FULL)
    greeting, gathering, results = graph
    assert graph.edges == (
        ("greeting", "gathering"),
        ("gathering", "results"),
        ("gathering", "greeting"),
    )
    assert greeting.characteristic == "Initial contact"
    assert gathering.intent == "collect date, size and place"
    words = [
        on_reply_match("tell me about.*event", "i").words,
        on_user_match("party").words,
        after_turns_in("greeting", count=2).words,
    ]
    assert [one.words for one in gathering.triggers] == words
    assert gathering.expect == (~call_tool(call("book_venue")), have_turn_count(max=5))
    assert gathering.evaluate == (
        match("please", flags="i"),
        satisfy(FRIENDLY),
        satisfy("The agent asks one question at a time."),
    )
    assert (gathering.max_turns, gathering.forbid_tools, gathering.grounding) == (
        3,
        ("book_venue",),
        ("prices",),
    )
    assert (results.required, results.forbid_claims) == (True, ("prices",))
    asked = on_tool_call("search", filter={"city": "Oslo"}, confirm=False).words
    assert [one.words for one in results.triggers] == [asked, "the agent calls find"]


def test_json_and_topics_without_anything(tmp_path):
    text = json.dumps({"topics": {"a": {"next": ["b"]}, "b": {"next": None}}})
    assert loaded(tmp_path, text, "g.json").edges == (("a", "b"),)
    assert loaded(tmp_path, "topics:\n  a: {next: b}\n  b:\n").terminal == ("b",)


def test_declared_topics_may_follow(tmp_path):
    results = topic("results")
    assert loaded(tmp_path, "topics: {a: {next: results}}", declared=[results]).topics[1] is results


WRONG = """\
topics:
  greeting:
    next: gatherng
  gathering:
    characterstic: x
    intent: 3
    next: [results, gathering, 4, results]
    triggers:
      - {on_reply: "a(b"}
      - {on_reply: event, flag: i}
      - {on_toolcall: search}
      - {on_reply: a, on_user: b}
      - {after_turns_in: nowhere, count: 2}
      - {after_turns_in: greeting}
      - {on_tool_call: ""}
      - search
    expect:
      - {matcher: toCallTol, expected: search}
      - {matcher: toCallTool, expected: search, nt: true}
      - {matcher: toBeGreaterThan, expected: 3}
      - what?
      - 7
    max_turns: 0
    required: yes
  results: {forbid_tools: [1]}
  my topic: {}
  lost: 3
"""


SAID = """\
g.yaml:3:11: 'greeting' is followed by 'gatherng', which is not defined (did you mean 'gathering'?)
g.yaml:4:3: a trigger of 'gathering' counts turns in 'nowhere', which the graph does not have
g.yaml:5:5: topics.gathering: unknown field 'characterstic' (did you mean 'characteristic'?)
g.yaml:6:13: topics.gathering.intent: expected a string, found the number 3
g.yaml:7:21: 'gathering' follows itself: leave it out, a conversation may always stay in its topic
g.yaml:7:32: topics.gathering.next[2]: expected the name of a topic, found 4
g.yaml:7:35: 'gathering' has the successor 'results' twice
g.yaml:9:20: topics.gathering.triggers[0].on_reply: 'a(b' is not a pattern: missing ) (at character 1)
g.yaml:10:27: topics.gathering.triggers[1]: unknown field 'flag' (did you mean 'flags'?)
g.yaml:11:9: topics.gathering.triggers[2]: expected a trigger, an object with one of on_tool_call, on_reply, on_user, after_turns_in; found {"on_toolcall": "search"} (did you mean 'on_tool_call'?)
g.yaml:12:9: topics.gathering.triggers[3]: expected a trigger, an object with one of on_tool_call, on_reply, on_user, after_turns_in; found {"on_reply": "a", "on_user": "b"}
g.yaml:14:9: topics.gathering.triggers[5]: missing field 'count', expected an integer
g.yaml:15:24: topics.gathering.triggers[6].on_tool_call: expected.name is a text that is not empty, found ''
g.yaml:16:9: topics.gathering.triggers[7]: expected a trigger, an object with one of on_tool_call, on_reply, on_user, after_turns_in; found "search"
g.yaml:18:19: topics.gathering.expect[0].matcher: unknown matcher 'toCallTol' (did you mean 'toCallTool'?)
g.yaml:19:49: topics.gathering.expect[1]: unknown field 'nt' (did you mean 'not'?)
g.yaml:20:9: topics.gathering.expect[2]: it has be_greater_than, which judges neither replies nor conversations
g.yaml:21:9: topics.gathering.expect[3]: 'what?' is neither the name of a criterion (letters, digits, _ and -) nor a sentence
g.yaml:22:9: topics.gathering.expect[4]: expected the name of a criterion, a text, or an object with a matcher, found 7
g.yaml:23:16: topics.gathering.max_turns: expected a whole number from 1 to 10,000, found 0
g.yaml:24:15: topics.gathering.required: expected true or false, found the string 'yes'
g.yaml:25:27: topics.results.forbid_tools: expected a list of names of tools, found 1 in it
g.yaml:26:3: cannot be reached from 'greeting', where it begins: 'my topic', 'lost'
g.yaml:26:3: topics: a topic is named with letters, digits, _ and -, such as 'my_topic', found 'my topic'
g.yaml:27:9: topics.lost: expected an object, found the number 3
"""


def test_everything_wrong_is_said_at_once_with_its_place(tmp_path):
    assert problems(tmp_path, WRONG) == SAID.splitlines()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "g.yaml:1:1: the file is empty"),
        ("~", "g.yaml:1:1: the file: expected an object, found null"),
        ("topics: {}", "g.yaml:1:9: it has no topics"),
        ("topics: [a]", "g.yaml:1:9: topics: expected an object, found a list"),
        ("topic: {}", "g.yaml:1:1: unknown field 'topic' (did you mean 'topics'?)"),
        ("version: 2\ntopics: {a: {}}", "g.yaml:1:10: version: this Grice reads version 1, found 2"),
        (
            "topics: {a: {}, a: {}}",
            "g.yaml:1:17: the field 'a' is there twice in one object, first on line 1",
        ),
        ("topics: {a: {next: {b: 1}}}", "g.yaml:1:20: topics.a.next: expected a string or a list"),
        ("topics: {a: {triggers: {on_reply: x}}}", "topics.a.triggers: expected a list"),
        (
            "topics: {a: {expect: [{matcher: 3}]}}",
            "topics.a.expect[0].matcher: expected the name of a matcher, found 3",
        ),
    ],
)
def test_files_that_are_no_graphs(tmp_path, text, said):
    found = problems(tmp_path, text)
    assert any(said in one for one in found), found


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(GraphErrors, match=r"none\.yaml: there is no such file"):
        load_graph(tmp_path / "none.yaml")
    with pytest.raises(GraphErrors, match=r"expected a \.json, \.yaml or \.yml file"):
        load_graph(tmp_path / "none.txt")
