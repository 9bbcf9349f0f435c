"""Sentences of a reply, as a reader counts them."""

from __future__ import annotations


def sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of a text in order, without the white space around them and without list markers.

    A new line ends a sentence, and so does an emoji before a capital letter. Markdown headings, rules, rows
    of tables and code blocks are no sentences; an item of a list is one. Text without words (an emoji, "...")
    belongs to the sentence before it. The last sentence needs no full stop. `language` is an ISO 639 code;
    for one that is not known the general rules hold.
    """
    return [text[start:end] for start, end in sentence_spans(text, language)]


def sentence_spans(text: str, language: str = "en") -> tuple[tuple[int, int], ...]:
    """Where the sentences of a text stand, in order; see `sentences`."""
    from grice.text.cutting import cut  # its patterns are compiled when a text is cut

    return cut(text, language)
