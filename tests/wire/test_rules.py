import pytest

from grice import Fault, ScriptedModel, UnscriptedRequest, tool_use
from grice.matching.patterns import PatternError
from grice.wire import ModelFault
from grice.wire.replies import ModelReply, read_reply
from grice.wire.rules import ECHO, Rule, answer_by

RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "21 degrees"}]}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "n", "input": {}}]}


def user(text: str) -> dict[str, object]:
    return {"role": "user", "content": text}


def asked(model: ScriptedModel, *messages: object) -> object:
    return model.respond({"messages": list(messages)})["content"]


def reply(*parts: object) -> ModelReply:
    read = read_reply(list(parts))
    assert isinstance(read, ModelReply)
    return read


def test_the_echo_repeats_what_it_was_told() -> None:
    model = ScriptedModel(otherwise=answer_by(ECHO))
    assert asked(model, user("Hello")) == [{"type": "text", "text": "You said: Hello"}]
    assert asked(model, user("Warm?"), CALL, RESULT) == [
        {"type": "text", "text": "The tool said: 21 degrees"}
    ]
    assert len(model.exchanges) == model.asked == 2


def test_the_first_rule_that_fits_answers_and_tools_are_called_once() -> None:
    rules = [
        Rule(reply(tool_use("weather", city="${user}")), when="^warm"),
        Rule(reply("It is ${result} (you asked: ${user})"), when_result=r"\d+ degrees"),
        Rule(reply("Sorry?")),
    ]
    model = ScriptedModel("scripted first", otherwise=answer_by(rules))
    assert asked(model, user("Warm?")) == [{"type": "text", "text": "scripted first"}]
    called = asked(model, user("Warm in Oslo?"))
    assert called == [
        {"type": "tool_use", "id": "toolu_0002_1", "name": "weather", "input": {"city": "Warm in Oslo?"}}
    ]
    assert asked(model, user("Warm in Oslo?"), CALL, RESULT) == [
        {"type": "text", "text": "It is 21 degrees (you asked: Warm in Oslo?)"}
    ]
    assert asked(model, user("Bye")) == [{"type": "text", "text": "Sorry?"}]


def test_what_the_user_said_is_not_read_as_a_template() -> None:
    model = ScriptedModel(otherwise=answer_by([Rule(reply("<${user}|${result}>"))]))
    assert asked(model, user("${result}${user}"), CALL, RESULT) == [
        {"type": "text", "text": "<${result}${user}|21 degrees>"}
    ]


def test_a_request_that_no_rule_fits_fails_the_conversation() -> None:
    model = ScriptedModel(otherwise=answer_by([Rule(reply("x"), when="never")]))
    with pytest.raises(UnscriptedRequest, match="no rule fits a request that ends with a user message"):
        asked(model, user("hi"))
    with pytest.raises(UnscriptedRequest):
        model.verify()
    assert model.exchanges[0].error == "no rule fits a request that ends with a user message"


def test_a_rule_may_ask_for_a_fault() -> None:
    model = ScriptedModel(otherwise=answer_by([Rule(Fault.error(503))]))
    with pytest.raises(ModelFault):
        asked(model, user("hi"))


def test_a_pattern_that_is_none_is_refused_when_the_rules_are_made() -> None:
    with pytest.raises(PatternError, match="look-around"):
        answer_by([Rule(reply("x"), when="(?=x)")])
