"""Of several texts only the one that decides is put into words, and every outcome is as if all were."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.matchers import contain, end_with, equal, match, start_with
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.limits import Limits, limited
from grice.matching.matcher import Matcher, MatcherFactory
from grice.matching.selector import ValueSelector
from grice.records import Outcome

TEXTS = st.lists(st.sampled_from(["a", "B", "ab", " ", "\n", "é", "0", "token=abc"]), max_size=4).map("".join)
VALUES = st.one_of(TEXTS, st.sampled_from([None, 3, ["a"], {"a": "b"}]))


@given(
    st.one_of(
        st.builds(contain, TEXTS.filter(bool)),
        st.builds(start_with, TEXTS.filter(bool)),
        st.builds(end_with, TEXTS.filter(bool)),
        st.builds(equal, TEXTS),
        st.builds(match, st.sampled_from(["a", "^a", "b$", "[^a]", "\\s", "."])),
    ),
    st.booleans(),
    st.sampled_from(["ANY", "ALL"]),
    st.lists(VALUES, max_size=4),
)
def test_a_first_look_changes_no_verdict(made: Matcher[Any], negated: bool, mode: Any, values: Any) -> None:
    factory = made.factory
    slow = MatcherFactory(factory.name, factory.function, lambda *_, **__: made.words, layer=factory.layer)
    slow.python_name, slow.wants = factory.python_name, factory.wants
    judged_one_by_one = Matcher(slow, made.args, made.kwargs)
    at = ValueSelector("$[*]", mode)
    asked, expected = (~one if negated else one for one in (made, judged_one_by_one))
    assert judge(asked, values, Context(), at) == judge(expected, values, Context(), at)


@pytest.mark.parametrize("mode", ["ANY", "ALL"])
@pytest.mark.parametrize("negated", [False, True])
def test_a_text_that_is_longer_than_what_is_tested_decides_nothing(mode: Any, negated: bool) -> None:
    values = ["x" * 60] * 2
    asked = ~match("forbidden") if negated else match("forbidden")
    at = ValueSelector("$[*]", mode)
    tight = Limits(regex_max_test_str_len=50)
    assert judge(asked, values, Context(limits=tight), at).outcome is Outcome.INCONCLUSIVE
    with limited(tight):
        assert judge(asked, values, Context(), at).outcome is Outcome.INCONCLUSIVE
