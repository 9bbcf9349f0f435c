"""What the tone matchers say, where they point, and which arguments they take."""

import pytest
from replies import on_reply

from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import SEED_CONTRACTIONS, use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.seed_text import seed_jaccard, seed_opener, seed_words
from grice.checks.tone.similarity import differ_from_previous
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Turn

MATCHERS = (
    avoid_boilerplate(),
    use_contractions(),
    have_at_most_exclamations(),
    avoid_repetition(),
    differ_from_previous(),
    open_differently(),
)


@pytest.mark.parametrize(
    ("matcher", "earlier", "text", "reason"),
    [
        (
            avoid_boilerplate(),
            (),
            "Sure. **As an AI**, I can’t ski.",
            "found 'As an AI**,' (speaks of itself as a machine)",
        ),
        (
            avoid_boilerplate(phrases=["no worries"]),
            (),
            "No  worries, mate.",
            "found 'No  worries' (one of the phrases given)",
        ),
        (
            avoid_boilerplate(profile="seed"),
            (),
            "Tickets I cannot sell.",
            "found 'I cannot'",
        ),
        (
            use_contractions(),
            (),
            "I am here.\nIt does not fit.",
            "found no contraction, expected one at any of 2 places: 'I am', 'It does not'",
        ),
        (use_contractions(profile="seed"), (), "I am here.", "found none of the 16 contractions"),
        (
            have_at_most_exclamations(),
            (),
            "Great! I found *three*!",
            "found 2 exclamation marks, expected at most 1: 'Great!', 'I found *three*!'",
        ),
        (
            have_at_most_exclamations(0, profile="seed"),
            (),
            "a != b",
            "found 1 exclamation mark, expected at most 0",
        ),
        (
            avoid_repetition(),
            (),
            "Let me check that. Let me check that.",
            "found the sentence 'Let me check that' 2 times",
        ),
        (
            avoid_repetition(profile="seed"),
            (),
            "in the a in the b in the",
            "found 'in the' 3 times, expected at most 2",
        ),
        (
            differ_from_previous(),
            ("Which size?",),
            "Which size",
            "it has the same words as turn 1: 'Which size?'",
        ),
        (
            open_differently(),
            ("Sure, which size?", "It's 5."),
            "**Sure thing!** Which?",
            "opens with 'Sure thing', like turn 1: 'Sure'",
        ),
        (
            open_differently(profile="seed"),
            ("Sure. Which size?",),
            "Sure. It's 5.",
            "the first sentence 'Sure.' is that of turn 1",
        ),
    ],
)
def test_a_reason_says_what_was_found_and_where(matcher, earlier, text, reason):
    verdict = on_reply(text, matcher, *earlier)
    assert (verdict.outcome, verdict.reason) == ("fail", reason)
    assert verdict.layer == 1


@pytest.mark.parametrize("profile", ["seed", "robust"])
@pytest.mark.parametrize(
    ("factory", "text"),
    [
        (avoid_boilerplate, "Hm… **as an ai**, I can’t ski.  And I'm just a bot."),
        (use_contractions, "- **I’m** here & it's fine."),
        (have_at_most_exclamations, "Great！ *Yes!* No!"),
    ],
)
def test_evidence_points_into_the_text_of_the_reply(factory, text, profile):
    verdict = on_reply(text, factory(profile=profile), "Hello.")
    for one in verdict.evidence:
        assert one.turn == 2
        assert one.quote == text[one.start : one.end] != ""
    assert verdict.evidence or (factory, profile) == (use_contractions, "seed")


def test_repeated_words_are_shown_at_each_of_their_places():
    text = "Our **great board** is a great board for those who want a great board."
    verdict = on_reply(text, avoid_repetition())
    assert [text[one.start : one.end] for one in verdict.evidence] == ["great board"] * 3


def test_the_lead_and_detail_of_an_envelope_are_what_is_judged():
    data = {"mode": "chat", "lead": "As an AI, I can't ski.", "detail": "", "clarifiers": [], "products": []}
    verdict = on_reply("", avoid_boilerplate(), data=data)
    assert verdict.outcome == "fail"
    assert verdict.evidence[0].start is None  # not an offset into the text of the reply, which is empty


@pytest.mark.parametrize("matcher", [open_differently(), differ_from_previous()])
@pytest.mark.parametrize("subject", ["Sure. Which?", Turn(3)])
def test_without_the_turns_before_nobody_can_tell(matcher, subject):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    assert verdict.outcome == "inconclusive"


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("subject", [None, 5, [], {}, b"x"])
def test_what_has_no_text_is_an_error(matcher, subject):
    seen = resolve_subject(subject)
    assert judge(matcher, seen.subject, seen.context).outcome == "error"


@pytest.mark.parametrize(
    ("factory", "arguments", "problem"),
    [
        (avoid_boilerplate, {"phrases": "as an ai"}, "phrases is a list of texts, at most 1,000"),
        (avoid_boilerplate, {"phrases": [""]}, "phrases[0]: expected a text that is not blank, found ''"),
        (avoid_boilerplate, {"phrases": [3]}, "phrases[0] is a text, found 3"),
        (avoid_boilerplate, {"phrases": ["\u200b"]}, "phrases[0]: expected a text that is not blank"),
        (avoid_boilerplate, {"language": 7}, "language is a language code such as 'en', found 7"),
        (
            use_contractions,
            {"language": "english!"},
            "language is a language code such as 'en', found 'english!'",
        ),
        (have_at_most_exclamations, {"limit": -1}, "limit is a whole number from 0"),
        (have_at_most_exclamations, {"limit": True}, "limit is a whole number from 0"),
        (avoid_repetition, {"at_most": 0}, "at_most is a whole number from 1, found 0"),
        (differ_from_previous, {"below": 0}, "below is a number above 0 and up to 1, found 0"),
        (differ_from_previous, {"below": float("nan")}, "below is a number above 0 and up to 1, found nan"),
        (open_differently, {"window": 0}, "window is a whole number from 1, found 0"),
        *[(one.factory, {"profile": "robst"}, "found 'robst' (did you mean 'robust'?)") for one in MATCHERS],
    ],
)
def test_arguments_that_ask_nothing_are_refused(factory, arguments, problem):
    with pytest.raises(ArgumentError) as refused:
        factory(**arguments)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"matcher": "toHaveAtMostExclamations", "expected": 2}, "have at most 2 exclamation marks"),
        (
            {"matcher": "toAvoidBoilerplate", "expected": {"phrases": ["x y"], "profile": "seed"}},
            "avoid boilerplate and ['x y']",
        ),
        ({"matcher": "toAvoidRepetition", "expected": {"atMost": 1}}, "say no pair of words more than once"),
        (
            {"matcher": "toDifferFromPrevious", "expected": {"below": 0.5}},
            "be less than 0.5 like the reply before",
        ),
        (
            {"matcher": "toOpenDifferently", "options": {"window": 3}},
            "open differently from the last 3 replies",
        ),
        ({"matcher": "toUseContractions", "expected": {"language": "en"}}, "use contractions"),
    ],
)
def test_they_can_be_asked_from_files(fields, words):
    assert matcher_from_data(fields).words == words


def test_the_seed_reads_text_as_javascript_does():
    assert seed_words(" A\ufeffB\x1fc\u00a0d") == ["", "a", "b\x1fc", "d"]
    assert seed_jaccard("", "") == 1.0
    assert seed_jaccard("yes", "Yes!") == 0.0
    assert seed_jaccard("This is good for beginners", "This is not good for beginners") == pytest.approx(
        5 / 6
    )
    assert [seed_opener(one) for one in ("Dr. Smith", "$3.99", "...well", "", "No end")] == [
        *("Dr.", "$3.", "...well", "", "No end")
    ]
    assert len(SEED_CONTRACTIONS) == 16


def test_the_window_of_openers_counts_replies():
    earlier = ("Perfect, thanks.", "And the date?", "Any bags?")
    assert on_reply("Perfect! Booked.", open_differently(window=3), *earlier).outcome == "fail"
    assert on_reply("Perfect! Booked.", open_differently(window=2), *earlier).outcome == "pass"


def test_an_answer_to_a_question_that_is_asked_again_is_not_judged():
    verdict = on_reply("Gate 14.", differ_from_previous(), "Gate 14.", user="Question 1?")
    assert verdict.outcome == "skipped"
    assert "the user said the same again" in verdict.reason


def test_honesty_about_being_a_machine_is_no_boilerplate_when_asked():
    text = "Yes, I'm just a bot."
    assert on_reply(text, avoid_boilerplate(), user="Are you a bot?").outcome == "pass"
    assert on_reply(text, avoid_boilerplate(), user="Is it in stock?").outcome == "fail"


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(
    "part", ["I am an AI. ", "!", "'a\" ", "`", "- row\n", "\u597d", "| a ", "very ", "&amp;"]
)
def test_long_replies_of_one_piece_have_an_outcome(matcher, part):
    text = part * (10_000 // len(part))
    assert on_reply(text, matcher, text[:-7]).outcome != "error"
