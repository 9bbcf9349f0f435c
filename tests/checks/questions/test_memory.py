"""What counts as an answer in a user's message."""

import pytest

from grice.checks.questions.slot_values import answer_in
from grice.checks.questions.slots import read_slots
from grice.checks.questions.user_message import is_no_answer, read_message

SLOTS = {slot.name: slot for slot in read_slots(None).slots}
GERMAN = {slot.name: slot for slot in read_slots(None, "de").slots}


@pytest.mark.parametrize(
    ("message", "slot", "asked", "found"),
    [
        ("$400-$600", "budget", False, True),
        ("400 to 600", "budget", False, True),
        ("under $500", "budget", False, True),
        ("around 400", "budget", True, True),
        ("I ride 20 days", "budget", True, False),
        ("I ride 20 days", "size", False, False),
        ("Is the $399 one waterproof?", "budget", False, False),
        ("I paid around $400 last year", "budget", False, False),
        ("Shipping was under $10", "budget", False, False),
        ("Do you have anything under $300?", "budget", False, True),
        ("size 10.5 please", "size", False, True),
        ("10.5", "size", True, True),
        ("Mostly groomers", "terrain", False, True),
        ("I'm not a beginner", "experience", False, False),
        ("May 20", "date", True, True),
        ("I ordered it on May 20", "date", False, False),
        ("sometime next week", "date", True, False),
        ("from June 3 to June 9", "return date", False, True),
        ("7 pm", "time", True, True),
        ("just me", "people", False, True),
        ("Table for 4 people", "people", False, True),
        ("I want to fly from Boston to Denver", "origin", False, True),
        ("I want to fly from Boston to Denver", "destination", False, True),
        ("I talked to Anna from Support", "origin", False, False),
        ("I'm Ben", "name", False, True),
        ("I'm looking for boots", "name", False, False),
        ("ben@example.com", "email", False, True),
        ("call me on 555-201-3344", "phone", False, True),
        ("order #A10293", "order number", False, True),
        ("no preference", "colour", True, True),
        ("three nights", "duration", False, True),
    ],
)
def test_a_value_is_found_where_the_message_gives_one(message, slot, asked, found):
    assert (answer_in(read_message(message), SLOTS[slot], asked=asked) is not None) is found


@pytest.mark.parametrize(
    ("message", "nothing"),
    [
        ("What do you mean?", True),
        ("I'm not sure", True),
        ("Sorry, can you repeat that?", True),
        ("thanks", True),
        ("", True),
        ("\U0001f44d", True),
        ("Red. Do you have it?", False),
        ("around 400", False),
        ("Maybe red?", False),
    ],
)
def test_a_message_that_answers_nothing(message, nothing):
    assert is_no_answer(read_message(message)) is nothing


@pytest.mark.parametrize(
    ("message", "slot", "asked", "found"),
    [
        ("h\u00f6chstens 1.200 \u20ac", "budget", False, True),
        ("Der Versand hat 5 Euro gekostet", "budget", False, False),
        ("Ich suche ein graues Sofa", "colour", False, True),
        ("Ich suche eine wei\u00dfe Jacke", "colour", False, True),
        ("kein rotes", "colour", False, False),
        ("in Gr\u00f6\u00dfe 43", "size", False, True),
        ("43", "size", True, True),
        ("am 3. Juni", "date", False, True),
        ("Guten Morgen!", "date", False, False),
        ("Letzten Montag bestellt", "date", False, False),
        ("um 19:30 Uhr", "time", False, True),
        ("wir sind zu viert", "people", False, True),
        ("einen Flug von Hamburg nach Rom", "origin", False, True),
        ("einen Flug von Hamburg nach Rom", "destination", False, True),
        ("Schuhe von Adidas", "origin", False, False),
        ("Ich hei\u00dfe Sabine Keller", "name", False, True),
        ("Ich suche Stiefel", "name", False, False),
        ("Lindenstra\u00dfe 12", "address", False, True),
        ("meine Bestellung A-10293", "order number", False, True),
        ("f\u00fcr drei N\u00e4chte", "duration", False, True),
        ("Ich bin noch nie gefahren", "experience", False, True),
        ("Ganz egal", "colour", True, True),
        ("Keine Ahnung", "colour", True, False),
    ],
)
def test_a_value_is_found_in_a_german_message(message, slot, asked, found):
    assert (answer_in(read_message(message, "de"), GERMAN[slot], asked=asked) is not None) is found
