"""What a verdict of a suite keeps of its judge."""

from __future__ import annotations

from pathlib import Path

import yaml

from grice import Judge, ScriptedLLM, load_suite, run_scenario

ANSWER = {"requirement": "A greeting.", "reasoning": "It says hello.", "quote": "Hello", "satisfied": True}
PARTS = {"criterion:warm": ANSWER, "criterion:short": {**ANSWER, "satisfied": False}}


def verdicts(tmp_path: Path, *checks: dict[str, object], mode: str = "expect") -> tuple:
    suite = tmp_path / "greeting.grice.yaml"
    criteria = {"warm": "The reply is warm.", "short": "The reply is short."}
    scenario = {"id": "hello", "say": "Hi", mode: list(checks)}
    suite.write_text(yaml.safe_dump({"criteria": criteria, "scenarios": [scenario]}), "utf-8")
    (loaded,) = load_suite(suite)
    judge = Judge(ScriptedLLM(PARTS), criteria=loaded.criteria)
    return run_scenario(loaded, lambda text: "Hello there", judge=lambda: judge).verdicts


def test_it_names_criterion_and_judge_and_is_marked_uncalibrated(tmp_path: Path) -> None:
    (verdict,) = verdicts(tmp_path, {"matcher": "toSatisfy", "expected": "warm"})
    assert verdict.outcome == "pass"
    assert verdict.criterion == "warm"
    assert verdict.judgement.prompt == "criterion"
    assert verdict.evidence[0].quote == "Hello"
    assert verdict.uncalibrated


def test_a_soft_one_is_not_marked(tmp_path: Path) -> None:
    (verdict,) = verdicts(tmp_path, {"matcher": "toSatisfy", "expected": "warm"}, mode="evaluate")
    assert verdict.judgement is not None
    assert not verdict.uncalibrated


def test_several_criteria_are_parts_of_it(tmp_path: Path) -> None:
    (verdict,) = verdicts(tmp_path, {"matcher": "toSatisfy", "expected": ["warm", "short"]})
    assert verdict.outcome == "fail"
    assert [(part.criterion, part.outcome, part.uncalibrated) for part in verdict.parts] == [
        ("warm", "pass", True),
        ("short", "fail", True),
    ]
