import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grice.text import did_you_mean, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("Updated from v4.9.5 to v4.13.5.", ["Updated from v4.9.5 to v4.13.5."]),
        ("It costs $3.50. Fine?", ["It costs $3.50.", "Fine?"]),
        ("Visit https://example.com/a.b?c=1. Bye!", ["Visit https://example.com/a.b?c=1.", "Bye!"]),
        ("Mr. Smith agrees, e.g. today.", ["Mr. Smith agrees, e.g. today."]),
        ("Done. and unfinished", ["Done.", "and unfinished"]),
        ("no full stop", ["no full stop"]),
        ("first line\nsecond line\r\nthird", ["first line", "second line", "third"]),
        ("Great 🎉 Which day?", ["Great 🎉", "Which day?"]),
        ("I ❤️ pizza", ["I ❤️ pizza"]),
        ("Done! 🎉", ["Done! 🎉"]),
        ("✅ Updated.", ["✅ Updated."]),
        ("👍", ["👍"]),
        ("# Plans\n\n- One. Two\n* [ ] three\n1. Four\n-\n---\n## ", ["One.", "Two", "three", "Four"]),
        ("1. Open it. 2. Close it.", ["Open it.", "2. Close it."]),
        ("> Quoted. Twice.", ["Quoted.", "Twice."]),
        ("```python\nprint(1)\n```", ["print(1)"]),
        ("你好。我可以帮你。", ["你好。", "我可以帮你。"]),
    ],
)
def test_counts_sentences_as_a_reader_does(text, expected):
    assert sentences(text) == expected


def test_an_unknown_language_uses_the_general_rules():
    assert sentences("One. Two.", "xx") == ["One.", "Two."]


@settings(deadline=None)
@given(st.text(st.sampled_from("aA1.!?#-*🎉 \n") | st.characters()))
def test_any_text_gives_stripped_sentences(text):
    found = sentences(text)
    assert all(sentence == sentence.strip() != "" for sentence in found)


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("mathcer", ["matcher", "expected"], " (did you mean 'matcher'?)"),
        ("TOCONTAIN", ["toContain", "toBe"], " (did you mean 'toContain'?)"),
        ("zzz", ["matcher"], ""),
        ("x" * 1_000_000, ["x"], ""),
        ("a", [], ""),
    ],
)
def test_suggests_the_nearest_name(word, known, hint):
    assert did_you_mean(word, known) == hint
