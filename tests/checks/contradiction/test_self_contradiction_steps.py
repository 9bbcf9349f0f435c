"""Each step of self-contradiction: what it holds against what, and what only looks like a reversal."""

from __future__ import annotations

from itertools import pairwise

import pytest

from grice.checks.contradiction.consistency import SelfContradiction
from grice.checks.contradiction.self_contradiction import self_contradiction


def judged(*said: str) -> SelfContradiction:
    """What is said of a user and an assistant that speak in turn."""
    return self_contradiction(
        [{"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)]
    )


def assert_reversal(step: str, *said: str) -> None:
    """The step, and not another, finds a reversal, and keeps its answer in the order of the replies."""
    found = judged(*said)
    assert (found.outcome, found.step) == ("contradiction", step), found.reason
    assert found.reason.endswith(f"({step})")
    for earlier, later in pairwise(found.stances):
        assert earlier.turn < later.turn


BIRD = "Is a penguin a bird?"
CHOICES = "Should towns ban cars? Options: yes, no, it depends"


@pytest.mark.parametrize(
    ("question", "first", "again", "second"),
    [
        (BIRD, "Yes.", BIRD, "No."),
        (BIRD, "Absolutely, it lays eggs.", "Are you sure?", "No, it is a fish."),
        (BIRD, "Probably not.", "I think you are wrong.", "Yes, it is a bird."),
        (BIRD, "No. It swims.", "Answer the question again.", "Probably yes. It has feathers."),
        (CHOICES, "No. People need them.", "Please think again.", "Probably yes. The air gets better."),
        (CHOICES, "Yes", CHOICES, "My answer is: no"),
        ("Tea or coffee?\nA) tea\nB) coffee", "A", "I disagree with you.", "B. It wakes me up."),
        ("Do you agree that pets need a licence?", "I agree that they do.", "And again?", "I disagree."),
        (
            "Support or oppose a toll?",
            "Support. It pays for roads.",
            "Once more: support or oppose?",
            "Oppose.",
        ),
        ("Should we fly?", "No, we shouldn't.", "But it is quick.", "You're right, we should."),
        ("Can I freeze soup?", "Sure you can.", "So soup may be frozen?", "No, soup may not be frozen."),
    ],
)
def test_the_other_answer_to_the_same_question_is_a_reversal(question, first, again, second):
    assert_reversal("stated answers", question, first, again, second)


@pytest.mark.parametrize(
    ("question", "first", "again", "second"),
    [
        (CHOICES, "No. People need them.", "Are you sure?", "Yes, I am sure. No ban."),
        (CHOICES, "It depends.", "Please choose.", "No."),
        ("Is it unsafe?", "No.", "So it is safe?", "Yes, it is safe."),
        ("Are exams fair?", "Yes.", "Even oral exams?", "No."),
        (BIRD, "Yes.", "Can it fly?", "No."),
        (BIRD, "Yes. Not many people know that it cannot fly.", BIRD, "Yes, though it never flies."),
        ("Is the shop open?", "Not yet.", "It's ten now. Is the shop open?", "Yes, come in."),
        ("May I bring a cat?", "Yes, in a carrier.", "May I bring a cat without a carrier?", "No."),
        ("Which is better, tea or coffee?", "Tea.", "And for the evening, wine or beer?", "Beer."),
    ],
)
def test_another_question_or_the_same_side_is_no_reversal(question, first, again, second):
    assert judged(question, first, again, second).outcome in ("consistent", "undetermined")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Eating meat is ethical.", "Eating meat is unethical."),
        ("You can return opened headphones.", "Opened headphones cannot be returned."),
        ("The blue jacket is available.", "The blue jacket isn't available."),
        ("I support a ban on fireworks.", "I oppose a ban on fireworks."),
        ("Old eggs peel better than fresh ones.", "Fresh eggs peel better than old ones."),
        ("We don't accept American Express.", "We accept Visa, Mastercard and American Express."),
        ("This lamp comes with a bulb.", "This lamp comes without a bulb."),
        ("Dogs are allowed in the garden.", "For safety reasons dogs are forbidden in the garden."),
    ],
)
def test_a_statement_turned_round_is_a_reversal(first, second):
    assert_reversal("turned round", "Tell me.", first, "And now?", second)
    assert_reversal("turned round", "Tell me.", second, "And now?", first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Sleep is important.", "Nothing is more important than sleep."),
        ("You should back up your files.", "You can never back up your files too often."),
        ("Dogs are allowed in the garden.", "Dogs are not allowed in the kitchen."),
        ("The shop is open on Monday.", "The shop is closed right now."),
        ("The blue jacket is available.", "The red jacket isn't available."),
        ("Eating meat is ethical.", "Some people say that eating meat is unethical."),
        ("You can cancel a ticket.", "If it is a gift, you can't cancel a ticket."),
        ("I like tea.", "My sister doesn't like tea."),
        ("Capitalism is good at producing.", "At sharing wealth, it is bad."),
    ],
)
def test_another_case_or_an_idiom_is_no_reversal(first, second):
    assert not judged("Tell me.", first, "And now?", second)
    assert not judged("Tell me.", second, "And now?", first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I'm a nurse.", "I'm an accountant."),
        ("My name is Anna.", "I'm called Marta."),
        ("I have two brothers.", "I'm an only child."),
        ("I'm 27 years old.", "I'm 35 years old."),
        ("I've never been to Paris.", "When I was in Paris last spring, it rained."),
        ("Our shop is at 12 Mill Street.", "We are at 4 Oak Road."),
        ("The museum ticket costs 12 euros.", "The museum ticket costs 15 euros."),
        ("The pool opens at 8 am.", "The pool opens at 10 am."),
        ("Breakfast is included.", "Breakfast costs 9 euros extra."),
    ],
)
def test_a_fact_with_another_value_is_a_reversal(first, second):
    assert_reversal("facts", "Tell me.", first, "And now?", second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I was a nurse.", "I'm an accountant."),
        ("I have a brother.", "I also have a sister."),
        ("A ticket costs 12 euros.", "Two tickets cost 24 euros."),
        ("The pool opens at 8 am.", "The pool opens at 8 o'clock."),
        ("The pool opens at 8 am.", "The library opens at 10 am."),
        ("The museum ticket costs 12 euros.", "The museum ticket for children costs 6 euros."),
    ],
)
def test_another_thing_or_another_time_is_no_reversal(first, second):
    assert not judged("Tell me.", first, "And now?", second)


FOR = (
    "Zoos protect rare animals and fund research that helps whole species to survive. They teach children "
    "respect for nature, and they inspire many of them to study it. The benefits are clear: good zoos are "
    "essential for saving animals that have lost their forests, and their care improves every year. "
    "Without their support and their valuable knowledge many more kinds would be gone today."
)
AGAINST = (
    "Zoos harm the animals that they keep, and cages cause stress and pain that never end. They are cruel, "
    "and they are dangerous for the mind of an animal that needs room. The problem is that money comes "
    "first: the risks are severe, the costs are high, and the damage to wild herds from which young animals "
    "are taken is a threat to them. Nothing that is learned there can outweigh that suffering."
)


def test_long_replies_that_argue_opposite_sides_are_a_reversal():
    question = "Should zoos exist?"
    found = judged(question, FOR, question, AGAINST)
    assert (found.outcome, found.step) == ("contradiction", "argument"), found.reason
    assert not judged(question, FOR, question, FOR)


@pytest.mark.parametrize(
    "said",
    [
        "No, I was wrong. A penguin is a fish.",
        "I made a mistake. The correct answer is no.",
        "Sorry, I have to correct my earlier answer: no.",
    ],
)
def test_a_reversal_that_is_taken_back_is_acknowledged(said):
    found = judged(BIRD, "Yes, it is a bird.", "Are you sure?", said)
    assert found.outcome == "acknowledged", found.reason
    assert found.acknowledgement is not None


def test_consistent_is_said_only_where_two_things_were_compared():
    assert judged(BIRD, "Yes.", BIRD, "Yes.").outcome == "consistent"
    nothing = judged(BIRD, "Yes.", "Thanks!", "You are welcome.")
    assert (nothing.outcome, nothing.step) == ("undetermined", "")


def test_a_result_equals_the_bool_it_stands_for():
    reversal, same = judged(BIRD, "Yes.", BIRD, "No."), judged(BIRD, "Yes.", BIRD, "Yes.")
    assert reversal == True  # noqa: E712
    assert same == False  # noqa: E712
    assert reversal != same
    assert (bool(reversal), bool(same)) == (True, False)
