"""The scenarios of `goldens/` turn by turn: the tools run on a real site, in memory.

The golden files themselves are collected by pytest as they are. Here the same conversations are held by hand,
for what a golden cannot ask: what happened to the site, and what the second request looked like.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grice import LiveConversation, ScriptedModel, expect, tool_use
from wordpress_assistant.site import REJECTED, Site

Tools = dict[str, Callable[..., Any]]

PLUGIN = "ajax-search-lite/ajax-search-lite.php"
WAITING = "The update of Ajax Search Lite is waiting for your decision with the buttons below."
UPDATED = "Ajax Search Lite updated from v4.9.5 to v4.13.5."


def test_update_plugin_success(
    conversation: LiveConversation, scripted_model: ScriptedModel, tools: Tools, site: Site
) -> None:
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), UPDATED)

    reply = conversation.say("Update Ajax Search Lite plugin", tools=tools)

    expect(reply).to_call_tool("update_plugin", plugin=PLUGIN)
    expect(reply).to_contain("4.13.5")
    expect(reply).to_be_free_of()
    expect(conversation.exchanges[1]).to_contain_message(
        role="user", content="Update Ajax Search Lite", before="tool_use"
    )
    assert site.plugins[PLUGIN].version == "4.13.5"


def test_list_plugins(conversation: LiveConversation, scripted_model: ScriptedModel, tools: Tools) -> None:
    scripted_model.script(tool_use("list_plugins"), "Ajax Search Lite 4.9.5 and Akismet 5.4 are installed.")

    reply = conversation.say("Which plugins are installed?", tools=tools)

    expect(reply).to_call_tool("list_plugins")
    expect(reply).to_be_valid_response(tool_status="success")
    expect(conversation.exchanges[1]).to_contain_message(role="tool_result", content="Akismet")


def test_multi_tool_loop_tells_the_second_request_who_asked_and_what_was_found(
    conversation: LiveConversation, scripted_model: ScriptedModel, tools: Tools, site: Site
) -> None:
    scripted_model.script(
        tool_use("search_posts", call_id="toolu_search", query="Acme"),
        tool_use("replace_text", call_id="toolu_replace", post_id=7, search="Acme", replacement="Globex"),
        "I replaced Acme with Globex in 2 places on the About us page.",
    )

    reply = conversation.say("Replace Acme with Globex on the About us page", tools=tools)

    second = conversation.exchanges[1]
    expect(second).to_contain_message(role="user", content="Replace Acme with Globex", before="tool_use")
    expect(second).to_contain_message(role="tool_result", id="toolu_search", content="Acme has made lamps")
    third = conversation.exchanges[2]
    expect(third).to_contain_message(role="user", content="Replace Acme with Globex", before="tool_use")
    expect(third).to_contain_message(role="tool_result", id="toolu_search", before="tool_use")
    expect(third).to_contain_message(role="tool_result", id="toolu_replace", content="2 occurrences")
    expect(third).to_pair_tool_calls()
    expect(reply).to_contain("2 places")
    assert site.posts[7].text == "Globex has made lamps since 1954. Visit Globex in Lyon."


def test_update_plugin_pending_is_acknowledged_in_one_sentence(
    conversation: LiveConversation, scripted_model: ScriptedModel, careful_tools: Tools, careful_site: Site
) -> None:
    scripted_model.script(["Updating it now!", tool_use("update_plugin", plugin=PLUGIN)], WAITING)

    reply = conversation.say("Update Ajax Search Lite plugin", tools=careful_tools)

    expect(reply).to_have_at_most_sentences(1)
    expect(reply).not_to_contain("now!", ignore_case=True)
    expect(reply).to_be_free_of(["CONTRADICTORY_PREACTION_AND_ASK", "REDUNDANT_CONFIRMATION_ASK"])
    assert careful_site.plugins[PLUGIN].version == "4.9.5"


def test_pending_then_confirmed(
    conversation: LiveConversation, scripted_model: ScriptedModel, careful_tools: Tools, careful_site: Site
) -> None:
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), WAITING, UPDATED)
    conversation.say("Update Ajax Search Lite plugin", tools=careful_tools)

    reply = conversation.answer(careful_site.execute("update_plugin", {"plugin": PLUGIN}, confirmed=True))

    expect(reply).to_equal(UPDATED)
    expect(reply).to_be_free_of()
    last = conversation.exchanges[-1]
    expect(last).to_contain_message(role="user", content="Update Ajax Search Lite", before="tool_use")
    expect(last).to_contain_message(role="tool_result", content="updated from v4.9.5")
    expect(last).not_to_contain_message(role="tool_result", content="pending_confirmation")
    expect(last).to_pair_tool_calls()


def test_pending_then_rejected(
    conversation: LiveConversation, scripted_model: ScriptedModel, careful_tools: Tools, careful_site: Site
) -> None:
    scripted_model.script(
        tool_use("update_plugin", plugin=PLUGIN), WAITING, "I left Ajax Search Lite as it is."
    )
    conversation.say("Update Ajax Search Lite plugin", tools=careful_tools)

    reply = conversation.answer(REJECTED)

    expect(reply).not_to_contain("updated", ignore_case=True)
    expect(reply).to_be_valid_response(tool_status="error")
    expect(conversation.exchanges[-1]).to_contain_message(role="tool_result", content="rejected")
    assert careful_site.plugins[PLUGIN].version == "4.9.5"


def test_a_later_turn_remembers_the_tools_of_an_earlier_one(
    conversation: LiveConversation, scripted_model: ScriptedModel, tools: Tools
) -> None:
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), UPDATED, "From v4.9.5.")
    conversation.say("Update Ajax Search Lite plugin", tools=tools)

    conversation.say("Which version did it have before?", tools=tools)

    asked = conversation.exchanges[-1]
    expect(asked).to_contain_message(role="user", content="Which version", after="tool_result")
    expect(asked).to_contain_message(role="assistant", content=UPDATED, after="tool_result")
    expect(asked).to_pair_tool_calls()


def test_a_change_that_is_not_possible_is_told_to_the_model(
    conversation: LiveConversation, scripted_model: ScriptedModel, tools: Tools
) -> None:
    scripted_model.script(
        tool_use("update_plugin", plugin="jetpack/jetpack.php"), "Jetpack is not installed."
    )

    reply = conversation.say("Update Jetpack", tools=tools)

    expect(conversation.exchanges[1]).to_contain_message(role="tool_result", content="no plugin")
    expect(reply).to_be_free_of()


def test_a_tool_that_breaks_is_told_to_the_model(
    conversation: LiveConversation, scripted_model: ScriptedModel
) -> None:
    def broken(plugin: str) -> None:
        raise OSError(f"no space left to unpack {plugin}")

    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), "The update failed: no space is left.")

    reply = conversation.say("Update Ajax Search Lite plugin", tools={"update_plugin": broken})

    (block,) = conversation.exchanges[1].messages[-1]["content"]
    expect(block["content"]).to_contain("no space left")
    assert block["is_error"]
    expect(reply).to_be_valid_response(tool_status="error")
