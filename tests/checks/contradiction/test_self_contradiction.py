"""Self-contradiction on its labelled examples, and as matcher and function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import grice
from grice import ArgumentError
from grice.checks.contradiction.self_contradiction import avoid_self_contradiction, self_contradiction
from grice.formats import read_conversation
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Reply, Turn, Verdict
from grice.validation.validating import validate_checks

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "self_contradiction").glob("*/*.json"))
QUESTION = "Should AI make autonomous decisions?"
YES = "Yes, AI should make autonomous decisions."
NO = "No, AI should not make autonomous decisions."


def talk(*said: str) -> list[dict[str, str]]:
    """Messages in turn of a user and the assistant."""
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]


def verdict_on(subject: object, matcher: Matcher[Any]) -> Verdict:
    """The verdict, after a look that the negation only swaps pass and fail."""
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    swapped = {"pass": "fail", "fail": "pass"}
    assert negated.outcome == swapped.get(verdict.outcome, verdict.outcome)
    return verdict


@pytest.mark.parametrize("profile", ["seed", "robust"])
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_both_profiles_classify_the_example_files(file, profile):
    example = json.loads(file.read_text(encoding="utf-8"))
    found = self_contradiction(example["conversation"], profile=profile)
    assert bool(found) is example["expectedResult"], found.reason
    assert (example["type"] == "positive") is example["expectedResult"]
    assert file.parent.name == example["type"]


def test_there_are_enough_example_files_with_unique_ids():
    ids = [json.loads(file.read_text(encoding="utf-8"))["id"] for file in EXAMPLES]
    assert len(set(ids)) == len(ids)
    assert min(sum(one.startswith(kind) for one in ids) for kind in ("positive", "negative")) >= 6


@pytest.mark.slow
def test_every_labelled_example_has_its_documented_outcome():
    validation = validate_checks("self-contradiction")
    assert validation.problems == ()
    wrong = [
        (trial.profile, trial.example.id, trial.documented, trial.verdict.outcome, trial.verdict.reason)
        for measured in validation.measurements
        for trial in measured.mismatches
    ]
    assert wrong == []
    seed, robust = sorted(validation.measurements, key=lambda one: one.profile == "robust")
    assert robust.n >= 300
    assert robust.alarms.false_alarms < robust.n / 100
    assert seed.alarms.false_alarms > 5 * robust.alarms.false_alarms


def test_a_contradiction_names_both_places_in_the_original_text():
    second = "**Well**, no: AI shouldn\u2019t make autonomous decisions, I\u2019d say."
    found = self_contradiction(talk(QUESTION, YES, "Sure?", second))
    assert found.outcome == "contradiction"
    assert found.pair == (1, 2)
    assert [stance.position for stance in found.stances] == ["yes", "no"]
    assert YES[found.stances[0].start : found.stances[0].end] == "Yes"
    assert second[found.stances[1].start : found.stances[1].end] == "no"
    assert "does not say that it changed its mind" in found.reason


def test_an_acknowledgement_is_quoted_from_the_original_text():
    second = f"I\u2019ve *changed* my mind. {NO}"
    found = self_contradiction(talk(QUESTION, YES, "Sure?", second))
    assert found.outcome == "acknowledged"
    assert found.acknowledgement is not None
    said = found.acknowledgement
    assert second[said.start : said.end] == said.quote
    assert "changed" in said.quote


@pytest.mark.parametrize(
    "opening",
    [
        "I've come round to your view:",
        "I've had a change of heart.",
        "You've talked me round;",
        "I was too quick to say yes.",
        "I'm reversing my earlier position:",
        "I'm changing my answer:",
        "I now see it differently:",
        "That argument persuades me:",
        "Consider me persuaded.",
        "I'd like to walk that back.",
        "I rescind what I said:",
        "I'm going to reverse course here:",
        "I see I was being inconsistent.",
        "That's not what I said before, but I now think",
    ],
)
def test_a_change_is_acknowledged_in_many_words(opening):
    assert homework(opening).outcome == "acknowledged"


@pytest.mark.parametrize(
    "opening",
    [
        "I'm not changing my mind.",
        "I won't reverse my position.",
        "Teachers have come round to that too.",
        "Many people have had a change of heart.",
        "Nobody has convinced me that it should be;",
        "I would come round to it if there were data.",
        "I see it differently than you:",
        "People see things differently, but",
        "I give up that much, but",
        "What convinced me is the research:",
    ],
)
def test_a_change_that_is_denied_supposed_or_of_others_excuses_nothing(opening):
    assert homework(opening).outcome == "contradiction"


def test_a_no_to_how_its_words_were_understood_is_no_stance():
    replies = [
        "Yes, zoos should stay open.",
        "No, I'm not saying that zoos are perfect. They should stay open.",
    ]
    found = between("Should zoos stay open?", replies[0], "So zoos are perfect?", replies[1])
    assert found.outcome != "contradiction"
    denied = "No, I never said that. Zoos should not stay open."
    assert between("Should zoos stay open?", replies[0], "So they should?", denied).outcome == "contradiction"


def test_what_is_said_of_the_case_at_hand_is_no_part_of_it():
    found = between(
        "Will I be charged for my first checked bag?",
        "No, you won't be charged for your first checked bag on this fare.",
        "So no fee at all?",
        "Yes, you'll be charged for the first checked bag.",
    )
    assert found.outcome == "contradiction"


def between(*said):
    roles = ("user", "assistant")
    return self_contradiction(
        [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
    )


def homework(opening):
    talk = ["Should homework be banned?", "Yes, homework should be banned.", "Teachers disagree."]
    talk.append(f"{opening} homework shouldn't be banned.".replace(". h", ". H"))
    roles = ("user", "assistant")
    return self_contradiction(
        [{"role": roles[place % 2], "content": text} for place, text in enumerate(talk)]
    )


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([], "no assistant turn has a text"),
        (talk(QUESTION), "no assistant turn has a text"),
        (talk(QUESTION, YES), "only turn 1 has a reply"),
        (talk(QUESTION, "", "And?", ""), "no assistant turn has a text"),
        (
            talk(QUESTION, "\U0001f389", "And?", "\U0001f389\U0001f389"),
            "no two replies say something of the same thing",
        ),
        (
            talk(QUESTION, YES, "And?", "\u4e0d\uff0c\u4eba\u5de5\u667a\u80fd\u4e0d\u5e94\u8be5\u3002"),
            "Chinese",
        ),
        (
            talk(QUESTION, YES, "Und?", "Nein, das darf sie auf keinen Fall, weil es gef\u00e4hrlich ist."),
            "German",
        ),
    ],
)
def test_nothing_to_compare_is_undetermined_with_the_reason(messages, reason):
    found = self_contradiction(messages)
    assert found.outcome == "undetermined"
    assert reason in found.reason
    assert not found


def test_the_language_can_be_given():
    found = self_contradiction(talk(QUESTION, YES, "And?", NO), language="de")
    assert (found.outcome, "German" in found.reason) == ("undetermined", True)


def test_a_system_message_is_no_reply_and_a_tool_between_leaves_the_change_open():
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": "No, AI should not make autonomous decisions."},
        *talk(QUESTION, YES, "Sure?"),
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "Yes, it should."},
        {"role": "assistant", "content": NO},
    ]
    found = self_contradiction(messages)
    assert (found.outcome, "a tool was called" in found.reason) == ("undetermined", True)
    assert self_contradiction(messages, profile="seed").outcome == "contradiction"
    del messages[4:6]
    assert self_contradiction(messages).pair == (1, 2)


@pytest.mark.parametrize(
    ("pairs", "pair"), [(None, (1, 3)), ("all", (1, 3)), ("adjacent", None), ("first_two", None)]
)
def test_pairs_say_which_replies_are_held_against_each_other(pairs, pair):
    messages = talk(QUESTION, YES, "Thanks", "You are welcome.", "Hm", NO)
    assert self_contradiction(messages, pairs=pairs).pair == pair


def test_agreement_acknowledges_only_where_the_caller_says_so():
    messages = talk(QUESTION, YES, "But it errs.", "You're right, AI should not make autonomous decisions.")
    assert self_contradiction(messages).outcome == "contradiction"
    assert self_contradiction(messages, agreement_acknowledges=True).outcome == "acknowledged"


def test_a_reply_is_held_against_those_before_it_and_a_conversation_as_a_whole():
    conversation = read_conversation(talk(QUESTION, YES, "Sure?", NO, "Thanks", "You are welcome."))
    assert verdict_on(conversation, avoid_self_contradiction()).outcome == "fail"
    assert verdict_on(Reply(conversation, 2), avoid_self_contradiction()).outcome == "fail"
    assert verdict_on(Reply(conversation, 3), avoid_self_contradiction()).outcome != "fail"
    assert verdict_on(Reply(conversation, 1), avoid_self_contradiction()).outcome == "inconclusive"


def test_the_verdict_has_the_spans_as_evidence_and_the_stances_as_detail():
    conversation = read_conversation(talk(QUESTION, YES, "Sure?", f"I was wrong. {NO}"))
    verdict = verdict_on(conversation, avoid_self_contradiction())
    assert verdict.outcome == "pass"
    assert [(one.turn, one.note) for one in verdict.evidence] == [
        (1, "says yes"),
        (2, "says no"),
        (2, "acknowledges the change"),
    ]
    texts = [turn.text for turn in conversation.turns]
    assert all(texts[one.turn - 1][one.start : one.end] == one.quote for one in verdict.evidence)
    assert verdict.detail["outcome"] == "acknowledged"
    assert [one["position"] for one in verdict.detail["stances"]] == ["yes", "no"]


def test_the_documented_rule_has_no_third_answer():
    unclear = read_conversation(talk("Hi", "Hello.", "Bye", "Bye."))
    assert verdict_on(unclear, avoid_self_contradiction(profile="seed")).outcome == "pass"
    assert verdict_on(unclear, avoid_self_contradiction()).outcome == "inconclusive"


def test_what_is_no_conversation_is_an_error():
    assert verdict_on(3, avoid_self_contradiction()).outcome == "error"
    assert verdict_on(Turn(1), avoid_self_contradiction()).outcome == "inconclusive"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": "al"}, "pairs is 'first_two', 'adjacent' or 'all', found 'al' (did you mean 'all'?)"),
        ({"pairs": 2}, "pairs is 'first_two', 'adjacent' or 'all', found 2"),
        ({"agreement_acknowledges": "no"}, "agreement_acknowledges is true or false, found 'no'"),
        ({"language": 7}, "language is a language code such as 'en'"),
        ({"profile": "robst"}, "profile is 'seed' or 'robust'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ArgumentError) as refused:
        avoid_self_contradiction(**arguments)
    assert message.split(",")[0] in str(refused.value)
    with pytest.raises(ArgumentError):
        self_contradiction(talk(QUESTION, YES), **arguments)


def test_the_matcher_says_what_it_looks_for():
    assert avoid_self_contradiction().words == "avoid self-contradiction"
    assert avoid_self_contradiction(pairs="adjacent").words == ("avoid self-contradiction (pairs adjacent)")


def test_it_is_a_public_function_that_takes_records_too():
    conversation = read_conversation(talk(QUESTION, YES, "Sure?", NO))
    assert grice.self_contradiction(conversation).pair == (1, 2)
    assert grice.self_contradiction(Conversation()).outcome == "undetermined"


@pytest.mark.parametrize("profile", ["seed", "robust"])
@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        ("You're right, AI shouldn't make autonomous decisions because...", "contradiction"),
        ("Upon reflection, I've changed my view. AI shouldn't...", "acknowledged"),
    ],
)
def test_the_worked_examples_of_the_source(second, outcome, profile):
    messages = talk("Go on.", "Yes, AI should make autonomous decisions because...", "Hm.", second)
    assert self_contradiction(messages, profile=profile).outcome == outcome
