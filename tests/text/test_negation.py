import pytest

from counted_calls import lines_of
from grice.text.negation import negated
from grice.text.packs import pack_of
from grice.text.words import words


def denied(text, code="en"):
    found = words(text)
    return [word.text for word, hit in zip(found, negated(text, found, pack_of(code)), strict=True) if hit]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not waterproof, but it is breathable.", "waterproof"),
        ("It isn’t waterproof or breathable.", "waterproof or breathable"),
        ("It is waterproof.", ""),
        ("No, it is waterproof.", ""),
        ("No problem, I can help.", ""),
        ("Not only warm but also light.", ""),
        ("There is no fee for returns within 30 days.", "fee"),
        ("We don't accept returns on sale items, and shipping is free.", "accept returns on sale items"),
        ("It's never without problems.", "without"),
        ("non-refundable tickets", "refundable"),
        ("I can't process it because the card expired.", "process it"),
        ("It does not have a hood and comes in blue.", "have a hood"),
        ("It is far from perfect.", "perfect"),
        ("No more than 5 days.", ""),
        ("Neither warm nor light. Dry.", "warm nor light"),
        ("You cannot cancel or modify it unless you pay.", "cancel or modify it"),
        ("Don't hesitate to ask.", ""),
        ("No returns on sale items.", "returns"),
        ("You can return it without a receipt.", "a receipt"),
        ("It is no longer available.", "available"),
        ("The jacket is not waterproof. The pants are.", "waterproof"),
        ("not\n- waterproof", ""),
        ("", ""),
    ],
)
def test_a_negation_reaches_to_the_end_of_its_clause(text, expected):
    assert " ".join(denied(text)) == expected


def test_other_languages_deny_with_their_own_words():
    assert denied("Das ist nicht wasserdicht, aber warm.", "de") == ["wasserdicht"]
    assert denied("Kein Problem, ich helfe.", "de") == []


@pytest.mark.parametrize("run", ["not ", "not warm "])
def test_a_long_run_of_negations_takes_no_longer_for_each(run):
    denied(run)
    few, many = (lines_of(denied, run * count) for count in (100, 400))
    assert many < 6 * few


@pytest.mark.parametrize(("count", "denies"), [(1, True), (2, False), (3, True), (4, False), (5, True)])
def test_negations_of_negations_cancel_in_pairs(count, denies):
    assert (denied("not " * count + "warm")[-1:] == ["warm"]) is denies
