"""Of several texts only the one that decides is put into words, and every outcome is as if all were."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grice.matchers import contain, end_with, equal, match, start_with
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.matcher import Matcher, MatcherFactory
from grice.matching.selector import ValueSelector

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
