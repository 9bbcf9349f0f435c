"""Which call is which expected one: every answer against trying all choices."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.matching.calls.assignment import align, assign, bits, in_order, reaches

COLUMNS = 5
rows_of_bits = st.lists(st.integers(0, 2**COLUMNS - 1), max_size=5)


def fits(rows, place, column):
    return bool(rows[place] >> column & 1)


def choices(rows, size):
    """All ways to pair `size` rows with as many different columns."""
    for chosen in combinations(range(len(rows)), size):
        for columns in permutations(range(COLUMNS), size):
            yield list(zip(chosen, columns, strict=True))


def most_pairs(rows, ordered):
    for size in range(min(len(rows), COLUMNS), 0, -1):
        for pairs in choices(rows, size):
            in_line = [column for _, column in pairs] == sorted(column for _, column in pairs)
            if all(fits(rows, *pair) for pair in pairs) and (in_line or not ordered):
                return size
    return 0


def assert_sound(rows, pairs, ordered=False):
    used = [column for column in pairs if column is not None]
    assert len(pairs) == len(rows)
    assert len(set(used)) == len(used)
    assert all(fits(rows, place, column) for place, column in enumerate(pairs) if column is not None)
    assert not ordered or used == sorted(used)
    return len(used)


@given(rows_of_bits)
def test_an_assignment_pairs_as_many_as_any_choice_does(rows):
    assert assert_sound(rows, assign(rows)) == most_pairs(rows, ordered=False)


@given(rows_of_bits)
def test_an_alignment_pairs_as_many_as_any_choice_that_keeps_the_order(rows):
    assert assert_sound(rows, align(rows, COLUMNS), ordered=True) == most_pairs(rows, ordered=True)


@given(rows_of_bits)
def test_in_order_finds_a_choice_for_every_row_when_there_is_one(rows):
    pairs = in_order(rows)
    assert (pairs is not None) == (most_pairs(rows, ordered=True) == len(rows))
    assert pairs is None or assert_sound(rows, pairs, ordered=True) == len(rows)


@given(rows_of_bits, st.sets(st.integers(0, 4)), st.integers(0, COLUMNS))
def test_all_columns_are_reached_when_some_optional_rows_can_be_left_out(rows, optional, columns):
    kept = [
        [row for place, row in enumerate(rows) if place not in left_out]
        for size in range(len(rows) + 1)
        for left_out in combinations([place for place in range(len(rows)) if place in optional], size)
    ]
    expected = any(
        len(some) == columns and all(row >> place & 1 for place, row in enumerate(some)) for some in kept
    )
    assert reaches(rows, columns, optional) is expected


def test_the_greedy_choice_is_not_enough():
    """The first row fits both, the second only the first: taking the first column first leaves none."""
    assert assign([0b11, 0b01]) == [1, 0]


@pytest.mark.slow
def test_a_thousand_of_each_are_assigned_at_once():
    every = (1 << 1_000) - 1
    upper = [every >> place for place in range(1_000)]  # row i fits 1,000 - i of them
    assert sorted(assign(upper)) == list(range(1_000))
    assert sorted(assign([every] * 1_000)) == list(range(1_000))
    assert sum(column is not None for column in assign([1] * 500 + [2] * 500)) == 2


def test_bits_are_the_places_of_the_ones():
    assert list(bits(0b10110)) == [1, 2, 4]
