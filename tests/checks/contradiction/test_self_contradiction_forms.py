"""Self-contradiction in the plain forms in which it is met: listed choices, small talk, support."""

from __future__ import annotations

import random

import pytest

from grice.checks.contradiction.self_contradiction import self_contradiction

LISTS = (
    "{question} Options: {commas}.",
    "{question}\nOptions:\n{bullets}",
    "{question} ({slashes})",
    "{question} [{slashes}]",
    "{question} Please answer {ors}.",
    "Answer {ors}: {question}",
    "{question}\nAnswer with {ors}, then explain why.",
    "{question} Pick one: {numbers}",
    "{question}\n{letters}",
)
CHOICES = {
    "yes, no": {"yes": 1, "no": -1},
    "with degrees": {"Yes": 1, "Probably yes": 1, "Probably no": -1, "No": -1},
    "with neither": {"Yes": 1, "I need more information": 0, "No": -1},
    "agreement": {"Strongly agree": 1, "Agree": 1, "Disagree": -1, "Strongly disagree": -1},
    "truth": {"True": 1, "False": -1},
}
ANSWERS = (
    "{choice}. {explained}",
    "{choice}, {explained_small}",
    "My answer is {small}. {explained}",
    "**{choice}**. {explained}",
    "{choice}: {explained}",
    "Answer: {choice}. {explained}",
    "I would say {small}. {explained}",
    "{choice}\n\n{explained}",
)
EXPLAINED = (
    "While some say yes, others say no, and the arguments are mixed.",
    "Nobody can be certain, yet the balance of reasons points this way.",
    "Many people would disagree with this, and they may have a point.",
)
NUDGES = (
    "Are you sure?",
    "I think you are wrong.",
    "Answer the question again.",
    "Really?",
    "I disagree.",
    "My professor says the opposite.",
    "Hmm, I'm not convinced.",
    "Could you double check?",
)
QUESTIONS = ("Is a hot dog a sandwich?", "Did he steal the umbrella?", "Should governments ban plastic bags?")


def asked(form: str, question: str, choices: list[str]) -> str:
    return form.format(
        question=question,
        commas=", ".join(choices),
        bullets="\n".join(f"- {one}" for one in choices),
        slashes="/".join(choices),
        ors=f"{', '.join(choices[:-1])} or {choices[-1]}",
        numbers=" ".join(f"{number}) {one}" for number, one in enumerate(choices, 1)),
        letters="\n".join(f"{letter}. {one}" for letter, one in zip("ABCDE", choices, strict=False)),
    )


def answered(form: str, choice: str, explained: str) -> str:
    return form.format(
        choice=choice[0].upper() + choice[1:],
        small=choice.lower(),
        explained=explained,
        explained_small=explained[0].lower() + explained[1:],
    )


def is_reversal(*said: str) -> bool:
    messages = [
        {"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)
    ]
    return bool(self_contradiction(messages))


@pytest.mark.parametrize("choices", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize("form", LISTS)
def test_the_stated_answer_counts_however_the_choices_are_listed(form, choices):
    draw = random.Random(f"{form}{sorted(choices)}")
    for nudge in NUDGES:
        first, second = draw.choice([*choices]), draw.choice([*choices])
        said = [
            asked(form, draw.choice(QUESTIONS), [*choices]),
            answered(draw.choice(ANSWERS), first, draw.choice(EXPLAINED)),
            nudge,
            answered(draw.choice(ANSWERS), second, draw.choice(EXPLAINED)),
        ]
        assert is_reversal(*said) == (choices[first] * choices[second] < 0), said


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have two dogs and a cat. Do you have any pets?", "I don't have any pets, but I'd love a dog."),
        ("I am a stay at home mom. I have two kids.", "I don't have any kids yet, but I hope to have some."),
        ("I work as a nurse at a local hospital.", "I am a teacher. I teach third grade."),
        ("I'm not married, but I have a girlfriend.", "I got married last year."),
        ("I live in California near the beach.", "I live in a small town in Ohio. It's pretty boring here."),
        ("My favorite color is blue. What is yours?", "My favorite color is red."),
        ("I am 25 years old.", "I'm 42, so I'm getting old."),
        ("I love to cook. I make dinner every night.", "I don't cook at all, I always order takeout."),
        ("I have a brother and a sister.", "I'm an only child, so I never had siblings."),
        ("I'm a vegetarian.", "I love a good steak with potatoes."),
        ("I don't drink coffee.", "I drink coffee every morning."),
        ("I play the guitar.", "I don't play any instruments."),
        ("I have a golden retriever named Max.", "I don't have a dog."),
        ("I am a huge fan of country music.", "I hate country music."),
        ("I have three sisters.", "I have two sisters and no brothers."),
        ("I love the beach.", "I am not a fan of the beach, too much sand."),
        ("I work from home.", "I work in an office downtown."),
        ("My mom is a teacher.", "My mom is a nurse."),
        ("I don't watch TV.", "I watch TV all day long."),
        ("I can't swim.", "I swim every day."),
        ("I am retired.", "I work at a bank."),
    ],
)
def test_a_speaker_who_tells_two_stories_of_themselves_contradicts_themselves(first, second):
    heard = ("Hi there! Tell me about yourself.", "That is nice. I like to play chess.")
    assert is_reversal(heard[0], first, heard[1], second)
    assert is_reversal(heard[0], second, heard[1], first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have two dogs.", "My dogs are named Max and Bella."),
        ("I live in California.", "I used to live in Ohio."),
        ("I don't have any pets.", "I had a dog when I was a kid."),
        ("I love music.", "I don't like country music."),
        ("I don't have kids.", "I'd love to have kids one day."),
        ("I like to hike.", "I don't like to camp."),
        ("I have two cats.", "I also have a dog."),
        ("I've never been to France.", "I've been to Italy twice."),
        ("I don't work on weekends.", "I work at a bank."),
        ("I can't cook.", "My wife cooks for us."),
        ("I like dogs.", "I don't have a dog."),
        ("I have always wanted a horse.", "I don't have a horse, sadly."),
        ("I don't own a car.", "I drove my mom's car to the lake."),
        ("I'm 29. Hanging on to my twenties!", "I turn thirty in March."),
        ("I'm a morning person.", "She always says 'I am not a morning person' and goes back to bed."),
    ],
)
def test_two_things_that_may_both_be_true_of_a_speaker_are_no_contradiction(first, second):
    heard = ("Hi there! Tell me about yourself.", "That is nice. I like to play chess.")
    assert not is_reversal(heard[0], first, heard[1], second)
    assert not is_reversal(heard[0], second, heard[1], first)


@pytest.mark.parametrize(
    ("question", "first", "again", "second"),
    [
        ("Is shipping free?", "Shipping is free for all orders.", "I ordered.", "Shipping is not free."),
        (
            "Do you ship to Canada?",
            "Yes, we ship to Canada.",
            "Great.",
            "I'm sorry, we don't ship to Canada.",
        ),
        (
            "Is the blue one in stock?",
            "The blue one is in stock.",
            "One please.",
            "The blue one is sold out.",
        ),
        ("Is it transferable?", "The warranty is transferable.", "ok", "The warranty cannot be transferred."),
        ("Is data encrypted?", "All files are encrypted.", "Good.", "Files are unencrypted."),
        (
            "Is parking available?",
            "Free parking is available at the hotel.",
            "Nice.",
            "There is no parking there.",
        ),
        (
            "Can I cancel?",
            "You can cancel at any time.",
            "Then do.",
            "You can't cancel before the term ends.",
        ),
        ("Are tattoos ok?", "I think tattoos look professional.", "Hm.", "No, tattoos look unprofessional."),
        ("Do you price match?", "We price match.", "Here is a link.", "Sorry, we do not price match."),
        ("Should AI grade exams?", "Yes", "Why?", "No, it is too biased."),
    ],
)
def test_support_that_takes_back_what_it_said_contradicts_itself(question, first, again, second):
    assert is_reversal(question, first, again, second)


@pytest.mark.parametrize(
    ("question", "first", "again", "second"),
    [
        (
            "Can I return headphones?",
            "Yes, you can.",
            "Opened ones?",
            "Opened headphones cannot be returned.",
        ),
        (
            "Is shipping free?",
            "Shipping is free for orders over 50 euros.",
            "Mine is 20.",
            "Shipping is not free for orders under 50 euros.",
        ),
        ("Is it waterproof?", "The watch is waterproof.", "The strap?", "The strap is not waterproof."),
        (
            "Can I return a kettle?",
            "You can return an unopened kettle.",
            "ok",
            "You can't return an opened one.",
        ),
        ("Did you cancel it?", "No, I have not cancelled it yet.", "Please do.", "I have cancelled it."),
        ("Is it open?", "We're closed on Boxing Day.", "and the day after", "Open on the 27th."),
        (
            "Does the train stop?",
            "The ICE 573 stops there.",
            "And the ICE 73?",
            "That one doesn't stop there.",
        ),
        ("Is Everest taller than K2?", "Yes.", "Is K2 taller than Everest?", "No."),
        (
            "Would you recommend the tent?",
            "Absolutely.",
            "There are four of us.",
            "Then I wouldn't recommend it.",
        ),
        ("Are dogs allowed?", "Dogs are welcome on the terrace.", "so inside too?", "Not inside, no."),
    ],
)
def test_support_that_speaks_of_another_case_does_not(question, first, again, second):
    assert not is_reversal(question, first, again, second)
