"""An attempt has everything of a result that can be counted, and nothing of its transcript."""

import msgspec
import pytest
from msgspec import structs

from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.check_rows import CheckRow, check_rows
from grice.experiments.judge_requests import Judging
from grice.records import (
    Classification,
    Conversation,
    Exchange,
    JsonValue,
    Judgement,
    Message,
    Outcome,
    Result,
    Sample,
    Turn,
    Verdict,
)


def turn(number: int, topic: str = "", seconds: float | None = None, **fields: object) -> Turn:
    classified = Classification(topic, "trigger") if topic else None
    said = (Message("user", "Hi"), Message("assistant", "Hello, my card is 4111"))
    return Turn(number, said, duration=seconds, classified=classified, **fields)  # type: ignore[arg-type]


def result(*verdicts: Verdict, turns: tuple[Turn, ...] = (), **fields: object) -> Result:
    fields.setdefault("outcome", Outcome.PASS)
    return Result(
        "example:1",
        "munich",
        conversation=Conversation(turns=turns),
        verdicts=verdicts,
        **fields,  # type: ignore[arg-type]
    )


def judged(outcome: Outcome, criterion: str, **fields: object) -> Verdict:
    how = Judgement(
        "criterion", 2, "sha256:p", "m-1", (Sample(answer={}),), fingerprint=f"sha256:{criterion}"
    )
    return Verdict(
        outcome,
        matcher="toSatisfy",
        criterion=criterion,
        layer=3,
        judgement=how,
        **fields,  # type: ignore[arg-type]
    )


def test_the_visits_to_topics_tell_whether_it_went_back() -> None:
    there_and_back = attempt_of(result(turns=(turn(1, "a"), turn(2, "b"), turn(3, "b"), turn(4, "a"))))
    assert (there_and_back.turns, there_and_back.topics, there_and_back.returned) == (
        4,
        ("a", "b", "a"),
        True,
    )
    assert not attempt_of(result(turns=(turn(1, "a"), turn(2, "a"), turn(3, "b")))).returned
    assert not attempt_of(result(turns=(turn(1),))).returned


def test_only_turns_that_were_measured_count_in_latencies_and_tokens() -> None:
    asked = (
        Exchange({}, {"usage": {"prompt_tokens": 100, "completion_tokens": 0}}, "openai_chat"),
        Exchange({}, {"usage": {"prompt_tokens": 20, "completion_tokens": 5}}, "openai_chat"),
    )
    turns = (
        turn(1, seconds=0.25, exchanges=asked),
        turn(2),
        turn(3, seconds=float("nan")),
        turn(4, seconds=1.5, exchanges=(Exchange({}),)),
    )
    found = attempt_of(result(turns=turns))
    assert (found.latencies, found.tokens) == ((0.25, 1.5), (125,))


WHOLE = {"usage": {"input_tokens": 9000, "output_tokens": 100}}


@pytest.mark.parametrize(
    ("replies", "tokens"),
    [
        ([WHOLE, WHOLE], (18200,)),
        ([{"usage": {"output_tokens": 100}}] * 2, ()),
        ([{"usage": {"input_tokens": 100}}], ()),
        ([{}, WHOLE], ()),
        ([], ()),
    ],
)
def test_a_turn_that_lacks_some_tokens_tells_none(
    replies: list[dict[str, JsonValue]], tokens: tuple[int, ...]
) -> None:
    exchanges = tuple(Exchange({}, reply) for reply in replies)
    assert attempt_of(result(turns=(turn(1, exchanges=exchanges),))).tokens == tokens


def test_a_request_that_was_refused_and_embeddings_take_no_tokens_away() -> None:
    refused = Exchange({}, None, "openai_chat", error="slow down", status=429)
    texts = Exchange({}, {"usage": {"prompt_tokens": 7, "total_tokens": 7}}, "openai_embeddings")
    found = attempt_of(result(turns=(turn(1, exchanges=(refused, texts, Exchange({}, WHOLE))),)))
    assert found.tokens == (9107,)


def test_the_polarity_of_a_check_is_kept() -> None:
    no = Verdict(Outcome.PASS, matcher="toContain", negated=True)
    assert [one.negated for one in attempt_of(result(no)).checks] == [True]
    part = Verdict(Outcome.PASS, matcher="toSatisfy", criterion="rude")
    whole = Verdict(Outcome.PASS, matcher="toSatisfy", negated=True, parts=(part,))
    assert [one.negated for one in attempt_of(result(whole)).checks] == [True]


SAID = Verdict(Outcome.PASS, claim="test_it to hold")


@pytest.mark.parametrize(
    ("verdicts", "bare"),
    [
        ((SAID,), True),
        ((SAID, Verdict(Outcome.SKIPPED, matcher="toContain")), True),
        ((SAID, Verdict(Outcome.PASS, "2 of 3 runs passed", claim="at least 2 of 3 runs to pass")), True),
        ((), False),
        ((Verdict(Outcome.PASS, "it returned True", claim="test_it to hold"),), False),
        ((SAID, Verdict(Outcome.PASS, matcher="toContain")), False),
        ((Verdict(Outcome.PASS, criterion="asks for the date"),), False),
        ((SAID, Verdict(Outcome.FAIL, matcher="toContain", mode="soft")), True),
        ((Verdict(Outcome.PASS, matcher="toContain", mode="soft"),), False),
    ],
)
def test_bare_is_what_only_the_body_of_a_test_let_pass(verdicts: tuple[Verdict, ...], bare: bool) -> None:
    assert attempt_of(result(*verdicts)).bare is bare
    assert not attempt_of(result(*verdicts, outcome=Outcome.FAIL)).bare


def test_the_word_of_a_body_beside_soft_checks_is_a_check() -> None:
    soft = Verdict(Outcome.PASS, matcher="toContain", mode="soft")
    assert attempt_of(result(soft)).unchecked
    assert not attempt_of(result(soft, SAID)).unchecked


def test_the_code_of_a_test_that_asserts_is_kept() -> None:
    made = structs.replace(result(SAID), asserts=f"sha256:{'ab' * 32}")
    assert (attempt_of(made).asserts, attempt_of(result(SAID)).asserts) == ("ab" * 8, "")


def test_what_was_asked_is_told_apart_by_fingerprints() -> None:
    def asks(**fields: object) -> dict[str, str]:
        given = {"matcher": "toMatch", "claim": "to match x", "mode": "soft", **fields}
        return attempt_of(result(Verdict(Outcome.PASS, **given))).asks  # type: ignore[arg-type]

    assert asks().keys() == {"toMatch"}
    assert asks() != asks(claim="to match y")
    assert asks() != asks(negated=True)
    assert asks(mode="hard") == {}
    assert asks(criterion="polite").keys() == {"polite"}
    policy = [Verdict(Outcome.PASS, criterion=name, claim=name, matcher="toFollowPolicy") for name in "ab"]
    assert asks(matcher="toFollowPolicy", parts=tuple(policy)) == asks(matcher="toFollowPolicy")
    parts = [Verdict(Outcome.PASS, criterion=name, claim=name) for name in "ab"]
    assert asks(matcher="toSatisfy", parts=tuple(parts)).keys() == {"a", "b"}
    bundle = asks(matcher="toMeet", detail={"bundle": "chat"}, parts=tuple(parts))
    assert bundle.keys() == {"chat"}


def test_numbers_that_cannot_be_are_not_told() -> None:
    many = Exchange({}, {"usage": {"prompt_tokens": 10**30}}, "openai_chat")
    turns = tuple(turn(number, seconds=seconds) for number, seconds in enumerate((-1.0, 1e308, 2.0), 1))
    verdicts = [
        *(judged(Outcome.PASS, "warm", score=score) for score in (-7.0, 1e308, float("nan"), 3.5)),
        *(grounding(venues=counts) for counts in ((3, 2), (-1, 2), (0, 10**30), (1, 2))),
        *(
            Verdict(Outcome.PASS, matcher="toClarifyEfficiently", detail=detail)
            for detail in ({"mean": -1}, {"mean": 10**400}, {"mean": 2, "rounds": -3}, {"mean": 2})
        ),
    ]
    found = attempt_of(result(*verdicts, turns=(*turns, turn(4, exchanges=(many,)))))
    assert (found.turns, found.latencies, found.tokens) == (4, (2.0,), ())
    assert (found.scores, found.claims) == ({"warm": (3.5,)}, {"venues": (1, 2)})
    assert found.clarifying == ((2.0, 1),)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Attempt) == found


def test_checks_are_tallied_by_what_they_are_and_how_they_came_out() -> None:
    soft = judged(Outcome.PASS, "friendly", mode="soft")
    found = attempt_of(
        result(soft, soft, judged(Outcome.FAIL, "friendly"), Verdict(Outcome.PASS, matcher="toContain"))
    )
    assert {tally.row: tally.times for tally in found.checks} == {
        CheckRow("friendly", "toSatisfy", "soft", "pass", 3): 2,
        CheckRow("friendly", "toSatisfy", "hard", "fail", 3): 1,
        CheckRow("", "toContain", "hard", "pass", None): 1,
    }
    assert found.judged == (Judging("friendly", "m-1", "criterion", 2, "sha256:friendly"),)


def test_a_judge_that_gave_no_answer_had_no_part_in_it() -> None:
    silent = Judgement("criterion", 2, "sha256:p", "m-1", (Sample(),), fingerprint="sha256:f")
    down = Verdict(Outcome.ERROR, matcher="toSatisfy", criterion="friendly", judgement=silent)
    found = attempt_of(result(down))
    assert found.judged == ()


def test_a_verdict_of_several_criteria_counts_once_for_each() -> None:
    parts = (judged(Outcome.PASS, "friendly"), judged(Outcome.FAIL, "helpful"))
    whole = Verdict(Outcome.FAIL, matcher="toSatisfy", parts=parts, mode="soft", layer=3)
    assert [row.criterion for row in check_rows([whole])] == ["friendly", "helpful"]
    assert {row.mode for row in check_rows([whole])} == {"soft"}


def test_the_points_of_judges_go_by_criterion_else_by_matcher() -> None:
    natural = Verdict(
        Outcome.PASS, matcher="toBeNatural", score=4.0, judgement=Judgement("naturalness", 1, "h", model="m")
    )
    found = attempt_of(result(judged(Outcome.PASS, "warm", score=3.5), natural, natural))
    assert found.scores == {"warm": (3.5,), "toBeNatural": (4.0, 4.0)}
    by_code = Verdict(Outcome.PASS, matcher="toBeNear", score=4.0)
    assert attempt_of(result(by_code)).scores == {}


def grounding(**counts: tuple[int, int]) -> Verdict:
    claims = {kind: {"grounded": grounded, "total": total} for kind, (grounded, total) in counts.items()}
    return Verdict(Outcome.FAIL, matcher="toBeGroundedIn", detail={"claims": claims})


def test_claims_are_counted_by_type_over_all_verdicts() -> None:
    found = attempt_of(result(grounding(venues=(2, 3), pricing=(0, 1)), grounding(venues=(1, 1))))
    assert found.claims == {"venues": (3, 4), "pricing": (0, 1)}


@pytest.mark.parametrize("odd", [{"claims": 3}, {"claims": {"venues": [1]}}, {"claims": {"venues": {}}}, {}])
def test_details_of_any_other_shape_are_no_claims(odd: dict[str, object]) -> None:
    verdict = Verdict(Outcome.PASS, matcher="toBeGroundedIn", detail=odd)
    assert attempt_of(result(verdict)).claims == {}


def test_rounds_of_clarifiers_keep_how_many_they_are_a_mean_of() -> None:
    verdict = Verdict(Outcome.PASS, matcher="toClarifyEfficiently", detail={"mean": 1.5, "rounds": 2})
    undecided = Verdict(Outcome.INCONCLUSIVE, matcher="toClarifyEfficiently")
    assert attempt_of(result(verdict, undecided)).clarifying == ((1.5, 2),)


def test_why_says_what_failed_and_why_it_does_not_count() -> None:
    failed = Verdict(
        Outcome.FAIL, "called only: book_room", matcher="toCallTool", claim="the reply to call x"
    )
    assert attempt_of(result(failed, outcome=Outcome.FAIL)).why == "call x: called only: book_room"
    assert attempt_of(result()).why == ""
    broken = Verdict(Outcome.ERROR, "judge down", matcher="toSatisfy")
    found = attempt_of(result(broken, outcome=Outcome.ERROR, counts=False))
    assert (found.why, found.counted) == ("a check broke: judge down", False)


def test_a_skipped_one_is_in_no_rate() -> None:
    assert not attempt_of(result(outcome=Outcome.SKIPPED)).counted


def test_nothing_that_was_said_is_in_it_and_it_survives_a_file() -> None:
    found = attempt_of(
        result(
            judged(Outcome.PASS, "friendly"),
            grounding(venues=(1, 2)),
            turns=(turn(1, "a", 0.5), turn(2, "b")),
        )
    )
    encoded = msgspec.json.encode(found)
    assert b"4111" not in encoded
    assert msgspec.json.decode(encoded, type=Attempt) == found
