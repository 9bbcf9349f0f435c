# ruff: noqa: E501 - tables, one case a line
"""have_envelope names every fault with its path."""

import pytest

from grice.checks.shop.envelope import have_envelope
from grice.matching.assertions.data_arguments import arguments_of
from structure_turns import refusal_of, reply_of, verdict_on

WAVE = {"id": "a", "title": "Wave", "why": ["soft"]}
PARK = {"id": "b", "title": "Park", "why": ["light"]}


def envelope(**fields):
    whole = {"mode": "recommend", "lead": "Two boards.", "detail": "Both are easy.", "products": [WAVE, PARK]}
    return {name: one for name, one in (whole | fields).items() if one != "absent"}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"lead": "absent"}, "$.lead is missing, expected 1 to 2 sentences"),
        ({"detail": " "}, "$.detail is empty, expected 1 to 3 sentences"),
        ({"lead": "Hi. Hello. Welcome."}, "$.lead has 3 sentences, expected at most 2: Hi. | Hello. | Welcome."),
        ({"products": [WAVE]}, "$.products has 1 product, expected 2 to 3 in a recommendation"),
        ({"products": [WAVE, None]}, "$.products[1] is an object, found null"),
        ({"products": [WAVE, WAVE]}, "$.products[1] has the id 'a', as $.products[0] has"),
        ({"products": [WAVE, {**PARK, "why": ["x", "X."]}]}, "$.products[1].why[1] has the reason 'X.', as $.products[1].why[0] has"),
        ({"products": [WAVE, {**PARK, "why": []}]}, "$.products[1].why has 0 reasons, expected 1 to 3"),
        ({"products": [WAVE, {"title": "B", "why": ["x"]}]}, "$.products[1].id is missing"),
        ({"mode": "browse", "products": []}, '$.mode is "chat" or "recommend", found "browse"'),
        ({"detail": "<p>Both</p>"}, "$.detail is plain text, found HTML: '<p>'"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_path(fields, reason):
    verdict = verdict_on(reply_of(("Hi", "Ok."), data=envelope(**fields)), have_envelope())
    assert (verdict.outcome, verdict.reason) == ("fail", reason)
    assert verdict.evidence[0].path == reason.split(" ")[0]
    assert verdict.layer == 1


def test_all_faults_are_told_at_once():
    data = envelope(lead=None, detail=1, products=[PARK, "x", WAVE, WAVE])
    verdict = verdict_on(data, have_envelope())
    assert verdict.reason.splitlines() == [
        "$.detail is a text, found 1",
        '$.products[1] is an object, found "x"',
        "$.lead is missing, expected 1 to 2 sentences",
        "$.products has 4 products, expected 2 to 3 in a recommendation",
        "$.products[3] has the id 'a', as $.products[2] has",
    ]


@pytest.mark.parametrize("words", [1, 3])
def test_limits_are_the_callers(words):
    lead = "One. " * words
    assert verdict_on(envelope(lead=lead), have_envelope(lead_sentences=words)).outcome == "pass"
    assert verdict_on(envelope(lead=lead + "More."), have_envelope(lead_sentences=words)).outcome == "fail"


def test_many_faults_are_cut():
    products = [None] * 60
    verdict = verdict_on(envelope(products=products), have_envelope())
    assert verdict.reason.splitlines()[-1].startswith("... and ")
    assert len(verdict.reason) < 2_000


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"mode": "recomend"}, "mode is 'chat' or 'recommend', found 'recomend' (did you mean 'recommend'?)"),
        ({"lead_sentences": 0}, "lead_sentences is a whole number from 1, found 0"),
        ({"clarifiers": True}, "clarifiers is a whole number from 0, found True"),
        ({"products": [3, 1]}, "expected the least and the most, like [1, 3], found [3, 1]"),
        ({"reasons": 3}, "reasons is a list of 2, found 3"),
        ({"detail_required": "yes"}, "detail_required is true or false, found 'yes'"),
        ({"profile": "sed"}, "profile is 'seed' or 'robust', found 'sed' (did you mean 'seed'?)"),
    ],
)
def test_wrong_arguments_are_refused(arguments, problem):
    assert refusal_of(have_envelope, **arguments) == problem


def test_it_reads_its_arguments_from_files():
    args, named = arguments_of(
        have_envelope, {"expected": {"mode": "chat", "leadSentences": 1, "products": [0, 1]}}
    )
    assert have_envelope(*args, **named).words == "have a well-formed envelope to chat"


@pytest.mark.parametrize("subject", [5, None, [1]])
def test_what_has_no_envelope_is_an_error(subject):
    assert verdict_on(subject, have_envelope()).outcome == "error"
