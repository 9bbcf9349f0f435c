from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text.packs import known_packs, pack_of
from grice.text.words import content_words, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Don't PANIC.", ["don't", "panic"]),
        ("It’s the team's", ["it's", "the", "team's"]),
        ("costs 1,299.99 or 2.5", ["costs", "1,299.99", "or", "2.5"]),
        ("beginner-friendly all_mountain", ["beginner", "friendly", "all", "mountain"]),
        ("R&D 24/7 and/or n/a", ["r&d", "24/7", "and", "or", "n/a"]),
        ("e.g. example.com, v4.13.5 at 14:30", ["e.g", "example.com", "v4.13.5", "at", "14:30"]),
        ("Done.Next", ["done", "next"]),
        ("你好 ok", ["你", "好", "ok"]),
        ("नमस्ते", ["नमस्ते"]),
        ("cafe\u0301", ["cafe\u0301"]),
        ("🎉 ... !", []),
        ("Straße", ["strasse"]),
    ],
)
def test_cuts_a_text_into_words(text, expected):
    assert [word.text for word in words(text)] == expected


@given(st.text(st.sampled_from("aB1'’.,/-_& 你é\u0301\ud800") | st.characters(), max_size=40))
def test_words_stand_where_they_say_in_order(text):
    found = words(text)
    assert all(word.start < word.end for word in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_content_words_leave_out_what_means_nothing():
    found = content_words("I'm sure that's the best board for beginners, isn't it?")
    assert [word.text for word in found] == ["best", "board", "beginners"]


def test_content_words_of_a_language_without_a_pack_are_all_words():
    assert [word.text for word in content_words("Sí, claro, puedo ayudarte.")] == [
        "sí",
        "claro",
        "puedo",
        "ayudarte",
    ]


@pytest.mark.parametrize(
    "forms",
    [
        "binding bindings",
        "price prices priced pricing",
        "ship ships shipped shipping",
        "city cities",
        "movie movies",
        "box boxes",
        "glass glasses",
        "shoe shoes",
        "man men",
        "return returns returned returning",
        "review reviews reviewed",
        "team team's",
    ],
)
def test_forms_of_a_word_share_their_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("water", "waterless"),
        ("use", "useful"),
        ("bus", "bu"),
        ("light", "lighter"),
        ("care", "careless"),
        ("speed", "spe"),
    ],
)
def test_words_that_mean_something_else_keep_apart(one, other):
    assert stem(one) != stem(other)


def test_german_forms_share_a_stem():
    german = pack_of("de")
    assert stem("tagen", german) == stem("tage", german)
    assert stem("schuhe", german) == stem("schuhen", german)


@pytest.mark.parametrize("code", known_packs())
def test_the_words_of_a_pack_are_casefolded(code):
    pack = pack_of(code)
    for field in pack.__struct_fields__:
        if field not in ("code", "name"):
            values = getattr(pack, field)
            listed = values if isinstance(values, frozenset | dict) else ()
            assert [word for word in listed if word != word.casefold()] == [], field


def test_packs_are_found_by_any_form_of_their_code():
    assert pack_of("en-GB") is pack_of("EN") is pack_of("en_US")
    assert pack_of("xx") is None
