"""How often matchers were used."""

from collections import Counter

from grice.experiments.check_rows import CheckRow
from grice.experiments.matcher_use import matcher_use


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
