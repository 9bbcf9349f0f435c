"""What is found private in a text or a field, and what is left alone."""

from __future__ import annotations

import json

import pytest

from grice.extracting import Pseudonyms
from grice.formats import read_conversation

SAID = [
    ("The booking is under Rafael Cavalcanti.", "Cavalcanti"),
    ("It's for my wife, Odalys Quibell.", "Quibell"),
    ("Guten Tag, ich heiße Jörn Überwasser.", "Überwasser"),
    ("Hola, me llamo Itziar Goikoetxea.", "Goikoetxea"),
    ("Je suis Maëlle Kerguelen, client depuis 2019.", "Kerguelen"),
    ("Regards,\nOdalys Quibell", "Quibell"),
    ("I met Willem van der Goes there.", "Goes"),
    ("Ship it to PO Box 88118.", "88118"),
    ("I live at 93 rue Juniper, Saskatoon.", "rue Juniper"),
    ("Marlowestraße 96, 34388 Kaunas", "Marlowestraße 96"),
    ("My address is Flat 39, 30 Quarry Close", "Quarry"),
    ("I moved from Lizesingel 793 last week.", "Lizesingel"),
    ("It comes from 46:b4:0a:1d:4a:a7.", "46:b4:0a:1d:4a:a7"),
    ("The login came from 145.62.32.39. Was it you?", "145.62.32.39"),
    ("2a02:8109:52fa:bd17:2f19:54a9:5ce2:775f is mine", "52fa"),
    ("The car SG23 HMY is insured.", "SG23 HMY"),
    ("My licence plate is EK5 R6W.", "EK5 R6W"),
    ("National insurance BB 24 06 12 C", "BB 24 06 12 C"),
    ("DNI 39398815R", "39398815R"),
    ("Was order INV/2024/04308 shipped?", "04308"),
    ("I log in as lemonnierthibaut", "lemonnierthibaut"),
    ("my handle is @fvegt", "fvegt"),
    ("See cus_rzNmvefNLQMyx0", "rzNmvefNLQMyx0"),
    ("postgres://admin:Sunflower478wk@db:5432/shop", "Sunflower478wk"),
]
FIELDS = [
    ("account_holder", "Odalys Quibell"),
    ("kunde", "Odalys Quibell"),
    ("user_id", "lemonnierthibaut"),
    ("plate", "YW72 PHL"),
    ("deliver_to", "Tulpenhof"),
]
PLAIN = [
    "I fly to San Francisco at 10:02:33.",
    "Thank you. Could you update Ajax Search Lite?",
    "It weighs 1500ml and costs 30USD, version v12.",
    "We are open from 9 to 17 on Monday.",
    "The passenger list has 4 names.",
]


def hidden(text: str, **arguments: object) -> str:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": json.dumps(arguments)}}
    read = read_conversation(
        [{"role": "user", "content": text}, {"role": "assistant", "content": "", "tool_calls": [call]}]
    )
    safe = Pseudonyms(key="k").conversation(read)
    return f"{safe.turns[0].user} {dict(safe.tool_calls[0].arguments)}"


@pytest.mark.parametrize(("text", "private"), SAID)
def test_what_is_private_in_a_text_is_replaced(text: str, private: str) -> None:
    assert private not in hidden(text)


@pytest.mark.parametrize(("field", "private"), FIELDS)
def test_what_is_private_by_its_field_is_replaced(field: str, private: str) -> None:
    assert private not in hidden("Hello", **{field: private})


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_not_private_stays(text: str) -> None:
    assert hidden(text).startswith(text)


def test_secrets_that_differ_have_stand_ins_that_differ() -> None:
    one, other = ("gh" + "p_" + letter * 36 for letter in "ab")
    text = hidden(f"It was {one}, now it is {other}, no more {one}.")
    first, second, again = text.split("[redacted: ")[1:4]
    assert first.split("]")[0] == again.split("]")[0] != second.split("]")[0]


def test_a_name_that_is_private_and_a_secret_that_is_a_number_are_replaced() -> None:
    text = hidden("Hello", users={"anna.meier@firma.de": {"plan": "gold"}})
    assert "anna.meier" not in text
    assert "'plan': 'gold'" in text
    assert "48151623" not in hidden("Hello", password=48151623)
