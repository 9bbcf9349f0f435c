"""What may change in a reply without changing what the tone rules say of it.

Apostrophes, Markdown, invisible characters and HTML entities change nothing. Capitals change nothing either,
but that names are told by theirs. A greeting before and a pleasantry after change nothing, where they are not
what a rule is about: a second greeting is a repeated opener, one that exclaims counts, and beside a short
reply a pleasantry is most of what is said.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replies import on_reply

from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.similarity import differ_from_previous
from grice.records import clean_text

MATCHERS = {
    "boilerplate": avoid_boilerplate(),
    "contractions": use_contractions(),
    "exclamations": have_at_most_exclamations(),
    "repetition": avoid_repetition(),
    "similarity": differ_from_previous(),
    "openers": open_differently(),
}
BEFORE = "Could you please give me the reservation ID? It's on your ticket."
REPLIES = {
    ("boilerplate", "fail"): "That's tricky. As an AI, I can't look into your account.",
    ("boilerplate", "pass"): "We can't ship batteries by air, but it's fine by road.",
    ("contractions", "fail"): "I am happy to look for it. It does not take long.",
    ("contractions", "pass"): "I'm happy to look for it, and it doesn't take long.",
    ("contractions", "skipped"): "Which size, and which color?",
    ("exclamations", "fail"): "Found it! It's in your size! Shall I hold it?",
    ("exclamations", "pass"): "Found it! It's in your size. Shall I hold it?",
    ("repetition", "fail"): "Let me check that for you. Let me check that for you.",
    ("repetition", "pass"): "It's in the shop, in the bag, and in the box in the hall.",
    ("similarity", "fail"): "Could you please give me the reservation ID? It's on your ticket!",
    ("similarity", "pass"): "There's a seat left in row 14, and it's by the window.",
    ("openers", "fail"): "Could you please give me the reservation ID once more? It's on the e-mail.",
    ("openers", "pass"): "There's a seat left in row 14, and it's by the window.",
}


def curly(text: str) -> str:
    return text.replace("'", "\u2019")


def entities(text: str) -> str:
    return text.replace("'", "&#39;")


def emphasised(text: str) -> str:
    first, _, rest = text.partition(" ")
    return f"**{first}** {rest}"


def in_italics(text: str) -> str:
    return f"*{text}*"


def as_heading(text: str) -> str:
    return f"## {text}"


def with_invisible(text: str) -> str:
    return text[:3] + "\u200b" + text[3:].replace(" ", "\u00a0", 1).replace("o", "o\u2060")


def full_width(text: str) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if one.isalpha() and one.isascii() else one for one in text)


def in_html(text: str) -> str:
    return f"<p>{text}</p>"


def shouted(text: str) -> str:
    return text.upper()


def lowered(text: str) -> str:
    return text.lower()


def more_space(text: str) -> str:
    return f"\n  {text.replace(' ', '  ', 3)} \n"


FORMS = (
    *(curly, entities, emphasised, in_italics, as_heading, with_invisible, full_width),
    *(in_html, shouted, lowered, more_space),
)


def outcome_of(rule: str, text: str, *earlier: str) -> str:
    return on_reply(text, MATCHERS[rule], *(earlier or (BEFORE,))).outcome.value


@pytest.mark.parametrize(("rule", "outcome"), REPLIES)
def test_the_replies_have_the_outcomes_they_stand_for(rule, outcome):
    assert outcome_of(rule, REPLIES[rule, outcome]) == outcome


@pytest.mark.parametrize(("rule", "outcome"), REPLIES)
def test_how_a_text_is_written_changes_nothing(rule, outcome):
    for form in FORMS:
        assert outcome_of(rule, form(REPLIES[rule, outcome])) == outcome, form.__name__


@pytest.mark.parametrize(("rule", "outcome"), [key for key in REPLIES if key[0] in ("similarity", "openers")])
def test_how_the_reply_before_is_written_changes_nothing(rule, outcome):
    for form in FORMS:
        assert outcome_of(rule, REPLIES[rule, outcome], form(BEFORE)) == outcome, form.__name__


@pytest.mark.parametrize(("rule", "outcome"), [key for key in REPLIES if key[0] != "openers"])
@pytest.mark.parametrize("greeting", ["Hi Anna. ", "Good morning, Mr. Lee. ", "Hello,\n\n"])
def test_a_greeting_before_changes_nothing(rule, outcome, greeting):
    assert outcome_of(rule, greeting + REPLIES[rule, outcome]) == outcome


def test_a_greeting_is_an_opener_and_what_counts_is_whether_it_is_the_second():
    assert outcome_of("openers", f"Hi Anna. {BEFORE}") == "pass"
    assert outcome_of("openers", "Hi Anna. The bag is in Lyon.", f"Hello Anna. {BEFORE}") == "fail"


@pytest.mark.parametrize(("rule", "outcome"), [key for key in REPLIES if key != ("similarity", "fail")])
@pytest.mark.parametrize("pleasantry", [" Anything else?", " Have a good one.", "\n\nHope that helps."])
def test_a_pleasantry_after_changes_nothing(rule, outcome, pleasantry):
    assert outcome_of(rule, REPLIES[rule, outcome] + pleasantry) == outcome


def test_a_pleasantry_after_changes_no_similarity_of_longer_replies():
    long = f"{BEFORE} Without it I can look it up by your e-mail, or by the card you paid with."
    for pleasantry in (" Anything else?", " Let me know."):
        assert outcome_of("similarity", long + pleasantry, long) == "fail"


@pytest.mark.parametrize("pleasantry", [" Have a great day!", " Enjoy!"])
def test_a_pleasantry_that_exclaims_counts(pleasantry):
    assert outcome_of("exclamations", REPLIES["exclamations", "pass"] + pleasantry) == "fail"


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("boilerplate", "As an AI, I can't ski.", 'You wrote "As an AI, I can\'t ski." to them.'),
        ("boilerplate", "I can't help with that.", "If I can't help with that, Ben will."),
        ("contractions", "It does not fit.", "It doesn't fit."),
        ("exclamations", "Great! Done!", "Great! Done."),
        (
            "repetition",
            "The cable is too short. The cable is too short.",
            "The cable is too short. The plug fits.",
        ),
        ("similarity", BEFORE, "Could you please not give me the reservation ID? It's on your ticket."),
        ("openers", "Could you please give me the reservation ID?", "Why don't you give me the ID?"),
    ],
)
def test_a_change_of_meaning_flips_it(rule, one, other):
    assert outcome_of(rule, one) == "fail"
    assert outcome_of(rule, other) == "pass"


ODD = st.lists(
    st.sampled_from(
        [
            *"aI'\u2019\"`*#->|!.?,:\n\t 1\u200b\ud83d\u597d\u0645",
            "as an AI ",
            "I am ",
            "Sure",
            "&#39;",
            "<b>",
        ]
    ),
    max_size=60,
).map("".join)


@given(text=ODD, before=ODD)
def test_no_text_breaks_a_rule(text, before):
    for matcher in MATCHERS.values():
        verdict = on_reply(text, matcher, before)
        assert verdict.outcome != "error", verdict.reason
        for one in verdict.evidence:
            if one.turn == 2 and one.start is not None:
                assert one.quote == clean_text(text[one.start : one.end])
        if not text.strip():
            assert verdict.outcome == "inconclusive"


@given(
    words=st.lists(
        st.sampled_from(["the", "a", "blue", "red", "board", "boot", "fits", "is", "in", "of", "well"]),
        min_size=6,
        max_size=25,
    )
)
def test_a_reply_said_again_is_a_repeat_and_a_paragraph_said_twice_a_repetition(words):
    text = f"Number of it: {' '.join(words)}."
    assert outcome_of("similarity", text, text) == "fail"
    assert outcome_of("openers", text, text) == "fail"
    assert outcome_of("repetition", f"{text}\n\n{text}") == "fail"
