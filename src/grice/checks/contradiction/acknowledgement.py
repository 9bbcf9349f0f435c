"""Where a reply says that its speaker has changed its mind, or was wrong before."""

from __future__ import annotations

import re

from grice.checks.contradiction.consistency import Acknowledgement
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.wordlists import QUOTED, Wordlists

MAX_BEFORE = 60

_NO = re.compile(r"^\W*no\s*[,.;:\u2013\u2014-]")  # an answer denies nothing that follows


def acknowledges(sentence: str, words: Wordlists) -> bool:
    """Whether a sentence speaks of having changed one's mind, and not of what was asked."""
    return words.patterns["acknowledges"].search(sentence.lower()) is not None


def acknowledgement_in(
    one: ParsedReply, about: frozenset[str], words: Wordlists, *, agreement: bool, beside: bool
) -> Acknowledgement | None:
    """The first place where a reply takes back what was said `about` something: not denied, supposed, asked
    or in somebody else's mouth. With `agreement` agreeing with the user is one too. `beside` says that the
    reply is another than the one that turns round: it has to speak of the same, or answer what was asked.
    """
    text = QUOTED.sub(lambda found: " " * len(found[0]), one.prose.text.lower())
    names = ("acknowledges", "agrees") if agreement else ("acknowledges",)
    for place in range(len(one.sentences)):
        start, end = one.sentences[place]
        sentence = text[start:end]
        if sentence.rstrip(" \"')*").endswith("?") or words.patterns["stands"].search(sentence):
            continue
        asked = one.question.words if one.question is not None else frozenset[str]()
        if beside and not (one.keys[place] | asked) & about:
            continue
        for name in names:
            for found in words.patterns[name].finditer(sentence):
                before = _NO.sub("", sentence[max(0, found.start() - MAX_BEFORE) : found.start()])
                before = before.replace(",", "")
                of = words.patterns["of_what"].match(sentence, found.end())
                told = words.keys(re.findall(r"[\w']+", of[1])) if of else about
                if words.patterns["not_own"].search(before) is None and (not told or told & about):
                    first, last = one.prose.span(start + found.start(), start + found.end())
                    return Acknowledgement(one.turn, one.prose.original[first:last], first, last)
    return None
