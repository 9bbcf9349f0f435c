"""What a failed expectation says: the claim, the transcript with the turn marked, and why."""

from __future__ import annotations

from grice.identity import redact_text
from grice.matching.context import Context
from grice.matching.judged_by import judges_of
from grice.matching.redacted import redaction_of
from grice.matching.transcript import transcript
from grice.records import Outcome, Verdict
from grice.text import shorten, visible
from grice.text.display import shown_lines

__all__ = ["ExpectationFailed", "claim_line", "failure_text", "headline", "shown_reason"]

MAX_CLAIM = 1_000
MAX_REASON = 4_000
MAX_REASON_LINES = 100
_OPENINGS = {
    Outcome.FAIL: "expected ",
    Outcome.INCONCLUSIVE: "inconclusive: could not tell, expected ",
    Outcome.ERROR: "error: the check broke, expected ",
    Outcome.SKIPPED: "skipped: does not apply, expected ",
    Outcome.PASS: "",
}


class ExpectationFailed(AssertionError):
    """A hard expectation did not pass. `verdict` says why; the message reads like a bug report."""

    __module__ = "grice"  # where users find it

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message, verdict)  # all of them: an exception is pickled by its arguments
        self.message = message
        self.verdict = verdict

    def __str__(self) -> str:
        return self.message


def headline(verdict: Verdict) -> str:
    """The verdict's claim in one line, with the outcome in words when it is not a plain failure."""
    return _OPENINGS[verdict.outcome] + claim_line(verdict)


def claim_line(verdict: Verdict) -> str:
    """The claim on one line, cut when it is long."""
    return visible(shorten(redact_text(verdict.claim), MAX_CLAIM), newlines=False)


def shown_reason(reason: str) -> list[str]:
    """The lines of a reason as they are shown; a long one is cut. It is whole in the journal."""
    return shown_lines(reason, MAX_REASON, MAX_REASON_LINES)


def failure_text(verdict: Verdict, context: Context, name: str = "") -> str:
    """The whole message: headline, transcript, reason; without what is secret in any of them.

    The transcript is there when the subject belongs to a conversation or is a turn.
    """
    where = f"{visible(name, newlines=False)}: " if name else ""
    parts = [where + headline(verdict)]
    turns = context.conversation.turns if context.conversation is not None else ()
    if not turns and context.turn is not None:
        turns = (context.turn,)
    if turns:
        parts.append(transcript(turns, marked=verdict.turn))
    if verdict.reason:
        parts.append("\n".join(f"  {line}".rstrip() for line in shown_reason(verdict.reason)))
    judges = judges_of(verdict)
    if judges:
        parts.append("\n".join(f"  {line}" for line in judges))
    return redaction_of(*turns).text("\n\n".join(parts))
