"""Shortcuts for plain lines and for texts with signs say what the long way says, on any text."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from grice.text import words as module
from grice.text.lines import _placed, lines
from grice.text.words import words

WRITTEN = st.text(
    st.sampled_from("aZ é9.,:/&@'’ʼ‘“”–—…•·¤€£\u00a0-_ßİ\n") | st.characters(codec="utf-8"), max_size=60
)


@given(WRITTEN)
@example("“don’t” — 1,299.99€ … R&D·n/a")
@example("İ—x")
def test_a_text_with_signs_has_the_words_that_the_pattern_for_any_text_finds(text: str) -> None:
    found = re.finditer(module._ANY_WORD, text)
    expected = [(one[0].casefold().translate(module._CURLY), *one.span()) for one in found]
    assert [(one.text, one.start, one.end) for one in words(text)] == expected


@given(st.text(st.sampled_from("aZé1 \t)|.#-*>[]:x"), max_size=20).filter(lambda one: one[:1].isalpha()))
@example("a) first")
@example("x")
def test_a_line_that_begins_with_a_letter_is_placed_as_any_other(text: str) -> None:
    if "|" not in text:
        assert list(lines(text)) == [_placed(text, 0, is_row=False)]
