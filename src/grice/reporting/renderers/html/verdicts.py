"""Verdicts as nodes: sign, what was checked, why, and who judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from grice.matching.failure import shown_reason
from grice.matching.verdicts import TRIVIALLY_TRUE
from grice.records import Evidence, Outcome, Verdict
from grice.reporting.renderers.html.nodes import Node, element
from grice.reporting.text import judge_lines, judge_marks
from grice.reporting.verdict_labels import label
from grice.text import shorten

SIGNS = {
    Outcome.PASS: "\u2713",
    Outcome.FAIL: "\u2717",
    Outcome.INCONCLUSIVE: "?",
    Outcome.ERROR: "!",
    Outcome.SKIPPED: "\u2013",
}
CALM = (Outcome.PASS, Outcome.SKIPPED)

_QUIET = 2
"""How many calm verdicts stand in a margin by themselves; more are folded."""
_QUOTES = 3
_LONGEST_QUOTE, _LONGEST_CLAIM = 200, 1_000


class Margin:
    """The verdicts on a conversation, known by their numbers; those from `users` on are on the played user.

    `unfound` has the evidence of each that no words shown are, which then stands with the verdict.
    """

    def __init__(self, verdicts: Sequence[Verdict], users: int | None = None) -> None:
        self.verdicts = verdicts
        self.unfound: dict[int, list[Evidence]] = {}
        self._users = len(verdicts) if users is None else users

    def beside(self, numbers: Iterable[int]) -> Node:
        """Those of the numbers, the loudest first; of passed ones more than two are folded."""
        verdicts = self.verdicts
        ordered = sorted(
            numbers, key=lambda one: (verdicts[one].outcome in CALM, verdicts[one].mode == "soft")
        )
        drawn = [self._one(one) for one in ordered]
        calm = [verdicts[one].outcome for one in ordered if verdicts[one].outcome in CALM]
        if not drawn or len(calm) <= _QUIET:
            return element("ul", "margin", *drawn) if drawn else ""
        loud = len(drawn) - len(calm)
        said = ", ".join(f"{SIGNS[one]} {calm.count(one)} {one.value}" for one in CALM if one in calm)
        folded = element("details", "", element("summary", "", said), element("ul", "", *drawn[loud:]))
        return element("ul", "margin", *drawn[:loud], element("li", "calm", folded))

    def _one(self, number: int) -> Node:
        about = "the user: " if number >= self._users else ""
        return _verdict(self.verdicts[number], number, about, self.unfound.get(number, ()))


def verdict_list(verdicts: Sequence[Verdict]) -> Node:
    """Verdicts by themselves, each with its turn and its evidence."""
    shown = [
        _verdict(one, number, f"turn {one.turn}: " if one.turn else "", one.evidence)
        for number, one in enumerate(verdicts)
    ]
    return element("ul", "margin alone", *shown)


@cache  # there are ten of them, and thousands on a page
def badge(outcome: Outcome, mode: str = "hard", *, word: bool = True) -> Node:
    """Sign and word of an outcome, a soft one hollow. Without `word` only those who listen are told it."""
    soft = "soft " if mode == "soft" else ""
    sign = element("span", "sign", SIGNS[outcome], aria_hidden="true")
    said = element("span", "" if word else "unseen", f" {soft}{outcome.value}")
    return element("span", f"badge {outcome.value} {mode}", sign, said)


def _verdict(verdict: Verdict, number: int, about: str, evidence: Iterable[Evidence]) -> Node:
    score = "" if verdict.score is None else f" {verdict.score:g}"
    marks = [*([TRIVIALLY_TRUE] if verdict.trivially_true else []), *judge_marks(verdict)]
    return element(
        "li",
        f"{verdict.outcome.value} {verdict.mode}",
        badge(verdict.outcome, verdict.mode, word=False),
        about,
        element("span", "claim", label(verdict), title=verdict.claim[:_LONGEST_CLAIM]),
        score,
        element("span", "marks", f" [{', '.join(marks)}]") if marks else "",
        *_why(verdict, evidence),
        data_of=str(number),
    )


def _why(verdict: Verdict, evidence: Iterable[Evidence]) -> list[Node]:
    """Why it is so, what that rests on, and which LLM judged; nothing for a verdict that passed."""
    if verdict.outcome is Outcome.PASS:
        return []
    shown: list[Node] = []
    if verdict.reason:
        shown.append(element("div", "why", "\n".join(shown_reason(verdict.reason)), dir="auto"))
    quotes = [one for one in evidence if one.quote and one.quote not in verdict.reason]
    shown += [element("div", "quote", _quote(one), dir="auto") for one in quotes[:_QUOTES]]
    return shown + [element("div", "by", line) for line in judge_lines(verdict)]


def _quote(evidence: Evidence) -> str:
    note = f" {evidence.note}" if evidence.note else ""
    return f"\u201c{shorten(evidence.quote, _LONGEST_QUOTE)}\u201d{note}"
