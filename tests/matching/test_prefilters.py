"""What passes at a first look is what judging passes, no more and no less."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.matchers import contain, end_with, equal, match, start_with
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Outcome
from grice.text import is_blank

PIECES = st.sampled_from(
    ["a", "B", "ab", " ", "\n", "\u2019", "\U0001f600", "\ud800", "$", "0", "\u200b", "é"]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
PATTERNS = st.sampled_from(["a", "^a", "b$", "[^a]", "a|B", "\\s", ".", "\\u2019", "a{2}", "\\bab\\b"])


@given(
    st.one_of(
        st.builds(contain, TEXTS.filter(bool)),
        st.builds(start_with, TEXTS.filter(bool)),
        st.builds(end_with, TEXTS.filter(bool)),
        st.builds(equal, TEXTS),
        st.builds(match, PATTERNS, flags=st.sampled_from(["", "i", "ms"])),
    ),
    st.booleans(),
    TEXTS.filter(lambda text: not is_blank(text)),
)
def test_a_prefilter_says_what_judging_says(made: Matcher[Any], negated: bool, text: str) -> None:
    asked = ~made if negated else made
    passes = asked.prefilter
    assert passes is not None
    verdict = judge(asked, text, Context())
    assert passes(text) is (verdict.outcome is Outcome.PASS)
    assert not verdict.trivially_true


@pytest.mark.parametrize(
    "made",
    [contain("a", ignore_case=True), contain("a", after="b"), contain(3), match(""), match("x*"), equal(3)],
    ids=str,
)
def test_what_needs_words_or_a_closer_look_has_none(made: Matcher[Any]) -> None:
    assert made.prefilter is None
    assert (~made).prefilter is None
