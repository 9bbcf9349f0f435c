"""have_at_most_sentences counts sentences as a reader would."""

import pytest
from refusals import answers_of, refusal_of

from grice.matchers import have_at_most_sentences
from grice.matching.context import Context, resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Message, Turn


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


@pytest.mark.parametrize(
    ("text", "limit", "outcome", "reason"),
    [
        ("Done.", 1, "pass", "found 1"),
        ("Updated to 4.13.5", 1, "pass", "found 1"),
        ("Done. Anything else?", 1, "fail", "found 2: Done. | Anything else?"),
        ("Done. Anything else?", 2, "pass", "found 2"),
        ("", 1, "inconclusive", "the text is empty: there is nothing to look at"),
        ("  \n", 1, "inconclusive", "the text is white space only: there is nothing to look at"),
        ("# Title", 1, "inconclusive", "the text has no sentences to count: '# Title'"),
        (5, 1, "error", "have_at_most_sentences judges a text, a Reply or a Turn, found 5"),
    ],
)
def test_sentences_are_counted(text, limit, outcome, reason):
    matcher = have_at_most_sentences(limit)
    verdict = verdict_on(text, matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert verdict_on(text, ~matcher).outcome == {"pass": "fail", "fail": "pass"}.get(outcome, outcome)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "1", None])
def test_a_limit_is_a_number_of_sentences(limit):
    problem = f"limit is a whole number from 1, found {limit!r}"
    assert refusal_of(have_at_most_sentences, limit) == problem
    for subject in ("Done.", "", Turn(1)):
        assert answers_of(subject, "have_at_most_sentences", limit) == {("error", problem)}


@pytest.mark.parametrize(("limit", "words"), [(1, "1 sentence"), (2, "2 sentences")])
def test_the_claim_is_a_sentence(limit, words):
    turn = Turn(1, (Message("assistant", "Hi."),))
    assert verdict_on(turn, have_at_most_sentences(limit)).claim == f"the turn to have at most {words}"


def test_long_and_many_sentences_are_cut_in_the_reason():
    verdict = verdict_on("x" * 5_000 + ". " + "Short one. " * 50, have_at_most_sentences(1))
    assert verdict.outcome == "fail"
    assert len(verdict.reason) < 600
    assert verdict.reason.endswith("| ...")


@pytest.mark.parametrize("profile", ["seed", "robust"])
def test_the_evidence_is_the_first_sentence_too_many_in_its_own_place(profile):
    text = "**Yes.** I can do that. Yes."
    turn = Turn(3, (Message("user", "Hi"), Message("assistant", text)))
    verdict = judge(
        have_at_most_sentences(2, profile=profile), turn, Context(Conversation(turns=(turn,)), turn)
    )
    (evidence,) = verdict.evidence
    assert (evidence.turn, evidence.start, evidence.end, evidence.quote) == (3, 24, 28, "Yes.")
