import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.languages import language_of, pack_for

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "languages.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_tells_the_language_of_a_reply(row):
    assert language_of(row["text"]).code == row["language"]


@pytest.mark.parametrize(
    ("text", "script", "mixed"),
    [
        ("Hello", "Latin", False),
        ("Привет мир", "Cyrillic", False),
        ("你好", "Han", False),
        ("こんにちは世界", "Hiragana", False),
        ("مرحبا", "Arabic", False),
        ("We stock 滑雪板和雪鞋 today", "Latin", True),
        ("12 🎉", "", False),
    ],
)
def test_tells_the_script(text, script, mixed):
    found = language_of(text)
    assert (found.script, found.mixed) == (script, mixed)


def test_a_language_without_a_pack_is_named():
    assert (
        pack_for("你好，我可以帮你。") == "the text is in Chinese (Han), for which there is no language pack"
    )
    assert pack_for("Hi", "fr") == "there is no language pack for French; there are de and en"


@pytest.mark.parametrize("text", ["", "👍", "OK", "12345", "Burton Custom Flying V 158"])
def test_a_text_too_short_to_tell_has_the_english_pack(text):
    assert pack_for(text).code == "en"


@given(st.text(max_size=60))
def test_any_text_has_a_pack_or_a_reason(text):
    found = pack_for(text)
    assert isinstance(found, str) or found.code in ("en", "de")
