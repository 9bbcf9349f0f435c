"""What the report of a run says first."""

from msgspec.structs import replace
from run_reports import run_report
from run_results import BOOKING, HEAD, JUDGE_DOWN, LOST

from grice.records import Outcome, Result
from grice.reporting.next_steps import NO_EARLIER, Earlier


def first(*results: Result, earlier: Earlier = NO_EARLIER, planned: int | None = None) -> str:
    """All that stands before the title."""
    heads = (replace(HEAD, planned=len(results) if planned is None else planned),)
    return run_report(heads, results, earlier=earlier).split("\n\nGrice: Experiment Summary")[0]


def passed(number: int) -> Result:
    return replace(BOOKING, id=f"example:{number}", key=f"test-{number}")


def failed(number: int) -> Result:
    return replace(LOST, id=f"example:{number}", key=f"test-{number}")


def before(passes: dict[int, list[bool]]) -> Earlier:
    return Earlier("exp_before", {f"example:{number}": one for number, one in passes.items()})


def test_without_a_run_before_it_is_how_many_passed() -> None:
    assert first(passed(1)) == "The conversation passed"
    assert first(*map(passed, range(16))) == "All 16 conversations passed"
    assert first(failed(1)) == "The conversation failed\nFailed: test-1."
    many = [*map(failed, range(26)), *map(passed, range(26, 120))]
    assert first(*many) == (
        "26 of 120 conversations failed (78.3% passed)\n"
        "Failed: test-0, test-1, test-2, test-3, test-4 and 21 more."
    )


def test_of_repeats_those_that_never_pass_are_told_from_those_that_do_now_and_then() -> None:
    repeats = [failed(1), replace(failed(1), repeat=2), failed(2), replace(passed(2), repeat=2), passed(3)]
    assert first(*repeats) == (
        "3 of 5 conversations failed (40.0% passed)\nFailed every time: test-1. Failed now and then: test-2."
    )


def test_with_a_run_before_it_is_what_newly_fails_and_passes() -> None:
    earlier = before({1: [True], 2: [True], 3: [False], 4: [False], 5: [True]})
    assert first(failed(1), failed(2), passed(3), failed(4), passed(5), failed(6), earlier=earlier) == (
        "2 tests newly fail: test-1, test-2; 1 newly passes: test-3; 1 added test fails: test-6\n"
        "4 of 6 conversations failed (33.3% passed), compared with exp_before."
    )
    assert first(passed(5), earlier=earlier) == (
        "The conversation passed\nNo test newly fails or newly passes, compared with exp_before."
    )


def test_an_added_test_that_fails_is_told_though_nothing_newly_does() -> None:
    earlier = before({1: [True]})
    shown = first(passed(1), failed(2), passed(3), earlier=earlier)
    assert shown.startswith("No test newly fails; 1 added test fails: test-2\n")
    only_uncounted = earlier._replace(uncounted={"example:2"})
    assert "added" not in first(passed(1), failed(2), earlier=only_uncounted)


def test_what_all_stands_below_is_not_in_a_table_as_well() -> None:
    few = run_report((HEAD,), [failed(1), failed(2), passed(3)])
    assert "Did not pass (2)\n\n  test-1\n" in few
    assert "Scenario  How" not in few
    assert "Scenario  How" in run_report((HEAD,), list(map(failed, range(6))))


def test_what_does_not_count_is_shown_after_what_does() -> None:
    shown = run_report((HEAD,), [JUDGE_DOWN, failed(1)])
    assert shown.index("\n  test-1\n") < shown.index(f"\n  {JUDGE_DOWN.key}\n")
    assert "@test-1\n" in shown


def test_of_many_the_first_five_are_named() -> None:
    earlier = before({number: [True] for number in range(8)})
    shown = first(*map(failed, range(8)), earlier=earlier)
    assert shown.startswith("8 tests newly fail: test-0, test-1, test-2, test-3, test-4 and 3 more\n")


def test_what_passes_now_and_then_does_not_newly_fail() -> None:
    earlier = before({1: [True, False], 2: [True, True], 3: [True]})
    now = [failed(1), failed(2), replace(passed(2), repeat=2), failed(3)]
    assert first(*now, earlier=earlier).startswith("1 test newly fails: test-3\n")


def test_what_newly_fails_is_shown_before_what_failed_already() -> None:
    results = [*map(failed, range(30)), passed(31)]
    shown = run_report((HEAD,), results, earlier=before({29: [True], **{n: [False] for n in range(29)}}))
    assert "\n\nDid not pass (30)\n" in shown
    rows = shown.split("Did not pass (30)\n")[1].splitlines()
    assert rows[2] == "  test-29   newly: fail (max_turns)  call search: it was never called"
    assert shown.count("  newly fails\n") == shown.count("\n\n  test-29  newly fails\n") == 1
    assert "and 29 more that did not pass; --verbose shows all" in shown


def test_what_cannot_be_trusted_is_part_of_the_answer() -> None:
    assert first(passed(1), JUDGE_DOWN) == "The conversation passed, 1 not counted"
    assert first(JUDGE_DOWN) == "Nothing was found out about the agent: no conversation counts"
    assert first(passed(1), planned=4) == (
        "The conversation passed; the run is not whole\n"
        "3 of 4 conversations were not finished: give the same command and --resume exp_def456"
    )
    unclear = replace(LOST, outcome=Outcome.INCONCLUSIVE)
    assert first(passed(1), unclear) == (
        "1 of 2 conversations did not pass (50.0% passed)\nDid not pass: lost."
    )
    newly = first(failed(1), planned=4, earlier=before({1: [True]}))
    assert newly.startswith("1 test newly fails: test-1; the run is not whole\nThe conversation failed, comp")
