"""A reply is held against the facts, claim by claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from evidence_subjects import BOARD, outcome, reply_of, supported, turn_with, verdict_on
from grice.checks.evidence.support import be_supported_by
from grice.matching.matcher import ArgumentError
from grice.records import Outcome


def test_a_contradiction_names_the_fact_and_its_place() -> None:
    text = "Good news! It has a *stiff* flex."
    verdict = supported(text)
    assert verdict.outcome is Outcome.FAIL
    assert "is contradicted: 'stiff', but flex: soft" in verdict.reason
    (evidence,) = verdict.evidence
    assert (evidence.quote, evidence.path, evidence.note) == ("stiff", "$.flex", "flex: soft")
    assert text[evidence.start : evidence.end] == "stiff"


def test_what_is_in_no_fact_is_named_as_such() -> None:
    verdict = supported("It has carbon stringers.")
    assert verdict.reason == "'It has carbon stringers.' is unsupported: 'carbon stringers' is in no fact"


def test_the_counts_are_in_the_detail() -> None:
    verdict = supported("It has a soft flex. It has a stiff flex. It has carbon stringers. It's great.")
    counts = {key: verdict.detail[key] for key in ("supported", "contradicted", "unsupported", "opinion")}
    assert counts == {"supported": 1, "contradicted": 1, "unsupported": 1, "opinion": 1}
    assert verdict.reason.startswith("of 4 claims: 1 contradicted, 1 unsupported, 1 supported, 1 opinion:\n")


def test_the_support_ranks_texts() -> None:
    told = [
        supported(text).detail["support"]
        for text in ("It has a soft flex.", "It has a stiff flex.", "It smells of roses.")
    ]
    assert told[0] > max(told[1:])


@pytest.mark.parametrize(
    ("allow", "text", "expected"),
    [
        (("opinion",), "It has a soft flex. It's great.", "pass"),
        ((), "It has a soft flex. It's great.", "fail"),
        (("opinion", "unsupported"), "It has carbon stringers.", "pass"),
        (("opinion", "unsupported"), "It has a stiff flex.", "fail"),
    ],
)
def test_what_is_allowed_does_not_fail(allow: Sequence[str], text: str, expected: str) -> None:
    assert outcome(text, allow=allow) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It weighs 2.9 kg.", "pass"),
        ("It weighs 2900 grams.", "pass"),
        ("It weighs 6.4 pounds.", "pass"),
        ("It weighs 3.5 kg.", "fail"),
        ("It costs under $300.", "pass"),
        ("It costs under $250.", "fail"),
        ("It costs around $300.", "pass"),
        ("The warranty is 24 months.", "pass"),
        ("The warranty is 2 years.", "pass"),
        ("The warranty is 12 months.", "fail"),
    ],
)
def test_quantities_are_compared_as_what_they_measure(text: str, expected: str) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("It's waterproof.", {"waterproof": True}, "pass"),
        ("It's waterproof.", {"waterproof": False}, "fail"),
        ("It's not waterproof.", {"waterproof": True}, "fail"),
        ("It's not waterproof.", {"waterproof": False}, "pass"),
        ("It's waterproof.", {"waterproof": "Not waterproof"}, "fail"),
        ("It isn't waterproof.", {"waterproof": "Not waterproof"}, "pass"),
        ("It's gluten-free.", {"gluten_free": True}, "pass"),
        ("It's gluten-free.", {"gluten": True}, "fail"),
        ("It's gluten-free.", {"gluten": False}, "pass"),
        ("It's non-refundable.", {"refundable": False}, "pass"),
        ("It's unpadded.", {"padded": True}, "fail"),
    ],
)
def test_negation_counts_on_both_sides(text: str, facts: Any, expected: str) -> None:
    assert outcome(text, facts) == expected


def test_facts_are_what_tools_returned_up_to_the_turn() -> None:
    before = turn_with(1, "A board?", "Here.", BOARD)
    asked = turn_with(2, "How stiff is it?", "It has a soft flex.")
    later = turn_with(3, "And boots?", "Here.", {"id": "b1", "flex": "stiff"})
    assert supported(reply_of(before, asked), None).outcome is Outcome.PASS
    assert supported(reply_of(asked), None).outcome is Outcome.INCONCLUSIVE
    wrong = turn_with(2, "How stiff is it?", "It has a stiff flex.")
    assert (
        supported(reply_of(before, wrong, later).conversation.record.turns[1], BOARD).outcome is Outcome.FAIL
    )


def test_one_record_is_not_another() -> None:
    records = [
        {"id": "a1", "name": "Aero 13", "ram_gb": 16, "price": 999},
        {"id": "b1", "name": "Bolt 15", "ram_gb": 8, "price": 749},
    ]
    assert outcome("The Aero 13 has 16 GB of RAM.", records) == "pass"
    assert outcome("The Aero 13 has 8 GB of RAM.", records) == "fail"
    assert outcome("The Bolt 15 is a solid pick. It has 8 GB of RAM.", records) == "pass"
    assert outcome("The Bolt 15 is a solid pick. It has 16 GB of RAM.", records) == "fail"


def test_a_verifier_settles_what_is_in_no_fact() -> None:
    asked: list[tuple[str, Sequence[str]]] = []

    def verifier(claim: str, facts: Sequence[str]) -> str | None:
        asked.append((claim, facts))
        return "supported"

    text = "It has a soft flex. It has a forgiving rocker."
    assert outcome(text) == "fail"
    assert outcome(text, verifier=verifier) == "pass"
    assert {claim for claim, _ in asked} == {"It has a forgiving rocker."}
    assert "flex: soft" in asked[0][1]


def test_a_verifier_may_be_awaited() -> None:
    async def verifier(claim: str, facts: Sequence[str]) -> str:
        return "contradicted"

    verdict = supported("It has a forgiving rocker.", verifier=verifier)
    assert (verdict.outcome, verdict.detail["contradicted"]) == (Outcome.FAIL, 1)
    assert "so says the verifier" in verdict.reason


@pytest.mark.parametrize("answer", ["yes", 1, {}])
def test_an_answer_that_is_none_is_an_error(answer: object) -> None:
    verdict = supported("It has a forgiving rocker.", verifier=lambda claim, facts: answer)
    assert verdict.outcome is Outcome.ERROR
    assert "the verifier answers supported, contradicted, unsupported or None" in verdict.reason


def test_a_verifier_that_raises_is_an_error() -> None:
    def verifier(claim: str, facts: Sequence[str]) -> str:
        raise RuntimeError("down")

    assert (
        supported("It has a forgiving rocker.", verifier=verifier).reason
        == "the verifier raised RuntimeError: down"
    )


def test_a_verifier_that_cannot_tell_leaves_what_the_rules_found() -> None:
    assert outcome("It has a forgiving rocker.", verifier=lambda claim, facts: None) == "fail"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "sed"}, "profile is 'seed' or 'robust', found 'sed' (did you mean 'seed'?)"),
        ({"allow": ("opinon",)}, "found 'opinon' (did you mean 'opinion'?)"),
        ({"allow": "opinion"}, "allow is a list"),
        ({"synonyms": ["waterproof"]}, "synonyms is an object"),
        (
            {"synonyms": {"waterproof": 3}},
            "synonyms['waterproof'] is a text that is not blank or a list of texts, found 3",
        ),
        ({"verifier": "judge"}, "verifier is a function"),
        ({"language": 3}, "language is a language code such as 'en', found 3"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        be_supported_by(BOARD, **options)
    assert message in str(refused.value)


def test_an_unknown_field_in_a_file_is_named() -> None:
    read = be_supported_by.read
    assert read is not None
    with pytest.raises(ArgumentError, match="unknown field 'fact' \\(did you mean 'facts'\\?\\)"):
        read({"fact": BOARD})
    args, named = read({"facts": BOARD, "allow": ["opinion"]})
    assert verdict_on("It has a soft flex.", be_supported_by(*args, **named)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("claim", "record", "holds"),
    [
        ("", {}, "pass"),
        ('"price":299', {"price": 299.0}, "pass"),
        ("SOFT", {"flex": "soft"}, "pass"),
        ('6" wide', {"note": '6" wide'}, "pass"),
        ("stiff", {"flex": "soft"}, "fail"),
    ],
)
def test_the_seed_compares_with_the_text_of_the_json(claim: str, record: Any, holds: str) -> None:
    assert outcome(claim, record, profile="seed") == holds


@pytest.mark.parametrize("key", ["in_stock", "stock", "quantity_available", "available", "inventory"])
@pytest.mark.parametrize(
    ("claim", "there"),
    [
        ("It's in stock.", True),
        ("It's available.", True),
        ("It's out of stock.", False),
        ("It's sold out.", False),
        ("It isn't available.", False),
        ("It's currently unavailable.", False),
    ],
)
@pytest.mark.parametrize("count", [0, 4])
def test_a_count_of_what_is_there_is_true_above_zero(key: str, claim: str, there: bool, count: int) -> None:
    assert outcome(claim, {key: count}) == ("pass" if there is (count > 0) else "fail")


@pytest.mark.parametrize(
    ("claim", "record", "holds"),
    [
        ("It's lighter than 7 kg.", {"weight_kg": 6.2}, "pass"),
        ("It's lighter than 6000 g.", {"weight_kg": 6.2}, "fail"),
        ("It's heavier than 7 kg.", {"weight_kg": 6.2, "max_load_kg": 120}, "fail"),
        ("It's cheaper than $400.", {"price": 329}, "pass"),
        ("It's more expensive than $300.", {"price": 329}, "pass"),
        ("It's cheaper than $400.", {"price": {"amount": 329, "currency": "EUR"}}, "fail"),
    ],
)
def test_a_comparative_is_held_against_the_amount_behind_than(claim: str, record: Any, holds: str) -> None:
    assert outcome(claim, record) == holds
