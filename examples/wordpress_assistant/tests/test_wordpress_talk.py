"""The client's loop: pending calls run on the site until the model is done; the user decides on changes."""

from __future__ import annotations

from typing import Any

import pytest
from wordpress_loopback import ModelServer

from grice import ScriptedModel, expect, tool_use
from wordpress_assistant.assistant import Assistant
from wordpress_assistant.site import Site
from wordpress_assistant.talk import awaits_confirmation, main, run_turn, settle

PLUGIN = "ajax-search-lite/ajax-search-lite.php"
WAITING = "The update of Ajax Search Lite is waiting for your decision with the buttons below."
UPDATED = "Ajax Search Lite updated from v4.9.5 to v4.13.5."


def test_a_message_without_tools_is_answered(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script("Hello.")
    text, history = run_turn(agent, site, [], "Hello")
    assert text == "Hello."
    expect(history).to_equal(
        [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello."}]
    )


def test_tools_run_until_the_model_is_done(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        tool_use("search_posts", call_id="toolu_search", query="acme"),
        tool_use("replace_text", call_id="toolu_replace", post_id=7, search="Acme", replacement="Globex"),
        "I replaced Acme with Globex in 2 places on the About us page.",
    )

    text, _ = run_turn(agent, site, [], "Replace Acme with Globex")

    expect(text).to_be_free_of(tool_status="success")
    assert site.posts[7].text == "Globex has made lamps since 1954. Visit Globex in Lyon."
    last = scripted_model.exchanges[-1]
    expect(last).to_contain_message(role="user", content="Replace Acme", before="tool_use")
    expect(last).to_contain_message(role="tool_result", id="toolu_search", before="tool_use")
    expect(last).to_pair_tool_calls()


def test_one_replacement_is_counted_in_the_singular(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(
        tool_use("replace_text", post_id=9, search="nine", replacement="ten"), "I replaced it once."
    )
    run_turn(agent, site, [], "We open at ten")
    expect(scripted_model.exchanges[-1]).to_contain_message(
        role="tool_result", content="1 occurrence in Opening hours"
    )


def test_two_calls_at_once_are_both_answered(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    calls = [
        tool_use("list_plugins", call_id="toolu_01"),
        tool_use("search_posts", call_id="toolu_02", query="about"),
    ]
    scripted_model.script(calls, "There are two plugins and one page about us.")

    run_turn(agent, site, [], "What is there?")

    last = scripted_model.exchanges[-1]
    expect(last).to_contain_message(role="tool_result", id="toolu_01", content="Akismet")
    expect(last).to_contain_message(role="tool_result", id="toolu_02", content="About us")
    expect(last).to_pair_tool_calls()


def test_the_history_of_a_turn_serves_the_next_one(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), UPDATED, "From v4.9.5.")
    _, history = run_turn(agent, site, [], "Update Ajax Search Lite plugin")

    run_turn(agent, site, history, "Which version did it have before?")

    last = scripted_model.exchanges[-1]
    expect(last).to_contain_message(role="user", content="Which version", after="tool_result")
    expect(last).to_pair_tool_calls()


def test_a_model_that_never_stops_calling_tools_is_stopped(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(*[tool_use("list_plugins")] * 9)
    with pytest.raises(RuntimeError, match="still calls tools after 8 rounds"):
        run_turn(agent, site, [], "Which plugins are installed?")


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        pytest.param("update_plugin", {"plugin": "jetpack/jetpack.php"}, "no plugin", id="not installed"),
        pytest.param("update_plugin", {"plugin": "akismet/akismet.php"}, "newest version", id="up to date"),
        pytest.param("update_plugin", {}, "update_plugin needs plugin", id="argument missing"),
        pytest.param("list_plugins", {"all": True}, "has no argument 'all'", id="argument unknown"),
        pytest.param(
            "replace_text",
            {"post_id": "7", "search": "Acme", "replacement": "Globex"},
            "post_id must be of type integer",
            id="argument of the wrong type",
        ),
        pytest.param(
            "replace_text",
            {"post_id": True, "search": "Acme", "replacement": "Globex"},
            "post_id must be of type integer",
            id="a truth value for a number",
        ),
        pytest.param(
            "replace_text", {"post_id": 8, "search": "a", "replacement": "b"}, "no post 8", id="no such post"
        ),
        pytest.param("search_posts", {"query": " "}, "query is empty", id="empty query"),
        pytest.param("delete_site", {}, "unknown tool 'delete_site'", id="unknown tool"),
    ],
)
def test_the_model_is_told_why_a_tool_failed(
    agent: Assistant,
    site: Site,
    scripted_model: ScriptedModel,
    name: str,
    arguments: dict[str, Any],
    reason: str,
) -> None:
    scripted_model.unoffered = "allow"  # the point is what the assistant does with such a call
    scripted_model.script(tool_use(name, **arguments), "That did not work.")

    run_turn(agent, site, [], "Do it")

    (block,) = scripted_model.exchanges[-1].messages[-1]["content"]
    assert block["is_error"]
    expect(block["content"]).to_contain(reason)


# -- changes that wait for the user


@pytest.fixture
def waiting(agent: Assistant, careful_site: Site, scripted_model: ScriptedModel) -> list[dict[str, Any]]:
    """The history after a turn whose update waits for the user."""
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), WAITING)
    text, history = run_turn(agent, careful_site, [], "Update Ajax Search Lite plugin")
    expect(text).to_be_valid_response(tool_status="pending")
    return history


def test_a_change_waits_for_the_user(waiting: list[dict[str, Any]], careful_site: Site) -> None:
    assert awaits_confirmation(waiting)
    assert careful_site.plugins[PLUGIN].version == "4.9.5"


def test_a_confirmed_change_is_made(
    waiting: list[dict[str, Any]], agent: Assistant, careful_site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script(UPDATED)

    text, history = settle(agent, careful_site, waiting, approved=True)

    assert careful_site.plugins[PLUGIN].version == "4.13.5"
    assert not awaits_confirmation(history)
    expect(text).to_be_free_of(tool_status="success")
    last = scripted_model.exchanges[-1]
    expect(last).to_contain_message(role="tool_result", content="updated from v4.9.5")
    expect(last).not_to_contain_message(role="tool_result", content="pending_confirmation")
    expect(last).to_pair_tool_calls()


def test_a_rejected_change_is_not_made(
    waiting: list[dict[str, Any]], agent: Assistant, careful_site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script("I left Ajax Search Lite as it is.")

    _, history = settle(agent, careful_site, waiting, approved=False)

    assert careful_site.plugins[PLUGIN].version == "4.9.5"
    assert not awaits_confirmation(history)
    expect(scripted_model.exchanges[-1]).to_contain_message(role="tool_result", content="rejected")


def test_of_two_calls_only_the_waiting_one_runs_again(
    agent: Assistant, careful_site: Site, scripted_model: ScriptedModel
) -> None:
    calls = [
        tool_use("update_plugin", call_id="toolu_01", plugin=PLUGIN),
        tool_use("list_plugins", call_id="toolu_02"),
    ]
    scripted_model.script(calls, WAITING, UPDATED)
    _, history = run_turn(agent, careful_site, [], "Update Ajax Search Lite and list the plugins")

    settle(agent, careful_site, history, approved=True)

    last = scripted_model.exchanges[-1]
    expect(last).to_contain_message(role="tool_result", id="toolu_01", content="updated from v4.9.5")
    expect(last).to_contain_message(role="tool_result", id="toolu_02", content='"version": "4.9.5"')
    expect(last).to_pair_tool_calls()


def test_there_is_nothing_to_settle_when_nothing_waits(
    agent: Assistant, site: Site, scripted_model: ScriptedModel
) -> None:
    scripted_model.script("Hello.")
    _, history = run_turn(agent, site, [], "Hello")
    with pytest.raises(ValueError, match="no call in the last turn waits"):
        settle(agent, site, history, approved=True)


# -- the command line


@pytest.mark.usefixtures("model_server")
def test_a_conversation_on_the_command_line(
    scripted_model: ScriptedModel,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scripted_model.script(tool_use("update_plugin", plugin=PLUGIN), WAITING, UPDATED)
    typed = iter(["Update Ajax Search Lite plugin", "c", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))

    main()

    shown = capsys.readouterr().out.splitlines()
    assert shown[1:] == [WAITING, UPDATED]


def test_a_failing_model_does_not_end_the_conversation(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model_server.failure = (529, b"overloaded")
    typed = iter(["Hello", "Hello?", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))

    main()

    expect(capsys.readouterr().out).to_contain("error: the model answered 529: overloaded")
