"""What the catalogue holds, finds, and does not have."""

from __future__ import annotations

import pytest

from store_concierge.catalogue import Catalogue, Wishes, open_catalogue


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue(open_catalogue())


def test_there_are_200_monitors_of_which_29_cannot_be_had(catalogue: Catalogue) -> None:
    everything = catalogue.connection.execute("SELECT count(*), count(price) FROM monitors").fetchone()
    assert tuple(everything) == (200, 171)


def test_a_search_keeps_to_every_wish(catalogue: Catalogue) -> None:
    wishes = Wishes(use="gaming", max_price=300, size=27, resolution="1440p")
    found = catalogue.search(wishes, limit=100)
    assert len(found) > 20
    assert all(one["price"] <= 300 and one["pixels"] == "2560 x 1440" for one in found)
    assert found[0]["refresh_rate_hz"] == max(one["refresh_rate_hz"] for one in found)


def test_the_first_ones_are_of_different_brands(catalogue: Catalogue) -> None:
    brands = [one["brand"] for one in catalogue.search(Wishes(use="gaming", max_price=300))]
    assert len(set(brands)) == 3


def test_what_cannot_be_had_is_not_found_but_known(catalogue: Catalogue) -> None:
    record = catalogue.named_in("have you got the AOC Q27G3XMN?")
    assert record is not None
    assert "price" not in record
    assert catalogue.stock(record["id"])["in_stock"] is False
    assert record["id"] not in {one["id"] for one in catalogue.search(Wishes(), limit=500)}


def test_a_doubled_brand_is_said_once(catalogue: Catalogue) -> None:
    record = catalogue.details("mon-6")
    assert record is not None
    assert record["title"] == "Acer Nitro XV272U W2bmiiprx"


def test_an_unknown_id_has_no_details(catalogue: Catalogue) -> None:
    assert catalogue.details("mon-0") is None
    assert "error" in catalogue.stock("mon-0")
