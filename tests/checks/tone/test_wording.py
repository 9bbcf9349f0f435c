"""A rule on wording looks at the text, and at lead and detail where they say something else."""

import pytest

from grice.checks.structure.sentence_count import have_at_most_sentences
from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.similarity import differ_from_previous
from grice.records import Conversation, JsonValue, Message, Outcome, Reply, Turn
from structure_turns import verdict_on

ENVELOPE = {"lead": "Here's a desk that fits.", "detail": "It's 60 cm wide."}
ASKED = ("What do you have?", "And which of them is the cheapest?")
OTHER = {"lead": "You'd like the oak one.", "detail": "That's 80 cm wide."}
ROBOT = "As an AI language model, I am happy to help you today. Wow! Wow!"
LOOP = "Done. The desk is here. The desk is here. The desk is here."


def reply(text: str, data: JsonValue, *earlier: tuple[str, JsonValue]) -> Reply:
    said = [*earlier, (text, data)]
    turns = tuple(
        Turn(number, (Message("user", ASKED[number - 1]), Message("assistant", told)), data=shown)
        for number, (told, shown) in enumerate(said, 1)
    )
    return Reply(Conversation("c", turns), len(turns))


@pytest.mark.parametrize("profile", ["seed", "robust"])
@pytest.mark.parametrize(
    ("made", "text"),
    [
        (avoid_boilerplate, ROBOT),
        (use_contractions, ROBOT),
        (have_at_most_exclamations, ROBOT),
        (lambda profile: have_at_most_sentences(2, profile=profile), ROBOT),
        (avoid_repetition, LOOP),
    ],
)
def test_a_fault_of_the_text_is_found_beside_a_clean_envelope_and_the_reverse(made, text, profile):
    clean = "It's a desk that fits."
    seen = verdict_on(reply(text, ENVELOPE), made(profile=profile))
    assert seen.outcome is Outcome.FAIL
    assert seen.reason.startswith("the text and the envelope differ; the text: ")
    shown = verdict_on(reply(clean, {"lead": text, "detail": "Oak."}), made(profile=profile))
    assert shown.outcome is Outcome.FAIL
    assert "the text and the envelope differ; lead and detail: " in shown.reason


@pytest.mark.parametrize("made", [open_differently, differ_from_previous])
def test_a_text_is_compared_with_texts_and_an_envelope_with_envelopes(made):
    assert verdict_on(reply(ROBOT, ENVELOPE, (ROBOT, OTHER)), made()).outcome is Outcome.FAIL
    assert verdict_on(reply("Take it home.", ENVELOPE, (ROBOT, ENVELOPE)), made()).outcome is Outcome.FAIL
    assert verdict_on(reply("Take it home.", OTHER, (ROBOT, ENVELOPE)), made()).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "text",
    [
        "Here's a desk that fits. It's 60 cm wide.",
        "Here's a desk that fits.  It's 60 cm wide.\n\n1. Oak desk, 300 USD",
        "Here's a desk that fits.",
        '{"lead": "Here\'s a desk that fits.", "detail": "It\'s 60 cm wide."}',
        "",
    ],
)
def test_one_that_holds_the_other_is_looked_at_once(text):
    verdict = verdict_on(reply(text, ENVELOPE), have_at_most_exclamations())
    assert (verdict.outcome, verdict.reason) == (Outcome.PASS, "found 0")


def test_what_both_say_is_said_once():
    verdict = verdict_on(reply("Take it home.", ENVELOPE), avoid_boilerplate())
    assert verdict.reason == "the text and the envelope differ; both: found none"
