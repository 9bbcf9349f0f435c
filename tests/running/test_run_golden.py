# ruff: noqa: E501 - tables, one case a line
"""Replaying goldens: what is sent, what is judged, and what does not fit."""

import json
import sys
import time
from pathlib import Path

import pytest

from grice.agents import AgentLoadError, load_target
from grice.files.goldens import load_goldens
from grice.loops.background_loop import LoopIsRunning
from grice.records import decode_conversation, encode_conversation
from grice.running.golden import run_golden
from grice.running.scripted import scripted_id


class Assistant:
    """A small agent on the scripted model: messages in the OpenAI shape in, Anthropic requests out."""

    def __init__(self, context, **faults):
        self.model = context.model
        self.faults = faults

    def chat(self, messages, on_tool_call):
        reply = self.model.respond({"model": "m", "messages": [self.converted(m) for m in messages]})
        blocks = reply["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = [
            {"id": block["id"], "name": block["name"], "arguments": block["input"]}
            for block in blocks
            if block["type"] == "tool_use"
        ]
        return {"text": text, "tool_calls": calls}

    def converted(self, message):
        if message["role"] == "tool":
            wrong = self.faults.get("wrong_ids")
            block = {
                "type": "tool_result",
                "tool_use_id": wrong or message["tool_call_id"],
                "content": message["content"],
            }
            return {"role": "user", "content": [block | {"is_error": message.get("is_error", False)}]}
        if "tool_calls" in message:
            uses = [
                {"type": "tool_use", "id": call["id"], "name": call["function"]["name"],
                 "input": json.loads(call["function"]["arguments"])}
                for call in message["tool_calls"]
            ]  # fmt: skip
            return {"role": "assistant", "content": uses}
        return message


def assistant(context):
    return Assistant(context)


def calls(*ids, name="update", step="chat"):
    blocks = [{"type": "tool_use", "id": id_, "name": name, "input": {"n": id_}} for id_ in ids]
    return {"step": step, "content": blocks}


def says(text, step="tool-result"):
    return {"step": step, "content": [{"type": "text", "text": text}]}


OK = {"success": True, "result": "updated"}
PENDING = {"success": True, "result": {"status": "pending_confirmation"}}
FAILED = {"success": False, "error": "the disk is full"}
REJECTED = {"success": False, "error": "the user said no"}


@pytest.fixture
def run(tmp_path):
    def run(*replies, results=None, target=assistant, suffix="json", text=None, **fields):
        golden = {"id": "g", "userMessage": "Update it", "mockLlmResponses": list(replies)}
        golden |= {"toolExecResult": results} if results is not None else {}
        if "turns" in fields:
            golden = {"id": "g"}
        golden |= {"assertions": {"finalText": {"contains": ["."]}}} if "turns" not in fields else {}
        options = {name: fields.pop(name) for name in ("turn_timeout", "timeout") if name in fields}
        path = tmp_path / f"g.golden.{suffix}"
        path.write_text(text or json.dumps(golden | fields))
        return run_golden(load_goldens(path)[0], target, **options)

    return run


def problems(result):
    return [f"{verdict.claim}: {verdict.reason}" for verdict in result.verdicts if verdict.outcome != "pass"]


def sent(result, number):
    """The roles and contents of the messages in a request to the model."""
    flat = []
    for message in result.conversation.exchanges[number - 1].request["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": message["role"], "text": content}]
        flat += [(b["type"], b.get("id") or b.get("tool_use_id") or b["text"]) for b in blocks]
    return flat


def test_a_golden_that_holds_passes_with_its_records(run):
    result = run(says("Hello there.", step="chat"), description="A greeting")
    assert (result.outcome, result.failure, result.key, result.description) == (
        "pass",
        "none",
        "g",
        "A greeting",
    )
    assert result.id.startswith("example:")
    assert result.conversation.termination == "completed"
    (verdict,) = result.verdicts
    assert (verdict.claim, verdict.matcher, verdict.turn) == ("the final text to contain '.'", "toContain", 1)
    assert decode_conversation(encode_conversation(result.conversation)) == result.conversation


def test_the_id_follows_the_golden_and_not_its_file(tmp_path):
    ids = set()
    for name in "ab":
        path = tmp_path / f"{name}.golden.json"
        path.write_text(json.dumps({"id": "same", "userMessage": "x", "mockLlmResponses": [says("y", step="chat")],
                                    "assertions": {"finalText": {"equals": "y"}}}))  # fmt: skip
        ids.add(scripted_id(load_goldens(path)[0]))
    assert len(ids) == 1


@pytest.mark.parametrize(
    ("asserted", "text", "failing"),
    [
        ({"contains": ["Blue", "Room"]}, "The Blue Room.", []),
        ({"contains": ["blue"]}, "The Blue Room.", ["the final text to contain 'blue': "]),
        (
            {"notContains": ["confirm"]},
            "Please CONFIRM.",
            ["the final text not to contain 'confirm', in any case"],
        ),
        ({"notContains": ["confirm"]}, "Done.", []),
        ({"maxSentences": 1}, "One.", []),
        ({"maxSentences": 1}, "One. Two.", ["the final text to have at most 1 sentence"]),
        ({"equals": "Done."}, "Done.", []),
        ({"equals": "Done."}, "done.", ["the final text to equal 'Done.'"]),
        ({"contains": ["x"]}, "", ["the final text to contain 'x': the text is empty"]),
    ],
)
def test_judges_the_final_text(run, asserted, text, failing):
    result = run(says(text, step="chat"), assertions={"finalText": asserted})
    assert len(problems(result)) == len(failing)
    assert all(found.startswith(wanted) for found, wanted in zip(problems(result), failing, strict=True))
    assert (result.outcome == "pass") is (not failing)
    assert result.failure == ("assertion" if failing else "none")


@pytest.mark.parametrize(
    ("text", "results", "validator", "passes"),
    [
        ("Updated to 2.0.", OK, {"expectValid": True}, True),
        ("Please confirm below.", OK, {"expectValid": True}, False),  # the status is that of the last result
        ("Please confirm below.", PENDING, {"expectValid": True}, True),
        ("Please confirm below.", OK, {"expectValid": False}, True),
        (
            "The order was approved.",
            OK,
            {"expectValid": True, "profile": "seed"},
            False,
        ),  # the rule of profile `seed`: a substring
        ("The order was approved.", OK, {"expectValid": True}, True),
    ],
)
def test_the_validator_takes_the_status_of_the_last_result(run, text, results, validator, passes):
    result = run(calls("t1"), says(text), results=results, assertions={"validator": validator})
    assert (result.outcome == "pass") is passes, problems(result)


NOT_SUCCESS = (
    "toolStatus says {}, but update was the last tool to answer, with {}; mend toolStatus, or leave it out"
)


@pytest.mark.parametrize(
    ("status", "results", "found"),
    [
        ("success", FAILED, "error"),
        ("success", PENDING, "pending"),
        ("success", {"success": True, "result": {"status": "rejected"}}, "error"),
        ("error", OK, "success"),
        ("pending", OK, "success"),
        ("none", OK, "success"),
        ("pending", [PENDING, OK], "success"),
        ("pending", PENDING, None),
        ("error", FAILED, None),
        ("success", OK, None),
        ("success", [PENDING, OK], None),
        (None, FAILED, None),
    ],
)
def test_a_tool_status_that_the_tools_contradict_is_a_mistake_of_the_file(run, status, results, found):
    validator = {"expectValid": True, "toolStatus": status}
    replies = [calls("t1"), says("It is so."), *[says("It is so.")] * isinstance(results, list)]
    result = run(*replies, results=results, assertions={"validator": validator})
    if found is None:
        assert result.outcome == "pass", problems(result)
        return
    assert (result.outcome, result.failure) == ("error", "error")
    (problem,) = problems(result)
    claim, reason = problem.split(": ", 1)
    assert claim == "validator.toolStatus to be what the tools returned"
    assert reason.partition("g.golden.json, turn 1: ")[2] == NOT_SUCCESS.format(status, found)


def own_tool(result):
    def agent(context):
        def chat(messages, on_tool_call):
            on_tool_call("update", {}, result=result)
            return (
                context.model.client.messages.create(model="m", max_tokens=9, messages=messages)
                .content[0]
                .text
            )

        return chat

    return agent


@pytest.mark.parametrize(
    ("returned", "outcome"),
    [({"error": "disk full"}, "error"), ({"status": "pending"}, "error"), ("It did not work out.", "pass")],
)
def test_of_the_agents_own_tools_only_what_they_say_plainly_contradicts(run, returned, outcome):
    status = "success" if outcome == "error" else "error"
    validator = {"expectValid": True, "toolStatus": status}
    reply = says("It is so.", step="chat")
    assert run(reply, target=own_tool(returned), assertions={"validator": validator}).outcome == outcome


def test_a_tool_status_without_any_tool_is_taken_as_it_is(run):
    validator = {"expectValid": True, "toolStatus": "success"}
    result = run(says("It is so.", step="chat"), assertions={"validator": validator})
    assert result.outcome == "pass"


def test_a_tool_step_sends_the_user_message_the_call_and_the_result(run):
    checked = {"toolResultMessages": {"userMessageInHistory": True, "toolResultsInHistory": ["t1"]}}
    result = run(calls("t1"), says("Updated."), results=OK, assertions=checked)
    assert result.outcome == "pass"
    assert sent(result, 2) == [("user", "Update it"), ("tool_use", "t1"), ("tool_result", "t1")]
    assert [verdict.claim for verdict in result.verdicts] == [
        "request 2 to the model to contain a user message with exactly 'Update it' as the last one, before the turn's tool calls",
        "request 2 to the model to contain a tool_result of id 't1' after the first tool_use",
        "request 2 to the model to pass the lint of message arrays",
    ]
    (call,) = result.conversation.tool_calls
    assert (call.id, call.result) == ("t1", "updated")


class DropsTheLastUserMessage(Assistant):
    def chat(self, messages, on_tool_call):
        if messages[-1]["role"] == "tool":
            last = max(place for place, message in enumerate(messages) if message["role"] == "user")
            messages = messages[:last] + messages[last + 1 :]
        return super().chat(messages, on_tool_call)


ABSENT = {"toolResultMessages": {"userMessageInHistory": False}}


def test_that_the_user_message_is_not_in_the_history_is_checked_too(run):
    result = run(calls("t1"), says("Updated."), results=OK, assertions=ABSENT)
    assert (result.outcome, result.failure) == ("fail", "assertion")
    assert problems(result) == [
        "request 2 to the model to contain no user message with 'Update it': it is in message 0"
    ]
    result = run(calls("t1"), says("Updated."), results=OK, assertions=ABSENT, target=DropsTheLastUserMessage)
    assert result.outcome == "pass", problems(result)
    assert next(verdict.reason for verdict in result.verdicts) == "no user message has it"


def test_another_message_that_contains_the_users_by_chance_is_not_the_users(run):
    turns = [
        {"userMessage": "Yesterday my plugin broke", "mockLlmResponses": [says("Shall I mend it?", step="chat")]},
        {"userMessage": "Yes", "mockLlmResponses": [calls("t1"), says("Mended.")], "toolExecResult": OK,
         "assertions": ABSENT},
    ]  # fmt: skip
    assert run(turns=turns).outcome == "fail"
    result = run(turns=turns, target=DropsTheLastUserMessage)
    assert result.outcome == "pass", problems(result)


def test_an_earlier_message_that_contains_the_users_is_not_the_users(run):
    turns = [
        {"userMessage": "Yesterday my plugin broke", "mockLlmResponses": [says("Shall I mend it?", step="chat")]},
        {"userMessage": "Yes", "mockLlmResponses": [calls("t1"), says("Mended.")], "toolExecResult": OK,
         "assertions": {"toolResultMessages": {"userMessageInHistory": True}}},
    ]  # fmt: skip
    assert run(turns=turns).outcome == "pass"
    result = run(turns=turns, target=DropsTheLastUserMessage)
    assert (result.outcome, result.failure) == ("fail", "assertion")
    problem, linted = problems(result)
    assert "current-user-message-missing: 'Yes' is nowhere" in linted
    assert problem.split(": ", 1)[1].split("\n") == [
        "the last user message is 'Yesterday my plugin broke'; the model was sent:",
        "   0  user         'Yesterday my plugin broke'",
        "   1  assistant    'Shall I mend it?'",
        '   2  tool_use     \'update {"n":"t1"}\'',
        "   3  tool_result  'updated'",
    ]


def test_a_final_answer_without_text_is_not_replaced_by_what_was_said_before_the_tool(run):
    narrated = {
        "step": "chat",
        "content": [{"type": "text", "text": "Updating now."}, *calls("t1")["content"]],
    }
    result = run(narrated, says(""), results=OK, assertions={"finalText": {"contains": "Updating"}})
    assert result.conversation.turns[0].text == ""
    assert problems(result) == [
        "the final text to contain 'Updating': the text is empty: there is nothing to look at"
    ]
    assert result.verdicts[0].outcome == "inconclusive"


def test_several_rounds_take_one_result_each_and_can_be_checked_each(run):
    steps = [{"toolResultsInHistory": ["t1"]}, None, {"toolResultsInHistory": ["t1", "t2", "t3"]}]
    result = run(
        calls("t1"), calls("t2", step="tool-result"), calls("t3", step="tool-result"), says("Done."),
        results=[OK, FAILED, OK], assertions={"toolResultMessages": steps},
    )  # fmt: skip
    assert result.outcome == "pass", problems(result)
    assert [call.error for call in result.conversation.tool_calls] == [None, "the disk is full", None]
    assert len(sent(result, 4)) == 7


def test_a_tool_error_reaches_the_model_as_one(run):
    result = run(calls("t1"), says("It failed."), results=FAILED)
    block = result.conversation.exchanges[1].request["messages"][-1]["content"][0]
    assert (block["content"], block["is_error"]) == ("the disk is full", True)
    for_nothing = {"success": False, "result": None, "error": "the disk is full"}
    result = run(calls("t1"), says("It failed."), results=for_nothing)
    assert result.conversation.tool_calls[0].error == "the disk is full"
    result = run(calls("t1"), says("It failed."), results={"success": False, "result": {"code": 5}})
    assert result.conversation.tool_calls[0].error == '{"code":5}'


def test_parallel_calls_take_results_by_id(run):
    result = run(calls("t1", "t2"), says("Both."), results={"t2": FAILED, "t1": OK})
    assert result.outcome == "pass"
    assert [(call.id, call.error) for call in result.conversation.tool_calls] == [
        ("t1", None),
        ("t2", "the disk is full"),
    ]


@pytest.mark.parametrize(
    ("decision", "text", "roles"),
    [
        (OK, "Updated.", ["tool_use", "tool_result"]),
        (REJECTED, "I left it as it is.", ["tool_use", "tool_result"]),
    ],
)
def test_a_pending_call_is_answered_again_when_the_user_has_decided(run, decision, text, roles):
    result = run(
        calls("t1"), says("Please confirm."), says(text), results=[PENDING, decision],
        assertions={"finalText": {"equals": text}, "toolResultMessages": {"userMessageInHistory": True}},
    )  # fmt: skip
    assert result.outcome == "pass", problems(result)
    assert [kind for kind, _ in sent(result, 3)] == ["user", *roles]
    assert len(result.conversation.turns) == 1


WAITING = says("Please confirm with the buttons below.")


@pytest.mark.parametrize(
    ("asserted", "failing"),
    [
        ({"finalText": {"contains": "buttons", "notContains": "left", "maxSentences": 1}}, []),
        ({"finalText": {"contains": "left"}}, ["the text before the decision to contain 'left'"]),
        ({"finalText": {"equals": "I left it."}}, ["the text before the decision to equal 'I left it.'"]),
        ({"validator": {"toolStatus": "pending", "expectValid": True}}, []),
        ({"validator": {"toolStatus": "error", "expectValid": True}}, ["validator.toolStatus to be what the tools returned"]),
        ({"validator": {"expectValid": False}}, ["the text before the decision not to pass the response validator"]),
    ],
)  # fmt: skip
def test_what_is_said_before_the_decision_can_be_judged(run, asserted, failing):
    result = run(
        calls("t1"), WAITING, says("I left it."), results=[PENDING, REJECTED], pendingAssertions=asserted,
        assertions={"finalText": {"equals": "I left it."}},
    )  # fmt: skip
    assert [verdict.claim for verdict in result.verdicts if verdict.outcome != "pass"] == failing
    assert result.outcome == ("error" if "toolStatus" in str(failing) else "fail" if failing else "pass")


def test_the_reply_before_each_decision_is_judged(run):
    result = run(
        calls("t1"), WAITING, calls("t2", step="tool-result"), says("Sure?"), says("Done."),
        results=[PENDING, OK, PENDING, OK], pendingAssertions={"finalText": {"contains": "buttons"}},
    )  # fmt: skip
    judged = [one.outcome for one in result.verdicts if one.claim.startswith("the text before the decision")]
    assert judged == ["pass", "fail"]


def test_a_decision_that_never_comes_is_an_error(run):
    goes_on = calls("t1"), calls("t2", step="tool-result"), says("Done.")
    result = run(*goes_on, results=[PENDING, OK], pendingAssertions={"finalText": {"contains": "."}})
    assert result.outcome == "error"
    assert "pendingAssertions were not reached" in problems(result)[-1]


CANCELLED = {"success": True, "result": {"status": "declined"}}


@pytest.mark.parametrize(
    "decision", [REJECTED, {"success": False, "result": {"status": "rejected"}}, CANCELLED]
)
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I updated the plugin.", "fail"),
        ("Done! The plugin has been updated.", "fail"),
        ("Your plugin is now up to date.", "fail"),
        ("I've updated the plugin; it is at version 5.", "fail"),
        ("Okay, I won't update the plugin. It stays as it is.", "pass"),
        ("You declined, so the plugin was not updated. Anything else?", "pass"),
        ("The update was cancelled, as you asked.", "pass"),
        ("Ich habe das Plugin aktualisiert und alles ist jetzt neu.", "inconclusive"),
    ],
)  # fmt: skip
def test_what_the_user_rejected_is_not_to_be_claimed(run, decision, text, outcome):
    replies = calls("t1", name="update_plugin"), WAITING, says(text)
    rules = {"finalText": {"notContains": "error"}}
    result = run(*replies, results=[PENDING, decision], assertions=rules)
    assert result.outcome == outcome, problems(result)
    allowed = run(*replies, results=[PENDING, decision], assertions=rules | {"claims": False})
    assert allowed.outcome == "pass", problems(allowed)
    if outcome == "inconclusive":
        assert problems(result)[0].endswith("; 'claims: false' leaves this out")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Done! I deleted the page.", "fail"),
        ("All right, I left the page as it is.", "pass"),
        ("Ich habe die Seite gelöscht.", "inconclusive"),
    ],
)
def test_what_the_user_rejected_in_their_next_message_is_not_to_be_claimed(run, text, outcome):
    rules = {"finalText": {"notContains": "error"}}
    asks = calls("t1", name="delete_page"), says("Shall I delete the page?")
    turns = [
        {
            "userMessage": "Delete it",
            "mockLlmResponses": asks,
            "toolExecResult": [PENDING],
            "assertions": rules,
        },
        {"userMessage": "No", "mockLlmResponses": [says(text, step="chat")], "assertions": rules},
    ]
    result = run(turns=turns)
    assert result.outcome == outcome, problems(result)
    turns[1]["assertions"] = rules | {"claims": False}
    assert run(turns=turns).outcome == "pass"


def test_what_the_user_confirmed_in_their_next_message_may_be_claimed(run):
    rules = {"finalText": {"contains": "."}}
    asks = calls("t1", name="delete_page"), says("Shall I delete the page.")
    does = calls("t2", name="delete_page"), says("I deleted the page.")
    turns = [
        {
            "userMessage": "Delete it",
            "mockLlmResponses": asks,
            "toolExecResult": [PENDING],
            "assertions": rules,
        },
        {"userMessage": "Yes", "mockLlmResponses": does, "toolExecResult": [OK], "assertions": rules},
    ]
    result = run(turns=turns)
    assert result.outcome == "pass", problems(result)


def test_what_the_user_confirmed_may_be_claimed(run):
    replies = calls("t1", name="update_plugin"), WAITING, says("Ich habe das Plugin aktualisiert.")
    assert (
        run(*replies, results=[PENDING, OK], assertions={"finalText": {"notContains": "error"}}).outcome
        == "pass"
    )


def test_of_parallel_calls_only_the_pending_one_is_decided(run):
    result = run(
        calls("t1", "t2"), says("Please confirm."), says("Done."),
        results=[{"t1": PENDING, "t2": OK}, {"success": True, "result": "confirmed"}],
    )  # fmt: skip
    assert result.outcome == "pass", problems(result)
    assert [call.result for call in result.conversation.tool_calls] == ["confirmed", "updated"]


def test_turns_go_on_from_each_other_and_each_is_judged(run):
    result = run(
        turns=[
            {"userMessage": "One", "mockLlmResponses": [calls("t1"), says("First.")], "toolExecResult": OK},
            {"userMessage": "Two", "mockLlmResponses": [says("Second.", step="chat")],
             "assertions": {"finalText": {"equals": "second."}}},
            {"userMessage": "Three", "mockLlmResponses": [says("Third.", step="chat")],
             "assertions": {"finalText": {"equals": "Third."}}},
        ]
    )  # fmt: skip
    assert [(verdict.outcome, verdict.turn) for verdict in result.verdicts] == [
        ("pass", 1),
        ("fail", 2),
        ("pass", 3),
    ]
    assert [text for _, text in sent(result, 4)] == ["One", "t1", "t1", "First.", "Two", "Second.", "Three"]


def test_history_may_have_the_seeds_tool_result_role(run):
    history = [
        {"role": "user", "content": "List plugins"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "h1", "name": "list", "input": {}}]},
        {"role": "tool_result", "tool_call_id": "h1", "content": "Akismet"},
        {"role": "assistant", "content": "You have Akismet."},
    ]
    result = run(calls("t1"), says("Updated."), results=OK, conversationHistory=history)
    assert result.outcome == "pass", problems(result)
    kinds = ["user", "tool_use", "tool_result", "assistant", "user", "tool_use", "tool_result"]
    assert [kind for kind, _ in sent(result, 2)] == kinds
    assert [turn.number for turn in result.conversation.turns] == [1, 2]
    assert result.verdicts[0].turn == 2


SEED_FIXTURE = """{
  "id": "update-plugin-success",
  "description": "User asks to update a plugin; tool executes and succeeds",
  "userMessage": "Update Ajax Search Lite plugin",
  "conversationHistory": [],
  "mockLlmResponses": [
    {
      "step": "chat",
      "content": [{ "type": "tool_use", "id": "toolu_01", "name": "update_plugin",
                    "input": { "plugin": "ajax-search-lite/ajax-search-lite.php" } }],
      "stop_reason": "tool_use"
    },
    {
      "step": "tool-result",
      "content": [{ "type": "text", "text": "Ajax Search Lite updated from v4.9.5 to v4.13.5." }],
      "stop_reason": "end_turn"
    }
  ],
  "toolExecResult": {
    "success": true,
    "result": { "message": "Plugin updated from v4.9.5 to v4.13.5." }
  },
  "assertions": {
    "finalText": {
      "contains": ["4.9.5", "4.13.5"],
      "notContains": ["unexpectedly", "would you like", "confirm", "buttons below"]
    },
    "toolResultMessages": { "userMessageInHistory": true },
    "validator": { "toolStatus": "success", "expectValid": true }
  }
}
"""
EXAMPLE = Path(__file__).parents[2] / "examples" / "wordpress_assistant"


def test_the_fixture_of_the_seed_passes_as_it_is_printed(run, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    agent = load_target("wordpress_assistant.app:agent", root=EXAMPLE)
    result = run(text=SEED_FIXTURE, target=agent)
    assert result.outcome == "pass", problems(result)
    assert len(result.verdicts) == 9


def test_yaml_goldens_run_alike(run):
    text = (
        "id: y\nuserMessage: Hi\nmockLlmResponses:\n- {step: chat, content: 'Hello there.'}\n"
        "assertions:\n  finalText: {contains: there}\n"
    )
    assert run(suffix="yaml", text=text).outcome == "pass"


# -- scripts that do not fit


class RunsItsTools(Assistant):
    def chat(self, messages, on_tool_call):
        response = super().chat(messages, on_tool_call)
        while response["tool_calls"]:
            for call in response["tool_calls"]:
                on_tool_call(call["name"], arguments=call["arguments"], id=call["id"], result="own result")
            shown = [
                {"id": c["id"], "function": {"name": c["name"], "arguments": "{}"}}
                for c in response["tool_calls"]
            ]
            messages.append({"role": "assistant", "tool_calls": shown})
            messages += [
                {"role": "tool", "tool_call_id": c["id"], "content": "own"} for c in response["tool_calls"]
            ]
            response = super().chat(messages, on_tool_call)
        return response


class AlwaysAsks(Assistant):
    def chat(self, messages, on_tool_call):
        return super().chat([{"role": "user", "content": "Update it"}], on_tool_call)


def apologises(context):
    def agent(messages):
        try:
            context.model.respond({"messages": messages})
            context.model.respond({"messages": messages})
        except Exception:
            return "Sorry, something went wrong."

    return agent


def hello(messages):
    return "Hello."


def with_wrong_ids(context):
    return Assistant(context, wrong_ids="other")


SCRIPT = "the conversation to play as scripted: "


@pytest.mark.parametrize(
    ("replies", "results", "target", "problem"),
    [
        ([calls("t1")], OK, assistant, "model request 2 has no scripted reply (1 scripted)"),
        ([says("a.", step="chat")], None, apologises, "model request 2 has no scripted reply (1 scripted)"),
        ([says("a.", step="chat"), says("b.")], None, assistant,
         "1 of 2 scripted model replies were never asked for"),
        ([says("a.", step="chat")], None, hello,
         "1 of 1 scripted model replies were never asked for; the agent did not ask the model in context.model at all"),
        ([says("a.", step="chat")], OK, assistant, "1 of 1 toolExecResult entries were never asked for"),
        ([calls("t1"), says("a.")], [OK, OK], assistant, "1 of 2 toolExecResult entries were never asked for"),
        ([calls("t1"), says("a.")], OK, RunsItsTools,
         "1 of 1 toolExecResult entries were never asked for; the agent ran its tools itself"),
        ([calls("t1"), says("a.")], None, assistant,
         "the agent called update in round 1, but toolExecResult has 0 result(s)"),
        ([calls("t1"), calls("t2", step="tool-result"), says("a.")], OK, assistant,
         "the agent called update in round 2, but toolExecResult has 1 result(s)"),
        ([calls("t1", "t2"), says("a.")], OK, assistant,
         "one result for 2 tool calls; give one for each id: t1, t2"),
        ([calls("t1", "t2"), says("a.")], {"t1": OK}, assistant,
         "toolExecResult has no result for the pending call 't2'"),
        ([calls("toolu_01"), says("a.")], {"toolu_02": OK}, assistant,
         "toolExecResult answers the id 'toolu_02', but the pending calls are toolu_01"),
    ],
)  # fmt: skip
def test_a_script_that_does_not_fit_is_an_error_with_the_reason(run, replies, results, target, problem):
    result = run(*replies, results=results, target=target)
    assert (result.outcome, result.failure) == ("error", "error")
    assert problems(result)[-1].startswith(SCRIPT + problem), problems(result)
    assert result.conversation.turns[0].user == "Update it"
    assert result.conversation.termination is not None


def test_an_agent_that_runs_its_tools_itself_needs_no_results(run):
    checks = {"toolResultMessages": {"userMessageInHistory": True}, "finalText": {"equals": "Updated."}}
    result = run(calls("t1"), says("Updated."), target=RunsItsTools, assertions=checks)
    assert result.outcome == "pass", problems(result)
    assert [(call.id, call.result, call.source) for call in result.conversation.tool_calls] == [
        ("t1", "own result", "signal")
    ]


def test_a_request_of_another_step_is_an_error(run):
    result = run(calls("t1"), says("Done."), results=OK, target=AlwaysAsks)
    (problem,) = problems(result)
    assert problem == (
        "request 2 to the model to be of the scripted step: "
        "the script says 'tool-result', the agent sent a request that ends with a user message"
    )
    assert result.outcome == "error"


class SendsNonsense(Assistant):
    def converted(self, message):
        return {"role": "nobody", "content": 5}


def test_a_request_that_cannot_be_read_is_an_error_and_no_crash(run):
    result = run(says("Done.", step="chat"), target=SendsNonsense)
    assert "the agent sent a request whose last message cannot be read" in problems(result)[0]


def sending(request):
    return lambda context: lambda messages: context.model.transport(request)["content"][0]["text"]


def user_says(text):
    return {"messages": [{"role": "user", "content": text}]}


@pytest.mark.parametrize(
    ("request_", "outcome", "problem"),
    [
        (user_says("Update it"), "pass", None),
        (user_says("Context: none. User: Update it"), "pass", None),
        (user_says([{"type": "text", "text": "Update it"}])["messages"], "pass", None),
        (user_says("???"), "fail", "request 1 to the model to contain a user message with 'Update it'"),
        ({"messages": []}, "error", "the agent sent a request without messages"),
        ({"prompt": "Update it"}, "error", "the agent sent a request without messages"),
        (
            {
                "messages": [
                    {"role": "user", "content": "Update it"},
                    {"role": "assistant", "content": "Well"},
                ]
            },
            "error",
            "the agent sent a request that ends with neither a user message nor a tool's result",
        ),
    ],
)
def test_the_chat_step_must_bring_the_users_message(run, request_, outcome, problem):
    request_ = {"messages": request_} if isinstance(request_, list) else request_
    result = run(says("Done.", step="chat"), target=sending(request_))
    assert result.outcome == outcome, problems(result)
    assert problem is None or problem in problems(result)[0]


class EmptiesResults(Assistant):
    def converted(self, message):
        made = super().converted(message)
        for block in made["content"] if isinstance(made["content"], list) else ():
            if block["type"] == "tool_result":
                block["content"] = ""
        return made


def test_a_result_that_the_agent_empties_is_found(run):
    result = run(calls("t1"), says("Done."), results=OK, target=EmptiesResults)
    assert result.outcome == "fail"
    assert "request 2 to the model to bring the result of t1" in problems(result)[0]
    empty = {"success": True, "result": ""}
    assert run(calls("t1"), says("Done."), results=empty, target=EmptiesResults).outcome == "pass"


def sends(content, wrong_id=None):
    """An agent that sends its model this as the content of every tool's result."""

    class Sends(Assistant):
        def converted(self, message):
            made = super().converted(message)
            for block in made["content"] if isinstance(made["content"], list) else ():
                if block["type"] == "tool_result":
                    block["content"] = content
                    block["tool_use_id"] = wrong_id or block["tool_use_id"]
                elif block["type"] == "tool_use":
                    block["id"] = wrong_id or block["id"]
            return made

    return Sends


PLUGINS = {"plugins": ["Akismet", "Jetpack Ö"], "count": 2}
TEXTS = [{"type": "text", "text": "Akismet"}, {"type": "text", "text": "Jetpack"}]


@pytest.mark.parametrize(
    ("recorded", "content", "brought"),
    [
        (PLUGINS, json.dumps(PLUGINS), True),
        (PLUGINS, json.dumps(dict(reversed(PLUGINS.items())), indent=2), True),
        (PLUGINS, json.dumps({"ok": True, "result": PLUGINS}), True),
        (PLUGINS, json.dumps({"output": json.dumps(PLUGINS)}), True),
        (PLUGINS, f"The tool returned: {json.dumps(PLUGINS)}.", True),
        (PLUGINS, [{"type": "text", "text": json.dumps(PLUGINS)}], True),
        (PLUGINS, json.dumps(PLUGINS | {"count": 3}), False),
        (PLUGINS, "Akismet and Jetpack are installed.", False),
        (PLUGINS, "", False),
        (json.dumps(PLUGINS), json.dumps(PLUGINS, indent=2), True),
        (TEXTS, TEXTS, True),
        ({"content": TEXTS}, TEXTS, True),
        (TEXTS, TEXTS[:1], False),
        ("updated", "  updated\n", True),
        ("updated", json.dumps({"message": "It was updated."}), True),
        ("updated", "failed", False),
        (5, "The count is 5.", True),
        (5, "15", False),
        (5, "5.5", False),
        (True, "true", True),
        (True, "1", False),
        ([], "", False),
        (None, "nothing came back", True),
        ("", "(no output)", True),
    ],
)  # fmt: skip
def test_the_model_is_sent_the_result_that_the_golden_records(run, recorded, content, brought):
    result = run(
        calls("t1"), says("Done."), results={"success": True, "result": recorded}, target=sends(content)
    )
    assert result.outcome == ("pass" if brought else "fail"), problems(result)
    if not brought:
        (problem,) = problems(result)
        assert problem.startswith(
            "request 2 to the model to bring the result of t1 (update): the golden records "
        )


def test_what_was_recorded_and_what_was_sent_are_both_said(run):
    result = run(calls("t1"), says("Done."), results=OK, target=sends("gone"))
    (problem,) = problems(result)
    assert problem.endswith("the golden records \"updated\", the model was sent 'gone'")


@pytest.mark.parametrize(("content", "outcome"), [("updated", "pass"), ("", "fail"), ("another", "fail")])
def test_a_result_is_found_under_an_id_of_the_agents_own(run, content, outcome):
    result = run(calls("t1"), says("Done."), results=OK, target=sends(content, wrong_id="own"))
    assert result.outcome == outcome, problems(result)


def test_results_of_parallel_calls_are_not_to_be_swapped(run):
    class Swaps(Assistant):
        def chat(self, messages, on_tool_call):
            if messages[-1]["role"] == "tool":
                a, b = messages[-2:]
                swapped = [{**a, "content": b["content"]}, {**b, "content": a["content"]}]
                messages = [*messages[:-2], *swapped]
            return super().chat(messages, on_tool_call)

    results = {"t1": {"success": True, "result": "one"}, "t2": {"success": True, "result": "two"}}
    assert run(calls("t1", "t2"), says("Both."), results=results).outcome == "pass"
    found = problems(run(calls("t1", "t2"), says("Both."), results=results, target=Swaps))
    assert [one.split(" (")[0].rpartition(" ")[2] for one in found] == ["t1", "t2"]


def test_an_error_is_to_reach_the_model_with_its_words(run):
    assert (
        run(calls("t1"), says("No."), results=FAILED, target=sends("Error: the disk is full")).outcome
        == "pass"
    )
    assert run(calls("t1"), says("No."), results=FAILED, target=sends("tool failed")).outcome == "fail"
    untold = {"success": False}
    assert run(calls("t1"), says("No."), results=untold, target=sends("tool failed")).outcome == "pass"


def test_after_the_decision_the_model_is_sent_the_decision(run):
    replies = calls("t1"), says("Please confirm."), says("It is left as it is.")
    assert run(*replies, results=[PENDING, REJECTED]).outcome == "pass"
    stale = run(*replies, results=[PENDING, REJECTED], target=sends(json.dumps(PENDING["result"])))
    (problem,) = problems(stale)
    assert problem.startswith("request 3 to the model to bring the result of t1 (update)")


def test_results_put_in_other_words_are_allowed_where_the_golden_says_so(run):
    own = {"finalText": {"contains": "."}, "toolResultMessages": {"toolResultContent": False}}
    told = {"results": OK, "assertions": own}
    assert run(calls("t1"), says("Done."), target=sends("It went well"), **told).outcome == "pass"
    assert run(calls("t1"), says("Done."), target=sends(""), **told).outcome == "fail"


def test_results_under_another_id_fail(run):
    result = run(calls("t1"), says("Done."), results=OK, target=with_wrong_ids)
    assert result.outcome == "fail"
    assert "error orphan-tool-result: a result of id 'other'" in problems(result)[0]


def test_text_after_the_results_does_not_change_the_step(run):
    class Reminds(Assistant):
        def converted(self, message):
            made = super().converted(message)
            if message["role"] == "tool":
                made["content"].append({"type": "text", "text": "Remember: one sentence."})
            return made

    assert run(calls("t1"), says("Done."), results=OK, target=Reminds).outcome == "pass"


# -- agents that fail


def raising(messages):
    raise ValueError("no model")


def hanging(messages):
    time.sleep(30)


async def hanging_asynchronously(messages):
    import asyncio

    await asyncio.sleep(30)


class FailsAround(Assistant):
    def around(self):
        raise OSError("no room")


@pytest.mark.parametrize(
    ("target", "failure", "reason"),
    [
        (raising, "error", "the agent raised ValueError: no model"),
        (lambda messages: None, "error", "the agent returned None"),
        (hanging, "timeout", "the agent did not answer within 0.1 s"),
        (hanging_asynchronously, "timeout", "the agent did not answer within 0.1 s"),
        (FailsAround, "error", "around() of FailsAround: the agent raised OSError: no room"),
    ],
)
def test_an_agent_that_fails_is_an_error_beside_the_transcript(run, target, failure, reason):
    result = run(says("Hello.", step="chat"), target=target, turn_timeout=0.1)
    assert (result.outcome, result.failure) == ("error", failure)
    assert problems(result)[0].startswith("the agent to answer: " + reason)


@pytest.mark.slow
def test_all_turns_of_a_golden_share_its_time(run):
    slow = [{"userMessage": "x", "mockLlmResponses": [says("y.", step="chat")]} for _ in range(50)]
    slow[0]["assertions"] = {"finalText": {"contains": "."}}

    class Slow(Assistant):
        def chat(self, messages, on_tool_call):
            time.sleep(0.02)
            return super().chat(messages, on_tool_call)

    result = run(turns=slow, target=Slow, timeout=0.1)
    assert result.failure == "timeout"
    assert "within the 0.1 s of the conversation" in problems(result)[-1]
    assert len(result.conversation.turns) < 50


def test_asynchronous_agents_run_too(run):
    class Asynchronous(Assistant):
        async def chat(self, messages, on_tool_call):
            return Assistant.chat(self, messages, on_tool_call)

    assert run(calls("t1"), says("Done."), results=OK, target=Asynchronous).outcome == "pass"


def test_what_is_no_agent_is_raised(run):
    with pytest.raises(AgentLoadError):
        run(says("Hello.", step="chat"), target=5)


def test_a_running_loop_is_refused_and_is_no_result(run):
    import asyncio

    async def main():
        with pytest.raises(LoopIsRunning):
            run(says("Hello.", step="chat"))

    asyncio.run(main())


def test_the_clock_can_be_given(tmp_path):
    path = tmp_path / "g.golden.json"
    path.write_text(json.dumps({"id": "g", "userMessage": "x", "mockLlmResponses": [says("y.", step="chat")],
                                "assertions": {"finalText": {"equals": "y."}}}))  # fmt: skip
    ticks = iter(range(100))
    result = run_golden(load_goldens(path)[0], assistant, clock=lambda: next(ticks))
    assert result.duration == 3
    assert result.conversation.turns[0].duration == 1


def tells_a_label(context):
    def chat(messages):
        told = [{"role": "user", "content": text} for text in ("Hello", "[system] be brief")]
        return context.model.transport({"messages": told + messages})["content"][0]["text"]

    return chat


def forgets_what_was_asked(context):
    def chat(messages):
        asked = [{"role": "user", "content": "Update it"}, {"role": "assistant", "content": "Now?"}]
        asked.append({"role": "user", "content": "Update it"})
        asked.insert(1, {"role": "assistant", "content": ""})
        return context.model.transport({"messages": asked})["content"][0]["text"]

    return chat


def test_every_request_is_linted_and_rules_can_be_ignored(run):
    hello = says("Hello there.", step="chat")
    result = run(hello, target=forgets_what_was_asked)
    assert result.outcome == "fail"
    (problem,) = problems(result)
    assert problem.startswith("request 1 to the model to pass the lint of message arrays: messages[1]")
    assert "error empty-content" in problem
    for switch in (False, {"ignore": ["empty-content"]}):
        assertions = {"finalText": {"contains": "Hello"}, "lint": switch}
        assert run(hello, target=forgets_what_was_asked, assertions=assertions).outcome == "pass"


def test_warnings_of_the_lint_fail_no_golden_but_are_told(run):
    result = run(says("Hello there.", step="chat"), target=tells_a_label)
    assert result.outcome == "pass"
    linted = [verdict for verdict in result.verdicts if verdict.matcher == "toPassLint"]
    assert "warnings: " in linted[0].reason
    assert "system-text-relabelled at messages[1]" in linted[0].reason


def test_embeddings_are_no_step_of_the_script(run):
    def searches(context):
        def chat(messages):
            client = context.model.openai_client
            client.embeddings.create(model="e", input=messages[-1]["content"])
            return context.model.transport({"messages": messages})["content"][0]["text"]

        return chat

    result = run(says("Hello there.", step="chat"), target=searches)
    assert result.outcome == "pass"
    assert [one.dialect for one in result.conversation.exchanges] == ["openai_embeddings", "anthropic"]


def test_a_system_reminder_behind_the_last_message_is_no_step(run):
    def reminds(context):
        def chat(messages):
            asked = [*messages, {"role": "system", "content": "Be brief."}]
            reply = context.model.respond({"messages": asked}, "openai_chat")
            return reply["choices"][0]["message"]["content"]

        return chat

    assert run(says("Hello there.", step="chat"), target=reminds).outcome == "pass"
