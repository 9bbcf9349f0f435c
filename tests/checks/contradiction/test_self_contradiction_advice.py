"""Advice that a reply gives and takes back: for what, against what, and of which two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grice.checks.contradiction.self_contradiction import self_contradiction

ROOT = Path(__file__).resolve().parents[3]


def talk(*said: str) -> list[dict[str, str]]:
    """Messages in turn of a user and the assistant."""
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]


FOR = (
    "I'd get the cover.",
    "Definitely, I'd go for the cover.",
    "The cover is well worth it.",
    "Buying the cover is a good idea.",
    "You're better off with the cover.",
    "It would be a mistake to skip the cover.",
    "There's no reason not to get the cover.",
    "- Charger\n- Case\n- You should add the cover",
    "| Item | Verdict |\n|---|---|\n| Get the cover? | Yes |",
)
AGAINST = (
    "I'd skip the cover.",
    "I wouldn't bother with the cover.",
    "The cover isn't worth it.",
    "Buying the cover is a bad idea.",
    "You're better off without the cover.",
    "There's no need to get the cover.",
    "My advice is to leave the cover out.",
    "- Charger\n- Case\n- Don't get the cover",
    "| Item | Verdict |\n|---|---|\n| Get the cover? | No |",
)
QUESTION = "Should I get the cover?"


@pytest.mark.parametrize("first", FOR)
@pytest.mark.parametrize("second", AGAINST)
def test_advice_for_and_advice_against_contradict_each_other(first, second):
    assert self_contradiction(talk(QUESTION, first, "Hm.", second)).outcome == "contradiction"
    assert self_contradiction(talk(QUESTION, second, "Hm.", first)).outcome == "contradiction"


@pytest.mark.parametrize("said", [FOR, AGAINST], ids=["for", "against"])
def test_the_same_advice_in_other_words_is_consistent(said):
    first = said[0]
    outcomes = {one: self_contradiction(talk(QUESTION, first, "Hm.", one)).outcome for one in said}
    assert set(outcomes.values()) == {"consistent"}, outcomes


def test_of_two_options_the_chosen_one_is_named():
    found = self_contradiction(
        talk(
            "Oak or pine for the shelf?",
            "Oak, it lasts.",
            "And the varnish?",
            "Matt.",
            "Final answer?",
            "Pine.",
        )
    )
    assert found.outcome == "contradiction"
    assert found.pair == (1, 3)
    assert "chooses 'oak'" in found.reason
    assert "chooses 'pine" in found.reason


@pytest.mark.parametrize(
    "again",
    [
        "So should I get it?",
        "Final answer?",
        "Remind me, yes or no?",
        "My brother laughed at me.",
        "Sum it up please.",
    ],
)
def test_a_question_stays_open_until_another_is_asked(again):
    said = talk(
        QUESTION, "Yes, get it.", "What does it weigh?", "About 80 grams.", again, "I'd skip the cover."
    )
    assert self_contradiction(said).outcome == "contradiction"


@pytest.mark.parametrize(
    ("user", "reply"),
    [
        ("I just found out it doesn't fit my model.", "Since it doesn't fit your model, I'd skip the cover."),
        ("And for my brother, who never travels?", "For your brother I'd skip the cover."),
        ("Argue the other side for my debate club.", "Skip the cover! It isn't worth it."),
        ("What do critics say?", "Critics say the cover isn't worth it. I'd still get it."),
        ("So you said to skip the cover?", "No, I'd get the cover."),
        ("Hm.", "Scratch what I said. I'd skip the cover."),
        ("Hm.", "My earlier advice was off. I'd skip the cover."),
        ("Hm.", "Mea culpa. The cover isn't worth it."),
    ],
)
def test_another_case_a_part_and_an_acknowledgement_are_no_contradiction(user, reply):
    assert not self_contradiction(talk(QUESTION, "Yes, I'd get the cover.", user, reply))


@pytest.mark.parametrize(
    "denial",
    [
        "As I've said from the start,",
        "I haven't changed my mind:",
        "I wasn't wrong.",
        "People often get this wrong.",
        "Apologies for any confusion! As I said before,",
    ],
)
def test_a_denial_and_the_mistakes_of_others_excuse_nothing(denial):
    said = talk(QUESTION, "Yes, I'd get the cover.", "Hm.", f"{denial} I'd skip the cover.")
    assert self_contradiction(said).outcome == "contradiction"


def test_the_spans_of_advice_are_those_of_the_original_text():
    second = "Sure!\n\n- **Don\u2019t** get the *cover*."
    found = self_contradiction(talk(QUESTION, "Yes, get the cover.", "Hm.", second))
    stance = found.stances[1]
    assert stance.position == "no"
    assert second[stance.start : stance.end].startswith("Don\u2019t** get")


def test_no_example_is_taken_from_the_held_out_rows():
    held_out = ROOT / "benchmarks" / "held_out" / "self-contradiction.jsonl"
    rows = [json.loads(line) for line in held_out.read_text(encoding="utf-8").splitlines()]
    examples = ROOT / "src/grice/checks/contradiction/self-contradiction.examples.jsonl"
    own = {json.loads(line).get("text") for line in examples.read_text(encoding="utf-8").splitlines()}
    assert not own & {row["text"] for row in rows}
