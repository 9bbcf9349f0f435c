"""A judge's card, and what its verdicts are worth with it, without it, and where it only advises."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from judged import NO, YES, booking, reply, scripted, verdict_on

from grice import ExpectationFailed, evaluate_assertions, expect
from grice.checks.evidence.support import be_supported_by
from grice.checks.topic_history import be_in_topic, have_reached_topic
from grice.judging.bundles import chat
from grice.judging.calibration_cards import (
    Card,
    CardError,
    card_file,
    card_json,
    load_cards,
    read_card,
    shelf_of,
)
from grice.judging.criterion import criterion
from grice.judging.current_judge import use_judge
from grice.judging.judge import Judge
from grice.judging.meet_bundle import meet
from grice.judging.prompt import load_prompt
from grice.judging.quality import sound_natural
from grice.judging.satisfy_criteria import satisfy
from grice.judging.verifying import ask_judge
from grice.matching.jest.elements import satisfy_all, satisfy_any
from grice.matching.judged_by import judged_by
from grice.matching.matcher import Matcher
from grice.records import Classification, Judgement, Outcome, Sample, Standing, Verdict
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion

KIND = criterion("kind", "The reply is kind.")
BRIEF = criterion("brief", "The reply is brief.")
GOOD = Estimate(0.7, 0.5, 0.9, 60)


def card(**changes: Any) -> Card:
    """A card that fits the scripted judge of KIND."""
    prompt = load_prompt("criterion")
    fields: dict[str, Any] = {
        "judge": "kind",
        "model": scripted().name,
        "prompt": "criterion",
        "prompt_version": prompt.version,
        "prompt_hash": prompt.hash,
        "fingerprint": KIND.fingerprint,
        "n": 60,
        "decisions": Confusion(true_alarms=20, false_alarms=3, missed=7, true_quiet=30),
        "kappa": GOOD,
    }
    return Card(**{**fields, **changes})


def judged(cards: Any = (), answer: dict[str, object] = YES, *given: Any, **options: Any) -> Verdict:
    llm = scripted(criterion=answer)
    return verdict_on(reply(), satisfy(*(given or (KIND,))), llm, cards=cards, **options)


def test_a_judge_with_a_card_is_not_uncalibrated_and_says_its_number():
    verdict = judged([card()])
    assert (verdict.outcome, verdict.uncalibrated) == ("pass", False)
    assert judged_by(verdict).endswith("kappa 0.70 (0.50 to 0.90) on 60 items")
    assert verdict.judgement is not None
    standing = verdict.judgement.standing
    assert standing is not None
    # an alarm is "not met": three that people let pass were failed, seven that they fail were passed
    assert (standing.passed_right, standing.passed_wrong) == (30, 3)
    assert (standing.failed_right, standing.failed_wrong) == (20, 7)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"judge": "brief"}, "there is no calibration card for the judge 'kind'"),
        ({"model": "other-1"}, "is stale: the model is judge, and was other-1"),
        ({"prompt_hash": "0"}, "is stale: the prompt criterion has changed"),
        ({"fingerprint": "sha256:0"}, "is stale: the criterion has changed"),
        ({"kappa": None, "notes": ("all labels are of one class",)}, "has no kappa (all labels are of one"),
        ({"kappa": Estimate(0.1, -0.2, 0.4)}, "shows too little agreement: kappa 0.10, 95 % -0.20 to 0.40"),
    ],
)
def test_a_card_that_is_missing_stale_or_weak_earns_nothing(changes: dict[str, Any], said: str):
    stale = [card(**changes)]
    free = judged(stale)
    assert (free.outcome, free.uncalibrated) == ("pass", True)
    for answer in (YES, NO):
        refused = judged(stale, answer, require_card=True)
        assert refused.outcome == "error"
        assert said.replace("is judge,", f"is {scripted().name},") in refused.reason
        assert f"the judge's answer, {'pass' if answer is YES else 'fail'}, does not count" in refused.reason


def test_a_required_kappa_is_that_of_the_lower_end():
    assert judged([card()], require_card=0.5).outcome == "pass"
    refused = judged([card()], require_card=0.51)
    assert refused.outcome == "error"
    assert "wanted at least 0.51" in refused.reason


def test_negation_does_not_turn_an_error_of_standing():
    llm = scripted(criterion=YES)
    assert verdict_on(reply(), ~satisfy(KIND), llm, require_card=True).outcome == "error"


def test_code_goes_on_to_decide_beside_a_judge_without_a_card():
    def fine(turn: object) -> bool:
        return True

    def broken(turn: object) -> bool:
        return False

    mixed = judged((), YES, KIND, fine, require_card=True)
    assert [part.outcome for part in mixed.parts] == ["error", "pass"]
    assert mixed.outcome == "error"
    failing = judged((), YES, KIND, broken, require_card=True)
    assert failing.outcome == "fail"  # by code, whatever the judge says
    doubtful = judged((), NO, KIND, fine, require_card=True)
    assert (doubtful.outcome, doubtful.reason.split(";")[0][:30]) == (
        "error",
        "there is no calibration card f",
    )


def test_soft_verdicts_need_no_card():
    from grice.matching.context import resolve_subject
    from grice.matching.judge import judge as judge_now

    seen = resolve_subject(reply(), mode="soft")
    judge = Judge(scripted(criterion=NO), require_card=True)
    context = msgspec.structs.replace(seen.context, judge=judge)
    verdict = judge_now(satisfy(KIND), seen.subject, context)
    assert (verdict.outcome, verdict.mode) == ("fail", "soft")


@pytest.mark.parametrize("advisory", [True, ["kind"]])
def test_an_advisory_judge_gives_soft_verdicts_and_is_marked(advisory: Any):
    verdict = judged((), NO, advisory=advisory, require_card=True)
    assert (verdict.outcome, verdict.mode, verdict.uncalibrated) == ("fail", "soft", False)
    assert "advisory" in judged_by(verdict)
    assert judged((), NO, advisory=["brief"]).mode == "hard"


def test_an_advisory_criterion_changes_nothing_beside_others():
    answers = {"criterion:kind": NO, "criterion:brief": YES}
    verdict = verdict_on(reply(), satisfy(KIND, BRIEF), scripted(**answers), advisory=["kind"])
    assert (verdict.outcome, verdict.mode) == ("pass", "hard")
    assert [(part.outcome, part.mode) for part in verdict.parts] == [("fail", "soft"), ("pass", "hard")]
    alone = verdict_on(reply(), satisfy(KIND, BRIEF), scripted(**answers), advisory=True)
    assert (alone.outcome, alone.mode) == ("fail", "soft")


def test_a_judge_of_quality_goes_by_the_name_of_its_prompt():
    prompt = load_prompt("naturalness")
    own = card(
        judge="naturalness",
        prompt="naturalness",
        prompt_version=prompt.version,
        prompt_hash=prompt.hash,
        fingerprint="",
        gate=3.7,
    )
    llm = scripted(naturalness={"requirement": "be fluent", "reasons": ["fluent"], "score": 4})
    assert not verdict_on(reply(), sound_natural(), llm, cards=[own], require_card=True).uncalibrated
    other = verdict_on(reply(), sound_natural(at_least=3), llm, cards=[own], require_card=True)
    assert other.outcome == "error"
    assert "holds for the gate 3.7, not 3" in other.reason


def test_bundles_and_verifiers_need_cards_too():
    natural = {"requirement": "be fluent", "reasons": ["fluent"], "score": 5}
    llm = scripted(naturalness=natural, guidance=natural, context_use=natural)
    met = verdict_on(reply(), meet(chat()), llm, require_card=True)
    rows = {part.criterion: part.outcome for part in met.parts}
    assert (rows["naturalness"], rows["IQ"]) == ("error", "error")
    assert met.outcome in ("error", "fail")
    advised = verdict_on(reply(), meet(chat()), llm, advisory=True)
    assert {part.mode for part in advised.parts if part.layer == 3} == {"soft"}

    says = {"requirement": "no fee", "reasoning": "it is the same", "answer": "supported"}
    supported = be_supported_by({"notice": "the fee is waived for members"}, verifier=ask_judge)
    told = "Members pay no fee at all for the hall, ever since spring."
    refused = verdict_on(told, supported, scripted(verification=says), require_card=True)
    assert refused.outcome == "error"
    for answer in (says, "no JSON"):
        assert verdict_on(told, supported, scripted(verification=answer), advisory=True).mode == "soft"


def test_a_judge_that_does_not_answer_says_why_itself():
    verdict = verdict_on(reply(), satisfy(KIND), scripted(criterion="no JSON"), require_card=True)
    assert verdict.outcome == "error"
    assert "malformed" in verdict.reason
    assert "calibration" not in verdict.reason


def test_a_folder_of_cards_is_read_and_what_is_none_is_said(tmp_path: Path):
    (tmp_path / card_file(card())).write_bytes(card_json(card()))
    (tmp_path / "odd.card.json").write_text("{")
    cards, problems = load_cards(tmp_path)
    assert list(cards.values()) == [card()]
    assert len(problems) == 1
    assert "odd.card.json: is no calibration card" in problems[0]
    assert judged(tmp_path, require_card=True).outcome == "pass"
    (tmp_path / card_file(card())).unlink()
    assert "odd.card.json: is no calibration card" in judged(tmp_path, require_card=True).reason
    assert load_cards(tmp_path / "nowhere") == ({}, ())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kappa": Estimate(0.9, 7, -3)}, "kappa is 0.9, 95 % 7 to -3"),
        ({"kappa": Estimate(1.2, 0.5, 1.3)}, "kappa is 1.2"),
        ({"n": -7}, "n is -7"),
        ({"decisions": Confusion(-15, 3, 1, 20)}, "decisions count -15, 3, 1, 20"),
        ({"n": 10}, "n is 10, and decisions count 20, 3, 7, 30"),
    ],
)
def test_a_card_with_figures_that_cannot_be_is_none(tmp_path: Path, changes: dict[str, Any], said: str):
    path = tmp_path / card_file(card())
    path.write_bytes(card_json(card(**changes)))
    with pytest.raises(CardError, match=re.escape(said)):
        read_card(path)
    verdict = judged(tmp_path, require_card=True)
    assert (verdict.outcome, said in verdict.reason) == ("error", True)


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path):
    (tmp_path / "cards").write_text("")
    assert "cards is no folder" in judged(tmp_path / "cards", require_card=True).reason


def test_a_card_of_a_newer_version_is_refused_by_name(tmp_path: Path):
    path = tmp_path / "new.card.json"
    path.write_bytes(card_json(card()).replace(b'"version": 1', b'"version": 2', 1))
    with pytest.raises(CardError, match=r"new\.card\.json: has version 2, and this Grice reads 1"):
        read_card(path)


def test_names_that_fit_no_file_are_told_apart():
    names = {card_file(card(judge=name)) for name in ("a/b", "a b", "a-b", "è", "..", "")}
    assert len(names) == 6
    assert all("/" not in name and not name.startswith(".") for name in names)


def test_a_required_kappa_is_from_0_to_1():
    with pytest.raises(ValueError, match="a kappa from 0 to 1, found 2"):
        shelf_of([], require=2)


def test_every_part_of_a_verdict_is_asked_for_its_card():
    answers = {"criterion:kind": YES, "criterion:brief": YES}
    verdict = verdict_on(reply(booking()), satisfy(KIND, BRIEF), scripted(**answers), cards=[card()])
    assert [part.uncalibrated for part in verdict.parts] == [False, True]
    assert verdict.uncalibrated
    assert verdict.outcome is Outcome.PASS


# -- no way round


def in_conversation(subject: object, matcher: Matcher[Any], **options: Any) -> Verdict:
    return verdict_on(subject, matcher, scripted(criterion=YES), **options)


@pytest.mark.parametrize(
    "matcher",
    [
        satisfy_all(satisfy(KIND)),
        satisfy_any(satisfy(KIND)),
        ~satisfy_any(~satisfy(KIND)),
        satisfy_all(~satisfy(KIND)),
    ],
)
def test_elements_of_a_list_are_no_way_round(matcher: Matcher[Any]):
    refused = in_conversation(["Happy to help"], matcher, require_card=True)
    assert (refused.outcome, "there is no calibration card" in refused.reason) == ("error", True)
    marked = in_conversation(["Happy to help"], matcher)
    assert (marked.outcome in ("pass", "fail"), marked.uncalibrated) == (True, True)
    advised = in_conversation(["Happy to help"], matcher, advisory=True)
    assert (advised.mode, advised.outcome) == ("soft", marked.outcome)


def test_assertions_as_data_are_no_way_round():
    kind = [{"path": "$", "matcher": "toSatisfy", "expected": "The reply is kind."}]
    for required, outcome in ((False, "pass"), (True, "error")):
        with use_judge(Judge(scripted(criterion=YES), require_card=required)):
            (result,) = evaluate_assertions("Happy to help", kind).results
        assert result.outcome == outcome
        assert "uncalibrated" in result.message or "there is no calibration card" in result.message


def test_a_bare_llm_has_the_cards_of_the_judge_that_it_stands_in_for():
    strict = Judge(scripted(criterion=YES), require_card=True)
    refused = pytest.raises(ExpectationFailed, match="there is no calibration card")
    with use_judge(strict), use_judge(scripted(criterion=YES)), refused:
        expect("Happy to help").to_satisfy("The reply is kind.")
    with use_judge(scripted(criterion=YES)):
        expect("Happy to help").to_satisfy("The reply is kind.")


def test_a_topic_that_a_judge_told_is_as_good_as_that_judge():
    standing = Standing(problem="there is no calibration card for the judge 'topic'", required=True)
    heard = (Sample({"topic": "rooms"}),)
    judgement = Judgement("topic", 1, "", samples=heard, standing=standing)
    told = Classification("rooms", "judge", judgement=judgement)
    conversation = msgspec.structs.replace(
        booking(), turns=(msgspec.structs.replace(booking().turns[0], classified=told),)
    )
    assert verdict_on(conversation, be_in_topic("rooms"), None).outcome == "error"
    free = msgspec.structs.replace(standing, required=False)
    told = msgspec.structs.replace(told, judgement=msgspec.structs.replace(judgement, standing=free))
    conversation = msgspec.structs.replace(
        booking(), turns=(msgspec.structs.replace(booking().turns[0], classified=told),)
    )
    verdict = verdict_on(conversation, have_reached_topic("rooms"), None)
    assert (verdict.outcome, verdict.uncalibrated) == ("pass", True)


def test_few_items_and_own_examples_decide_nothing_where_a_card_is_required():
    for weak, said in (
        (card(n=12), "rests on 12 items: at least 20 are wanted"),
        (card(kind="examples"), "is of own examples: people's labels are wanted"),
    ):
        assert not judged([weak]).uncalibrated
        refused = judged([weak], require_card=True)
        assert refused.outcome == "error"
        assert said in refused.reason
    assert judged_by(judged([card(kind="examples")])).endswith("on 60 of its own examples")


def test_advice_takes_back_nothing_that_rules_prove():
    says = {"requirement": "as is", "reasoning": "it is the same", "answer": "supported"}
    jacket = be_supported_by(["The jacket costs 80 EUR."], verifier=ask_judge)
    told = "The jacket costs 30 EUR. It was made by happy people in Portugal in 1999."
    verdict = verdict_on(told, jacket, scripted(verification=says), advisory=True)
    assert (verdict.outcome, verdict.mode) == ("fail", "hard")


def test_soft_rows_of_a_bundle_need_no_card():
    natural = {"requirement": "be fluent", "reasons": ["fluent"], "score": 5}
    llm = scripted(naturalness=natural, guidance=natural, context_use=natural)
    met = verdict_on(reply(), meet(chat(soft=["naturalness"])), llm, require_card=True)
    rows = {part.criterion: (part.outcome, part.mode) for part in met.parts}
    assert rows["naturalness"] == ("pass", "soft")
    assert rows["guidance"] == ("error", "hard")
    assert all(part.uncalibrated for part in met.parts if part.criterion == "IQ")
