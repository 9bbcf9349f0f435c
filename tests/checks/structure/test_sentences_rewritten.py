"""have_at_most_sentences counts what a reader counts, however a text is written."""

from collections.abc import Callable
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.structure.sentence_count import counted_sentences, have_at_most_sentences
from structure_turns import verdict_on

TEXTS = {
    "Your parcel left our depot in Lyon this morning.": 1,
    "The Summit 156 is $399.99 today. It's back in stock!": 2,
    "Dr. Ruiz can see you at 3 p.m. on Monday. Does that work? I'll hold the slot.": 3,
    "I've refunded $24.50 to your Visa. You'll see it in 3-5 days.": 2,
    "Please don't switch it off yet": 1,
    "Version 4.13.5 fixes that. See example.com/help for the steps.": 2,
}
SAME: dict[str, Callable[[str], str]] = {
    "apostrophes": lambda text: text.replace("'", "\u2019"),
    "case": str.upper,
    "bold": lambda text: f"**{text}**",
    "quote": lambda text: f"> {text}",
    "item": lambda text: f"- {text}",
    "invisible": lambda text: text.replace("e", "e\u200b"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "entities": escape,
    "spaces": lambda text: f"  {text.replace(' ', '  ')}\n\n",
    "emoji": lambda text: f"{text} \U0001f642",
}
MORE: dict[str, Callable[[str], str]] = {
    "greeting": lambda text: f"Hi there! {text}",
    "pleasantry": lambda text: f"{text}{'' if text[-1] in '.!?' else '.'} Have a lovely day!",
    "paragraph": lambda text: f"{text}\n\nIs there anything else?",
}


@pytest.mark.parametrize(("text", "count"), TEXTS.items())
@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_how_a_text_is_written_does_not_change_its_sentences(
    text: str, count: int, change: Callable[[str], str]
) -> None:
    assert len(counted_sentences(change(text))) == count
    assert verdict_on(change(text), have_at_most_sentences(count)).outcome == "pass"


@pytest.mark.parametrize(("text", "count"), TEXTS.items())
@pytest.mark.parametrize("change", MORE.values(), ids=MORE)
def test_a_sentence_more_is_one_more(text: str, count: int, change: Callable[[str], str]) -> None:
    assert verdict_on(change(text), have_at_most_sentences(count)).outcome == "fail"
    assert verdict_on(change(text), have_at_most_sentences(count + 1)).outcome == "pass"


@given(st.lists(st.sampled_from([text for text, count in TEXTS.items() if count == 1][:1]), max_size=6))
def test_sentences_add_up(parts: list[str]) -> None:
    assert len(counted_sentences(" ".join(parts))) == len(parts)
