import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.text import sentences
from grice.text.sentences import sentence_spans


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
        ("Run it:\n```python\nprint(1)\n```\nDone.", ["Run it:", "Done."]),
        ("| Board | Price |\n|---|---|\n| Custom | $399 |\nEnjoy!", ["Enjoy!"]),
        ("Board | Price\n--- | ---\nCustom | $399\nEnjoy!", ["Enjoy!"]),
        ("Mon | Tue", ["Mon | Tue"]),
        ("你好。我可以帮你。", ["你好。", "我可以帮你。"]),
        ("「はい。」と言った。次。", ["「はい。」", "と言った。", "次。"]),
        ("هل تريد المساعدة؟ نعم.", ["هل تريد المساعدة؟", "نعم."]),
        ("नमस्ते। कैसे हैं।", ["नमस्ते।", "कैसे हैं।"]),
        ("Visit example.com for more.", ["Visit example.com for more."]),
        ("It costs $399.99 today.", ["It costs $399.99 today."]),
        ("Is it in stock? No. I checked.", ["Is it in stock?", "No.", "I checked."]),
        ("No. 5 is best.", ["No. 5 is best."]),
        ("It weighs approx. 5 kg. Good?", ["It weighs approx. 5 kg.", "Good?"]),
        ("Well… maybe. Wait… Sure.", ["Well… maybe.", "Wait…", "Sure."]),
        ("We close at 5 p.m. Monday.", ["We close at 5 p.m. Monday."]),
        ("J.\u00a0Smith wrote it. Good.", ["J.\u00a0Smith wrote it.", "Good."]),
        ("Wow!!! Really?! Yes.", ["Wow!!!", "Really?!", "Yes."]),
        ("We see patients Mon. to Fri. from 8 a.m. on.", ["We see patients Mon. to Fri. from 8 a.m. on."]),
        ("It comes on Mon. We call you.", ["It comes on Mon.", "We call you."]),
        ("he sat. then he left.", ["he sat.", "then he left."]),
        ("It costs approx. $30 incl. VAT.", ["It costs approx. $30 incl. VAT."]),
        ("Your appt. is in Rm. 5. Bye.", ["Your appt. is in Rm. 5.", "Bye."]),
        ("Bring your ID. Parking is free.", ["Bring your ID.", "Parking is free."]),
        ("DR. LEE IS IN. COME BY.", ["DR. LEE IS IN.", "COME BY."]),
    ],
)
def test_counts_sentences_as_a_reader_does(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das ist am 24. Dezember.", ["Das ist am 24. Dezember."]),
        ("Ihr Zimmer ist im 3. Stock. Gern!", ["Ihr Zimmer ist im 3. Stock.", "Gern!"]),
        ("Wir haben noch 5. Das reicht.", ["Wir haben noch 5.", "Das reicht."]),
        ("Es kostet 5 € inkl. Versand.", ["Es kostet 5 € inkl. Versand."]),
    ],
)
def test_a_german_number_with_a_full_stop_may_be_an_ordinal(text, expected):
    assert sentences(text, "de") == expected


def test_an_unknown_language_uses_the_general_rules():
    assert sentences("One. Two.", "xx") == ["One.", "Two."]


@given(st.text(st.sampled_from("aAJ1.!?#-*|`🎉。\u00a0\u2009\ud800 \n") | st.characters()))
def test_any_text_gives_stripped_sentences(text):
    found = sentences(text)
    assert all(sentence == sentence.strip() != "" for sentence in found)
    spans = sentence_spans(text)
    assert [text[start:end] for start, end in spans] == found
    assert list(spans) == sorted(spans)
