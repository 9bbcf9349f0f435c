import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_calls import calls_of
from grice.text import marks
from grice.text.normalised import normalise
from grice.text.words import words


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("", ""),
        ("Plain prose stays.", "Plain prose stays."),
        ("I’m “happy” to help", 'I\'m "happy" to help'),
        ("**Great!** It's *really* __good__ and ~~bad~~.", "Great! It's really good and bad."),
        ("# Plans #\n\n- one\n* two\n3. three\n> quoted", "Plans\none\ntwo\nthree\nquoted"),
        ("See [our *site*](https://x.y/a_(b)) or <https://a.b>", "See our site or https://a.b"),
        ("![a board](x.png) nice", "a board nice"),
        ("Tom &amp; Jerry &lt;3&nbsp;you", "Tom & Jerry <3 you"),
        ("<p>Hello<br/>World</p> Hi <name>", "Hello\nWorld\nHi <name>"),
        ("<!-- hidden --><script>x()</script>Shown", "Shown"),
        ("Run:\n```py\nx = 1\n```\nDone", "Run:\nDone"),
        ("| A | B |\n|---|---|\n| 1 | 299 |", "A; B\n1; 299"),
        ("zero\u200bwidth\u00a0nbsp\u00adsoft", "zerowidth nbspsoft"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ！ ﬁne…", "Full width! fine..."),
        ("2½ cups, 10² m", "2 1/2 cups, 10^2 m"),
        ("cafe\u0301 Burton™ №5", "café Burton™ №5"),
        ("good—but 5–7", "good - but 5-7"),
        ("2 * 3 * 4 and 5*3 and 5* hotel", "2 * 3 * 4 and 5*3 and 5* hotel"),
        ("snake_case stays, _this_ goes", "snake_case stays, this goes"),
        ("**cut off", "cut off"),
        ("don`t run `code`", "don't run code"),
        (r"\*not emphasis\*", "*not emphasis*"),
        ("one  two\t three \n\n\n four", "one two three\nfour"),
        ("👍🏽 ❤️", "👍🏽 ❤"),
        ("\ud800 alone", "\ud800 alone"),
        ("2026. It was", "2026. It was"),
        ("---\n***\n===", ""),
    ],
)
def test_a_text_becomes_its_prose(text, prose):
    assert normalise(text).text == prose


def test_a_found_word_leads_back_to_the_original():
    text = "- **Say** “don’t” &amp; cafe\u0301"
    plain = normalise(text)
    found = {word.text: text[slice(*plain.span(word.start, word.end))] for word in words(plain.text)}
    assert found == {"say": "Say", "don't": "don’t", "café": "cafe\u0301"}
    place = plain.text.index("&")
    assert text[slice(*plain.span(place, place + 1))] == "&amp;"


_MARKS = "aB1 *_`~#|<>[]()!&;-.\n\t’“\u200b\u00a0\u00ad½²™…—ﬁ\u0301\u0327é你。🎉\ufe0f\u200d\ud800İ"


@given(st.text(st.sampled_from(_MARKS) | st.characters(), max_size=60))
def test_every_character_has_its_place_in_the_original(text):
    plain = normalise(text)
    assert len(plain.text) == len(plain.offsets) == len(plain.ends)
    assert all(0 <= start <= end <= len(text) for start, end in zip(plain.offsets, plain.ends, strict=True))
    assert list(plain.offsets) == sorted(plain.offsets)
    assert "  " not in plain.text
    assert plain.text == plain.text.strip(" \n")
    for character, start, end in zip(plain.text, plain.offsets, plain.ends, strict=True):
        if character.isascii() and character.isalpha() and start + 1 == end and text[start].isascii():
            assert text[start] == character


@pytest.mark.parametrize(
    "unit", ["*a", "[", "<a ", "`", "| ", "&a", "<!--", "- ", "a_", "\u0301", "](", "```\n"]
)
def test_hostile_marks_do_not_raise(unit):
    normalise(unit * 3000)


@pytest.mark.parametrize("mark", ["<script>", "<style>a</styl", "<!--", "<!-- -", "<b ", "[a](", "`a", "*a "])
def test_the_work_for_marks_that_nobody_closes_grows_with_their_number_only(mark):
    normalise.__wrapped__(mark)
    few, many = (calls_of(normalise.__wrapped__, mark * count) for count in (200, 800))
    assert many < 6 * few


def test_the_end_of_what_nobody_closes_is_looked_for_once_in_a_line(monkeypatch):
    looked_for = []

    class Watched(dict):
        def __getitem__(self, opening):
            looked_for.append(opening)
            return super().__getitem__(opening)

    monkeypatch.setattr(marks, "_HIDDEN", Watched(marks._HIDDEN))
    normalise.__wrapped__("<!-- <script> <style>" * 100)
    assert looked_for == ["<!--", "<scr", "<sty"]


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("a <script>if (x < 2) alert('</b>')</script> b", "a b"),
        ("a <!-- *b* - > --> *c*", "a c"),
        ("a <!-- b", "a <!-- b"),
        ("a <STYLE>b", "a b"),
        ("<script <script>a</script> b", "<script b"),
    ],
)
def test_comments_and_scripts_are_no_prose(text, prose):
    assert normalise(text).text == prose
