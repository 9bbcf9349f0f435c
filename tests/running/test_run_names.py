"""What a run may be called."""

import pytest

from grice.running.run_names import name_problem


@pytest.mark.parametrize(
    "name", ["Prompt v2", "main", "feature/x", "2026-11-15", "x~", "~1", "latest 2", "a~b"]
)
def test_most_names_are_fine(name: str) -> None:
    assert name_problem(name) == ""


@pytest.mark.parametrize("name", ["", " \t", "latest", "latest~1", "v1~12", "a\nb~1"])
def test_what_means_something_else_is_refused_in_one_line(name: str) -> None:
    said = name_problem(name)
    assert said.startswith("expected ")
    assert "\n" not in said
