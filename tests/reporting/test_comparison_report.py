"""A comparison on a terminal."""

import io

import pytest
from comparisons import INVALID, REPEATED_RUNS, SEED, rate, unchanged
from msgspec.structs import replace

from grice.experiments.comparison.records import (
    Aspect,
    Comparability,
    Comparison,
    Conclusion,
    Grade,
    RunSpread,
    ScenarioChange,
)
from grice.reporting.console import screen_for
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.layout import cells
from grice.reporting.renderers.terminal import print_document

HOSTILE = "[red]a|b`<script>\x1b[31m\nsecond line"
WIDE = "予約の変更と返金についての長い名前のシナリオ" * 3


def shown(comparison: Comparison, *, verbose: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    print_document(screen_for(stream), comparison_document(comparison), verbose=verbose)
    stream.flush()
    return raw.getvalue().decode(encoding)


def arrows(body: str) -> list[str]:
    """The arrows in it; its tables have rules of the sign for no change."""
    rows = [row for row in body.replace("(▲ means less)", "").splitlines() if row.strip(" ─")]
    return [sign for sign in "\n".join(rows) if sign in "▲▼△▽─"]


def test_a_whole_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interval stands beside every difference; 76.5 % of 45 is no whole number."""
    monkeypatch.setenv("COLUMNS", "110")
    assert shown(SEED).split("\nStatistics\n")[0] == (
        """1 scenario newly fails: budget_conscious; 2 newly pass: corporate_munich, urgent_booking.
Completion improved: 75.6% to 82.2%, +6.7 points (95 % interval +1.2 to +11.6). Quality improved: all soft
evaluations (+5.6 points), grounded_pricing (+17.0 points).

Experiment Comparison
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

Baseline: exp_abc123 "Prompt v2.2", 2025-01-15 09:12:00 UTC, 1a2b3c4d5 (main)
  46 scenarios, 46 attempts that count
Current:  exp_def456 "Prompt v2.3", 2025-01-16 14:30:00 UTC, abc123def (feature/grounding), with changes
  47 scenarios, 47 attempts that count

──────────────────────────────────────────────────────────────────

Comparison validity: HIGH
  ✓ Topic graph: identical
  ✓ Criteria: identical
  ○ Scenarios: 45 shared, 2 added, 1 removed
  ✓ Judge LLM: identical

Completion (hard expectations), 45 shared scenarios
                   Baseline  Current  Evaluated   Delta  95 % interval
  ────────────────────────────────────────────────────────────────────────────────
  Completion rate     75.6%    82.2%     45, 45  +6.7pp  +1.2 to +11.6  ▲ improved

Quality (soft evaluations)
                   Baseline  Current  Evaluated   Delta  95 % interval
  ────────────────────────────────────────────────────────────────────────────────
  Evaluation rate     81.2%    86.8%   314, 288  +5.6pp  +1.1 to +10.1  ▲ improved
  By criterion (hard and soft):
    Criterion         Baseline  Current  Evaluated    Delta  95 % interval
    ───────────────────────────────────────────────────────────────────────────────────
    grounded_pricing     72.0%    89.0%   100, 100  +17.0pp  +9.0 to +25.0  ▲▲ improved
    helpful              88.0%    91.0%   100, 100   +3.0pp  -3.0 to +9.0   △
    friendly             95.0%    94.0%   100, 100   -1.0pp  -5.0 to +3.0   ─
    concise              81.0%    83.0%   100, 100   +2.0pp  -6.0 to +10.0  △

Efficiency (▲ means less)
              Baseline  Current  Delta  95 % interval
  ──────────────────────────────────────────────────────
  Avg turns        6.2      5.4   -0.8  -1.3 to -0.3   ▲
  Avg topics       3.8      3.2   -0.6  -0.9 to -0.3   ▲
  described only: whether less is better is a matter of taste

Scenario changes (what happened; a single scenario may change by chance)
  Newly failing (1):
    - budget_conscious: was completing in 7 turns, now max_turns
  Newly passing (2):
    - corporate_munich: failed with assertion: no venue, now completes in 5 turns
    - urgent_booking: now completes in 1 turn
  Quality regressed (1):
    - budget_conscious: 85.0% of 20 soft checks → 71.0% of 21
  Quality improved (1):
    - complex_requirements: 68.0% → 91.0% of 22 soft checks

Added, removed, edited
  Scenarios added (2): hotel_berlin, hotel_wien
  Scenarios removed (1): old_flow
  Scenarios edited, compared all the same (1): large_conference
"""
    )


def test_a_change_between_runs_never_looks_like_none() -> None:
    before = RunSpread("completion rate", (1.0, 1.0), 1.0, 0.0)
    after = RunSpread("completion rate", (1.0, 0.9996), 0.9998, 0.000283)
    page = shown(replace(SEED, baseline_runs=(before,), current_runs=(after,)))
    assert "100% ± 0.00pp (2 runs)  99.98% ± 0.03pp (2 runs)  -0.02pp" in page


def test_of_many_runs_only_the_range_is_shown() -> None:
    values = tuple(0.5 + number / 1000 for number in range(100))
    runs = (RunSpread("completion rate", values, 0.5495, 0.029), REPEATED_RUNS.baseline_runs[1])
    said = shown(replace(REPEATED_RUNS, baseline_runs=runs))
    assert "Completion rate, runs of the baseline: 100, from 50.0% to 59.9%" in said
    assert "50.1%" not in said


def test_the_tests_are_named_with_their_reasons_and_what_would_settle_it() -> None:
    said = " ".join(shown(SEED).split())
    assert "- Completion rate: exact McNemar (each scenario was run once by both)" in said
    assert "- Evaluation rate, avg turns, avg topics, 4 criteria: exact sign-flip permutation" in said
    assert "6 measures of completion and quality are asked at once" in said
    assert "What would settle it - To settle helpful: 4 repeats" in said
    assert "Notes - the baseline has 1 line that cannot be read" in said
    assert "doubled from 10pp or 25 % on" in said
    assert "p < 0.001" not in said
    assert "Scenarios that differ" not in said
    tests = shown(SEED, verbose=True).partition("  Tests\n")[2].splitlines()
    assert tests[0].split() == ["Evaluated", "p", "p,", "corrected", "Scenarios", "that", "differ"]
    assert tests[4].split() == [
        "grounded_pricing",
        "100,",
        "100",
        "<",
        "0.001",
        "<",
        "0.001",
        "12",
        "of",
        "45",
    ]


def test_of_arrows_that_are_not_there_nothing_is_said() -> None:
    said = " ".join(shown(unchanged()).split())
    assert " ─ under 2pp or 5 %, or too little of a mean to matter. pp: percentage points." in said
    assert "chance is not ruled out" not in said
    assert "doubled from" not in said


def test_an_identical_pair_is_all_neutral() -> None:
    body = shown(unchanged()).split("Statistics")[0]
    assert arrows(body) == ["─"] * len(SEED.measures)
    assert "Scenario changes\n  none\n" in body
    assert "improved" not in body
    assert "regressed" not in body


def test_two_that_cannot_be_compared_have_figures_and_no_differences() -> None:
    body = shown(INVALID)
    assert "  ✗ Topic graph: another one: 2 topics were added [INVALID]\n" in body
    assert "Comparison validity: INVALID\n" in body
    assert body.startswith("These two experiments cannot be compared.\n")
    assert "75.6%    82.2%" in body
    assert "Statistics" not in body
    assert not arrows(body)
    assert "Delta" not in body


def test_repeats_are_shown_as_runs() -> None:
    body = shown(REPEATED_RUNS)
    assert (
        """
  Completion rate  78.5% ± 1.9pp (3 runs)  82.9% (1 run)           +4.4pp
  Evaluation rate  86.0% ± 1.2pp (3 runs)  87.0% ± 0.1pp (2 runs)  +1.0pp
  Completion rate, runs of the baseline: 78.7%, 76.5%, 80.2%
"""
        in body
    )
    assert "Evaluation rate ranges overlap: that describes the runs, and is no test" in body
    assert "Completion rate ranges" not in body  # one run has no range
    apart = replace(REPEATED_RUNS, current_runs=REPEATED_RUNS.baseline_runs)
    lower = replace(REPEATED_RUNS.baseline_runs[0], mean=0.5)
    assert "Completion rate ranges do not overlap" in shown(replace(apart, baseline_runs=(lower,)))


def test_aspects_that_are_in_order_share_a_line() -> None:
    aspects = (
        *SEED.comparability.aspects,
        Aspect("Seed", "same", "7"),
        Aspect("Grice version", "same", "1.0"),
        Aspect("Repeats", "flagged", "3 and 1"),
    )
    many = replace(SEED, comparability=Comparability("MEDIUM", aspects))
    body = shown(many)
    assert "Comparison validity: MEDIUM\n  ⚠ Repeats: 3 and 1 [MEDIUM]\n  ✓ Topic graph: identical\n" in body
    assert "  ✓ Judge LLM: identical\n  ✓ also fine: Seed, Grice version\n" in body
    each = "  ✓ also fine:\n    ✓ Seed: 7\n    ✓ Grice version: 1.0\n"
    assert each in shown(many, verbose=True)


@pytest.mark.parametrize(("grade", "cost"), [("flagged", "MEDIUM"), ("weakens", "LOW"), ("expected", "")])
def test_an_aspect_says_what_it_costs(grade: Grade, cost: str) -> None:
    aspects = (Aspect("Judge LLM", grade, "another model"),)
    body = shown(replace(SEED, comparability=Comparability("LOW", aspects)))
    assert f" Judge LLM: another model{f' [{cost}]' if cost else ''}\n" in body


def test_where_nothing_differs_a_line_says_so() -> None:
    aspects = tuple(replace(one, grade="same") for one in SEED.comparability.aspects)
    same = replace(SEED, comparability=Comparability("HIGH", aspects))
    assert "\n\nComparison validity: HIGH, nothing differs\n\nCompletion" in shown(same)
    each = (
        "Comparison validity: HIGH, nothing differs\n    ✓ Topic graph: identical\n    ✓ Criteria: identical"
    )
    assert each in shown(same, verbose=True)


def test_what_newly_fails_for_certain_comes_before_everything() -> None:
    body = shown(replace(many_changes(1), scripted=True))
    places = [
        body.index(one) for one in ("\nScenario changes", "\nComparison validity", "\nCompletion (hard")
    ]
    assert places == sorted(places)
    assert "\n\nScenario changes\n  Newly failing (1):\n    - s0: was completing, now timeout 0\n" in body


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    exact = rate("completion rate", (2, 2, 1, 2), 0, 0, "▼", "regressed")
    assert exact.difference is not None
    found = replace(exact, difference=replace(exact.difference, low=None, high=None))
    body = shown(replace(SEED, measures=(found, replace(found, name="polite", family="quality"))))
    assert "Baseline  Current  Evaluated    Delta\n" in body
    assert "95 % interval" not in body.partition("Completion (hard")[2].partition("Statistics")[0]


def many_changes(count: int) -> Comparison:
    changes = tuple(
        ScenarioChange(
            f"example:{number}", f"s{number}", "newly failing", 1, 0, 1, 1, "", f"timeout {number}"
        )
        for number in range(count)
    )
    return replace(SEED, changes=changes, added=tuple(f"new{number}" for number in range(count)))


def test_long_lists_are_cut_with_their_counts() -> None:
    body = shown(many_changes(25))
    assert "Newly failing (25):" in body
    assert "- s9: " in body
    assert "- s10: " not in body
    assert "    and 15 more lines; --verbose shows all" in body
    assert "Scenarios added (25): new0, " in body
    assert "new9 and 15 more\n" in body
    whole = shown(many_changes(25), verbose=True)
    assert "- s24: " in whole
    assert "new24" in whole
    assert "15 more" not in whole


def test_scenarios_with_the_same_words_share_a_line() -> None:
    many = many_changes(12).changes
    same = tuple(replace(one, after="timeout") for one in many)
    found = replace(SEED, changes=(*same, *many[:1]))
    body = " ".join(shown(found).split())
    assert "Newly failing (13): - s0, s1, s2, " in body
    assert "s9 and 2 more: was completing, now timeout - s0: was completing, now timeout 0" in body
    assert "s9, s10, s11: was completing, now timeout" in " ".join(shown(found, verbose=True).split())


def test_a_long_reason_is_cut_unless_all_is_wanted() -> None:
    change = ScenarioChange("example:1", "key", "newly failing", 1, 0, 1, 1, "", "x" * 900)
    found = replace(SEED, changes=(change,))
    assert "... (900 characters)" in shown(found)
    assert "x" * 240 not in shown(found).replace("\n      ", "")
    assert "x" * 900 in shown(found, verbose=True).replace("\n      ", "")


def changed(kind: str, old: float, new: float, n: int = 1, **more: object) -> ScenarioChange:
    return ScenarioChange("example:1", "key", kind, old, new, n, n, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (
            changed("newly failing", 1, 0, after="max_turns: no end", before_turns=7.0, after_turns=15.0),
            "was completing in 7 turns, now max_turns: no end",
        ),
        (
            changed("newly failing", 1, 0, 3, after="max_turns", before_turns=6.6667),
            "3/3 → 0/3, was completing in 6.7 turns, now max_turns",
        ),
        (
            changed("newly passing", 0, 1, before="timeout", after_turns=1.0),
            "failed with timeout, now completes in 1 turn",
        ),
        (changed("newly passing", 0, 1), "now completes"),
        (changed("passes more often", 1 / 3, 1, 3, before="error: down"), "1/3 → 3/3"),
        (changed("passes less often", 1, 2 / 3, 3, after="error: down"), "3/3 → 2/3, fails with error: down"),
        (changed("quality improved", 0.68, 0.91, 22), "68.0% → 91.0% of 22 soft checks"),
        (changed("quality improved", 0, 1, 1), "0% → 100% of 1 soft check"),
    ],
)
def test_a_change_says_how(one: ScenarioChange, said: str) -> None:
    assert f"    - key: {said}\n" in shown(replace(SEED, changes=(one,)))


@pytest.mark.parametrize(
    ("conclusion", "changes", "scripted", "tone"),
    [
        ("improved", "newly passing", False, "good"),
        ("improved", "newly failing", False, ""),
        ("regressed", "newly failing", False, "bad"),
        ("mixed", "newly failing", True, "bad"),
        ("no difference shown", "newly failing", False, ""),
        ("no difference shown", "newly passing", True, ""),
        ("not comparable", "newly failing", True, "bad"),
    ],
)
def test_what_newly_fails_is_never_good(
    conclusion: Conclusion, changes: str, scripted: bool, tone: str
) -> None:
    found = replace(SEED, conclusion=conclusion, scripted=scripted, changes=(changed(changes, 0, 1),))
    assert comparison_document(found).answer.tone == tone


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_nothing_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    criteria = [
        rate(name, (10_000, 20_000, 11_000, 20_000), 0.01, 0.1, "▲", "improved") for name in (WIDE, "x")
    ]
    long = replace(
        SEED,
        measures=(*SEED.measures, *criteria),
        changes=(ScenarioChange("example:1", WIDE, "newly failing", 1, 0, 1, 1, "", WIDE),),
        added=(WIDE, WIDE),
    )
    rows = shown(long, verbose=True).splitlines()
    assert max(map(cells, rows)) <= width


def test_text_of_data_is_shown_as_text() -> None:
    hostile = replace(
        SEED,
        comparability=Comparability("LOW", (Aspect("Criteria", "weakens", HOSTILE),)),
        measures=(rate(HOSTILE, (1, 2, 2, 2), 0.1, 0.9, "▲▲", "improved"),),
        changes=(ScenarioChange("example:1", HOSTILE, "newly failing", 1, 0, 1, 1, "", HOSTILE),),
        added=(HOSTILE,),
        criteria_changed=(HOSTILE,),
        advice=(HOSTILE,),
        notes=(HOSTILE,),
        baseline=replace(SEED.baseline, experiment=replace(SEED.baseline.experiment, name=HOSTILE)),
    )
    body = shown(hostile, verbose=True)
    assert "\x1b" not in body
    assert "\nsecond line" not in body
    assert "[red]a|b`<script>\\x1b[31m\\nsecond" in body


def test_a_terminal_without_arrows_gets_ascii() -> None:
    body = shown(replace(REPEATED_RUNS, notes=("näme → x",)), encoding="ascii")
    assert "======" in body
    assert "  ok Topic graph: identical" in body
    assert "+17.0pp  +9.0 to +25.0  ^^ improved" in body
    assert "+3.0pp  -3.0 to +9.0   (^)" in body
    assert "68.0% -> 91.0% of 22 soft checks" in body
    assert "78.5% +- 1.9pp" in body
    assert "n\\xe4me -> x" in body
