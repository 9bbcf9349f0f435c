"""Records as the JSON values that paths go into."""

import math

import pytest

from grice.matching.plain import plain_json
from grice.records import Conversation, JsonValue, Message, Turn


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (math.nan, math.nan),
        (-math.inf, -math.inf),
        (2**80, 2**80),
        (1e308, 1e308),
        (None, None),
        ((1, (2,)), [1, [2]]),
        ({1: "one"}, {"1": "one"}),
        ("\ud800", "\ud800"),
    ],
    ids=repr,
)
def test_a_record_is_plain_json_with_the_values_that_it_holds(value: JsonValue, found: JsonValue) -> None:
    record = Conversation("c", (Turn(1, (Message("user", "Hi"),)),), metadata={"value": value})
    plain = plain_json(record)
    assert plain["turns"][0]["messages"] == [{"role": "user", "content": "Hi"}]
    assert repr(plain["metadata"]["value"]) == repr(found)
