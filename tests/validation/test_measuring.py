"""How often a check is right: confusion, rates, mismatches, and what is known to be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.profiles import Profile
from grice.checks.rule_names import UnknownCheck
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.records import Outcome, Verdict
from grice.reporting.documents.validation import validation_document
from grice.reporting.renderers.markdown import document_markdown
from grice.stats.rates import Confusion, rate
from grice.validation import Validation, validate_checks
from grice.validation.json_report import validation_json
from grice.validation.measuring import Measurement

OUTCOMES = [one.value for one in Outcome]


def _check(*, loud: bool = False, profile: str = "robust") -> None:
    if loud and profile == "seed":
        raise ArgumentError("the seed is never loud")


@matcher("toSayItself", check=_check)
def say_itself(subject: str, ctx: Context, *, loud: bool = False, profile: Profile = "robust") -> Verdict:
    """The text is the outcome: that of the robust profile, a blank, that of seed."""
    robust, _, seed = getattr(subject, "text", subject).partition(" ")
    return Verdict(Outcome(seed or robust if profile == "seed" else robust), "as it says")


def measured(tmp_path: Path, *examples: dict[str, Any], name: str = "toSayItself") -> Validation:
    path = tmp_path / "examples.jsonl"
    numbered = [{"id": str(n), "user": f"question {n}", **one} for n, one in enumerate(examples)]
    path.write_text("".join(json.dumps(one) + "\n" for one in numbered))
    return validate_checks(name, path)


def robust_of(validation: Validation) -> Measurement:
    return next(one for one in validation.measurements if one.profile == "robust")


@pytest.mark.parametrize(
    ("found", "right", "expected"),
    [
        (["fail"], ["fail"], Confusion(1, 0, 0, 0)),
        (["fail"], ["pass"], Confusion(0, 1, 0, 0)),
        (["pass"], ["fail"], Confusion(0, 0, 1, 0)),
        (["pass"], ["pass"], Confusion(0, 0, 0, 1)),
        (["inconclusive"], ["fail"], Confusion(0, 0, 1, 0)),
        (["fail"], ["skipped"], Confusion(0, 1, 0, 0)),
        (["inconclusive"], ["skipped"], Confusion(0, 0, 0, 1)),
    ],
)
def test_an_alarm_is_the_outcome_fail(
    tmp_path: Path, found: list[str], right: list[str], expected: Confusion
) -> None:
    examples = [{"text": one, "expected": other} for one, other in zip(found, right, strict=True)]
    assert robust_of(measured(tmp_path, *examples)).alarms == expected


@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), min_size=1, max_size=20))
def test_every_example_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    examples = [{"text": found, "expected": right} for found, right in pairs]
    one = robust_of(measured(tmp_path_factory.mktemp("v"), *examples))
    alarms = one.alarms
    assert alarms.true_alarms + alarms.false_alarms + alarms.missed + alarms.true_quiet == one.n == len(pairs)
    assert one.accuracy is not None
    assert one.accuracy.successes == sum(found == right for found, right in pairs)
    assert len(one.faults) == one.n - one.accuracy.successes == len(one.mismatches)
    undecided = sum(held.found for held in one.undecided.values())
    assert undecided == sum(found in ("inconclusive", "skipped", "error") for found, _ in pairs)


def test_rates_have_wilson_intervals_and_are_undefined_without_trials() -> None:
    assert rate(0, 0) is None
    assert Confusion(0, 0, 0, 5).precision is None
    assert Confusion(0, 3, 0, 5).recall is None
    precision = Confusion(true_alarms=8, false_alarms=2).precision
    assert precision is not None
    assert (precision.value, precision.n) == (0.8, 10)
    assert (round(precision.low, 3), round(precision.high, 3)) == (0.490, 0.943)


def test_a_mismatch_is_what_is_not_documented_and_a_fault_what_is_not_right(tmp_path: Path) -> None:
    one = robust_of(
        measured(
            tmp_path,
            {"text": "fail", "robust": "fail", "right": "pass"},
            {"text": "pass", "robust": "fail"},
            {"text": "pass", "robust": "pass"},
        )
    )
    assert [trial.example.id for trial in one.mismatches] == ["1"]
    assert [trial.example.id for trial in one.faults] == ["0", "1"]


def test_a_profile_is_measured_where_it_is_documented_or_only_the_truth_is_known(tmp_path: Path) -> None:
    validation = measured(
        tmp_path,
        {"text": "pass fail", "robust": "pass"},
        {"text": "pass fail", "robust": "pass", "seed": "fail"},
        {"text": "pass fail", "expected": "pass"},
    )
    seed, robust = validation.measurements
    assert [trial.example.id for trial in seed.trials] == ["1", "2"]
    assert [trial.example.id for trial in robust.trials] == ["0", "1", "2"]
    assert (seed.mismatches, len(seed.faults)) == ((), 2)
    assert validation.as_documented


def test_a_profile_that_does_not_take_the_arguments_is_not_measured_unless_documented(tmp_path: Path) -> None:
    refused = {"text": "pass", "args": {"loud": True}}
    robust, seed = {**refused, "expected": "pass"}, {**refused, "robust": "pass", "seed": "fail"}
    assert [one.n for one in measured(tmp_path, robust).measurements] == [0, 1]
    assert "args of toSayItself: the seed is never loud" in measured(tmp_path, seed).problems[0]


def test_a_check_that_breaks_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    one = robust_of(measured(tmp_path, {"text": "nonsense", "expected": "pass"}))
    assert [trial.verdict.outcome for trial in one.trials] == [Outcome.ERROR]
    assert "ValueError" in one.trials[0].verdict.reason


def test_a_folder_holds_examples_of_several_rules(tmp_path: Path) -> None:
    one = {"id": "a", "text": "One. Two.", "args": {"limit": 1}, "expected": "fail"}
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "sentences.jsonl").write_text(json.dumps(one) + "\n")
    (tmp_path / "mine.json").write_text(
        json.dumps([{"rule": "toSayItself", "text": "pass", "expected": "pass"}])
    )
    found = validate_checks("", tmp_path)
    assert [(each.rule, each.profile, each.n) for each in found.measurements if each.profile == "robust"] == [
        ("sentences", "robust", 1),
        ("toSayItself", "robust", 1),
    ]
    only = validate_checks("sentences", tmp_path)
    assert ({each.rule for each in only.measurements}, only.left_out) == ({"sentences"}, 1)
    assert validate_checks("toHaveAtMostSentences", tmp_path).examples == 1


def test_a_file_is_measured_with_the_rule_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "openers.jsonl"
    path.write_text('{"rule": "openers", "text": "pass", "expected": "pass"}\n')
    assert [one.rule for one in validate_checks("toSayItself", path).measurements] == ["toSayItself"] * 2


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("", None, "no .jsonl or .json files below this folder"),
        ("", "[]", "is empty: it holds no rows"),
        ("openers", '[{"rule": "toSayItself", "text": "pass", "expected": "pass"}]', "are of toSayItself"),
        ("toSayItself", '[{"text": "pass", "seed": "pass"}]', "missing field 'expected'"),
    ],
)
def test_nothing_examined_is_a_problem(tmp_path: Path, name: str, content: str | None, problem: str) -> None:
    if content is not None:
        (tmp_path / "mine.json").write_text(content)
    found = validate_checks(name, tmp_path)
    assert not found.complete
    assert problem in found.problems[0]


@pytest.mark.slow
def test_a_rule_without_the_profile_that_is_asked_for_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"text": "The tent weighs 2 kg.", "expected": "pass"}\n')
    for folder in (None, tmp_path):
        found = validate_checks("factual-contradiction", folder, profiles=["seed"])
        assert not found.complete
        assert found.problems == ("nothing was examined: factual-contradiction has no profile seed",)


def test_a_matcher_without_examples_of_its_own_needs_a_folder() -> None:
    assert "name a folder of examples" in validate_checks("toSayItself").problems[0]


@pytest.mark.parametrize("name", ["openrs", "toSatisfy", "toOpenDiferently"])
def test_a_name_that_is_no_check_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownCheck):
        validate_checks(name, tmp_path)


def test_json_says_null_where_no_rate_is_defined_and_replaces_secrets(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 12
    example = {"text": "pass", "expected": "fail", "why": f"the key {key}"}
    written = validation_json(measured(tmp_path, example))
    assert key.encode() not in written
    one = json.loads(written)["measurements"][-1]
    assert (one["precision"], one["recall"]["value"], one["alarms"]["missed"]) == (None, 0.0, 1)
    assert [trial["outcome"] for trial in one["mismatches"]] == ["pass"]


def test_markdown_has_a_row_a_profile_and_no_markup_of_a_reply(tmp_path: Path) -> None:
    validation = measured(tmp_path, {"text": "fail", "expected": "pass", "why": "a|b <b>*x*</b>"})
    written = document_markdown(validation_document(validation))
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    assert rows[0].startswith("| rule | profile | n |")
    assert any(
        row.startswith("| toSayItself | seed | 1 | 1 | 0.00 0.00-0.79 | 0 | - | 0 | 0 |") for row in rows
    )
    assert "a\\|b &lt;b&gt;\\*x\\*&lt;/b&gt;" in written
