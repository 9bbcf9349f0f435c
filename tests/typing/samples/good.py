"""The examples of the docs: no checker may complain."""

from typing import Any, assert_type

from dirty_equals import IsInt

from grice import Conversation, Exchange, LiveConversation, Reply, Turn, Verdict, evaluate, expect
from grice.matchers import (
    Matcher,
    answer_within,
    ask_model,
    be_free_of,
    call_tool,
    contain,
    contain_message,
    equal,
    have_called_tool,
    have_in_system_prompt,
    have_parameters,
    match,
    matcher,
    offer_only_tools,
    offer_tool,
    pair_tool_calls,
    stay_within_tokens,
)
from grice.matching.context import Context


def test_books_a_room(conversation: LiveConversation) -> None:
    reply = conversation.say("Hi, I need a room")
    expect(reply).not_to_call_tool("book_room")

    reply = conversation.say("The Blue Room, tomorrow at 2pm, 10 people")
    expect(reply).to_call_tool("check_availability", room="Blue Room", capacity=IsInt(ge=10))
    expect(reply).to_call_tool("rename", name="x", self="y")
    evaluate(reply).to_match(r"2(:00)?\s*pm|14:00", flags="i")
    expect(reply.text).to_contain("Blue", after="---", ignore_case=True)
    expect(reply.data).to_equal({"status": IsInt()})
    expect(conversation.exchanges[-1]).to_contain_message(role="user", content="Blue Room", before="tool_use")
    expect(conversation).to_have_called_tool("check_availability", capacity=10)
    expect(conversation.record).not_to_have_called_tool("book_room")


def test_every_subject(reply: Reply, turn: Turn, exchange: Exchange, record: Conversation, data: Any) -> None:
    assert_type(expect(reply).to_contain("x"), Verdict)
    expect(turn).not_to_match("x", flags="i")
    expect("text").to_equal("text")
    expect("text").not_to_have_at_most_sentences(2)
    expect("text").to_be_free_of(["CONFIRMATION_LANGUAGE_ON_SUCCESS"], tool_status="success")
    expect(reply).to_be_valid_response()
    expect(exchange).to_pair_tool_calls()
    expect([{"role": "user", "content": "Hi"}]).to_contain_message(role="user")
    expect(record).to_contain_message(role="tool_result", id="t1", after="tool_use")
    expect(record).to_contain_messages([{"role": "user"}, {"role": "tool_use", "id": "t1"}], order="in_order")
    expect(data).to_contain("anything")
    expect({"a": 1}).to_equal({"a": 1.0})
    expect({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}).to_pass_lint(warnings=True)


def test_values(reply: Reply, data: Any) -> None:
    expect(reply.data, path="$.items[*].status", match="ALL").to_be_one_of(["READY", "PENDING"])
    expect(reply, path="user.name").to_match("^[A-Z]", flags="u")
    expect(reply, path="$", parse="json").to_match_schema({"type": "object"})
    assert_type(expect(reply, parse="json").not_to_match_object({"a": 1}), Verdict)
    evaluate({"a": [1, 2]}, path="$.a").not_to_contain(3)
    expect([1, 2]).to_satisfy_all(lambda number: number > 0)
    expect([{"id": 1}]).to_satisfy_any(~equal({"id": 2}))
    expect([1]).to_have_length(1)
    expect("[1]").to_be_valid_json()
    expect({"a": {"b": 1}}).to_have_property("a.b", 1)
    expect({"a": 1}).to_match_object({})
    expect(5).to_be_greater_than_or_equal(4.5)
    expect(None).to_be_null()
    assert_type(expect(data, path="$.price").to_be_close_to(9.99, 1), Verdict)


def test_what_the_model_was_told(
    reply: Reply, turn: Turn, exchange: Exchange, record: Conversation, live: LiveConversation
) -> None:
    messages = [{"role": "system", "content": "Be kind."}]
    expect("prompt").to_have_in_system_prompt("Be kind", "brief", ordered=True, after="---")
    expect(exchange).not_to_have_in_system_prompt("secret")
    expect(record).to_have_in_system_prompt("Be kind")
    expect(live).to_have_in_system_prompt("Be kind")
    expect(messages).to_have_in_system_prompt("Be kind")
    expect("prompt").to_stay_within_tokens(500)
    expect(messages).to_stay_within_tokens(500)
    expect(exchange).to_stay_within_tokens(4_000, of="total")
    expect(reply).to_stay_within_tokens(500, of="output")
    expect(turn).to_offer_tool("book")
    expect(live).not_to_offer_tool("delete")
    expect(reply).to_offer_only_tools("book", "cancel")
    expect(exchange).to_offer_only_tools()
    expect(exchange).to_have_parameters(model="gpt-4o", temperature=0, seed=IsInt())
    expect(record).to_have_parameters(model="gpt-4o")
    expect(exchange).to_answer_within(2)
    expect(reply).to_answer_within(2.5)
    expect(turn).to_answer_within(2.5)
    expect(live).to_answer_within(2.5)
    expect(reply).to_ask_model(at_most=3)
    expect(turn).to_ask_model()
    expect(live).not_to_ask_model(times=0)
    tokens: int | None = (reply.input_tokens or 0) + (turn.output_tokens or 0)
    seconds: float | None = turn.model_duration
    evaluate(reply).to_equal([tokens, seconds, record.input_tokens])
    several: list[Matcher[Reply]] = [stay_within_tokens(9), offer_tool("x"), answer_within(1), ask_model()]
    of_exchange: list[Matcher[Exchange]] = [have_in_system_prompt("x"), have_parameters(model="m")]
    expect(reply).to(several[0])
    expect(exchange).to(of_exchange[0])
    expect(exchange).not_to(offer_only_tools("x"))


def test_matchers_are_values(reply: Reply, exchange: Exchange, record: Conversation) -> None:
    expect(reply).to(contain("x"))
    expect(reply).not_to(call_tool("book", people=2))
    expect(reply).to(~match("x", flags="i"))
    expect("text").to(be_free_of())
    expect("text").to(be_free_of("SELF_INTRODUCTION"))
    expect("text").to(equal("text"))
    expect(5).to(equal(5))
    expect(record).to(have_called_tool("x"))
    expect(exchange).to(contain_message(role="user"))
    expect(exchange).to(pair_tool_calls())
    several: list[Matcher[Reply]] = [contain("x"), ~call_tool("x"), equal("x")]
    for one in several:
        evaluate(reply).to(one)


@matcher("toCiteSources")
def cite_sources(subject: Reply, ctx: Context, *, at_least: int = 1) -> bool:
    return subject.text.count("[") >= at_least


def test_a_matcher_of_ones_own(reply: Reply) -> None:
    assert_type(cite_sources(at_least=2), Matcher[Reply])
    expect(reply).to(cite_sources(at_least=2))
    expect(reply).not_to(~cite_sources())
