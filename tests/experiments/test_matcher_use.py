"""How often matchers were used."""

from collections import Counter

import pytest

from grice import matchers
from grice.experiments.aggregation.matcher_use import matcher_use, python_matcher
from grice.experiments.check_rows import CheckRow
from grice.matching.matcher import MatcherFactory


def test_checks_are_summed_by_matcher_and_mode_the_most_used_first() -> None:
    checks = {
        CheckRow("friendly", "toSatisfy", "soft", "pass", 3): 4,
        CheckRow("helpful", "toSatisfy", "soft", "fail", 3): 1,
        CheckRow("friendly", "toSatisfy", "hard", "pass", 3): 2,
        CheckRow("", "toContain", "soft", "skipped"): 2,
    }
    assert matcher_use(checks) == [
        ("toSatisfy", "soft", Counter({"pass": 4, "fail": 1})),
        ("toContain", "soft", Counter({"skipped": 2})),
        ("toSatisfy", "hard", Counter({"pass": 2})),
    ]
    assert [one.times for one in matcher_use(checks)] == [5, 2, 2]
    assert matcher_use({}) == []


def test_a_matcher_has_one_name_however_it_was_written() -> None:
    found = [one for one in vars(matchers).values() if isinstance(one, MatcherFactory)]
    assert len(found) > 50
    for one in found:
        forms = (one.name, one.python_name, f"to_{one.python_name}")
        assert {python_matcher(form) for form in forms} == {one.python_name}
    assert python_matcher("total") == "total"
    assert python_matcher("toMatchJSON") == "match_json"
    assert python_matcher("") == ""


@pytest.mark.parametrize(
    ("matcher", "name"),
    [
        ("toHaveHTTPStatus", "have_http_status"),  # letters said one by one are a word of their own
        ("toHaveHttpStatus", "have_http_status"),
        ("to_have_http_status", "have_http_status"),
        ("toBeAReply", "be_a_reply"),
        ("toMatchJSON", "match_json"),
        ("toFollowRFC9110Rules", "follow_rfc9110_rules"),
    ],
)
def test_words_of_capitals_end_where_the_next_word_begins(matcher: str, name: str) -> None:
    assert python_matcher(matcher) == name
