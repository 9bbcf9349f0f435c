"""What a run that goes on has other than it began with, whatever is chosen of it."""

import pytest

from grice.running.journal.changes import changes_since
from grice.running.journal.experiment import Experiment

USERS = "other settings of the played user of venues"
GRAPH = "another topic graph of venues"


def head(planned: int, **fields: dict[str, tuple[str, ...]]) -> Experiment:
    return Experiment("exp_1", "2026-01-01T00:00:00.000Z", planned=planned, **fields)


@pytest.mark.parametrize("planned", [4, 1, 9])
@pytest.mark.parametrize(("field", "said"), [("users", USERS), ("graphs", GRAPH)])
@pytest.mark.parametrize(
    ("before", "now", "differs"),
    [
        ({"venues": ("a",)}, {"venues": ("a",)}, False),
        ({"venues": ("a",)}, {"venues": ("b",)}, True),
        ({"venues": ("a",), "rooms": ("b",)}, {"rooms": ("b",)}, False),
        ({"venues": ("a",), "rooms": ("b",)}, {"venues": ("c",)}, True),
        ({"venues": ("a",), "rooms": ("b",)}, {"rooms": ("b",), "tables": ("c",)}, False),
        ({"venues": ("a", "b")}, {"venues": ("b",)}, False),
        ({"venues": ("a", "b")}, {"venues": ("b", "c")}, True),
        ({}, {"venues": ("a",)}, False),
    ],
)
def test_users_and_graphs_are_held_against_those_of_the_same_name(
    planned: int,
    field: str,
    said: str,
    before: dict[str, tuple[str, ...]],
    now: dict[str, tuple[str, ...]],
    differs: bool,
) -> None:
    found = list(changes_since(head(4, **{field: before}), head(planned, **{field: now})))
    assert found == ([said] if differs else [])
