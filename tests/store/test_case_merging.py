"""Bringing two versions of a case together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.store.case_merging import Conflict, MergedCase, merge_cases


def merged(base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]) -> MergedCase:
    return merge_cases(base, mine, theirs, lists=("assertions",), row_id=lambda row: row.get("id", "derived"))


def rows(*given: Any) -> dict[str, Any]:
    """A case with these rows: a letter is the id, a number behind it what the row expects."""
    return {"assertions": [{"id": one[0], "matcher": "toEqual", "expected": one[1:]} for one in given]}


def shown(case: MergedCase) -> list[str]:
    return [one["id"] + one["expected"] for one in case.fields["assertions"]]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "wanted"),
    [
        ("a b c", "a1 b c", "a b c1", "a1 b c1"),
        ("a b", "x a b", "a b y", "x a b y"),
        ("a b", "a x b", "a y b", "a x y b"),
        ("a b c", "a c", "a b c d", "a c d"),
        ("a b c", "c a b", "a b1 c", "c a b1"),
        ("a b c", "a b1 c", "c b a", "c b1 a"),
        ("a b", "a b x", "a b x", "a b x"),
        ("a b", "a", "a", "a"),
    ],
)
def test_what_only_one_changed_is_in_the_merged_case(base: str, mine: str, theirs: str, wanted: str) -> None:
    found = merged(*(rows(*one.split()) for one in (base, mine, theirs)))
    assert (shown(found), found.conflicts) == (wanted.split(), [])


def test_a_row_that_both_changed_is_mine_and_a_conflict() -> None:
    base, mine, theirs = rows("a", "b"), rows("a1", "b"), rows("a2", "b")
    found = merged(base, mine, theirs)
    assert shown(found) == ["a1", "b"]
    each = [one["assertions"][0] for one in (base, mine, theirs)]
    assert found.conflicts == [Conflict("assertions", "a", *each)]


@pytest.mark.parametrize(("mine", "theirs"), [("b", "a1 b"), ("a1 b", "b")])
def test_a_row_that_one_took_away_and_the_other_changed_stays(mine: str, theirs: str) -> None:
    found = merged(rows("a", "b"), rows(*mine.split()), rows(*theirs.split()))
    assert (shown(found), len(found.conflicts)) == (["a1", "b"], 1)


def test_two_rows_added_under_one_id_are_a_conflict() -> None:
    found = merged(rows("a"), rows("a", "x1"), rows("a", "x2"))
    assert (shown(found), [one.base for one in found.conflicts]) == (["a", "x1"], [None])


def test_rows_without_ids_are_known_by_what_they_say_and_where_they_stand() -> None:
    def case(*expected: int) -> dict[str, Any]:
        return {"assertions": [{"path": f"$.{place}", "expected": one} for place, one in enumerate(expected)]}

    found = merged(case(0, 0, 0), case(1, 0, 0), case(0, 0, 2))
    assert ([one["expected"] for one in found.fields["assertions"]], found.conflicts) == ([1, 0, 2], [])
    found = merged(case(0, 0), case(1, 0), case(2, 0))
    assert [(one.row, one.mine["expected"], one.theirs["expected"]) for one in found.conflicts] == [
        ("derived", 1, 2)
    ]


def test_other_fields_are_merged_one_by_one() -> None:
    base = {"say": "a", "runMode": "DEFAULT", "description": ""}
    found = merged(
        base, {**base, "say": "b", "description": "m"}, {**base, "runMode": "SKIP", "description": "t"}
    )
    assert found.fields == {"say": "b", "runMode": "SKIP", "description": "m"}
    assert found.conflicts == [Conflict("description", None, "", "m", "t")]


# -- whatever the rows are

values = st.sampled_from([0, 1, True, "x", None])
row = st.fixed_dictionaries(
    {"path": st.sampled_from("ab"), "expected": values}, optional={"id": st.sampled_from("pqr")}
)
cases = st.fixed_dictionaries(
    {"assertions": st.lists(row, max_size=5), "say": values}, optional={"turns": values}
)


@given(cases, cases)
def test_against_an_unchanged_version_the_other_is_taken(base: dict[str, Any], other: dict[str, Any]) -> None:
    for found in (merged(base, other, base), merged(base, base, other)):
        assert (exactly(found.fields), found.conflicts) == (exactly(other), [])


@given(cases, cases, cases)
def test_no_change_is_lost(base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    found = merged(base, mine, theirs)
    there = [exactly(one) for one in found.fields["assertions"]]
    told = [exactly(one) for conflict in found.conflicts for one in (conflict.mine, conflict.theirs)]
    before = [exactly(one) for one in base["assertions"]]
    for one in (*mine["assertions"], *theirs["assertions"]):
        assert exactly(one) in [*there, *told, *before]
    assert len(there) <= len(before) + len(mine["assertions"]) + len(theirs["assertions"])


@given(st.data(), st.integers(2, 8))
def test_changes_of_different_rows_are_all_there_in_their_order(data: st.DataObject, number: int) -> None:
    base = [{"id": str(place), "expected": 0} for place in range(number)]
    owner = data.draw(st.lists(st.sampled_from(["mine", "theirs", ""]), min_size=number, max_size=number))

    def changed(who: str) -> dict[str, Any]:
        return {
            "assertions": [
                {**one, "expected": who} if own == who else one for one, own in zip(base, owner, strict=True)
            ]
        }

    found = merged({"assertions": base}, changed("mine"), changed("theirs"))
    assert [one["expected"] for one in found.fields["assertions"]] == [own or 0 for own in owner]
    assert found.conflicts == []


def exactly(value: Any) -> str:
    """The value with true apart from 1."""
    return repr(sorted(value.items())) if isinstance(value, dict) else repr(value)
