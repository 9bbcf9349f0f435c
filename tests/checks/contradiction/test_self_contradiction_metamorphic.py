"""What may change in a reply without changing what is said of it, and what may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_calls import calls_of
from grice.checks.contradiction.self_contradiction import self_contradiction

DIALOGUES = {
    "contradiction": (
        ("Should zoos be banned?", "Yes, zoos should be banned. It's cruel."),
        ("But they save species.", "I don't think zoos should be banned, and I can't see why they'd be."),
    ),
    "acknowledged": (
        ("Does the Pro plan include SSO?", "Yes, the Pro plan includes SSO."),
        ("Sure?", "I'm sorry, I was wrong. The Pro plan doesn't include SSO."),
    ),
    "consistent": (
        ("Can I return opened headphones?", "No, opened headphones can't be returned."),
        ("Really?", "Opened headphones can't be returned, I'm afraid."),
    ),
    "undetermined": (
        ("Can I return it?", "It's a matter of how old it is."),
        ("Two years old.", "We'd have to look at it."),
    ),
}


def outcome_of(*turns: tuple[str, str], **arguments) -> str:
    messages = []
    for user, reply in turns:
        messages += [{"role": "user", "content": user}, {"role": "assistant", "content": reply}]
    return self_contradiction(messages, **arguments).outcome


def curly(text: str) -> str:
    return text.replace("'", "\u2019")


def entities(text: str) -> str:
    return text.replace("'", "&#39;")


def bold(text: str) -> str:
    return f"**{text}**"


def first_word_bold(text: str) -> str:
    first, _, rest = text.partition(" ")
    return f"**{first}** {rest}"


def heading(text: str) -> str:
    return f"## {text}"


def shouted(text: str) -> str:
    return text.upper()


def lowered(text: str) -> str:
    return text.lower()


def no_break_spaces(text: str) -> str:
    return text.replace(" ", "\u00a0")


def zero_width(text: str) -> str:
    return text.replace("o", "o\u200b")


def full_width(text: str) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if one.isalpha() and one.isascii() else one for one in text)


def greeted(text: str) -> str:
    return f"Hi Anna! {text}"


def thanked(text: str) -> str:
    return f"Thanks for asking. {text}"


def with_pleasantry(text: str) -> str:
    return f"{text} Is there anything else I can help you with?"


def with_farewell(text: str) -> str:
    return f"{text}\n\nHave a great day!"


FORMS = (
    *(curly, entities, bold, first_word_bold, heading, shouted, lowered, no_break_spaces, zero_width),
    *(full_width, greeted, thanked, with_pleasantry, with_farewell),
)


@pytest.mark.parametrize("outcome", DIALOGUES)
def test_the_dialogues_have_the_outcomes_they_stand_for(outcome):
    assert outcome_of(*DIALOGUES[outcome]) == outcome


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("outcome", DIALOGUES)
def test_how_replies_are_written_changes_nothing(outcome, form):
    (question, first), (answer, second) = DIALOGUES[outcome]
    assert outcome_of((question, form(first)), (answer, second)) == outcome
    assert outcome_of((question, first), (answer, form(second))) == outcome


@pytest.mark.parametrize(
    ("question", "affirmed", "denied"),
    [
        ("Should zoos be banned?", "Zoos should be banned.", "Zoos should not be banned."),
        ("Should zoos be banned?", "I support banning zoos.", "I don't support banning zoos."),
        ("Should zoos be banned?", "I oppose allowing zoos.", "I don't oppose allowing zoos."),
        ("Should AI decide on loans?", "AI should decide on loans.", "AI should never decide on loans."),
        ("Is the soup lactose free?", "The soup is lactose free.", "The soup isn't lactose free."),
        ("Does BA12 leave from gate 4?", "BA12 leaves from gate 4.", "BA12 doesn't leave from gate 4."),
        ("Can I pay by card?", "You can pay by card.", "You cannot pay by card."),
        ("Is tap water safe in Oslo?", "Tap water is safe in Oslo.", "Tap water is far from safe in Oslo."),
        (
            "Should we hire now?",
            "The benefits outweigh the risks.",
            "The benefits do not outweigh the risks.",
        ),
    ],
)
def test_negating_one_side_flips_it(question, affirmed, denied):
    assert outcome_of((question, affirmed), ("Sure?", affirmed)) == "consistent"
    assert outcome_of((question, denied), ("Sure?", denied)) == "consistent"
    assert outcome_of((question, affirmed), ("Sure?", denied)) == "contradiction"
    assert outcome_of((question, denied), ("Sure?", affirmed)) == "contradiction"


@pytest.mark.parametrize(
    "said",
    [
        "I've changed my mind.",
        "I stand corrected.",
        "I misspoke.",
        "I need to revise my answer.",
        "My earlier answer was wrong.",
        "I gave you the wrong information.",
        "I made a mistake earlier.",
        "On second thought, I see it differently.",
        "Let me correct that.",
        "I take that back.",
        "Apologies for the confusion.",
        "You have persuaded me.",
        "Earlier I said the opposite.",
    ],
)
def test_an_acknowledgement_excuses_and_its_denial_does_not(said):
    turns = ("Should zoos be banned?", "Yes, zoos should be banned.")
    assert outcome_of(turns, ("Hm.", f"{said} Zoos should not be banned.")) == "acknowledged"
    assert outcome_of(turns, ("Hm.", f'You wrote "{said}" Zoos should not be banned.')) == "contradiction"


@pytest.mark.parametrize(
    "said",
    [
        "I haven't changed my mind.",
        "I have never changed my mind.",
        "I was not wrong.",
        "I don't think I was wrong.",
        "You were wrong.",
        "You should change your mind.",
        "If I was wrong, tell me.",
        "Many people have changed their mind.",
        "You're right.",
        "Good point.",
        "Sorry for the inconvenience.",
        "Have I changed my mind?",
    ],
)
def test_what_only_looks_like_an_acknowledgement_excuses_nothing(said):
    turns = ("Should zoos be banned?", "Yes, zoos should be banned.")
    assert outcome_of(turns, ("Hm.", f"{said} Zoos should not be banned.")) == "contradiction"


ODD = st.lists(
    st.sampled_from(
        [
            *"aI'\u2019\"`*#->|!.?,:;\n\t 1\u200b\ud83d\u597d\u0645\U0001f44d",
            "yes ",
            "No, ",
            "should ",
            "not ",
            "zoos ",
            "be banned",
            "I was wrong",
            " but ",
            "if ",
            " than ",
            " outweigh ",
            "benefits",
        ]
    ),
    max_size=40,
).map("".join)


@given(first=ODD, user=ODD, second=ODD)
def test_no_text_breaks_it_and_all_spans_are_in_the_text(first, user, second):
    messages = [
        {"role": "user", "content": "Should zoos be banned?"},
        {"role": "assistant", "content": first},
        {"role": "user", "content": user},
        {"role": "assistant", "content": second},
    ]
    for profile in ("seed", "robust"):
        found = self_contradiction(messages, profile=profile)
        for stance in found.stances:
            assert 0 <= stance.start <= stance.end <= max(len(first), len(second))
            assert (stance.start < stance.end) or stance.position in ("unclear", "mixed", "yes", "no")


def asked_about_each(items: int) -> None:
    turns = ((f"Is item {number} in stock?", f"Yes, item {number} is in stock.") for number in range(items))
    assert outcome_of(*turns) == "undetermined"


def said_at_length(sentences: int) -> None:
    long = "Zoos should be banned because they are cruel, and I believe so. " * sentences
    taken_back = outcome_of(("Should zoos be banned?", long), ("Hm", "Zoos should not be banned."))
    assert taken_back == "contradiction"


@pytest.mark.slow
@pytest.mark.parametrize("talk", [asked_about_each, said_at_length])
def test_the_work_grows_with_the_length_only(talk):
    talk(2)
    few, many = (calls_of(talk, length) for length in (20, 80))
    assert many < 6 * few


@pytest.mark.slow
def test_500_turns_and_100_kilobytes_are_read():
    asked_about_each(500)
    said_at_length(1600)
