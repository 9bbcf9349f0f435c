import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text import shorten, visible
from grice.text.display import shown_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\x00\x07\x7f\x9b", r"a\x00\x07\x7f\x9b"),
        ("over\rwritten", r"over\rwritten"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\u2066x\u2069\u200e", r"\u2066x\u2069\u200e"),
        ("pay\u200bpal\ufeff\u00ad", r"pay\u200bpal\ufeff\xad"),
        ("a\u200db\u200c", r"a\u200db\u200c"),
        ("hi\U000e0041\ufe01\U000e0101", r"hi\U000e0041\ufe01\U000e0101"),
        ("x\ufe0f", r"x\ufe0f"),
        ("a\u2028b", r"a\u2028b"),
        ("\ud800", r"\ud800"),
    ],
)
def test_shows_what_would_act_or_hide(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain, with tab\tand\nnewline",
        r"a \x1b backslash",
        "naïve café “quoted”",
        "你好。",
        "👨‍👩‍👧 1️⃣ ❤️ 👍🏽",
        "می‌خواهم",
        "क्‍ष",
        "[red]markup[/red]",
        "",
    ],
)
def test_leaves_what_a_reader_sees(text):
    assert visible(text) == text


def test_can_be_put_on_one_line():
    assert visible("a\r\nb\tc", newlines=False) == "a\\r\\nb\tc"


@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Lu"])))
def test_no_control_format_or_separator_survives_beside_capitals(text):
    spelt = set("\t\n\u200c\u200d")  # joiners are letters of some scripts
    for character in visible(text):
        if character not in spelt and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert unicodedata.name(character).startswith(("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")), (
                "these format characters are drawn"
            )


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 5, "short"),
        ("x" * 100, 30, "x" * 10 + "... (100 characters)"),
        ("abcdefgh", 5, "ab..."),
        ("abcdefgh", 2, ".."),
        ("abc", 0, ""),
    ],
)
def test_shortens_to_the_limit(text, limit, shown):
    assert shorten(text, limit) == shown


@given(st.text(), st.integers(0, 50))
def test_is_never_longer_than_the_limit(text, limit):
    assert len(shorten(text, limit)) <= limit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", ["a", "b"]),
        ("a\x1b\nb", [r"a\x1b", "b"]),
        ("1\n2\n3\n4\n5", ["1", "2", "3", "... (5 lines)"]),
        ("x" * 100, ["x" * 20 + "... (100 characters)"]),
        ("\n" * 1_000, ["", "", "", "... (1001 lines)"]),
    ],
)
def test_shows_so_many_lines_and_characters(text, shown):
    assert shown_lines(text, 40, 3) == shown
