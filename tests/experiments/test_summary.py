"""What attempts come to: every sum over those that count, alone and by scenario set."""

from collections import Counter
from typing import Any

import pytest

from grice.experiments.aggregation.as_json import summary_json
from grice.experiments.aggregation.summary import Summary, summed
from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome, TopicVisit
from grice.running.journal.experiment import Experiment
from grice.stats.rates import Share


def attempt(key: str, outcome: Outcome = Outcome.PASS, **fields: Any) -> Attempt:
    fields.setdefault("failure", "none" if outcome is Outcome.PASS else "assertion")
    return Attempt(f"example:{key}", key, outcome, **fields)


def visits(*topics: str) -> tuple[TopicVisit, ...]:
    return tuple(TopicVisit(number, topic, number, number) for number, topic in enumerate(topics, 1))


def test_completion_and_failure_types_are_of_those_that_count() -> None:
    found = summed(
        [
            attempt("a"),
            attempt("b", Outcome.FAIL),
            attempt("c", Outcome.FAIL, failure="max_turns"),
            attempt("d", Outcome.SKIPPED),
            attempt("e", Outcome.ERROR, counts=False, why="a check broke: judge down"),
        ]
    )
    assert (found.completion.passed, found.completion.total) == (1, 3)
    assert found.failures == {"passed": 1, "assertion": 1, "max_turns": 1}
    assert found.not_counted == [("e", "a check broke: judge down")]
    assert (found.results, found.outcomes[Outcome.SKIPPED]) == (5, 1)


def test_efficiency_knows_each_conversation_and_topics_only_where_a_graph_was_followed() -> None:
    found = summed(
        [
            attempt("a", turns=3, visits=visits("greeting", "search")),
            attempt("b", turns=6, visits=visits("greeting", "search", "greeting")),
            attempt("c", Outcome.FAIL, turns=12),
            attempt("d", Outcome.SKIPPED, turns=99),
        ]
    ).efficiency
    assert (found.turns, found.topics, found.average_turns) == (Counter([3, 6, 12]), Counter([2, 2]), 7)
    assert found.backtracking_rate == 0.5
    assert Summary().efficiency.average_turns is None
    assert Summary().efficiency.backtracking_rate is None


def tally(outcome: str, times: int, **fields: Any) -> CheckTally:
    return CheckTally(
        fields.pop("matcher", "toSatisfy"), fields.pop("mode", "soft"), outcome, times, **fields
    )


def test_criteria_have_their_own_denominators_and_count_what_gave_no_answer_apart() -> None:
    found = summed(
        [
            attempt(
                "a",
                checks=(
                    tally("pass", 4, criterion="friendly", layer=3),
                    tally("error", 2, criterion="price"),
                ),
            ),
            attempt("b", checks=(tally("fail", 1, criterion="friendly", layer=3, mode="hard"),)),
            attempt("c", counts=False, checks=(tally("fail", 9, criterion="friendly"),)),
        ]
    )
    assert (found.criteria["friendly"].passed, found.criteria["friendly"].evaluated) == (4, 5)
    assert (found.criteria["price"].evaluated, found.criteria["price"].unanswered) == (0, 2)
    assert found.criteria["price"].rate is None
    assert (found.soft.passed, found.soft.evaluated, found.soft.unanswered) == (4, 4, 2)
    assert found.hard.outcomes == {"fail": 1}
    assert list(found.layers) == [3]
    assert found.layers[3].evaluated == 5


def test_claims_are_counted_by_type_and_by_scenario_over_its_repeats() -> None:
    found = summed(
        [
            attempt("a", claims={"venues": (2, 4), "pricing": (1, 1)}),
            attempt("a", repeat=2, claims={"venues": (4, 4)}),
            attempt("b", claims={"venues": (1, 1)}),
        ]
    )
    assert found.claims == {"pricing": Share(1, 1), "venues": Share(7, 9)}
    assert found.claims_of == {"example:a": Share(7, 9), "example:b": Share(1, 1)}


def test_each_set_has_the_same_sums_of_its_own() -> None:
    found = summed(
        [
            attempt("a", set_name="venues", turns=4),
            attempt("b", Outcome.FAIL, set_name="venues", turns=2),
            attempt("c", set_name="", turns=1),
        ]
    )
    assert list(found.sets) == ["", "venues"]
    assert found.sets["venues"].completion == Share(1, 2)
    assert found.sets["venues"].efficiency.turns == Counter([4, 2])
    assert found.sets[""].efficiency.turns == Counter([1])
    assert found.efficiency.turns == Counter([4, 2, 1])


def test_the_only_set_has_the_sums_of_all() -> None:
    found = summed([attempt("a", set_name="venues"), attempt("b", Outcome.FAIL, set_name="venues")])
    assert list(found.sets) == ["venues"]
    assert found.sets["venues"].completion == found.completion == Share(1, 2)
    assert not Summary().sets


def test_repeats_are_summed_by_scenario_and_by_run() -> None:
    found = summed(
        [
            attempt("a"),
            attempt("a", Outcome.FAIL, repeat=2),
            attempt("b", repeat=2),
            attempt("b"),
        ]
    )
    assert found.attempts.of == {"example:a": Share(1, 2), "example:b": Share(2, 2)}
    assert found.repeats == {1: Share(2, 2), 2: Share(1, 2)}


MANY = [
    attempt(
        f"{number:02}",
        Outcome.FAIL if number * repeat % 3 == 0 else Outcome.PASS,
        repeat=repeat,
        counts=number != 7,
        why="" if number != 7 else "the judge was down",
        set_name=("venues", "rooms")[number % 2] if sets else "",
        persona="Ada" if number % 4 else "",
        claims={"prices": (1, 2)} if number in (1, 2) else {},
        checks=(CheckTally("toBe", "soft", "pass" if number % 5 else "fail", repeat, criterion="friendly"),),
    )
    for sets in (False, True)
    for number in range(20)
    for repeat in (1, 2, 3)
]


def rounded(value: Any) -> Any:
    """The value with its floats rounded: sums of them show their order in the last digit."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, 12) if isinstance(value, float) else value


@pytest.mark.parametrize("attempts", [MANY[:60], MANY[60:]], ids=["one set", "sets"])
def test_where_results_are_grouped_by_scenario_no_sum_differs(attempts: list[Attempt]) -> None:
    head = Experiment("exp_1", "2026-11-27T10:00:00.000Z")
    grouped = summed(attempts, grouped=True)
    by_repeat = sorted(attempts, key=lambda one: (one.repeat, one.id))
    assert rounded(summary_json(grouped, head)) == rounded(summary_json(summed(by_repeat), head))


@pytest.mark.parametrize("attempts", [MANY[:60], MANY[60:]], ids=["one set", "sets"])
def test_where_results_are_grouped_only_scenarios_that_are_named_keep_their_ids(
    attempts: list[Attempt],
) -> None:
    found = summed(attempts, grouped=True)
    wavers = {f"example:{number:02}" for number in range(20) if number % 3 and number != 7}
    of_claims = {"example:01", "example:02"}
    for one in (found, *found.apart.values()):
        last = one.last_id
        assert one.attempts.of.keys() <= wavers | {last}
        assert one.keys.keys() <= wavers | of_claims | {last}
        assert one.soft_of.of.keys() <= {last}
        assert all(of.of.keys() <= {last} for of in (*one.criteria_of.values(), *one.personas.values()))
    assert found.attempts.of.keys() >= wavers
    assert len(found.attempts) == 19


def test_nothing_has_no_rates() -> None:
    found = Summary()
    assert found.completion.rate is None
    assert found.soft.rate is None


@pytest.mark.parametrize("key", ["zeta", "alpha"])
def test_the_order_of_attempts_does_not_show(key: str) -> None:
    one = attempt("a", checks=(tally("pass", 1, criterion=key),), claims={key: (1, 1)}, set_name=key)
    other = attempt("b", checks=(tally("pass", 1, criterion="mid"),), claims={"mid": (0, 1)}, set_name="mid")
    here, there = summed([one, other]), summed([other, one])
    assert list(here.criteria) == list(there.criteria) == sorted([key, "mid"])
    assert list(here.claims) == list(there.claims)
    assert list(here.sets) == list(there.sets)


def hard(outcome: str) -> CheckTally:
    return CheckTally("toContain", "hard", outcome, 1)


SOFT = CheckTally("toContain", "soft", "pass", 1)


@pytest.mark.parametrize(
    ("one", "unchecked"),
    [
        (attempt("a", checks=(SOFT,)), True),
        (attempt("a", checks=(SOFT, hard("skipped"))), True),
        (attempt("a", checks=(SOFT, hard("pass"))), False),
        (attempt("a", Outcome.INCONCLUSIVE, checks=(hard("inconclusive"),)), False),
        (attempt("a", Outcome.INCONCLUSIVE, failure="none"), True),
        (attempt("a", Outcome.ERROR, checks=(hard("error"),)), False),
        (attempt("a", Outcome.FAIL), False),
        (attempt("a"), False),  # the word of the runner
    ],
)
def test_where_no_hard_check_was_made_nothing_could_fail(one: Attempt, unchecked: bool) -> None:
    assert one.unchecked is unchecked
    found = summed([one, attempt("b", checks=(hard("pass"),))])
    assert found.unchecked == unchecked
    assert found.sets[""].unchecked == unchecked
    assert not found.never_checked
    assert summed([one]).never_checked is unchecked


def test_completion_that_was_never_checked_has_no_rate() -> None:
    found = summed([attempt("a", checks=(SOFT,)), attempt("b", checks=(SOFT,))])
    assert found.completion.rate == 1.0
    assert found.completion_rate is None
    assert summed([]).completion_rate is None
    assert not summed([]).never_checked
    skipped = attempt("a", Outcome.SKIPPED, failure="none", checks=(SOFT,))
    assert summed([skipped]).unchecked == 0


def test_what_was_not_checked_is_a_failure_of_its_own_type() -> None:
    found = summed(
        [attempt("a", Outcome.INCONCLUSIVE, failure="none"), attempt("b", Outcome.FAIL, failure="none")]
    )
    assert found.failures == {"unchecked": 1, "fail": 1}
