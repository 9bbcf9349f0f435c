"""A text is read as sentences, clauses and values, each with what it is about."""

from __future__ import annotations

import pytest
from claims_settled import atoms_in, english

from counted_calls import calls_of
from grice.claims.passage_parsing import parse_passage


def test_a_value_knows_what_it_is_about() -> None:
    clothing, bikes = atoms_in("Clothing can be returned within 14 days, and bikes within 45 days.")
    assert (clothing.subject, clothing.attribute) == ({"cloth"}, {"return"})
    assert (bikes.subject, bikes.attribute) == ({"bik"}, {"return"})
    assert clothing.ends
    assert bikes.said == "45 days"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("It costs $40.", ["money"]),
        ("It weighs 2 kg and is 72 cm wide.", ["quantity", "quantity"]),
        ("It opens at 9 am on Monday.", ["state", "moment", "moment"]),
        ("Order A100 is shipped.", ["code", "state"]),
        ("Version 4.13.5 is out.", ["code"]),
        ("$299.99", ["money"]),
    ],
)
def test_values_have_kinds(text: str, kinds: list[str]) -> None:
    assert [atom.kind for atom in atoms_in(text)] == kinds


def test_what_is_denied_is_marked() -> None:
    shipped, delivered = atoms_in("It is shipped, but it is not delivered.")
    assert (shipped.value, delivered.value) == (True, False)


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Returns are free.", "states"),
        ("I think returns are free.", "thinks"),
        ("If it doesn't fit, we pick it up.", "offers"),
        ("It would cost $40.", "conditional"),
    ],
)
def test_a_clause_says_how_it_is_meant(text: str, modality: str) -> None:
    (sentence,) = parse_passage(text, english()).sentences
    assert sentence.clauses[0].modality == modality


@pytest.mark.parametrize("text", ["Which one do you want?", "Let me know!", "Thanks so much!"])
def test_questions_and_offers_claim_nothing(text: str) -> None:
    assert parse_passage(text, english()).claims == []


def test_lines_stand_under_their_heading() -> None:
    passage = parse_passage("## Bikes\n- Window: 45 days\n", english())
    assert passage.sentences[1].topic == {"bik"}
    (atom,) = passage.sentences[1].clauses[0].atoms
    start, end = passage.span(atom.start, atom.end)
    assert passage.prose.original[start:end] == "45 days"


def test_a_value_is_not_cut() -> None:
    (atom,) = atoms_in("There are some at $200 or less in our range.")
    assert atom.said == "$200 or less"


def test_the_work_grows_with_the_text_only() -> None:
    text = "Clothing can be returned within 14 days, and bikes within 45 days. "
    few, many = (calls_of(parse_passage, text * times, english()) for times in (20, 80))
    assert many < 6 * few
