"""What an attempt did not reach counts against a gate, and completion is of what has a hard check."""

from __future__ import annotations

import pytest
from gated import report, result, tally, told
from made_experiments import attempt, attempts, experiment, repeated, soft
from msgspec import structs

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome

POLITE = (CheckTally("toSatisfy", "soft", "pass", 1, "polite", 3),)
HARD = CheckTally("toContain", "hard", "pass", 1)
UNDECIDED = CheckTally("toBeSupportedBy", "hard", "inconclusive", 1)


def broken(key: str, failure: str = "error", **fields: object) -> Attempt:
    """An attempt that counts, and that the agent cut short."""
    outcome = Outcome.ERROR if failure in ("error", "timeout") else Outcome.FAIL
    return attempt(key, False, **{"outcome": outcome, "failure": failure, **fields})


def held(number: int, ended: list[Attempt], **fields: object) -> list[Attempt]:
    """So many polite attempts of one set, and others of it."""
    return [*attempts("+" * number, set_name="rooms", checks=POLITE, **fields), *ended]


@pytest.mark.parametrize("failure", ["error", "timeout", "max_turns"])
@pytest.mark.parametrize("gate", ["criteria.polite", "evaluation", "layers.judges", "matchers.satisfy"])
def test_what_broke_off_before_a_check_counts_as_failed_in_it(gate: str, failure: str) -> None:
    crashed = [broken(f"x{n}", failure, set_name="rooms") for n in range(20)]
    results = experiment("a", held(80, crashed))
    said = "100% (80/80); 80.0% if the 20 that broke off before it had failed"
    assert told(result(results, f"{gate}=0.9")) == ("missing", said)
    assert told(result(results, f"{gate}=0.8")) == ("pass", said)


def test_what_a_hard_check_ended_before_is_told_and_not_counted() -> None:
    stopped = [attempt(f"x{n}", False, set_name="rooms") for n in range(12)]
    results = experiment("a", held(80, stopped))
    said = "100% (80/80; 12 ended at a hard check before it)"
    assert told(result(results, "criteria.polite=1")) == ("pass", said)


def test_where_a_hard_check_fails_in_every_repeat_others_tell_what_was_not_reached() -> None:
    stopped = repeated("x", "--", set_name="rooms")
    results = experiment("a", held(8, [*stopped, broken("x", repeat=3, set_name="rooms")]))
    said = "100% (8/8; 2 ended at a hard check before it); 88.9% if the 1 that broke off before it had failed"
    assert told(result(results, "criteria.polite=0.9")) == ("missing", said)


def test_what_nobody_else_checks_was_not_broken_off_before() -> None:
    """Other scenarios have the criterion; those of this set, and the repeats of this scenario, have not."""
    plain = [*repeated("x", "++", set_name="rooms", checks=(HARD,)), attempt("y", set_name="prices")]
    ended = [broken("x", repeat=3, set_name="rooms"), broken("z", set_name="prices")]
    results = experiment("a", held(8, [*plain, *ended]))
    assert told(result(results, "criteria.polite=1")) == ("pass", "100% (8/8)")


def test_another_case_of_the_same_test_tells_what_was_not_reached() -> None:
    done = [of_test("books", attempt(f"b{n}", checks=POLITE)) for n in range(4)]
    others = [of_test("greets", attempt(f"g{n}", checks=(HARD,))) for n in range(20)]
    ended = [of_test("books", broken("bx")), of_test("greets", broken("gx"))]
    results = experiment("a", [*done, *others, *ended])
    said = "100% (4/4); 80.0% if the 1 that broke off before it had failed"
    assert told(result(results, "criteria.polite=1")) == ("missing", said)


def test_checks_of_later_turns_are_missing_too() -> None:
    done = attempts("++++", set_name="rooms", checks=soft("polite", 3))
    ended = [broken("x", set_name="rooms", checks=soft("polite", 1))]
    said = "100% (13/13); 86.7% if the 1 that broke off before it had failed"
    assert told(result(experiment("a", [*done, *ended]), "criteria.polite=0.9")) == ("missing", said)
    longer = [broken("x", set_name="rooms", checks=soft("polite", 9))]
    assert told(result(experiment("a", [*done, *longer]), "criteria.polite=1"))[0] == "pass"


def test_a_check_that_did_not_apply_was_reached() -> None:
    ended = [broken("x", set_name="rooms", checks=(tally("skipped", criterion="polite"),))]
    assert told(result(experiment("a", held(8, ended)), "criteria.polite=1")) == ("pass", "100% (8/8)")


def test_a_judge_that_was_not_reached_gave_the_fewest_points() -> None:
    crashed = [broken(f"x{n}", set_name="rooms") for n in range(9)]
    results = experiment("a", held(8, crashed, scores={"polite": (5.0,)}))
    said = "5 points (median of 8 scores); 1 point if the 9 that broke off before it had got 1 point"
    found = result(results, "judges.polite=4")
    assert (found.passed, found.missing, found.worst) == (False, True, 1.0)
    assert found.found.replace("1 points if", "1 point if") == said


@pytest.mark.slow
def test_a_regression_counts_what_was_not_reached_as_failed_now() -> None:
    before = experiment("a", attempts("+" * 40, checks=POLITE), criteria={"polite": "sha256:1"})
    now = [broken(f"s{n:02}") if n < 10 else attempt(f"s{n:02}", checks=POLITE) for n in range(40)]
    current = experiment("b", now, criteria={"polite": "sha256:1"})
    for gate in ("regression.criteria.polite=0.02", "regression.evaluation=0.02"):
        found = result(current, gate, baseline=before)
        assert told(found)[0] == "missing"
        assert "a drop of 25 points if the 10 that broke off before it had failed" in found.found


def test_a_regression_tells_what_a_hard_check_ended_on_either_side() -> None:
    polite = attempts("+" * 40, set_name="rooms", checks=POLITE)
    now = [*polite[:37], *(attempt(one.key, False, set_name="rooms") for one in polite[37:])]
    criteria = {"polite": "sha256:1"}
    sides = experiment("a", polite, criteria=criteria), experiment("b", now, criteria=criteria)
    for before, after, word in ((*sides, "run"), (*reversed(sides), "baseline")):
        found = result(after, "regression.criteria.polite=0.02", baseline=before)
        assert told(found)[0] == "pass"
        said = f"over 37 scenarios; of the {word} 3 ended at a hard check before it; 95 %"
        assert found.found.startswith(f"no change: 100% to 100% {said}")


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["regression.criteria.polite=0.02", "regression.evaluation=0.02"])
def test_an_agent_that_breaks_off_as_often_as_before_trips_no_gate(gate: str) -> None:
    """One scenario in ten, and never the same."""
    polite = [attempt(f"s{n:03}", set_name="rooms", checks=POLITE) for n in range(200)]
    before = [broken(one.key, set_name="rooms") if n % 10 == 3 else one for n, one in enumerate(polite)]
    now = [broken(one.key, set_name="rooms") if n % 10 == 7 else one for n, one in enumerate(polite)]
    criteria = {"polite": "sha256:1"}
    then = experiment("a", before, criteria=criteria)
    found = result(experiment("b", now, criteria=criteria), gate, baseline=then)
    assert told(found)[0] == "pass"
    assert (
        "; no change if the 20 that broke off before it had failed and "
        "the 20 that broke off before it in the baseline had failed"
    ) in found.found
    whole = result(experiment("b", polite, criteria=criteria), gate, baseline=then)
    assert (told(whole)[0], whole.worst) == ("pass", None)


def test_a_check_that_was_taken_out_is_not_what_was_broken_off_before() -> None:
    """The baseline asks for brevity too, and some attempts break off now."""
    criteria = {"polite": "sha256:1", "brief": "sha256:2"}
    before = experiment("a", attempts("+" * 40, checks=POLITE + soft("brief", 1)), criteria=criteria)
    now = [broken("s00"), *attempts("+" * 40, checks=POLITE)[1:]]
    found = result(
        experiment("b", now, criteria={"polite": "sha256:1"}), "regression.evaluation=0.02", baseline=before
    )
    assert "100% to 100% over 39 scenarios; a drop of 2.5 points if the 1 that broke off" in found.found


# -- each attempt says of which test it is


def of_test(name: str, one: Attempt) -> Attempt:
    """An attempt that this test made of a scenario of the set."""
    return structs.replace(one, id=f"example:{name} {one.key}", test=f"example:{name}", set_name="rooms")


def of_two_tests(with_it: int, without: int) -> list[Attempt]:
    """Thirty scenarios in two tests, of which one has the criterion: so many of each break off."""
    keys = [f"r{n:02}" for n in range(30)]
    return [
        *(of_test("a", broken(key)) for key in keys[:with_it]),
        *(of_test("a", attempt(key, checks=(HARD, *POLITE))) for key in keys[with_it:]),
        *(of_test("b", broken(key)) for key in keys[:without]),
        *(of_test("b", attempt(key, checks=(HARD,))) for key in keys[without:]),
    ]


def test_another_test_of_the_same_scenarios_hides_nothing() -> None:
    said = "100% (21/21); 70.0% if the 9 that broke off before it had failed"
    found = result(experiment("a", of_two_tests(9, 0)), "criteria.polite=0.95")
    assert told(found) == ("missing", said)


def test_a_test_that_another_shows_to_have_no_such_check_misses_none() -> None:
    found = result(experiment("a", of_two_tests(0, 9)), "criteria.polite=1")
    assert told(found) == ("pass", "100% (30/30)")


@pytest.mark.parametrize(("with_it", "without"), [(9, 9), (9, 4), (4, 9)])
def test_where_both_tests_break_off_only_the_one_that_has_the_check_misses_it(
    with_it: int, without: int
) -> None:
    found = result(experiment("a", of_two_tests(with_it, without)), "criteria.polite=1")
    assert told(found)[0] == "missing"
    assert found.found.endswith(f"if the {with_it} that broke off before it had failed")


def test_what_broke_off_misses_no_check_that_only_the_other_test_makes() -> None:
    ended = [of_test("a", attempt("x", False, checks=(HARD,))), of_test("b", broken("x"))]
    found = result(experiment("a", [*of_two_tests(0, 0), *ended]), "criteria.polite=1")
    assert told(found) == ("pass", "100% (30/30; 1 ended at a hard check before it)")


def test_a_test_misses_what_everybody_makes_though_the_other_made_it() -> None:
    """Two tests have the criterion, and just one scenario in common: no other has it twice."""
    done = [of_test("a", attempt(f"r{n}", checks=POLITE)) for n in range(10)]
    more = [of_test("b", attempt(f"r{n}", checks=POLITE)) for n in range(10, 19)]
    elsewhere = [attempt(f"test_c[{n}]", checks=(HARD,)) for n in range(40)]
    results = experiment("a", [*done, *more, *elsewhere, of_test("b", broken("r9"))])
    said = "100% (19/19); 95.0% if the 1 that broke off before it had failed"
    assert told(result(results, "criteria.polite=1")) == ("missing", said)


def test_a_test_of_the_set_that_was_never_seen_whole_has_what_most_have() -> None:
    """Each of its scenarios breaks off, and another test of the same set shows nothing of it."""
    plain = [of_test("b", attempt(f"r{n}", checks=(HARD,))) for n in range(3)]
    ended = [of_test("a", broken(f"r{n}")) for n in range(3)]
    results = experiment("a", [*plain, *ended, *attempts("+" * 27, checks=POLITE)])
    said = "100% (27/27); 90.0% if the 3 that broke off before it had failed"
    assert told(result(results, "criteria.polite=1")) == ("missing", said)


def test_other_parameters_of_a_pytest_test_tell_what_was_not_reached() -> None:
    done = [of_test("a", attempt(f"test_a[{n}]", checks=POLITE)) for n in range(14)]
    ended = [of_test("a", broken(f"test_a[x{n}]")) for n in range(6)]
    others = [of_test("b", attempt(f"test_b[{n}]", checks=(HARD,))) for n in range(30)]
    every = [*done, *ended, *others, of_test("b", broken("test_b[x]"))]
    found = result(experiment("a", every), "criteria.polite=0.95")
    assert told(found) == ("missing", "100% (14/14); 70.0% if the 6 that broke off before it had failed")


def test_where_everything_broke_off_what_some_reached_is_missing_in_the_others() -> None:
    some = [broken(f"s{n}", set_name="rooms", checks=POLITE) for n in range(9)]
    results = experiment("a", [*some, *(broken(f"x{n}", set_name="rooms") for n in range(21))])
    said = "100% (9/9); 30.0% if the 21 that broke off before it had failed"
    assert told(result(results, "criteria.polite=0.95")) == ("missing", said)


# -- a hard check that could not tell ends a test too


def undecided(key: str, **fields: object) -> Attempt:
    """An attempt that a hard check without an answer ended."""
    given = {"outcome": Outcome.INCONCLUSIVE, "failure": "assertion", "checks": (HARD, UNDECIDED), **fields}
    return attempt(key, False, **given)


@pytest.mark.parametrize("gate", ["criteria.polite", "evaluation", "layers.judges", "matchers.satisfy"])
def test_what_a_check_without_an_answer_ended_counts_as_failed(gate: str) -> None:
    results = experiment("a", held(20, [undecided(f"x{n}", set_name="rooms") for n in range(20)]))
    said = "100% (20/20); 50.0% if the 20 that ended undecided before it had failed"
    assert told(result(results, f"{gate}=0.95")) == ("missing", said)
    assert told(result(results, f"{gate}=0.5")) == ("pass", said)


def test_nothing_is_missing_where_the_check_without_an_answer_was_the_last() -> None:
    done = [undecided(f"x{n}", set_name="rooms", checks=(*POLITE, UNDECIDED)) for n in range(5)]
    assert told(result(experiment("a", held(20, done)), "criteria.polite=1")) == ("pass", "100% (25/25)")


def test_what_was_never_checked_was_not_ended_by_a_check() -> None:
    """Tests in which nothing was said and nothing was checked."""
    word = CheckTally("", "hard", "inconclusive", 1)
    empty = [undecided(f"x{n}", set_name="rooms", checks=(word,)) for n in range(5)]
    assert told(result(experiment("a", held(20, empty)), "criteria.polite=1")) == ("pass", "100% (20/20)")


def test_a_judge_that_comes_after_a_check_without_an_answer_gave_the_fewest_points() -> None:
    ended = [undecided(f"x{n}", set_name="rooms") for n in range(9)]
    found = result(experiment("a", held(8, ended, scores={"polite": (5.0,)})), "judges.polite=4")
    assert (found.passed, found.missing, found.worst) == (False, True, 1.0)
    assert "if the 9 that ended undecided before it had got 1 point" in found.found


@pytest.mark.parametrize("gate", ["regression.criteria.polite=0.02", "regression.evaluation=0.02"])
def test_what_ended_undecided_goes_the_wrong_way_on_either_side(gate: str) -> None:
    """Failed now; passed in the baseline, as it was not the agent that ended it."""
    criteria = {"polite": "sha256:1"}
    whole = attempts("+" * 40, checks=POLITE)
    cut = experiment("b", [*map(undecided, [f"s{n:02}" for n in range(10)]), *whole[10:]], criteria=criteria)
    found = result(cut, gate, baseline=experiment("a", whole, criteria=criteria))
    assert told(found)[0] == "missing"
    assert "a drop of 25 points if the 10 that ended undecided before it had failed" in found.found
    failed = (structs.replace(POLITE[0], outcome="fail"),)
    rude = [*attempts("+" * 10, checks=failed), *whole[10:]]
    found = result(experiment("c", rude, criteria=criteria), gate, baseline=cut)
    assert told(found)[0] == "missing"
    said = "a drop of 25 points if the 10 that ended undecided before it of the baseline had passed"
    assert said in found.found


# -- conversations without a hard check


def test_completion_of_conversations_that_mostly_have_no_hard_check_keeps_no_gate() -> None:
    """Failures and passes of the same tests are counted alike, so there is no rate of failures only."""
    unchecked = attempts("+" * 39, checks=POLITE)
    said = "is hardly checked: 39 of 40 conversations have no hard check"
    for other in (attempt("x", checks=(HARD,)), attempt("x", False, checks=(HARD,))):
        assert told(result(experiment("a", [*unchecked, other]), "completion=0.5")) == ("missing", said)
    half = experiment("a", [*unchecked[:10], *(attempt(f"x{n}", checks=(HARD,)) for n in range(10))])
    assert told(result(half, "completion=1")) == ("pass", "100% (20/20; 10 without a hard check)")


def test_what_plain_asserts_passed_is_in_completion_and_told() -> None:
    bare = attempts("+" * 4, bare=True)
    results = experiment("a", [*bare, attempt("x", checks=POLITE), attempt("y", checks=(HARD,))])
    said = "100% (6/6; 1 without a hard check; 4 by plain asserts alone, if any)"
    assert told(result(results, "completion=1")) == ("pass", said)


def test_a_drop_is_of_all_that_count_whether_they_have_a_hard_check_or_not() -> None:
    """A test with soft checks only that breaks off has failed, and passed before."""
    before = experiment("a", attempts("+" * 40, checks=POLITE) + [attempt("x" * n) for n in range(1, 60)])
    now = [broken(f"s{n:02}") if n < 20 else attempt(f"s{n:02}", checks=POLITE) for n in range(40)]
    found = result(
        experiment("b", now + [attempt("x" * n) for n in range(1, 60)]),
        "regression.completion=0.02",
        baseline=before,
    )
    assert told(found)[0] == "fail"
    assert found.found.startswith("a drop of 20.2 points: 100% to 79.8% over 99 scenarios")


def test_scenarios_that_have_lost_their_hard_checks_hide_no_drop() -> None:
    before = experiment("a", attempts("+" * 20 + "-" * 20, checks=(HARD,)))
    now = [*attempts("+" * 20, checks=(HARD,)), *attempts("+" * 40, checks=POLITE)[20:]]
    found = result(experiment("b", now), "regression.completion=0", baseline=before)
    said = "cannot be compared: 20 of 40 scenarios had a hard check in the baseline and have none now"
    assert told(found) == ("missing", said)
    few = [*attempts("+" * 36, checks=(HARD,)), *attempts("+" * 40, checks=POLITE)[36:]]
    assert told(result(experiment("b", few), "regression.completion=0", baseline=before))[0] == "pass"


# -- why soft checks cannot be compared


def test_soft_checks_that_differ_are_not_said_to_be_none() -> None:
    criteria = {"polite": "sha256:1"}
    before = experiment("a", attempts("+" * 9, checks=POLITE), criteria=criteria)
    changed = experiment("b", attempts("+" * 9, checks=POLITE), criteria={"polite": "sha256:2"})
    said = "cannot be compared: both have soft checks, and none of them is the same in both"
    assert told(result(changed, "regression.evaluation=0.1", baseline=before)) == ("missing", said)
    none = experiment("c", attempts("+" * 9, checks=(HARD,)))
    (found,) = report(none, "regression.evaluation=0.1", baseline=before).results
    assert found.found == "was never measured in both: there is no soft check in the run"
