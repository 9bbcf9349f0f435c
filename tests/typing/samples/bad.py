"""Every line that ends in `# error` must be refused by each checker, and no other line."""

from grice import Conversation, Exchange, LiveConversation, Reply, evaluate, expect
from grice.matchers import (
    ask_model,
    be_free_of,
    call_tool,
    contain,
    contain_message,
    equal,
    have_called_tool,
    have_in_system_prompt,
    match,
    matcher,
    stay_within_tokens,
)
from grice.matching.context import Context


def wrong_keyword(reply: Reply, exchange: Exchange) -> None:
    expect(reply).to_contain("x", befor="y")  # error
    expect("text").to_match("x", flag="i")  # error
    expect(exchange).to_contain_message(rol="user")  # error
    expect("text").to_be_free_of(status="success")  # error
    contain("x", case=False)  # error
    be_free_of(label="SELF_INTRODUCTION")  # error
    match("x", flag="i")  # error


def wrong_argument(reply: Reply, exchange: Exchange) -> None:
    expect(reply).to_contain("x", after=3)  # error
    expect(reply).to_contain("x", "y")  # error
    expect(reply).to_contain()  # error
    expect(reply).to_call_tool(5)  # error
    expect(reply).to_call_tool()  # error
    expect("text").not_to_match("x", flags=1)  # error
    expect("text").to_match(r"x", "i")  # error
    expect("text").to_have_at_most_sentences("two")  # error
    expect(exchange).to_contain_message(role="robot")  # error
    expect(exchange).to_contain_message(role="user", before="toolUse")  # error
    expect(exchange).to_contain_message("user")  # error
    expect(exchange).to_contain_messages([{"role": "robot"}])  # error
    expect(exchange).to_contain_messages([{"rol": "user"}])  # error
    expect(exchange).to_contain_messages([{"role": "user"}], order="ordered")  # error
    expect("text").to_be_free_of(["SELF_INTRO"])  # error
    expect(reply).not_to_be_free_of("SELF_INTRO")  # error
    be_free_of(["CONFIRMATION"])  # error
    contain("x", after=3)  # error
    contain_message(role="robot")  # error
    have_called_tool()  # error


def wrong_subject(reply: Reply, exchange: Exchange, record: Conversation, live: LiveConversation) -> None:
    expect(5).to_call_tool("x")  # error
    expect("text").to_call_tool("x")  # error
    expect("text").to_have_called_tool("x")  # error
    expect("text").to_contain_message(role="user")  # error
    expect(reply).to_have_called_tool("x")  # error
    expect(reply).to_contain_message(role="user")  # error
    expect(record).to_call_tool("x")  # error
    expect(live).to_call_tool("x")  # error
    expect(live).to_contain("x")  # error
    expect(exchange).to_contain("x")  # error
    expect({"a": 1}).to_contain("a")  # error
    expect(None).to_match("x")  # error
    evaluate(5).to_contain("x")  # error


def wrong_use_of_values(reply: Reply) -> None:
    expect("text").to_be_greater_than(5)  # error
    expect(5).to_be_greater_than("5")  # error
    expect(5).to_start_with("5")  # error
    expect([1]).to_be_valid_json()  # error
    expect([1]).to_have_length("1")  # error
    expect({"a": 1}).to_satisfy_all(contain("x"))  # error
    expect({"a": 1}).to_have_property(5)  # error
    expect(reply).to_be_close_to(1.0)  # error
    expect(reply, path="$.a", match="SOME").to_equal(1)  # error
    expect(reply, match="ALL").to_equal(1)  # error
    expect(reply, path="$.a").to_call_tool("x")  # error
    expect({"a": 1}, path="$.a").to_be_one_of(5)  # error


def wrong_use_of_what_the_model_was_told(reply: Reply, exchange: Exchange, live: LiveConversation) -> None:
    expect("prompt").to_have_in_system_prompt("x", order=True)  # error
    expect("prompt").to_have_in_system_prompt(5)  # error
    expect("prompt").to_have_in_system_prompt("x", after=5)  # error
    expect(reply).to_have_in_system_prompt("x")  # error
    expect({"system": "x"}).to_have_in_system_prompt("x")  # error
    expect(exchange).to_stay_within_tokens(500, of="inputs")  # error
    expect(exchange).to_stay_within_tokens(500, "total")  # error
    expect(exchange).to_stay_within_tokens("500")  # error
    expect(5).to_stay_within_tokens(500)  # error
    expect("text").to_offer_tool("book")  # error
    expect(exchange).to_offer_tool()  # error
    expect(exchange).to_offer_tool(["book"])  # error
    expect(exchange).to_offer_only_tools(["book"])  # error
    expect([{"role": "user"}]).to_offer_only_tools("book")  # error
    expect(exchange).to_have_parameters("gpt-4o")  # error
    expect("text").to_have_parameters(model="gpt-4o")  # error
    expect(exchange).to_answer_within("2 s")  # error
    expect("text").to_answer_within(2)  # error
    expect(exchange).to_ask_model()  # error
    expect(reply).to_ask_model(3)  # error
    expect(reply).to_ask_model(atmost=3)  # error
    expect(live).to_ask_model(times="3")  # error
    expect(exchange).to(ask_model())  # error
    expect(reply).to(have_in_system_prompt("x"))  # error
    stay_within_tokens(500, of="sum")  # error


def wrong_matcher(reply: Reply, exchange: Exchange, record: Conversation) -> None:
    expect("x").to(call_tool("y"))  # error
    expect("x").not_to(~call_tool("y"))  # error
    expect(reply).to(have_called_tool("x"))  # error
    expect(record).to(call_tool("x"))  # error
    expect(exchange).to(contain("x"))  # error
    expect(reply).to(contain)  # error
    expect(reply).to("x")  # error
    expect(reply).to(cite_sources(atleast=2))  # error
    expect(reply).to(cite_sources(at_least="2"))  # error
    expect("x").to(cite_sources())  # error


def unknown_method(reply: Reply) -> None:
    expect(reply).to_contian("x")  # error
    expect(reply).contain("x")  # error
    reply.txt  # error  # noqa: B018
    ~equal  # error  # noqa: B018


@matcher("toCiteSources")
def cite_sources(subject: Reply, ctx: Context, *, at_least: int = 1) -> bool:
    return True


@matcher("toReturnText")  # error
def return_text(subject: Reply, ctx: Context) -> str:
    return "x"
