"""Both profiles of tool-flow language on every labelled example: outcomes, labels, places, facts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turns_judged import conversation_of as talk
from turns_judged import verdict_on

from counted_calls import calls_of
from grice.checks.profiles import Profile
from grice.checks.tool_flow.labels import ALL_LABELS, FACT_LABELS, LABELS
from grice.checks.tool_flow.matchers import be_free_of, be_valid_response
from grice.checks.tool_flow.validator import validate_response
from grice.records import Exchange, Message, Outcome, Reply, ToolCall, Turn, Verdict
from grice.text.packs import use_vocabulary, vocabulary
from grice.text.packs.records import ActionWords
from grice.validation.examples import conversation_of

EXAMPLES = [
    json.loads(line)
    for line in files("grice.checks.tool_flow")
    .joinpath("tool-flow.examples.jsonl")
    .read_text("utf-8")
    .splitlines()
]
LABELLED = json.loads(Path(__file__).with_name("tool_flow_labels.json").read_text("utf-8"))
PROFILES = ("seed", "robust")
UPDATED = ToolCall("update_plugin", {"slug": "akismet"}, "t1", result={"success": True, "version": "5.3.1"})
BROKEN = ToolCall("update_plugin", {"slug": "akismet"}, "t1", result={"success": False, "error": "disk full"})
FOUND = ToolCall("search_flights", {"to": "BOS"}, "t1", result=[{"id": "HAT12"}])


def reply_of(text: str, *calls: ToolCall, user: str = "Hi") -> Reply:
    turn = Turn(1, (Message("user", user), Message("assistant", text)), calls)
    return Reply(talk(turn), 1)


def labels_in(verdict: Verdict) -> list[str]:
    return list(dict.fromkeys(one.note.split(":")[0] for one in verdict.evidence))


def labels_of(subject: object, matcher: Any) -> list[str]:
    return labels_in(verdict_on(subject, matcher))


@pytest.mark.parametrize("profile", PROFILES)
def test_both_profiles_find_the_labels_of_every_example(profile: str) -> None:
    assert EXAMPLES
    for example in EXAMPLES:
        conversation = conversation_of(example)
        reply = Reply(conversation, len(conversation.turns))
        matcher = be_valid_response(**example.get("args", {}), profile=profile)  # type: ignore[arg-type]
        verdict = verdict_on(reply, matcher)
        wanted = LABELLED[example["id"]][profile]
        assert verdict.outcome.value == example[profile], (example["id"], verdict.reason)
        if isinstance(wanted, list):
            assert labels_in(verdict) == wanted, example["id"]
        else:
            assert verdict.outcome.value == wanted, example["id"]


def test_there_are_enough_examples_of_every_label() -> None:
    shown = Counter(label for one in LABELLED.values() for label in one["robust"] if label in ALL_LABELS)
    without_narration = [
        label for label in ALL_LABELS if label != "PRE_TOOL_NARRATION"
    ]  # no text can show it
    assert all(shown[label] >= 2 for label in without_narration)
    assert sum(one["robust"] == [] for one in LABELLED.values()) > 100
    assert sum(one["source"] == "own" for one in EXAMPLES) >= 60
    assert LABELLED.keys() == {one["id"] for one in EXAMPLES}


@pytest.mark.parametrize("text", ["Updating now! Would you like me to update it?", "I'm WP AI.", "Done."])
def test_the_function_is_robust_unless_asked(text: str) -> None:
    assert validate_response(text) == validate_response(text, profile="robust")


@pytest.mark.parametrize("profile", ["seed", "robust"])
def test_an_assistant_may_call_itself_what_the_vocabulary_says(profile: Profile) -> None:
    text = "i am roomy, how can i help?"
    assert validate_response(text, profile=profile).valid
    use_vocabulary({"en": {"actions": ActionWords(lists={"introduces_itself": frozenset({"roomy"})})}})
    try:
        assert validate_response(text, profile=profile).issues == ["SELF_INTRODUCTION"]
    finally:
        use_vocabulary({})


def test_marks_of_display_change_nothing() -> None:
    plain = "I'm updating it right now. Would you like me to update it?"
    for shown in (
        plain.replace("'", "\u2019"),
        plain.replace("updating it", "**updating** it"),
        plain.replace(" ", "\u00a0"),
        plain.replace("updating", "up\u200bdating"),
        f"# News\n\n- {plain}",
        f"{plain}\n\n```\ncode\n```",
    ):
        assert validate_response(shown, profile="robust").issues == ["CONTRADICTORY_PREACTION_AND_ASK"], shown


def test_places_are_those_of_the_text_as_it_was_given() -> None:
    text = "\u200bSorry \u2014 **I\u2019m updating** it now.  Shall I update it?"
    [finding] = validate_response(text, profile="robust").findings
    assert [text[start:end] for start, end in finding.spans] == [
        "I\u2019m updating** it now",
        "Shall I update it",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ich aktualisiere jetzt. Soll ich das Plugin aktualisieren?", "German"),
        ("我现在更新插件。要我更新吗？", "Chinese"),
        ("أقوم بتحديث الإضافة الآن", "Arabic"),
    ],
)
def test_a_text_in_another_language_is_not_judged(text: str, reason: str) -> None:
    validation = validate_response(text, profile="robust")
    assert not validation.valid
    assert validation.issues == []
    assert reason in validation.undetermined
    assert verdict_on(text, be_valid_response()).outcome is Outcome.INCONCLUSIVE


def test_facts_are_held_against_a_text_in_any_language() -> None:
    reply = reply_of("Das Plugin hat jetzt die Version 9.9.9 und das ist die neueste.", UPDATED)
    assert labels_of(reply, be_valid_response()) == ["UNKNOWN_VERSION"]
    assert verdict_on(reply, be_free_of("UNKNOWN_VERSION")).outcome is Outcome.FAIL


def test_claims_in_another_language_are_not_judged_by_their_labels_either() -> None:
    reply = reply_of("Ich habe das Plugin aktualisiert und es ist jetzt neu.", UPDATED)
    for label in ("CLAIMED_WITHOUT_ACTION", "SUCCESS_AFTER_FAILURE", "FAILURE_AFTER_SUCCESS"):
        assert verdict_on(reply, be_free_of(label)).outcome is Outcome.INCONCLUSIVE, label
    assert verdict_on(reply, be_free_of(["UNKNOWN_VERSION", "PRE_TOOL_NARRATION"])).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("The premium version 49.90 EUR is available.", []),
        ("The premium version \u20ac49.90 is available.", []),
        ("The premium version EUR 49.90 is available.", []),
        ("The premium version 49.90 \u20ac is available.", []),
        ("The new release 24.90 dollars a month.", []),
        ("The server is 1.299.000 EUR.", []),
        ("The server is EUR 1.299.000 now.", []),
        ("The version 4.9 is 20 EUR a year.", ["UNKNOWN_VERSION"]),
        ("The version 9.9.9 costs EUR 20.", ["UNKNOWN_VERSION"]),
        ("The site runs PHP 8.3.17 now.", ["UNKNOWN_VERSION"]),  # no Philippine pesos
        ("The server is 8.300.000 PHP.", []),
    ],
)
def test_a_number_beside_a_currency_is_no_version(text: str, labels: list[str]) -> None:
    assert labels_of(reply_of(text, UPDATED), be_free_of("UNKNOWN_VERSION")) == labels


def test_only_some_of_the_labels_can_be_asked_for() -> None:
    text = "I'm WP AI. Updating now! Would you like me to update it?"
    assert verdict_on(text, be_free_of("UNEXPECTED_TRIGGER_LANGUAGE")).outcome is Outcome.PASS
    assert labels_of(text, be_free_of(["SELF_INTRODUCTION"])) == ["SELF_INTRODUCTION"]


@pytest.mark.parametrize("label", FACT_LABELS)
def test_a_bare_text_tells_nothing_of_tools(label: Any) -> None:
    verdict = verdict_on("I've updated it to 9.9.9.", be_free_of(label))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "judge a Reply or a Turn" in verdict.reason


def test_the_seed_knows_no_facts() -> None:
    with pytest.raises(ValueError, match="UNKNOWN_VERSION is no label of profile 'seed'"):
        be_free_of("UNKNOWN_VERSION", profile="seed")
    assert ALL_LABELS[:5] == LABELS


def test_narration_beside_an_answered_call_is_found_where_it_stands() -> None:
    said = Message("assistant", "Let me look that up.", (FOUND,))
    messages = (
        Message("user", "Flights?"),
        said,
        Message("tool", "[]", tool_call_id="t1"),
        Message("assistant", "HAT12."),
    )
    turn = Turn(1, messages, (FOUND,))
    verdict = verdict_on(Reply(talk(turn), 1), be_valid_response())
    [evidence] = verdict.evidence
    assert (evidence.quote, evidence.path, evidence.start) == ("Let me look that up.", "messages[1]", None)
    assert "PRE_TOOL_NARRATION: 'Let me look that up.'" in verdict.reason
    silent = Turn(1, (messages[0], Message("assistant", "", (FOUND,)), *messages[2:]), (FOUND,))
    assert verdict_on(silent, be_valid_response()).outcome is Outcome.PASS


def test_a_failure_says_what_the_text_was_held_against() -> None:
    reason = verdict_on(reply_of("Akismet has been updated.", BROKEN), be_valid_response()).reason
    assert reason.startswith("SUCCESS_AFTER_FAILURE: 'Akismet has been updated' (update_plugin failed: ")
    reason = verdict_on(reply_of("I've booked HAT12.", FOUND), be_valid_response()).reason
    assert 'CLAIMED_WITHOUT_ACTION: "I\'ve booked HAT12" (in this turn: search_flights (succeeded))' in reason


def test_nothing_is_claimed_wrongly_where_not_all_calls_are_known() -> None:
    later = Turn(4, (Message("user", "Book it"), Message("assistant", "I've booked HAT12.")), (FOUND,))
    assert verdict_on(later, be_valid_response()).outcome is Outcome.PASS  # earlier turns are not known
    asked = {"content": [{"type": "tool_use", "id": "x", "name": "book_flight", "input": {}}]}
    unreported = Exchange({"messages": [{"role": "user", "content": "Book it"}]}, asked, turn=1)
    turn = Turn(1, later.messages, (FOUND,), exchanges=(unreported,))
    assert verdict_on(turn, be_valid_response()).outcome is Outcome.PASS


def test_tools_that_were_only_offered_are_tools() -> None:
    offered = Exchange({"messages": [], "tools": [{"name": "book_flight"}]}, {"content": []}, turn=1)
    said = (Message("user", "Book it"), Message("assistant", "I've booked HAT12."))
    assert labels_of(Turn(1, said, exchanges=(offered,)), be_valid_response()) == ["CLAIMED_WITHOUT_ACTION"]
    assert labels_of(Turn(1, said), be_valid_response()) == []


def test_calls_can_be_given_to_the_function() -> None:
    validation = validate_response("I've updated Akismet.", profile="robust", calls=[BROKEN])
    assert validation.issues == ["SUCCESS_AFTER_FAILURE"]
    assert validate_response("I've updated Akismet.", profile="robust", calls=[UPDATED]).valid
    assert validate_response("I've updated Akismet.", profile="robust").valid


@pytest.mark.parametrize(
    ("name", "arguments", "result", "found"),
    [
        ("cancel_reservation", {}, {"status": "cancelled"}, []),
        ("reservations", {"action": "cancel"}, {"status": "canceled"}, []),
        ("cancelOrder", {}, {"ok": True}, []),
        ("orders.cancel", {}, {"ok": True}, []),
        ("bash", {"command": "x"}, "ok", []),
        ("get_reservation", {}, {"status": "confirmed"}, ["CLAIMED_WITHOUT_ACTION"]),
        ("cancel_reservation", {}, {"status": "error"}, ["SUCCESS_AFTER_FAILURE"]),
        ("cancel_reservation", {}, "Error: too late", ["SUCCESS_AFTER_FAILURE"]),
        ("fare_rules", {"fare": "Classic"}, {"fee": 20}, ["CLAIMED_WITHOUT_ACTION"]),
        ("seat_map", {"ref": "A"}, {"free": ["4C"]}, ["CLAIMED_WITHOUT_ACTION"]),
        ("trip_page", {"ref": "A"}, [{"ref": "A"}], ["CLAIMED_WITHOUT_ACTION"]),
        ("trip_page", {"ref": "A", "nights": 0}, {"ref": "A", "nights": 0}, []),
        ("trip_page", {"ref": "A"}, {"cancelled": "A"}, []),
        ("trip_page", {"ref": "A"}, "A is off", []),
        ("http", {"method": "GET", "url": "/r/A"}, {"fee": 20}, ["CLAIMED_WITHOUT_ACTION"]),
        ("http", {"method": "DELETE", "url": "/r/A"}, {"fee": 20}, []),
        ("sql", {"query": "select 1"}, {"fee": 20}, ["CLAIMED_WITHOUT_ACTION"]),
        ("sql", {"query": "delete from r"}, {"fee": 20}, []),
    ],
)
def test_what_a_call_did_is_read_from_its_name_and_result(
    name: str, arguments: dict[str, Any], result: Any, found: list[str]
) -> None:
    reply = reply_of(
        "I've cancelled your reservation.", ToolCall(name, arguments, "t", result=result), user="Cancel it"
    )
    assert labels_of(reply, be_valid_response()) == found


@pytest.mark.parametrize(
    ("user", "before", "found"),
    [
        ("cancel the pickup", None, True),
        ("yes please", "Shall I cancel the pickup?", True),
        ("can we cancel it?", None, True),
        ("did the courier call?", None, False),
        ("was it cancelled?", None, False),
    ],
)
def test_what_the_user_wants_done_is_not_done_because_a_result_has_the_word(
    user: str, before: str | None, found: bool
) -> None:
    look = ToolCall("get_pickup", {"id": 3}, "t", result={"can_cancel": True, "cancel_fee": 0})
    said = (Message("user", user), Message("assistant", "Your pickup has been cancelled."))
    if before is None:
        turns = [Turn(1, said, (look,))]
    else:
        turns = [Turn(1, (Message("user", "Hm"), Message("assistant", before))), Turn(2, said, (look,))]
    verdict = labels_of(Reply(talk(*turns), len(turns)), be_valid_response())
    assert verdict == (["CLAIMED_WITHOUT_ACTION"] if found else [])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (
            "Your flight from JFK to SFO on May 24th has been successfully cancelled.",
            "CLAIMED_WITHOUT_ACTION",
        ),
        ("I've gone ahead and cancelled reservation HAT12.", "CLAIMED_WITHOUT_ACTION"),
        ("The following reservations have been successfully cancelled:\n\n- HAT12", "CLAIMED_WITHOUT_ACTION"),
        ("Your reservation was cancelled by the airline.", None),
        ("I can cancel your reservation for you.", None),
        ("Your reservation cannot be cancelled.", None),
        ("Once you confirm, your reservation is cancelled.", None),
    ],
)
def test_a_claim_is_found_whatever_stands_around_it(text: str, label: str | None) -> None:
    look = ToolCall("get_reservation", {"id": "HAT12"}, "t", result={"id": "HAT12", "seats": 2})
    found = labels_of(reply_of(text, look, user="Please cancel it"), be_valid_response())
    assert found == ([label] if label else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Great, your appointment is booked for you!", ["SUCCESS_AFTER_FAILURE"]),
        ("That slot is already booked. Is 11:00 okay?", []),
        ("I booked it. If you have any issues, let me know.", ["SUCCESS_AFTER_FAILURE"]),
        ("I tried to book it, but there was an issue.", []),
    ],
)
def test_what_is_said_after_a_failed_call_is_held_against_it(text: str, found: list[str]) -> None:
    failed = ToolCall("book_appointment", {"at": "10:00"}, "t", error="slot taken")
    assert labels_of(reply_of(text, failed, user="Book 10:00"), be_valid_response()) == found


@pytest.mark.parametrize(
    "text",
    [
        "I'll cancel it now. Please confirm if you would like me to go ahead and cancel it.",
        "Cancelling it now: would you like me to cancel it?",
        "I've gone ahead and cancelled it. Shall I cancel it?",
    ],
)
def test_an_action_and_the_question_whether_to_do_it_are_found_in_one_breath(text: str) -> None:
    assert validate_response(text, profile="robust").issues == ["CONTRADICTORY_PREACTION_AND_ASK"]


@pytest.mark.parametrize(
    "text",
    [
        "I'll proceed with canceling it. Please confirm if you would like me to go ahead and cancel it.",
        "I will book the room. Would you like me to book it?",
    ],
)
def test_a_plan_may_be_asked_about_before_it_is_carried_out(text: str) -> None:
    assert validate_response(text, profile="robust").issues == []


def test_a_result_that_has_the_state_bears_it_out() -> None:
    order = ToolCall("get_order", {"id": 12}, "t", result={"id": 12, "status": "confirmed"})
    reply = reply_of("Your order has been confirmed.", order, user="Where is my order? Please check")
    assert labels_of(reply, be_valid_response()) == []


def test_every_list_of_the_table_of_words_is_used() -> None:
    folder = files("grice.checks.tool_flow")
    code = "".join(one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".py"))
    words = vocabulary(ActionWords, "en")
    assert words is not None
    assert [name for name in words.lists if f'"{name}"' not in code] == []


@given(st.text(max_size=200), st.sampled_from(["success", "pending", "error", "none"]))
def test_no_text_breaks_it(text: str, status: Any) -> None:
    validation = validate_response(f"I'm updating {text} now. {text} Shall I?", status, profile="robust")
    assert all(0 <= start < end for one in validation.findings for start, end in one.spans)


@pytest.mark.parametrize(
    "text",
    ["\ud800 Updating now! Shall I update it?", "\U0001f44d" * 500, "\u200b", "{" * 2_000, "'" * 5_000],
)
def test_odd_texts_are_judged_or_said_to_be_nothing(text: str) -> None:
    assert verdict_on(text, be_valid_response()).outcome in (Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE)


@pytest.mark.parametrize(
    "piece",
    [
        "I've updated it now. ",
        "please confirm ",
        "would you like me to ",
        "without your ",
        "I'm Max, ",
        "a ",
        "\n- x",
        "you've ",
        "the update ",
        ", and ",
        "1.2.3 ",
        "it is now live ",
        "please let me know so I can ",
        "sent before your ",
        "I've booked it and sent the ",
        "been sent ",
        "is it ok if I update it? ",
        "it is live. shall I publish it? ",
        "done! ",
    ],
)
def test_the_work_grows_with_the_length_only(piece: str) -> None:
    def validate(size: int) -> None:
        validate_response(piece * (size // len(piece)), "success", profile="robust", calls=[UPDATED])

    validate(100)
    least, few, many = (calls_of(validate, size) for size in (100, 1_000, 4_000))
    assert many - least < 6 * (few - least)


@pytest.mark.slow
def test_nothing_new_is_imported_for_the_seed() -> None:
    code = (
        "import sys; from grice.checks.tool_flow.validator import validate_response as v;"
        "v('x', 'success', profile='seed');"
        "assert not [m for m in sys.modules if m.endswith(('robust_validator', 'tool_flow.facts'))];"
        "assert not [m for m in sys.modules if m.startswith('grice.claims')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
