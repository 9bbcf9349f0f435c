"""The envelope is read from data or from JSON text, and what is malformed is named with its path."""

import json

import pytest

from grice.checks.structure.envelope_parts import (
    Envelope,
    EnvelopeShape,
    envelope_of,
    read_shape,
    spoken_text,
)
from grice.matchers import ArgumentError
from structure_turns import reply_of

LEAD = '{"lead": "Hi."}'


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("Hi there.", "no envelope: the reply is plain text, and it has no data"),
        ("", "no envelope: the text is empty"),
        (
            {"status": 1},
            'no envelope: the object has none of lead, detail, clarifiers, products, found {"status": 1}',
        ),
        ("[1, 2]", "no envelope: the reply is plain text, and it has no data"),
        ("```python\nprint({1: 2})\n```", "no envelope: the reply is plain text"),
        (LEAD + LEAD, 'malformed envelope: two JSON objects in a row: \'{"lead": "Hi."}\''),
        (LEAD + " Bye.", "malformed envelope: there is text after the object: 'Bye.'"),
        ("Sure: " + LEAD, "malformed envelope: there is text before the object: 'Sure: '"),
        (f"Here:\n```json\n{LEAD}\n```", "malformed envelope: there is text around the code fence: 'Here:'"),
        ('{"lead": ', "malformed envelope: it is not JSON: Expecting value (at character 8, the text ends)"),
        (
            {"lead": {"lead": "Hi."}},
            'malformed envelope: $.lead holds an envelope again, found {"lead": "Hi."}',
        ),
        (
            {"text": LEAD},
            'malformed envelope: $.text holds an envelope again, found "{\\"lead\\": \\"Hi.\\"}"',
        ),
        (None, "no envelope: an object is read, found None"),
        (reply_of(("Hi", ""), data=[1]), "malformed envelope: the data is a list, found [1]"),
    ],
)
def test_why_there_is_no_envelope(subject, reason):
    assert envelope_of(subject) == reason


@pytest.mark.parametrize(
    ("subject", "source"),
    [
        ({"lead": "Hi."}, "data"),
        (LEAD, "text"),
        (f"```json\n{LEAD}\n```", "text"),
        (f"\ufeff {LEAD}\n", "text"),
        (reply_of(("Hi", "Hi."), data={"lead": "Hi."}), "data"),
        (reply_of(("Hi", LEAD)), "text"),
        (reply_of(("Hi", LEAD), data={"status": 1}), "text"),
        (reply_of(("Hi", "shown otherwise"), data=LEAD), "text"),
    ],
)
def test_where_an_envelope_is_found(subject, source):
    found = envelope_of(subject)
    assert isinstance(found, Envelope)
    assert (found.lead, found.source) == ("Hi.", source)


def test_all_faults_are_found_at_once_and_the_rest_is_read():
    found = envelope_of(
        {
            "mode": 1,
            "lead": ["Hi."],
            "detail": None,
            "clarifiers": ["Budget?", {"label": ""}, {"label": "Size?", "value": 3}],
            "products": [
                None,
                {"id": True, "title": "", "why": "good"},
                {"id": 7, "name": "Wave", "reasons": ["soft", 1]},
            ],
        }
    )
    assert isinstance(found, Envelope)
    assert found.faults == (
        "$.mode is a text, found 1",
        '$.lead is a text, found ["Hi."]',
        '$.clarifiers[0] is an object with label and value, found the text "Budget?"',
        '$.clarifiers[1].label is a text that is not empty, found ""',
        "$.products[0] is an object, found null",
        "$.products[1].id is a text or a number, found true",
        '$.products[1].title is not empty, found ""',
        '$.products[1].why is a list of texts, found "good"',
        "$.products[2].reasons[1] is a text, found 1",
    )
    assert [(one.label, one.value) for one in found.clarifiers] == [("Budget?", ""), ("Size?", "3")]
    assert [(one.id, one.title, one.reasons) for one in found.products] == [
        ("", "", ()),
        ("7", "Wave", ("soft",)),
    ]


def test_fields_stand_where_the_shape_says():
    shape = read_shape(
        {"lead": "ui.title", "products": ["cards", "items"], "productId": "sku", "product_reasons": "because"}
    )
    found = envelope_of(
        {"ui": {"title": "Hi."}, "items": [{"sku": "a", "title": "A", "because": ["x"]}]}, shape
    )
    assert isinstance(found, Envelope)
    assert (found.lead, found.products[0].id, found.products[0].reasons) == ("Hi.", "a", ("x",))
    assert found.products[0].path == "$.items[0]"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"leed": "x"}, "shape has an unknown field 'leed' (did you mean 'lead'?)"),
        ({"lead": 3}, "shape.lead is the name of a field or a list of names, found 3"),
        ({"lead": []}, "shape.lead is the name of a field or a list of names, found []"),
        ("lead", "shape is an object with names of fields, found 'lead'"),
    ],
)
def test_a_shape_names_fields(given, problem):
    with pytest.raises(ArgumentError) as refused:
        read_shape(given)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("subject", "spoken"),
    [
        ({"lead": "Hi.", "detail": "More."}, "Hi.\nMore."),
        ({"lead": " ", "products": []}, ""),
        ("Plain.", "Plain."),
        (reply_of(("Hi", "Said."), data={"products": []}), "Said."),
        (reply_of(("Hi", "Said."), data={"lead": "Shown."}), "Shown."),
        (json.dumps({"clarifiers": []}), ""),
        (5, ""),
    ],
)
def test_what_is_read_as_prose(subject, spoken):
    assert spoken_text(subject, EnvelopeShape()) == spoken
