"""One experiment as Markdown: the answer first, and nothing in it that is read as more than text."""

import re
from pathlib import Path

from msgspec.structs import replace
from run_reports import run_markdown
from run_results import HEAD
from seed_experiment import seed_attempts

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.results import ExperimentResults
from grice.records import FollowedGraph, Outcome, TopicVisit


def results(*attempts: Attempt, **fields: object) -> ExperimentResults:
    head = replace(HEAD, topic_graph={}, planned=len(attempts))
    return ExperimentResults((head,), attempts, **fields)  # type: ignore[arg-type]


def one(key: str, outcome: Outcome = Outcome.PASS, **fields: object) -> Attempt:
    failure = "none" if outcome is Outcome.PASS else "assertion"
    return Attempt(f"example:{key}", key, outcome, failure=failure, turns=1, **fields)  # type: ignore[arg-type]


def test_the_answer_and_the_rates_stand_first() -> None:
    text = run_markdown(results(*seed_attempts()), baseline="exp_abc123")
    assert text.startswith(
        """<!-- grice.experiment -->

### \u2717 Grice: 10 of 47 conversations failed (78.7% passed)

No test newly fails or newly passes, compared with exp\\_abc123. Failed: scenario\\_38, scenario\\_39, scenario\\_40, scenario\\_41, scenario\\_42 and 5 more.

Experiment: `exp_def456` "Prompt v2.3"  
Timestamp:  2025-01-16 14:30:00 UTC  
Git:        abc123def (feature/grounding)  
Finished:   47 conversations

#### Did not pass (10)

| Scenario | How | Why |
| --- | --- | --- |
| scenario\\_38 | fail (assertion) |  |
"""  # noqa: E501, W291 - the answer; two blanks break the line
    )
    assert "| Completion Rate | 78.7% (37/47) | 65.1% to 88.0% |" in text
    assert "| Evaluation Rate | 86.2% (1,847/2,143) |" in text
    assert "| grounded\\_pricing | 114 | 87 | 76.3% |" in text
    assert "  - urgent\\_booking: 28.3% ungrounded (13/46)" in text
    assert text.endswith(
        "\n\n- To compare with a baseline:\n  - `grice compare exp_def456 --baseline exp_abc123`\n"
    )


def test_what_turns_took_is_told() -> None:
    timed = run_markdown(results(one("a", latencies=(0.5,), tokens=(12,)), one("b", latencies=(2.0,))))
    assert "<summary>Efficiency Metrics (n=2 scenarios)</summary>" in timed
    assert (
        "\n- Seconds a turn: p50 0.50, p95 2.00 (2 turns)\n- Tokens a turn: p50 12, p95 12 (1 of 2 turns)\n"
        in timed
    )
    assert "Efficiency" not in run_markdown(results(one("a"), one("b")))
    visited = (TopicVisit(1, "start", 1, 1),)
    both = run_markdown(results(one("a", visits=visited, latencies=(0.5,))))
    assert "- Backtracking Rate: 0% (0/1)\n- Seconds a turn: p50 0.50, p95 0.50 (1 turn)\n" in both


def test_only_a_whole_run_of_which_everything_passed_has_the_tick() -> None:
    def sign(found: ExperimentResults) -> str:
        return run_markdown(found).split("### ")[1][0]

    head = replace(HEAD, planned=2)
    assert sign(results(one("a"), one("b"))) == "\u2713"
    assert sign(results(one("a"), one("b", Outcome.SKIPPED, counts=False))) == "\u2713"
    assert sign(results(one("a"), one("b", Outcome.INCONCLUSIVE))) == "\u2717"
    assert sign(results(one("a"), one("b", counts=False))) == "\u2717"
    assert sign(results(one("a"), damaged=1)) == "\u2717"
    assert sign(ExperimentResults((head,), (one("a"),), unfinished=("b",))) == "\u2717"
    assert sign(results()) == "\u2717"
    assert "Grice: Nothing was found out about the agent: no conv" in run_markdown(results())


def test_what_is_missing_is_said_before_the_figures() -> None:
    head = replace(HEAD, planned=4)
    down = one("down", Outcome.ERROR, counts=False, why="a check broke: HTTP 503")
    text = run_markdown(ExperimentResults((head,), (one("a"), down), unfinished=("torn",), damaged=2))
    before = text[: text.index("#### Completion")]
    assert "**2 of 4 conversations were not finished: give the same command and --resume" in before
    assert "**2 lines of the journal cannot be read**" in before
    assert "Begun and not finished: torn" in before
    assert "### \u2717 Grice: The conversation passed, 1 not counted; the run is not whole\n" in before
    assert "- 1 conversation: a check broke: HTTP 503\n  - down\n" in text


def test_repeats_of_a_scenario_are_one_row() -> None:
    attempts = [one("red", Outcome.FAIL, repeat=number, why="it lied") for number in (1, 2)]
    text = run_markdown(results(*attempts, one("red", repeat=3), one("blue")))
    assert "| red | 2 of 3 | fail (assertion) | it lied |" in text
    assert (
        "- Run 1: 50.0% (1/2)\n- Run 2: 0% (0/1)\n- Run 3: 100% (1/1)\n- Mean: 50.0%\n- StdDev: 50.0pp\n"
        in text
    )
    assert "- Pass now and then: 1 of 1 scenario\n  - red 1/3\n" in text


def test_long_lists_are_cut_unless_everything_is_asked_for() -> None:
    attempts = [one(f"s{number}", Outcome.FAIL) for number in range(40)]
    assert "\n\nand 10 more\n" in run_markdown(results(*attempts))
    assert "| s39 |" in run_markdown(results(*attempts), verbose=True)


def test_a_comment_stays_within_what_github_takes() -> None:
    """65,536 characters, with long names and reasons everywhere."""
    long = "x" * 5000
    attempts = [
        one(
            f"{long}{number}",
            Outcome.FAIL,
            why=long,
            set_name=f"{number}{long}",
            checks=(CheckTally(f"to{number}", "soft", "pass", 1),),
            conduct=(CheckTally("conduct", "soft", "pass", 1, f"{number}{long}"),),
            visits=(TopicVisit(1, f"{number}{long}", 1, 1), TopicVisit(2, long, 2, 2, legal=False)),
            repeat=repeat,
        )
        for number in range(100)
        for repeat in (1, 2)
    ]
    assert len(run_markdown(results(*attempts, notes=(long,) * 20))) < 65_536


def test_text_of_agents_is_text() -> None:
    hostile = "<script>|`x` @alice\n# no\x1b[2J</details>"
    attempts = [
        one(
            hostile,
            Outcome.FAIL,
            why=hostile,
            set_name=hostile,
            checks=(CheckTally("toSatisfy", "soft", "error", 1, hostile),),
            claims={hostile: (0, 1)},
        ),
        one("b", set_name="other"),
    ]
    head = replace(HEAD, id=hostile, name=hostile, tags=(hostile,), git_branch=hostile, git_commit=hostile)
    found = ExperimentResults((head,), tuple(attempts), notes=(hostile,), unfinished=(hostile,))
    text = run_markdown(found, baseline=hostile, runs=Path(hostile))
    outside = re.sub(r"(`+)[^`].*?[^`]\1(?!`)", "", text)  # what stands as code is text anyway
    assert "<script>" not in outside
    assert "@alice" not in outside
    assert "\x1b" not in text
    assert outside.count("<details>") == outside.count("</details>")
    assert not re.search(r"^# no", text, re.MULTILINE)


def test_soft_checks_alone_never_have_the_tick() -> None:
    soft = (CheckTally("toContain", "soft", "fail", 1),)
    hard = (CheckTally("toContain", "hard", "pass", 1),)
    none = run_markdown(results(one("a", checks=soft), one("b", checks=soft)))
    assert "### \u25cb Grice: Completion was never checked: 2 conversations and no hard check\n" in none
    assert "**completion was never checked: no conversation has a hard check (expect)**" in none
    assert "- Completion Rate: -\n" in none
    some = run_markdown(results(one("a", checks=soft), one("b", checks=(*soft, *hard))))
    assert "### \u25cb Grice: All 2 conversations passed, 1 without a hard check\n" in some
    assert "**1 of 2 conversations without a hard check: nothing there can fail**" in some
    assert "- Completion Rate: 100% (2/2)\n" in some


def test_the_circle_is_for_a_whole_run_only() -> None:
    soft = one("a", checks=(CheckTally("toContain", "soft", "pass", 1),))
    unfinished = ExperimentResults((replace(HEAD, planned=None),), (soft,))
    assert "### \u2717 Grice: Completion was never checked: 1 conv" in run_markdown(unfinished)
    assert "### \u2717 Grice: Completion was never checked: 1 conv" in run_markdown(
        results(soft, one("b", counts=False, why="it broke"))
    )


def test_what_is_not_counted_is_in_the_answer() -> None:
    broken = one("b", Outcome.ERROR, counts=False, why="HTTP 503")
    text = run_markdown(results(one("a"), replace(broken, failure="error")))
    assert "### \u2717 Grice: The conversation passed, 1 not counted\n" in text
    assert "- 1 conversation: HTTP 503\n  - b\n" in text


def test_a_criterion_that_was_never_judged_has_no_tick() -> None:
    checks = (
        CheckTally("toContain", "hard", "pass", 1),
        CheckTally("toSatisfy", "soft", "error", 1, "polite"),
    )
    text = run_markdown(results(one("a", checks=checks)))
    assert (
        "### \u25cb Grice: The conversation passed; every check of the criterion 'polite' ended in an error:"
        in text
    )


def test_conduct_of_simulated_users_and_what_they_spoiled_is_told() -> None:
    kept = CheckTally("conduct", "soft", "pass", 3, "terse")
    broke = CheckTally("conduct", "soft", "fail", 1, "terse")
    text = run_markdown(
        results(one("a", conduct=(kept, broke)), one("b", counts=False, spoiled="helped", why="it broke"))
    )
    folded = text[text.index("<summary>Conduct of the simulated users (no part of completion)</summary>") :]
    assert (
        "| Rule | Evaluated | Passed | Rate |\n| --- | ---: | ---: | ---: |\n| terse | 4 | 3 | 75.0% |\n"
        in folded
    )
    assert "- 1 conversation: the user helped the agent\n" in folded
    assert "Conduct" not in run_markdown(results(one("a")))


def test_topics_are_those_that_conversations_followed() -> None:
    graph = FollowedGraph("sha256:0", ("greeting", "search", "booking"), (("greeting", "search"),))
    visits = (TopicVisit(1, "greeting", 1, 1), TopicVisit(2, "booking", 2, 2, legal=False))
    text = run_markdown(results(one("a", visits=visits, followed=graph)))
    folded = text[text.index("<summary>Topics</summary>") :]
    assert "| greeting | 1 visit |\n| search | never visited |\n| booking | 1 visit |\n" in folded
    assert (
        "- never taken: greeting &gt; search\n- not in the graph: greeting &gt; booking, 1 time\n" in folded
    )
    assert "Topics</summary>" not in run_markdown(results(one("a")))


def test_a_reason_of_several_lines_is_one_in_its_cell() -> None:
    text = run_markdown(results(one("a", Outcome.FAIL, why="found:\n  | 1 |\r\nnot 2")))
    assert "| fail (assertion) | found: \\| 1 \\| not 2 |" in text


def test_each_table_says_whether_it_counts_what_passed_or_failed() -> None:
    given = [one("red", repeat=1), one("red", repeat=2), one("red", Outcome.FAIL, repeat=3)]
    text = run_markdown(results(*given))
    assert "| Scenario | Failed | How | Why |\n| --- | ---: | --- | --- |\n| red | 1 of 3 | fail" in text
    assert "- Pass now and then: 1 of 1 scenario\n  - red 2/3\n" in text


def test_half_a_character_is_an_escape() -> None:
    text = run_markdown(results(one("odd \ud800", Outcome.FAIL, why="it says \udc00")))
    assert r"odd \\ud800" in text
    assert r"it says \\udc00" in text
    text.encode()
