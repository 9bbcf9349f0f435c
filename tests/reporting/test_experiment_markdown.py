"""One experiment as Markdown: the answer first, and nothing in it that is read as more than text."""

import re
from pathlib import Path

from msgspec.structs import replace
from run_results import HEAD
from seed_experiment import seed_attempts

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.results import ExperimentResults
from grice.records import FollowedGraph, Outcome, TopicVisit
from grice.reporting.experiment.as_markdown import EXPERIMENT_MARK, experiment_markdown


def results(*attempts: Attempt, **fields: object) -> ExperimentResults:
    head = replace(HEAD, topic_graph={}, planned=len(attempts))
    return ExperimentResults((head,), attempts, **fields)  # type: ignore[arg-type]


def one(key: str, outcome: Outcome = Outcome.PASS, **fields: object) -> Attempt:
    failure = "none" if outcome is Outcome.PASS else "assertion"
    return Attempt(f"example:{key}", key, outcome, failure=failure, turns=1, **fields)  # type: ignore[arg-type]


def test_the_answer_and_the_rates_stand_first() -> None:
    text = experiment_markdown(results(*seed_attempts()), baseline="exp_abc123")
    assert text.startswith(
        f"""{EXPERIMENT_MARK}

### \u2717 Grice: 37 of 47 conversations passed (78.7%)

`exp_def456` "Prompt v2.3", 2025-01-16 14:30:00 UTC, abc123def (feature/grounding)

|  | Rate | 95 % interval |
| --- | ---: | ---: |
| Completion (hard) | 78.7% (37/47) | 65.1% to 88.0% |
| Evaluations (soft) | 86.2% (1,847/2,143) |"""
    )
    assert "| grounded\\_pricing | 76.3% (87/114) |" in text
    assert "<summary>Did not pass (10)</summary>" in text
    assert "| urgent\\_booking | 71.7% (33/46) |" in text
    assert text.endswith("\n\nTo compare with a baseline: `grice compare exp_def456 --baseline exp_abc123`\n")


def test_what_turns_took_is_told() -> None:
    timed = experiment_markdown(results(one("a", latencies=(0.5,), tokens=(12,)), one("b", latencies=(2.0,))))
    assert "<summary>Efficiency (n=2 scenarios)</summary>" in timed
    assert (
        "\n\nSeconds a turn: p50 0.50, p95 2.00 (2 turns)\n\nTokens a turn: p50 12, p95 12 (1 of 2 turns)\n"
        in timed
    )
    assert "Efficiency" not in experiment_markdown(results(one("a"), one("b")))
    visited = (TopicVisit(1, "start", 1, 1),)
    both = experiment_markdown(results(one("a", visits=visited, latencies=(0.5,))))
    assert "Backtracking rate: 0% (0/1)\n\nSeconds a turn: p50 0.50, p95 0.50 (1 turn)\n" in both


def test_only_a_whole_run_of_which_everything_passed_has_the_tick() -> None:
    def sign(found: ExperimentResults) -> str:
        return experiment_markdown(found).split("### ")[1][0]

    head = replace(HEAD, planned=2)
    assert sign(results(one("a"), one("b"))) == "\u2713"
    assert sign(results(one("a"), one("b", Outcome.SKIPPED, counts=False))) == "\u2713"
    assert sign(results(one("a"), one("b", Outcome.INCONCLUSIVE))) == "\u2717"
    assert sign(results(one("a"), one("b", counts=False))) == "\u2717"
    assert sign(results(one("a"), damaged=1)) == "\u2717"
    assert sign(ExperimentResults((head,), (one("a"),), unfinished=("b",))) == "\u2717"
    assert sign(results()) == "\u2717"
    assert "nothing was found out about the agent" in experiment_markdown(results())


def test_what_is_missing_is_said_before_the_figures() -> None:
    head = replace(HEAD, planned=4)
    down = one("down", Outcome.ERROR, counts=False, why="a check broke: HTTP 503")
    text = experiment_markdown(ExperimentResults((head,), (one("a"), down), unfinished=("torn",), damaged=2))
    before = text[: text.index("| Completion")]
    assert "**2 of 4 conversations were not finished: give the same command and --resume" in before
    assert "**2 lines of the journal cannot be read**" in before
    assert "**begun and not finished: torn**" in before
    assert "**1 conversation not counted: nothing about the agent**" in before
    assert "| down | 1 of 1 | error (assertion) | a check broke: HTTP 503 |" in text


def test_repeats_of_a_scenario_are_one_row() -> None:
    attempts = [one("red", Outcome.FAIL, repeat=number, why="it lied") for number in (1, 2)]
    text = experiment_markdown(results(*attempts, one("red", repeat=3), one("blue")))
    assert "| red | 2 of 3 | fail (assertion) | it lied |" in text
    assert "Completion by run: 50.0%, 0%, 100%; mean 50.0%, standard deviation 50.0pp" in text
    assert "| red | 33.3% (1/3) |" in text


def test_long_lists_are_cut_unless_everything_is_asked_for() -> None:
    attempts = [one(f"s{number}", Outcome.FAIL) for number in range(40)]
    assert "\n\nand 10 more\n" in experiment_markdown(results(*attempts))
    assert "| s39 |" in experiment_markdown(results(*attempts), verbose=True)


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
    assert len(experiment_markdown(results(*attempts, notes=(long,) * 20))) < 65_536


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
    text = experiment_markdown(found, baseline=hostile, runs=Path(hostile))
    outside = re.sub(r"(`+)[^`].*?[^`]\1(?!`)", "", text)  # what stands as code is text anyway
    assert "<script>" not in outside
    assert "@alice" not in outside
    assert "\x1b" not in text
    assert outside.count("<details>") == outside.count("</details>")
    assert not re.search(r"^# no", text, re.MULTILINE)


def test_soft_checks_alone_never_have_the_tick() -> None:
    soft = (CheckTally("toContain", "soft", "fail", 1),)
    hard = (CheckTally("toContain", "hard", "pass", 1),)
    none = experiment_markdown(results(one("a", checks=soft), one("b", checks=soft)))
    assert "### \u25cb Grice: completion was never checked: 2 conversations and no hard check" in none
    assert "**completion was never checked: no conversation has a hard check (expect)**" in none
    assert "Completion (hard)" not in none
    some = experiment_markdown(results(one("a", checks=soft), one("b", checks=(*soft, *hard))))
    assert "### \u25cb Grice: 2 of 2 conversations passed (100%)" in some
    assert "**1 of 2 conversations without a hard check: nothing there can fail**" in some
    assert "| Completion (hard) | 100% (2/2) |" in some


def test_the_circle_is_for_a_whole_run_only() -> None:
    soft = one("a", checks=(CheckTally("toContain", "soft", "pass", 1),))
    unfinished = ExperimentResults((replace(HEAD, planned=None),), (soft,))
    assert "### \u2717 Grice: completion was never checked: 1 conv" in experiment_markdown(unfinished)
    assert "### \u2717 Grice: completion was never checked: 1 conv" in experiment_markdown(
        results(soft, one("b", counts=False, why="it broke"))
    )


def test_what_is_not_counted_is_in_the_answer() -> None:
    broken = one("b", Outcome.ERROR, counts=False, why="HTTP 503")
    text = experiment_markdown(results(one("a"), replace(broken, failure="error")))
    assert "### \u2717 Grice: 1 of 1 conversation passed (100%), 1 not counted\n" in text
    assert "| b | 1 of 1 | error | HTTP 503 |" in text


def test_a_criterion_that_was_never_judged_has_no_tick() -> None:
    checks = (
        CheckTally("toContain", "hard", "pass", 1),
        CheckTally("toSatisfy", "soft", "error", 1, "polite"),
    )
    text = experiment_markdown(results(one("a", checks=checks)))
    assert "### \u25cb Grice: 1 of 1 conversation passed (100%)\n" in text
    assert "**every check of the criterion 'polite' ended in an error: nothing was judged by it**" in text


def test_conduct_of_simulated_users_and_what_they_spoiled_is_told() -> None:
    kept = CheckTally("conduct", "soft", "pass", 3, "terse")
    broke = CheckTally("conduct", "soft", "fail", 1, "terse")
    text = experiment_markdown(
        results(one("a", conduct=(kept, broke)), one("b", counts=False, spoiled="helped", why="it broke"))
    )
    folded = text[text.index("<summary>Conduct of the simulated users (no part of completion)</summary>") :]
    assert "| Rule | Kept | No answer |\n| --- | ---: | ---: |\n| terse | 75.0% (3/4) | - |\n" in folded
    assert "- 1 conversation: the user helped the agent\n" in folded
    assert "Conduct" not in experiment_markdown(results(one("a")))


def test_topics_are_those_that_conversations_followed() -> None:
    graph = FollowedGraph("sha256:0", ("greeting", "search", "booking"), (("greeting", "search"),))
    visits = (TopicVisit(1, "greeting", 1, 1), TopicVisit(2, "booking", 2, 2, legal=False))
    text = experiment_markdown(results(one("a", visits=visits, followed=graph)))
    folded = text[text.index("<summary>Topics</summary>") :]
    assert "| greeting | 1 visit |\n| search | never visited |\n| booking | 1 visit |\n" in folded
    assert (
        "- not in the graph: greeting &gt; booking, 1 time\n- never taken: greeting &gt; search\n" in folded
    )
    assert "Topics</summary>" not in experiment_markdown(results(one("a")))


def test_a_reason_of_several_lines_is_one_in_its_cell() -> None:
    text = experiment_markdown(results(one("a", Outcome.FAIL, why="found:\n  | 1 |\r\nnot 2")))
    assert "| fail (assertion) | found: \\| 1 \\| not 2 |" in text


def test_each_table_says_whether_it_counts_what_passed_or_failed() -> None:
    given = [one("red", repeat=1), one("red", repeat=2), one("red", Outcome.FAIL, repeat=3)]
    text = experiment_markdown(results(*given))
    assert "| Scenario | Failed | How | Why |\n| --- | ---: | --- | --- |\n| red | 1 of 3 | fail" in text
    assert "| Passes now and then | Passed |\n| --- | ---: |\n| red | 66.7% (2/3) |" in text


def test_half_a_character_is_an_escape() -> None:
    text = experiment_markdown(results(one("odd \ud800", Outcome.FAIL, why="it says \udc00")))
    assert r"odd \\ud800" in text
    assert r"it says \\udc00" in text
    text.encode()
