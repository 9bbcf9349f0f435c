import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.packs import pack_of
from grice.text.times import moments


def shown(one):
    if one.kind == "date":
        return f"{one.year or '?'}-{one.month or '?'}-{one.day or '?'}{' ambiguous' if one.ambiguous else ''}"
    return f"{one.hour}:{one.minute:02}" if one.kind == "time" else f"weekday {one.weekday}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-15T15:00:00Z", ["2024-5-15", "15:00"]),
        ("on March 3rd, 2026 at 2pm", ["2026-3-3", "14:00"]),
        ("3 March or Mar 4", ["?-3-3", "?-3-4"]),
        ("the 3rd of March", ["?-3-3"]),
        ("03/04/2026", ["2026-3-4 ambiguous"]),
        ("13/04/2026 and 4/13/2026", ["2026-4-13", "2026-4-13"]),
        ("04.03.2026", ["2026-3-4"]),
        ("2:30 p.m. or noon", ["14:30", "12:00"]),
        ("from 14:00 to 16:30.", ["14:00", "16:30"]),
        ("on Friday, Sat or sun", ["weekday 4", "weekday 5"]),
        ("you may 5 times", []),
        ("since 2019", ["2019-?-?"]),
        ("March 2026", ["2026-3-?"]),
        ("a ratio of 16:9, version 4.13.5, $20.26", []),
        ("31/02/2026 and 2026-13-40", []),
        ("12:60 and 25:00", []),
        ("at half past five in the afternoon", ["17:30"]),
        ("a quarter to nine or quarter past 8", ["8:45", "8:15"]),
        ("We open at ten.", ["10:00"]),
        ("from nine to five", ["9:00", "5:00"]),
        ("by six in the evening, 7:15 in the morning", ["18:00", "7:15"]),
        ("half past twelve, at twelve, quarter to one", ["12:30", "12:00", "12:45"]),
        ("at ten locations, at two, five or nine in total", ["2:00"]),
        ("from one of them, at one percent, half past it", []),
    ],
)
def test_finds_dates_and_times(text, expected):
    assert [shown(one) for one in moments(text)] == expected


def test_finds_spoken_times_in_german():
    text = "um halb zehn, Viertel vor acht abends oder um sieben; bis drei Tage"
    assert [shown(one) for one in moments(text, pack_of("de"))] == ["9:30", "19:45", "7:00"]


def test_finds_dates_in_german():
    text = "am 3. März 2026 um 14 Uhr oder Montag"
    assert [shown(one) for one in moments(text, pack_of("de"))] == ["2026-3-3", "14:00", "weekday 0"]


@pytest.mark.parametrize(
    ("one", "other", "agrees"),
    [
        ("March 3", "2026-03-03", True),
        ("March 3", "March 4", False),
        ("03/04/2026", "April 3, 2026", True),
        ("03/04/2026", "May 3, 2026", False),
        ("2pm", "14:00", True),
        ("2pm", "15:00", False),
        ("just before 7 am", "06:55", True),
        ("around 7 am", "07:20", False),
        ("at about midnight", "23:50", True),
        ("2:30", "14:30", True),
        ("on Friday", "2026-11-20", True),
        ("on Monday", "2026-11-20", False),
        ("on Friday", "2pm", None),
        ("on Friday", "March 3", None),
    ],
)
def test_moments_agree_as_far_as_both_say(one, other, agrees):
    assert moments(one)[0].agrees_with(moments(other)[0]) is agrees


@given(st.text(st.sampled_from("0123456789:/.-apm T March,st\ud800") | st.characters(), max_size=30))
def test_any_text_is_read_without_an_error(text):
    for one in moments(text):
        assert 0 <= one.start < one.end <= len(text)
