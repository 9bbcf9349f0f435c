"""What a reply states, clause by clause: what it is about, and whether it is affirmed or denied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from grice.checks.contradiction.acknowledging import QUOTED, acknowledges
from grice.checks.contradiction.clause_statements import Statement, statement_of
from grice.checks.contradiction.speaking import Said
from grice.checks.contradiction.wordlists import Wordlists
from grice.claims.passage import Clause
from grice.claims.reading import read

__all__ = ["sign_of", "statements_in"]


MAX_LISTED = 4
"""Words of one more thing in a list."""

_COLON = re.compile(r"(?<=:)\s(?=\S)")


def statements_in(one: Said, place: int, topic: frozenset[str], words: Wordlists) -> list[Statement]:
    """What a sentence states; `topic` is what "it" and "that" speak of. Nothing of what it asks, supposes,
    concedes, quotes or reports.
    """
    start, end = one.sentences[place]
    text = one.prose.text[start:end]
    if text.rstrip(" \"')*").endswith("?"):
        return []
    for blank in (QUOTED, words.patterns["tells_nothing"]):
        text = blank.sub(lambda found: " " * len(found[0]), text)
    found: list[Statement] = []
    shift = 0
    so_far = frozenset(("yet",)).intersection(one.tokens[place])  # it begins a clause of its own
    for part in _COLON.split(text):
        lead, adjunct, head = frozenset[str](), frozenset[str](), None
        for clauses, number in _clauses(part, words):
            clause = clauses[number]
            made = statement_of(one.turn, clause, part, topic, words, opens=not number)
            if made is not None and adjunct and made.own != made.words:
                made = replace(made, words=made.words | adjunct, own=made.own | adjunct)
            if made is not None:
                begin, stop = (start + shift + at for at in (made.start, made.end))
                limits = made.limits | _conditions(clauses, number, part, words) | so_far
                made = replace(made, start=begin, end=stop, limits=limits, around=lead | made.own)
                found.append(made)
                if head is not None and _goes_on(made, clause, words):
                    head = replace(head, words=head.words | made.own, own=head.own | made.own, end=stop)
                    found.append(head)
                else:
                    head = made
                leaves = made.words <= topic or (
                    made.person == "i" and acknowledges(_said(clause, part), words)
                )
                topic = topic if leaves else made.words
            lead = words.keys([word.text for word in clause.tokens])
            adjunct = lead if not number and clause.tokens[0].text in words.groups["adjuncts"] else adjunct
        shift += len(part) + 1
    return found


def _clauses(text: str, words: Wordlists) -> Iterator[tuple[Sequence[Clause], int]]:
    """The clauses of a text, each as those of its sentence and its place among them; none that report, up to
    one that comes back to the speaker: "some say no, but I think so".
    """
    for sentence in read(text, words.lexicon).sentences:
        reports = words.patterns["reported"].search(sentence.text.lower()) is not None
        for place, clause in enumerate(sentence.clauses):
            reports = reports and words.patterns["comes_back"].match(_said(clause, text)) is None
            if not reports:
                yield sentence.clauses, place


def _conditions(clauses: Sequence[Clause], place: int, text: str, words: Wordlists) -> frozenset[str]:
    """The words that make a clause conditional: its own, those that begin the next, or the first of all."""
    pattern = words.patterns["conditions"]
    found = {one[0] for one in pattern.finditer(_said(clauses[place], text))}
    for one in {0, place + 1} - {place}:
        if one < len(clauses) and (opens := pattern.match(_said(clauses[one], text))):
            found.add(opens[0])
    return frozenset(found)


def _said(clause: Clause, text: str) -> str:
    return text[clause.tokens[0].start : clause.end].lower()


def _goes_on(made: Statement, clause: Clause, words: Wordlists) -> bool:
    """Whether a clause only lists more of what the one before speaks of: "Visa, Mastercard and Amex"."""
    listed = len(clause.tokens) <= MAX_LISTED
    bare = listed and words.lexicon.verbs.isdisjoint(word.text for word in clause.tokens)
    return bare and made.sign > 0 and not made.values and not made.limits and made.own == made.words


def sign_of(one: Said, place: int, about: frozenset[str], words: Wordlists) -> int:
    """The sign of what a sentence says of something, 0 where it says nothing of it."""
    for made in statements_in(one, place, about, words):
        if made.words & about:
            return made.sign
    return 0
