"""The bundles `chat`, `recommend` and `policy`: the checks of a kind of turn, with one table."""

import msgspec
import pytest
from judged import booking, reply, scripted, verdict_on

from grice.checks.first_looks import FirstLook
from grice.experiments.check_rows import check_rows, count_softened
from grice.judging import meet_bundle
from grice.judging.bundles import ROWS, Bundle, chat, policy, recommend
from grice.judging.meet_bundle import meet
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.jest.texts import contain
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Message, Outcome, Reply, ToolCall, Turn

BOARDS = [
    {
        "id": "a",
        "title": "Aurora 148",
        "price": 349.0,
        "currency": "USD",
        "skill": "beginner",
        "flex": "soft",
    },
    {
        "id": "b",
        "title": "Drift 151",
        "price": 389.0,
        "currency": "USD",
        "skill": "beginner",
        "flex": "medium",
    },
]
SHOWN = [
    {"id": "a", "title": "Aurora 148", "price": 349.0, "why": ["Beginner-friendly", "Soft flex"]},
    {"id": "b", "title": "Drift 151", "price": 389.0, "why": ["Beginner-friendly"]},
]
CARD = {"returns": {"window_days": 30}, "shipping": {"free_over": 50}}
GOOD = {"naturalness": 4.2, "guidance": 4.4, "context_use": 4.0}
WANTED = ["beginner", "under $400"]


FIRST_LOOKS = {"products": None, "policy": None, "topicality": FirstLook(12, 16, 6, 10, 8)}


@pytest.fixture(autouse=True)
def _first_looks(monkeypatch):
    """Every rule was right at its first look, but for three: figures change with each round of examples."""
    good = FirstLook(16, 16, 8, 8, 8)
    monkeypatch.setattr(meet_bundle, "first_look", lambda rule, profile: FIRST_LOOKS.get(rule, good))


def rated(**scores):
    answers = {
        name: {"requirement": "r", "reasons": ["so"], "score": score} for name, score in scores.items()
    }
    return scripted(**answers)


def turn_with(text, data=None, *calls, user="Which beginner board can I get for under $400?"):
    return Turn(1, (Message("user", user), Message("assistant", text)), calls, data=data)


def recommendation(products=SHOWN, calls=("product.search",), lead="Here's what I'd pick for a beginner."):
    detail = "Both boards cost less than $400, and they're easy to turn."
    data = {"mode": "recommend", "lead": lead, "detail": detail, "clarifiers": [], "products": products}
    made = [ToolCall(name, result=BOARDS) for name in calls]
    return Reply(Conversation("c", (turn_with(f"{lead} {detail}", data, *made),)), 1)


def rows(verdict):
    return {part.criterion: part for part in verdict.parts}


def failing(verdict):
    return {name for name, part in rows(verdict).items() if part.outcome is Outcome.FAIL}


def test_a_good_recommendation_passes_and_the_table_has_every_layer():
    verdict = verdict_on(recommendation(), meet(recommend(budget=400, constraints=WANTED)), rated(**GOOD))
    assert verdict.outcome is Outcome.PASS, verdict.reason
    assert {part.layer for part in verdict.parts} == {0, 1, 2, 3, 4}
    assert [part.layer for part in verdict.parts] == sorted(part.layer for part in verdict.parts)
    assert rows(verdict)["IQ"].score == 4.2
    lines = verdict.reason.splitlines()
    assert lines[0].startswith("recommend: ")
    assert len(lines) == 1 + len(verdict.parts)
    assert any(line.split()[:3] == ["2", "products", "pass"] for line in lines)


@pytest.mark.parametrize(
    ("made", "caught"),
    [
        (recommendation(calls=()), {"tools"}),
        (recommendation(calls=("product.search",) * 3), {"tools"}),
        (recommendation(products=SHOWN[:1]), {"envelope"}),
        (recommendation(products=[SHOWN[0], {**SHOWN[1], "why": ["Carbon core"]}]), {"products"}),
        (recommendation(lead="As an AI, I can't feel, but here's what I'd pick."), {"boilerplate"}),
    ],
)
def test_one_fault_fails_its_own_check_only(made, caught):
    records = {board["id"]: board for board in BOARDS}
    bundle = recommend(budget=400, constraints=WANTED, records=records, judges=False, hard=["products"])
    verdict = verdict_on(made, meet(bundle), scripted())
    assert verdict.outcome is Outcome.FAIL
    assert failing(verdict) == caught, verdict.reason
    (name,) = caught
    first, row, *_ = verdict.reason.splitlines()
    assert first.startswith(f"{name}: ")
    assert ", 1 fail, " in first
    assert row.split()[1:3] == [name, "fail"]


def test_a_product_over_the_budget_fails():
    dear = [{**board, "price": 900.0} for board in BOARDS]
    shown = [{**product, "price": 900.0} for product in SHOWN]
    verdict = verdict_on(
        recommendation(products=shown), meet(recommend(budget=400, records=dear, judges=False)), scripted()
    )
    assert "budget" in failing(verdict)


def test_what_nobody_gave_is_skipped_and_says_what_it_needs():
    found = rows(verdict_on(recommendation(), meet(recommend), rated(**GOOD)))
    assert found["budget"].outcome is Outcome.SKIPPED
    assert "recommend(budget=...)" in found["budget"].reason
    assert "recommend(constraints=[...])" in found["coverage"].reason


def test_without_a_store_card_policy_goes_by_what_the_tools_of_the_turn_returned():
    call = ToolCall("policy.get", result=CARD)
    made = turn_with("You've got 60 days to return it.", None, call, user="How long can I return a board?")
    verdict = verdict_on(Reply(Conversation("c", (made,)), 1), meet(policy(judges=False)), scripted())
    assert failing(verdict) == {"policy"}
    unread = turn_with("You've got 60 days to return it.", user="How long can I return a board?")
    verdict = verdict_on(Reply(Conversation("c", (unread,)), 1), meet(policy(judges=False)), scripted())
    assert rows(verdict)["policy"].outcome is Outcome.INCONCLUSIVE
    assert verdict.outcome is Outcome.FAIL  # nothing was read


@pytest.mark.parametrize(
    ("bundle", "scores", "caught"),
    [
        (recommend, {**GOOD, "naturalness": 3.6}, {"naturalness"}),
        (recommend, {**GOOD, "guidance": 3.9}, {"guidance"}),
        (recommend, {**GOOD, "context_use": 3.6}, {"context use"}),
        (recommend, {"naturalness": 3.8, "guidance": 4.4, "context_use": 3.8}, {"IQ"}),
        (chat, {"naturalness": 3.7, "guidance": 3.0, "context_use": 3.7}, {"guidance"}),
    ],
)
def test_the_gates_of_the_judges(bundle, scores, caught):
    verdict = verdict_on(recommendation(), meet(bundle(without=["tools"])), rated(**scores))
    judged = {name for name in failing(verdict) if rows(verdict)[name].layer == 3}
    assert judged == caught


def test_a_soft_check_is_shown_and_changes_nothing():
    made = recommendation(lead="Here's a pick! You'll love it!")
    hard = verdict_on(made, meet(recommend(judges=False)), scripted())
    soft = verdict_on(made, meet(recommend(judges=False, soft=["exclamations", "topicality"])), scripted())
    assert failing(hard) == failing(soft) == {"exclamations"}
    assert (hard.outcome, soft.outcome) == (Outcome.FAIL, Outcome.PASS)
    assert rows(soft)["exclamations"].mode == "soft"
    assert "fail (soft)" in soft.reason


def test_a_rule_that_was_often_wrong_at_its_first_look_is_soft_unless_it_is_named():
    made = recommendation(products=[SHOWN[0], {**SHOWN[1], "why": ["Carbon core"]}])
    soft = verdict_on(made, meet(recommend(judges=False)), scripted())
    hard = verdict_on(made, meet(recommend(judges=False, hard=["products"])), scripted())
    assert (soft.outcome, hard.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert rows(soft)["products"].softened == "no first look"
    assert "fail (soft: no first look)" in soft.reason
    assert soft.reason.splitlines()[0].endswith("; soft: 1 fail")
    assert rows(hard)["products"].softened == ""
    assert count_softened([soft]) == count_softened([hard]) + 1 == 1


def test_the_first_look_is_that_of_the_profile_and_rows_without_a_rule_stay_hard():
    found = rows(verdict_on(recommendation(), meet(recommend(embedder="lexical")), rated(**GOOD)))
    assert found["topicality"].softened == "first look 12/16"
    assert {name for name, row in found.items() if row.softened} == {"topicality", "products"}
    assert found["self-report"].mode == found["IQ"].mode == "hard"


def test_what_is_said_to_be_hard_is_soft_no_more_and_the_reverse():
    assert chat(hard=["guidance"]).soft == ("context use",)
    assert recommend(hard=["products"])(soft=["products"]).hard == ()
    with pytest.raises(ArgumentError, match="'budget' is both hard and soft"):
        recommend(hard=["budget"], soft=["budget"])


def test_without_an_embedder_that_compares_meaning_nobody_can_tell_the_topic():
    found = rows(verdict_on(recommendation(), meet(recommend(judges=False)), scripted()))
    assert found["topicality"].outcome is Outcome.SKIPPED
    assert 'embedder="minilm"' in found["topicality"].reason


def test_a_check_that_cannot_tell_keeps_the_bundle_from_passing():
    made = recommendation(products=[{**one, "price": None} for one in SHOWN])
    nothing = [{key: value for key, value in board.items() if key != "price"} for board in BOARDS]
    verdict = verdict_on(made, meet(recommend(budget=400, records=nothing, judges=False)), scripted())
    assert rows(verdict)["budget"].outcome is Outcome.INCONCLUSIVE, verdict.reason
    assert verdict.outcome in (Outcome.INCONCLUSIVE, Outcome.FAIL)


def test_without_a_judge_it_is_an_error_unless_judges_are_left_out():
    assert verdict_on(recommendation(), meet(recommend), judged=False).outcome is Outcome.ERROR
    assert verdict_on(recommendation(), meet(recommend(judges=False)), judged=False).outcome is Outcome.PASS


def test_one_judge_that_is_down_is_an_error_in_its_row():
    llm = scripted(
        naturalness=ConnectionError("down"),
        guidance={"requirement": "r", "reasons": ["so"], "score": 4.4},
        context_use={"requirement": "r", "reasons": ["so"], "score": 4.4},
    )
    verdict = verdict_on(recommendation(), meet(recommend), llm)
    assert rows(verdict)["naturalness"].outcome is Outcome.ERROR
    assert rows(verdict)["guidance"].outcome is Outcome.PASS
    assert verdict.outcome is Outcome.ERROR


def test_small_talk_uses_no_tools_and_plain_text_needs_no_envelope():
    hello = Reply(Conversation("c", (turn_with("Hi there, what can I do for you?", user="Hello!"),)), 1)
    verdict = verdict_on(hello, meet(chat(judges=False)), scripted())
    assert verdict.outcome is Outcome.PASS, verdict.reason
    assert rows(verdict)["envelope"].outcome is Outcome.SKIPPED
    busy = Reply(Conversation("c", (turn_with("Hi!", None, ToolCall("product.search", result=[])),)), 1)
    assert failing(verdict_on(busy, meet(chat(judges=False)), scripted())) == {"tools"}


def test_a_policy_reply_says_only_what_the_store_card_says():
    def answered(text):
        call = ToolCall("policy.get", result=CARD)
        made = turn_with(text, None, call, user="How long can I return a board?")
        return Reply(Conversation("c", (made,)), 1)

    bundle = policy(store_card=CARD, judges=False, hard=["policy"])
    right = verdict_on(answered("You've got 30 days to return it."), meet(bundle), scripted())
    assert rows(right)["policy"].outcome is Outcome.PASS, right.reason
    wrong = verdict_on(answered("You've got 60 days to return it."), meet(bundle), scripted())
    assert failing(wrong) == {"policy"}
    nothing = verdict_on(
        answered("You've got 60 days to return it."), meet(bundle(store_card={})), scripted()
    )
    assert rows(nothing)["policy"].outcome is nothing.outcome is Outcome.INCONCLUSIVE


def test_further_matchers_are_rows_too():
    bundle = recommend(judges=False, also=[contain("warranty")])
    verdict = verdict_on(recommendation(), meet(bundle), scripted())
    assert failing(verdict) == {"contain 'warranty'"}


def test_the_negation_says_that_it_does_not_meet_it():
    made = recommendation(products=SHOWN[:1])
    assert verdict_on(made, ~meet(recommend(judges=False)), scripted()).outcome is Outcome.PASS
    assert verdict_on(recommendation(), ~meet(recommend(judges=False)), scripted()).outcome is Outcome.FAIL


def test_the_parts_of_a_negation_say_what_their_own_checks_say():
    verdict = verdict_on(
        recommendation(products=SHOWN[:1]),
        ~meet(recommend(judges=False, also=[~contain("warranty")])),
        scripted(),
    )
    assert failing(verdict) == {"envelope"}
    added = rows(verdict)["not contain 'warranty'"]
    assert (added.outcome, added.negated, added.claim) == (
        Outcome.PASS,
        True,
        "the reply not to contain 'warranty'",
    )


def test_what_is_asked_without_a_question_mark_is_asked():
    asked = Turn(1, (Message("user", "I'd like boots"), Message("assistant", "Sure, what's your boot size?")))
    again = "Got it, I'm on it. Please tell me your boot size."
    repeated = Turn(2, (Message("user", "Size 42"), Message("assistant", again)))
    verdict = verdict_on(Reply(Conversation("c", (asked, repeated)), 2), meet(chat(judges=False)), scripted())
    assert failing(verdict) == {"clarifiers", "memory"}


def test_an_empty_store_card_is_no_card_that_nobody_gave():
    verdict = verdict_on(reply(), meet(policy(store_card={}, judges=False)), scripted())
    assert rows(verdict)["policy"].outcome is Outcome.INCONCLUSIVE


def test_soft_rows_are_counted_as_soft():
    bundle = recommend(judges=False, embedder="lexical")
    verdict = verdict_on(recommendation(), meet(bundle), scripted())
    counted = {row.criterion: (row.mode, row.matcher) for row in check_rows([verdict])}
    assert counted["topicality"] == ("soft", "toStayOnTopic")
    assert counted["openers"] == ("hard", "toOpenDifferently")


@pytest.mark.parametrize(
    ("bundle", "said"),
    [
        (Bundle("recomend"), "did you mean 'recommend'"),  # type: ignore[arg-type]
        (Bundle("chat", soft=("opener",)), "did you mean 'openers'"),
        (Bundle("chat", without=None), "without is a list"),  # type: ignore[arg-type]
        (Bundle("chat", also=("contain",)), "also is a list of matchers"),  # type: ignore[arg-type]
    ],
)
def test_a_bundle_made_by_hand_is_checked_too(bundle, said):
    with pytest.raises(ArgumentError, match=said):
        meet(bundle)


def test_it_works_from_data():
    named = matcher_from_data({"matcher": "toMeet", "expected": "chat"})
    assert named.args[0] == chat
    expected = {"bundle": "recommend", "budget": 400, "storeCard": CARD, "without": ["IQ"]}
    given = matcher_from_data({"matcher": "toMeet", "expected": expected})
    assert given.args[0] == recommend(budget=400, store_card=CARD, without=["IQ"])


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("recomend", "did you mean 'recommend'"),
        ({"budget": 4}, "bundle is one of chat, recommend, policy"),
        ({"bundle": "chat", "budgt": 4}, "did you mean 'budget'"),
        ({"bundle": "chat", "soft": ["opener"]}, "did you mean 'openers'"),
        ({"bundle": "chat", "hard": ["tool"]}, "did you mean 'tools'"),
        ({"bundle": "chat", "soft": "openers"}, "soft is a list"),
        ({"bundle": "recommend", "budget": "much"}, "budget"),
        ({"bundle": "chat", "profile": "sed"}, "did you mean 'seed'"),
        ({"bundle": "chat", "judges": "no"}, "judges is True or False"),
        ({"bundle": "chat", "budget": 3}, "budget is an option of the bundle recommend"),
    ],
)
def test_what_is_wrong_is_refused_with_the_nearest_right_name(expected, said):
    with pytest.raises(ArgumentError, match=said):
        matcher_from_data({"matcher": "toMeet", "expected": expected})


def test_only_bundles_are_met():
    with pytest.raises(ArgumentError, match="from grice import chat"):
        meet("recommend")
    with pytest.raises(ArgumentError, match="bundle is a bundle: chat, recommend or policy"):
        meet("recommend")
    assert verdict_on("a text", meet(chat), scripted()).outcome is Outcome.ERROR
    assert verdict_on(booking(), meet(chat), scripted()).outcome is Outcome.ERROR


def test_every_row_of_a_bundle_has_a_name_that_can_be_left_out():
    seen = set()
    for bundle in (chat, recommend(budget=400, constraints=WANTED), policy(store_card=CARD)):
        verdict = verdict_on(recommendation(), meet(bundle), rated(**GOOD))
        names = set(rows(verdict))
        seen |= names
        rest = verdict_on(recommendation(), meet(bundle(without=sorted(names))), rated(**GOOD))
        assert rest.outcome is Outcome.INCONCLUSIVE
        assert rest.parts == ()
    assert seen == set(ROWS)


def test_a_bundle_is_told_more_step_by_step():
    once = recommend(budget=400)
    assert once(intent="recommend boards").budget == 400
    assert msgspec.structs.replace(once, budget=None) == recommend
