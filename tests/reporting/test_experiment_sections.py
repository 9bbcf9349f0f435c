"""The sections of a report, in their layouts, with known figures."""

import re

import pytest
from msgspec.structs import replace
from run_reports import of_attempts, on_terminal, run_markdown
from run_results import HEAD
from seed_experiment import seed_attempts

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.reporting.documents.run import run_document

PLAIN = replace(HEAD, topic_graph={}, planned=47)


def shown(*attempts: Attempt, verbose: bool = False, width: int = 100, encoding: str = "utf-8") -> str:
    document = run_document((PLAIN,), of_attempts(attempts), verbose=verbose)
    return on_terminal(document, verbose=verbose, width=width, encoding=encoding)


def section(text: str, title: str) -> str:
    """The section that begins with the title, up to the next empty line."""
    return text[text.index(f"\n{title}") + 1 :].split("\n\n")[0].rstrip()


@pytest.fixture(scope="module")
def seed() -> str:
    return shown(*seed_attempts())


def test_the_head_is_that_of_the_seed(seed: str) -> None:
    assert seed.startswith(
        f"""10 of 47 conversations failed (78.7% passed)
Failed: scenario_38, scenario_39, scenario_40, scenario_41, scenario_42 and 5 more.

Grice: Experiment Summary
{"━" * 66}

Experiment: exp_def456 "Prompt v2.3"
Timestamp:  2025-01-16 14:30:00 UTC
Git:        abc123def (feature/grounding)
"""
    )


def test_completion_has_its_interval_and_the_failure_types(seed: str) -> None:
    assert (
        section(seed, "Completion (hard")
        == """Completion (hard expectations)
  Scenario Set: venue_search (n=47)
  Completion Rate: 78.7% (37/47), 95 % interval 65.1% to 88.0%
  By failure type:
    - passed: 37 (78.7%)
    - assertion: 5 (10.6%)
    - max_turns: 3 (6.4%)
    - error: 2 (4.3%)
  Avg turns: 5.4
  Avg topics: 3.2"""
    )


def test_quality_is_of_all_soft_evaluations(seed: str) -> None:
    found = section(seed, "Quality (soft")
    assert "  Total Evaluations: 2,143\n  Evaluation Rate: 86.2% (1,847/2,143), 95 % interval" in found


def test_criteria_have_denominators_and_the_note(seed: str) -> None:
    assert (
        section(seed, "Criteria Performance")
        == f"""Criteria Performance (n=47 scenarios, 918 evaluations)
  Criterion            Evaluated  Passed   Rate  95 % interval
  {"─" * 61}
  acknowledges_change         47      41  87.2%  76.0% to 93.6%
  concise                    189     156  82.5%  79.2% to 85.4%
  friendly                   284     268  94.4%  91.1% to 96.5%
  grounded_pricing           114      87  76.3%  71.3% to 80.7%
  helpful                    284     253  89.1%  86.4% to 91.3%
  Note: Criteria evaluated varies by scenario structure; hard expectations count too"""
    )


def test_claims_are_counted_by_type_with_the_worst_scenarios(seed: str) -> None:
    assert (
        section(seed, "Grounding Analysis")
        == f"""Grounding Analysis (n=37 scenarios with claims)
  Claim Type    Evaluated  Grounded   Rate
  {"─" * 40}
  availability         62        44  71.0%
  pricing              89        70  78.7%
  venues              156       147  94.2%
  Scenarios with highest ungrounded claim rates:
    - urgent_booking: 28.3% ungrounded (13/46)
    - complex_requirements: 19.1% ungrounded (9/47)
    - scenario_3: 15.0% ungrounded (3/20)
    - scenario_4: 15.0% ungrounded (3/20)
    - scenario_5: 15.0% ungrounded (3/20)"""
    )


def test_efficiency_has_mean_median_range_and_backtracking(seed: str) -> None:
    assert (
        section(seed, "Efficiency Metrics")
        == """Efficiency Metrics (n=47 scenarios)
  Turns to Completion:
    Mean: 5.4
    Median: 5
    Range: 3-12
  Topics Visited:
    Mean: 3.2
    Median: 3
    Range: 2-6
  Backtracking Rate: 12.8% (6/47)"""
    )


def test_what_turns_took_stands_also_where_all_are_as_long() -> None:
    rows = [
        Attempt("example:1", "a", Outcome.PASS, turns=4, latencies=(0.5, 12.34, 1.25), tokens=(900, 1200)),
        Attempt("example:2", "b", Outcome.PASS, turns=4, latencies=(0.001,), tokens=(1, 2, 3, 4, 5, 6)),
        Attempt("example:3", "c", Outcome.ERROR, turns=4, latencies=(99.0,), counts=False),
    ]
    text = shown(*rows)
    assert (
        section(text, "Efficiency Metrics")
        == """Efficiency Metrics (n=2 scenarios)
  Seconds a turn: p50 0.50, p95 12.3 (4 of 8 turns)
  Tokens a turn: p50 4, p95 1,200 (8 turns)"""
    )
    fast = shown(*(replace(one, latencies=(0.001, 0.002), tokens=()) for one in rows))
    assert section(fast, "Efficiency").endswith(
        "Seconds a turn: p50 under 0.01, p95 under 0.01 (4 of 8 turns)"
    )
    assert "Tokens" not in fast


def test_each_of_several_sets_has_the_combined_view() -> None:
    others = [replace(one, id=f"{one.id}-b", set_name="rooms") for one in seed_attempts()[:2]]
    text = shown(*seed_attempts(), *others)
    assert "Scenarios: 49 total, 39 passed, 10 failed" in text
    found = text[text.index("Scenario Set Summary: venue_search") :].split("\n\n")[0]
    assert (
        found
        == """Scenario Set Summary: venue_search (n=47)
  COMPLETION (hard expectations)
    Rate: 78.7% (37/47 passed), 95 % interval 65.1% to 88.0%
  QUALITY (soft evaluations)
    Overall: 86.2% (1,847/2,143 evaluations passed)
    By criterion:
      acknowledges_change  87.2% (41/47)
      concise              82.5% (156/189)
      friendly             94.4% (268/284)
      grounded_pricing     76.3% (87/114)
      helpful              89.1% (253/284)
  EFFICIENCY
    Avg turns: 5.4
    Avg topics: 3.2"""
    )
    assert "Scenario Set Summary: rooms (n=2)" in text
    assert "Scenario Set Summary" not in shown(*seed_attempts())


def soft(passed: int, total: int) -> tuple[CheckTally, ...]:
    counts = {"pass": passed, "fail": total - passed}
    return tuple(CheckTally("toMatch", "soft", outcome, times) for outcome, times in counts.items())


def test_the_runs_of_an_experiment_have_a_rate_each_and_a_sample_deviation() -> None:
    """78.7, 76.5 and 80.2 % are 1.9 points apart, 86.2, 84.8 and 87.1 % 1.2."""
    completion = ((787, 862), (765, 848), (802, 871))
    attempts: list[Attempt] = []
    for repeat, (passed, quality) in enumerate(completion, 1):
        for number in range(1000):
            outcome = Outcome.PASS if number < passed else Outcome.FAIL
            checks = soft(quality, 1000) if number == 0 else ()
            attempts.append(Attempt(f"example:{number}", f"s{number}", outcome, repeat=repeat, checks=checks))
    text = shown(*attempts)
    assert (
        section(text, "Completion Rate (")
        == """Completion Rate (3 runs of exp_def456)
  Run 1: 78.7% (787/1,000)
  Run 2: 76.5% (765/1,000)
  Run 3: 80.2% (802/1,000)
  Mean: 78.5%
  StdDev: 1.9pp"""
    )
    assert (
        section(text, "Evaluation Rate (")
        == """Evaluation Rate (3 runs)
  Run 1: 86.2% (862/1,000)
  Run 2: 84.8% (848/1,000)
  Run 3: 87.1% (871/1,000)
  Mean: 86.0%
  StdDev: 1.2pp"""
    )
    assert "Conversations: 3,000 total (1,000 scenarios), 2,354 passed, 646 failed" in text


def attempt(key: str, *, passed: bool = True, **fields: object) -> Attempt:
    outcome = Outcome.PASS if passed else Outcome.FAIL
    return Attempt(f"example:{key}", key, outcome, turns=1, **fields)  # type: ignore[arg-type]


def test_what_is_scripted_and_run_once_has_no_interval() -> None:
    checks = (*soft(3, 4), CheckTally("toSatisfy", "soft", "pass", 1, "kind"))
    text = shown(attempt("a", checks=checks), attempt("b", passed=False), verbose=True)
    assert "Completion Rate: 50.0% (1/2)\n" in text
    assert "interval" not in text
    for other in (attempt("b", simulated=True), attempt("a", repeat=2)):
        assert "95 % interval" in shown(attempt("a"), other)


def test_what_is_empty_has_no_section() -> None:
    text = shown(attempt("a"), attempt("b", simulated=True))
    titles = ("Quality", "Criteria", "Grounding", "Efficiency", "Repeats", "Matchers", "Topics", "runs of")
    assert [title for title in titles if title in text] == []
    assert "Completion Rate: 100% (2/2), 95 % interval 34.2% to 100%" in text


def test_personas_have_a_rate_each_the_worst_first() -> None:
    played = [attempt(f"a{one}", persona="terse", simulated=True) for one in range(3)]
    played += [attempt(f"b{one}", passed=one == 0, persona="vague", simulated=True) for one in range(3)]
    text = shown(*played, attempt("c", passed=False, persona="vague", simulated=True), attempt("d"))
    assert section(text, "Personas") == (
        "Personas\n"
        "  Persona  Conversations  Passed   Rate  95 % interval\n"
        "  ────────────────────────────────────────────────────\n"
        "  vague                4       1  25.0%  4.6% to 69.9%\n"
        "  terse                3       3   100%  43.9% to 100%\n"
        "  Without a persona: 100% (1/1)"
    )
    assert "Personas" not in shown(attempt("d"))


def test_matchers_are_counted_by_mode_the_most_used_first() -> None:
    checks = (
        CheckTally("toCallTool", "hard", "pass", 3),
        CheckTally("toCallTool", "soft", "error", 1),
        CheckTally("toContain", "soft", "fail", 2),
        CheckTally("", "hard", "inconclusive", 1),
    )
    text = shown(attempt("a", checks=checks))
    assert (
        section(text, "Matchers")
        == f"""Matchers
  Matcher       Mode  Used  Passed  Failed  Inconclusive  Error
  {"─" * 61}
  call_tool     hard     3       3       0             0      0
  contain       soft     2       0       2             0      0
  (no matcher)  hard     1       0       0             1      0
  call_tool     soft     1       0       0             0      1"""
    )


def test_long_lists_are_cut_unless_everything_is_asked_for() -> None:
    checks = tuple(CheckTally(f"toDo{number}", "soft", "pass", 1) for number in range(12))
    sets = [attempt(f"k{number}", set_name=f"set-{number:02}") for number in range(22)]
    runs = [attempt("r", repeat=number, checks=checks) for number in range(1, 13)]
    short, whole = shown(*sets, *runs), shown(*sets, *runs, verbose=True)
    assert "and 2 more; --verbose shows all" in short
    assert "and 3 more sets; --verbose shows all" in short
    assert "and 2 more runs; --verbose shows all" in short
    assert "--verbose" not in whole
    assert whole.count("Scenario Set Summary") == 23
    assert "  Run 12: 100% (1/1)" in whole


def test_scenarios_that_pass_now_and_then_are_named_the_least_steady_first() -> None:
    attempts = [attempt("steady", repeat=number) for number in (1, 2, 3, 4)]
    attempts += [attempt("rare", repeat=number, passed=number == 1) for number in (1, 2, 3, 4)]
    attempts += [attempt("coin", repeat=number, passed=number < 3) for number in (1, 2, 3, 4)]
    text = shown(*attempts, attempt("once"))
    assert "  Pass now and then: 2 of 3 scenarios\n    coin 2/4, rare 1/4\n" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_keeps_within_the_console(width: int) -> None:
    checks = (CheckTally("toSatisfy", "soft", "pass", 1, "criterion " * 30),)
    rows = section(shown(attempt("a", checks=checks), width=width), "Criteria Performance").splitlines()
    assert max(map(len, rows)) <= width


def test_a_console_without_unicode_has_plain_lines() -> None:
    text = shown(*seed_attempts(), encoding="ascii")
    assert text.isascii()
    assert "=" * 66 in text
    assert "-" * 66 in text


def test_a_criterion_that_was_only_skipped_says_so() -> None:
    checks = (
        CheckTally("toMeet", "hard", "skipped", 3, "memory"),
        CheckTally("toMeet", "hard", "pass", 1, "openers"),
    )
    found = section(shown(attempt("a", checks=checks)), "Criteria Performance")
    assert (
        "  memory             0       0     -  3 skipped\n  openers            1       1  100%  -\n" in found
    )


def test_names_are_text_wherever_they_stand() -> None:
    hostile = "[red]x[/red]\x1b[2J\u202e\n"
    checks = (
        CheckTally(hostile, "soft", "fail", 1, hostile),
        CheckTally("toSatisfy", "soft", "error", 1, "other"),
    )
    attempts = [
        Attempt(
            hostile,
            hostile,
            Outcome.FAIL if repeat == 1 else Outcome.PASS,
            failure=hostile if repeat == 1 else "none",
            set_name=hostile,
            repeat=repeat,
            checks=checks,
            claims={hostile: (0, 1)},
        )
        for repeat in (1, 2)
    ]
    text = shown(*attempts, attempt("b", set_name="other"), width=200)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count(r"[red]x[/red]\x1b[2J\u202e\n") == 10
    assert r"[red]x[/red]\x1b[2_j\u202e\n" in text  # the matcher, by its name in Python


def test_runs_that_do_not_have_the_same_scenarios_say_so() -> None:
    note = "  Note: not every scenario counts in every run, which sets them apart too"
    whole = [attempt(key, repeat=repeat) for key in ("a", "b") for repeat in (1, 2)]
    assert note not in shown(*whole)
    assert f"StdDev: 0.0pp\n{note}\n" in shown(*whole[:3])


def soft_only(key: str, **fields: object) -> Attempt:
    checks = (CheckTally("toContain", "soft", "fail", 1),)
    return Attempt(f"example:{key}", key, Outcome.PASS, checks=checks, **fields)  # type: ignore[arg-type]


def test_completion_without_any_hard_check_was_never_checked() -> None:
    repeated = [soft_only(key, repeat=repeat) for key in "ab" for repeat in (1, 2)]
    text = shown(*repeated)
    assert (
        section(text, "Completion (hard")
        == """Completion (hard expectations)
  Conversations: 4 total (2 scenarios)
  Completion Rate: -
  completion was never checked: no conversation has a hard check (expect)
  Avg turns: 0.0"""
    )
    assert "pass@k" not in text
    assert "Completion Rate (2 runs" not in text
    assert "Evaluation Rate (2 runs of exp_def456)" in text


def test_what_has_no_hard_check_is_said_beside_the_rate() -> None:
    hard = Attempt(
        "example:c",
        "c",
        Outcome.FAIL,
        failure="assertion",
        checks=(CheckTally("toContain", "hard", "fail", 1),),
    )
    text = section(shown(soft_only("a"), soft_only("b"), hard), "Completion (hard")
    assert "Completion Rate: 66.7% (2/3)" in text
    assert "  2 of 3 conversations without a hard check: nothing there can fail\n" in text
    sets = shown(soft_only("a", set_name="one"), replace(hard, set_name="two"))
    assert "    Rate: -\n    completion was never checked" in sets


def test_hard_checks_that_could_not_tell_are_said_beside_the_rate() -> None:
    unclear = CheckTally("toCallTool", "hard", "inconclusive", 1)
    found = Attempt("example:u", "u", Outcome.INCONCLUSIVE, failure="assertion", checks=(unclear,))
    hard = Attempt("example:c", "c", Outcome.PASS, checks=(CheckTally("toCallTool", "hard", "pass", 1),))
    said = "in 1 of 2 conversations hard checks could not tell, which counts as not passed"
    assert f"  {said}\n" in section(shown(found, hard), "Completion (hard")
    assert "could not tell" not in shown(hard)
    markdown = run_markdown(ExperimentResults((PLAIN,), (found, hard)))
    assert f"**{said}**" in markdown


def test_what_passed_without_any_check_is_the_word_of_its_runner() -> None:
    told = Attempt("example:n", "n", Outcome.PASS)
    failed = Attempt("example:f", "f", Outcome.FAIL, failure="assertion")
    hard = Attempt("example:c", "c", Outcome.PASS, checks=(CheckTally("toContain", "hard", "pass", 1),))
    said = "1 of 3 conversations passed by the word of their runner: no check was recorded"
    assert f"  {said}\n" in section(shown(told, failed, hard), "Completion (hard")
    assert "word of their runner" not in shown(failed, hard)
    assert f"**{said}**" in run_markdown(ExperimentResults((PLAIN,), (told, failed, hard)))


def test_what_was_not_checked_at_all_is_no_failed_assertion() -> None:
    nothing = Attempt("example:n", "n", Outcome.INCONCLUSIVE, why="nothing was checked")
    hard = Attempt("example:c", "c", Outcome.PASS, checks=(CheckTally("toContain", "hard", "pass", 1),))
    text = section(shown(nothing, hard), "Completion (hard")
    assert "Scenarios: 2 total, 1 passed, 0 failed, 1 unchecked" in text
    assert "- unchecked: 1 (50.0%)" in text
    assert "could not tell" not in text
    assert "assertion" not in text


def test_one_number_has_one_interval() -> None:
    marks = {"a": (1, 1, 1), "b": (1, 0, 1), "c": (0, 0, 0), "d": (1, 1, 0)}
    given = [
        Attempt(f"example:{key}", key, Outcome.PASS if mark else Outcome.FAIL, repeat=number)
        for key, row in marks.items()
        for number, mark in enumerate(row, 1)
    ]
    text = shown(*given)
    found = re.search(r"Completion Rate: (\S+) \(7/12\), 95 % interval (.*)", text)
    assert found is not None
    assert re.search(rf"\n  1 +4 +{found[1]} +{found[2]} +{found[1]} +{found[2]}\n", text)
