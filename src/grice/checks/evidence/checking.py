"""A text held against facts, claim by claim."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.checks.evidence.amounts import is_measure
from grice.checks.evidence.claims import Claim, claims_of
from grice.checks.evidence.findings import Finding
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.scene import Scene
from grice.checks.evidence.sheet import FactSheet
from grice.checks.evidence.weighing import weigh_claim
from grice.text.normalised import Normalised, normalise

__all__ = ["check_claims", "check_text"]


MAX_SAID = 100


def check_text(
    text: str,
    sheet: FactSheet,
    *,
    focus: frozenset[int] = frozenset(),
    compared: frozenset[int] = frozenset(),
    heard: FactSheet | None = None,
    strict: bool = False,
) -> list[Finding]:
    """What becomes of every claim of a text. The places in the findings are those in the original
    text.

    `focus` are the records that the text is about from its start; a record that a sentence names is what
    the next ones mean by "it", and what lines below its name are about. `compared` are those among which
    the text ranks. `strict` is for a text that is there to claim, see `claims_of`.
    """
    prose = normalise(text)
    claims = claims_of(prose, sheet.lexicon, strict=strict)
    return check_claims(claims, prose, sheet, focus=focus, compared=compared, heard=heard)


def check_claims(
    claims: Sequence[Claim],
    prose: Normalised,
    sheet: FactSheet,
    *,
    focus: frozenset[int] = frozenset(),
    compared: frozenset[int] = frozenset(),
    heard: FactSheet | None = None,
    strict: bool = False,
) -> list[Finding]:
    """What becomes of these claims of a prose, as `check_text` has it; if `strict`, every word of a
    condition counts.
    """
    is_prose = all(fact.prose for fact in sheet.facts[:50])
    meant = focus
    findings: list[Finding] = []
    said = [
        (one.start, one.low)
        for claim in claims
        for clause in claim.clauses
        for one in clause.quantities
        if one.dimension == "money" and one.low is not None
    ][:MAX_SAID]
    before: frozenset[str] = frozenset()
    for claim in claims:
        of_all = claim.clauses[0].stems[0] == "all"  # "all three desks" is not about the Nordic Desk
        named = frozenset() if of_all else sheet.focus_of(_naming(claim))
        meant = focus if of_all else meant
        meant = named or meant if not focus else (named | focus if named else focus)
        scene = Scene(
            prose.text,
            claim.stems,
            sheet,
            meant,
            sheet.out_of_sight(meant),
            heard,
            compared,
            is_prose=is_prose,
            strict=strict,
            said=said,
            fixed=bool(focus),
            topic=_topic(claim) | before if _goes_back(claim, sheet.lexicon) else _topic(claim),
            denies=any(term.denied for clause in claim.clauses for term in clause.terms),
        )
        before = scene.topic
        findings.append(_placed(weigh_claim(claim, scene), prose))
    return findings


def _topic(claim: Claim) -> frozenset[str]:
    """What a claim speaks of: its stems, and what they stand for."""
    return claim.stems.union(term.stem for clause in claim.clauses for term in clause.terms)


def _goes_back(claim: Claim, lexicon: Lexicon) -> bool:
    """Whether a claim speaks of what the one before it spoke of."""
    return lexicon.anaphors.begin(claim.clauses[0].stems)


def _naming(claim: Claim) -> frozenset[str]:
    """The stems of a claim that can name a record: not the 200 in "$200"."""
    if not any(is_measure(one.dimension) for clause in claim.clauses for one in clause.quantities):
        return claim.stems
    counted = {
        clause.stems[place]
        for clause in claim.clauses
        for one in clause.quantities
        if is_measure(one.dimension)
        for place, word in enumerate(clause.tokens)
        if one.start <= word.start < one.end
    }
    return claim.stems - counted


def _placed(finding: Finding, prose: Normalised) -> Finding:
    """The finding with places in the original text."""
    atoms = tuple(
        msgspec.structs.replace(atom, start=span[0], end=span[1])
        for atom in finding.atoms
        for span in (_span(prose, atom.start, atom.end),)
    )
    start, end = _span(prose, finding.start, finding.end)
    return msgspec.structs.replace(finding, start=start, end=end, atoms=atoms)


def _span(prose: Normalised, start: int, end: int) -> tuple[int, int]:
    return prose.span(start, end) if start < end <= len(prose.text) else (0, 0)
