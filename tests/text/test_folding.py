import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text import fold, fold_with_offsets


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("I’m “HERE”", 'i\'m "here"'),
        ("no\u00a0break", "no break"),
        ("zero\u200bwi\u200ddth\ufeff", "zerowidth"),
        ("Straße", "strasse"),
        ("❤️", "❤"),
        ("ŉ", "'n"),
        ("", ""),
    ],
)
def test_folds_what_a_search_should_not_mind(text, folded):
    assert fold(text) == folded


texts = st.text(st.sampled_from("aBß İ’\u00a0\u200b\ufe0fŉﬃ") | st.characters())


@given(texts)
def test_folding_again_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(texts, st.data())
def test_a_hit_in_the_folded_text_maps_back_to_the_original(text, data):
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert len(offsets) == len(folded)
    assert list(offsets) == sorted(offsets)
    if folded:
        start = data.draw(st.integers(0, len(folded) - 1))
        end = data.draw(st.integers(start + 1, len(folded)))
        assert folded[start:end] in fold(text[offsets[start] : offsets[end - 1] + 1])


def test_a_hit_after_removed_and_grown_characters():
    text = "\u200b\u200bGroße I’m sure"
    folded, offsets = fold_with_offsets(text)
    start = folded.index("i'm")
    assert text[offsets[start] : offsets[start + 2] + 1] == "I’m"
