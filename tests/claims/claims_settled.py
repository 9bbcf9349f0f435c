"""Claims held against facts, for the tests of this folder."""

from __future__ import annotations

from typing import Any

from grice.claims.claim_findings import Finding
from grice.claims.claim_verdicts import settle
from grice.claims.fact_store import FactStore
from grice.claims.lexicon import Lexicon, lexicon_for
from grice.claims.passage import Atom
from grice.claims.passage_parsing import parse_passage


def english() -> Lexicon:
    found = lexicon_for("The board is soft.", "en")
    assert not isinstance(found, str)
    return found


def atoms_in(text: str) -> list[Atom]:
    passage = parse_passage(text, english())
    return [atom for one in passage.sentences for clause in one.clauses for atom in clause.atoms]


def settled(text: str, facts: Any) -> list[Finding]:
    return settle(parse_passage(text, english()), FactStore([("$", facts)], english()))


def status(text: str, facts: Any) -> str:
    (found,) = settled(text, facts)
    return found.status
