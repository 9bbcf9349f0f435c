"""Examples of matchers, as suites write them."""

import pytest

from grice.files.check_example import example_of
from grice.files.suite_check_reading import read_check
from grice.matching.assertions.registry import find_matcher, matcher_names

OF_A_PROJECT = {"toFollowRules", "toUseToolsFor"}
"""Those that need a file, or one of a few names."""


@pytest.mark.parametrize("name", matcher_names())
def test_the_example_of_each_matcher_is_what_a_suite_takes(name: str) -> None:
    example = example_of(find_matcher(name))
    assert name in OF_A_PROJECT or not isinstance(read_check(example, (), "hard", lambda *_: 0), list)


def test_an_example_has_what_the_matcher_cannot_do_without() -> None:
    assert example_of(find_matcher("toBeNull")) == {"matcher": "toBeNull"}
    assert example_of(find_matcher("toBeCloseTo")) == {
        "matcher": "toBeCloseTo",
        "path": "$.name",
        "expected": 1,
        "options": {"digits": 2},
    }
