"""The records of products that a conversation has seen."""

from counted_calls import calls_of
from grice.checks.product_records import product_records
from grice.matching.context import Context


def test_many_records_are_read_in_linear_time():
    def read(count):
        records = [{"id": f"p{n}", "price": n} for n in range(count)]
        assert len(product_records(records, "", Context(None, None))) == count

    read(1)
    few, many = (calls_of(read, count) for count in (200, 800))
    assert many < 6 * few


def test_the_later_of_two_records_with_one_id_wins_and_keeps_the_fields_of_the_first():
    records = [{"id": 7, "price": 3, "name": "a"}, {"sku": "7", "price": 4}]
    found = product_records(records, "", Context(None, None))
    assert found == {"7": {"id": 7, "price": 4, "name": "a", "sku": "7"}}
