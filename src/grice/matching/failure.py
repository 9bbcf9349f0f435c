"""What a failed expectation says: the claim, the transcript with the turn marked, and why."""

from __future__ import annotations

from grice.matching.context import Context
from grice.matching.transcript import transcript
from grice.records import Outcome, Verdict
from grice.text import visible

__all__ = ["ExpectationFailed", "failure_text", "headline"]

_OPENINGS = {
    Outcome.FAIL: "expected {claim}",
    Outcome.INCONCLUSIVE: "inconclusive: could not tell about {claim}",
    Outcome.ERROR: "error: could not check {claim}",
    Outcome.SKIPPED: "skipped: does not apply: {claim}",
    Outcome.PASS: "{claim}",
}


class ExpectationFailed(AssertionError):
    """A hard expectation did not pass. `verdict` says why; the message reads like a bug report."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


def headline(verdict: Verdict) -> str:
    """The verdict's claim in one line, with the outcome in words when it is not a plain failure."""
    return visible(_OPENINGS[verdict.outcome].format(claim=verdict.claim))


def failure_text(verdict: Verdict, context: Context, name: str = "") -> str:
    """The whole message: headline, transcript, reason.

    The transcript is there when the subject belongs to a conversation or is a turn.
    """
    where = f"{name}: " if name else ""
    parts = [where + headline(verdict)]
    turns = context.conversation.turns if context.conversation is not None else ()
    if not turns and context.turn is not None:
        turns = (context.turn,)
    if turns:
        parts.append(transcript(turns, marked=verdict.turn))
    if verdict.reason:
        parts.append("\n".join("  " + line for line in visible(verdict.reason).split("\n")))
    return "\n\n".join(parts)
