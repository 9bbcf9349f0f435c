"""A judge is measured against people's labels, on items that nobody tuned it on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured_judges import GRADED, KIND, items_file, judge_by, labels_file, measured, write

from grice import LLMError
from grice.files.document import FileErrors
from grice.judging.criterion import criterion
from grice.judging.judge import Judge
from grice.validation.judges.card_making import card_of_people
from grice.validation.judges.decisions import Split, SplitError, read_split
from grice.validation.judges.gold_labels import MixedLabels
from grice.validation.judges.judge_calls import UnknownJudge
from grice.validation.judges.measurement_input import Unmeasurable
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.recorded_answers import SeveralJudges
from grice.validation.judges.verdict_log import read_answers

ALL = Split(dev=0)
LLMBAR = Path(__file__).parents[1] / "data" / "llmbar_natural.jsonl"
TEXTS = {f"i{n}": f"{'kind' if n % 3 else 'curt'} {n:02}" for n in range(12)}
RIGHT = {one: text.startswith("kind") for one, text in TEXTS.items()}


def is_kind(text, _=None):
    return text.startswith("kind")


def test_the_figures_are_those_of_the_items(tmp_path):
    judge, llm = judge_by(lambda text, _: is_kind(text) or text == "curt 03")
    labels = {**RIGHT, "i1": False}
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS), split=ALL)
    assert len(llm.requests) == found.asked == 12
    held = found.held
    counts = held.decisions
    assert (counts.true_alarms, counts.false_alarms, counts.missed, counts.true_quiet) == (3, 0, 2, 7)
    assert held.base_rate.value == pytest.approx(7 / 12)
    assert held.sensitivity.value == 1
    assert held.specificity.value == pytest.approx(3 / 5)
    assert held.agreement.value == pytest.approx(10 / 12)
    assert held.kappa.value == pytest.approx((10 / 12 - 78 / 144) / (1 - 78 / 144))
    assert found.dev.n == 0
    assert {one.item for one in found.disagreements} == {"i1", "i3"}
    assert next(one.reason for one in found.disagreements) == "it is True"
    assert "only 12 held-out items: the intervals say how little that shows" in found.notes
    assert found.cost == {"answers": 12, "tokens": 1200, "latency_ms": 60}


def test_items_of_one_cluster_are_never_on_both_sides_and_the_key_decides_which():
    splits = [[Split(key).is_dev(f"c{n}") for n in range(400)] for key in ("a", "a", "b")]
    assert splits[0] == splits[1] != splits[2]
    assert 150 < sum(splits[0]) < 250
    assert not any(Split("a", 0).is_dev(f"c{n}") for n in range(50))


@given(st.text(max_size=20), st.text(max_size=20), st.floats(0, 0.99), st.floats(0, 0.99))
def test_a_larger_share_for_tuning_takes_items_in_and_lets_none_out(key, cluster, one, other):
    low, high = sorted((one, other))
    assert Split(key, low).is_dev(cluster) <= Split(key, high).is_dev(cluster)


def test_figures_of_both_halves_stand_beside_each_other(tmp_path):
    judge, _ = judge_by(is_kind)
    rows = [{"id": one, "text": text, "cluster": f"c{n // 2}"} for n, (one, text) in enumerate(TEXTS.items())]
    items = write(tmp_path / "items.jsonl", rows)
    found = measured(tmp_path, judge, labels_file(tmp_path, RIGHT), items)
    assert found.held.n + found.dev.n == 12
    assert found.held.n > 0 < found.dev.n
    assert found.held.clusters * 2 == found.held.n
    halves = {one.cluster: set() for one in found.decisions}
    for one in found.decisions:
        halves[one.cluster].add(one.dev)
    assert all(len(one) == 1 for one in halves.values())


@pytest.mark.parametrize(
    ("given", "split"),
    [("0.25", Split(dev=0.25)), ("v2", Split("v2")), ("v2=0.1", Split("v2", 0.1)), ("0", Split(dev=0))],
)
def test_a_split_is_read(given, split):
    assert read_split(given) == split


@pytest.mark.parametrize("given", ["1", "v=1", "v=x", "=0.5", "v=-1", "nan", "v=nan", "\x1b=0.5", "k" * 99])
def test_a_split_that_divides_nothing_is_refused(given):
    with pytest.raises(SplitError, match="--split is KEY=SHARE"):
        read_split(given)


# -- people


def test_the_majority_counts_and_ties_and_doubts_are_left_out_and_told(tmp_path):
    labels = {
        "i0": {"a": False, "b": False, "c": True},
        "i1": {"a": True, "b": False},
        "i2": {"a": None, "b": None},
        "i4": {"a": True, "b": None},
    }
    judge, llm = judge_by(is_kind)
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS), split=ALL)
    assert {one.item: one.right for one in found.decisions} == {"i0": False, "i4": True}
    assert len(llm.requests) == 2
    assert found.people.tied == ("i1",)
    assert "left out, as people are tied: 1 ('i1')" in found.notes
    assert "left out, as nobody could tell: 1 ('i2')" in found.notes
    assert any(note.startswith("left out, as they have no label: 8 ('i3', ") for note in found.notes)


def test_each_rater_is_held_against_the_others(tmp_path):
    labels = {one: {"a": value, "b": value, "c": not value} for one, value in RIGHT.items()}
    judge, _ = judge_by(is_kind)
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS))
    raters = {one.name: one for one in found.people.raters}
    assert raters["c"].with_others == 12
    assert raters["c"].kappa.value < 0
    assert raters["a"].with_others == 0  # b and c are tied wherever a labelled
    assert raters["a"].kappa is None
    assert found.people.alpha.value < 0


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (RIGHT, "alpha among people undefined: all labels are of one rater"),
        (
            {one: {"a" if n % 2 else "b": value} for n, (one, value) in enumerate(RIGHT.items())},
            "alpha among people undefined: no two raters labelled the same item",
        ),
        (
            {one: {"a": True, "b": True} for one in RIGHT},
            "alpha among people undefined: all labels of items with several raters are the same",
        ),
        (dict.fromkeys(RIGHT, True), "kappa undefined: all labels are of one class (pass)"),
    ],
)
def test_what_is_undefined_is_said(tmp_path, labels, said):
    judge, _ = judge_by(is_kind)
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS), split=ALL)
    assert said in found.notes
    if "kappa" in said:
        assert found.held.kappa is None
        assert found.held.specificity is None
        assert found.held.sensitivity.n == 12
    else:
        assert found.people.alpha is None


def test_labels_of_another_version_of_the_criterion_are_left_out(tmp_path):
    rows = [
        {"version": 1, "at": "2025-01-01", "item": one, "label": value, "rater": "a", "criterion": "kind",
         "fingerprint": KIND.wording if n else "sha256:old"}
        for n, (one, value) in enumerate(RIGHT.items())
    ]  # fmt: skip
    judge, _ = judge_by(is_kind)
    found = measured(
        tmp_path, judge, write(tmp_path / "labels.jsonl", rows), items_file(tmp_path, TEXTS), split=ALL
    )
    assert found.held.n == 11
    assert "1 of 12 labels were given for another wording of the criterion: left out" in found.notes
    write(tmp_path / "labels.jsonl", rows[1:])
    shown = {"kind": criterion("kind", KIND.text, good=[("How nice!", "kind")])}
    found = measured(
        tmp_path, judge, tmp_path / "labels.jsonl", tmp_path / "items.jsonl", criteria=shown, split=ALL
    )
    assert found.held.n == 11  # another example for the judge is no other question to people
    stale = {"kind": criterion("kind", "Be very kind.")}
    with pytest.raises(Unmeasurable, match="wording of the criterion: left out; label the items again"):
        measured(tmp_path, judge, tmp_path / "labels.jsonl", tmp_path / "items.jsonl", criteria=stale)


# -- the judge


def test_errors_of_the_judge_are_counted_and_are_no_answers(tmp_path):
    judge, _ = judge_by(lambda text, _: LLMError("down") if text in ("kind 01", "curt 00") else is_kind(text))
    log = tmp_path / "v.jsonl"
    labels, items = labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS)
    found = measured(tmp_path, judge, labels, items, verdicts=log, split=ALL)
    assert (found.held.n, found.held.unanswered) == (10, 2)
    assert [one.why for one in found.broken] == ["the judge gave no answer: down"] * 2
    assert found.held.kappa.value == 1
    assert card_of_people(found, "").unanswered == 2
    again, llm = judge_by(is_kind)
    assert measured(tmp_path, again, labels, items, verdicts=log, split=ALL).held.n == 12
    assert len(llm.requests) == 2


def test_samples_vote_and_agree_with_one_another_or_not(tmp_path):
    judge, _ = judge_by(lambda text, request: is_kind(text) or (text == "curt 00" and request.sample == 2))
    found = measured(
        tmp_path, judge, labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS), samples=3, split=ALL
    )
    assert found.samples == 3
    assert found.disagreements == []
    assert found.biases.self_consistency.value == pytest.approx((11 + 1 / 3) / 12)


def test_tied_votes_decide_nothing(tmp_path):
    judge, _ = judge_by(lambda text, request: request.sample == 0)
    found = measured(tmp_path, judge, labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS), samples=2)
    assert {one.why for one in found.decisions} == {"the votes are tied: 1 pass, 1 fail"}
    assert found.held.n == 0
    assert found.broken == []


def test_scores_are_held_at_the_gate_and_with_quadratic_weights(tmp_path):
    judge, _ = judge_by(lambda text, _: 4.0 if is_kind(text) else 2.0)
    labels = {one: {"a": 5 if value else 1, "b": 3 if value else 2} for one, value in RIGHT.items()}
    labels["i0"] = {"a": 5, "b": 4}
    found = measured(
        tmp_path,
        judge,
        labels_file(tmp_path, labels),
        items_file(tmp_path, TEXTS),
        criteria={"kind": GRADED},
        split=ALL,
    )
    assert found.identity.gate == 3.5
    assert found.people.kind == "score"
    assert {one.item: one.gold.value for one in found.decisions}["i1"] == 4
    assert [one.item for one in found.disagreements] == ["i0"]
    assert found.held.kappa.value == pytest.approx(1 - (1 / 12) / (1 - (4 * 3 + 8 * 9) / 144))
    assert 0 < found.held.weighted.value < 1
    assert any("quadratic weights" in note for note in card_of_people(found, "").notes)


def test_scores_of_people_need_a_judge_that_gives_scores(tmp_path):
    judge, _ = judge_by(is_kind)
    labels = {one: 5 if value else 2 for one, value in RIGHT.items()}
    with pytest.raises(MixedLabels, match="the labels are scores, and the judge's answers yes or no"):
        measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS))


def test_scores_of_which_nobody_said_what_is_wanted_have_a_weighted_kappa_only(tmp_path):
    labels = {one: 1 + n % 5 for n, one in enumerate(TEXTS)}
    verdicts = write(
        tmp_path / "v.jsonl", [{"item": one, "value": min(5, label + 1)} for one, label in labels.items()]
    )
    found = measured(
        tmp_path, Judge(None), labels_file(tmp_path, labels), name="better", verdicts=verdicts, split=ALL
    )
    assert found.held.kappa == found.held.weighted
    assert 0.5 < found.held.kappa.value < 1
    assert found.held.sensitivity is None
    assert "kappa of scores has quadratic weights: nobody said what score is wanted" in found.notes


def test_a_bias_for_long_texts_is_found(tmp_path):
    texts = {f"i{n}": "kind" * (1 + n) for n in range(40)}
    labels = {one: n % 2 == 0 for n, one in enumerate(texts)}
    judge, _ = judge_by(lambda text, _: len(text) > 80)
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, texts), split=ALL)
    assert found.biases.length.value == pytest.approx(1)
    assert found.biases.length.low > 0


@pytest.mark.slow
def test_code_is_measured_too_and_needs_no_llm(tmp_path):
    by_code = criterion("kind", check=lambda conversation: is_kind(conversation.turns[-1].text))
    found = measured(
        tmp_path,
        Judge(None),
        labels_file(tmp_path, RIGHT),
        items_file(tmp_path, TEXTS),
        criteria={"kind": by_code},
        split=ALL,
    )
    assert found.held.kappa.value == 1
    assert found.identity.model == "code"


# -- recorded verdicts


def recorded(tmp_path, judge, **options) -> JudgeMeasured:
    labels, items = labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS)
    return measured(tmp_path, judge, labels, items, verdicts=tmp_path / "v.jsonl", **options)


def test_what_is_recorded_is_not_asked_again(tmp_path):
    first, llm = judge_by(is_kind)
    before = recorded(tmp_path, first)
    assert len(llm.requests) == 12
    again, silent = judge_by(is_kind)
    after = recorded(tmp_path, again)
    assert silent.requests == []
    assert (after.held, after.cost) == (before.held, before.cost)
    assert recorded(tmp_path, Judge(None)).held == before.held  # nobody to ask: what is recorded
    _, more = asked = judge_by(is_kind)
    recorded(tmp_path, asked[0], samples=2)
    assert [one.sample for one in more.requests] == [1] * 12


@pytest.mark.parametrize(
    ("model", "criteria", "said"),
    [
        ("m-2", KIND, "12 of 12 recorded verdicts are of another model (m-1): asked again"),
        (
            "m-1",
            criterion("kind", "Be very kind."),
            "12 of 12 recorded verdicts are of another version of the criterion: asked again",
        ),
        ("m-1", GRADED, "12 of 12 recorded verdicts are of another prompt: asked again"),
    ],
)
def test_verdicts_of_another_model_prompt_or_criterion_are_stale(tmp_path, model, criteria, said):
    recorded(tmp_path, judge_by(is_kind)[0])
    rule = (lambda text, _: 4.0) if criteria is GRADED else is_kind
    judge, llm = judge_by(rule, model=model)
    found = recorded(tmp_path, judge, criteria={"kind": criteria})
    assert said in found.notes
    assert len(llm.requests) == 12
    nobody = recorded(tmp_path, Judge(None), criteria={"kind": criteria}, model=model)
    assert said.replace("asked again", "left out").replace("of 12", "of 24") in nobody.notes


def test_a_killed_run_goes_on_where_it_was(tmp_path):
    log = tmp_path / "v.jsonl"

    judge, _ = judge_by(is_kind)
    labels, items = labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS)

    def stop(done, planned):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measured(tmp_path, judge, labels, items, verdicts=log, progress=stop, concurrency=1)
    assert len(read_answers(log)) == 5
    with log.open("a") as torn:
        torn.write('{"item": "i7", "val')
    assert len(read_answers(log)) == 5
    again, llm = judge_by(is_kind)
    assert measured(tmp_path, again, labels, items, verdicts=log, split=ALL).held.n == 12
    assert len(llm.requests) == 7
    assert len(read_answers(log)) == len(log.read_text().splitlines()) == 12


def test_recorded_verdicts_of_anybody_are_measured_and_name_what_the_card_is_bound_to(tmp_path):
    rows = [json.loads(line) for line in LLMBAR.read_text().splitlines()]
    labels = write(
        tmp_path / "labels.jsonl", [{"item": row["item"], "label": row["gold"], "rater": "a"} for row in rows]
    )
    verdicts = write(
        tmp_path / "v.jsonl",
        [
            {"item": row["item"], "value": value, "model": model, **order}
            for row in rows
            for model in ("GPT-4", "Falcon")
            for value, order in zip(row[model], ({}, {"order": "swapped"}), strict=True)
        ],
    )
    with pytest.raises(SeveralJudges, match=r"of 2 models: 'GPT-4' \(80\), 'Falcon' \(80\).*--model"):
        measured(tmp_path, Judge(None), labels, name="better", verdicts=verdicts)
    options = {"name": "better", "verdicts": verdicts, "split": ALL}
    found = {
        model: measured(tmp_path, Judge(None), labels, model=model, **options)
        for model in ("GPT-4", "Falcon")
    }
    assert found["GPT-4"].held.kappa.value > 0.7 > 0.5 > found["Falcon"].held.kappa.value
    for model, one in found.items():
        flips = sum(row[model][0] != row[model][1] for row in rows)
        assert one.biases.position.value == pytest.approx(flips / 40)
        right = sum(row[model][0] == row["gold"] for row in rows)
        assert one.held.agreement.value == pytest.approx(right / 40)
        passes = [row for row in rows if row["gold"] == "1"]
        assert one.held.sensitivity.value == pytest.approx(
            sum(row[model][0] == "1" for row in passes) / len(passes)
        )
    assert "the answers are choices: '1' stands for pass and '2' for fail" in found["GPT-4"].notes
    assert "80 of 160 recorded verdicts are of another model (Falcon): left out" in found["GPT-4"].notes
    card = card_of_people(found["GPT-4"], "2025-01-01T00:00:00+00:00")
    assert (card.judge, card.model, card.prompt_hash, card.n, card.split) == (
        "better",
        "GPT-4",
        "",
        40,
        "grice=0",
    )
    assert card.position_bias == found["GPT-4"].biases.position


def test_the_card_says_all_that_was_measured(tmp_path):
    judge, _ = judge_by(is_kind, model="m-1-2025")
    labels = {
        one: {"a": value, "b": value if one != "i3" else True, "c": value} for one, value in RIGHT.items()
    }
    found = measured(tmp_path, judge, labels_file(tmp_path, labels), items_file(tmp_path, TEXTS), samples=2)
    card = card_of_people(found, "2025-01-01T00:00:00+00:00")
    assert (card.judge, card.model, card.prompt, card.fingerprint) == (
        "kind",
        "m-1-2025",
        "criterion",
        KIND.fingerprint,
    )
    assert len(card.prompt_hash) == 64
    assert (card.kind, card.raters, card.samples, card.split) == ("people", 3, 2, "grice=0.5")
    assert card.n + card.dev_n == 12
    assert card.decisions == found.held.decisions
    assert (card.kappa, card.dev_kappa, card.alpha) == (found.held.kappa, found.dev.kappa, found.people.alpha)
    assert card.sources == tuple(str(tmp_path / name) for name in ("labels.jsonl", "items.jsonl"))


# -- what is wrong


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([{"item": "i99", "label": True}], "labels.jsonl:1: label of an unknown item 'i99'"),
        (
            [{"item": "i1", "label": True, "rater": "a"}, {"item": "i1", "label": False, "rater": "a"}],
            "a says two things of item 'i1': fail here, pass in line 1",
        ),
    ],
)
def test_labels_that_cannot_be_are_told(tmp_path, labels, said):
    judge, llm = judge_by(is_kind)
    with pytest.raises(Unmeasurable) as wrong:
        measured(tmp_path, judge, write(tmp_path / "labels.jsonl", labels), items_file(tmp_path, TEXTS))
    assert said in str(wrong.value)
    assert llm.requests == []


def test_everything_wrong_with_all_files_is_told_at_once(tmp_path):
    labels = write(tmp_path / "labels.jsonl", [{"item": "i1"}, {"label": True}])
    items = write(tmp_path / "items.jsonl", [{"id": "i1", "txt": "x"}])
    verdicts = write(tmp_path / "v.jsonl", [{"item": "i1"}, {"item": "i1", "value": [], "order": "back"}, 7])
    with pytest.raises(FileErrors) as wrong:
        measured(tmp_path, Judge(None), labels, items, verdicts=verdicts)
    told = [str(one).split("/")[-1] for one in wrong.value.errors]
    assert [one.split(":")[0] for one in told] == ["v.jsonl"] * 4 + ["labels.jsonl"] * 2 + ["items.jsonl"]
    assert told[0] == "v.jsonl:1:1: missing field 'value', expected true, false, a score or a choice"
    assert told[1] == "v.jsonl:2:25: value: expected true, false, a score or a choice, found a list"
    assert told[2].startswith("v.jsonl:2:38: order: expected 'swapped'")
    assert told[3].startswith("v.jsonl:3:1: expected an object")


def test_labels_without_their_items_need_recorded_verdicts(tmp_path):
    labels = labels_file(tmp_path, RIGHT)
    judge, _ = judge_by(is_kind)
    with pytest.raises(Unmeasurable, match="--items"):
        measured(tmp_path, judge, labels)
    with pytest.raises(Unmeasurable, match=r"none is configured.*--verdicts"):
        measured(tmp_path, Judge(None), labels)
    verdicts = write(tmp_path / "v.jsonl", [{"item": one, "value": value} for one, value in RIGHT.items()])
    found = measured(tmp_path, Judge(None), labels, verdicts=verdicts, split=ALL)
    assert found.held.kappa.value == 1
    assert "length bias not measured: the texts of the items are not there (--items)" in found.notes


def test_an_unknown_judge_is_told_with_those_of_the_recorded_verdicts(tmp_path):
    verdicts = write(tmp_path / "v.jsonl", [{"item": "i1", "value": True, "judge": "better"}])
    with pytest.raises(UnknownJudge, match=r"'bettr' \(did you mean 'better'\?\)"):
        measured(tmp_path, Judge(None), labels_file(tmp_path, RIGHT), name="bettr", verdicts=verdicts)


def test_nothing_is_held_out_and_that_is_said(tmp_path):
    judge, _ = judge_by(is_kind)
    key = next(f"k{n}" for n in range(99) if Split(f"k{n}").is_dev("same"))
    found = measured(
        tmp_path,
        judge,
        labels_file(tmp_path, RIGHT),
        items_file(tmp_path, TEXTS, cluster="same"),
        split=Split(key),
    )
    assert (found.held.n, found.dev.n) == (0, 12)
    assert f"no item is held out (split {key}=0.5): there are no figures" in found.notes


def test_what_the_judge_is_shown_as_an_example_proves_nothing_and_is_left_out(tmp_path):
    shown = criterion("kind", "Be kind.", good=[("Kind  01", "warm")], bad=[("curt 03", "curt")])
    judge, llm = judge_by(is_kind)
    labels, items = labels_file(tmp_path, RIGHT), items_file(tmp_path, TEXTS)
    found = measured(tmp_path, judge, labels, items, criteria={"kind": shown}, split=ALL)
    assert (found.held.n, len(llm.requests)) == (10, 10)
    assert "left out, as the judge is shown the same replies as examples: 2 ('i1', 'i3')" in found.notes


def test_labels_of_which_none_counts_are_told_as_such(tmp_path):
    judge, _ = judge_by(is_kind)
    labels = labels_file(tmp_path, dict.fromkeys(TEXTS))
    found = measured(tmp_path, judge, labels, items_file(tmp_path, TEXTS))
    assert "people have decided about no item: there are no figures" in found.notes
    assert "alpha among people undefined: there is no label" in found.notes
