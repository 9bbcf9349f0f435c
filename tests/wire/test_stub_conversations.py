"""Conversations with agents that use a real SDK: every exchange belongs to its turn and conversation."""

import threading

import anthropic
import openai
import pytest

from grice.agents import AgentContext, AgentFailed, bind_agent
from grice.running.live import LiveConversation
from grice.wire import BadModelRequest, Fault, ScriptedModel, UnscriptedRequest, UnusedReplies, tool_use
from grice.wire.shared_stub import close_stub, shared_stub


@pytest.fixture(autouse=True, scope="module")
def _the_shared_stub_is_closed():
    yield
    close_stub()


class OpenAIAgent:
    """Asks a model over HTTP, and hides every failure behind an apology when told to."""

    def __init__(self, context, *, polite=False, **options):
        given = {"base_url": f"{context.model_url}/v1", "api_key": context.model_key, "max_retries": 0}
        self.client = openai.OpenAI(**given | options)
        self.polite = polite

    def chat(self, messages, on_tool_call):
        try:
            reply = self.client.chat.completions.create(model="gpt-x", messages=messages)
        except openai.OpenAIError:
            if not self.polite:
                raise
            return "Sorry, something went wrong."
        message = reply.choices[0].message
        for call in message.tool_calls or ():
            on_tool_call(call.function.name, call.function.arguments)
        return message.content or ""

    def around(self):
        return self.client


class AnthropicAgent:
    def __init__(self, context):
        self.client = anthropic.AsyncAnthropic(base_url=context.model_url, api_key=context.model_key)

    def around(self):
        return self.client

    async def chat(self, messages, on_tool_call):
        async with self.client.messages.stream(model="claude-x", max_tokens=9, messages=messages) as stream:
            return await stream.get_final_text()


def converse(agent, model, **options):
    context = AgentContext(model=model)
    return LiveConversation(bind_agent(lambda context: agent(context, **options), context), model=model)


@pytest.mark.slow
def test_exchanges_belong_to_the_turn_in_which_they_were_made():
    model = ScriptedModel("Hello!", tool_use("book", day="Monday"), "Bye!")
    with converse(OpenAIAgent, model) as live:
        first, second, third = live.say("Hi"), live.say("Book it"), live.say("Bye")
    assert [len(reply.exchanges) for reply in (first, second, third)] == [1, 1, 1]
    assert [exchange.turn for exchange in live.exchanges] == [1, 2, 3]
    assert third.exchanges[0].messages[0] == {"role": "user", "content": "Hi"}
    assert third.exchanges[0].dialect == "openai_chat"
    assert [call.name for call in second.tool_calls] == ["book"]
    assert live.exchanges == tuple([exchange for turn in live.record.turns for exchange in turn.exchanges])


def test_an_asynchronous_agent_is_recorded_just_so():
    model = ScriptedModel("Hello!", "Bye!")
    with converse(AnthropicAgent, model) as live:
        assert [live.say("Hi").text, live.say("Bye").text] == ["Hello!", "Bye!"]
        live.finish()
    assert [(exchange.turn, exchange.dialect) for exchange in live.exchanges] == [
        (1, "anthropic"),
        (2, "anthropic"),
    ]


def test_a_retry_of_the_sdk_is_an_exchange_of_the_same_turn():
    model = ScriptedModel(Fault.rate_limit(0.01), "Hello!")
    with converse(OpenAIAgent, model, max_retries=1) as live:
        reply = live.say("Hi")
    assert [exchange.status for exchange in reply.exchanges] == [429, 200]
    assert [exchange.turn for exchange in reply.exchanges] == [1, 1]


def test_an_unscripted_request_fails_the_conversation_that_hides_it():
    model = ScriptedModel("Hello!")
    with converse(OpenAIAgent, model, polite=True) as live:
        live.say("Hi")
        with pytest.raises(UnscriptedRequest, match="model request 2 has no scripted reply"):
            live.say("Are you there?")
    assert live.record.turns[1].exchanges[0].status == 400


def test_a_wrong_key_fails_the_conversation_that_hides_it():
    model = ScriptedModel("Hello!")
    with converse(OpenAIAgent, model, polite=True, api_key="sk-own") as live:
        with pytest.raises(BadModelRequest, match="the request has the wrong API key") as caught:
            live.say("Hi")
        model.drop_unused()
    assert "sk-own" not in str(caught.value)


def test_an_unknown_route_fails_the_conversation_that_hides_it():
    model = ScriptedModel()
    with (
        converse(OpenAIAgent, model, polite=True, base_url=f"{model.url}/v2") as live,
        pytest.raises(BadModelRequest, match=r"there is no route POST /v1/v2/chat/completions"),
    ):
        live.say("Hi")


def test_a_fault_that_the_agent_hides_is_part_of_the_test():
    model = ScriptedModel(Fault.error(500))
    with converse(OpenAIAgent, model, polite=True) as live:
        assert live.say("Hi").text == "Sorry, something went wrong."


def test_a_fault_that_the_agent_lets_through_fails_the_turn():
    model = ScriptedModel(Fault.error(503, "down"))
    with converse(OpenAIAgent, model) as live, pytest.raises(AgentFailed, match="down"):
        live.say("Hi")


def test_replies_that_were_never_asked_for_fail_the_conversation():
    model = ScriptedModel("Hello!", "Never said.")
    with pytest.raises(UnusedReplies, match="Never said"), converse(OpenAIAgent, model) as live:
        live.say("Hi")


@pytest.mark.slow
def test_conversations_at_the_same_time_never_mix():
    conversations, turns = 8, 10
    said = {}

    def talk(number):
        model = ScriptedModel(*[f"{number}-{turn}" for turn in range(turns)])
        with converse(OpenAIAgent, model) as live:
            said[number] = [live.say(f"{number}: {turn}").text for turn in range(turns)], live.exchanges

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(conversations)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for number in range(conversations):
        texts, exchanges = said[number]
        assert texts == [f"{number}-{turn}" for turn in range(turns)]
        assert [one.messages[-1]["content"] for one in exchanges] == [
            f"{number}: {turn}" for turn in range(turns)
        ]


@pytest.mark.slow
def test_each_model_has_an_address_of_its_own_that_ends_with_it():
    one, other = ScriptedModel("a"), ScriptedModel("b")
    assert one.url == one.url != other.url
    assert one.key == other.key == shared_stub().key
    address, key = other.url, other.key
    del other
    client = openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0)
    with client, pytest.raises(openai.NotFoundError, match="runs at this address, or it has ended"):
        client.responses.create(model="m", input="hi")


@pytest.mark.slow
def test_an_exchange_after_the_end_of_the_conversation_is_not_part_of_it():
    model = ScriptedModel("Hello!", "Late.")
    with converse(OpenAIAgent, model) as live:
        live.say("Hi")
        model_before = len(live.exchanges)
        with pytest.raises(UnusedReplies):
            live.finish()
    with openai.OpenAI(base_url=f"{model.url}/v1", api_key=model.key) as client:
        client.responses.create(model="m", input="late")
    assert (len(live.exchanges), len(model.exchanges)) == (model_before, 2)
