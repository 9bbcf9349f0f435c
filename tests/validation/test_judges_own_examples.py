"""A criterion is tried on its own examples by a judge that is not shown the answer."""

from __future__ import annotations

import pytest
from measured_judges import judge_by, judged_text

from grice import LLMError
from grice.judging.criterion import criterion
from grice.judging.judge import Judge
from grice.validation.judges.card_making import card_of_examples
from grice.validation.judges.own_examples import measure_criteria

EXAMPLES = {
    "good": [("Happy to help!", "warm"), ("Lovely, done.", "warm")],
    "bad": [("Date?", "curt"), ("No.", "curt")],
    "edge": [("Sure.", True, "short but kind"), ("Read the manual, please.", False, "sends them away")],
}
KIND = criterion("kind", "Be kind.", **EXAMPLES)
WARM = ("Happy", "Lovely", "Sure", "please")


def sounds_warm(text, _=None):
    return any(word in text for word in WARM)


def tried(*criteria, rule=sounds_warm, **options):
    judge, llm = judge_by(rule)
    return measure_criteria(criteria, judge, **options), llm


def test_an_example_is_judged_with_the_others_only():
    found, llm = tried(KIND)
    assert len(llm.requests) == 6
    for request in llm.requests:
        own, content = judged_text(request), str(request.messages[1]["content"])
        shown = {one.text: content.count(f"\n{one.text}\n") for one in KIND.examples}
        assert own in shown
        assert set(shown.values()) == {1}  # its own is what is judged
        assert content.count("example=") == 5
    assert {trial.shown for trial in found.measured[0].trials} == {5}


def test_a_reply_that_stands_there_twice_is_shown_in_neither_case_and_told():
    twice = criterion(
        "kind", "Be kind.", good=[("Sure, why not", "warm")], bad=[("sure,  WHY not", "curt"), ("No.", "no")]
    )
    found, llm = tried(twice)
    asked = [
        str(one.messages[1]["content"])
        for one in llm.requests
        if judged_text(one).startswith(("Sure", "sure"))
    ]
    assert [one.lower().count("why not") for one in asked] == [1, 1]
    assert found.measured[0].problems == ("examples 1 and 2 are the same reply with both verdicts",)


def test_figures_and_the_wrong_ones():
    found, _ = tried(KIND)
    (one,) = found.measured
    assert (found.complete, found.all_right) == (True, False)
    assert [(trial.number, trial.outcome.value, trial.reason) for trial in one.wrong] == [
        (6, "pass", "it is True")
    ]
    assert [one.of_kind(kind) for kind in ("good", "bad", "edge")] == [(2, 2), (2, 2), (1, 2)]
    alarms = one.alarms
    assert (alarms.true_alarms, alarms.false_alarms, alarms.missed, alarms.true_quiet) == (2, 0, 1, 3)
    assert one.alarms.precision.value == 1
    assert one.alarms.recall.value == pytest.approx(2 / 3)
    assert one.kappa.value == pytest.approx(2 / 3)  # 5 of 6 agree, 3 of 6 by chance
    assert one.kappa.low < one.kappa.value < one.kappa.high


def test_examples_of_one_class_have_no_kappa_and_that_is_said():
    found, _ = tried(criterion("kind", "Be kind.", good=EXAMPLES["good"]))
    (one,) = found.measured
    assert one.kappa is None
    assert one.kappa_note.startswith(
        "kappa undefined: all examples that got an answer are of one class (they meet"
    )
    assert found.all_right


def test_an_error_of_the_judge_is_no_wrong_answer():
    found, _ = tried(KIND, rule=lambda text, _: LLMError("down") if text == "No." else sounds_warm(text))
    (one,) = found.measured
    assert (found.complete, found.all_right) == (False, False)
    assert [trial.number for trial in one.broken] == [4]
    assert "the judge gave no answer: down" in one.broken[0].reason
    assert [trial.number for trial in one.wrong] == [6]


def test_the_majority_of_samples_counts_and_a_tie_is_not_right():
    found, _ = tried(KIND, rule=lambda text, request: sounds_warm(text) is (request.sample != 1), samples=3)
    assert [trial.number for trial in found.measured[0].wrong] == [6]
    found, _ = tried(KIND, rule=lambda text, request: request.sample == 0, samples=2)
    assert {trial.outcome.value for trial in found.measured[0].trials} == {"inconclusive"}
    assert len(found.measured[0].wrong) == 6
    assert found.measured[0].wrong[0].reason == "the votes are tied: pass, fail"
    assert found.complete


def test_criteria_by_code_are_tried_without_an_llm_and_the_rest_is_told():
    brief = criterion(
        "brief",
        check=lambda conversation: len(conversation.turns[-1].text) < 10,
        good=[("Hi.", "brief")],
        bad=[("x" * 20, "long"), ("y" * 5, "a wrong label")],
    )
    found = measure_criteria([KIND, brief, criterion("bare", "Be.")], Judge(None), samples=3)
    assert [one.criterion.name for one in found.measured] == ["brief"]
    wrong = [(trial.number, trial.reason) for trial in found.measured[0].wrong]
    assert wrong == [(3, "its function returned True")]
    assert found.without == ("bare",)
    assert len(found.problems) == 1
    assert "kind: an LLM judges this and none is configured" in found.problems[0]
    assert not found.complete


def test_code_that_raises_is_an_error():
    broken = criterion("broken", check=lambda conversation: 1 / 0, good=[("Hi.", "brief")])
    found = measure_criteria([broken], Judge(None))
    assert "ZeroDivisionError" in found.measured[0].broken[0].reason
    assert not found.complete


def test_a_graded_criterion_is_right_on_the_right_side_of_its_gate():
    graded = criterion("kind", "Be kind.", at_least=3.5, **EXAMPLES)
    found, _ = tried(graded, rule=lambda text, _: 3.5 if sounds_warm(text) else 3.4)
    assert [trial.number for trial in found.measured[0].wrong] == [6]


def test_a_card_of_own_examples_is_bound_to_the_whole_criterion_and_says_it_is_weak():
    found, _ = tried(KIND)
    card = card_of_examples(found.measured[0], "2025-01-01T00:00:00+00:00")
    assert (card.kind, card.judge, card.model, card.prompt, card.n) == (
        "examples",
        "kind",
        "m-1",
        "criterion",
        6,
    )
    assert card.fingerprint == KIND.fingerprint
    assert card.split == "leave-one-out"
    assert (card.sensitivity.value, card.specificity.value) == (1, pytest.approx(2 / 3))
    assert card.cost == {"answers": 6, "tokens": 600, "latency_ms": 30}
    assert "own examples" in card.notes[0]


def test_nothing_in_an_example_breaks_it():
    good = [("\ud800 \x1b[31m 🙂", "x"), ("</data> judged", "y")]
    odd = criterion("kind", "Be kind.", good=good, bad=[("مرحبا", "z")])
    found, _ = tried(odd, rule=lambda *_: True)
    assert [trial.right for trial in found.measured[0].trials] == [True, True, False]
