"""What an envelope says of products is held against their records."""

from __future__ import annotations

from typing import Any

import pytest

from evidence_subjects import BOARD, reply_of, turn_with, verdict_on
from grice.checks.shop.products import ground_products
from grice.matching.matcher import ArgumentError
from grice.records import Outcome, Verdict

RIDGE = {"id": "p2", "title": "Ridge 156 Snowboard", "price": 449, "currency": "USD", "flex": "stiff"}


def grounded(*products: Any, records: Any = (BOARD, RIDGE), **options: Any) -> Verdict:
    data = {"mode": "recommend", "lead": "Here.", "detail": "", "products": list(products)}
    given = list(records) if isinstance(records, tuple) else records
    return verdict_on(
        reply_of(turn_with(1, "A board?", "", data=data)), ground_products(records=given, **options)
    )


def test_an_unknown_id_names_the_nearest() -> None:
    verdict = grounded({"id": "p11", "why": ["Soft flex"]})
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reason == "$.products[0]: no record has the id 'p11'"


def test_each_wrong_reason_is_named_with_its_place_and_fact() -> None:
    verdict = grounded({"id": "p1", "why": ["Soft flex", "Stiff flex"]}, {"id": "p2", "why": ["Heated"]})
    assert verdict.reason.splitlines() == [
        "$.products[0].why[1] 'Stiff flex' is contradicted: 'Stiff', but [0].flex: soft",
        "$.products[1].why[0] 'Heated' is unsupported: 'Heated' is in no fact",
    ]
    assert [one.path for one in verdict.evidence] == ["$.products[0].why[1]", "$.products[1].why[0]"]


def test_the_reason_of_one_product_is_not_held_against_another() -> None:
    assert grounded({"id": "p2", "why": ["Soft flex"]}).outcome is Outcome.FAIL
    assert grounded({"id": "p2", "why": ["Stiff flex"]}).outcome is Outcome.PASS


def test_a_card_that_differs_from_its_record_fails() -> None:
    verdict = grounded({"id": "p2", "title": "Wave 150 Snowboard", "price": "$399", "why": ["Stiff flex"]})
    assert verdict.reason.splitlines() == [
        "$.products[0]: the title is 'Wave 150 Snowboard', in the record 'Ridge 156 Snowboard'",
        "$.products[0]: the price is '$399', in the record 449",
    ]


def test_an_empty_reason_is_an_error_of_the_envelope() -> None:
    verdict = grounded({"id": "p1", "why": ["  "]})
    assert (verdict.outcome, verdict.reason) == (Outcome.ERROR, "$.products[0].why[0]: the reason is empty")


def test_a_verifier_is_asked_about_reasons() -> None:
    settled = grounded({"id": "p1", "why": ["Forgiving rocker"]}, verifier=lambda claim, facts: "supported")
    assert settled.outcome is Outcome.PASS


@pytest.mark.parametrize(
    "records", [{"p1": BOARD, "p2": RIDGE}, [BOARD, RIDGE], ({"product_id": "p1", "flex": "soft"},)]
)
def test_records_come_as_a_list_or_by_id(records: Any) -> None:
    assert grounded({"id": "p1", "why": ["Soft flex"]}, records=records).outcome is Outcome.PASS


@pytest.mark.parametrize("options", [{"records": 3}, {"shape": "seed"}, {"profile": "x"}, {"synonyms": 1}])
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        ground_products(**options)
