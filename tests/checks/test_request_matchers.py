# ruff: noqa: E501 - tables, one case a line

"""offer_tool, offer_only_tools and have_parameters look at what the model was offered and asked with."""

import math

import pytest
from dirty_equals import IsFloat, IsStr
from refusals import answers_of, refusal_of

from grice.matchers import have_parameters, offer_only_tools, offer_tool
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Exchange, Message, Reply, Turn

HI = {"role": "user", "content": "Hi"}
WITH = Exchange({"tools": [{"name": "book"}]})
WITHOUT = Exchange({"tools": [{"name": "list"}]})


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


def conversation_of(*turns):
    """A conversation whose turns have these requests."""
    user = Message("user", "Hi")
    numbered = enumerate(turns, 1)
    return Conversation(
        turns=tuple(Turn(number, (user,), exchanges=tuple(asked)) for number, asked in numbered),
    )


# -- tools


def offering(*names, shape="anthropic"):
    if shape == "openai_chat":
        tools = [{"type": "function", "function": {"name": name}} for name in names]
    elif shape == "openai_responses":
        tools = [{"type": "function", "name": name} for name in names]
    else:
        tools = [{"name": name} for name in names]
    return Exchange({"tools": tools}, dialect=shape)


@pytest.mark.parametrize("shape", ["anthropic", "openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("matcher", "outcome", "reason"),
    [
        (offer_tool("book"), "pass", "book, list offered"),
        (offer_tool("bok"), "fail", "offered: book, list (did you mean 'book'?)"),
        (offer_tool("zebra"), "fail", "offered: book, list"),
        (offer_only_tools("list", "book"), "pass", "book, list offered"),
        (offer_only_tools("list", "list", "book"), "pass", "book, list offered"),
        (offer_only_tools("list"), "fail", "offered beside them: book"),
        (offer_only_tools("list", "book", "cancel"), "fail", "'cancel' is not offered"),
        (offer_only_tools("list", "bok"), "fail", "'bok' is not offered (did you mean 'book'?); offered beside them: book"),
        (offer_only_tools(), "fail", "offered: book, list"),
    ],
    ids=repr,
)  # fmt: skip
def test_offered_tools(shape, matcher, outcome, reason):
    verdict = verdict_on(offering("book", "list", shape=shape), matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("matcher", "names", "wrong"),
    [
        (offer_tool, ("",), "''"),
        (offer_tool, (None,), "None"),
        (offer_tool, (5,), "5"),
        (offer_only_tools, (["book"],), "['book']"),
        (offer_only_tools, ("book", ""), "''"),
    ],
)
def test_the_name_of_a_tool_is_a_text(matcher, names, wrong):
    problem = refusal_of(matcher, *names)
    assert problem.endswith(f" is a text that is not empty, found {wrong}")
    for shape in ("anthropic", "openai_chat", "openai_responses"):
        subject = offering("book", shape=shape)
        assert answers_of(subject, matcher.python_name, *names) == {("error", problem)}


HIDDEN = {
    "custom": {"tools": [{"type": "custom", "custom": {"name": "delete_all"}}]},
    "custom, flat": {"tools": [{"type": "custom", "name": "delete_all"}]},
    "functions": {"functions": [{"name": "delete_all", "parameters": {}}]},
    "namespace": {"tools": [{"type": "namespace", "name": "crm", "tools": [{"type": "function", "name": "delete_all"}]}]},
    "nested namespace": {"tools": [{"type": "namespace", "tools": [{"type": "namespace", "tools": [{"name": "delete_all"}]}]}]},
    "mcp": {"tools": [{"type": "mcp", "server_label": "x", "allowed_tools": ["delete_all"]}]},
    "mcp filter": {"tools": [{"type": "mcp", "allowed_tools": {"tool_names": ["delete_all"]}}]},
}  # fmt: skip


@pytest.mark.parametrize("request_", HIDDEN.values(), ids=HIDDEN)
def test_a_tool_is_offered_in_whatever_shape(request_):
    assert Exchange(request_).offered_tools == ("delete_all",)
    assert verdict_on(Exchange(request_), offer_tool("delete_all")).outcome == "pass"
    assert verdict_on(Exchange(request_), offer_only_tools()).outcome == "fail"
    assert Exchange(request_).parameters == {}


def test_offered_tools_stand_in_the_order_of_the_request():
    inner = [{"type": "function", "name": "b"}, {"type": "custom", "custom": {"name": "c"}}]
    tools = [{"name": "a"}, {"type": "namespace", "name": "n", "tools": inner}, {"type": "web_search"}]
    tools += [{"type": "mcp", "server_label": "x"}, {"type": "namespace", "name": "empty", "tools": []}]
    request_ = Exchange({"tools": tools, "functions": [{"name": "d"}]})
    assert request_.offered_tools == ("a", "b", "c", "web_search", "mcp", "empty", "d")


ASKING = {
    "anthropic": {"content": [{"type": "tool_use", "name": "a"}]},
    "chat": {"choices": [{"message": {"tool_calls": [{"type": "function", "function": {"name": "a"}}]}}]},
    "chat, custom": {"choices": [{"message": {"tool_calls": [{"type": "custom", "custom": {"name": "a", "input": "x"}}]}}]},
    "chat, legacy": {"choices": [{"message": {"function_call": {"name": "a", "arguments": "{}"}}}]},
    "responses": {"output": [{"type": "function_call", "name": "a"}]},
    "responses, custom": {"output": [{"type": "custom_tool_call", "name": "a", "input": "x"}]},
}  # fmt: skip


@pytest.mark.parametrize("reply", ASKING.values(), ids=ASKING)
def test_what_the_agent_is_asked_to_call(reply):
    assert Exchange({}, reply).asked_tools == ("a",)


@pytest.mark.parametrize(
    "reply",
    [
        {"content": [{"type": "server_tool_use", "name": "web_search"}, {"type": "mcp_tool_use", "name": "a"}]},
        {"output": [{"type": "mcp_call", "name": "a"}, {"type": "web_search_call"}]},
        {"choices": [{"message": {"tool_calls": [{"type": "custom", "custom": {"name": 5}}], "function_call": None}}]},
        {"choices": [{"message": {"tool_calls": "x", "function_call": "x"}}, {"message": None}]},
        None,
    ],
)  # fmt: skip
def test_what_the_provider_runs_itself_and_what_is_malformed_asks_nothing_of_the_agent(reply):
    assert Exchange({}, reply).asked_tools == ()


NO_TOOLS = [Exchange({}), Exchange({"tools": []}), Exchange({"tools": None}), Exchange({"tools": "book"}), Exchange({"tools": [5, {}, {"name": 5}]})]  # fmt: skip


@pytest.mark.parametrize("request_", NO_TOOLS)
def test_a_request_without_tools_was_examined(request_):
    assert verdict_on(request_, offer_only_tools()).reason == "no tool offered"
    assert verdict_on(request_, offer_only_tools()).outcome == "pass"
    verdict = verdict_on(request_, offer_tool("book"))
    assert (verdict.outcome, verdict.reason) == ("fail", "offered: no tool")


@pytest.mark.parametrize(
    "matcher", [offer_tool("x"), offer_only_tools(), have_parameters(model="x")], ids=repr
)
def test_what_was_not_recorded_is_inconclusive_and_what_is_no_request_an_error(matcher):
    embedding = Exchange({"input": "x", "model": "x"}, dialect="openai_embeddings")
    for subject in (Turn(1), conversation_of([]), conversation_of([embedding])):
        verdict = verdict_on(subject, matcher)
        assert (verdict.outcome, verdict.reason) == ("inconclusive", "no request to the model is on record")
    for subject in ("text", None, [HI], 5):
        verdict = verdict_on(subject, matcher)
        assert verdict.outcome == "error"
        assert "judges an Exchange, a Reply, a Turn or a Conversation, found" in verdict.reason


def test_embeddings_have_parameters_but_no_tools():
    embedding = Exchange({"input": "x", "model": "e"}, dialect="openai_embeddings")
    assert verdict_on(embedding, have_parameters(model="e")).outcome == "pass"
    assert verdict_on(embedding, offer_tool("x")).outcome == "error"
    assert verdict_on(embedding, offer_only_tools()).outcome == "error"
    assert verdict_on(conversation_of([WITH, embedding]), offer_tool("book")).outcome == "pass"


def test_replies_and_turns_are_judged_by_their_own_requests():
    conversation = conversation_of([WITH], [WITHOUT])
    assert verdict_on(Reply(conversation, 1), offer_tool("book")).outcome == "pass"
    assert verdict_on(Reply(conversation, 2), offer_tool("book")).outcome == "fail"
    assert verdict_on(conversation.turns[1], offer_only_tools("list")).outcome == "pass"


@pytest.mark.parametrize(
    ("matcher", "words"),
    [
        (offer_tool("book"), "offer the tool 'book'"),
        (offer_only_tools("a", "b"), "offer only the tools 'a', 'b'"),
        (offer_only_tools(), "offer no tool"),
        (have_parameters(model="m", temperature=0), "have parameters model='m', temperature=0"),
    ],
)
def test_the_words_of_a_claim(matcher, words):
    assert matcher.words == words


# -- parameters

REQUEST = Exchange({"model": "gpt-4o", "temperature": 0.7, "stream": False, "stop": None, "seed": 1, "response_format": {"type": "json_schema", "json_schema": {"name": "x"}}, "messages": [HI], "top": math.nan})  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "outcome", "reason"),
    [
        ({"model": "gpt-4o"}, "pass", "model 'gpt-4o'"),
        ({"model": "gpt-4o", "seed": 1.0}, "pass", "model 'gpt-4o', seed 1"),
        ({"temperature": IsFloat(gt=0), "model": IsStr(regex="gpt-.*")}, "pass", "temperature 0.7, model 'gpt-4o'"),
        ({"temperature": pytest.approx(0.7)}, "pass", "temperature 0.7"),
        ({"stop": None, "top": math.nan}, "pass", "stop None, top nan"),
        ({"messages": [{"role": "user", "content": IsStr()}]}, "pass", "messages [{'role': 'user', 'content': 'Hi'}]"),
        ({"model": "gpt-4", "temperature": 0}, "fail", "model: found 'gpt-4o', expected 'gpt-4'\ntemperature: found 0.7, expected 0"),
        ({"stream": 0}, "fail", "stream: found False, expected 0"),
        ({"seed": True}, "fail", "seed: found 1, expected True"),
        ({"temprature": 0.7}, "fail", "temprature: not in the request (did you mean 'temperature'?), expected 0.7"),
        ({"zebra": None}, "fail", "zebra: not in the request, expected None"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "y"}}}, "fail", "response_format.json_schema.name: found 'x', expected 'y'"),
        ({"subject": 1, "ctx": 2, "self": 3}, "fail", "subject: not in the request, expected 1\nctx: not"),
    ],
    ids=str,
)  # fmt: skip
def test_parameters(fields, outcome, reason):
    verdict = verdict_on(REQUEST, have_parameters(**fields))
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)


def test_parameters_without_a_field_ask_nothing():
    problem = "name at least one field of the request, such as model='...'"
    assert refusal_of(have_parameters) == problem
    for subject in (REQUEST, Turn(1)):
        assert answers_of(subject, "have_parameters") == {("error", problem)}


def test_a_value_that_cannot_be_compared_is_an_error():
    class Broken:
        def __eq__(self, other):
            raise ValueError("no")

        __hash__ = None

    verdict = verdict_on(REQUEST, have_parameters(model=Broken()))
    assert (verdict.outcome, verdict.reason) == ("error", "the check raised ValueError: no")
    deep = []
    for _ in range(300):
        deep = [deep]
    assert verdict_on(Exchange({"x": deep}), have_parameters(x=deep)).outcome == "error"
