"""The rows of a bundle are counted as its own, so that a gate on it knows them from others."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from made_experiments import experiment

from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import GateResult
from grice.experiments.results import ExperimentResults
from grice.judging.bundles import Bundle, chat, policy, recommend
from grice.judging.judge import Judge
from grice.judging.meet_bundle import meet
from grice.judging.quality import show_intelligence
from grice.llm import ScriptedLLM
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, JsonValue, Message, Outcome, Reply, Result, ToolCall, Turn, Verdict
from grice.reporting.document import Table
from grice.reporting.documents.gates import gates_document

JUDGES = ("naturalness", "guidance", "context_use")


def met(
    bundle: Bundle, *tools: str, scores: Sequence[float] = (4.2, 3.8, 4.0), data: JsonValue = None
) -> Verdict:
    """The verdict on a reply that used these tools, and that three judges gave these points."""
    return judged(meet(bundle), scores, tools, data)


def judged(
    check: Matcher[Any], scores: Sequence[float], tools: Sequence[str] = (), data: JsonValue = None
) -> Verdict:
    """The verdict on such a reply; a judge for which no points are left breaks."""
    said = (Message("user", "Hi"), Message("assistant", "I'm fine, and it's sunny."))
    turn = Turn(1, said, tuple(ToolCall(name) for name in tools), data=data)
    given = zip(JUDGES, scores, strict=False)
    answers = {name: {"requirement": "r", "reasons": ["so"], "score": one} for name, one in given}
    seen = resolve_subject(Reply(Conversation("c", (turn,)), 1), mode="soft")
    context = msgspec.structs.replace(seen.context, judge=Judge(ScriptedLLM(answers)))
    return judge(check, seen.subject, context)


def attempt(*verdicts: Verdict) -> Attempt:
    return attempt_of(Result("example:1", "s", Outcome.PASS, Conversation(), verdicts))


def nobody(wanted: str) -> ExperimentResults:
    raise AssertionError(wanted)


def test_a_row_is_counted_once_with_its_bundle_matcher_and_layer() -> None:
    found = attempt(met(chat), met(policy, "policy.get"))
    tools = [one for one in found.checks if one.criterion == "tools"]
    assert [(one.bundle, one.matcher, one.layer, one.outcome) for one in tools] == [
        ("chat", "toUseToolsFor", 0, "pass"),
        ("policy", "toUseToolsFor", 0, "pass"),
    ]
    assert {one.bundle for one in found.checks} == {"chat", "policy"}


def test_the_points_of_a_row_are_kept_by_bundle_each_once() -> None:
    found = attempt(met(chat), met(recommend))
    row = {"naturalness": (4.2,), "guidance": (3.8,), "context use": (4.0,), "IQ": (4.0,)}
    assert found.bundle_scores == {"chat": row, "recommend": row}
    assert found.scores == {name: 2 * points for name, points in row.items()}


def gated(bundle: str, *verdicts: Verdict) -> dict[str, GateResult]:
    """What came of the gates of the bundle, by row, of one conversation with these verdicts."""
    gates = declared_gates(None, GateOptions(bundles=(bundle,))).gates
    found = judge_gates(gates, experiment("a", [attempt(*verdicts)]), nobody).results
    return {one.gate.name.partition(".")[2]: one for one in found}


@pytest.mark.parametrize(
    ("verdicts", "kept"),
    [
        ([met(chat)], True),
        ([met(chat, "product.search")], False),
        ([met(chat), met(policy, "policy.get")], True),  # no tools unless policy
    ],
)
def test_ordinary_turns_use_no_tools_unless_policy(verdicts: list[Verdict], kept: bool) -> None:
    found = gated("chat", *verdicts)
    assert found["tools"].passed is kept
    assert found["naturalness"].passed


def test_a_gate_counts_a_row_that_its_first_look_made_soft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grice.judging.meet_bundle.first_look", lambda *_: None)
    verdict = met(chat, "product.search")
    assert {row.mode for row in verdict.parts if row.criterion == "tools"} == {"soft"}
    assert attempt(verdict).softened > 1
    assert not gated("chat", verdict)["tools"].passed


def test_a_plain_chat_keeps_the_gate_on_envelopes_which_does_not_apply() -> None:
    found = gated("chat", met(chat))
    assert {row: (one.passed, one.applies) for row, one in found.items()} == {
        "naturalness": (True, True),
        "iq": (True, True),
        "tools": (True, True),
        "repeats": (True, True),
        "structure": (True, False),
    }
    assert (found["structure"].found, found["structure"].missing) == ("does not apply: 1 check skipped", 0)


def test_what_does_not_apply_stands_last_and_is_told_as_such() -> None:
    gates = declared_gates(None, GateOptions(bundles=("chat",))).gates
    report = judge_gates(gates, experiment("a", [attempt(met(chat))]), nobody)
    document = gates_document(report)
    assert document.answer.words == "All 4 gates that apply hold; 1 does not apply."
    table = next(part for part in document.parts if isinstance(part, Table))
    assert table.rows[-1][:3] == ("n/a", "chat.structure", "does not apply: 1 check skipped")


def test_an_envelope_of_some_turns_decides() -> None:
    found = gated("chat", met(chat), met(chat, data={"lead": "", "detail": ""}))
    assert (found["structure"].passed, found["structure"].found) == (False, "0% (0/1)")


def test_a_bundle_of_which_nothing_applies_keeps_no_gate() -> None:
    rows = ("naturalness", "IQ", "tools", "repetition", "similarity", "openers", "clarifiers", "envelope")
    parts = tuple(Verdict(Outcome.SKIPPED, criterion=row) for row in rows)
    none = Verdict(Outcome.INCONCLUSIVE, matcher="toMeet", parts=parts, detail={"bundle": "chat"})
    found = gated("chat", none)
    assert not any(one.passed for one in found.values())
    assert [row for row, one in found.items() if one.applies] == ["naturalness", "iq"]


def test_a_judge_that_was_switched_off_keeps_no_gate_on_its_points() -> None:
    """The other rows measured something, and a threshold on points is no rule that may not apply."""
    parts = (
        *(Verdict(Outcome.SKIPPED, "judges=False", criterion=row, layer=3) for row in ("naturalness", "IQ")),
        *(Verdict(Outcome.PASS, criterion=row) for row in ("tools", "repetition")),
    )
    found = gated("chat", Verdict(Outcome.PASS, matcher="toMeet", parts=parts, detail={"bundle": "chat"}))
    assert (found["tools"].passed, found["naturalness"].passed, found["iq"].passed) == (True, False, False)
    assert found["iq"].found == "was never judged: 1 check skipped"


def test_the_guidance_of_a_recommendation_is_not_that_of_a_chat() -> None:
    found = gated("recommend", met(recommend))
    assert found["guidance"].found == "3.8 points (median of 1 score)"
    assert [found[row].passed for row in ("naturalness", "guidance", "context_use")] == [True, False, True]


# -- the IQ: the median of the three judges of a turn, and over turns the median of these


@pytest.mark.parametrize(("bundle", "limit"), [(chat, 3.7), (recommend, 3.9)])
def test_the_iq_is_the_median_over_turns_of_that_of_a_turns_judges(bundle: Bundle, limit: float) -> None:
    turns = [(5.0, 3.0, 3.2), (limit, 5.0, 1.0), (5.0, 5.0, 1.0)]  # 3.2, the limit, 5
    found = gated(bundle.name, *(met(bundle, scores=one) for one in turns))["iq"]
    assert (found.passed, found.found) == (True, f"{limit:g} points (median of 3 scores)")
    below = gated(bundle.name, met(bundle, scores=(limit - 0.1, 5.0, 1.0)))["iq"]
    assert (below.passed, below.actual, below.gate.limit) == (False, limit - 0.1, limit)


def test_an_iq_outside_of_bundles_counts_too() -> None:
    def asked(*scores: float) -> Verdict:
        return judged(show_intelligence(), scores)

    found = gated("chat", met(chat, scores=(5.0, 5.0, 5.0)), asked(1.0, 2.0, 5.0), asked(3.0, 3.0, 3.0))
    assert found["iq"].found == "3 points (median of 3 scores)"


def test_an_iq_that_a_judge_left_open_is_missing() -> None:
    open_ones = judged(show_intelligence(), (5.0, 1.0)), met(chat, scores=(5.0, 1.0))
    for one in open_ones:
        found = gated("chat", met(chat), one)["iq"]
        assert (found.passed, found.missing, found.actual) == (False, 1, 4.0)


def test_judges_name_the_iq() -> None:
    results = experiment("a", [attempt(met(chat), judged(show_intelligence(), (1.0, 2.0, 5.0)))])
    gates = declared_gates(None, GateOptions(("judges.iq=3",))).gates
    (found,) = judge_gates(gates, results, nobody).results
    assert (found.passed, found.found) == (True, "3 points (median of 2 scores)")
